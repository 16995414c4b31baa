//! The options of all functions, and the summary that they return.

#![forbid(unsafe_code)]

use crate::kernel::Isa;
use crate::scalar::Escape;

/// How an input is divided into documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// One document.
    #[default]
    Document,
    /// One document per line: NDJSON (JSON Lines). Lines that contain only whitespace are skipped.
    Lines,
    /// Concatenated JSON: any number of documents, with or without whitespace between them. Consecutive numbers or literals
    /// must be separated by whitespace.
    Stream,
    /// One or more documents: like [`Stream`](Self::Stream), but at least one is required, and the first is read as a single
    /// document.
    ///
    /// For a single document, this is as fast as [`Document`](Self::Document), on any number of threads. Errors in the first
    /// document have no record number, since it may be the only one; later records are numbered from 2.
    ///
    /// ```
    /// use fjson::{Framing, Options, validate};
    ///
    /// let options = Options::new().framing(Framing::Documents);
    /// assert_eq!(validate("[1]", &options)?.documents, 1);
    /// assert_eq!(validate("[1] {} 2", &options)?.documents, 3);
    /// assert!(validate("", &options).is_err());
    /// assert_eq!(validate("[1,]", &options).unwrap_err().record(), None);
    /// assert_eq!(validate("[1] [2,]", &options).unwrap_err().record(), Some(2));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    Documents,
    /// A JSON text sequence (RFC 7464): each document follows a record separator, U+001E.
    Sequence,
}

/// The record separator of RFC 7464.
pub(crate) const RECORD_SEPARATOR: u8 = 0x1e;

impl Framing {
    /// Whether the first document is read as a single document, not as a record.
    pub(crate) fn starts_with_single_document(self) -> bool {
        matches!(self, Self::Document | Self::Documents)
    }

    /// Whether a document may directly follow another.
    pub(crate) fn is_stream(self) -> bool {
        matches!(self, Self::Stream | Self::Documents)
    }

    /// The byte that ends a document at any position, if there is one.
    pub(crate) fn terminator(self) -> Option<u8> {
        match self {
            Self::Document | Self::Documents | Self::Stream => None,
            Self::Lines => Some(b'\n'),
            Self::Sequence => Some(RECORD_SEPARATOR),
        }
    }
}

/// The order in which the members of objects are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// As in the input.
    No,
    /// By the Unicode code points of their keys.
    CodePoints,
    /// By the UTF-16 code units of their keys.
    Units,
    /// In the natural order of their keys.
    Natural,
}

/// Options that are common to all functions.
///
/// One value can serve for several functions: a setting that a function has no use for is not an error. These have an effect only
/// where the table says so; all others, in every function that takes options.
///
/// | setting | functions |
/// |---|---|
/// | [`framing`](Self::framing) | all, except those that read one text as one document ([`Parser`](crate::Parser), `from_slice` and others) and those that read lines (`lines`, `borrowed_lines`, `parallel_lines`) |
/// | [`threads`](Self::threads) | all, except [`Parser`](crate::Parser), [`index`](crate::index()), `lines`, `borrowed_lines` and [`for_each_document`](crate::for_each_document), which use the caller's thread |
/// | [`escape`](Self::escape), [`sort_keys`](Self::sort_keys) | [`minify`](crate::minify()), [`pretty`](crate::pretty()), [`minified_difference`](crate::minified_difference), [`pretty_difference`](crate::pretty_difference), and `gzip` unless it keeps the whitespace; [`canonical`](crate::canonical()) escapes and sorts as RFC 8785 says |
/// | [`max_memory`](Self::max_memory) | functions that hold a value, a record or a document: those that sort, [`canonical`](crate::canonical()), [`Stats`](crate::Stats), [`Structure`](crate::Structure), [`index`](crate::index()), `lines`, [`for_each_document`](crate::for_each_document), [`map_documents`](crate::map_documents), [`OwnedDocument`](crate::OwnedDocument), [`Edits`](crate::Edits) |
/// | [`keep_invalid`](Self::keep_invalid) | functions that report errors of records, where the [`framing`](Self::framing) has records |
///
/// ```
/// use fjson::{Options, validate};
///
/// let options = Options::new().max_depth(Some(2));
/// assert!(validate("[[1]]", &options).is_ok());
/// assert!(validate("[[[1]]]", &options).is_err());
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent settings")]
pub struct Options {
    pub(crate) isa: Isa,
    pub(crate) max_depth: Option<u64>,
    pub(crate) framing: Framing,
    pub(crate) window: usize,
    pub(crate) threads: usize,
    pub(crate) escape: Escape,
    pub(crate) unescape: bool,
    pub(crate) sort: Sort,
    pub(crate) max_memory: u64,
    pub(crate) unique_keys: bool,
    pub(crate) ijson: bool,
    /// Whether numbers and strings are written in the form of RFC 8785, and refused if they have none.
    pub(crate) canonical: bool,
    pub(crate) keep_invalid: bool,
    pub(crate) max_errors: u64,
    pub(crate) final_newline: bool,
}

