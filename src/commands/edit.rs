//! `fjson edit`, `set`, `delete`, `patch` and `merge`: change values and leave all other bytes as they are.

#![forbid(unsafe_code)]

use crate::args::Color;
use crate::args::OnComments;
use crate::args::Reporting;
use crate::args::Text;
use crate::args::edit::Changing;
use crate::args::edit::Delete;
use crate::args::edit::Edit;
use crate::args::edit::Merge;
use crate::args::edit::Operation;
use crate::args::edit::Patch;
use crate::args::edit::Set;
use crate::commands::check;
use crate::commands::pointing::point;
use crate::commands::query::mistake;
use crate::commands::rewrite::Rewrite;
use crate::commands::rewrite::Verb;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::extension::is_json;
use crate::meant::quoted;
use crate::name::Name;
use crate::report::Finding;
use crate::report::Report;
use crate::sanitize;
use crate::source::Source;
use crate::stderr;
use fjson::EditError;
use fjson::EditSummary;
use fjson::Edits;
use fjson::Error;
use fjson::ErrorKind;
use fjson::Input;
use fjson::Options;
use fjson::Query;
use fjson::Summary;
use std::ffi::OsStr;
use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

pub fn edit(arguments: Edit) -> Result<Exit, RunError> {
    let Edit { operations, parents, missing_ok, changing } = arguments;
    let mut edits = Edits::new().parents(parents).missing_ok(missing_ok);
    for operation in &operations.0 {
        if let Err(exit) = add(&mut edits, operation, &changing)? {
            return Ok(exit);
        }
    }
    run(edits, changing)
}

pub fn set(arguments: Set) -> Result<Exit, RunError> {
    let Set { path, value, string, parents, missing_ok, changing } = arguments;
    let mut edits = Edits::new().parents(parents).missing_ok(missing_ok);
    let operation = Operation { name: if string { "set-string" } else { "value" }, operands: vec![path, value] };
    match add(&mut edits, &operation, &changing)? {
        Ok(()) => run(edits, changing),
        Err(exit) => Ok(exit),
    }
}

pub fn delete(arguments: Delete) -> Result<Exit, RunError> {
    let Delete { path, paths, missing_ok, changing } = arguments;
    let mut edits = Edits::new().missing_ok(missing_ok);
    for path in [path].into_iter().chain(paths) {
        if let Err(exit) = add(&mut edits, &Operation { name: "delete", operands: vec![path] }, &changing)? {
            return Ok(exit);
        }
    }
    let is_path = |file: &&PathBuf| file.to_str().is_some_and(|file| file.starts_with(['/', '$'])) && !file.exists();
    if let Some(path) = changing.inputs.files.iter().find(is_path) {
        let path = quoted(path.as_os_str());
        let help = format!("further paths follow --path (-p): -p {path}");
        stderr::print(&format!("fjson: error: {path} is no file\n  = help: {help}\n")).ok();
        return Ok(Exit::Error);
    }
    run(edits, changing)
}

pub fn patch(arguments: Patch) -> Result<Exit, RunError> {
    let Patch { patch, changing } = arguments;
    apply(&patch, changing, |edits, text| edits.patch(text).map(drop))
}

pub fn merge(arguments: Merge) -> Result<Exit, RunError> {
    let Merge { patch, changing } = arguments;
    apply(&patch, changing, |edits, text| edits.merge(text).map(drop))
}

/// Adds a change of the command line. If it is none, prints the error and returns the exit status.
fn add(edits: &mut Edits, operation: &Operation, changing: &Changing) -> Result<Result<(), Exit>, RunError> {
    let Operation { name, operands } = operation;
    let (first, second) = (operands[0].as_str(), operands.get(1).map_or("", String::as_str));
    let paths = if matches!(*name, "move" | "copy") { &operands[..] } else { &operands[..1] };
    if let Err(exit) = paths.iter().try_for_each(|path| check_path(name, path, changing.reporting.color)) {
        return Ok(Err(exit));
    }
    let added = match *name {
        "set" | "value" => edits.set(first, second),
        "set-string" => edits.set(first, &json_string(second)?),
        "set-file" => {
            let text = read_text(Path::new(second), changing)?;
            return match edits.set(first, &text) {
                Ok(_) => Ok(Ok(())),
                Err(error) => report_file(Path::new(second), error.error(), &changing.reporting).map(Err),
            };
        }
        "insert" => edits.insert(first, second),
        "append" => edits.append(first, second),
        "delete" => edits.delete(first),
        "rename" => edits.rename(first, second),
        "move" => edits.move_to(first, second),
        "copy" => edits.copy_to(first, second),
        _ => edits.test(first, second),
    };
    Ok(added.map(drop).map_err(|error| explain(name, [first, second], &error, changing.reporting.color)))
}

/// Prints the error if a target of a change is no path.
fn check_path(name: &str, path: &str, color: Color) -> Result<(), Exit> {
    let Err(error) = Query::new(path) else { return Ok(()) };
    if is_json(Path::new(path)) || Path::new(path).exists() {
        let file = quoted(OsStr::new(path));
        let help = match name {
            "set" | "value" | "set-string" => {
                "\n  = help: the path and the value come first: fjson set PATH VALUE FILE"
            }
            "delete" => "\n  = help: the path comes first: fjson delete PATH FILE",
            _ => "",
        };
        stderr::print(&format!("fjson: error: {file} is a file, expected a path{help}\n")).ok();
        return Err(Exit::Error);
    }
    Err(mistake::explain(path, &error, color))
}

