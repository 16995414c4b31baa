//! Batches of whole records, one record per line.
//!
//! Concatenated JSON and JSON text sequences are converted to lines first. Each record then stands at its offset in the
//! source, or a few line breaks after it. The elements of an array are put on lines, too.

#![forbid(unsafe_code)]

use crate::grammar::ElementLines;
use crate::grammar::LineRewrite;
use crate::grammar::RewrittenLines;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::options::RECORD_SEPARATOR;

/// A first document that may be the only one is read in a batch only if it ends within this many bytes.
const NEARBY: usize = 1 << 13;

/// A batch of whole records, or of elements of an array, which are read as records.
pub(crate) struct RecordBatch<'t> {
    source: &'t [u8],
    /// Its offset in the input.
    offset: u64,
    /// The records on lines; empty if the source already has one record per line.
    lines: RewrittenLines,
    /// The number of elements, if these are elements; 0 until they are put on lines.
    elements: Option<u64>,
}

impl<'t> RecordBatch<'t> {
    /// Returns the batch at the start of a text, at most a window long. `None` if the first record is longer.
    pub(super) fn first(text: &'t [u8], options: &Options, framing: Framing, memory: RewrittenLines) -> Option<Self> {
        let text = &text[..text.len().min(options.window)];
        let mut lines = memory;
        let end = match framing {
            Framing::Document => return None,
            Framing::Lines => {
                lines.clear();
                memchr::memrchr(b'\n', text)? + 1
            }
            Framing::Stream | Framing::Documents => options.isa.run(LineRewrite { text, lines: &mut lines })?,
            Framing::Sequence => {
                let end = memchr::memrchr(RECORD_SEPARATOR, text)? + 1;
                options.isa.run(Separated { text: &text[..end], lines: &mut lines.text });
                end
            }
        };
        Some(Self { source: &text[..end], offset: 0, lines, elements: None })
    }

    /// Returns the batch of the elements of an array in this text, which begins with an element and ends after a comma. They must be
    /// [put on lines](Self::put_on_lines).
    pub(super) fn elements_in(source: &'t [u8], offset: u64, memory: RewrittenLines) -> Self {
        let mut lines = memory;
        lines.clear();
        Self { source, offset, lines, elements: Some(0) }
    }

    /// Puts elements on lines. Returns false if there is no memory for this.
    pub(super) fn put_on_lines(&mut self, isa: Isa) -> bool {
        let Self { source, lines: RewrittenLines { text: lines, .. }, elements, .. } = self;
        if let Some(elements) = elements {
            if lines.try_reserve(source.len()).is_err() {
                return false;
            }
            *elements = isa.run(ElementLines { text: source, lines });
        }
        true
    }

    /// Returns the number of elements, if these are elements. If fewer are found on lines, some are missing in the text.
    pub(super) fn elements(&self) -> Option<u64> {
        self.elements
    }

    /// Returns the number of a record in the input, given that in the batch and that of records before it. `None` for elements.
    pub(crate) fn record(&self, before: u64, number: u64) -> Option<u64> {
        self.elements.is_none().then_some(before + number)
    }

    /// Whether the first document, which may be the only one, ends so soon that it is read in a batch. Only a little of the text is
    /// searched.
    pub(super) fn ends_nearby(text: &[u8], options: &Options) -> bool {
        let near = &text[..text.len().min(NEARBY)];
        RecordBatch::first(near, options, Framing::Documents, RewrittenLines::default()).is_some()
    }

    /// Whether the first document ends so soon that something follows it, mostly another document.
    pub(crate) fn is_first_of_several(text: &[u8], options: &Options) -> bool {
        options.framing == Framing::Documents && text.len() > NEARBY && Self::ends_nearby(text, options)
    }

    /// Returns the batch with its offset in the input.
    pub(super) fn at(self, offset: u64) -> Self {
        Self { offset, ..self }
    }

    /// Returns the offset in the input.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the offset in the input of what follows the batch.
    pub(crate) fn end(&self) -> u64 {
        self.offset + self.source.len() as u64
    }

    /// Returns the indexes in [`lines`](Self::lines) of the line breaks that are not in the input.
    pub(crate) fn inserted(&self) -> &[usize] {
        &self.lines.inserted
    }

    /// Returns the records as they are in the input.
    pub(crate) fn source(&self) -> &'t [u8] {
        self.source
    }

    /// Whether each record is on a line of its own in the input.
    pub(crate) fn is_on_lines(&self) -> bool {
        self.lines.text.is_empty()
    }

    /// Returns the records on lines, the last of which is terminated.
    pub(crate) fn lines(&self) -> &[u8] {
        if self.is_on_lines() { self.source } else { &self.lines.text }
    }

    pub(crate) fn shift(&self) -> Shift<'_> {
        Shift { inserted: &self.lines.inserted, count: 0 }
    }

    pub(super) fn into_memory(self) -> RewrittenLines {
        self.lines
    }
}

/// The distance between offsets in the source and on the lines, for increasing offsets.
pub(crate) struct Shift<'s> {
    /// Offsets of the inserted line breaks after the last offset.
    inserted: &'s [usize],
    /// Number of inserted line breaks before it.
    count: usize,
}

impl Shift<'_> {
    /// Returns the distance for an offset, which must not be less than the previous one.
    #[inline]
    pub(crate) fn at(&mut self, place: usize) -> usize {
        while let Some((&first, rest)) = self.inserted.split_first()
            && first < place
        {
            self.inserted = rest;
            self.count += 1;
        }
        self.count
    }
}

/// Converts records followed by separators to lines. A number or literal that no whitespace follows may be truncated
/// (RFC 7464, section 2.4), so it keeps its separator, which makes its line invalid.
struct Separated<'t, 'l> {
    text: &'t [u8],
    lines: &'l mut Vec<u8>,
}

impl Pass for Separated<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) {
        let Self { text, lines } = self;
        lines.resize(text.len(), 0);
        lines[0] = line(text[0], b' ');
        for ((to, &byte), &before) in lines[1..].iter_mut().zip(&text[1..]).zip(text) {
            *to = line(byte, before);
        }
    }
}

/// Converts a byte that follows `before`. Branch-free, so that it is vectorized.
#[inline(always)]
fn line(byte: u8, before: u8) -> u8 {
    let is_cut = (before | 0x20).wrapping_sub(b'a') < 26 || before.wrapping_sub(b'0') < 10;
    // mutant: let end = b'\n';
    let end = if is_cut { RECORD_SEPARATOR } else { b'\n' };
    // mutant: let other = byte;
    let other = if byte == b'\n' { b'\t' } else { byte };
    if byte == RECORD_SEPARATOR { end } else { other }
}
