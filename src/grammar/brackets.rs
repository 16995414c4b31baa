//! Strings and brackets of a superblock, for passes that do not validate.

#![forbid(unsafe_code)]

use crate::grammar::classes::escaped;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Word;

/// The masks of a superblock.
pub(super) struct Brackets<W> {
    /// `{` and `[`, also inside strings.
    pub(super) open: W,
    /// `}` and `]`, also inside strings.
    pub(super) close: W,
    /// Quotes that open or close a string.
    pub(super) quotes: W,
    /// From the opening quote to the byte before the closing quote.
    pub(super) in_string: W,
}

/// The state between superblocks. It starts outside strings, and not after a backslash.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StringCarry {
    /// 1 if the next byte is escaped.
    escape: u32,
    /// 1 inside a string.
    in_string: u32,
}

impl StringCarry {
    /// Whether a string is open.
    pub(super) fn is_inside(self) -> bool {
        self.in_string == 1
    }

    /// Finds the strings and brackets of the next superblock, given by its bit planes.
    #[inline(always)]
    pub(super) fn brackets<K: Kernel>(&mut self, kernel: K, planes: &[K::Word; 8]) -> Brackets<K::Word> {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
        let rows_5_and_7 = !b7 & b6 & b4 & b3;
        let backslash = rows_5_and_7 & !b5 & b2 & !b1 & !b0;
        let mut quotes = !b7 & !b6 & b5 & !b4 & !b3 & !b2 & b1 & !b0;
        if backslash.any() || self.escape != 0 {
            quotes = quotes & !escaped(kernel, &mut self.escape, backslash);
        }
        Brackets {
            open: rows_5_and_7 & !b2 & b1 & b0,
            close: rows_5_and_7 & b2 & !b1 & b0,
            quotes,
            in_string: quotes.prefix_xor(&mut self.in_string),
        }
    }
}

/// Returns `part` of a text as a whole superblock. The last part is padded with spaces in `scratch`.
#[inline(always)]
pub(crate) fn padded_superblock<'s, K: Kernel>(scratch: &'s mut [u8; 64 * MAX_LANES], part: &'s [u8]) -> &'s [u8] {
    if part.len() == K::SUPERBLOCK {
        return part;
    }
    scratch[..part.len()].copy_from_slice(part);
    scratch[part.len()..K::SUPERBLOCK].fill(b' ');
    &scratch[..K::SUPERBLOCK]
}
