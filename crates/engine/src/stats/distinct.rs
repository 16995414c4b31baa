//! Counts distinct values in bounded memory.
//!
//! A small number of values is counted exactly, by their hashes. A larger number is estimated with `HyperLogLog` (Flajolet
//! et al., 2007); 16,384 registers give a standard error of 0.8 %. The estimate starts with so many values that the
//! algorithm's corrections for small numbers are not needed.

#![forbid(unsafe_code)]

use std::collections::HashSet;

use foldhash::fast::FixedState;

/// Maximum number of hashes that are kept; with more values, their number is estimated.
const MAX_EXACT: usize = 1 << 16;

/// Number of leading bits of a hash that select a register.
const INDEX_BITS: u32 = 14;

const REGISTERS: usize = 1 << INDEX_BITS;

/// A counter of distinct values.
#[derive(Clone, Debug)]
pub(super) enum DistinctCounter {
    /// The hashes of all values.
    // The hashes have a random key, so the set needs none.
    Exact(HashSet<u64, FixedState>),
    /// The registers of `HyperLogLog`.
    Estimate(Vec<u8>),
}

impl Default for DistinctCounter {
    fn default() -> Self {
        Self::Exact(HashSet::default())
    }
}

impl DistinctCounter {
    /// Counts the value with this hash.
    pub(super) fn count(&mut self, hash: u64) {
        match self {
            Self::Exact(seen) => {
                seen.insert(hash);
                if seen.len() > MAX_EXACT {
                    *self = Self::Estimate(registers(seen));
                }
            }
            Self::Estimate(registers) => update(registers, hash),
        }
    }

    /// Counts the values of another counter.
    pub(super) fn add(&mut self, other: &Self) {
        match other {
            Self::Exact(seen) => seen.iter().for_each(|&hash| self.count(hash)),
            Self::Estimate(others) => {
                if let Self::Exact(seen) = self {
                    *self = Self::Estimate(registers(seen));
                }
                if let Self::Estimate(registers) = self {
                    registers.iter_mut().zip(others).for_each(|(register, &other)| *register = other.max(*register));
                }
            }
        }
    }

    /// Returns the number of distinct values, and whether it is exact.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate, never negative")]
    #[expect(clippy::cast_precision_loss, reason = "16,384 is exact as a double")]
    pub(super) fn estimate(&self) -> (u64, bool) {
        match self {
            Self::Exact(seen) => (seen.len() as u64, true),
            Self::Estimate(registers) => {
                let size = REGISTERS as f64;
                let sum: f64 = registers.iter().map(|&run| 0.5_f64.powi(i32::from(run))).sum();
                let bias = 0.7213 / (1.0 + 1.079 / size);
                ((bias * size * size / sum).round() as u64, false)
            }
        }
    }
}

/// Returns the registers for the values with these hashes.
fn registers(seen: &HashSet<u64, FixedState>) -> Vec<u8> {
    let mut registers = vec![0; REGISTERS];
    for &hash in seen {
        update(&mut registers, hash);
    }
    registers
}

/// Updates the register of a hash: the maximum of the number of zeros after the index bits, plus one.
fn update(registers: &mut [u8], hash: u64) {
    let register = &mut registers[(hash >> (64 - INDEX_BITS)) as usize];
    let rest = hash << INDEX_BITS | 1 << (INDEX_BITS - 1);
    #[expect(clippy::cast_possible_truncation, reason = "at most 51")]
    let run = rest.leading_zeros() as u8 + 1;
    *register = run.max(*register);
}

#[cfg(test)]
mod tests {
    use std::hash::DefaultHasher;
    use std::hash::Hasher;

    use super::DistinctCounter;

    #[test]
    fn small_counts_are_exact_and_large_ones_estimated() {
        let mut counter = DistinctCounter::default();
        for index in 0..1_000_000_u64 {
            let mut hasher = DefaultHasher::new();
            hasher.write_u64(index);
            counter.count(hasher.finish());
            counter.count(hasher.finish());
            if index == 65_535 {
                assert_eq!(counter.estimate(), (65_536, true));
            }
            if index == 65_536 || index == 999_999 {
                let (estimate, exact) = counter.estimate();
                assert!(!exact && estimate.abs_diff(index) * 100 < 3 * index, "{estimate} of {index}");
            }
        }
    }
}
