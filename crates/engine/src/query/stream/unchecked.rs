//! The source of unchecked tiles: only strings and brackets are found, a third of the work of validation, for trusted input.
//!
//! This is all that an executor needs. Other errors in the text are not noticed, except in matches, which are validated before
//! they are reported.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::framing::Frame;
use crate::framing::between;
use crate::framing::distance;
use crate::framing::index_of;
use crate::grammar::MAX_TILE_BYTES;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::query::excerpt::Span;
use crate::query::stream::look_behind::LookBehind;
use crate::query::stream::masks::Masks;
use crate::query::stream::name_prefilter::PART;
use crate::query::stream::report::MatchReport;
use crate::query::stream::search_string::SearchString;
use crate::query::stream::source::DocumentSource;
use crate::query::stream::structures::Structures;
use crate::query::stream::tiles::Extent;
use crate::query::stream::tiles::InlineTileSource;
use crate::scan::Values;
use crate::scan::padded;

/// The source of unchecked tiles.
pub(super) struct UncheckedTiles<'w, 'i, K: Kernel> {
    pub(super) input: &'w mut Input<'i>,
    kernel: K,
    scratch: Box<[u8; MAX_TILE_BYTES]>,
    frame: Frame,
    structures: Structures<K>,
    /// Offset after the latest tile.
    position: u64,
    /// Offset at which to flush matches next.
    next_flush: u64,
    window: u64,
    is_over: bool,
    /// Validates matches.
    values: Values<K>,
    /// Whether the match is the whole document.
    is_root: bool,
    /// The error in a match.
    fault: Option<Fault>,
}

impl<'w, 'i, K: Kernel> UncheckedTiles<'w, 'i, K> {
    pub(super) fn new(kernel: K, input: &'w mut Input<'i>, options: &Options, is_root: bool) -> Self {
        Self {
            frame: Frame::new(options.framing, input.start()),
            input,
            kernel,
            scratch: Box::new([b' '; MAX_TILE_BYTES]),
            structures: Structures::new(kernel),
            position: 0,
            next_flush: 0,
            window: options.window as u64,
            is_over: true,
            values: Values::new(kernel),
            is_root,
            fault: None,
        }
    }

    /// Validates the matches that end at or before `end`.
    fn check(&mut self, end: u64, report: &MatchReport<'_>) -> Result<(), Fault> {
        let Self { input, frame, values, .. } = self;
        let texts = report.outermost(end).map(|Span { start, end, .. }| (start, between(input, start, end)));
        values.check(texts, |end| frame.text(input, end).0.first().copied()).map_err(|fault| match fault.kind {
            // mutant: ErrorKind::TrailingContent if self.is_root => Fault::new(ErrorKind::ExpectedCommaOrClose, fault.offset),
            ErrorKind::TrailingContent if !self.is_root => Fault::new(ErrorKind::ExpectedCommaOrClose, fault.offset),
            _ => fault,
        })
    }

    /// Flushes the matches that end before the next tile. Returns whether they are valid.
    fn advance(&mut self, report: &mut MatchReport<'_>) -> Result<bool, Error> {
        if report.is_eager() {
            self.fault = self.check(self.position, report).err();
            if self.fault.is_none() {
                report.flush(self.input, self.position)?;
            }
        }
        self.is_over |= self.fault.is_some();
        Ok(!self.is_over)
    }
}

impl<K: Kernel> InlineTileSource<K> for UncheckedTiles<'_, '_, K> {
    fn kernel(&self) -> K {
        self.kernel
    }

    #[inline(always)]
    fn produce(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut MatchReport<'_>,
    ) -> Result<Option<Extent>, Error> {
        loop {
            if self.is_over {
                return Ok(None);
            }
            if self.position >= self.next_flush {
                self.next_flush = self.position.saturating_add(self.window);
                if !self.advance(report)? {
                    continue;
                }
                // After the matches were flushed, which reads their text again.
                self.input.release(self.position);
            }
            let (text, ended) = self.frame.text(self.input, self.position);
            let (tile, length) = if text.len() >= PART {
                (&text[..PART], PART)
            } else if ended {
                self.is_over = true;
                (padded::<K>(&mut self.scratch, text, 1), text.len())
            } else {
                if !self.advance(report)? {
                    continue;
                }
                report.wait();
                let released = report.keep().unwrap_or(u64::MAX).min(self.position);
                self.frame.read_more(self.input, released, self.window)?;
                continue;
            };
            self.structures.fill(masks, look_behind, tile, length);
            self.position += length as u64;
            let superblocks = tile.len() / K::SUPERBLOCK;
            return Ok(Some(Extent { length, superblocks }));
        }
    }

    #[inline(always)]
    fn skip_ahead(&mut self, levels: Option<usize>) -> (u64, usize) {
        // The ends of a window and of the text need more work, so this stops before them.
        if self.is_over || self.position >= self.next_flush {
            return (0, levels.unwrap_or_default());
        }
        let (text, _) = self.frame.text(self.input, self.position);
        let text = &text[..text.len().min(distance(self.position, self.next_flush))];
        let (passed, levels) = self.structures.skip_ahead(text, levels);
        self.position += passed as u64;
        (passed as u64, levels)
    }

    #[inline(always)]
    fn skip_to_name(&mut self, name: &SearchString) -> Option<u64> {
        if self.is_over || !name.is_plain() {
            return None;
        }
        let before = self.position.saturating_sub(self.structures.bytes_before() as u64).max(self.input.base());
        let (rest, _) = self.frame.text(self.input, self.position);
        let (known, rest) = (distance(before, self.position), rest.len());
        let text = &self.input.bytes()[index_of(self.input, before)..][..known + rest];
        let limit = distance(self.position, self.next_flush.max(self.position));
        let passed = self.structures.skip_to_name(text, known, limit, name)? as u64;
        self.position += passed;
        Some(passed)
    }
}

impl<'i, K: Kernel> DocumentSource<'i> for UncheckedTiles<'_, 'i, K> {
    fn frame(&mut self) -> (&mut Frame, &mut Input<'i>) {
        (&mut self.frame, self.input)
    }

    fn begin(&mut self) {
        self.position = self.frame.start();
        self.next_flush = self.position.saturating_add(self.window);
        self.structures.begin();
        self.is_over = false;
        self.fault = None;
    }

    /// The end of the input is accepted as the end of the document, unless a string or container is open.
    fn end(&mut self, is_inside: bool, report: &MatchReport<'_>) -> Result<u64, Fault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.check(self.position, report)?;
        let cut_short = is_inside || self.structures.is_in_string();
        let fault = Fault::new(ErrorKind::UnexpectedEnd, self.position);
        if cut_short { Err(fault) } else { Ok(self.position) }
    }

    fn check_until(&mut self, end: u64, report: &MatchReport<'_>) -> Result<(), Fault> {
        self.check(end, report)
    }
}
