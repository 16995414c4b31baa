//! Evaluates plans on tiles of masks, while the text is read.
//!
//! A *tile source* makes tiles: [`DocumentTiles`] validates documents, or finds only strings and brackets in them if they are trusted
//! (`document_tiles.rs`). An *executor* evaluates the plan: `path.rs` for child segments only, `descend.rs` if there are
//! descendant segments or several paths, `objects_with_member.rs` for a descendant segment with a filter. It uses a few operations on masks
//! (`seek.rs`), and pulls the next tile from the tile source when it runs past the end of one (`tiles.rs`). There is no token
//! stream and no tree. Matches are kept as spans until their text is validated (`report.rs`).
//!
//! Short records are not evaluated one document at a time, but in batches (`lines.rs`), and so are the elements of a large array
//! (`elements.rs`).

#![forbid(unsafe_code)]

mod batch;
mod bounds;
mod candidates;
mod descend;
mod descendant_member;
mod document_tiles;
mod elements;
mod lines;
mod look_behind;
mod masks;
mod match_paths;
mod name_prefilter;
mod node_order;
mod objects_with_member;
mod path;
mod pending;
mod plan;
mod record_matches;
mod record_prefilter;
mod report;
mod search_string;
mod seek;
mod set;
mod singular;
mod structures;
mod tiles;

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
use crate::parallel::Validators;
use crate::query::MatchWriter;
use crate::query::evaluate::holds;
use crate::query::request::EvaluationRequest;
use crate::query::stream::descend::Descent;
use crate::query::stream::document_tiles::DocumentTiles;
use crate::query::stream::document_tiles::MatchCheck;
use crate::query::stream::elements::ElementPlan;
use crate::query::stream::objects_with_member::ObjectsWithMember;
use crate::query::stream::path::PlanStep;
use crate::query::stream::plan::PlanKind;
use crate::query::stream::report::MatchReport;
use crate::query::stream::tiles::InlineTileSource;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;
use crate::scan::KnownPosition;
use crate::scan::explain_fault;
use std::ops::ControlFlow;

pub(in crate::query) use lines::RecordSearch;
pub(in crate::query) use plan::Paths;
pub(in crate::query) use plan::Plan;
pub(in crate::query) use report::MatchSink;

/// Which matches are listed, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::query) enum Listing {
    /// None; they are only counted.
    None,
    /// In document order.
    AsFound,
    /// In the order of RFC 9535, for a plan with `levels` descendant segments.
    RfcOrder { levels: usize },
    /// Those of several paths: first all of the first path, and so on.
    ByPath(Paths),
    /// In document order, or sorted by the containers that hold them first. They are not found in this order.
    Sorted { by_container: bool },
}

/// Which matches are searched for, and how.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent settings")]
pub(in crate::query) struct SearchOptions {
    pub(in crate::query) listing: Listing,
    /// Maximum number of matches to report.
    pub(in crate::query) limit: u64,
    /// Whether to assume that the text is valid, and check only the matches.
    pub(in crate::query) trust: bool,
    /// Whether to read a document to its end after the last match that is wanted.
    pub(in crate::query) reads_to_end: bool,
    /// Whether elements of a large array may be searched on their own.
    pub(in crate::query) divides_elements: bool,
    /// Whether the sink needs the paths of the matches. They are then passed with the whole text of their document, or located.
    pub(in crate::query) paths: bool,
}

/// Evaluates a plan on all documents of `input`. Also returns the number of matches; after a failure, of those in documents before it.
///
/// If a document is invalid, it has no matches. There is one exception: with a framing in which a document may be the only one
/// of the input, and in document order, matches that end before the error are reported.
pub(in crate::query) fn stream(
    request: SearchRequest<'_>,
    input: &mut Input<'_>,
    sink: &mut dyn MatchSink,
) -> (Result<Summary, Error>, u64) {
    let (result, count) = request.options.isa.run(Stream { request, input, sink });
    (input.outcome(result), count)
}

/// A plan and the options of its evaluation.
#[derive(Clone, Copy)]
pub(in crate::query) struct SearchRequest<'a> {
    pub(in crate::query) plan: &'a Plan<'a>,
    pub(in crate::query) options: &'a Options,
    pub(in crate::query) search: SearchOptions,
    /// The rest of the query. It is evaluated here on values found in a batch of records, and on those that wait for RFC order if it
    /// selects at most one node in each. All others go to the sink, which evaluates the rest itself.
    pub(in crate::query) rest: Option<EvaluationRequest<'a>>,
    /// Writes the matches of batches of records.
    pub(in crate::query) writer: Option<&'a dyn MatchWriter>,
}

