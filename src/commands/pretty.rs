//! `fjson pretty`: writes each document indented, or with `--check` lists the inputs that are not.

#![forbid(unsafe_code)]

use crate::args::OnComments;
use crate::args::Pretty;
use crate::commands::check;
use crate::commands::rewrite::Rewrite;
use crate::commands::rewrite::Verb;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::report::Finding;
use fjson::Error;
use fjson::Input;
use fjson::Layout;
use fjson::Options;
use fjson::Summary;
use std::io::Write;

/// Default of `--max-depth`. The output grows with the square of the depth: for this depth it can reach 200 MB, for ten times
/// this depth 20 GB. jq has the same limit.
pub const MAX_DEPTH: u64 = 10_000;

pub fn run(mut arguments: Pretty) -> Result<Exit, RunError> {
    arguments.engine.max_depth.get_or_insert(MAX_DEPTH);
    arguments.inputs.may_be_concatenated = true;
    arguments.inputs.skip_lines = arguments.check || arguments.output.in_place;
    arguments.inputs.skip_compressed = arguments.check;
    arguments.inputs.on_comments = if arguments.strip { OnComments::Strip } else { OnComments::Keep };
    let layout = if arguments.tab { Layout::tab() } else { Layout::spaces(arguments.indent) };
    let layout = arguments.width.map_or(layout, |columns| layout.width(columns));
    let layout = if arguments.compact_arrays { layout.compact_arrays() } else { layout };
    let Pretty { inputs, text, output, schema, engine, reporting, check, .. } = &arguments;
    let verb = &Indented { layout };
    let rewrite = Rewrite { verb, inputs, text, output, engine, reporting, schema: Some(schema) };
    if *check { check::run(&rewrite, Finding::Unformatted) } else { rewrite.run() }
}

struct Indented {
    layout: Layout,
}

impl Verb for Indented {
    fn write(
        &self,
        input: Input<'_>,
        output: &mut dyn Write,
        options: &Options,
        keeps_comments: bool,
    ) -> Result<Summary, Error> {
        if keeps_comments {
            fjson::pretty_with_comments(input, output, &self.layout, options)
        } else {
            fjson::pretty(input, output, &self.layout, options)
        }
    }

    fn keeps_lines(&self) -> bool {
        false
    }

    fn is_for_people(&self) -> bool {
        true
    }

    fn difference(&self, input: Input<'_>, options: &Options, keeps_comments: bool) -> Result<Option<u64>, Error> {
        if keeps_comments {
            fjson::pretty_with_comments_difference(input, &self.layout, options)
        } else {
            fjson::pretty_difference(input, &self.layout, options)
        }
    }
}
