//! Queries: the compliance suite of RFC 9535, random documents and queries compared with a naive evaluator, known
//! pitfalls, and the expressions that are suggested for mistakes.

#![forbid(unsafe_code)]

mod compliance;
mod mistakes;
mod random;
mod traps;
