//! Where bytes go: a stage that holds back what is not yet proven, in front of a writer or of a comparison.
//!
//! The stage is one piece of memory used again and again. Fresh memory in proportion to the output would cost more than
//! all the checking.

#![forbid(unsafe_code)]

mod comparison;
mod escaper;
mod sorter;

use std::io::ErrorKind;
use std::io::Write;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::options::Sort;
use comparison::Comparison;
use escaper::Escaper;
use sorter::Failure;
use sorter::Order;
use sorter::Sorter;
use sorter::VALUE;

/// Bytes of room at first: two windows and what a tile may add. Only what is used of it costs memory.
const ROOM: usize = 512 * 1024 + 8192;

/// Bytes of room beyond a short input.
const MARGIN: usize = 8192;

/// Bytes that are made ready at a time: so few that what clears them leaves them in the nearest cache.
const STEP: usize = 16 * 1024;

/// Proven bytes that are worth a write. Smaller pieces, as of short records, wait for each other.
const PIECE: usize = 64 * 1024;

/// Where a stage lets go to.
enum Outlet<'w> {
    /// Behind a pointer, so that the engine is compiled once and not for each kind of writer.
    Writer(&'w mut dyn Write),
    /// The output is compared with the input.
    Comparison(Comparison),
}

impl Outlet<'_> {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Writer(writer) => *writer,
            Self::Comparison(comparison) => comparison,
        }
    }
}

/// Output that is held back until it is proven.
pub(crate) struct Stage<'w> {
    outlet: Outlet<'w>,
    sorter: Option<Box<Sorter>>,
    escaper: Option<Escaper>,
    /// Whether the stage may hold something to escape.
    concerned: bool,
    /// Where the document begins in the input.
    document: u64,
    /// Bytes in front of `proven` may go, those up to `filled` are held back, and what is behind may be anything.
    bytes: Vec<u8>,
    proven: usize,
    filled: usize,
    written: u64,
    exhausted: bool,
}

impl<'w> Stage<'w> {
    /// A stage for the output of an input of which `length` bytes are in memory; it grows when there is more. Each level of the
    /// output is indented by `unit` bytes.
    pub(crate) fn new(writer: &'w mut dyn Write, length: usize, options: &Options, unit: u32) -> Self {
        Self::in_front_of(Outlet::Writer(writer), length, options, unit)
    }

    /// A stage that writes nothing, but compares its output with the input.
    pub(crate) fn comparing(length: usize, options: &Options, unit: u32) -> Self {
        Self::in_front_of(Outlet::Comparison(Comparison::default()), length, options, unit)
    }

    fn in_front_of(outlet: Outlet<'w>, length: usize, options: &Options, unit: u32) -> Self {
        let mut bytes = Vec::new();
        // If there is no memory now, there may be some when it is needed.
        bytes.try_reserve_exact(ROOM.min(length + MARGIN)).ok();
        let order = Order { by_units: options.sort == Sort::Units, unit: u64::from(unit), limit: options.max_memory };
        Self {
            outlet,
            sorter: (options.sort != Sort::No).then(|| Box::new(Sorter::new(order))),
            escaper: Escaper::new(options.escape),
            concerned: false,
            document: 0,
            bytes,
            proven: 0,
            filled: 0,
            written: 0,
            exhausted: false,
        }
    }

    /// A document begins at `offset` of the input, behind what separates documents: nothing, or `skipped` and perhaps more.
    pub(crate) fn pass_over(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        self.document = offset;
        if let Outlet::Comparison(comparison) = &mut self.outlet {
            comparison.pass_over(offset, skipped)?;
        }
        Ok(())
    }

    /// What is staged next comes of these superblocks, given by their planes.
    #[inline(always)]
    pub(crate) fn comes_of<K: Kernel>(&mut self, kernel: K, superblocks: &[[K::Word; 8]]) {
        if let Some(escaper) = &self.escaper {
            self.concerned |= escaper.is_concerned(kernel, superblocks);
        }
    }

    /// Whether members are sorted, so that what is staged must be marked.
    #[inline(always)]
    pub(crate) fn is_sorting(&self) -> bool {
        self.sorter.is_some()
    }

    /// Marks a place of the space: a bracket of an object, a value behind a name, or another string.
    #[inline(always)]
    pub(crate) fn mark(&mut self, place: usize, is_value: bool) {
        if let Some(sorter) = &mut self.sorter {
            sorter.mark((self.filled + place) as u64 | if is_value { VALUE } else { 0 });
        }
    }

    /// A stage on memory that was used before.
    pub(crate) fn on(writer: &'w mut dyn Write, bytes: Vec<u8>) -> Self {
        Self {
            outlet: Outlet::Writer(writer),
            sorter: None,
            escaper: None,
            concerned: false,
            document: 0,
            bytes,
            proven: 0,
            filled: 0,
            written: 0,
            exhausted: false,
        }
    }

