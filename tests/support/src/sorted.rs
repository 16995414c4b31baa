//! What must hold for output with sorted keys: it is the output without sorting, its members moved by a simple
//! recursion.

use std::iter;

use fjson::Input;
use fjson::Options;

use crate::check;
use crate::check::Outcome;
use crate::check::Shown;
use crate::check::Verb;
use crate::escaped::difference;
use crate::pieces::Pieces;
use crate::random::Random;
use crate::writer::is_blank;

/// Asserts that every kernel sorts as the reference does, in memory and in pieces, whatever the window, up to the first object that
/// an error leaves incomplete.
///
/// # Panics
/// If it does not.
pub fn document(text: &[u8], random: &mut Random) {
    for verb in [Verb::Minify, Verb::Pretty] {
        let plain = check::reference(verb, text);
        let expected = Outcome { written: sort(&plain.written), verdict: plain.verdict, error: None };
        for &isa in check::kernels() {
            let (window, largest) = (check::window(random), check::window(random));
            for window in [window, 1 << 18] {
                let options = check::options(verb, isa).window(window).sort_keys(true);
                let got = check::outcome(verb, text, &options);
                check::same(&expected, &got, text, format_args!("{verb:?} sorted on {isa}, window {window}"));
                let sizes = iter::repeat_with(|| random.below(largest + 2));
                let got = check::outcome(verb, Input::from_reader(Pieces::new(text, sizes)), &options);
                let how = format_args!("{verb:?} sorted on {isa}, window {window}, pieces up to {largest}");
                check::same(&expected, &got, text, how);
                if expected.verdict.is_ok() {
                    agrees_about_itself(verb, text, &expected.written, &options);
                }
            }
        }
    }
}

/// Asserts that sorted text is unchanged, and that the library knows what would change.
fn agrees_about_itself(verb: Verb, text: &[u8], sorted: &[u8], options: &Options) {
    let again = check::outcome(verb, sorted, options);
    assert_eq!(Shown(&again.written), Shown(sorted), "{verb:?} sorted twice: {}", Shown(text));
    assert_eq!(difference(verb, sorted, options), None, "{verb:?} sorted: {}", Shown(sorted));
    let expected = check::first_difference(text, sorted);
    assert_eq!(difference(verb, text, options), expected, "{verb:?} sorted: {}", Shown(text));
}

/// The text of a document in any layout, or of its beginning, with the members of each object sorted, and without what
/// follows the first bracket of an object that is not closed.
#[must_use]
pub fn sort(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut sorter = Sorter { text, at: 0 };
    sorter.blanks(&mut out);
    if sorter.value(&mut out).is_some() {
        sorter.blanks(&mut out);
    }
    out
}

struct Sorter<'t> {
    text: &'t [u8],
    at: usize,
}

impl Sorter<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self, out: &mut Vec<u8>) {
        while let Some(byte) = self.peek().filter(|&byte| is_blank(byte)) {
            out.push(byte);
            self.at += 1;
        }
    }

    /// Writes one value. `None` if the text ends inside it; then objects in it have not been written at all.
    fn value(&mut self, out: &mut Vec<u8>) -> Option<()> {
        match self.peek()? {
            b'{' => {
                let object = self.object()?;
                out.extend(object);
                Some(())
            }
            b'[' => self.array(out),
            b'"' => self.string(out),
            _ => {
                while let Some(byte) = self.peek().filter(|&byte| !is_blank(byte) && !b",]}".contains(&byte)) {
                    out.push(byte);
                    self.at += 1;
                }
                Some(())
            }
        }
    }

    fn string(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                out.extend_from_slice(&self.text[start..self.at]);
                return Some(());
            }
        }
        out.extend_from_slice(&self.text[start..]);
        None
    }

    fn array(&mut self, out: &mut Vec<u8>) -> Option<()> {
        loop {
            // The bracket or a comma, and at the end the other bracket.
            out.push(self.peek()?);
            self.at += 1;
            self.blanks(out);
            if self.peek()? == b']' {
                break;
            }
            self.value(out)?;
            self.blanks(out);
            if self.peek()? == b']' {
                break;
            }
        }
        out.push(b']');
        self.at += 1;
        Some(())
    }

    fn object(&mut self) -> Option<Vec<u8>> {
        let mut members = Vec::new();
        // The text before each member, and after the last.
        let mut between = vec![vec![b'{']];
        self.at += 1;
        loop {
            let gap = between.last_mut().expect("one before");
            self.blanks(gap);
            if self.peek()? == b'}' {
                break;
            }
            let mut member = Vec::new();
            self.string(&mut member)?;
            let name = units(&member[1..member.len() - 1]);
            self.blanks(&mut member);
            member.push(self.peek()?);
            self.at += 1;
            self.blanks(&mut member);
            self.value(&mut member)?;
            members.push((name, member));
            let mut gap = Vec::new();
            self.blanks(&mut gap);
            if self.peek()? == b',' {
                gap.push(b',');
                self.at += 1;
            }
            between.push(gap);
        }
        self.at += 1;
        members.sort_by(|(left, _), (right, _)| left.cmp(right));
        let mut out = between.remove(0);
        for ((_, member), gap) in members.into_iter().zip(between) {
            out.extend(member);
            out.extend(gap);
        }
        out.push(b'}');
        Some(out)
    }
}

/// The code points of a key, including lone surrogates.
fn units(name: &[u8]) -> Vec<u32> {
    let name = std::str::from_utf8(name).expect("valid");
    let mut points = Vec::new();
    let mut characters = name.chars();
    while let Some(character) = characters.next() {
        let point = match character {
            '\\' => match characters.next().expect("valid") {
                'b' => 8,
                'f' => 12,
                'n' => 10,
                'r' => 13,
                't' => 9,
                'u' => {
                    let digits: String = characters.by_ref().take(4).collect();
                    u32::from_str_radix(&digits, 16).expect("valid")
                }
                same => u32::from(same),
            },
            same => u32::from(same),
        };
        match points.last().copied() {
            Some(high @ 0xd800..0xdc00) if (0xdc00..0xe000).contains(&point) => {
                points.pop();
                points.push(0x1_0000 + ((high - 0xd800) << 10) + (point - 0xdc00));
            }
            _ => points.push(point),
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::sort;

    #[test]
    fn the_reference() {
        let cases = [
            (
                "{\"b\":1,\"a\":{\"d\":[{\"f\":1,\"e\":2}],\"c\":3}}",
                "{\"a\":{\"c\":3,\"d\":[{\"e\":2,\"f\":1}]},\"b\":1}",
            ),
            ("{\n  \"b\": 1,\n  \"a\": 2\n}\n", "{\n  \"a\": 2,\n  \"b\": 1\n}\n"),
            ("[{\"b\":1,\"a\":2},[1,{\"d\":1,\"c\"", "[{\"a\":2,\"b\":1},[1,"),
            (
                "{\"a\":1,\"\\u0061\":0,\"a\":2,\"\\ud83d\\ude00\":3,\"\u{ffff}\":4}",
                "{\"a\":1,\"\\u0061\":0,\"a\":2,\"\u{ffff}\":4,\"\\ud83d\\ude00\":3}",
            ),
            ("[\"{", "[\"{"),
            (" 1 ", " 1 "),
        ];
        for (text, expected) in cases {
            assert_eq!(String::from_utf8_lossy(&sort(text.as_bytes())), expected);
        }
    }
}
