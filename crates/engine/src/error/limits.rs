//! Errors of limits of memory.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::ErrorDetails;
use crate::error::ErrorKind;

impl Error {
    /// A document of `length` bytes is too long for an index with positions of 32 bits.
    pub(crate) fn index_limit(length: u64) -> Self {
        let message = format!("the document has {length} bytes, and only {} can be indexed", u32::MAX);
        let help = "read its values with a query, change it at JSON Pointers, or divide it into records".to_owned();
        Self::new(ErrorDetails { help: Some(help), ..ErrorDetails::bare(ErrorKind::MemoryLimit, 0, message) })
    }

    /// An object in the document at `offset` needs more than `limit` bytes.
    pub(crate) fn memory_limit(limit: u64, offset: u64) -> Self {
        Self::over_memory_limit("an object that must be held in memory to sort its members", limit, offset)
    }

    /// The document at `offset` needs more than `limit` bytes.
    pub(crate) fn document_limit(limit: u64, offset: u64) -> Self {
        Self::over_memory_limit("a document that must be held in memory", limit, offset)
    }

    /// The string or number at `offset` needs more than `limit` bytes.
    pub(crate) fn token_limit(limit: u64, offset: u64) -> Self {
        Self::over_memory_limit("a string or number that must be held in memory", limit, offset)
    }

    pub(super) fn over_memory_limit(subject: &str, limit: u64, offset: u64) -> Self {
        let message = format!("{subject} takes more than {limit} bytes");
        let help = "raise the limit if the machine has more memory".to_owned();
        Self::new(ErrorDetails { help: Some(help), ..ErrorDetails::bare(ErrorKind::MemoryLimit, offset, message) })
    }
}
