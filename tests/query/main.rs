//! Queries: the compliance suite of RFC 9535, random documents and queries compared with a naive evaluator, and known
//! pitfalls.

#![forbid(unsafe_code)]

mod compliance;
mod random;
mod traps;
