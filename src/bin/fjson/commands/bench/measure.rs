//! Sampling: everything that is to be compared takes turns, sample by sample.
//!
//! A machine grows slower and faster while one looks at it. If one candidate were measured after the other, that would
//! look like a difference between them; in turns it hits all alike. A sample repeats its work until it takes several
//! milliseconds, so that neither the clock nor an interrupt weighs much in it.

#![forbid(unsafe_code)]

use crate::commands::bench::clock::Clock;
use crate::commands::bench::figures::real;
use crate::commands::bench::figures::wide;
use crate::commands::bench::statistics;
use std::time::Duration;

/// Something whose time is taken.
pub trait Trial {
    /// Does the work once. `scratch` is for its output, and keeps its memory from one run to the next.
    fn run(&mut self, scratch: &mut Vec<u8>);

    /// Whether all runs so far gave the answer they must give, and the last one the output.
    fn is_right(&self, scratch: &[u8]) -> bool;
}

/// How long and how often.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// A sample takes at least so long, by repeating the work.
    sample: Duration,
    /// Each trial runs for so long before anything counts.
    warm_up: Duration,
    /// The samples of a trial take about so long in all,
    time: Duration,
    /// but there are at least so many.
    least: usize,
}

impl Plan {
    /// Twenty-five samples and a quarter of a second for each trial, or as many samples as fit into `time`.
    pub fn new(time: Option<Duration>) -> Self {
        Self {
            sample: Duration::from_millis(5),
            warm_up: Duration::from_millis(50),
            time: time.unwrap_or(Duration::from_millis(250)),
            least: if time.is_some() { statistics::LEAST_SAMPLES } else { 25 },
        }
    }

    /// The same for processes: they do not repeat their work, and two runs warm them up.
    pub fn of_processes(time: Option<Duration>) -> Self {
        Self { sample: Duration::ZERO, warm_up: Duration::ZERO, ..Self::new(time) }
    }
}

/// The number of the trial that gave a wrong answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong(pub usize);

/// How often a trial repeats its work in a sample, and how long that takes.
struct Pace {
    repetitions: u32,
    sample: Duration,
}

/// What a trial took, sample by sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Seconds for each run of the work.
    pub seconds: Vec<f64>,
    /// Cycles for each run; nothing if not all of them were counted.
    pub cycles: Vec<f64>,
}

/// What each trial takes for its work. `progress` is told which part is done.
pub fn measure<T: Trial>(
    trials: &mut [T],
    plan: &Plan,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(f64),
) -> Result<Vec<Samples>, Wrong> {
    let mut scratch = Vec::new();
    let mut paces = Vec::new();
    let mut longest = Duration::ZERO;
    for (number, trial) in trials.iter_mut().enumerate() {
        let pace = warm_up(trial, &mut scratch, plan, clock);
        if !trial.is_right(&scratch) {
            return Err(Wrong(number));
        }
        longest += pace.sample;
        paces.push(pace);
    }
    let rounds = rounds(trials.len(), longest, plan);
    let mut samples = vec![Samples::default(); trials.len()];
    for round in 0..rounds {
        for (number, (trial, pace)) in trials.iter_mut().zip(&paces).enumerate() {
            // Whoever went before has left the caches as he needs them.
            if pace.repetitions > 1 {
                trial.run(&mut scratch);
            }
            let cycles = clock.cycles();
            let start = clock.now();
            for _ in 0..pace.repetitions {
                trial.run(&mut scratch);
            }
            let time = clock.now().saturating_sub(start);
            let cycles = clock.cycles().zip(cycles).map(|(end, start)| end.saturating_sub(start));
            if !trial.is_right(&scratch) {
                return Err(Wrong(number));
            }
            let runs = f64::from(pace.repetitions);
            samples[number].seconds.push(time.as_secs_f64() / runs);
            samples[number].cycles.extend(cycles.map(|cycles| wide(cycles) / runs));
        }
        progress(real(round + 1) / real(rounds));
    }
    for trial in &mut samples {
        if trial.cycles.len() < trial.seconds.len() {
            trial.cycles.clear();
        }
    }
    Ok(samples)
}

