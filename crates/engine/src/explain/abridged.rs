//! What an error needs of the start of a long document, after its text has left memory.
//!
//! The JSON Pointer of an error needs one key or number for each open container, and its message the innermost opening bracket and the
//! last token. So the text is replaced by a short one with the same open containers and the same last tokens. Errors are explained
//! with it as if it were the document; the true places of its brackets and tokens are kept beside it.
//!
//! ```text
//! document   {"a": 1, "b": [1, {"c": [true], "d": "text
//! abridged   {,"b":[{,"d":"text
//! ```

#![forbid(unsafe_code)]

use crate::error::Position;
use crate::explain::place::KEY_LENGTH;
use crate::explain::place::LEVELS;
use crate::explain::place::TokenReader;
use crate::explain::substitute::Known;
use crate::explain::substitute::Substitute;
use crate::explain::substitute::place;
use crate::grammar::Level;
use crate::grammar::OpenContainers;
use crate::grammar::WHOLE;
use crate::input::advance;

/// Number of bytes that are read at once. A multiple of [`WHOLE`].
const PART: usize = 64 << 10;

/// Maximum length of a token that is kept. A longer key does not fit into a JSON Pointer, and neither does what follows it.
const TOKEN: usize = KEY_LENGTH + 8;

/// Number of tokens after a bracket or comma that are kept, besides the last one: in valid text, a key and its colon.
const TOKENS: usize = 3;

/// The start of a document, reduced to what errors after it need.
#[derive(Debug)]
pub(crate) struct Abridged {
    /// Offset of the document.
    document: u64,
    /// Offset of the text after it.
    end: u64,
    /// The text that stands for that of the document.
    text: Vec<u8>,
    /// The containers that are open after it. Indexes are those of `text`.
    open: OpenContainers,
    /// The places of brackets and tokens in the document.
    known: Vec<Known>,
}

impl Abridged {
    pub(crate) fn new(document: u64) -> Self {
        Self { document, end: document, text: Vec::new(), open: OpenContainers::default(), known: Vec::new() }
    }

    /// Returns the offset of the document.
    pub(crate) fn document(&self) -> u64 {
        self.document
    }

    /// Returns the offset of the text that has not been taken.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Takes the text at [`end`](Self::end), except for less than [`WHOLE`] bytes at its end. `at` is the position of its first byte.
    pub(crate) fn take(&mut self, text: &[u8], at: Position) {
        let mut at = at;
        for part in text[..text.len() / WHOLE * WHOLE].chunks(PART) {
            let read = self.text.len();
            self.text.extend_from_slice(part);
            self.open.read(&self.text[read..], read, LEVELS);
            self.shorten(read, at);
            at = advance(at, part);
            self.end += part.len() as u64;
        }
    }

    /// Returns the text that stands for the document up to a fault, to which `after` continues. `here` follows the fault.
    pub(super) fn substitute(&self, after: &[u8], here: &[u8]) -> Substitute {
        let mut known = self.known.clone();
        known.push(Known { index: self.text.len(), offset: self.end - self.document, position: None });
        Substitute {
            text: [&self.text, after, here].concat(),
            length: self.text.len() + after.len(),
            known,
            open: self.open.clone(),
            read: self.text.len(),
        }
    }

    /// Replaces the text by a shorter one. What follows index `read` is new, and `at` is the position of its first byte.
    fn shorten(&mut self, read: usize, at: Position) {
        let offset = self.end - self.document;
        let mut places = Places { text: &self.text, known: &self.known, read, offset, next: read, at };
        let (old, mut text, mut known) = (&self.text, Vec::new(), Vec::new());
        let mut last_is_kept = false;
        let mut room = TOKEN;
        for (number, level) in self.open.levels.iter_mut().enumerate() {
            let is_innermost = number + 1 == self.open.depth;
            known.push(places.of(level.opener, text.len()));
            let Level { opener, last, .. } = *level;
            level.opener = text.len();
            text.push(old[opener]);
            // mutant: if last == opener {
            if last != opener {
                text.push(b',');
            }
            level.last = text.len() - 1;
            last_is_kept |= is_innermost && last == self.open.last;
            let key = (TokenReader { document: old, at: last + 1 }).next().map(|token| &old[token.span]);
            if old[opener] == b'{'
                && !is_innermost
                && let Some(key @ [b'"', ..]) = key
            {
                // After keys that fill a pointer, no others are needed.
                push_string(&mut text, key, room);
                room = room.saturating_sub(key.len());
                text.push(b':');
            }
        }
        let kept = usize::from(last_is_kept);
        let mut tokens = TokenReader { document: old, at: self.open.last + kept }.enumerate().peekable();
        self.open.last = text.len() - kept;
        while let Some((number, token)) = tokens.next() {
            // mutant: if tokens.peek().is_none() {
            if number < TOKENS || tokens.peek().is_none() {
                known.push(places.of(token.span.start, text.len()));
                push_token(&mut text, &old[token.span], token.is_complete);
            }
        }
        (self.text, self.known) = (text, known);
    }
}

