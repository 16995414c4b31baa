//! `fjson minify`: writes each document without whitespace between its tokens.

#![forbid(unsafe_code)]

use crate::args::Minify;
use crate::commands::rewrite::Rewrite;
use crate::commands::rewrite::Verb;
use crate::exit::Exit;
use crate::exit::Trouble;
use crate::target::Target;
use fjson::Error;
use fjson::Input;
use fjson::Options;
use fjson::Summary;
use std::io;
use std::io::Write;

pub fn run(arguments: &Minify) -> Result<Exit, Trouble> {
    let Minify { inputs, output, engine, reporting } = arguments;
    Rewrite { verb: &Compact, inputs, output, engine, reporting }.run()
}

struct Compact;

impl Verb for Compact {
    fn write(&self, input: Input<'_>, target: &mut Target, options: &Options) -> Result<Summary, Error> {
        fjson::minify(input, target, options)
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    /// Minifying only leaves bytes out, so nothing changes if none is left out.
    fn is_done(&self, input: Input<'_>, options: &Options) -> Result<bool, Error> {
        let mut length = Length(0);
        let summary = fjson::minify(input, &mut length, options)?;
        Ok(length.0 == summary.bytes)
    }
}

/// Takes any output and keeps only its length.
struct Length(u64);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
