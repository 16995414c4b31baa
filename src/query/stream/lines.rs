//! Whole lines at once, as far as they are good: one pass over a stretch of records, and several stretches on several cores.
//!
//! A short record costs less than its start and its end, if it is given tiles of its own. Here the tiles go on from line to
//! line, and an executor begins anew behind each line break. What it finds is held until the stretch is known to be good; if it
//! is not, its records are taken one by one.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::grammar::Checker;
use crate::grammar::Lines;
use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Options;
use crate::parallel::Hand;
use crate::parallel::Reader;
use crate::query::evaluate::Evaluation;
use crate::query::stream::Ask;
use crate::query::stream::Listing;
use crate::query::stream::Wanted;
use crate::query::stream::execute;
use crate::query::stream::masks::Escapes;
use crate::query::stream::masks::Masks;
use crate::query::stream::plan::Key;
use crate::query::stream::report::Excerpt;
use crate::query::stream::report::Report;
use crate::query::stream::report::Sink;
use crate::query::stream::report::Span;
use crate::query::stream::seek::Found;
use crate::query::stream::tape::Tape;
use crate::query::stream::tiles::Extent;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Producer;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::Tiles;
use crate::query::stream::tiles::Turn;
use crate::query::structure::Strings;
use crate::walk::Passed;
use crate::walk::check_value;
use crate::walk::padded;
use std::ops::ControlFlow;

/// Searches lines and reports what is found.
pub(super) struct Searching<'r, 's, 'a> {
    pub(super) ask: Ask<'a>,
    pub(super) report: &'r mut Report<'s>,
    /// Records before the first line.
    pub(super) number: u64,
}

impl<'a> Reader for Searching<'_, '_, 'a> {
    type Hand = Ask<'a>;

    fn hand(&self) -> Ask<'a> {
        Ask { wanted: Wanted { limit: self.report.rest(), ..self.ask.wanted }, ..self.ask }
    }

    fn read(&mut self, options: &Options, stretch: &[u8], passed: &Passed) -> Result<Option<u64>, Error> {
        let Some((records, answer)) = self.hand().read(options, stretch, Vec::new()) else { return Ok(None) };
        self.join(answer, stretch, passed, &mut Vec::new())?;
        Ok(Some(records))
    }

    fn join(&mut self, answer: Answer, stretch: &[u8], passed: &Passed, _: &mut Vec<Vec<u8>>) -> Result<(), Error> {
        let Answer { count, found } = answer;
        for group in found.chunk_by(|one, other| one.record == other.record) {
            let record = Some(self.number + passed.records + group[0].record);
            let within = Excerpt { text: stretch, base: passed.end, record };
            self.report.relay(group.iter().map(|found| found.span), within)?;
        }
        self.report.add(count.saturating_sub(found.len() as u64));
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.report.is_over()
    }
}

impl Hand for Ask<'_> {
    type Made = Answer;

    fn read(self, options: &Options, text: &[u8], _: Vec<u8>) -> Option<(u64, Answer)> {
        options.isa.run(Stretch { text, ask: self })
    }
}

/// What a good stretch answers.
pub(in crate::query) struct Answer {
    count: u64,
    found: Vec<Located>,
}

/// A match, with its offset in the stretch and the number of its record there, from 1 on.
struct Located {
    span: Span,
    record: u64,
}

/// Whole lines.
struct Stretch<'s> {
    text: &'s [u8],
    ask: Ask<'s>,
}

impl Pass for Stretch<'_> {
    /// How many records there are, and what was found in them.
    type Output = Option<(u64, Answer)>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { text, ask } = self;
        let Ask { options, wanted, .. } = ask;
        let mut found = Keep::default();
        let report = Report::new(&mut found, wanted, true, ask.plan.condition.is_some());
        let (records, count) = if wanted.trust {
            let mut trust =
                Trust { text: Rest::new(text), kernel, strings: Strings::default(), escapes: Escapes::default() };
            let producer: &mut dyn Turn<K> = &mut trust;
            kernel.run(Records { tiles: Tiles::new(kernel, producer, report), ask, text, drain: false })?
        } else {
            // The array is a level of its own.
            let most = options.max_depth.map(|depth| depth.saturating_add(1));
            let mut checker = Checker::new(kernel, most, false);
            let lines = checker.start_lines();
            let mut proof = Proof { text: Rest::new(text), checker, lines, escapes: Escapes::default(), is_good: true };
            let producer: &mut dyn Turn<K> = &mut proof;
            let (records, count) =
                kernel.run(Records { tiles: Tiles::new(kernel, producer, report), ask, text, drain: true })?;
            if !proof.is_good || proof.checker.end_lines(&proof.lines) != Some(records) {
                return None;
            }
            (records, count)
        };
        let Keep(found) = found;
        let is_good = |found: &Located| {
            let text = &text[index(found.span.start)..index(found.span.end)];
            !wanted.trust || check_value(0, text).is_ok()
        };
        found.iter().all(is_good).then_some((records, Answer { count, found }))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "it is an index in a stretch")]
