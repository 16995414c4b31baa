//! Validates, minifies, pretty-prints, compresses and queries JSON (RFC 8259) with SIMD, and reads and writes values, without building
//! a tree.
//!
//! Every function validates everything it reads, with the widest SIMD instructions of the machine. [`Input`] can be bytes, a
//! string, a reader or a memory-mapped file. [`Options`] contain limits, stricter profiles, the number of threads, and how the
//! input is divided into documents ([`Framing`]). Output goes to any [`std::io::Write`].
//!
//! # Validate
//!
//! ```
//! use fjson::{Options, is_valid, validate};
//!
//! assert!(is_valid("[1, 2]"));
//!
//! let error = validate("{\"a\": [1, 2,]}", &Options::new()).unwrap_err();
//! assert_eq!((error.line(), error.column(), error.pointer()), (Some(1), Some(13), Some("/a")));
//! ```
//!
//! [`validate_each`] continues after an invalid document and reports every error.
//!
//! # Minify and pretty-print
//!
//! Numbers and strings are copied unchanged. [`minified_difference`] and [`pretty_difference`] only compare and write nothing.
//!
//! ```
//! use fjson::{Layout, Options, minify, pretty};
//!
//! let mut minified = Vec::new();
//! minify("{ \"a\": [ 1, 2.50 ] }", &mut minified, &Options::new())?;
//! assert_eq!(minified, br#"{"a":[1,2.50]}"#);
//!
//! let mut indented = Vec::new();
//! pretty(&minified, &mut indented, &Layout::default(), &Options::new())?;
//! assert!(indented.starts_with(b"{\n  \"a\": [\n    1,"));
//! # Ok::<(), fjson::Error>(())
//! ```
//!
//! [`canonical`] writes the canonical form of RFC 8785, for signatures; [`Options::sort_keys`] sorts members in any layout.
//!
//! # Read values
//!
//! A [`Parser`] checks a document in memory once; its values are then read in place, in any order, without a tree. With the feature
//! `serde`, `from_slice` reads values of Rust types, and `lines` one from each line of NDJSON.
//!
//! ```
//! use fjson::Parser;
//!
//! let mut parser = Parser::new();
//! let document = parser.document(br#"{"users": [{"name": "Ada"}, {"name": "Alan"}]}"#)?;
//! let names = document.get("users").unwrap().iter().filter_map(|user| user.get("name")?.as_str());
//! assert!(names.eq(["Ada", "Alan"]));
//! # Ok::<(), fjson::Error>(())
//! ```
//!
//! Values are compared, ordered and hashed by value, found by keys, pointers and queries, and written by [`Writer::value`].
//! [`for_each_document`] and [`map_documents`] pass on the documents of any input as values; an [`OwnedDocument`] owns its text.
//!
//! # Query
//!
//! Queries are JSONPath (RFC 9535) or JSON Pointer (RFC 6901). [`Search`] evaluates several queries at once, and sets the order
//! of matches and a limit.
//!
//! ```
//! # #[cfg(feature = "query")] {
//! use fjson::{Options, Query};
//!
//! let query = Query::new("$.books[?@.price < 10].title")?;
//! let text = r#"{"books": [{"title": "Emma", "price": 8.90}, {"title": "Ulysses", "price": 12}]}"#;
//! assert_eq!(query.find_all(text, &Options::new())?, [br#""Emma""#]);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many documents
//!
//! ```
//! use fjson::{Framing, Options, validate};
//!
//! let lines = Options::new().framing(Framing::Lines).threads(0);
//! assert_eq!(validate("{\"id\": 1}\n{\"id\": 2}\n", &lines)?.documents, 2);
//! # Ok::<(), fjson::Error>(())
//! ```
//!
//! # Write values
//!
//! A [`Writer`] writes text token by token, and refuses calls that would write anything else than JSON. With the feature `serde`,
//! `to_vec`, `to_string` and `to_writer` write any type that implements `serde::Serialize`, with the same text as `serde_json`.
//!
//! ```
//! use fjson::Writer;
//!
//! let mut writer = Writer::new(Vec::new());
//! writer.begin_object().name("name").value("Ada").name("ids").begin_array().value(1).raw("2.50").end().end();
//! assert_eq!(writer.finish()?, br#"{"name":"Ada","ids":[1,2.50]}"#);
//! # Ok::<(), fjson::Error>(())
//! ```
//!
//! There is no type for a document that can be changed in memory. `serde_json::Value` can be read and written.
//!
//! # More
//!
//! * [`Edits`] change documents and leave all other bytes as they are. [`diff()`] finds what differs between two documents.
//! * [`Stats`] counts types, sizes, keys and numbers. [`Structure`] finds the paths, and the values with each of them.
//! * [`index()`] returns the offset of each token.
//! * [`Input::skip_comments`] and [`blank_comments`] accept JSON with comments.
//! * [`scalar`] converts single strings and numbers to values and back.
//! * `gzip` compresses on several threads, and `Input::expanded` reads gzip, zstd, bzip2 and xz.
//!
//! # Features
//!
//! Only `serde` is on by default.
//!
//! * `query`: [`Query`], [`Search`] and [`Condition`], with the dependency `regex`.
//! * `serde`: reading and writing values of Rust types, with the dependency `serde_core`.
//! * `threads`: [`Options::threads`], with the dependency `rayon`.
//! * `compression`: `gzip`, `GzipWriter` and `Input::expanded`, with the dependencies `flate2`, `zlib-rs`,
//!   `zstd`, `bzip2` and `liblzma`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_debug_implementations)]
#![cfg_attr(
    not(feature = "query"),
    expect(dead_code, unused_imports, reason = "some functions are used by queries only")
)]

