//! Errors of the library as exceptions.

#![forbid(unsafe_code)]

use std::error::Error as _;

use fjson::Error;
use fjson::ErrorKind;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use pyo3::types::PyType;

use crate::columns::Misfit;
use crate::schema::Place;

/// What stopped the conversion of a value to an object.
pub enum Failure {
    /// The text is not valid.
    Json(Error),
    /// A value at this offset of the text has no form in Python.
    Value(usize, &'static str),
    /// An exception was set.
    Python,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Json(error)
    }
}

/// The classes that are defined in Python.
struct Classes {
    decode_error: Py<PyType>,
    encode_error: Py<PyType>,
    query_error: Py<PyType>,
    jq_error: Py<PyType>,
    edit_error: Py<PyType>,
    schema_error: Py<PyType>,
    validation_error: Py<PyType>,
    violation: Py<PyType>,
    fragment: Py<PyType>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

fn classes(py: Python<'_>) -> PyResult<&Classes> {
    CLASSES.get_or_try_init(py, || {
        let module = py.import("fjson._types")?;
        let class = |name| -> PyResult<Py<PyType>> { Ok(module.getattr(name)?.cast_into::<PyType>()?.unbind()) };
        Ok(Classes {
            decode_error: class("JSONDecodeError")?,
            encode_error: class("JSONEncodeError")?,
            query_error: class("QueryError")?,
            jq_error: class("JqError")?,
            edit_error: class("EditError")?,
            schema_error: class("SchemaError")?,
            validation_error: class("ValidationError")?,
            violation: class("Violation")?,
            fragment: class("Fragment")?,
        })
    })
}

/// Loads the classes, so that this cannot fail later.
pub fn load_classes(py: Python<'_>) -> PyResult<()> {
    classes(py).map(|_| ())
}

/// Whether an object is a `Fragment`.
pub fn is_fragment(object: &Bound<'_, PyAny>) -> bool {
    let classes = classes(object.py());
    classes.is_ok_and(|classes| object.get_type().is(classes.fragment.bind(object.py())))
}

/// Where the text of an error is from.
#[derive(Clone, Copy)]
pub enum Origin<'t> {
    /// It is all of the input.
    Text(&'t [u8]),
    /// It is one of the records of the input.
    Record,
    /// It is not in memory; the name of its file.
    File(Option<&'t str>),
}

/// A message, and what helps to understand it.
struct Report<'e> {
    message: &'e str,
    pointer: Option<&'e str>,
    help: Option<&'e str>,
    /// The number of the record, from 1.
    record: Option<u64>,
}

/// Returns a failure as an exception.
#[cold]
pub fn exception(py: Python<'_>, failure: Failure, origin: Origin<'_>) -> PyErr {
    let made = match failure {
        Failure::Python => return PyErr::fetch(py),
        Failure::Value(offset, message) => {
            let report = Report::new(message);
            match origin {
                Origin::Text(text) => report.of_text(py, text, offset),
                Origin::Record | Origin::File(_) => report.of_text(py, b"", 0),
            }
        }
        Failure::Json(error) => of_error(py, &error, origin),
    };
    made.unwrap_or_else(|error| error)
}

/// Returns the exception for an error of the library.
fn of_error(py: Python<'_>, error: &Error, origin: Origin<'_>) -> PyResult<PyErr> {
    match error.kind() {
        ErrorKind::OutOfMemory | ErrorKind::MemoryLimit | ErrorKind::ExpansionLimit => {
            return Ok(pyo3::exceptions::PyMemoryError::new_err(error.to_string()));
        }
        ErrorKind::RangeUnsupported => return Ok(pyo3::exceptions::PyValueError::new_err(error.to_string())),
        ErrorKind::Io | ErrorKind::InputChanged | ErrorKind::Compression => {
            if let Some(raised) = raised(py, error) {
                return Ok(raised);
            }
            let message = match origin {
                Origin::File(Some(name)) => format!("{name}: {error}"),
                _ => error.to_string(),
            };
            return Ok(pyo3::exceptions::PyOSError::new_err(message));
        }
        _ => {}
    }
    let message = error.to_string();
    let report = Report { message: &message, pointer: error.pointer(), help: error.help(), record: error.record() };
    let offset = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    match (origin, error.record_text(), error.record()) {
        (Origin::Text(text), _, None) => report.of_text(py, text, offset(error.offset())),
        (_, Some(text), Some(_)) => {
            let start = error.record_offset().unwrap_or(0);
            report.of_text(py, text, offset(error.offset() - start))
        }
        (origin, ..) => {
            let name = if let Origin::File(name) = origin { name } else { None };
            let values = report.values(py)?;
            values.set_item("filename", name)?;
            let place = error.line().zip(error.column()).unwrap_or((1, 1));
            values.set_item("place", place)?;
            report.make(py, "", offset(error.offset()), &values)
        }
    }
}

/// Returns the exception that a method `read` of Python has raised.
fn raised(py: Python<'_>, error: &Error) -> Option<PyErr> {
    let cause = error.source()?.downcast_ref::<std::io::Error>()?;
    Some(cause.get_ref()?.downcast_ref::<PyErr>()?.clone_ref(py))
}

impl<'e> Report<'e> {
    /// Returns a report that has nothing but a message.
    fn new(message: &'e str) -> Self {
        Self { message, pointer: None, help: None, record: None }
    }

