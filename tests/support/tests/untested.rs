//! Not a test: the last binary that `cargo test` runs. It prints what was not tested; see `proof::untested`.

#![forbid(unsafe_code)]

use std::io;
use std::io::Write as _;

fn main() {
    if let Some(summary) = proof::untested::summary() {
        let _ = io::stderr().write_all(summary.as_bytes());
    }
}
