//! One thing to report, with everything a format may want to know about it.

#![forbid(unsafe_code)]

use crate::exit::Exit;
use crate::exit::RunError;
use crate::exit::reason;
use crate::name::Name;
use crate::sanitize;
use fjson::Error;
use fjson::ErrorKind;
use std::error::Error as _;
use std::fmt;
use std::io;

pub struct Diagnostic<'a> {
    pub name: &'a Name,
    /// A stable name for the kind of the finding, such as `trailing-content`.
    pub kind: String,
    /// One lower-case sentence, harmless to show.
    pub message: String,
    /// The error in the document; `None` if the finding is about the input as a whole.
    pub error: Option<&'a Error>,
    /// Where in the input it is, if it has a place.
    pub offset: Option<u64>,
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
            | ErrorKind::OutOfMemory => Exit::RunError,
            _ => Exit::No,
        };
        let cause = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        let message = cause.map_or_else(|| error.to_string(), reason);
        Self {
            name,
            kind: kebab_case(error.kind()),
            message: sanitize::text(&message),
            error: Some(error),
            offset: error.position().map(|_| error.offset()),
            exit,
        }
    }

    pub fn of_trouble(trouble: &'a RunError) -> Self {
        Self {
            name: &trouble.name,
            kind: kebab_case(ErrorKind::Io),
            message: sanitize::text(&trouble.reason),
            error: None,
            offset: None,
            exit: Exit::RunError,
        }
    }

    pub fn of_layout(name: &'a Name, offset: u64) -> Self {
        let message = format!("not formatted: the layout differs from byte {offset} on");
        Self { name, kind: String::from("unformatted"), message, error: None, offset: Some(offset), exit: Exit::No }
    }

    /// The line and column, if the finding has a place.
    pub fn position(&self) -> Option<fjson::Position> {
        self.error.and_then(Error::position)
    }

    /// The sentence that says what to do, and with which option, harmless to show.
    pub fn help(&self) -> Option<String> {
        let error = self.error?;
        let help = error.help()?;
        let text = sanitize::text(help);
        Some(match option_for(error.kind(), help) {
            Some(option) => format!("{text} ({option})"),
            None => text,
        })
    }

    /// `file:line:column`, as far as it is known.
    pub fn place(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            write!(f, "{}", self.name)?;
            match self.position() {
                Some(position) => write!(f, ":{}:{}", position.line, position.column),
                None => Ok(()),
            }
        })
    }
}

/// The option with which the program does what the library advises; the library knows nothing of a command line.
fn option_for(kind: ErrorKind, help: &str) -> Option<&'static str> {
    match kind {
        ErrorKind::DepthLimit => Some("`--max-depth`"),
        ErrorKind::MemoryLimit => Some("`--max-memory`"),
        ErrorKind::ExpansionLimit => Some("`--max-bytes`"),
        _ => [
            ("as JSON Lines or concatenated JSON", "`--lines`, `--stream`"),
            ("can be read too", "`--stream`"),
            ("as a JSON text sequence", "`--seq`"),
        ]
        .into_iter()
        .find_map(|(end, option)| help.ends_with(end).then_some(option)),
    }
}

/// The variant's name in the form reports use, so that a new kind needs no list here.
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
    fn kinds_have_stable_names() {
        assert_eq!(kebab_case(ErrorKind::TrailingContent), "trailing-content");
        assert_eq!(kebab_case(ErrorKind::InvalidUtf8), "invalid-utf8");
        assert_eq!(kebab_case(ErrorKind::Io), "io");
    }
}
