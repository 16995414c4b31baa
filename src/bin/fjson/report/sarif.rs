//! The format `sarif`: SARIF 2.1.0 for code scanning, with one run and one result per finding.

#![forbid(unsafe_code)]

use crate::json::Object;
use crate::json::Value;
use crate::json::Writer;
use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write;

#[derive(Default)]
pub struct Sarif {
    writer: Writer,
    /// Rules that the results refer to. They are listed after the results, which are written immediately.
    rules: BTreeSet<String>,
}

impl Format for Sarif {
    fn begin(&mut self, text: &mut String) -> fmt::Result {
        let writer = &mut self.writer;
        writer.open('{');
        writer.members(&[("$schema", &"https://json.schemastore.org/sarif-2.1.0.json"), ("version", &"2.1.0")]);
        writer.key("runs");
        writer.open('[');
        writer.open('{');
        writer.members(&[("columnKind", &"unicodeCodePoints")]);
        writer.key("results");
        writer.open('[');
        text.write_str(&writer.take())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        if !self.rules.contains(&diagnostic.kind) {
            self.rules.insert(diagnostic.kind.clone());
        }
        self.writer.line(&Finding(diagnostic));
        text.write_str(&self.writer.take())
    }

    fn end(&mut self, _totals: &Totals, text: &mut String) -> fmt::Result {
        let writer = &mut self.writer;
        writer.close_lines();
        let rules: Vec<_> = self.rules.iter().map(Rule).collect();
        writer.key("tool");
        writer.open('{');
        writer.key("driver");
        writer.object(&[("name", &"fjson"), ("version", &env!("CARGO_PKG_VERSION")), ("rules", &rules)]);
        writer.close('}');
        writer.close('}');
        writer.close(']');
        writer.close('}');
        writeln!(text, "{}", writer.take())
    }
}

struct Rule<'a>(&'a String);

impl Value for Rule<'_> {
    fn write(&self, writer: &mut Writer) {
        writer.object(&[("id", self.0), ("shortDescription", &Object(&[("text", self.0)]))]);
    }
}

/// A finding as a result of the run.
struct Finding<'a>(&'a Diagnostic<'a>);

impl Value for Finding<'_> {
    fn write(&self, writer: &mut Writer) {
        let Self(diagnostic) = *self;
        let message = match diagnostic.help() {
            Some(help) => format!("{}; {help}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        writer.open('{');
        writer.members(&[
            ("ruleId", &diagnostic.kind),
            ("level", &"error"),
            ("message", &Object(&[("text", &message)])),
        ]);
        writer.key("locations");
        writer.open('[');
        writer.open('{');
        let uri = diagnostic.name.uri();
        write_location(&uri, diagnostic.position(), writer);
        if let Some(pointer) = diagnostic.error.and_then(fjson::Error::pointer) {
            writer.key("logicalLocations");
            vec![Object(&[("fullyQualifiedName", &pointer)])].write(writer);
        }
        writer.close('}');
        writer.close(']');
        if let Some(position) = diagnostic.error.and_then(fjson::Error::earlier).and_then(|earlier| earlier.position) {
            writer.key("relatedLocations");
            writer.open('[');
            writer.open('{');
            writer.members(&[("message", &Object(&[("text", &"the first occurrence")]))]);
            write_location(&uri, Some(position), writer);
            writer.close('}');
            writer.close(']');
        }
        writer.close('}');
    }
}

fn write_location(uri: &str, position: Option<fjson::Position>, writer: &mut Writer) {
    writer.key("physicalLocation");
    writer.open('{');
    writer.members(&[("artifactLocation", &Object(&[("uri", &uri)]))]);
    if let Some(position) = position {
        writer.key("region");
        writer.object(&[("startLine", &position.line), ("startColumn", &position.column)]);
    }
    writer.close('}');
}
