//! `fjson pretty`: writes each document with one value per line, or says which inputs are not written like that.

#![forbid(unsafe_code)]

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
use fjson::Error;
use fjson::Input;
use fjson::Layout;
use fjson::Options;
use fjson::Summary;
use std::io;
use std::io::IsTerminal;
use std::io::Write;

/// The output grows with the square of the depth: a document of this depth may grow to 200 MB, one ten times as deep to
/// 20 GB. It is also what jq takes.
pub const MAX_DEPTH: u64 = 10_000;

pub fn run(mut arguments: Pretty) -> Result<Exit, RunError> {
    arguments.engine.max_depth.get_or_insert(MAX_DEPTH);
    arguments.inputs.skip_lines = arguments.check || arguments.output.in_place;
    arguments.inputs.skip_compressed = arguments.check;
    let layout = if arguments.tab { Layout::tab() } else { Layout::spaces(arguments.indent) };
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

    fn is_done(&self, input: Input<'_>, options: &Options) -> Result<bool, Error> {
        Ok(fjson::pretty_difference(input, &self.layout, options)?.is_none())
    }
}

/// Names each input that `pretty` would change: to people and scripts on standard output, to machines in their report.
fn check(arguments: &Pretty, layout: Layout) -> Result<Exit, RunError> {
    let report = Report::as_output(&arguments.reporting)?;
    let mut names = Names { report, reporting: &arguments.reporting };
    scheduler::each(&arguments.inputs, arguments.engine.threads, &Check { arguments, layout }, &mut names)?;
    names.report.finish()
}

struct Check<'a> {
    arguments: &'a Pretty,
    layout: Layout,
}

impl Work for Check<'_> {
    fn work(&self, source: &Source, threads: usize, say: &mut dyn EventSink) {
        let Pretty { inputs, text, engine, .. } = self.arguments;
        if say.say(Event::Opened(source.size())).is_break() {
            return;
        }
        let options = text.options(engine.options(inputs, &source.name)).threads(threads);
        let told = match fjson::pretty_difference(inputs.read(source), &self.layout, &options) {
            Ok(None) => Event::Clean,
            Ok(Some(offset)) => Event::Unformatted(offset),
            Err(error) => Event::Error(error),
        };
        // Nobody needs to be told that nobody listens.
        let _ = say.say(told);
    }
}

struct Names<'a> {
    report: Report,
    reporting: &'a Reporting,
}

impl EventHandler for Names<'_> {
    fn tell(&mut self, name: &Name, told: Event) -> Result<(), RunError> {
        match told {
            Event::Unformatted(_) if self.reporting.format == Format::Human => {
                self.report.worsen(Exit::No);
                if self.reporting.quiet { Ok(()) } else { print_name(name) }
            }
            told => self.report.tell(name, told),
        }
    }
}

/// A terminal gets a harmless name, a program the bytes of the name.
fn print_name(name: &Name) -> Result<(), RunError> {
    let line = if io::stdout().is_terminal() { name.to_string().into_bytes() } else { name.bytes().to_vec() };
    Target::stdout()?.print([&line[..], b"\n"].concat())
}
