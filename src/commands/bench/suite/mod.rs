//! Conformance: runs the published suites and the cases of fjson, and counts failures.
//!
//! The cases of fjson are part of the program, so there are always some. A suite that is not on this machine is reported as
//! missing, and a part that a copy of a suite lacks as not run. Neither is counted as passed.

#![forbid(unsafe_code)]

mod cases;
mod places;
mod programs;
mod published;
mod queries;
mod schemas;
mod values;
mod verifier;

pub use crate::commands::bench::suite::places::Places;
pub use crate::commands::bench::suite::places::root;
pub use crate::commands::bench::suite::verifier::Verifier;

use crate::args::bench::Published;
use crate::exit::RunError;
use clap::ValueEnum;
use std::path::PathBuf;

impl Published {
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonTestSuite => "JSONTestSuite",
            Self::Nativejson => "nativejson-benchmark",
            Self::JsonpathCts => "JSONPath compliance test suite",
            Self::JsonSchema => "JSON-Schema-Test-Suite",
            Self::Jq => "jq test suite",
        }
    }
}

/// The results of the suites.
pub struct Conformance {
    pub suites: Vec<Suite>,
    /// Published suites, or parts of them, that were not found.
    pub missing: Vec<Missing>,
}

pub struct Suite {
    pub name: &'static str,
    /// The directory of a published suite.
    pub place: Option<PathBuf>,
    pub categories: Vec<Category>,
}

/// Cases with the same expected result.
pub struct Category {
    pub name: &'static str,
    pub expected: &'static str,
    pub cases: Vec<Case>,
    /// The number of cases that were not run, and the reason.
    pub not_run: Option<(usize, &'static str)>,
    /// Number of cases in the suite as it was published.
    pub published: usize,
}

pub struct Case {
    pub name: String,
    /// What is wrong, if anything.
    pub failure: Option<String>,
    /// Whether fjson accepts the document. It is shown for cases in which a suite allows both.
    pub accepted: bool,
}

/// A suite, or a part of one, that was not found.
pub struct Missing {
    pub what: String,
    pub is_required: bool,
}

impl Category {
    pub fn failed(&self) -> impl Iterator<Item = (&Case, &str)> {
        self.cases.iter().filter_map(|case| Some((case, case.failure.as_deref()?)))
    }

    pub fn passed(&self) -> usize {
        self.cases.len() - self.failed().count()
    }

    pub fn not_run(&self) -> usize {
        self.not_run.map_or(0, |(count, _)| count)
    }

    /// Returns the number of published cases that were not found.
    pub fn absent(&self) -> usize {
        self.published.saturating_sub(self.cases.len() + self.not_run())
    }
}

impl Conformance {
    pub fn failed(&self) -> impl Iterator<Item = (&Suite, &Case, &str)> {
        let categories =
            self.suites.iter().flat_map(|suite| suite.categories.iter().map(move |category| (suite, category)));
        categories.flat_map(|(suite, category)| category.failed().map(move |(case, failure)| (suite, case, failure)))
    }

    /// Returns how many cases passed, failed and were not run.
    pub fn sums(&self) -> [usize; 3] {
        let categories = || self.suites.iter().flat_map(|suite| &suite.categories);
        let passed = categories().map(Category::passed).sum();
        [passed, self.failed().count(), categories().map(Category::not_run).sum()]
    }

    /// Returns the names of the suites and parts of suites that were not found, separated by commas.
    pub fn names_of_missing(&self) -> String {
        self.missing.iter().map(Missing::name).collect::<Vec<_>>().join(", ")
    }

    /// Whether no case failed and no required suite is missing.
    pub fn passes(&self) -> bool {
        self.failed().next().is_none() && !self.missing.iter().any(|missing| missing.is_required)
    }
}

impl Missing {
    /// Returns the name of the suite or part.
    pub fn name(&self) -> &str {
        self.what.split_once(": ").map_or(&*self.what, |(name, _)| name)
    }

    /// Returns what was found instead.
    pub fn remark(&self) -> &str {
        let found = self.what.split_once(": ").map_or("", |(_, found)| found);
        if found.starts_with("looked in") { "not found" } else { found }
    }
}

/// Runs the cases of fjson and the published suites in `places`.
pub fn run(
    places: &Places,
    required: &[Published],
    verifier: &Verifier,
    progress: &mut dyn FnMut(&str, f64),
) -> Result<Conformance, RunError> {
    let mut conformance = Conformance { suites: vec![cases::run(verifier, progress)], missing: Vec::new() };
    for &published in Published::value_variants() {
        let is_required = required.contains(&published);
        let missing = |what: String| Missing { what, is_required };
        match places.find(published) {
            Some(place) => {
                progress(published.name(), 0.0);
                let suite = published::run(published, place, verifier)?;
                for category in suite.categories.iter().filter(|category| category.absent() > 0) {
                    let (there, all) = (category.published - category.absent(), category.published);
                    let what = format!("{}, {}: only {there} of {all} cases", suite.name, category.name);
                    conformance.missing.push(missing(what));
                }
                conformance.suites.push(suite);
            }
            None if is_required || places.should_be_complete() => {
                let what = format!("{}: looked in {}", published.name(), places.shown());
                conformance.missing.push(missing(what));
            }
            None => {}
        }
    }
    Ok(conformance)
}
