//! Stretches of whole records, each on a line of its own.
//!
//! All that is said of lines is said of the records of streams and sequences, too, once they are on lines: each at its place, or at
//! one that is a few line breaks further on.

#![forbid(unsafe_code)]

use crate::grammar::OnLines;
use crate::grammar::ToLines;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::options::RECORD_SEPARATOR;

/// Whole records.
pub(crate) struct RecordBatch<'t> {
    source: &'t [u8],
    /// Without a text if the source has them on lines.
    lines: OnLines,
}

impl<'t> RecordBatch<'t> {
    /// The records at the front of a text, about as long as a window together. Nothing if the first one is longer.
    pub(super) fn first(text: &'t [u8], options: &Options, memory: OnLines) -> Option<Self> {
        let text = &text[..text.len().min(options.window)];
        let mut lines = memory;
        let end = match options.framing {
            Framing::Document => return None,
            Framing::Lines => memchr::memrchr(b'\n', text)? + 1,
            Framing::Stream | Framing::Documents => options.isa.run(ToLines { text, lines: &mut lines })?,
            Framing::Sequence => {
                let end = memchr::memrchr(RECORD_SEPARATOR, text)? + 1;
                options.isa.run(Separated { text: &text[..end], lines: &mut lines.text });
                end
            }
        };
        Some(Self { source: &text[..end], lines })
    }

    /// The records as they stand in the input.
    pub(crate) fn source(&self) -> &'t [u8] {
        self.source
    }

    /// The records on lines, the last of which has an end.
    pub(crate) fn lines(&self) -> &[u8] {
        if self.lines.text.is_empty() { self.source } else { &self.lines.text }
    }

    pub(crate) fn shift(&self) -> Shift<'_> {
        Shift { inserted: &self.lines.inserted, count: 0 }
    }

    pub(super) fn into_memory(self) -> OnLines {
        self.lines
    }
}

/// How much further on lines than in the source one place after the other is.
pub(crate) struct Shift<'s> {
    /// The line breaks behind the last place.
    inserted: &'s [usize],
    /// Those in front of it.
    count: usize,
}

impl Shift<'_> {
    /// By how many bytes, for a place that is not in front of the last one.
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

/// Brings records with separators behind them to lines. A number or literal with no whitespace behind it keeps its separator, as
/// nobody knows whether it is whole (RFC 7464, section 2.4), and makes its line a bad one.
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

/// What becomes of a byte with another one in front of it, told without branches for as many at a time as a vector has.
#[inline(always)]
fn line(byte: u8, before: u8) -> u8 {
    let is_cut = (before | 0x20).wrapping_sub(b'a') < 26 || before.wrapping_sub(b'0') < 10;
    let end = if is_cut { RECORD_SEPARATOR } else { b'\n' };
    let other = if byte == b'\n' { b'\t' } else { byte };
    if byte == RECORD_SEPARATOR { end } else { other }
}
