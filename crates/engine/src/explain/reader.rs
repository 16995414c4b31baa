//! The precise reader: a byte-by-byte state machine for RFC 8259 that stops at the first invalid byte.
//!
//! The engine only reports that a tile is invalid; the reader determines which byte and why. It can start after any comma
//! if the open containers are known, so only the last window must be kept in memory for it. It can be copied at any byte.
//! It is also the reference implementation of the grammar that all kernels are tested against.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Fault;
use crate::grammar::Kinds;
use crate::grammar::is_whitespace;
use std::collections::TryReserveError;

/// A strict reader of one document.
#[derive(Debug)]
pub(crate) struct Reader {
    state: State,
    kinds: Kinds,
    /// Whether the current string is a key.
    is_key: bool,
    offset: u64,
    max_depth: u64,
}

/// What has been read, classified by what may follow.
#[derive(Clone, Copy, Debug)]
enum State {
    /// At most whitespace.
    Start,
    /// `:`, or `,` in an array: a value must follow.
    Value,
    /// `[`
    FirstElement,
    /// `,` in an object: a key must follow.
    Key,
    /// `{`
    FirstKey,
    /// A key: a colon must follow.
    Colon,
    /// A value.
    After,
    /// `"`, and the characters of the string so far.
    Text,
    /// `\`
    Escape,
    /// `\u`; this many hexadecimal digits must follow.
    Hex(u8),
    /// The start of a character; `left` more bytes must follow, the next from `low` to `high` (RFC 3629, section 4).
    Character { left: u8, low: u8, high: u8 },
    /// `-`
    Minus,
    /// `0` as the first digit of a number.
    Zero,
    /// The digits before the decimal point.
    Integer,
    /// `.`
    Point,
    /// The digits after the decimal point.
    Fraction,
    /// `e`
    Exponent,
    /// `e+` or `e-`
    ExponentSign,
    /// The digits of the exponent.
    ExponentDigits,
    /// The start of `true`, `false` or `null`. The letters that must follow, the next in the lowest byte, zero after the
    /// last. An integer instead of a slice, so that a state fits into a register.
    Literal(u32),
}

/// What the reader has read after an error that was repaired.
#[derive(Clone, Copy)]
pub(super) enum Next {
    /// What it had read before.
    Same,
    /// A complete value, or a comma that is not there.
    Value,
    /// A key.
    Key,
    /// A colon.
    Colon,
    /// A comma.
    Comma,
    /// A character of a string.
    Text,
}

impl Reader {
    /// Returns a reader for a document that starts at `offset`.
    pub(crate) fn new(offset: u64, max_depth: Option<u64>) -> Self {
        Self::from_state(State::Start, offset, Kinds::new(), max_depth)
    }

    /// Returns a reader that starts at `offset`, directly after a comma inside containers of these `kinds`.
    pub(crate) fn after_comma(offset: u64, kinds: Kinds, max_depth: Option<u64>) -> Self {
        let state = if kinds.top() == Some(true) { State::Key } else { State::Value };
        Self::from_state(state, offset, kinds, max_depth)
    }

    fn from_state(state: State, offset: u64, kinds: Kinds, max_depth: Option<u64>) -> Self {
        Self { state, kinds, is_key: false, offset, max_depth: max_depth.unwrap_or(u64::MAX) }
    }

    /// Returns a copy, if there is memory for it.
    pub(crate) fn copied(&self) -> Result<Self, TryReserveError> {
        Ok(Self { kinds: self.kinds.copied()?, ..*self })
    }

    /// The offset of the next byte; after a fault, the offset of the fault.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the reader is inside a key, or between a key and its colon.
    pub(crate) fn is_in_key(&self) -> bool {
        match self.state {
            State::Text | State::Escape | State::Hex(_) | State::Character { .. } => self.is_key,
            State::Colon => true,
            _ => false,
        }
    }

    /// Whether the innermost open container is an object; `None` if none is open.
    pub(super) fn is_in_object(&self) -> Option<bool> {
        self.kinds.top()
    }

