//! What the user gets when something is wrong: one opaque [`Error`].
//!
//! Inside the library a fault is only a kind and an offset; `explain` turns it into an `Error` with everything a person
//! needs to act on it. All kernels, window sizes and input methods give the same kind and offset.

#![forbid(unsafe_code)]

use std::fmt;
use std::io;

/// What is wrong. New kinds may be added, so a `match` needs a wildcard arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input has no document: it is empty or holds only whitespace.
    EmptyInput,
    /// A byte order mark, or text in UTF-16 or UTF-32, where UTF-8 is required (RFC 8259, section 8.1).
    Encoding,
    /// A byte that cannot start the value that must stand here (RFC 8259, section 3).
    ExpectedValue,
    /// After `[`: neither a value nor `]`.
    ExpectedValueOrClose,
    /// After `,` in an object: not a name in double quotes.
    ExpectedKey,
    /// After `{`: neither a name in double quotes nor `}`.
    ExpectedKeyOrClose,
    /// After a name: not a colon.
    ExpectedColon,
    /// After a value inside a container: neither a comma nor the closing bracket.
    ExpectedCommaOrClose,
    /// `]` closes an object or `}` closes an array.
    MismatchedClose,
    /// Something other than whitespace after the document.
    TrailingContent,
    /// A control character (below U+0020) inside a string (RFC 8259, section 7).
    ControlCharacter,
    /// A backslash followed by something that is not an escape.
    InvalidEscape,
    /// `\u` not followed by four hexadecimal digits.
    InvalidUnicodeEscape,
    /// Bytes inside a string that are not UTF-8 (RFC 3629).
    InvalidUtf8,
    /// A digit is missing: after `-`, after the decimal point or in the exponent (RFC 8259, section 6).
    InvalidNumber,
    /// A digit after a leading zero.
    LeadingZero,
    /// A word that starts like `true`, `false` or `null` and goes on differently.
    InvalidLiteral,
    /// The input ends before the document does.
    UnexpectedEnd,
    /// A JSON text sequence that does not begin with a record separator, U+001E (RFC 7464, section 2.1).
    MissingSeparator,
    /// A name that stands in its object already; only if
    /// [`Options::unique_keys`](crate::Options::unique_keys) or [`Options::ijson`](crate::Options::ijson) asks for it.
    DuplicateKey,
    /// The escape of a surrogate that is not half of a pair (RFC 7493, section 2.1); only for
    /// [`Options::ijson`](crate::Options::ijson).
    LoneSurrogate,
    /// A code point that Unicode sets aside as no character, such as U+FFFE (RFC 7493, section 2.1); only for
    /// [`Options::ijson`](crate::Options::ijson).
    Noncharacter,
    /// A number of which a double does not keep every digit (RFC 7493, section 2.2); only for
    /// [`Options::ijson`](crate::Options::ijson).
    InexactNumber,
    /// More containers are open than [`Options::max_depth`](crate::Options::max_depth) allows.
    DepthLimit,
    /// An object, a string or a number that must be held in memory takes more than [`Options::max_memory`](crate::Options::max_memory) allows.
    MemoryLimit,
    /// A pattern that a query takes from the document would need too much memory.
    PatternLimit,
    /// There was no memory for something that grows with the input; the message names it.
    OutOfMemory,
    /// Reading or writing failed; [`std::error::Error::source`] has the cause.
    Io,
    /// A file changed while it was being read, so no verdict about it holds.
    InputChanged,
    /// Compressed input is damaged, cut short, or followed by something else, so no verdict about it holds.
    Compression,
    /// Compressed input expands to more than it may.
    ExpansionLimit,
}

/// A place in the input as people count: both numbers start at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Position {
    /// Line; lines end with `\n`.
    pub line: u64,
    /// Column in characters: every byte of the line before it counts, except UTF-8 continuation bytes.
    pub column: u64,
}

/// The bracket a missing or wrong closer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Opener {
    /// `{` or `[`.
    pub bracket: char,
    /// Its offset in bytes from the start of the input.
    pub offset: u64,
    /// Its line and column.
    pub position: Position,
}

/// Where a name stands for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Earlier {
    /// Its offset in bytes from the start of the input.
    pub offset: u64,
    /// Its line and column; `None` if the input comes from a reader or is expanded, and the start of the document is more than a
    /// window (256 KiB) in front of the error.
    pub position: Option<Position>,
}

