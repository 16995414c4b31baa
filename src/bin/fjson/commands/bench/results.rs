//! What a run of `bench` has found, as plain data: the reports are made from it and from nothing else.

#![forbid(unsafe_code)]

use crate::commands::bench::baseline::Change;
use crate::commands::bench::figures::Count;
use crate::commands::bench::figures::Percent;
use crate::commands::bench::figures::real;
use crate::commands::bench::machine::Machine;
use crate::commands::bench::measure::Samples;
use crate::commands::bench::question::Question;
use crate::commands::bench::statistics::Estimate;
use crate::commands::bench::suite::Conformance;
use crate::commands::bench::versus::Race;
use crate::commands::bench::work::Job;

pub struct Results {
    pub machine: Machine,
    /// The command line that gave these results.
    pub command: String,
    pub measured: Vec<Measured>,
    pub races: Vec<Race>,
    /// Against `--baseline`, if there is one.
    pub changes: Option<Vec<Change>>,
    pub conformance: Option<Conformance>,
}

/// The figures of one document.
pub struct Measured {
    pub name: String,
    pub is_generated: bool,
    pub bytes: usize,
    pub documents: u64,
    pub structurals: usize,
    pub rows: Vec<Row>,
    /// What `query` was asked, if it was.
    pub question: Option<Question>,
    /// What could not be measured, and why.
    pub notes: Vec<String>,
}

pub struct Row {
    pub job: Job,
    /// The length of the output.
    pub output: usize,
    /// In the order in which they were taken.
    pub samples: Samples,
    /// Seconds per run.
    pub seconds: Estimate,
    /// Cycles per run, if they were counted.
    pub cycles: Option<Estimate>,
}

impl Row {
    pub fn new(job: Job, output: usize, samples: Samples) -> Self {
        let cycles = (!samples.cycles.is_empty()).then(|| Estimate::of(&samples.cycles));
        Self { job, output, seconds: Estimate::of(&samples.seconds), cycles, samples }
    }
}

impl Measured {
    /// In GB/s of input.
    pub fn speed(&self, row: &Row) -> Estimate {
        let gigabytes = real(self.bytes) / 1e9;
        row.seconds.inverted(|seconds| gigabytes / seconds)
    }

    /// Nanoseconds per structural; the yardsticks know nothing of them.
    pub fn per_structural(&self, row: &Row) -> Option<f64> {
        (!row.job.is_yardstick()).then(|| row.seconds.median * 1e9 / real(self.structurals))
    }

    /// Cycles per byte of input, if they were counted.
    pub fn cycles(&self, row: &Row) -> Option<Estimate> {
        row.cycles.map(|cycles| cycles.scaled(1.0 / real(self.bytes)))
    }

    /// Whether there is anything to say about cycles.
    pub fn counts_cycles(&self) -> bool {
        self.rows.iter().any(|row| row.cycles.is_some())
    }

    /// What `query` was asked, in words; `quoted` sets the expression off.
    pub fn query(&self, quoted: impl Fn(&str) -> String) -> Option<String> {
        let Question { query, matches } = self.question.as_ref()?;
        let matches = Count(usize::try_from(*matches).unwrap_or(usize::MAX));
        Some(format!("query counts what {} selects: {matches}", quoted(query.expression())))
    }

    /// Every job has had as many.
    pub fn samples(&self) -> usize {
        self.rows.first().map_or(0, |row| row.samples.seconds.len())
    }
}

/// Half of the samples of a quiet machine lie closer together.
const MOST_SPREAD: f64 = 0.05;

impl Results {
    /// Why the figures are to be taken with care. Nothing is left out of them because of it.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = if self.measured.is_empty() { Vec::new() } else { self.machine.warnings() };
        for measured in &self.measured {
            let noisy: Vec<_> = measured.rows.iter().filter(|row| row.seconds.spread > MOST_SPREAD).collect();
            if let Some(worst) = noisy.iter().max_by(|a, b| a.seconds.spread.total_cmp(&b.seconds.spread)) {
                warnings.push(format!(
                    "{}: {} of {} figures are noisy, {} most: the middle half of its samples spreads over {}",
                    measured.name,
                    noisy.len(),
                    measured.rows.len(),
                    worst.job,
                    Percent(worst.seconds.spread)
                ));
            }
            let drift = measured.rows.iter().map(drift).max_by(f64::total_cmp).unwrap_or(0.0);
            if drift > MOST_SPREAD {
                let name = &measured.name;
                warnings.push(format!("{name}: the machine changed its speed by {} meanwhile", Percent(drift)));
            }
        }
        warnings
    }

    /// Whether the answer is no: a verdict was wrong, or something has become slower.
    pub fn is_bad(&self) -> bool {
        let slower = self.changes.iter().flatten().any(Change::is_regression);
        slower || self.conformance.as_ref().is_some_and(|conformance| !conformance.passes())
    }
}

/// How much the last third of the samples differs from the first.
fn drift(row: &Row) -> f64 {
    let samples = &row.samples.seconds;
    let third = samples.len() / 3;
    if third == 0 {
        return 0.0;
    }
    let median = |samples: &[f64]| Estimate::of(samples).median;
    let (first, last) = (median(&samples[..third]), median(&samples[samples.len() - third..]));
    (last / first).max(first / last) - 1.0
}

#[cfg(test)]
pub mod tests;
