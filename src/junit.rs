//! The writer of `JUnit` XML, for test dashboards.
//!
//! The counts are at the head of a file, so a suite keeps its cases as text until the end.

#![forbid(unsafe_code)]

use crate::sanitize;
use std::fmt::Write;

/// A test suite under construction.
pub struct Suite {
    name: String,
    cases: String,
    counts: Counts,
}

/// Numbers of test cases. A count is `None` if the report has no cases of that kind; then it is not written.
#[derive(Clone, Copy)]
pub struct Counts {
    pub tests: u64,
    pub failures: u64,
    pub errors: Option<u64>,
    pub skipped: Option<u64>,
}

/// Result of a test case.
pub enum Outcome<'a> {
    Passed,
    Failed(Reason<'a>),
    /// The test could not be run to its end.
    Error(Reason<'a>),
    Skipped(Reason<'a>),
}

/// Why a test case did not pass.
pub struct Reason<'a> {
    pub message: &'a str,
    /// The kind of the error, and help or an empty text.
    pub detail: Option<(&'a str, &'a str)>,
}

impl<'a> Reason<'a> {
    pub fn new(message: &'a str) -> Self {
        Self { message, detail: None }
    }
}

impl Counts {
    /// The counts of a report of errors.
    pub fn with_errors() -> Self {
        Self { tests: 0, failures: 0, errors: Some(0), skipped: None }
    }

    /// The counts of a report of tests.
    pub fn with_skipped() -> Self {
        Self { tests: 0, failures: 0, errors: None, skipped: Some(0) }
    }

    fn add(self, other: Self) -> Self {
        let sum = |left: Option<u64>, right: Option<u64>| Some(left? + right.unwrap_or(0));
        Self {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            errors: sum(self.errors, other.errors),
            skipped: sum(self.skipped, other.skipped),
        }
    }

    fn attributes(self) -> String {
        let mut text = format!(r#"tests="{}" failures="{}""#, self.tests, self.failures);
        for (name, count) in [("errors", self.errors), ("skipped", self.skipped)] {
            // Writing to a string cannot fail.
            count.map(|count| write!(text, r#" {name}="{count}""#));
        }
        text
    }
}

impl Suite {
    pub fn new(name: &str, counts: Counts) -> Self {
        Self { name: sanitize::markup(name), cases: String::new(), counts }
    }

    /// Appends a test case, with the seconds it took if they are known.
    pub fn push(&mut self, name: &str, seconds: Option<f64>, outcome: &Outcome<'_>) {
        let (class, name) = (&self.name, sanitize::markup(name));
        let time = seconds.map(|seconds| format!(r#" time="{seconds:.9}""#)).unwrap_or_default();
        let case = format!(r#"    <testcase classname="{class}" name="{name}"{time}"#);
        self.counts.tests += 1;
        let (tag, reason) = match outcome {
            Outcome::Passed => return self.cases.extend([case.as_str(), "/>\n"]),
            Outcome::Failed(reason) => ("failure", reason),
            Outcome::Error(reason) => ("error", reason),
            Outcome::Skipped(reason) => ("skipped", reason),
        };
        match outcome {
            Outcome::Error(_) => *self.counts.errors.get_or_insert(0) += 1,
            Outcome::Skipped(_) => *self.counts.skipped.get_or_insert(0) += 1,
            _ => self.counts.failures += 1,
        }
        let message = sanitize::markup(reason.message);
        // Writing to a string cannot fail.
        match reason.detail {
            None => writeln!(self.cases, r#"{case}><{tag} message="{message}"/></testcase>"#),
            Some((kind, help)) => writeln!(
                self.cases,
                "{case}>\n      <{tag} type=\"{kind}\" message=\"{message}\">{}</{tag}>\n    </testcase>",
                sanitize::markup(help)
            ),
        }
        .ok();
    }
}

/// Returns the file with these suites.
pub fn file(name: &str, suites: &[Suite], none: Counts) -> String {
    let sum = suites.iter().fold(none, |sum, suite| sum.add(suite.counts)).attributes();
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{name}\" {sum}>\n");
    for Suite { name, cases, counts } in suites {
        let counts = counts.attributes();
        // Writing to a string cannot fail.
        write!(text, "  <testsuite name=\"{name}\" {counts}>\n{cases}  </testsuite>\n").ok();
    }
    text + "</testsuites>\n"
}
