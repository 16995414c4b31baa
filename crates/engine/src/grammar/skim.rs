//! Computes how a chunk of text changes the string state and the nesting level, at a third of the cost of validating it.
//!
//! Nothing is known about the text before the chunk except that it does not end with a backslash. So the result covers both
//! cases: a start outside strings and a start inside one. Combining the results of all chunks before a position tells whether
//! that position is inside a string and how many containers are open there, provided that the text is valid.

#![forbid(unsafe_code)]

use crate::grammar::structure::StringCarry;
use crate::grammar::structure::Structure;
use crate::grammar::structure::padded_superblock;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;

/// The string state and nesting level at a position of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    pub(crate) in_string: bool,
    /// Number of open containers.
    pub(crate) level: i64,
}

/// The effect of a chunk of text on the string state and the nesting level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skimmed {
    /// Whether the number of unescaped quotes is odd, so that the string state at the end differs from that at the start.
    odd: bool,
    /// Change of the level if the chunk starts outside strings, and if it starts inside one.
    rises: [i64; 2],
}

impl Skimmed {
    /// Returns the state at the end of the chunk, given that at its start.
    pub(crate) fn after(&self, start: Surroundings) -> Surroundings {
        Surroundings {
            in_string: start.in_string != self.odd,
            level: start.level + self.rises[usize::from(start.in_string)],
        }
    }
}

/// Skims a text that is not preceded by a backslash.
pub(crate) struct Skim<'t>(pub(crate) &'t [u8]);

impl Pass for Skim<'_> {
    type Output = Skimmed;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Skimmed {
        let mut scratch = [0; 64 * MAX_LANES];
        let mut strings = StringCarry::default();
        let mut rises = [0; 2];
        for part in self.0.chunks(K::SUPERBLOCK) {
            let planes = kernel.planes(padded_superblock::<K>(&mut scratch, part));
            let Structure { open, close, in_string, .. } = strings.classify_everywhere(kernel, &planes);
            if (open | close).any() {
                for (rise, part) in rises.iter_mut().zip([!in_string, in_string]) {
                    *rise += count(kernel, open & part) - count(kernel, close & part);
                }
            }
        }
        Skimmed { odd: strings.is_inside(), rises }
    }
}

/// Counts the set positions.
#[inline(always)]
fn count<K: Kernel>(kernel: K, word: K::Word) -> i64 {
    let mut sum = 0;
    for lane in lanes(word) {
        sum += i64::from(kernel.count(lane));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::Skim;
    use super::Surroundings;
    use crate::kernel::Isa;

    /// Marsaglia's xorshift.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 33) as usize % end
        }
    }

    /// Reference implementation, byte by byte.
    fn plain(text: &[u8], start: Surroundings) -> Surroundings {
        let mut place = start;
        let mut escaped = false;
        for &byte in text {
            match byte {
                b'"' if !escaped => place.in_string = !place.in_string,
                b'[' | b'{' if !place.in_string => place.level += 1,
                b']' | b'}' if !place.in_string => place.level -= 1,
                _ => {}
            }
            escaped = byte == b'\\' && !escaped;
        }
        place
    }

    #[test]
    fn both_cases_agree_with_the_reference() {
        for seed in 1..2000 {
            let mut random = Random(seed << 20 | 1);
            // Backslashes outside strings are invalid. Both implementations let them escape quotes there, too.
            let text: Vec<u8> = (0..random.below(1500)).map(|_| b"\"\\[]{}[a\xdb\xdd"[random.below(10)]).collect();
            let dense = random.below(3) == 0;
            let text: Vec<u8> =
                text.into_iter().map(|byte| if dense { b"\\\"["[random.below(3)] } else { byte }).collect();
            for isa in Isa::available() {
                let skimmed = isa.run(Skim(&text));
                for in_string in [false, true] {
                    let start = Surroundings { in_string, level: 7 };
                    assert_eq!(skimmed.after(start), plain(&text, start), "{isa}, seed {seed}");
                }
            }
        }
    }
}
