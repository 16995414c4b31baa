//! Printing of the location of a match: normalized path, JSON Pointer and byte offsets.

#![forbid(unsafe_code)]

use crate::args::query::Printing;
use fjson::Match;

pub const NO_POINTER: &str = "a match has no JSON Pointer, because a key on its path has no UTF-8 form";

/// Appends the requested columns, separated by tabs. Returns an error if the match has no JSON Pointer.
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