impl<'a> SearchRequest<'a> {
    /// Creates the report of the matches to `sink`.
    pub(in crate::query) fn report<'s>(&self, sink: &'s mut dyn MatchSink) -> MatchReport<'s>
    where
        'a: 's,
    {
        let waits_for_end = !self.options.framing.starts_with_single_document();
        let is_whole = self.rest.is_some() && self.plan.is_root();
        let keeps_document = self.plan.condition.is_some() || is_whole;
        let mut report = MatchReport::new(sink, self.search, waits_for_end, keeps_document);
        if let Some(rest) = self.rest {
            report.set_rest(rest);
        }
        report
    }
}

struct Stream<'r, 'i> {
    request: SearchRequest<'r>,
    input: &'r mut Input<'i>,
    sink: &'r mut dyn MatchSink,
}

impl Pass for Stream<'_, '_> {
    type Output = (Result<Summary, Error>, u64);

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { mut request, input, sink } = self;
        // In a stream, the end of a document is found when it is checked.
        // mutant:
        request.search.trust &= !request.options.framing.is_stream();
        request.search.trust &= !request.plan.needs_checked_text() && !request.search.paths;
        let SearchRequest { plan, options, search, .. } = request;
        let elements = ElementPlan::new(request);
        if !search.trust
            && let Some(validators) = Validators::start(input, options)
        {
            return validators.run(|view, ahead| {
                let mut source = DocumentTiles::new(kernel, view, options, None);
                source.validated_by(ahead);
                kernel.run(Documents::new(&mut source, request, elements.as_ref(), sink))
            });
        }
        let trusted = search.trust.then(|| MatchCheck::new(kernel, plan.is_root()));
        let mut source = DocumentTiles::new(kernel, input, options, trusted);
        kernel.run(Documents::new(&mut source, request, elements.as_ref(), sink))
    }
}

/// The pass over all documents of an input.
struct Documents<'r, 's, 'w, 'i, K: Kernel> {
    tiles: Tiles<'s, K, DocumentTiles<'w, 'i, K>>,
    request: SearchRequest<'r>,
}

impl<K: Kernel> Pass for Documents<'_, '_, '_, '_, K> {
    type Output = (Result<Summary, Error>, u64);

    #[inline(always)]
    fn run<L: Kernel>(mut self, _: L) -> Self::Output {
        let result = self.evaluate();
        let report = &self.tiles.report;
        let count = if result.is_ok() { report.count() } else { report.count_before() };
        (result, count)
    }
}

impl<'r, 's, 'w, 'i, K: Kernel> Documents<'r, 's, 'w, 'i, K> {
    /// `elements` is what is searched for in the elements of a large array.
    #[inline(always)]
    fn new(
        source: &'s mut DocumentTiles<'w, 'i, K>,
        request: SearchRequest<'r>,
        elements: Option<&'w ElementPlan<'_>>,
        sink: &'s mut dyn MatchSink,
    ) -> Self
    where
        'r: 's + 'w,
    {
        let search = elements.map(|elements| elements.search(request));
        let kernel = InlineTileSource::kernel(source);
        source.searched_by(search);
        let mut tiles = Tiles::new(kernel, source, request.report(sink));
        if let Some(elements) = elements {
            tiles.divide_elements(elements.steps);
        }
        Self { tiles, request }
    }

    #[inline(always)]
    fn evaluate(&mut self) -> Result<Summary, Error> {
        let Self { tiles, request } = self;
        let request = *request;
        let mut executor = Executor::new(request.plan, tiles.report.match_paths().is_some());
        let mut records = RecordSearch::default();
        let mut summary = Summary::default();
        let (frame, input) = tiles.source.frame();
        let mut known_position = KnownPosition::start_of(input);
        // In a stream, the start of the next document is known only once this one has been read to its end.
        let reads_to_end = request.search.reads_to_end || frame.framing() == Framing::Stream;
        let end = loop {
            let (frame, input) = tiles.source.frame();
            let report = &mut tiles.report;
            report.close();
            let is_found = frame.find(input, &mut || {
                report.wait();
                Ok(())
            });
            if !is_found? {
                break frame.cut();
            }
            if frame.may_look_ahead() {
                match records.read(request, input, frame.start(), summary.documents, report)? {
                    ControlFlow::Continue(None) => {}
                    ControlFlow::Continue(Some(passed)) => {
                        frame.skip_to(passed.end, passed.records);
                        summary.documents += passed.records;
                        continue;
                    }
                    ControlFlow::Break(last) => {
                        summary.documents = last.records;
                        break Some(last.end);
                    }
                }
            }
            frame.begin();
            summary.documents += 1;
            let (start, record) = (frame.start(), frame.record());
            tiles.source.begin();
            tiles.begin(start, record);
            // Not in a closure: it would be compiled without the kernel's instructions.
            let stop = match tiles.skip_whitespace(start) {
                Ok(root) => executor.run(tiles, root, true),
                Err(stop) => Err(stop),
            };
            match finish(tiles, stop, reads_to_end, request)? {
                Ok(()) => {}
                Err(fault) => {
                    let (frame, input) = tiles.source.frame();
                    summary.invalid += 1;
                    let error = explain_fault(fault, frame, &mut known_position, input, request.options)?;
                    let flow = tiles.report.on_error(error);
                    let (frame, input) = tiles.source.frame();
                    if flow.is_break() || !frame.skip_rest(input)? {
                        input.check_rest()?;
                        break Some(fault.offset);
                    }
                }
            }
            if tiles.report.is_over() {
                break Some(tiles.source.frame().0.start());
            }
        };
        let (_, input) = tiles.source.frame();
        summary.bytes = end.unwrap_or_else(|| input.end_in_memory()) - input.start();
        input.check_unchanged()?;
        Ok(summary)
    }
}

