//! The results of a run as plain data. All reports are made from them.

#![forbid(unsafe_code)]

use crate::commands::bench::baseline::Change;
use crate::commands::bench::machine::Machine;
use crate::commands::bench::measured::Measured;
use crate::commands::bench::suite::Conformance;
use crate::commands::bench::versus::Race;

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

impl Results {
    /// Returns reasons why no figure may be reliable. Those of single figures are beside them.
    pub fn warnings(&self) -> Vec<String> {
        if self.measured.is_empty() { Vec::new() } else { self.machine.warnings() }
    }

    /// Whether a verdict was wrong, a required suite is missing, or there is a regression.
    pub fn fail(&self) -> bool {
        let slower = self.changes.iter().flatten().any(Change::is_regression);
        slower || self.conformance.as_ref().is_some_and(|conformance| !conformance.passes())
    }
}

#[cfg(test)]
pub mod tests;
