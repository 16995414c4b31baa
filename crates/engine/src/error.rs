//! The error type of the library, and the types of its parts.
//!
//! Inside the library, an invalid document is a fault: a kind and an offset. `explain` turns it into an [`Error`] with
//! position, message and help. Kind and offset do not depend on kernel, window size or kind of input.

#![forbid(unsafe_code)]

#[cfg(feature = "serde")]
mod data;
mod edits;
mod limits;

use std::fmt;
use std::io;

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input has no document: it is empty or contains only whitespace.
    EmptyInput,
    /// A byte order mark, or text in UTF-16 or UTF-32, where UTF-8 is required (RFC 8259, section 8.1).
    Encoding,
    /// A byte that cannot begin a value, where a value is required (RFC 8259, section 3).
    ExpectedValue,
    /// After `[`: neither a value nor `]`.
    ExpectedValueOrClose,
    /// After `,` in an object: not a key in double quotes.
    ExpectedKey,
    /// After `{`: neither a key in double quotes nor `}`.
    ExpectedKeyOrClose,
    /// After a key: not a colon.
    ExpectedColon,
    /// After a value inside a container: neither a comma nor the closing bracket.
    ExpectedCommaOrClose,
    /// `]` closes an object or `}` closes an array.
    MismatchedClose,
    /// Something other than whitespace after the document.
    TrailingContent,
    /// An unescaped control character (below U+0020) in a string (RFC 8259, section 7).
    ControlCharacter,
    /// A backslash that does not begin an escape sequence.
    InvalidEscape,
    /// `\u` not followed by four hexadecimal digits.
    InvalidUnicodeEscape,
    /// Invalid UTF-8 in a string (RFC 3629).
    InvalidUtf8,
    /// A missing digit after `-`, after the decimal point or in the exponent (RFC 8259, section 6).
    InvalidNumber,
    /// A digit after a leading zero.
    LeadingZero,
    /// A word that begins like `true`, `false` or `null` but differs from it.
    InvalidLiteral,
    /// The input ends inside a document.
    UnexpectedEnd,
    /// A JSON text sequence that does not begin with a record separator, U+001E (RFC 7464, section 2.1).
    MissingSeparator,
    /// A key that already occurred in the same object; only with
    /// [`Options::unique_keys`](crate::Options::unique_keys) or [`Options::ijson`](crate::Options::ijson).
    DuplicateKey,
    /// The escape of a lone surrogate (RFC 7493, section 2.1); only with
    /// [`Options::ijson`](crate::Options::ijson).
    LoneSurrogate,
    /// A Unicode noncharacter, such as U+FFFE (RFC 7493, section 2.1); only with
    /// [`Options::ijson`](crate::Options::ijson).
    Noncharacter,
    /// A number whose digits a double does not preserve (RFC 7493, section 2.2); only with
    /// [`Options::ijson`](crate::Options::ijson).
    InexactNumber,
    /// More containers are open than [`Options::max_depth`](crate::Options::max_depth) allows, or, in a value of a Rust type, than
    /// [`Parser::recursion_limit`](crate::Parser::recursion_limit) allows.
    DepthLimit,
    /// An object, record, string or number that must be held in memory needs more than
    /// [`Options::max_memory`](crate::Options::max_memory), or a document that a [`Parser`](crate::Parser) reads is 4 GiB or longer.
    MemoryLimit,
    /// A regular expression that a query reads from the document needs too much memory.
    PatternLimit,
    /// A value does not fit the Rust type that it is read as, or a Rust value has no form in JSON; only with the feature
    /// `serde`.
    Data,
    /// A call of [`Writer`](crate::Writer) that would make its text invalid JSON; the message names it.
    Misuse,
    /// Memory for something that grows with the input could not be allocated; the message names it.
    OutOfMemory,
    /// Reading or writing failed; [`std::error::Error::source`] has the cause.
    Io,
    /// The file changed while it was being read, so nothing can be said about its validity.
    InputChanged,
    /// Compressed input is damaged, truncated, or followed by other data, so nothing can be said about its validity.
    Compression,
    /// Compressed input expands to more than the limit.
    ExpansionLimit,
    /// A value of a valid document that a program cannot print as requested; only of
    /// [`describe_places`](crate::describe_places).
    Unprintable,
    /// A path of an edit that is neither a JSON Pointer (RFC 6901) nor a query.
    InvalidPath,
    /// A text that is not a JSON Patch (RFC 6902).
    InvalidPatch,
    /// The target of an edit does not exist.
    TargetMissing,
    /// The target of an edit exists, but the edit cannot be made there.
    TargetUnsuitable,
    /// A value differs from that of a test among the edits.
    TestFailed,
    /// The input has no ranges: it is compressed, it cannot seek, or its framing has no record boundaries.
    RangeUnsupported,
}

