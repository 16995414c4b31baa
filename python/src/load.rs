//! Makes objects of the tokens of a text.
//!
//! One loop follows the list of tokens. Objects go to a stack, and at the end of a container those that are in it become a list or a
//! dictionary, whose size is known by then. Nothing recurses.

#![forbid(unsafe_code)]

use std::ffi::CString;

use fjson::Tokens;
use fjson::scalar::AnyNumber;
use fjson::scalar::Surrogates;
use fjson::scalar::convert_number;
use fjson::scalar::unescape_into;
use pyo3::prelude::*;

use crate::errors::Failure;
use crate::errors::Origin;
use crate::errors::exception;
use crate::objects;
use crate::objects::NoCollector;
use crate::state;
use crate::state::Memory;
use crate::text::Text;

/// Returns the value of a JSON text as Python objects.
///
/// The text is ``bytes``, ``bytearray``, ``memoryview`` or ``str``. Integers of any size stay exact, unless they have more digits than
/// ``sys.set_int_max_str_digits`` allows. At most 1,024 objects and arrays may be nested. Of members with the same key, the last one
/// counts.
///
/// Raises ``JSONDecodeError`` if the text is not valid, or if a number is too large for a float.
///
/// >>> fjson.loads('{"id": 7, "tags": ["a", "é"], "price": 1.5}')
/// {'id': 7, 'tags': ['a', 'é'], 'price': 1.5}
#[pyfunction]
#[pyo3(signature = (obj, /), text_signature = "(obj, /)")]
pub fn loads(obj: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = obj.py();
    let text = Text::required(obj)?;
    of_text(py, text.bytes(), Origin::Text(text.bytes()))
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
    result.map_err(|failure| exception(py, failure, origin))
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
        memory.stack.clear();
        memory.open.clear();
    }
    result.map(|object| (object, loader.at))
}

/// The place in the list of tokens.
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
    fn run<const ESCAPES: bool>(&mut self, memory: &mut Memory) -> Result<Py<PyAny>, Failure> {
        let py = self.py;
        loop {
            let mut object = match self.byte() {
                b'"' => self.string::<ESCAPES>(memory)?,
                b'{' => {
                    self.at += 1;
                    if self.byte() != b'}' {
                        memory.open.push(2 * memory.stack.len() + 1);
                        self.key::<ESCAPES>(memory)?;
                        continue;
                    }
                    self.at += 1;
                    let end = memory.stack.len();
                    objects::dict(py, &mut memory.stack, end).ok_or(Failure::Python)?
                }
                b'[' => {
                    self.at += 1;
                    if self.byte() != b']' {
                        memory.open.push(2 * memory.stack.len());
                        continue;
                    }
                    self.at += 1;
                    let end = memory.stack.len();
                    objects::list(py, &mut memory.stack, end).ok_or(Failure::Python)?
                }
                b't' => self.constant(true.into_pyobject(py).map(|it| it.to_owned().into_any().unbind())),
                b'f' => self.constant(false.into_pyobject(py).map(|it| it.to_owned().into_any().unbind())),
                b'n' => self.constant(Ok(py.None())),
                _ => self.number()?,
            };
            // The value may end containers.
            loop {
                let Some(&open) = memory.open.last() else { return Ok(object) };
                memory.stack.push(object);
                let (start, is_object) = (open / 2, open % 2 == 1);
                match self.byte() {
                    b'}' => object = objects::dict(py, &mut memory.stack, start).ok_or(Failure::Python)?,
                    b']' => object = objects::list(py, &mut memory.stack, start).ok_or(Failure::Python)?,
                    _ => {
                        if is_object {
                            self.key::<ESCAPES>(memory)?;
                        }
                        break;
                    }
                }
                self.at += 1;
                memory.open.pop();
            }
        }
    }

    #[inline(always)]
    fn constant(&mut self, constant: Result<Py<PyAny>, std::convert::Infallible>) -> Py<PyAny> {
        self.at += 1;
        match constant {
            Ok(constant) => constant,
        }
    }

    #[inline(always)]
    fn string<const ESCAPES: bool>(&mut self, memory: &mut Memory) -> Result<Py<PyAny>, Failure> {
        let token = self.at;
        self.at += 2;
        let string = match self.tokens.plain(token) {
            Some(text) => objects::string(self.py, text),
            None if ESCAPES => objects::string(self.py, self.unescaped(token, &mut memory.scratch)?),
            None => None,
        };
        string.ok_or(Failure::Python)
    }

    #[inline(always)]
    fn key<const ESCAPES: bool>(&mut self, memory: &mut Memory) -> Result<(), Failure> {
        let token = self.at;
        self.at += 2;
        let key = match self.tokens.plain(token) {
            Some(text) => memory.keys.get(self.py, text),
            None if ESCAPES => memory.keys.get(self.py, self.unescaped(token, &mut memory.scratch)?),
            None => None,
        };
        memory.stack.push(key.ok_or(Failure::Python)?);
        Ok(())
    }

    /// Returns the value of a string with escapes.
    #[inline(never)]
    fn unescaped<'s>(&self, token: usize, scratch: &'s mut Vec<u8>) -> Result<&'s str, Failure> {
        let start = self.positions[token] as usize;
        let text = &self.text[start + 1..self.positions[token + 1] as usize];
        scratch.clear();
        if unescape_into(text, Surrogates::Refuse, scratch).is_err() {
            return Err(Failure::Value(start, "lone surrogate in an escape sequence"));
        }
        str::from_utf8(scratch).map_err(|_| Failure::Value(start, "a string that is not UTF-8"))
    }

    #[inline(always)]
    fn number(&mut self) -> Result<Py<PyAny>, Failure> {
        let start = self.positions[self.at] as usize;
        self.at += 1;
        let number = match convert_number(&self.text[start..]) {
            AnyNumber::U64(value) => match i64::try_from(value) {
                Ok(value) => objects::integer(self.py, value),
                Err(_) => objects::unsigned(self.py, value),
            },
            AnyNumber::I64(value) => objects::integer(self.py, value),
            AnyNumber::F64(value) if value.is_finite() && value != 0.0 => objects::float(self.py, value),
            other => return self.other_number(start, other),
        };
        number.ok_or(Failure::Python)
    }

    /// Zeros, integers of more than 64 bits, and numbers that are too large.
    #[cold]
    #[inline(never)]
    fn other_number(&self, start: usize, number: AnyNumber<'_>) -> Result<Py<PyAny>, Failure> {
        let py = self.py;
        let made = match number {
            AnyNumber::Big(number) => {
                let digits = CString::new(number.text()).map_err(|_| Failure::Value(start, "no number"))?;
                let made = objects::big_integer(py, &digits);
                if made.is_none() {
                    let error = PyErr::fetch(py);
                    if error.is_instance_of::<pyo3::exceptions::PyValueError>(py) {
                        return Err(Failure::Value(
                            start,
                            "integer with more digits than sys.set_int_max_str_digits allows",
                        ));
                    }
                    error.restore(py);
                }
                made
            }
            // An integer, as in Python: -0 is 0.
            AnyNumber::F64(value)
                if value == 0.0 && self.text[start..].starts_with(b"-0") && !self.has_point(start) =>
            {
                objects::integer(py, 0)
            }
            AnyNumber::F64(value) if value.is_finite() => objects::float(py, value),
            _ => return Err(Failure::Value(start, "number too large for a float")),
        };
        made.ok_or(Failure::Python)
    }

    /// Whether the text `-0` at this index continues as a number.
    fn has_point(&self, start: usize) -> bool {
        matches!(self.text.get(start + 2), Some(b'.' | b'e' | b'E'))
    }
}
