//! [`InvalidPatterns`]: the patterns that were taken from documents and are not valid.

#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

/// Number of patterns that are kept.
const MAX_PATTERNS: usize = 1000;

/// Number of bytes of a pattern that are kept.
const MAX_BYTES: usize = 1000;

/// The texts of patterns from documents that are not valid.
///
/// Each text is kept once, and of very many the first in the order of their bytes. So the set is the same however often a node is tested, on any number of threads. All copies share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct InvalidPatterns(Arc<Mutex<BTreeSet<Box<str>>>>);

impl InvalidPatterns {
    pub(crate) fn add(&self, text: &str) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = &text[..text.floor_char_boundary(MAX_BYTES)];
        if !texts.contains(text) {
            texts.insert(text.into());
            if texts.len() > MAX_PATTERNS {
                texts.pop_last();
            }
        }
    }

    /// Returns the texts, in the order of their bytes.
    pub(crate) fn texts(&self) -> Vec<String> {
        let texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.iter().map(std::string::ToString::to_string).collect()
    }
}
