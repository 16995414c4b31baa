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

pub fn run(mut arguments: Minify) -> Result<Exit, RunError> {
    arguments.inputs.may_be_concatenated = true;
    let Minify { inputs, text, canonical, newline, output, schema, engine, reporting, .. } = &arguments;
    let verb = &Minified { is_canonical: *canonical, newline: *newline };
    let schema = Some(schema);
    Rewrite { verb, inputs, text, output, engine, reporting, schema }.run()
}

struct Minified {
    /// Whether the output is in canonical form.
    is_canonical: bool,
    /// Whether a newline ends the output of each input.
    newline: bool,
}

impl Verb for Minified {
    fn write(&self, input: Input<'_>, output: &mut dyn Write, options: &Options, _: bool) -> Result<Summary, Error> {
        let write = if self.is_canonical { fjson::canonical } else { fjson::minify };
        write(input, output, &options.clone().final_newline(self.newline))
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn is_for_people(&self) -> bool {
        false
    }

    fn difference(&self, input: Input<'_>, options: &Options, _: bool) -> Result<Option<u64>, Error> {
        let difference = if self.is_canonical { fjson::canonical_difference } else { fjson::minified_difference };
        difference(input, &options.clone().final_newline(self.newline))
    }
}
