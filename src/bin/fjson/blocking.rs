//! Blocking reads and writes on files that may be non-blocking.
//!
//! Another process that shares standard input or output, such as a Node program, may have set it to non-blocking. A slow reader
//! or writer would then cause an error in the middle of a document.

#![forbid(unsafe_code)]

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::event::poll;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Write;

/// A file whose reads and writes wait until data can be transferred.
pub struct Blocking<'a>(pub &'a File);

impl Read for Blocking<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.retry(PollFlags::IN, |mut file| file.read(buffer))
    }
}

impl Write for Blocking<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.retry(PollFlags::OUT, |mut file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Blocking<'_> {
    /// Repeats `call` until it no longer fails with `WouldBlock`. Waits for `ready` in between.
    fn retry(&self, ready: PollFlags, mut call: impl FnMut(&File) -> io::Result<usize>) -> io::Result<usize> {
        loop {
            match call(self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    poll(&mut [PollFd::new(self.0, ready)], None)?;
                }
                result => return result,
            }
        }
    }
}