fn index(offset: u64) -> usize {
    offset as usize
}

/// Keeps what is found.
#[derive(Default)]
struct Keep(Vec<Located>);

impl Sink for Keep {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        let record = within.record.unwrap_or_default();
        self.0.extend(matches.iter().map(|&span| Located { span, record }));
        Ok(ControlFlow::Continue(()))
    }

    fn refuse(&mut self, _: Error) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn wait(&mut self) {}
}

/// One record after the other.
struct Records<'r, 's, K> {
    tiles: Tiles<'s, K, dyn Turn<K> + 's>,
    ask: Ask<'r>,
    text: &'r [u8],
    /// Whether to go on behind the last match that is wanted.
    drain: bool,
}

impl<K: Kernel> Pass for Records<'_, '_, K> {
    /// How many records and matches there are; nothing if a record has no end, or must be taken by itself.
    type Output = Option<(u64, u64)>;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        let Self { mut tiles, ask, text, drain } = self;
        tiles.begin(0, None);
        let (mut records, mut place) = (0, 0);
        let mut is_inside = false;
        let stop = loop {
            let root = match tiles.visible(place) {
                Ok(root) => root,
                Err(stop) => break stop,
            };
            records += 1;
            is_inside = true;
            tiles.report.start(root, Some(records));
            let (behind, heard) = match record(&mut tiles, ask, root) {
                Ok(heard) => heard,
                Err(stop) => break stop,
            };
            let end = match tiles.line_break(behind) {
                Ok(end) => end,
                Err(stop) => break stop,
            };
            (place, is_inside) = (end + 1, false);
            if heard != Heard::Nothing {
                judge(&mut tiles.report, ask, heard, &text[index(root)..index(end)], root)?;
            }
        };
        if stop == Stop::Enough {
            tiles.report.hand_over().ok()?;
            if !drain {
                return Some((records, tiles.report.count()));
            }
            let mut place = tiles.wanted();
            while let Ok(end) = tiles.line_break(place) {
                is_inside = false;
                place = match tiles.visible(end + 1) {
                    Ok(place) => place,
                    Err(_) => break,
                };
                (is_inside, records) = (true, records + 1);
            }
        }
        (!is_inside).then(|| (records, tiles.report.count()))
    }
}

/// What is known of a record when its end is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    /// The condition does not hold.
    Nothing,
    /// The report has what matches, if the condition holds.
    Matches,
    /// The condition may hold, and the beginning of the record is gone.
    Late,
}

/// Asks the record whose value begins at `root`. Returns a place in it as well, outside of strings or at their quotes.
#[inline(always)]
fn record<K: Kernel>(
    tiles: &mut Tiles<'_, K, dyn Turn<K> + '_>,
    ask: Ask<'_>,
    root: u64,
) -> Result<(u64, Heard), Stop> {
    if let Some(key) = &ask.plan.key {
        match tiles.meets(root, key)? {
            (place, false) => return Ok((place, Heard::Nothing)),
            (place, true) if root < tiles.start => return Ok((place, Heard::Late)),
            _ => {}
        }
    }
    let (Outcome::Left(place) | Outcome::Answered(place)) = execute(tiles, ask.plan, root, false)?;
    Ok((place, Heard::Matches))
}

