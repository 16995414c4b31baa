//! A hundred million open brackets: right, and in memory of one bit each.
//!
//! This stands alone in its program because it looks at the memory of the whole process.

#![forbid(unsafe_code)]

use std::fs;
use std::io;
use std::io::Read;

use fjson::ErrorKind;
use fjson::Input;
use fjson::Options;
use proof::check;

/// Levels of arrays in the deepest documents, and of objects, which are five times as long.
const LEVELS: [(&str, &str, u64); 2] = [("[", "]", 100_000_000), ("{\"a\":", "}", 20_000_000)];

/// What the process may take for a hundred million levels, at one bit each: the engine's stack, the copy of it from which
/// an error would be looked for, the precise reader's and a clone of that, in vectors that double as they grow; and 16 MiB
/// for everything else.
const MOST_MEMORY: u64 = 4 * 2 * 100_000_000 / 8 + (16 << 20);

#[test]
fn a_hundred_million_brackets() {
    for (open, close, levels) in LEVELS {
        for &isa in check::kernels() {
            let crossed = if open == "[" { "}" } else { "]" };
            let length = open.len() as u64 * levels;
            let read = |parts: &[(&'static str, u64)]| {
                let result = fjson::validate(tower(parts), &Options::new().isa(isa));
                result.map(drop).map_err(|error| (error.kind(), error.offset()))
            };
            let unclosed = read(&[(open, levels)]);
            assert_eq!(unclosed, Err((ErrorKind::UnexpectedEnd, length)), "{open} on {isa}");
            let closed = read(&[(open, levels), ("0", 1), (close, levels)]);
            assert_eq!(closed, Ok(()), "{open} on {isa}");
            let wrong = read(&[(open, levels), ("0", 1), (close, levels - 1), (crossed, 1)]);
            assert_eq!(wrong, Err((ErrorKind::MismatchedClose, length + levels)), "{open} on {isa}");
        }
    }
    if let Some(peak) = peak_memory() {
        assert!(peak <= MOST_MEMORY, "took {peak} bytes");
    }
}

#[test]
fn a_million_brackets_written() {
    let text = ["[".repeat(1_000_000), "]".repeat(1_000_000)].concat();
    for &isa in check::kernels() {
        let mut written = Vec::new();
        fjson::minify(&text[..], &mut written, &Options::new().isa(isa)).expect("valid");
        assert!(written == text.as_bytes(), "minified on {isa}");
    }
}

/// An input that is nowhere: each text so many times.
fn tower(parts: &[(&'static str, u64)]) -> Input<'static> {
    let parts: Vec<_> = parts.iter().map(|&(text, times)| Repeated::new(text, times)).collect();
    let start: Box<dyn Read> = Box::new(io::empty());
    Input::from_reader(parts.into_iter().fold(start, |before, part| Box::new(before.chain(part))))
}

/// A text many times over, as a reader.
struct Repeated {
    /// The text often enough to fill a read.
    block: Vec<u8>,
    left: u64,
    at: usize,
}

impl Repeated {
    fn new(text: &str, times: u64) -> Self {
        Self { block: text.repeat(65_536 / text.len()).into(), left: times * text.len() as u64, at: 0 }
    }
}

impl Read for Repeated {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let block = &self.block[self.at..];
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let count = block.len().min(buf.len()).min(most);
        buf[..count].copy_from_slice(&block[..count]);
        self.left -= count as u64;
        self.at = (self.at + count) % self.block.len();
        Ok(count)
    }
}

/// The most memory this process ever had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}
