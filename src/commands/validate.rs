//! `fjson validate`: reports the errors of each input; prints nothing about valid inputs.

#![forbid(unsafe_code)]

use crate::args::schema::Validate;
use crate::commands::schema::Checker;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;
use fjson::Error;
use fjson::Summary;

pub fn run(mut arguments: Validate) -> Result<Exit, RunError> {
    arguments.schema.inputs_are_schemas = arguments.check_schema;
    let Validate { schema, inputs, engine, reporting, .. } = &arguments;
    let mut report = Report::as_output(reporting, inputs)?;
    let mut work = Validating { arguments: &arguments, checker: None };
    if schema.is_used() {
        let checker = Checker::new(schema, engine, inputs, &mut report)?;
        let checker = checker.map(|checker| checker.showing_deprecated(reporting.verbose));
        let is_quiet = reporting.quiet;
        work.checker = checker.map(|checker| if is_quiet { checker } else { checker.showing_misspelled(&mut report) });
        if work.checker.is_none() {
            return report.finish();
        }
    }
    scheduler::each(inputs, engine.threads, &work, &mut report)?;
    if let Some(checker) = &work.checker {
        checker.warn_if_unused(&mut report);
    }
    report.finish()
}

struct Validating<'v> {
    arguments: &'v Validate,
    /// What documents are validated with beside the rules of JSON.
    checker: Option<Checker<'v>>,
}

impl Validating<'_> {
    /// Sends the errors of an input. Returns `None` if the sink accepts no more, for example because the disk is full.
    fn validate(&self, source: &Source, threads: usize, sink: &mut dyn EventSink) -> Option<Result<Summary, Error>> {
        let Validate { inputs, engine, reporting, .. } = self.arguments;
        if let Some(checker) = &self.checker {
            return checker.check(source, inputs.framing(&source.name), threads, sink);
        }
        let options = engine.options(inputs, &source.name).threads(threads);
        let options = options.max_errors(reporting.errors_per_document());
        let mut is_open = true;
        let result = inputs.read(source).and_then(|input| {
            fjson::validate_each(input, &options, &mut |error| {
                let flow = sink.send(Event::Error(error));
                is_open = flow.is_continue();
                flow
            })
        });
        is_open.then_some(result)
    }
}

impl Work for Validating<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        let Validate { inputs, engine, reporting, .. } = self.arguments;
        // To find the lines of violations.
        let source = if self.checker.is_some() { source.kept() } else { source };
        let statistics = Statistics::start(engine);
        if sink.send(Event::Opened).is_break() {
            return;
        }
        let event = match self.validate(&source, threads, sink) {
            None => return,
            Some(Ok(summary)) => {
                if reporting.verbose {
                    let _ = sink.send(Event::Line(statistics.line(inputs, &source, &summary, None)));
                }
                Event::Closed(summary)
            }
            Some(Err(error)) => Event::Error(error),
        };
        let _ = sink.send(event);
    }
}
