//! Passes the target triple on to `fjson --version --verbose`, because only build scripts are told it.

#![forbid(unsafe_code)]

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=FJSON_TARGET={}", env::var("TARGET").unwrap_or_default());
}
