//! `fjson gzip`: checks, minifies and compresses each input, beside the file or to standard output.
//!
//! A file appears when it is complete, so no other program ever finds half a member or one of an invalid document.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::args::gzip::Gzip;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Report;
use crate::source::Source;
use crate::target::Target;
use std::fs;
use std::io;
use std::io::IsTerminal;
use std::path::Path;
use std::path::PathBuf;

const TERMINAL: &str = "a terminal does not show compressed data (redirect it, or name a file with -o)";
const ONE_INPUT: &str = "-c and -o take one input, for a member holds one file";
const NO_PLACE: &str = "its name ends in .gz already (-o names another file)";

pub fn run(arguments: &Gzip) -> Result<Exit, RunError> {
    let mut report = Report::beside_output(&arguments.reporting, true)?;
    let inputs = Inputs { skip_compressed: true, ..arguments.inputs.clone() };
    let has_one_place = arguments.stdout || arguments.output.is_some();
    if let Some(second) = inputs.files.get(1).filter(|_| has_one_place) {
        report.trouble(&RunError::new(Name::Path(second.clone()), ONE_INPUT))?;
        return report.finish();
    }
    let mut count = 0;
    let done = inputs.each(&mut |source: Result<Source, RunError>| {
        count += 1;
        let done = source.and_then(|source| {
            if count > 1 && has_one_place {
                return Err(RunError::new(source.name, ONE_INPUT));
            }
            compress(&source, arguments, &mut report)
        });
        done.or_else(|trouble| report.trouble(&trouble))
    });
    done.or_else(|trouble| report.trouble(&trouble))?;
    report.finish()
}

fn compress(source: &Source, arguments: &Gzip, report: &mut Report) -> Result<(), RunError> {
    let mut target = match &arguments.output {
        Some(path) => Target::create(path)?,
        None if arguments.stdout || source.name == Name::Stdin => stdout()?,
        None => Target::create(&beside(source, arguments.force)?)?,
    };
    target.taken().must_not_be(source)?;
    target.take_mode_of(source)?;
    let name = report.open(source);
    let statistics = Statistics::start(&arguments.engine);
    // Checking takes so little beside compressing that it is not worth dividing.
    let options = arguments.engine.options(&arguments.inputs, name).threads(1);
    let settings = fjson::Gzip::new().level(arguments.level.number()).keep_space(arguments.keep_space);
    let settings = settings.rsyncable(arguments.rsyncable).threads(arguments.engine.threads);
    match fjson::gzip(arguments.inputs.read(source), &mut target, &settings, &options) {
        Ok(summary) => {
            if arguments.reporting.verbose {
                report.say(&statistics.line(name, &summary, Some(target.written())));
            }
            target.commit()?;
            report.close(name, &summary)
        }
        Err(error) => target.trouble().map_or_else(|| report.error(name, &error), Err),
    }
}

fn stdout() -> Result<Target, RunError> {
    if io::stdout().is_terminal() { Err(RunError::new(Name::Stdout, TERMINAL)) } else { Target::stdout() }
}

/// The name of the file beside an input.
fn beside(source: &Source, force: bool) -> Result<PathBuf, RunError> {
    let path = source.name.path().unwrap_or(Path::new(""));
    let mut beside = path.to_path_buf();
    match path.extension() {
        Some(extension) if extension == "gz" => return Err(RunError::new(source.name.clone(), NO_PLACE)),
        Some(extension) if extension == "zst" => _ = beside.set_extension("gz"),
        _ => _ = beside.add_extension("gz"),
    }
    if !force && fs::symlink_metadata(&beside).is_ok() {
        return Err(RunError::new(Name::Path(beside), "it is there already (--force replaces it)"));
    }
    Ok(beside)
}
