//! `fjson gzip`: validates, minifies and compresses each input, to a `.gz` file in the same directory or to one output.
//!
//! An output file becomes visible only when it is complete, so it never contains a truncated member or an invalid document.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::args::gzip::Gzip;
use crate::commands::schema::Gate;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::extension::is_compressed;
use crate::name::Name;
use crate::outputs::Outputs;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::DirectSink;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;
use crate::target::Target;
use fjson::Error;
use fjson::Summary;
use std::fs;
use std::io;
use std::io::IsTerminal;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;

const TERMINAL: &str = "compressed data is not written to a terminal; redirect the output or use -o";
const ONE_INPUT: &str = "-c and -o accept only one input, because a gzip member holds one file";
const ALREADY_GZ: &str = "its name already ends in .gz; use -o to write to another file";
const TWO_INPUTS: &str = "is the output of another input; use -o";
const LINK: &str = "is a symbolic link, which is not followed; use -o to write to its target";
const EXISTS: &str = "already exists; use --force to replace it";

pub fn run(arguments: &Gzip) -> Result<Exit, RunError> {
    let mut report = Report::to_stderr(&arguments.reporting, &arguments.inputs)?;
    let inputs = Inputs { skip_compressed: true, ..arguments.inputs.clone() };
    let gate = Gate::new(Some(&arguments.schema), &arguments.engine, &inputs, &mut report)?;
    let Some(gate) = gate else { return report.finish() };
    report = if arguments.stdout { report } else { report.with_summary() };
    if arguments.stdout || arguments.output.is_some() {
        compress_to_one_output(arguments, &inputs, &gate, &mut report)?;
    } else {
        let outputs = Mutex::new(Outputs::beside(&inputs));
        let work = Beside { arguments, gate: &gate, outputs: &outputs };
        scheduler::each(&inputs, arguments.engine.threads, &work, &mut report)?;
    }
    gate.warn_if_unused(&mut report);
    report.finish()
}

/// Compresses the only input to standard output or `-o`.
fn compress_to_one_output(
    arguments: &Gzip,
    inputs: &Inputs,
    gate: &Gate<'_>,
    report: &mut Report,
) -> Result<(), RunError> {
    if let Some(second) = inputs.files.get(1) {
        return report.run_error(&RunError::new(Name::Path(second.clone()), ONE_INPUT));
    }
    let mut outputs = Outputs::beside(inputs);
    let mut count = 0;
    // The output is committed after the last input, because there may be too many.
    let mut only = None;
    let result = inputs.each(&mut |source: Result<Source, RunError>| {
        count += 1;
        let result = source.and_then(|source| {
            only = None;
            if count > 1 {
                return Err(RunError::new(source.name, ONE_INPUT));
            }
            let target = match &arguments.output {
                Some(path) if path != "-" => outputs.create(path)?,
                _ => stdout()?,
            };
            report.open(&source);
            let (framing, threads) = (inputs.framing(&source.name), arguments.engine.threads);
            let mut sink = DirectSink::new(&source.name, report);
            let is_admitted = gate.admits(&source, framing, threads, &mut sink);
            sink.into_result()?;
            if !is_admitted? {
                return Ok(());
            }
            match compress(&source, target, arguments, gate, threads)? {
                Ok(compressed) => only = Some((source.name, compressed)),
                Err(error) => report.error(&source.name, &error)?,
            }
            Ok(())
        });
        result.or_else(|error| report.run_error(&error))
    });
    let commit = |(name, compressed): (Name, Compressed)| {
        compressed.commit()?.into_iter().try_for_each(|event| report.handle(&name, event))
    };
    let result = result.and_then(|()| only.map_or(Ok(()), commit));
    result.or_else(|error| report.run_error(&error))
}

/// The work of compressing each input to a file in its directory, or standard input to standard output.
struct Beside<'a> {
    arguments: &'a Gzip,
    gate: &'a Gate<'a>,
    outputs: &'a Mutex<Outputs<'a>>,
}

