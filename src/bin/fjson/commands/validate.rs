//! `fjson validate`: says what is wrong with each input, and nothing about those that are valid.

#![forbid(unsafe_code)]

use crate::args::Validate;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::Trouble;
use crate::report::Report;
use crate::source::Source;
use std::ops::ControlFlow;

pub fn run(arguments: &Validate) -> Result<Exit, Trouble> {
    let mut report = Report::as_output(&arguments.reporting)?;
    arguments.inputs.each(&mut |source| match source {
        Ok(source) => check(&source, arguments, &mut report),
        Err(trouble) => report.trouble(&trouble),
    })?;
    report.finish()
}

fn check(source: &Source, arguments: &Validate, report: &mut Report) -> Result<(), Trouble> {
    let name = report.open(source);
    let statistics = Statistics::start(&arguments.engine);
    let options = arguments.engine.options(&arguments.inputs, name);
    // The report itself may fail (a full disk), and that ends the reading.
    let mut reported = Ok(());
    let result = fjson::validate_each(arguments.inputs.read(source), &options, &mut |error| {
        reported = report.error(name, &error);
        if reported.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    reported?;
    let summary = match result {
        Ok(summary) => summary,
        Err(error) => return report.error(name, &error),
    };
    if arguments.reporting.verbose {
        report.say(&statistics.line(name, &summary, None));
    }
    report.close(name, &summary)
}
