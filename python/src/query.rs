//! JSONPath: `query` and the class `Query`.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use fjson::QueryError;
use fjson::Search;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::query_error;
use crate::matches::Matches;
use crate::source::Source;
use crate::whole::options;

/// Returns the values in JSON that a JSONPath (RFC 9535) selects, as a list of Python objects.
///
/// ``data`` is text in memory, a ``pathlib.Path`` or an open file. All of it is checked, but objects are made only of what is selected.
/// An expression that begins with ``/`` is a JSON Pointer (RFC 6901).
///
/// >>> fjson.query('$.books[?@.price < 10].title', '{"books": [{"title": "Emma", "price": 8.9}, {"title": "Ulysses", "price": 12}]}')
/// ['Emma']
#[pyfunction]
#[pyo3(signature = (expression, data, /, *, threads=0))]
pub fn query<'py>(expression: &str, data: &Bound<'py, PyAny>, threads: usize) -> PyResult<Bound<'py, PyList>> {
    Query::new(data.py(), expression)?.find(data, None, threads)
}

/// A JSONPath (RFC 9535) or JSON Pointer (RFC 6901) that is compiled once.
///
/// Its methods take what ``query`` takes. Raises ``QueryError`` if the expression is not valid.
///
/// >>> ids = fjson.Query('$..id')
/// >>> ids.all(b'[{"id": 7}, {"id": 9}]'), ids.count(b'[{"id": 7}, {"id": 9}]')
/// ([7, 9], 2)
#[pyclass(frozen, module = "fjson")]
pub struct Query {
    query: fjson::Query,
}

impl Query {
    /// Returns the compiled query.
    pub fn inner(&self) -> &fjson::Query {
        &self.query
    }

    fn find<'py>(&self, data: &Bound<'py, PyAny>, limit: Option<u64>, threads: usize) -> PyResult<Bound<'py, PyList>> {
        let py = data.py();
        let source = Source::of(data)?;
        let (queries, options) = ([self.query.clone()], options(false, threads));
        let matches = source.read(py, |input| {
            let mut search = Search::new(&queries).without_paths();
            if let Some(limit) = limit {
                search = search.limit(limit);
            }
            let mut matches = Matches::new();
            search.run(input, &options, &mut matches)?;
            matches.checked()
        })?;
        matches.into_list(py, source.origin())
    }
}

#[pymethods]
impl Query {
    #[new]
    #[pyo3(signature = (expression, /))]
    fn new(py: Python<'_>, expression: &str) -> PyResult<Self> {
        match fjson::Query::new(expression) {
            Ok(query) => Ok(Self { query }),
            Err(error) => Err(invalid(py, &error)),
        }
    }

    /// The expression.
    #[getter]
    fn expression(&self) -> &str {
        self.query.expression()
    }

    /// Returns all selected values as a list.
    ///
    /// >>> fjson.Query('$[*].a').all('[{"a": 1}, {"a": [2]}]')
    /// [1, [2]]
    #[pyo3(signature = (data, /, *, threads=0))]
    fn all<'py>(&self, data: &Bound<'py, PyAny>, threads: usize) -> PyResult<Bound<'py, PyList>> {
        self.find(data, None, threads)
    }

    /// Returns the first selected value, or ``default`` if there is none.
    ///
    /// >>> fjson.Query('$..a').first('[{"a": 1}, {"a": 2}]')
    /// 1
    #[pyo3(signature = (data, /, default=None, *, threads=0))]
    fn first<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.find(data, Some(1), threads)?;
        if found.is_empty() { Ok(default) } else { found.get_item(0).map(Some) }
    }

    /// Returns the number of selected values.
    ///
    /// >>> fjson.Query('$[*]').count('[10, 20, 30]')
    /// 3
    #[pyo3(signature = (data, /, *, threads=0))]
    fn count(&self, data: &Bound<'_, PyAny>, threads: usize) -> PyResult<u64> {
        let options = options(false, threads);
        Source::of(data)?.read(data.py(), |input| self.query.count(input, &options))
    }

    /// Returns the normalized paths of the selected values as a list.
    ///
    /// >>> fjson.Query('$..a').paths('{"x": [{"a": 1}]}')
    /// ["$['x'][0]['a']"]
    #[pyo3(signature = (data, /, *, threads=0))]
    fn paths(&self, data: &Bound<'_, PyAny>, threads: usize) -> PyResult<Vec<String>> {
        let options = options(false, threads);
        Source::of(data)?.read(data.py(), |input| {
            let mut paths = Vec::new();
            let each = self.query.each(input, &options, &mut |matched| {
                paths.extend(matched.path());
                ControlFlow::Continue(())
            });
            each.map(|_| paths)
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let expression = self.query.expression().into_pyobject(py)?.repr()?;
        Ok(format!("fjson.Query({expression})"))
    }
}

/// Returns the exception for an expression that is not valid.
pub fn invalid(py: Python<'_>, error: &QueryError) -> PyErr {
    let message = match error.suggestion() {
        Some(suggestion) => format!("{error}; did you mean `{suggestion}`?"),
        None => error.to_string(),
    };
    query_error(py, message, Some(error.offset()), error.suggestion())
}
