//! The scan of one document: its tiles are checked and passed to the consumer, up to the end of the document or its first error.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::framing::Frame;
use crate::framing::between;
use crate::framing::distance;
use crate::grammar::Carries;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::input;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::scan::AfterComma;
use crate::scan::Checkpoint;
use crate::scan::Consumer;
use crate::scan::End;
use crate::scan::EndFinder;
use crate::scan::LookAhead;
use crate::scan::RETRY;
use crate::scan::SPARSE_CHECKPOINT_WINDOWS;
use crate::scan::ScanStep;
use crate::scan::Scratch;
use crate::scan::comma_to_cut_at;
use crate::scan::text_up_to;

/// Bytes of staged output above which the precise reader validates the text so that it can be released.
pub(crate) const MAX_STAGED: usize = 1 << 22;

/// The scan of one document.
pub(super) struct DocumentScan<'d, 'i, K: Kernel, C> {
    checker: &'d mut Checker<K>,
    scratch: &'d mut Scratch,
    frame: &'d mut Frame,
    input: &'d mut Input<'i>,
    options: &'d Options,
    consumer: &'d mut C,
    ahead: &'d mut dyn LookAhead<C>,
    end_finder: EndFinder,
    checkpoint: Checkpoint,
    has_output: bool,
    /// Distance between two checkpoints.
    window: u64,
    step: ScanStep,
    /// Offset of the text to check next.
    position: u64,
    /// Everything before this offset has been released. It is the checkpoint or lies before it.
    released: u64,
    /// `None` stands for the carries at the start of a document: copying them would slow down short records.
    carries_at_release: Option<Carries<K::Word>>,
    /// Offset from which to look for a comma to cut at.
    next_peek: u64,
    /// The offset after the comma that the look-ahead wants to be cut at.
    wanted_cut: Option<u64>,
    /// Once an error is known, the text ends at the error and is only passed to the consumer, not checked for syntax errors.
    fault: Option<Fault>,
    /// Whether the consumer's own rules may still find an error, or an earlier one. They have not found one yet.
    consumer_checks: bool,
}

/// What is known about the text before the position.
enum Validity {
    /// No error was found, but not all brackets were compared.
    Unknown,
    /// It is valid. [`End`] says where it ends; after a comma, the scan may continue there with a look-ahead.
    Valid(End, Option<AfterComma>),
    Invalid(Fault),
}

impl<'d, 'i, K: Kernel, C: Consumer> DocumentScan<'d, 'i, K, C> {
    /// Begins the document at which `frame` is positioned.
    #[inline(always)]
    pub(super) fn new(
        checker: &'d mut Checker<K>,
        scratch: &'d mut Scratch,
        frame: &'d mut Frame,
        input: &'d mut Input<'i>,
        options: &'d Options,
        consumer: &'d mut C,
        ahead: &'d mut dyn LookAhead<C>,
    ) -> Self {
        // Without output, checkpoints serve only to locate errors and can be further apart. But the end of a document that others follow
        // may look like an error.
        let has_output = consumer.has_output();
        let has_sparse_checkpoints = !has_output && input.at_end() && options.threads == 1 && frame.is_alone();
        let windows = if has_sparse_checkpoints { SPARSE_CHECKPOINT_WINDOWS } else { 1 };
        let window = (options.window as u64).saturating_mul(windows);
        let start = frame.start();
        checker.start_document();
        Self {
            end_finder: EndFinder::new(frame, input),
            checkpoint: Checkpoint::document(start, options.max_depth),
            has_output,
            window,
            step: ScanStep::Tile,
            position: start,
            released: start,
            carries_at_release: None,
            next_peek: start.saturating_add(window),
            wanted_cut: None,
            fault: frame.fault(),
            consumer_checks: true,
            checker,
            scratch,
            frame,
            input,
            options,
            consumer,
            ahead,
        }
    }

    /// Scans the document. Returns the offset of its end, or its first error.
    #[inline(always)]
    pub(super) fn run(mut self) -> Result<Result<u64, Fault>, Error> {
        loop {
            let is_tile_valid = self.read_tiles()?;
            let verdict = match self.validity(is_tile_valid)? {
                Validity::Unknown => None,
                Validity::Valid(end, comma) => self.release(end, comma)?,
                Validity::Invalid(fault) => self.end_before(fault),
            };
            if let Some(verdict) = verdict {
                return Ok(verdict);
            }
        }
    }

