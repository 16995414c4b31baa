//! Common keywords, compiled to rules that are checked in one pass over the tokens of a document.
//!
//! This answers only whether a value is valid, and only for schemas that consist of these keywords. Patterns, formats and multiples
//! are left to the crate `jsonschema`, one value at a time. So are other schemas, and the question what is wrong. Tests compare its
//! answers with these. A value that is rare and hard, such as a
//! number with more digits than a double has, is left to it, too.
//!
//! ```text
//! schema  {"properties": {"id": {"type": "integer"}}, "required": ["id"]}
//! rules   0: keys "id" → 1, required    1: types integer
//! tokens  {  "  "  7  }
//!         0  1  2  3  4      the value of a key follows its two quotes
//! ```

#![forbid(unsafe_code)]

mod check;
mod compile;
mod keys;
mod part;
mod rules;

pub(crate) use compile::compile;
pub(crate) use rules::Answer;
pub(crate) use rules::Compiled;
