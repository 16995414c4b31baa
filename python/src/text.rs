//! The bytes of an argument that is JSON text.

#![forbid(unsafe_code)]

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use pyo3::types::PyBytes;
use pyo3::types::PyMemoryView;
use pyo3::types::PyString;

use crate::errors::unsuitable;

/// Text, and what keeps it in memory. What could be changed meanwhile is copied.
pub enum Text<'py> {
    /// A `bytes` object.
    Bytes(Bound<'py, PyBytes>),
    /// A string. Its UTF-8 is kept by the string itself.
    String(Bound<'py, PyString>),
    /// A copy.
    Copied(Vec<u8>),
}

impl<'py> Text<'py> {
    /// Takes an argument. `None` if it is neither text nor bytes.
    ///
    /// # Errors
    /// If a string has lone surrogates, or if bytes are not in one piece.
    #[inline]
    pub fn of(argument: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(bytes) = argument.cast::<PyBytes>() {
            return Ok(Some(Self::Bytes(bytes.clone())));
        }
        if let Ok(string) = argument.cast::<PyString>() {
            if string.to_str().is_err() {
                return Err(unsuitable(argument.py(), "str is not valid UTF-8: surrogates not allowed"));
            }
            return Ok(Some(Self::String(string.clone())));
        }
        Self::of_buffer(argument)
    }

    fn of_buffer(argument: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        let py = argument.py();
        if let Ok(array) = argument.cast::<PyByteArray>() {
            return Ok(Some(Self::Copied(array.to_vec())));
        }
        if !argument.is_instance_of::<PyMemoryView>() {
            return Ok(None);
        }
        let one_piece = || unsuitable(py, "Input type memoryview must be a C contiguous buffer");
        let buffer = PyBuffer::<u8>::get(argument).map_err(|_| one_piece())?;
        if !buffer.is_c_contiguous() {
            return Err(one_piece());
        }
        Ok(Some(Self::Copied(buffer.to_vec(py)?)))
    }

    /// Takes the argument of a function that accepts nothing else.
    ///
    /// # Errors
    /// If it is no text.
    #[inline]
    pub fn required(argument: &Bound<'py, PyAny>) -> PyResult<Self> {
        Self::of(argument)?
            .ok_or_else(|| unsuitable(argument.py(), "Input must be bytes, bytearray, memoryview, or str"))
    }

    /// Returns the text.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            // It was asked for before, without an error.
            Self::String(string) => string.to_str().unwrap_or_default().as_bytes(),
            Self::Copied(bytes) => bytes,
        }
    }
}
