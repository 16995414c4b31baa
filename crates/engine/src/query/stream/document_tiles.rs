//! The source of the tiles of documents: all text is validated, or trusted.
//!
//! It is the scan of `scan/` turned inside out. There, each tile is passed to a consumer; here, the consumer requests the next
//! tile. Windows, cuts after commas and the checkpoint of the precise reader are the same. The check of a tile only counts its
//! brackets. Whether they match is known at the next cut, so matches are validated there and not before. If a tile is invalid, the
//! precise reader finds the error, the tile ends before it, and the matches after it are discarded.
//!
//! If other threads validate a document ahead of this source, or if it is trusted, only strings and brackets are found, which is a third
//! of the work. This is all that an executor needs. In trusted text no other errors are noticed, except in matches, which are validated
//! before they are reported.

#![forbid(unsafe_code)]

mod ahead;
mod trust;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::framing::Frame;
use crate::framing::between;
use crate::framing::distance;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Tile;
use crate::input::Input;
use crate::input::change_point;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Options;
use crate::query::stream::look_behind::LookBehind;
use crate::query::stream::masks::Masks;
use crate::query::stream::name_prefilter::PART;
use crate::query::stream::report::MatchReport;
use crate::query::stream::search_string::SearchString;
use crate::query::stream::structures::Structures;
use crate::query::stream::tiles::Extent;
use crate::query::stream::tiles::InlineTileSource;
use crate::query::structure::EscapedStringCarry;
use crate::query::structure::remaining_levels;
use crate::scan::AfterComma;
use crate::scan::Checkpoint;
use crate::scan::EndFinder;
use crate::scan::RETRY;
use crate::scan::SPARSE_CHECKPOINT_WINDOWS;
use crate::scan::ScanStep;
use crate::scan::Scratch;
use crate::scan::padded;
use crate::scan::text_up_to;

use ahead::ElementsAhead;
use ahead::ValidationAhead;

pub(super) use trust::MatchCheck;

/// The source of the tiles of documents.
pub(super) struct DocumentTiles<'w, 'i, K: Kernel> {
    pub(super) input: &'w mut Input<'i>,
    checker: Checker<K>,
    scratch: Box<Scratch>,
    frame: Frame,
    options: &'w Options,
    checkpoint: Checkpoint,
    escapes: EscapedStringCarry,
    /// Offset after the latest tile.
    position: u64,
    /// Offset from which to look for a comma to cut at.
    next_peek: u64,
    step: ScanStep,
    /// Where the document ends, if that is known before it is read.
    end: Option<u64>,
    end_finder: EndFinder,
    /// Whether the rest of the document is read only to validate it.
    only_checks: bool,
    /// Other threads that validate the first document, if there are any.
    validated_ahead: Option<&'w mut dyn ValidationAhead>,
    /// The search of elements of the first document in batches.
    elements: ElementsAhead<'w>,
    /// If the text is trusted, what checks the matches.
    trusted: Option<MatchCheck<K>>,
    /// A comma up to which the text is valid, or any place up to which it is trusted. If it is after the position, the text between
    /// them needs no check.
    valid: AfterComma,
    /// Reads that text.
    structures: Structures<K>,
    /// Whether the next tile is valid, if it was already checked.
    checked: Option<bool>,
    /// Where the document ends, or its first error, once known. There are no more tiles then.
    verdict: Option<Result<u64, Fault>>,
}

impl<'w, 'i, K: Kernel> DocumentTiles<'w, 'i, K> {
    #[inline(always)]
    pub(super) fn new(
        kernel: K,
        input: &'w mut Input<'i>,
        options: &'w Options,
        trusted: Option<MatchCheck<K>>,
    ) -> Self {
        let frame = Frame::new(options.framing, input.start());
        Self {
            end_finder: EndFinder::new(&frame, input),
            input,
            checker: Checker::new(kernel, options.max_depth, false),
            scratch: Box::new([b' '; MAX_TILE_BYTES]),
            frame,
            options,
            checkpoint: Checkpoint::document(0, options.max_depth),
            escapes: EscapedStringCarry::default(),
            position: 0,
            next_peek: 0,
            step: ScanStep::Tile,
            end: None,
            only_checks: false,
            validated_ahead: None,
            elements: ElementsAhead::default(),
            trusted,
            valid: AfterComma { offset: 0, object: false },
            structures: Structures::new(kernel),
            checked: None,
            verdict: None,
        }
    }

