//! The document side of a tile source: where documents begin and end, and whether they are valid.

#![forbid(unsafe_code)]

use crate::error::Fault;
use crate::framing::Frame;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::query::stream::report::MatchReport;
use crate::query::stream::tiles::TileSource;

/// A tile source's view of the documents of an input.
pub(super) trait DocumentSource<'i> {
    /// Returns the framing state and the input.
    fn frame(&mut self) -> (&mut Frame, &mut Input<'i>);

    /// Begins the document at which the frame is positioned.
    fn begin(&mut self);

    /// Tells the source that no more matches are wanted, and the rest of the document is read only to validate it.
    fn only_check(&mut self) {}

    /// Returns where the document ends, or its error. Called when there are no more tiles. `is_inside`: the executor expected
    /// more text. `report` holds the matches that are not flushed yet.
    fn end(&mut self, is_inside: bool, report: &MatchReport<'_>) -> Result<u64, Fault>;

    /// Validates the text before `end`, an offset in the latest tiles, as far as this source validates at all.
    fn check_until(&mut self, end: u64, report: &MatchReport<'_>) -> Result<(), Fault>;
}

/// A source of the tiles of documents.
pub(super) trait DocumentTileSource<'i, K: Kernel>: TileSource<K> + DocumentSource<'i> {}

impl<'i, K: Kernel, P: TileSource<K> + DocumentSource<'i>> DocumentTileSource<'i, K> for P {}
