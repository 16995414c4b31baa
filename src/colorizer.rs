//! Output of JSON for people: colors, and characters in strings that a terminal must not receive as they are.
//!
//! The text has been validated, so a small state machine suffices to find its tokens. It takes text in pieces of any size, and
//! writes each token as jq 1.8 does: its color, the token, a reset. On a terminal, control characters and other invisible
//! characters in strings are written as `\u` escapes, so that data can neither control the terminal nor hide text.

#![forbid(unsafe_code)]

mod comment;

use crate::colorizer::comment::Comment;
use crate::colors::Colors;
use crate::sanitize;
use std::mem;

/// Number of bytes at the start of a string that are examined one by one. Most strings are not longer.
const SHORT: usize = 16;

/// Writes JSON with colors and escapes.
#[derive(Clone)]
pub struct Colorizer {
    sequences: Sequences,
    /// For each byte, whether it ends a run of bytes in a string that are copied together.
    stops: [bool; 256],
    /// Whether invisible characters in strings are escaped.
    escapes: bool,
    state: State,
    /// Whether the next string is a key.
    is_key_next: bool,
    containers: Containers,
    /// The first bytes of a character that the last piece ended in.
    begun: Vec<u8>,
    comment: Comment,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between tokens.
    Between,
    /// After an opening bracket. Its color is not reset yet, because jq writes empty containers as one token.
    Opened,
    String,
    /// After a backslash in a string.
    Escape,
    /// Inside a character of a string, whose first bytes are in `begun`.
    Character,
    /// In a number or literal.
    Scalar,
    Comment,
}

impl Colorizer {
    /// Creates a colorizer; without `colors`, it only escapes.
    pub fn new(colors: Option<&Colors>, escapes: bool) -> Self {
        let mut stops = [false; 256];
        for byte in [b'"', b'\\'] {
            stops[usize::from(byte)] = true;
        }
        for lead in sanitize::INVISIBLE_LEADS {
            stops[usize::from(lead)] |= escapes;
        }
        Self {
            sequences: Sequences::new(colors),
            stops,
            escapes,
            state: State::Between,
            is_key_next: false,
            containers: Containers::default(),
            begun: Vec::new(),
            comment: Comment::default(),
        }
    }

    pub fn has_colors(&self) -> bool {
        !self.sequences.reset.is_empty()
    }

    /// Appends the next piece of the text to `out`.
    pub fn write(&mut self, text: &[u8], out: &mut Vec<u8>) {
        let mut rest = text;
        while let Some((&first, after)) = rest.split_first() {
            rest = match self.state {
                State::Between => self.token(first, rest, out),
                State::Opened => self.after_opening(first, rest, out),
                State::String => self.string(rest, out),
                State::Escape => {
                    out.push(first);
                    self.state = State::String;
                    after
                }
                State::Character => {
                    let mut begun = mem::take(&mut self.begun);
                    begun.push(first);
                    self.character(&begun, out);
                    after
                }
                State::Scalar => self.scalar(rest, out),
                State::Comment => {
                    let Some(rest) = self.comment.write(rest, self.escapes, out) else { return };
                    self.state = State::Between;
                    rest
                }
            };
        }
    }

