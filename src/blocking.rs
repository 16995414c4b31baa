//! Files whose reads and writes wait until data can be transferred.

#![forbid(unsafe_code)]

use crate::platform;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Write;

/// A file whose reads and writes wait, even if another process has set it to non-blocking. A slow reader or writer would otherwise
/// cause an error in the middle of a document.
pub struct Blocking<'a>(pub &'a File);

impl Read for Blocking<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        platform::read(self.0, buffer)
    }
}

impl Write for Blocking<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        platform::write(self.0, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard error, whose writes wait in the same way.
pub struct BlockingStderr;

impl Write for BlockingStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        platform::write_to_stderr(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
