//! Conformance: published suites, and our own cases from RFC 8259, on every kernel.
//!
//! Each document runs at every distance from a border of 64 bytes, and split at every byte, because a SIMD engine may
//! handle a document correctly in one position and not in another.

#![forbid(unsafe_code)]

mod data_sets;
mod everywhere;
mod json_checker;
mod json_test_suite;
mod own_cases;
mod values;
