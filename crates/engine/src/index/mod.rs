//! The structural index: the positions of the tokens of validated text.
//!
//! Consumers that need tokens instead of bytes (keys, numbers, members) use it. The positions come from the masks that
//! the check has made anyway, and are passed on only when their text is known to be valid. So a visitor never sees
//! invalid text, a partial token or a window border. Memory is one window of text and its positions, or the longest
//! token.

#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::grammar::Tile;
use crate::grammar::is_whitespace;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::LineConsumer;
use crate::parallel::scan_lines;
use crate::positions::List;
use crate::scan::Consumer;
use crate::scan::stop_at_first;

/// A part of a validated document that ends between two tokens, and the positions of its tokens.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TokenBatch<'a> {
    /// Byte offset of the text in the input.
    pub offset: u64,
    /// The text of the batch.
    pub text: &'a [u8],
    /// Indices in `text`, in ascending order, of each `{ } [ ] : ,` outside strings, and of the first byte of each
    /// string (its opening quote), number and literal.
    pub positions: &'a [u32],
}

/// Passes the positions of the tokens of `input` to `on_batch`, batch by batch, and validates the input on the way.
/// Memory stays bounded except for the longest token.
///
/// # Errors
/// Returns the first error of the first invalid document. All complete tokens before the error have then been passed
/// on, except for a number or literal directly before it. Or returns an error of reading or of
/// [memory](crate::Options::max_memory).
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
    let visitor: &mut dyn Visitor = &mut BatchFunction(on_batch);
    let index = &mut Index::new(visitor, options.max_memory);
    stop_at_first(|on_error| scan_lines(&mut input.into(), options, index, on_error))
}