/// The piece of the input around an error: at most one line, cut to a window.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The bytes as they stand in the input, without the line break; any bytes at all.
    pub bytes: Vec<u8>,
    /// The number of the line they stand on. It is the error's line, or the last one that is not blank if the error is
    /// that the input ends.
    pub line: u64,
    /// Index into `bytes` of the byte the error is at; may be `bytes.len()` (end of line or input).
    pub caret: usize,
    /// Whether the line goes on to the left of the excerpt.
    pub cut_left: bool,
    /// Whether the line goes on to the right of the excerpt.
    pub cut_right: bool,
}

/// What is wrong and where, before anybody asks for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What is wrong.
    pub(crate) kind: ErrorKind,
    /// The first byte that cannot be part of a valid document, or the end; counted from the start of the input.
    pub(crate) offset: u64,
    /// Where the same stands that must not stand here again.
    pub(crate) earlier: Option<u64>,
}

impl Fault {
    pub(crate) fn new(kind: ErrorKind, offset: u64) -> Self {
        Self { kind, offset, earlier: None }
    }

    /// What stands here is not what an earlier reading has found.
    #[cold]
    pub(crate) fn change(offset: u64) -> Self {
        Self::new(ErrorKind::InputChanged, offset)
    }

    /// Whether it says nothing of the document.
    pub(crate) fn is_trouble(&self) -> bool {
        matches!(self.kind, ErrorKind::InputChanged | ErrorKind::OutOfMemory)
    }

    /// The error that it is if it says nothing of the document: the text is no longer what was read, or there was no memory to read it.
    pub(crate) fn of_no_document(&self) -> Option<Error> {
        match self.kind {
            ErrorKind::InputChanged => Some(Error::input_changed(self.offset)),
            ErrorKind::OutOfMemory => Some(OutOfMemory::Levels.into()),
            _ => None,
        }
    }
}

/// What there is no memory for: all that grows with the input.
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
    fn from(lack: OutOfMemory) -> Self {
        let what = match lack {
            OutOfMemory::Text => "the text that is being read",
            OutOfMemory::Document => "a document that must be held",
            OutOfMemory::Token => "a string or number that must be held",
            OutOfMemory::Tokens => "the list of tokens",
            OutOfMemory::Keys => "the names of the open objects",
            OutOfMemory::Levels => "the stack of open containers",
            OutOfMemory::Output => "the output that is held back",
            OutOfMemory::Matches => "the list of matches",
            OutOfMemory::Ways => "the list of nodes that lead to matches",
        };
        Self::new(Report::bare(ErrorKind::OutOfMemory, 0, format!("out of memory: {what}")))
    }
}

/// Why an input is not valid, or could not be read or written.
///
/// Shown with `{}` it is one sentence that begins in lower case and has no full stop; control characters of the input
/// never get into it.
#[derive(Debug)]
pub struct Error(Box<Report>);

/// Everything an [`Error`] knows.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) kind: ErrorKind,
    pub(crate) offset: u64,
    pub(crate) position: Option<Position>,
    pub(crate) pointer: Option<String>,
    pub(crate) opener: Option<Opener>,
    pub(crate) earlier: Option<Earlier>,
    pub(crate) record: Option<u64>,
    pub(crate) excerpt: Option<Excerpt>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) source: Option<io::Error>,
}

impl Report {
    /// A report that names no place but an offset.
    fn bare(kind: ErrorKind, offset: u64, message: String) -> Self {
        Self {
            kind,
            offset,
            position: None,
            pointer: None,
            opener: None,
            earlier: None,
            record: None,
            excerpt: None,
            message,
            help: None,
            source: None,
        }
    }
}

impl Error {
    /// The error that `report` describes.
    pub(crate) fn new(report: Report) -> Self {
        Self(Box::new(report))
    }

    /// Reading failed after `offset` bytes.
    pub(crate) fn read(source: io::Error, offset: u64) -> Self {
        Self::io("cannot read the input", source, offset)
    }

    /// Writing failed when `offset` bytes of input had been dealt with.
    pub(crate) fn write(source: io::Error, offset: u64) -> Self {
        Self::io("cannot write the output", source, offset)
    }

    /// The pattern at `offset`, which a query has looked up, is too large.
    pub(crate) fn pattern_too_large(offset: u64) -> Self {
        let message = "the pattern that the query takes from here is too large".to_owned();
        let help = "make its counted repetitions smaller".to_owned();
        Self::new(Report { help: Some(help), ..Report::bare(ErrorKind::PatternLimit, offset, message) })
    }