    /// Plans a cut after the last comma of a peeked tile. If there has been none for two windows, the precise reader moves the
    /// checkpoint.
    #[inline(always)]
    fn plan_cut(&mut self, report: &mut MatchReport<'_>) -> Result<(), Error> {
        self.next_peek = self.position + RETRY;
        self.step = ScanStep::Tile;
        if let Some(comma) = self.elements.comma(self.position, self.checker.tile()) {
            self.step = ScanStep::Cut(comma + 1);
        } else if distance(self.checkpoint.offset, self.position) / 2 >= self.options.window {
            let unchecked = between(self.input, self.checkpoint.offset, self.position);
            match self.checkpoint.move_by_reading(unchecked) {
                Ok(_) => {
                    report.advance(self.input, self.position)?;
                    self.input.release(self.position);
                }
                Err(fault) => {
                    self.end_before(fault, 0);
                }
            }
        }
        Ok(())
    }

    /// Begins the document at which the frame is positioned.
    #[inline(always)]
    fn start(&mut self) {
        self.position = self.frame.start();
        self.checker.start_document();
        self.checkpoint = Checkpoint::document(self.position, self.options.max_depth);
        self.escapes = EscapedStringCarry::default();
        self.next_peek = self.position.saturating_add(self.options.window as u64);
        (self.end, self.end_finder) = (None, EndFinder::new(&self.frame, self.input));
        self.only_checks = false;
        self.elements.begin();
        self.valid = AfterComma { offset: self.position, object: false };
        self.structures.begin();
        self.checked = None;
        self.verdict = self.frame.fault().filter(|_| self.trusted.is_none()).map(Err);
        self.step = ScanStep::Tile;
        self.find_end();
    }

    /// Looks for the end of the document in the next window, if other documents may follow: their text would look like an error, and be read
    /// again. The tile at the end of the window belongs to it, as a comma may be found there.
    #[inline(always)]
    fn find_end(&mut self) {
        if !self.frame.is_alone() && self.trusted.is_none() {
            let window = self.window().saturating_add(MAX_TILE_BYTES as u64);
            let until = self.position.saturating_add(window);
            self.end = self.end_finder.end(self.checker.kernel(), self.input, until);
        }
    }

    /// Ends the tiles before an error, which in a stream may only mark the start of the next document. Returns how many of the
    /// last `length` bytes come before it. `None` if no tile is to be returned.
    #[cold]
    fn end_before(&mut self, fault: Fault, length: usize) -> Option<usize> {
        let verdict = self.frame.end_before(fault, self.input);
        self.verdict = Some(verdict);
        let start = self.position - length as u64;
        self.position = fault.offset;
        // Before the next document of a stream, a tile is returned even if it is empty.
        let any = fault.offset > start || verdict.is_ok() && fault.offset == start;
        any.then(|| distance(start, fault.offset))
    }

    /// Reads more text, unless the end of the document is found in what was read.
    #[inline(always)]
    fn read_more(&mut self, report: &mut MatchReport<'_>) -> Result<(), Error> {
        // mutant:
        self.end = self.end_finder.end(self.checker.kernel(), self.input, u64::MAX);
        if self.end.is_none() {
            report.wait();
            // Text from there on must stay in memory.
            let released = report.keep().unwrap_or(u64::MAX).min(self.checkpoint.offset);
            self.frame.read_more(self.input, released, self.options.window as u64)?;
        }
        Ok(())
    }

    /// Ends the step of a tile, and chooses the next one. Returns the error in the tile, if there is one.
    #[inline(always)]
    fn end_step(&mut self, is_valid: bool, report: &mut MatchReport<'_>) -> Result<Option<Fault>, Error> {
        match self.step {
            ScanStep::Cut(_) if is_valid && let Some(object) = self.checker.reconcile() => {
                let comma = AfterComma { offset: self.position, object };
                self.checkpoint.continue_after(comma, &mut self.checker)?;
                report.advance(self.input, comma.offset)?;
                self.valid = comma;
                if self.frame.is_alone() && !self.elements.wait_at(comma) {
                    self.validate_ahead(report)?;
                }
                self.structures.begin();
                self.continue_checking();
                // After the matches were flushed, which reads their text again.
                self.input.release(self.position);
            }
            ScanStep::Last if is_valid && self.checker.finish() => {
                let fault = self.frame.fault_at_end(self.input, self.position);
                if fault.is_none() {
                    self.verdict = Some(Ok(self.position));
                }
                return Ok(fault);
            }
            ScanStep::Tile if is_valid => {
                if self.position >= self.next_peek {
                    self.step = ScanStep::Peek;
                    self.find_end();
                }
            }
            _ => return Ok(Some(self.find_fault())),
        }
        Ok(None)
    }

    /// Checks the text from the current position on.
    fn continue_checking(&mut self) {
        self.next_peek = self.position.saturating_add(self.window());
        self.step = ScanStep::Tile;
        self.escapes = EscapedStringCarry::default();
    }

