//! The function `dumps` as Python calls it: with vectors of arguments, because taking arguments in any other way takes a tenth of the
//! time of a small object.

use std::ffi::CStr;
use std::mem::MaybeUninit;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::types::PyInt;
use pyo3::types::PyTuple;

use crate::dump::APPEND_NEWLINE;
use crate::dump::BIG_INTEGER;
use crate::dump::Dumper;
use crate::dump::KNOWN;
use crate::dump::Stop;
use crate::dump::output::Output;
use crate::dump::output::SMALL;
use crate::errors::encode_error;
use crate::raw::Definition;
use crate::raw::answer;

const DOCUMENTATION: &CStr = c"dumps(obj, /, default=None, option=None)
--

Return an object as JSON text in UTF-8, without whitespace.

``str``, ``int``, ``float``, ``bool``, ``None``, ``dict``, ``list``, ``tuple``, dataclasses, ``datetime``, ``date``, ``time``,
``UUID``, ``Enum``, ``Fragment`` and, with ``OPT_SERIALIZE_NUMPY``, arrays of numpy are written. ``default`` is called for any other
object and returns one to be written instead. ``option`` is the sum of constants ``OPT_...``. Floats that are not finite become
``null``.

Raises ``JSONEncodeError`` if an object cannot be written.

>>> fjson.dumps({'name': 'caf\xc3\xa9', 'prices': [1.5, 2]})
b'{\"name\":\"caf\\xc3\\xa9\",\"prices\":[1.5,2]}'
>>> fjson.dumps({'b': {1, 2}, 'a': None}, default=sorted, option=fjson.OPT_SORT_KEYS | fjson.OPT_INDENT_2).decode()
'{\\n  \"a\": null,\\n  \"b\": [\\n    1,\\n    2\\n  ]\\n}'
";

static DEFINITION: Definition = Definition::new(ffi::PyMethodDef {
    ml_name: c"dumps".as_ptr(),
    ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: dumps },
    ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
    ml_doc: DOCUMENTATION.as_ptr(),
});

/// Adds the function to a module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    DEFINITION.add_to(module)
}

/// The arguments, which are borrowed for the duration of the call.
#[derive(Clone, Copy)]
struct Arguments {
    values: *const *mut ffi::PyObject,
    positional: usize,
    names: *mut ffi::PyObject,
}

impl Arguments {
    /// Returns the argument with a number, which must be less than their count.
    fn get<'py>(&self, py: Python<'py>, index: usize) -> Bound<'py, PyAny> {
        // SAFETY: the caller of `dumps` passes this many pointers.
        let value = unsafe { self.values.add(index) };
        // SAFETY: as before.
        let value = unsafe { *value };
        // SAFETY: each is an object that the caller holds.
        unsafe { Bound::from_borrowed_ptr(py, value) }
    }

    /// Returns the names of the arguments after the positional ones.
    fn names<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyTuple>> {
        // SAFETY: it is null or a tuple that the caller holds.
        let names = unsafe { Bound::from_borrowed_ptr_or_opt(py, self.names) };
        names.and_then(|names| names.cast_into::<PyTuple>().ok())
    }
}

unsafe extern "C" fn dumps(
    _module: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this function, so the thread is attached.
    let py = unsafe { Python::assume_attached() };
    let arguments = Arguments { values, positional: usize::try_from(count).unwrap_or(0), names };
    answer(|| call(py, arguments))
}

/// The function with its arguments as objects.
#[inline]
fn call(py: Python<'_>, arguments: Arguments) -> PyResult<Bound<'_, PyBytes>> {
    if arguments.positional == 0 {
        return Err(encode_error(py, "dumps() missing 1 required positional argument: 'obj'"));
    }
    if arguments.positional > 3 {
        return Err(encode_error(py, "dumps() takes from 1 to 3 positional arguments"));
    }
    let object = arguments.get(py, 0);
    let [mut default, mut option] =
        [1, 2].map(|index| (index < arguments.positional).then(|| arguments.get(py, index)));
    if let Some(names) = arguments.names(py) {
        for (index, name) in names.iter_borrowed().enumerate() {
            let name = name.extract::<&str>()?;
            let place = match name {
                "default" => &mut default,
                "option" => &mut option,
                _ => return Err(encode_error(py, "dumps() got an unexpected keyword argument")),
            };
            if place.replace(arguments.get(py, arguments.positional + index)).is_some() {
                return Err(encode_error(py, format!("dumps() got multiple values for argument: '{name}'")));
            }
        }
    }
    let options = match option.filter(|option| !option.is_none()) {
        Some(option) => options(&option)?,
        None => 0,
    };
    write(&object, default.filter(|default| !default.is_none()).as_ref(), options)
}

/// Returns the options as a number.
#[cold]
fn options(option: &Bound<'_, PyAny>) -> PyResult<u32> {
    let options = option.cast_exact::<PyInt>().ok().and_then(|option| option.extract::<u32>().ok());
    options.filter(|options| options & !KNOWN == 0).ok_or_else(|| encode_error(option.py(), "Invalid opts"))
}

/// Writes an object that is part of another argument.
///
/// # Errors
/// If it has no form in JSON.
pub fn to_vec(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    write(object, None, BIG_INTEGER).map(|bytes| bytes.as_bytes().to_vec())
}

/// Writes an object.
fn write<'py>(
    object: &Bound<'py, PyAny>,
    default: Option<&Bound<'py, PyAny>>,
    options: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = object.py();
    let mut buffer = [MaybeUninit::uninit(); SMALL];
    let out = Output::new(py, &mut buffer);
    let mut dumper = Dumper { py, out, default, options, depth: 0, default_calls: 0, error: None };
    let mut written = dumper.value(object);
    if options & APPEND_NEWLINE != 0 {
        written = written.and_then(|()| dumper.out.piece(*b"\n"));
    }
    let Dumper { out, error, .. } = dumper;
    written.and_then(|()| out.finish()).map_err(|Stop| error.unwrap_or_else(|| PyErr::fetch(py)))
}
