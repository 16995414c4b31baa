//! The published suites: what is in their folders, and what the names of their files demand.

#![forbid(unsafe_code)]

use crate::commands::bench::figures::real;
use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Judge;
use crate::commands::bench::suite::Published;
use crate::commands::bench::suite::Suite;
use crate::commands::bench::suite::judge::Verdict;
use crate::commands::bench::suite::queries;
use crate::commands::bench::suite::table;
use crate::commands::bench::suite::table::Row;
use crate::commands::bench::suite::values;
use crate::exit::RunError;
use crate::name::Name;
use crate::sanitize;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::path::PathBuf;

/// What a suite demands of a document.
#[derive(Clone, Copy)]
enum Demand {
    Accept,
    Reject,
    /// RFC 8259 leaves it open, or the suite does not count it.
    Open,
}

/// Files of a suite of which the same is demanded.
struct Part {
    name: &'static str,
    folder: &'static str,
    holds: fn(&str) -> bool,
    demand: Demand,
    published: usize,
}

/// Cases that need values.
struct Values {
    name: &'static str,
    place: Place,
    published: usize,
}

/// Where cases that need values are, and what is done with each.
#[derive(Clone, Copy)]
enum Place {
    /// A table beside the suite: one row is one case.
    Table(&'static str, fn(&Judge, &Row) -> Result<(), String>),
    /// A folder of files.
    Folder(&'static str, fn(&Judge, &str, &[u8]) -> Result<(), String>),
}

const JSON_TEST_SUITE: (&[Part], &[Values]) = (
    &[
        Part {
            name: "y_ files",
            folder: "test_parsing",
            holds: |name| name.starts_with("y_"),
            demand: Demand::Accept,
            published: 95,
        },
        Part {
            name: "n_ files",
            folder: "test_parsing",
            holds: |name| name.starts_with("n_"),
            demand: Demand::Reject,
            published: 188,
        },
        Part {
            name: "i_ files",
            folder: "test_parsing",
            holds: |name| name.starts_with("i_"),
            demand: Demand::Open,
            published: 35,
        },
    ],
    &[Values { name: "test_transform", place: Place::Folder("test_transform", transform), published: 22 }],
);

const NATIVEJSON: (&[Part], &[Values]) = (
    &[
        Part {
            name: "JSON_checker pass",
            folder: "jsonchecker",
            holds: |name| name.starts_with("pass") && !name.contains("EXCLUDE"),
            demand: Demand::Accept,
            published: 3,
        },
        Part {
            name: "JSON_checker fail",
            folder: "jsonchecker",
            holds: |name| name.starts_with("fail") && !name.contains("EXCLUDE"),
            demand: Demand::Reject,
            published: 31,
        },
        Part {
            name: "JSON_checker EXCLUDE",
            folder: "jsonchecker",
            holds: |name| name.contains("EXCLUDE"),
            demand: Demand::Open,
            published: 2,
        },
        Part {
            name: "data sets",
            folder: "",
            holds: |name| ["canada.json", "citm_catalog.json", "twitter.json"].contains(&name),
            demand: Demand::Accept,
            published: 3,
        },
    ],
    &[
        Values { name: "doubles", place: Place::Table("doubles.json", values::double), published: 66 },
        Values { name: "strings", place: Place::Table("strings.json", values::string), published: 9 },
        Values { name: "round trips", place: Place::Folder("roundtrip", round_trip), published: 27 },
    ],
);

pub fn run(
    published: Published,
    place: PathBuf,
    judge: &Judge,
    progress: &mut dyn FnMut(&str, f64),
) -> Result<Suite, RunError> {
    let (parts, values) = match published {
        Published::JsonTestSuite => JSON_TEST_SUITE,
        Published::Nativejson => NATIVEJSON,
        Published::JsonpathCts => return of_queries(place, judge),
    };
    let mut categories = Vec::new();
    for part in parts {
        categories.push(category(part, &place.join(part.folder), judge, &mut |done| progress(published.name(), done))?);
    }
    for values in values {
        categories.push(of_values(values, &place, judge)?);
    }
    Ok(Suite { name: published.name(), place: Some(place), categories })
}

/// The suite of queries, which is one file.
fn of_queries(place: PathBuf, judge: &Judge) -> Result<Suite, RunError> {
    let path = place.join("cts.json");
    let text = fs::read(&path).map_err(|error| trouble(&path, &error))?;
    let categories = queries::run(judge, &text).map_err(|reason| RunError::new(Name::Path(path), reason))?;
    Ok(Suite { name: Published::JsonpathCts.name(), place: Some(place), categories })
}

fn trouble(path: &Path, error: &io::Error) -> RunError {
    RunError::io(Name::Path(path.to_owned()), error)
}

/// The cases that need values. Copies of the suites that are published elsewhere lack tables and folders: then they are not
/// run.
fn of_values(values: &Values, place: &Path, judge: &Judge) -> Result<Category, RunError> {
    let mut category =
        Category { name: values.name, demand: "values", cases: Vec::new(), not_run: None, published: values.published };
    let mut push = |name: String, result: Result<(), String>| {
        category.cases.push(Case { name, accepted: result.is_ok(), failure: result.err() });
    };
    match values.place {
        Place::Table(name, check) => {
            let path = place.join(name);
            let text = match fs::read(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                text => Some(text.map_err(|error| trouble(&path, &error))?),
            };
            match text.as_deref().map_or(Ok(Vec::new()), table::rows) {
                Ok(rows) => (1..).zip(&rows).for_each(|(number, row)| push(format!("row {number}"), check(judge, row))),
                Err(reason) => push(name.to_owned(), Err(reason)),
            }
        }
        Place::Folder(name, check) => {
            let folder = place.join(name);
            for path in names(&folder, |_| true).map_err(|error| trouble(&folder, &error))? {
                let text = fs::read(&path).map_err(|error| trouble(&path, &error))?;
                let name = path.file_name().unwrap_or_default();
                push(sanitize::bytes(name.as_bytes()), check(judge, &name.to_string_lossy(), &text));
            }
        }
    }
    if category.cases.is_empty() {
        category.not_run = Some((values.published, "this copy of the suite does not have them"));
    }
    Ok(category)
}

fn round_trip(judge: &Judge, _: &str, text: &[u8]) -> Result<(), String> {
    values::round_trip(judge, text)
}

fn transform(judge: &Judge, name: &str, text: &[u8]) -> Result<(), String> {
    let rows = table::rows(values::TRANSFORM.as_bytes())?;
    let row = rows.iter().find(|row| row.get("file").is_some_and(|file| file == name));
    values::transform(judge, row.ok_or("no outcome is written down for this file")?, text)
}

fn category(part: &Part, folder: &Path, judge: &Judge, progress: &mut dyn FnMut(f64)) -> Result<Category, RunError> {
    let names = names(folder, part.holds).map_err(|error| trouble(folder, &error))?;
    let mut cases = Vec::new();
    for (number, path) in names.iter().enumerate() {
        progress(real(number) / real(names.len()));
        let text = fs::read(path).map_err(|error| trouble(path, &error))?;
        cases.push(case(path, &text, part.demand, judge));
    }
    let demand = match part.demand {
        Demand::Accept => "accept",
        Demand::Reject => "reject",
        Demand::Open => "either",
    };
    Ok(Category { name: part.name, demand, cases, not_run: None, published: part.published })
}

/// The files of a folder that belong to a part, sorted; none if the folder is not there.
fn names(folder: &Path, holds: fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let name = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(holds);
    let mut names: Vec<_> = paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "json") && name(path))
        .collect();
    names.sort();
    Ok(names)
}

fn case(path: &Path, text: &[u8], demand: Demand, judge: &Judge) -> Case {
    let verdict = judge.verdict(text);
    let failure = match (demand, &verdict) {
        (_, Err(disagreement)) => Some(disagreement.clone()),
        (Demand::Accept, Ok(verdict @ Verdict::Reject(..))) => Some(format!("{verdict}, but it must be accepted")),
        (Demand::Reject, Ok(Verdict::Accept)) => Some("accepted, but it must be rejected".to_owned()),
        _ => None,
    };
    let name = path.file_name().unwrap_or_default().as_bytes();
    Case { name: sanitize::bytes(name), failure, accepted: verdict == Ok(Verdict::Accept) }
}
