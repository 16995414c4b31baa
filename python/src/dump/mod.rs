//! Writes objects as JSON text: `dumps`.
//!
//! Builtin types are recognized by their type alone and written at once; `extra.rs` has all others. Whatever runs code of Python
//! (`default`, attributes of classes) may change the containers that are being written, so each object is held while it is written, and
//! containers are asked for their next item each time.

mod arguments;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod datetime;
mod extra;
mod keys;
mod numpy;
mod output;

pub use arguments::add_to;
pub use arguments::to_vec;
#[cfg(target_arch = "x86_64")]
pub use avx512::_allow_avx512;

use pyo3::prelude::*;
use pyo3::types::PyBool;
use pyo3::types::PyDict;
use pyo3::types::PyFloat;
use pyo3::types::PyInt;
use pyo3::types::PyList;
use pyo3::types::PyString;
use pyo3::types::PyTuple;

use crate::dump::output::Output;
use crate::errors::encode_error;
use crate::objects;
use crate::objects::Chars;

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

/// An exception, which is kept in the `Dumper`, or else is set.
struct Stop;

/// The result of writing.
type Written = Result<(), Stop>;

/// Writes one object.
struct Dumper<'a, 'py> {
    py: Python<'py>,
    out: Output<'a, 'py>,
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
    #[inline(always)]
    fn value(&mut self, object: &Bound<'py, PyAny>) -> Written {
        if let Ok(string) = object.cast_exact::<PyString>() {
            self.string(string)
        } else if let Ok(integer) = object.cast_exact::<PyInt>() {
            self.integer(integer)
        } else if let Ok(float) = object.cast_exact::<PyFloat>() {
            self.out.float(float.value())
        } else if object.is_none() {
            self.out.piece(*b"null")
        } else if let Ok(boolean) = object.cast_exact::<PyBool>() {
            self.boolean(boolean.is_true())
        } else if let Ok(list) = object.cast_exact::<PyList>()
            && list.is_empty()
            && self.depth < MAX_DEPTH
        {
            self.out.piece(*b"[]")
        } else {
            // Code of Python may run meanwhile, so that another reference is needed.
            self.held(&object.clone())
        }
    }

    /// Writes an object that has a reference of its own, and is none of those that `value` writes.
    #[inline(never)]
    fn held(&mut self, object: &Bound<'py, PyAny>) -> Written {
        if let Ok(dict) = object.cast_exact::<PyDict>() {
            self.dict(dict)
        } else if let Ok(list) = object.cast_exact::<PyList>() {
            self.list(list)
        } else if let Ok(tuple) = object.cast_exact::<PyTuple>() {
            self.tuple(tuple)
        } else {
            self.other(object)
        }
    }

    /// Writes an object of a subclass.
    #[inline(never)]
    fn sublist(&mut self, list: &Bound<'py, PyList>) -> Written {
        self.list(list)
    }

    /// Writes an object of a subclass.
    #[inline(never)]
    fn subdict(&mut self, dict: &Bound<'py, PyDict>) -> Written {
        self.dict(dict)
    }

    #[inline]
    fn boolean(&mut self, value: bool) -> Written {
        if value { self.out.piece(*b"true") } else { self.out.piece(*b"false") }
    }

    #[inline(always)]
    fn string(&mut self, string: &Bound<'py, PyString>) -> Written {
        let Some(string) = Chars::of(string) else { return Err(self.fail(NOT_UTF8)) };
        self.out.string(*b"\"", string, *b"\"")
    }

