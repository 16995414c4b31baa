//! The formats `json` (one document) and `jsonl` (one line per finding), and string escaping for all JSON-based formats.

#![forbid(unsafe_code)]

use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use crate::sanitize;
use std::fmt;
use std::fmt::Write;

/// The format `json`: one object with the findings, then the totals.
#[derive(Default)]
pub struct Json {
    any: bool,
}

impl Format for Json {
    fn begin(&mut self, text: &mut String) -> fmt::Result {
        text.write_str("{\"errors\":[")
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        text.push_str(separator(&mut self.any));
        write_finding(diagnostic, text)
    }

    fn end(&mut self, totals: &Totals, text: &mut String) -> fmt::Result {
        let Totals { inputs, omitted, .. } = totals;
        let documents = OrNull(totals.documents);
        writeln!(text, "\n],\"inputs\":{inputs},\"documents\":{documents},\"omitted\":{omitted}}}")
    }
}

/// The format `jsonl`: one object per line.
pub struct JsonLines;

impl Format for JsonLines {
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        write_finding(diagnostic, text)?;
        text.write_char('\n')
    }
}

/// Returns the text before the next element of an array that is written with one element per line.
pub fn separator(any: &mut bool) -> &'static str {
    if std::mem::replace(any, true) { ",\n" } else { "\n" }
}

/// Writes a finding as an object. All keys are always present; unknown values are null.
fn write_finding(diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
    let error = diagnostic.error.filter(|error| error.position().is_some());
    let position = diagnostic.position();
    write!(text, "{{\"file\":{}", Quoted(&diagnostic.name.to_string()))?;
    write!(text, ",\"kind\":{}", Quoted(&diagnostic.kind))?;
    write!(text, ",\"message\":{}", Quoted(&diagnostic.message))?;
    write!(text, ",\"help\":{}", OrNull(diagnostic.help().as_deref().map(Quoted)))?;
    write!(text, ",\"line\":{}", OrNull(position.map(|position| position.line)))?;
    write!(text, ",\"column\":{}", OrNull(position.map(|position| position.column)))?;
    write!(text, ",\"offset\":{}", OrNull(diagnostic.offset))?;
    write!(text, ",\"record\":{}", OrNull(error.and_then(fjson::Error::record)))?;
    write!(text, ",\"pointer\":{}", OrNull(error.and_then(fjson::Error::pointer).map(Quoted)))?;
    match error.and_then(fjson::Error::opener) {
        None => text.write_str(",\"opener\":null")?,
        Some(opener) => {
            let (bracket, offset, place) = (opener.bracket, opener.offset, opener.position);
            let (line, column) = (place.line, place.column);
            write!(
                text,
                ",\"opener\":{{\"bracket\":\"{bracket}\",\"line\":{line},\"column\":{column},\"offset\":{offset}}}"
            )?;
        }
    }
    match error.and_then(fjson::Error::earlier) {
        None => text.write_str(",\"earlier\":null}"),
        Some(earlier) => {
            let line = OrNull(earlier.position.map(|position| position.line));
            let column = OrNull(earlier.position.map(|position| position.column));
            let offset = earlier.offset;
            write!(text, ",\"earlier\":{{\"line\":{line},\"column\":{column},\"offset\":{offset}}}}}")
        }
    }
}

struct OrNull<T>(Option<T>);

impl<T: fmt::Display> fmt::Display for OrNull<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}

/// Displays a string as a JSON string. Control characters and invisible characters are escaped.
#[derive(Clone, Copy)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                _ if sanitize::is_visible(character) => f.write_char(character)?,
                _ => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        write!(f, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_string_holds_any_character() {
        assert_eq!(Quoted("a\"\\\n\u{1b}é🙂\u{e0001}").to_string(), r#""a\"\\\n\u001bé🙂\udb40\udc01""#);
    }
}
