//! The message and help of an error, and what the functions that write them need to know of the text around it.
//!
//! The message says what was found and what was expected; the help says what to do. Both begin in lower case and have no
//! full stop. They depend on the kind, on a few bytes around the fault, and on the place in the document. Kernel, command, number of
//! threads and the way in which the input is read never make a difference.

#![forbid(unsafe_code)]

use crate::error::Opener;
use crate::explain::Scene;
use crate::explain::found::Found;
use crate::grammar::is_whitespace;
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

impl Scene<'_> {
    /// The word for the text whose end ends the document.
    pub(super) fn whole(&self) -> &'static str {
        match self.framing {
            Framing::Document | Framing::Documents | Framing::Stream => "input",
            Framing::Lines => "line",
            Framing::Sequence => "record",
        }
    }

    /// The place of the byte at `index` of the text around the fault, in words.
    pub(super) fn place_of(&self, index: usize) -> String {
        let (offset, position) = self.substitute.map_or((index as u64, None), |known| known.place(index));
        self.text.place(self.text.document + offset, position)
    }

    /// The place of the byte at `index` of the text before the fault, in words.
    pub(super) fn place_before(&self, index: usize) -> String {
        let index = self.index - self.before.len() + index;
        self.text.place(self.text.base + index as u64, None)
    }

    /// The place of an opening bracket, in words.
    pub(super) fn place_of_opener(&self, opener: Opener) -> String {
        self.text.place(opener.offset, Some(opener.position))
    }

    /// The last byte before the fault that is not whitespace, and its index in `before`.
    pub(super) fn previous(&self) -> Option<(usize, u8)> {
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
