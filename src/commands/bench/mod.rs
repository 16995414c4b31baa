//! `fjson bench`: measures speed and conformance on the user's machine and files.
//!
//! A `session` collects plain `results`; all reports are made from them. `measure` takes samples of `work`, `statistics`
//! estimates medians, `suite` runs conformance suites, `shapes` generates documents, `versus` times other programs and
//! `baseline` compares with an earlier run.

#![forbid(unsafe_code)]

mod baseline;
mod clock;
mod grid;
mod html;
mod job;
mod json;
mod junit;
mod machine;
mod measure;
mod measured;
mod operation;
mod progress;
mod question;
mod read;
mod results;
mod session;
mod shapes;
mod statistics;
mod suite;
mod table;
mod threads;
mod values;
mod versus;
pub mod words;
mod work;

use crate::args::bench::Bench;
use crate::args::bench::Format;
use crate::args::bench::Output;
use crate::args::bench::Shape;
use crate::commands::bench::baseline::Baseline;
use crate::commands::bench::clock::Monotonic;
use crate::commands::bench::html::Page;
use crate::commands::bench::results::Results;
use crate::commands::bench::session::Session;
use crate::commands::bench::table::Table;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::output_file::SAME_FILE;
use crate::outputs::Outputs;
use crate::outputs::check_stdout;
use crate::target::Target;
use std::path::PathBuf;

pub fn run(arguments: &Bench) -> Result<Exit, RunError> {
    if let (Some(shape), Some(size)) = (arguments.generation.emit, arguments.generation.size) {
        return emit(shape, size);
    }
    if !arguments.inputs.files.is_empty() {
        check_stdout(&arguments.inputs, SAME_FILE)?;
    }
    // Errors of files are reported before minutes of measuring.
    let path = arguments.measurement.baseline.as_deref();
    let baseline = path.map(Baseline::read).transpose()?;
    let mut outputs = Outputs::beside(&arguments.inputs);
    let mut create = |path: &Option<PathBuf>| path.as_deref().map(|path| outputs.create(path)).transpose();
    let (json, page) = (create(&arguments.output.export_json)?, create(&arguments.output.report)?);
    let clock = Monotonic::start();
    let (mut results, mut worst) = Session::new(arguments, &clock)?.run(outputs.files())?;
    if let (Some(baseline), Some(path)) = (baseline, path) {
        match baseline.changes(&results.measured, path) {
            Ok(changes) => results.changes = Some(changes),
            Err(error) => worst = error.print(),
        }
    }
    let json = json.map(|target| written(target, &json::render(&results))).transpose()?;
    let page = page.map(|target| written(target, &Page(&results).to_string())).transpose()?;
    print(&results, &arguments.output)?;
    // Earlier results are not replaced by those of a part of the inputs.
    if worst < Exit::Error {
        json.into_iter().chain(page).try_for_each(Target::commit)?;
    }
    Ok(if results.fail() { worst.max(Exit::Invalid) } else { worst })
}

/// Writes a generated document to standard output, piece by piece.
fn emit(shape: Shape, size: u64) -> Result<Exit, RunError> {
    let mut target = Target::stdout()?;
    shape.recipe().write(size, &mut |chunk| target.print(chunk))?;
    Ok(Exit::Success)
}

/// Writes `text` to `target`, which is to be committed.
fn written(mut target: Target, text: &str) -> Result<Target, RunError> {
    target.print(text)?;
    Ok(target)
}

fn print(results: &Results, output: &Output) -> Result<(), RunError> {
    if output.quiet {
        return Ok(());
    }
    Target::stdout()?.print(match output.format {
        Format::Human => Table(results).to_string(),
        Format::Json => json::render(results),
        Format::Junit => junit::render(results),
    })
}
