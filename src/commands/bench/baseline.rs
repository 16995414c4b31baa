//! `--baseline`: compares the figures of this run with an earlier export.
//!
//! Two runs never give the same figures. A figure is slower or faster if the confidence intervals do not overlap and the
//! medians differ by more than the spread of both runs. Any other difference is noise, and noise must not fail a build.

#![forbid(unsafe_code)]

use crate::commands::bench::job::Job;
use crate::commands::bench::measured::Measured;
use crate::commands::bench::measured::Row;
use crate::commands::bench::read::all;
use crate::commands::bench::read::number;
use crate::commands::bench::read::number_at;
use crate::commands::bench::read::string_at;
use crate::commands::bench::statistics::Estimate;
use crate::exit::RunError;
use crate::exit::reason;
use crate::figures::real;
use crate::name::Name;
use std::fs;
use std::path::Path;

/// One figure of two runs, in seconds per run of the work.
pub struct Change {
    pub subject: String,
    pub job: Job,
    pub before: Estimate,
    pub now: Estimate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    Faster,
    Noise,
    Slower,
}

impl Trend {
    pub fn name(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Noise => "within the noise",
            Self::Slower => "slower",
        }
    }
}

impl Change {
    /// Speed relative to the baseline: 2.0 is twice as fast.
    pub fn speed_up(&self) -> f64 {
        self.before.median / self.now.median
    }

    pub fn trend(&self) -> Trend {
        let (before, now) = (self.before, self.now);
        let noise = 1.0 + before.spread.max(now.spread);
        if now.low > before.high && now.median > before.median * noise {
            Trend::Slower
        } else if now.high < before.low && before.median > now.median * noise {
            Trend::Faster
        } else {
            Trend::Noise
        }
    }

    /// A slower yardstick is not a regression: it depends on the machine and not on fjson.
    pub fn is_regression(&self) -> bool {
        !self.job.is_yardstick() && self.trend() == Trend::Slower
    }
}

/// The documents of an earlier export, as JSON.
pub struct Baseline(Vec<Vec<u8>>);

impl Baseline {
    pub fn read(path: &Path) -> Result<Self, RunError> {
        let error = |reason: String| RunError::new(Name::Path(path.to_owned()), reason);
        let text = fs::read(path).map_err(|cause| error(reason(&cause)))?;
        let documents =
            all(&text, "$.documents[*]").map_err(|cause| error(format!("not an export of fjson bench: {cause}")))?;
        if string_at(&text, "/fjson").is_none() || documents.is_empty() {
            return Err(error("not an export of fjson bench (--export-json writes one)".to_owned()));
        }
        Ok(Self(documents))
    }

    /// Returns the figures that both runs have. Documents are the same if their names and lengths are equal.
    pub fn changes(&self, measured: &[Measured], path: &Path) -> Result<Vec<Change>, RunError> {
        let mut changes = Vec::new();
        for document in measured {
            let is_same = |before: &&Vec<u8>| {
                string_at(before, "/name").as_ref() == Some(&document.name)
                    && number_at(before, "/bytes") == Some(real(document.bytes))
            };
            if let Some(before) = self.0.iter().find(is_same) {
                changes.extend(document.rows.iter().filter_map(|row| change(before, document, row)));
            }
        }
        if changes.is_empty() {
            let reason = "nothing in it can be compared: other documents, operations or kernels";
            return Err(RunError::new(Name::Path(path.to_owned()), reason));
        }
        Ok(changes)
    }
}

/// Compares a row with the row of the same job in an earlier document, or returns `None` if there is no such row.
fn change(before: &[u8], measured: &Measured, row: &Row) -> Option<Change> {
    let job = row.job;
    let query = measured.question.as_ref().map(|question| question.query.expression());
    if matches!(job, Job::Operation(operation, ..) if operation.needs_query())
        && string_at(before, "/query").as_deref() != query
    {
        return None;
    }
    let is_same = |before: &Vec<u8>| {
        string_at(before, "/operation").as_deref() == Some(job.name())
            && string_at(before, "/kernel").as_deref() == Some(job.kernel())
            && number_at(before, "/threads") == Some(real(job.threads()))
    };
    let before = all(before, "$.rows[*]").ok()?.into_iter().find(is_same)?;
    let samples: Vec<_> = all(&before, "$.samples[*]").ok()?.iter().filter_map(|sample| number(sample)).collect();
    let subject = measured.name.clone();
    (!samples.is_empty()).then(|| Change { subject, job, before: Estimate::of(&samples), now: row.seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trend(before: &[f64], now: &[f64]) -> Trend {
        let (before, now) = (Estimate::of(before), Estimate::of(now));
        Change { subject: String::new(), job: Job::Copy, before, now }.trend()
    }

    #[test]
    fn only_differences_beyond_the_noise_are_trends() {
        let quiet = |middle: f64| -> Vec<f64> { (-12..=12).map(|step| middle + f64::from(step) / 1000.0).collect() };
        let noisy = |middle: f64| -> Vec<f64> { (-12..=12).map(|step| middle + f64::from(step) / 20.0).collect() };
        assert_eq!(trend(&quiet(1.0), &quiet(1.0)), Trend::Noise);
        assert_eq!(trend(&quiet(1.0), &quiet(1.005)), Trend::Noise);
        assert_eq!(trend(&quiet(1.0), &quiet(1.1)), Trend::Slower);
        assert_eq!(trend(&quiet(1.1), &quiet(1.0)), Trend::Faster);
        assert_eq!(trend(&quiet(1.0), &noisy(1.0)), Trend::Noise);
        assert_eq!(trend(&noisy(1.0), &noisy(3.0)), Trend::Slower);
    }
}
