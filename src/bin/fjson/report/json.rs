//! The formats `json` (one document) and `jsonl` (one line per finding).

#![forbid(unsafe_code)]

use crate::json;
use crate::json::Value;
use crate::json::Writer;
use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use std::fmt;
use std::fmt::Write;

/// The format `json`: one object with the findings, then the totals.
#[derive(Default)]
pub struct Json(Writer);

impl Format for Json {
    fn begin(&mut self, text: &mut String) -> fmt::Result {
        self.0.open('{');
        self.0.key("errors");
        self.0.open('[');
        text.write_str(&self.0.take())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        self.0.line(diagnostic);
        text.write_str(&self.0.take())
    }

    fn end(&mut self, totals: &Totals, text: &mut String) -> fmt::Result {
        let Totals { inputs, documents, omitted, .. } = totals;
        self.0.close_lines();
        self.0.members(&[("inputs", inputs), ("documents", documents), ("omitted", omitted)]);
        self.0.close('}');
        writeln!(text, "{}", self.0.take())
    }
}

/// The format `jsonl`: one object per line.
pub struct JsonLines;

impl Format for JsonLines {
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        text.write_str(&json::line(diagnostic))
    }
}

/// Every key is always there; an unknown value is null.
impl Value for Diagnostic<'_> {
    fn write(&self, writer: &mut Writer) {
        let error = self.error.filter(|_| self.offset.is_some());
        let position = self.position();
        writer.open('{');
        writer.members(&[
            ("file", &self.name.to_string()),
            ("kind", &self.kind),
            ("message", &self.message),
            ("help", &self.help()),
            ("line", &position.map(|position| position.line)),
            ("column", &position.map(|position| position.column)),
            ("offset", &self.offset),
            ("record", &error.and_then(fjson::Error::record)),
            ("pointer", &error.and_then(fjson::Error::pointer)),
        ]);
        writer.key("opener");
        match error.and_then(fjson::Error::opener) {
            None => writer.token("null"),
            Some(opener) => writer.object(&[
                ("bracket", &opener.bracket.to_string()),
                ("line", &position.map(|_| opener.position.line)),
                ("column", &position.map(|_| opener.position.column)),
                ("offset", &opener.offset),
            ]),
        }
        writer.key("earlier");
        match error.and_then(fjson::Error::earlier) {
            None => writer.token("null"),
            Some(earlier) => writer.object(&[
                ("line", &earlier.position.map(|position| position.line)),
                ("column", &earlier.position.map(|position| position.column)),
                ("offset", &earlier.offset),
            ]),
        }
        writer.close('}');
    }
}
