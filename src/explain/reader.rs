//! The precise reader: RFC 8259 as a machine that takes one byte after the other and stops at the first bad one.
//!
//! The engine says only that a tile is bad. This machine says which byte and why; it can start over behind any comma
//! whose open containers are known, so only the last window has to be kept for it, and it can be cloned and fed on at
//! any byte. It is also the plain statement of the grammar that every kernel is compared with.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Fault;
use crate::grammar::Kinds;
use std::collections::TryReserveError;

/// A strict reader of one document.
#[derive(Debug)]
pub(crate) struct Reader {
    state: State,
    kinds: Kinds,
    /// Whether the string that is being read is a name.
    name: bool,
    offset: u64,
    max_depth: u64,
}

/// What has been read, by what may follow.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Nothing but whitespace.
    Start,
    /// `:`, or `,` in an array: a value must follow.
    Value,
    /// `[`
    FirstElement,
    /// `,` in an object: a name must follow.
    Name,
    /// `{`
    FirstName,
    /// A name: a colon must follow.
    Colon,
    /// A value.
    After,
    /// `"` and what is in the string so far.
    Text,
    /// `\`
    Escape,
    /// `\u`; so many hexadecimal digits must follow.
    Hex(u8),
    /// A character of which `left` bytes must follow, the first of them from `low` to `high` (RFC 3629, section 4).
    Character { left: u8, low: u8, high: u8 },
    /// `-`
    Minus,
    /// `0` at the front of a number.
    Zero,
    /// The digits before the decimal point.
    Integer,
    /// `.`
    Point,
    /// The digits behind the decimal point.
    Fraction,
    /// `e`
    Exponent,
    /// `e+` or `e-`
    ExponentSign,
    /// The digits of the exponent.
    ExponentDigits,
    /// The first letters of `true`, `false` or `null`; these must follow, the next one in the lowest byte, zero behind
    /// the last. Four bytes instead of a slice, so that a state fits a register.
    Literal(u32),
}

impl Reader {
    /// A reader at the start of a document, which stands at `offset`.
    pub(crate) fn new(offset: u64, max_depth: Option<u64>) -> Self {
        Self::from_state(State::Start, offset, Kinds::new(), max_depth)
    }

    /// A reader at `offset`, just behind a comma inside containers of these `kinds`.
    pub(crate) fn after_comma(offset: u64, kinds: Kinds, max_depth: Option<u64>) -> Self {
        let state = if kinds.top() == Some(true) { State::Name } else { State::Value };
        Self::from_state(state, offset, kinds, max_depth)
    }

    fn from_state(state: State, offset: u64, kinds: Kinds, max_depth: Option<u64>) -> Self {
        Self { state, kinds, name: false, offset, max_depth: max_depth.unwrap_or(u64::MAX) }
    }

    /// A copy, if there is memory for it.
    pub(crate) fn copied(&self) -> Result<Self, TryReserveError> {
        Ok(Self { kinds: self.kinds.copied()?, ..*self })
    }

    /// Where the next byte stands; after a fault, where the fault is.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether what has been read ends in a name, or between a name and its colon.
    pub(crate) fn is_in_name(&self) -> bool {
        match self.state {
            State::Text | State::Escape | State::Hex(_) | State::Character { .. } => self.name,
            State::Colon => true,
            _ => false,
        }
    }

    /// Reads on. After a fault the reader is of no more use.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut rest = bytes;
        let verdict = loop {
            rest = &rest[self.run(rest)..];
            let Some((&byte, behind)) = rest.split_first() else { break Ok(()) };
            match self.step(byte) {
                Ok(()) => rest = behind,
                Err(kind) => break Err(kind),
            }
        };
        self.offset += (bytes.len() - rest.len()) as u64;
        verdict.map_err(|kind| self.fault(kind))
    }

    /// The verdict if nothing follows.
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

    /// How many bytes at the front of `bytes` leave the state as it is, as far as that is quickly seen.
    fn run(&self, bytes: &[u8]) -> usize {
        match self.state {
            State::Text => plain_text(bytes),
            State::Integer | State::Fraction | State::ExponentDigits => {
                bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
            }
            State::Start
            | State::Value
            | State::FirstElement
            | State::Name
            | State::FirstName
            | State::Colon
            | State::After => bytes.iter().take_while(|&&byte| is_blank(byte)).count(),
            _ => 0,
        }
    }

    /// Takes one byte.
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
                behind => State::Literal(behind),
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
            state if is_blank(byte) => state,
            State::After => self.after(byte)?,
            State::Colon if byte == b':' => State::Value,
            State::Colon => return Err(ErrorKind::ExpectedColon),
            State::Name | State::FirstName if byte == b'"' => self.string(true),
            State::Name => return Err(ErrorKind::ExpectedKey),
            State::FirstName if byte == b'}' => self.close(),
            State::FirstName => return Err(ErrorKind::ExpectedKeyOrClose),
            State::FirstElement if byte == b']' => self.close(),
            State::FirstElement => self.value(byte, ErrorKind::ExpectedValueOrClose)?,
            State::Start | State::Value => self.value(byte, ErrorKind::ExpectedValue)?,
        };
        Ok(())
    }

    /// The first byte of a value, or `otherwise`.
    fn value(&mut self, byte: u8, otherwise: ErrorKind) -> Result<State, ErrorKind> {
        Ok(match byte {
            b'"' => self.string(false),
            b'{' | b'[' => {
                if self.kinds.len() >= self.max_depth {
                    return Err(ErrorKind::DepthLimit);
                }
                self.kinds.push(byte == b'{').map_err(|_| ErrorKind::OutOfMemory)?;
                if byte == b'{' { State::FirstName } else { State::FirstElement }
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

    /// The first byte behind a value that is not a digit of it.
    fn after(&mut self, byte: u8) -> Result<State, ErrorKind> {
        let object = self.kinds.top();
        match (byte, object) {
            (b' ' | b'\t' | b'\n' | b'\r', _) => Ok(State::After),
            (_, None) => Err(ErrorKind::TrailingContent),
            (b',', Some(true)) => Ok(State::Name),
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

    fn string(&mut self, name: bool) -> State {
        self.name = name;
        State::Text
    }

    /// A byte of a string.
    fn text(&self, byte: u8) -> Result<State, ErrorKind> {
        let (left, low, high) = match byte {
            b'"' => return Ok(if self.name { State::Colon } else { State::After }),
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

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// How many bytes at the front of `bytes` are text that needs no look: whole characters, without quotes, backslashes and
/// controls.
fn plain_text(bytes: &[u8]) -> usize {
    let is_plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    // No early exit inside a chunk, so that it becomes a few vector instructions.
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
