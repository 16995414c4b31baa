//! Lines of JSON, as the elements of one array: a line break outside strings that ends a record is taken for a comma.
//!
//! Record by record, the start and the end of each would cost more than what is between them. As an array all lines of a
//! window are checked like any other text, and what an array allows and lines do not is left to say: each line break stands
//! outside all brackets, and no comma or colon does. So what stands outside must follow a line break (then it is met on
//! the way to the first bracket or the next line break) or a closing bracket (then its level is counted).

#![forbid(unsafe_code)]

use crate::grammar::classes::Masks;
use crate::grammar::scan_through;
use crate::kernel::Kernel;
use crate::kernel::Word;

/// What a superblock leaves to the next.
pub(crate) struct Lines<W> {
    value_end: W,
    after_value: W,
    close: W,
    after_close: W,
    line_break: W,
    /// 1 on the way from a line break to what comes first behind it.
    line_run: u32,
    level: i64,
    /// Records that have ended.
    pub(super) records: u64,
}

impl<W: Word> Lines<W> {
    /// Behind a line break.
    #[inline(always)]
    pub(super) fn start<K: Kernel<Word = W>>(kernel: K) -> Self {
        let zero = kernel.splat(0);
        Self {
            value_end: zero,
            after_value: zero,
            close: zero,
            after_close: zero,
            line_break: zero,
            line_run: 1,
            level: 0,
            records: 0,
        }
    }
}

/// Turns the line breaks that end records into commas. Returns the positions at which a line is no document, and whether a
/// comma or line break stands at a level where it must not.
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
    let blank = whitespace & !line_break;
    let full = blank.any_lane_full();

    let value_end = scalar | quotes & !in_string | close;
    let after_value = scan_through(value_end.advance::<1>(carry.value_end), blank, full, &mut carry.after_value);
    carry.value_end = value_end;
    let record_end = after_value & line_break;
    let after_close = scan_through(close.advance::<1>(carry.close), blank, full, &mut carry.after_close);
    carry.close = close;
    let suspect = after_close & comma;

    let passed = !(open | close | comma | colon | line_break);
    let line_first = line_break.advance::<1>(carry.line_break).add(passed, &mut carry.line_run) & !passed;
    carry.line_break = line_break;
    let errors = line_first & (comma | colon);

    masks.comma = comma | record_end;
    masks.whitespace = whitespace & !record_end;

    let is_grounded = kernel.is_grounded([open, close], line_break | suspect, line_break, carry.level);
    let (rise, records) = kernel.balance(open, close, record_end);
    carry.level += i64::from(rise);
    carry.records += u64::from(records);
    (errors, !is_grounded)
}
