//! Compares fjson with other JSON libraries in one process: a Markdown table for each operation, in GB/s of input.
//!
//! All contestants of a file run in turn, sample by sample, so that changes in the speed of the machine affect all of
//! them alike. The table has medians. Before anything is measured, each contestant must accept the document, and the
//! output of fjson must equal that of the reference writer.

#![forbid(unsafe_code)]

mod contestants;

use std::env;
use std::fs;
use std::hint::black_box;
use std::time::Duration;
use std::time::Instant;

use contestants::Contestant;
use contestants::Job;
use proof::check;
use proof::check::Verb;

/// Samples per contestant.
const SAMPLES: usize = 25;

/// The least time for a sample, which repeats the work until then.
const SAMPLE: Duration = Duration::from_millis(4);

fn main() {
    let files: Vec<String> = env::args().skip(1).collect();
    assert!(!files.is_empty(), "which files? They are named on the command line");
    for verb in Verb::ALL {
        let contestants = contestants::of(verb);
        let names: Vec<_> = contestants.iter().map(|contestant| contestant.name.as_str()).collect();
        println!("\n**{verb:?}**, GB/s of input, median of {SAMPLES} samples of {SAMPLE:?} taken in turn\n");
        println!("| file | {} | fjson / best peer |", names.join(" | "));
        println!("|---|{}", "--:|".repeat(names.len() + 1));
        for file in &files {
            let text = fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
            check::agree(verb, &text);
            let speeds = speeds(&contestants, &text);
            let cells: Vec<_> = speeds.iter().map(|speed| format!("{speed:.2}")).collect();
            let name = file.rsplit('/').next().unwrap_or(file);
            println!("| {name} | {} | {:.1} |", cells.join(" | "), ratio(&contestants, &speeds));
        }
    }
}

/// The speed of the fastest fjson kernel divided by that of the fastest peer that does the same work.
fn ratio(contestants: &[Contestant], speeds: &[f64]) -> f64 {
    let best = |wanted: Job| {
        let of_job = contestants.iter().zip(speeds).filter(|(contestant, _)| contestant.job == wanted);
        of_job.fold(0.0, |best: f64, (_, &speed)| best.max(speed))
    };
    best(Job::Fjson) / best(Job::Peer)
}

/// The median speed of each contestant in GB/s.
fn speeds(contestants: &[Contestant], text: &[u8]) -> Vec<f64> {
    let mut scratch = Vec::with_capacity(8 * text.len() + 4096);
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); contestants.len()];
    let repeats: Vec<u32> = contestants.iter().map(|contestant| repeats(contestant, text, &mut scratch)).collect();
    for _ in 0..SAMPLES {
        for ((contestant, &repeats), times) in contestants.iter().zip(&repeats).zip(&mut times) {
            let time = time(contestant, text, &mut scratch, repeats);
            times.push(time.as_secs_f64() / f64::from(repeats));
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "no document has 2^53 bytes")]
    let gigabytes = text.len() as f64 / 1e9;
    times.into_iter().map(|times| gigabytes / median(times)).collect()
}

/// The number of repetitions that fill a sample.
fn repeats(contestant: &Contestant, text: &[u8], scratch: &mut Vec<u8>) -> u32 {
    let mut repeats = 1;
    while time(contestant, text, scratch, repeats) < SAMPLE {
        repeats *= 2;
    }
    repeats
}

fn time(contestant: &Contestant, text: &[u8], scratch: &mut Vec<u8>, repeats: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..repeats {
        scratch.clear();
        assert!((contestant.run)(black_box(text), scratch), "{} refuses the document", contestant.name);
    }
    start.elapsed()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
