//! Queries over whole inputs.

#![forbid(unsafe_code)]
