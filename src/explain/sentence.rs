//! The words of an error: which of the rooms beside this one knows what to say about which kind.
//!
//! A sentence says what was found and what was expected; a second one, the help, says what to do. Both begin in lower
//! case and have no full stop. They depend on the kind, on a few bytes around the fault and, if the start of the document
//! is known, on the place. It is known of memory and of files, and of whatever is read if it is no more than a window away: never does
//! a kernel, a verb or a number of threads make a difference.

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

/// What was found and expected, and what to do.
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

    /// The usual sentence.
    pub(super) fn found(found: Found, expected: &str) -> Self {
        Self { message: format!("found {}, expected {expected}", found.phrase), help: found.help }
    }
}

/// The sentence about a scene.
pub(super) fn of(scene: &Scene<'_>) -> Sentence {
    match scene.kind {
        ErrorKind::EmptyInput => end::empty(scene),
        ErrorKind::UnexpectedEnd => end::unexpected(scene),
        ErrorKind::ExpectedValue | ErrorKind::ExpectedValueOrClose => punctuation::no_value(scene),
        ErrorKind::ExpectedKey | ErrorKind::ExpectedKeyOrClose => punctuation::no_name(scene),
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
    Sentence::new(format!("found {found}, {expected}"), "raise the limit if the input can be trusted")
}

impl Scene<'_> {
    /// What the document is part of, as its end is called.
    pub(super) fn whole(&self) -> &'static str {
        match self.framing {
            Framing::Document | Framing::Documents | Framing::Stream => "input",
            Framing::Lines => "line",
            Framing::Sequence => "record",
        }
    }

    /// The last byte before the fault that is not blank, and its index in `before`.
    pub(super) fn previous(&self) -> Option<(usize, u8)> {
        let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let index = self.before.iter().rposition(|&byte| !is_blank(byte))?;
        Some((index, self.before[index]))
    }

    /// Whether nothing but blanks stands before the fault, or before the word it is in.
    pub(super) fn is_first(&self) -> bool {
        let before = &self.before[..self.before.len() - self.stem().len()];
        self.from_start && before.trim_ascii().is_empty()
    }

    /// The piece of a word or number before the fault that touches it.
    pub(super) fn stem(&self) -> &[u8] {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_');
        let start = self.before.iter().rposition(|&byte| !is_word(byte)).map_or(0, |index| index + 1);
        &self.before[start..]
    }
}
