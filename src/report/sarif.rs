//! The format `sarif`: SARIF 2.1.0 for code scanning, with one run and one result per finding.

#![forbid(unsafe_code)]

use crate::json_text::JsonText;
use crate::json_text::JsonWriter;
use crate::name::Name;
use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Default)]
pub struct Sarif {
    writer: JsonWriter,
    /// Rules that the results refer to. They are listed after the results, which are written immediately.
    rules: BTreeSet<String>,
}

impl Format for Sarif {
    fn begin(&mut self, text: &mut String) -> fmt::Result {
        let writer = &mut self.writer;
        writer.begin_object();
        writer.name("$schema").text("https://json.schemastore.org/sarif-2.1.0.json");
        writer.name("version").text("2.1.0");
        writer.name("runs").begin_array().begin_object();
        writer.name("columnKind").text("unicodeCodePoints");
        writer.name("results").begin_array();
        text.write_str(&writer.take_text())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        if !self.rules.contains(&diagnostic.kind) {
            self.rules.insert(diagnostic.kind.clone());
        }
        write_finding(diagnostic, self.writer.break_line());
        text.write_str(&self.writer.take_text())
    }

    fn end(&mut self, _totals: &Totals, text: &mut String) -> fmt::Result {
        let writer = &mut self.writer;
        writer.break_line().end();
        writer.name("tool").begin_object().name("driver").begin_object();
        writer.name("name").text("fjson");
        writer.name("version").text(env!("CARGO_PKG_VERSION"));
        writer.name("rules").begin_array();
        for rule in &self.rules {
            writer.begin_object().name("id").text(rule);
            writer.name("shortDescription").begin_object().name("text").text(rule).end();
            writer.end();
        }
        writer.end();
        // The driver, the tool, the run, the runs and the document.
        writer.end().end().end().end().end();
        text.write_str(&writer.last_text())
    }
}

/// Writes a finding as a result of the run.
fn write_finding(diagnostic: &Diagnostic<'_>, writer: &mut JsonWriter) {
    let message = match diagnostic.help() {
        Some(help) => format!("{}; {help}", diagnostic.message_with_cause()),
        None => diagnostic.message_with_cause(),
    };
    writer.begin_object();
    writer.name("ruleId").text(&diagnostic.kind);
    writer.name("level").text("error");
    writer.name("message").begin_object().name("text").text(&message).end();
    writer.name("locations").begin_array().begin_object();
    let uri = diagnostic.name.uri();
    write_location(&uri, diagnostic.position(), writer);
    if let Some(pointer) = diagnostic.pointer() {
        writer.name("logicalLocations").begin_array();
        writer.begin_object().name("fullyQualifiedName").text(pointer).end();
        writer.end();
    }
    writer.end().end();
    if let Some(position) = diagnostic.error.and_then(fjson::Error::earlier).and_then(|earlier| earlier.position) {
        writer.name("relatedLocations").begin_array().begin_object();
        writer.name("message").begin_object().name("text").text("the first occurrence").end();
        write_location(&uri, Some(position), writer);
        writer.end().end();
    }
    if let Some(schema) = diagnostic.violation.and_then(|violation| violation.schema.as_ref()) {
        writer.name("relatedLocations").begin_array().begin_object();
        writer.name("message").begin_object().name("text").text("the keyword of the schema").end();
        write_location(&Name::Path(PathBuf::from(&schema.file)).uri(), Some(schema.position), writer);
        writer.name("logicalLocations").begin_array();
        writer.begin_object().name("fullyQualifiedName").text(&schema.pointer).end();
        writer.end();
        writer.end().end();
    }
    writer.end();
}

fn write_location(uri: &str, position: Option<fjson::Position>, writer: &mut JsonWriter) {
    writer.name("physicalLocation").begin_object();
    writer.name("artifactLocation").begin_object().name("uri").text(uri).end();
    if let Some(position) = position {
        writer.name("region").begin_object();
        writer.name("startLine").value(position.line).name("startColumn").value(position.column);
        writer.end();
    }
    writer.end();
}
