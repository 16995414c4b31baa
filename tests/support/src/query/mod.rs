//! Queries the naive way: a tree, a list of nodes for each segment, and recursion. It is what RFC 9535 says, word by word.
//!
//! `tree.rs` makes documents and knows where each of their values stands, `ask.rs` makes queries, and `answer.rs` answers them;
//! `fuzz.rs` is for bytes of which nothing is known.
//! No text is parsed here, so nothing can be misread in the same way twice.

pub mod answer;
pub mod ask;
pub mod fuzz;
pub mod tree;
