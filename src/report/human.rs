//! The format `human`: the position and message, the line with a caret under the error, help and notes.

#![forbid(unsafe_code)]

use crate::report::Format;
use crate::report::diagnostic::Diagnostic;
use crate::report::excerpt;
use crate::report::violation::Violation;
use crate::sanitize;
use anstyle::AnsiColor;
use anstyle::Style;
use fjson::Error;
use std::fmt;
use std::fmt::Write;

/// Number of characters that are shown at each end of a long JSON Pointer.
const POINTER_END: usize = 60;

const PLAIN: Style = Style::new();
const BOLD: Style = Style::new().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const BLUE: Style = AnsiColor::Blue.on_default().bold();

pub struct Human {
    pub color: bool,
}

impl Format for Human {
    fn is_text(&self) -> bool {
        true
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        let [bold, red, blue] = if self.color { [BOLD, RED, BLUE] } else { [PLAIN; 3] };
        writeln!(
            text,
            "{bold}{}:{bold:#} {red}error:{red:#} {bold}{}{bold:#}",
            diagnostic.place(),
            diagnostic.message
        )?;
        if diagnostic.error.is_none() && diagnostic.violation.is_none() {
            return Ok(());
        }
        let has_lines = diagnostic.position().is_some();
        let line = diagnostic.line().unwrap_or(0).to_string();
        let number = if has_lines || diagnostic.offset.is_none() { line } else { String::from(" ") };
        let margin = " ".repeat(number.len());
        if let Some(excerpt) = diagnostic.excerpt().filter(|excerpt| !excerpt.bytes.is_empty()) {
            let (line, caret) = excerpt::draw(&excerpt.into(), margin.len() + 3);
            writeln!(text, "{blue}{number} |{blue:#} {line}")?;
            writeln!(text, "{margin} {blue}|{blue:#} {:caret$}{red}^{red:#}", "")?;
        }
        if let Some(help) = diagnostic.help() {
            writeln!(text, "{margin} {blue}={blue:#} help: {help}")?;
        }
        if let Some(violation) = diagnostic.violation {
            self.write_schema(violation, &margin, text)?;
        }
        if diagnostic.offset.is_some() {
            write!(text, "{margin} {blue}={blue:#} at: ")?;
            write_place(diagnostic, text)?;
        }
        if let Some(opener) = diagnostic.error.and_then(Error::opener) {
            let (bracket, place, offset) = (opener.bracket, opener.position, opener.offset);
            let opened = if has_lines {
                format!("opened at line {} column {}", place.line, place.column)
            } else {
                format!("opened at byte {offset}")
            };
            if !diagnostic.message.contains(&opened) {
                let byte = if has_lines { format!(" (byte {offset})") } else { String::new() };
                writeln!(text, "{margin} {blue}={blue:#} note: `{bracket}` was {opened}{byte}")?;
            }
        }
        Ok(())
    }
}

impl Human {
    /// Writes the causes of a violation, and the place of its keyword in the schema.
    fn write_schema(&self, violation: &Violation, margin: &str, text: &mut String) -> fmt::Result {
        let blue = if self.color { BLUE } else { PLAIN };
        for cause in &violation.causes {
            let place = cause.position.map(|position| format!(" at {}:{}", position.line, position.column));
            let message = sanitize::text(&cause.message);
            writeln!(text, "{margin} {blue}={blue:#} because{}: {message}", place.unwrap_or_default())?;
            if let Some(help) = &cause.help {
                writeln!(text, "{margin} {blue}={blue:#} help: {}", sanitize::text(help))?;
            }
            self.write_schema(cause, margin, text)?;
        }
        if let Some(schema) = violation.schema.as_ref().filter(|_| violation.causes.is_empty()) {
            let (file, position) = (sanitize::text(&schema.file), schema.position);
            let pointer = shortened(&sanitize::text(&schema.pointer));
            writeln!(text, "{margin} {blue}={blue:#} schema: {file}:{}:{} {pointer}", position.line, position.column)?;
        }
        Ok(())
    }
}

/// Writes the record, the JSON Pointer and the byte offset, as far as they are known.
fn write_place(diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
    if let Some(record) = diagnostic.record() {
        write!(text, "record {record}, ")?;
    }
    let offset = diagnostic.offset.unwrap_or_default();
    match diagnostic.pointer() {
        None => writeln!(text, "byte {offset}"),
        Some("") => writeln!(text, "the top level (byte {offset})"),
        Some(pointer) => writeln!(text, "{} (byte {offset})", shortened(&sanitize::text(pointer))),
    }
}

fn shortened(pointer: &str) -> String {
    let length = pointer.chars().count();
    if length <= 2 * POINTER_END {
        return pointer.to_owned();
    }
    let head = pointer.chars().take(POINTER_END);
    let tail = pointer.chars().skip(length - POINTER_END);
    head.chain(['…']).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_pointer_keeps_both_ends() {
        assert_eq!(shortened("/a/b"), "/a/b");
        let long = format!("/head{}tail", "/0".repeat(1000));
        let short = shortened(&long);
        assert_eq!(short.chars().count(), 2 * POINTER_END + 1);
        assert!(short.starts_with("/head/0") && short.ends_with("/0tail") && short.contains('…'));
    }
}
