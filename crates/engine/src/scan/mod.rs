//! The scan over the documents of an input. It feeds tiles to the grammar and to a consumer, and locates the first
//! error.
//!
//! The grammar only says *that* a tile is invalid, and it compares brackets late. So once per window the scan stops
//! after a comma, compares all brackets so far, and moves its checkpoint there. The precise reader can find the first
//! error from the checkpoint alone, and everything before it is valid and can be released. Only one window of text is
//! kept, and pipes and files are read the same way. If a document is invalid, the scan discards the staged output and
//! produces it again from the last release up to the error, so the output does not depend on where tiles and windows
//! end.

#![forbid(unsafe_code)]

mod checkpoint;
mod document;
mod end_finder;
mod known_position;
mod spare;
mod step;
mod value;
mod whole;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::Fault;
use crate::framing::Frame;
use crate::grammar::Nesting;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Options;
use crate::options::Summary;
use document::DocumentScan;

pub(crate) use checkpoint::Checkpoint;
pub(crate) use document::MAX_STAGED;
pub(crate) use end_finder::EndFinder;
pub(crate) use end_finder::text_up_to;
pub(crate) use known_position::KnownPosition;
pub(crate) use known_position::explain_fault;
pub(crate) use spare::Workspace;
pub(crate) use step::RETRY;
pub(crate) use step::SPARSE_CHECKPOINT_WINDOWS;
pub(crate) use step::ScanStep;
pub(crate) use step::Scratch;
pub(crate) use step::comma_to_cut_at;
pub(crate) use step::padded;
pub(crate) use value::Values;
pub(crate) use whole::check_short;
pub(crate) use whole::is_document;
pub(crate) use whole::minify_short;

/// Receives the tiles of valid documents and produces the output of a command.
pub(crate) trait Consumer {
    /// Whether the consumer needs the layout of the tiles.
    const LAYOUT: bool;

    /// Whether consumers of this type may produce output.
    const OUTPUT: bool;

    /// Whether this consumer produces output.
    #[inline(always)]
    fn has_output(&self) -> bool {
        Self::OUTPUT
    }

    /// Begins a document at `offset`. `skipped` is the first byte between the previous document and this one, if any.
    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error>;

    /// Consumes a tile that is valid except that its brackets may not match. `bytes` are whole superblocks; the first
    /// `length` bytes belong to the document and the rest are spaces.
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize);

    /// Returns the number of bytes of staged output.
    fn held(&self) -> usize;

    /// Checks text that is valid JSON against the consumer's own rules. `text` is everything taken since the last
    /// release, so earlier calls may have seen part of it; `end` says where it ends. Returns whether all of it was
    /// checked, so that it can be released. It must return true after a comma and at the end of the document. After an
    /// error it is not called again before the next document.
    #[inline(always)]
    fn check_rules(&mut self, _text: &[u8], _end: End) -> Result<bool, Fault> {
        Ok(true)
    }

    /// Notes what was read before reading failed.
    fn fail(&mut self, _read: &Summary) {}

    /// Notes that the next `length` bytes, which begin after a comma, are valid and pass by this consumer. Everything before them has
    /// been released.
    fn skip(&mut self, _length: u64) {}

    /// Releases the output of everything taken since the last release. `text` is that text; it is valid and has passed
    /// [`Self::check_rules`].
    fn release(&mut self, text: &[u8]) -> Result<(), Error>;

    /// Discards everything taken since the last release.
    fn discard(&mut self);

    /// Flushes released output, because the scan is about to wait for input.
    fn flush(&mut self) -> Result<(), Error>;

    /// Ends a valid document. All of it has been released.
    fn end(&mut self) -> Result<(), Error>;
}

/// A place where a scan can continue: the byte after a comma of a container. `object` is whether that container is an
/// object.
#[derive(Clone, Copy)]
pub(crate) struct AfterComma {
    pub(crate) offset: u64,
    pub(crate) object: bool,
}

/// Work that runs ahead of the scan, so that the scan can skip what has already been read.
pub(crate) trait LookAhead<C> {
    /// Called after a comma up to which everything is valid and released; `nesting` is reconciled there. Returns the
    /// place after a later comma where the scan can continue, with `nesting` reconciled there and everything in between
    /// taken and released by the consumer. Returns `None` if the scan is to continue from here.
    fn advance(
        &mut self,
        _: &Input<'_>,
        _from: AfterComma,
        _: &mut Nesting,
        _: &mut C,
    ) -> Result<Option<AfterComma>, Error> {
        Ok(None)
    }

