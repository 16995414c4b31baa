//! Finds lines and columns of offsets by reading an input again. This is done only if there is something to report.

#![forbid(unsafe_code)]

use fjson::Input;
use fjson::Position;
use fjson::Reader;
use std::io;
use std::io::BufRead;

/// Reads an input up to the offsets that are asked for, in ascending order.
pub struct Locator<'l> {
    reader: Reader<'l>,
    /// How much has been read, and the position there.
    offset: u64,
    position: Position,
}

impl<'l> Locator<'l> {
    /// Creates a locator. The first byte of the input has this offset.
    pub fn new(input: Input<'l>, offset: u64) -> Self {
        Self { reader: input.into_reader(), offset, position: Position::of(b"", 0) }
    }

    /// Returns the position of an offset; `None` if that is before one that was asked for earlier, or if the input cannot be read.
    pub fn position(&mut self, offset: u64) -> Option<Position> {
        while self.offset < offset {
            let piece = match self.reader.fill_buf() {
                Ok([]) => return None,
                Ok(piece) => piece,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return None,
            };
            let length = usize::try_from(offset - self.offset).map_or(piece.len(), |wanted| wanted.min(piece.len()));
            self.position = after(self.position, &piece[..length]);
            self.reader.consume(length);
            self.offset += length as u64;
        }
        (self.offset == offset).then_some(self.position)
    }
}

/// Returns the position after a text that begins at `position`.
pub fn after(position: Position, text: &[u8]) -> Position {
    let mut end = Position::of(text, text.len());
    if end.line == 1 {
        end.column += position.column - 1;
    }
    end.line += position.line - 1;
    end
}

#[cfg(test)]
mod tests {
    use super::Locator;
    use fjson::Input;
    use fjson::Position;

    /// A reader that returns few bytes at a time.
    struct Slow<'s>(&'s [u8]);

    impl std::io::Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(buffer.len()).min(3);
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn positions_are_those_of_the_whole_text() {
        let text = "ä\n\nbcd é\r\n[1, 2]\n";
        for step in 1..5 {
            for input in [Input::from(text), Input::from_reader(Slow(text.as_bytes()))] {
                let mut locator = Locator::new(input, 0);
                for offset in (0..=text.len()).step_by(step) {
                    let expected = Position::of(text.as_bytes(), offset);
                    assert_eq!(locator.position(offset as u64), Some(expected), "{offset}");
                }
                assert_eq!(locator.position(0), None);
                assert_eq!(locator.position(text.len() as u64 + 1), None);
            }
        }
    }
}