/// A line and column in the input, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Position {
    /// Line number; lines end with `\n`.
    pub line: u64,
    /// Column in characters; every byte except UTF-8 continuation bytes counts as one.
    pub column: u64,
}

/// The opening bracket of a container whose closing bracket is missing or wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Opener {
    /// `{` or `[`.
    pub bracket: char,
    /// Byte offset from the start of the input.
    pub offset: u64,
    /// Line and column. If the [position](Error::position) of the error is unknown, lines are counted from the start of the range.
    pub position: Position,
}

/// The first use of a duplicate key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Earlier {
    /// Byte offset from the start of the input.
    pub offset: u64,
    /// Line and column; `None` if the input is a reader or compressed, and the first use is no longer in memory when the
    /// error is found.
    pub position: Option<Position>,
}

/// The part of the line around an error, truncated on both sides if the line is long.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The raw bytes of the input, without the line break. They need not be UTF-8.
    pub bytes: Vec<u8>,
    /// Line number, in a [range](crate::Input::range) counted from its start: the line of the error or, for [`ErrorKind::UnexpectedEnd`], the last line that is not empty.
    pub line: u64,
    /// Index in `bytes` of the error; `bytes.len()` at the end of the line or input.
    pub caret: usize,
    /// Whether the line is truncated on the left.
    pub cut_left: bool,
    /// Whether the line is truncated on the right.
    pub cut_right: bool,
}

/// The kind and location of an error, before a message is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    /// Byte offset of the first byte that cannot be part of a valid document, or of the end, from the start of the input.
    pub(crate) offset: u64,
    /// Byte offset of the first use of a duplicate key.
    pub(crate) earlier: Option<u64>,
}

impl Fault {
    pub(crate) fn new(kind: ErrorKind, offset: u64) -> Self {
        Self { kind, offset, earlier: None }
    }

    /// The bytes at `offset` differ from those that an earlier pass read.
    #[cold]
    pub(crate) fn change(offset: u64) -> Self {
        Self::new(ErrorKind::InputChanged, offset)
    }

    /// Whether the fault says nothing about the document.
    pub(crate) fn is_external(&self) -> bool {
        self.external_error().is_some()
    }

    /// Returns the error if the fault says nothing about the document: the input changed or memory ran out.
    pub(crate) fn external_error(&self) -> Option<Error> {
        match self.kind {
            ErrorKind::InputChanged => Some(Error::input_changed(self.offset)),
            ErrorKind::OutOfMemory => Some(OutOfMemory::Levels.into()),
            _ => None,
        }
    }
}

/// Memory that grows with the input and could not be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutOfMemory {
    Text,
    Document,
    Token,
    Tokens,
    Keys,
    Levels,
    Output,
    Matches,
    Ways,
}

impl From<OutOfMemory> for Error {
    #[cold]
    fn from(purpose: OutOfMemory) -> Self {
        let purpose = match purpose {
            OutOfMemory::Text => "the text being read",
            OutOfMemory::Document => "a document that must be held in memory",
            OutOfMemory::Token => "a string or number that must be held in memory",
            OutOfMemory::Tokens => "the list of tokens",
            OutOfMemory::Keys => "the keys of the open objects",
            OutOfMemory::Levels => "the stack of open containers",
            OutOfMemory::Output => "the output that is held back",
            OutOfMemory::Matches => "the list of matches",
            OutOfMemory::Ways => "the list of nodes that lead to matches",
        };
        Self::new(ErrorDetails::bare(ErrorKind::OutOfMemory, 0, format!("out of memory: {purpose}")))
    }
}

/// The reason why an input is invalid, or could not be read or written.
///
/// Its `Display` output is one sentence that begins in lower case and has no full stop. It contains no control characters
/// of the input.
#[derive(Debug)]
pub struct Error(Box<ErrorDetails>);

