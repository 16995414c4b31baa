//! Finds the containers that are open at the end of a text, without visiting its tokens.
//!
//! An error needs them for its JSON Pointer. Only brackets are visited one by one; the commas between two brackets all belong to
//! the same container and are counted at once.

#![forbid(unsafe_code)]

use crate::grammar::structure::StringCarry;
use crate::grammar::structure::padded_superblock;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;

/// Length of which every part of a text must be a multiple, except the last one.
pub(crate) const WHOLE: usize = 64 * MAX_LANES;

/// The open containers at the end of a text, which may be read in parts. Indexes are relative to its start.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenContainers {
    /// Number of open containers.
    pub(crate) depth: usize,
    /// The outermost of them.
    pub(crate) levels: Vec<Level>,
    /// Index of the last bracket, or of a comma after it. 0 if there is none.
    pub(crate) last: usize,
    strings: StringCarry,
}

/// An open container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Index of its opening bracket.
    pub(crate) opener: usize,
    /// Number of commas read in it.
    pub(crate) commas: u64,
    /// Index of the last of these commas, or of the opening bracket if there is none.
    pub(crate) last: usize,
}

struct OpenContainersPass<'t> {
    found: &'t mut OpenContainers,
    text: &'t [u8],
    base: usize,
    most: usize,
}

impl Pass for OpenContainersPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let mut scratch = [0; 64 * MAX_LANES];
        let Self { found, text, base, most } = self;
        for (number, part) in text.chunks(K::SUPERBLOCK).enumerate() {
            let known = found.strings.classify(kernel, padded_superblock::<K>(&mut scratch, part));
            let [open, brackets, comma] = [known.open, known.open | known.close, known.comma].map(lanes);
            for lane in 0..K::Word::LANES {
                let base = base + number * K::SUPERBLOCK + 64 * lane;
                found.take(kernel, base, open[lane], brackets[lane], comma[lane], most);
            }
        }
        found.last = found.levels.last().map_or(0, |level| level.last).max(found.last);
    }
}

impl OpenContainers {
    /// Reads the next part of a text, which begins at index `base`. The text is the start of a valid document. Keeps at most `most`
    /// levels. Lengths of parts are multiples of [`WHOLE`], except that of the last one.
    pub(crate) fn read(&mut self, part: &[u8], base: usize, most: usize) {
        Isa::detect().run(OpenContainersPass { found: self, text: part, base, most });
    }

    /// Takes the masks of the 64 bytes at `base`.
    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, base: usize, open: u64, brackets: u64, commas: u64, most: usize) {
        let (mut rest, mut commas) = (brackets, commas);
        while rest != 0 {
            let bracket = rest & rest.wrapping_neg();
            let before = commas & (bracket - 1);
            self.count(kernel, base, before);
            commas ^= before;
            rest ^= bracket;
            self.last = base + bracket.trailing_zeros() as usize;
            if open & bracket == 0 {
                self.depth = self.depth.saturating_sub(1);
                self.levels.truncate(self.depth);
            } else {
                if self.depth < most {
                    self.levels.push(Level { opener: self.last, commas: 0, last: self.last });
                }
                self.depth += 1;
            }
        }
        self.count(kernel, base, commas);
    }

    /// Counts commas of the innermost container, which are among the 64 bytes at `base`.
    #[inline(always)]
    fn count<K: Kernel>(&mut self, kernel: K, base: usize, commas: u64) {
        if commas != 0
            && self.levels.len() == self.depth
            && let Some(level) = self.levels.last_mut()
        {
            level.commas += u64::from(kernel.count(commas));
            level.last = base + 63 - commas.leading_zeros() as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Level;
    use super::OpenContainers;
    use super::OpenContainersPass;
    use super::WHOLE;
    use crate::kernel::Isa;

    /// Reference implementation, byte by byte: the depth, the levels, and the last bracket or comma.
    fn plain(text: &[u8], most: usize) -> (usize, Vec<Level>, usize) {
        let (mut levels, mut last_bracket, mut in_string, mut escaped) = (Vec::<Level>::new(), 0, false, false);
        for (index, &byte) in text.iter().enumerate() {
            match byte {
                b'"' if !escaped => in_string = !in_string,
                b'[' | b'{' if !in_string => {
                    last_bracket = index;
                    levels.push(Level { opener: index, commas: 0, last: index });
                }
                b']' | b'}' if !in_string => {
                    last_bracket = index;
                    levels.pop();
                }
                b',' if !in_string => {
                    if let Some(level) = levels.last_mut() {
                        (level.commas, level.last) = (level.commas + 1, index);
                    }
                }
                _ => {}
            }
            escaped = byte == b'\\' && !escaped;
        }
        let depth = levels.len();
        levels.truncate(most);
        let last = levels.last().map_or(0, |level| level.last).max(last_bracket);
        // Commas of levels that are not kept are not seen.
        (depth, levels, last)
    }

    #[test]
    fn every_kernel_agrees_with_the_reference() {
        let mut state = 1_u64;
        let mut below = |end: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % end
        };
        for round in 0..3000 {
            let (mut text, mut depth) = (Vec::new(), 0);
            let (length, opens) = (below(1500), 2 + below(4));
            for _ in 0..length {
                match below(opens + 8) {
                    0 | 1 => text.push(b" 1"[below(2)]),
                    2 | 3 => text.push(b','),
                    4 => text.extend_from_slice(br#""[\"\\{]""#),
                    5 => text.extend_from_slice(b"\"\xc3\xbb},\""),
                    6 | 7 if depth > 0 => {
                        depth -= 1;
                        text.push(b"]}"[below(2)]);
                    }
                    _ => {
                        depth += 1;
                        text.push(b"[{"[below(2)]);
                    }
                }
            }
            let cut = below(text.len() + 1);
            for most in [1, 20, usize::MAX] {
                let expected = plain(&text[..cut], most);
                let parts = cut / WHOLE * WHOLE;
                for isa in Isa::available() {
                    for first in [0, parts.min(WHOLE), parts] {
                        let mut found = OpenContainers::default();
                        for (base, end) in [(0, first), (first, cut)] {
                            let text = &text[base..end];
                            isa.run(OpenContainersPass { found: &mut found, text, base, most });
                        }
                        let OpenContainers { depth, levels, last, .. } = found;
                        assert_eq!((depth, levels, last), expected, "{isa}, round {round}, {first} bytes first");
                    }
                }
            }
        }
    }
}
