//! The published suites: the contents of their directories, and the results that the names of their files demand.

#![forbid(unsafe_code)]

use crate::args::bench::Published;
use crate::commands::bench::read;
use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Suite;
use crate::commands::bench::suite::Verifier;
use crate::commands::bench::suite::programs;
use crate::commands::bench::suite::queries;
use crate::commands::bench::suite::schemas;
use crate::commands::bench::suite::values;
use crate::commands::bench::suite::verifier::Verdict;
use crate::exit::RunError;
use crate::name::Name;
use crate::sanitize;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

/// Files of a suite, or rows of one of its tables.
struct SuitePart {
    name: &'static str,
    source: Source,
    /// Number of cases in the suite as it was published.
    published: usize,
}

enum Source {
    /// Documents in a directory, chosen by name, all with the same demand.
    Documents(&'static str, fn(&str) -> bool, Demand),
    /// Documents in a directory whose values are checked.
    Values(&'static str, fn(&Verifier, &str, &[u8]) -> Result<(), String>),
    /// An array in a file, with one case per row.
    Table(&'static str, fn(&Verifier, &[u8]) -> Result<(), String>),
}

#[derive(Clone, Copy)]
enum Demand {
    Accept,
    Reject,
    /// RFC 8259 allows both, or the suite does not count the document.
    Either,
}

const fn part(name: &'static str, published: usize, source: Source) -> SuitePart {
    SuitePart { name, source, published }
}

const JSON_TEST_SUITE: &[SuitePart] = &[
    part("y_ files", 95, Source::Documents("test_parsing", |name| name.starts_with("y_"), Demand::Accept)),
    part("n_ files", 188, Source::Documents("test_parsing", |name| name.starts_with("n_"), Demand::Reject)),
    part("i_ files", 35, Source::Documents("test_parsing", |name| name.starts_with("i_"), Demand::Either)),
    part("test_transform", 22, Source::Values("test_transform", transform)),
];

const NATIVEJSON: &[SuitePart] = &[
    part("JSON_checker pass", 3, Source::Documents("jsonchecker", |name| is_checked(name, "pass"), Demand::Accept)),
    part("JSON_checker fail", 31, Source::Documents("jsonchecker", |name| is_checked(name, "fail"), Demand::Reject)),
    part("JSON_checker EXCLUDE", 2, Source::Documents("jsonchecker", is_excluded, Demand::Either)),
    part("data sets", 3, Source::Documents("", |name| DATA_SETS.contains(&name), Demand::Accept)),
    part("doubles", 66, Source::Table("doubles.json", values::double)),
    part("strings", 9, Source::Table("strings.json", values::string)),
    part("round trips", 27, Source::Values("roundtrip", |verifier, _, text| values::round_trip(verifier, text))),
];

const DATA_SETS: [&str; 3] = ["canada.json", "citm_catalog.json", "twitter.json"];

fn is_excluded(name: &str) -> bool {
    name.contains("EXCLUDE")
}

fn is_checked(name: &str, start: &str) -> bool {
    name.starts_with(start) && !is_excluded(name)
}

pub fn run(published: Published, place: PathBuf, verifier: &Verifier) -> Result<Suite, RunError> {
    let of_parts = |parts: &[SuitePart]| parts.iter().map(|part| category(part, &place, verifier)).collect();
    let categories = match published {
        Published::JsonTestSuite => of_parts(JSON_TEST_SUITE),
        Published::Nativejson => of_parts(NATIVEJSON),
        Published::JsonpathCts => {
            let path = place.join("cts.json");
            let text = fs::read(&path).map_err(|error| failure(&path, &error))?;
            queries::run(verifier, &text).map_err(|reason| RunError::new(Name::Path(path), reason))
        }
        Published::JsonSchema => schemas::run(&place),
        Published::Jq => programs::run(&place),
    }?;
    Ok(Suite { name: published.name(), place: Some(place), categories })
}

fn failure(path: &Path, error: &io::Error) -> RunError {
    RunError::io(Name::Path(path.to_owned()), error)
}

fn category(part: &SuitePart, place: &Path, verifier: &Verifier) -> Result<Category, RunError> {
    let (expected, cases) = match &part.source {
        Source::Documents(folder, holds, demand) => {
            let check = |_: &str, text: &[u8]| document(text, *demand, verifier);
            let name = match demand {
                Demand::Accept => "accepted",
                Demand::Reject => "rejected",
                Demand::Either => "either",
            };
            (name, files(&place.join(folder), *holds, check)?)
        }
        Source::Values(folder, check) => {
            let check = |name: &str, text: &[u8]| of_result(check(verifier, name, text));
            ("values", files(&place.join(folder), |_| true, check)?)
        }
        Source::Table(name, check) => ("values", rows(&place.join(name), name, |row| check(verifier, row))?),
    };
    // Some copies of the suites do not have the tables and directories with values. Those cases are not run.
    let is_absent = cases.is_empty() && expected == "values";
    let not_run = is_absent.then_some((part.published, "this copy of the suite does not have them"));
    Ok(Category { name: part.name, expected, cases, not_run, published: part.published })
}

/// Whether a document was accepted, and what is wrong, if anything.
type Checked = (bool, Option<String>);

fn of_result(result: Result<(), String>) -> Checked {
    (result.is_ok(), result.err())
}

fn document(text: &[u8], demand: Demand, verifier: &Verifier) -> Checked {
    let verdict = verifier.verdict(text);
    let failure = match (demand, &verdict) {
        (_, Err(disagreement)) => Some(disagreement.clone()),
        (Demand::Accept, Ok(verdict @ Verdict::Reject(..))) => Some(format!("{verdict}, but it must be accepted")),
        (Demand::Reject, Ok(Verdict::Accept)) => Some("accepted, but it must be rejected".to_owned()),
        _ => None,
    };
    (verdict == Ok(Verdict::Accept), failure)
}

fn transform(verifier: &Verifier, name: &str, text: &[u8]) -> Result<(), String> {
    let rows = read::all(values::TRANSFORM.as_bytes(), "$[*]")?;
    let row = rows.iter().find(|row| read::string_at(row, "/file").is_some_and(|file| file == name));
    values::transform(verifier, row.ok_or("no outcome is written down for this file")?, text)
}

/// Checks the `.json` files of a directory that `holds` chooses, in the order of their names. A missing directory is empty.
fn files(
    folder: &Path,
    holds: fn(&str) -> bool,
    check: impl Fn(&str, &[u8]) -> Checked,
) -> Result<Vec<Case>, RunError> {
    let mut cases = Vec::new();
    for path in names(folder, holds).map_err(|error| failure(folder, &error))? {
        let text = fs::read(&path).map_err(|error| failure(&path, &error))?;
        let name = path.file_name().unwrap_or_default();
        let (accepted, failure) = check(&name.to_string_lossy(), &text);
        cases.push(Case { name: sanitize::bytes(name.as_encoded_bytes()), accepted, failure });
    }
    Ok(cases)
}

fn names(folder: &Path, holds: fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let is_held = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        path.extension().is_some_and(|extension| extension == "json") && name.is_some_and(holds)
    };
    let mut names: Vec<_> = paths.into_iter().filter(is_held).collect();
    names.sort();
    Ok(names)
}

/// Checks each row of a table. A missing file is an empty table; a file that is not a table is one failed case.
fn rows(path: &Path, name: &str, check: impl Fn(&[u8]) -> Result<(), String>) -> Result<Vec<Case>, RunError> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| failure(path, &error))?,
    };
    let case = |name: String, result| {
        let (accepted, failure) = of_result(result);
        Case { name, failure, accepted }
    };
    Ok(match read::all(&text, "$[*]") {
        Ok(rows) => (1..).zip(&rows).map(|(number, row)| case(format!("row {number}"), check(row))).collect(),
        Err(reason) => vec![case(name.to_owned(), Err(reason))],
    })
}
