//! Queries: the compliance suite of RFC 9535, random documents and queries against a naive evaluator, and the traps.

#![forbid(unsafe_code)]

mod compliance;
mod random;
mod traps;
