//! The JSON-Schema-Test-Suite: what each schema says about each value, for the drafts from 4 to 2020-12.

#![forbid(unsafe_code)]

use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::exit::RunError;
use crate::name::Name;
use fjson::Parser;
use fjson::Value;
use fjson_schema::Draft;
use fjson_schema::Loaded;
use fjson_schema::Resolver;
use fjson_schema::Schema;
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

/// The folders of the drafts, and the number of tests in each as it was published.
const DRAFTS: [(&str, Draft, usize); 5] = [
    ("draft4", Draft::Draft4, 937),
    ("draft6", Draft::Draft6, 1270),
    ("draft7", Draft::Draft7, 1721),
    ("draft2019-09", Draft::Draft201909, 2174),
    ("draft2020-12", Draft::Draft202012, 2225),
];

/// Tests that are not run, and why.
const OF_VOCABULARY: &str = "optional/format-assertion.json";
const NOT_RUN: &str = "`--formats` says whether formats are asserted, not a vocabulary";

/// The remote schemas of the suite.
#[derive(Clone)]
struct Remotes(PathBuf);

impl Resolver for Remotes {
    fn resolve(&self, uri: &str) -> Result<Option<Loaded>, String> {
        let Some(path) = uri.strip_prefix("http://localhost:1234/") else { return Ok(None) };
        match fs::read(self.0.join(path)) {
            Ok(text) => Ok(Some(Loaded { name: path.to_owned(), text })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Runs the tests of the suite in a directory.
pub fn run(place: &Path) -> Result<Vec<Category>, RunError> {
    let remotes = Remotes(place.join("remotes"));
    let mut categories = Vec::new();
    for (name, draft, published) in DRAFTS {
        let folder = place.join("tests").join(name);
        let mut category = Category { name, expected: "result", cases: Vec::new(), not_run: None, published };
        let mut paths = Vec::new();
        collect(&folder, &mut paths).map_err(|error| RunError::io(Name::Path(folder.clone()), &error))?;
        for path in paths {
            let failed = |error| RunError::io(Name::Path(path.clone()), &error);
            let text = fs::read(&path).map_err(failed)?;
            let mut parser = Parser::new();
            let document =
                parser.document(&text).map_err(|error| RunError::new(Name::Path(path.clone()), error.to_string()))?;
            if path.ends_with(OF_VOCABULARY) {
                let count = document.iter().filter_map(|group| group.get("tests")).map(Value::len).sum();
                category.not_run = Some((count, NOT_RUN));
                continue;
            }
            let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
            for group in *document {
                add_cases(&name, group, draft, &remotes, &mut category.cases);
            }
        }
        categories.push(category);
    }
    Ok(categories)
}

/// Adds the `.json` files in a directory and below, in the order of their names.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let mut found = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    found.sort();
    for path in found {
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Adds the tests of one schema.
fn add_cases(file: &str, group: Value<'_, '_>, draft: Draft, remotes: &Remotes, cases: &mut Vec<Case>) {
    let schema = group.get("schema").map(Value::raw).unwrap_or_default();
    // Formats are asserted where the suite tests them.
    let asserts_formats = Path::new(file).parent().is_some_and(|folder| folder.ends_with("format"));
    let compiled = Schema::builder().draft(draft).formats(asserts_formats).compile(schema, remotes.clone());
    let description = |value: Value<'_, '_>| {
        value.get("description").and_then(Value::as_str).map(Cow::into_owned).unwrap_or_default()
    };
    for test in group.get("tests").iter().flat_map(|tests| tests.iter()) {
        let expected = test.get("valid").and_then(Value::as_bool);
        let (accepted, failure) = match (&compiled, test.get("data"), expected) {
            (Ok(schema), Some(data), Some(expected)) => {
                let answers = [schema.is_valid(data), schema.violations(data).is_empty()];
                let failure = (answers != [expected; 2]).then(|| {
                    if expected { "refused, but it must be accepted" } else { "accepted, but it must be refused" }
                        .to_owned()
                });
                (answers[0], failure)
            }
            (Err(error), ..) => (false, Some(error.to_string())),
            _ => (false, Some("a test without data or result".to_owned())),
        };
        cases.push(Case { name: format!("{file}: {}: {}", description(group), description(test)), failure, accepted });
    }
}
