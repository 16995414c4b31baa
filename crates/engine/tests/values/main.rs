//! The values of documents: as a `Document`, and as values of Rust types.

#![forbid(unsafe_code)]

mod data_model;
mod differential;
mod errors;
mod lines;
mod numbers;
mod raw;
mod short;