/// The contents of an [`Error`].
#[derive(Debug)]
pub(crate) struct ErrorDetails {
    pub(crate) kind: ErrorKind,
    pub(crate) offset: u64,
    pub(crate) position: Option<Position>,
    pub(crate) pointer: Option<String>,
    pub(crate) opener: Option<Opener>,
    pub(crate) earlier: Option<Earlier>,
    pub(crate) record: Option<u64>,
    pub(crate) record_offset: Option<u64>,
    pub(crate) record_text: Option<Vec<u8>>,
    pub(crate) excerpt: Option<Excerpt>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) source: Option<io::Error>,
}

impl ErrorDetails {
    /// Returns details with no location but an offset.
    pub(crate) fn bare(kind: ErrorKind, offset: u64, message: String) -> Self {
        Self {
            kind,
            offset,
            position: None,
            pointer: None,
            opener: None,
            earlier: None,
            record: None,
            record_offset: None,
            record_text: None,
            excerpt: None,
            message,
            help: None,
            source: None,
        }
    }
}

impl Error {
    /// Returns an error with these details.
    pub(crate) fn new(details: ErrorDetails) -> Self {
        Self(Box::new(details))
    }

    /// Returns the error at an offset that is less by this many bytes.
    pub(crate) fn moved_back(mut self, bytes: u64) -> Self {
        self.0.offset = self.0.offset.saturating_sub(bytes);
        self
    }

    /// Reading failed after `offset` bytes.
    pub(crate) fn read(source: io::Error, offset: u64) -> Self {
        Self::io("cannot read the input", source, offset)
    }

    /// Writing failed after `offset` bytes of input were processed.
    pub(crate) fn write(source: io::Error, offset: u64) -> Self {
        Self::io("cannot write the output", source, offset)
    }

    /// The regular expression at `offset`, which a query has read from the document, is too large.
    pub(crate) fn pattern_too_large(offset: u64) -> Self {
        let message = "the regular expression that the query reads here is too large".to_owned();
        let help = "use smaller repetition counts in it".to_owned();
        Self::new(ErrorDetails { help: Some(help), ..ErrorDetails::bare(ErrorKind::PatternLimit, offset, message) })
    }

    /// A call of a writer would make its text invalid after `offset` bytes.
    pub(crate) fn misuse(message: String, offset: u64) -> Self {
        Self::new(ErrorDetails::bare(ErrorKind::Misuse, offset, message))
    }

    fn io(action: &str, source: io::Error, offset: u64) -> Self {
        let message = format!("{action}: {source}");
        Self::new(ErrorDetails { source: Some(source), ..ErrorDetails::bare(ErrorKind::Io, offset, message) })
    }

    /// The file changed while it was being read, after `offset` bytes were processed. For input that cannot change,
    /// [`Input::outcome`](crate::input::Input::outcome) treats this error as a bug.
    pub(crate) fn input_changed(offset: u64) -> Self {
        let message = "the file changed while it was being read".to_owned();
        let help = "try again when no other program writes to it, or read it instead of mapping it".to_owned();
        Self::new(ErrorDetails { help: Some(help), ..ErrorDetails::bare(ErrorKind::InputChanged, offset, message) })
    }

    /// Compressed data is invalid after the first `offset` bytes that it expands to.
    #[cfg(feature = "compression")]
    pub(crate) fn compression(offset: u64, message: String, help: &str) -> Self {
        Self::new(ErrorDetails {
            help: Some(help.to_owned()),
            ..ErrorDetails::bare(ErrorKind::Compression, offset, message)
        })
    }

    /// Compressed data expands to more than `limit` bytes.
    #[cfg(feature = "compression")]
    pub(crate) fn expansion_limit(limit: u64) -> Self {
        let message = format!("the compressed data expands to more than {limit} bytes");
        let help = "raise the limit if you trust the input".to_owned();
        Self::new(ErrorDetails { help: Some(help), ..ErrorDetails::bare(ErrorKind::ExpansionLimit, limit, message) })
    }

    /// The input has no ranges.
    pub(crate) fn range(message: &str, help: Option<&str>) -> Self {
        let details = ErrorDetails::bare(ErrorKind::RangeUnsupported, 0, message.to_owned());
        Self::new(ErrorDetails { help: help.map(str::to_owned), ..details })
    }

