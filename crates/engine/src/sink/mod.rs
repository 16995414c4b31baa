//! Staged output: a buffer that holds back text until it is validated, before a writer or a comparison with the input.
//!
//! The buffer is reused. Touching fresh memory for all of the output would cost more time than validation.

#![forbid(unsafe_code)]

mod comparison;
mod ending;
mod escaper;
mod fitter;
mod memory;
mod sorter;
mod unescaper;

use std::cell::RefCell;
use std::io::ErrorKind;
use std::io::Write;
use std::rc::Rc;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::KeptComments;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::options::Sort;
use crate::options::Summary;
use comparison::Comparison;
use ending::Ending;
use ending::Escaping;
use ending::Target;
use escaper::Escaper;
pub(crate) use fitter::Fit;
pub(crate) use memory::Division;
pub(crate) use memory::Output;
use sorter::Failure;
use sorter::Order;
use sorter::Sorter;
use sorter::VALUE;
use unescaper::Unescaper;

/// Initial capacity in bytes: two windows and the growth of a tile. Unused parts of it take no physical memory.
const CAPACITY: usize = 512 * 1024 + 8192;

/// Capacity in bytes beyond the length of a short input.
const MARGIN: usize = 8192;

/// Number of bytes to initialize at a time: few enough to stay in the L1 cache until they are used.
const STEP: usize = 16 * 1024;

/// Number of released bytes that are worth a write. Smaller pieces, such as short records, are collected.
const PIECE: usize = 64 * 1024;

/// Greatest number of bytes that are kept after the sorter until more output follows.
const KEPT: usize = Unescaper::KEPT + Escaper::KEPT + Ending::KEPT;

/// Output that is held back until it is released.
pub(crate) struct Stage<'w> {
    ending: Ending<'w>,
    sorter: Option<Box<Sorter>>,
    unescaper: Option<Unescaper>,
    escaper: Option<Escaper>,
    /// Whether the stage may contain characters to escape.
    may_escape: bool,
    /// Offset of the document in the input.
    document: u64,
    /// The output buffer. Bytes from `filled` on are unspecified.
    bytes: Vec<u8>,
    /// End of the released bytes.
    released: usize,
    /// End of the staged bytes.
    filled: usize,
    /// Whether there was not enough memory to grow.
    exhausted: bool,
}

impl<'w> Stage<'w> {
    /// Creates a stage for the output of an input with `length` bytes in memory. It grows as needed. Each level of the output is
    /// indented by `unit` bytes.
    pub(crate) fn new(writer: &'w mut dyn Write, length: usize, options: &Options, unit: u32) -> Self {
        Self::with_target(Target::Writer(writer), length, options, unit)
    }

    /// Creates a stage that compares its output with the input, which begins at `start`, instead of writing it.
    pub(crate) fn comparing(start: u64, length: usize, options: &Options, unit: u32) -> Self {
        Self::with_target(Target::Comparison(Comparison::from(start)), length, options, unit)
    }

    fn with_target(target: Target<'w>, length: usize, options: &Options, unit: u32) -> Self {
        let mut bytes = Vec::new();
        // A failure is ignored, because there may be enough memory when it is needed.
        bytes.try_reserve_exact(CAPACITY.min(length + MARGIN)).ok();
        Self::with_memory(target, bytes, None, options, unit)
    }

    fn with_memory(
        target: Target<'w>,
        bytes: Vec<u8>,
        sorter: Option<Box<Sorter>>,
        options: &Options,
        unit: u32,
    ) -> Self {
        let order = Order { sort: options.sort, unit: u64::from(unit), limit: options.max_memory };
        let new_sorter = || Box::new(Sorter::new(order, options.canonical));
        let sorter = sorter.or_else(|| (options.sort != Sort::No).then(new_sorter));
        Self {
            ending: Ending::new(target),
            sorter,
            unescaper: options.unescape.then(|| Unescaper::new(options.escape, options.canonical)),
            escaper: Escaper::new(options.escape),
            may_escape: false,
            document: 0,
            bytes,
            released: 0,
            filled: 0,
            exhausted: false,
        }
    }

    /// Holds back the line break after the first document until another document follows. [`end`](Self::end) must be called.
    pub(crate) fn hold_first_break(self, holds: bool) -> Self {
        Self { ending: self.ending.hold_first_break(holds), ..self }
    }

    /// Writes containers that fit on one line.
    pub(crate) fn fitting(self, fit: Option<Fit>, options: &Options) -> Self {
        Self { ending: self.ending.fitting(fit, options.isa), ..self }
    }

