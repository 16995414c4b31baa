//! The results for dashboards: `JUnit` XML, one test suite per category of cases and one per document measured.

#![forbid(unsafe_code)]

use crate::commands::bench::baseline::Change;
use crate::commands::bench::results::Measured;
use crate::commands::bench::results::Results;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Conformance;
use crate::report::escaped;
use std::fmt;
use std::fmt::Formatter;

/// Displays as the XML.
pub struct Dashboard<'a>(pub &'a Results);

impl fmt::Display for Dashboard<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let suites = suites(self.0);
        let sum = |count: usize| suites.iter().map(|suite| suite.counts()[count]).sum::<usize>();
        let (tests, failures, skipped) = (sum(0), sum(1), sum(2));
        writeln!(f, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        write!(f, r#"<testsuites name="fjson bench" tests="{tests}" failures="{failures}" skipped="{skipped}">"#)?;
        f.write_str("\n")?;
        for suite in &suites {
            suite.write(f)?;
        }
        f.write_str("</testsuites>\n")
    }
}

fn suites(results: &Results) -> Vec<TestSuite> {
    let mut suites = Vec::new();
    if let Some(conformance) = &results.conformance {
        for suite in &conformance.suites {
            suites.extend(suite.categories.iter().map(|category| TestSuite::of_category(suite.name, category)));
        }
        suites.extend(TestSuite::of_missing(conformance));
    }
    suites.extend(results.measured.iter().map(TestSuite::of_measured));
    suites.extend(results.changes.as_deref().map(TestSuite::of_changes));
    suites
}

struct TestSuite {
    name: String,
    cases: Vec<TestCase>,
}

struct TestCase {
    name: String,
    seconds: Option<f64>,
    outcome: Outcome,
}

enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

impl TestSuite {
    fn of_category(suite: &str, category: &Category) -> Self {
        let run = category.cases.iter().map(|case| TestCase {
            name: case.name.clone(),
            seconds: None,
            outcome: case.failure.clone().map_or(Outcome::Passed, Outcome::Failed),
        });
        let not_run = category.not_run.map(|(count, needs)| TestCase {
            name: format!("{count} cases"),
            seconds: None,
            outcome: Outcome::Skipped(format!("not run: {needs}")),
        });
        Self { name: format!("{suite}, {}", category.name), cases: run.chain(not_run).collect() }
    }

    fn of_missing(conformance: &Conformance) -> Option<Self> {
        let cases: Vec<_> = conformance
            .missing
            .iter()
            .map(|missing| {
                let text = "missing".to_owned();
                let outcome = if missing.is_required { Outcome::Failed(text) } else { Outcome::Skipped(text) };
                TestCase { name: missing.what.clone(), seconds: None, outcome }
            })
            .collect();
        (!cases.is_empty()).then(|| Self { name: "missing suites".to_owned(), cases })
    }

    fn of_measured(measured: &Measured) -> Self {
        let cases = measured.rows.iter().map(|row| TestCase {
            name: row.job.to_string(),
            seconds: Some(row.seconds.median),
            outcome: Outcome::Passed,
        });
        Self { name: measured.name.clone(), cases: cases.collect() }
    }

    fn of_changes(changes: &[Change]) -> Self {
        let cases = changes.iter().map(|change| TestCase {
            name: format!("{}: {}", change.subject, change.job),
            seconds: Some(change.now.median),
            outcome: if change.is_regression() {
                Outcome::Failed(format!("{:.3} times as fast as before", change.speed_up()))
            } else {
                Outcome::Passed
            },
        });
        Self { name: "baseline".to_owned(), cases: cases.collect() }
    }

    /// All, failed and skipped.
    fn counts(&self) -> [usize; 3] {
        let failed = self.cases.iter().filter(|case| matches!(case.outcome, Outcome::Failed(_))).count();
        let skipped = self.cases.iter().filter(|case| matches!(case.outcome, Outcome::Skipped(_))).count();
        [self.cases.len(), failed, skipped]
    }

    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [tests, failures, skipped] = self.counts();
        let class = escaped(&self.name);
        write!(f, r#"  <testsuite name="{class}" tests="{tests}" failures="{failures}" skipped="{skipped}">"#)?;
        f.write_str("\n")?;
        for TestCase { name, seconds, outcome } in &self.cases {
            write!(f, r#"    <testcase classname="{class}" name="{}""#, escaped(name))?;
            if let Some(seconds) = seconds {
                write!(f, r#" time="{seconds:.9}""#)?;
            }
            let (tag, reason) = match outcome {
                Outcome::Passed => {
                    writeln!(f, "/>")?;
                    continue;
                }
                Outcome::Failed(reason) => ("failure", reason),
                Outcome::Skipped(reason) => ("skipped", reason),
            };
            writeln!(f, r#"><{tag} message="{}"/></testcase>"#, escaped(reason))?;
        }
        f.write_str("  </testsuite>\n")
    }
}
