//! The program from outside: command lines in, streams, files and exit status out.
//!
//! Output is compared with `snapshots/`, in which directories, versions, kernels and times are replaced, so that every
//! change of the wording is visible in review. All tests are in one binary, because linking one is faster than linking
//! ten. They need no network, no other JSON tool, and no particular user.

#![forbid(unsafe_code)]

mod bad_records;
mod bench;
mod canonical;
mod color;
mod completions;
mod compressed;
mod documents;
mod editors;
mod escape;
mod files;
mod formats;
mod framing;
mod gzip;
mod help;
mod inputs;
mod limits;
mod man;
mod minify;
mod mistakes;
mod place;
mod pretty;
mod profiles;
mod progress;
mod query;
mod ranges;
mod replacing;
mod several;
mod signals;
mod sort;
mod stats;
mod streams;
mod tables;
mod terminal;
mod validate;
mod widths;