    /// Keeps the lines that comments need, which will be inserted into the output.
    pub(crate) fn keep_lines_of(&mut self, comments: Rc<RefCell<KeptComments>>) {
        self.ending.keep_lines_of(comments);
    }

    /// Leaves it to another stage to write containers on one line, because this one has only a part of the output.
    pub(crate) fn stop_fitting(&mut self) {
        self.ending.stop_fitting();
    }

    /// Ends the output of all documents, after a scan with this result. If the first is the only one, the line break that was held
    /// back is not written.
    pub(crate) fn end(&mut self, scan: &Result<Summary, Error>) -> Result<(), Error> {
        if scan.as_ref().is_ok_and(|summary| summary.documents == 1) {
            return Ok(());
        }
        self.write()?;
        self.ending.write_held_break().map_err(|cause| Error::write(cause, self.ending.written()))
    }

    /// Begins a document at `offset` of the input. `skipped` is the first byte of the separator before it, if any. The rest of the
    /// separator is never output.
    pub(crate) fn skip_to(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        self.document = offset;
        if let Target::Comparison(comparison) = &mut self.ending.target {
            comparison.skip_to(offset, skipped)?;
        }
        Ok(())
    }

    /// Records the bit planes of the superblocks from which the output staged next is made.
    #[inline(always)]
    pub(crate) fn set_source<K: Kernel>(&mut self, kernel: K, superblocks: &[[K::Word; 8]]) {
        if let Some(escaper) = &self.escaper {
            self.may_escape |= escaper.may_escape(kernel, superblocks);
        }
    }

    /// Returns whether members are sorted. If so, staged output must be marked with [`mark`](Self::mark).
    #[inline(always)]
    pub(crate) fn is_sorting(&self) -> bool {
        self.sorter.is_some()
    }

    /// Marks an index of the free space: a bracket of an object, a value after a key, or any other string.
    #[inline(always)]
    pub(crate) fn mark(&mut self, place: usize, is_value: bool) {
        if let Some(sorter) = &mut self.sorter {
            sorter.mark((self.filled + place) as u64 | if is_value { VALUE } else { 0 });
        }
    }

    /// Marks an index of the free space at which a number begins, if members are sorted and numbers are written in their canonical form.
    #[inline(always)]
    pub(crate) fn mark_number(&mut self, place: usize) {
        if let Some(sorter) = &mut self.sorter {
            sorter.mark_number((self.filled + place) as u64);
        }
    }

    /// Whether the output of records is the concatenated output of batches of them. A comparison needs to know where each record
    /// begins, and so does the error about one that takes too much memory to sort, unless no short record can.
    pub(crate) fn divides_records(&self, options: &Options) -> bool {
        let can_sort = options.window as u64 <= options.max_memory / Sorter::MAX_COST_PER_BYTE;
        matches!(self.ending.target, Target::Writer(_)) && (can_sort || !self.is_sorting())
    }

    /// Returns the number of bytes that are held back.
    #[inline(always)]
    pub(crate) fn held(&self) -> usize {
        self.filled - self.released
    }

    /// Returns at least `count` bytes of free space after the staged output. Returns `None` if there is not enough memory; the next
    /// release then fails.
    #[inline(always)]
    pub(crate) fn space(&mut self, count: usize) -> Option<&mut [u8]> {
        if self.bytes.len() - self.filled < count && !self.grow(count) {
            self.exhausted = true;
            return None;
        }
        Some(&mut self.bytes[self.filled..])
    }

    #[cold]
    fn grow(&mut self, count: usize) -> bool {
        let (length, capacity) = (self.filled.saturating_add(count), self.bytes.capacity());
        if length > capacity {
            let added = length.max(2 * capacity) - self.bytes.len();
            if self.bytes.try_reserve_exact(added).is_err() {
                return false;
            }
        }
        self.bytes.resize(self.bytes.capacity().min(length + STEP), 0);
        true
    }

    /// Stages the first `count` bytes of the free space.
    #[inline(always)]
    pub(crate) fn advance(&mut self, count: usize) {
        self.filled += count;
    }

    /// Removes the last `count` staged bytes.
    #[inline(always)]
    pub(crate) fn unstage(&mut self, count: usize) {
        if !self.exhausted {
            self.filled -= count;
        }
    }

