//! `fjson stats`: prints statistics of all inputs together, as a table or as a JSON document.

#![forbid(unsafe_code)]

mod json;
mod table;

use crate::args::Form;
use crate::args::Format;
use crate::args::Reporting;
use crate::args::Stats as Arguments;
use crate::commands::pretty::MAX_DEPTH;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::report::Report;
use crate::source::Source;
use crate::target::Target;
use fjson::Stats;
use std::ops::ControlFlow;

/// Statistics of all inputs.
struct Sums {
    inputs: u64,
    stats: Stats,
    /// Number of most frequent keys to show.
    top: usize,
    /// Whether an input could not be read to its end. Its values were counted until then, but not its documents and bytes.
    is_partial: bool,
}

pub fn run(mut arguments: Arguments) -> Result<Exit, RunError> {
    // It bounds memory, because each open container takes some bytes.
    arguments.engine.max_depth.get_or_insert(MAX_DEPTH);
    let Arguments { max_errors, color, quiet, verbose, .. } = arguments;
    let reporting = Reporting { format: Format::Human, max_errors, color, quiet, verbose };
    let mut report = Report::to_stderr(&reporting, &arguments.inputs)?;
    let mut sums = Sums { inputs: 0, stats: Stats::new(), top: arguments.top, is_partial: false };
    arguments.inputs.each(&mut |source| match source {
        Ok(source) => read(&source, &arguments, &mut sums, &mut report),
        Err(error) => report.run_error(&error),
    })?;
    let exit = report.finish()?;
    if sums.inputs == 0 && exit == Exit::Error {
        // There is nothing to show beside the error.
        return Ok(exit);
    }
    let text = match arguments.format {
        Form::Table => table::text(&sums),
        Form::Json => json::text(&sums),
    };
    Target::stdout()?.print(text)?;
    Ok(exit)
}

fn read(source: &Source, arguments: &Arguments, sums: &mut Sums, report: &mut Report) -> Result<(), RunError> {
    let name = report.open(source);
    let statistics = Statistics::start(&arguments.engine);
    let options = arguments.engine.options(&arguments.inputs, name).max_memory(arguments.max_memory);
    sums.inputs += 1;
    // If writing the report fails, for example because the disk is full, the input is not read further.
    let mut reported = Ok(());
    let result = arguments.inputs.read(source).and_then(|input| {
        sums.stats.read(input, &options, &mut |error| {
            reported = report.error(name, &error);
            if reported.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    });
    reported?;
    let summary = match result {
        Ok(summary) => summary,
        Err(error) => {
            sums.is_partial = true;
            return report.error(name, &error);
        }
    };
    if arguments.verbose {
        report.print(&statistics.line(name, &summary, None));
    }
    report.close(name, &summary)
}
