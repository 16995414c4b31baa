//! The function `loads` as Python calls it.

use std::ffi::CStr;

use pyo3::ffi;
use pyo3::prelude::*;

use crate::load::loads;
use crate::raw::Definition;
use crate::raw::answer;

const DOCUMENTATION: &CStr = c"loads(obj, /)
--

Return the value of a JSON text as Python objects.

The text is ``bytes``, ``bytearray``, ``memoryview`` or ``str``. Integers of any size stay exact, unless they have more digits than
``sys.set_int_max_str_digits`` allows. At most 1,024 objects and arrays may be nested. Of members with the same key, the last one
counts.

Raises ``JSONDecodeError`` if the text is not valid, or if a number is too large for a float.

>>> fjson.loads('{\"id\": 7, \"tags\": [\"a\", \"é\"], \"price\": 1.5}')
{'id': 7, 'tags': ['a', 'é'], 'price': 1.5}
";

static DEFINITION: Definition = Definition::new(ffi::PyMethodDef {
    ml_name: c"loads".as_ptr(),
    ml_meth: ffi::PyMethodDefPointer { PyCFunction: call },
    ml_flags: ffi::METH_O,
    ml_doc: DOCUMENTATION.as_ptr(),
});

/// Adds the function to a module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    DEFINITION.add_to(module)
}

unsafe extern "C" fn call(_module: *mut ffi::PyObject, argument: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this function, so the thread is attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the argument is an object that the caller holds.
    let argument = unsafe { Borrowed::from_ptr(py, argument) };
    answer(|| loads(&argument))
}
