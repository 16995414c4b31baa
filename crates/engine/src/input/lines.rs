//! Counts lines and columns.
//!
//! A position is computed only when an error is reported, and for a stream also when bytes are discarded, because they cannot be
//! counted later. Both cases use this code, so they agree.

#![forbid(unsafe_code)]

use crate::error::Position;

/// Position of the first byte of an input.
pub(crate) const START: Position = Position { line: 1, column: 1 };

/// Returns the position after `bytes`, given the position `at` of their first byte. Text may be counted in pieces split anywhere.
///
/// A piece at a time is read twice, backwards and forwards, while it is in the cache.
pub(crate) fn advance(at: Position, bytes: &[u8]) -> Position {
    bytes.chunks(1 << 14).fold(at, advance_piece)
}

fn advance_piece(at: Position, bytes: &[u8]) -> Position {
    match memchr::memrchr(b'\n', bytes) {
        None => Position { line: at.line, column: at.column + characters(bytes) },
        Some(last) => Position {
            line: at.line + 1 + memchr::memchr_iter(b'\n', &bytes[..last]).count() as u64,
            column: 1 + characters(&bytes[last + 1..]),
        },
    }
}

/// Counts the characters that begin in `bytes`: all bytes except the continuation bytes of UTF-8, `10xxxxxx`.
///
/// The compiler vectorizes a sum of bytes that fits in a byte: 192 is the largest multiple of a 64-byte vector below 256. Counting
/// in a wide integer was measured to be 16 times slower (4 GB/s), which would slow down reading from a pipe.
fn characters(bytes: &[u8]) -> u64 {
    let begins = |byte: &u8| u8::from(byte & 0b1100_0000 != 0b1000_0000);
    bytes.chunks(192).map(|chunk| u64::from(chunk.iter().map(begins).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation, one character at a time.
    fn naive(text: &str) -> Position {
        text.chars().fold(START, |at, character| match character {
            '\n' => Position { line: at.line + 1, column: 1 },
            _ => Position { line: at.line, column: at.column + 1 },
        })
    }

    #[test]
    fn positions_of_small_texts() {
        for (text, line, column) in
            [("", 1, 1), ("ab", 1, 3), ("\n", 2, 1), ("a\nbc", 2, 3), ("a\r\nb\n\n", 4, 1), ("é\u{1F600}", 1, 3)]
        {
            assert_eq!(advance(START, text.as_bytes()), Position { line, column }, "{text:?}");
        }
    }

    #[test]
    fn equal_to_counting_by_characters_wherever_the_text_is_split() {
        let text: String =
            (0..3000u32).map(|i| ['a', '\n', 'é', '€', '\u{1F600}', '"'][(i * i % 97 % 6) as usize]).collect();
        let long_line = "x€".repeat(700);
        for text in [text, long_line] {
            let bytes = text.as_bytes();
            assert_eq!(advance(START, bytes), naive(&text));
            for cut in 0..bytes.len() {
                let (left, right) = bytes.split_at(cut);
                assert_eq!(advance(advance(START, left), right), naive(&text), "split at {cut}");
            }
        }
    }
}
