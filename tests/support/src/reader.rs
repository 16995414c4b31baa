//! The reference reader: RFC 8259 byte by byte, top down, with a stack of brackets.
//!
//! It gives the expected result: valid or not, the kind of the first error and its offset, which is that of the first
//! byte that no valid document with the same beginning can have (or the length, if only the end is missing). Its
//! verdict is compared with `serde_json` wherever it is used; see [`oracle`].

use fjson::ErrorKind;
use std::str;

/// Valid, or the kind of the first error and its offset.
pub type Verdict = Result<(), (ErrorKind, usize)>;

/// The verdict of independent code: `serde_json` for the grammar, the standard library for UTF-8.
#[must_use]
pub fn oracle(document: &[u8]) -> bool {
    let mut reader = serde_json::Deserializer::from_slice(document);
    reader.disable_recursion_limit();
    let grammar =
        <serde::de::IgnoredAny as serde::Deserialize>::deserialize(&mut reader).is_ok() && reader.end().is_ok();
    grammar && str::from_utf8(document).is_ok()
}

/// The verdict on one document.
///
/// # Errors
/// The first error.
pub fn read(document: &[u8], max_depth: Option<u64>) -> Verdict {
    Reader::new(document, 0, max_depth).document()
}

/// What may follow at the next byte that is not whitespace.
#[derive(Clone, Copy)]
enum Next {
    Value,
    ValueOrClose,
    Name,
    NameOrClose,
    Colon,
    CommaOrClose,
}

/// A position in the text and the brackets open there.
pub struct Reader<'a> {
    text: &'a [u8],
    start: usize,
    at: usize,
    open: Vec<u8>,
    max_depth: Option<u64>,
}

impl<'a> Reader<'a> {
    /// A reader that starts at an offset of the text.
    #[must_use]
    pub fn new(text: &'a [u8], at: usize, max_depth: Option<u64>) -> Self {
        Self { text, start: at, at, open: Vec::new(), max_depth }
    }

    /// The current offset.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Whether the text ends here.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Whether a number or literal ends here, so that more of it might follow.
    #[must_use]
    pub fn is_behind_word(&self) -> bool {
        self.at > self.start && self.text[self.at - 1].is_ascii_alphanumeric()
    }

    /// Reads one document, which must be all of the text.
    ///
    /// # Errors
    /// The first error.
    pub fn document(&mut self) -> Verdict {
        self.value()?;
        self.blanks();
        if self.is_at_end() { Ok(()) } else { self.fail(ErrorKind::TrailingContent) }
    }

    /// Skips whitespace (RFC 8259, section 2).
    fn blanks(&mut self) {
        self.pass_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    /// Reads one value and stops after it.
    ///
    /// # Errors
    /// The first error.
    pub fn value(&mut self) -> Verdict {
        self.blanks();
        if self.peek().is_none() {
            return self.fail(ErrorKind::EmptyInput);
        }
        let mut next = Next::Value;
        loop {
            self.blanks();
            next = self.token(next)?;
            if matches!(next, Next::CommaOrClose) && self.open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Reads one token, and returns what may follow it.
    fn token(&mut self, next: Next) -> Result<Next, (ErrorKind, usize)> {
        let Some(byte) = self.peek() else { return self.fail(ErrorKind::UnexpectedEnd) };
        match (next, byte) {
            (Next::Value | Next::ValueOrClose, b'[') => self.push(byte, Next::ValueOrClose),
            (Next::Value | Next::ValueOrClose, b'{') => self.push(byte, Next::NameOrClose),
            (Next::ValueOrClose, b']') | (Next::NameOrClose, b'}') => Ok(self.pop()),
            (Next::Value | Next::ValueOrClose, b'"') => self.string().map(|()| Next::CommaOrClose),
            (Next::Value | Next::ValueOrClose, b'-' | b'0'..=b'9') => self.number().map(|()| Next::CommaOrClose),
            (Next::Value | Next::ValueOrClose, b't') => self.literal("true"),
            (Next::Value | Next::ValueOrClose, b'f') => self.literal("false"),
            (Next::Value | Next::ValueOrClose, b'n') => self.literal("null"),
            (Next::Name | Next::NameOrClose, b'"') => self.string().map(|()| Next::Colon),
            (Next::Colon, b':') => Ok(self.pass(Next::Value)),
            (Next::CommaOrClose, b',') if self.open.last() == Some(&b'[') => Ok(self.pass(Next::Value)),
            (Next::CommaOrClose, b',') => Ok(self.pass(Next::Name)),
            (Next::CommaOrClose, b']' | b'}') if self.open.last() == Some(&(byte - 2)) => Ok(self.pop()),
            (Next::CommaOrClose, b']' | b'}') => self.fail(ErrorKind::MismatchedClose),
            (Next::Value, _) => self.fail(ErrorKind::ExpectedValue),
            (Next::ValueOrClose, _) => self.fail(ErrorKind::ExpectedValueOrClose),
            (Next::Name, _) => self.fail(ErrorKind::ExpectedKey),
            (Next::NameOrClose, _) => self.fail(ErrorKind::ExpectedKeyOrClose),
            (Next::Colon, _) => self.fail(ErrorKind::ExpectedColon),
            (Next::CommaOrClose, _) => self.fail(ErrorKind::ExpectedCommaOrClose),
        }
    }

    fn push(&mut self, bracket: u8, next: Next) -> Result<Next, (ErrorKind, usize)> {
        if self.max_depth.is_some_and(|max_depth| self.open.len() as u64 >= max_depth) {
            return self.fail(ErrorKind::DepthLimit);
        }
        self.open.push(bracket);
        Ok(self.pass(next))
    }

    fn pop(&mut self) -> Next {
        self.open.pop();
        self.pass(Next::CommaOrClose)
    }

    /// RFC 8259, section 3.
    fn literal(&mut self, literal: &str) -> Result<Next, (ErrorKind, usize)> {
        for expected in literal.bytes() {
            self.expect(|byte| byte == expected, ErrorKind::InvalidLiteral)?;
        }
        Ok(Next::CommaOrClose)
    }

    /// RFC 8259, section 6.
    fn number(&mut self) -> Verdict {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        self.expect(|byte| byte.is_ascii_digit(), ErrorKind::InvalidNumber)?;
        if leading_zero && self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.fail(ErrorKind::LeadingZero);
        }
        self.digits();
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.expect(|byte| byte.is_ascii_digit(), ErrorKind::InvalidNumber)?;
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.expect(|byte| byte.is_ascii_digit(), ErrorKind::InvalidNumber)?;
            self.digits();
        }
        Ok(())
    }

    /// RFC 8259, section 7.
    fn string(&mut self) -> Verdict {
        self.at += 1;
        loop {
            let Some(byte) = self.peek() else { return self.fail(ErrorKind::UnexpectedEnd) };
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.escape()?,
                0..0x20 => return self.fail(ErrorKind::ControlCharacter),
                0x20..0x80 => self.at += 1,
                0x80.. => self.character()?,
            }
        }
    }

