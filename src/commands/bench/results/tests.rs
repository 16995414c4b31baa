//! Snapshots of all reports of fixed results.

#![forbid(unsafe_code)]

use super::*;
use crate::args::bench::Operation;
use crate::commands::bench::clock::fake::Fake;
use crate::commands::bench::html::Page;
use crate::commands::bench::job::Job;
use crate::commands::bench::json;
use crate::commands::bench::junit;
use crate::commands::bench::machine::tests::machine;
use crate::commands::bench::measure::Plan;
use crate::commands::bench::measure::Trial;
use crate::commands::bench::measure::measure;
use crate::commands::bench::measured::Row;
use crate::commands::bench::question::Question;
use crate::commands::bench::read::all;
use crate::commands::bench::read::number;
use crate::commands::bench::read::string_at;
use crate::commands::bench::statistics::Estimate;
use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Missing;
use crate::commands::bench::suite::Suite;
use crate::commands::bench::table::Table;
use crate::commands::bench::versus::Other;
use fjson::Isa;
use fjson::Query;
use std::time::Duration;

/// A trial whose time varies a little, in cycles of seven runs.
struct Paced {
    time: Duration,
    runs: u32,
    clock: Fake,
}

impl Trial for Paced {
    fn run(&mut self, _: &mut Vec<u8>) {
        self.runs += 1;
        self.clock.advance(self.time + self.time / 1000 * (self.runs % 7));
    }

    fn is_right(&self, _: &[u8]) -> bool {
        true
    }
}

/// Returns figures of jobs that take the given microseconds.
fn measured(clock: &Fake, name: &str, bytes: usize, jobs: &[(Job, u64)]) -> Measured {
    let paced =
        |&(_, micros): &(Job, u64)| Paced { time: Duration::from_micros(micros), runs: 0, clock: clock.clone() };
    let mut trials: Vec<_> = jobs.iter().map(paced).collect();
    let plan = Plan::new(Some(Duration::from_millis(30)));
    let samples = measure(&mut trials, &plan, clock, &mut |_| {}).expect("every answer is right");
    let rows = jobs.iter().zip(samples).map(|(&(job, _), samples)| Row::new(job, bytes / 2, samples));
    Measured {
        name: name.to_owned(),
        is_generated: false,
        bytes,
        documents: 1,
        tokens: bytes / 8,
        rows: rows.collect(),
        question: None,
        is_ijson: false,
        notes: vec!["a note".to_owned()],
    }
}

fn question() -> Question {
    Question { query: Query::new("$..['<id>']").expect("an expression"), matches: 12_345 }
}

fn case(name: &str, failure: Option<&str>) -> Case {
    Case { name: name.to_owned(), failure: failure.map(str::to_owned), accepted: name.starts_with('y') }
}

fn conformance(failure: Option<&str>) -> Conformance {
    let cases = vec![case("y_a.json", None), case("n_<b>.json", failure)];
    let categories = vec![
        Category { name: "files", expected: "either", published: 3, cases, not_run: None },
        Category {
            name: "doubles",
            expected: "values",
            published: 66,
            cases: vec![],
            not_run: Some((66, "needs values")),
        },
    ];
    Conformance {
        suites: vec![Suite { name: "A suite", place: Some("/data/a-suite".into()), categories }],
        missing: vec![
            Missing { what: "A suite, files: only 2 of 3 cases".to_owned(), is_required: true },
            Missing { what: "Another suite: looked in /data".to_owned(), is_required: false },
        ],
    }
}

