//! Input from a reader: a sliding window over bytes that can be read only once.
//!
//! A single buffer is reused, because touching fresh memory costs more than validating the JSON in it. It grows only if the caller
//! must retain more than half of it. Lines and columns of discarded bytes are counted first.
//!
//! ```text
//!   0        start                                  end             buffer.len()
//!   |  gone  |  in memory: base.. in the input      |  free          |
//! ```

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::error::Position;
use crate::input::lines::START;
use crate::input::lines::advance;
use crate::input::supply::READ_TOO_MUCH;
use crate::input::supply::Supply;

use std::io;
use std::io::Read;
use std::sync::atomic::AtomicU64;

/// Size of the window in bytes. Of the measured sizes from 64 KiB to 4 MiB, 256 KiB is the fastest: it stays in the L2 cache.
pub(super) const WINDOW: usize = 256 << 10;

/// Number of bytes before the caller's `keep` that stay in memory, for the excerpt in an error message.
const LOOKBEHIND: u64 = 256;

pub(super) struct Stream<'a> {
    supply: Supply<'a>,
    /// Fully initialized, so that its free part can be passed to the reader.
    buffer: Vec<u8>,
    /// Below this size the buffer grows instead of moving its content to the front.
    window: usize,
    /// Index in `buffer` of the first byte in memory.
    start: usize,
    /// Index in `buffer` just past the last byte in memory.
    end: usize,
    /// Offset of `buffer[start]` in the input.
    base: u64,
    /// Position of `buffer[start]`.
    at: Position,
    at_end: bool,
    has_failed: bool,
}

impl<'a> Stream<'a> {
    pub(super) fn new(supply: Supply<'a>, window: usize) -> Self {
        Self {
            supply,
            buffer: Vec::new(),
            window,
            start: 0,
            end: 0,
            base: 0,
            at: START,
            at_end: false,
            has_failed: false,
        }
    }

    /// Returns the same stream, whose first byte has this offset in a larger input.
    pub(super) fn starting_at(self, base: u64) -> Self {
        Self { base, ..self }
    }