/// Default number of bytes between two checkpoints. This much input may be read again to find an error, and this much output
/// is held back. Below 64 KiB, checkpoints cost more than 2 % of the speed.
const WINDOW: usize = 256 * 1024;

/// Default limit for the bytes of one object that is held in memory: it fits on most machines, and larger documents are
/// usually arrays of smaller objects, which are held one at a time.
const MEMORY: u64 = 1 << 30;

impl Options {
    /// Returns the default options: the fastest kernel, one thread, no depth limit, one document.
    #[must_use]
    pub fn new() -> Self {
        Self {
            isa: Isa::detect(),
            max_depth: None,
            framing: Framing::Document,
            window: WINDOW,
            threads: 1,
            escape: Escape::minimal(),
            unescape: false,
            sort: Sort::No,
            max_memory: MEMORY,
            unique_keys: false,
            ijson: false,
            canonical: false,
            keep_invalid: false,
            max_errors: 1,
            final_newline: false,
        }
    }

    /// Sets the kernel. All kernels give the same results.
    #[must_use]
    pub fn isa(mut self, isa: Isa) -> Self {
        self.isa = isa;
        self
    }

    /// Rejects documents that are nested deeper than `max_depth` levels (default `None`: no limit). Each level costs one bit of
    /// memory.
    ///
    /// If it is `None`, some queries still accept at most 1024 levels: see [`Search::order`](crate::Search::order).
    #[must_use]
    pub fn max_depth(mut self, max_depth: Option<u64>) -> Self {
        self.max_depth = max_depth;
        self
    }

    /// Sets how the input is divided into documents (default [`Framing::Document`]).
    #[must_use]
    pub fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Rejects objects with duplicate keys. Keys are compared unescaped, so `"a"` and `"\u0061"` are duplicates. The keys of all
    /// open objects are then kept in memory.
    #[must_use]
    pub fn unique_keys(mut self, unique_keys: bool) -> Self {
        self.unique_keys = unique_keys;
        self
    }

    /// Rejects JSON that is not I-JSON (RFC 7493): duplicate keys, escapes of lone surrogates, noncharacters, and numbers
    /// whose digits a double does not preserve ([`Number::keeps_digits_in_f64`](crate::scalar::Number::keeps_digits_in_f64)).
    /// The error in a number longer than 65,536 bytes is at its end, unless its first 65,536 bytes suffice to reject it. Memory
    /// is used as by [`unique_keys`](Self::unique_keys).
    #[must_use]
    pub fn ijson(mut self, ijson: bool) -> Self {
        self.ijson = ijson;
        self
    }

    /// Whether documents must obey a stricter profile than JSON.
    #[inline]
    pub(crate) fn is_strict(&self) -> bool {
        self.unique_keys || self.ijson
    }

    /// Keeps the text of each invalid record of up to 1 MiB in its error: see [`Error::record_text`](crate::Error::record_text).
    ///
    /// ```
    /// use fjson::{Framing, Options, validate};
    ///
    /// let options = Options::new().framing(Framing::Lines).keep_invalid(true);
    /// let error = validate("[1]\n[2,]\n[3]\n", &options).unwrap_err();
    /// assert_eq!((error.record_offset(), error.offset()), (Some(4), 7));
    /// assert_eq!(error.record_text(), Some(&b"[2,]"[..]));
    /// ```
    #[must_use]
    pub fn keep_invalid(mut self, keep_invalid: bool) -> Self {
        self.keep_invalid = keep_invalid;
        self
    }

