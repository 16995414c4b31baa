//! The results for dashboards: `JUnit` XML with one test suite per category of cases and one per measured document.

#![forbid(unsafe_code)]

use crate::commands::bench::results::Results;
use crate::commands::bench::suite::Category;
use crate::junit;
use crate::junit::Counts;
use crate::junit::Outcome;
use crate::junit::Reason;
use crate::junit::Suite;

pub fn render(results: &Results) -> String {
    let empty = |name: &str| Suite::new(name, Counts::with_skipped());
    let mut suites = Vec::new();
    if let Some(conformance) = &results.conformance {
        for suite in &conformance.suites {
            for category in &suite.categories {
                let mut cases = empty(&format!("{}, {}", suite.name, category.name));
                push_category(category, &mut cases);
                suites.push(cases);
            }
        }
        if !conformance.missing.is_empty() {
            let mut cases = empty("missing suites");
            for missing in &conformance.missing {
                let reason = Reason::new("missing");
                let outcome = if missing.is_required { Outcome::Failed(reason) } else { Outcome::Skipped(reason) };
                cases.push(&missing.what, None, &outcome);
            }
            suites.push(cases);
        }
    }
    for measured in &results.measured {
        let mut cases = empty(&measured.name);
        for row in &measured.rows {
            cases.push(&row.job.to_string(), Some(row.seconds.median), &Outcome::Passed);
        }
        suites.push(cases);
    }
    if let Some(changes) = &results.changes {
        let mut cases = empty("baseline");
        for change in changes {
            let reason = format!("{:.3} times as fast as before", change.speed_up());
            let outcome = if change.is_regression() { Outcome::Failed(Reason::new(&reason)) } else { Outcome::Passed };
            cases.push(&format!("{}: {}", change.subject, change.job), Some(change.now.median), &outcome);
        }
        suites.push(cases);
    }
    junit::file("fjson bench", &suites, Counts::with_skipped())
}

fn push_category(category: &Category, cases: &mut Suite) {
    for case in &category.cases {
        let failure = case.failure.as_deref().map(Reason::new);
        cases.push(&case.name, None, &failure.map_or(Outcome::Passed, Outcome::Failed));
    }
    if let Some((count, needs)) = category.not_run {
        let reason = format!("not run: {needs}");
        cases.push(&format!("{count} cases"), None, &Outcome::Skipped(Reason::new(&reason)));
    }
}
