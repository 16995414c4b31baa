//! Strict JSON (RFC 8259) at memory speed: check, minify, pretty-print and query.

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
mod minify;
mod options;
mod parallel;
mod pretty;
mod profile;
mod query;
pub mod scalar;
mod sink;
mod stats;
mod validate;
mod walk;

pub use canonical::{canonical, is_canonical};
pub use error::{Earlier, Error, ErrorKind, Excerpt, Opener, Position};
#[cfg(feature = "compression")]
pub use gzip::{Gzip, GzipWriter, gzip};
pub use index::Stretch;
pub use index::index;
pub use input::Input;
pub use input::Reader;
pub use kernel::Isa;
pub use minify::{is_minified, minify};
pub use options::{Framing, Options, Summary};
pub use pretty::{Layout, is_pretty, pretty};
pub use query::{Condition, Match, Order, Query, QueryError, Receiver, Search};
pub use stats::{Containers, Distinct, FrequentName, Numbers, Stats, Strings};
pub use validate::{validate, validate_each};

// The examples of the README are tests, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
