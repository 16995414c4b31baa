//! The results for programs: one JSON document with all samples. `--baseline` reads it.

#![forbid(unsafe_code)]

use crate::commands::bench::baseline::Change;
use crate::commands::bench::machine::Machine;
use crate::commands::bench::measured::Measured;
use crate::commands::bench::measured::Row;
use crate::commands::bench::results::Results;
use crate::commands::bench::statistics::Estimate;
use crate::commands::bench::suite;
use crate::commands::bench::versus;
use crate::json_text::JsonText;
use crate::json_text::JsonWriter;
use crate::name::Name;

pub fn render(results: &Results) -> String {
    let mut writer = JsonWriter::default();
    writer.begin_object();
    writer.name("fjson").text(env!("CARGO_PKG_VERSION"));
    writer.name("command").text(&results.command);
    writer.name("time").value(results.machine.time);
    write_machine(writer.name("machine"), &results.machine);
    write_texts(writer.name("warnings"), &results.warnings());
    write_lines(writer.name("documents"), &results.measured, write_measured);
    write_lines(writer.name("races"), &results.races, write_race);
    write_optional(writer.name("changes"), results.changes.as_ref(), |writer, changes| {
        write_lines(writer, changes, write_change);
    });
    write_optional(writer.name("conformance"), results.conformance.as_ref(), write_conformance);
    writer.end();
    writer.last_text()
}

/// Writes a value, or null.
fn write_optional<T>(writer: &mut JsonWriter, value: Option<T>, write: impl FnOnce(&mut JsonWriter, T)) {
    match value {
        Some(value) => write(writer, value),
        None => {
            writer.value(());
        }
    }
}

/// Writes an array with each element on a line of its own, so that two reports can be compared line by line.
fn write_lines<T>(writer: &mut JsonWriter, elements: &[T], write: impl Fn(&mut JsonWriter, &T)) {
    writer.begin_array();
    for element in elements {
        write(writer.break_line(), element);
    }
    writer.end();
}

fn write_texts(writer: &mut JsonWriter, texts: &[impl AsRef<str>]) {
    writer.begin_array();
    for text in texts {
        writer.text(text.as_ref());
    }
    writer.end();
}

fn write_machine(writer: &mut JsonWriter, machine: &Machine) {
    let kernels: Vec<_> = machine.kernels.iter().map(|isa| isa.name()).collect();
    writer.begin_object();
    writer.name("processor").text(&machine.processor);
    writer.name("cores").value(machine.cores);
    writer.name("memory").value(machine.memory);
    writer.name("system").text(&machine.system);
    write_texts(writer.name("kernels"), &kernels);
    writer.name("governor").optional_text(machine.governor.as_deref());
    write_optional(writer.name("load"), machine.load, |writer, load| {
        writer.displayed(load);
    });
    writer.end();
}

fn write_measured(writer: &mut JsonWriter, measured: &Measured) {
    let question = measured.question.as_ref();
    writer.begin_object();
    writer.name("name").text(&measured.name);
    writer.name("generated").value(measured.is_generated);
    writer.name("bytes").value(measured.bytes);
    writer.name("documents").value(measured.documents);
    writer.name("tokens").value(measured.tokens);
    writer.name("query").optional_text(question.map(|question| question.query.expression()));
    writer.name("matches").value(question.map(|question| question.matches));
    write_texts(writer.name("notes"), &measured.notes);
    write_lines(writer.name("rows"), &measured.rows, |writer, row| write_row(writer, measured, row));
    writer.end();
}

