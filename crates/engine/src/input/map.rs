//! Input from a memory-mapped file. The whole file is accessible at once, but only the part being read takes memory.
//!
//! If the file is in the page cache in large folios, a mapping is up to 50 % faster than reading, because nothing is copied.
//! The drawback is that another process can change or truncate the file while it is read. Therefore creating a mapping is
//! `unsafe`, `guard` turns an access beyond a truncated end into a flag, and the file's metadata is compared before and after.

#![expect(unsafe_code, reason = "a mapped file can change while it is borrowed, which only the caller can rule out")]

use crate::error::Error;
use crate::input::Input;
use crate::input::Source;
use crate::input::guard::Guarded;
use crate::input::guard::change_time;

use foldhash::quality::FixedState;
use memmap2::MmapOptions;

use std::cell::Cell;
use std::fs::File;
use std::hash::BuildHasher;
use std::hash::Hasher;
use std::io;
use std::ops::Range;
use std::time::SystemTime;

/// Pages are released in steps of 2 MiB, the size of a huge page. Smaller steps split huge pages, which almost halves the measured
/// speed.
const STEP: usize = 2 << 20;

pub(super) struct Mapped {
    guarded: Guarded,
    /// The part of the file that is read.
    part: Range<usize>,
    /// A second handle of the same open file.
    file: File,
    /// Metadata of the file when it was mapped.
    identity: Identity,
    /// Its beginning and end then.
    sample: u64,
    /// End of the released pages, in the file; a multiple of `STEP`.
    released: Cell<usize>,
}

/// Number of bytes at the beginning and at the end of a file that must be the same if it only grew.
const SAMPLE: usize = 1024;

/// Metadata that changes if a process writes to the file.
///
/// Detection is not guaranteed: timestamps have the resolution of the system's clock tick, and writes through another mapping
/// update them only later.
#[derive(PartialEq)]
struct Identity {
    length: u64,
    modified: Option<SystemTime>,
    changed: (i64, i64),
}

impl Identity {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "only a regular file can be mapped"));
        }
        Ok(Self { length: metadata.len(), modified: metadata.modified().ok(), changed: change_time(&metadata) })
    }
}

impl Input<'static> {
    /// Maps a regular file into memory instead of reading it.
    ///
    /// The input is the whole content of the file, regardless of the file's cursor. Pages are released as reading advances, so a
    /// large file needs little memory. A file whose metadata says that it is empty yields an empty input. Files under `/proc`
    /// report a length of 0 although they have content; use [`from_reader`](Input::from_reader) for them.
    ///
    /// On Unix the first call installs a handler for SIGBUS. If the file is truncated while it is read, the process survives and
    /// the result is an error of the kind [`ErrorKind::InputChanged`](crate::ErrorKind::InputChanged). The result is the same if
    /// the file's length or timestamps have changed after reading. Any other SIGBUS is passed to the previous handler. A program
    /// that later installs its own handler loses this protection.
    ///
    /// A file that only grew, such as a log, is no error: the input is the file up to the length that it had when it was mapped. With
    /// [`Framing::Lines`](crate::Framing::Lines), it then ends with the last line that was complete. A file has only grown if it is
    /// longer than before and if the first and the last KiB of the input are the same.
    ///
    /// # Errors
    ///
    /// If `file` is not a regular file, does not fit in the address space, or cannot be mapped.
    ///
    /// # Safety
    ///
    /// * As long as the input exists, neither this process nor any other may write to the file or truncate it: the bytes are
    ///   borrowed as `&[u8]`, and Rust forbids that they change during the borrow.
    ///
    /// No program can rule that out for a file that other processes may write to. This library limits the consequences: it does
    /// not trust bounds from one pass over the bytes in the next, never treats bytes as UTF-8 without checking them, and reports
    /// a detected change as an error. The remaining risk is that the compiler assumes that the bytes do not change. Callers that
    /// cannot accept this can read the file with [`from_reader`](Input::from_reader).
    pub unsafe fn map(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let identity = Identity::of(&file)?;
        let length = usize::try_from(identity.length).map_err(|_| io::ErrorKind::FileTooLarge)?;
        // SAFETY: the caller guarantees that the file does not change.
        let map = unsafe { MmapOptions::new().len(length).map(&file) }?;
        let guarded = Guarded::new(map);
        let sample = sample(guarded.bytes());
        let mapped = Mapped { guarded, part: 0..length, file, identity, sample, released: Cell::new(0) };
        Ok(Self::of(Source::Mapped(mapped)))
    }
}

