//! What was found: kept as spans until it is proven, then handed over with its text.
//!
//! A span is in the order of its beginning. All text from the first span that is not handed over yet stays in memory, or
//! can be brought back; so nothing is copied here.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::Fault;
use crate::framing::between;
use crate::input::Input;

/// A match: where it begins and ends in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// Takes matches, in the order in which they begin.
pub(super) trait Sink {
    /// Takes matches that are proven, with a text that holds all of them and begins at the offset `base`.
    fn take(&mut self, matches: &[Match], text: &[u8], base: u64) -> Result<(), Error>;

    /// Takes the next part of a match that is too long to be held; `last` if it ends here. It comes in place of a match.
    fn part(&mut self, text: &[u8], last: bool) -> Result<(), Error>;

    /// The next bytes of input may take their time: passes on what has been taken.
    fn wait(&mut self) -> Result<(), Error>;
}

/// Bytes of a match that are held. What is longer comes in parts.
const HELD: u64 = 1 << 20;

/// A match that has not been handed over.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u64,
    /// [`OPEN`] until it is known.
    end: u64,
    times: u64,
}

const OPEN: u64 = u64::MAX;

/// The matches of a document.
pub(super) struct Report<'s> {
    sink: &'s mut dyn Sink,
    /// Whether the matches themselves are wanted, and not only their number.
    list: bool,
    limit: u64,
    count: u64,
    spans: Vec<Span>,
    /// Spans that have been handed over.
    gone: usize,
    /// Spans that have no end yet.
    open: usize,
    /// Bytes of the first span that have been handed over.
    parted: u64,
    batch: Vec<Match>,
}

impl<'s> Report<'s> {
    pub(super) fn new(sink: &'s mut dyn Sink, list: bool, limit: u64) -> Self {
        Self { sink, list, limit, count: 0, spans: Vec::new(), gone: 0, open: 0, parted: 0, batch: Vec::new() }
    }

    /// Matches so far, of all documents.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// A bad document has no matches that count, though some may have been handed over.
    pub(super) fn recount(&mut self, before: u64) {
        if !self.list {
            self.count = before;
        }
    }

    #[inline(always)]
    pub(super) fn lists(&self) -> bool {
        self.list
    }

    /// Whether there are as many matches as are wanted.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.count >= self.limit
    }

    /// Whether nothing more is wanted, and all of it has its end.
    #[inline(always)]
    pub(super) fn is_complete(&self) -> bool {
        self.open == 0 && self.is_full()
    }

    /// Whether a match has no end yet.
    #[inline(always)]
    pub(super) fn is_open(&self) -> bool {
        self.open > 0
    }

    /// Counts a match that was found so many times, and returns how many of those are wanted.
    #[inline(always)]
    pub(super) fn add(&mut self, times: u64) -> u64 {
        let times = times.min(self.limit - self.count);
        self.count += times;
        times
    }

    /// Lists a match that begins at `start`. Returns what [`end`](Self::end) wants to know.
    #[inline(always)]
    pub(super) fn begin(&mut self, start: u64, times: u64) -> usize {
        self.spans.push(Span { start, end: OPEN, times });
        self.open += 1;
        self.gone + self.spans.len() - 1
    }

    /// Ends a match.
    #[inline(always)]
    pub(super) fn end(&mut self, number: usize, end: u64) {
        if let Some(span) = self.spans.get_mut(number - self.gone) {
            span.end = end;
            self.open -= 1;
        }
    }

    /// The place from which text must be kept, if there is one.
    pub(super) fn keep(&self) -> Option<u64> {
        self.spans.first().map(|span| span.start + self.parted)
    }

    /// Hands over what ends at or before `proven`, a place that is in memory as all before it from [`keep`](Self::keep) on.
    pub(super) fn flush(&mut self, input: &Input<'_>, proven: u64) -> Result<(), Error> {
        let mut done = 0;
        self.batch.clear();
        for span in &self.spans {
            if span.end > proven {
                break;
            }
            done += 1;
            let whole = Match { start: span.start, end: span.end };
            let mut times = span.times;
            if self.parted > 0 {
                self.sink.part(between(input, span.start + self.parted, span.end), true)?;
                self.parted = 0;
                times -= 1;
            }
            for _ in 0..times {
                self.batch.push(whole);
                if self.batch.len() == BATCH {
                    self.sink.take(&self.batch, input.bytes(), input.base())?;
                    self.batch.clear();
                }
            }
        }
        if !self.batch.is_empty() {
            self.sink.take(&self.batch, input.bytes(), input.base())?;
        }
        self.spans.drain(..done);
        self.gone += done;
        if let Some(Span { start, times: 1, .. }) = self.spans.first()
            && proven.saturating_sub(*start) > HELD
        {
            self.sink.part(between(input, start + self.parted, proven), false)?;
            self.parted = proven - start;
        }
        Ok(())
    }

    /// Hands over what ends in front of a fault, and forgets the rest. A match that has no end yet is handed over up to there
    /// if it is too long to be held, so that it is the same wherever it was parted.
    pub(super) fn flush_before(&mut self, input: &Input<'_>, fault: Fault) -> Result<(), Error> {
        let first = self.spans.first().map(|span| span.start);
        let is_before = |span: &Span| {
            // What ends with a letter or digit does not show its end itself.
            let shows_end = |end| matches!(between(input, end - 1, end), b"\"" | b"]" | b"}");
            span.end < fault.offset || span.end == fault.offset && shows_end(span.end)
        };
        self.spans.retain(is_before);
        if self.spans.first().map(|span| span.start) != first {
            if let Some(start) = first
                && self.spans.is_empty()
                && fault.offset.saturating_sub(start) > HELD
            {
                self.sink.part(between(input, start + self.parted, fault.offset), true)?;
            }
            self.parted = 0;
        }
        self.flush(input, fault.offset)?;
        self.start();
        Ok(())
    }

    /// Forgets everything of a document but how many matches it had.
    pub(super) fn start(&mut self) {
        self.spans.clear();
        self.gone = 0;
        self.open = 0;
        self.parted = 0;
    }

    /// The next bytes of input may take their time.
    pub(super) fn wait(&mut self) -> Result<(), Error> {
        self.sink.wait()
    }
}

/// Matches that are handed over at once.
const BATCH: usize = 1024;
