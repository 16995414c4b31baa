//! Conformance: published suites, and our own cases from RFC 8259, on every kernel.
//!
//! A suite says what others think JSON is. It is run not once but at every distance from a border of 64 bytes and cut
//! at every byte, for an engine that is right about a document may still be wrong about where it happens to lie.

#![forbid(unsafe_code)]

mod data_sets;
mod everywhere;
mod json_checker;
mod json_test_suite;
mod own_cases;
mod values;