/// Decides on a record that has ended. Nothing if it must be taken by itself.
#[inline(never)]
fn judge(report: &mut Report<'_>, ask: Ask<'_>, heard: Heard, text: &[u8], root: u64) -> Option<()> {
    if heard == Heard::Matches && !report.has_found() {
        return Some(());
    }
    let is_sure = ask.plan.key.as_ref().is_some_and(|key| key.is_all);
    if !is_sure && !ask.admits(text).ok()? {
        report.withdraw();
        return Some(());
    }
    if heard == Heard::Matches {
        return report.hand_over().ok();
    }
    let listing = ask.wanted.listing;
    let mut evaluation = Evaluation::new(ask.plan.syntax, text, ask.options.isa, listing != Listing::InOrder);
    let mut spans = Vec::new();
    while let Some(found) = evaluation.next() {
        if listing == Listing::None {
            report.add(found.times);
            continue;
        }
        let span = Span { start: found.start as u64, end: evaluation.end(found.start) as u64 };
        spans.extend((0..found.times).map(|_| span));
    }
    report.relay(spans.into_iter(), Excerpt { text: b"", base: root, record: report.record() }).ok()
}

impl<K: Kernel, P: Turn<K> + ?Sized> Tiles<'_, K, P> {
    /// Whether the value at `root` has the string that is wanted of it; and a place in it.
    #[inline(always)]
    fn meets(&mut self, root: u64, key: &Key) -> Result<(u64, bool), Stop> {
        let mut place = root;
        for name in &key.path {
            if self.byte(place) != b'{' {
                return Ok((place, false));
            }
            match self.find(place + 1, name)? {
                Found::Here(value) => place = value,
                Found::Behind(behind) => return Ok((behind, false)),
            }
        }
        if self.byte(place) != b'"' {
            return Ok((place, false));
        }
        let end = self.quote(place + 1)?;
        // What is longer cannot say it, nor does it all lie on the tape.
        let is_short = end - place <= key.value.most_raw() as u64 + 1;
        Ok((end, is_short && key.value.is(self.tape.between(place + 1, end))))
    }
}

/// What is left of a stretch.
struct Rest<'t> {
    text: &'t [u8],
    at: usize,
    scratch: Box<[u8; MAX_TILE_BYTES]>,
}

impl<'t> Rest<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, scratch: Box::new([b' '; MAX_TILE_BYTES]) }
    }

    /// The next tile, and what it is.
    #[inline(always)]
    fn next<K: Kernel>(&mut self) -> Option<(&[u8], Extent)> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let length = rest.len().min(Checker::<K>::TILE);
        let tile = if length == Checker::<K>::TILE { &rest[..length] } else { padded::<K>(&mut self.scratch, rest, 0) };
        self.at += length;
        let is_last = self.at == self.text.len();
        Some((tile, Extent { length, superblocks: tile.len() / K::SUPERBLOCK, is_last, is_cut: false }))
    }
}

/// Checks a stretch.
struct Proof<'t, K: Kernel> {
    text: Rest<'t>,
    checker: Checker<K>,
    lines: Lines<K::Word>,
    escapes: Escapes,
    is_good: bool,
}

impl<K: Kernel> Producer<K> for Proof<'_, K> {
    fn kernel(&self) -> K {
        self.checker.kernel()
    }

    #[inline(always)]
    fn produce(&mut self, masks: &mut Masks, tape: &mut Tape, _: &mut Report<'_>) -> Result<Option<Extent>, Error> {
        let Some((tile, extent)) = self.text.next::<K>() else { return Ok(None) };
        self.is_good = self.is_good && self.checker.check_lines(tile, false, &mut self.lines);
        if !self.is_good {
            return Ok(None);
        }
        masks.fill(self.checker.kernel(), self.checker.masks(), &mut self.escapes, extent.superblocks);
        tape.append(tile, extent.length);
        Ok(Some(extent))
    }
}

/// Believes a stretch.
struct Trust<'t, K> {
    text: Rest<'t>,
    kernel: K,
    strings: Strings,
    escapes: Escapes,
}

impl<K: Kernel> Producer<K> for Trust<'_, K> {
    fn kernel(&self) -> K {
        self.kernel
    }

    #[inline(always)]
    fn produce(&mut self, masks: &mut Masks, tape: &mut Tape, _: &mut Report<'_>) -> Result<Option<Extent>, Error> {
        let Some((tile, extent)) = self.text.next::<K>() else { return Ok(None) };
        masks.classify(self.kernel, tile, &mut self.strings, &mut self.escapes);
        tape.append(tile, extent.length);
        Ok(Some(extent))
    }
}
