//! Queries that are answered from masks alone, as fast as the text comes in.
//!
//! A *producer* makes tiles of masks, either checking everything (`proof.rs`) or believing the text (`trust.rs`). An executor
//! asks five questions of them (`seek.rs`) and pulls the next tile where one ends: `path.rs` for child segments, `descend.rs`
//! for descendants. Nothing walks over tokens and nothing is built; what was found is held as spans until it is proven
//! (`report.rs`).

#![forbid(unsafe_code)]

mod batch;
mod bounds;
mod checked;
mod descend;
mod head;
mod lines;
mod look_behind;
mod masks;
mod match_paths;
mod name;
mod name_prefilter;
mod node_order;
mod path;
mod plan;
mod record_prefilter;
mod report;
mod seek;
mod set;
mod source;
mod tiles;
mod unchecked;

#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::error::Fault;
use crate::framing::between;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::RecordBatches;
use crate::query::evaluate::EvaluationState;
use crate::query::evaluate::holds;
use crate::query::stream::checked::CheckedTiles;
use crate::query::stream::lines::SearchReader;
use crate::query::stream::plan::Kind;
use crate::query::stream::report::Report;
use crate::query::stream::source::DocumentSource;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;
use crate::query::stream::unchecked::UncheckedTiles;
use crate::scan::KnownPosition;
use crate::scan::explained;

pub(in crate::query) use batch::Check;
pub(in crate::query) use plan::Plan;
pub(in crate::query) use report::Excerpt;
pub(in crate::query) use report::MatchSink;
pub(in crate::query) use report::Span;

/// How matches are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::query) enum Listing {
    /// Only their number is wanted.
    None,
    /// As they stand in the document.
    AsFound,
    /// In the order of RFC 9535, for a plan that has so many descendant segments.
    InOrder { levels: usize },
}

/// What is wanted of the matches.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct Wanted {
    pub(in crate::query) listing: Listing,
    /// No more than so many.
    pub(in crate::query) limit: u64,
    /// To believe the text and check only matches.
    pub(in crate::query) trust: bool,
    /// To read to the end of a document when there are as many matches as are wanted.
    pub(in crate::query) drain: bool,
}

/// Answers a query for all documents of `input`. Returns how many matches there are.
///
/// Of a document that may be the only one of its input, or that stands behind such a one, what ends in front of a fault is handed
/// over, if matches come in the order of the text. A bad record has no matches.
pub(in crate::query) fn stream(
    request: SearchRequest<'_>,
    input: &mut Input<'_>,
    sink: &mut dyn MatchSink,
) -> Result<(Summary, u64), Error> {
    let result = request.options.isa.run(Stream { request, input, sink });
    input.outcome(result)
}

/// What is asked, and how.
#[derive(Clone, Copy)]
pub(in crate::query) struct SearchRequest<'a> {
    pub(in crate::query) plan: &'a Plan<'a>,
    pub(in crate::query) options: &'a Options,
    pub(in crate::query) wanted: Wanted,
    /// Is asked by whoever has found values in a stretch of records. All others are handed over as they are.
    pub(in crate::query) rest: Option<&'a dyn Refine>,
}

/// What is asked of values that are found.
pub(in crate::query) trait Refine: Sync {
    /// Puts the answers to it behind those that are `found`, for values of one record. Nothing if the record has to be taken by
    /// itself.
    fn refine(&self, values: &[Span], within: Excerpt<'_>, found: &mut Vec<Span>) -> Option<()>;
}

impl SearchRequest<'_> {
    /// Whether the condition holds for a document that begins at `start`.
    fn admits(&self, text: &[u8], start: u64) -> Result<bool, Error> {
        let state = EvaluationState::default();
        let holds = holds(self.plan.condition, text, self.options.isa, &state);
        state.check(start)?;
        // A pattern that was looked up in the document was too much.
        holds.map_err(|place| Error::pattern_too_large(start + place as u64))
    }
}

struct Stream<'r, 'i> {
    request: SearchRequest<'r>,
    input: &'r mut Input<'i>,
    sink: &'r mut dyn MatchSink,
}

impl Pass for Stream<'_, '_> {
    type Output = Result<(Summary, u64), Error>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { mut request, input, sink } = self;
        // Where a document of a stream ends can only be told by who reads it.
        request.wanted.trust &= !request.options.framing.is_stream();
        let SearchRequest { plan, options, wanted, .. } = request;
        let holds = !options.framing.begins_alone();
        let report = Report::new(sink, wanted, holds, plan.condition.is_some());
        if wanted.trust {
            let mut trust = UncheckedTiles::new(kernel, input, options, plan.is_root());
            let producer: &mut dyn DocumentSource<'_, K> = &mut trust;
            kernel.run(Documents { tiles: Tiles::new(kernel, producer, report), request })
        } else {
            let mut proof = CheckedTiles::new(kernel, input, options);
            let producer: &mut dyn DocumentSource<'_, K> = &mut proof;
            kernel.run(Documents { tiles: Tiles::new(kernel, producer, report), request })
        }
    }
}

/// All documents of an input, with one producer.
struct Documents<'r, 's, 'i, K> {
    tiles: Tiles<'s, K, dyn DocumentSource<'i, K> + 's>,
    request: SearchRequest<'r>,
}