#[cfg(all(unix, any(test, fuzzing)))]
impl Input<'static> {
    /// Maps a file that the test itself may change.
    pub(crate) fn map_for_test(file: &File) -> Self {
        // SAFETY: the file has no name, so no other process writes to it. The test writes only between two reads of the bytes.
        unsafe { Self::map(file) }.expect("maps")
    }
}

impl Mapped {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.guarded.bytes()[self.part.clone()]
    }

    /// Returns the same mapping, of which only this part of its bytes is read.
    pub(super) fn part(self, part: Range<usize>) -> Self {
        let part = self.part.start + part.start..self.part.start + part.end;
        // Pages before the part are never read, so they need not be released.
        Self { released: Cell::new(part.start / STEP * STEP), part, ..self }
    }

    /// Returns the index in the file of an index in the bytes, or of their end.
    fn in_file(&self, index: u64) -> usize {
        usize::try_from(index).map_or(self.part.end, |index| self.part.end.min(self.part.start.saturating_add(index)))
    }

    /// Releases the pages before `offset`. Reading them again loads them from the file.
    pub(super) fn release(&self, offset: u64) {
        let end = self.in_file(offset) / STEP * STEP;
        if end > self.released.get() {
            self.guarded.release(self.released.get()..end);
            self.released.set(end);
        }
    }

    /// Releases the pages around this range, even if they were released before.
    pub(super) fn release_again(&self, range: Range<u64>) {
        let [start, end] = [range.start, range.end].map(|offset| self.in_file(offset));
        self.guarded.release(start / STEP * STEP..end.next_multiple_of(STEP).min(self.guarded.bytes().len()));
    }

    /// Returns an error if the file has changed since it was mapped. Everything read from it is then unreliable.
    pub(super) fn check_unchanged(&self) -> Result<(), Error> {
        let length = self.identity.length;
        let identity = Identity::of(&self.file).map_err(|error| Error::read(error, length))?;
        let is_unchanged =
            identity == self.identity || identity.length > length && sample(self.guarded.bytes()) == self.sample;
        if self.guarded.has_faulted() || !is_unchanged {
            return Err(Error::input_changed(length));
        }
        Ok(())
    }

    /// Returns the index of the line around `index` if the file got the rest of it after it was mapped.
    pub(super) fn incomplete_line(&self, index: u64) -> Option<u64> {
        let (bytes, index) = (self.guarded.bytes(), self.in_file(index));
        if self.part.end < bytes.len()
            || bytes.last().is_none_or(|&byte| byte == b'\n')
            || memchr::memchr(b'\n', &bytes[index..]).is_some()
            || Identity::of(&self.file).is_ok_and(|now| now.length <= self.identity.length)
        {
            return None;
        }
        let before = &bytes[self.part.start..index];
        Some(memchr::memrchr(b'\n', before).map_or(0, |last| last as u64 + 1))
    }
}