    /// Makes a tile of text that other threads have validated. Returns `None` if it was skipped, because no tiles are wanted.
    #[inline(always)]
    fn produce_validated(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut MatchReport<'_>,
    ) -> Result<Option<Extent>, Error> {
        if self.only_checks {
            self.position = self.valid.offset;
        }
        // More is requested before the end of the valid text is in a tile: the other threads continue exactly there, so nothing after it
        // may be checked here until they are done.
        // mutant: while self.position + PART as u64 > self.valid.offset && self.validate_ahead(report)? {
        while self.position + PART as u64 >= self.valid.offset && self.validate_ahead(report)? {
            if self.only_checks {
                self.position = self.valid.offset;
            }
        }
        if self.only_checks {
            self.continue_checking();
            return Ok(None);
        }
        change_point();
        let extent = self.fill_unchecked(masks, look_behind, 0);
        if self.position == self.valid.offset {
            self.continue_checking();
        }
        Ok(Some(extent))
    }

    /// Makes a tile of text that needs no check, with at least `padding` spaces after it if it is short.
    #[inline(always)]
    fn fill_unchecked(&mut self, masks: &mut Masks, look_behind: &mut LookBehind, padding: usize) -> Extent {
        let text = between(self.input, self.position, self.valid.offset.min(self.position + PART as u64));
        let length = text.len();
        let tile = if length == PART { text } else { padded::<K>(&mut self.scratch, text, padding) };
        self.structures.fill(masks, look_behind, tile, length);
        self.position += length as u64;
        Extent { length, superblocks: tile.len() / K::SUPERBLOCK }
    }

    /// Returns the distance to the next cut.
    fn window(&self) -> u64 {
        let is_far = self.only_checks && self.validated_ahead.is_none() && self.input.at_end() && self.frame.is_alone();
        (self.options.window as u64).saturating_mul(if is_far { SPARSE_CHECKPOINT_WINDOWS } else { 1 })
    }

    /// Finds the first error after the checkpoint.
    #[cold]
    fn find_fault(&mut self) -> Fault {
        let bytes = between(self.input, self.checkpoint.offset, self.position);
        self.checkpoint.fault(bytes, self.step == ScanStep::Last, self.checker.nesting())
    }
}

impl<K: Kernel> InlineTileSource<K> for DocumentTiles<'_, '_, K> {
    fn kernel(&self) -> K {
        self.checker.kernel()
    }

    fn visit_elements(&mut self, is_inside: bool) {
        self.elements.visit(is_inside);
    }

    #[inline(always)]
    fn search_elements(&mut self, report: &mut MatchReport<'_>) -> Result<u64, Error> {
        match self.elements.take_comma() {
            Some(comma) if !self.only_checks => self.search_elements_after(comma, report),
            _ => Ok(0),
        }
    }

    #[inline(always)]
    fn skip_ahead(&mut self, levels: Option<usize>) -> (u64, usize) {
        let start = self.position;
        // mutant: if false {
        if self.elements.waits() {
            return (0, levels.unwrap_or_default());
        }
        if start < self.valid.offset {
            // Not to the end of the valid text, since more is requested only when the next tile is made.
            // mutant: let text = between(self.input, start, self.valid.offset);
            let text = between(self.input, start, self.valid.offset - 1);
            let (passed, levels) = self.structures.skip_ahead(text, levels);
            self.position += passed as u64;
            return (passed as u64, levels);
        }
        let mut levels = levels;
        // The end of a window needs more work, so this stops before it.
        while self.trusted.is_none()
            && self.verdict.is_none()
            && self.step == ScanStep::Tile
            && self.position + (Checker::<K>::TILE as u64) < self.next_peek
        {
            let (text, _) = text_up_to(self.end, &mut self.frame, self.input, self.position);
            if text.len() < Checker::<K>::TILE {
                break;
            }
            let is_valid = self.checker.check(&text[..Checker::<K>::TILE], false, false);
            if let Some(levels) = &mut levels {
                let Some(remaining) = remaining_levels_after(self.checker.kernel(), *levels, self.checker.tile())
                else {
                    // mutant:
                    self.checked = Some(is_valid);
                    break;
                };
                *levels = remaining;
            }
            self.position += Checker::<K>::TILE as u64;
            self.escapes.skip(self.checker.tile().ends_in_string(K::TILE));
            if !is_valid {
                let fault = self.find_fault();
                self.end_before(fault, 0);
            }
        }
        // If there is an error, the position may be before `start`.
        (self.position.saturating_sub(start), levels.unwrap_or_default())
    }

    #[inline(always)]
    fn skip_to_name(&mut self, name: &SearchString) -> Option<u64> {
        if self.position >= self.valid.offset || !name.is_plain() {
            // More is trusted when the next tile is made.
            return self.trusted.as_ref().filter(|_| name.is_plain()).map(|_| 0);
        }
        let before = self.position.saturating_sub(self.structures.bytes_before() as u64).max(self.input.base());
        let text = between(self.input, before, self.valid.offset);
        let known = distance(before, self.position);
        let passed = self.structures.skip_to_name(text, known, usize::MAX, name)? as u64;
        self.position += passed;
        Some(passed)
    }

