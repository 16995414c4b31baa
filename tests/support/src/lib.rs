//! Test support: a reference reader and writers, generators, the suites, and the checks that use them.
//!
//! Tests, fuzz targets and benchmarks need the same reference, so it is a crate and not a module copied into each.
//! Everything here is simple and slow. It uses only the public types of the library, so that the library is not
//! compared with itself.

#![forbid(unsafe_code)]

pub mod batches;
pub mod canonical;
pub mod cases;
pub mod chart;
pub mod check;
pub mod comments;
pub mod compressed;
pub mod decimal;
pub mod difference;
pub mod edited;
pub mod endless;
pub mod escaped;
#[cfg(target_os = "linux")]
pub mod faults;
pub mod fitted;
pub mod framing;
pub mod generate;
pub mod gunzip;
pub mod hostile;
pub mod jq_fuzz;
pub mod jq_programs;
pub mod mutate;
pub mod natural;
pub mod pieces;
pub mod places;
pub mod profile;
pub mod query;
pub mod random;
pub mod reader;
pub mod scalar;
pub mod schema_fuzz;
pub mod seeds;
pub mod shapes;
pub mod sorted;
pub mod suites;
pub mod target;
pub mod typed;
pub mod untested;
pub mod values;
pub mod writer;
pub mod written;
