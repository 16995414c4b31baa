//! Larger pipe buffers.
//!
//! The buffer of a pipe is 64 KiB by default, so reader and writer wait for each other often. The total size of all pipe buffers
//! of a user is limited, so only pipes that transfer much data get a larger buffer.

#![forbid(unsafe_code)]

use crate::blocking::Blocking;
use crate::platform;
use std::fs::File;
use std::io;
use std::io::Read;

/// Number of transferred bytes after which a pipe gets a larger buffer.
const THRESHOLD: u64 = 128 << 10;

/// The limit for unprivileged users.
const CAPACITY: usize = 1 << 20;

/// Enlarges the buffer of `file` if it is a pipe and `more` bytes, in addition to the `before` bytes transferred earlier, reach the
/// threshold.
pub fn widen(file: &File, before: u64, more: usize) {
    if before < THRESHOLD && before + more as u64 >= THRESHOLD {
        platform::enlarge_pipe(file, CAPACITY);
    }
}

/// A reader that enlarges the buffer if the file is a pipe.
pub struct Widening<'a> {
    file: &'a File,
    read: u64,
}

impl<'a> Widening<'a> {
    pub fn new(file: &'a File) -> Self {
        Self { file, read: 0 }
    }
}

impl Read for Widening<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = Blocking(self.file).read(buffer)?;
        widen(self.file, self.read, count);
        self.read += count as u64;
        Ok(count)
    }
}
