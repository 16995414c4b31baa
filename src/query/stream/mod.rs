//! Queries that are answered from masks alone, as fast as the text comes in.
//!
//! A *producer* makes tiles of masks, either checking everything (`proof.rs`) or believing the text (`trust.rs`). An executor
//! asks five questions of them (`seek.rs`) and pulls the next tile where one ends: `path.rs` for child segments, `descend.rs`
//! for descendants. Nothing walks over tokens and nothing is built; what was found is held as spans until it is proven
//! (`report.rs`).

#![forbid(unsafe_code)]

mod descend;
mod document;
mod masks;
mod name;
mod path;
mod plan;
mod proof;
mod report;
mod seek;
mod tape;
mod tiles;
mod trust;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::Fault;
use crate::framing::distance;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::query::stream::document::Document;
use crate::query::stream::plan::Kind;
use crate::query::stream::proof::Proof;
use crate::query::stream::report::Match;
use crate::query::stream::report::Report;
use crate::query::stream::report::Sink;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Producer;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::Tiles;
use crate::query::stream::trust::Trust;
use crate::walk::Anchor;
use crate::walk::explained;

pub(in crate::query) use plan::Plan;

/// What is wanted of the matches.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    /// The matches, and not only their number.
    list: bool,
    /// No more than so many.
    limit: u64,
    /// To believe the text and not check it.
    trust: bool,
    /// To read to the end of a document whose matches are all known.
    drain: bool,
}

