//! JSON Schema: the class `Schema`, and `validate` with a schema.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::path::PathBuf;

use fjson::DocumentBatch;
use fjson::Error;
use fjson::Input;
use fjson::Options;
use fjson::Position;
use fjson::Value;
use fjson::map_documents;
use fjson_schema::Directories;
use fjson_schema::Draft;
use fjson_schema::SchemaError;
use fjson_schema::Violation;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use pyo3::types::PyDict;
use pyo3::types::PyList;

use crate::document::Document;
use crate::dump;
use crate::errors;
use crate::source::Source;
use crate::state;
use crate::whole::options;

/// The drafts of JSON Schema, by name.
const DRAFTS: [(&str, Draft); 5] = [
    ("4", Draft::Draft4),
    ("6", Draft::Draft6),
    ("7", Draft::Draft7),
    ("2019-09", Draft::Draft201909),
    ("2020-12", Draft::Draft202012),
];

/// A JSON Schema, drafts 4 to 2020-12, that is compiled once.
///
/// ``schema`` is a ``dict`` or ``bool``, text in memory, a ``pathlib.Path`` or an open file; ``at`` is a JSON Pointer to the schema in it.
/// The draft is that of ``$schema``, or ``draft``, which is ``"4"``, ``"6"``, ``"7"``, ``"2019-09"`` or ``"2020-12"``. ``formats`` says
/// whether ``format`` is checked. References are looked up in ``folders``, by their ``$id`` or path; those of a file also relative to it.
/// Nothing is read from the network. Raises ``SchemaError`` if it is not a schema.
///
/// Its methods take text in memory, a ``pathlib.Path``, an open file, or a ``Document``.
///
/// >>> port = fjson.Schema({'properties': {'port': {'type': 'integer', 'maximum': 65535}}})
/// >>> port.is_valid(b'{"port": 80}')
/// True
/// >>> [(it.pointer, it.message) for it in port.violations('{"port": "80"}')]
/// [('/port', 'found the string "80", expected an integer')]
#[pyclass(frozen, module = "fjson")]
pub struct Schema {
    schema: fjson_schema::Schema,
}

/// A violation, and where it is in its record, or in a document that is the only one.
pub struct Place {
    pub violation: Violation,
    /// The number of characters before it.
    pub characters: usize,
    pub position: Position,
    /// The number of the record, from 1.
    pub record: Option<u64>,
}

impl Place {
    fn new(violation: Violation, text: &[u8], start: usize, record: Option<u64>) -> Self {
        let offset = violation.range.start - start;
        let characters = text[..offset].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        Self { violation, characters, position: Position::of(text, offset), record }
    }
}

