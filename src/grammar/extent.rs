//! How far the documents of a text extend, told by brackets and strings alone at a fraction of the cost of checking them.
//!
//! Nothing is judged: of a text that is not valid anything may be told. But no document that is valid ends anywhere else.

#![forbid(unsafe_code)]

use crate::grammar::classes::escaped;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;

/// What is known of a text up to some place: strings and levels alone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    escape: u32,
    in_string: u32,
    /// Containers that are open.
    depth: usize,
}

impl Extent {
    /// Looks at the next superblock, or at a part of it that no backslash ends.
    #[inline(always)]
    pub(super) fn look<K: Kernel>(&mut self, kernel: K, part: &[u8]) -> Seen {
        let mut scratch = [b' '; 64 * MAX_LANES];
        let superblock = if part.len() == K::SUPERBLOCK {
            part
        } else {
            scratch[..part.len()].copy_from_slice(part);
            &scratch[..K::SUPERBLOCK]
        };
        let [b0, b1, b2, b3, b4, b5, b6, b7] = kernel.planes(superblock);
        let (below_40, from_40) = (!b7 & !b6, !b7 & b6 & b4 & b3);
        let backslash = from_40 & !b5 & b2 & !b1 & !b0;
        let mut quotes = below_40 & b5 & !b4 & !b3 & !b2 & b1 & !b0;
        if backslash.any() || self.escape != 0 {
            quotes = quotes & !escaped(kernel, &mut self.escape, backslash);
        }
        let inside = quotes.prefix_xor(&mut self.in_string);
        let row_0 = below_40 & !b5 & !b4 & b3;
        let line_break = row_0 & !b2 & b1 & !b0;
        let blank = row_0 & !b1 & b0 | below_40 & b5 & !b4 & !b3 & !b2 & !b1 & !b0;
        Seen {
            open: lanes(from_40 & !b2 & b1 & b0 & !inside),
            close: lanes(from_40 & b2 & !b1 & b0 & !inside),
            quotes: lanes(quotes),
            inside: lanes(inside),
            whitespace: lanes((line_break | blank) & !inside),
            line_break: lanes(line_break),
        }
    }

    /// Takes the brackets of a block of what has been looked at. One that closes what has not been opened is a document of its own.
    #[inline(always)]
    pub(super) fn ends(&mut self, block: &Block<'_>) -> Ends {
        let ground = self.ground(block.open, block.close);
        let next = ground >> 1 | if self.depth == 0 { 1 << 63 } else { 0 };
        Ends { ground, ended: block.closing & ground | block.close & next }
    }

    /// The positions in front of which no container is open.
    #[inline(always)]
    fn ground(&mut self, open: u64, close: u64) -> u64 {
        let closes = close.count_ones() as usize;
        if self.depth > closes {
            self.depth = self.depth + open.count_ones() as usize - closes;
            return 0;
        }
        let mut ground = if self.depth == 0 { !0 } else { 0 };
        let mut rest = open | close;
        while rest != 0 {
            let bracket = rest & rest.wrapping_neg();
            rest ^= bracket;
            let behind = !(bracket | (bracket - 1));
            if open & bracket != 0 {
                self.depth += 1;
                ground &= !behind;
            } else {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    ground |= behind;
                }
            }
        }
        ground
    }
}

/// What the bytes of a superblock are; outside of strings, but for the line breaks.
pub(super) struct Seen {
    open: [u64; MAX_LANES],
    close: [u64; MAX_LANES],
    quotes: [u64; MAX_LANES],
    inside: [u64; MAX_LANES],
    whitespace: [u64; MAX_LANES],
    line_break: [u64; MAX_LANES],
}

impl Seen {
    /// A lane of it, which is of these bytes and stands `at` this place of the text.
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

/// At most 64 bytes of the text, and what they are.
pub(super) struct Block<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) at: usize,
    pub(super) open: u64,
    pub(super) close: u64,
    /// The quotes that begin a string, and those that end one.
    pub(super) opening: u64,
    pub(super) closing: u64,
    pub(super) whitespace: u64,
    pub(super) line_break: u64,
}

/// Where documents end in a block.
pub(super) struct Ends {
    /// The positions in front of which no container is open.
    pub(super) ground: u64,
    /// The last bytes of documents that need no whitespace behind them.
    pub(super) ended: u64,
}

/// Finds where a document ends, in the text that follows what its extent is of. It begins with a bracket or a quote.
pub(crate) struct FindEnd<'t, 'o> {
    /// Its last byte is no backslash.
    pub(crate) text: &'t [u8],
    pub(crate) extent: &'o mut Extent,
}

impl Pass for FindEnd<'_, '_> {
    /// Index behind its last byte.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Self { text, extent } = self;
        for (number, part) in text.chunks(K::SUPERBLOCK).enumerate() {
            let seen = extent.look(kernel, part);
            for (lane, bytes) in part.chunks(64).enumerate() {
                let block = seen.block(lane, bytes, number * K::SUPERBLOCK + 64 * lane);
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
    use super::Extent;
    use super::FindEnd;
    use crate::kernel::Isa;

    /// Where the document ends that a text begins with, of which so much is there at first.
    fn end(isa: Isa, text: &str, first: usize) -> Option<usize> {
        let (first, rest) = text.as_bytes().split_at(first);
        let mut extent = Extent::default();
        isa.run(FindEnd { text: first, extent: &mut extent })
            .or_else(|| isa.run(FindEnd { text: rest, extent: &mut extent }).map(|end| first.len() + end))
    }

    /// Documents of all lengths that end on every border, in two parts.
    #[test]
    fn a_document_ends_where_it_does() {
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
