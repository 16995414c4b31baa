//! How many different things there are in a stream, in bounded memory.
//!
//! Few are counted exactly, by their hashes. Of many, the number is estimated from the greatest runs of zeros that hashes
//! begin with (Flajolet et al., *`HyperLogLog`*, 2007); 16,384 registers leave a standard error of 0.8 %. There are always so
//! many by then that the corrections for few are not needed.

#![forbid(unsafe_code)]

use std::collections::HashSet;

/// Hashes kept before the number is estimated.
const EXACT: usize = 1 << 16;

/// Bits of a hash that name a register.
const INDEX_BITS: u32 = 14;

const REGISTERS: usize = 1 << INDEX_BITS;

/// A number of different things.
#[derive(Clone, Debug)]
pub(super) enum Counting {
    Exactly(HashSet<u64>),
    Roughly(Vec<u8>),
}

impl Default for Counting {
    fn default() -> Self {
        Self::Exactly(HashSet::new())
    }
}

impl Counting {
    /// Counts the thing that has this hash.
    pub(super) fn count(&mut self, hash: u64) {
        match self {
            Self::Exactly(seen) => {
                seen.insert(hash);
                if seen.len() > EXACT {
                    let mut registers = vec![0; REGISTERS];
                    for &hash in &*seen {
                        note(&mut registers, hash);
                    }
                    *self = Self::Roughly(registers);
                }
            }
            Self::Roughly(registers) => note(registers, hash),
        }
    }

    /// The number, and whether it is exact.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate, never negative")]
    #[expect(clippy::cast_precision_loss, reason = "16,384 is a double")]
    pub(super) fn estimate(&self) -> (u64, bool) {
        match self {
            Self::Exactly(seen) => (seen.len() as u64, true),
            Self::Roughly(registers) => {
                let size = REGISTERS as f64;
                let sum: f64 = registers.iter().map(|&run| 0.5_f64.powi(i32::from(run))).sum();
                let bias = 0.7213 / (1.0 + 1.079 / size);
                ((bias * size * size / sum).round() as u64, false)
            }
        }
    }
}

/// Notes in the register of a hash how many zeros follow its name, and one more.
fn note(registers: &mut [u8], hash: u64) {
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

    use super::Counting;

    #[test]
    fn few_exactly_and_many_roughly() {
        let mut counting = Counting::default();
        for index in 0..1_000_000_u64 {
            let mut hasher = DefaultHasher::new();
            hasher.write_u64(index);
            counting.count(hasher.finish());
            counting.count(hasher.finish());
            if index == 65_535 {
                assert_eq!(counting.estimate(), (65_536, true));
            }
            if index == 65_536 || index == 999_999 {
                let (estimate, exact) = counting.estimate();
                assert!(!exact && estimate.abs_diff(index) * 100 < 3 * index, "{estimate} of {index}");
            }
        }
    }
}
