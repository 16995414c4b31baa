//! A reader of a regular file up to the length that it had when it was opened, so that a log that grows has an end.
//!
//! A mapping has the same end; see `Input::map`. Records on lines end with the last line that is complete if the file has grown when
//! a line without an end is reached.

#![forbid(unsafe_code)]

use crate::platform;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;

const TRUNCATED: &str = "the file was truncated while it was being read";

/// Number of bytes that are searched for the start of the last line at once.
const PIECE: u64 = 64 << 10;

/// First bytes of compressed data, which has no lines.
const COMPRESSED: [u8; 4] = [0x1f, 0x28, b'B', 0xfd];

/// It has a position of its own, so that several can read one file.
pub struct Growing<'f> {
    file: &'f File,
    /// Length when the file was opened.
    length: u64,
    position: u64,
    /// Where the last line begins, if it has no end and there are records on lines.
    open_line: Option<u64>,
}

impl<'f> Growing<'f> {
    /// Creates a reader from this position on. The file had this length when it was opened. `has_lines`: it has records on lines.
    pub fn new(file: &'f File, position: u64, length: u64, has_lines: bool) -> Self {
        // An error is found again when what it concerns is read.
        let open_line =
            if has_lines && length > position { open_line(file, position..length).ok().flatten() } else { None };
        Self { file, length, position, open_line }
    }
}

/// Returns where the last line of a part of a file begins, if it has no end.
fn open_line(file: &File, part: std::ops::Range<u64>) -> io::Result<Option<u64>> {
    let read = |position: u64, length: u64| {
        let mut piece = Vec::new();
        Growing { file, length, position, open_line: None }.read_to_end(&mut piece)?;
        Ok::<_, io::Error>(piece)
    };
    if read(part.end - 1, part.end)? == b"\n" || read(0, 1)?.iter().any(|byte| COMPRESSED.contains(byte)) {
        return Ok(None);
    }
    let mut end = part.end;
    while end > part.start {
        let start = end.saturating_sub(PIECE).max(part.start);
        if let Some(last) = memchr::memrchr(b'\n', &read(start, end)?) {
            return Ok(Some(start + last as u64 + 1));
        }
        end = start;
    }
    Ok(Some(part.start))
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.open_line.is_some_and(|line| self.position >= line) {
            if self.file.metadata()?.len() > self.length {
                return Ok(0);
            }
            self.open_line = None;
        }
        let end = self.open_line.unwrap_or(self.length);
        let left = usize::try_from(end.saturating_sub(self.position)).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let count = platform::read_at(self.file, &mut buffer[..most], self.position)?;
        self.position += count as u64;
        // Some files of the system have less content than their length says.
        if count == 0 && most > 0 && self.file.metadata()?.len() < self.length {
            return Err(io::Error::other(TRUNCATED));
        }
        Ok(count)
    }
}

impl Seek for Growing<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
            SeekFrom::End(distance) => self.length.checked_add_signed(distance),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::Growing;
    use std::fs::File;
    use std::io;
    use std::io::Read;
    use std::io::Seek;
    use std::io::Write;

    fn file(content: &str) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(content.as_bytes()).expect("writes");
        file
    }

    /// What is read if `change` happens after the first byte.
    fn read(content: &str, has_lines: bool, change: impl FnOnce(&File)) -> io::Result<String> {
        let file = file(content);
        let mut reader = Growing::new(&file, 0, content.len() as u64, has_lines);
        let mut text = vec![0];
        reader.read_exact(&mut text)?;
        change(&file);
        reader.read_to_end(&mut text)?;
        Ok(String::from_utf8(text).expect("UTF-8"))
    }

    fn append(mut file: &File) {
        file.seek(io::SeekFrom::End(0)).expect("seeks");
        file.write_all(b"more\n").expect("writes");
    }

    #[test]
    fn what_is_appended_is_not_read() {
        let long = format!("[1]\n[{}", "2,".repeat(100_000));
        for (content, lines) in [("[1]\n[2]\n", "[1]\n[2]\n"), ("[1]\n[2", "[1]\n"), ("[1", "["), (&*long, "[1]\n")] {
            assert_eq!(read(content, true, |_| ()).expect("reads"), content);
            assert_eq!(read(content, false, append).expect("reads"), content);
            // The first byte of the only line has been read before.
            let expected = if content == "[1" { "[1" } else { lines };
            assert_eq!(read(content, true, append).expect("reads"), expected);
        }
    }

    #[test]
    fn a_truncated_file_is_an_error() {
        for has_lines in [true, false] {
            let error = read("[1]\n[2", has_lines, |file| file.set_len(3).expect("cuts")).expect_err("it is shorter");
            assert!(error.to_string().contains("truncated"));
        }
    }
}
