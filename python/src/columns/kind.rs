//! The types of columns: what they are called in Python, and the members of structs.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::types::PyList;
use pyo3::types::PyString;

/// How many lists and structs may be nested in a type, and objects on the way to a column.
pub const MAX_NESTING: usize = 32;

/// The type of a column.
#[derive(Clone, Debug)]
pub enum Kind {
    Bool,
    Int64,
    UInt64,
    Float64,
    String,
    /// The text of any value.
    Json,
    Date,
    Timestamp(Unit, Zone),
    List(Arc<Kind>),
    Struct(Arc<Fields>),
}

/// The unit of timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
}

/// What a timestamp refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// A point in time: its text has an offset.
    Utc,
    /// What a clock shows somewhere: its text has no offset.
    Local,
}

/// The members of a struct.
#[derive(Debug)]
pub struct Fields {
    pub keys: Keys,
    pub kinds: Vec<Kind>,
    /// Whether other members are an error, because the type was inferred.
    pub is_closed: bool,
}

const UNITS: [(&str, Unit); 4] =
    [("s", Unit::Seconds), ("ms", Unit::Milliseconds), ("us", Unit::Microseconds), ("ns", Unit::Nanoseconds)];

impl Unit {
    pub fn name(self) -> &'static str {
        UNITS.iter().find(|(_, unit)| *unit == self).map_or("", |(name, _)| name)
    }

    /// Returns the number of digits after the decimal point of seconds.
    pub fn digits(self) -> u32 {
        match self {
            Self::Seconds => 0,
            Self::Milliseconds => 3,
            Self::Microseconds => 6,
            Self::Nanoseconds => 9,
        }
    }
}

impl Kind {
    /// Returns the type that an object of Python describes: a name, a list with the type of the elements, or a dictionary with the
    /// types of the members.
    ///
    /// # Errors
    /// If it describes none.
    pub fn from_python(object: &Bound<'_, PyAny>, nesting: usize) -> PyResult<Self> {
        if nesting > MAX_NESTING {
            return Err(PyValueError::new_err(format!("a type has more than {MAX_NESTING} levels")));
        }
        if let Ok(list) = object.cast::<PyList>() {
            if list.len() != 1 {
                return Err(PyValueError::new_err("the type of a list has one element: the type of its elements"));
            }
            return Ok(Self::List(Arc::new(Self::from_python(&list.get_item(0)?, nesting + 1)?)));
        }
        if let Ok(members) = object.cast::<PyDict>() {
            if members.is_empty() {
                return Err(PyValueError::new_err("the type of an object must have a member"));
            }
            let (mut names, mut kinds) = (Vec::new(), Vec::new());
            for (name, kind) in members {
                names.push(name.extract::<String>()?);
                kinds.push(Self::from_python(&kind, nesting + 1)?);
            }
            return Ok(Self::Struct(Arc::new(Fields { keys: Keys::new(names)?, kinds, is_closed: false })));
        }
        let Ok(name) = object.cast::<PyString>() else {
            return Err(PyTypeError::new_err("a type is a str, a list or a dict"));
        };
        let name = name.to_str()?;
        Self::from_name(name).ok_or_else(|| {
            PyValueError::new_err(format!(
                "unknown type {name:?}: expected \"bool\", \"int64\", \"uint64\", \"float64\", \"string\", \"json\", \"date\", \
                 \"timestamp[us, UTC]\" or \"timestamp[us]\", or with s, ms or ns instead of us"
            ))
        })
    }

    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "bool" => Self::Bool,
            "int64" => Self::Int64,
            "uint64" => Self::UInt64,
            "float64" => Self::Float64,
            "string" => Self::String,
            "json" => Self::Json,
            "date" => Self::Date,
            _ => {
                let inside = name.strip_prefix("timestamp[")?.strip_suffix(']')?;
                let (unit, zone) = match inside.strip_suffix(", UTC") {
                    Some(unit) => (unit, Zone::Utc),
                    None => (inside, Zone::Local),
                };
                Self::Timestamp(UNITS.iter().find(|(name, _)| *name == unit)?.1, zone)
            }
        })
    }

    /// Returns the object of Python that describes the type.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::List(items) => PyList::new(py, [items.to_python(py)?])?.into_any(),
            Self::Struct(fields) => {
                let members = PyDict::new(py);
                for (name, kind) in fields.keys.names().iter().zip(&fields.kinds) {
                    members.set_item(name, kind.to_python(py)?)?;
                }
                members.into_any()
            }
            other => PyString::new(py, &other.name()).into_any(),
        })
    }

    /// Returns the name for messages.
    pub fn name(&self) -> String {
        let name = match self {
            Self::Bool => "bool",
            Self::Int64 => "int64",
            Self::UInt64 => "uint64",
            Self::Float64 => "float64",
            Self::String => "string",
            Self::Json => "json",
            Self::Date => "date",
            Self::Timestamp(unit, Zone::Utc) => return format!("timestamp[{}, UTC]", unit.name()),
            Self::Timestamp(unit, Zone::Local) => return format!("timestamp[{}]", unit.name()),
            Self::List(_) => "list",
            Self::Struct(_) => "struct",
        };
        name.to_owned()
    }
}

/// Names, found by the keys of members.
#[derive(Debug, Default)]
pub struct Keys {
    names: Vec<String>,
    /// The bit `n` is set if a name has `n` bytes, the last one if it has as many or more.
    lengths: u64,
    /// The names and their numbers. Empty if there are only a few.
    table: HashMap<String, usize>,
}

/// Number of names that are compared one by one.
const FEW: usize = 8;

impl Keys {
    /// Takes names.
    ///
    /// # Errors
    /// If a name has a NUL character, which Arrow cannot store.
    pub fn new(names: Vec<String>) -> PyResult<Self> {
        if let Some(name) = names.iter().find(|name| name.contains('\0')) {
            return Err(PyValueError::new_err(format!("the name {name:?} of a column has a NUL character")));
        }
        Ok(Self::of(names))
    }

    /// Takes names that are only looked up.
    pub fn of(names: Vec<String>) -> Self {
        let lengths = names.iter().fold(0, |lengths, name| lengths | bit(name));
        let numbered = || names.iter().cloned().enumerate().map(|(number, name)| (name, number));
        let table = if names.len() > FEW { numbered().collect() } else { HashMap::new() };
        Self { names, lengths, table }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of a name, which is probably `guess`.
    #[inline]
    pub fn find(&self, key: &str, guess: usize) -> Option<usize> {
        if self.lengths & bit(key) == 0 {
            return None;
        }
        if self.names.get(guess).is_some_and(|name| name == key) {
            return Some(guess);
        }
        if self.table.is_empty() {
            self.names.iter().position(|name| name == key)
        } else {
            self.table.get(key).copied()
        }
    }
}

#[inline]
fn bit(name: &str) -> u64 {
    1 << name.len().min(63)
}
