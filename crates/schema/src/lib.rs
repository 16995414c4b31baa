//! JSON Schema, drafts 4 to 2020-12: validates the values of `fjson` and says where and how they break the rules of a schema.
//!
//! ```
//! use fjson::Parser;
//! use fjson_schema::Schema;
//!
//! let schema = Schema::compile(r#"{"properties": {"dev": {"type": "boolean"}}, "additionalProperties": false}"#, ())?;
//! let mut parser = Parser::new();
//! let document = parser.document(br#"{"devv": true}"#)?;
//! let violations = schema.violations(document.root());
//! assert_eq!(violations[0].to_string(), "unknown key \"devv\"");
//! assert_eq!(violations[0].help.as_deref(), Some("did you mean \"dev\"?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Values come from any document of `fjson`: [`fjson::Parser`], or [`fjson::map_documents`] for records on all threads. Keys that occur
//! twice in an object are a matter of reading ([`fjson::Options::unique_keys`]); schemas cannot see them. Limit the nesting of documents,
//! too ([`fjson::Options::max_depth`]): recursive schemas take stack for each level, and [`MAX_DEPTH`] levels are tested.
//!
//! # What is not exact
//!
//! Lone surrogates are replaced (U+FFFD). `\b` in a pattern counts the letters of all scripts as letters of words. With a meta-schema of
//! one's own, numbers of a schema (bounds, `const`, `enum`) are kept as 64-bit integers or doubles; otherwise, numbers are exact.
//!
//! # References
//!
//! A [`Resolver`] finds the documents that a schema refers to. [`Directories`] reads files. Nothing is read from the network.

#![forbid(unsafe_code)]
#![deny(missing_debug_implementations)]

mod alternatives;
mod builder;
mod class;
mod compiled;
mod cycles;
mod directories;
mod draft;
mod exact;
mod finding;
mod formats;
mod infer;
mod known;
mod message;
mod misspelled;
mod node;
mod number;
mod pattern;
mod schema;
mod schema_error;
mod schema_tree;
mod sources;
mod stack;
mod suggest;
mod tree;
mod trouble;
mod violation;
mod words;

pub use builder::SchemaBuilder;
pub use directories::Directories;
pub use draft::Draft;
pub use infer::Strictness;
pub use infer::infer;
pub use schema::Schema;
pub use schema::Violations;
pub use schema_error::Problem;
pub use schema_error::SchemaError;
pub use sources::Loaded;
pub use sources::Resolver;
pub use sources::SchemaPlace;
pub use sources::resolve_uri;
pub use violation::Violation;

/// Largest number of violations of one value that are found.
pub const MAX_VIOLATIONS: usize = node::MAX_PLACES;

/// Number of nesting levels of a document that a recursive schema can follow on a stack of 2 MiB.
pub const MAX_DEPTH: u64 = 1000;