mod canonical;
#[cfg(feature = "serde")]
mod de;
mod diff;
mod document;
mod documents;
mod edit;
pub mod error;
mod explain;
mod framing;
mod grammar;
#[cfg(feature = "compression")]
mod gzip;
mod index;
mod input;
mod kernel;
#[cfg(feature = "serde")]
mod lines;
mod memory;
mod minify;
mod options;
mod parallel;
mod places;
mod positions;
mod pretty;
mod profile;
#[cfg(feature = "query")]
mod query;
mod range;
pub mod scalar;
mod scan;
mod sink;
pub mod stats;
#[cfg(all(unix, feature = "query", feature = "compression", any(test, fuzzing)))]
mod two_versions;
mod validate;
mod writer;

pub use canonical::{canonical, canonical_difference};
#[cfg(feature = "serde")]
pub use de::{Deserializer, RawValue, from_reader, from_slice, from_str};
pub use diff::{ArrayMatching, Change, Changes, DiffOptions, diff, diff_records};
pub use document::{
    Document, Elements, KeyCache, Kind, Member, Members, OwnedDocument, OwnedRecords, OwnedValue, Parser, Records,
    Token, TokenIter, TokenKind, Tokens, Value,
};
#[cfg(feature = "query")]
pub use documents::map_elements;
pub use documents::{DocumentBatch, Mapped, Record, for_each_document, map_documents};
pub use edit::{EditError, EditSummary, Edits};
pub use error::{Earlier, Error, ErrorKind, Excerpt, Opener, Position};
pub use explain::{Diagnostic, Related};
#[cfg(feature = "compression")]
pub use gzip::{Gzip, GzipWriter, gzip};
pub use index::TokenBatch;
pub use index::index;
pub use input::{ByteOrderMark, Input, Reader, RecordStart, blank_comments};
pub use kernel::Isa;
#[cfg(feature = "serde")]
pub use lines::{BorrowedLines, Lines, borrowed_lines, lines};
#[cfg(all(feature = "serde", feature = "threads"))]
pub use lines::{ParallelLines, parallel_lines};
pub use minify::{minified_difference, minify};
pub use options::{Framing, Options, Summary};
pub use places::describe_places;
pub use pretty::{Layout, pretty, pretty_difference, pretty_with_comments, pretty_with_comments_difference};
#[cfg(feature = "query")]
pub use query::{Condition, Match, MatchHandler, MatchWriter, Order, Patterns, Query, QueryError, Search, Written};
pub use stats::Stats;
pub use stats::Structure;
pub use validate::{is_valid, validate, validate_each};
#[cfg(feature = "serde")]
pub use writer::{
    Compact, Format, Indented, Serializer, to_end_of, to_string, to_string_pretty, to_vec, to_vec_pretty, to_writer,
    to_writer_pretty,
};
pub use writer::{INTEGER_ROOM, bytes_to_escape, write_integer};
pub use writer::{Output, Scalar, Stream, Writer, push_float, push_integer, push_name, push_single, push_string};

// Used by a fuzz target.
#[cfg(all(unix, feature = "query", feature = "compression", fuzzing))]
pub use two_versions::two_versions;

// Tests the examples in the documents. They use types of `serde`.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(all(doctest, feature = "query", feature = "serde", feature = "threads"))]
#[doc = include_str!("../../../docs/library.md")]
struct Library;
