//! Counts lines and columns.
//!
//! Nothing counts while all goes well: a position is worked out when there is an error to report, and for a stream
//! over the bytes that leave memory, which nobody could count later. Both must agree, so the counting is here, once.

#![forbid(unsafe_code)]

use crate::error::Position;

/// Where every input starts.
pub(crate) const START: Position = Position { line: 1, column: 1 };

/// The position after `bytes`, if `at` is the position of their first byte. May be done piece by piece, cut anywhere.
pub(crate) fn advance(at: Position, bytes: &[u8]) -> Position {
    match memchr::memrchr(b'\n', bytes) {
        None => Position { line: at.line, column: at.column + characters(bytes) },
        Some(last) => Position {
            line: at.line + 1 + memchr::memchr_iter(b'\n', &bytes[..last]).count() as u64,
            column: 1 + characters(&bytes[last + 1..]),
        },
    }
}

/// How many characters begin in `bytes`: all bytes but the continuation bytes of UTF-8, `10xxxxxx`.
///
/// The compiler makes vector code of a sum of bytes that fits a byte: 192 is the largest multiple of a 64-byte vector
/// below 256. Counted in a wide integer it was measured to be 16 times slower (4 GB/s), which a pipe would feel.
fn characters(bytes: &[u8]) -> u64 {
    let begins = |byte: &u8| u8::from(byte & 0b1100_0000 != 0b1000_0000);
    bytes.chunks(192).map(|chunk| u64::from(chunk.iter().map(begins).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One character at a time, by the definition.
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
    fn equal_to_counting_by_characters_however_the_text_is_cut() {
        let text: String =
            (0..3000u32).map(|i| ['a', '\n', 'é', '€', '\u{1F600}', '"'][(i * i % 97 % 6) as usize]).collect();
        let long_line = "x€".repeat(700);
        for text in [text, long_line] {
            let bytes = text.as_bytes();
            assert_eq!(advance(START, bytes), naive(&text));
            for cut in 0..bytes.len() {
                let (left, right) = bytes.split_at(cut);
                assert_eq!(advance(advance(START, left), right), naive(&text), "cut at {cut}");
            }
        }
    }
}
