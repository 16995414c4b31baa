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
use crate::query::stream::report::Nobody;
use crate::query::stream::report::Report;
use crate::query::stream::report::Span;
use crate::query::stream::seek::Found;
use crate::query::stream::sift::Tally;
use crate::query::stream::tape::Tape;
use crate::query::stream::tiles::Extent;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Producer;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::Tiles;
use crate::query::stream::tiles::Turn;
use crate::query::structure::Strings;
use crate::walk::Passed;
use crate::walk::Values;
use crate::walk::padded;
use memchr::memchr;

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
        let Answer { count, mut found } = answer;
        for span in &mut found.spans {
            (span.start, span.end) = (span.start + passed.end, span.end + passed.end);
        }
        let mut rest = &found.spans[..];
        for Share { record, matches } in found.shares {
            let (spans, others) = rest.split_at(matches);
            let record = Some(self.number + passed.records + record);
            self.report.relay(spans, Excerpt { text: stretch, base: passed.end, record })?;
            rest = others;
        }
        self.report.add(count.saturating_sub(found.spans.len() as u64));
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
    found: Matches,
}

/// The matches of a stretch, with their offsets in it.
#[derive(Default)]
struct Matches {
    spans: Vec<Span>,
    shares: Vec<Share>,
}

/// How many matches a record has.
struct Share {
    /// Its number in the stretch, from 1 on.
    record: u64,
    matches: usize,
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
        let mut nobody = Nobody;
        let report = Report::new(&mut nobody, wanted, true, ask.plan.condition.is_some());
        let escapes = Escapes::of(ask.plan.key.is_some());
        let (records, answer) = if wanted.trust {
            let mut trust = Trust { text: Rest::new(text), kernel, strings: Strings::default(), escapes };
            let producer: &mut dyn Turn<K> = &mut trust;
            kernel.run(Records::new(Tiles::new(kernel, producer, report), ask, text, false))?
        } else {
            // The array is a level of its own.
            let most = options.max_depth.map(|depth| depth.saturating_add(1));
            let mut checker = Checker::new(kernel, most, false);
            let lines = checker.start_lines();
            let mut proof = Proof { text: Rest::new(text), checker, lines, escapes, is_good: true };
            let producer: &mut dyn Turn<K> = &mut proof;
            let (records, answer) = kernel.run(Records::new(Tiles::new(kernel, producer, report), ask, text, true))?;
            if !proof.is_good || proof.checker.end_lines(&proof.lines) != Some(records) {
                return None;
            }
            (records, answer)
        };
        if wanted.trust {
            let texts = answer.found.spans.iter().map(|span| (span.start, &text[index(span.start)..index(span.end)]));
            Values::new(kernel).check(texts, |_| None).ok()?;
        }
        Some((records, answer))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "it is an index in a stretch")]
fn index(offset: u64) -> usize {
    offset as usize
}

/// One record after the other.
struct Records<'r, 's, K> {
    tiles: Tiles<'s, K, dyn Turn<K> + 's>,
    ask: Ask<'r>,
    text: &'r [u8],
    /// Whether to go on behind the last match that is wanted.
    drain: bool,
    found: Matches,
}

impl<'r, 's, K: Kernel> Records<'r, 's, K> {
    fn new(tiles: Tiles<'s, K, dyn Turn<K> + 's>, ask: Ask<'r>, text: &'r [u8], drain: bool) -> Self {
        Self { tiles, ask, text, drain, found: Matches::default() }
    }

    /// Asks the record whose value begins at `root`. Returns a place in it as well, outside of strings or at their quotes.
    #[inline(always)]
    fn ask(&mut self, root: u64) -> Result<(u64, Heard), Stop> {
        let (tiles, plan) = (&mut self.tiles, self.ask.plan);
        if let Some(key) = &plan.key {
            match tiles.meets(root, key)? {
                (place, false) => return Ok((place, Heard::Nothing)),
                (place, true) if root < tiles.start => return Ok((place, Heard::Late)),
                _ => {}
            }
        }
        let (Outcome::Left(place) | Outcome::Answered(place)) = execute(tiles, plan, root, false)?;
        Ok((place, Heard::Matches))
    }

    /// Decides on a record that has been asked, up to `behind`. Nothing if it must be taken by itself.
    #[inline(always)]
    fn judge(&mut self, heard: Heard, root: u64, behind: u64) -> Option<()> {
        if heard == Heard::Nothing || heard == Heard::Matches && !self.tiles.report.has_found() {
            return Some(());
        }
        let before = self.found.spans.len();
        if heard == Heard::Matches && self.ask.plan.is_sure() {
            self.tiles.report.take(&mut self.found.spans);
        } else {
            self.judge_text(heard, root, behind)?;
        }
        self.share(before);
        Some(())
    }

