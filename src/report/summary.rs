//! The line about all inputs after many of them.

#![forbid(unsafe_code)]

use crate::figures::Count;
use crate::figures::Size;
use crate::figures::Time;
use crate::report::Finding;
use crate::report::Totals;
use std::fmt::Write;
use std::time::Duration;

/// Returns the line. `bytes` is the number of bytes that were read.
pub fn line(totals: &Totals, bytes: u64, elapsed: Duration) -> String {
    let Totals { inputs, invalid, different, finding, failed, .. } = *totals;
    let different_as = match finding {
        Finding::Unformatted => "not formatted",
        Finding::Outdated => "would change",
    };
    let mut line = format!("{} files, {} invalid", Count(inputs), Count(invalid));
    for (count, what) in [(different, different_as), (failed, "failed")] {
        if count > 0 {
            // Writing to a string cannot fail.
            write!(line, ", {} {what}", Count(count)).ok();
        }
    }
    let bytes = Size(usize::try_from(bytes).unwrap_or(usize::MAX));
    format!("{line}, {bytes} in {}\n", Time(elapsed.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_happened_is_mentioned() {
        let totals = Totals { inputs: 12_345, invalid: 3, ..Totals::default() };
        let elapsed = Duration::from_millis(412);
        assert_eq!(line(&totals, 1_234_567_890, elapsed), "12,345 files, 3 invalid, 1.23 GB in 412 ms\n");
        let totals = Totals { inputs: 2, different: 1, failed: 1000, ..Totals::default() };
        let expected = "2 files, 0 invalid, 1 not formatted, 1,000 failed, 7 B in 412 ms\n";
        assert_eq!(line(&totals, 7, elapsed), expected);
    }
}
