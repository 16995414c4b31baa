//! Pipes that hold more.
//!
//! A pipe holds 64 KiB at first, and whoever writes to it and whoever reads from it wait for each other that often. What all
//! pipes of a user may hold together is limited, so only one through which much goes is made larger.

#![forbid(unsafe_code)]

use crate::blocking::Blocking;
#[cfg(target_os = "linux")]
use rustix::pipe::fcntl_getpipe_size;
#[cfg(target_os = "linux")]
use rustix::pipe::fcntl_setpipe_size;
use std::fs::File;
use std::io;
use std::io::Read;

/// Bytes that are worth a larger pipe.
const LONG: u64 = 128 << 10;

/// So many more bytes go through `file` than went before; if that makes it worth it, and it is a pipe, it holds 1 MiB from
/// now on. That is the most that every user may ask for; where the system refuses, it stays as it is.
#[cfg(target_os = "linux")]
pub fn widen(file: &File, before: u64, more: usize) {
    const ROOM: usize = 1 << 20;
    let is_due = before < LONG && before + more as u64 >= LONG;
    if is_due && fcntl_getpipe_size(file).is_ok_and(|room| room < ROOM) {
        fcntl_setpipe_size(file, ROOM).ok();
    }
}

#[cfg(not(target_os = "linux"))]
pub fn widen(_: &File, _: u64, _: usize) {}

/// A reader of what may be a pipe.
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
