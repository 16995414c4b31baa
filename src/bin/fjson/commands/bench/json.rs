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
use crate::json;
use crate::json::Lines;
use crate::json::Value;
use crate::json::Writer;
use crate::name::Name;

pub fn render(results: &Results) -> String {
    json::line(results)
}

impl Value for Results {
    fn write(&self, writer: &mut Writer) {
        writer.object(&[
            ("fjson", &env!("CARGO_PKG_VERSION")),
            ("command", &self.command),
            ("time", &self.machine.time),
            ("machine", &self.machine),
            ("warnings", &self.warnings()),
            ("documents", &Lines(&self.measured)),
            ("races", &Lines(&self.races)),
            ("changes", &self.changes.as_deref().map(Lines)),
            ("conformance", &self.conformance),
        ]);
    }
}

impl Value for Machine {
    fn write(&self, writer: &mut Writer) {
        let kernels: Vec<_> = self.kernels.iter().map(|isa| isa.name()).collect();
        writer.object(&[
            ("processor", &self.processor),
            ("cores", &self.cores),
            ("memory", &self.memory),
            ("system", &self.system),
            ("kernels", &kernels),
            ("governor", &self.governor),
            ("load", &self.load),
        ]);
    }
}

impl Value for Measured {
    fn write(&self, writer: &mut Writer) {
        let rows: Vec<_> = self.rows.iter().map(|row| Figures(self, row)).collect();
        let question = self.question.as_ref();
        writer.object(&[
            ("name", &self.name),
            ("generated", &self.is_generated),
            ("bytes", &self.bytes),
            ("documents", &self.documents),
            ("structurals", &self.structurals),
            ("query", &question.map(|question| question.query.expression())),
            ("matches", &question.map(|question| question.matches)),
            ("notes", &self.notes),
            ("rows", &Lines(&rows)),
        ]);
    }
}

/// The figures of one job on a document.
struct Figures<'a>(&'a Measured, &'a Row);

impl Value for Figures<'_> {
    fn write(&self, writer: &mut Writer) {
        let Self(measured, row) = self;
        let rounded = |samples: &[f64]| samples.iter().copied().map(Rounded).collect::<Vec<_>>();
        writer.object(&[
            ("verb", &row.job.name()),
            ("kernel", &row.job.kernel()),
            ("threads", &row.job.threads()),
            ("gigabytes_per_second", &measured.speed(row)),
            ("seconds", &row.seconds),
            ("nanoseconds_per_structural", &measured.per_structural(row).map(Rounded)),
            ("cycles_per_byte", &measured.cycles(row)),
            ("output", &row.output),
            ("samples", &rounded(&row.samples.seconds)),
            ("cycles", &rounded(&row.samples.cycles)),
        ]);
    }
}

impl Value for versus::Race {
    fn write(&self, writer: &mut Writer) {
        writer.object(&[
            ("document", &self.subject),
            ("verb", &self.verb.name()),
            ("command", &self.command),
            ("seconds", &self.ours),
            ("others", &Lines(&self.others)),
        ]);
    }
}

impl Value for versus::Other {
    fn write(&self, writer: &mut Writer) {
        writer.object(&[("command", &self.command), ("seconds", &self.theirs), ("ratio", &self.ratio)]);
    }
}

impl Value for Change {
    fn write(&self, writer: &mut Writer) {
        writer.object(&[
            ("document", &self.subject),
            ("verb", &self.job.name()),
            ("kernel", &self.job.kernel()),
            ("threads", &self.job.threads()),
            ("before", &self.before),
            ("now", &self.now),
            ("trend", &self.trend().name()),
            ("regression", &self.is_regression()),
        ]);
    }
}

impl Value for suite::Conformance {
    fn write(&self, writer: &mut Writer) {
        let Self { suites, missing } = self;
        writer.object(&[("passes", &self.passes()), ("missing", missing), ("suites", &Lines(suites))]);
    }
}

impl Value for suite::Missing {
    fn write(&self, writer: &mut Writer) {
        writer.object(&[("what", &self.what), ("required", &self.is_required)]);
    }
}

impl Value for suite::Suite {
    fn write(&self, writer: &mut Writer) {
        let place = self.place.clone().map(|place| Name::Path(place).to_string());
        writer.object(&[("name", &self.name), ("place", &place), ("categories", &Lines(&self.categories))]);
    }
}

impl Value for suite::Category {
    fn write(&self, writer: &mut Writer) {
        writer.open('{');
        writer.members(&[("name", &self.name), ("demand", &self.demand), ("passed", &self.passed())]);
        writer.key("failed");
        writer.open('[');
        for (case, failure) in self.failed() {
            writer.object(&[("case", &case.name), ("failure", &failure)]);
        }
        writer.close(']');
        writer.members(&[("not_run", &self.not_run()), ("absent", &self.absent())]);
        writer.close('}');
    }
}

impl Value for Estimate {
    fn write(&self, writer: &mut Writer) {
        let Self { median, low, high, spread } = *self;
        writer.object(&[
            ("median", &Rounded(median)),
            ("low", &Rounded(low)),
            ("high", &Rounded(high)),
            ("spread", &Rounded(spread)),
        ]);
    }
}

/// A number with seven significant digits, or null if it is infinite.
struct Rounded(f64);

impl Value for Rounded {
    fn write(&self, writer: &mut Writer) {
        let Self(value) = *self;
        if !value.is_finite() {
            return writer.token("null");
        }
        let mut decimals = 0;
        let mut scaled = value.abs();
        while scaled < 1e6 && decimals < 15 {
            scaled *= 10.0;
            decimals += 1;
        }
        writer.token(format_args!("{value:.decimals$}"));
    }
}
