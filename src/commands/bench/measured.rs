//! The figures of one document.

#![forbid(unsafe_code)]

use crate::commands::bench::job::Job;
use crate::commands::bench::measure::Samples;
use crate::commands::bench::question::Question;
use crate::commands::bench::statistics::Estimate;
use crate::figures::Count;
use crate::figures::real;

/// The figures of one document.
pub struct Measured {
    pub name: String,
    pub is_generated: bool,
    pub bytes: usize,
    pub documents: u64,
    pub tokens: usize,
    pub rows: Vec<Row>,
    /// The query that was evaluated, if `query` or `paths` was timed.
    pub question: Option<Question>,
    /// Whether `profiles` checked that the document is I-JSON.
    pub is_ijson: bool,
    /// What was not timed, and why.
    pub notes: Vec<String>,
}

/// Largest spread of a figure that is not noisy. It is smaller on a quiet machine.
const MOST_SPREAD: f64 = 0.05;

pub struct Row {
    pub job: Job,
    /// Length of the output.
    pub output: usize,
    /// In the order of time.
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

    /// Whether the samples differ so much that the figure says little.
    pub fn is_noisy(&self) -> bool {
        self.seconds.spread > MOST_SPREAD
    }
}

impl Measured {
    /// Returns GB/s of input.
    pub fn speed(&self, row: &Row) -> Estimate {
        let gigabytes = real(self.bytes) / 1e9;
        row.seconds.inverted(|seconds| gigabytes / seconds)
    }

    /// Returns nanoseconds per token, except for the yardsticks, which do not find tokens.
    pub fn per_token(&self, row: &Row) -> Option<f64> {
        (!row.job.is_yardstick()).then(|| row.seconds.median * 1e9 / real(self.tokens))
    }

    /// Returns cycles per byte of input, if they were counted.
    pub fn cycles(&self, row: &Row) -> Option<Estimate> {
        row.cycles.map(|cycles| cycles.scaled(1.0 / real(self.bytes)))
    }

    /// Returns what `noisy` beside a figure means, if there is such a figure.
    pub fn noise(&self) -> Option<&'static str> {
        const NOISE: &str = "noisy: the spread is above 5 %, mostly because of other work on the machine";
        self.rows.iter().any(Row::is_noisy).then_some(NOISE)
    }

    /// Whether any row has cycles.
    pub fn counts_cycles(&self) -> bool {
        self.rows.iter().any(|row| row.cycles.is_some())
    }

    /// Describes the query; `quoted` marks up the expression.
    pub fn query(&self, quoted: impl Fn(&str) -> String) -> Option<String> {
        let Question { query, matches } = self.question.as_ref()?;
        Some(format!("query counts what {} selects: {}", quoted(query.expression()), Count(*matches)))
    }

    /// Returns the number of samples of each job.
    pub fn samples(&self) -> usize {
        self.rows.first().map_or(0, |row| row.samples.seconds.len())
    }
}