    /// Goes on at `offset` after a fault that was repaired.
    pub(super) fn resume(&mut self, next: Next, offset: u64) {
        self.offset = offset;
        self.state = match next {
            Next::Same => match self.state {
                State::Zero | State::Integer | State::Fraction | State::ExponentDigits => State::After,
                state => state,
            },
            Next::Value => State::After,
            Next::Key => State::Colon,
            Next::Comma if self.kinds.top() == Some(true) => State::Key,
            Next::Colon | Next::Comma => State::Value,
            Next::Text => State::Text,
        };
    }

    /// Reads more bytes. After a fault, the reader must be [resumed](Self::resume) before it is used again.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut rest = bytes;
        let verdict = loop {
            rest = &rest[self.run(rest)..];
            let Some((&byte, after)) = rest.split_first() else { break Ok(()) };
            match self.step(byte) {
                Ok(()) => rest = after,
                Err(kind) => break Err(kind),
            }
        };
        self.offset += (bytes.len() - rest.len()) as u64;
        verdict.map_err(|kind| self.fault(kind))
    }

    /// Checks whether the document may end here.
    pub(crate) fn finish(&self) -> Result<(), Fault> {
        match self.state {
            State::Start => Err(self.fault(ErrorKind::EmptyInput)),
            State::After | State::Zero | State::Integer | State::Fraction | State::ExponentDigits
                if self.kinds.len() == 0 =>
            {
                Ok(())
            }
            _ => Err(self.fault(ErrorKind::UnexpectedEnd)),
        }
    }

    fn fault(&self, kind: ErrorKind) -> Fault {
        Fault::new(kind, self.offset)
    }

    /// Returns how many leading bytes do not change the state, as far as that can be determined quickly.
    fn run(&self, bytes: &[u8]) -> usize {
        match self.state {
            State::Text => plain_text(bytes),
            State::Integer | State::Fraction | State::ExponentDigits => {
                bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
            }
            State::Start
            | State::Value
            | State::FirstElement
            | State::Key
            | State::FirstKey
            | State::Colon
            | State::After => bytes.iter().take_while(|&&byte| is_whitespace(byte)).count(),
            _ => 0,
        }
    }

    /// Reads one byte.
    #[inline]
    fn step(&mut self, byte: u8) -> Result<(), ErrorKind> {
        self.state = match self.state {
            State::Text => self.text(byte)?,
            State::Escape => match byte {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => State::Text,
                b'u' => State::Hex(4),
                _ => return Err(ErrorKind::InvalidEscape),
            },
            State::Hex(left) => match byte {
                b'0'..=b'9' | b'A'..=b'F' | b'a'..=b'f' if left == 1 => State::Text,
                b'0'..=b'9' | b'A'..=b'F' | b'a'..=b'f' => State::Hex(left - 1),
                _ => return Err(ErrorKind::InvalidUnicodeEscape),
            },
            State::Character { left, low, high } => match byte {
                _ if byte < low || byte > high => return Err(ErrorKind::InvalidUtf8),
                _ if left == 1 => State::Text,
                _ => State::Character { left: left - 1, low: 0x80, high: 0xBF },
            },
            State::Literal(letters) => match letters >> 8 {
                _ if letters & 0xFF != u32::from(byte) => return Err(ErrorKind::InvalidLiteral),
                0 => State::After,
                following => State::Literal(following),
            },
            State::Minus => match byte {
                b'0' => State::Zero,
                b'1'..=b'9' => State::Integer,
                _ => return Err(ErrorKind::InvalidNumber),
            },
            State::Point => match byte {
                b'0'..=b'9' => State::Fraction,
                _ => return Err(ErrorKind::InvalidNumber),
            },
            State::Exponent if matches!(byte, b'+' | b'-') => State::ExponentSign,
            State::Exponent | State::ExponentSign => match byte {
                b'0'..=b'9' => State::ExponentDigits,
                _ => return Err(ErrorKind::InvalidNumber),
            },
            State::Zero if byte.is_ascii_digit() => return Err(ErrorKind::LeadingZero),
            State::Zero | State::Integer if byte == b'.' => State::Point,
            State::Zero | State::Integer | State::Fraction if matches!(byte, b'e' | b'E') => State::Exponent,
            State::Integer | State::Fraction | State::ExponentDigits if byte.is_ascii_digit() => self.state,
            State::Zero | State::Integer | State::Fraction | State::ExponentDigits => self.after(byte)?,
            state if is_whitespace(byte) => state,
            State::After => self.after(byte)?,
            State::Colon if byte == b':' => State::Value,
            State::Colon => return Err(ErrorKind::ExpectedColon),
            State::Key | State::FirstKey if byte == b'"' => self.string(true),
            State::Key => return Err(ErrorKind::ExpectedKey),
            State::FirstKey if byte == b'}' => self.close(),
            State::FirstKey => return Err(ErrorKind::ExpectedKeyOrClose),
            State::FirstElement if byte == b']' => self.close(),
            State::FirstElement => self.value(byte, ErrorKind::ExpectedValueOrClose)?,
            State::Start | State::Value => self.value(byte, ErrorKind::ExpectedValue)?,
        };
        Ok(())
    }

    /// Reads the first byte of a value; fails with `otherwise` if no value begins with it.
    fn value(&mut self, byte: u8, otherwise: ErrorKind) -> Result<State, ErrorKind> {
        Ok(match byte {
            b'"' => self.string(false),
            b'{' | b'[' => {
                if self.kinds.len() >= self.max_depth {
                    return Err(ErrorKind::DepthLimit);
                }
                self.kinds.push(byte == b'{').map_err(|_| ErrorKind::OutOfMemory)?;
                if byte == b'{' { State::FirstKey } else { State::FirstElement }
            }
            b'-' => State::Minus,
            b'0' => State::Zero,
            b'1'..=b'9' => State::Integer,
            b't' => State::Literal(u32::from_le_bytes(*b"rue\0")),
            b'f' => State::Literal(u32::from_le_bytes(*b"alse")),
            b'n' => State::Literal(u32::from_le_bytes(*b"ull\0")),
            _ => return Err(otherwise),
        })
    }

    /// Reads the first byte after a value.
    fn after(&mut self, byte: u8) -> Result<State, ErrorKind> {
        let object = self.kinds.top();
        match (byte, object) {
            _ if is_whitespace(byte) => Ok(State::After),
            (_, None) => Err(ErrorKind::TrailingContent),
            (b',', Some(true)) => Ok(State::Key),
            (b',', Some(false)) => Ok(State::Value),
            (b'}', Some(true)) | (b']', Some(false)) => Ok(self.close()),
            (b'}' | b']', _) => Err(ErrorKind::MismatchedClose),
            _ => Err(ErrorKind::ExpectedCommaOrClose),
        }
    }

    fn close(&mut self) -> State {
        self.kinds.pop();
        State::After
    }

    fn string(&mut self, is_key: bool) -> State {
        self.is_key = is_key;
        State::Text
    }

    /// Reads a byte of a string.
    fn text(&self, byte: u8) -> Result<State, ErrorKind> {
        let (left, low, high) = match byte {
            b'"' => return Ok(if self.is_key { State::Colon } else { State::After }),
            b'\\' => return Ok(State::Escape),
            0x00..=0x1F => return Err(ErrorKind::ControlCharacter),
            0x20..=0x7F => return Ok(State::Text),
            0xC2..=0xDF => (1, 0x80, 0xBF),
            0xE0 => (2, 0xA0, 0xBF),
            0xED => (2, 0x80, 0x9F),
            0xE1..=0xEF => (2, 0x80, 0xBF),
            0xF0 => (3, 0x90, 0xBF),
            0xF1..=0xF3 => (3, 0x80, 0xBF),
            0xF4 => (3, 0x80, 0x8F),
            0x80..=0xC1 | 0xF5..=0xFF => return Err(ErrorKind::InvalidUtf8),
        };
        Ok(State::Character { left, low, high })
    }
}

/// Returns the number of leading bytes that are complete characters other than quotes, backslashes and control characters.
fn plain_text(bytes: &[u8]) -> usize {
    let is_plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    // No early exit inside a chunk, so that the compiler vectorizes the loop.
    let (chunks, _) = bytes.as_chunks::<32>();
    let plain_chunks =
        chunks.iter().take_while(|chunk| chunk.iter().fold(true, |plain, &byte| plain & is_plain(byte))).count();
    let rest = &bytes[32 * plain_chunks..];
    let length = 32 * plain_chunks + rest.iter().take_while(|&&byte| is_plain(byte)).count();
    match std::str::from_utf8(&bytes[..length]) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    }
}

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
