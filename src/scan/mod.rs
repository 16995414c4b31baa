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
mod end_finder;
mod known_position;
mod value;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::Fault;
use crate::framing::Frame;
use crate::framing::between;
use crate::framing::distance;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Nesting;
use crate::grammar::Tile;
use crate::input;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Options;
use crate::options::Summary;

pub(crate) use checkpoint::Checkpoint;
pub(crate) use end_finder::EndFinder;
pub(crate) use known_position::KnownPosition;
pub(crate) use known_position::explain_fault;
pub(crate) use value::Values;

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

    /// Commits the output of everything taken since the last release. `text` is that text; it is valid and has passed
    /// [`Self::check_rules`].
    fn release(&mut self, text: &[u8]) -> Result<(), Error>;

    /// Discards everything taken since the last release.
    fn discard(&mut self);

    /// Flushes committed output, because the scan is about to wait for input.
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
        input: &Input<'_>,
        from: AfterComma,
        nesting: &mut Nesting,
        consumer: &mut C,
    ) -> Result<Option<AfterComma>, Error>;

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
impl<C> LookAhead<C> for () {
    fn advance(
        &mut self,
        _: &Input<'_>,
        _: AfterComma,
        _: &mut Nesting,
        _: &mut C,
    ) -> Result<Option<AfterComma>, Error> {
        Ok(None)
    }
}

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

/// Bytes of staged output above which the precise reader validates the text so that it can be released.
const MAX_STAGED: usize = 1 << 22;

/// Number of windows between two checkpoints if there is no output, all text is in memory, and one thread is used. A checkpoint
/// costs as much as two or three tiles, and in that case it only serves to locate an error.
pub(crate) const SPARSE_CHECKPOINT_WINDOWS: u64 = 8;

/// Number of bytes from an unsuccessful search for a comma to the next search.
pub(crate) const RETRY: u64 = 32 * 1024;

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
    let result = options.isa.run(Scan { input, options, consumer, ahead, on_error });
    input.outcome(result)
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
}

impl<C: Consumer> Pass for Scan<'_, '_, C> {
    type Output = Result<Summary, Error>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { input, options, consumer, ahead, on_error } = self;
        let mut checker = Checker::new(kernel, options.max_depth, C::LAYOUT);
        // Receives a copy of each tile that is not full. Shared by all documents, since there may be many short ones.
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let mut frame = Frame::new(options.framing);
        let mut summary = Summary::default();
        let mut known_position = KnownPosition::START;
        let mut end = None;
        loop {
            if !frame.find(input, &mut || consumer.flush())? {
                break;
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
            match document(&mut checker, &mut scratch, &mut frame, input, options, consumer, ahead)? {
                Ok(end) => {
                    frame.end_at(end);
                    consumer.end()?;
                }
                Err(fault) => {
                    summary.invalid += 1;
                    let flow = on_error(explain_fault(fault, &mut frame, &mut known_position, input, options.window)?);
                    if flow.is_break() || !frame.skip_rest(input)? {
                        input.check_rest()?;
                        end = Some(fault.offset);
                        break;
                    }
                }
            }
        }
        summary.bytes = end.unwrap_or_else(|| input.base() + input.bytes().len() as u64);
        input.check_unchanged()?;
        Ok(summary)
    }
}

/// The text to check next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A full tile.
    Tile,
    /// A full tile, checked only to find its last comma. Its carries are then restored.
    Peek,
    /// This many bytes, the last of which is a comma.
    Cut(usize),
    /// The rest of the document.
    Last,
}

