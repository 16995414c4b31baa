//! The jq language: `jq`.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use fjson::Framing;
use fjson::Options;
use fjson::for_each_document;
use fjson_jq::Filter;
use fjson_jq::RunError;
use fjson_jq::value::Value;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::types::PyList;

use crate::dump;
use crate::errors::jq_error;
use crate::errors::query_error;
use crate::matches::Matches;
use crate::source::Source;

/// Returns the outputs of a program in the jq language, as a list of Python objects.
///
/// ``data`` is text in memory, a ``pathlib.Path`` or an open file, with one document or several. The program gets each of them in turn.
/// ``variables`` are those that it may use, without the ``$``. It has no access to files and to the environment. Raises ``QueryError``
/// if the program is not valid, and ``JqError`` if it ends with an error.
///
/// >>> fjson.jq('.users | map(select(.age >= $age) | .name)', '{"users": [{"name": "Ada", "age": 36}, {"name": "Tim", "age": 9}]}', variables={'age': 18})
/// [['Ada']]
#[pyfunction]
#[pyo3(signature = (program, data, /, *, variables=None))]
pub fn jq<'py>(
    program: &str,
    data: &Bound<'py, PyAny>,
    variables: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = data.py();
    let mut texts = Vec::new();
    let mut builder = Filter::builder();
    for (name, value) in variables.into_iter().flatten() {
        let name: String = name.extract()?;
        texts.push((name.clone(), dump::to_vec(&value)?));
        builder = builder.variable(name);
    }
    let filter = builder.compile(program).map_err(|error| {
        let message = match error.help() {
            Some(help) => format!("{}; {help}", error.message()),
            None => error.message().to_owned(),
        };
        query_error(py, message, Some(error.offset()), None)
    })?;
    let source = Source::of(data)?;
    let options = Options::new().framing(Framing::Documents);
    let (matches, stopped) = source.read(py, |input| {
        let (mut matches, mut failure, mut stopped) = (Matches::new(), None, None);
        let mut machine = filter.machine();
        for (name, text) in &texts {
            match Value::parse(text) {
                Ok(value) => machine.set_variable(name, value),
                Err(error) => stopped = Some(error.to_string()),
            }
        }
        for_each_document(input, &options, |document| {
            let document = match document {
                Ok(document) => document,
                Err(error) => {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            };
            let input = match Value::parse(document.raw().as_bytes()) {
                Ok(input) => input,
                Err(error) => {
                    stopped = Some(error.to_string());
                    return ControlFlow::Break(());
                }
            };
            let result = machine.run(input, &mut |output| {
                matches.push(output.to_string().as_bytes(), document.offset);
                ControlFlow::Continue(())
            });
            match result {
                Ok(()) => ControlFlow::Continue(()),
                // The program has ended as it wanted to.
                Err(RunError::Halt(halt)) if halt.status == 0 && halt.message.is_none() => ControlFlow::Break(()),
                Err(error) => {
                    stopped = Some(error.to_string());
                    ControlFlow::Break(())
                }
            }
        })?;
        failure.map_or(Ok((matches, stopped)), Err)
    })?;
    match stopped {
        Some(message) => Err(jq_error(py, message)),
        None => matches.into_list(py, source.origin()),
    }
}