    #[inline(always)]
    fn produce(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut MatchReport<'_>,
    ) -> Result<Option<Extent>, Error> {
        loop {
            if self.position < self.valid.offset {
                match self.produce_validated(masks, look_behind, report)? {
                    None => continue,
                    tile => return Ok(tile),
                }
            }
            if self.verdict.is_some() {
                return Ok(None);
            }
            if self.trusted.is_some() {
                if self.trust_more(report)? {
                    return Ok(Some(self.fill_unchecked(masks, look_behind, 1)));
                }
                continue;
            }
            let (text, ended) = text_up_to(self.end, &mut self.frame, self.input, self.position);
            let Some((tile, length)) = self.step.tile::<K>(text, ended, &mut self.scratch) else {
                self.read_more(report)?;
                continue;
            };
            let is_peek = self.step == ScanStep::Peek;
            let carries = if is_peek { Some(self.checker.carries()) } else { None };
            let is_valid = match self.checked.take() {
                Some(is_valid) => is_valid,
                None => self.checker.check(tile, false, is_peek),
            };
            if is_peek {
                self.checker.restore(carries);
                self.plan_cut(report)?;
                continue;
            }

            change_point();
            let (padded, superblocks) = (tile.len(), tile.len() / K::SUPERBLOCK);
            let to = look_behind.append(padded, length);
            masks.fill(self.checker.kernel(), self.checker.tile(), tile, to, &mut self.escapes);
            self.position += length as u64;
            let Some(fault) = self.end_step(is_valid, report)? else {
                return Ok(Some(Extent { length, superblocks }));
            };
            let Some(kept) = self.end_before(fault, length) else { return Ok(None) };
            masks.truncate::<K>(kept, superblocks);
            look_behind.truncate(length, kept, padded);
            return Ok(Some(Extent { length: kept, superblocks }));
        }
    }
}

/// Returns how many of `levels` levels are open after a tile. `None` if they all end in it.
#[inline(always)]
fn remaining_levels_after<K: Kernel>(kernel: K, levels: usize, tile: &Tile<K>) -> Option<usize> {
    let mut levels = levels;
    for (_, masks, _) in tile.active() {
        levels = remaining_levels(kernel, masks.open, masks.close, levels).ok()?;
    }
    Some(levels)
}

/// The start of a document. It is a [`Pass`], because the caller is not compiled for a kernel.
struct Begin<'b, P>(&'b mut P);

impl<K: Kernel> Pass for Begin<'_, DocumentTiles<'_, '_, K>> {
    type Output = ();

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) {
        self.0.start();
    }
}

impl<'i, K: Kernel> DocumentTiles<'_, 'i, K> {
    /// Returns the framing state and the input.
    pub(super) fn frame(&mut self) -> (&mut Frame, &mut Input<'i>) {
        (&mut self.frame, self.input)
    }

    /// Begins the document at which the frame is positioned.
    pub(super) fn begin(&mut self) {
        self.checker.kernel().run(Begin(self));
    }

    /// Notes that no more matches are wanted, and the rest of the document is read only to validate it.
    pub(super) fn only_check(&mut self) {
        // In trusted text, open strings and containers are still looked for.
        self.only_checks = self.trusted.is_none();
    }

    /// Returns where the document ends, or its error. Called when there are no more tiles. `is_inside`: the executor expected more
    /// text. `report` holds the matches that are not flushed yet.
    pub(super) fn end(&mut self, is_inside: bool, report: &MatchReport<'_>) -> Result<u64, Fault> {
        // Before the end is reached, nothing is known to be valid.
        let unexpected = Fault::new(ErrorKind::UnexpectedEnd, self.position);
        let end = self.verdict.unwrap_or(Err(unexpected))?;
        self.check_matches(end, report)?;
        // The end of trusted text is accepted as that of the document, unless a string or container is open.
        if self.trusted.is_some() && (is_inside || self.structures.is_in_string()) { Err(unexpected) } else { Ok(end) }
    }

    /// Validates the text before `end`, an offset in the latest tiles, or the matches in it if it is trusted.
    pub(super) fn check_until(&mut self, end: u64, report: &MatchReport<'_>) -> Result<(), Fault> {
        match self.verdict {
            _ if self.trusted.is_some() => self.check_matches(end, report),
            Some(Err(fault)) if fault.offset < end => Err(fault),
            // The checkpoint moves past the state of the checker, but this document is not read further.
            // mutant: None if false => {
            None if end > self.checkpoint.offset => {
                self.checkpoint.move_by_reading(between(self.input, self.checkpoint.offset, end)).map(|_| ())
            }
            _ => Ok(()),
        }
    }
}
