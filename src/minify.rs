//! Minifying: the bytes outside whitespace, compressed tile by tile.
//!
//! Number and string text is copied as it stands. Compressing is the last phase of a tile, so nothing of a tile with a
//! fault in it is copied.

#![forbid(unsafe_code)]

use std::io::Write;

use crate::error::Error;
use crate::framing::begin_document;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::sink::Stage;
use crate::walk::Consumer;
use crate::walk::first_error;

/// Copies `input` to `sink` without insignificant whitespace, checking it on the way. Memory stays bounded.
///
/// One document is written without a line break behind it. Of several, each is followed by a line break, and in a sequence
/// each stands behind a record separator.
///
/// # Errors
/// The first error of the first bad document; then everything in front of the error has been written, in minified form. Or
/// an error of reading or writing.
///
/// ```
/// let mut sink = Vec::new();
/// fjson::minify("{ \"a\" : [ 1.50, \"\\u00e9\" ] }", &mut sink, &fjson::Options::new())?;
/// assert_eq!(sink, b"{\"a\":[1.50,\"\\u00e9\"]}");
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn minify<'a>(input: impl Into<Input<'a>>, mut sink: impl Write, options: &Options) -> Result<Summary, Error> {
    let mut input = input.into();
    let stage = Stage::new(&mut sink, input.bytes().len(), options.escape);
    let mut consumer = Compress { stage, framing: options.framing };
    let result = first_error(&mut input, options, &mut consumer);
    consumer.stage.finish()?;
    result
}

/// Whether `input` is byte for byte what [`minify`] would write: nothing if it is, and otherwise the offset of the first byte
/// that differs, which is the length of the input if the output only goes on behind it.
///
/// # Errors
/// The first error of the first bad document, or an error of reading.
///
/// ```
/// use fjson::{Options, is_minified};
///
/// assert_eq!(is_minified("[1,2]", &Options::new())?, None);
/// assert_eq!(is_minified("[1, 2]", &Options::new())?, Some(3));
/// assert_eq!(is_minified("[1,2]\n", &Options::new())?, Some(5));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn is_minified<'a>(input: impl Into<Input<'a>>, options: &Options) -> Result<Option<u64>, Error> {
    let mut input = input.into();
    let stage = Stage::comparing(input.bytes().len(), options.escape);
    let mut consumer = Compress { stage, framing: options.framing };
    let summary = first_error(&mut input, options, &mut consumer)?;
    Ok(consumer.stage.first_difference(summary.bytes, options.framing.terminator()))
}

struct Compress<'w> {
    stage: Stage<'w>,
    framing: Framing,
}

impl Consumer for Compress<'_> {
    const LAYOUT: bool = false;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        self.stage.pass_over(offset, skipped);
        begin_document(&mut self.stage, self.framing)
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        self.stage.comes_of(kernel, tile.planes(bytes.len() / K::SUPERBLOCK));
        if let Some(space) = self.stage.space(bytes.len() + 64) {
            let filled = compress(kernel, tile, bytes, length, space);
            self.stage.advance(filled);
        }
    }

    fn held(&self) -> usize {
        self.stage.held()
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.stage.release(text, 0)
    }

    fn discard(&mut self) {
        self.stage.discard();
    }

    fn wait(&mut self) -> Result<(), Error> {
        self.stage.write()
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.framing != Framing::Document {
            self.stage.push(b"\n");
        }
        self.stage.release(b"", 0)
    }
}

/// Copies the bytes of a tile that are not whitespace to the front of `space`, and returns how many they are. `space` must
/// be 64 bytes longer than `bytes`.
#[inline(always)]
fn compress<K: Kernel>(kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize, space: &mut [u8]) -> usize {
    let mut filled = 0;
    let mut active = tile.active().peekable();
    for (place, superblock) in bytes.chunks_exact(K::SUPERBLOCK).enumerate() {
        match active.next_if(|(active, ..)| *active == place) {
            Some((_, masks, _)) if masks.whitespace.any() => {
                let (blocks, _) = superblock.as_chunks::<64>();
                for (block, keep) in blocks.iter().zip(lanes(!masks.whitespace)) {
                    let Some(out) = space[filled..].first_chunk_mut() else { return filled };
                    filled += kernel.compress(block, keep, out);
                }
            }
            // Wholly inside a string, or minified already.
            _ => {
                space[filled..filled + K::SUPERBLOCK].copy_from_slice(superblock);
                filled += K::SUPERBLOCK;
            }
        }
    }
    // A text that breaks off inside a string has been padded with what looks like its own.
    if length < bytes.len() && tile.ends_in_string(bytes.len() / K::SUPERBLOCK) {
        filled -= bytes.len() - length;
    }
    filled
}
