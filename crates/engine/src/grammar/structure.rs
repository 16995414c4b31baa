//! Strings, brackets and commas of a superblock, for passes that do not validate.

#![forbid(unsafe_code)]

use crate::grammar::classes::escaped;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Word;

/// The masks of a superblock.
#[derive(Clone, Copy)]
pub(crate) struct Structure<W> {
    /// `{` and `[`.
    pub(crate) open: W,
    /// `}` and `]`.
    pub(crate) close: W,
    pub(crate) comma: W,
    /// Quotes that open or close a string.
    pub(crate) quotes: W,
    /// From the opening quote to the byte before the closing quote.
    pub(crate) in_string: W,
    /// `None` if there are none, and the first byte is not escaped.
    pub(crate) backslash: Option<W>,
}

impl<W: Word> Structure<W> {
    /// Removes the brackets and commas in strings.
    #[inline(always)]
    pub(super) fn outside_strings(self) -> Self {
        let outside = !self.in_string;
        Self { open: self.open & outside, close: self.close & outside, comma: self.comma & outside, ..self }
    }
}

/// The state between superblocks. It starts outside strings, and not after a backslash.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StringCarry {
    /// 1 if the next byte is escaped.
    escape: u32,
    /// 1 inside a string.
    in_string: u32,
}

impl StringCarry {
    /// Whether a string is open.
    pub(crate) fn is_inside(self) -> bool {
        self.in_string == 1
    }

    /// Records that text was skipped. `odd`: it has an odd number of unescaped quotes. `escapes`: it escapes the byte after it.
    pub(crate) fn skip(&mut self, odd: bool, escapes: bool) {
        self.in_string ^= u32::from(odd);
        self.escape = u32::from(escapes);
    }

    /// Finds the strings of the next superblock, and the brackets and commas outside them.
    #[inline(always)]
    pub(crate) fn classify<K: Kernel>(&mut self, kernel: K, superblock: &[u8]) -> Structure<K::Word> {
        self.classify_everywhere(kernel, &kernel.planes(superblock)).outside_strings()
    }

    /// Finds the strings of the next superblock, given by its bit planes, and all brackets and commas, also in strings.
    #[inline(always)]
    pub(super) fn classify_everywhere<K: Kernel>(&mut self, kernel: K, planes: &[K::Word; 8]) -> Structure<K::Word> {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
        let row_2 = !b7 & !b6 & b5 & !b4;
        let column_c = b3 & b2 & !b1 & !b0;
        let rows_5_and_7 = !b7 & b6 & b4;
        let backslash = rows_5_and_7 & !b5 & column_c;
        let mut quotes = row_2 & !b3 & !b2 & b1 & !b0;
        let has_escapes = backslash.any() || self.escape != 0;
        if has_escapes {
            // mutant:
            quotes = quotes & !escaped(kernel, &mut self.escape, backslash);
        }
        Structure {
            open: rows_5_and_7 & b3 & !b2 & b1 & b0,
            close: rows_5_and_7 & b3 & b2 & !b1 & b0,
            comma: row_2 & column_c,
            quotes,
            in_string: quotes.prefix_xor(&mut self.in_string),
            backslash: has_escapes.then_some(backslash),
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
