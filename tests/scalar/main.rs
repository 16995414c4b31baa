//! Single strings and numbers, held against the standard library, `serde_json` and the definitions.
//!
//! The suites of `tests/conformance` say what others found worth a test; here are all the places where a value might be a
//! little different from what its text says, and random ones by the million.

#![forbid(unsafe_code)]

mod doubles;
mod random;
