//! The format `gitlab`: a code quality report, which is an array of issues with fingerprints.

#![forbid(unsafe_code)]

use crate::json::Object;
use crate::json::Writer;
use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use std::fmt;
use std::fmt::Write;

#[derive(Default)]
pub struct GitLab(Writer);

impl Format for GitLab {
    fn begin(&mut self, text: &mut String) -> fmt::Result {
        self.0.open('[');
        text.write_str(&self.0.take())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        let offset = diagnostic.error.map_or(0, fjson::Error::offset);
        let line = diagnostic.position().map_or(1, |position| position.line);
        let parts = [diagnostic.name.bytes(), diagnostic.kind.as_bytes(), &offset.to_le_bytes()];
        self.0.line(&Object(&[
            ("description", &diagnostic.message),
            ("check_name", &diagnostic.kind),
            ("fingerprint", &format!("{:016x}", fingerprint(&parts))),
            ("severity", &"major"),
            (
                "location",
                &Object(&[("path", &diagnostic.name.with_slashes()), ("lines", &Object(&[("begin", &line)]))]),
            ),
        ]));
        text.write_str(&self.0.take())
    }

    fn end(&mut self, _totals: &Totals, text: &mut String) -> fmt::Result {
        self.0.close_lines();
        writeln!(text, "{}", self.0.take())
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
