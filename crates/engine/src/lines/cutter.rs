//! Divides an input into windows of whole lines.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::Input;
use crate::memory::Grow;
use crate::options::Options;

/// Cuts windows out of an input, one after the other.
#[derive(Debug)]
pub(super) struct Cutter<'a> {
    input: Input<'a>,
    /// Number of bytes after which a window ends with the next line.
    window: usize,
    /// Greatest length of a line.
    limit: u64,
    /// Offset of the next window.
    position: u64,
    has_ended: bool,
}

impl<'a> Cutter<'a> {
    pub(super) fn new(input: Input<'a>, options: &Options) -> Self {
        let position = input.start();
        Self { input, window: options.window.max(1), limit: options.max_memory, position, has_ended: false }
    }

    /// Returns the offset of the next window.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Ends the input here.
    pub(super) fn end(&mut self) {
        self.has_ended = true;
    }

    /// Copies the next window to `text`. Returns false if there is none. After an error there is none.
    pub(super) fn next_window(&mut self, text: &mut Vec<u8>) -> Result<bool, Error> {
        if self.has_ended {
            return Ok(false);
        }
        let result = self.cut(text);
        if !matches!(result, Ok(true)) {
            self.end();
        }
        result
    }

    fn cut(&mut self, text: &mut Vec<u8>) -> Result<bool, Error> {
        // Number of bytes in which no end of the window was found.
        let mut searched = 0;
        loop {
            let bytes = &self.input.bytes()[index(self.input.base(), self.position)..];
            let is_complete = self.input.at_end();
            if let Some(length) = window_length(bytes, self.window, searched, is_complete) {
                // A copy, because a mapped file may change while its values are read.
                text.clear();
                text.room(length, OutOfMemory::Text)?;
                text.extend_from_slice(&bytes[..length]);
                self.input.check_unchanged()?;
                if is_complete && length > 0 && length == bytes.len() {
                    let last = memchr::memrchr(b'\n', text).map_or(0, |last| last + 1);
                    if self.input.incomplete_line(self.position + last as u64).is_some() {
                        text.truncate(last);
                        self.has_ended = true;
                    }
                }
                self.position += text.len() as u64;
                self.input.release(self.position);
                return Ok(!text.is_empty());
            }
            searched = bytes.len();
            if searched as u64 > self.limit {
                return Err(Error::record_limit(self.limit, self.position));
            }
            self.input.read_more(self.position)?;
        }
    }
}

/// Returns the length of the next window: up to the last line break in it, or else to the next one, or to the end. `None` if
/// more bytes are needed. The first `searched` bytes have been searched before, without success.
pub(super) fn window_length(bytes: &[u8], window: usize, searched: usize, is_complete: bool) -> Option<usize> {
    let (head, tail) = bytes.split_at(window.min(bytes.len()));
    if is_complete && tail.is_empty() {
        return Some(bytes.len());
    }
    // What has arrived is not kept waiting until a window is full.
    let from = searched.min(head.len());
    if let Some(last) = memchr::memrchr(b'\n', &head[from..]) {
        return Some(from + last + 1);
    }
    let from = searched.max(head.len());
    let next = memchr::memchr(b'\n', &bytes[from..]).map(|next| from + next + 1);
    next.or(is_complete.then_some(bytes.len()))
}

/// Returns the index in memory of an offset in the input.
#[expect(clippy::cast_possible_truncation, reason = "the offset is in memory")]
fn index(base: u64, offset: u64) -> usize {
    (offset - base) as usize
}
