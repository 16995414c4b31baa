//! What a producer knows of documents, beside their tiles.

#![forbid(unsafe_code)]

use crate::error::Fault;
use crate::framing::Frame;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::query::stream::report::Report;
use crate::query::stream::tiles::TileSource;

/// A producer's view of the documents of an input.
pub(super) trait Document<'i> {
    /// The documents and the input they are in.
    fn frame(&mut self) -> (&mut Frame, &mut Input<'i>);

    /// Begins the document that the frame is at.
    fn begin(&mut self);

    /// Nothing more is wanted of the document but to know whether it is good.
    fn only_check(&mut self) {}

    /// Where the document ends, or its fault: to be asked when there are no more tiles. `is_inside` tells that more should
    /// have come, and `report` what is to be handed over.
    fn end(&mut self, is_inside: bool, report: &Report<'_>) -> Result<u64, Fault>;

    /// Whether all before `end`, a place in the last tiles, is known to be good, or as much of it as the producer checks.
    fn prove(&mut self, end: u64, report: &Report<'_>) -> Result<(), Fault>;
}

/// A producer of the tiles of documents.
pub(super) trait DocumentSource<'i, K: Kernel>: TileSource<K> + Document<'i> {}

impl<'i, K: Kernel, P: TileSource<K> + Document<'i>> DocumentSource<'i, K> for P {}