    /// Returns the supply, if nothing has been read from it yet.
    pub(super) fn into_supply(self) -> Option<Supply<'a>> {
        (self.end == 0 && !self.at_end).then_some(self.supply)
    }

    pub(super) fn supply(&self) -> &Supply<'a> {
        &self.supply
    }

    /// Returns the same stream, but counts the bytes that are read.
    pub(super) fn counting(self, counter: &'a AtomicU64) -> Self {
        Self { supply: self.supply.counting(counter), ..self }
    }

    /// Returns the same stream, but decompresses compressed data. Has no effect once any bytes have been read.
    #[cfg(feature = "compression")]
    pub(super) fn expanding(self, most: u64) -> Self {
        let supply = if self.end == 0 { self.supply.expanding(most) } else { self.supply };
        Self { supply, ..self }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    pub(super) fn base(&self) -> u64 {
        self.base
    }

    pub(super) fn at(&self) -> Position {
        self.at
    }

    pub(super) fn at_end(&self) -> bool {
        self.at_end
    }

    /// Returns whether a read has failed. The error may be one of this library that the reader forwarded.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Discards the bytes before `keep` (an offset in the input), except for the look-behind, and appends the result of one read.
    pub(super) fn read_more(&mut self, keep: u64) -> Result<(), Error> {
        if self.at_end {
            return Ok(());
        }
        self.discard_before(keep.saturating_sub(LOOKBEHIND));
        self.make_room()?;
        let count = loop {
            match self.supply.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.map_err(|error| self.failure(error))?,
            }
        };
        if count > self.buffer.len() - self.end {
            return Err(self.failure(io::Error::other(READ_TOO_MUCH)));
        }
        self.end += count;
        self.at_end = count == 0;
        Ok(())
    }

    /// Returns the error for a read that failed after the bytes in memory. Errors of this library are passed on unchanged.
    fn failure(&mut self, cause: io::Error) -> Error {
        self.has_failed = true;
        let offset = self.base + self.bytes().len() as u64;
        cause.downcast().unwrap_or_else(|cause| Error::read(cause, offset))
    }

    /// Skips the first bytes in memory, which take no columns.
    pub(super) fn skip(&mut self, count: usize) {
        self.start += count;
        self.base += count as u64;
    }

    fn discard_before(&mut self, offset: u64) {
        let live = self.end - self.start;
        let count = usize::try_from(offset.saturating_sub(self.base)).map_or(live, |count| count.min(live));
        self.at = advance(self.at, &self.buffer[self.start..self.start + count]);
        self.start += count;
        self.base += count as u64;
    }

    /// Ensures that a quarter of a window is free after `end`.
    ///
    /// The content is moved to the front only if it is smaller than what was discarded since the last move. So on average each byte
    /// is moved at most once. Otherwise the buffer doubles; it stays smaller than four times the retained bytes plus two windows.
    fn make_room(&mut self) -> Result<(), Error> {
        let size = self.buffer.len();
        if size - self.end > size.min(self.window) / 4 {
            return Ok(());
        }
        if size >= self.window && self.start > self.end - self.start {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        } else {
            // Start with a sixteenth, so that a short input does not touch a whole window.
            let more = size.max(self.window.div_ceil(16));
            self.buffer.try_reserve_exact(more).map_err(|_| OutOfMemory::Text)?;
            self.buffer.resize(size + more, 0);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    /// A pseudorandom number generator (xorshift64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % limit
        }
    }

    /// A reader that delivers 1 to `most` bytes at a time, with occasional interruptions.
    struct Drip<'a> {
        text: &'a [u8],
        most: u64,
        random: Random,
    }

    impl Read for Drip<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            assert!(!room.is_empty(), "a read into no room looks like the end");
            if self.random.below(3) == 0 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let most = usize::try_from(1 + self.random.below(self.most)).expect("fits");
            (&self.text[..most.min(self.text.len())]).read(room).inspect(|&count| self.text = &self.text[count..])
        }
    }

    fn stream<'a>(reader: impl Read + 'a, window: usize) -> Stream<'a> {
        Stream::new(Supply::Reader(Box::new(reader)), window)
    }

    fn text(length: u32) -> Vec<u8> {
        (0..length).flat_map(|i| [b"ab", "é".as_bytes(), b"\n7"][(i % 31 * i % 29 % 3) as usize]).copied().collect()
    }

    fn check(stream: &Stream<'_>, text: &[u8]) {
        let base = usize::try_from(stream.base()).expect("fits");
        assert_eq!(stream.bytes(), &text[base..base + stream.bytes().len()]);
        assert_eq!(stream.at(), advance(START, &text[..base]));
    }

    #[test]
    fn required_bytes_are_kept() {
        let text = text(20_000);
        for seed in 1..=60 {
            let mut random = Random(seed << 32);
            let (window, most, hold) = (1 + random.below(3000), 1 + random.below(900), 1 + random.below(2500));
            let drip = Drip { text: &text, most, random: Random(seed) };
            let mut stream = stream(drip, usize::try_from(window).expect("fits"));
            let mut keep = 0;
            while !stream.at_end() {
                let before = stream.base() + stream.bytes().len() as u64;
                stream.read_more(keep).expect("reads");
                let after = stream.base() + stream.bytes().len() as u64;
                assert!(stream.at_end() == (before == after), "a read delivers something or is the end");
                assert!(stream.base() <= keep.saturating_sub(LOOKBEHIND), "the bytes before `keep` are there too");
                check(&stream, &text);
                keep = keep.max(after.saturating_sub(random.below(hold)));
            }
            assert_eq!(stream.base() + stream.bytes().len() as u64, text.len() as u64);
        }
    }

    #[test]
    fn the_buffer_grows_to_a_window_and_not_with_the_input() {
        let text = text(500_000);
        let mut stream = stream(&text[..], 1 << 12);
        while !stream.at_end() {
            stream.read_more(stream.base() + stream.bytes().len() as u64).expect("reads");
            check(&stream, &text);
        }
        assert_eq!(stream.buffer.len(), 1 << 12);
    }

    #[test]
    fn everything_can_be_retained() {
        let text = text(100_000);
        let mut stream = stream(&text[..], 100);
        while !stream.at_end() {
            stream.read_more(0).expect("reads");
        }
        assert_eq!(stream.bytes(), text);
        assert!(stream.buffer.len() < 4 * text.len());
    }

    #[test]
    fn keep_beyond_the_end_discards_everything_and_no_more() {
        let mut stream = stream(&b"[1]"[..], WINDOW);
        stream.read_more(0).expect("reads");
        assert_eq!(stream.bytes(), b"[1]");
        stream.read_more(u64::MAX).expect("reads");
        assert_eq!((stream.bytes(), stream.base(), stream.at_end()), (&b""[..], 3, true));
        stream.read_more(u64::MAX).expect("the end stays the end");
        assert_eq!((stream.base(), stream.at_end()), (3, true));
    }

    #[test]
    fn a_short_input_costs_a_short_buffer() {
        let mut stream = stream(&b"{}"[..], WINDOW);
        stream.read_more(0).expect("reads");
        stream.read_more(2).expect("reads");
        assert_eq!(stream.buffer.len(), WINDOW / 16);
    }

    /// A reader that calls a function for every read.
    struct FromFn<F>(F);

    impl<F: FnMut(&mut [u8]) -> io::Result<usize>> Read for FromFn<F> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            (self.0)(room)
        }
    }

    #[test]
    fn failures_of_the_reader_are_errors() {
        let mut broken = stream(FromFn(|_: &mut [u8]| Err(io::ErrorKind::BrokenPipe.into())), WINDOW);
        assert_eq!(broken.read_more(0).expect_err("fails").kind(), ErrorKind::Io);
        assert!(!broken.at_end());

        let mut lying = stream(FromFn(|room: &mut [u8]| Ok(room.len() + 1)), WINDOW);
        assert_eq!(lying.read_more(0).expect_err("fails").kind(), ErrorKind::Io);
        assert_eq!(lying.bytes(), b"");
    }
}
