//! `fjson gzip`: validates, minifies and compresses each input, to a `.gz` file in the same directory or to one output.
//!
//! An output file becomes visible only when it is complete, so it never contains a truncated member or an invalid document.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::args::gzip::Gzip;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::inputs::is_compressed;
use crate::name::Name;
use crate::report::Report;
use crate::source::Source;
use crate::target::Target;
use std::fs;
use std::io;
use std::io::IsTerminal;
use std::path::Path;
use std::path::PathBuf;

const TERMINAL: &str = "compressed data is not written to a terminal; redirect the output or use -o";
const ONE_INPUT: &str = "-c and -o accept only one input, because a gzip member holds one file";
const ALREADY_GZ: &str = "its name already ends in .gz; use -o to write to another file";
const EXISTS: &str = "already exists; use --force to replace it";

pub fn run(arguments: &Gzip) -> Result<Exit, RunError> {
    let mut report = Report::to_stderr(&arguments.reporting, &arguments.inputs)?;
    let inputs = Inputs { skip_compressed: true, ..arguments.inputs.clone() };
    report = if arguments.stdout { report } else { report.with_summary() };
    let has_one_output = arguments.stdout || arguments.output.is_some();
    if let Some(second) = inputs.files.get(1).filter(|_| has_one_output) {
        report.run_error(&RunError::new(Name::Path(second.clone()), ONE_INPUT))?;
        return report.finish();
    }
    let mut count = 0;
    let result = inputs.each(&mut |source: Result<Source, RunError>| {
        count += 1;
        let result = source.and_then(|source| {
            if count > 1 && has_one_output {
                return Err(RunError::new(source.name, ONE_INPUT));
            }
            compress(&source, arguments, &mut report)
        });
        result.or_else(|error| report.run_error(&error))
    });
    result.or_else(|error| report.run_error(&error))?;
    report.finish()
}

fn compress(source: &Source, arguments: &Gzip, report: &mut Report) -> Result<(), RunError> {
    let mut target = match &arguments.output {
        Some(path) if path == "-" => stdout()?,
        Some(path) => Target::create(path)?,
        None if arguments.stdout || source.name == Name::Stdin => stdout()?,
        None => Target::create(&gz_path(source, arguments.force)?)?,
    };
    target.output_file().check_differs_from(source)?;
    target.copy_mode(source)?;
    let name = report.open(source);
    let statistics = Statistics::start(&arguments.engine);
    // Validation takes much less time than compression, so it is not worth running in parallel.
    let options = arguments.engine.options(&arguments.inputs, name).threads(1);
    let settings = fjson::Gzip::new().level(arguments.level.number()).keep_space(arguments.keep_space);
    let settings = settings.rsyncable(arguments.rsyncable).threads(arguments.engine.threads);
    let input = arguments.inputs.read(source);
    match input.and_then(|input| fjson::gzip(input, &mut target, &settings, &options)) {
        Ok(summary) => {
            if arguments.reporting.verbose {
                report.print(&statistics.line(name, &summary, Some(target.written())));
            }
            target.commit()?;
            report.close(name, &summary)
        }
        Err(error) => target.write_error().map_or_else(|| report.error(name, &error), Err),
    }
}

fn stdout() -> Result<Target, RunError> {
    if io::stdout().is_terminal() { Err(RunError::new(Name::Stdout, TERMINAL)) } else { Target::stdout() }
}

/// Returns the path of the `.gz` file for an input. Fails if the file exists, unless `force` is set.
fn gz_path(source: &Source, force: bool) -> Result<PathBuf, RunError> {
    let path = source.name.path().unwrap_or(Path::new(""));
    let mut gz = path.to_path_buf();
    match path.extension() {
        Some(extension) if extension == "gz" => return Err(RunError::new(source.name.clone(), ALREADY_GZ)),
        _ if is_compressed(path) => _ = gz.set_extension("gz"),
        _ => _ = gz.add_extension("gz"),
    }
    if !force && fs::symlink_metadata(&gz).is_ok() {
        return Err(RunError::new(Name::Path(gz), EXISTS));
    }
    Ok(gz)
}
