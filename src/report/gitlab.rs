//! The format `gitlab`: a code quality report, which is an array of issues with fingerprints.

#![forbid(unsafe_code)]

use crate::json_text::JsonText;
use crate::json_text::JsonWriter;
use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use std::collections::HashMap;
use std::fmt;
use std::fmt::Write;

#[derive(Default)]
pub struct GitLab {
    writer: JsonWriter,
    /// How many issues there are with the same file, kind, place and message, by their hash: records may have the same violation.
    equal: HashMap<u64, u64>,
}

impl Format for GitLab {
    fn begin(&mut self, text: &mut String) -> fmt::Result {
        self.writer.begin_array();
        text.write_str(&self.writer.take_text())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        let offset = diagnostic.error.map_or(0, fjson::Error::offset).to_le_bytes();
        // A violation stays the same when other lines of the file change.
        let place = diagnostic.violation.map_or(&offset[..], |violation| violation.pointer.as_bytes());
        let message = diagnostic.violation.map_or(&[][..], |violation| violation.message.as_bytes());
        let line = diagnostic.position().map_or(1, |position| position.line);
        let parts = [&diagnostic.name.bytes_in_report()[..], diagnostic.kind.as_bytes(), place, message];
        let hash = fingerprint(&parts);
        let before = self.equal.entry(hash).or_default();
        let unique = if *before == 0 { hash } else { fingerprint(&[&hash.to_le_bytes(), &before.to_le_bytes()]) };
        *before += 1;
        let writer = self.writer.break_line().begin_object();
        writer.name("description").text(&diagnostic.message_with_cause());
        writer.name("check_name").text(&diagnostic.kind);
        writer.name("fingerprint").text(&format!("{unique:016x}"));
        writer.name("severity").text("major");
        writer.name("location").begin_object();
        writer.name("path").text(&diagnostic.name.in_report());
        writer.name("lines").begin_object().name("begin").value(line).end();
        writer.end().end();
        text.write_str(&writer.take_text())
    }

    fn end(&mut self, _totals: &Totals, text: &mut String) -> fmt::Result {
        self.writer.break_line().end();
        text.write_str(&self.writer.last_text())
    }
}

/// Computes the FNV-1a hash, which is the same on all machines and in all versions.
fn fingerprint(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().copied().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_is_fnv_1a() {
        assert_eq!(fingerprint(&[b"foo", b"bar"]), 0x8594_4171_f739_67e8);
    }
}
