//! For editors and `grep`: one finding, one line.

#![forbid(unsafe_code)]

use crate::report::Format;
use crate::report::finding::Finding;
use std::fmt;
use std::fmt::Write;

pub struct Concise;

impl Format for Concise {
    fn finding(&mut self, finding: &Finding<'_>, text: &mut String) -> fmt::Result {
        writeln!(text, "{}: error[{}]: {}", finding.place(), finding.kind, finding.message)
    }
}
