//! Statistics of parts of the input, collected on any thread: batches of records, and elements of a large array.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::index::Index;
use crate::index::Visitor;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::parallel::ConsumerFactory;
use crate::parallel::Divisible;
use crate::positions::List;
use crate::sink::Division;
use std::marker::PhantomData;

/// A visitor that collects statistics, and adds those of the next part that another one has collected.
pub(crate) trait Collect: Visitor + Sized + 'static {
    /// What the collectors of parts must know.
    type Settings: Copy + Send + Sync + 'static;

    /// The statistics of a part. Its memory is reused.
    type Part: Default + Send;

    fn settings(&self) -> Self::Settings;

    /// Creates a collector of the statistics of a part, which another one [adds](Self::add) to its own.
    fn of_part(settings: Self::Settings, memory: Self::Part, limit: u64) -> Self;

    /// Returns the statistics of a part. `None` if it must be visited in order.
    fn into_part(self) -> Option<Self::Part>;

    /// Enters an array at this nesting level, after one of its commas.
    fn enter_array(&mut self, level: u64);

    /// Whether statistics of parts can be added, as far as is known before.
    fn can_add(&self) -> bool;

    /// Adds the statistics of the next part, as if it had been visited. Returns false, and adds nothing, if that cannot be done.
    fn add(&mut self, part: &Self::Part) -> Result<bool, OutOfMemory>;
}

/// The statistics of a part, and memory for reuse.
#[derive(Default)]
pub(crate) struct PartOutput<P> {
    part: P,
    list: List,
}

impl<C: Collect> Divisible for Index<C> {
    type Factory = PartFactory<C>;

    fn factory(&self) -> PartFactory<C> {
        PartFactory { settings: self.visitor.settings(), collector: PhantomData }
    }

    fn divides_records(&self, _: &Options) -> bool {
        true
    }

    fn division(&self) -> Division {
        if self.can_join() { Division::Elements } else { Division::No }
    }

    fn can_join(&self) -> bool {
        self.visitor.can_add()
    }

    fn join(&mut self, output: &PartOutput<C::Part>, level: i64) -> Result<bool, Error> {
        // mutant: if false {
        if level == 0 {
            // An invalid document may have been left before these records.
            self.visitor.begin(0)?;
        }
        Ok(self.visitor.add(&output.part)?)
    }
}

/// Creates consumers of parts.
pub(crate) struct PartFactory<C: Collect> {
    settings: C::Settings,
    collector: PhantomData<fn() -> C>,
}

impl<C: Collect> Clone for PartFactory<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Collect> Copy for PartFactory<C> {}

impl<C: Collect> ConsumerFactory for PartFactory<C> {
    type Part = Index<C>;
    type Output = PartOutput<C::Part>;

    fn part(self, options: &Options, memory: Self::Output) -> Index<C> {
        let limit = options.max_memory;
        Index::without_separators(C::of_part(self.settings, memory.part, limit), memory.list, limit)
    }

    fn into_output(part: Index<C>) -> Option<Self::Output> {
        let (collector, list) = part.into_parts();
        Some(PartOutput { part: collector.into_part()?, list })
    }
}

impl<C: Collect> ChunkFactory for PartFactory<C> {
    const LEVELS: bool = true;

    fn enter(part: &mut Index<C>, level: i64) {
        part.visitor.enter_array(level.unsigned_abs());
    }
}
