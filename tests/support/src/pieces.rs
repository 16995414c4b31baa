//! A reader that returns a document in pieces of given sizes, and is interrupted now and then.

use std::io;
use std::io::Read;

/// A document in pieces. After the given sizes, the rest is one piece.
pub struct Pieces<'a, Sizes> {
    rest: &'a [u8],
    sizes: Sizes,
}

impl<'a, Sizes: Iterator<Item = usize>> Pieces<'a, Sizes> {
    /// The document in pieces of these sizes; a size of 0 is an interrupted call.
    pub fn new(document: &'a [u8], sizes: impl IntoIterator<IntoIter = Sizes>) -> Self {
        Self { rest: document, sizes: sizes.into_iter() }
    }
}

impl<Sizes: Iterator<Item = usize>> Read for Pieces<'_, Sizes> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.next().unwrap_or(usize::MAX);
        if size == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (piece, rest) = self.rest.split_at(size.min(self.rest.len()).min(buf.len()));
        buf[..piece.len()].copy_from_slice(piece);
        self.rest = rest;
        Ok(piece.len())
    }
}
