//! The message and help of an error, chosen by its kind; the neighboring modules write the texts.
//!
//! The message says what was found and what was expected; the help says what to do. Both begin in lower case and have no
//! full stop. They depend on the kind, on a few bytes around the fault and, if the start of the document is available, on
//! the place in the document. The start is available for bytes in memory and memory-mapped files, and for readers if it is
//! at most a window away. Kernel, command and number of threads never make a difference.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::explain::Scene;
use crate::explain::end;
use crate::explain::found::Found;
use crate::explain::profiles;
use crate::explain::punctuation;
use crate::explain::strings;
use crate::explain::words;
use crate::options::Framing;

/// The message of an error, and the help.
pub(super) struct Sentence {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Sentence {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: Some(help.into()) }
    }

    pub(super) fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// Says "found …, expected …".
    pub(super) fn found(found: Found, expected: &str) -> Self {
        Self { message: format!("found {}, expected {expected}", found.phrase), help: found.help }
    }
}

/// Returns the message and help for a scene.
pub(super) fn of(scene: &Scene<'_>) -> Sentence {
    match scene.kind {
        ErrorKind::EmptyInput => end::empty(scene),
        ErrorKind::UnexpectedEnd => end::unexpected(scene),
        ErrorKind::ExpectedValue | ErrorKind::ExpectedValueOrClose => punctuation::no_value(scene),
        ErrorKind::ExpectedKey | ErrorKind::ExpectedKeyOrClose => punctuation::no_key(scene),
        ErrorKind::ExpectedColon => punctuation::no_colon(scene),
        ErrorKind::ExpectedCommaOrClose => punctuation::no_comma(scene),
        ErrorKind::MissingSeparator => punctuation::no_separator(scene),
        ErrorKind::MismatchedClose => punctuation::mismatch(scene),
        ErrorKind::TrailingContent => punctuation::trailing(scene),
        ErrorKind::ControlCharacter => strings::control(scene),
        ErrorKind::InvalidEscape => strings::escape(scene),
        ErrorKind::InvalidUnicodeEscape => strings::unicode_escape(scene),
        ErrorKind::InvalidUtf8 => strings::utf8(scene),
        ErrorKind::InvalidNumber => words::number(scene),
        ErrorKind::LeadingZero => words::leading_zero(scene),
        ErrorKind::InvalidLiteral => words::literal(scene),
        ErrorKind::DuplicateKey => profiles::duplicate_key(scene),
        ErrorKind::LoneSurrogate => profiles::lone_surrogate(scene),
        ErrorKind::Noncharacter => profiles::noncharacter(scene),
        ErrorKind::InexactNumber => profiles::inexact_number(scene),
        ErrorKind::DepthLimit => depth(scene),
        ErrorKind::Encoding
        | ErrorKind::MemoryLimit
        | ErrorKind::PatternLimit
        | ErrorKind::OutOfMemory
        | ErrorKind::Io
        | ErrorKind::InputChanged
        | ErrorKind::Compression
        | ErrorKind::ExpansionLimit => Sentence::plain("the input cannot be read"),
    }
}

fn depth(scene: &Scene<'_>) -> Sentence {
    let found = Found::at(scene.here).phrase;
    let expected = match scene.place.map(|place| place.depth) {
        Some(1) => "expected at most 1 level of nesting".to_owned(),
        Some(depth) => format!("expected at most {depth} levels of nesting"),
        None => "expected no deeper nesting".to_owned(),
    };
    Sentence::new(format!("found {found}, {expected}"), "raise the limit if you trust the input")
}

impl Scene<'_> {
    /// The word for the text whose end ends the document.
    pub(super) fn whole(&self) -> &'static str {
        match self.framing {
            Framing::Document | Framing::Documents | Framing::Stream => "input",
            Framing::Lines => "line",
            Framing::Sequence => "record",
        }
    }

    /// The last byte before the fault that is not whitespace, and its index in `before`.
    pub(super) fn previous(&self) -> Option<(usize, u8)> {
        let is_whitespace = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let index = self.before.iter().rposition(|&byte| !is_whitespace(byte))?;
        Some((index, self.before[index]))
    }

    /// Whether the document has only whitespace before the fault, or before the word that contains it.
    pub(super) fn is_first(&self) -> bool {
        let before = &self.before[..self.before.len() - self.stem().len()];
        self.from_start && before.trim_ascii().is_empty()
    }

    /// The part of the word or number directly before the fault.
    pub(super) fn stem(&self) -> &[u8] {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_');
        let start = self.before.iter().rposition(|&byte| !is_word(byte)).map_or(0, |index| index + 1);
        &self.before[start..]
    }
}
