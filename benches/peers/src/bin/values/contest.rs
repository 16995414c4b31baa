//! Runs contestants in turn and prints a line of a table with their times.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::ClockId;
use rustix::time::clock_gettime;

/// Samples per contestant.
const SAMPLES: usize = 25;

/// The least time for a sample, which repeats the work until then.
const SAMPLE: Duration = Duration::from_millis(4);

/// The names of the contestants. The table has a column for each.
const NAMES: [&str; 5] = ["sonic-rs", "serde_json", "simd-json", "fjson", "fjson avx2"];

/// One implementation of a task.
pub struct Contestant<'c> {
    name: &'static str,
    run: Box<dyn FnMut() + 'c>,
}

/// Returns a contestant, whose name is one of [`NAMES`]. The result of `run` counts as used.
pub fn contestant<'c, T>(name: &'static str, mut run: impl FnMut() -> T + 'c) -> Contestant<'c> {
    let run = move || {
        black_box(run());
    };
    Contestant { name, run: Box::new(run) }
}

/// Prints the head of the table.
pub fn print_head() {
    println!("| task | bytes | {} |\n|---|{}", NAMES.join(" | "), "--:|".repeat(1 + NAMES.len()));
}

/// Measures the contestants, of which the first is sonic-rs, and prints a line of the table: the time of the first, and the times of
/// the others as fractions of it.
pub fn race(task: &str, bytes: usize, mut contestants: Vec<Contestant<'_>>) {
    let repeats: Vec<_> = contestants.iter_mut().map(repeats).collect();
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..SAMPLES {
        for ((contestant, &repeats), times) in contestants.iter_mut().zip(&repeats).zip(&mut times) {
            times.push(time(contestant, repeats).as_secs_f64() / f64::from(repeats));
        }
    }
    let medians: Vec<_> = times.into_iter().map(median).collect();
    print!("| {task} | {bytes} | {} |", duration(medians[0]));
    for name in &NAMES[1..] {
        match contestants.iter().position(|contestant| contestant.name == *name) {
            Some(index) => print!(" {:.2} |", medians[index] / medians[0]),
            None => print!(" |"),
        }
    }
    println!();
}

/// The number of repetitions that fill a sample.
fn repeats(contestant: &mut Contestant<'_>) -> u32 {
    let mut repeats = 1;
    while time(contestant, repeats) < SAMPLE {
        repeats *= 2;
    }
    repeats
}

/// Returns the processor time of the repetitions, which does not depend on other programs as much as the time on a clock.
fn time(contestant: &mut Contestant<'_>, repeats: u32) -> Duration {
    let start = processor_time();
    for _ in 0..repeats {
        (contestant.run)();
    }
    processor_time() - start
}

/// The processor time of this thread so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).expect("less than a second"))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn duration(seconds: f64) -> String {
    match seconds {
        0.001.. => format!("{:.2} ms", seconds * 1e3),
        0.000_001.. => format!("{:.2} µs", seconds * 1e6),
        _ => format!("{:.1} ns", seconds * 1e9),
    }
}
