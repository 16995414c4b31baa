//! The number of threads, and whether threads other than the caller's took part in the work.
//!
//! The library uses one thread for small documents and for documents that it cannot divide. A figure for several threads would
//! then repeat the figure for one and look as if threads had no use. The library does not report how many threads it used, so
//! the processor time of the calling thread is compared with that of the process.

#![forbid(unsafe_code)]

use crate::platform::PROCESSOR_TIME_UNIT;
use crate::platform::process_time;
use crate::platform::thread_time;
use std::thread;
use std::time::Duration;
use std::time::Instant;

/// Returns the number of threads for the value of `--threads`.
pub fn number(given: usize) -> usize {
    if given == 0 { thread::available_parallelism().map_or(1, usize::from) } else { given }
}

/// Number of runs to observe. On a busy machine other threads may start too late to find any work.
const RUNS: usize = 4;

/// Processor time that is more than the start and end of idle threads take.
const LEAST: Duration = Duration::from_micros(40);

/// Whether other threads take part in the work. `run` is repeated until they do, at most [`RUNS`] times; each time it takes at least
/// ten units of processor time, perhaps with several repetitions.
pub fn others_work(mut run: impl FnMut()) -> bool {
    let least = LEAST.max(3 * PROCESSOR_TIME_UNIT);
    (0..RUNS).any(|_| {
        // This thread may be interrupted between two clocks. In this order, that makes its own time longer, and never that of others.
        let own_before = thread_time();
        let all_before = process_time();
        let start = Instant::now();
        loop {
            run();
            if start.elapsed() >= 10 * PROCESSOR_TIME_UNIT {
                break;
            }
        }
        let all = process_time().saturating_sub(all_before);
        let own = thread_time().saturating_sub(own_before);
        is_shared(all, own, least)
    })
}

/// Whether the processor time of all threads and of the calling thread differ by more than idle threads take.
fn is_shared(all: Duration, own: Duration, least: Duration) -> bool {
    let others = all.saturating_sub(own);
    others >= least && others >= all / 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_threads_do_not_count() {
        let micros = Duration::from_micros;
        for (all, own, shared) in [
            (1000, 1000, false),
            (60, 25, false),
            (200, 150, true),
            (10_000, 9_700, false),
            (10_000, 5_100, true),
            (0, 1, false),
        ] {
            assert_eq!(is_shared(micros(all), micros(own), LEAST), shared, "{own} of {all}");
        }
    }
}
