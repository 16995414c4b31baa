//! A finding, with all information that the report formats use.

#![forbid(unsafe_code)]

use crate::exit::Exit;
use crate::exit::RunError;
use crate::exit::reason;
use crate::name::Name;
use crate::report::Finding;
use crate::report::Unprintable;
use crate::report::options::with_options;
use crate::report::violation::Violation;
use crate::sanitize;
use fjson::Error;
use fjson::ErrorKind;
use fjson::Excerpt;
use std::error::Error as _;
use std::fmt;
use std::io;

/// A finding in an input.
pub struct Diagnostic<'a> {
    /// Name of the input or output.
    pub name: &'a Name,
    /// Stable identifier for the kind of the finding, for example `trailing-content`.
    pub kind: String,
    /// One lower-case sentence, sanitized.
    pub message: String,
    /// The error in the document; `None` if the finding is about the input as a whole.
    pub error: Option<&'a Error>,
    /// The part of the input around the error, with its comments.
    pub original: Option<Excerpt>,
    /// The violation of a schema, if the finding is one.
    pub violation: Option<&'a Violation>,
    /// Byte offset of the finding, if it has a position.
    pub offset: Option<u64>,
    /// Exit status that the finding causes.
    pub exit: Exit,
}

impl<'a> Diagnostic<'a> {
    pub fn of_error(name: &'a Name, error: &'a Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::Io
            | ErrorKind::InputChanged
            | ErrorKind::Compression
            | ErrorKind::ExpansionLimit
            | ErrorKind::MemoryLimit
            | ErrorKind::PatternLimit
            | ErrorKind::Misuse
            | ErrorKind::OutOfMemory
            | ErrorKind::RangeUnsupported => Exit::Error,
            _ => Exit::Invalid,
        };
        let cause = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        let message = cause.map_or_else(|| error.to_string(), reason);
        Self {
            name,
            kind: kebab_case(error.kind()),
            message: sanitize::text(&message),
            error: Some(error),
            original: None,
            violation: None,
            // Errors outside of documents have no position.
            offset: (exit == Exit::Invalid).then(|| error.offset()),
            exit,
        }
    }

    /// Creates the finding that a match cannot be printed.
    pub fn of_unprintable(name: &'a Name, matched: &'a Unprintable) -> Self {
        let Unprintable { place, offset, record, reason } = matched;
        if let Some(place) = place {
            Self { message: sanitize::text(reason), ..Self::of_error(name, place) }
        } else {
            let message = sanitize::text(&format!("{reason} ({})", record_and_byte(*record, *offset)));
            let kind = kebab_case(ErrorKind::Unprintable);
            Self {
                name,
                kind,
                message,
                error: None,
                original: None,
                violation: None,
                offset: None,
                exit: Exit::Invalid,
            }
        }
    }

    pub fn of_run_error(error: &'a RunError) -> Self {
        Self {
            name: &error.name,
            kind: kebab_case(ErrorKind::Io),
            message: sanitize::text(&error.reason),
            error: None,
            original: None,
            violation: None,
            offset: None,
            exit: Exit::Error,
        }
    }

    pub fn of_difference(name: &'a Name, finding: Finding, offset: u64) -> Self {
        let (kind, what) = match finding {
            Finding::Unformatted => ("unformatted", "not formatted"),
            Finding::Outdated => ("outdated", "would change"),
        };
        Self {
            name,
            kind: kind.to_owned(),
            message: format!("{what}: the first difference is at byte {offset}"),
            error: None,
            original: None,
            violation: None,
            offset: Some(offset),
            exit: Exit::Invalid,
        }
    }

    /// Creates the finding that a value violates a schema, or that a schema is invalid.
    pub fn of_violation(name: &'a Name, violation: &'a Violation) -> Self {
        Self {
            name: violation.file.as_ref().unwrap_or(name),
            kind: violation.kind(),
            message: sanitize::text(&violation.message),
            error: None,
            original: None,
            violation: Some(violation),
            offset: Some(violation.offset),
            exit: violation.exit,
        }
    }

    /// Returns the line and column of the error, if they are known.
    pub fn position(&self) -> Option<fjson::Position> {
        self.error.and_then(Error::position).or_else(|| self.violation?.position)
    }

    /// Returns the part of the input around the place.
    pub fn excerpt(&self) -> Option<&Excerpt> {
        self.original.as_ref().or_else(|| self.error?.excerpt()).or_else(|| self.violation?.excerpt.as_ref())
    }

    /// Returns the JSON Pointer of the place.
    pub fn pointer(&self) -> Option<&str> {
        self.error.and_then(Error::pointer).or_else(|| Some(&self.violation?.pointer))
    }

    /// Returns the number of the record.
    pub fn record(&self) -> Option<u64> {
        self.error.and_then(Error::record).or_else(|| self.violation?.record)
    }

    /// Returns the position of the line of the excerpt.
    pub fn line(&self) -> Option<u64> {
        match self.violation {
            Some(violation) => violation.position.map(|position| position.line),
            None => self.excerpt().map(|excerpt| excerpt.line),
        }
    }

    /// Returns the message with what causes the finding most deeply, for formats of one line.
    pub fn message_with_cause(&self) -> String {
        let mut cause = self.violation.and_then(|violation| violation.causes.first());
        while let Some(deeper) = cause.and_then(|cause| cause.causes.first()) {
            cause = Some(deeper);
        }
        let Some(cause) = cause else { return self.message.clone() };
        let place = cause.position.map_or(String::new(), |position| format!("{}:{}: ", position.line, position.column));
        format!("{}; {place}{}", self.message, sanitize::text(&cause.message))
    }

    /// Returns the help sentence of the error with the options that it is about, sanitized.
    pub fn help(&self) -> Option<String> {
        if let Some(violation) = self.violation {
            return violation.help.as_deref().map(sanitize::text);
        }
        let error = self.error?;
        with_options(error.kind(), error.help()?)
    }

    /// Returns `file:line:column`, the file and the byte offset if lines are unknown, or only the file.
    pub fn place(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            write!(f, "{}", self.name)?;
            match self.position() {
                Some(position) => write!(f, ":{}:{}", position.line, position.column),
                None if self.violation.is_some() => self.offset.map_or(Ok(()), |offset| write!(f, ", byte {offset}")),
                None => self.error.and(self.offset).map_or(Ok(()), |offset| write!(f, ", byte {offset}")),
            }
        })
    }
}

/// Returns a place of which no more is known than the number of the record, if there is one, and the byte offset.
pub fn record_and_byte(record: Option<u64>, offset: u64) -> String {
    let record = record.map(|record| format!("record {record}, ")).unwrap_or_default();
    format!("{record}byte {offset}")
}

/// Returns the stable identifier for the kind of an error.
pub fn kind(error: &Error) -> String {
    kebab_case(error.kind())
}

/// Converts the name of the variant to kebab case.
fn kebab_case(kind: ErrorKind) -> String {
    let mut name = String::new();
    for letter in format!("{kind:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_stable_identifiers() {
        assert_eq!(kebab_case(ErrorKind::TrailingContent), "trailing-content");
        assert_eq!(kebab_case(ErrorKind::InvalidUtf8), "invalid-utf8");
        assert_eq!(kebab_case(ErrorKind::Io), "io");
    }
}
