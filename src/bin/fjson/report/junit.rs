//! The format `junit`: `JUnit` XML with one test case per finding and one per input without findings.
//!
//! The totals are at the start of the file, so all test cases are held in memory until the end.

#![forbid(unsafe_code)]

use crate::exit::Exit;
use crate::name::Name;
use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use std::fmt;
use std::fmt::Write;

#[derive(Default)]
pub struct JUnit {
    cases: String,
    tests: u64,
    failures: u64,
    errors: u64,
}

impl Format for JUnit {
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, _text: &mut String) -> fmt::Result {
        self.tests += 1;
        let tag = if diagnostic.exit == Exit::RunError {
            self.errors += 1;
            "error"
        } else {
            self.failures += 1;
            "failure"
        };
        let name = escaped(&diagnostic.place().to_string());
        let (kind, message) = (&diagnostic.kind, escaped(&diagnostic.message));
        let help = escaped(&diagnostic.help().unwrap_or_default());
        writeln!(self.cases, r#"    <testcase classname="fjson" name="{name}">"#)?;
        writeln!(self.cases, r#"      <{tag} type="{kind}" message="{message}">{help}</{tag}>"#)?;
        writeln!(self.cases, "    </testcase>")
    }

    fn passed(&mut self, name: &Name, _text: &mut String) -> fmt::Result {
        self.tests += 1;
        writeln!(self.cases, r#"    <testcase classname="fjson" name="{}"/>"#, escaped(&name.to_string()))
    }

    fn end(&mut self, _totals: &Totals, text: &mut String) -> fmt::Result {
        let sums =
            format!(r#"name="fjson" tests="{}" failures="{}" errors="{}""#, self.tests, self.failures, self.errors);
        writeln!(text, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(text, "<testsuites {sums}>\n  <testsuite {sums}>")?;
        text.write_str(&self.cases)?;
        text.write_str("  </testsuite>\n</testsuites>\n")
    }
}

/// Escapes the special characters of XML. Characters that XML 1.0 forbids have been replaced by [`sanitize`](crate::sanitize).
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_of_xml_are_escaped() {
        assert_eq!(escaped(r#"<a b="&">"#), "&lt;a b=&quot;&amp;&quot;&gt;");
    }
}
