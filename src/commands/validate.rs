//! `fjson validate`: reports the errors of each input; prints nothing about valid inputs.

#![forbid(unsafe_code)]

mod checking;
mod locator;
mod places;
mod schemas;

use crate::args::Validate;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;

pub fn run(arguments: &Validate) -> Result<Exit, RunError> {
    if arguments.schema.is_used() {
        return checking::run(arguments);
    }
    let mut report = Report::as_output(&arguments.reporting, &arguments.inputs)?;
    scheduler::each(&arguments.inputs, arguments.engine.threads, arguments, &mut report)?;
    report.finish()
}

impl Work for Validate {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        let name = &source.name;
        let statistics = Statistics::start(&self.engine);
        let options = self.engine.options(&self.inputs, name).threads(threads);
        let options = options.max_errors(self.reporting.errors_per_document());
        // If writing the report fails, for example because the disk is full, the input is not read further.
        let mut flow = sink.send(Event::Opened);
        if flow.is_break() {
            return;
        }
        let result = self.inputs.read(&source).and_then(|input| {
            fjson::validate_each(input, &options, &mut |error| {
                flow = sink.send(Event::Error(error));
                flow
            })
        });
        if flow.is_break() {
            return;
        }
        let event = match result {
            Ok(summary) => {
                if self.reporting.verbose {
                    let _ = sink.send(Event::Line(statistics.line(&self.inputs, &source, &summary, None)));
                }
                Event::Closed(summary)
            }
            Err(error) => Event::Error(error),
        };
        let _ = sink.send(event);
    }
}