/// Passes all batches to a function.
struct BatchFunction<'f>(&'f mut dyn FnMut(TokenBatch<'_>));

impl Visitor for BatchFunction<'_> {
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

/// A receiver of the tokens of documents.
pub(crate) trait Visitor {
    /// Begins a document at `offset`. If [`Self::end`] was not called for the previous document, that one was invalid.
    fn begin(&mut self, offset: u64) -> Result<(), Error>;

    /// Takes the next batch of the document. It is valid, except that containers may not be closed.
    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error>;

    /// Ends a valid document.
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

/// A consumer that lists positions and passes them to a visitor once they are known to be valid.
pub(crate) struct Index<V> {
    pub(crate) visitor: V,
    /// The positions since the last release.
    list: List,
    /// Bytes taken since the last release.
    length: usize,
    /// Offset of the text taken since then.
    offset: u64,
    /// Whether that text ends inside a string.
    in_string: bool,
    /// Start of a token that was released before it was complete. Then `offset` is where the token begins.
    incomplete: Vec<u8>,
    /// Limit of its length.
    limit: u64,
    /// Whether commas and colons are listed.
    separators: bool,
    /// Whether memory ran out for positions.
    exhausted: bool,
    /// What was read before reading failed.
    pub(crate) read: Summary,
}

impl<V: Visitor> Index<V> {
    /// Creates an index for a visitor. Tokens that span several releases may not be longer than `limit` bytes.
    pub(crate) fn new(visitor: V, limit: u64) -> Self {
        Self {
            visitor,
            list: List::default(),
            length: 0,
            offset: 0,
            in_string: false,
            incomplete: Vec::new(),
            limit,
            separators: true,
            exhausted: false,
            read: Summary::default(),
        }
    }

    /// Creates an index that omits commas and colons.
    /// `list` is memory for reuse.
    pub(crate) fn without_separators(visitor: V, list: List, limit: u64) -> Self {
        Self { separators: false, list, ..Self::new(visitor, limit) }
    }

    /// Returns the visitor, and memory for another index.
    pub(crate) fn into_parts(mut self) -> (V, List) {
        self.list.clear();
        (self.visitor, self.list)
    }

    /// Passes on the tokens of `text`, except the last one if it may be incomplete.
    fn pass_on(&mut self, mut text: &[u8]) -> Result<(), Error> {
        if text.is_empty() {
            return Ok(());
        }
        let may_continue = self.in_string || text.last().is_some_and(|&last| is_scalar(last));
        if !self.incomplete.is_empty() {
            let first = self.list.positions().first().copied();
            let (rest_of_token, others) = text.split_at(first.map_or(text.len(), |first| first as usize));
            if first.is_none() && may_continue {
                return self.extend_incomplete(rest_of_token, rest_of_token.len());
            }
            let length = rest_of_token.iter().rposition(|&byte| !is_separator(byte)).map_or(0, |last| last + 1);
            self.extend_incomplete(rest_of_token, length)?;
            self.pass_on_incomplete()?;
            for position in self.list.positions_mut() {
                *position -= first.unwrap_or_default();
            }
            text = others;
        }
        let mut end = text.len();
        if may_continue && let Some(last) = self.list.pop() {
            end = last as usize;
        }
        if end > 0 {
            let positions = self.list.positions();
            self.visitor.take(TokenBatch { offset: self.offset, text: &text[..end], positions })?;
            self.offset += end as u64;
        }
        self.extend_incomplete(&text[end..], text.len() - end)
    }

    /// Keeps `text`, of which the first `length` bytes belong to an incomplete token, and the others follow it.
    fn extend_incomplete(&mut self, text: &[u8], length: usize) -> Result<(), Error> {
        if (self.incomplete.len() + length) as u64 > self.limit {
            return Err(Error::token_limit(self.limit, self.offset));
        }
        self.incomplete.room(text.len(), OutOfMemory::Token)?;
        self.incomplete.extend_from_slice(text);
        Ok(())
    }

    /// Passes on the token that is now complete.
    fn pass_on_incomplete(&mut self) -> Result<(), Error> {
        self.visitor.take(TokenBatch { offset: self.offset, text: &self.incomplete, positions: &[0] })?;
        self.offset += self.incomplete.len() as u64;
        self.incomplete.clear();
        Ok(())
    }
}

/// Whether a byte outside strings may be between a token and the next one that is listed.
fn is_separator(byte: u8) -> bool {
    is_whitespace(byte) || matches!(byte, b',' | b':')
}

/// Whether a byte outside strings belongs to a number or literal.
fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

/// The visitor takes the tokens of several records as those of one document.
impl<V: Visitor> LineConsumer for Index<V> {}

impl<V: Visitor> Consumer for Index<V> {
    const LAYOUT: bool = false;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, _: Option<u8>) -> Result<(), Error> {
        self.discard();
        self.offset = offset;
        self.incomplete.clear();
        self.visitor.begin(offset)
    }

    fn fail(&mut self, read: &Summary) {
        self.read = *read;
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        self.exhausted |= self.list.reserve().is_err();
        if self.exhausted {
            return;
        }
        let planes = tile.planes(bytes.len() / K::SUPERBLOCK);
        for (place, masks, _) in tile.active() {
            let strings = masks.quotes & masks.in_string;
            let mut starts = masks.open | masks.close | masks.scalar_start | strings;
            if self.separators {
                // Line breaks that end records have been taken for commas, which have another bit 5.
                starts = starts | masks.comma & planes[place][5] | masks.colon;
            }
            self.list.add(kernel, starts, self.length + place * K::SUPERBLOCK, K::Word::LANES);
        }
        self.in_string = tile.ends_in_string(bytes.len() / K::SUPERBLOCK);
        self.length += length;
    }

    /// Returns the size of the positions, or a fraction of the length of the text that makes the scan stop before an
    /// index exceeds 32 bits.
    fn held(&self) -> usize {
        size_of_val(self.list.positions()).max(self.length >> 8)
    }

    fn skip(&mut self, length: u64) {
        self.offset += length;
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        if self.exhausted {
            return Err(OutOfMemory::Tokens.into());
        }
        self.pass_on(text)?;
        self.discard();
        Ok(())
    }

    fn discard(&mut self) {
        self.list.clear();
        self.length = 0;
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        if !self.incomplete.is_empty() {
            self.pass_on_incomplete()?;
        }
        self.visitor.end()
    }
}