    /// Returns the exception for a place in a text, in bytes.
    fn of_text(&self, py: Python<'_>, text: &[u8], offset: usize) -> PyResult<PyErr> {
        let before = &text[..offset.min(text.len())];
        // Where the text is not UTF-8, as many characters are counted as `errors="replace"` makes of it.
        let position = String::from_utf8_lossy(before).chars().count();
        self.make(py, &String::from_utf8_lossy(text), position, &self.values(py)?)
    }

    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        values.set_item("pointer", self.pointer)?;
        values.set_item("help", self.help)?;
        values.set_item("record", self.record)?;
        Ok(values)
    }

    fn make(&self, py: Python<'_>, text: &str, position: usize, values: &Bound<'_, PyDict>) -> PyResult<PyErr> {
        let class = classes(py)?.decode_error.bind(py);
        let exception = class.call((self.message, text, position), Some(values))?;
        Ok(PyErr::from_value(exception))
    }
}

/// Returns an exception for a text that is not one, such as a number.
pub fn unsuitable(py: Python<'_>, message: &str) -> PyErr {
    Report::new(message).of_text(py, b"", 0).unwrap_or_else(|error| error)
}

/// Returns the exception for a value of a record that is not of the type of its column.
#[cold]
pub fn misfit(py: Python<'_>, misfit: &Misfit) -> PyErr {
    let record = Some(misfit.record);
    let report =
        Report { message: &misfit.message, pointer: Some(&misfit.pointer), help: misfit.help.as_deref(), record };
    report.of_text(py, &misfit.text, misfit.offset).unwrap_or_else(|error| error)
}

/// Returns the exception for a string that is the name of a file where text is expected.
#[cold]
pub fn name_as_text(py: Python<'_>, name: &[u8]) -> PyErr {
    let help = format!("pass pathlib.Path({:?})", String::from_utf8_lossy(name));
    let report = Report { help: Some(&help), ..Report::new("found the name of a file, expected JSON text") };
    report.of_text(py, name, 0).unwrap_or_else(|error| error)
}

/// Returns the exception of `dumps`.
#[cold]
pub fn encode_error(py: Python<'_>, message: impl Into<String>) -> PyErr {
    match classes(py) {
        Ok(classes) => PyErr::from_type(classes.encode_error.bind(py).clone(), message.into()),
        Err(error) => error,
    }
}

/// Returns the exception for an expression that is not valid.
pub fn query_error(py: Python<'_>, message: String, offset: Option<usize>, suggestion: Option<&str>) -> PyErr {
    match classes(py) {
        Ok(classes) => {
            PyErr::from_type(classes.query_error.bind(py).clone(), (message, offset, suggestion.map(str::to_owned)))
        }
        Err(error) => error,
    }
}

/// Returns the exception for a program of jq that ended with an error.
pub fn jq_error(py: Python<'_>, message: String) -> PyErr {
    match classes(py) {
        Ok(classes) => PyErr::from_type(classes.jq_error.bind(py).clone(), message),
        Err(error) => error,
    }
}

/// Returns the exception for an edit, with its number from 0, that cannot be made.
pub fn edit_error(py: Python<'_>, message: String, edit: Option<usize>) -> PyErr {
    match classes(py) {
        Ok(classes) => PyErr::from_type(classes.edit_error.bind(py).clone(), (message, edit)),
        Err(error) => error,
    }
}

/// Returns the exception for a schema with these problems.
pub fn schema_error(py: Python<'_>, problems: Vec<String>) -> PyErr {
    match classes(py) {
        Ok(classes) => PyErr::from_type(classes.schema_error.bind(py).clone(), (problems,)),
        Err(error) => error,
    }
}

/// Returns the exception for documents that do not follow a schema.
pub fn validation_error(py: Python<'_>, places: &[Place]) -> PyErr {
    let made = places.iter().map(|place| violation(py, place)).collect::<PyResult<Vec<_>>>();
    match (made, classes(py)) {
        (Ok(violations), Ok(classes)) => PyErr::from_type(classes.validation_error.bind(py).clone(), (violations,)),
        (Err(error), _) | (_, Err(error)) => error,
    }
}

/// Returns a violation as an object.
///
/// # Errors
/// If there is no memory.
pub fn violation(py: Python<'_>, place: &Place) -> PyResult<Py<PyAny>> {
    let class = classes(py)?.violation.bind(py);
    let violation = &place.violation;
    let causes = violation.causes.iter().map(|cause| cause.message.as_str()).collect::<Vec<_>>();
    let values = PyDict::new(py);
    values.set_item("message", &violation.message)?;
    values.set_item("help", violation.help.as_deref())?;
    values.set_item("pointer", &violation.pointer)?;
    values.set_item("keyword", &violation.keyword)?;
    values.set_item("pos", place.characters)?;
    values.set_item("lineno", place.position.line)?;
    values.set_item("colno", place.position.column)?;
    values.set_item("record", place.record)?;
    values.set_item("schema", violation.schema.as_ref().map(|place| format!("{}#{}", place.file, place.pointer)))?;
    values.set_item("causes", causes)?;
    Ok(class.call((), Some(&values))?.unbind())
}
