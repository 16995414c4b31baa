//! The program from outside: command lines in, streams, files and exit status out.
//!
//! Output is compared with `snapshots/`, in which directories, versions, kernels and times are replaced, so that every
//! change of the wording is visible in review. All tests are in one binary, because linking one is faster than linking
//! ten. They need no network, no other JSON tool, and no particular user.

#![forbid(unsafe_code)]
#![cfg_attr(windows, expect(dead_code, unused_imports, reason = "some tests are only for Unix"))]

mod assignments;
mod bad_records;
mod beginnings;
mod bench;
mod canonical;
#[cfg(unix)] // needs signals and pseudo-terminals
mod color;
mod columns;
mod comments;
#[cfg(unix)] // needs the shells
mod completions;
mod compressed;
mod diff;
#[cfg(unix)] // needs a shell
mod documents;
mod edit;
#[cfg(unix)] // needs a shell
mod editors;
mod encodings;
mod escape;
mod files;
mod formats;
mod framing;
#[cfg(unix)] // needs a shell
mod from_jq;
#[cfg(unix)] // needs files that change
mod growing;
mod gzip;
mod help;
#[cfg(unix)] // needs a shell
mod hostile;
mod inputs;
#[cfg(unix)] // needs a shell
mod jq;
#[cfg(unix)] // needs a shell
mod jq_files;
#[cfg(unix)] // needs a shell
mod jq_peer;
#[cfg(unix)] // needs a shell
mod jq_scripts;
#[cfg(unix)] // needs a shell
mod jq_threads;
mod layouts;
#[cfg(unix)] // needs limits of a shell
mod limits;
#[cfg(unix)] // needs symbolic links
mod links;
mod man;
#[cfg(unix)] // needs FIFOs
mod many;
mod minify;
mod mistakes;
mod outputs;
mod patterns;
mod place;
mod prefixes;
mod pretty;
mod profiles;
#[cfg(unix)] // needs signals and pseudo-terminals
mod progress;
mod query;
mod query_threads;
mod ranges;
mod replacing;
mod report_schemas;
mod schema;
mod schema_gate;
mod schema_keywords;
#[cfg(unix)] // needs symbolic links and FIFOs
mod several;
#[cfg(unix)] // needs signals
mod signals;
mod sort;
mod stats;
#[cfg(unix)] // needs a shell
mod streams;
mod tables;
#[cfg(unix)] // needs a pseudo-terminal
mod terminal;
mod unprintable;
mod validate;
#[cfg(unix)] // needs a pseudo-terminal
mod widths;
#[cfg(windows)]
mod windows;
