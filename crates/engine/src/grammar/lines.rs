//! Validates NDJSON as one array: a line break that ends a record is treated as a comma.
//!
//! Checking record by record would spend more time on starting and ending each record than on its bytes. As the elements of an
//! array, all lines of a window are checked like any other text. Two rules remain, which an array does not have: every line break
//! outside strings must be at level 0, and no comma or colon may be at level 0. Between a comma or colon at level 0 and the last
//! line break or closing bracket before it are only strings, scalars and whitespace. After a line break, a carry runs over these
//! and must not reach a comma or colon. After a closing bracket, the level of the comma is counted; a colon is an error there in
//! any text.

#![forbid(unsafe_code)]

use crate::grammar::classes::Masks;
use crate::grammar::scan_through;
use crate::kernel::Kernel;
use crate::kernel::Word;

/// State between two superblocks.
pub(crate) struct Lines<W> {
    value_end: W,
    after_value: W,
    close: W,
    after_close: W,
    line_break: W,
    /// 1 if no bracket, comma, colon or line break has followed the last line break.
    line_run: u32,
    /// Nesting depth, not counting the imaginary array. Negative if there are too many closing brackets.
    level: i64,
    /// Number of complete records.
    pub(super) records: u64,
}

impl<W: Word> Lines<W> {
    /// Returns the state after a line break.
    #[inline(always)]
    pub(crate) fn start<K: Kernel<Word = W>>(kernel: K) -> Self {
        let zero = kernel.splat(0);
        Self {
            value_end: zero,
            after_value: zero,
            close: zero,
            after_close: zero,
            line_break: zero,
            // mutant: line_run: 0,
            line_run: 1,
            level: 0,
            records: 0,
        }
    }
}

/// Turns the line breaks that end records into commas. Returns the positions of errors, and whether some line break is inside a
/// container or some comma after a closing bracket is outside all containers.
#[inline(always)]
pub(super) fn check<K: Kernel>(
    kernel: K,
    carry: &mut Lines<K::Word>,
    masks: &mut Masks<K::Word>,
    planes: &[K::Word; 8],
) -> (K::Word, bool) {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
    let Masks { in_string, quotes, whitespace, comma, colon, open, close, scalar, .. } = *masks;
    let line_break = whitespace & !(b7 | b6 | b5 | b4 | b2 | b0) & b3 & b1;
    let other_whitespace = whitespace & !line_break;
    let full = other_whitespace.any_lane_full();

    let value_end = scalar | quotes & !in_string | close;
    let after_value =
        scan_through(value_end.advance::<1>(carry.value_end), other_whitespace, full, &mut carry.after_value);
    carry.value_end = value_end;
    let record_end = after_value & line_break;
    let after_close = scan_through(close.advance::<1>(carry.close), other_whitespace, full, &mut carry.after_close);
    carry.close = close;
    let suspect = after_close & comma;

    let passed = !(open | close | comma | colon | line_break);
    let line_first = line_break.advance::<1>(carry.line_break).add(passed, &mut carry.line_run) & !passed;
    carry.line_break = line_break;
    // mutant: let errors = line_first & !line_first;
    let errors = line_first & (comma | colon);

    masks.comma = comma | record_end;
    // mutant:
    masks.whitespace = whitespace & !record_end;

    // mutant: let matches_top_level = kernel.matches_top_level([open, close], line_break, line_break, carry.level);
    let matches_top_level = kernel.matches_top_level([open, close], line_break | suspect, line_break, carry.level);
    let (rise, records) = kernel.balance(open, close, record_end);
    carry.level += i64::from(rise);
    carry.records += u64::from(records);
    // mutant: (errors, false)
    (errors, !matches_top_level)
}
