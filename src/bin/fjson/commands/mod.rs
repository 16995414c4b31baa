//! One file per command, and what they read from the same options.

#![forbid(unsafe_code)]

pub mod bench;
pub mod completions;
pub mod man;
pub mod minify;
pub mod pretty;
pub mod validate;
pub mod version;

mod rewrite;
mod statistics;

use crate::args::Engine;
use crate::args::Inputs;
use crate::inputs::is_of_lines;
use crate::name::Name;
use fjson::Framing;
use fjson::Isa;
use fjson::Options;
use std::path::Path;

impl Engine {
    /// How to read the input called `name`.
    fn options(&self, inputs: &Inputs, name: &Name) -> Options {
        let options = Options::new().framing(inputs.framing(name)).max_depth(self.max_depth);
        match self.kernel {
            Some(kernel) => options.isa(kernel),
            None => options,
        }
    }
}

impl Inputs {
    fn framing(&self, name: &Name) -> Framing {
        if self.lines {
            Framing::Lines
        } else if self.stream {
            Framing::Stream
        } else if self.seq {
            Framing::Sequence
        } else if name.path().and_then(Path::extension).is_some_and(is_of_lines) {
            Framing::Lines
        } else {
            Framing::Document
        }
    }
}

/// The value of `--max-depth`.
pub fn depth_limit(value: &str) -> Result<u64, String> {
    if value == "none" {
        return Ok(u64::MAX);
    }
    value.parse().map_err(|_| String::from("give a number of levels, or `none`"))
}

/// The value of `--max-errors`.
pub fn count(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| String::from("give a number; 0 shows all"))
}

/// The value of `--indent`.
pub fn indent(value: &str) -> Result<u8, String> {
    let spaces = value.parse().ok().filter(|&spaces| spaces <= 16);
    spaces.ok_or_else(|| String::from("give a number of spaces from 0 to 16, or use `--tab`"))
}

/// The value of `--kernel`.
pub fn kernel(name: &str) -> Result<Isa, String> {
    if name == "auto" { Ok(Isa::detect()) } else { name.parse().map_err(|error| format!("{error}")) }
}
