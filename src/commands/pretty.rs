//! `fjson pretty`: writes each document indented, or with `--check` lists the inputs that are not.

#![forbid(unsafe_code)]

use crate::args::Bom;
use crate::args::Format;
use crate::args::Pretty;
use crate::args::Reporting;
use crate::commands::rewrite::Rewrite;
use crate::commands::rewrite::Verb;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::EventHandler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;
use crate::target::Target;
use fjson::ByteOrderMark;
use fjson::Error;
use fjson::Input;
use fjson::Layout;
use fjson::Options;
use fjson::Summary;
use std::io;
use std::io::IsTerminal;
use std::io::Write;

/// Default of `--max-depth`. The output grows with the square of the depth: for this depth it can reach 200 MB, for ten times
/// this depth 20 GB. jq has the same limit.
pub const MAX_DEPTH: u64 = 10_000;

pub fn run(mut arguments: Pretty) -> Result<Exit, RunError> {
    arguments.engine.max_depth.get_or_insert(MAX_DEPTH);
    arguments.inputs.may_be_concatenated = true;
    arguments.inputs.skip_lines = arguments.check || arguments.output.in_place;
    arguments.inputs.skip_compressed = arguments.check;
    let layout = if arguments.tab { Layout::tab() } else { Layout::spaces(arguments.indent) };
    let layout = arguments.width.map_or(layout, |columns| layout.width(columns));
    let layout = if arguments.compact_arrays { layout.compact_arrays() } else { layout };
    if arguments.check {
        check(&arguments, layout)
    } else {
        let Pretty { inputs, text, output, engine, reporting, .. } = &arguments;
        Rewrite { verb: &Indented { layout }, inputs, text, output, engine, reporting }.run()
    }
}

struct Indented {
    layout: Layout,
}

impl Verb for Indented {
    fn write(&self, input: Input<'_>, output: &mut dyn Write, options: &Options) -> Result<Summary, Error> {
        fjson::pretty(input, output, &self.layout, options)
    }

    fn keeps_lines(&self) -> bool {
        false
    }

    fn is_for_people(&self) -> bool {
        true
    }

    fn is_done(&self, input: Input<'_>, options: &Options) -> Result<bool, Error> {
        Ok(fjson::pretty_difference(input, &self.layout, options)?.is_none())
    }
}

/// Lists each input that `pretty` would change: its name on standard output, or a finding in a machine-readable report.
fn check(arguments: &Pretty, layout: Layout) -> Result<Exit, RunError> {
    let report = Report::as_output(&arguments.reporting, &arguments.inputs)?;
    let mut handler = CheckHandler { report, reporting: &arguments.reporting };
    scheduler::each(&arguments.inputs, arguments.engine.threads, &Check { arguments, layout }, &mut handler)?;
    handler.report.finish()
}

struct Check<'a> {
    arguments: &'a Pretty,
    layout: Layout,
}

impl Work for Check<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        let Pretty { inputs, text, engine, .. } = self.arguments;
        if sink.send(Event::Opened).is_break() {
            return;
        }
        let options = text.options(engine.options(inputs, &source.name)).threads(threads);
        let strips_mark =
            inputs.bom == Bom::Strip && matches!(inputs.byte_order_mark(&source), Ok(Some(ByteOrderMark::Utf8)));
        let event = match inputs.read(&source).and_then(|input| fjson::pretty_difference(input, &self.layout, &options))
        {
            Ok(_) if strips_mark => Event::Unformatted(0),
            Ok(None) => Event::Passed,
            Ok(Some(offset)) => Event::Unformatted(offset),
            Err(error) => Event::Error(error),
        };
        // This is the last event, so it does not matter whether the sink accepts more.
        let _ = sink.send(event);
    }
}

struct CheckHandler<'a> {
    report: Report,
    reporting: &'a Reporting,
}

impl EventHandler for CheckHandler<'_> {
    fn handle(&mut self, name: &Name, event: Event) -> Result<(), RunError> {
        match event {
            Event::Unformatted(_) if self.reporting.format == Format::Human => {
                self.report.count_unformatted();
                if self.reporting.quiet { Ok(()) } else { print_name(name) }
            }
            event => self.report.handle(name, event),
        }
    }
}

/// Prints the name of an input on a line: sanitized if standard output is a terminal, otherwise its exact bytes.
fn print_name(name: &Name) -> Result<(), RunError> {
    let line = if io::stdout().is_terminal() { name.to_string().into_bytes() } else { name.bytes().to_vec() };
    Target::stdout()?.print([&line[..], b"\n"].concat())
}
