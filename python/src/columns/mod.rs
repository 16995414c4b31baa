//! Records of NDJSON as columns of Arrow: `columns`.
//!
//! `select` finds the values of a record, `build` makes columns of them, `read` passes batches on, and `arrow` gives them to other
//! libraries. `kind` has the types, which `infer` finds if they are not given.

mod arrow;
mod build;
mod infer;
mod kind;
mod read;
mod select;
mod time;

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::thread;

use fjson::Input;
use pyo3::exceptions::PyRuntimeError;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3::types::PyDict;

use crate::channel::Receiver;
use crate::channel::channel;
use crate::columns::arrow::ArrowArray;
use crate::columns::arrow::ArrowArrayStream;
use crate::columns::arrow::ArrowSchema;
use crate::columns::arrow::Finished;
use crate::columns::infer::Wanted;
use crate::columns::infer::infer;
use crate::columns::read::Counts;
use crate::columns::read::Message;
pub use crate::columns::read::Misfit;
use crate::columns::read::Plan;
use crate::columns::read::Trouble;
use crate::errors::Failure;
use crate::errors::Origin;
use crate::errors::exception;
use crate::errors::misfit;
use crate::source::Shared;
use crate::source::Source;
use crate::source::reading_error;
use crate::whole::options;

/// Number of batches that wait.
const WAITING: usize = 2;

/// Returns the records of NDJSON (JSON Lines) as columns of Arrow, which pyarrow, polars, DuckDB and pandas read without copying them.
///
/// ``source`` is text in memory, a ``pathlib.Path`` or an open file, plain or compressed. ``columns`` has the names of members, or a
/// ``dict`` of names and paths: a JSONPath, JSON Pointer or ``Query``. A path that may select several values makes a list of them.
/// Without ``columns``, each member of the first records is a column. Values that are missing are null.
///
/// ``types`` has types of columns: ``"bool"``, ``"int64"``, ``"uint64"``, ``"float64"``, ``"string"``, ``"json"`` (the text of any
/// value), ``"date"``, ``"timestamp[us, UTC]"``, ``"timestamp[us]"`` (without offset from UTC; the unit may be s, ms, us or ns),
/// ``[type]`` for lists and ``{name: type}`` for objects. Types that are not given are those of the first ``infer`` records, or of all if
/// it is ``None``.
///
/// A value of another type raises ``JSONDecodeError`` with its ``record`` and ``pointer``; with ``null_mismatches``, it becomes null and
/// is counted. So does, if the members of an object were inferred, a member that is not one of them; it is left out. An invalid line is
/// an error, too; with ``skip_bad``, it is passed over and counted. A batch has ``batch_size`` records, or fewer if they are long.
/// ``range``, two offsets in bytes or ``None``, reads only the lines that begin between them, so ranges that cover a file have each of
/// its records once.
///
/// >>> log = '{"ms": 20, "user": {"id": 7}}\n{"ms": 1.5}\n'
/// >>> columns = fjson.columns(log)
/// >>> columns.types
/// {'ms': 'float64', 'user': {'id': 'int64'}}
/// >>> [len(batch) for batch in fjson.columns(log, {'id': '$.user.id'}, types={'id': 'string'}, null_mismatches=True)]
/// [2]
#[pyfunction]
#[pyo3(
    signature = (
        source, columns=None, /, *, types=None, infer=Some(10_000), batch_size=65_536, skip_bad=false, null_mismatches=false, range=None, threads=0
    ),
    text_signature = "(source, columns=None, /, *, types=None, infer=10000, batch_size=65536, skip_bad=False, null_mismatches=False, range=None, threads=0)"
)]
pub fn columns(
    source: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    types: Option<&Bound<'_, PyDict>>,
    infer: Option<u64>,
    batch_size: usize,
    skip_bad: bool,
    null_mismatches: bool,
    range: Option<(Option<u64>, Option<u64>)>,
    threads: usize,
) -> PyResult<Columns> {
    let py = source.py();
    if batch_size == 0 {
        return Err(PyValueError::new_err("batch_size must be at least 1"));
    }
    let wanted = Wanted::of(py, columns, types)?;
    let mut shared = Source::of(source)?.into_shared();
    let (from, to) = range.unwrap_or_default();
    let (range, count) = (from.unwrap_or(0)..to.unwrap_or(u64::MAX), infer.unwrap_or(u64::MAX));
    let (mut sample, mut is_sample) = (Vec::new(), true);
    if wanted.are_types_missing() {
        is_sample = infer.is_some() || shared.is_stream();
        if is_sample {
            let first = py.detach(|| shared.first_lines(range.clone(), count));
            (sample, shared) = first.map_err(|error| reading_error(py, error, None))?;
        }
    }
    let inferred = py.detach(|| {
        let input = if is_sample { Input::from(&sample) } else { shared.input_in(range.clone())? };
        self::infer(wanted, input, count)
    });
    let (names, kinds, selection) = inferred.map_err(|error| exception(py, error.into(), Origin::File(None)))??;
    let options = options(true, threads).keep_invalid(!skip_bad);
    let plan = Plan { names, kinds, selection, options, batch_size, skip_bad, null_mismatches, range };
    Ok(Columns { plan: Arc::new(plan), counts: Arc::new(Counts::default()), source: Mutex::new(Some(shared)) })
}