    /// Checks text and has the consumer take it, until a checkpoint may be due, a tile is invalid, or the document ends. A peeked
    /// tile is not taken. Returns whether the last tile is valid; before a known error, tiles are not checked.
    #[inline(always)]
    fn read_tiles(&mut self) -> Result<bool, Error> {
        let Self { checker, scratch, frame, input, consumer, end_finder, fault, step, .. } = self;
        let (kernel, fault) = (checker.kernel(), *fault);
        let mut position = self.position;
        // What may be read before the next call. The tile at the end of a window belongs to it, as a comma may be found there.
        let until = position.saturating_add(self.window.saturating_add(MAX_TILE_BYTES as u64));
        let (mut text, mut ended) = document_text(kernel, frame, end_finder, input, position, until, fault);
        loop {
            let Some((tile, length)) = step.tile::<K>(text, ended, scratch) else {
                consumer.flush()?;
                frame.read_more(input, self.released, self.options.window as u64)?;
                (text, ended) = document_text(kernel, frame, end_finder, input, position, until, fault);
                continue;
            };
            if *step == ScanStep::Peek {
                let carries = checker.carries();
                checker.check(tile, C::LAYOUT, true);
                checker.restore(Some(carries));
                return Ok(true);
            }
            // Without output, the masks are not needed.
            let (tile, length) = if *step == ScanStep::Tile && !self.has_output && fault.is_none() {
                let most = distance(position, self.next_peek).min(text.len()).min(Checker::<K>::RUN);
                let length = length.max(most / Checker::<K>::TILE * Checker::<K>::TILE);
                (&text[..length], length)
            } else {
                (tile, length)
            };
            let is_tile_valid = checker.check(tile, C::LAYOUT, fault.is_some());
            input::change_point();
            if self.has_output && (is_tile_valid || fault.is_some()) {
                consumer.take(kernel, checker.tile(), tile, length);
            }
            position += length as u64;
            text = &text[length..];
            let is_staged_enough = self.has_output && consumer.held() > MAX_STAGED;
            let should_continue = match fault {
                Some(_) => *step != ScanStep::Last,
                None => *step == ScanStep::Tile && is_tile_valid && position < self.next_peek && !is_staged_enough,
            };
            if !should_continue {
                self.position = position;
                return Ok(is_tile_valid);
            }
        }
    }

    /// Decides what is known after the tiles of a step, and which step follows.
    #[inline(always)]
    fn validity(&mut self, is_tile_valid: bool) -> Result<Validity, OutOfMemory> {
        let must_release = self.consumer.held() > MAX_STAGED;
        match self.step {
            ScanStep::Last if self.fault.is_some() => Ok(Validity::Valid(End::Anywhere, None)),
            // mutant: ScanStep::Last if is_tile_valid => {
            ScanStep::Last if is_tile_valid && self.checker.finish() => {
                let fault = self.frame.fault_at_end(self.input, self.position);
                Ok(fault.map_or(Validity::Valid(End::Document, None), Validity::Invalid))
            }
            ScanStep::Tile if is_tile_valid && must_release => Ok(self.validity_by_reading()),
            ScanStep::Tile if is_tile_valid => {
                if self.position >= self.next_peek {
                    self.step = ScanStep::Peek;
                }
                Ok(Validity::Unknown)
            }
            ScanStep::Peek => {
                self.next_peek = self.position + RETRY;
                self.step = ScanStep::Tile;
                if let Some(comma) = self.comma() {
                    self.step = ScanStep::Cut(comma + 1);
                    return Ok(Validity::Unknown);
                }
                // Text that stays in memory need not be validated before its end.
                let may_wait = !self.has_output && self.input.at_end();
                let is_far = distance(self.checkpoint.offset, self.position) / 2 >= self.options.window;
                let must_validate = must_release || is_far && !may_wait;
                Ok(if must_validate { self.validity_by_reading() } else { Validity::Unknown })
            }
            ScanStep::Cut(_) if is_tile_valid && let Some(object) = self.checker.reconcile() => {
                let comma = AfterComma { offset: self.position, object };
                self.checkpoint.continue_after(comma, self.checker)?;
                Ok(Validity::Valid(End::Anywhere, Some(comma)))
            }
            ScanStep::Tile | ScanStep::Cut(_) | ScanStep::Last => {
                let text = between(self.input, self.checkpoint.offset, self.position);
                let is_last = self.step == ScanStep::Last;
                Ok(Validity::Invalid(self.checkpoint.fault(text, is_last, self.checker.nesting())))
            }
        }
    }

