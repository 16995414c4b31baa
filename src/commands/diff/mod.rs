//! `fjson diff`: what changed between two documents.

#![forbid(unsafe_code)]

mod records;
mod text;

use crate::args::Color;
use crate::args::Format;
use crate::args::Inputs;
use crate::args::Reporting;
use crate::args::diff::Diff;
use crate::args::diff::DiffForm;
use crate::commands::diff::text::Lines;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::inputs::STDIN_TWICE;
use crate::name::Name;
use crate::output_file::SAME_FILE;
use crate::outputs::check_stdout;
use crate::report::Report;
use crate::source::Source;
use crate::stderr;
use crate::target::Target;
use fjson::ArrayMatching;
use fjson::Changes;
use fjson::DiffOptions;
use fjson::Error;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::OwnedDocument;
use fjson::OwnedRecords;
use fjson::Parser;
use fjson::diff;
use fjson::diff_records;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

const NO_MERGE_PATCH: &str = "no merge patch can make this document of the other one, because it would have to set a member to null or to \
replace an object with duplicate keys (see --format patch)";
const FORMAT_OF_RECORDS: &str = "a patch is made of documents, not of records; leave out --format";
const JD_HAS_NO_KEYS: &str = "the format of jd cannot express differences of elements that are matched by key";
/// The file that stands for no document, as git names the missing side of a new file.
const NO_DOCUMENT: &str = "/dev/null";

/// Why a comparison has failed.
enum Trouble {
    /// An input is invalid.
    Input(Name, Error),
    Run(RunError),
}

impl From<RunError> for Trouble {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

pub fn run(arguments: &Diff) -> Result<Exit, RunError> {
    if [&arguments.old, &arguments.new].iter().all(|name| **name == Path::new("-")) {
        return Err(RunError::new(Name::Stdin, STDIN_TWICE));
    }
    let options = options(arguments);
    if let Err(exit) = check_paths(arguments) {
        return Ok(exit);
    }
    let [old, new] = [&arguments.old, &arguments.new].map(|path| {
        let source = Source::named(path)?;
        if source.is_directory() {
            return Err(RunError::new(source.name, "is a directory, expected a file"));
        }
        Ok(source)
    });
    let (old, new) = (old?, new?);
    let inputs = arguments.inputs();
    let files = vec![arguments.old.clone(), arguments.new.clone()];
    check_stdout(&Inputs { files, ..inputs.clone() }, SAME_FILE)?;
    let are_lines = [&old, &new].iter().any(|source| inputs.framing(&source.name) == Framing::Lines);
    if are_lines && arguments.format != DiffForm::Text {
        return Err(RunError::new(old.name, FORMAT_OF_RECORDS));
    }
    if arguments.format == DiffForm::Jd && matches!(arguments.array, Some(ArrayMatching::Key(_))) {
        return Err(RunError::new(old.name, JD_HAS_NO_KEYS));
    }
    let mut target = Target::stdout()?;
    let compared = match &arguments.key {
        Some(key) => records::join(arguments, &options, key, [&old, &new], &mut target),
        None if are_lines => compare_records(arguments, &options, [old, new], &mut target),
        None => compare_documents(arguments, &options, [old, new], &mut target),
    };
    match compared {
        Ok(true) => Ok(Exit::Success),
        Ok(false) => Ok(Exit::Invalid),
        Err(Trouble::Run(error)) => Err(target.write_error().unwrap_or(error)),
        Err(Trouble::Input(name, error)) => {
            target.end_line_for_message()?;
            let reporting = Reporting {
                format: Format::Human,
                max_errors: None,
                color: arguments.color,
                quiet: false,
                verbose: false,
            };
            let mut report = Report::without_progress(&reporting)?;
            report.error(&name, &error)?;
            report.worsen(Exit::Error);
            report.finish()
        }
    }
}

fn options(arguments: &Diff) -> DiffOptions {
    let arrays = arguments.array.clone().unwrap_or_default();
    let context = if arguments.format == DiffForm::Text { arguments.context.unwrap_or(0) } else { 0 };
    let options = DiffOptions::new().arrays(arrays).tolerance(arguments.tolerance.unwrap_or(0.0)).context(context);
    arguments.ignored.iter().fold(options, |options, path| options.ignore(path))
}

/// Prints the error if a value of `--ignore` is no path.
fn check_paths(arguments: &Diff) -> Result<(), Exit> {
    for path in &arguments.ignored {
        if let Err(error) = fjson::Query::new(path) {
            return Err(super::query::mistake::explain(path, &error, arguments.color));
        }
    }
    Ok(())
}

/// Reads both inputs at the same time.
fn both<T: Send>(
    [old, new]: [Source; 2],
    read: impl Fn(&Source) -> Result<T, Trouble> + Sync,
) -> Result<(T, T), Trouble> {
    // Without another thread, they are read one after the other.
    let (new, read_new) = (Mutex::new(Some(new)), &read);
    let take = || new.lock().unwrap_or_else(PoisonError::into_inner).take();
    let read_new = || take().map(|new| read_new(&new));
    thread::scope(|scope| {
        let other = thread::Builder::new().spawn_scoped(scope, read_new);
        let old = read(&old)?;
        let new = other.ok().and_then(|other| other.join().ok()).flatten().or_else(read_new);
        let was_not_read = || Err(RunError::new(Name::Stdin, "was not read").into());
        Ok((old, new.unwrap_or_else(was_not_read)?))
    })
}

fn parser(arguments: &Diff, source: &Source) -> Parser {
    Parser::with_options(&arguments.engine.options(&arguments.inputs(), &source.name))
}

/// Compares two documents. Returns whether they are equal.
fn compare_documents(
    arguments: &Diff,
    options: &DiffOptions,
    sources: [Source; 2],
    target: &mut Target,
) -> Result<bool, Trouble> {
    let name = sources[0].name.clone();
    let (old, new) = both(sources, |source| {
        if source.name.path() == Some(Path::new(NO_DOCUMENT)) {
            return Ok(None);
        }
        let text = arguments.inputs().read_whole(source)?;
        let read = parser(arguments, source).owned_document(text);
        read.map(Some).map_err(|error| Trouble::Input(source.name.clone(), error))
    })?;
    let (old, new) = match (&old, &new) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return Ok(true),
        (old, new) => return one_side(arguments, (old.as_ref(), new.as_ref()), target),
    };
    finish(arguments, name, diff(old.root(), new.root(), options), target)
}