    /// Ends the text, which may be incomplete, and resets the color.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if self.state != State::Between {
            out.extend_from_slice(&self.sequences.reset);
        }
        self.state = State::Between;
        self.is_key_next = false;
        self.containers = Containers::default();
        self.begun.clear();
    }

    /// Writes whitespace, a structural character, or the start of another token.
    fn token<'t>(&mut self, first: u8, text: &'t [u8], out: &mut Vec<u8>) -> &'t [u8] {
        let sequences = &self.sequences;
        match first {
            b'"' => {
                out.extend_from_slice(if self.is_key_next { &sequences.key } else { &sequences.string });
                self.state = State::String;
            }
            b',' => {
                let is_object = self.containers.is_object();
                out.extend_from_slice(&sequences.comma[usize::from(is_object)]);
                self.is_key_next = is_object;
            }
            b':' => {
                out.extend_from_slice(&sequences.colon);
                self.is_key_next = false;
            }
            b'{' | b'[' => {
                let is_object = first == b'{';
                self.containers.push(is_object);
                out.extend_from_slice(&sequences.open[usize::from(is_object)]);
                self.is_key_next = is_object;
                self.state = State::Opened;
            }
            b'}' | b']' => {
                self.containers.pop();
                self.is_key_next = false;
                out.extend_from_slice(&sequences.close[usize::from(first == b'}')]);
            }
            b'/' => {
                out.push(first);
                (self.state, self.comment) = (State::Comment, Comment::default());
            }
            b'n' | b't' | b'f' | b'-' | b'0'..=b'9' => {
                out.extend_from_slice(match first {
                    b'n' => &sequences.null,
                    b't' => &sequences.true_,
                    b'f' => &sequences.false_,
                    _ => &sequences.number,
                });
                self.state = State::Scalar;
                return text;
            }
            _ => {
                let is_space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t');
                let length = text.iter().position(|byte| !is_space(byte)).unwrap_or(text.len());
                // Other characters between tokens, such as record separators, are copied one by one.
                let (space, rest) = text.split_at(length.max(1));
                out.extend_from_slice(space);
                return rest;
            }
        }
        &text[1..]
    }

    fn after_opening<'t>(&mut self, first: u8, text: &'t [u8], out: &mut Vec<u8>) -> &'t [u8] {
        self.state = State::Between;
        let is_empty = matches!(first, b'}' | b']');
        if is_empty {
            self.containers.pop();
            self.is_key_next = false;
            out.push(first);
        }
        out.extend_from_slice(&self.sequences.reset);
        &text[usize::from(is_empty)..]
    }

    fn scalar<'t>(&mut self, text: &'t [u8], out: &mut Vec<u8>) -> &'t [u8] {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        let length = text.iter().position(|byte| !is_part(byte)).unwrap_or(text.len());
        let (part, rest) = text.split_at(length);
        out.extend_from_slice(part);
        if !rest.is_empty() {
            out.extend_from_slice(&self.sequences.reset);
            self.state = State::Between;
        }
        rest
    }

    fn string<'t>(&mut self, text: &'t [u8], out: &mut Vec<u8>) -> &'t [u8] {
        let (plain, rest) = text.split_at(self.plain_length(text));
        out.extend_from_slice(plain);
        match rest {
            [] => {}
            [b'"', after @ ..] => {
                out.extend_from_slice(&self.sequences.end_of_string);
                self.state = State::Between;
                return after;
            }
            [b'\\', after @ ..] => {
                out.push(b'\\');
                self.state = State::Escape;
                return after;
            }
            [lead, ..] => {
                let (character, after) = rest.split_at(sanitize::length(*lead).min(rest.len()));
                self.character(character, out);
                return after;
            }
        }
        rest
    }

    /// Returns the length of the text before the first byte that needs attention.
    fn plain_length(&self, text: &[u8]) -> usize {
        let is_stop = |byte: &u8| self.stops[usize::from(*byte)];
        let (short, long) = text.split_at(text.len().min(SHORT));
        if let Some(place) = short.iter().position(is_stop) {
            return place;
        }
        // Nonzero for a byte that may be a stop. Branch-free, so that the compiler can vectorize it.
        let beyond = if self.escapes { 0x7f } else { 0xff };
        let may_stop = |byte: u8| u8::from(byte == b'"') | u8::from(byte == b'\\') | u8::from(byte >= beyond);
        let mut place = SHORT;
        for block in long.chunks(32) {
            let is_plain = block.iter().fold(0, |found, &byte| found | may_stop(byte)) == 0;
            if !is_plain && let Some(stop) = block.iter().position(is_stop) {
                return place + stop;
            }
            place += block.len();
        }
        text.len()
    }

    /// Writes a character, or keeps it until its other bytes follow.
    fn character(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let is_complete = bytes.first().is_none_or(|&lead| bytes.len() >= sanitize::length(lead));
        if is_complete {
            sanitize::escape(bytes, out);
            self.state = State::String;
        } else {
            bytes.clone_into(&mut self.begun);
            self.state = State::Character;
        }
    }
}

/// What is written for each token, or around it. Index 1 is for objects, 0 for arrays.
#[derive(Clone)]
struct Sequences {
    null: Vec<u8>,
    false_: Vec<u8>,
    true_: Vec<u8>,
    number: Vec<u8>,
    /// The color and the opening quote.
    string: Vec<u8>,
    key: Vec<u8>,
    end_of_string: Vec<u8>,
    open: [Vec<u8>; 2],
    close: [Vec<u8>; 2],
    comma: [Vec<u8>; 2],
    colon: Vec<u8>,
    reset: Vec<u8>,
}

