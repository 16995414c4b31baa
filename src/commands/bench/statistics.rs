//! Estimates from samples: the median, its 95 % confidence interval, and the spread.
//!
//! Times on a busy machine have a long tail on one side, so no normal distribution is assumed and no sample is left out. The
//! interval depends on the order of the samples only: the median is between the k-th smallest and the k-th largest unless
//! fewer than k of n fair coins show heads. The spread is the distance between the quartiles.

#![forbid(unsafe_code)]

use crate::figures::real;

/// With fewer samples, even their whole range is not a 95 % interval.
pub const LEAST_SAMPLES: usize = 6;

/// Probability that the median is beyond one end of the interval.
const TAIL: f64 = 0.025;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub median: f64,
    /// Lower end of the interval that contains the median with at least 95 % confidence.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Distance between the quartiles, relative to the median.
    pub spread: f64,
}

impl Estimate {
    /// `samples` must not be empty.
    pub fn of(samples: &[f64]) -> Self {
        let mut sorted = samples.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let below = outside(sorted.len());
        let median = quantile(&sorted, 0.5);
        Self {
            median,
            low: sorted[below],
            high: sorted[sorted.len() - 1 - below],
            spread: (quantile(&sorted, 0.75) - quantile(&sorted, 0.25)) / median,
        }
    }

    /// Returns the estimate multiplied by `factor`.
    pub fn scaled(self, factor: f64) -> Self {
        let Self { median, low, high, spread } = self;
        Self { median: median * factor, low: low * factor, high: high * factor, spread }
    }

    /// Returns the estimate after a decreasing function, such as from times to speeds.
    pub fn inverted(self, map: impl Fn(f64) -> f64) -> Self {
        Self { median: map(self.median), low: map(self.high), high: map(self.low), spread: self.spread }
    }
}

/// Returns how many of `count` samples are outside the interval on each side.
fn outside(count: usize) -> usize {
    // The probability that exactly `below` of `count` coins show heads, and the sum of these so far. Both are scaled by 2 to
    // the power of `halvings`, because they would underflow otherwise.
    let (mut chance, mut sum, mut halvings) = (1.0, 0.0, i32::try_from(count).unwrap_or(i32::MAX));
    let mut below = 0;
    loop {
        sum += chance;
        while sum > 1.0 && halvings > 0 {
            (chance, sum, halvings) = (chance / 2.0, sum / 2.0, halvings - 1);
        }
        if sum * 0.5_f64.powi(halvings) > TAIL || 2 * below + 1 >= count {
            break below.saturating_sub(1);
        }
        chance *= real(count - below) / real(below + 1);
        below += 1;
    }
}

/// Interpolates between two samples.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * real(sorted.len() - 1);
    let fraction = place.fract();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the slice")]
    let at = place as usize;
    let next = sorted[(at + 1).min(sorted.len() - 1)];
    sorted[at] + fraction * (next - sorted[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranks are those of published tables of the sign test.
    #[test]
    fn the_interval_has_the_ranks_of_the_tables() {
        let expected = [(1, 0), (5, 0), (6, 0), (8, 0), (9, 1), (12, 2), (20, 5), (25, 7), (50, 17), (100, 39)];
        for (count, below) in expected {
            assert_eq!(outside(count), below, "{count}");
        }
        assert_eq!(outside(100_000), 49_689);
    }

    #[test]
    fn an_estimate_of_known_samples() {
        let samples: Vec<f64> = (1..=25).rev().map(f64::from).collect();
        let expected = Estimate { median: 13.0, low: 8.0, high: 18.0, spread: 12.0 / 13.0 };
        assert_eq!(Estimate::of(&samples), expected);
        let speed = expected.inverted(|time| 26.0 / time);
        assert_eq!((speed.median, speed.low, speed.high), (2.0, 26.0 / 18.0, 3.25));
        let doubled = expected.scaled(2.0);
        assert_eq!((doubled.median, doubled.low, doubled.high, doubled.spread), (26.0, 16.0, 36.0, 12.0 / 13.0));
        let one = Estimate::of(&[4.0]);
        assert_eq!((one.median, one.low, one.high, one.spread), (4.0, 4.0, 4.0, 0.0));
    }
}