impl<K: Kernel> Pass for Documents<'_, '_, '_, K> {
    type Output = Result<(Summary, u64), Error>;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        let Self { mut tiles, request } = self;
        let mut lines = RecordBatches::default();
        let mut summary = Summary::default();
        let mut known_position = KnownPosition::START;
        let (frame, _) = tiles.producer.frame();
        // In a stream nobody can tell where the next document begins without reading this one.
        let drain = request.wanted.drain || frame.framing() == Framing::Stream;
        let mut is_left = false;
        let mut end = None;
        loop {
            let (frame, input) = tiles.producer.frame();
            let report = &mut tiles.report;
            let is_found = frame.find(input, &mut || {
                report.wait();
                Ok(())
            });
            if !is_found? {
                break;
            }
            if frame.may_pass() {
                let mut reader = SearchReader { request, report, number: summary.documents };
                let passed = lines.pass(request.options, input, frame.start(), &mut reader)?;
                if let Some(passed) = passed {
                    frame.pass_over(passed.end, passed.records);
                    summary.documents += passed.records;
                }
                if tiles.report.is_over() {
                    is_left = true;
                    break;
                }
                if passed.is_some() {
                    continue;
                }
            }
            frame.begin();
            summary.documents += 1;
            let (start, record) = (frame.start(), frame.record());
            tiles.producer.begin();
            tiles.begin(start, record);
            // Not in a closure, which would have none of the kernel's instructions.
            let stop = match tiles.visible(start) {
                Ok(root) => execute(&mut tiles, request.plan, root, true),
                Err(stop) => Err(stop),
            };
            match finish(&mut tiles, stop, drain, request)? {
                Ok(()) => {}
                Err(fault) => {
                    let (frame, input) = tiles.producer.frame();
                    summary.invalid += 1;
                    let error = explained(fault, frame, &mut known_position, input, request.options.window)?;
                    let flow = tiles.report.on_error(error);
                    let (frame, input) = tiles.producer.frame();
                    if flow.is_break() || !frame.skip_rest(input)? {
                        input.check_rest()?;
                        end = Some(fault.offset);
                        break;
                    }
                }
            }
            if tiles.report.is_over() {
                is_left = true;
                break;
            }
        }
        let (frame, input) = tiles.producer.frame();
        let all = || if is_left { frame.start() } else { input.base() + input.bytes().len() as u64 };
        summary.bytes = end.unwrap_or_else(all);
        input.check_unchanged()?;
        Ok((summary, tiles.report.count()))
    }
}

/// Answers the query for the document whose value begins at `root`. With `may_roam`, nothing else follows that could be
/// taken for a part of it.
#[inline(always)]
fn execute<K: Kernel, P: TileSource<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    plan: &Plan<'_>,
    root: u64,
    may_roam: bool,
) -> Result<Outcome, Stop> {
    match &plan.kind {
        Kind::Path(steps) => path::path(tiles, steps, root),
        Kind::Descent(segments) => descend::descend(tiles, segments, root, may_roam),
    }
}

/// Ends a document where the executor stopped, or where the text does. What was found is handed over; the fault of a bad
/// document is returned.
#[cold]
fn finish<K: Kernel>(
    tiles: &mut Tiles<'_, K, dyn DocumentSource<'_, K> + '_>,
    stop: Result<Outcome, Stop>,
    drain: bool,
    request: SearchRequest<'_>,
) -> Result<Result<(), Fault>, Error> {
    let mut stop = stop;
    let is_inside = matches!(stop, Err(Stop::End | Stop::Nonsense));
    let answered = match stop {
        // Who is believed may end here; who is checked ends where no more matches are wanted.
        Ok(Outcome::Answered(place)) if !drain && request.wanted.trust => Some(place),
        Err(Stop::Enough) if !drain => Some(tiles.wanted()),
        _ => None,
    };
    if let Some(place) = answered {
        let proof = tiles.producer.prove(place, &tiles.report);
        let (frame, input) = tiles.producer.frame();
        match proof {
            Ok(()) => {
                tiles.report.finish(input, place)?;
                frame.end_at(place);
                frame.skip_rest(input)?;
            }
            Err(fault) => tiles.report.flush_before(input, fault)?,
        }
        return Ok(proof);
    }
    if let Err(Stop::OutOfMemory(lack)) = stop {
        return Err(lack.into());
    }
    if matches!(stop, Ok(_) | Err(Stop::Enough | Stop::Nonsense)) {
        tiles.producer.only_check();
        stop = Err(tiles.drain());
    }
    if stop == Err(Stop::Ended) {
        return Ok(Ok(()));
    }
    if stop == Err(Stop::Failure)
        && let Some(failure) = tiles.take_failure()
    {
        return Err(failure);
    }
    let verdict = tiles.producer.end(is_inside || tiles.report.is_open(), &tiles.report);
    let (frame, input) = tiles.producer.frame();
    match verdict {
        Ok(end) => {
            let start = frame.start();
            if tiles.report.has_found()
                && request.plan.condition.is_some()
                && !request.admits(between(input, start, end), start)?
            {
                tiles.report.withdraw();
            }
            tiles.report.finish(input, end)?;
            frame.end_at(end);
            Ok(Ok(()))
        }
        Err(fault) => {
            tiles.report.flush_before(input, fault)?;
            Ok(Err(fault))
        }
    }
}