/// Writes the figures of one job on a document.
fn write_row(writer: &mut JsonWriter, measured: &Measured, row: &Row) {
    writer.begin_object();
    writer.name("operation").text(row.job.name());
    writer.name("kernel").text(row.job.kernel());
    writer.name("threads").value(row.job.threads());
    write_estimate(writer.name("gigabytes_per_second"), &measured.speed(row));
    write_estimate(writer.name("seconds"), &row.seconds);
    write_optional(writer.name("nanoseconds_per_token"), measured.per_token(row), write_rounded);
    write_optional(writer.name("cycles_per_byte"), measured.cycles(row).as_ref(), write_estimate);
    writer.name("noisy").value(row.is_noisy());
    writer.name("output").value(row.output);
    write_samples(writer.name("samples"), &row.samples.seconds);
    write_samples(writer.name("cycles"), &row.samples.cycles);
    writer.end();
}

fn write_samples(writer: &mut JsonWriter, samples: &[f64]) {
    writer.begin_array();
    for &sample in samples {
        write_rounded(writer, sample);
    }
    writer.end();
}

fn write_race(writer: &mut JsonWriter, race: &versus::Race) {
    writer.begin_object();
    writer.name("document").text(&race.subject);
    writer.name("operation").text(race.operation.name());
    writer.name("command").text(&race.command);
    write_estimate(writer.name("seconds"), &race.ours);
    write_lines(writer.name("others"), &race.others, write_other);
    writer.end();
}

fn write_other(writer: &mut JsonWriter, other: &versus::Other) {
    writer.begin_object();
    writer.name("command").text(&other.command);
    write_estimate(writer.name("seconds"), &other.theirs);
    write_estimate(writer.name("ratio"), &other.ratio);
    writer.end();
}

fn write_change(writer: &mut JsonWriter, change: &Change) {
    writer.begin_object();
    writer.name("document").text(&change.subject);
    writer.name("operation").text(change.job.name());
    writer.name("kernel").text(change.job.kernel());
    writer.name("threads").value(change.job.threads());
    write_estimate(writer.name("before"), &change.before);
    write_estimate(writer.name("now"), &change.now);
    writer.name("trend").text(change.trend().name());
    writer.name("regression").value(change.is_regression());
    writer.end();
}

fn write_conformance(writer: &mut JsonWriter, conformance: &suite::Conformance) {
    writer.begin_object();
    writer.name("passes").value(conformance.passes());
    writer.name("missing").begin_array();
    for missing in &conformance.missing {
        writer.begin_object().name("what").text(&missing.what);
        writer.name("required").value(missing.is_required).end();
    }
    writer.end();
    write_lines(writer.name("suites"), &conformance.suites, write_suite);
    writer.end();
}

fn write_suite(writer: &mut JsonWriter, suite: &suite::Suite) {
    let place = suite.place.clone().map(|place| Name::Path(place).to_string());
    writer.begin_object();
    writer.name("name").text(suite.name);
    writer.name("place").optional_text(place.as_deref());
    write_lines(writer.name("categories"), &suite.categories, write_category);
    writer.end();
}

fn write_category(writer: &mut JsonWriter, category: &suite::Category) {
    writer.begin_object();
    writer.name("name").text(category.name);
    writer.name("expected").text(category.expected);
    writer.name("passed").value(category.passed());
    writer.name("failed").begin_array();
    for (case, failure) in category.failed() {
        writer.begin_object().name("case").text(&case.name).name("failure").text(failure).end();
    }
    writer.end();
    writer.name("not_run").value(category.not_run()).name("absent").value(category.absent());
    writer.end();
}

fn write_estimate(writer: &mut JsonWriter, estimate: &Estimate) {
    let Estimate { median, low, high, spread } = *estimate;
    writer.begin_object();
    for (name, value) in [("median", median), ("low", low), ("high", high), ("spread", spread)] {
        write_rounded(writer.name(name), value);
    }
    writer.end();
}

/// Writes a number with seven significant digits, or null if it is infinite.
fn write_rounded(writer: &mut JsonWriter, value: f64) {
    if !value.is_finite() {
        writer.value(());
        return;
    }
    let mut decimals = 0;
    let mut scaled = value.abs();
    while scaled < 1e6 && decimals < 15 {
        scaled *= 10.0;
        decimals += 1;
    }
    writer.raw(&format!("{value:.decimals$}"));
}