/// The places of a text that is about to be shortened.
struct Places<'a> {
    text: &'a [u8],
    known: &'a [Known],
    /// Index of the part that was read last, and its offset in the document.
    read: usize,
    offset: u64,
    /// An index in that part, and its position.
    next: usize,
    at: Position,
}

impl Places<'_> {
    /// Returns the place of the byte at `index`, which becomes the one at index `new`. Indexes are passed in order.
    fn of(&mut self, index: usize, new: usize) -> Known {
        if index < self.read {
            let (offset, position) = place(self.known, index);
            return Known { index: new, offset, position };
        }
        self.at = advance(self.at, &self.text[self.next.min(index)..index]);
        // mutant:
        self.next = index;
        Known { index: new, offset: self.offset + (index - self.read) as u64, position: Some(self.at) }
    }
}

/// Appends a token, shortened if it is long. If it is not complete, what follows the text continues it.
fn push_token(text: &mut Vec<u8>, token: &[u8], is_complete: bool) {
    match token {
        [b'"', ..] if is_complete => push_string(text, token, TOKEN),
        [b'"', ..] => {
            text.extend_from_slice(whole_escapes(&token[..token.len().min(TOKEN)]));
            // mutant:
            text.extend_from_slice(&token[whole_escapes(token).len()..]);
        }
        [.., last] if token.len() > TOKEN => {
            text.extend_from_slice(&token[..TOKEN]);
            text.push(*last);
        }
        _ => text.extend_from_slice(token),
    }
    if is_complete && !matches!(token, [b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':', ..]) {
        text.push(b' ');
    }
}

/// Appends a string of at most `most` bytes and a quote.
fn push_string(text: &mut Vec<u8>, string: &[u8], most: usize) {
    if string.len() <= most {
        text.extend_from_slice(string);
    } else {
        text.push(b'"');
        text.extend_from_slice(whole_escapes(&string[1..most.max(1)]));
        text.push(b'"');
    }
}

/// Returns the start of a string without the backslash at its end, if that begins an escape.
fn whole_escapes(string: &[u8]) -> &[u8] {
    let backslashes = string.iter().rev().take_while(|&&byte| byte == b'\\').count();
    &string[..string.len() - backslashes % 2]
}

#[cfg(test)]
mod tests {
    use super::Abridged;
    use super::TOKEN;
    use super::WHOLE;
    use crate::error::Error;
    use crate::explain::LOOK_AHEAD;
    use crate::explain::LOOK_BACK;
    use crate::explain::Reader;
    use crate::explain::Text;
    use crate::explain::explain;
    use crate::explain::random::Random;
    use crate::input::START;

    /// The first error of a document, and the error explained after its start was abridged in random steps. `None` if it is valid.
    fn errors(document: &[u8], random: &mut Random) -> Option<[Error; 2]> {
        let mut reader = Reader::new(0, None);
        let fault = reader.feed(document).and_then(|()| reader.finish()).err()?;
        let index = usize::try_from(fault.offset).expect("it fits");
        let mut abridged = Abridged::new(0);
        let mut released = 0;
        while released < index {
            let most = WHOLE << random.below(7);
            released = (released + random.below(most) + 1).min(index);
            let end = usize::try_from(abridged.end()).expect("it fits");
            let whole = Text::whole(document);
            abridged.take(&document[end..released], whole.position(end));
            assert!(abridged.text.len() <= 8 * TOKEN, "{} bytes of {released}", abridged.text.len());
        }
        let end = usize::try_from(abridged.end()).expect("it fits");
        assert!(end + WHOLE > index);
        let base = end.saturating_sub(LOOK_BACK);
        let whole = Text::whole(&document[..document.len().min(index + LOOK_AHEAD)]);
        let text = Text {
            bytes: &whole.bytes[base..],
            base: base as u64,
            at: whole.position(base),
            abridged: Some(&abridged),
            ..whole
        };
        Some([explain(fault, &whole), explain(fault, &text)])
    }