    /// Returns the offset after a later comma at which [`advance`](Self::advance) wants to be called next, if the last call chose one.
    fn next_cut(&self) -> Option<u64> {
        None
    }

    /// Called between two records. Reads whole records that are in memory and valid, and has the consumer take and
    /// release them. Returns `None` if no record was read.
    fn read_records(&mut self, _: &Input<'_>, _from: u64, _: &mut C) -> Result<Option<Progress>, Error> {
        Ok(None)
    }
}

/// Records that a look-ahead has read.
#[derive(Clone, Copy)]
pub(crate) struct Progress {
    /// Offset at which the next record may begin.
    pub(crate) end: u64,
    pub(crate) records: u64,
}

/// No look-ahead: the scan reads everything itself.
impl<C> LookAhead<C> for () {}

/// Where the text passed to [`Consumer::check_rules`] ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the end of the document.
    Document,
    /// Inside a key, or between a key and its colon; more text follows.
    Key,
    /// After a comma, inside anything else, or at an error.
    Anywhere,
}

/// Scans the documents of `input`. Passes errors in documents to `on_error`, which decides whether to continue with the
/// next document if the framing says where that begins.
pub(crate) fn scan<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    scan_with(input, options, consumer, &mut (), on_error)
}

/// Scans the documents of `input` as [`scan`] does, with a look-ahead.
pub(crate) fn scan_with<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    ahead: &mut dyn LookAhead<C>,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    let mut summary = Summary::default();
    let scan = Scan { input, options, consumer, ahead, on_error, summary: &mut summary };
    let result = options.isa.run(scan);
    if let Err(error) = &result {
        summary.bytes = error.offset().saturating_sub(input.start());
        consumer.fail(&summary);
    }
    input.outcome(result.map(|()| summary))
}

/// Scans the documents of `input` up to the first error in one of them.
pub(crate) fn first_error<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
) -> Result<Summary, Error> {
    stop_at_first(|on_error| scan(input, options, consumer, on_error))
}

/// Runs a scan that stops at the first error in a document, and returns that error.
pub(crate) fn stop_at_first(
    scan: impl FnOnce(&mut dyn FnMut(Error) -> ControlFlow<()>) -> Result<Summary, Error>,
) -> Result<Summary, Error> {
    let mut first = None;
    let summary = scan(&mut |error| {
        first = Some(error);
        ControlFlow::Break(())
    })?;
    first.map_or(Ok(summary), Err)
}

struct Scan<'w, 'i, C> {
    input: &'w mut Input<'i>,
    options: &'w Options,
    consumer: &'w mut C,
    ahead: &'w mut dyn LookAhead<C>,
    on_error: &'w mut dyn FnMut(Error) -> ControlFlow<()>,
    summary: &'w mut Summary,
}

impl<C: Consumer> Pass for Scan<'_, '_, C> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { input, options, consumer, ahead, on_error, summary } = self;
        let mut workspace = Workspace::take(kernel, options.max_depth, C::LAYOUT);
        let Workspace { checker, scratch } = &mut *workspace;
        let mut frame = Frame::new(options.framing, input.start());
        let mut known_position = KnownPosition::start_of(input);
        let end = loop {
            if !frame.find(input, &mut || consumer.flush())? {
                break frame.cut();
            }
            if frame.may_look_ahead()
                && let Some(Progress { end, records }) = ahead.read_records(input, frame.start(), consumer)?
            {
                frame.skip_to(end, records);
                summary.documents += records;
                continue;
            }
            frame.begin();
            summary.documents += 1;
            consumer.begin(frame.start(), frame.skipped())?;
            let scan = DocumentScan::new(checker, scratch, &mut frame, input, options, consumer, ahead);
            match scan.run()? {
                Ok(end) => {
                    frame.end_at(end);
                    consumer.end()?;
                }
                Err(fault) => {
                    summary.invalid += 1;
                    let flow = on_error(explain_fault(fault, &mut frame, &mut known_position, input, options)?);
                    if flow.is_break() || !frame.skip_rest(input)? {
                        input.check_rest()?;
                        break Some(fault.offset);
                    }
                }
            }
        };
        workspace.keep();
        summary.bytes = end.unwrap_or_else(|| input.end_in_memory()) - input.start();
        input.check_unchanged()
    }
}