/// How many matches there are in the good documents of `input`. Errors of bad ones go to `on_error`.
pub(in crate::query) fn count(
    plan: &Plan,
    input: &mut Input<'_>,
    options: &Options,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<(Summary, u64), Error> {
    let wanted = Wanted { list: false, limit: u64::MAX, trust: false, drain: true };
    stream(plan, input, options, wanted, &mut Texts::default(), on_error)
}

/// The texts of all matches, if all documents of `input` are good.
pub(in crate::query) fn texts(plan: &Plan, input: &mut Input<'_>, options: &Options) -> Result<Vec<Vec<u8>>, Error> {
    let wanted = Wanted { list: true, limit: u64::MAX, trust: false, drain: true };
    let (mut texts, mut first) = (Texts::default(), None);
    stream(plan, input, options, wanted, &mut texts, &mut |error| {
        first = Some(error);
        ControlFlow::Break(())
    })?;
    first.map_or(Ok(texts.whole), Err)
}

/// Keeps the texts of matches.
#[derive(Default)]
struct Texts {
    whole: Vec<Vec<u8>>,
    /// The beginning of the next one.
    part: Vec<u8>,
}

impl Sink for Texts {
    fn take(&mut self, matches: &[Match], text: &[u8], base: u64) -> Result<(), Error> {
        for found in matches {
            self.whole.push(text[distance(base, found.start)..distance(base, found.end)].to_vec());
        }
        Ok(())
    }

    fn part(&mut self, text: &[u8], last: bool) -> Result<(), Error> {
        self.part.extend_from_slice(text);
        if last {
            self.whole.push(std::mem::take(&mut self.part));
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Answers a query for all documents of `input`, in the order of the document. Returns how many matches there are. Errors in
/// documents go to `on_error`, which tells whether to go on with the next document.
fn stream(
    plan: &Plan,
    input: &mut Input<'_>,
    options: &Options,
    wanted: Wanted,
    sink: &mut dyn Sink,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<(Summary, u64), Error> {
    options.isa.run(Stream { plan, input, options, wanted, sink, on_error })
}

struct Stream<'r, 'i> {
    plan: &'r Plan,
    input: &'r mut Input<'i>,
    options: &'r Options,
    wanted: Wanted,
    sink: &'r mut dyn Sink,
    on_error: &'r mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl Pass for Stream<'_, '_> {
    type Output = Result<(Summary, u64), Error>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { plan, input, options, wanted, sink, on_error } = self;
        let report = Report::new(sink, wanted.list, wanted.limit);
        if wanted.trust {
            let tiles = Tiles::new(kernel, Trust::new(kernel, input, options), report);
            kernel.run(Documents { tiles, plan, drain: wanted.drain, on_error })
        } else {
            let tiles = Tiles::new(kernel, Proof::new(kernel, input, options), report);
            kernel.run(Documents { tiles, plan, drain: wanted.drain, on_error })
        }
    }
}

/// All documents of an input, with one producer.
struct Documents<'r, 's, K, P> {
    tiles: Tiles<'s, K, P>,
    plan: &'r Plan,
    drain: bool,
    on_error: &'r mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl<'i, K: Kernel, P: Producer<K> + Document<'i>> Pass for Documents<'_, '_, K, P> {
    type Output = Result<(Summary, u64), Error>;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        let Self { mut tiles, plan, drain, on_error } = self;
        let mut summary = Summary::default();
        let mut anchor = Anchor::START;
        let (frame, _) = tiles.producer.frame();
        // In a stream nobody can tell where the next document begins without reading this one.
        let drain = drain || frame.framing() == Framing::Stream;
        loop {
            let (frame, input) = tiles.producer.frame();
            if !frame.next(input)? {
                break;
            }
            summary.documents += 1;
            let count = tiles.report.count();
            let start = frame.start();
            tiles.producer.begin();
            tiles.begin(start);
            let stop = execute(&mut tiles, plan, start);
            match finish(&mut tiles, stop, drain)? {
                Ok(()) => {}
                Err(fault) => {
                    let (frame, input) = tiles.producer.frame();
                    // A file that is cut short under the reader looks like a bad document: no verdict then.
                    input.check_unchanged()?;
                    summary.invalid += 1;
                    tiles.report.recount(count);
                    if on_error(explained(fault, frame, &mut anchor, input)?).is_break() {
                        break;
                    }
                    if !frame.skip_rest(input)? {
                        break;
                    }
                }
            }
            if tiles.report.is_full() {
                break;
            }
        }
        let (_, input) = tiles.producer.frame();
        summary.bytes = input.base() + input.bytes().len() as u64;
        input.check_unchanged()?;
        Ok((summary, tiles.report.count()))
    }
}

/// Answers the query for one document.
#[inline(always)]
fn execute<'i, K: Kernel, P: Producer<K> + Document<'i>>(
    tiles: &mut Tiles<'_, K, P>,
    plan: &Plan,
    start: u64,
) -> Result<Outcome, Stop> {
    let root = tiles.visible(start)?;
    match &plan.0 {
        Kind::Path(steps) => path::path(tiles, steps, root),
        Kind::Descent(segments) => descend::descend(tiles, segments, root),
    }
}

/// Ends a document where the executor stopped, or where the text does. What was found is handed over; the fault of a bad
/// document is returned.
#[cold]
fn finish<'i, K: Kernel, P: Producer<K> + Document<'i>>(
    tiles: &mut Tiles<'_, K, P>,
    stop: Result<Outcome, Stop>,
    drain: bool,
) -> Result<Result<(), Fault>, Error> {
    let mut stop = stop;
    let mut is_inside = stop == Err(Stop::End);
    let answered = match stop {
        Ok(Outcome::Answered(place)) if !drain => Some(place),
        Err(Stop::Enough) if !drain => Some(tiles.wanted()),
        _ => None,
    };
    if let Some(place) = answered {
        let proof = tiles.producer.prove(place);
        let (frame, input) = tiles.producer.frame();
        match proof {
            Ok(()) => {
                tiles.report.flush(input, place)?;
                frame.skip_rest(input)?;
            }
            Err(fault) => tiles.report.flush_before(input, fault)?,
        }
        return Ok(proof);
    }
    if matches!(stop, Ok(_) | Err(Stop::Enough)) {
        is_inside = false;
        stop = loop {
            if let Err(end) = tiles.turn() {
                break Err(end);
            }
        };
    }
    if stop == Err(Stop::Failure)
        && let Some(failure) = tiles.take_failure()
    {
        return Err(failure);
    }
    let verdict = tiles.producer.end(is_inside || tiles.report.is_open());
    let (frame, input) = tiles.producer.frame();
    match verdict {
        Ok(end) => {
            tiles.report.flush(input, end)?;
            frame.end_at(end);
            Ok(Ok(()))
        }
        Err(fault) => {
            tiles.report.flush_before(input, fault)?;
            Ok(Err(fault))
        }
    }
}
