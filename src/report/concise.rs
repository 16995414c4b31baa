//! The format `concise`: one line per finding, for editors and `grep`.

#![forbid(unsafe_code)]

use crate::report::Format;
use crate::report::diagnostic::Diagnostic;
use std::fmt;
use std::fmt::Write;

pub struct Concise;

impl Format for Concise {
    fn is_text(&self) -> bool {
        true
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        writeln!(text, "{}: error[{}]: {}", diagnostic.place(), diagnostic.kind, diagnostic.message_with_cause())
    }
}
