//! Strict JSON (RFC 8259) at memory speed: validate, minify, pretty-print, compress and query, without building a tree.
//!
//! Every function checks all that it reads, on the widest SIMD instructions of the machine, and takes bytes, strings, readers
//! and mapped files alike ([`Input`]). [`Options`] hold what they have in common: limits, stricter profiles, threads, and how an
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
//! [`validate_each`] goes on behind a bad document of many, and tells what is wrong with each.
//!
//! # Minify and pretty-print
//!
//! Numbers and strings keep their text. [`minified_difference`] and [`pretty_difference`] compare and write nothing.
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
//! # Query
//!
//! JSONPath (RFC 9535) and JSON Pointer (RFC 6901). [`Search`] has what else there is to choose: several queries at once, the
//! order of matches, a limit.
//!
//! ```
//! use fjson::{Options, Query};
//!
//! let query = Query::new("$.books[?@.price < 10].title")?;
//! let text = r#"{"books": [{"title": "Emma", "price": 8.90}, {"title": "Ulysses", "price": 12}]}"#;
//! assert_eq!(query.find_all(text, &Options::new())?, [br#""Emma""#]);
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
//! # More
//!
//! * [`Stats`] counts types, sizes, names and numbers.
//! * [`index()`] tells where each token begins.
//! * [`scalar`] turns single strings and numbers into values and back.
//! * `gzip` compresses on several threads, and `Input::expanded` reads gzip and zstd; both are behind the feature `compression`.
//! * The program is behind the feature `cli`, a default one: a library user leaves it out with `default-features = false`.

#![deny(missing_debug_implementations)]
#![cfg_attr(
    not(feature = "query"),
    expect(dead_code, unused_imports, reason = "some functions are used by queries only")
)]

mod canonical;
pub mod error;
mod explain;
mod framing;
mod grammar;
#[cfg(feature = "compression")]
mod gzip;
mod index;
mod input;
mod kernel;
mod memory;
mod minify;
mod options;
mod parallel;
mod pretty;
mod profile;
#[cfg(feature = "query")]
mod query;
pub mod scalar;
mod scan;
mod sink;
pub mod stats;
#[cfg(all(unix, feature = "query", feature = "compression", any(test, fuzzing)))]
mod two_versions;
mod validate;

pub use canonical::{canonical, canonical_difference};
pub use error::{Earlier, Error, ErrorKind, Excerpt, Opener, Position};
#[cfg(feature = "compression")]
pub use gzip::{Gzip, GzipWriter, gzip};
pub use index::TokenBatch;
pub use index::index;
pub use input::Input;
pub use input::Reader;
pub use kernel::Isa;
pub use minify::{minified_difference, minify};
pub use options::{Framing, Options, Summary};
pub use pretty::{Layout, pretty, pretty_difference};
#[cfg(feature = "query")]
pub use query::{Condition, Match, MatchHandler, Order, Query, QueryError, Search};
pub use stats::Stats;
pub use validate::{is_valid, validate, validate_each};

// For a fuzz target.
#[cfg(all(unix, feature = "query", feature = "compression", fuzzing))]
pub use two_versions::two_versions;

// The examples of the README are tests, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
