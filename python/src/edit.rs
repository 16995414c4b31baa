//! Changes of documents that leave all other bytes as they are: `edit`.

#![forbid(unsafe_code)]

use fjson::EditError;
use fjson::Edits;
use fjson::ErrorKind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::dump;
use crate::errors::edit_error;
use crate::errors::exception;
use crate::source::Source;
use crate::whole::options;

/// Returns JSON with changes. Layout, escapes and the digits of numbers stay as they are, outside of what is changed.
///
/// ``data`` is text in memory, a ``pathlib.Path`` or an open file. ``edits`` are made in their order, each a tuple:
/// ``("set", path, value)``, ``("insert", path, value)``, ``("append", path, value)``, ``("delete", path)``,
/// ``("rename", path, name)``, ``("move", from, to)``, ``("copy", from, to)``, ``("test", path, value)``, ``("patch", operations)``
/// for a JSON Patch (RFC 6902) and ``("merge", value)`` for a merge patch (RFC 7396). A path is a JSON Pointer or a JSONPath, and
/// values are objects; a ``Fragment`` is written as it is. ``parents`` creates missing containers, ``missing_ok`` leaves out edits of what
/// does not exist, and with ``lines`` each line is a document. Raises ``EditError`` if an edit cannot be made.
///
/// >>> fjson.edit('{"version": 1.0,  "tags": ["a"]}', [('set', '/version', 2), ('append', '/tags', 'b')])
/// b'{"version": 2,  "tags": ["a", "b"]}'
#[pyfunction]
#[pyo3(signature = (data, edits, /, *, parents=false, missing_ok=false, lines=false))]
pub fn edit<'py>(
    data: &Bound<'py, PyAny>,
    edits: &Bound<'py, PyAny>,
    parents: bool,
    missing_ok: bool,
    lines: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = data.py();
    let mut all = Edits::new().parents(parents).missing_ok(missing_ok);
    for edit in edits.try_iter()? {
        add(&mut all, &edit?)?;
    }
    let source = Source::of(data)?;
    let options = options(lines, 1);
    let edited = source.read(py, |input| {
        let mut out = Vec::new();
        Ok(all.apply(input, &mut out, &options).map(|_| out))
    })?;
    match edited {
        Ok(text) => Ok(PyBytes::new(py, &text)),
        Err(error) if is_of_edit(&error) => Err(edit_error(py, error.to_string(), error.edit())),
        Err(error) => Err(exception(py, error.into_error().into(), source.origin())),
    }
}

/// Whether an edit could not be made, and not a document be read.
fn is_of_edit(error: &EditError) -> bool {
    use ErrorKind::{InvalidPatch, InvalidPath, TargetMissing, TargetUnsuitable, TestFailed};
    error.edit().is_some()
        || matches!(error.error().kind(), InvalidPatch | InvalidPath | TargetMissing | TargetUnsuitable | TestFailed)
}

/// Adds an edit that is given as a tuple.
fn add(edits: &mut Edits, edit: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = edit.py();
    let parts: Vec<Bound<'_, PyAny>> = edit.extract()?;
    let Some((name, arguments)) = parts.split_first() else {
        return Err(PyValueError::new_err("an edit is a tuple that begins with its name"));
    };
    let name: &str = name.extract()?;
    let json = |value: &Bound<'_, PyAny>| -> PyResult<String> {
        String::from_utf8(dump::to_vec(value)?).map_err(|_| PyValueError::new_err("a Fragment that is not UTF-8"))
    };
    let added = match (name, arguments) {
        ("set", [path, value]) => edits.set(path.extract()?, &json(value)?),
        ("insert", [path, value]) => edits.insert(path.extract()?, &json(value)?),
        ("append", [path, value]) => edits.append(path.extract()?, &json(value)?),
        ("delete", [path]) => edits.delete(path.extract()?),
        ("rename", [path, name]) => edits.rename(path.extract()?, name.extract()?),
        ("move", [from, to]) => edits.move_to(from.extract()?, to.extract()?),
        ("copy", [from, to]) => edits.copy_to(from.extract()?, to.extract()?),
        ("test", [path, value]) => edits.test(path.extract()?, &json(value)?),
        ("patch", [operations]) => edits.patch(&json(operations)?),
        ("merge", [value]) => edits.merge(&json(value)?),
        _ => {
            let message = format!("unknown edit, or wrong number of arguments: {}", edit.repr()?);
            return Err(PyValueError::new_err(message));
        }
    };
    added.map(|_| ()).map_err(|error| edit_error(py, error.to_string(), error.edit()))
}
