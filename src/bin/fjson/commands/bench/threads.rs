//! How many threads there may be, and whether any but the caller's has worked.
//!
//! What is too small is left to one thread, and so is what cannot be divided. A second figure would be the first one
//! again then, and would look as if threads were of no use. The verb does not tell, but the system does: it counts the
//! processor's time of each thread and of the whole process.

#![forbid(unsafe_code)]

use rustix::time::ClockId;
use rustix::time::clock_gettime;
use std::thread;
use std::time::Duration;

/// The number that `--threads` stands for.
pub fn number(given: usize) -> usize {
    if given == 0 { thread::available_parallelism().map_or(1, usize::from) } else { given }
}

/// On a busy machine others may come too late to find any work, so several runs are looked at.
const RUNS: usize = 4;

/// A thread that ends, or one that waits for signals, takes less than so much time; nobody starts one for less.
const LEAST: Duration = Duration::from_micros(40);

/// Whether other threads take a part of the work. Stops running it when that is known.
pub fn others_work(mut run: impl FnMut()) -> bool {
    (0..RUNS).any(|_| {
        let (all_before, own_before) = times();
        run();
        let (all, own) = times();
        is_shared(all.saturating_sub(all_before), own.saturating_sub(own_before))
    })
}

/// Whether so much of a processor's time, of all threads and of the caller's, speaks of work that was shared.
fn is_shared(all: Duration, own: Duration) -> bool {
    let others = all.saturating_sub(own);
    others >= LEAST && others >= all / 20
}

/// The processor's time of all threads and of this one.
fn times() -> (Duration, Duration) {
    let time = |clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default();
    (time(ClockId::ProcessCPUTime), time(ClockId::ThreadCPUTime))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_time_of_others_is_no_work() {
        let micros = Duration::from_micros;
        for (all, own, shared) in [
            (1000, 1000, false),
            (60, 25, false),
            (200, 150, true),
            (10_000, 9_700, false),
            (10_000, 5_100, true),
            (0, 1, false),
        ] {
            assert_eq!(is_shared(micros(all), micros(own)), shared, "{own} of {all}");
        }
    }

    #[test]
    fn what_others_do_counts_for_the_process_alone() {
        let (all_before, own_before) = times();
        let spin = || {
            let (_, start) = times();
            while times().1 < start + Duration::from_millis(2) {}
        };
        thread::scope(|scope| _ = scope.spawn(spin).join());
        let (all, own) = times();
        let others = all.saturating_sub(all_before).saturating_sub(own.saturating_sub(own_before));
        assert!(others > Duration::from_millis(1), "{others:?}");
    }
}
