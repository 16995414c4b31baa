//! What was found: kept as spans until it is proven, then handed over with its text.
//!
//! A span is in the order of its beginning. All text from the first span that is not handed over yet stays in memory, or
//! can be brought back; so nothing is copied here.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::framing::between;
use crate::framing::distance;
use crate::input::Input;
use crate::memory::Grow;
use crate::query::stream::Listing;
use crate::query::stream::Wanted;
use crate::query::stream::match_paths::MatchPaths;
use std::ops::ControlFlow;
use std::ops::Range;

/// A match: where it begins and ends in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::query) struct Span {
    pub(in crate::query) start: u64,
    pub(in crate::query) end: u64,
}

/// Text of a document, if not all of it.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct Excerpt<'t> {
    pub(in crate::query) text: &'t [u8],
    /// Where it begins in the input.
    pub(in crate::query) base: u64,
    /// The number of the document, if it is a record.
    pub(in crate::query) record: Option<u64>,
}

impl<'t> Excerpt<'t> {
    /// The text of a match.
    pub(in crate::query) fn of(&self, span: Span) -> &'t [u8] {
        &self.text[distance(self.base, span.start)..distance(self.base, span.end)]
    }
}

/// Hears what is found.
pub(in crate::query) trait MatchSink {
    /// Takes matches that are proven, in the order in which they begin, and the text they are in; may end the search.
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error>;

    /// Takes what others have found in a record that is good, and have [refined](super::Refine); may end the search.
    fn join(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        self.take(matches, within)
    }

    /// Whether no more matches are wanted, which need not end the reading of a document.
    fn has_enough(&self) -> bool {
        false
    }

    /// A document is bad; tells whether to go on with the next one.
    fn on_error(&mut self, error: Error) -> ControlFlow<()>;

    /// The next bytes of input may take their time: passes on what has been taken.
    fn wait(&mut self);
}

/// Hears nothing, since all matches are [taken out](Report::take).
pub(super) struct NoSink;

impl MatchSink for NoSink {
    fn take(&mut self, _: &[Span], _: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        Ok(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, _: Error) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn wait(&mut self) {}
}

/// A match that has not been handed over.
#[derive(Clone, Copy, Debug)]
struct Pending {
    start: u64,
    /// [`OPEN`] until it is known.
    end: u64,
    /// How often it is found. In the order of the RFC, in which that is once, the number of its head.
    times: u64,
}

const OPEN: u64 = u64::MAX;

/// The matches of a document.
pub(super) struct Report<'s> {
    sink: &'s mut dyn MatchSink,
    listing: Listing,
    /// Where the search ends.
    limit: u64,
    /// What is handed over of it.
    most: u64,
    /// If matches are to come in the order of the RFC and that is not the order in which they begin.
    match_paths: Option<MatchPaths>,
    /// Whether matches wait for the end of their document, so that a bad one has none.
    holds: bool,
    /// Whether the text of a document is wanted from its start on.
    keeps: bool,
    start: u64,
    record: Option<u64>,
    count: u64,
    /// Matches of the documents before.
    count_before: u64,
    pending: Vec<Pending>,
    /// Matches that have been handed over.
    gone: usize,
    /// Matches that have no end yet.
    open: usize,
    batch: Vec<Span>,
    /// Whether the sink has ended the search.
    has_ended: bool,
}

impl<'s> Report<'s> {
    /// A report to `sink`. With `holds`, matches wait for the end of their document; with `keeps`, so does all of its text.
    pub(super) fn new(sink: &'s mut dyn MatchSink, wanted: Wanted, holds: bool, keeps: bool) -> Self {
        let Wanted { listing, limit, .. } = wanted;
        let match_paths = if let Listing::InOrder { levels } = listing { Some(MatchPaths::new(levels)) } else { None };
        // Which matches are the first is not known before the document ends.
        let is_late = match_paths.is_some() || keeps;
        Self {
            sink,
            listing,
            limit: if is_late { u64::MAX } else { limit },
            most: limit,
            match_paths,
            holds: holds || is_late,
            keeps,
            start: 0,
            record: None,
            count: 0,
            count_before: 0,
            pending: Vec::new(),
            gone: 0,
            open: 0,
            batch: Vec::new(),
            has_ended: false,
        }
    }

    /// Begins a document at `start`, a record of this number if it is one.
    pub(super) fn start(&mut self, start: u64, record: Option<u64>) {
        self.start = start;
        self.record = record;
        self.count_before = self.count;
        self.forget();
    }

    /// The number of the document, if it is a record.
    pub(super) fn record(&self) -> Option<u64> {
        self.record
    }

