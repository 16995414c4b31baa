//! What a producer knows of documents, beside their tiles.

#![forbid(unsafe_code)]

use crate::error::Fault;
use crate::framing::Frame;
use crate::input::Input;

/// A producer's view of the documents of an input.
pub(super) trait Document<'i> {
    /// The documents and the input they are in.
    fn frame(&mut self) -> (&mut Frame, &mut Input<'i>);

    /// Begins the document that the frame is at.
    fn begin(&mut self);

    /// Where the document ends, or its fault: to be asked when there are no more tiles. `is_inside` tells that more should
    /// have come.
    fn end(&mut self, is_inside: bool) -> Result<u64, Fault>;

    /// Whether all before `end`, a place in the last tiles, is known to be good.
    fn prove(&mut self, end: u64) -> Result<(), Fault>;
}
