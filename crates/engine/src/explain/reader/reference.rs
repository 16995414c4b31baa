//! A recursive-descent implementation of the grammar, which the reader is tested against.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Fault;

/// Checks a document.
pub(super) fn check(text: &[u8], max_depth: u64) -> Result<(), Fault> {
    let mut descent = Descent { text, at: 0, depth_left: max_depth };
    descent.document().map_err(|kind| Fault::new(kind, descent.at as u64))
}

struct Descent<'a> {
    text: &'a [u8],
    at: usize,
    depth_left: u64,
}

type Verdict = Result<(), ErrorKind>;

impl Descent<'_> {
    fn document(&mut self) -> Verdict {
        if self.skip_whitespace().is_none() {
            return Err(ErrorKind::EmptyInput);
        }
        self.value(ErrorKind::ExpectedValue)?;
        if self.skip_whitespace().is_some() { Err(ErrorKind::TrailingContent) } else { Ok(()) }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips whitespace, and returns the byte after it.
    fn skip_whitespace(&mut self) -> Option<u8> {
        while self.peek().is_some_and(|byte| b" \t\n\r".contains(&byte)) {
            self.at += 1;
        }
        self.peek()
    }

    /// Consumes the next byte if `is_wanted`; otherwise fails with `otherwise`, or `UnexpectedEnd` at the end.
    fn expect(&mut self, is_wanted: impl Fn(u8) -> bool, otherwise: ErrorKind) -> Verdict {
        match self.peek() {
            None => Err(ErrorKind::UnexpectedEnd),
            Some(byte) if is_wanted(byte) => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(otherwise),
        }
    }

    fn value(&mut self, otherwise: ErrorKind) -> Verdict {
        match self.skip_whitespace() {
            None => Err(ErrorKind::UnexpectedEnd),
            Some(b'[') => self.container(b']', |descent, first| {
                descent.value(if first { ErrorKind::ExpectedValueOrClose } else { ErrorKind::ExpectedValue })
            }),
            Some(b'{') => self.container(b'}', Self::member),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            Some(_) => Err(otherwise),
        }
    }

    fn container(&mut self, close: u8, item: impl Fn(&mut Self, bool) -> Verdict) -> Verdict {
        self.depth_left = self.depth_left.checked_sub(1).ok_or(ErrorKind::DepthLimit)?;
        self.at += 1;
        if self.skip_whitespace() != Some(close) {
            item(self, true)?;
            while self.skip_whitespace() != Some(close) {
                let is_closing = matches!(self.peek(), Some(b']' | b'}'));
                let kind = if is_closing { ErrorKind::MismatchedClose } else { ErrorKind::ExpectedCommaOrClose };
                self.expect(|byte| byte == b',', kind)?;
                item(self, false)?;
            }
        }
        self.at += 1;
        self.depth_left += 1;
        Ok(())
    }

    fn member(&mut self, first: bool) -> Verdict {
        match self.skip_whitespace() {
            None => return Err(ErrorKind::UnexpectedEnd),
            Some(b'"') => self.string()?,
            Some(_) if first => return Err(ErrorKind::ExpectedKeyOrClose),
            Some(_) => return Err(ErrorKind::ExpectedKey),
        }
        self.skip_whitespace();
        self.expect(|byte| byte == b':', ErrorKind::ExpectedColon)?;
        self.value(ErrorKind::ExpectedValue)
    }

    fn word(&mut self, word: &[u8]) -> Verdict {
        word.iter().try_for_each(|&letter| self.expect(|byte| byte == letter, ErrorKind::InvalidLiteral))
    }

    fn digits(&mut self) -> Verdict {
        self.expect(|byte| byte.is_ascii_digit(), ErrorKind::InvalidNumber)?;
        while self.expect(|byte| byte.is_ascii_digit(), ErrorKind::InvalidNumber).is_ok() {}
        Ok(())
    }

    fn number(&mut self) -> Verdict {
        let _ = self.expect(|byte| byte == b'-', ErrorKind::InvalidNumber);
        if self.peek() == Some(b'0') {
            self.at += 1;
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(ErrorKind::LeadingZero);
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            let _ = self.expect(|byte| byte == b'+' || byte == b'-', ErrorKind::InvalidNumber);
            self.digits()?;
        }
        Ok(())
    }

    fn string(&mut self) -> Verdict {
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.expect(|byte| b"\"\\/bfnrtu".contains(&byte), ErrorKind::InvalidEscape)?;
                    if self.text[self.at - 1] == b'u' {
                        for _ in 0..4 {
                            self.expect(|byte| byte.is_ascii_hexdigit(), ErrorKind::InvalidUnicodeEscape)?;
                        }
                    }
                }
                _ => {
                    self.expect(|byte| byte >= 0x20, ErrorKind::ControlCharacter)?;
                    self.at -= 1;
                    self.character()?;
                }
            }
        }
    }

    /// Reads one character, decoded by the standard library.
    fn character(&mut self) -> Verdict {
        let rest = &self.text[self.at..self.text.len().min(self.at + 4)];
        let (valid, bad) = match std::str::from_utf8(rest) {
            Ok(valid) => (valid, None),
            Err(error) => (std::str::from_utf8(&rest[..error.valid_up_to()]).expect("valid"), Some(error.error_len())),
        };
        match (valid.chars().next(), bad) {
            (Some(character), _) => {
                self.at += character.len_utf8();
                Ok(())
            }
            // `length` counts the bytes before the invalid one; if the first byte is invalid, it is 1.
            (None, Some(Some(length))) => {
                let starts_character = (0xC2..=0xF4).contains(&rest[0]);
                self.at += if starts_character { length } else { 0 };
                Err(ErrorKind::InvalidUtf8)
            }
            (None, _) => {
                self.at = self.text.len();
                Err(ErrorKind::UnexpectedEnd)
            }
        }
    }
}