impl Beside<'_> {
    fn compress(&self, source: &Source, threads: usize, sink: &mut dyn EventSink) -> Result<(), RunError> {
        let target = if source.name == Name::Stdin { stdout()? } else { Target::create(&gz_path(source)?)? };
        let framing = self.arguments.inputs.framing(&source.name);
        if sink.send(Event::Opened).is_break() || !self.gate.admits(source, framing, threads, sink)? {
            return Ok(());
        }
        let events = match compress(source, target, self.arguments, self.gate, threads)? {
            Ok(compressed) => compressed.commit()?,
            Err(error) => vec![Event::Error(error)],
        };
        let _ = events.into_iter().try_for_each(|event| sink.send(event));
        Ok(())
    }
}

impl Work for Beside<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        if let Err(error) = self.compress(&source, threads, sink) {
            let _ = sink.send(Event::RunError(error));
        }
    }

    /// Refuses an input whose output is that of an earlier one, is read, or exists.
    fn admit(&self, source: Source) -> Result<Source, RunError> {
        if source.name == Name::Stdin {
            return Ok(source);
        }
        let gz = gz_path(&source)?;
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        if outputs.has(&gz) {
            return Err(RunError::new(source.name, format!("{} {TWO_INPUTS}", Name::Path(gz))));
        }
        match fs::symlink_metadata(&gz) {
            Ok(_) if !self.arguments.force => return Err(RunError::new(Name::Path(gz), EXISTS)),
            Ok(old) if old.is_symlink() => return Err(RunError::new(Name::Path(gz), LINK)),
            _ => {}
        }
        outputs.reserve(&gz)?;
        Ok(source)
    }
}

/// The complete output of an input.
struct Compressed {
    target: Target,
    summary: Summary,
    /// The line of `--verbose`.
    line: Option<String>,
}

impl Compressed {
    /// Makes the output visible. Returns the events to report.
    fn commit(self) -> Result<Vec<Event>, RunError> {
        self.target.commit()?;
        Ok(self.line.map(Event::Line).into_iter().chain([Event::Closed(self.summary)]).collect())
    }
}

/// Compresses an input to `target`. The inner error is one of the input.
fn compress(
    source: &Source,
    mut target: Target,
    arguments: &Gzip,
    gate: &Gate<'_>,
    threads: usize,
) -> Result<Result<Compressed, Error>, RunError> {
    source.check_differs_from(target.output_file())?;
    target.copy_mode(source)?;
    let statistics = Statistics::start(&arguments.engine);
    // Validation takes much less time than compression, so it is not worth running in parallel.
    let options = arguments.engine.options(&arguments.inputs, &source.name).threads(1);
    let settings = fjson::Gzip::new().level(arguments.level.number()).keep_space(arguments.keep_space);
    let settings = settings.rsyncable(arguments.rsyncable).threads(threads);
    let input = arguments.inputs.read(source);
    let result = input.and_then(|input| fjson::gzip(input, &mut target, &settings, &options));
    if let Some(error) = target.write_error() {
        return Err(error);
    }
    gate.confirm(source)?;
    match result {
        Ok(summary) => {
            let is_verbose = arguments.reporting.verbose;
            let line = || statistics.line(&arguments.inputs, source, &summary, Some(target.written()));
            let line = is_verbose.then(line);
            Ok(Ok(Compressed { target, summary, line }))
        }
        Err(error) => Ok(Err(error)),
    }
}

fn stdout() -> Result<Target, RunError> {
    if io::stdout().is_terminal() { Err(RunError::new(Name::Stdout, TERMINAL)) } else { Target::stdout() }
}

/// Returns the path of the `.gz` file for an input.
fn gz_path(source: &Source) -> Result<PathBuf, RunError> {
    let path = source.name.path().unwrap_or(Path::new(""));
    let mut gz = path.to_path_buf();
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("gz") => {
            return Err(RunError::new(source.name.clone(), ALREADY_GZ));
        }
        _ if is_compressed(path) => _ = gz.set_extension("gz"),
        _ => _ = gz.add_extension("gz"),
    }
    Ok(gz)
}
