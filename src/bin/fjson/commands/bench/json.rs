//! The results for programs: one JSON document, every sample included. `--baseline` reads it back.

#![forbid(unsafe_code)]

use crate::commands::bench::baseline::Change;
use crate::commands::bench::results::Measured;
use crate::commands::bench::results::Results;
use crate::commands::bench::results::Row;
use crate::commands::bench::statistics::Estimate;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Conformance;
use crate::commands::bench::suite::Suite;
use crate::commands::bench::versus::Race;
use crate::name::Name;
use crate::report::Quoted;
use fjson::Isa;

pub fn render(results: &Results) -> String {
    let machine = &results.machine;
    let kernels = list(machine.kernels.iter().copied().map(Isa::name).map(quoted));
    let machine = object([
        ("processor", quoted(&machine.processor)),
        ("cores", machine.cores.to_string()),
        ("memory", or_null(machine.memory)),
        ("system", quoted(&machine.system)),
        ("kernels", kernels),
        ("governor", or_null(machine.governor.as_deref().map(Quoted))),
        ("load", or_null(machine.load)),
    ]);
    let warnings = results.warnings();
    let document = object([
        ("fjson", quoted(env!("CARGO_PKG_VERSION"))),
        ("command", quoted(&results.command)),
        ("time", results.machine.time.to_string()),
        ("machine", machine),
        ("warnings", list(warnings.iter().map(|warning| quoted(warning)))),
        ("documents", lines(results.measured.iter().map(measured))),
        ("races", lines(results.races.iter().map(race))),
        ("changes", or_null(results.changes.as_ref().map(|changes| lines(changes.iter().map(change))))),
        ("conformance", or_null(results.conformance.as_ref().map(conformance))),
    ]);
    document + "\n"
}

fn measured(measured: &Measured) -> String {
    let rows = measured.rows.iter().map(|row| self::row(measured, row));
    let question = measured.question.as_ref();
    object([
        ("name", quoted(&measured.name)),
        ("generated", measured.is_generated.to_string()),
        ("bytes", measured.bytes.to_string()),
        ("documents", measured.documents.to_string()),
        ("structurals", measured.structurals.to_string()),
        ("query", or_null(question.map(|question| quoted(question.query.expression())))),
        ("matches", or_null(question.map(|question| question.matches))),
        ("notes", list(measured.notes.iter().map(|note| quoted(note)))),
        ("rows", lines(rows)),
    ])
}

fn row(measured: &Measured, row: &Row) -> String {
    object([
        ("verb", quoted(row.job.name())),
        ("kernel", quoted(row.job.kernel())),
        ("threads", row.job.threads().to_string()),
        ("gigabytes_per_second", estimate(measured.speed(row))),
        ("seconds", estimate(row.seconds)),
        ("nanoseconds_per_structural", or_null(measured.per_structural(row).map(number))),
        ("cycles_per_byte", or_null(measured.cycles(row).map(estimate))),
        ("output", row.output.to_string()),
        ("samples", list(row.samples.seconds.iter().copied().map(number))),
        ("cycles", list(row.samples.cycles.iter().copied().map(number))),
    ])
}

fn race(race: &Race) -> String {
    let others = race.others.iter().map(|other| {
        object([
            ("command", quoted(&other.command)),
            ("seconds", estimate(other.theirs)),
            ("ratio", estimate(other.ratio)),
        ])
    });
    object([
        ("document", quoted(&race.subject)),
        ("verb", quoted(race.verb.name())),
        ("command", quoted(&race.command)),
        ("seconds", estimate(race.ours)),
        ("others", lines(others)),
    ])
}

fn change(change: &Change) -> String {
    object([
        ("document", quoted(&change.subject)),
        ("verb", quoted(change.job.name())),
        ("kernel", quoted(change.job.kernel())),
        ("threads", change.job.threads().to_string()),
        ("before", estimate(change.before)),
        ("now", estimate(change.now)),
        ("trend", quoted(change.trend().name())),
        ("regression", change.is_regression().to_string()),
    ])
}

fn conformance(conformance: &Conformance) -> String {
    let missing = conformance
        .missing
        .iter()
        .map(|missing| object([("what", quoted(&missing.what)), ("required", missing.is_required.to_string())]));
    object([
        ("passes", conformance.passes().to_string()),
        ("missing", list(missing)),
        ("suites", lines(conformance.suites.iter().map(suite))),
    ])
}

fn suite(suite: &Suite) -> String {
    object([
        ("name", quoted(suite.name)),
        ("place", or_null(suite.place.clone().map(|place| quoted(&Name::Path(place).to_string())))),
        ("categories", lines(suite.categories.iter().map(category))),
    ])
}

fn category(category: &Category) -> String {
    let failed =
        category.failed().map(|(case, failure)| object([("case", quoted(&case.name)), ("failure", quoted(failure))]));
    object([
        ("name", quoted(category.name)),
        ("demand", quoted(category.demand)),
        ("passed", category.passed().to_string()),
        ("failed", list(failed)),
        ("not_run", category.not_run().to_string()),
        ("absent", category.absent().to_string()),
    ])
}

fn estimate(estimate: Estimate) -> String {
    let Estimate { median, low, high, spread } = estimate;
    let members = [("median", median), ("low", low), ("high", high), ("spread", spread)];
    object(members.map(|(name, value)| (name, number(value))))
}

/// Seven digits; JSON knows no infinity.
fn number(value: f64) -> String {
    if !value.is_finite() {
        return "null".to_owned();
    }
    let mut decimals = 0;
    let mut scaled = value.abs();
    while scaled < 1e6 && decimals < 15 {
        scaled *= 10.0;
        decimals += 1;
    }
    format!("{value:.decimals$}")
}

fn quoted(text: &str) -> String {
    Quoted(text).to_string()
}

fn or_null(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

fn object<const MEMBERS: usize>(members: [(&str, String); MEMBERS]) -> String {
    format!("{{{}}}", members.map(|(name, value)| format!("\"{name}\":{value}")).join(","))
}

fn list(elements: impl Iterator<Item = String>) -> String {
    format!("[{}]", elements.collect::<Vec<_>>().join(","))
}

/// A list with each element on a line of its own, so that two exports can be compared line by line.
fn lines(elements: impl Iterator<Item = String>) -> String {
    let elements: Vec<_> = elements.map(|element| format!("\n{element}")).collect();
    format!("[{}]", elements.join(","))
}
