//! Sampling: trials that are compared take turns, sample by sample.
//!
//! The speed of a machine changes over time. If trials were measured one after another, that would look like a difference
//! between them; when they take turns, it affects all alike. A sample repeats its work for several milliseconds, so that the
//! resolution of the clock and interrupts have little influence.

#![forbid(unsafe_code)]

use crate::commands::bench::clock::Clock;
use crate::commands::bench::statistics;
use crate::figures::real;
use crate::figures::wide;
use std::time::Duration;

/// Work that is timed.
pub trait Trial {
    /// Does the work once. `scratch` is for its output, and keeps its capacity between runs.
    fn run(&mut self, scratch: &mut Vec<u8>);

    /// Whether all runs so far had the right result, and the last one the right output.
    fn is_right(&self, scratch: &[u8]) -> bool;
}

/// Duration and number of samples.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Minimum duration of a sample. The work is repeated.
    sample: Duration,
    /// Duration of the runs of each trial before the first sample.
    warm_up: Duration,
    /// Approximate duration of all samples of a trial.
    time: Duration,
    /// Minimum number of samples.
    least: usize,
}

impl Plan {
    /// At least 25 samples and a quarter of a second for each trial, or as many samples as fit into `time`.
    pub fn new(time: Option<Duration>) -> Self {
        Self {
            sample: Duration::from_millis(5),
            warm_up: Duration::from_millis(50),
            time: time.unwrap_or(Duration::from_millis(250)),
            least: if time.is_some() { statistics::LEAST_SAMPLES } else { 25 },
        }
    }

    /// Returns a plan for processes: a sample is one run, and two runs come before the first sample.
    pub fn of_processes(time: Option<Duration>) -> Self {
        Self { sample: Duration::ZERO, warm_up: Duration::ZERO, ..Self::new(time) }
    }
}

/// The number of a trial with a wrong result.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong(pub usize);

/// Repetitions of the work in a sample, and the duration of the sample.
struct Pace {
    repetitions: u32,
    sample: Duration,
}

/// The samples of a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Seconds per run of the work.
    pub seconds: Vec<f64>,
    /// Cycles per run; empty if they were not counted in all samples.
    pub cycles: Vec<f64>,
}

/// Returns the samples of each trial. `progress` receives the fraction that is done.
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
            // An untimed run, because the trial before has filled the caches with its own data.
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
    // The first run has page faults that later runs do not have.
    trial.run(scratch);
    let start = clock.now();
    let mut runs = 0;
    let each = loop {
        // Twice as many runs each time, because reading the clock can take longer than a run.
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

/// Returns the number of samples of each trial. On average they fit into the time of the plan.
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

    /// A trial that takes a fixed time and logs its name.
    struct Scripted {
        name: char,
        time: Duration,
        clock: Fake,
        log: Rc<RefCell<String>>,
        /// Runs with the right result.
        right: u32,
        /// Runs until the clock stops counting cycles.
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

    /// Measures `a` and `b`, which take `times` milliseconds. Returns the samples and the log of runs.
    fn run(clock: &Fake, times: [u64; 2], right: u32, counted: u32) -> (Result<Vec<Samples>, Wrong>, String) {
        let log = Rc::new(RefCell::new(String::new()));
        let scripted = |name, millis| {
            let time = Duration::from_millis(millis);
            Scripted { name, time, clock: clock.clone(), log: Rc::clone(&log), right, counted }
        };
        let mut trials = [scripted('a', times[0]), scripted('b', times[1])];
        let mut progress = Vec::new();
        let samples = measure(&mut trials, &PLAN, clock, &mut |done| progress.push(done));
        assert!(samples.is_err() || progress.last() == Some(&1.0), "{progress:?}");
        let log = log.borrow().clone();
        (samples, log)
    }

    fn samples(seconds: f64, cycles: Option<f64>) -> Samples {
        Samples { seconds: vec![seconds; 3], cycles: cycles.map_or(Vec::new(), |cycles| vec![cycles; 3]) }
    }

    #[test]
    fn trials_take_turns() {
        let (result, log) = run(&Fake::default(), [2, 5], 100, 0);
        // One run, the warm-up, then three rounds: `a` runs once untimed and twice timed, `b` once.
        assert_eq!(log, "aaaaabbbaaabaaabaaab");
        assert_eq!(result, Ok(vec![samples(0.002, None), samples(0.005, None)]));
    }

    #[test]
    fn cycles_are_reported_only_if_all_samples_have_them() {
        let (result, _) = run(&Fake::counting(3), [2, 5], 100, 100);
        assert_eq!(result, Ok(vec![samples(0.002, Some(6e6)), samples(0.005, Some(15e6))]));
        // The clock stops counting in the second of three rounds.
        let (result, _) = run(&Fake::counting(3), [2, 5], 100, 10);
        assert!(result.is_ok_and(|samples| samples.iter().all(|trial| trial.cycles.is_empty())));
    }

    #[test]
    fn the_number_of_samples_depends_on_the_time() {
        assert_eq!(run(&Fake::default(), [1, 1], 100, 0).0.map(|samples| samples[0].seconds.len()), Ok(3));
        let plan = Plan { time: Duration::from_millis(40), ..PLAN };
        assert_eq!(rounds(2, Duration::from_millis(8), &plan), 10);
    }

    #[test]
    fn a_wrong_result_ends_the_measurement() {
        for (times, right, wrong) in [([2, 5], 3, 0), ([2, 5], 8, 0), ([5, 2], 6, 1)] {
            assert_eq!(run(&Fake::default(), times, right, 0).0, Err(Wrong(wrong)));
        }
    }
}
