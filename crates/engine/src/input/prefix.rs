//! Records with text before them, as in logs: the text of each line in front of a bracket is replaced by spaces.
//!
//! So everything that reads records reads these as well, and each byte keeps its offset and line.

#![forbid(unsafe_code)]

use crate::input::Input;
use crate::input::Supply;

use std::io;
use std::io::Read;

/// Where a record begins on a line that has other text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordStart {
    /// At the first `{` or `[`.
    Bracket,
    /// At the first `{`.
    Brace,
}

impl RecordStart {
    /// Returns the index of the first byte that begins a record, or that ends the line.
    fn find(self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Bracket => memchr::memchr3(b'{', b'[', b'\n', text),
            Self::Brace => memchr::memchr2(b'{', b'\n', text),
        }
    }
}

impl Input<'_> {
    /// Replaces the text of each line in front of its record by spaces, for [`Framing::Lines`](crate::Framing::Lines). A line
    /// without such a bracket becomes blank, so it is no record.
    ///
    /// Offsets and lines are those of the input. Columns count each byte of the replaced text.
    ///
    /// ```
    /// use fjson::{Framing, Input, Options, RecordStart, validate};
    ///
    /// let options = Options::new().framing(Framing::Lines);
    /// let input = || Input::from("started\n12:30 INFO {\"a\": 1}\n").skip_prefixes(RecordStart::Bracket);
    /// assert_eq!(validate(input(), &options)?.documents, 1);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn skip_prefixes(self, start: RecordStart) -> Self {
        let (first, mark) = (self.start, self.mark);
        let reader = PrefixBlanker { reader: self.into_reader(), start, is_before_record: true };
        let input = Self::from_supply(Supply::Reader(Box::new(reader))).starting_at(first);
        Self { mark, ..input }
    }
}

/// A reader that replaces the text before each record.
struct PrefixBlanker<R> {
    reader: R,
    start: RecordStart,
    is_before_record: bool,
}

impl<R: Read> Read for PrefixBlanker<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        let mut rest = buffer.get_mut(..count).unwrap_or_default();
        while !rest.is_empty() {
            let line_end = |text: &[u8]| memchr::memchr(b'\n', text);
            let found = if self.is_before_record { self.start.find(rest) } else { line_end(rest) };
            let length = found.unwrap_or(rest.len());
            if self.is_before_record {
                // mutant:
                rest[..length].fill(b' ');
            }
            if found.is_some() {
                // mutant: self.is_before_record = false;
                self.is_before_record = rest[length] == b'\n';
            }
            rest = &mut rest[length + usize::from(found.is_some())..];
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::RecordStart;
    use crate::input::Input;
    use std::io::Read;

    #[test]
    fn only_text_before_records_is_replaced() {
        let cases = [
            ("", "", ""),
            ("a {1} b\n", "  {1} b\n", "  {1} b\n"),
            ("{\"a\": [1]}\n[{}]\n", "{\"a\": [1]}\n[{}]\n", "{\"a\": [1]}\n {}]\n"),
            ("no record\r\n\n\"{\" {\nlast", "          \n\n {\" {\n    ", "          \n\n {\" {\n    "),
            ("[x] é {}", "[x] é {}", "       {}"),
            ("1\n2\n", " \n \n", " \n \n"),
        ];
        for (text, bracket, brace) in cases {
            for (start, expected) in [(RecordStart::Bracket, bracket), (RecordStart::Brace, brace)] {
                for size in 0..=text.len() {
                    let mut blanked = String::new();
                    let input = Input::in_pieces(text.as_bytes(), size).skip_prefixes(start);
                    input.into_reader().read_to_string(&mut blanked).expect("reads");
                    assert_eq!(blanked, expected, "{text:?} in pieces of {size}");
                }
            }
        }
    }
}
