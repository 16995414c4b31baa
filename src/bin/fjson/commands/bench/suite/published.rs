//! The published suites: what is in their folders, and what the names of their files demand.

#![forbid(unsafe_code)]

use crate::commands::bench::figures::real;
use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Judge;
use crate::commands::bench::suite::Published;
use crate::commands::bench::suite::Suite;
use crate::commands::bench::suite::judge::Verdict;
use crate::exit::Trouble;
use crate::harmless;
use crate::name::Name;
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

/// Cases that need more than a verdict.
struct Unable {
    name: &'static str,
    published: usize,
}

const VALUES: &str = "needs the values of numbers and strings";

const JSON_TEST_SUITE: (&[Part], &[Unable]) = (
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
    &[Unable { name: "test_transform", published: 22 }],
);

const NATIVEJSON: (&[Part], &[Unable]) = (
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
        Unable { name: "doubles", published: 66 },
        Unable { name: "strings", published: 9 },
        Unable { name: "round trips", published: 27 },
    ],
);

pub fn run(
    published: Published,
    place: PathBuf,
    judge: &Judge,
    progress: &mut dyn FnMut(&str, f64),
) -> Result<Suite, Trouble> {
    let (parts, unable) = match published {
        Published::JsonTestSuite => JSON_TEST_SUITE,
        Published::Nativejson => NATIVEJSON,
    };
    let mut categories = Vec::new();
    for part in parts {
        categories.push(category(part, &place.join(part.folder), judge, &mut |done| progress(published.name(), done))?);
    }
    categories.extend(unable.iter().map(|&Unable { name, published }| Category {
        name,
        demand: "values",
        cases: Vec::new(),
        not_run: Some((published, VALUES)),
        published,
    }));
    Ok(Suite { name: published.name(), place: Some(place), categories })
}

fn category(part: &Part, folder: &Path, judge: &Judge, progress: &mut dyn FnMut(f64)) -> Result<Category, Trouble> {
    let trouble = |path: &Path, error: &io::Error| Trouble::io(Name::Path(path.to_owned()), error);
    let names = names(folder, part).map_err(|error| trouble(folder, &error))?;
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

/// The files of a part, sorted; none if the folder is not there.
fn names(folder: &Path, part: &Part) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let name = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(part.holds);
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
    Case { name: harmless::bytes(name), failure, accepted: verdict == Ok(Verdict::Accept) }
}
