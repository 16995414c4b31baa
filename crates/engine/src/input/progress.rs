//! Counts the bytes that have been read, while an input is being read.

#![forbid(unsafe_code)]

use std::io;
use std::io::Read;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

/// The progress of an input whose bytes are all in memory.
pub(super) struct Progress<'a> {
    counter: &'a AtomicU64,
    /// Number of bytes that have been added to the counter.
    counted: AtomicU64,
    /// Number of bytes of the input.
    length: u64,
}

impl<'a> Progress<'a> {
    pub(super) fn new(counter: &'a AtomicU64, length: u64) -> Self {
        Self { counter, counted: AtomicU64::new(0), length }
    }

    /// Counts the bytes before `offset` that have not been counted.
    pub(super) fn advance(&self, offset: u64) {
        let offset = offset.min(self.length);
        let counted = self.counted.fetch_max(offset, Ordering::Relaxed);
        self.counter.fetch_add(offset.saturating_sub(counted), Ordering::Relaxed);
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.advance(self.length);
    }
}

/// A reader whose bytes are counted.
pub(super) struct Counting<'a> {
    pub(super) reader: Box<dyn Read + 'a>,
    pub(super) counter: &'a AtomicU64,
}

impl Read for Counting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;

    #[test]
    fn every_byte_is_counted_once() {
        let counter = AtomicU64::new(0);
        let input = Input::from("[1,2,3]").count_into(&counter);
        for (offset, counted) in [(0, 0), (3, 3), (2, 3), (5, 5), (100, 7)] {
            input.release(offset);
            assert_eq!(counter.load(Ordering::Relaxed), counted);
        }
        drop(input);
        assert_eq!(counter.load(Ordering::Relaxed), 7);
        drop(Input::from("[]").count_into(&counter));
        assert_eq!(counter.load(Ordering::Relaxed), 9);
    }

    #[test]
    fn the_bytes_of_a_reader_are_counted_as_they_are_read() {
        let counter = AtomicU64::new(0);
        let mut input = Input::in_pieces(b"[1,2,3]", 3).count_into(&counter);
        for counted in [3, 6, 7, 7] {
            input.read_more(0).expect("reads");
            assert_eq!(counter.load(Ordering::Relaxed), counted);
        }
    }

    #[cfg(feature = "compression")]
    #[test]
    fn compressed_bytes_are_counted() {
        let gzip = *b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x8b\x36\x8c\x05\0\xb8\x32\x2f\x4c\x03\0\0\0";
        for size in [0, 1, 5, 100] {
            let counter = AtomicU64::new(0);
            let mut text = String::new();
            let input = Input::in_pieces(&gzip, size).count_into(&counter).expanded(u64::MAX);
            input.into_reader().read_to_string(&mut text).expect("expands");
            assert_eq!((&*text, counter.into_inner()), ("[1]", gzip.len() as u64));
        }
    }
}
