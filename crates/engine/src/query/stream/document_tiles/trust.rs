//! Trusted text: it is not checked, except in matches.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::framing::between;
use crate::kernel::Kernel;
use crate::query::excerpt::Span;
use crate::query::stream::document_tiles::DocumentTiles;
use crate::query::stream::name_prefilter::PART;
use crate::query::stream::report::MatchReport;
use crate::scan::Values;

/// Validates matches.
pub(in crate::query::stream) struct MatchCheck<K: Kernel> {
    values: Values<K>,
    /// Whether the match is the whole document.
    is_root: bool,
}

impl<K: Kernel> MatchCheck<K> {
    pub(in crate::query::stream) fn new(kernel: K, is_root: bool) -> Self {
        Self { values: Values::new(kernel), is_root }
    }
}

impl<K: Kernel> DocumentTiles<'_, '_, K> {
    /// Checks and flushes the matches so far, and trusts more text. Returns whether the document ends with a short tile.
    #[cold]
    #[inline(never)]
    pub(super) fn trust_more(&mut self, report: &mut MatchReport<'_>) -> Result<bool, Error> {
        if report.is_eager() {
            if let Err(fault) = self.check_matches(self.position, report) {
                self.verdict = Some(Err(fault));
                return Ok(false);
            }
            report.flush(self.input, self.position)?;
        }
        // After the matches were flushed, which reads their text again.
        self.input.release(self.position);
        let (text, ended) = self.frame.text(self.input, self.position);
        // Whole tiles, since padding after others would separate a backslash from what it escapes.
        let whole = text.len().min(self.options.window.max(PART)) / PART * PART;
        if whole > 0 || ended {
            self.valid.offset = self.position + if whole > 0 { whole } else { text.len() } as u64;
            if whole == 0 {
                self.verdict = Some(Ok(self.valid.offset));
            }
            return Ok(whole == 0);
        }
        report.wait();
        let released = report.keep().unwrap_or(u64::MAX).min(self.position);
        self.frame.read_more(self.input, released, self.options.window as u64)?;
        Ok(false)
    }

    /// Checks the matches that end at or before `end`, if the text is trusted.
    pub(super) fn check_matches(&mut self, end: u64, report: &MatchReport<'_>) -> Result<(), Fault> {
        let Self { trusted, input, frame, .. } = self;
        let Some(MatchCheck { values, is_root }) = trusted else { return Ok(()) };
        let texts = report.outermost(end).map(|Span { start, end, .. }| (start, between(input, start, end)));
        values.check(texts, |end| frame.text(input, end).0.first().copied()).map_err(|fault| match fault.kind {
            // mutant: ErrorKind::TrailingContent if *is_root => Fault::new(ErrorKind::ExpectedCommaOrClose, fault.offset),
            ErrorKind::TrailingContent if !*is_root => Fault::new(ErrorKind::ExpectedCommaOrClose, fault.offset),
            _ => fault,
        })
    }
}
