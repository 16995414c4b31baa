//! Generated inputs of any size, and how much memory it took to read them.

use std::fs;
use std::io;
use std::io::Read;

use fjson::Input;

/// Each text this many times, one after the other.
#[must_use]
pub fn input(parts: &[(&'static str, u64)]) -> Input<'static> {
    let parts: Vec<_> = parts.iter().map(|&(text, times)| Repeated::new(text, times)).collect();
    let start: Box<dyn Read> = Box::new(io::empty());
    Input::from_reader(parts.into_iter().fold(start, |before, part| Box::new(before.chain(part))))
}

/// A text many times over, as a reader.
struct Repeated {
    /// The text repeated often enough to fill a read.
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

/// The peak memory of this process, in bytes, where the system reports it.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}