/// Returns a hash of the beginning and the end of a file. A file that is written again differs in one of them, unless its text is
/// periodic: what is inserted or removed moves everything after it.
fn sample(bytes: &[u8]) -> u64 {
    let (first, last) = (&bytes[..bytes.len().min(SAMPLE)], &bytes[bytes.len().saturating_sub(SAMPLE)..]);
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(first);
    hasher.write(last);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::input::tests::file;

    use std::env;
    #[cfg(unix)]
    use std::fs::Permissions;
    use std::io::Read;
    #[cfg(unix)]
    use std::os::unix::fs::FileExt;
    #[cfg(unix)]
    use std::os::unix::fs::PermissionsExt;
    #[cfg(unix)]
    use std::thread;
    #[cfg(unix)]
    use std::time::Duration;

    fn map(file: &File) -> Input<'static> {
        // SAFETY: the file has no name, so no other process writes to it. Some tests write to it on purpose.
        unsafe { Input::map(file) }.expect("maps")
    }

    fn changed(input: &Input<'_>) -> bool {
        input.check_unchanged().is_err_and(|error| error.kind() == ErrorKind::InputChanged)
    }

    fn content(length: usize) -> Vec<u8> {
        (0..length).map(|i| [0, 7, b'x', 255][i % 4095 % 4]).collect()
    }

    #[test]
    fn a_mapping_is_entirely_in_memory() {
        for length in [0, 1, 4095, 4096, 4097, 100_000] {
            let content = content(length);
            let mut input = map(&file(&content));
            assert_eq!((input.bytes(), input.base(), input.at_end()), (&content[..], 0, true), "{length} bytes");
            input.read_more(u64::MAX).expect("there is nothing to read");
            assert_eq!(input.bytes(), content);
            input.check_unchanged().expect("no write");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn released_pages_leave_memory_and_can_be_read_again() {
        let content = content(5 * STEP / 2);
        let input = map(&file(&content));
        assert_eq!(input.bytes(), content);
        let all = resident(&input);
        input.release(STEP as u64 - 1);
        assert_eq!(resident(&input), all, "only whole steps");
        input.release(u64::MAX);
        assert!(resident(&input) <= all - 2 * STEP, "{} of {all} bytes left", resident(&input));
        input.release(0);
        assert_eq!(input.bytes(), content);
        input.check_unchanged().expect("no write");
    }

    /// Returns how many bytes of the mapping are in this process's memory, according to Linux.
    #[cfg(target_os = "linux")]
    fn resident(input: &Input<'_>) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("reads");
        let entry = format!("{:08x}-", input.bytes().as_ptr().addr());
        let mut lines = maps.lines().skip_while(|line| !line.starts_with(&entry));
        let kilobytes = lines.find_map(|line| line.strip_prefix("Rss:")).expect("the map has an entry");
        kilobytes.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") << 10
    }

    #[test]
    fn a_file_that_was_written_to_is_noticed() {
        let touched = file(b"[1]");
        let input = map(&touched);
        input.check_unchanged().expect("no write");
        touched.set_modified(SystemTime::UNIX_EPOCH).expect("sets the time");
        assert!(changed(&input));

        #[cfg(unix)]
        {
            let protected = file(b"[1]");
            // Two changes within one tick of the clock have the same time.
            thread::sleep(Duration::from_millis(20));
            let input = map(&protected);
            thread::sleep(Duration::from_millis(20));
            protected.set_permissions(Permissions::from_mode(0o400)).expect("sets the mode");
            assert!(changed(&input), "changed attributes count, too");
        }

        let cut = file(&content(100_000));
        let input = map(&cut);
        cut.set_len(0).expect("shrinks");
        assert!(input.bytes().iter().all(|&byte| byte == 0), "reading does not kill");
        assert!(changed(&input));

        // It grew, but not only.
        for place in [0, 99_999] {
            let rewritten = file(&content(100_000));
            let input = map(&rewritten);
            rewritten.write_all_at(b"!", place).expect("writes");
            rewritten.set_len(100_001).expect("grows");
            assert!(changed(&input), "{place}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_only_grew_is_read_up_to_its_length_at_first() {
        for length in [0, 1, 3, 1000, 5000, 100_000] {
            let content = content(length);
            let longer = file(&content);
            let input = map(&longer);
            longer.set_len(length as u64 + 1).expect("grows");
            input.check_unchanged().expect("the text is the same");
            assert_eq!(input.bytes(), content);
        }
    }

    /// The rest of an incomplete line is missing if the file has grown, and otherwise there is no more.
    #[test]
    #[cfg(unix)]
    fn a_line_is_incomplete_if_the_file_has_grown() {
        let log = file(b"[1]\n[2");
        let input = map(&log);
        assert!([0, 4, 6].iter().all(|&offset| input.incomplete_line(offset).is_none()), "it has not grown");
        log.write_all_at(b"3]\n", 6).expect("appends");
        assert_eq!([0, 3, 4, 6].map(|offset| input.incomplete_line(offset)), [None, None, Some(4), Some(4)]);
        assert_eq!(map(&log).incomplete_line(4), None, "it is complete now");
    }

    #[test]
    fn a_reader_reports_at_the_end_that_the_file_changed() {
        for content in [&b"[1]"[..], b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x8b\x36\x8c\x05\0\xb8\x32\x2f\x4c\x03\0\0\0"] {
            let touched = file(content);
            let input = map(&touched);
            #[cfg(feature = "compression")]
            let input = input.expanded(u64::MAX);
            touched.set_modified(SystemTime::UNIX_EPOCH).expect("sets the time");
            let error = input.into_reader().read_to_end(&mut Vec::new()).expect_err("the file changed");
            let error = error.downcast::<Error>().expect("an error of this library");
            assert_eq!(error.kind(), ErrorKind::InputChanged);
        }
    }

    #[test]
    fn only_regular_files_are_mapped() {
        let directory = File::open(env::temp_dir()).expect("opens");
        // SAFETY: nothing is mapped.
        let error = unsafe { Input::map(&directory) }.expect_err("not a regular file");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
}
