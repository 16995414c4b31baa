//! `fjson validate`: says what is wrong with each input, and nothing about those that are valid.

#![forbid(unsafe_code)]

use crate::args::Validate;
use crate::commands::statistics::Statistics;
use crate::crew;
use crate::crew::Say;
use crate::exit::Exit;
use crate::exit::Trouble;
use crate::report::Report;
use crate::report::Told;
use crate::source::Source;
use std::ops::ControlFlow;

pub fn run(arguments: &Validate) -> Result<Exit, Trouble> {
    let mut report = Report::as_output(&arguments.reporting)?;
    crew::each(
        &arguments.inputs,
        arguments.engine.threads,
        &|source, threads, say| check(source, arguments, threads, say),
        &mut |name, told| report.tell(name, told),
    )?;
    report.finish()
}

fn check(source: &Source, arguments: &Validate, threads: usize, say: Say<'_>) {
    let name = &source.name;
    let statistics = Statistics::start(&arguments.engine);
    let options = arguments.engine.options(&arguments.inputs, name).threads(threads);
    // The report itself may fail (a full disk), and that ends the reading.
    let mut flow = ControlFlow::Continue(());
    let result = fjson::validate_each(arguments.inputs.read(source), &options, &mut |error| {
        flow = say(Told::Error(error));
        flow
    });
    if flow.is_break() {
        return;
    }
    let told = match result {
        Ok(summary) => {
            if arguments.reporting.verbose {
                let _ = say(Told::Line(statistics.line(name, &summary, None)));
            }
            Told::Closed(summary)
        }
        Err(error) => Told::Error(error),
    };
    let _ = say(told);
}
