//! Numbers for people. Measured values have three significant digits; more would be noise.

#![forbid(unsafe_code)]

use std::fmt;

/// Converts a count.
pub fn real(count: usize) -> f64 {
    wide(count as u64)
}

/// Converts a 64-bit count.
#[expect(clippy::cast_precision_loss, reason = "no count here needs more than 53 bits")]
pub fn wide(count: u64) -> f64 {
    count as f64
}

/// Displays with three digits: `0.123`, `1.23`, `12.3`, `123`.
pub struct Short(pub f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.0 {
            size if size >= 99.95 => 0,
            size if size >= 9.995 => 1,
            size if size >= 0.9995 => 2,
            _ => 3,
        };
        write!(f, "{:.digits$}", self.0)
    }
}

pub struct Percent(pub f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} %", self.0 * 100.0)
    }
}

/// Displays bytes in a fitting unit.
pub struct Size(pub usize);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = real(self.0);
        match self.0 {
            ..1000 => write!(f, "{size} B"),
            1000..999_500 => write!(f, "{} kB", Short(size / 1e3)),
            999_500..999_500_000 => write!(f, "{} MB", Short(size / 1e6)),
            _ => write!(f, "{} GB", Short(size / 1e9)),
        }
    }
}

/// Displays a count with a comma between thousands.
pub struct Count<T>(pub T);

impl<T: fmt::Display> fmt::Display for Count<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// Displays seconds in a fitting unit.
pub struct Time(pub f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            seconds if seconds >= 1.0 => write!(f, "{} s", Short(seconds)),
            seconds if seconds >= 1e-3 => write!(f, "{} ms", Short(seconds * 1e3)),
            seconds if seconds >= 1e-6 => write!(f, "{} us", Short(seconds * 1e6)),
            seconds => write!(f, "{} ns", Short(seconds * 1e9)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_shown() {
        let shown: Vec<_> = [0.0123, 0.999_96, 1.0, 9.994, 9.996, 99.94, 99.96, 12_345.6]
            .iter()
            .map(|&number| Short(number).to_string())
            .collect();
        assert_eq!(shown, ["0.012", "1.00", "1.00", "9.99", "10.0", "99.9", "100", "12346"]);
    }

    #[test]
    fn sizes_counts_and_times() {
        let sizes: Vec<_> =
            [0, 999, 1000, 999_900, 2_251_051, 1 << 30].iter().map(|&size| Size(size).to_string()).collect();
        assert_eq!(sizes, ["0 B", "999 B", "1.00 kB", "1.00 MB", "2.25 MB", "1.07 GB"]);
        let counts: Vec<_> = [0, 999, 1000, 334_374].iter().map(|count| Count(count).to_string()).collect();
        assert_eq!(counts, ["0", "999", "1,000", "334,374"]);
        let times: Vec<_> = [2.5, 0.0125, 4.2e-5, 3e-9].iter().map(|&time| Time(time).to_string()).collect();
        assert_eq!(times, ["2.50 s", "12.5 ms", "42.0 us", "3.00 ns"]);
    }
}
