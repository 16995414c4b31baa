//! Printing of the location of a match: normalized path, JSON Pointer and byte offsets, or a path with the value.

#![forbid(unsafe_code)]

use crate::args::query::Printing;
use crate::commands::query::value;
use fjson::Match;
use std::mem;

pub const NO_POINTER: &str = "a match has no JSON Pointer, because a key on its path has no UTF-8 form";

/// Appends the requested columns, separated by tabs. Returns an error if the match has no JSON Pointer.
pub fn write(matched: &mut Match<'_>, printing: &Printing, out: &mut Vec<u8>) -> Result<(), &'static str> {
    let mut is_first = true;
    let mut column = |text: &str| {
        if !mem::replace(&mut is_first, false) {
            out.push(b'\t');
        }
        out.extend_from_slice(text.as_bytes());
    };
    if printing.paths {
        column(&matched.path().unwrap_or_default());
    }
    if printing.pointers {
        column(&matched.pointer().ok_or(NO_POINTER)?);
    }
    if printing.offsets {
        let range = matched.range();
        column(&format!("{}..{}", range.start, range.end));
    }
    Ok(())
}

/// Appends the path of a match and its value, of which only the kind is shown if it is a container.
pub fn write_assignment(matched: &mut Match<'_>, out: &mut Vec<u8>) -> Result<(), &'static str> {
    value::write_unchanged(matched.short_path().unwrap_or_default().as_bytes(), out)?;
    out.extend_from_slice(b" = ");
    match matched.text() {
        [b'{', ..] => out.extend_from_slice(b"{}"),
        [b'[', ..] => out.extend_from_slice(b"[]"),
        text => value::write_unchanged(text, out)?,
    }
    Ok(())
}
