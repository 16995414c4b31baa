//! One file per command, and what they read from the same options.

#![forbid(unsafe_code)]

pub mod bench;
pub mod completions;
pub mod gzip;
pub mod man;
pub mod minify;
pub mod pretty;
pub mod query;
pub mod stats;
pub mod validate;
pub mod version;

mod rewrite;
mod statistics;

use crate::args::Engine;
use crate::args::Escape;
use crate::args::Inputs;
use crate::args::Text;
use crate::exit::RunError;
use crate::inputs::is_of_lines;
use crate::inputs::json_extension;
use crate::name::Name;
use crate::source::Source;
use fjson::Framing;
use fjson::Input;
use fjson::Isa;
use fjson::Options;
use fjson::scalar;
use std::io::Read;

impl Engine {
    /// How to read the input called `name`.
    fn options(&self, inputs: &Inputs, name: &Name) -> Options {
        let options = Options::new().framing(inputs.framing(name)).max_depth(self.max_depth).threads(self.threads);
        let options = options.unique_keys(self.unique_keys).ijson(self.ijson);
        match self.kernel {
            Some(kernel) => options.isa(kernel),
            None => options,
        }
    }
}

impl Text {
    /// What is to be changed of the text itself.
    fn options(&self, options: Options) -> Options {
        let escape = self.escape.iter().fold(scalar::Escape::minimal(), |all, one| match one {
            Escape::Ascii => all.ascii(),
            Escape::Html => all.html(),
            Escape::Js => all.js(),
        });
        options.escape(escape).sort_keys(self.sort_keys).max_memory(self.max_memory)
    }
}

impl Inputs {
    /// The content of `source`, expanded if it is compressed.
    fn read<'s>(&self, source: &'s Source) -> Input<'s> {
        source.input(!self.no_mmap).expanded(self.max_bytes.unwrap_or(u64::MAX))
    }

    /// All of it, in memory.
    fn read_whole(&self, source: &Source) -> Result<Vec<u8>, RunError> {
        let mut content = Vec::new();
        let read = self.read(source).into_reader().read_to_end(&mut content);
        read.map(|_| content).map_err(|error| RunError::io(source.name.clone(), &error))
    }

    fn framing(&self, name: &Name) -> Framing {
        if self.lines {
            Framing::Lines
        } else if self.stream {
            Framing::Stream
        } else if self.seq {
            Framing::Sequence
        } else if name.path().and_then(json_extension).is_some_and(is_of_lines) {
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

/// The value of `--max-bytes`, `--max-memory` and `--size`.
pub fn size(value: &str) -> Result<u64, String> {
    let (digits, unit) = match value.char_indices().last() {
        Some((at, 'K' | 'k')) => (&value[..at], 10),
        Some((at, 'M' | 'm')) => (&value[..at], 20),
        Some((at, 'G' | 'g')) => (&value[..at], 30),
        _ => (value, 0),
    };
    let size = digits.parse::<u64>().ok().and_then(|size| size.checked_mul(1 << unit));
    size.ok_or_else(|| "give a number of bytes, or a number and K, M or G".to_owned())
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

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units() {
        for (value, bytes) in [("0", 0), ("100", 100), ("64K", 65_536), ("2m", 2 << 20), ("1G", 1 << 30)] {
            assert_eq!(size(value), Ok(bytes));
        }
        for value in ["", "K", "-1", "1.5M", "1T", "20000000000G", "1é"] {
            assert!(size(value).is_err(), "{value}");
        }
    }
}