fn results() -> Results {
    let [fast, portable] = [Isa::Avx512, Isa::Portable];
    let mut first = measured(
        &Fake::counting(4),
        "a & b.json",
        2_000_000,
        &[
            (Job::Copy, 100),
            (Job::Utf8, 80),
            (Job::Operation(Operation::Validate, fast, 1), 160),
            (Job::Operation(Operation::Validate, fast, 8), 40),
            (Job::Operation(Operation::Validate, portable, 1), 2000),
            (Job::Operation(Operation::Minify, fast, 1), 190),
            (Job::Operation(Operation::Pretty, fast, 1), 400),
            (Job::Operation(Operation::Gzip, fast, 1), 20_000),
            (Job::Operation(Operation::Gzip, fast, 8), 3000),
            (Job::Operation(Operation::Query, fast, 1), 180),
        ],
    );
    first.question = Some(question());
    let validate = Job::Operation(Operation::Validate, fast, 1);
    let mut second = measured(&Fake::default(), "small.ndjson", 16_000, &[(validate, 2)]);
    second.documents = 1200;
    second.rows[0].samples.seconds[..2].fill(1.0);
    second.rows[0] = Row::new(second.rows[0].job, 0, second.rows[0].samples.clone());
    let changes = [1.01, 0.8, 0.8, 1.3, 1.001, 1.2].iter().zip(&first.rows).map(|(&by, row)| Change {
        subject: first.name.clone(),
        job: row.job,
        before: row.seconds.scaled(by),
        now: row.seconds,
    });
    let ours = Estimate { median: 0.0012, low: 0.0011, high: 0.0013, spread: 0.02 };
    let other = |command: &str, median: f64| Other {
        command: command.to_owned(),
        theirs: Estimate { spread: 0.03, ..ours.scaled(median) },
        ratio: Estimate { median, low: median * 0.98, high: median * 1.02, spread: 0.03 },
    };
    let others = vec![other("jq 'empty' {}", 25.0), other("true", 0.5), other("fjson", 1.0)];
    let command = "fjson query --count '$..[\"<id>\"]'".to_owned();
    let races = vec![Race { subject: first.name.clone(), operation: Operation::Query, command, ours, others }];
    let changes = Some(changes.collect());
    let conformance = Some(conformance(Some("accepted, but it must be rejected")));
    let command = "fjson bench --vs 'jq empty {}' 'a & b.json'".to_owned();
    Results { machine: machine(), command, measured: vec![first, second], races, changes, conformance }
}

fn assert_shows(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.add_filter(&format!(r"\b{}\b", env!("CARGO_PKG_VERSION").replace('.', r"\.")), "[VERSION]");
    settings.bind(|| insta::assert_snapshot!(format!("bench__{name}"), text));
}

#[test]
fn table() {
    assert_shows("table", &Table(&results()).to_string());
}

#[test]
fn junit() {
    assert_shows("junit", &junit::render(&results()));
}

#[test]
fn page() {
    assert_shows("page", &Page(&results()).to_string());
}

#[test]
fn exported_figures_are_a_baseline() {
    let results = results();
    let text = json::render(&results);
    assert_shows("json", &text);
    assert_eq!(string_at(text.as_bytes(), "/command").as_ref(), Some(&results.command));
    let samples = all(text.as_bytes(), "$.documents[0].rows[2].samples[*]").expect("valid JSON");
    assert_eq!(samples.len(), 6);
    for (read, sample) in samples.iter().zip(&results.measured[0].rows[2].samples.seconds) {
        assert!(number(read).is_some_and(|number| (number / sample - 1.0).abs() < 1e-6), "{read:?}, {sample}");
    }
}

#[test]
fn failures_and_regressions_fail_and_slower_yardsticks_do_not() {
    let fine = || Results { changes: None, conformance: None, ..results() };
    assert!(results().fail());
    assert!(!fine().fail());
    assert!(Results { changes: results().changes, ..fine() }.fail());
    let mut yardsticks = results().changes.expect("changes");
    yardsticks.retain(|change| change.job.is_yardstick());
    assert!(!Results { changes: Some(yardsticks), ..fine() }.fail());
    assert!(Results { conformance: results().conformance, ..fine() }.fail());
    let mut complete = conformance(None);
    assert!(!complete.passes(), "a required suite is missing");
    complete.missing.retain(|missing| !missing.is_required);
    assert!(complete.passes());
}
