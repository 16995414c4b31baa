//! Writes objects as JSON text: `dumps`.
//!
//! Builtin types are recognized by their type alone and written at once; `extra.rs` has all others. Whatever runs code of Python
//! (`default`, attributes of classes) may change the containers that are being written, so each object is held while it is written, and
//! containers are asked for their next item each time.

mod arguments;
mod datetime;
mod extra;
mod keys;
mod numpy;

pub use arguments::add_to;
pub use arguments::to_vec;

use fjson::push_float;
use fjson::push_integer;
use fjson::push_name;
use fjson::push_string;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use pyo3::types::PyDict;
use pyo3::types::PyFloat;
use pyo3::types::PyInt;
use pyo3::types::PyList;
use pyo3::types::PyString;
use pyo3::types::PyTuple;

use crate::errors::encode_error;
use crate::objects;

/// The options, with the numbers that orjson has for them, and their names. The last one is ours.
pub const OPTIONS: [(&str, u32); 15] = [
    ("OPT_INDENT_2", INDENT_2),
    ("OPT_NAIVE_UTC", NAIVE_UTC),
    ("OPT_NON_STR_KEYS", NON_STR_KEYS),
    ("OPT_OMIT_MICROSECONDS", OMIT_MICROSECONDS),
    ("OPT_SERIALIZE_NUMPY", SERIALIZE_NUMPY),
    ("OPT_SORT_KEYS", SORT_KEYS),
    ("OPT_STRICT_INTEGER", STRICT_INTEGER),
    ("OPT_UTC_Z", UTC_Z),
    ("OPT_PASSTHROUGH_SUBCLASS", PASSTHROUGH_SUBCLASS),
    ("OPT_PASSTHROUGH_DATETIME", PASSTHROUGH_DATETIME),
    ("OPT_APPEND_NEWLINE", APPEND_NEWLINE),
    ("OPT_PASSTHROUGH_DATACLASS", PASSTHROUGH_DATACLASS),
    ("OPT_SERIALIZE_DATACLASS", 0),
    ("OPT_SERIALIZE_UUID", 0),
    ("OPT_BIG_INTEGER", BIG_INTEGER),
];

const INDENT_2: u32 = 1;
const NAIVE_UTC: u32 = 1 << 1;
const NON_STR_KEYS: u32 = 1 << 2;
const OMIT_MICROSECONDS: u32 = 1 << 3;
const SERIALIZE_NUMPY: u32 = 1 << 4;
const SORT_KEYS: u32 = 1 << 5;
const STRICT_INTEGER: u32 = 1 << 6;
const UTC_Z: u32 = 1 << 7;
const PASSTHROUGH_SUBCLASS: u32 = 1 << 8;
const PASSTHROUGH_DATETIME: u32 = 1 << 9;
const APPEND_NEWLINE: u32 = 1 << 10;
const PASSTHROUGH_DATACLASS: u32 = 1 << 11;
const BIG_INTEGER: u32 = 1 << 20;

/// All options.
const KNOWN: u32 = ((1 << 12) - 1) | BIG_INTEGER;

/// How many containers may be open. It is that of orjson, and finds objects that contain themselves.
const MAX_DEPTH: usize = 254;

/// How often `default` may be called for what it has returned itself.
const MAX_DEFAULT_CALLS: usize = 255;

/// The greatest integer that is exact in JavaScript: 2⁵³ - 1.
const MAX_STRICT: u64 = (1 << 53) - 1;

const NOT_UTF8: &str = "str is not valid UTF-8: surrogates not allowed";

/// An exception, which is kept in the `Dumper`.
struct Stop;

/// Returns the text of a string; `None` if it has surrogates.
#[inline]
fn text<'s>(string: &'s Bound<'_, PyString>) -> Option<&'s str> {
    objects::ascii(string).or_else(|| string.to_str().ok())
}

/// The result of writing.
type Written = Result<(), Stop>;

/// Writes one object.
struct Dumper<'a, 'py> {
    py: Python<'py>,
    out: Vec<u8>,
    default: Option<&'a Bound<'py, PyAny>>,
    options: u32,
    depth: usize,
    default_calls: usize,
    error: Option<PyErr>,
}

