//! Error messages for invalid expressions, with a caret under the position of the error.

#![forbid(unsafe_code)]

use crate::args::Color;
use crate::commands::pointing::point;
use crate::exit::Exit;
use crate::extension::is_json;
use crate::figures::Count;
use crate::meant::quoted;
use crate::report::Report;
use crate::report::counted;
use crate::sanitize;
use crate::stderr;
use fjson::Query;
use fjson::QueryError;
use fjson_jq::Filter;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::path::PathBuf;

/// Number of bytes of a pattern that are shown.
const SHOWN: usize = 60;

/// Number of invalid patterns that a query keeps.
const MOST_PATTERNS: usize = 1000;

/// Number of invalid patterns that a warning shows.
const SHOWN_PATTERNS: usize = 3;

/// Prints the error in an expression of a column with `--rows`, which may lack the `@` or `$` that it begins with.
pub fn explain_column(expression: &str, error: &QueryError, color: Color) -> Exit {
    let in_row = error.suggestion().and_then(|meant| meant.strip_prefix('$'));
    match in_row.filter(|_| !expression.starts_with(['$', '/'])) {
        Some(rest) => {
            let rest = sanitize::text(rest);
            let help = format!("did you mean `@{rest}` in the row, or `${rest}` in the document?");
            point(expression, error.offset(), "expected `@` or `$`", [help], color)
        }
        None => explain(expression, error, color),
    }
}

/// Prints the error in an expression.
pub fn explain(expression: &str, error: &QueryError, color: Color) -> Exit {
    let program = program(expression);
    // A program that does not begin with a path computes something.
    let meant = error.suggestion().filter(|_| program.is_none() || expression.starts_with('.'));
    let suggestion = meant.map(|meant| format!("did you mean `{}`?", sanitize::text(meant)));
    // What is said of JSONPath does not help with a program that has no path.
    let help = error.help().filter(|_| suggestion.is_some() || program.is_none()).map(str::to_owned);
    let help = help.into_iter().chain(suggestion).chain(program);
    point(expression, error.offset(), &error.to_string(), help, color)
}

/// Returns the command for an expression that is a program in the language of jq.
fn program(expression: &str) -> Option<String> {
    let is_constant = !expression.contains(|character: char| character == '.' || character.is_alphabetic());
    let is_program = !is_constant && !expression.starts_with(['"', '$']) && Filter::new(expression).is_ok();
    is_program.then(|| format!("this is a program in the language of jq: fjson jq {}", quoted(OsStr::new(expression))))
}

/// Whether the first operand is a file, where it may be an expression or a file. `others` are the operands after it.
pub fn is_file(operand: &OsStr, others: &[PathBuf]) -> bool {
    let path = Path::new(operand);
    match operand.to_str() {
        Some("-") | None => true,
        Some(text) if Query::new(text).is_err() => path.exists() || is_json(path),
        // An absolute path is also a JSON Pointer.
        Some(text) => text.starts_with('/') && path.is_file() && (is_json(path) || others.is_empty()),
    }
}

/// Returns whether the operands are in the wrong places: a file where the expression belongs, or an expression among the files.
/// If so, prints the command line that was meant.
pub fn report_misplaced(expression: Option<&OsStr>, files: &[PathBuf], has_rows: bool) -> Option<Exit> {
    // Without a slash, a name that begins with a dot is taken for a path of jq.
    let is_path_of_jq = |name: &str| name.starts_with('.') && !name.contains('/');
    let is_file = |name: &OsStr| is_json(Path::new(name)) || Path::new(name).exists();
    let is_file = |name: &OsStr| is_file(name) && !name.to_str().is_some_and(is_path_of_jq);
    let is_expression = |name: &PathBuf| !name.exists() && name.to_str().is_some_and(|text| text.starts_with('$'));
    let other = files.iter().find(|file| is_expression(file));
    let text = match (expression, other) {
        (Some(file), _) if Query::new(file.to_str()?).is_err() && is_file(file) => {
            let is = if Path::new(file).exists() {
                "is a file"
            } else {
                "is no expression, but the name of a file, which does not exist"
            };
            let (file, other) = (quoted(file), other.map_or("EXPR".to_owned(), |other| quoted(other.as_os_str())));
            let help = if has_rows && other == "EXPR" {
                format!("with --rows, each column is an option: -p @.NAME {file}")
            } else {
                format!("fjson query {other} {file}")
            };
            format!("{file} {is}, and the expression comes first\n  = help: {help}\n")
        }
        (first, Some(other)) => {
            let other = quoted(other.as_os_str());
            let first = first.map_or("EXPR".to_owned(), quoted);
            format!(
                "{other} is an expression, not a file\n  = help: several expressions: fjson query -p {first} -p {other} FILE\n"
            )
        }
        _ => return None,
    };
    stderr::print(&format!("fjson: error: {text}")).ok();
    Some(Exit::Error)
}