    /// Errors are the same, down to the last character, whether a document is in memory or was abridged.
    fn compare(document: &[u8], random: &mut Random) {
        if let Some([whole, abridged]) = errors(document, random) {
            let end = String::from_utf8_lossy(&document[document.len().saturating_sub(200)..]);
            assert_eq!(format!("{abridged:#?}"), format!("{whole:#?}"), "{} bytes: {end}", document.len());
        }
    }

    /// Random documents with line breaks, long strings and long numbers, with an error somewhere.
    #[test]
    fn an_error_after_abridged_text_is_the_same() {
        for seed in 1..100 {
            let mut random = Random::new(seed);
            let mut document = String::from("[");
            while document.len() < 3000 + random.below(6000) {
                let filler = match random.below(6) {
                    0 => format!("\"{}\"", "\\\\\\\"é\\u00e9".repeat(random.below(300))),
                    1 => format!("1{}", "0".repeat(random.below(2000))),
                    2 => " \n".repeat(random.below(1000)) + "[]",
                    3 => format!("{{\"{}\": {{\"\\\"~/\":\n{}", "k\\\\".repeat(random.below(200)), random.document()),
                    4 => "[[".to_owned() + &random.document(),
                    _ => random.document(),
                };
                document = document + &filler + ",\n";
            }
            let mut document = document.into_bytes();
            compare(&document, &mut random);
            for _ in 0..10 {
                let at = document.len() - random.below(document.len() / 4);
                document.truncate(at);
                document.extend_from_slice(
                    [&b"x"[..], b"\"", b" 1 2", b"]", b"}", b",,", b":", b"\\", b""][random.below(9)],
                );
                compare(&document, &mut random);
            }
        }
    }

    /// Keys that do not fit into a pointer, tokens that are longer than what is kept of them, and great depth.
    #[test]
    fn long_tokens_and_great_depth() {
        let mut random = Random::new(1);
        let spaces = " ".repeat(WHOLE);
        for length in [4096, TOKEN - 2, 2 * TOKEN] {
            for (unit, count) in [("k", length), ("\\\\", length / 2), ("\\u00e9", length / 6), ("é", length / 2)] {
                let long = unit.repeat(count);
                for odd in ["", "a"] {
                    for end in ["", "\"", "\" ", "\":", "\": 1x", "\": {\"a\": \"", "\": [1, [\n2 3"] {
                        let start = ["[\"", "{\n\"a\": {\""][random.below(2)];
                        compare(format!("{start}{odd}{long}{end}{spaces}").as_bytes(), &mut random);
                    }
                }
            }
        }
        for number in ["1", "-", "1.", "1e+"] {
            compare(format!("[{}{number}", "1".repeat(3 * TOKEN)).as_bytes(), &mut random);
        }
        let deep = "[{\"a\":".repeat(400) + &format!("[{{\"{}\":", "k".repeat(40)).repeat(200);
        for end in ["1 2", "\"", "{\"b\" 1", "[{\"x\": 1,, "] {
            compare(format!("{deep}{end}").as_bytes(), &mut random);
            compare(format!("{deep}[{spaces}{spaces}1{end}").as_bytes(), &mut random);
        }
    }

    /// The innermost container is unknown if it is deeper than what is kept, and has left memory.
    #[test]
    fn an_unknown_container() {
        let mut abridged = Abridged::new(0);
        let start = format!("{}1,", "[".repeat(2000)) + &"[1],".repeat(WHOLE);
        let (start, end) = start.split_at(start.len() / WHOLE * WHOLE);
        abridged.take(start.as_bytes(), START);
        let substitute = abridged.substitute(end.as_bytes(), b"");
        let place = crate::explain::FaultPlace::after(&substitute.text, &substitute.open, substitute.read);
        assert_eq!((place.depth, place.has_opener()), (2000, false));
    }
}
