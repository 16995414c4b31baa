//! Generators of documents: ordinary ones, deeply nested ones, and sequences of tokens.
//!
//! Each finds bugs that the others miss. Ordinary documents exercise strings, numbers and literals. Only deep nesting
//! reaches the rules about the kinds of containers that were closed long ago. Only *all* short sequences of tokens
//! reach the rules about the root, which random text hardly ever violates alone.

use crate::random::Random;

/// The tokens whose sequences are all tried as documents.
pub const TOKENS: [&[u8]; 7] = [b"[", b"]", b"{", b"}", b",", b"\"a\":", b"1"];

/// The bytes whose sequences are all tried as inputs with several documents.
pub const FRAMING_TOKENS: [&[u8]; 8] = [b"1", b"[", b"]", b",", b"\"", b" ", b"\n", b"\x1e"];

/// Calls `each` with every sequence of tokens that starts with the given one and has this many more.
pub fn sequences(tokens: &[&[u8]], first: &[u8], free: u32, mut each: impl FnMut(&[u8])) {
    let mut text = Vec::new();
    for number in 0..tokens.len().pow(free) {
        text.clear();
        text.extend_from_slice(first);
        let mut digits = number;
        for _ in 0..free {
            text.extend_from_slice(tokens[digits % tokens.len()]);
            digits /= tokens.len();
        }
        each(&text);
    }
}

/// A valid document of at most about this many bytes.
pub fn document(random: &mut Random, size: usize) -> Vec<u8> {
    let mut writer = Writer { random, out: Vec::new(), size, spread: 0 };
    writer.spread = writer.random.below(4);
    writer.blanks();
    writer.value(0);
    writer.blanks();
    writer.out
}

/// A valid document of nested containers of random kinds, whose depth rises and falls between 1 and 300 levels; now
/// and then so long that it takes many tiles.
pub fn tower(random: &mut Random) -> Vec<u8> {
    let longest = if random.one_in(4) { 6000 } else { 600 };
    let steps = random.below(longest);
    let (mut out, mut open) = (Vec::new(), Vec::new());
    let (mut goal, mut fresh) = (0, true);
    for step in 0..=steps {
        if open.len() == goal {
            goal = 1 + random.below(300);
        }
        if open.len() > goal {
            out.extend(open.pop());
            fresh = false;
            continue;
        }
        if !fresh {
            out.push(b',');
        }
        if open.last() == Some(&b'}') {
            out.extend_from_slice(random.pick(&[&b"\"\":"[..], b"\"k\":", b"\"a\" : ", b"\"[,{\":"]));
        }
        fresh = step == 0 || !random.one_in(6);
        if fresh {
            let [opener, closer] = if random.one_in(2) { *b"{}" } else { *b"[]" };
            out.push(opener);
            open.push(closer);
        } else {
            out.extend_from_slice(random.pick(&[&b"1"[..], b"true", b"\"\"", b"\"]}\"", b" -0.5e7 "]));
        }
    }
    out.extend(open.into_iter().rev());
    out
}

/// The text of a string with its quotes.
pub fn string(random: &mut Random) -> Vec<u8> {
    let mut writer = Writer { random, out: Vec::new(), size: 0, spread: 0 };
    writer.string();
    writer.out
}

/// The text of a number.
pub fn number(random: &mut Random) -> Vec<u8> {
    let mut writer = Writer { random, out: Vec::new(), size: 0, spread: 0 };
    writer.number();
    writer.out
}

struct Writer<'a> {
    random: &'a mut Random,
    out: Vec<u8>,
    size: usize,
    /// How much whitespace there is: none, or once in this many places.
    spread: usize,
}

impl Writer<'_> {
    fn value(&mut self, depth: usize) {
        let scalar = self.out.len() >= self.size || depth > 40;
        match self.random.below(if scalar { 5 } else { 9 }) {
            0 | 1 => self.number(),
            2 | 3 => self.string(),
            4 => self.out.extend_from_slice(self.random.pick(&[&b"true"[..], b"false", b"null"])),
            5 | 6 => self.container(*b"[]", depth),
            _ => self.container(*b"{}", depth),
        }
    }

    fn container(&mut self, [open, close]: [u8; 2], depth: usize) {
        self.out.push(open);
        self.blanks();
        let members = self.random.below(if depth == 0 { 40 } else { 6 });
        for member in 0..members {
            if member > 0 {
                self.token(b',');
            }
            if open == b'{' {
                self.string();
                self.blanks();
                self.token(b':');
            }
            self.value(depth + 1);
            self.blanks();
        }
        self.out.push(close);
    }

    fn token(&mut self, token: u8) {
        self.out.push(token);
        self.blanks();
    }

    fn blanks(&mut self) {
        if self.spread > 0 && self.random.one_in(self.spread) {
            let longest = if self.random.one_in(50) { 700 } else { 6 };
            for _ in 0..self.random.below(longest) {
                self.out.push(self.random.byte_of(b"  \t\n\r"));
            }
        }
    }

    fn string(&mut self) {
        self.out.push(b'"');
        let longest = if self.random.one_in(30) { 700 } else { 12 };
        let plain = self.random.one_in(2);
        for _ in 0..self.random.below(longest) {
            let piece = match self.random.below(if plain { 1 } else { 4 }) {
                0 => &b"a"[..],
                1 => {
                    self.random.pick(&[&br"\\"[..], br#"\""#, br"\n", br"\/", br"\u00e9", br"\uD834\udd1e", br"\uDEAD"])
                }
                2 => {
                    self.random.pick(&["é", "ß", "€", "\u{800}", "\u{d7ff}", "\u{ffff}", "𝄞", "\u{10ffff}"]).as_bytes()
                }
                _ => self.random.pick(&[&b"{"[..], b"}", b"[", b"]", b":", b",", b" ", b"0", b"\x7f", b"u"]),
            };
            self.out.extend_from_slice(piece);
        }
        self.out.push(b'"');
    }

    fn number(&mut self) {
        if self.random.one_in(3) {
            self.out.push(b'-');
        }
        if self.random.one_in(4) {
            self.out.push(b'0');
        } else {
            self.out.push(self.random.byte_of(b"123456789"));
            self.digits(0);
        }
        if self.random.one_in(3) {
            self.out.push(b'.');
            self.digits(1);
        }
        if self.random.one_in(4) {
            self.out.extend_from_slice(self.random.pick(&[&b"e"[..], b"E", b"e+", b"E-"]));
            self.digits(1);
        }
    }

    fn digits(&mut self, least: usize) {
        let longest = if self.random.one_in(60) { 700 } else { 8 };
        for _ in 0..least + self.random.below(longest) {
            self.out.push(self.random.byte_of(b"0123456789"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::document;
    use super::tower;
    use crate::random::Random;
    use crate::reader::read;

    #[test]
    fn documents_are_valid_and_towers_high() {
        let mut deepest = 0;
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let text = document(&mut random, 500);
            assert_eq!(read(&text, None), Ok(()), "{}", text.escape_ascii());
            let text = tower(&mut random);
            assert_eq!(read(&text, None), Ok(()), "{}", text.escape_ascii());
            deepest = deepest.max((0..=300).take_while(|&depth| read(&text, Some(depth)).is_err()).count());
        }
        assert!(deepest > 250, "towers are only {deepest} high");
    }
}