    /// Whether anything was found in the document.
    pub(super) fn has_found(&self) -> bool {
        self.count > self.count_before
    }

    /// Takes back what was found in the document.
    pub(super) fn withdraw(&mut self) {
        self.count = self.count_before;
        self.forget();
    }

    /// Forgets the matches that have not been handed over.
    fn forget(&mut self) {
        self.pending.clear();
        self.gone = 0;
        self.open = 0;
        if let Some(match_paths) = &mut self.match_paths {
            match_paths.clear();
        }
    }

    /// Matches so far, of all documents.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    #[inline(always)]
    pub(super) fn lists(&self) -> bool {
        self.listing != Listing::None
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

    /// How many more matches are wanted.
    pub(super) fn rest(&self) -> u64 {
        self.most.saturating_sub(self.count)
    }

    /// Whether nothing more is wanted, or nobody wants it.
    pub(super) fn is_over(&self) -> bool {
        self.rest() == 0 || self.has_ended || self.sink.has_enough()
    }

    /// Whether the sink has ended the search.
    #[inline(always)]
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Counts a match that was found so many times, and returns how many of those are wanted.
    #[inline(always)]
    pub(super) fn add(&mut self, times: u64) -> u64 {
        let times = times.min(self.limit - self.count);
        self.count += times;
        times
    }

    /// What leads to the matches, if they are to come in the order of the RFC.
    #[inline(always)]
    pub(super) fn match_paths(&mut self) -> Option<&mut MatchPaths> {
        self.match_paths.as_mut()
    }

    /// Lists a match that begins at `start`. Returns what [`end`](Self::end) wants to know.
    #[inline(always)]
    pub(super) fn begin(&mut self, start: u64, times: u64) -> Result<usize, OutOfMemory> {
        self.pending.grow(Pending { start, end: OPEN, times }, OutOfMemory::Matches)?;
        self.open += 1;
        Ok(self.gone + self.pending.len() - 1)
    }

    /// Ends a match.
    #[inline(always)]
    pub(super) fn end(&mut self, number: usize, end: u64) {
        if let Some(pending) = self.pending.get_mut(number - self.gone) {
            pending.end = end;
            self.open -= 1;
        }
    }

    /// The place from which text must be kept, if there is one.
    pub(super) fn keep(&self) -> Option<u64> {
        if self.keeps { Some(self.start) } else { self.pending.first().map(|pending| pending.start) }
    }

    /// What would be handed over at `proven`, but for what lies inside another match.
    pub(super) fn outermost(&self, proven: u64) -> impl Iterator<Item = Span> + Clone {
        let mut behind = 0;
        self.pending.iter().take_while(move |pending| pending.end <= proven).filter_map(move |pending| {
            let is_outermost = pending.end > behind;
            behind = behind.max(pending.end);
            is_outermost.then_some(Span { start: pending.start, end: pending.end })
        })
    }

    /// Whether matches are handed over before their document ends.
    pub(super) fn is_eager(&self) -> bool {
        !self.holds
    }

    /// Hands over what ends at or before `proven`, unless matches wait for the end of the document.
    pub(super) fn advance(&mut self, input: &Input<'_>, proven: u64) -> Result<(), Error> {
        if self.holds { Ok(()) } else { self.flush(input, proven) }
    }

    /// Hands over what a document that ends at `end` has not handed over yet.
    pub(super) fn finish(&mut self, input: &Input<'_>, end: u64) -> Result<(), Error> {
        self.settle()?;
        self.flush(input, end)
    }

    /// Brings the matches of a document into the order of the RFC, if that is wanted, and leaves out those that are too many.
    #[inline(always)]
    fn settle(&mut self) -> Result<(), OutOfMemory> {
        if self.match_paths.is_some() {
            self.sort()?;
        }
        if self.count > self.most {
            self.trim();
        }
        Ok(())
    }

    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "the number of a head")]
    fn sort(&mut self) -> Result<(), OutOfMemory> {
        if let Some(match_paths) = &mut self.match_paths {
            match_paths.settle(&mut self.pending, |pending| pending.times as u32)?;
        }
        for pending in &mut self.pending {
            pending.times = 1;
        }
        Ok(())
    }

    #[cold]
    fn trim(&mut self) {
        let mut excess = self.count - self.most;
        self.count = self.most;
        // What is found on several ways is counted when it is handed over.
        let repeats = self.match_paths.as_ref().is_some_and(MatchPaths::repeat);
        while excess > 0
            && !repeats
            && let Some(last) = self.pending.last_mut()
        {
            let taken = last.times.min(excess);
            (last.times, excess) = (last.times - taken, excess - taken);
            self.pending.pop_if(|last| last.times == 0);
        }
    }

    /// Hands over what ends at or before `proven`, a place that is in memory as all before it from [`keep`](Self::keep) on.
    pub(super) fn flush(&mut self, input: &Input<'_>, proven: u64) -> Result<(), Error> {
        let within = Excerpt { text: input.bytes(), base: input.base(), record: self.record };
        let done = self.pending.iter().take_while(|pending| pending.end <= proven).count();
        if !self.has_ended {
            let wanted = self.wanted();
            let Self { sink, pending, match_paths, batch, has_ended, .. } = self;
            let mut again = Range { start: u64::MAX, end: 0 };
            let mut hand_over = |batch: &mut Vec<Span>| {
                *has_ended = sink.take(batch, within)?.is_break();
                for span in batch.drain(..) {
                    again = again.start.min(span.start)..again.end.max(span.end);
                }
                // Looking at it again has brought its pages back.
                if again.end - again.start > AGAIN {
                    input.release_again(again.clone());
                    again = Range { start: u64::MAX, end: 0 };
                }
                if *has_ended { Err(None) } else { Ok(()) }
            };
            batch.clear();
            let handed_over = spans(&pending[..done], match_paths.as_ref(), wanted).try_for_each(|span| {
                batch.push(span);
                if batch.len() == BATCH { hand_over(batch) } else { Ok(()) }
            });
            let rest = handed_over.and_then(|()| if batch.is_empty() { Ok(()) } else { hand_over(batch) });
            if let Err(Some(error)) = rest {
                return Err(error);
            }
        }
        self.pending.drain(..done);
        self.gone += done;
        Ok(())
    }

    /// Takes out all matches of a document that has ended.
    #[inline(always)]
    pub(super) fn take(&mut self, found: &mut Vec<Span>) -> Result<(), OutOfMemory> {
        self.settle()?;
        for span in spans(&self.pending, self.match_paths.as_ref(), self.wanted()) {
            found.grow(span, OutOfMemory::Matches)?;
        }
        self.gone += self.pending.len();
        self.pending.clear();
        Ok(())
    }

    /// Hands over what others have found and counts it, up to what is wanted.
    pub(super) fn relay(&mut self, found: &[Span], within: Excerpt<'_>) -> Result<(), Error> {
        let wanted = usize::try_from(self.rest()).unwrap_or(usize::MAX);
        let found = &found[..found.len().min(wanted)];
        self.count += found.len() as u64;
        if !found.is_empty() && !self.has_ended {
            self.has_ended = self.sink.join(found, within)?.is_break();
        }
        Ok(())
    }

    /// How many matches of the document are wanted, when it has ended.
    fn wanted(&self) -> usize {
        usize::try_from(self.count - self.count_before).unwrap_or(usize::MAX)
    }

    /// Hands over what ends in front of a fault and forgets the rest, or all of it if matches wait.
    pub(super) fn flush_before(&mut self, input: &Input<'_>, fault: Fault) -> Result<(), Error> {
        if self.holds || !self.lists() {
            self.withdraw();
        } else {
            self.pending.retain(|pending| {
                // What ends with a letter or digit does not show its end itself.
                let shows_end = |end| matches!(between(input, end - 1, end), b"\"" | b"]" | b"}");
                pending.end < fault.offset || pending.end == fault.offset && shows_end(pending.end)
            });
            self.flush(input, fault.offset)?;
        }
        self.forget();
        Ok(())
    }

    /// A document is bad; tells whether to go on with the next one.
    pub(super) fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.sink.on_error(error)
    }

    /// The next bytes of input may take their time.
    pub(super) fn wait(&mut self) {
        self.sink.wait();
    }
}

/// Matches as often as they are found. Those that are repeated in the order of the RFC have been settled, and so many of them
/// are wanted.
fn spans<'p>(
    pending: &'p [Pending],
    match_paths: Option<&'p MatchPaths>,
    wanted: usize,
) -> impl Iterator<Item = Span> + 'p {
    let match_paths = match_paths.filter(|match_paths| match_paths.repeat());
    let once = if match_paths.is_none() { pending } else { &[] };
    let once = once.iter().flat_map(|pending| (0..pending.times).map(move |_| pending));
    let repeated = match_paths.into_iter().flat_map(|match_paths| match_paths.paths(pending.len())).take(wanted);
    let repeated = repeated.map(|index| &pending[index]);
    once.chain(repeated).map(|pending| Span { start: pending.start, end: pending.end })
}

/// Matches that are handed over at once.
const BATCH: usize = 1024;

/// Bytes from the first to the last of some matches, with whatever lies between, of which the pages are given back together.
const AGAIN: u64 = 8 << 20;
