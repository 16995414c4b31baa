//! Makes objects of the tokens of a text.
//!
//! One loop follows the list of tokens. Objects go to a stack, and at the end of an array those that are in it become a list, whose
//! size is known by then. A dictionary is made at the beginning of an object, before what is in it, so that it is before that in memory,
//! too: freeing it took a tenth of the time of `loads`, because the order was another one. Nothing recurses.

#![forbid(unsafe_code)]

use std::ffi::CString;

use fjson::Tokens;
use fjson::scalar::AnyNumber;
use fjson::scalar::convert_number;
use pyo3::prelude::*;

use crate::errors::Failure;
use crate::errors::Origin;
use crate::errors::exception;
use crate::keys::Number;
use crate::objects;
use crate::objects::NoCollector;
use crate::state;
use crate::state::Memory;
use crate::state::Open;
use crate::text::Text;

/// Returns the value of the argument of `loads`.
///
/// # Errors
/// An exception that shows the place in the text.
#[inline]
pub fn loads<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = argument.py();
    let text = Text::required(argument)?;
    of_text(py, text.bytes(), Origin::Text(text.bytes())).map(|object| object.into_bound(py))
}

/// Returns the value of a text.
///
/// # Errors
/// An exception that shows the place in the text of `origin`.
#[inline]
pub fn of_text(py: Python<'_>, text: &[u8], origin: Origin<'_>) -> PyResult<Py<PyAny>> {
    let mut state = state::take();
    let result = match state.parser.document(text) {
        Ok(document) => {
            let _collector = NoCollector::new(py);
            value(py, document.tokens(), 0, &mut state.memory).map(|(object, _)| object)
        }
        Err(error) => Err(error.into()),
    };
    state::give(state);
    // References are dropped while the exception is made.
    result.map_err(|failure| Python::attach(|_| exception(py, failure, origin)))
}

/// Returns the value that begins with a token, and the token after it.
///
/// # Errors
/// If a value has no form in Python, or if there is no memory.
#[inline]
pub fn value(
    py: Python<'_>,
    tokens: Tokens<'_, '_>,
    first: usize,
    memory: &mut Memory,
) -> Result<(Py<PyAny>, usize), Failure> {
    let mut loader = Loader { py, tokens, text: tokens.text(), positions: tokens.positions(), at: first };
    let result = if tokens.has_any_escapes() { loader.run::<true>(memory) } else { loader.run::<false>(memory) };
    if result.is_err() {
        Python::attach(|_| memory.stack.clear());
        memory.open.clear();
    }
    result.map(|object| (object, loader.at)).map_err(|failure| *failure)
}

/// A result that fits registers.
type Loaded<T> = Result<T, Box<Failure>>;

#[cold]
#[inline(never)]
#[expect(clippy::unnecessary_box_returns, reason = "that of `Loaded`")]
fn python() -> Box<Failure> {
    Box::new(Failure::Python)
}

/// The place in the list of tokens. All that takes a reference to it is inlined, so that it is in registers.
struct Loader<'py, 'p, 't> {
    py: Python<'py>,
    tokens: Tokens<'p, 't>,
    text: &'t [u8],
    positions: &'p [u32],
    at: usize,
}