impl<'py> Dumper<'_, 'py> {
    fn has(&self, option: u32) -> bool {
        self.options & option != 0
    }

    #[cold]
    #[inline(never)]
    fn fail(&mut self, message: &str) -> Stop {
        self.error = Some(encode_error(self.py, message));
        Stop
    }

    #[cold]
    #[inline(never)]
    fn python(&mut self, error: PyErr) -> Stop {
        self.error = Some(error);
        Stop
    }

    /// Writes any object.
    #[inline]
    fn value(&mut self, object: &Bound<'py, PyAny>) -> Written {
        if let Ok(string) = object.cast_exact::<PyString>() {
            self.string(string)
        } else if let Ok(integer) = object.cast_exact::<PyInt>() {
            self.integer(integer)
        } else if let Ok(float) = object.cast_exact::<PyFloat>() {
            push_float(&mut self.out, float.value());
            Ok(())
        } else if object.is_none() {
            self.out.extend_from_slice(b"null");
            Ok(())
        } else if let Ok(boolean) = object.cast_exact::<PyBool>() {
            self.out.extend_from_slice(if boolean.is_true() { b"true" } else { b"false" });
            Ok(())
        } else if let Ok(dict) = object.cast_exact::<PyDict>() {
            self.dict(dict)
        } else if let Ok(list) = object.cast_exact::<PyList>() {
            self.list(list)
        } else if let Ok(tuple) = object.cast_exact::<PyTuple>() {
            self.tuple(tuple)
        } else {
            self.other(object)
        }
    }

    #[inline]
    fn string(&mut self, string: &Bound<'py, PyString>) -> Written {
        let Some(text) = text(string) else { return Err(self.fail(NOT_UTF8)) };
        push_string(&mut self.out, text);
        Ok(())
    }

    #[inline]
    fn integer(&mut self, integer: &Bound<'py, PyInt>) -> Written {
        match objects::integer_value(integer) {
            Some(value) if value.unsigned_abs() <= MAX_STRICT || !self.has(STRICT_INTEGER) => {
                push_integer(&mut self.out, value < 0, value.unsigned_abs());
                Ok(())
            }
            value => self.large_integer(integer, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn large_integer(&mut self, integer: &Bound<'py, PyInt>, value: Option<i64>) -> Written {
        Python::attach(|_| self.large_integer_attached(integer, value))
    }

    fn large_integer_attached(&mut self, integer: &Bound<'py, PyInt>, value: Option<i64>) -> Written {
        if self.has(STRICT_INTEGER) || value.is_some() {
            return Err(self.fail("Integer exceeds 53-bit range"));
        }
        if let Some(value) = objects::unsigned_value(integer) {
            push_integer(&mut self.out, false, value);
            return Ok(());
        }
        if !self.has(BIG_INTEGER) {
            return Err(self.fail("Integer exceeds 64-bit range"));
        }
        // The digits of the number itself, even if a subclass prints itself in another way.
        let digits = self.py.get_type::<PyInt>().call_method1("__repr__", (integer,));
        match digits.and_then(|digits| digits.extract::<String>()) {
            Ok(digits) => {
                self.out.extend_from_slice(digits.as_bytes());
                Ok(())
            }
            Err(error) => Err(self.python(error)),
        }
    }

    /// Opens a container.
    #[inline]
    fn open(&mut self, bracket: u8) -> Written {
        if self.depth == MAX_DEPTH {
            return Err(self.fail("Recursion limit reached"));
        }
        self.depth += 1;
        self.out.push(bracket);
        Ok(())
    }

    /// Closes a container.
    #[inline]
    fn close(&mut self, bracket: u8, is_empty: bool) {
        self.depth -= 1;
        if self.has(INDENT_2) && !is_empty {
            self.line();
        }
        self.out.push(bracket);
    }

    /// Writes what is before an element.
    #[inline]
    fn separate(&mut self, is_first: bool) {
        if !is_first {
            self.out.push(b',');
        }
        if self.has(INDENT_2) {
            self.line();
        }
    }

    #[inline(never)]
    fn line(&mut self) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + 2 * self.depth, b' ');
    }

    /// Writes a key, and what is before and after it.
    #[inline]
    fn name(&mut self, is_first: bool, name: &str) {
        if self.has(INDENT_2) {
            self.separate(is_first);
            push_name(&mut self.out, true, name);
            self.out.push(b' ');
        } else {
            push_name(&mut self.out, is_first, name);
        }
    }

    fn list(&mut self, list: &Bound<'py, PyList>) -> Written {
        self.open(b'[')?;
        let mut index = 0;
        while let Some(element) = objects::element(list, index) {
            self.separate(index == 0);
            self.value(&element)?;
            index += 1;
        }
        self.close(b']', index == 0);
        Ok(())
    }

    fn tuple(&mut self, tuple: &Bound<'py, PyTuple>) -> Written {
        self.open(b'[')?;
        for (index, element) in tuple.iter_borrowed().enumerate() {
            self.separate(index == 0);
            self.value(&element)?;
        }
        self.close(b']', tuple.is_empty());
        Ok(())
    }

    fn dict(&mut self, dict: &Bound<'py, PyDict>) -> Written {
        if self.has(SORT_KEYS | NON_STR_KEYS) {
            return self.dict_with_options(dict);
        }
        self.open(b'{')?;
        let count = dict.len();
        let (mut position, mut is_first) = (0, true);
        while let Some((key, value)) = objects::next_member(dict, &mut position) {
            // Any string, because a subclass has the same text.
            let Ok(name) = key.cast::<PyString>() else { return Err(self.fail("Dict key must be str")) };
            let Some(name) = text(name) else { return Err(self.fail(NOT_UTF8)) };
            self.name(is_first, name);
            self.value(&value)?;
            is_first = false;
            if dict.len() != count {
                return Err(self.fail("dictionary changed size during iteration"));
            }
        }
        self.close(b'}', is_first);
        Ok(())
    }
}