    /// Sets the offset and the text of the invalid document.
    pub(crate) fn set_document(&mut self, offset: u64, text: Option<Vec<u8>>) {
        (self.0.record_offset, self.0.record_text) = (Some(offset), text);
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The byte offset of the error from the start of the input: the first byte that cannot be part of a valid document, or
    /// the end of truncated input or of a truncated record. For errors of a stricter profile, the start of the key, character
    /// or number; see [`Options::ijson`](crate::Options::ijson) for very long numbers. 0 if memory ran out.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// The line and column of [`offset`](Self::offset); `None` if reading or writing failed, if memory ran out, or in a
    /// [range](crate::Input::range) that does not begin at the start of the input.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// The line of [`position`](Self::position).
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.0.position.map(|position| position.line)
    }

    /// The column of [`position`](Self::position).
    #[must_use]
    pub fn column(&self) -> Option<u64> {
        self.0.position.map(|position| position.column)
    }

    /// Whether the input ended inside a document, or has no document, so that more bytes might make it valid.
    ///
    /// ```
    /// use fjson::{Options, validate};
    ///
    /// let error = |text: &str| validate(text, &Options::new()).unwrap_err();
    /// assert!(error("[1, 2").is_eof());
    /// assert!(!error("[1, 2}").is_eof());
    /// ```
    #[must_use]
    pub fn is_eof(&self) -> bool {
        matches!(self.0.kind, ErrorKind::UnexpectedEnd | ErrorKind::EmptyInput)
    }

    /// The place of the error in the document, as a JSON Pointer (RFC 6901).
    ///
    /// It points to the value that contains the error or is missing, if its key or index is known. Before a key, after a
    /// complete value, and if a closing bracket or the end of the input replaces an element, it points to the container.
    ///
    /// `None` if the place is outside a document or more than 1024 levels deep, if the pointer would be longer than 4096
    /// bytes, if a key in it has no UTF-8 form, or if the input is a reader or compressed and the start of the document is
    /// more than a window (256 KiB) away.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        self.0.pointer.as_deref()
    }

    /// The opening bracket of the innermost container, if a comma or closing bracket is missing or the closing bracket is
    /// wrong. `None` for other kinds, and if the start of the document is too far away (see [`pointer`](Self::pointer)).
    #[must_use]
    pub fn opener(&self) -> Option<Opener> {
        self.0.opener
    }

    /// The first use of a duplicate key; `None` for other kinds.
    #[must_use]
    pub fn earlier(&self) -> Option<Earlier> {
        self.0.earlier
    }

    /// The number of the invalid record, from 1, if the input consists of records and is not a [range](crate::Input::range) that
    /// begins elsewhere.
    #[must_use]
    pub fn record(&self) -> Option<u64> {
        self.0.record
    }

    /// The byte offset of the first byte of the invalid document or record; `None` if the error is not one in a document.
    #[must_use]
    pub fn record_offset(&self) -> Option<u64> {
        self.0.record_offset
    }

    /// The text of the invalid record, with [`Options::keep_invalid`](crate::Options::keep_invalid) and
    /// [`Framing::Lines`](crate::Framing::Lines) or [`Framing::Sequence`](crate::Framing::Sequence). It begins at
    /// [`record_offset`](Self::record_offset), ends before the line feed or separator, and need not be UTF-8. `None` if it is
    /// longer than 1 MiB, or if the input is a reader and the error is more than a window (256 KiB) after the start of the record.
    #[must_use]
    pub fn record_text(&self) -> Option<&[u8]> {
        self.0.record_text.as_deref()
    }

    /// The part of the input around the error. Its bytes are untrusted: escape control characters before printing it.
    #[must_use]
    pub fn excerpt(&self) -> Option<&Excerpt> {
        self.0.excerpt.as_ref()
    }

    /// A second sentence that says how to fix the error.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}

/// Wraps the error, so that it can be returned from a reader or writer; [`io::Error::downcast`] recovers it.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::other(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn an_io_error_keeps_its_cause() {
        let error = Error::write(io::Error::from(io::ErrorKind::BrokenPipe), 7);
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Io, 7));
        assert_eq!(error.to_string(), "cannot write the output: broken pipe");
        let cause = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(cause.map(io::Error::kind), Some(io::ErrorKind::BrokenPipe));
    }

    #[test]
    fn an_error_is_small_and_can_cross_threads() {
        fn crosses_threads<T: Send + Sync>() {}
        crosses_threads::<Error>();
        assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
    }
}
