//! Random documents for tests, valid or with a few bytes broken.
//!
//! Seeds are fixed, so failures are reproducible.

#![forbid(unsafe_code)]

/// Marsaglia's 64-bit xorshift generator.
pub(crate) struct Random(u64);

/// Pieces of JSON, and of text that is almost JSON.
const PIECES: [&[u8]; 49] = [
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b"\"",
    b"\\",
    b" ",
    b"\n",
    b"\r",
    b"\t",
    b"0",
    b"1",
    b"-",
    b"+",
    b".",
    b"e",
    b"\"a\":",
    b"\"\"",
    b"\"\\u00e9\"",
    b"\\u",
    b"\\ud83d",
    b"true",
    b"fals",
    b"null",
    b"nul",
    b"NaN",
    b"1.5e-3",
    b"01",
    b"// x",
    b"'",
    b"\xC3\xA9",
    b"\xE2\x82\xAC",
    b"\xF0\x9F\x98\x80",
    b"\xC3",
    b"\xED\xA0\x80",
    b"\xF4\x90",
    b"\xFF",
    b"\x80",
    b"\0",
    b"\x1B[31m",
    b"\x7F",
    b"\xE2\x80\xAE",
    b"\xC2\x9B",
    b"\xEF\xBB\xBF",
    b"\x1E",
    b"=>",
    b"a_word_of_more_than_the_sixty_four_bytes_that_a_sentence_may_look_ahead: ",
];

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// Returns a valid document.
    pub(crate) fn document(&mut self) -> String {
        let mut text = String::new();
        self.value(&mut text, 5);
        text
    }

    fn value(&mut self, text: &mut String, levels: usize) {
        match self.below(if levels == 0 { 2 } else { 5 }) {
            0 => text.push_str(self.pick(&["0", "-0", "12", "-3.25", "1e9", "2.5E-07", "true", "false", "null"])),
            1 => self.string(text),
            2 => self.list(text, ['{', '}'], levels - 1),
            _ => self.list(text, ['[', ']'], levels - 1),
        }
    }

    fn list(&mut self, text: &mut String, [open, close]: [char; 2], levels: usize) {
        text.push(open);
        let length = self.below(4);
        for item in 0..length {
            text.push_str(self.pick(&["", "", "", " ", "\n  ", "\r\n"]));
            if open == '{' {
                self.string(text);
                text.push_str(self.pick(&[":", ": ", "\t:"]));
            }
            self.value(text, levels);
            text.push_str(self.pick(&["", "", "", " "]));
            if item + 1 < length {
                text.push(',');
            }
        }
        text.push(close);
    }

    fn string(&mut self, text: &mut String) {
        text.push('"');
        for _ in 0..self.below(4) {
            text.push_str(self.pick(&[
                "a",
                "b",
                "[",
                "}",
                ",",
                ":",
                "~",
                "/",
                "~1",
                "é",
                "€",
                "😀",
                "\\\"",
                "\\\\",
                "\\/",
                "\\n",
                "\\u0041",
                "\\ud83d\\ude00",
                "\\u007e",
                "\u{202e}",
                "\u{7f}",
                "a text that is longer than a chunk of 32 bytes",
            ]));
        }
        text.push('"');
    }

    /// Returns the document with a few changes.
    pub(crate) fn broken(&mut self, document: &str) -> Vec<u8> {
        let mut bytes = document.as_bytes().to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(4)).min(bytes.len());
            match self.below(4) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => drop(bytes.splice(at..end, PIECES[self.below(PIECES.len())].iter().copied())),
                _ => drop(bytes.splice(at..at, PIECES[self.below(PIECES.len())].iter().copied())),
            }
        }
        bytes
    }
}
