//! The results of a run as plain data. All reports are made from them.

#![forbid(unsafe_code)]

use crate::commands::bench::baseline::Change;
use crate::commands::bench::machine::Machine;
use crate::commands::bench::measured::Measured;
use crate::commands::bench::suite::Conformance;
use crate::commands::bench::versus::Race;
use crate::figures::Percent;

pub struct Results {
    pub machine: Machine,
    /// Command line of the run.
    pub command: String,
    pub measured: Vec<Measured>,
    pub races: Vec<Race>,
    /// Comparison with `--baseline`, if it is given.
    pub changes: Option<Vec<Change>>,
    pub conformance: Option<Conformance>,
}

/// Largest spread without a warning. It is smaller on a quiet machine.
const MOST_SPREAD: f64 = 0.05;

impl Results {
    /// Returns reasons why the figures may not be reliable.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = if self.measured.is_empty() { Vec::new() } else { self.machine.warnings() };
        for measured in &self.measured {
            let noisy: Vec<_> = measured.rows.iter().filter(|row| row.seconds.spread > MOST_SPREAD).collect();
            if let Some(worst) = noisy.iter().max_by(|a, b| a.seconds.spread.total_cmp(&b.seconds.spread)) {
                warnings.push(format!(
                    "{}: {} of {} figures are noisy; the largest spread is {}, of {}",
                    measured.name,
                    noisy.len(),
                    measured.rows.len(),
                    Percent(worst.seconds.spread),
                    worst.job
                ));
            }
        }
        warnings
    }

    /// Whether a verdict was wrong, a required suite is missing, or there is a regression.
    pub fn fail(&self) -> bool {
        let slower = self.changes.iter().flatten().any(Change::is_regression);
        slower || self.conformance.as_ref().is_some_and(|conformance| !conformance.passes())
    }
}

#[cfg(test)]
pub mod tests;