    fn escape(&mut self) -> Verdict {
        self.at += 1;
        let unicode = self.peek() == Some(b'u');
        self.expect(|byte| b"\"\\/bfnrtu".contains(&byte), ErrorKind::InvalidEscape)?;
        for _ in 0..if unicode { 4 } else { 0 } {
            self.expect(|byte| byte.is_ascii_hexdigit(), ErrorKind::InvalidUnicodeEscape)?;
        }
        Ok(())
    }

    /// One character of several bytes, decoded by the standard library (RFC 3629).
    fn character(&mut self) -> Verdict {
        for length in 1..=4 {
            let Some(bytes) = self.text.get(self.at..self.at + length) else {
                self.at = self.text.len();
                return self.fail(ErrorKind::UnexpectedEnd);
            };
            match str::from_utf8(bytes) {
                Ok(_) => {
                    self.at += length;
                    return Ok(());
                }
                Err(error) if error.error_len().is_some() => {
                    self.at += length - 1;
                    return self.fail(ErrorKind::InvalidUtf8);
                }
                Err(_) => {}
            }
        }
        unreachable!("no character has more than four bytes")
    }

    fn digits(&mut self) {
        self.pass_while(|byte| byte.is_ascii_digit());
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn pass(&mut self, next: Next) -> Next {
        self.at += 1;
        next
    }

    fn pass_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    fn expect(&mut self, wanted: impl Fn(u8) -> bool, otherwise: ErrorKind) -> Verdict {
        match self.peek() {
            Some(byte) if wanted(byte) => {
                self.at += 1;
                Ok(())
            }
            Some(_) => self.fail(otherwise),
            None => self.fail(ErrorKind::UnexpectedEnd),
        }
    }

    /// An error at this offset.
    ///
    /// # Errors
    /// That error.
    pub fn fail<T>(&self, kind: ErrorKind) -> Result<T, (ErrorKind, usize)> {
        Err((if self.is_foreign() { ErrorKind::Encoding } else { kind }, self.at))
    }

    /// Whether the document starts with a byte order mark, or has the zero bytes of UTF-16 or UTF-32 (RFC 8259, section
    /// 8.1). Tested only where the text is invalid anyway.
    fn is_foreign(&self) -> bool {
        let text = &self.text[self.start..];
        let marked =
            matches!(text, [0xef, 0xbb, 0xbf, ..] | [0xfe, 0xff, ..] | [0xff, 0xfe, ..] | [0, 0, 0xfe, 0xff, ..]);
        let Some(&[first, second, third, fourth]) = text.first_chunk() else { return marked };
        let ascii = 1..0x80;
        let big_end_first = match [first, second] {
            [0, 0] => third == 0 && ascii.contains(&fourth),
            [0, _] => second == b'"' || ascii.contains(&second) && third == 0 && ascii.contains(&fourth),
            _ => false,
        };
        let little_end_first = self.at == self.start + 1
            && second == 0
            && match first {
                b'"' => true,
                1..0x80 => fourth == 0 && third < 0x80,
                _ => false,
            };
        marked || big_end_first || little_end_first
    }
}