/// Checks one document and has the consumer take it. Returns the offset of its end, or its first error.
#[expect(clippy::too_many_lines, reason = "one state machine around one call of the engine")]
#[inline(always)]
fn document<K: Kernel, C: Consumer>(
    checker: &mut Checker<K>,
    scratch: &mut [u8; MAX_TILE_BYTES],
    frame: &mut Frame,
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    ahead: &mut dyn LookAhead<C>,
) -> Result<Result<u64, Fault>, Error> {
    // Without output, checkpoints serve only to locate errors and can be further apart.
    let has_output = consumer.has_output();
    let has_sparse_checkpoints = !has_output && input.at_end() && options.threads == 1;
    let window =
        (options.window as u64).saturating_mul(if has_sparse_checkpoints { SPARSE_CHECKPOINT_WINDOWS } else { 1 });
    let mut position = frame.start();
    checker.start_document();
    let kernel = checker.kernel();
    let mut end_finder = EndFinder::new(frame, input);
    let mut checkpoint = Checkpoint::document(position, options.max_depth);
    // Everything before this offset has been released. It is the checkpoint or lies before it.
    let mut released = position;
    // `None` stands for the carries at the start of a document: copying them would slow down short records.
    let mut carries_at_release = None;
    let mut carries_before_peek = None;
    let mut next_peek = position.saturating_add(window);
    let mut step = Step::Tile;
    // Once an error is known, the text ends at the error and is only passed to the consumer, not checked for syntax errors. The
    // consumer's own rules may still find an earlier error, until they have found one.
    let mut fault = frame.fault();
    let mut consumer_checks = true;
    let (mut text, mut ended) = document_text(kernel, frame, &mut end_finder, input, position, fault);
    loop {
        let (tile, length) = match step {
            Step::Cut(length) => (padded::<K>(scratch, &text[..length], 0), length),
            Step::Tile | Step::Peek if text.len() >= Checker::<K>::TILE => {
                (&text[..Checker::<K>::TILE], Checker::<K>::TILE)
            }
            _ if ended => {
                step = Step::Last;
                (padded::<K>(scratch, text, 1), text.len())
            }
            _ => {
                consumer.flush()?;
                input.read_more(frame.keep(released, options.window as u64))?;
                (text, ended) = document_text(kernel, frame, &mut end_finder, input, position, fault);
                continue;
            }
        };
        if step == Step::Peek {
            carries_before_peek = Some(checker.carries());
        }
        let is_tile_valid = checker.check(tile, C::LAYOUT, step == Step::Peek || fault.is_some());
        if step == Step::Peek {
            checker.restore(carries_before_peek);
        } else {
            input::change_point();
            if has_output && (is_tile_valid || fault.is_some()) {
                consumer.take(checker.kernel(), checker.masks(), tile, length);
            }
            position += length as u64;
            text = &text[length..];
            if step == Step::Tile
                && is_tile_valid
                && position < next_peek
                && !(has_output && consumer.held() > MAX_STAGED)
            {
                continue;
            }
        }
        if fault.is_some() && step != Step::Last {
            continue;
        }

        let mut must_validate = consumer.held() > MAX_STAGED;
        let mut reconciled = None;
        let is_valid = match step {
            Step::Tile => is_tile_valid,
            Step::Peek => {
                next_peek = position + RETRY;
                step = Step::Tile;
                if let Some(comma) = checker.masks().last_comma() {
                    step = Step::Cut(comma + 1);
                    continue;
                }
                // Text that stays in memory need not be validated before its end.
                let may_wait = !has_output && input.at_end();
                must_validate |= !may_wait && distance(checkpoint.offset, position) / 2 >= options.window;
                true
            }
            Step::Cut(_) => {
                reconciled = if is_tile_valid { checker.reconcile() } else { None };
                reconciled.is_some()
            }
            Step::Last => fault.is_some() || is_tile_valid && checker.finish(),
        };
        let mut end = End::Anywhere;
        let found = if fault.is_some() {
            None
        } else if !is_valid {
            Some(checkpoint.fault(between(input, checkpoint.offset, position), step == Step::Last, checker.nesting()))
        } else if step == Step::Last {
            frame.fault_at_end(input, position)
        } else if let Some(object) = reconciled {
            checkpoint.move_after_comma(position, checker.nesting(), object)?;
            checker.start_after_comma(object);
            None
        } else if must_validate {
            let read = checkpoint.move_by_reading(between(input, checkpoint.offset, position));
            end = read.unwrap_or(end);
            read.err()
        } else {
            if position >= next_peek {
                step = Step::Peek;
            }
            continue;
        };
        let result = fault.map_or(Ok(position), |fault| frame.end_before(fault, input));
        let checked = match found {
            Some(found) => Err(found),
            None if consumer_checks => {
                if step == Step::Last && result.is_ok() {
                    end = End::Document;
                }
                consumer.check_rules(between(input, released, position), end).inspect_err(|_| consumer_checks = false)
            }
            None => Ok(true),
        };
        match checked {
            Err(found) if !has_output || found.is_external() => return Ok(frame.end_before(found, input)),
            Err(found) => {
                consumer.discard();
                checker.restore(carries_at_release);
                position = released;
                next_peek = u64::MAX;
                fault = Some(found);
            }
            // An error may be anywhere, so the text before it is released even if it could not be checked completely.
            Ok(all) if all || step == Step::Last => {
                consumer.release(between(input, released, position))?;
                if step == Step::Last {
                    return Ok(result);
                }
                if let Some(object) = reconciled
                    && frame.is_alone()
                    && let Some(next) =
                        ahead.advance(input, AfterComma { offset: position, object }, checker.nesting(), consumer)?
                {
                    position = next.offset;
                    checkpoint.move_after_comma(position, checker.nesting(), next.object)?;
                    checker.start_after_comma(next.object);
                }
                released = position;
                input.release(position);
                carries_at_release = Some(checker.carries());
                next_peek = position.saturating_add(window);
            }
            Ok(_) => next_peek = position.saturating_add(window),
        }
        step = Step::Tile;
        (text, ended) = document_text(kernel, frame, &mut end_finder, input, position, fault);
    }
}

/// Returns the part of the document in memory from `position` on, up to its error or its end if known, and whether that
/// is the rest of the document.
#[inline]
fn document_text<'t, K: Kernel>(
    kernel: K,
    frame: &mut Frame,
    end_finder: &mut EndFinder,
    input: &'t Input<'_>,
    position: u64,
    fault: Option<Fault>,
) -> (&'t [u8], bool) {
    let (text, ended) = frame.text(input, position);
    match fault.map_or_else(|| end_finder.end(kernel, input), |fault| Some(fault.offset)) {
        Some(end) => (&text[..distance(position, end)], true),
        None => (text, ended),
    }
}

/// Copies `text` into `scratch` and pads it with at least `more` spaces up to the end of a superblock.
#[inline(always)]
pub(crate) fn padded<'s, K: Kernel>(scratch: &'s mut [u8; MAX_TILE_BYTES], text: &[u8], more: usize) -> &'s [u8] {
    let end = (text.len() + more).next_multiple_of(K::SUPERBLOCK);
    scratch[..text.len()].copy_from_slice(text);
    scratch[text.len()..end].fill(b' ');
    &scratch[..end]
}
