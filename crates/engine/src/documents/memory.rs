//! The text of a batch and its tokens, in memory that is used again for the next batch.

#![forbid(unsafe_code)]

use std::sync::Arc;

use crate::document::Listed;
use crate::documents::DocumentBatch;
use crate::documents::Source;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::options::Options;

/// Memory of a batch. Values that are kept share it.
#[derive(Debug, Default)]
pub(super) struct Memory {
    listed: Arc<Listed<Vec<u8>>>,
}

impl Memory {
    /// Returns the memory for another text, or new memory if values of the last one were kept.
    pub(super) fn renew(&mut self) -> Result<&mut Listed<Vec<u8>>, Error> {
        if Arc::get_mut(&mut self.listed).is_none() {
            self.listed = Arc::default();
        }
        Arc::get_mut(&mut self.listed).ok_or_else(|| OutOfMemory::Text.into())
    }

    /// Copies the text of a batch.
    pub(super) fn copy(&mut self, text: &[u8]) -> Result<&mut Listed<Vec<u8>>, Error> {
        let listed = self.renew()?;
        let buffer = listed.text_mut();
        buffer.clear();
        buffer.room(text.len(), OutOfMemory::Text)?;
        buffer.extend_from_slice(text);
        Ok(listed)
    }

    /// Copies the text of records that are on lines, and lists their tokens. Returns the number of records, or `None` if any is invalid.
    pub(super) fn list_records(&mut self, text: &[u8], options: &Options) -> Result<Option<u64>, Error> {
        self.copy(text)?.try_list_records(options)
    }

    /// Like [`Listed::is_accepted`].
    pub(super) fn is_accepted(&self, options: &Options) -> bool {
        self.listed.is_accepted(options)
    }

    /// Gives the text of records that were rewritten the whitespace that they have in the input.
    pub(super) fn restore_whitespace(&mut self, source: &[u8], inserted: &[usize]) {
        if let Some(listed) = Arc::get_mut(&mut self.listed) {
            listed.restore_whitespace(source, inserted);
        }
    }

    /// Returns the batch at this offset of the input. `None` if its tokens are not listed.
    pub(super) fn batch<'p>(&'p self, offset: u64, inserted: &'p [usize]) -> Option<DocumentBatch<'p>> {
        let view = self.listed.view()?;
        Some(DocumentBatch { listed: &self.listed, view, offset, source: Source::Lines(inserted) })
    }

    /// Returns the batch of values at these indexes of the text and offsets of the input. `None` if its tokens are not listed.
    #[cfg(feature = "query")]
    pub(super) fn elements<'p>(&'p self, offset: u64, places: &'p [(usize, u64)]) -> Option<DocumentBatch<'p>> {
        let view = self.listed.view()?;
        Some(DocumentBatch { listed: &self.listed, view, offset, source: Source::Elements(places) })
    }
}
