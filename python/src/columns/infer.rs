//! The columns that are wanted, and their types, found by what the first records have.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use fjson::Error;
use fjson::Input;
use fjson::Kind as JsonKind;
use fjson::Value;
use fjson::for_each_document;
use fjson::scalar::AnyNumber;
use pyo3::exceptions::PyTypeError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::types::PyString;

use crate::columns::kind::Fields;
use crate::columns::kind::Keys;
use crate::columns::kind::Kind;
use crate::columns::kind::MAX_NESTING;
use crate::columns::select::Path;
use crate::columns::select::Selection;
use crate::columns::select::key;
use crate::query::Query;
use crate::query::invalid;
use crate::whole::options;

/// Most members that a struct has. An object with more kinds of keys is probably a map.
const MAX_FIELDS: usize = 1000;

/// Most columns that are inferred.
const MAX_COLUMNS: usize = 10_000;

/// What the values of a column were.
#[derive(Default)]
pub struct Seen {
    bools: bool,
    strings: bool,
    numbers: Option<Numbers>,
    elements: Option<Box<Seen>>,
    members: Option<Members>,
}

/// What the numbers of a column were.
#[derive(Default)]
struct Numbers {
    /// Less than 0.
    negative: bool,
    /// Beyond the signed integers.
    large: bool,
    /// With a fraction or an exponent, or beyond 64 bits.
    float: bool,
}

/// What the members of the objects of a column were.
#[derive(Default)]
pub struct Members {
    pub names: Vec<String>,
    pub seen: Vec<Seen>,
    numbers: HashMap<String, usize>,
    /// Whether a key has no name in Arrow.
    is_unnamed: bool,
}

impl Members {
    /// Adds an object.
    pub fn add(&mut self, object: Value<'_, '_>, nesting: usize) {
        for member in object.members() {
            let Some(name) = key(member.key).filter(|name| !name.contains('\0')) else {
                self.is_unnamed = true;
                continue;
            };
            let number = match self.numbers.get(&*name) {
                Some(&number) => number,
                None => self.insert(name.into_owned()),
            };
            self.seen[number].add(member.value, nesting);
        }
    }

    fn insert(&mut self, name: String) -> usize {
        self.names.push(name.clone());
        self.seen.push(Seen::default());
        self.numbers.insert(name, self.names.len() - 1);
        self.names.len() - 1
    }
}

impl Seen {
    /// Adds a value. More than [`MAX_NESTING`] levels are not looked into.
    pub fn add(&mut self, value: Value<'_, '_>, nesting: usize) {
        match value.kind() {
            JsonKind::Null => {}
            JsonKind::Bool => self.bools = true,
            JsonKind::String => self.strings = true,
            JsonKind::Number => self.numbers.get_or_insert_default().add(value),
            JsonKind::Array if nesting < MAX_NESTING => self.add_all(value.iter(), nesting),
            JsonKind::Object if nesting < MAX_NESTING => {
                self.members.get_or_insert_default().add(value, nesting + 1);
            }
            // Nothing that a type of fewer levels has.
            JsonKind::Array | JsonKind::Object => (self.bools, self.strings) = (true, true),
        }
    }

    /// Adds the values of a list.
    pub fn add_all<'p, 't: 'p>(&mut self, values: impl Iterator<Item = Value<'p, 't>>, nesting: usize) {
        let elements = self.elements.get_or_insert_default();
        for value in values {
            elements.add(value, nesting + 1);
        }
    }

    /// Returns the type that fits all values. Without any, or if they have nothing in common, that is the text of values.
    pub fn into_kind(self) -> Kind {
        match self {
            Self { bools: true, strings: false, numbers: None, elements: None, members: None } => Kind::Bool,
            Self { bools: false, strings: true, numbers: None, elements: None, members: None } => Kind::String,
            Self { bools: false, strings: false, numbers: Some(numbers), elements: None, members: None } => {
                numbers.kind()
            }
            Self { bools: false, strings: false, numbers: None, elements: Some(elements), members: None } => {
                Kind::List(Arc::new(elements.into_kind()))
            }
            Self { bools: false, strings: false, numbers: None, elements: None, members: Some(members) } => {
                members.into_kind()
            }
            _ => Kind::Json,
        }
    }
}

impl Numbers {
    fn add(&mut self, value: Value<'_, '_>) {
        match value.to_number() {
            Some(AnyNumber::U64(number)) => self.large |= i64::try_from(number).is_err(),
            Some(AnyNumber::I64(_)) => self.negative = true,
            // An integer, as in Python.
            _ => self.float |= value.raw() != "-0",
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self { float: true, .. } | Self { negative: true, large: true, .. } => Kind::Float64,
            Self { large: true, .. } => Kind::UInt64,
            _ => Kind::Int64,
        }
    }
}

impl Members {
    fn into_kind(self) -> Kind {
        if self.names.is_empty() || self.names.len() > MAX_FIELDS || self.is_unnamed {
            return Kind::Json;
        }
        let kinds = self.seen.into_iter().map(Seen::into_kind).collect();
        Kind::Struct(Arc::new(Fields { keys: Keys::of(self.names), kinds, is_closed: true }))
    }
}

/// The columns that were asked for, and their types where they were given.
pub struct Wanted {
    /// `None` for all members of the records.
    columns: Option<Vec<(String, Path)>>,
    types: Vec<(String, Kind)>,
}

