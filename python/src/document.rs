//! Documents whose values are made into objects only when they are asked for: the class `Document`.

#![forbid(unsafe_code)]

use std::hash::DefaultHasher;
use std::hash::Hash;
use std::hash::Hasher;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use fjson::Kind;
use fjson::OwnedDocument;
use fjson::OwnedValue;
use fjson::Parser;
use fjson::Value;
use pyo3::exceptions::PyIndexError;
use pyo3::exceptions::PyKeyError;
use pyo3::exceptions::PyMemoryError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::types::PyDict;
use pyo3::types::PyIterator;
use pyo3::types::PyList;
use pyo3::types::PySlice;
use pyo3::types::PyString;

use crate::errors::Origin;
use crate::errors::exception;
use crate::load;
use crate::objects::NoCollector;
use crate::query::Query;
use crate::query::invalid;
use crate::source::Source;
use crate::state;

/// A JSON document whose values become Python objects only when they are asked for.
///
/// ``data`` is text in memory, a ``pathlib.Path`` or an open file. It is checked as a whole. An object or array of it is a ``Document``
/// again, which shares its text; strings, numbers, booleans and null are Python objects. An object is used like a ``dict``, an array
/// like a ``list``. Of members with the same key, the last one counts for look-ups and in ``to_python``.
///
/// >>> doc = fjson.Document(b'{"users": [{"name": "Ada"}, {"name": "Alan"}]}')
/// >>> doc['users'][1]['name'], len(doc['users']), 'groups' in doc
/// ('Alan', 2, False)
/// >>> [user['name'] for user in doc['users']]
/// ['Ada', 'Alan']
#[pyclass(frozen, module = "fjson", weakref)]
pub struct Document {
    value: OwnedValue,
}

/// Longest text that is shown.
const SHOWN: usize = 60;

impl Document {
    /// Returns the value.
    pub fn value(&self) -> Value<'_, '_> {
        self.value.value()
    }

    /// Returns a value of the document as an object: a document again for an object or array.
    fn give(&self, py: Python<'_>, value: Value<'_, '_>) -> PyResult<Py<PyAny>> {
        match value.kind() {
            Kind::Object | Kind::Array => {
                let document = Self { value: self.value.own(value) };
                Ok(Py::new(py, document)?.into_any())
            }
            _ => convert(py, value),
        }
    }

    fn kind_name(&self) -> &'static str {
        match self.value.value().kind() {
            Kind::Null => "null",
            Kind::Bool => "boolean",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }

    fn require(&self, kind: Kind) -> PyResult<Value<'_, '_>> {
        let value = self.value.value();
        if value.kind() == kind {
            return Ok(value);
        }
        let wanted = if kind == Kind::Object { "object" } else { "array" };
        Err(PyTypeError::new_err(format!("the JSON value is not of type {wanted} but {}", self.kind_name())))
    }

    fn elements(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.value.value().iter().map(|element| self.give(py, element)).collect()
    }

    /// Returns the keys and values. Of members with the same key, the last value is given in the place of the first.
    fn members(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, Value<'_, '_>)>> {
        let object = self.require(Kind::Object)?;
        let (mut members, places) = (Vec::new(), PyDict::new(py));
        for member in object.members() {
            let key = convert(py, member.key)?;
            if let Some(place) = places.get_item(&key)? {
                let place: usize = place.extract()?;
                let previous: &mut (Py<PyAny>, Value<'_, '_>) = &mut members[place];
                previous.1 = member.value;
            } else {
                places.set_item(&key, members.len())?;
                members.push((key, member.value));
            }
        }
        Ok(members)
    }
}

/// Returns the value at a JSON Pointer. Of members with the same key, the last one counts.
fn at<'p, 't>(value: Value<'p, 't>, pointer: &str) -> Option<Value<'p, 't>> {
    let Some(parts) = pointer.strip_prefix('/') else { return pointer.is_empty().then_some(value) };
    parts.split('/').try_fold(value, |value, part| {
        if value.kind() != Kind::Object || part.replace("~0", "").replace("~1", "").contains('~') {
            return value.pointer(&format!("/{part}"));
        }
        value.get_last(&part.replace("~1", "/").replace("~0", "~"))
    })
}

