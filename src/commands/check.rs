//! `--check`: lists the inputs that a command would change, and writes no documents.

#![forbid(unsafe_code)]

use crate::args::Format;
use crate::args::Reporting;
use crate::commands::rewrite::Rewrite;
use crate::commands::schema::Gate;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Event;
use crate::report::Finding;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::EventHandler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;
use crate::target::Target;
use std::io;
use std::io::IsTerminal;

/// Lists each input that would change: its name on standard output, or a finding in a machine-readable report.
pub fn run(rewrite: &Rewrite<'_>, finding: Finding) -> Result<Exit, RunError> {
    let Rewrite { inputs, engine, reporting, .. } = rewrite;
    let mut report = Report::as_output(reporting, inputs)?;
    let Some(gate) = Gate::new(rewrite.schema, engine, inputs, &mut report)? else { return report.finish() };
    let mut handler = Handler { report, reporting };
    scheduler::each(inputs, engine.threads, &Check { rewrite, gate: &gate, finding }, &mut handler)?;
    gate.warn_if_unused(&mut handler.report);
    handler.report.finish()
}

struct Check<'a> {
    rewrite: &'a Rewrite<'a>,
    gate: &'a Gate<'a>,
    finding: Finding,
}

impl Work for Check<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        let Rewrite { verb, inputs, .. } = self.rewrite;
        if sink.send(Event::Opened).is_break() {
            return;
        }
        match self.rewrite.admits(self.gate, &source, threads, sink) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                let _ = sink.send(Event::RunError(error));
                return;
            }
        }
        let options = self.rewrite.options(&source, threads);
        let keeps_comments = self.rewrite.keeps_comments(&source);
        let compared = inputs
            .read_stripped(&source)
            .and_then(|(input, is_stripped)| Ok((verb.difference(input, &options, keeps_comments)?, is_stripped)));
        let event = match compared {
            Ok((_, is_stripped)) if is_stripped || self.rewrite.strips_comments(&source) => {
                Event::Differs(self.finding, 0)
            }
            Ok((None, _)) => Event::Passed,
            Ok((Some(offset), _)) => Event::Differs(self.finding, offset),
            Err(error) => Event::Error(error),
        };
        let event = self.gate.confirm(&source).map_or_else(Event::RunError, |()| event);
        // This is the last event, so it does not matter whether the sink accepts more.
        let _ = sink.send(event);
    }

    fn admit(&self, source: Source) -> Result<Source, RunError> {
        self.rewrite.admit(source)
    }
}

struct Handler<'a> {
    report: Report,
    reporting: &'a Reporting,
}

impl EventHandler for Handler<'_> {
    fn handle(&mut self, name: &Name, event: Event) -> Result<(), RunError> {
        match event {
            Event::Differs(finding, _) if self.reporting.format == Format::Human => {
                self.report.count_difference(finding);
                if self.reporting.quiet { Ok(()) } else { print_name(name) }
            }
            event => self.report.handle(name, event),
        }
    }
}

/// Prints the name of an input on a line.
fn print_name(name: &Name) -> Result<(), RunError> {
    Target::stdout()?.print([&name.printed(io::stdout().is_terminal())[..], b"\n"].concat())
}
