//! Functions that CPython calls without pyo3 between: what pyo3 does for each call takes a tenth of the time of `dumps` of a small object,
//! and a twentieth of that of `loads`.
//!
//! pyo3 does not know that the thread is attached then. References that are dropped are kept until its next call, which may never come,
//! so everything that may drop some is inside of `Python::attach`.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::ptr;

use pyo3::exceptions::PyImportError;
use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The definition of a function, which CPython keeps a pointer to.
pub struct Definition(ffi::PyMethodDef);

// SAFETY: it is never changed, and what it points to is static.
unsafe impl Sync for Definition {}

impl Definition {
    /// Takes a definition. What it points to must be static.
    pub const fn new(definition: ffi::PyMethodDef) -> Self {
        Self(definition)
    }

    /// Adds the function to a module.
    pub fn add_to(&'static self, module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let name = PyString::new(py, "fjson");
        let definition = (&raw const self.0).cast_mut();
        // SAFETY: the definition is static, and CPython does not change it. The name is a string.
        let function = unsafe { ffi::PyCFunction_NewEx(definition, ptr::null_mut(), name.as_ptr()) };
        // SAFETY: it is a new reference, or null after an exception was set.
        let function = unsafe { Bound::from_owned_ptr_or_err(py, function) }?;
        module.add(function.getattr("__name__")?.cast_into::<PyString>()?, function)
    }
}

/// Returns the result of a call, or null after setting its exception.
#[inline(always)]
pub fn answer<'py, T>(call: impl FnOnce() -> PyResult<Bound<'py, T>>) -> *mut ffi::PyObject {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(object)) => object.into_ptr(),
        Ok(Err(error)) => set(error),
        Err(_) => set(PySystemError::new_err("a function of fjson failed unexpectedly; please report it")),
    }
}

#[cold]
#[inline(never)]
fn set(error: PyErr) -> *mut ffi::PyObject {
    Python::attach(|py| error.restore(py));
    ptr::null_mut()
}

/// Returns an error in an interpreter that is not the first one of the process: there, CPython before 3.12 lets modules be imported that
/// know of only one.
pub fn require_main_interpreter(_: Python<'_>) -> PyResult<()> {
    // SAFETY: the thread is attached, so it has an interpreter.
    let interpreter = unsafe { ffi::PyInterpreterState_Get() };
    // SAFETY: it is one, and exists while it runs this.
    match unsafe { ffi::PyInterpreterState_GetID(interpreter) } {
        0 => Ok(()),
        _ => Err(PyImportError::new_err("fjson does not support subinterpreters")),
    }
}
