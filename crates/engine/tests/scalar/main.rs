//! Single strings and numbers, compared with the standard library, `serde_json` and the definitions.
//!
//! The suites of `tests/conformance` have the cases that others found worth testing. These tests cover all places where
//! a value may differ slightly from its text, and millions of random ones.

#![forbid(unsafe_code)]

mod doubles;
mod random;