    /// Whether it writes what is staged as it stands.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.outlet, Outlet::Writer(_)) && self.sorter.is_none() && self.escaper.is_none()
    }

    /// The memory of a stage that has written nothing, and how much of it is filled. Nothing if there was not enough.
    pub(crate) fn into_memory(self) -> Option<(Vec<u8>, usize)> {
        (!self.exhausted).then_some((self.bytes, self.filled))
    }

    /// How many bytes are held back.
    #[inline(always)]
    pub(crate) fn held(&self) -> usize {
        self.filled - self.proven
    }

    /// At least `room` bytes of space behind what is staged. Nothing if there is no memory for it: then the next release
    /// fails.
    #[inline(always)]
    pub(crate) fn space(&mut self, room: usize) -> Option<&mut [u8]> {
        if self.bytes.len() - self.filled < room && !self.grow(room) {
            self.exhausted = true;
            return None;
        }
        Some(&mut self.bytes[self.filled..])
    }

    #[cold]
    fn grow(&mut self, room: usize) -> bool {
        let (length, capacity) = (self.filled.saturating_add(room), self.bytes.capacity());
        if length > capacity {
            let added = length.max(2 * capacity) - self.bytes.len();
            if self.bytes.try_reserve_exact(added).is_err() {
                return false;
            }
        }
        self.bytes.resize(self.bytes.capacity().min(length + STEP), 0);
        true
    }

    /// Stages the first `count` bytes of the space.
    #[inline(always)]
    pub(crate) fn advance(&mut self, count: usize) {
        self.filled += count;
    }

    /// Takes back the last `count` bytes that were staged.
    #[inline(always)]
    pub(crate) fn retreat(&mut self, count: usize) {
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

    /// Lets go all that is staged, and writes it if that is worth a write. `text` is the input it came of and of what went
    /// before; the output cannot go on with a gap wider than `widest`.
    pub(crate) fn release(&mut self, text: &[u8], widest: usize) -> Result<(), Error> {
        self.prove()?;
        let compares = matches!(self.outlet, Outlet::Comparison(_));
        if self.proven >= PIECE || self.is_sorting() || compares {
            self.pass_on(compares)?;
        }
        if let Outlet::Comparison(comparison) = &mut self.outlet {
            let held = self.sorter.as_ref().map_or(0, |sorter| sorter.held());
            comparison.meet(text, widest.saturating_add(held + Escaper::KEPT))?;
        }
        Ok(())
    }

    /// Says that all that is staged may go.
    pub(crate) fn prove(&mut self) -> Result<(), Error> {
        if self.exhausted {
            return Err(OutOfMemory::Output.into());
        }
        self.proven = self.filled;
        Ok(())
    }

    /// Forgets all that is held back.
    pub(crate) fn discard(&mut self) {
        self.filled = self.proven;
        if let Some(sorter) = &mut self.sorter {
            sorter.discard();
        }
    }

    /// Writes all that is proven.
    pub(crate) fn write(&mut self) -> Result<(), Error> {
        self.pass_on(true)
    }

    /// Writes all that is proven, and `bytes` behind it, which are. For a plain stage.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write()?;
        self.outlet.writer().write_all(bytes).map_err(|cause| Error::write(cause, self.written))?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Passes what is proven through all that changes it. Small pieces that are sorted wait for each other, unless `all` is to go.
    fn pass_on(&mut self, all: bool) -> Result<(), Error> {
        if self.proven == 0 && !(all && self.is_sorting()) {
            return Ok(());
        }
        let Self { outlet, sorter, escaper, concerned, .. } = self;
        let write = &mut |text: &[u8]| match escaper {
            Some(escaper) if *concerned || escaper.has_begun() => escaper.write(text, outlet.writer()),
            _ => outlet.writer().write_all(text).map(|()| text.len() as u64),
        };
        let proven = &self.bytes[..self.proven];
        let written = match sorter {
            // Behind what is proven it may have been marked.
            Some(sorter) if proven.is_empty() => sorter.flush(write),
            Some(sorter) => match sorter.take(proven, write) {
                Ok(written) if !all => Ok(written),
                taken => sorter.flush(write).and_then(|flushed| Ok(taken? + flushed)),
            },
            None => write(proven).map_err(Failure::Io),
        };
        self.written += written.map_err(|failure| match failure {
            Failure::Limit(limit) => Error::memory_limit(limit, self.document),
            Failure::Io(cause) if cause.kind() == ErrorKind::OutOfMemory => OutOfMemory::Output.into(),
            Failure::Io(cause) => Error::write(cause, self.written),
            Failure::Change => Error::input_changed(self.document),
        })?;
        self.bytes.copy_within(self.proven..self.filled, 0);
        self.filled -= self.proven;
        self.proven = 0;
        self.concerned &= self.filled > 0 || self.sorter.as_ref().is_some_and(|sorter| sorter.held() > 0);
        Ok(())
    }

    /// Writes all that is proven and has the writer pass on what it keeps itself.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        self.write()?;
        let rest = self.escaper.as_mut().map_or(Ok(()), |escaper| escaper.finish(self.outlet.writer()));
        rest.and_then(|()| self.outlet.writer().flush()).map_err(|cause| Error::write(cause, self.written))
    }

    /// What came of a comparison with an input of `length` bytes, the last document of which may have this terminator:
    /// where the output differs from it first, if it does.
    pub(crate) fn first_difference(self, length: u64, terminator: Option<u8>) -> Result<Option<u64>, Error> {
        match self.outlet {
            Outlet::Writer(_) => Ok(None),
            Outlet::Comparison(mut comparison) => {
                comparison.pass_over(length, terminator)?;
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

    /// Keeps what is written until it has no more room, and counts the calls.
    #[derive(Default)]
    struct Writer {
        bytes: Vec<u8>,
        room: usize,
        writes: usize,
        flushes: usize,
    }

    impl Writer {
        fn new(room: usize) -> Self {
            Self { room, ..Self::default() }
        }
    }

    impl Write for Writer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.writes += 1;
            let count = bytes.len().min(self.room - self.bytes.len());
            self.bytes.extend_from_slice(&bytes[..count]);
            if count == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(count) }
        }

        fn flush(&mut self) -> io::Result<()> {
            self.flushes += 1;
            if self.room == 0 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
        }
    }

    fn plain(writer: &mut Writer, length: usize) -> Stage<'_> {
        Stage::new(writer, length, &Options::new(), 0)
    }

    #[test]
    fn what_is_not_proven_is_held_back() -> Result<(), Error> {
        let mut writer = Writer::new(100);
        let mut stage = plain(&mut writer, 0);
        stage.push(b"proven ");
        assert_eq!(stage.held(), 7);
        stage.prove()?;
        stage.push(b"wrong ");
        assert_eq!(stage.held(), 6);
        stage.discard();
        assert_eq!(stage.held(), 0);
        stage.push(b"too ");
        stage.release(b"", 0)?;
        stage.push(b"not proven");
        stage.write()?;
        assert_eq!(stage.held(), 10);
        stage.finish()?;
        assert_eq!((writer.bytes, writer.flushes), (b"proven too ".to_vec(), 1));
        Ok(())
    }

    #[test]
    fn small_pieces_wait_for_each_other() -> Result<(), Error> {
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
    fn memory_is_used_again_and_passed_on_in_order() -> Result<(), Error> {
        let mut nowhere = Writer::new(0);
        let mut part = Stage::on(&mut nowhere, vec![b'?'; 10]);
        part.push(b"second ");
        let (memory, filled) = part.into_memory().expect("there was enough");
        assert_eq!((memory.len(), filled), (10, 7));
        let mut writer = Writer::new(100);
        let mut stage = plain(&mut writer, 0);
        stage.push(b"first ");
        stage.release(&[], 0)?;
        stage.pass(&memory[..filled])?;
        stage.push(b"third");
        stage.release(&[], 0)?;
        stage.finish()?;
        assert_eq!(writer.bytes, b"first second third");

        let mut part = Stage::on(&mut nowhere, memory);
        assert!(part.space(usize::MAX / 2 + 1).is_none() && part.into_memory().is_none());
        Ok(())
    }

    #[test]
    fn the_stage_grows_and_keeps_what_it_has() -> Result<(), Error> {
        let mut writer = Writer::new(usize::MAX);
        let mut stage = plain(&mut writer, 1);
        stage.push(b"first");
        let space = stage.space(100 * MARGIN).expect("there is so much memory");
        assert!(space.len() >= 100 * MARGIN);
        space[..6].copy_from_slice(b"second");
        stage.advance(6);
        stage.release(b"", 0)?;
        stage.finish()?;
        assert_eq!(writer.bytes, b"firstsecond");
        Ok(())
    }

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        let mut writer = Writer::new(100);
        let mut stage = plain(&mut writer, 0);
        stage.push(b"proven");
        assert!(stage.prove().is_ok());
        assert!(stage.space(usize::MAX / 2 + 1).is_none());
        let error = stage.release(b"", 0).expect_err("nothing more can be proven");
        let message = "out of memory: the output that is held back";
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::OutOfMemory, message));
        // What was proven before is still written.
        assert!(stage.finish().is_ok());
        assert_eq!(writer.bytes, b"proven");
    }

    #[test]
    fn errors_of_the_writer_tell_how_far_it_came() {
        let mut writer = Writer::new(10);
        let mut stage = plain(&mut writer, 0);
        stage.push(b"12345678");
        assert!(stage.release(b"", 0).is_ok() && stage.write().is_ok());
        stage.push(b"90123");
        let error = stage.release(b"", 0).and_then(|()| stage.write()).expect_err("there is no room");
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Io, 8));
        assert_eq!(writer.bytes, b"1234567890");

        let mut broken = Writer::new(0);
        let error = plain(&mut broken, 0).finish().expect_err("nobody reads");
        assert_eq!((error.to_string(), error.offset()), ("cannot write the output: broken pipe".into(), 0));
    }
}