fn warm_up(trial: &mut impl Trial, scratch: &mut Vec<u8>, plan: &Plan, clock: &dyn Clock) -> Pace {
    // The first run touches memory for the first time and says nothing about the others.
    trial.run(scratch);
    let start = clock.now();
    let mut runs = 0;
    let each = loop {
        // Twice as often each time, for asking the clock takes longer than many a run.
        for _ in 0..runs.max(1) {
            trial.run(scratch);
        }
        runs = (2 * runs).max(1);
        let elapsed = clock.now().saturating_sub(start);
        if elapsed >= plan.warm_up {
            break (elapsed / runs).max(Duration::from_nanos(1));
        }
    };
    let repetitions = plan.sample.as_nanos().div_ceil(each.as_nanos()).clamp(1, u128::from(u32::MAX));
    let repetitions = u32::try_from(repetitions).unwrap_or(u32::MAX);
    Pace { repetitions, sample: each * repetitions }
}

/// All trials get as many samples as fit, on average, into their time.
fn rounds(trials: usize, longest: Duration, plan: &Plan) -> usize {
    let time = plan.time.as_nanos() * trials as u128;
    usize::try_from(time / longest.as_nanos().max(1)).unwrap_or(usize::MAX).max(plan.least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::bench::clock::fake::Fake;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Takes a fixed time, notes its name, and is right so many times.
    struct Scripted {
        name: char,
        time: Duration,
        clock: Fake,
        log: Rc<RefCell<String>>,
        right: u32,
        /// After so many runs nobody counts cycles any more.
        counted: u32,
    }

    impl Trial for Scripted {
        fn run(&mut self, _: &mut Vec<u8>) {
            self.clock.advance(self.time);
            self.counted = self.counted.saturating_sub(1);
            if self.counted == 0 {
                self.clock.stop_counting();
            }
            self.log.borrow_mut().push(self.name);
            self.right = self.right.saturating_sub(1);
        }

        fn is_right(&self, _: &[u8]) -> bool {
            self.right > 0
        }
    }

    const PLAN: Plan = Plan {
        sample: Duration::from_millis(4),
        warm_up: Duration::from_millis(6),
        time: Duration::from_millis(9),
        least: 3,
    };

    fn run(times: [u64; 2], right: u32) -> (Result<Vec<Samples>, Wrong>, String, Vec<f64>) {
        run_on(&Fake::default(), times, right, 0)
    }

    fn run_on(
        clock: &Fake,
        times: [u64; 2],
        right: u32,
        counted: u32,
    ) -> (Result<Vec<Samples>, Wrong>, String, Vec<f64>) {
        let log = Rc::new(RefCell::new(String::new()));
        let scripted = |name, millis| {
            let time = Duration::from_millis(millis);
            Scripted { name, time, clock: clock.clone(), log: Rc::clone(&log), right, counted }
        };
        let mut trials = [scripted('a', times[0]), scripted('b', times[1])];
        let mut progress = Vec::new();
        let samples = measure(&mut trials, &PLAN, clock, &mut |done| progress.push(done));
        let log = log.borrow().clone();
        (samples, log, progress)
    }

    #[test]
    fn trials_take_turns() {
        let (samples, log, progress) = run([2, 5], 100);
        // Once, warm-up, then three rounds: `a` once untimed and twice timed, `b` once.
        assert_eq!(log, "aaaaabbbaaabaaabaaab");
        let of = |seconds: f64| Samples { seconds: vec![seconds; 3], cycles: Vec::new() };
        assert_eq!(samples, Ok(vec![of(0.002), of(0.005)]));
        assert_eq!(progress, [1.0 / 3.0, 2.0 / 3.0, 1.0]);
    }

    #[test]
    fn cycles_are_counted_if_all_of_them_are() {
        let of = |seconds: f64, cycles: f64| Samples { seconds: vec![seconds; 3], cycles: vec![cycles; 3] };
        let (samples, ..) = run_on(&Fake::counting(3), [2, 5], 100, 100);
        assert_eq!(samples, Ok(vec![of(0.002, 6e6), of(0.005, 15e6)]));
        // The counter goes in the second of three rounds.
        let (samples, ..) = run_on(&Fake::counting(3), [2, 5], 100, 10);
        assert!(samples.is_ok_and(|samples| samples.iter().all(|trial| trial.cycles.is_empty())));
    }

    #[test]
    fn time_left_is_used_for_more_samples() {
        let (samples, ..) = run([1, 1], 100);
        assert_eq!(samples.map(|samples| samples[0].seconds.len()), Ok(3));
        let plan = Plan { time: Duration::from_millis(40), ..PLAN };
        assert_eq!(rounds(2, Duration::from_millis(8), &plan), 10);
    }

    #[test]
    fn a_wrong_answer_ends_it_at_once() {
        assert_eq!(run([2, 5], 3).0, Err(Wrong(0)));
        assert_eq!(run([2, 5], 8).0, Err(Wrong(0)));
        assert_eq!(run([5, 2], 6).0, Err(Wrong(1)));
    }
}
