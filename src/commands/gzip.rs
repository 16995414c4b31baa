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
use crate::replacement::directory_of;
use crate::report::Report;
use crate::source::Source;
use crate::target::Target;
use fjson::Summary;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::io::IsTerminal;
use std::path::Path;
use std::path::PathBuf;

const TERMINAL: &str = "compressed data is not written to a terminal; redirect the output or use -o";
const ONE_INPUT: &str = "-c and -o accept only one input, because a gzip member holds one file";
const ALREADY_GZ: &str = "its name already ends in .gz; use -o to write to another file";
const TWO_INPUTS: &str = "is the output of another input; use -o";
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
    let mut outputs = HashSet::new();
    // The one output is committed after the last input, because there may be too many.
    let mut only = None;
    let result = inputs.each(&mut |source: Result<Source, RunError>| {
        count += 1;
        let result = source.and_then(|source| {
            if count > 1 && has_one_output {
                only = None;
                return Err(RunError::new(source.name, ONE_INPUT));
            }
            let compressed = compress(&source, arguments, &mut outputs, &mut report)?;
            if has_one_output {
                only = compressed;
                return Ok(());
            }
            compressed.map_or(Ok(()), |compressed| compressed.commit(&mut report))
        });
        result.or_else(|error| report.run_error(&error))
    });
    let result = result.and_then(|()| only.take().map_or(Ok(()), |compressed| compressed.commit(&mut report)));
    result.or_else(|error| report.run_error(&error))?;
    report.finish()
}

/// The complete output of an input.
struct Compressed {
    target: Target,
    name: Name,
    summary: Summary,
    /// The line of `--verbose`.
    line: Option<String>,
}

impl Compressed {
    /// Makes the output visible.
    fn commit(self, report: &mut Report) -> Result<(), RunError> {
        self.target.commit()?;
        if let Some(line) = &self.line {
            report.print(line);
        }
        report.close(&self.name, &self.summary)
    }
}

/// Compresses an input. Returns `None` if it is invalid. `outputs` are the files that were written before.
fn compress(
    source: &Source,
    arguments: &Gzip,
    outputs: &mut HashSet<PathBuf>,
    report: &mut Report,
) -> Result<Option<Compressed>, RunError> {
    let mut target = match &arguments.output {
        Some(path) if path == "-" => stdout()?,
        Some(path) => Target::create(path)?,
        None if arguments.stdout || source.name == Name::Stdin => stdout()?,
        None => {
            let path = gz_path(source, arguments.force)?;
            let target = Target::create(&path)?;
            if !outputs.insert(resolved(&path)) {
                return Err(RunError::new(source.name.clone(), format!("{} {TWO_INPUTS}", Name::Path(path))));
            }
            target
        }
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
            let is_verbose = arguments.reporting.verbose;
            let line = is_verbose.then(|| statistics.line(name, &summary, Some(target.written())));
            Ok(Some(Compressed { target, name: name.clone(), summary, line }))
        }
        Err(error) => target.write_error().map_or_else(|| report.error(name, &error), Err).map(|()| None),
    }
}

/// Returns the path of a new file with its directory resolved, so that each file has one path.
fn resolved(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    directory_of(path).canonicalize().map_or_else(|_| path.to_path_buf(), |directory| directory.join(name))
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