    #[inline(always)]
    fn integer(&mut self, integer: &Bound<'py, PyInt>) -> Written {
        match objects::integer_value(integer) {
            Some(value) if value.unsigned_abs() <= MAX_STRICT || !self.has(STRICT_INTEGER) => {
                self.out.integer(value < 0, value.unsigned_abs())
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
            return self.out.integer(false, value);
        }
        if !self.has(BIG_INTEGER) {
            return Err(self.fail("Integer exceeds 64-bit range"));
        }
        // The digits of the number itself, even if a subclass prints itself in another way.
        let digits = self.py.get_type::<PyInt>().call_method1("__repr__", (integer,));
        match digits.and_then(|digits| digits.extract::<String>()) {
            Ok(digits) => self.out.bytes(digits.as_bytes()),
            Err(error) => Err(self.python(error)),
        }
    }

    /// Counts a container that is open from now on.
    #[inline]
    fn open(&mut self) -> Written {
        if self.depth == MAX_DEPTH {
            return Err(self.fail("Recursion limit reached"));
        }
        self.depth += 1;
        Ok(())
    }

    /// Closes a container, which has something in it.
    #[inline]
    fn close(&mut self, bracket: u8) -> Written {
        self.depth -= 1;
        if self.has(INDENT_2) {
            self.line()?;
        }
        self.out.piece([bracket])
    }

    /// Writes a container that is open and has nothing in it.
    #[inline]
    fn empty(&mut self, brackets: [u8; 2]) -> Written {
        self.depth -= 1;
        self.out.piece(brackets)
    }

    /// Writes what is before an element: the opening bracket or a comma.
    #[inline]
    fn separate(&mut self, separator: u8) -> Written {
        self.out.piece([separator])?;
        if self.has(INDENT_2) { self.line() } else { Ok(()) }
    }

    #[inline(never)]
    fn line(&mut self) -> Written {
        self.out.piece(*b"\n")?;
        self.out.bytes(&[b' '; 2 * MAX_DEPTH][..2 * self.depth])
    }

    /// Writes a key, and what is before and after it.
    #[inline(always)]
    fn name(&mut self, separator: u8, name: Chars<'_>) -> Written {
        if self.has(INDENT_2) {
            return self.indented_name(separator, name);
        }
        self.out.string([separator, b'"'], name, *b"\":")
    }

    #[inline(never)]
    fn indented_name(&mut self, separator: u8, name: Chars<'_>) -> Written {
        self.separate(separator)?;
        self.out.string(*b"\"", name, *b"\": ")
    }

    #[inline(always)]
    fn list(&mut self, list: &Bound<'py, PyList>) -> Written {
        self.open()?;
        let (mut index, mut separator) = (0, b'[');
        // SAFETY: code of Python runs only after `value` has taken a reference, and after that, the next element is asked for.
        while let Some(element) = unsafe { objects::element(list, index) } {
            self.separate(separator)?;
            self.value(&element)?;
            (index, separator) = (index + 1, b',');
        }
        if index == 0 { self.empty(*b"[]") } else { self.close(b']') }
    }

    #[inline(never)]
    fn tuple(&mut self, tuple: &Bound<'py, PyTuple>) -> Written {
        self.open()?;
        let mut separator = b'[';
        for element in tuple.iter_borrowed() {
            self.separate(separator)?;
            self.value(&element)?;
            separator = b',';
        }
        if tuple.is_empty() { self.empty(*b"[]") } else { self.close(b']') }
    }

    #[inline(always)]
    fn dict(&mut self, dict: &Bound<'py, PyDict>) -> Written {
        if self.has(SORT_KEYS | NON_STR_KEYS) {
            return self.dict_with_options(dict);
        }
        self.open()?;
        let count = dict.len();
        let (mut position, mut separator) = (0, b'{');
        for _ in 0..count {
            // SAFETY: code of Python runs only after `value` has taken a reference, and after that, the next member is asked for.
            let Some((key, value)) = (unsafe { objects::next_member(dict, &mut position) }) else { break };
            let key: &Bound<'py, PyAny> = &key;
            // Any string, because a subclass has the same text.
            let Ok(name) = key.cast_exact::<PyString>().or_else(|_| key.cast::<PyString>()) else {
                return Err(self.fail("Dict key must be str"));
            };
            let Some(name) = Chars::of(name) else { return Err(self.fail(NOT_UTF8)) };
            self.name(separator, name)?;
            self.value(&value)?;
            separator = b',';
            if dict.len() != count {
                return Err(self.fail("dictionary changed size during iteration"));
            }
        }
        if count == 0 { self.empty(*b"{}") } else { self.close(b'}') }
    }
}
