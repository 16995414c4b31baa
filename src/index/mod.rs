//! The structural index: where each token of a checked text begins.
//!
//! Who wants tokens and not bytes (names, numbers, members of an object) gets them here: the positions come out of the
//! masks that checking has made anyway, and they are handed on only when the text they speak of is proven. So a visitor
//! meets no fault, no half token and no window: memory is one window of text and its positions, or the longest token.

#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Tile;
use crate::input::Input;
use crate::input::look;
use crate::kernel::Kernel;
use crate::kernel::lanes;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::Summary;
use crate::profile::first_error;
use crate::scan::Consumer;

/// A stretch of checked text that ends between two tokens, and where its tokens begin.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TokenBatch<'a> {
    /// Offset of the stretch in the input, in bytes.
    pub offset: u64,
    /// Its text.
    pub text: &'a [u8],
    /// Index in `text`, in ascending order, of each `{ } [ ] : ,` outside strings and of the first byte of each string
    /// (its quote), number and literal.
    pub positions: &'a [u32],
}

impl<'a> TokenBatch<'a> {
    /// The tokens and their offsets in the input.
    pub(crate) fn tokens(self) -> impl Iterator<Item = (u64, &'a [u8])> {
        let ends = self.positions.iter().skip(1).map(|&next| next as usize).chain([self.text.len()]);
        self.positions.iter().zip(ends).map(move |(&start, end)| {
            look();
            let token = &self.text[start as usize..end];
            let blank = token.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
            (self.offset + u64::from(start), &token[..token.len() - blank])
        })
    }
}

/// Lists where the tokens of `input` begin, stretch by stretch, checking it on the way. Memory stays bounded, but for the
/// longest token.
///
/// # Errors
/// The first error of the first bad document; then all whole tokens in front of the error have been listed, but for a
/// number or literal right before it. Or an error of reading, or of [memory](crate::Options::max_memory).
///
/// ```
/// use fjson::{Options, index};
///
/// let mut tokens = Vec::new();
/// index(r#"{"a": [1, "b"]}"#, &mut |batch| tokens.extend_from_slice(batch.positions), &Options::new())?;
/// assert_eq!(tokens, [0, 1, 4, 6, 7, 8, 10, 13, 14]);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn index<'a>(
    input: impl Into<Input<'a>>,
    on_batch: &mut dyn FnMut(TokenBatch<'_>),
    options: &Options,
) -> Result<Summary, Error> {
    let visitor: &mut dyn Visitor = &mut HandOn(on_batch);
    first_error(&mut input.into(), options, &mut Index::new(visitor, options.max_memory))
}

