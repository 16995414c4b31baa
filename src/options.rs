//! What a caller may choose, and what a walk over an input tells about it.

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
    /// One document per line: JSON Lines, NDJSON. Lines of whitespace alone are skipped.
    Lines,
    /// Documents one behind the other, with or without whitespace between them. A number or literal must be set apart
    /// from another one that follows it.
    Stream,
    /// One document or more: as a stream, but there must be one, and the first is read as if it were alone.
    ///
    /// Where nothing follows, this costs no more than [`Document`](Self::Document), on any number of threads. The first document
    /// is no numbered record in errors, since nobody can tell yet whether it is one of several; those behind it are, from 2 on.
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
    /// A JSON text sequence (RFC 7464): each document stands behind a record separator, U+001E.
    Sequence,
}

/// The record separator of RFC 7464.
pub(crate) const RECORD_SEPARATOR: u8 = 0x1e;

impl Framing {
    /// Whether the first document is read as if it were the only one, and no record of several.
    pub(crate) fn begins_alone(self) -> bool {
        matches!(self, Self::Document | Self::Documents)
    }

    /// Whether one document may stand right behind another.
    pub(crate) fn is_stream(self) -> bool {
        matches!(self, Self::Stream | Self::Documents)
    }

    /// The byte that ends a document wherever it stands.
    pub(crate) fn terminator(self) -> Option<u8> {
        match self {
            Self::Document | Self::Documents | Self::Stream => None,
            Self::Lines => Some(b'\n'),
            Self::Sequence => Some(RECORD_SEPARATOR),
        }
    }
}

/// How the members of objects are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// They stay where they are.
    No,
    /// By code points.
    CodePoints,
    /// By UTF-16 code units.
    Units,
}

/// Options that every verb takes.
///
/// ```
/// use fjson::{Options, validate};
///
/// let options = Options::new().max_depth(Some(2));
/// assert!(validate("[[1]]", &options).is_ok());
/// assert!(validate("[[[1]]]", &options).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) isa: Isa,
    pub(crate) max_depth: Option<u64>,
    pub(crate) framing: Framing,
    pub(crate) window: usize,
    pub(crate) threads: usize,
    pub(crate) escape: Escape,
    pub(crate) sort: Sort,
    pub(crate) max_memory: u64,
    pub(crate) unique_keys: bool,
    pub(crate) ijson: bool,
}

/// Bytes between two places from which the walk could go on: so much may be read again to find an error, and so much
/// output is held back. Below 64 KiB the cuts cost more than 2 % of the speed.
const WINDOW: usize = 256 * 1024;

/// Bytes that may be held for one object: a document of this size has room on most machines, and one that is larger is most
/// likely an array of smaller ones, which are held one by one.
const MEMORY: u64 = 1 << 30;

impl Options {
    /// The fastest kernel, no limit on depth, one document.
    #[must_use]
    pub fn new() -> Self {
        Self {
            isa: Isa::detect(),
            max_depth: None,
            framing: Framing::Document,
            window: WINDOW,
            threads: 1,
            escape: Escape::minimal(),
            sort: Sort::No,
            max_memory: MEMORY,
            unique_keys: false,
            ijson: false,
        }
    }

    /// Uses this kernel. All kernels give the same results.
    #[must_use]
    pub fn isa(mut self, isa: Isa) -> Self {
        self.isa = isa;
        self
    }

    /// Refuses documents with more than so many containers inside each other. Without a limit, a level costs one bit.
    ///
    /// Without one there is no limit, but for queries that look again at each level: see [`Search::order`](crate::Search::order).
    #[must_use]
    pub fn max_depth(mut self, max_depth: Option<u64>) -> Self {
        self.max_depth = max_depth;
        self
    }

    /// Divides the input into documents.
    #[must_use]
    pub fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Refuses objects in which a name stands twice; names are compared by what they say, so `"a"` and `"\u0061"` are one.
    /// Memory then holds the names of all objects that are open.
    #[must_use]
    pub fn unique_keys(mut self, unique_keys: bool) -> Self {
        self.unique_keys = unique_keys;
        self
    }

    /// Refuses what is not I-JSON (RFC 7493): names that stand twice in an object, escapes of lone surrogates, noncharacters,
    /// and numbers of which a double does not keep every digit
    /// ([`Number::keeps_digits_in_f64`](crate::scalar::Number::keeps_digits_in_f64)). The fault of a number of more than
    /// 65,536 bytes is where it ends, unless its first 65,536 bytes tell. Memory as with [`unique_keys`](Self::unique_keys).
    #[must_use]
    pub fn ijson(mut self, ijson: bool) -> Self {
        self.ijson = ijson;
        self
    }

    /// Sets how many bytes lie between two places from which the walk could go on (default 256 KiB); where one thread only checks what
    /// is all in memory, it is eight times as many. Memory grows with it; results do not depend on it.
    #[must_use]
    pub fn window(mut self, window: usize) -> Self {
        self.window = window;
        self
    }

    /// Works on up to so many threads at once, the caller's among them (default 1); 0 means one for each processor that
    /// the system lets this process use. Only what is large enough to gain by it starts threads, no more than 1024, and they
    /// end with the call; where the system gives fewer, those do the work. Results do not depend on it; memory grows with it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Has [`minify`](crate::minify()) and [`pretty`](crate::pretty()) write the characters that `escape` names beyond the
    /// [minimal](Escape::minimal) ones as `\u` escapes. All else stays as it is written.
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

    /// Has [`minify`](crate::minify()) and [`pretty`](crate::pretty()) write the members of each object in the order of their
    /// names, by code point. The names are compared by what they say, and written as they are; of several members with the same
    /// name, the one that came first stays first.
    ///
    /// An object is held in memory until it is closed, with all that is in it: so much as the largest object takes that is in no
    /// other object. What stands before an error is written up to the first object that is not complete.
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

    /// Sets how many bytes may be held for an object that must be complete before it can be written (default 1 GiB). One that
    /// takes more is refused with [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit). Counted are its text, as it is
    /// written, and some 50 bytes for each member that may have to be moved.
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

/// What a walk over an input has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Documents, bad ones included.
    pub documents: u64,
    /// Bad documents.
    pub invalid: u64,
    /// Bytes of input that count: all of them, or those in front of the error with which the reading ended.
    pub bytes: u64,
}