/// Prints the only document, which was added or removed.
fn one_side(
    arguments: &Diff,
    (old, new): (Option<&OwnedDocument>, Option<&OwnedDocument>),
    target: &mut Target,
) -> Result<bool, Trouble> {
    if arguments.format != DiffForm::Text {
        return Err(RunError::new(Name::Path(NO_DOCUMENT.into()), "is no document, so there is no patch").into());
    }
    if !arguments.quiet {
        let mut lines = Lines::new(arguments, target);
        lines.difference("", "", old.map(OwnedDocument::root), new.map(OwnedDocument::root));
        lines.end(target)?;
    }
    Ok(false)
}

/// Compares the records of two inputs, which are held in memory. Returns whether they are equal.
fn compare_records(
    arguments: &Diff,
    options: &DiffOptions,
    sources: [Source; 2],
    target: &mut Target,
) -> Result<bool, Trouble> {
    let name = sources[0].name.clone();
    let (old, new): (OwnedRecords, OwnedRecords) = both(sources, |source| {
        let text = arguments.inputs().read_whole(source)?;
        let records = parser(arguments, source).owned_records(text);
        records.map_err(|error| Trouble::Input(source.name.clone(), error))
    })?;
    finish(arguments, name, diff_records(&old.iter(), &new.iter(), options), target)
}

/// Returns the error of a comparison whose inputs are valid.
fn failed(name: Name, error: Error) -> Trouble {
    debug_assert_ne!(error.kind(), ErrorKind::InvalidPath, "paths were checked");
    Trouble::Input(name, error)
}

/// Prints the result of a comparison. Returns whether there is no change.
fn finish(
    arguments: &Diff,
    name: Name,
    changes: Result<Changes<'_>, Error>,
    target: &mut Target,
) -> Result<bool, Trouble> {
    let changes = changes.map_err(|error| failed(name, error))?;
    print(arguments, &changes, target)?;
    Ok(changes.is_empty())
}

fn print(arguments: &Diff, changes: &Changes<'_>, target: &mut Target) -> Result<(), Trouble> {
    if arguments.quiet {
        return Ok(());
    }
    let mut text = Vec::new();
    let written = match arguments.format {
        DiffForm::Text => {
            let mut lines = Lines::new(arguments, target);
            for change in changes.with_context() {
                let pointer = change.own_pointer();
                if change.is_context() {
                    lines.context("", &pointer, change.old_value());
                } else {
                    lines.difference("", &pointer, change.old_value(), change.new_value());
                }
                lines.write_full(target)?;
            }
            return Ok(lines.end(target)?);
        }
        DiffForm::Patch => changes.write_patch(&mut text),
        DiffForm::Jd => changes.write_jd(&mut text),
        DiffForm::Merge => match changes.to_merge_patch() {
            Some(patch) => {
                text = patch.into_bytes();
                Ok(())
            }
            None => return Err(RunError::new(Name::Path(arguments.new.clone()), NO_MERGE_PATCH).into()),
        },
    };
    written.map_err(|error| RunError::io(Name::Stdout, &error))?;
    if arguments.format != DiffForm::Jd {
        text.push(b'\n');
    }
    Ok(target.print(text)?)
}

/// Whether differences are colored.
fn is_colored(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => crate::report::has_color(&std::io::stdout()),
    }
}

/// Resets the colors of the terminal if the program is ended while it writes.
fn guard_colors(is_colored: bool, target: &Target) {
    if is_colored && target.is_terminal() {
        stderr::reset_color_at_termination();
    }
}
