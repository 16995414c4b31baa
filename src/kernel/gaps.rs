//! Gaps in a text: what the kernels are asked and what they say about them.

#![forbid(unsafe_code)]

/// A block of 64 positions for [`Kernel::outline`](super::Kernel::outline).
#[derive(Clone, Copy)]
pub(crate) struct Outline {
    /// The positions that count.
    pub(crate) keep: u64,
    /// The positions that have a gap in front of them; all are kept.
    pub(crate) marks: u64,
    /// Among the marks: those whose gap is a single space.
    pub(crate) flat: u64,
    /// Where the level rises, behind the position.
    pub(crate) rises: u64,
    /// Where the level falls, in front of the position.
    pub(crate) falls: u64,
}

impl Outline {
    /// How wide the gap in front of a mark is, which is given as a single bit, in a block that begins at `level`; nothing if it
    /// is flat. A level adds `unit`.
    #[inline(always)]
    pub(crate) fn gap(&self, mark: u64, level: i64, unit: u32) -> Option<u64> {
        let before = mark - 1;
        let rises = i64::from((self.rises & before).count_ones());
        let falls = i64::from((self.falls & (mark | before)).count_ones());
        let level = (level + rises - falls).max(0).cast_unsigned();
        (self.flat & mark == 0).then(|| 1 + u64::from(unit) * level)
    }

    /// How far the level rises from the start of the block to its end.
    #[inline(always)]
    pub(crate) fn climb(&self) -> i64 {
        i64::from(self.rises.count_ones()) - i64::from(self.falls.count_ones())
    }
}

/// Where a block begins, for [`Kernel::outline`](super::Kernel::outline).
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// Kept positions before the block.
    pub(crate) position: u16,
    pub(crate) level: i64,
    /// What a level adds to a gap.
    pub(crate) unit: u32,
}

/// Where [`Kernel::outline`](super::Kernel::outline) writes.
pub(crate) struct Plan<'a> {
    pub(crate) positions: &'a mut [u16],
    pub(crate) widths: &'a mut [u16],
    pub(crate) firsts: &'a mut [u8],
}

/// Marks the end of a gap for [`Kernel::expand`](super::Kernel::expand).
pub(crate) const GAP_END: u8 = 0x80;
