//! Statistics of batches of records, collected by other threads.

#![forbid(unsafe_code)]

use std::cell::RefCell;

use crate::error::Error;
use crate::index::Index;
use crate::index::List;
use crate::index::Visitor;
use crate::options::Options;
use crate::parallel::BatchWorker;
use crate::parallel::RecordBatch;
use crate::parallel::Workers;
use crate::parallel::take_batch;
use crate::stats::Stats;
use crate::stats::collector::Collector;

/// Adds the statistics of batches to those of a collector.
pub(super) struct StatsWorkers<'c, 's> {
    collector: &'c RefCell<Collector<'s>>,
    /// Whether no number of a batch can be too long for the memory limit, which counts numbers of the whole input.
    fits: bool,
}

impl<'c, 's> StatsWorkers<'c, 's> {
    pub(super) fn new(collector: &'c RefCell<Collector<'s>>, options: &Options) -> Self {
        Self { collector, fits: 3 * options.window as u64 <= options.max_memory }
    }
}

impl Workers for StatsWorkers<'_, '_> {
    type Worker = StatsWorker;

    fn worker(&self) -> Option<StatsWorker> {
        self.fits.then_some(StatsWorker)
    }

    fn join(&mut self, BatchStats { stats, strings, .. }: &mut BatchStats) -> Result<bool, Error> {
        Ok(self.collector.borrow_mut().add(stats, strings)?)
    }
}

#[derive(Clone, Copy)]
pub(super) struct StatsWorker;

/// The statistics of a batch.
#[derive(Default)]
pub(super) struct BatchStats {
    stats: Stats,
    /// The hashes of its strings.
    strings: Vec<u64>,
    /// Memory for reuse.
    list: List,
}

impl BatchWorker for StatsWorker {
    type Output = BatchStats;

    fn read(self, options: &Options, batch: &RecordBatch<'_>, memory: BatchStats) -> Option<(u64, BatchStats)> {
        let BatchStats { strings, list, .. } = memory;
        let mut stats = Stats::default();
        let mut collector = Collector::of_part(&mut stats, strings, options.max_memory);
        let visitor: &mut dyn Visitor = &mut collector;
        let mut index = Index::without_separators(visitor, list, options.max_memory);
        let records = take_batch(&mut index, options, batch)?;
        let (_, list) = index.into_parts();
        let strings = collector.into_strings();
        Some((records, BatchStats { stats, strings, list }))
    }
}
