//! What is said about a row of samples: the median, where it lies with 95 % confidence, and how wide the samples scatter.
//!
//! Times on a busy machine have a long tail on one side, so nothing here supposes a bell curve, and no sample is left out:
//! the interval comes from the order of the samples alone (the median lies between the k-th smallest and the k-th largest
//! unless fewer than k of n fair coins show heads), the spread is the distance of the quartiles.

#![forbid(unsafe_code)]

use crate::commands::bench::figures::real;

/// With fewer samples even their whole range is no interval of 95 %.
pub const LEAST_SAMPLES: usize = 6;

/// How likely the median lies beyond either end of the interval.
const TAIL: f64 = 0.025;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub median: f64,
    /// The ends of the interval in which the median lies with at least 95 % confidence.
    pub low: f64,
    pub high: f64,
    /// The distance of the quartiles, as a part of the median.
    pub spread: f64,
}

impl Estimate {
    /// There must be a sample.
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

    /// The same in another unit, which is so many times as small.
    pub fn scaled(self, factor: f64) -> Self {
        let Self { median, low, high, spread } = self;
        Self { median: median * factor, low: low * factor, high: high * factor, spread }
    }

    /// The same after `map`, which turns greater values into smaller ones: times into speeds.
    pub fn inverted(self, map: impl Fn(f64) -> f64) -> Self {
        Self { median: map(self.median), low: map(self.high), high: map(self.low), spread: self.spread }
    }
}

/// How many of `count` samples may be left on either side of the interval.
fn outside(count: usize) -> usize {
    // The chance that exactly `below` of `count` coins show heads, and the sum of those so far, before so many halvings: the
    // numbers are far too small otherwise.
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

/// Between two samples, a straight line.
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

    /// Tables of the sign test give these ranks.
    #[test]
    fn the_interval_leaves_out_what_the_tables_say() {
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

    #[test]
    fn one_outlier_moves_neither_median_nor_interval() {
        let mut samples = vec![1.0; 25];
        samples[3] = 1000.0;
        assert_eq!(Estimate::of(&samples), Estimate { median: 1.0, low: 1.0, high: 1.0, spread: 0.0 });
    }
}
