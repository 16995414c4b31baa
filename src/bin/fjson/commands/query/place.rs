//! Where a match is, in the columns that were asked for.

#![forbid(unsafe_code)]

use crate::args::query::Printing;
use fjson::Match;

/// What a match has no pointer for.
pub const NO_POINTER: &str = "a name on the way to a match has no UTF-8 form, so there is no JSON Pointer to it";

/// Appends the columns, or says why there are none.
pub fn write(matched: &mut Match<'_>, printing: &Printing, out: &mut Vec<u8>) -> Result<(), &'static str> {
    let mut columns = Vec::new();
    if printing.paths {
        columns.extend(matched.path());
    }
    if printing.pointers {
        columns.push(matched.pointer().ok_or(NO_POINTER)?);
    }
    if printing.offsets {
        let range = matched.range();
        columns.push(format!("{}..{}", range.start, range.end));
    }
    out.extend_from_slice(columns.join("\t").as_bytes());
    Ok(())
}
