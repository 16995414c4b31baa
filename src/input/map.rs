//! Input from a mapped file: all of it is there at once, and only what is being read takes memory.
//!
//! Where the file lies in the page cache in large folios a map is up to half as fast again as reading, because nothing
//! is copied. The price is that the bytes are not ours: another process can change them or take them away while we
//! read. So a map is `unsafe` to ask for, `guard` turns a lost end into a flag, and the file is asked before and after
//! whether it is still the same.

#![expect(unsafe_code, reason = "a mapped file can change while it is borrowed, which only the caller can rule out")]

use crate::error::Error;
use crate::input::Input;
use crate::input::Source;
use crate::input::guard::Guarded;
use crate::input::guard::change_time;

use memmap2::MmapOptions;

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::time::SystemTime;

/// Pages are given back in steps of 2 MiB, the size of a huge page: smaller steps split huge pages, which was measured
/// to cost almost half the speed.
const STEP: usize = 2 << 20;

pub(super) struct Mapped {
    guarded: Guarded,
    /// Another handle of the same open file.
    file: File,
    identity: Identity,
    /// Everything before this has been given back; a multiple of `STEP`.
    given_back: Cell<usize>,
}

/// What is different if somebody wrote to the file.
///
/// Not a proof: times are as coarse as the system's clock tick, and what is written through somebody else's map shows
/// only later.
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
    /// The file's whole content is the input, wherever the file's own cursor stands. Its pages are given back while the
    /// reading advances, so that a large file needs little memory. A file that claims to be empty is taken at its word;
    /// those under `/proc` are not, and are for [`from_reader`](Input::from_reader).
    ///
    /// On Unix the first call installs a handler for SIGBUS. If the file is truncated while it is read, the result is
    /// [`ErrorKind::InputChanged`](crate::ErrorKind::InputChanged) and the process lives; so it is if its length or its
    /// times are not the same afterwards. Any other SIGBUS goes where it went before. A program that installs its own
    /// handler later takes this protection away.
    ///
    /// # Errors
    ///
    /// If `file` is not a regular file, does not fit in the address space, or cannot be mapped.
    ///
    /// # Safety
    ///
    /// * As long as the input exists, nobody, in this process or any other, may write to the file or truncate it: the
    ///   bytes are borrowed as `&[u8]`, and Rust forbids that they change meanwhile.
    ///
    /// No program can rule that out for a file that others may write to. What this library does about it: no bounds
    /// found in one reading are trusted in the next, no bytes are taken for UTF-8 unchecked, and a change that is
    /// noticed is an error. What is left is that the compiler may assume otherwise. Who cannot accept that reads the
    /// file: [`from_reader`](Input::from_reader).
    pub unsafe fn map(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let identity = Identity::of(&file)?;
        let length = usize::try_from(identity.length).map_err(|_| io::ErrorKind::FileTooLarge)?;
        // SAFETY: the caller vouches for the file.
        let map = unsafe { MmapOptions::new().len(length).map(&file) }?;
        let mapped = Mapped { guarded: Guarded::new(map), file, identity, given_back: Cell::new(0) };
        Ok(Self { source: Source::Mapped(mapped) })
    }
}

#[cfg(all(unix, any(test, fuzzing)))]
impl Input<'static> {
    /// Maps a file of a test, which knows who writes to it and wants to see what happens.
    pub(crate) fn map_for_test(file: &File) -> Self {
        // SAFETY: the file has no name, so nobody else writes to it, and the test does so between two looks at the bytes.
        unsafe { Self::map(file) }.expect("maps")
    }
}

impl Mapped {
    pub(super) fn bytes(&self) -> &[u8] {
        self.guarded.bytes()
    }

    /// Gives back the pages before `offset`. They can still be read, and are then the file's again.
    pub(super) fn release(&self, offset: u64) {
        let length = self.bytes().len();
        let end = usize::try_from(offset).map_or(length, |offset| offset.min(length)) / STEP * STEP;
        if end > self.given_back.get() {
            self.guarded.give_back(self.given_back.get()..end);
            self.given_back.set(end);
        }
    }

    /// Gives back the pages around this range, once more if they were before.
    pub(super) fn release_again(&self, range: Range<u64>) {
        let length = self.bytes().len();
        let [start, end] = [range.start, range.end].map(|offset| usize::try_from(offset).unwrap_or(length).min(length));
        self.guarded.give_back(start / STEP * STEP..end.next_multiple_of(STEP).min(length));
    }

    /// An error if the file is not what it was when it was mapped; then nothing read from it counts.
    pub(super) fn check_unchanged(&self) -> Result<(), Error> {
        let length = self.identity.length;
        let identity = Identity::of(&self.file).map_err(|error| Error::read(error, length))?;
        if self.guarded.was_hit() || identity != self.identity {
            return Err(Error::input_changed(length));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::input::tests::file;

    use std::env;
    use std::io::Read;

    fn map(file: &File) -> Input<'static> {
        // SAFETY: the file has no name, so nobody else writes to it; the tests that do want to see what happens.
        unsafe { Input::map(file) }.expect("maps")
    }

    fn changed(input: &Input<'_>) -> bool {
        input.check_unchanged().is_err_and(|error| error.kind() == ErrorKind::InputChanged)
    }

    fn content(length: usize) -> Vec<u8> {
        (0..length).map(|i| [0, 7, b'x', 255][i % 4095 % 4]).collect()
    }

    #[test]
    fn a_map_is_all_there() {
        for length in [0, 1, 4095, 4096, 4097, 100_000] {
            let content = content(length);
            let mut input = map(&file(&content));
            assert_eq!((input.bytes(), input.base(), input.at_end()), (&content[..], 0, true), "{length} bytes");
            input.read_more(u64::MAX).expect("there is nothing to read");
            assert_eq!(input.bytes(), content);
            input.check_unchanged().expect("nobody wrote");
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
        input.check_unchanged().expect("nobody wrote");
    }

    /// How much of the map is in this process's memory, as Linux says.
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
        let longer = file(b"[1]");
        let input = map(&longer);
        longer.set_len(4).expect("grows");
        assert!(changed(&input));

        let touched = file(b"[1]");
        let input = map(&touched);
        input.check_unchanged().expect("nobody wrote");
        touched.set_modified(SystemTime::UNIX_EPOCH).expect("sets the time");
        assert!(changed(&input));

        let cut = file(&content(100_000));
        let input = map(&cut);
        cut.set_len(0).expect("shrinks");
        assert!(input.bytes().iter().all(|&byte| byte == 0), "reading does not kill");
        assert!(changed(&input));

        let filled = file(b"");
        let input = map(&filled);
        filled.set_len(1).expect("grows");
        assert!(changed(&input));
        assert_eq!(input.bytes(), b"");
    }

    #[test]
    fn a_reader_tells_at_the_end_that_the_file_changed() {
        for content in [&b"[1]"[..], b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x8b\x36\x8c\x05\0\xb8\x32\x2f\x4c\x03\0\0\0"] {
            let touched = file(content);
            let input = map(&touched);
            #[cfg(feature = "compression")]
            let input = input.expanded(u64::MAX);
            touched.set_modified(SystemTime::UNIX_EPOCH).expect("sets the time");
            let error = input.into_reader().read_to_end(&mut Vec::new()).expect_err("the file changed");
            let error = error.downcast::<Error>().expect("our own error");
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