/// Records as columns; see ``columns``.
///
/// It has the Arrow PyCapsule interface, so other libraries take it as it is: ``pyarrow.table(columns)``, ``polars.DataFrame(columns)``,
/// ``duckdb.sql('FROM columns')``. Iterating gives its batches. Each use reads the source from its start; what is not a file by name or
/// text in memory can be used once.
#[pyclass(frozen, module = "fjson")]
pub struct Columns {
    plan: Arc<Plan>,
    counts: Arc<Counts>,
    /// Empty after it was used, if it can be read only once.
    source: Mutex<Option<Shared>>,
}

impl Columns {
    /// Starts to read in another thread.
    fn start(&self, py: Python<'_>) -> PyResult<Receiver<Message>> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let again = source.as_ref().map(|source| source.again(py)).transpose()?.flatten();
        let Some(mut reading) = again.or_else(|| source.take()) else {
            return Err(PyValueError::new_err("the source of these columns was read, and can be read only once"));
        };
        self.counts.reset();
        let (plan, counts) = (Arc::clone(&self.plan), Arc::clone(&self.counts));
        let (sender, receiver) = channel(WAITING);
        reading = reading.while_wanted(receiver.wanted());
        let thread = thread::Builder::new().name("fjson.columns".to_owned());
        thread.spawn(move || read::read(&mut reading, &plan, &counts, &sender))?;
        Ok(receiver)
    }
}

#[pymethods]
impl Columns {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<fjson.Columns {}>", self.types(py)?.repr()?))
    }

    /// The types of the columns, by name.
    #[getter]
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let types = PyDict::new(py);
        for (name, kind) in self.plan.names.names().iter().zip(&self.plan.kinds) {
            types.set_item(name, kind.to_python(py)?)?;
        }
        Ok(types)
    }

    /// The number of invalid lines that were passed over so far, since the source was last read from its start.
    #[getter]
    fn skipped(&self) -> u64 {
        self.counts.skipped.load(Ordering::Relaxed)
    }

    /// The number of values that became null so far because of their type, and of members that were left out.
    #[getter]
    fn mismatches(&self) -> u64 {
        self.counts.mismatches.load(Ordering::Relaxed)
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Batches> {
        let receiver = Mutex::new(self.start(py)?);
        Ok(Batches { plan: Arc::clone(&self.plan), receiver })
    }

    /// Returns the schema of the batches (Arrow PyCapsule interface).
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.plan)
    }

    /// Returns the batches (Arrow PyCapsule interface). The schema is always that of the columns.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let stream = Stream { plan: Arc::clone(&self.plan), receiver: self.start(py)? };
        PyCapsule::new_with_value(py, ArrowArrayStream::new(stream), c"arrow_array_stream")
    }
}

fn schema_capsule<'py>(py: Python<'py>, plan: &Plan) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, ArrowSchema::of_batch(&plan.names, &plan.kinds), c"arrow_schema")
}

/// The batches for other libraries.
struct Stream {
    plan: Arc<Plan>,
    receiver: Receiver<Message>,
}

impl arrow::Batches for Stream {
    fn schema(&self) -> ArrowSchema {
        ArrowSchema::of_batch(&self.plan.names, &self.plan.kinds)
    }

    fn next(&mut self) -> Result<Option<Arc<Finished>>, String> {
        let receiver = &mut self.receiver;
        // SAFETY: this function may be called by any thread, and reads only whether this one has the lock.
        let has_lock = unsafe { ffi::PyGILState_Check() } == 1;
        // The reading thread may need the lock, to call `read`.
        let message = if has_lock { Python::attach(|py| py.detach(move || receiver.wait())) } else { receiver.wait() };
        match message {
            Some(Ok(batch)) => Ok(Some(batch)),
            Some(Err(trouble)) => Err(trouble.describe()),
            None => Ok(None),
        }
    }
}

/// An iterator over batches.
#[pyclass(frozen, module = "fjson")]
pub struct Batches {
    plan: Arc<Plan>,
    receiver: Mutex<Receiver<Message>>,
}

#[pymethods]
impl Batches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        // Another thread may wait for a batch without the interpreter lock, so this one must not wait for it.
        let Ok(mut receiver) = self.receiver.try_lock() else {
            return Err(PyRuntimeError::new_err("another thread is using this iterator"));
        };
        match receiver.receive(py)? {
            None => Ok(None),
            Some(Ok(finished)) => Ok(Some(Batch { plan: Arc::clone(&self.plan), finished })),
            Some(Err(Trouble::Error(error))) => Err(exception(py, Failure::Json(error), Origin::Record)),
            Some(Err(Trouble::Misfit(value))) => Err(misfit(py, &value)),
        }
    }
}

/// Consecutive records as columns; see ``columns``.
///
/// It has the Arrow PyCapsule interface: ``pyarrow.record_batch(batch)``.
#[pyclass(frozen, module = "fjson")]
pub struct Batch {
    plan: Arc<Plan>,
    finished: Arc<Finished>,
}

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.finished.length()
    }

    /// Returns the schema of the batch (Arrow PyCapsule interface).
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.plan)
    }

    /// Returns the schema and the columns of the batch (Arrow PyCapsule interface).
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let array = PyCapsule::new_with_value(py, ArrowArray::new(&self.finished), c"arrow_array")?;
        Ok((schema_capsule(py, &self.plan)?, array))
    }
}
