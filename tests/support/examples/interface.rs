//! Lists the public items of a library from its documentation in JSON, one per line, so that `.ci/run interface` can compare them
//! with the committed list.
//!
//! The format of that documentation is not stable. The crate `public-api` reads the format of one compiler, so its version is that of
//! the compiler in `rust-version`.

#![forbid(unsafe_code)]

use std::env;
use std::error::Error;
use std::io;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("the path of the documentation in JSON is missing")?;
    let interface = public_api::Builder::from_rustdoc_json(path)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let mut output = io::stdout().lock();
    for item in interface.items() {
        writeln!(output, "{item}")?;
    }
    Ok(())
}
