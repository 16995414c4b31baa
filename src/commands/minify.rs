//! `fjson minify`: writes each document without whitespace between tokens, or in canonical form.

#![forbid(unsafe_code)]

use crate::args::Minify;
use crate::commands::rewrite::Rewrite;
use crate::commands::rewrite::Verb;
use crate::exit::Exit;
use crate::exit::RunError;
use fjson::Error;
use fjson::Input;
use fjson::Options;
use fjson::Summary;
use std::io::Write;

pub fn run(arguments: &Minify) -> Result<Exit, RunError> {
    let Minify { inputs, text, canonical, output, engine, reporting, .. } = arguments;
    let verb: &dyn Verb = if *canonical { &Canonical } else { &Compact };
    Rewrite { verb, inputs, text, output, engine, reporting }.run()
}

struct Compact;

impl Verb for Compact {
    fn write(&self, input: Input<'_>, output: &mut dyn Write, options: &Options) -> Result<Summary, Error> {
        fjson::minify(input, output, options)
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn is_for_people(&self) -> bool {
        false
    }

    fn is_done(&self, input: Input<'_>, options: &Options) -> Result<bool, Error> {
        Ok(fjson::minified_difference(input, options)?.is_none())
    }
}

struct Canonical;

impl Verb for Canonical {
    fn write(&self, input: Input<'_>, output: &mut dyn Write, options: &Options) -> Result<Summary, Error> {
        fjson::canonical(input, output, options)
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn is_for_people(&self) -> bool {
        false
    }

    fn is_done(&self, input: Input<'_>, options: &Options) -> Result<bool, Error> {
        Ok(fjson::canonical_difference(input, options)?.is_none())
    }
}
