//! Search for the published suites: in a directory that the user names, a checkout of fjson, or the user's data directory.
//!
//! A suite is recognized by its contents, so that both a clone of its repository and the copy of `corpus/get` are found.

#![forbid(unsafe_code)]

use crate::args::bench::Published;
use crate::exit::RunError;
use crate::name::Name;
use crate::sanitize;
use clap::ValueEnum;
use std::env;
use std::path::Path;
use std::path::PathBuf;

/// Directories that are parts of a suite.
const PARTS: [&str; 4] = ["test_parsing", "test_transform", "jsonchecker", "roundtrip"];

pub struct Places {
    folders: Vec<PathBuf>,
    /// Whether all suites are expected to be found.
    complete: bool,
}

impl Places {
    /// Searches the directory that the user names, or else the default directories.
    pub fn new(named: Option<&Path>) -> Result<Self, RunError> {
        let folders = match named {
            None => default_folders(),
            Some(named) if root(named).is_some() => vec![named.to_owned()],
            Some(named) => {
                let reason = "this directory contains no suite that fjson knows";
                return Err(RunError::new(Name::Path(named.to_owned()), reason));
            }
        };
        Ok(Self { folders, complete: true })
    }

    /// Searches these directories only, each of which has a suite.
    pub fn only(folders: Vec<PathBuf>) -> Self {
        Self { folders, complete: false }
    }

    pub fn find(&self, published: Published) -> Option<PathBuf> {
        self.folders.iter().find_map(|folder| find(folder, published))
    }

    /// Whether a suite that is not found is missing.
    pub fn should_be_complete(&self) -> bool {
        self.complete
    }

    /// Returns the directories for messages.
    pub fn shown(&self) -> String {
        let shown = self.folders.iter().map(|folder| sanitize::bytes(folder.as_os_str().as_encoded_bytes()));
        shown.collect::<Vec<_>>().join(", ")
    }
}

/// Returns the directory of the suite that `folder` has or is a part of.
pub fn root(folder: &Path) -> Option<PathBuf> {
    let is_part = folder.file_name().is_some_and(|name| PARTS.iter().any(|part| name == *part));
    let whole = if is_part { folder.join("..") } else { folder.to_owned() };
    Published::value_variants().iter().any(|&published| find(&whole, published).is_some()).then_some(whole)
}

/// Returns `$FJSON_CORPUS`, `corpus/data` of the working directory or a parent, and the XDG data directory.
fn default_folders() -> Vec<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let here = env::current_dir().unwrap_or_default();
    let checkouts = here.ancestors().map(|folder| folder.join("corpus/data")).filter(|folder| folder.is_dir());
    let data = variable("XDG_DATA_HOME").or_else(|| Some(env::home_dir()?.join(".local/share")));
    let data = data.map(|data| data.join("fjson"));
    variable("FJSON_CORPUS").into_iter().chain(checkouts.take(1)).chain(data).collect()
}

/// Returns the directory of a suite that is `folder` or in it.
fn find(folder: &Path, published: Published) -> Option<PathBuf> {
    let (folders, content): (&[_], &[_]) = match published {
        Published::JsonTestSuite => (&["json-test-suite", "JSONTestSuite", ""], &PARTS[..1]),
        Published::Nativejson => {
            (&["nativejson", "nativejson-benchmark/data", "data", ""], &["jsonchecker", "canada.json"])
        }
        Published::JsonpathCts => (&["jsonpath-cts", "jsonpath-compliance-test-suite", ""], &["cts.json"]),
        Published::JsonSchema => (&["json-schema", "JSON-Schema-Test-Suite", ""], &["tests/draft2020-12"]),
        Published::Jq => (&["jq", "jq/tests", "tests", ""], &["jq.test"]),
    };
    let folders = folders.iter().map(|name| if name.is_empty() { folder.to_owned() } else { folder.join(name) });
    folders.into_iter().find(|folder| content.iter().any(|name| folder.join(name).exists()))
}
