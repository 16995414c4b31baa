//! What fjson is held against: a reference reader and writers, generators, the suites, and the checks that use them.
//!
//! The tests, the fuzz targets and the benchmarks all need the same yardstick, so it is one crate and not a module
//! copied into each of them. Everything here is as plain as can be and slow; nothing is taken from the library but its
//! public types, or the library would be measured against itself.

#![forbid(unsafe_code)]

pub mod canonical;
pub mod cases;
pub mod check;
pub mod compressed;
pub mod decimal;
pub mod endless;
pub mod escaped;
#[cfg(target_os = "linux")]
pub mod faults;
pub mod framing;
pub mod generate;
pub mod hostile;
pub mod mutate;
pub mod pieces;
pub mod profile;
pub mod query;
pub mod random;
pub mod reader;
pub mod scalar;
pub mod seeds;
pub mod shapes;
pub mod sorted;
pub mod suites;
pub mod target;
pub mod writer;
