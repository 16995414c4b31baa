//! [`CodecProgress`]: what a call of a codec has done.

#![forbid(unsafe_code)]

/// The result of a call of a codec.
pub(super) struct CodecProgress {
    /// Number of bytes read.
    pub(super) consumed: usize,
    /// Number of bytes written.
    pub(super) produced: usize,
    /// Whether a member is complete, or why it is damaged.
    pub(super) complete: Result<bool, String>,
}

/// Returns the number of bytes that a codec has processed since its total was `before`.
pub(super) fn since(before: u64, total: u64) -> usize {
    usize::try_from(total - before).unwrap_or(usize::MAX)
}
