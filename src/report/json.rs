//! The formats `json` (one document) and `jsonl` (one line per finding).

#![forbid(unsafe_code)]

use crate::json_text::JsonText;
use crate::json_text::JsonWriter;
use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use crate::report::violation::Violation;
use std::fmt;
use std::fmt::Write;

/// The format `json`: one object with the findings, then the totals.
#[derive(Default)]
pub struct Json(JsonWriter);

impl Format for Json {
    fn begin(&mut self, text: &mut String) -> fmt::Result {
        self.0.begin_object().name("errors").begin_array();
        text.write_str(&self.0.take_text())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        write_diagnostic(diagnostic, self.0.break_line());
        text.write_str(&self.0.take_text())
    }

    fn end(&mut self, totals: &Totals, text: &mut String) -> fmt::Result {
        let Totals { inputs, documents, omitted, .. } = totals;
        self.0.break_line().end();
        self.0.name("inputs").value(inputs).name("documents").value(documents).name("omitted").value(omitted).end();
        text.write_str(&self.0.last_text())
    }
}

/// The format `jsonl`: one object per line.
pub struct JsonLines;

impl Format for JsonLines {
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        let mut writer = JsonWriter::default();
        write_diagnostic(diagnostic, &mut writer);
        text.write_str(&writer.last_text())
    }
}

/// Every key is always there; an unknown value is null.
fn write_diagnostic(diagnostic: &Diagnostic<'_>, writer: &mut JsonWriter) {
    let error = diagnostic.error.filter(|_| diagnostic.offset.is_some());
    let is_placed = diagnostic.offset.is_some();
    let position = diagnostic.position();
    writer.begin_object();
    writer.name("file").text(&diagnostic.name.to_string());
    writer.name("kind").text(&diagnostic.kind);
    writer.name("message").text(&diagnostic.message);
    writer.name("help").optional_text(diagnostic.help().as_deref());
    writer.name("line").value(position.map(|position| position.line));
    writer.name("column").value(position.map(|position| position.column));
    writer.name("offset").value(diagnostic.offset);
    writer.name("record").value(diagnostic.record().filter(|_| is_placed));
    writer.name("pointer").optional_text(diagnostic.pointer().filter(|_| is_placed));
    writer.name("opener");
    match error.and_then(fjson::Error::opener) {
        None => writer.value(()),
        Some(opener) => {
            writer.begin_object();
            writer.name("bracket").value(opener.bracket);
            writer.name("line").value(position.map(|_| opener.position.line));
            writer.name("column").value(position.map(|_| opener.position.column));
            writer.name("offset").value(opener.offset);
            writer.end()
        }
    };
    writer.name("earlier");
    match error.and_then(fjson::Error::earlier) {
        None => writer.value(()),
        Some(earlier) => {
            writer.begin_object();
            writer.name("line").value(earlier.position.map(|position| position.line));
            writer.name("column").value(earlier.position.map(|position| position.column));
            writer.name("offset").value(earlier.offset);
            writer.end()
        }
    };
    if let Some(violation) = diagnostic.violation {
        write_violation(violation, writer);
    }
    writer.end();
}

/// Writes what only violations of schemas have.
fn write_violation(violation: &Violation, writer: &mut JsonWriter) {
    writer.name("keyword").optional_text(violation.keyword.as_deref());
    writer.name("end").value(violation.end);
    writer.name("schema");
    match &violation.schema {
        None => writer.value(()),
        Some(schema) => {
            writer.begin_object();
            writer.name("file").text(&schema.file);
            writer.name("line").value(schema.position.line).name("column").value(schema.position.column);
            writer.name("pointer").text(&schema.pointer);
            writer.end()
        }
    };
    writer.name("causes").begin_array();
    for cause in &violation.causes {
        writer.begin_object();
        writer.name("message").text(&cause.message);
        writer.name("help").optional_text(cause.help.as_deref());
        writer.name("line").value(cause.position.map(|position| position.line));
        writer.name("column").value(cause.position.map(|position| position.column));
        writer.name("offset").value(cause.offset);
        writer.name("pointer").text(&cause.pointer);
        write_violation(cause, writer);
        writer.end();
    }
    writer.end();
}
