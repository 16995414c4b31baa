//! The parser: the memory for reading documents, which is kept from one document to the next.

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "serde"), expect(dead_code, reason = "some fields are used by deserializers only"))]

use crate::document::Document;
use crate::document::Records;
use crate::document::text::TokenIndex;
use crate::document::text::View;
use crate::error::Error;
use crate::options::Options;

/// Number of containers that may be open when a value of a Rust type is read, unless
/// [`Parser::recursion_limit`] sets another.
pub(crate) const RECURSION_LIMIT: usize = 128;

/// Reads documents in memory one after the other, and reuses its memory for each.
///
/// The memory is 4 bytes for each bracket, quote, number and literal of the document that has most of them: a tenth to nine tenths of
/// the size of usual documents, and at most four times the size. The list of them may have room for as many again, skipping long
/// containers takes up to as much again, and strings with escapes take the length of the longest one.
///
/// Values of Rust types may have 128 levels of open containers, unless [`recursion_limit`](Self::recursion_limit) sets another number.
///
/// ```
/// use fjson::Parser;
///
/// let mut parser = Parser::new();
/// for (text, expected) in [(r#"{"id": 7}"#, Some(7)), (r#"{"name": "x"}"#, None)] {
///     let document = parser.document(text.as_bytes())?;
///     assert_eq!(document.get("id").and_then(|id| id.as_i64()), expected);
/// }
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Debug)]
pub struct Parser {
    pub(crate) index: TokenIndex,
    /// The text of a value that had to be copied.
    pub(super) text: Vec<u8>,
    /// Receives strings with escapes.
    pub(crate) scratch: Vec<u8>,
    pub(crate) options: Options,
    pub(crate) recursion_limit: usize,
}

impl Parser {
    /// Creates a parser with default options. It allocates nothing yet.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// assert_eq!(parser.document(b" true ")?.as_bool(), Some(true));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(&Options::new())
    }

    /// Creates a parser with limits, a stricter profile or a kernel. The framing is ignored: each text is one document.
    ///
    /// ```
    /// use fjson::{ErrorKind, Options, Parser};
    ///
    /// let mut parser = Parser::with_options(&Options::new().unique_keys(true));
    /// let error = parser.document(br#"{"a": 1, "a": 2}"#).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    /// ```
    #[must_use]
    pub fn with_options(options: &Options) -> Self {
        let options = options.clone();
        Self {
            index: TokenIndex::default(),
            text: Vec::new(),
            scratch: Vec::new(),
            options,
            recursion_limit: RECURSION_LIMIT,
        }
    }

    /// Sets how many containers may be open when a value of a Rust type is read (default 128). Reading such a value
    /// recurses, so a larger limit needs a larger stack. Documents and ignored members do not recurse and are not limited.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new().recursion_limit(1);
    /// assert!(parser.document(b"[[1]]").is_ok());
    /// # #[cfg(feature = "serde")]
    /// assert!(parser.read::<Vec<Vec<u8>>>(b"[[1]]").is_err());
    /// ```
    #[must_use]
    pub fn recursion_limit(mut self, levels: usize) -> Self {
        self.recursion_limit = levels;
        self
    }

    /// Checks a document, strictly according to RFC 8259, and makes its values accessible. Nothing is decoded until it is
    /// asked for.
    ///
    /// # Errors
    /// Returns the first error of the document, with its line, column and JSON Pointer; or an error if the text is 4 GiB
    /// or longer, or if there is not enough memory.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"{"users": [{"name": "Ada"}, {"name": "Alan"}]}"#)?;
    /// let names: Vec<_> = document.get("users").unwrap().iter().filter_map(|user| user.get("name")?.as_str()).collect();
    /// assert_eq!(names, ["Ada", "Alan"]);
    ///
    /// let error = parser.document(b"[1,\n 2,]").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (Some(2), Some(4)));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn document<'p, 't>(&'p mut self, text: &'t [u8]) -> Result<Document<'p, 't>, Error> {
        View::of_document(text, &mut self.index, &self.options).map(Document::new)
    }

    /// Checks the records of NDJSON, all at once, and makes their values accessible: for short records several times as fast as
    /// [`document`](Self::document) for each. Lines that contain only whitespace are skipped. [`for_each_document`](crate::for_each_document)
    /// reads inputs of any size and passes over invalid records.
    ///
    /// # Errors
    /// Returns the error of the first invalid record, with its number; or an error if the text is 4 GiB or longer, or if there is not
    /// enough memory.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let log = b"{\"level\": \"info\", \"ms\": 20}\n\n{\"level\": \"warn\", \"ms\": 7}\n";
    /// let records = parser.records(log)?;
    /// assert_eq!(records.len(), 2);
    /// assert_eq!(records.filter_map(|record| record.get("ms")?.as_u64()).sum::<u64>(), 27);
    ///
    /// let error = parser.records(b"1\n[2,\n").unwrap_err();
    /// assert_eq!((error.record(), error.line()), (Some(2), Some(2)));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn records<'p, 't>(&'p mut self, text: &'t [u8]) -> Result<Records<'p, 't>, Error> {
        View::of_records(text, &mut self.index, &self.options).map(Records::new)
    }
}

impl Default for Parser {
    fn default() -> Self {
        Self::new()
    }
}
