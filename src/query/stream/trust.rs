//! Tiles of which only strings and brackets are known: a third of the work, for those who know their input.
//!
//! Four classes of bytes are all that an executor cannot do without. What is wrong with the text otherwise is not seen.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::framing::Frame;
use crate::grammar::MAX_TILE_BYTES;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::options::Options;
use crate::query::stream::document::Document;
use crate::query::stream::masks::Escapes;
use crate::query::stream::masks::Masks;
use crate::query::stream::masks::Structure;
use crate::query::stream::report::Report;
use crate::query::stream::tape::Tape;
use crate::query::stream::tiles::Extent;
use crate::query::stream::tiles::Producer;
use crate::walk::padded;

/// How far ahead of a superblock the input is asked for.
const PREFETCH: usize = 4096;

/// Every second position: where a run of backslashes that starts at an even position escapes.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// Tells strings and brackets apart.
pub(super) struct Trust<'w, 'i, K> {
    pub(super) input: &'w mut Input<'i>,
    kernel: K,
    scratch: Box<[u8; MAX_TILE_BYTES]>,
    frame: Frame,
    escapes: Escapes,
    /// 1 inside a string.
    in_string: u32,
    /// 1 if the next byte is escaped.
    escape: u32,
    /// Behind the tiles so far.
    position: u64,
    /// Where what was found is handed over.
    look: u64,
    window: u64,
    is_over: bool,
}

impl<'w, 'i, K: Kernel> Trust<'w, 'i, K> {
    pub(super) fn new(kernel: K, input: &'w mut Input<'i>, options: &Options) -> Self {
        Self {
            input,
            kernel,
            scratch: Box::new([b' '; MAX_TILE_BYTES]),
            frame: Frame::new(options.framing),
            escapes: Escapes::default(),
            in_string: 0,
            escape: 0,
            position: 0,
            look: 0,
            window: options.window as u64,
            is_over: true,
        }
    }
}

/// The superblock's structure and backslashes, if it has any; and its commas, if somebody asks.
#[inline(always)]
fn classify<K: Kernel>(
    kernel: K,
    superblock: &[u8],
    in_string: &mut u32,
    escape: &mut u32,
) -> (Structure<K::Word>, Option<K::Word>, K::Word) {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = kernel.planes(superblock);
    let row_2 = !b7 & !b6 & b5 & !b4;
    let column_c = b3 & b2 & !b1 & !b0;
    let rows_5_and_7 = !b7 & b6 & b4;
    let backslash = rows_5_and_7 & !b5 & column_c;
    let mut quotes = row_2 & !b3 & !b2 & b1 & !b0;
    let mut escapes = None;
    if backslash.any() || *escape != 0 {
        let first = kernel.first(*escape);
        let starts = backslash & !first;
        let odd = kernel.splat(ODD);
        let alternating = (starts.advance::<1>(kernel.splat(0)) | odd).subtract(starts) ^ odd;
        *escape = (alternating & backslash).last();
        quotes = quotes & !(alternating ^ (backslash | first));
        escapes = Some(backslash);
    }
    let in_string = quotes.prefix_xor(in_string);
    let outside = rows_5_and_7 & !in_string;
    let open = outside & b3 & !b2 & b1 & b0;
    let close = outside & b3 & b2 & !b1 & b0;
    (Structure { open, close, quotes, in_string }, escapes, row_2 & column_c & !in_string)
}

impl<K: Kernel> Producer<K> for Trust<'_, '_, K> {
    #[inline(always)]
    fn produce(
        &mut self,
        masks: &mut Masks,
        tape: &mut Tape,
        report: &mut Report<'_>,
    ) -> Result<Option<Extent>, Error> {
        let kernel = self.kernel;
        loop {
            if self.is_over {
                return Ok(None);
            }
            if self.position >= self.look {
                self.look = self.position.saturating_add(self.window);
                report.flush(self.input, self.position)?;
                self.input.release(self.position);
            }
            let (text, ended) = self.frame.text(self.input, self.position);
            let (tile, length) = if text.len() >= MAX_TILE_BYTES {
                (&text[..MAX_TILE_BYTES], MAX_TILE_BYTES)
            } else if ended {
                self.is_over = true;
                (padded::<K>(&mut self.scratch, text, 1), text.len())
            } else {
                report.flush(self.input, self.position)?;
                report.wait()?;
                self.input.read_more(report.keep().unwrap_or(u64::MAX).min(self.position))?;
                continue;
            };
            let Self { mut in_string, mut escape, mut escapes, .. } = *self;
            for (place, superblock) in tile.chunks_exact(K::SUPERBLOCK).enumerate() {
                kernel.prefetch(superblock, PREFETCH);
                let (structure, backslash, comma) = classify(kernel, superblock, &mut in_string, &mut escape);
                masks.put(kernel, place, structure);
                if let Some(ends) = escapes.ends(structure, backslash, comma) {
                    masks.put_escaped::<K>(place, ends);
                }
            }
            (self.in_string, self.escape, self.escapes) = (in_string, escape, escapes);
            tape.append(tile, length);
            self.position += length as u64;
            let superblocks = tile.len() / K::SUPERBLOCK;
            return Ok(Some(Extent { length, superblocks, is_last: self.is_over, is_cut: false }));
        }
    }
}

impl<'i, K: Kernel> Document<'i> for Trust<'_, 'i, K> {
    fn frame(&mut self) -> (&mut Frame, &mut Input<'i>) {
        (&mut self.frame, self.input)
    }

    fn begin(&mut self) {
        self.position = self.frame.start();
        self.look = self.position.saturating_add(self.window);
        self.escapes = Escapes::default();
        self.in_string = 0;
        self.escape = 0;
        self.is_over = false;
    }

    /// An end of the input is believed, but not where something is still open.
    fn end(&mut self, is_inside: bool) -> Result<u64, Fault> {
        let cut_short = is_inside || self.in_string == 1;
        let fault = Fault::new(ErrorKind::UnexpectedEnd, self.position);
        if cut_short { Err(fault) } else { Ok(self.position) }
    }

    fn prove(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
}