    fn io(failure: &str, source: io::Error, offset: u64) -> Self {
        let message = format!("{failure}: {source}");
        Self::new(Report { source: Some(source), ..Report::bare(ErrorKind::Io, offset, message) })
    }

    /// An object in the document at `offset` takes more than `limit` bytes.
    pub(crate) fn memory_limit(limit: u64, offset: u64) -> Self {
        Self::beyond_limit("an object must be held in memory to sort it, and takes", limit, offset)
    }

    /// The string or number at `offset` takes more than `limit` bytes.
    pub(crate) fn token_limit(limit: u64, offset: u64) -> Self {
        Self::beyond_limit("a string or number must be held in memory, and takes", limit, offset)
    }

    fn beyond_limit(what: &str, limit: u64, offset: u64) -> Self {
        let message = format!("{what} more than {limit} bytes");
        let help = "raise the limit if there is more memory".to_owned();
        Self::new(Report { help: Some(help), ..Report::bare(ErrorKind::MemoryLimit, offset, message) })
    }

    /// The file changed while it was being read; `offset` bytes had been dealt with. What that means of bytes that cannot change,
    /// [`Input::outcome`](crate::input::Input::outcome) knows.
    pub(crate) fn input_changed(offset: u64) -> Self {
        let message = "the file changed while it was being read".to_owned();
        let help = "try again when nothing writes to it".to_owned();
        Self::new(Report { help: Some(help), ..Report::bare(ErrorKind::InputChanged, offset, message) })
    }

    /// Compressed data is not what it should be, behind the first `offset` bytes that it expands to.
    #[cfg(feature = "compression")]
    pub(crate) fn compression(offset: u64, message: String, help: &str) -> Self {
        Self::new(Report { help: Some(help.to_owned()), ..Report::bare(ErrorKind::Compression, offset, message) })
    }

    /// Compressed data expands to more than `most` bytes.
    #[cfg(feature = "compression")]
    pub(crate) fn expansion_limit(most: u64) -> Self {
        let message = format!("the compressed data expands to more than {most} bytes");
        let help = "raise the limit if the input can be trusted".to_owned();
        Self::new(Report { help: Some(help), ..Report::bare(ErrorKind::ExpansionLimit, most, message) })
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where, in bytes from the start of the input: the first byte that cannot be part of a valid document, or the end
    /// of the input or record if it ends too early. What a stricter profile refuses (a name, a character, a number) begins
    /// there. 0 if there was no memory.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// The line and column of [`offset`](Self::offset); `None` if reading or writing failed, or there was no memory.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// The line of [`offset`](Self::offset), from 1; `None` if reading or writing failed.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.0.position.map(|position| position.line)
    }

    /// The column of [`offset`](Self::offset) in characters, from 1; `None` if reading or writing failed.
    #[must_use]
    pub fn column(&self) -> Option<u64> {
        self.0.position.map(|position| position.column)
    }

    /// Whether the input ended before its document did, or has no document: with more bytes it might be valid.
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

    /// The place in the document, as a JSON Pointer (RFC 6901).
    ///
    /// It names the value that is being read or must come next, if its name or index is known; before a name, after a
    /// complete value, and where a bracket or the end of the input stands in place of an element, it names the
    /// container. `None` outside of the document, below 1024 levels, if the pointer would be longer than 4096 bytes or
    /// a name in it has no UTF-8 form, and if the input comes from a reader or is expanded and the start of the document is more
    /// than a window (256 KiB) away: it is never guessed.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        self.0.pointer.as_deref()
    }

    /// The bracket of the container that lacks its closer, a comma, or has the wrong closer; `None` for other kinds,
    /// and where [`pointer`](Self::pointer) is not known because the start of the document is too far away.
    #[must_use]
    pub fn opener(&self) -> Option<Opener> {
        self.0.opener
    }

    /// Where the name that stands here a second time stands first; `None` for other kinds.
    #[must_use]
    pub fn earlier(&self) -> Option<Earlier> {
        self.0.earlier
    }

    /// The number of the bad record, from 1, if the input is a sequence of records.
    #[must_use]
    pub fn record(&self) -> Option<u64> {
        self.0.record
    }

    /// The piece of the input around the error. Its bytes are not to be trusted: escape what a terminal would obey.
    #[must_use]
    pub fn excerpt(&self) -> Option<&Excerpt> {
        self.0.excerpt.as_ref()
    }

    /// A second sentence: what to do about it.
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

/// So that an error of this library can pass through a reader or writer, from which `downcast` gets it back.
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