impl Wanted {
    /// Takes the arguments of `columns`.
    ///
    /// # Errors
    /// If they are not as its documentation says.
    pub fn of(py: Python<'_>, columns: Option<&Bound<'_, PyAny>>, types: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let columns = columns.map(|columns| paths(py, columns)).transpose()?;
        let mut given = Vec::new();
        for (name, kind) in types.into_iter().flatten() {
            let name: String = name.extract()?;
            let kind = Kind::from_python(&kind, 0)?;
            let path = columns.iter().flatten().find(|(column, _)| *column == name).map(|(_, path)| path);
            match path {
                None if columns.is_some() => {
                    return Err(PyValueError::new_err(format!("there is no column {name:?} of those with a type")));
                }
                Some(Path::All(_)) if !matches!(kind, Kind::List(_)) => {
                    return Err(PyValueError::new_err(format!(
                        "the path of the column {name:?} may select several values, so its type must be a list, such as [\"int64\"]"
                    )));
                }
                _ => given.push((name, kind)),
            }
        }
        Ok(Self { columns, types: given })
    }

    /// Whether records must be looked at to know all types.
    pub fn are_types_missing(&self) -> bool {
        self.columns.as_ref().is_none_or(|columns| columns.len() > self.types.len())
    }
}

/// Takes names, or a dictionary of names and paths.
fn paths(py: Python<'_>, columns: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Path)>> {
    let mut paths: Vec<(String, Path)> = Vec::new();
    if let Ok(columns) = columns.cast::<PyDict>() {
        for (name, path) in columns {
            let query = match path.cast::<Query>() {
                Ok(query) => query.get().inner().clone(),
                Err(_) => fjson::Query::new(path.extract::<&str>()?).map_err(|error| invalid(py, &error))?,
            };
            paths.push((name.extract()?, Path::of(query)));
        }
        return Ok(paths);
    }
    if columns.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("columns must be a list of names, or a dict of names and paths"));
    }
    for name in columns.try_iter()? {
        let name: String = name?.extract()?;
        if paths.iter().any(|(other, _)| *other == name) {
            return Err(PyValueError::new_err(format!("the column {name:?} is named twice")));
        }
        paths.push((name.clone(), Path::Names(vec![name])));
    }
    Ok(paths)
}

/// Names, types and paths of columns, or an error if a name cannot be stored.
pub type Inferred = PyResult<(Keys, Vec<Kind>, Selection)>;

/// Returns the names, types and paths of columns. Types that were not given are those of up to `count` records of an input, of which
/// invalid ones are passed over.
///
/// # Errors
/// Of reading.
pub fn infer(wanted: Wanted, input: Input<'_>, count: u64) -> Result<Inferred, Error> {
    let mut given: HashMap<String, Kind> = wanted.types.iter().cloned().collect();
    let Some(columns) = wanted.columns else {
        let mut members = Members::default();
        for_each_record(input, count, |record| members.add(record, 0))?;
        if members.names.len() > MAX_COLUMNS {
            let message =
                format!("the records have {} different keys: name the columns that are wanted", members.names.len());
            return Ok(Err(PyValueError::new_err(message)));
        }
        for (name, _) in wanted.types {
            if !members.numbers.contains_key(&name) {
                members.insert(name);
            }
        }
        let kinds = members.seen.into_iter().zip(&members.names);
        let kinds = kinds.map(|(seen, name)| given.remove(name).unwrap_or_else(|| seen.into_kind())).collect();
        let paths = members.names.iter().map(|name| Path::Names(vec![name.clone()])).collect();
        return Ok(Keys::new(members.names).map(|names| (names, kinds, Selection::new(paths, true))));
    };
    let (names, paths): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let selection = Selection::new(paths, false);
    let mut seen: Vec<_> = names.iter().map(|_| Seen::default()).collect();
    for_each_record(input, count, |record| {
        let mut slots = Vec::new();
        let Ok(()) = selection.find(record, &mut slots, |_| Ok::<(), Infallible>(()));
        for ((seen, path), slot) in seen.iter_mut().zip(selection.paths()).zip(&slots) {
            match path {
                Path::Names(_) => slot.iter().for_each(|value| seen.add(*value, 0)),
                // What fails here fails again when it is read.
                Path::One(query) => record.find(query).iter().flatten().for_each(|value| seen.add(*value, 0)),
                Path::All(query) => seen.add_all(record.find(query).unwrap_or_default().into_iter(), 0),
            }
        }
    })?;
    let kinds = seen.into_iter().zip(&names).zip(selection.paths()).map(|((seen, name), path)| {
        given.remove(name).unwrap_or_else(|| match (path, seen.into_kind()) {
            // There was no record.
            (Path::All(_), kind) if !matches!(kind, Kind::List(_)) => Kind::List(Arc::new(Kind::Json)),
            (_, kind) => kind,
        })
    });
    let kinds = kinds.collect();
    Ok(Keys::new(names).map(|names| (names, kinds, selection)))
}

fn for_each_record(input: Input<'_>, count: u64, mut on_record: impl FnMut(Value<'_, '_>)) -> Result<(), Error> {
    let mut rest = count;
    let each = for_each_document(input, &options(true, 1), |record| {
        if rest == 0 {
            return ControlFlow::Break(());
        }
        rest -= 1;
        // What is wrong with a line is reported when it is read for the columns.
        if let Ok(record) = record {
            on_record(record.value);
        }
        ControlFlow::Continue(())
    });
    each.map(|_| ())
}