/// Returns a value as Python objects.
fn convert(py: Python<'_>, value: Value<'_, '_>) -> PyResult<Py<PyAny>> {
    let tokens = value.tokens();
    let mut state = state::take();
    let result = {
        let _collector = NoCollector::new(py);
        load::value(py, tokens, value.token(), &mut state.memory)
    };
    state::give(state);
    let (object, _) = result.map_err(|failure| exception(py, failure, Origin::Text(tokens.text())))?;
    Ok(object)
}

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (data, /))]
    fn new(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = data.py();
        let (text, name) = Source::of(data)?.into_text(py)?;
        let bytes = text.bytes();
        let document = py.detach(|| {
            let mut copy = Vec::new();
            let copied = copy.try_reserve_exact(bytes.len());
            copied.ok().map(|()| {
                copy.extend_from_slice(bytes);
                Parser::with_options(&state::options()).owned_document(copy)
            })
        });
        match document {
            Some(Ok(document)) => Ok(Self { value: own_root(&document) }),
            Some(Err(error)) => {
                let error = exception(py, error.into(), Origin::Text(bytes));
                if let Some(name) = name {
                    error.value(py).setattr("filename", name)?;
                }
                Err(error)
            }
            None => Err(PyMemoryError::new_err("not enough memory for the text of the document")),
        }
    }

    /// The type of the value: ``"object"``, ``"array"``, ``"string"``, ``"number"``, ``"boolean"`` or ``"null"``.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind_name()
    }

    /// The text of the value in the document, as ``bytes``.
    ///
    /// >>> fjson.Document('{"a": [1.50 ]}')['a'].raw
    /// b'[1.50 ]'
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.value.value().raw().as_bytes())
    }

    /// Returns the value as Python objects, like ``loads``.
    ///
    /// >>> fjson.Document('[1, {"a": null}]').to_python()
    /// [1, {'a': None}]
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        convert(py, self.value.value())
    }

    /// Returns the value at a JSON Pointer (RFC 6901). Raises ``KeyError`` if there is none, unless ``default`` is given.
    ///
    /// >>> fjson.Document('{"a/b": [10, 20]}').pointer('/a~1b/1')
    /// 20
    #[pyo3(signature = (pointer, /, **default))]
    fn pointer(&self, py: Python<'_>, pointer: &str, default: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let fallback = match default {
            Some(arguments) => match (arguments.len(), arguments.get_item("default")?) {
                (1, Some(fallback)) => Some(fallback),
                _ => return Err(PyTypeError::new_err("pointer() takes one argument and `default`")),
            },
            None => None,
        };
        match (at(self.value.value(), pointer), fallback) {
            (Some(value), _) => self.give(py, value),
            (None, Some(fallback)) => Ok(fallback.unbind()),
            (None, None) => Err(PyKeyError::new_err(pointer.to_owned())),
        }
    }

    /// Returns the values that a JSONPath selects, as a list. ``expression`` is a ``str`` or a ``Query``.
    ///
    /// >>> fjson.Document('{"a": {"id": 1}, "b": {"id": 2}}').query('$..id')
    /// [1, 2]
    #[pyo3(signature = (expression, /))]
    fn query<'py>(&self, expression: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = expression.py();
        let found = if let Ok(query) = expression.cast::<Query>() {
            self.value.value().find(query.get().inner())
        } else {
            let query = fjson::Query::new(expression.extract::<&str>()?).map_err(|error| invalid(py, &error))?;
            self.value.value().find(&query)
        };
        let found = found.map_err(|error| exception(py, error.into(), Origin::Text(b"")))?;
        let values: Vec<_> = found.into_iter().map(|value| self.give(py, value)).collect::<PyResult<_>>()?;
        PyList::new(py, values)
    }

    /// Returns the value of a key, or ``default`` if an object has no such member.
    #[pyo3(signature = (key, default=None, /))]
    fn get(&self, py: Python<'_>, key: &str, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        match self.require(Kind::Object)?.get_last(key) {
            Some(value) => self.give(py, value).map(Some),
            None => Ok(default),
        }
    }

    /// Returns the keys of an object as a list.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        Ok(self.members(py)?.into_iter().map(|(key, _)| key).collect())
    }

    /// Returns the values of an object as a list.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.members(py)?.into_iter().map(|(_, value)| self.give(py, value)).collect()
    }

    /// Returns the keys and values of an object as a list of pairs.
    ///
    /// >>> fjson.Document('{"a": 1, "b": "x"}').items()
    /// [('a', 1), ('b', 'x')]
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, Py<PyAny>)>> {
        self.members(py)?.into_iter().map(|(key, value)| Ok((key, self.give(py, value)?))).collect()
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = key.py();
        if let Ok(name) = key.cast::<PyString>() {
            let found = self.require(Kind::Object)?.get_last(name.to_str()?);
            return match found {
                Some(value) => self.give(py, value),
                None => Err(PyKeyError::new_err(name.clone().unbind())),
            };
        }
        let array = self.require(Kind::Array)?;
        if let Ok(slice) = key.cast::<PySlice>() {
            let list = PyList::new(py, self.elements(py)?)?;
            return Ok(list.as_any().get_item(slice)?.unbind());
        }
        let index: isize = key.extract()?;
        let place = if index < 0 { array.len().checked_sub(index.unsigned_abs()) } else { Some(index.unsigned_abs()) };
        match place.and_then(|place| array.at(place)) {
            Some(value) => self.give(py, value),
            None => Err(PyIndexError::new_err("array index out of range")),
        }
    }

    fn __len__(&self) -> PyResult<usize> {
        match self.value.value().kind() {
            Kind::Array => Ok(self.value.value().len()),
            Kind::Object => Python::attach(|py| Ok(self.members(py)?.len())),
            _ => Err(PyTypeError::new_err(format!("a JSON {} has no len()", self.kind_name()))),
        }
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        match self.value.value().kind() {
            Kind::Array | Kind::Object => Ok(!self.value.value().is_empty()),
            _ => convert(py, self.value.value())?.is_truthy(py),
        }
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        if self.value.value().kind() == Kind::Object {
            let Ok(name) = key.cast::<PyString>() else { return Ok(false) };
            return Ok(self.value.value().get_last(name.to_str()?).is_some());
        }
        self.require(Kind::Array)?;
        PyList::new(key.py(), self.elements(key.py())?)?.contains(key)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        if self.value.value().kind() == Kind::Object {
            return PyList::new(py, self.keys(py)?)?.try_iter();
        }
        let array = self.require(Kind::Array)?;
        let tokens = array.tokens();
        let next = array.token() + 1;
        let elements =
            Elements { document: self.value.clone(), next: AtomicUsize::new(next), end: tokens.close(array.token()) };
        Bound::new(py, elements)?.try_iter()
    }

    /// Whether both have the same JSON value: numbers are compared exactly, and the order of members does not matter.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match other.cast::<Self>() {
            Ok(other) => {
                let equal = self.value.value() == other.get().value.value();
                Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
            }
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.value.value().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let text = self.value.value().raw();
        let shown: String = text.chars().take(SHOWN).map(|it| if it.is_control() { ' ' } else { it }).collect();
        let rest = if shown.len() < text.len() { "…" } else { "" };
        format!("<fjson.Document {shown}{rest}>")
    }
}

/// Returns the root of a document, which shares its text.
fn own_root(document: &OwnedDocument) -> OwnedValue {
    document.own(document.root())
}

/// The elements of an array, one by one.
#[pyclass(frozen)]
struct Elements {
    document: OwnedValue,
    /// The token of the next element.
    next: AtomicUsize,
    end: usize,
}

#[pymethods]
impl Elements {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let tokens = self.document.value().tokens();
        let token = self.next.load(Ordering::Relaxed);
        if token >= self.end {
            return Ok(None);
        }
        self.next.store(tokens.next(token), Ordering::Relaxed);
        Document { value: self.document.clone() }.give(py, tokens.value(token)).map(Some)
    }
}