    /// Stages `bytes`.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if let Some(space) = self.space(bytes.len()) {
            space[..bytes.len()].copy_from_slice(bytes);
            self.advance(bytes.len());
        }
    }

    /// Releases all staged output and writes it if it is enough for a write. `text` is the input since the last call; all output
    /// made of it has been staged. The output continues with at most `widest` bytes of whitespace.
    pub(crate) fn release(&mut self, text: &[u8], widest: usize) -> Result<(), Error> {
        self.mark_released()?;
        let compares = matches!(self.ending.target, Target::Comparison(_));
        // In memory, output that is not sorted is changed at once when it is complete, if at all.
        let is_piece = self.released >= PIECE && !matches!(self.ending.target, Target::Memory(_));
        if is_piece || self.is_sorting() || compares {
            self.write_released(compares)?;
        }
        let held = self.sorter.as_ref().map_or(0, |sorter| sorter.held()) + KEPT;
        let widest = widest.saturating_add(self.ending.held());
        if let Target::Comparison(comparison) = &mut self.ending.target {
            comparison.compare(text, widest.saturating_add(held))?;
        }
        Ok(())
    }

    /// Releases all staged output without writing it.
    fn mark_released(&mut self) -> Result<(), Error> {
        if self.exhausted {
            return Err(OutOfMemory::Output.into());
        }
        self.released = self.filled;
        Ok(())
    }

    /// Discards all output that is not released.
    pub(crate) fn discard(&mut self) {
        self.filled = self.released;
        if let Some(sorter) = &mut self.sorter {
            sorter.discard();
        }
    }

    /// Writes all released output.
    pub(crate) fn write(&mut self) -> Result<(), Error> {
        self.write_released(true)
    }

    /// Writes all released output and then that of another stage, which is valid.
    pub(crate) fn write_through(&mut self, output: &Output) -> Result<(), Error> {
        self.write()?;
        let written = if output.is_fitted {
            self.ending.write_fitted(output.text())
        } else {
            self.ending.write_all(output.text())
        };
        written.map_err(|cause| Error::write(cause, self.ending.written()))
    }

    /// Sorts, escapes and writes the released output. Unless `all` is set, the sorter may retain small pieces.
    fn write_released(&mut self, all: bool) -> Result<(), Error> {
        if self.released == 0 && !(all && self.is_sorting()) {
            return Ok(());
        }
        let Self { ending, sorter, unescaper, escaper, may_escape, .. } = self;
        // mutant: let escaper = escaper.as_mut().filter(|_| *may_escape);
        let escaper = escaper.as_mut().filter(|escaper| *may_escape || escaper.has_begun());
        let mut escaping = Escaping { escaper, ending };
        let write = &mut |text: &[u8]| {
            let before = escaping.ending.written();
            match unescaper {
                Some(unescaper) => unescaper.write(text, &mut escaping)?,
                None => escaping.write_all(text)?,
            }
            Ok(escaping.ending.written() - before)
        };
        let released = &self.bytes[..self.released];
        let written = match sorter {
            // The sorter cannot take empty text, because its marks may belong to output that is not released yet.
            Some(sorter) if released.is_empty() => sorter.flush(write),
            Some(sorter) => match sorter.take(released, write) {
                Ok(written) if !all => Ok(written),
                taken => sorter.flush(write).and_then(|flushed| Ok(taken? + flushed)),
            },
            None => write(released).map_err(Failure::Io),
        };
        written.map_err(|failure| match failure {
            Failure::Limit(limit) => Error::memory_limit(limit, self.document),
            Failure::Io(cause) if cause.kind() == ErrorKind::OutOfMemory => OutOfMemory::Output.into(),
            Failure::Io(cause) => Error::write(cause, self.ending.written()),
            Failure::Change => Error::input_changed(self.document),
        })?;
        self.bytes.copy_within(self.released..self.filled, 0);
        self.filled -= self.released;
        self.released = 0;
        // mutant: self.may_escape &= self.sorter.as_ref().is_some_and(|sorter| sorter.held() > 0);
        self.may_escape &= self.filled > 0 || self.sorter.as_ref().is_some_and(|sorter| sorter.held() > 0);
        Ok(())
    }

    /// Writes all released output and flushes the writer.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        self.write()?;
        let Self { ending, unescaper, escaper, .. } = self;
        let mut escaping = Escaping { escaper: escaper.as_mut(), ending };
        let rest = unescaper.as_mut().map_or(Ok(()), |unescaper| unescaper.finish(&mut escaping));
        let rest = rest.and_then(|()| escaping.finish()).and_then(|()| self.ending.finish());
        rest.map_err(|cause| Error::write(cause, self.ending.written()))
    }

    /// Whether output must be written to take its final form.
    fn is_changing(&self) -> bool {
        self.is_sorting() || self.may_escape || self.unescaper.is_some() || self.ending.is_fitting()
    }

    /// Ends a comparison with an input that ends at `end`, in which `terminator` may follow the last document. Returns the offset of
    /// the first difference between output and input, if there is one.
    pub(crate) fn first_difference(self, end: u64, terminator: Option<u8>) -> Result<Option<u64>, Error> {
        match self.ending.target {
            Target::Writer(_) | Target::Memory(_) => Ok(None),
            Target::Comparison(mut comparison) => {
                comparison.skip_to(end, terminator)?;
                Ok(comparison.first_difference())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MARGIN;
    use super::PIECE;
    use super::Stage;
    use crate::error::Error;
    use crate::error::ErrorKind;
    use crate::options::Options;

    use std::io;
    use std::io::Write;

    /// A writer that keeps up to `capacity` bytes and counts the calls.
    #[derive(Default)]
    struct Writer {
        bytes: Vec<u8>,
        capacity: usize,
        writes: usize,
        flushes: usize,
    }

    impl Writer {
        fn new(capacity: usize) -> Self {
            Self { capacity, ..Self::default() }
        }
    }

    impl Write for Writer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.writes += 1;
            let count = bytes.len().min(self.capacity - self.bytes.len());
            self.bytes.extend_from_slice(&bytes[..count]);
            if count == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(count) }
        }

        fn flush(&mut self) -> io::Result<()> {
            self.flushes += 1;
            if self.capacity == 0 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
        }
    }

    fn plain(writer: &mut Writer, length: usize) -> Stage<'_> {
        Stage::new(writer, length, &Options::new(), 0)
    }

    #[test]
    fn unreleased_output_is_held_back() -> Result<(), Error> {
        let mut writer = Writer::new(100);
        let mut stage = plain(&mut writer, 0);
        stage.push(b"valid ");
        assert_eq!(stage.held(), 6);
        stage.release(b"", 0)?;
        stage.push(b"wrong ");
        assert_eq!(stage.held(), 6);
        stage.discard();
        assert_eq!(stage.held(), 0);
        stage.push(b"too ");
        stage.release(b"", 0)?;
        stage.push(b"unreleased");
        stage.write()?;
        assert_eq!(stage.held(), 10);
        stage.finish()?;
        assert_eq!((writer.bytes, writer.flushes), (b"valid too ".to_vec(), 1));
        Ok(())
    }

    #[test]
    fn small_pieces_are_collected() -> Result<(), Error> {
        let mut writer = Writer::new(usize::MAX);
        let mut stage = plain(&mut writer, 0);
        for _ in 0..PIECE / 16 * 5 / 2 {
            stage.push(b"fifteen and one.");
            stage.release(b"", 0)?;
        }
        stage.finish()?;
        assert_eq!((writer.bytes.len(), writer.writes), (PIECE * 5 / 2, 3));
        Ok(())
    }

    #[test]
    fn the_stage_keeps_its_content_when_it_grows() -> Result<(), Error> {
        let mut writer = Writer::new(usize::MAX);
        let mut stage = plain(&mut writer, 1);
        stage.push(b"first");
        let space = stage.space(100 * MARGIN).expect("there is enough memory");
        assert!(space.len() >= 100 * MARGIN);
        space[..6].copy_from_slice(b"second");
        stage.advance(6);
        stage.release(b"", 0)?;
        stage.finish()?;
        assert_eq!(writer.bytes, b"firstsecond");
        Ok(())
    }

    #[test]
    fn a_failed_allocation_is_an_error() {
        let mut writer = Writer::new(100);
        let mut stage = plain(&mut writer, 0);
        stage.push(b"released");
        assert!(stage.release(b"", 0).is_ok());
        assert!(stage.space(usize::MAX / 2 + 1).is_none());
        let error = stage.release(b"", 0).expect_err("nothing more can be released");
        let message = "out of memory: the output that is held back";
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::OutOfMemory, message));
        // Output that was released before is still written.
        assert!(stage.finish().is_ok());
        assert_eq!(writer.bytes, b"released");
    }

    #[test]
    fn write_errors_have_the_number_of_written_bytes() {
        let mut writer = Writer::new(10);
        let mut stage = plain(&mut writer, 0);
        stage.push(b"12345678");
        assert!(stage.release(b"", 0).is_ok() && stage.write().is_ok());
        stage.push(b"90123");
        let error = stage.release(b"", 0).and_then(|()| stage.write()).expect_err("the writer is full");
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Io, 8));
        assert_eq!(writer.bytes, b"1234567890");

        let mut broken = Writer::new(0);
        let error = plain(&mut broken, 0).finish().expect_err("the pipe is broken");
        assert_eq!((error.to_string(), error.offset()), ("cannot write the output: broken pipe".into(), 0));
    }
}
