//! `--baseline`: an earlier export beside the figures of today.
//!
//! Two runs never give the same figures. Slower is what lies outside of both confidence intervals and differs by more than
//! the samples of either run scatter; all else is noise, and noise must not fail a build.

#![forbid(unsafe_code)]

use crate::commands::bench::figures::real;
use crate::commands::bench::results::Measured;
use crate::commands::bench::results::Row;
use crate::commands::bench::statistics::Estimate;
use crate::commands::bench::values::Value;
use crate::commands::bench::verb::Verb;
use crate::commands::bench::work::Job;
use crate::exit::RunError;
use crate::exit::reason;
use crate::name::Name;
use std::fs;
use std::path::Path;

/// One figure, before and now.
pub struct Change {
    pub subject: String,
    pub job: Job,
    /// Seconds per run.
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
    /// How many times as fast it has become.
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

    /// A yardstick that has become slower tells of the machine, not of fjson.
    pub fn is_regression(&self) -> bool {
        !self.job.is_yardstick() && self.trend() == Trend::Slower
    }
}

/// An export of an earlier run.
pub struct Baseline(Value);

impl Baseline {
    pub fn read(path: &Path) -> Result<Self, RunError> {
        let trouble = |reason: String| RunError::new(Name::Path(path.to_owned()), reason);
        let text = fs::read(path).map_err(|error| trouble(reason(&error)))?;
        let value = Value::read(&text).map_err(|error| trouble(format!("not an export of fjson bench: {error}")))?;
        if value.get("fjson").is_none() || value.list("documents").is_empty() {
            return Err(trouble("not an export of fjson bench (--export-json writes one)".to_owned()));
        }
        Ok(Self(value))
    }

    /// Every figure that is in both runs. A document is the same if its name and its length are.
    pub fn changes(&self, measured: &[Measured], path: &Path) -> Result<Vec<Change>, RunError> {
        let mut changes = Vec::new();
        for now in measured {
            let is_same = |before: &&Value| {
                before.text("name") == Some(&now.name) && before.number("bytes") == Some(real(now.bytes))
            };
            if let Some(before) = self.0.list("documents").iter().find(is_same) {
                changes.extend(now.rows.iter().filter_map(|row| change(before, now, row)));
            }
        }
        if changes.is_empty() {
            let reason = "nothing in it can be compared: other documents, verbs or kernels";
            return Err(RunError::new(Name::Path(path.to_owned()), reason));
        }
        Ok(changes)
    }
}

fn change(before: &Value, measured: &Measured, row: &Row) -> Option<Change> {
    let job = row.job;
    let asks_alike = || before.text("query") == measured.question.as_ref().map(|question| question.query.expression());
    let is_same = |before: &&Value| {
        before.text("verb") == Some(job.name())
            && before.text("kernel") == Some(job.kernel())
            && before.number("threads") == Some(real(job.threads()))
            && (before.text("verb") != Some(Verb::Query.name()) || asks_alike())
    };
    let samples = before.list("rows").iter().find(is_same)?.list("samples");
    let samples: Vec<_> = samples
        .iter()
        .filter_map(|sample| if let Value::Number(seconds) = sample { Some(*seconds) } else { None })
        .collect();
    (!samples.is_empty()).then(|| Change {
        subject: measured.name.clone(),
        job,
        before: Estimate::of(&samples),
        now: row.seconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trend(before: &[f64], now: &[f64]) -> Trend {
        let (before, now) = (Estimate::of(before), Estimate::of(now));
        Change { subject: String::new(), job: Job::Copy, before, now }.trend()
    }

    #[test]
    fn only_what_is_beyond_the_noise_is_a_trend() {
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