impl Sequences {
    fn new(colors: Option<&Colors>) -> Self {
        let reset = if colors.is_some() { "\x1b[0m" } else { "" };
        let start = |code: fn(&Colors) -> &String, text: &str| {
            let start = colors.map(|colors| format!("\x1b[{}m", code(colors))).unwrap_or_default();
            (start + text).into_bytes()
        };
        let whole = |code: fn(&Colors) -> &String, text: &str| start(code, &format!("{text}{reset}"));
        Self {
            null: start(|colors| &colors.null, ""),
            false_: start(|colors| &colors.false_, ""),
            true_: start(|colors| &colors.true_, ""),
            number: start(|colors| &colors.number, ""),
            string: start(|colors| &colors.string, "\""),
            key: start(|colors| &colors.key, "\""),
            end_of_string: format!("\"{reset}").into_bytes(),
            open: [start(|colors| &colors.array, "["), start(|colors| &colors.object, "{")],
            close: [whole(|colors| &colors.array, "]"), whole(|colors| &colors.object, "}")],
            comma: [whole(|colors| &colors.array, ","), whole(|colors| &colors.object, ",")],
            colon: whole(|colors| &colors.object, ":"),
            reset: reset.as_bytes().to_vec(),
        }
    }
}

/// The kinds of the open containers, one bit each.
#[derive(Clone, Default)]
struct Containers {
    /// Complete groups of 64 kinds.
    outer: Vec<u64>,
    /// The innermost kinds; the lowest bit is the innermost. Set for an object.
    inner: u64,
    /// Number of kinds in `inner`.
    count: u32,
}

impl Containers {
    fn push(&mut self, is_object: bool) {
        if self.count == 64 {
            self.outer.push(self.inner);
            self.count = 0;
        }
        self.inner = self.inner << 1 | u64::from(is_object);
        self.count += 1;
    }

    fn pop(&mut self) {
        self.inner >>= 1;
        self.count = self.count.saturating_sub(1);
        if self.count == 0
            && let Some(outer) = self.outer.pop()
        {
            (self.inner, self.count) = (outer, 64);
        }
    }

    /// Whether the innermost container is an object.
    fn is_object(&self) -> bool {
        self.inner & 1 == 1 && self.count > 0
    }
}

#[cfg(test)]
mod tests {
    use super::Colorizer;
    use crate::colors::Colors;
    use std::fmt::Write;