impl Loader<'_, '_, '_> {
    /// Returns the first byte of the next token.
    #[inline(always)]
    fn byte(&self) -> u8 {
        self.text[self.positions[self.at] as usize]
    }

    /// Reads one value. `ESCAPES` is whether any string has escapes.
    #[inline(always)]
    fn run<const ESCAPES: bool>(&mut self, memory: &mut Memory) -> Loaded<Py<PyAny>> {
        let py = self.py;
        let mut current = Open::Nothing;
        let mut byte = self.byte();
        loop {
            let mut object = match byte {
                b'"' => self.string::<ESCAPES>(memory)?,
                b'{' => {
                    self.at += 1;
                    if self.byte() != b'}' {
                        memory.open.push(current);
                        current = Open::Dict(self.first_member::<ESCAPES>(memory)?);
                        byte = self.byte();
                        continue;
                    }
                    self.at += 1;
                    objects::dict(py, 0).ok_or_else(python)?
                }
                b'[' => {
                    self.at += 1;
                    byte = self.byte();
                    if byte != b']' {
                        memory.open.push(current);
                        current = Open::List(memory.stack.len());
                        continue;
                    }
                    self.at += 1;
                    let end = memory.stack.len();
                    objects::list(py, &mut memory.stack, end).ok_or_else(python)?
                }
                b't' => self.constant(true.into_pyobject(py).map(|it| it.to_owned().into_any().unbind())),
                b'f' => self.constant(false.into_pyobject(py).map(|it| it.to_owned().into_any().unbind())),
                b'n' => self.constant(Ok(py.None())),
                _ => self.number()?,
            };
            // The value may end containers.
            loop {
                match current {
                    Open::Nothing => return Ok(object),
                    Open::List(start) => {
                        memory.stack.push(object);
                        byte = self.byte();
                        // Numbers are mostly together.
                        while matches!(byte, b'-' | b'0'..=b'9') {
                            let number = self.number()?;
                            memory.stack.push(number);
                            byte = self.byte();
                        }
                        if byte != b']' {
                            break;
                        }
                        object = objects::list(py, &mut memory.stack, start).ok_or_else(python)?;
                    }
                    Open::Dict(first) => {
                        let key = memory.stack.pop().ok_or_else(python)?;
                        let dict = memory.stack.last().ok_or_else(python)?;
                        objects::add_member(py, dict, key, object).ok_or_else(python)?;
                        if self.byte() != b'}' {
                            let (key, _) = self.key::<ESCAPES>(memory)?;
                            memory.stack.push(key);
                            byte = self.byte();
                            break;
                        }
                        object = memory.stack.pop().ok_or_else(python)?;
                        memory.keys.expect_members(first, objects::member_count(py, &object));
                    }
                }
                self.at += 1;
                current = memory.open.pop().unwrap_or(Open::Nothing);
            }
        }
    }

    /// Begins an object that is not empty. Returns the place of its first key.
    #[inline(always)]
    fn first_member<const ESCAPES: bool>(&mut self, memory: &mut Memory) -> Loaded<Number> {
        let (key, first) = self.key::<ESCAPES>(memory)?;
        let dict = objects::dict(self.py, memory.keys.expected_members(first));
        memory.stack.push(dict.ok_or_else(python)?);
        memory.stack.push(key);
        Ok(first)
    }

    #[inline(always)]
    fn constant(&mut self, constant: Result<Py<PyAny>, std::convert::Infallible>) -> Py<PyAny> {
        self.at += 1;
        match constant {
            Ok(constant) => constant,
        }
    }

    #[inline(always)]
    fn string<const ESCAPES: bool>(&mut self, memory: &mut Memory) -> Loaded<Py<PyAny>> {
        let token = self.at;
        self.at += 2;
        let string = match self.tokens.plain(token) {
            Some(text) => objects::string(self.py, text),
            None if ESCAPES => objects::string(self.py, unescaped(self.tokens, token, &mut memory.scratch)?),
            None => None,
        };
        string.ok_or_else(python)
    }

    /// Returns the next key, and the number of its place.
    #[inline(always)]
    fn key<const ESCAPES: bool>(&mut self, memory: &mut Memory) -> Loaded<(Py<PyAny>, Number)> {
        let token = self.at;
        self.at += 2;
        let key = match self.tokens.plain(token) {
            Some(text) => memory.keys.get(self.py, text, &self.text[self.positions[token] as usize + 1..]),
            None if ESCAPES => {
                let text = unescaped(self.tokens, token, &mut memory.scratch)?;
                memory.keys.get(self.py, text, text.as_bytes())
            }
            None => None,
        };
        key.ok_or_else(python)
    }

    #[inline(always)]
    fn number(&mut self) -> Loaded<Py<PyAny>> {
        let start = self.positions[self.at] as usize;
        self.at += 1;
        let text = &self.text[start..];
        let number = match convert_number(text) {
            AnyNumber::U64(value) => match i64::try_from(value) {
                Ok(value) => objects::integer(self.py, value),
                Err(_) => objects::unsigned(self.py, value),
            },
            AnyNumber::I64(value) => objects::integer(self.py, value),
            AnyNumber::F64(value) if value != 0.0 && value.is_finite() => objects::float(self.py, value),
            other => return other_number(self.py, text, other).map_err(|message| failure(start, message)),
        };
        number.ok_or_else(python)
    }
}

/// Returns the value of a string with escapes.
#[inline(never)]
fn unescaped<'s>(tokens: Tokens<'_, '_>, token: usize, scratch: &'s mut Vec<u8>) -> Loaded<&'s str> {
    let value = tokens.unescape(token, scratch);
    value.map_err(|_| failure(tokens.start(token), Some("lone surrogate in an escape sequence")))
}

/// Returns the failure of a value that has no form in Python. Without a message, an exception was set.
#[cold]
#[inline(never)]
#[expect(clippy::unnecessary_box_returns, reason = "that of `Loaded`")]
fn failure(start: usize, message: Option<&'static str>) -> Box<Failure> {
    Box::new(message.map_or(Failure::Python, |message| Failure::Value(start, message)))
}

/// Zeros, integers of more than 64 bits, and numbers that are too large. Fails with a message, or after an exception was set.
#[cold]
#[inline(never)]
fn other_number(py: Python<'_>, text: &[u8], number: AnyNumber<'_>) -> Result<Py<PyAny>, Option<&'static str>> {
    Python::attach(|_| other_number_attached(py, text, number))
}

fn other_number_attached(
    py: Python<'_>,
    text: &[u8],
    number: AnyNumber<'_>,
) -> Result<Py<PyAny>, Option<&'static str>> {
    let made = match number {
        AnyNumber::Big(number) => {
            let digits = CString::new(number.text()).map_err(|_| "no number")?;
            let made = objects::big_integer(py, &digits);
            if made.is_none() {
                let error = PyErr::fetch(py);
                if error.is_instance_of::<pyo3::exceptions::PyValueError>(py) {
                    return Err(Some("integer with more digits than sys.set_int_max_str_digits allows"));
                }
                error.restore(py);
            }
            made
        }
        // An integer, as in Python: -0 is 0.
        AnyNumber::F64(value)
            if value == 0.0 && text.starts_with(b"-0") && !matches!(text.get(2), Some(b'.' | b'e' | b'E')) =>
        {
            objects::integer(py, 0)
        }
        AnyNumber::F64(value) if value.is_finite() => objects::float(py, value),
        _ => return Err(Some("number too large for a float")),
    };
    made.ok_or(None)
}