/// Prints a warning about patterns that were taken from documents and are not valid, unless reports are to be quiet.
pub fn warn_of_patterns(patterns: &BTreeSet<String>, report: &mut Report) {
    let shown = patterns.iter().take(SHOWN_PATTERNS).map(|pattern| {
        let end = pattern.floor_char_boundary(SHOWN);
        let more = if end < pattern.len() { "…" } else { "" };
        format!("`{}{more}`", sanitize::text(&pattern[..end]))
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let (are, more) = match patterns.len() {
        0 => return,
        1 => ("pattern in the documents is", ""),
        SHOWN_PATTERNS.. if patterns.len() > SHOWN_PATTERNS => ("patterns in the documents are", ", …"),
        _ => ("patterns in the documents are", ""),
    };
    let least = if patterns.len() < MOST_PATTERNS { "" } else { "at least " };
    report.warn(&format!("{least}{} {are} not valid and matched nothing: {shown}{more}", patterns.len()));
}

/// Prints the error for an expression that is not UTF-8.
pub fn report_not_utf8() -> Exit {
    report("the expression is not UTF-8")
}

/// Prints the error for an expression with a name, when there are no columns.
pub fn report_name(argument: &str) -> Exit {
    report(&format!("only columns have names: {} needs --csv or --tsv", sanitize::text(argument)))
}

/// Prints the error for `--rows` without a column of the row.
pub fn report_no_row_column(expression: &str) -> Exit {
    let (name, path) = expression.split_at(expression.find(['$', '/']).unwrap_or_default());
    let column = path.strip_prefix('$').map_or_else(|| format!("{name}@.NAME"), |rest| format!("{name}@{rest}"));
    report(&format!(
        "with --rows, expressions of the row begin with @, and there is none\n  = help: {} selects in the document; in the row: -p {}",
        quoted(OsStr::new(expression)),
        quoted(OsStr::new(&column))
    ))
}

/// Prints the error for an expression of the row with `$` in a filter.
pub fn report_root_in_row(expression: &str) -> Exit {
    report(&format!("{} selects in the row, so it cannot refer to the document as $", quoted(OsStr::new(expression))))
}

/// Prints the error for `--null ''` in a table with one column of comma-separated values.
pub fn report_empty_null() -> Exit {
    report("--null '' needs a second column, because CSV readers skip empty lines; use another text or --with-filename")
}

/// Prints the error for a list of names that `--columns auto` would read twice.
pub fn report_names_read_twice() -> Exit {
    report("--columns auto reads the names of the inputs twice, so they cannot come from standard input")
}

/// Prints the error for rows that `--columns auto` finds no keys in, with the place of the first one.
pub fn report_rows_without_keys(count: u64, all: u64, first: &str) -> Exit {
    report(&format!(
        "--columns auto makes columns of the keys of objects, but {} of {} {} (the first: {first})\n  \
         = help: select objects with --where, or the elements of an array with --rows '$[*]'; or name the columns: \
         --rows '$[*]' -p '@[0]'",
        Count(count),
        counted(all, "row"),
        if count == 1 { "is not an object" } else { "are not objects" }
    ))
}

/// Prints the error for rows with too many different keys.
pub fn report_too_many_columns(most: usize) -> Exit {
    report(&format!(
        "the rows have more than {} different keys, or one of more than 256 bytes\n  \
         = help: name the columns: -p '@.id'",
        Count(most as u64)
    ))
}

/// Prints the error for a key with a lone surrogate.
pub fn report_unprintable_column(path: &str) -> Exit {
    report(&format!("the key at {} is not a name of a column, because it has a lone surrogate", sanitize::text(path)))
}

/// Prints an error.
pub fn report(message: &str) -> Exit {
    stderr::print(&format!("fjson: error: {message}\n")).ok();
    Exit::Error
}