/// Hands all stretches on.
struct HandOn<'f>(&'f mut dyn FnMut(TokenBatch<'_>));

impl Visitor for HandOn<'_> {
    fn begin(&mut self, _: u64) -> Result<(), Error> {
        Ok(())
    }

    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error> {
        (self.0)(batch);
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// What is done with the tokens of documents.
pub(crate) trait Visitor {
    /// A document begins at `offset`. If the last one did not end, it was bad.
    fn begin(&mut self, offset: u64) -> Result<(), Error>;

    /// Takes the next stretch of the document: proven, but for containers that may not be closed.
    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error>;

    /// A good document ends.
    fn end(&mut self) -> Result<(), Error>;
}

impl Visitor for &mut dyn Visitor {
    fn begin(&mut self, offset: u64) -> Result<(), Error> {
        (**self).begin(offset)
    }

    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error> {
        (**self).take(batch)
    }

    fn end(&mut self) -> Result<(), Error> {
        (**self).end()
    }
}

/// Lists positions and hands them to a visitor when they are proven.
pub(crate) struct Index<V> {
    pub(crate) visitor: V,
    /// The first `count` are those since the last release; what is behind may be anything.
    positions: Vec<u32>,
    count: usize,
    /// Bytes taken since the last release.
    length: usize,
    /// Offset of what was taken since then.
    offset: u64,
    /// Whether what was taken ends inside a string.
    in_string: bool,
    /// The last token of what was released before if it may go on; then `offset` is where it began.
    begun: Vec<u8>,
    /// How long that may be.
    limit: u64,
    /// Whether there was no memory for positions.
    exhausted: bool,
}

/// Positions a tile may list, and room for those that are overwritten behind them.
const ROOM: usize = MAX_TILE_BYTES + 64;

impl<V: Visitor> Index<V> {
    /// An index for a visitor, of tokens of which none that is not in memory as it is may be longer than `limit` bytes.
    pub(crate) fn new(visitor: V, limit: u64) -> Self {
        Self {
            visitor,
            positions: Vec::new(),
            count: 0,
            length: 0,
            offset: 0,
            in_string: false,
            begun: Vec::new(),
            limit,
            exhausted: false,
        }
    }

    /// The offset of what was taken since the last release, or of the token that was begun before.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes taken since the last release.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Bytes of a token that has not been handed on because it may go on.
    pub(crate) fn kept(&self) -> usize {
        self.begun.len()
    }

    /// Whether `text`, which is all that was taken since the last release, may end inside a token.
    pub(crate) fn may_go_on(&self, text: &[u8]) -> bool {
        self.in_string || text.last().is_some_and(|&last| is_scalar(last))
    }

    /// The tokens of `text`, which is all that was taken since the last release and follows a whole token; without the last
    /// one unless the text `ends` behind it.
    pub(crate) fn listed<'t>(&'t self, text: &'t [u8], ends: bool) -> TokenBatch<'t> {
        let positions = &self.positions[..self.count];
        match positions.split_last() {
            Some((&last, others)) if !ends => {
                TokenBatch { offset: self.offset, text: &text[..last as usize], positions: others }
            }
            _ => TokenBatch { offset: self.offset, text, positions },
        }
    }

    /// Lists the tokens of a superblock that begins at `base` of the stretch.
    #[inline(always)]
    fn list<K: Kernel>(&mut self, kernel: K, starts: K::Word, base: usize) {
        for (lane, starts) in lanes(starts).into_iter().enumerate().take(K::SUPERBLOCK / 64) {
            #[expect(clippy::cast_possible_truncation, reason = "what is held is proven before it is so long")]
            let base = (base + 64 * lane) as u32;
            self.count += kernel.list(starts, base, &mut self.positions[self.count..]);
        }
    }

    /// Hands on the tokens of `text`, which follows what was handed on before, but for the last one if it may go on.
    fn hand_on(&mut self, mut text: &[u8]) -> Result<(), Error> {
        let Some(&last) = text.last() else { return Ok(()) };
        let may_go_on = self.in_string || is_scalar(last);
        if !self.begun.is_empty() {
            let first = self.positions[..self.count].first().copied();
            let (rest_of_token, others) = text.split_at(first.map_or(text.len(), |first| first as usize));
            self.begin_or_go_on(rest_of_token)?;
            if first.is_none() && may_go_on {
                return Ok(());
            }
            self.end_begun()?;
            for position in &mut self.positions[..self.count] {
                *position -= first.unwrap_or_default();
            }
            text = others;
        }
        let mut end = text.len();
        if may_go_on && self.count > 0 {
            self.count -= 1;
            end = self.positions[self.count] as usize;
        }
        if end > 0 {
            let positions = &self.positions[..self.count];
            self.visitor.take(TokenBatch { offset: self.offset, text: &text[..end], positions })?;
            self.offset += end as u64;
        }
        self.begin_or_go_on(&text[end..])
    }

    /// Keeps `text` of a token that is not whole yet.
    fn begin_or_go_on(&mut self, text: &[u8]) -> Result<(), Error> {
        if (self.begun.len() + text.len()) as u64 > self.limit {
            return Err(Error::token_limit(self.limit, self.offset));
        }
        self.begun.room(text.len(), OutOfMemory::Token)?;
        self.begun.extend_from_slice(text);
        Ok(())
    }

    /// Hands on the token that was begun and has ended.
    fn end_begun(&mut self) -> Result<(), Error> {
        self.visitor.take(TokenBatch { offset: self.offset, text: &self.begun, positions: &[0] })?;
        self.offset += self.begun.len() as u64;
        self.begun.clear();
        Ok(())
    }
}

/// Whether a byte outside strings belongs to a number or literal.
fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

impl<V: Visitor> Consumer for Index<V> {
    const LAYOUT: bool = false;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, _: Option<u8>) -> Result<(), Error> {
        (self.count, self.length, self.offset) = (0, 0, offset);
        self.begun.clear();
        self.visitor.begin(offset)
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        if self.positions.len() < self.count + ROOM {
            let length = 2 * self.count + ROOM;
            self.exhausted |= self.positions.room(length - self.positions.len(), OutOfMemory::Tokens).is_err();
            if self.exhausted {
                return;
            }
            self.positions.resize(length, 0);
        }
        for (place, masks, _) in tile.active() {
            let strings = masks.quotes & masks.in_string;
            let starts = masks.open | masks.close | masks.comma | masks.colon | masks.scalar_start | strings;
            self.list(kernel, starts, self.length + place * K::SUPERBLOCK);
        }
        self.in_string = tile.ends_in_string(bytes.len() / K::SUPERBLOCK);
        self.length += length;
    }

    /// The positions; and so much of the text that an index in it always fits into 32 bits.
    fn held(&self) -> usize {
        (4 * self.count).max(self.length >> 8)
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        if self.exhausted {
            return Err(OutOfMemory::Tokens.into());
        }
        self.hand_on(text)?;
        self.discard();
        Ok(())
    }

    fn discard(&mut self) {
        (self.count, self.length) = (0, 0);
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        if !self.begun.is_empty() {
            self.end_begun()?;
        }
        self.visitor.end()
    }
}
