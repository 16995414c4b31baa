//! Arguments and results of the operations for gaps: the whitespace that pretty-printing inserts.

#![forbid(unsafe_code)]

/// A block of 64 positions for [`Kernel::outline`](super::Kernel::outline).
#[derive(Clone, Copy)]
pub(crate) struct Outline {
    /// The positions whose bytes are kept.
    pub(crate) keep: u64,
    /// The positions that a gap precedes; a subset of `keep`.
    pub(crate) marks: u64,
    /// The positions whose gap is a single space; a subset of `marks`.
    pub(crate) flat: u64,
    /// The positions after which the level rises.
    pub(crate) rises: u64,
    /// The positions before which the level falls.
    pub(crate) falls: u64,
}

impl Outline {
    /// Returns the width of the gap before a mark, given as a single bit, in a block that begins at `level`. Each level adds `unit`
    /// bytes. Returns `None` if the gap is a single space.
    #[inline(always)]
    pub(crate) fn gap(&self, mark: u64, level: i64, unit: u32) -> Option<u64> {
        let before = mark - 1;
        let rises = i64::from((self.rises & before).count_ones());
        let falls = i64::from((self.falls & (mark | before)).count_ones());
        let level = (level + rises - falls).max(0).cast_unsigned();
        (self.flat & mark == 0).then(|| 1 + u64::from(unit) * level)
    }

    /// Returns the change of the level from the start of the block to its end.
    #[inline(always)]
    pub(crate) fn climb(&self) -> i64 {
        i64::from(self.rises.count_ones()) - i64::from(self.falls.count_ones())
    }
}

/// State at the start of a block, for [`Kernel::outline`](super::Kernel::outline).
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// Number of kept positions before the block.
    pub(crate) position: u16,
    pub(crate) level: i64,
    /// Number of bytes of indentation per level.
    pub(crate) unit: u32,
}

/// Output of [`Kernel::outline`](super::Kernel::outline).
pub(crate) struct Plan<'a> {
    pub(crate) positions: &'a mut [u16],
    pub(crate) widths: &'a mut [u16],
    pub(crate) firsts: &'a mut [u8],
}

/// Marks the end of a gap for [`Kernel::expand`](super::Kernel::expand).
pub(crate) const GAP_END: u8 = 0x80;