/// Evaluates a plan on one document after another.
enum Executor<'p> {
    Path(&'p [PlanStep]),
    Descent(Box<Descent<'p>>),
    ObjectsWithMember(ObjectsWithMember<'p>),
}

impl<'p> Executor<'p> {
    /// `is_rfc_order`: matches are in RFC order, which differs from document order.
    fn new(plan: &'p Plan<'_>, is_rfc_order: bool) -> Self {
        match &plan.kind {
            PlanKind::Path(steps) => Self::Path(steps),
            PlanKind::Descent(segments) => Self::Descent(Box::new(Descent::new(segments, is_rfc_order))),
            PlanKind::ObjectsWithMember(member) => Self::ObjectsWithMember(ObjectsWithMember::new(member)),
        }
    }

    /// Evaluates the plan on the document whose value begins at `root`. `is_last_document`: the tiles contain nothing after this
    /// document, so the executor may search them to their end without tracking the depth.
    #[inline(always)]
    fn run<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        root: u64,
        is_last_document: bool,
    ) -> Result<Outcome, Stop> {
        match self {
            Self::Path(steps) => path::path(tiles, steps, root),
            Self::Descent(descent) => descent.run(tiles, root, is_last_document),
            Self::ObjectsWithMember(objects) => objects.run(tiles, root),
        }
    }
}

/// Ends a document where the executor stopped: reads the rest of it if that must be validated, and flushes the matches. Returns
/// the error of an invalid document.
#[cold]
fn finish<K: Kernel>(
    tiles: &mut Tiles<'_, K, DocumentTiles<'_, '_, K>>,
    stop: Result<Outcome, Stop>,
    reads_to_end: bool,
    request: SearchRequest<'_>,
) -> Result<Result<(), Fault>, Error> {
    let mut stop = stop;
    let is_inside = matches!(stop, Err(Stop::End | Stop::Malformed));
    let answered = match stop {
        // Unchecked text need not be read further. Checked text is left only when no more matches are wanted.
        // mutant: Ok(Outcome::Exhausted(offset)) if !reads_to_end => Some(offset),
        Ok(Outcome::Exhausted(offset)) if !reads_to_end && request.search.trust => Some(offset),
        Err(Stop::Enough) if !reads_to_end => Some(tiles.stopped_at()),
        _ => None,
    };
    if let Some(offset) = answered {
        let validity = tiles.source.check_until(offset, &tiles.report);
        let (frame, input) = tiles.source.frame();
        match validity {
            Ok(()) => {
                tiles.report.finish(input, offset)?;
                frame.end_at(offset);
                frame.skip_rest(input)?;
            }
            Err(fault) => tiles.report.flush_before(input, fault)?,
        }
        return Ok(validity);
    }
    if let Err(Stop::OutOfMemory(error)) = stop {
        return Err(error.into());
    }
    // mutant: if matches!(stop, Ok(_) | Err(Stop::Enough)) {
    if matches!(stop, Ok(_) | Err(Stop::Enough | Stop::Malformed)) {
        tiles.source.only_check();
        stop = Err(tiles.drain());
    }
    if stop == Err(Stop::SinkEnded) {
        return Ok(Ok(()));
    }
    if stop == Err(Stop::Failure)
        && let Some(failure) = tiles.take_failure()
    {
        return Err(failure);
    }
    let verdict = tiles.source.end(is_inside || tiles.report.is_open(), &tiles.report);
    let (frame, input) = tiles.source.frame();
    match verdict {
        Ok(end) => {
            let start = frame.start();
            if tiles.report.has_found()
                && let Some(condition) = request.plan.condition
                && !holds(condition, between(input, start, end), start, request.options.isa)?
            {
                tiles.report.discard_document();
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
