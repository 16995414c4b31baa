//! The least that can be known of a text without reading it from the start: what is in strings, and where brackets are.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::kernel::lanes;

/// Every second position: where a run of backslashes that starts at an even position escapes.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// What is known of a superblock.
#[derive(Clone, Copy)]
pub(super) struct Structure<W> {
    /// `{` and `[` outside strings.
    pub(super) open: W,
    /// `}` and `]` outside strings.
    pub(super) close: W,
    /// Quotes that begin or end a string.
    pub(super) quotes: W,
    /// From an opening quote to the byte before the closing one.
    pub(super) in_string: W,
}

/// What one superblock leaves to the next. It begins outside of strings.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strings {
    /// 1 inside a string.
    in_string: u32,
    /// 1 if the next byte is escaped.
    escape: u32,
}

impl Strings {
    /// Whether a string is open.
    pub(super) fn is_inside(self) -> bool {
        self.in_string == 1
    }

    /// Passes over text with an odd number of quotes or an even one, behind which nothing is escaped.
    pub(super) fn pass(&mut self, odd: bool) {
        self.in_string ^= u32::from(odd);
        self.escape = 0;
    }

    /// Tells strings and brackets apart. Returns also the backslashes, if there are any to be known, and the commas outside
    /// strings.
    #[inline(always)]
    pub(super) fn classify<K: Kernel>(
        &mut self,
        kernel: K,
        superblock: &[u8],
    ) -> (Structure<K::Word>, Option<K::Word>, K::Word) {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = kernel.planes(superblock);
        let row_2 = !b7 & !b6 & b5 & !b4;
        let column_c = b3 & b2 & !b1 & !b0;
        let rows_5_and_7 = !b7 & b6 & b4;
        let backslash = rows_5_and_7 & !b5 & column_c;
        let mut quotes = row_2 & !b3 & !b2 & b1 & !b0;
        let mut escapes = None;
        if backslash.any() || self.escape != 0 {
            let first = kernel.first(self.escape);
            let starts = backslash & !first;
            let odd = kernel.splat(ODD);
            let alternating = (starts.advance::<1>(kernel.splat(0)) | odd).subtract(starts) ^ odd;
            self.escape = (alternating & backslash).last();
            quotes = quotes & !(alternating ^ (backslash | first));
            escapes = Some(backslash);
        }
        let in_string = quotes.prefix_xor(&mut self.in_string);
        let outside = rows_5_and_7 & !in_string;
        let open = outside & b3 & !b2 & b1 & b0;
        let close = outside & b3 & b2 & !b1 & b0;
        (Structure { open, close, quotes, in_string }, escapes, row_2 & column_c & !in_string)
    }
}

/// The closers of containers that hold no other and begin in the same lane.
///
/// ```text
/// text    [ 1 , [ 2 ] , 3 ]
/// open    x . . x . . . . .
/// close   . . . . . x . . x
/// result  . . . . . x . . .
/// ```
///
/// From behind each opener a carry runs over what is no bracket. Where it lands on a closer, that one is a leaf's.
#[inline(always)]
pub(super) fn leaf_closers<W: Word>(open: W, close: W) -> W {
    let others = !(open | close);
    open.add_lanes(open).add_lanes(others) & !others & close
}

/// The positions below one.
#[inline(always)]
pub(super) fn below(position: u32) -> u64 {
    (1 << position) - 1
}

/// The depth behind brackets.
#[inline(always)]
pub(super) fn deeper(depth: usize, open: u64, close: u64) -> usize {
    (depth + open.count_ones() as usize).wrapping_sub(close.count_ones() as usize)
}

/// The position at which `depth` levels come to an end, or 64. `ends` are the closers that can do it: all of `close`, or all
/// but those of leaves.
#[expect(clippy::cast_possible_truncation, reason = "not more than there are bits")]
#[inline(always)]
pub(super) fn fall<K: Kernel>(kernel: K, open: u64, close: u64, ends: u64, depth: usize) -> u32 {
    let mut number = depth;
    loop {
        if number > ends.count_ones() as usize {
            return 64;
        }
        let position = kernel.nth(ends, number as u32 - 1);
        let below = below(position);
        let before = deeper(depth, open & below, close & below);
        if before == 1 {
            return position;
        }
        // So many more must come.
        number += before - 1;
    }
}

/// The levels that are left of `depth` behind the brackets of a superblock, or the position at which they come to an end.
#[inline(always)]
pub(super) fn left<K: Kernel>(kernel: K, open: K::Word, close: K::Word, depth: usize) -> Result<usize, usize> {
    let ends = close & !leaf_closers(open, close);
    let (outlets, behind) = kernel.outlets([open, close], ends, depth);
    if outlets == 0 {
        return Ok(behind);
    }
    let (open, close, ends) = (lanes(open), lanes(close), lanes(ends));
    let mut depth = depth;
    for lane in 0..K::Word::LANES {
        if outlets >> lane & 1 == 1 {
            let position = fall(kernel, open[lane], close[lane], ends[lane], depth);
            if position < 64 {
                return Err(64 * lane + position as usize);
            }
        }
        depth = deeper(depth, open[lane], close[lane]);
    }
    Ok(behind)
}
