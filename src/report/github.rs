//! The format `github`: workflow commands, which GitHub Actions shows next to the lines of a change.
//!
//! GitHub shows only the first ten errors of a step, so the last line contains their total.

#![forbid(unsafe_code)]

use crate::report::Format;
use crate::report::Totals;
use crate::report::counted;
use crate::report::diagnostic::Diagnostic;
use std::fmt;
use std::fmt::Write;

pub struct GitHub;

impl Format for GitHub {
    fn is_text(&self) -> bool {
        true
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        write!(text, "::error file={}", property(&diagnostic.name.in_report()))?;
        if let Some(position) = diagnostic.position() {
            write!(text, ",line={},col={}", position.line, position.column)?;
        }
        write!(text, ",title={}::{}", property(&diagnostic.kind), data(&diagnostic.message_with_cause()))?;
        if let Some(help) = diagnostic.help() {
            write!(text, "; {}", data(&help))?;
        }
        text.write_char('\n')
    }

    fn end(&mut self, totals: &Totals, text: &mut String) -> fmt::Result {
        if totals.findings == 0 {
            return Ok(());
        }
        writeln!(text, "fjson: {}, {} read", counted(totals.findings, "error"), counted(totals.inputs, "input"))
    }
}

/// Escapes the message of a command. It contains no line breaks, but `%` starts an escape.
fn data(text: &str) -> String {
    text.replace('%', "%25")
}

/// Escapes the value of a property, which ends at a comma or colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_cannot_start_another_command() {
        assert_eq!(property("a%0A::set-output,b"), "a%250A%3A%3Aset-output%2Cb");
    }
}