/// Prints the error in an operand of a change.
fn explain(name: &str, operands: [&str; 2], error: &EditError, color: Color) -> Exit {
    let error = error.error();
    let offset = usize::try_from(error.offset()).unwrap_or_default();
    let help = error.help().map(sanitize::text);
    if error.kind() == ErrorKind::InvalidPath {
        // Both are paths, but move and copy accept no queries.
        let path = operands.into_iter().find(|path| !path.is_empty() && !path.starts_with('/')).unwrap_or_default();
        return point(path, offset, &error.to_string(), help, color);
    }
    let is_file = is_json(Path::new(operands[1])) || Path::new(operands[1]).exists();
    // `fjson set` has one option for this, and `fjson edit` one for each change.
    let as_string = match name {
        "value" => Some("--string"),
        "set" => Some("--set-string"),
        _ => None,
    };
    if let Some(option) = as_string.filter(|_| is_file) {
        let file = quoted(OsStr::new(operands[1]));
        let meant = format!("the value comes before the file; if {file} is the value, {option} takes it as it is");
        return point(operands[1], 0, &format!("the value is not JSON: {error}"), [meant], color);
    }
    let option = as_string.map_or("a string needs quotes".to_owned(), |option| format!("{option} takes it as it is"));
    let string = json_string(operands[1]).unwrap_or_default();
    let meant = format!("did you mean {}? {option}", quoted(OsStr::new(&string)));
    let message = format!("the value is not JSON: {error}");
    // Brackets and quotes are those of a mistaken container or string, and other spellings of literals may be either.
    let is_no_text = operands[1].trim_start().starts_with(['{', '[', '"', '\'']);
    let is_literal = ["true", "false", "null", "none"].iter().any(|literal| operands[1].eq_ignore_ascii_case(literal));
    // Options are for inputs.
    let correction = help.filter(|_| is_no_text || is_literal);
    let correction = correction.map(|help| help.split(", or read the input ").next().unwrap_or(&help).to_owned());
    let meant = Some(meant).filter(|_| correction.is_none() || is_literal);
    point(operands[1], offset.min(operands[1].len()), &message, correction.into_iter().chain(meant), color)
}

/// Returns the JSON text of a string.
fn json_string(text: &str) -> Result<String, RunError> {
    fjson::to_string(text).map_err(|error| RunError::new(Name::Stdin, error.to_string()))
}

/// Reads a patch, and applies it to the inputs.
fn apply(
    patch: &Path,
    changing: Changing,
    add: impl FnOnce(&mut Edits, &str) -> Result<(), EditError>,
) -> Result<Exit, RunError> {
    let text = read_text(patch, &changing)?;
    let mut edits = Edits::new();
    match add(&mut edits, &text) {
        Ok(()) => run(edits, changing),
        Err(error) => report_file(patch, error.error(), &changing.reporting),
    }
}

/// Reads a file whose text is a value or a patch.
fn read_text(path: &Path, changing: &Changing) -> Result<String, RunError> {
    let source = Source::named(path)?;
    if source.is_directory() {
        return Err(RunError::new(source.name, "is a directory, expected a file"));
    }
    let text = changing.inputs.read_whole(&source)?;
    String::from_utf8(text).map_err(|_| RunError::new(source.name, "is not UTF-8"))
}

/// Reports the error in a file that is not an input. Returns the exit status.
fn report_file(path: &Path, error: &Error, reporting: &Reporting) -> Result<Exit, RunError> {
    let name = if path == "-" { Name::Stdin } else { Name::Path(path.to_path_buf()) };
    let mut report = Report::without_progress(reporting)?;
    report.error(&name, error)?;
    report.worsen(Exit::Error);
    report.finish()
}

/// Changes all inputs.
fn run(edits: Edits, changing: Changing) -> Result<Exit, RunError> {
    let Changing { output, check, indent, max_memory, mut inputs, engine, reporting } = changing;
    let edits = if let Some(spaces) = indent { edits.indent(spaces) } else { edits };
    inputs.skip_compressed = check;
    inputs.on_comments = OnComments::Keep;
    let text = Text { sort_keys: false, natural: false, escape: Vec::new(), max_memory };
    let rewrite = Rewrite {
        verb: &Changed { edits },
        inputs: &inputs,
        text: &text,
        output: &output,
        engine: &engine,
        reporting: &reporting,
        schema: None,
    };
    if check { check::run(&rewrite, Finding::Outdated) } else { rewrite.run() }
}

struct Changed {
    edits: Edits,
}

impl Changed {
    fn apply(
        &self,
        input: Input<'_>,
        output: &mut dyn Write,
        options: &Options,
        keeps_comments: bool,
    ) -> Result<EditSummary, Error> {
        let applied = if keeps_comments {
            self.edits.apply_with_comments(input, output, options)
        } else {
            self.edits.apply(input, output, options)
        };
        applied.map_err(EditError::into_error)
    }
}

impl Verb for Changed {
    fn write(
        &self,
        input: Input<'_>,
        output: &mut dyn Write,
        options: &Options,
        keeps_comments: bool,
    ) -> Result<Summary, Error> {
        self.apply(input, output, options, keeps_comments).map(|summary| summary.read)
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn is_for_people(&self) -> bool {
        true
    }

    fn difference(&self, input: Input<'_>, options: &Options, keeps_comments: bool) -> Result<Option<u64>, Error> {
        self.apply(input, &mut io::sink(), options, keeps_comments).map(|summary| summary.first_change)
    }
}