    /// Sets the maximum number of errors that [`validate_each`](crate::validate_each) reports in one document (default 1, at most
    /// 100). It concerns only [`Framing::Document`], and documents of up to 64 MiB.
    ///
    /// Further errors are those after mistakes that leave no doubt about what was meant, for example a comma before a bracket, a key
    /// without quotes or a comment.
    ///
    /// ```
    /// use fjson::{Options, validate_each};
    /// use std::ops::ControlFlow;
    ///
    /// let mut offsets = Vec::new();
    /// let options = Options::new().max_errors(10);
    /// validate_each("{a: 1, 'b': NaN, \"c\": [1,],}", &options, &mut |error| {
    ///     offsets.push(error.offset());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(offsets, [1, 7, 12, 25, 27]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn max_errors(mut self, max_errors: u64) -> Self {
        self.max_errors = max_errors;
        self
    }

    /// Sets the number of bytes between two checkpoints (default 256 KiB). A single thread that only validates input in memory
    /// uses eight times as many. Memory use grows with it; results do not depend on it.
    #[must_use]
    pub fn window(mut self, window: usize) -> Self {
        self.window = window;
        self
    }

    /// Sets the maximum number of threads, including the caller's (default 1); 0 means one for each processor that is available
    /// to the process. Threads are started only if the input is large enough to benefit, at most four for each processor, or 16 if
    /// that is more, and end with the call. If the system refuses to start some of them, the others do the work. Results do not depend on it; memory use grows with it.
    /// Without the feature `threads`, only the caller's thread is used.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Makes [`minify`](crate::minify()) and [`pretty`](crate::pretty()) write the characters that `escape` selects, beyond the
    /// [minimal](Escape::minimal) ones, as `\u` escapes. Everything else is copied unchanged.
    ///
    /// ```
    /// use fjson::{Options, minify, scalar::Escape};
    ///
    /// let mut sink = Vec::new();
    /// let options = Options::new().escape(Escape::minimal().ascii().html());
    /// minify("[\"</b>\", \"\\/ caf\u{e9} \u{1f600}\"]", &mut sink, &options)?;
    /// assert_eq!(sink, br#"["\u003c/b\u003e","\/ caf\u00e9 \ud83d\ude00"]"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn escape(mut self, escape: Escape) -> Self {
        self.escape = escape;
        self
    }

    /// Makes [`minify`](crate::minify()) and [`pretty`](crate::pretty()) sort the members of each object by the code points of
    /// their keys. Keys are compared unescaped and copied unchanged; members with the same key keep their order.
    ///
    /// Each outermost object is held in memory until it is closed. If there is an error, the output ends before the first
    /// incomplete object.
    ///
    /// ```
    /// use fjson::{Options, minify};
    ///
    /// let mut sink = Vec::new();
    /// minify(r#"[{"b": 1, "a": {"d": 2, "c": 3}}]"#, &mut sink, &Options::new().sort_keys(true))?;
    /// assert_eq!(sink, br#"[{"a":{"c":3,"d":2},"b":1}]"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn sort_keys(mut self, sort_keys: bool) -> Self {
        self.sort = if sort_keys { Sort::CodePoints } else { Sort::No };
        self
    }

    /// Makes [`minify`](crate::minify()) and [`pretty`](crate::pretty()) sort the members of each object as by
    /// [`sort_keys`](Self::sort_keys), but in the [natural order](crate::scalar::compare_keys_natural) of their keys: without regard
    /// to case, and with numbers by value.
    ///
    /// ```
    /// use fjson::{Options, minify};
    ///
    /// let mut sink = Vec::new();
    /// minify(r#"{"b": 1, "A10": 2, "a9": 3}"#, &mut sink, &Options::new().sort_keys_naturally(true))?;
    /// assert_eq!(sink, br#"{"a9":3,"A10":2,"b":1}"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn sort_keys_naturally(mut self, sort_keys: bool) -> Self {
        self.sort = if sort_keys { Sort::Natural } else { Sort::No };
        self
    }

    /// Makes [`minify`](crate::minify()) and [`pretty`](crate::pretty()) write the characters themselves instead of escapes in
    /// strings that are not needed. The values stay the same.
    ///
    /// These stay as they are: escapes of control characters, quotes, backslashes and lone surrogates, and those of characters that
    /// [`escape`](Self::escape) selects.
    ///
    /// ```
    /// use fjson::{Options, minify};
    ///
    /// let mut sink = Vec::new();
    /// minify(r#"["caf\u00e9", "\/", "\u0022\u000a\ud800"]"#, &mut sink, &Options::new().unescape(true))?;
    /// assert_eq!(sink, r#"["café","/","\u0022\u000a\ud800"]"#.as_bytes());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn unescape(mut self, unescape: bool) -> Self {
        self.unescape = unescape;
        self
    }

    /// Whether output is the text of the input without whitespace, and nothing else.
    pub(crate) fn keeps_tokens(&self) -> bool {
        self.escape == Escape::minimal() && !self.unescape && self.sort == Sort::No && !self.final_newline
    }

    /// Makes [`minify`](crate::minify()) and [`canonical`](crate::canonical()) write a line break after a document even if it is the
    /// only one.
    ///
    /// ```
    /// use fjson::{Options, minify};
    ///
    /// let mut sink = Vec::new();
    /// minify("[ 1 ]", &mut sink, &Options::new().final_newline(true))?;
    /// assert_eq!(sink, b"[1]\n");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn final_newline(mut self, final_newline: bool) -> Self {
        self.final_newline = final_newline;
        self
    }

    /// Whether a line break follows each document of minified output, unless it turns out to be the only one.
    pub(crate) fn ends_lines(&self) -> bool {
        self.final_newline || self.framing != Framing::Document
    }

    /// Whether the line break after the first document is written only if another document follows.
    pub(crate) fn holds_first_break(&self) -> bool {
        self.framing == Framing::Documents && !self.final_newline
    }

    /// Sets the maximum number of bytes that may be held for an object whose members are sorted, or for a string or number that
    /// must be complete before it is processed (default 1 GiB). A larger one is an
    /// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit), unless it is a string or number that fits into a buffer, which
    /// has at most 8 MiB. An object counts with its output text and about 50 bytes for
    /// each member that may have to be moved.
    #[must_use]
    pub fn max_memory(mut self, max_memory: u64) -> Self {
        self.max_memory = max_memory;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

/// How many threads are started for each processor, and how many in any case, if more are asked for. Even those that wait take memory,
/// and address space, of which there may be little.
#[cfg(any(feature = "compression", feature = "query", feature = "threads"))]
const MAX_PER_PROCESSOR: usize = 4;
#[cfg(any(feature = "compression", feature = "query", feature = "threads"))]
const MAX_ANYWHERE: usize = 16;

/// Returns the number of threads to start if this many are asked for; 0 stands for one for each processor that is available to the
/// process.
#[cfg(any(feature = "compression", feature = "query", feature = "threads"))]
pub(crate) fn thread_count(threads: usize) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    match threads {
        0 => processors(),
        1..=MAX_ANYWHERE => threads,
        _ => threads.min(processors().saturating_mul(MAX_PER_PROCESSOR).max(MAX_ANYWHERE)),
    }
}

/// Counts of the documents and bytes that were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Number of documents, including invalid ones.
    pub documents: u64,
    /// Number of invalid documents.
    pub invalid: u64,
    /// Number of input bytes: all of them, or those before the error that ended the scan. Of a [range](crate::Input::range), only
    /// the bytes of its records.
    pub bytes: u64,
}

#[cfg(test)]
#[cfg(any(feature = "compression", feature = "query", feature = "threads"))]
mod tests {
    use super::thread_count;

    #[test]
    fn threads_are_limited_by_the_processors() {
        let processors = thread_count(0);
        assert_eq!([1, 2, 16].map(thread_count), [1, 2, 16]);
        assert_eq!([100_000, usize::MAX].map(thread_count), [(4 * processors).max(16); 2]);
    }
}
