//! Queries evaluated naively, as RFC 9535 defines them: a tree, a list of nodes for each segment, and recursion.
//!
//! `tree.rs` makes documents and knows where each of their values is, `ask.rs` makes queries, and `answer.rs` evaluates
//! them. `fuzz.rs` takes arbitrary bytes. No text is parsed here, so that a parsing error cannot be made twice.

pub mod answer;
pub mod ask;
pub mod fuzz;
pub mod tree;