    /// The same where the whole record must be looked at.
    #[inline(never)]
    fn judge_text(&mut self, heard: Heard, root: u64, behind: u64) -> Option<()> {
        let Ask { plan, options, wanted } = self.ask;
        let end = index(behind) + memchr(b'\n', &self.text[index(behind)..])?;
        let (text, report) = (&self.text[index(root)..end], &mut self.tiles.report);
        if !self.ask.admits(text).ok()? {
            report.withdraw();
        } else if heard == Heard::Matches {
            report.take(&mut self.found.spans);
        } else {
            let mut evaluation = Evaluation::new(plan.syntax, text, options.isa, wanted.listing != Listing::InOrder);
            while let Some(found) = evaluation.next() {
                let times = report.add(found.times.min(report.rest()));
                if wanted.listing != Listing::None {
                    let (start, end) = (root + found.start as u64, root + evaluation.end(found.start) as u64);
                    self.found.spans.extend((0..times).map(|_| Span { start, end }));
                }
            }
        }
        Some(())
    }

    /// What was found behind so many matches belongs to the last record.
    #[inline(always)]
    fn share(&mut self, before: usize) {
        let matches = self.found.spans.len() - before;
        if matches > 0 {
            self.found.shares.push(Share { record: self.tiles.report.record().unwrap_or_default(), matches });
        }
    }

    /// Asks every record. How many there are; nothing if one has no end, or must be taken by itself.
    #[inline(always)]
    fn all(&mut self) -> Option<u64> {
        let (mut records, mut place) = (0, 0);
        let mut is_inside = false;
        let stop = loop {
            let root = match self.tiles.visible(place) {
                Ok(root) => root,
                Err(stop) => break stop,
            };
            records += 1;
            is_inside = true;
            self.tiles.report.start(root, Some(records));
            let (behind, heard) = match self.ask(root) {
                Ok(heard) => heard,
                Err(stop) => break stop,
            };
            place = match self.tiles.line_break(behind) {
                Ok(end) => end,
                Err(stop) => break stop,
            };
            is_inside = false;
            self.judge(heard, root, behind)?;
        };
        if stop == Stop::Enough {
            let before = self.found.spans.len();
            self.tiles.report.take(&mut self.found.spans);
            self.share(before);
            if !self.drain {
                return Some(records);
            }
            let mut place = self.tiles.wanted();
            while let Ok(end) = self.tiles.line_break(place) {
                is_inside = false;
                place = match self.tiles.visible(end + 1) {
                    Ok(place) => place,
                    Err(_) => break,
                };
                (is_inside, records) = (true, records + 1);
            }
        }
        (!is_inside).then_some(records)
    }

    /// Asks the records that have the string which the condition wants, wherever in them. Returns what [`all`](Self::all)
    /// does.
    #[inline(always)]
    fn sifted(&mut self, key: &Key) -> Option<u64> {
        let mut tally = Tally::new(self.tiles.kernel, self.text);
        let (mut place, mut asked) = (0, 0);
        while let Ok(said) = self.tiles.sift(place, &key.value) {
            let (record, root) = tally.record(index(said));
            let root = root as u64;
            place = said + 1;
            if record == asked {
                continue;
            }
            asked = record;
            self.tiles.report.start(root, Some(record));
            let mut heard = Heard::Late;
            if root >= self.tiles.start {
                let behind;
                (behind, heard) = self.ask(root).ok()?;
                place = place.max(behind);
            }
            self.judge(heard, root, place)?;
        }
        tally.finish()
    }
}

impl<K: Kernel> Pass for Records<'_, '_, K> {
    /// How many records there are, and the answer; nothing if a record has no end, or must be taken by itself.
    type Output = Option<(u64, Answer)>;

    #[inline(always)]
    fn run<L: Kernel>(mut self, _: L) -> Self::Output {
        self.tiles.begin(0, None);
        let records = match &self.ask.plan.key {
            Some(key) => self.sifted(key)?,
            None => self.all()?,
        };
        Some((records, Answer { count: self.tiles.report.count(), found: self.found }))
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
        Some((tile, Extent { length, superblocks: tile.len() / K::SUPERBLOCK, is_cut: false }))
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
        let to = tape.append(tile.len(), extent.length);
        masks.fill(self.checker.kernel(), self.checker.masks(), tile, to, &mut self.escapes);
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
        let to = tape.append(tile.len(), extent.length);
        masks.classify(self.kernel, tile, to, &mut self.strings, &mut self.escapes);
        Ok(Some(extent))
    }
}
