//! The format `sarif`: SARIF 2.1.0 for code scanning, with one run and one result per finding.

#![forbid(unsafe_code)]

use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use crate::report::json::Quoted;
use crate::report::json::separator;
use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write;

const HEAD: &str = r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"columnKind":"unicodeCodePoints","results":["#;

#[derive(Default)]
pub struct Sarif {
    any: bool,
    /// Rules that the results refer to. They are listed after the results, which are written immediately.
    rules: BTreeSet<String>,
}

impl Format for Sarif {
    fn begin(&mut self, text: &mut String) -> fmt::Result {
        text.write_str(HEAD)
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
        text.push_str(separator(&mut self.any));
        if !self.rules.contains(&diagnostic.kind) {
            self.rules.insert(diagnostic.kind.clone());
        }
        write_result(diagnostic, text)
    }

    fn end(&mut self, _totals: &Totals, text: &mut String) -> fmt::Result {
        let version = env!("CARGO_PKG_VERSION");
        let rule = |rule: &String| format!("{{\"id\":\"{rule}\",\"shortDescription\":{{\"text\":\"{rule}\"}}}}");
        let rules = self.rules.iter().map(rule).collect::<Vec<_>>().join(",");
        writeln!(
            text,
            "\n],\"tool\":{{\"driver\":{{\"name\":\"fjson\",\"version\":\"{version}\",\"rules\":[{rules}]}}}}}}]}}"
        )
    }
}

fn write_result(diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result {
    let rule = &diagnostic.kind;
    let mut message = diagnostic.message.clone();
    if let Some(help) = diagnostic.help() {
        message = format!("{message}; {help}");
    }
    write!(text, "{{\"ruleId\":\"{rule}\",\"level\":\"error\",\"message\":{{\"text\":{}}}", Quoted(&message))?;
    let uri = diagnostic.name.uri();
    write!(text, ",\"locations\":[{{\"physicalLocation\":{{\"artifactLocation\":{{\"uri\":\"{uri}\"}}")?;
    if let Some(position) = diagnostic.position() {
        write!(text, ",\"region\":{{\"startLine\":{},\"startColumn\":{}}}", position.line, position.column)?;
    }
    text.write_str("}")?;
    if let Some(pointer) = diagnostic.error.and_then(fjson::Error::pointer) {
        write!(text, ",\"logicalLocations\":[{{\"fullyQualifiedName\":{}}}]", Quoted(pointer))?;
    }
    text.write_str("}]")?;
    if let Some(position) = diagnostic.error.and_then(fjson::Error::earlier).and_then(|earlier| earlier.position) {
        write!(text, ",\"relatedLocations\":[{{\"message\":{{\"text\":\"the first occurrence\"}}")?;
        write!(text, ",\"physicalLocation\":{{\"artifactLocation\":{{\"uri\":\"{uri}\"}}")?;
        let (line, column) = (position.line, position.column);
        write!(text, ",\"region\":{{\"startLine\":{line},\"startColumn\":{column}}}}}}}]")?;
    }
    text.write_str("}")
}