    /// Colors a valid text without whitespace as jq does: `color`, the token, and a reset.
    struct Reference<'t> {
        rest: &'t str,
        out: String,
    }

    impl Reference<'_> {
        fn take(&mut self, code: &str, length: usize) {
            let (token, rest) = self.rest.split_at(length);
            self.rest = rest;
            write!(self.out, "\x1b[{code}m{token}\x1b[0m").expect("a string takes all");
        }

        fn string(&mut self, code: &str) {
            let mut escaped = true;
            let end = self.rest.find(|character: char| {
                let is_end = character == '"' && !escaped;
                escaped = character == '\\' && !escaped;
                is_end
            });
            self.take(code, end.expect("a closing quote") + 1);
        }

        fn value(&mut self) {
            match self.rest.as_bytes()[0] {
                b'n' => self.take("0;90", 4),
                b't' => self.take("0;39", 4),
                b'f' => self.take("0;39", 5),
                b'"' => self.string("0;32"),
                open @ (b'[' | b'{') => {
                    if matches!(self.rest.as_bytes()[1], b']' | b'}') {
                        return self.take("1;39", 2);
                    }
                    while !self.rest.starts_with([']', '}']) {
                        self.take("1;39", 1);
                        if open == b'{' {
                            self.string("1;34");
                            self.take("1;39", 1);
                        }
                        self.value();
                    }
                    self.take("1;39", 1);
                }
                _ => {
                    let end = self.rest.find([',', ']', '}']).unwrap_or(self.rest.len());
                    self.take("0;39", end);
                }
            }
        }
    }

    const EXAMPLES: [&str; 12] = [
        "[{\"a\":true,\"b\":false},\"abc\",123,null]",
        "[]",
        "{}",
        "[[],{},[{}],{\"\":[]}]",
        "\"\\\"\\\\\"",
        "{\"a\\\\\":\"\\\\\\\"\",\"\\\"\":-1.5e+3}",
        "-0",
        "null",
        "[[[1,[2]],{\"a\":{\"b\":[{\"c\":1,\"d\":2},3]},\"e\":4},5],\"é日本🙂\"]",
        "{\"a long key with more than sixteen bytes and \\\" in it\":\"a long text, long enough for several blocks of bytes, é and \\\\ at the end\\\\\"}",
        "[\"0123456789abcdef\",\"0123456789abcde\\\"f\",\"0123456789abcdefé\"]",
        "[true,false,null,{\"x\":true,\"y\":[false],\"z\":null}]",
    ];

    fn colored(text: &str, size: usize, escapes: bool, colors: Option<&Colors>) -> String {
        let mut colorizer = Colorizer::new(colors, escapes);
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(size) {
            colorizer.write(piece, &mut out);
        }
        colorizer.end(&mut out);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn tokens_are_colored_as_by_jq() {
        let deep = format!("{}{}", "[{\"a\":".repeat(200), "1".to_owned() + &"},2]".repeat(200));
        for text in EXAMPLES.into_iter().chain([&*deep]) {
            let mut reference = Reference { rest: text, out: String::new() };
            reference.value();
            for size in [1, 2, 3, 7, 33, text.len()] {
                for escapes in [false, true] {
                    let found = colored(text, size, escapes, Some(&Colors::default()));
                    assert_eq!(found, reference.out, "{size} {escapes}");
                    assert_eq!(colored(text, size, escapes, None), text);
                }
            }
        }
    }

    /// An example of jq's tests.
    #[test]
    fn each_kind_has_its_color() {
        let names = ["0;30", "0;31", "0;32", "0;33", "0;34", "1;35", "1;36", "1;37"].map(str::to_owned);
        let [null, false_, true_, number, string, array, object, key] = names;
        let colors = Colors { null, false_, true_, number, string, array, object, key };
        let expected = "\x1b[1;35m[\x1b[0m\x1b[1;36m{\x1b[0m\x1b[1;37m\"a\"\x1b[0m\x1b[1;36m:\x1b[0m\x1b[0;32mtrue\x1b[0m\
             \x1b[1;36m,\x1b[0m\x1b[1;37m\"b\"\x1b[0m\x1b[1;36m:\x1b[0m\x1b[0;31mfalse\x1b[0m\x1b[1;36m}\x1b[0m\
             \x1b[1;35m,\x1b[0m\x1b[0;34m\"abc\"\x1b[0m\x1b[1;35m,\x1b[0m\x1b[0;33m123\x1b[0m\x1b[1;35m,\x1b[0m\
             \x1b[0;30mnull\x1b[0m\x1b[1;35m]\x1b[0m";
        assert_eq!(colored(EXAMPLES[0], 1, true, Some(&colors)), expected);
    }

    #[test]
    fn whitespace_has_no_color() {
        let text = "{\n  \"a\": [\n    1\n  ]\n}\n[ ]\n\t2 \r\n";
        let found = colored(text, 5, true, Some(&Colors::default()));
        let marked = found
            .replace("\x1b[0m", ">")
            .replace("\x1b[1;39m", "<")
            .replace("\x1b[1;34m", "<")
            .replace("\x1b[0;39m", "<");
        assert_eq!(marked, "<{>\n  <\"a\"><:> <[>\n    <1>\n  <]>\n<}>\n<[> <]>\n\t<2> \r\n");
    }

    #[test]
    fn invisible_characters_in_strings_are_escaped() {
        let text = "{\"\u{7f}\u{80}\u{9b}31m\u{61c}\":\"a\u{202e}b\u{2066}\u{feff}\u{e0041}é\u{200d}日🙂\"}";
        let expected = "{\"\\u007f\\u0080\\u009b31m\\u061c\":\"a\\u202eb\\u2066\\ufeff\\udb40\\udc41é\u{200d}日🙂\"}";
        for size in [1, 2, 3, 5, 100] {
            assert_eq!(colored(text, size, true, None), expected);
            assert_eq!(colored(text, size, false, None), text);
        }
        for padding in 0..70 {
            let text = format!("\"{}\u{202e}\u{7f}\"", "x".repeat(padding));
            let expected = format!("\"{}\\u202e\\u007f\"", "x".repeat(padding));
            assert_eq!(colored(&text, 1000, true, None), expected);
        }
    }

    #[test]
    fn no_character_controls_the_terminal() {
        for character in (' '..=char::MAX).filter(|character| !matches!(character, '"' | '\\')) {
            let text = format!("\"{character}\"");
            let shown = colored(&text, 1, true, None);
            let value: String = serde_json::from_str(&shown).expect("a string");
            assert_eq!(value.chars().collect::<Vec<_>>(), [character]);
            assert!(!shown.chars().any(char::is_control), "{shown:?}");
        }
    }

    #[test]
    fn incomplete_text_ends_with_a_reset() {
        for text in ["[", "[\"a", "[\"a\\", "[1", "{\"a\": tr", "[\"\u{202e}"] {
            let cut = &text.as_bytes()[..text.len() - usize::from(text.ends_with('\u{202e}'))];
            let mut colorizer = Colorizer::new(Some(&Colors::default()), true);
            let mut out = Vec::new();
            colorizer.write(cut, &mut out);
            colorizer.end(&mut out);
            assert!(out.ends_with(b"\x1b[0m"), "{text}");
            out.clear();
            // The next text begins without the state of this one.
            colorizer.write(b"\"b\"", &mut out);
            assert_eq!(out, b"\x1b[0;32m\"b\"\x1b[0m");
        }
    }
}
