//! Statistics of parts of the input, collected on any thread: batches of records, and elements of a large array.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::index::Index;
use crate::index::List;
use crate::index::Visitor;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::parallel::ConsumerFactory;
use crate::parallel::Divisible;
use crate::sink::Division;
use crate::stats::collector::Collector;
use crate::stats::merge::Part;

/// The statistics of a part, and memory for reuse.
#[derive(Default)]
pub(super) struct PartOutput {
    part: Part,
    list: List,
}

impl Divisible for Index<Collector> {
    type Factory = PartFactory;

    fn factory(&self) -> PartFactory {
        PartFactory
    }

    /// Batches have other framings rewritten, so that the offset of an error would be wrong.
    fn divides_records(&self, options: &Options) -> bool {
        options.framing == Framing::Lines
    }

    fn division(&self) -> Division {
        if self.can_join() { Division::Elements } else { Division::No }
    }

    fn can_join(&self) -> bool {
        self.visitor.can_add()
    }

    fn join(&mut self, output: &PartOutput, level: i64) -> Result<bool, Error> {
        // mutant: if false {
        if level == 0 {
            // An invalid document may have been left before these records.
            self.visitor.begin(0)?;
        }
        Ok(self.visitor.add(&output.part)?)
    }
}

/// Creates consumers of parts.
#[derive(Clone, Copy)]
pub(super) struct PartFactory;

impl ConsumerFactory for PartFactory {
    type Part = Index<Collector>;
    type Output = PartOutput;

    fn part(self, options: &Options, memory: PartOutput) -> Index<Collector> {
        let limit = options.max_memory;
        Index::without_separators(Collector::of_part(memory.part.strings, limit), memory.list, limit)
    }

    fn into_output(part: Index<Collector>) -> Option<PartOutput> {
        let (collector, list) = part.into_parts();
        Some(PartOutput { part: collector.into_part(), list })
    }
}

impl ChunkFactory for PartFactory {
    const LEVELS: bool = true;

    fn enter(part: &mut Index<Collector>, level: i64) {
        part.visitor.enter_array(level.unsigned_abs());
    }
}
