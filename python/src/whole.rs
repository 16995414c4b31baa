//! Functions of whole texts: `load`, `validate`, `minify`, `pretty`, `canonical`.

#![forbid(unsafe_code)]

use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Layout;
use fjson::Options;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::Origin;
use crate::errors::validation_error;
use crate::load::of_text;
use crate::schema::Schema;
use crate::schema::limited;
use crate::source::Source;

/// Returns the value of a JSON file as Python objects, like ``loads``.
///
/// The file is named by a ``str`` or ``os.PathLike``, or is an open one with a method ``read``. A file that changes while it is read is
/// an ``OSError``.
///
/// >>> import pathlib, tempfile
/// >>> path = pathlib.Path(tempfile.mkdtemp()) / 'data.json'
/// >>> _ = path.write_text('{"id": 7}')
/// >>> fjson.load(path)
/// {'id': 7}
#[pyfunction]
#[pyo3(signature = (file, /))]
pub fn load(file: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = file.py();
    let (text, name) = Source::of_file(file)?.into_text(py)?;
    let result = of_text(py, text.bytes(), Origin::Text(text.bytes()));
    if let (Err(error), Some(name)) = (&result, name) {
        // Other exceptions have no such attribute, and those of the operating system have it already.
        let value = error.value(py);
        if value.hasattr("pointer")? {
            value.setattr("filename", name)?;
        }
    }
    result
}

/// Checks that data is valid JSON, without making objects of it. Raises ``JSONDecodeError`` if it is not.
///
/// ``data`` is text in memory, a ``pathlib.Path`` or an open file. With ``lines``, each line is a document of its own (NDJSON).
/// ``unique_keys`` forbids objects with the same key twice, ``ijson`` everything that I-JSON (RFC 7493) does. Depth is not limited.
/// With ``schema``, a ``Schema``, data that does not follow it raises ``ValidationError``, which has the violations of the first
/// document, and more than 1,000 levels are an error.
///
/// >>> fjson.validate(b'[1, 2]')
/// >>> fjson.validate('{"a": 1, "a": 2}', unique_keys=True)
/// Traceback (most recent call last):
/// ...
/// fjson.JSONDecodeError: duplicate key `a`, first used at line 1 column 2 (byte 1): line 1 column 10 (char 9)
#[pyfunction]
#[pyo3(signature = (data, /, *, lines=false, unique_keys=false, ijson=false, schema=None, threads=0))]
pub fn validate(
    data: &Bound<'_, PyAny>,
    lines: bool,
    unique_keys: bool,
    ijson: bool,
    schema: Option<&Bound<'_, Schema>>,
    threads: usize,
) -> PyResult<()> {
    let (py, source) = (data.py(), Source::of(data)?);
    let options = options(lines, threads).unique_keys(unique_keys).ijson(ijson);
    let Some(schema) = schema else {
        return source.read(py, |input| fjson::validate(input, &options).map(|_| ()));
    };
    let schema = schema.get();
    let places = source.read(py, |input| schema.find(input, &limited(options), lines, 1))?;
    let Some(first) = places.first() else { return Ok(()) };
    let count = places.iter().take_while(|place| place.record == first.record).count();
    Err(validation_error(py, &places[..count]))
}

/// Returns JSON without whitespace. Numbers and strings keep their text.
///
/// ``data`` is text in memory, a ``pathlib.Path`` or an open file. With ``lines``, each line is a document of its own (NDJSON).
///
/// >>> fjson.minify('{ "a" : [ 1.50, "\u00e9" ] }')
/// b'{"a":[1.50,"\xc3\xa9"]}'
#[pyfunction]
#[pyo3(signature = (data, /, *, lines=false, sort_keys=false, threads=0))]
pub fn minify<'py>(
    data: &Bound<'py, PyAny>,
    lines: bool,
    sort_keys: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = options(lines, threads).sort_keys(sort_keys);
    rewrite(data, |input, out| fjson::minify(input, out, &options).map(|_| ()))
}

/// Returns JSON with line breaks and indentation, for people. Numbers and strings keep their text.
///
/// ``indent`` is a number of spaces or a tab. ``width`` leaves objects and arrays on one line that fit into that many columns.
///
/// >>> print(fjson.pretty('{"a":[1.50,{}]}').decode(), end='')
/// {
///   "a": [
///     1.50,
///     {}
///   ]
/// }
#[pyfunction]
#[pyo3(signature = (data, /, *, indent=None, sort_keys=false, width=None, threads=0))]
pub fn pretty<'py>(
    data: &Bound<'py, PyAny>,
    indent: Option<&Bound<'py, PyAny>>,
    sort_keys: bool,
    width: Option<u32>,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut layout = layout(indent)?;
    if let Some(width) = width {
        if width == 0 || width > Layout::MAX_WIDTH {
            return Err(PyValueError::new_err(format!("width must be from 1 to {}", Layout::MAX_WIDTH)));
        }
        layout = layout.width(width);
    }
    let options = options(false, threads).sort_keys(sort_keys);
    rewrite(data, |input, out| fjson::pretty(input, out, &layout, &options).map(|_| ()))
}

/// Returns the canonical form of JSON (RFC 8785), for hashes and signatures.
///
/// >>> fjson.canonical('{"b": 1.0, "a": "\\u00e9"}')
/// b'{"a":"\xc3\xa9","b":1}'
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn canonical<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let options = options(false, 1);
    rewrite(data, |input, out| fjson::canonical(input, out, &options).map(|_| ()))
}

/// Returns the options for a document or for lines.
pub fn options(lines: bool, threads: usize) -> Options {
    let framing = if lines { Framing::Lines } else { Framing::Document };
    Options::new().framing(framing).threads(threads)
}

fn layout(indent: Option<&Bound<'_, PyAny>>) -> PyResult<Layout> {
    let Some(indent) = indent else { return Ok(Layout::default()) };
    if indent.extract::<&str>().is_ok_and(|text| text == "\t") {
        return Ok(Layout::tab());
    }
    match indent.extract::<u8>() {
        Ok(spaces) if spaces <= Layout::MAX_SPACES => Ok(Layout::spaces(spaces)),
        _ => Err(PyValueError::new_err(format!("indent must be from 0 to {}, or a tab", Layout::MAX_SPACES))),
    }
}

/// Returns what `work` writes.
fn rewrite<'py>(
    data: &Bound<'py, PyAny>,
    work: impl FnOnce(Input<'_>, &mut Vec<u8>) -> Result<(), Error> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = data.py();
    let text = Source::of(data)?.read(py, |input| {
        let mut out = Vec::new();
        work(input, &mut out).map(|()| out)
    })?;
    Ok(PyBytes::new(py, &text))
}
