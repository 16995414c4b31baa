//! The program from outside: command lines in, streams, files and exit status out.
//!
//! What is printed stands in `snapshots/`, with directories, versions, kernels and times replaced, so that a change of
//! a single word is seen in review. One binary, because linking one is faster than linking ten. Nothing here needs a
//! network, another JSON tool, or a particular user.

#![forbid(unsafe_code)]

mod bench;
mod canonical;
mod completions;
mod compressed;
mod escape;
mod files;
mod formats;
mod framing;
mod gzip;
mod help;
mod limits;
mod man;
mod minify;
mod place;
mod pretty;
mod profiles;
mod query;
mod replacing;
mod several;
mod signals;
mod sort;
mod stats;
mod streams;
mod terminal;
mod validate;
mod walking;