    /// Returns the index in the tile of the comma to cut at.
    #[inline(always)]
    fn comma(&mut self) -> Option<usize> {
        comma_to_cut_at(self.checker.tile(), self.position, self.wanted_cut.take())
    }

    /// Validates the text after the checkpoint with the precise reader.
    #[inline(always)]
    fn validity_by_reading(&mut self) -> Validity {
        let text = between(self.input, self.checkpoint.offset, self.position);
        self.checkpoint.move_by_reading(text).map_or_else(Validity::Invalid, |end| Validity::Valid(end, None))
    }

    /// Releases the text before the position, which is valid, if the consumer's own rules permit it. Returns the end of the
    /// document, or its first error, once known.
    #[inline(always)]
    fn release(&mut self, end: End, comma: Option<AfterComma>) -> Result<Option<Result<u64, Fault>>, Error> {
        let is_last = self.step == ScanStep::Last;
        let verdict = self.fault.map_or(Ok(self.position), |fault| self.frame.end_before(fault, self.input));
        let end = if is_last && verdict.is_ok() { End::Document } else { end };
        let text = between(self.input, self.released, self.position);
        let checked = if self.consumer_checks { self.consumer.check_rules(text, end) } else { Ok(true) };
        let is_checked = match checked {
            Ok(is_checked) => is_checked,
            Err(fault) => {
                self.consumer_checks = false;
                return Ok(self.end_before(fault));
            }
        };
        // An error may be anywhere, so the text before it is released even if it could not be checked completely.
        if is_checked || is_last {
            self.consumer.release(text)?;
            if is_last {
                return Ok(Some(verdict));
            }
            self.advance(comma)?;
            self.released = self.position;
            self.input.release(self.position);
            self.carries_at_release = Some(self.checker.carries());
        }
        self.next_peek = self.position.saturating_add(self.window);
        self.step = ScanStep::Tile;
        if let Some(cut) = self.wanted_cut {
            // The tile that is peeked at must contain the comma.
            self.next_peek = cut.saturating_sub(Checker::<K>::TILE as u64);
            if self.position >= self.next_peek {
                self.step = ScanStep::Peek;
            }
        }
        Ok(None)
    }

    /// Lets the look-ahead read on after a comma.
    #[inline(always)]
    fn advance(&mut self, comma: Option<AfterComma>) -> Result<(), Error> {
        if let Some(comma) = comma
            && self.frame.is_alone()
            && let Some(next) = self.ahead.advance(self.input, comma, self.checker.nesting(), self.consumer)?
        {
            self.position = next.offset;
            self.checkpoint.continue_after(next, self.checker)?;
        }
        self.wanted_cut = self.ahead.next_cut().filter(|_| comma.is_some());
        Ok(())
    }

    /// Ends the document before an error. Returns the verdict if nothing is staged; otherwise the output is produced again up to
    /// the error.
    #[inline(always)]
    fn end_before(&mut self, fault: Fault) -> Option<Result<u64, Fault>> {
        if !self.has_output || fault.is_external() {
            return Some(self.frame.end_before(fault, self.input));
        }
        // mutant:
        self.consumer.discard();
        // mutant:
        self.checker.restore(self.carries_at_release);
        self.position = self.released;
        self.next_peek = u64::MAX;
        self.fault = Some(fault);
        self.step = ScanStep::Tile;
        None
    }
}

/// Returns the part of the document in memory from `position` on, up to its error or its end if known, and whether that
/// is the rest of the document. The end is looked for up to `until`.
#[inline]
fn document_text<'t, K: Kernel>(
    kernel: K,
    frame: &mut Frame,
    end_finder: &mut EndFinder,
    input: &'t Input<'_>,
    position: u64,
    until: u64,
    fault: Option<Fault>,
) -> (&'t [u8], bool) {
    let end = fault.map_or_else(|| end_finder.end(kernel, input, until), |fault| Some(fault.offset));
    text_up_to(end, frame, input, position)
}
