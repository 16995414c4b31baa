//! Violations: what the validator has found, with exact places, our own messages and suggestions.

#![forbid(unsafe_code)]

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use fjson::Value;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value as Tree;

use crate::alternatives::Choice;
use crate::alternatives::choose;
use crate::finding::Finding;
use crate::known::known_keys;
use crate::message::Message;
use crate::message::message;
use crate::sources::SchemaPlace;
use crate::sources::Sources;
use crate::suggest::similar;
use crate::words::found;
use crate::words::quoted;

/// Number of causes that a violation has.
const MAX_CAUSES: usize = 3;

/// A value, or a key, that breaks a rule of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The bytes of the value in the text of the document, or of the key if it is about that.
    pub range: Range<usize>,
    /// The JSON Pointer of the value. For an unknown or a missing key, that of the object.
    pub pointer: String,
    /// The keyword of the schema, for example `maximum`; `false` for the schema `false`.
    pub keyword: String,
    /// What was found, and what was expected: one lower-case sentence without a full stop.
    pub message: String,
    /// A second sentence that says what was probably meant.
    pub help: Option<String>,
    /// Where the keyword is in the schema; `None` for a keyword of a meta-schema.
    pub schema: Option<SchemaPlace>,
    /// Of `anyOf` and `oneOf`, at most three violations of the alternative that was probably meant.
    pub causes: Vec<Violation>,
}

impl Violation {
    /// Returns the cause that says most, and the help of the violation or of that.
    pub(crate) fn most_specific(mut self) -> (Self, Option<String>) {
        while !self.causes.is_empty() {
            let cause = self.causes.swap_remove(0);
            self = Self { help: cause.help.or(self.help), ..cause };
        }
        let help = self.help.clone();
        (self, help)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// Makes violations of the errors that the validator has found.
pub(crate) struct Describer<'d> {
    /// The value that was validated.
    pub(crate) root: Value<'d, 'd>,
    pub(crate) sources: &'d Sources,
}

impl<'d> Describer<'d> {
    /// Returns the violations of an error. There are none if it was found after so many others that it may be none.
    pub(crate) fn describe(&self, error: ValidationError<'_>) -> Vec<Violation> {
        match Finding::new(self.root, error) {
            Some(finding) => self.violations(finding),
            None => Vec::new(),
        }
    }

    fn violations(&self, mut finding: Finding<'d>) -> Vec<Violation> {
        match finding.kind {
            Kind::AdditionalProperties { ref unexpected } | Kind::UnevaluatedProperties { ref unexpected } => {
                self.unknown_keys(&finding, unexpected)
            }
            Kind::PropertyNames { error } => {
                let Some(inner) = Finding::new(self.root, *error) else { return Vec::new() };
                self.violations(Finding { pointer: finding.pointer, ..inner })
            }
            Kind::AnyOf { ref mut context } | Kind::OneOfNotValid { ref mut context } => {
                let context = std::mem::take(context);
                vec![self.alternatives(&finding, context)]
            }
            _ => {
                let message = message(self.sources, &finding);
                vec![self.violation(&finding, message)]
            }
        }
    }

    /// Describes that a schema with these annotations calls a value deprecated.
    pub(crate) fn deprecated(&self, annotations: &Tree, pointer: &str, uri: &str) -> Option<Violation> {
        if annotations.get("deprecated") != Some(&Tree::Bool(true)) {
            return None;
        }
        let value = self.root.pointer(pointer)?;
        let message = match value.key() {
            Some(key) => format!("the key {} is deprecated", quoted(&key.as_str_lossy()?)),
            None => format!("found {}, which is deprecated", found(value)),
        };
        let help = annotations.get("deprecationMessage").and_then(Tree::as_str);
        let separator = if uri.contains('#') { "" } else { "#" };
        Some(Violation {
            range: value.key().unwrap_or(value).range(),
            pointer: pointer.to_owned(),
            keyword: "deprecated".to_owned(),
            message,
            help: help.map(str::to_owned),
            schema: self.sources.place(&format!("{uri}{separator}/deprecated")),
            causes: Vec::new(),
        })
    }

    fn violation(&self, finding: &Finding<'_>, message: Message) -> Violation {
        let keyword = finding.keyword();
        Violation {
            range: message.range.unwrap_or_else(|| finding.value.range()),
            pointer: finding.pointer.clone(),
            message: message.text,
            help: message.help.or_else(|| finding.condition()),
            schema: self.place(finding),
            keyword,
            causes: Vec::new(),
        }
    }

    /// Describes that a value follows none of the alternatives of a finding.
    fn alternatives(&self, finding: &Finding<'_>, mut context: Vec<Vec<ValidationError<'static>>>) -> Violation {
        let Choice { message, number, was_meant } = choose(self.sources, finding, &context);
        let mut violation = self.violation(finding, message);
        let Some(number) = number else { return violation };
        let causes = context.swap_remove(number).into_iter().flat_map(|error| self.describe(error));
        violation.causes = causes.take(MAX_CAUSES).collect();
        if was_meant && violation.causes.len() == 1 {
            return violation.causes.swap_remove(0);
        }
        violation
    }

    fn place(&self, finding: &Finding<'_>) -> Option<SchemaPlace> {
        // The validator may compile what a keyword says to other keywords, which are not in the document.
        let mut uri = finding.uri.as_deref()?;
        loop {
            if let Some(place) = self.sources.place(uri) {
                return Some(place);
            }
            uri = uri.rsplit_once('/').filter(|(base, _)| base.contains('#'))?.0;
        }
    }

    /// Returns a violation for each unknown key of an object.
    fn unknown_keys(&self, finding: &Finding<'_>, unexpected: &[String]) -> Vec<Violation> {
        let unexpected: HashSet<&str> = unexpected.iter().map(String::as_str).collect();
        let known = known_keys(self.sources, finding);
        let object = finding.value;
        let mut violations = Vec::new();
        for member in object.members() {
            let key = member.key.as_str_lossy().unwrap_or_default();
            if !unexpected.contains(&*key) {
                continue;
            }
            let missing = known.iter().map(String::as_str).filter(|known| object.get(known).is_none());
            let help = similar(&key, missing).map(|known| format!("did you mean {}?", quoted(known)));
            let text = format!("unknown key {}", quoted(&key));
            violations.push(self.violation(finding, Message { range: Some(member.key.range()), text, help }));
        }
        violations
    }
}
