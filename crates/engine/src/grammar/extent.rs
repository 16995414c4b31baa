//! Finds where documents end, from brackets and strings alone, at a fraction of the cost of validating the documents.
//!
//! The text is not validated. For invalid text the reported ends are arbitrary. A valid document always ends where reported.

#![forbid(unsafe_code)]

use crate::grammar::structure::StringCarry;
use crate::grammar::structure::padded_superblock;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::lanes;

/// State between two superblocks: whether a string is open, and the nesting depth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    strings: StringCarry,
    /// Number of open containers.
    depth: usize,
}

impl Extent {
    /// Classifies the next superblock, or a part of one that does not end with a backslash.
    #[inline(always)]
    pub(super) fn classify<K: Kernel>(&mut self, kernel: K, part: &[u8]) -> LaneMasks {
        let mut scratch = [0; 64 * MAX_LANES];
        let planes = kernel.planes(padded_superblock::<K>(&mut scratch, part));
        let known = self.strings.classify_everywhere(kernel, &planes).outside_strings();
        let [b0, b1, b2, b3, b4, b5, b6, b7] = planes;
        let below_40 = !b7 & !b6;
        let row_0 = below_40 & !b5 & !b4 & b3;
        let line_break = row_0 & !b2 & b1 & !b0;
        let other_whitespace = row_0 & !b1 & b0 | below_40 & b5 & !b4 & !b3 & !b2 & !b1 & !b0;
        LaneMasks {
            open: lanes(known.open),
            close: lanes(known.close),
            quotes: lanes(known.quotes),
            inside: lanes(known.in_string),
            whitespace: lanes((line_break | other_whitespace) & !known.in_string),
            line_break: lanes(line_break),
        }
    }

    /// Finds where documents end in a block and updates the depth. A closing bracket without an opening one counts as a document.
    #[inline(always)]
    pub(super) fn ends(&mut self, block: &Block<'_>) -> Ends {
        let top_level = top_level(&mut self.depth, block.open, block.close);
        // mutant: let next = top_level >> 1;
        let next = top_level >> 1 | if self.depth == 0 { 1 << 63 } else { 0 };
        Ends { top_level, ended: block.closing & top_level | block.close & next }
    }
}

/// Returns the positions in a block before which no container is open, and updates the depth.
#[inline(always)]
pub(super) fn top_level(depth: &mut usize, open: u64, close: u64) -> u64 {
    let closes = close.count_ones() as usize;
    if *depth > closes {
        *depth = *depth + open.count_ones() as usize - closes;
        return 0;
    }
    let before = if *depth == 0 { !0 } else { 0 };
    let (mut edges, mut rest) = (0_u64, open | close);
    // Without branches, because the kinds of brackets vary from block to block.
    while rest != 0 {
        let bracket = rest & rest.wrapping_neg();
        rest ^= bracket;
        let is_close = usize::from(close & bracket != 0);
        edges |= if *depth == is_close { bracket } else { 0 };
        *depth = (*depth + 1).saturating_sub(2 * is_close);
    }
    before ^ prefix_xor(edges << 1)
}

/// Returns a mask of the positions at and before which there is an odd number of set bits.
#[inline(always)]
fn prefix_xor(bits: u64) -> u64 {
    [1, 2, 4, 8, 16, 32].iter().fold(bits, |bits, shift| bits ^ bits << shift)
}

/// The masks of a superblock, lane by lane. `open`, `close` and `whitespace` exclude strings; `line_break` does not.
pub(super) struct LaneMasks {
    open: [u64; MAX_LANES],
    close: [u64; MAX_LANES],
    quotes: [u64; MAX_LANES],
    inside: [u64; MAX_LANES],
    whitespace: [u64; MAX_LANES],
    line_break: [u64; MAX_LANES],
}

impl LaneMasks {
    /// Returns the masks of one lane. `bytes` are its bytes, which begin at offset `at` of the text.
    #[inline(always)]
    pub(super) fn block<'t>(&self, lane: usize, bytes: &'t [u8], at: usize) -> Block<'t> {
        let (quotes, inside) = (self.quotes[lane], self.inside[lane]);
        Block {
            bytes,
            at,
            open: self.open[lane],
            close: self.close[lane],
            opening: quotes & inside,
            closing: quotes & !inside,
            whitespace: self.whitespace[lane],
            line_break: self.line_break[lane],
        }
    }
}

/// At most 64 bytes of the text and their masks.
pub(super) struct Block<'t> {
    pub(super) bytes: &'t [u8],
    /// Offset of the first byte in the text.
    pub(super) at: usize,
    /// Opening brackets.
    pub(super) open: u64,
    /// Closing brackets.
    pub(super) close: u64,
    /// Quotes that begin a string.
    pub(super) opening: u64,
    /// Quotes that end a string.
    pub(super) closing: u64,
    pub(super) whitespace: u64,
    pub(super) line_break: u64,
}

/// Where documents end in a block.
pub(super) struct Ends {
    /// The positions before which no container is open.
    pub(super) top_level: u64,
    /// The last bytes of documents that need no whitespace after them: containers and strings.
    pub(super) ended: u64,
}

/// Finds where a document ends that begins with a bracket or a quote.
pub(crate) struct EndSearch<'t, 'o> {
    /// The text that follows what `extent` has already seen. Its last byte must not be a backslash.
    pub(crate) text: &'t [u8],
    pub(crate) extent: &'o mut Extent,
}

impl Pass for EndSearch<'_, '_> {
    /// Index in `text` just past the last byte of the document.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Self { text, extent } = self;
        for (number, part) in text.chunks(K::SUPERBLOCK).enumerate() {
            let masks = extent.classify(kernel, part);
            for (lane, bytes) in part.chunks(64).enumerate() {
                let block = masks.block(lane, bytes, number * K::SUPERBLOCK + 64 * lane);
                let Ends { ended, .. } = extent.ends(&block);
                if ended != 0 {
                    return Some(block.at + ended.trailing_zeros() as usize + 1);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::EndSearch;
    use super::Extent;
    use crate::kernel::Isa;

    /// Returns where the document at the start of a text ends, when only the first `first` bytes are available at first.
    fn end(isa: Isa, text: &str, first: usize) -> Option<usize> {
        let (first, rest) = text.as_bytes().split_at(first);
        let mut extent = Extent::default();
        isa.run(EndSearch { text: first, extent: &mut extent })
            .or_else(|| isa.run(EndSearch { text: rest, extent: &mut extent }).map(|end| first.len() + end))
    }

    /// Documents of all lengths, so that they end on every block boundary, read in two parts.
    #[test]
    fn finds_the_end_of_a_document() {
        for (document, behind) in [
            ("\"…\"", "\""),
            ("[\"…\"]", "]"),
            ("[\"…\\\"]\"]", "[1]"),
            ("[[\"…\\\\\"],{\"a\":[]}]", " "),
            ("{\"}\":[{}],\"…\":{}}", "{}"),
        ] {
            for length in (0..130).chain(500..530) {
                let document = document.replace('…', &"x".repeat(length));
                let text = format!("{document}{behind}");
                for isa in Isa::available() {
                    for first in [0, 1, 64, length, length + 3, document.len() - 1, document.len()] {
                        let first = first.min(document.len());
                        if !text[..first].ends_with('\\') {
                            assert_eq!(end(isa, &text, first), Some(document.len()), "{isa:?} {first} of {text}");
                        }
                    }
                    assert_eq!(end(isa, &document[..document.len() - 1], 0), None, "{isa:?} {text}");
                }
            }
        }
    }
}
