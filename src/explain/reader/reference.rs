//! The same grammar once more, as a recursive descent over a whole document: the oracle of the reader.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Fault;

/// The verdict on a document.
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
        if self.blanks().is_none() {
            return Err(ErrorKind::EmptyInput);
        }
        self.value(ErrorKind::ExpectedValue)?;
        if self.blanks().is_some() { Err(ErrorKind::TrailingContent) } else { Ok(()) }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips whitespace; the byte behind it.
    fn blanks(&mut self) -> Option<u8> {
        while self.peek().is_some_and(|byte| b" \t\n\r".contains(&byte)) {
            self.at += 1;
        }
        self.peek()
    }

    /// Takes a byte if it is the wanted one, else fails with `otherwise`, or with the end.
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
        match self.blanks() {
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
        if self.blanks() != Some(close) {
            item(self, true)?;
            while self.blanks() != Some(close) {
                let is_closer = matches!(self.peek(), Some(b']' | b'}'));
                let kind = if is_closer { ErrorKind::MismatchedClose } else { ErrorKind::ExpectedCommaOrClose };
                self.expect(|byte| byte == b',', kind)?;
                item(self, false)?;
            }
        }
        self.at += 1;
        self.depth_left += 1;
        Ok(())
    }

    fn member(&mut self, first: bool) -> Verdict {
        match self.blanks() {
            None => return Err(ErrorKind::UnexpectedEnd),
            Some(b'"') => self.string()?,
            Some(_) if first => return Err(ErrorKind::ExpectedKeyOrClose),
            Some(_) => return Err(ErrorKind::ExpectedKey),
        }
        self.blanks();
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

    /// One character, as the standard library sees it.
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
            // The length of a bad sequence is that of its good front: its next byte is the bad one, unless it is the first.
            (None, Some(Some(length))) => {
                let is_begun = (0xC2..=0xF4).contains(&rest[0]);
                self.at += if is_begun { length } else { 0 };
                Err(ErrorKind::InvalidUtf8)
            }
            (None, _) => {
                self.at = self.text.len();
                Err(ErrorKind::UnexpectedEnd)
            }
        }
    }
}