#[pymethods]
impl Schema {
    #[new]
    #[pyo3(
        signature = (schema, /, *, draft=None, formats=true, at="", folders=Vec::new()),
        text_signature = "(schema, /, *, draft=None, formats=True, at='', folders=())"
    )]
    fn new(
        schema: &Bound<'_, PyAny>,
        draft: Option<&str>,
        formats: bool,
        at: &str,
        folders: Vec<PathBuf>,
    ) -> PyResult<Self> {
        let py = schema.py();
        let mut builder = fjson_schema::Schema::builder().formats(formats).at(at);
        if let Some(name) = draft {
            let Some((_, draft)) = DRAFTS.iter().find(|(draft, _)| *draft == name) else {
                return Err(PyValueError::new_err("draft must be \"4\", \"6\", \"7\", \"2019-09\" or \"2020-12\""));
            };
            builder = builder.draft(*draft);
        }
        let is_object = schema.is_instance_of::<PyDict>() || schema.is_instance_of::<PyBool>();
        let (text, name) = if is_object {
            (dump::to_vec(schema)?, None)
        } else {
            let (text, name) = Source::of(schema)?.into_text(py)?;
            (text.bytes().to_vec(), name)
        };
        // Text without a name may be from anywhere, and must not name files.
        let may_read = name.is_some() || !folders.is_empty();
        if let Some(name) = name {
            builder = builder.uri(Directories::uri(name.as_ref())?).name(name);
        }
        let compiled = py.detach(|| {
            if may_read { builder.compile(text, Directories::new(folders)) } else { builder.compile(text, ()) }
        });
        match compiled {
            Ok(schema) => Ok(Self { schema }),
            Err(error) => Err(errors::schema_error(py, lines_of(&error))),
        }
    }

    /// Whether JSON follows the schema. Raises ``JSONDecodeError`` if it is not JSON.
    ///
    /// With ``lines``, each line is a document of its own (NDJSON), and all must follow it.
    ///
    /// >>> fjson.Schema({'type': 'integer'}).is_valid('1\n"x"\n', lines=True)
    /// False
    #[pyo3(signature = (data, /, *, lines=false, threads=0))]
    fn is_valid(&self, data: &Bound<'_, PyAny>, lines: bool, threads: usize) -> PyResult<bool> {
        if let Ok(document) = data.cast::<Document>() {
            return Ok(self.schema.is_valid(document.get().value()));
        }
        let source = Source::of(data)?;
        if let (Some(bytes), false) = (source.plain(), lines) {
            let mut state = state::take();
            let result = data.py().detach(|| {
                let document = state.parser.document(bytes)?;
                Ok(self.schema.is_valid(document.root()))
            });
            state::give(state);
            return result.map_err(|error: Error| errors::exception(data.py(), error.into(), source.origin()));
        }
        let options = limited(options(lines, threads));
        source.read(data.py(), |input| {
            let check = |documents: &DocumentBatch<'_>| documents.records().all(|record| self.schema.is_valid(record));
            let (mut is_valid, mut failure) = (true, None);
            map_documents(input, &options, check, |mapped| {
                match mapped {
                    Ok(mapped) => is_valid &= mapped.result,
                    Err(error) => failure = Some(error),
                }
                // An invalid line after the first violation is an error, too.
                if failure.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            failure.map_or(Ok(is_valid), Err)
        })
    }

    /// Returns where and how JSON breaks the rules of the schema, as a list of ``Violation``. Raises ``JSONDecodeError`` if it is not JSON.
    ///
    /// With ``lines``, each line is a document of its own (NDJSON). After ``limit`` violations, reading ends.
    ///
    /// >>> schema = fjson.Schema({'properties': {'dev': True}, 'additionalProperties': False})
    /// >>> [violation] = schema.violations('{"devv": 1}')
    /// >>> violation.message, violation.help, violation.colno
    /// ('unknown key "devv"', 'did you mean "dev"?', 2)
    #[pyo3(signature = (data, /, *, lines=false, limit=None, threads=0))]
    fn violations<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        lines: bool,
        limit: Option<usize>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = data.py();
        let limit = limit.unwrap_or(usize::MAX);
        let mut places = if let Ok(document) = data.cast::<Document>() {
            let value = document.get().value();
            let text = value.tokens().text();
            self.schema.violations(value).into_iter().map(|it| Place::new(it, text, 0, None)).collect()
        } else {
            let options = limited(options(lines, threads));
            Source::of(data)?.read(py, |input| self.find(input, &options, lines, limit))?
        };
        places.truncate(limit);
        let objects = places.iter().map(|place| errors::violation(py, place)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, objects)
    }
}

impl Schema {
    /// Returns the violations of all documents of an input, at least as many as `limit` if there are that many.
    ///
    /// # Errors
    /// Of reading, or if a document is not valid.
    pub fn find(
        &self,
        input: Input<'_>,
        options: &Options,
        are_lines: bool,
        limit: usize,
    ) -> Result<Vec<Place>, Error> {
        let check = |documents: &DocumentBatch<'_>| {
            let mut places = Vec::new();
            for (index, record) in documents.records().enumerate() {
                places.extend(self.check(record, are_lines.then_some(index as u64)));
                if places.len() >= limit {
                    break;
                }
            }
            places
        };
        let (mut found, mut failure) = (Vec::new(), None);
        map_documents(input, options, check, |mapped| {
            match mapped {
                Ok(mut mapped) => {
                    for place in &mut mapped.result {
                        place.record = place.record.map(|index| index + mapped.number);
                    }
                    found.append(&mut mapped.result);
                }
                Err(error) => failure = Some(error),
            }
            if failure.is_none() && found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        failure.map_or(Ok(found), Err)
    }

    fn check(&self, value: Value<'_, '_>, record: Option<u64>) -> Vec<Place> {
        // The places in a record are counted from its start, as in errors; those in a document from the start of the text.
        let (text, start) = match record {
            Some(_) => (value.raw().as_bytes(), value.start()),
            None => (value.tokens().text(), 0),
        };
        let violations = self.schema.violations(value);
        violations.into_iter().map(|violation| Place::new(violation, text, start, record)).collect()
    }
}

/// Limits the depth, which takes stack.
pub fn limited(options: Options) -> Options {
    options.max_depth(Some(fjson_schema::MAX_DEPTH))
}

/// Returns a line for each problem of a schema.
fn lines_of(error: &SchemaError) -> Vec<String> {
    let line = |problem: &fjson_schema::Problem| {
        let (at, diagnostic) = (problem.diagnostic.position, &problem.diagnostic);
        let mut line = format!("{}:{}:{}: {diagnostic}", problem.file, at.line, at.column);
        if let Some(help) = &diagnostic.help {
            line.push_str("; ");
            line.push_str(help);
        }
        line
    };
    error.problems().iter().map(line).collect()
}
