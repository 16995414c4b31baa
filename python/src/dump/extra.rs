//! Objects that are not of a builtin type: dates, UUIDs, enums, subclasses, dataclasses, fragments, and what `default` makes of others.

#![forbid(unsafe_code)]

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use pyo3::types::PyDate;
use pyo3::types::PyDateAccess;
use pyo3::types::PyDateTime;
use pyo3::types::PyDict;
use pyo3::types::PyInt;
use pyo3::types::PyList;
use pyo3::types::PyString;
use pyo3::types::PyTime;
use pyo3::types::PyType;

use crate::dump::Dumper;
use crate::dump::MAX_DEFAULT_CALLS;
use crate::dump::NOT_UTF8;
use crate::dump::PASSTHROUGH_DATACLASS;
use crate::dump::PASSTHROUGH_DATETIME;
use crate::dump::PASSTHROUGH_SUBCLASS;
use crate::dump::SERIALIZE_NUMPY;
use crate::dump::Stop;
use crate::dump::Written;
use crate::dump::datetime::push_date;
use crate::dump::datetime::push_datetime;
use crate::dump::datetime::push_time_of_day;
use crate::errors::encode_error;
use crate::errors::is_fragment;
use crate::objects::Chars;

static UUID: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ENUM: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Whether an object is a member of an enumeration.
pub fn is_enum(object: &Bound<'_, PyAny>) -> bool {
    let class = ENUM.import(object.py(), "enum", "EnumMeta");
    class.is_ok_and(|class| object.get_type().is_instance(class).unwrap_or(false))
}

impl<'py> Dumper<'_, 'py> {
    /// Writes an object that is not of a builtin type. It is inside of `Python::attach`, without which pyo3 would keep the exceptions
    /// that are dropped here, such as those for missing attributes.
    #[inline(never)]
    pub(super) fn other(&mut self, object: &Bound<'py, PyAny>) -> Written {
        Python::attach(|_| self.other_attached(object))
    }

    fn other_attached(&mut self, object: &Bound<'py, PyAny>) -> Written {
        if self.options & PASSTHROUGH_DATETIME != 0 && is_date(object) {
            return self.default(object);
        }
        if self.date_or_uuid(object)? {
            return Ok(());
        }
        if is_enum(object) {
            let value = object.getattr("value").map_err(|error| self.python(error))?;
            return self.value(&value);
        }
        if self.options & PASSTHROUGH_SUBCLASS == 0 {
            if let Ok(string) = object.cast::<PyString>() {
                return self.string(string);
            } else if let Ok(integer) = object.cast::<PyInt>() {
                return self.integer(integer);
            } else if let Ok(list) = object.cast::<PyList>() {
                return self.sublist(list);
            } else if let Ok(dict) = object.cast::<PyDict>() {
                return self.subdict(dict);
            }
        }
        if is_fragment(object) {
            return self.fragment(object);
        }
        if self.options & PASSTHROUGH_DATACLASS == 0
            && let Ok(fields) = object.get_type().getattr("__dataclass_fields__")
        {
            return self.dataclass(object, &fields);
        }
        if self.has(SERIALIZE_NUMPY)
            && let Some(written) = self.numpy(object)
        {
            return written;
        }
        self.default(object)
    }

    /// Writes a date, a time or a UUID. Returns false for any other object.
    pub(super) fn date_or_uuid(&mut self, object: &Bound<'py, PyAny>) -> Result<bool, Stop> {
        let mut text = Vec::new();
        if let Ok(datetime) = object.cast_exact::<PyDateTime>() {
            push_datetime(&mut text, datetime, self.options).map_err(|error| self.python(error))?;
        } else if let Ok(date) = object.cast_exact::<PyDate>() {
            text.push(b'"');
            push_date(&mut text, date.get_year(), u32::from(date.get_month()), u32::from(date.get_day()));
            text.push(b'"');
        } else if let Ok(time) = object.cast_exact::<PyTime>() {
            if !push_time_of_day(&mut text, time, self.options) {
                return Err(self.fail("datetime.time must not have tzinfo set"));
            }
        } else {
            let class = UUID.import(self.py, "uuid", "UUID").map_err(|error| self.python(error))?;
            if !object.get_type().is(class) {
                return Ok(false);
            }
            let number = object.getattr("int").and_then(|number| number.extract::<u128>());
            let digits = format!("{:032x}", number.map_err(|error| self.python(error))?);
            let groups = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
            text.push(b'"');
            text.extend_from_slice(groups.join("-").as_bytes());
            text.push(b'"');
        }
        self.out.bytes(&text)?;
        Ok(true)
    }

    fn fragment(&mut self, fragment: &Bound<'py, PyAny>) -> Written {
        let contents = fragment.getattr("contents").map_err(|error| self.python(error))?;
        if let Ok(bytes) = contents.cast::<PyBytes>() {
            self.out.bytes(bytes.as_bytes())
        } else if let Ok(string) = contents.cast::<PyString>() {
            match string.to_str() {
                Ok(text) => self.out.bytes(text.as_bytes()),
                Err(_) => Err(self.fail(NOT_UTF8)),
            }
        } else {
            Err(self.fail("fjson.Fragment's content is not of type bytes or str"))
        }
    }

    /// Writes the fields of a dataclass in their order: those that instances keep in their dictionary, with the attributes that were
    /// added to it, or else all of them.
    fn dataclass(&mut self, object: &Bound<'py, PyAny>, fields: &Bound<'py, PyAny>) -> Written {
        let members = members(object, fields).map_err(|error| self.python(error))?;
        self.open()?;
        let mut separator = b'{';
        for (name, value) in &members {
            let Some(name) = Chars::of(name) else { return Err(self.fail(NOT_UTF8)) };
            self.name(separator, name)?;
            self.value(value)?;
            separator = b',';
        }
        if members.is_empty() { self.empty(*b"{}") } else { self.close(b'}') }
    }

    /// Writes what `default` returns for an object.
    fn default(&mut self, object: &Bound<'py, PyAny>) -> Written {
        let message = |object: &Bound<'py, PyAny>| {
            let class = object.get_type();
            let name = class.name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            format!("Type is not JSON serializable: {name}")
        };
        let Some(default) = self.default else { return Err(self.fail(&message(object))) };
        if self.default_calls == MAX_DEFAULT_CALLS {
            return Err(self.fail("default serializer exceeds recursion limit"));
        }
        match default.call1((object,)) {
            Ok(replacement) => {
                self.default_calls += 1;
                self.value(&replacement)?;
                self.default_calls -= 1;
                Ok(())
            }
            Err(cause) => {
                let error = encode_error(self.py, message(object));
                error.set_cause(self.py, Some(cause));
                Err(self.python(error))
            }
        }
    }
}

fn is_date(object: &Bound<'_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyDateTime>()
        || object.is_exact_instance_of::<PyDate>()
        || object.is_exact_instance_of::<PyTime>()
}

/// The members that are written for a dataclass.
type Fields<'py> = Vec<(Bound<'py, PyString>, Bound<'py, PyAny>)>;

fn members<'py>(object: &Bound<'py, PyAny>, fields: &Bound<'py, PyAny>) -> PyResult<Fields<'py>> {
    let py = object.py();
    let is_hidden = |name: &Bound<'py, PyString>| name.to_str().is_ok_and(|name| name.starts_with('_'));
    let mut members = Vec::new();
    // Those of a base class such as `abc.ABC` may be empty.
    let class = object.get_type();
    let has_slots = class.hasattr("__slots__")? && {
        let slots = class.mro().iter().filter_map(|class| class.getattr("__slots__").ok());
        slots.map(|slots| slots.is_truthy()).collect::<PyResult<Vec<_>>>()?.contains(&true)
    };
    let dict = if has_slots { None } else { object.getattr("__dict__").ok() };
    if let Some(dict) = dict.and_then(|dict| dict.cast_into::<PyDict>().ok()) {
        for (name, value) in dict.copy()? {
            let name = name.cast_into::<PyString>()?;
            if !is_hidden(&name) {
                members.push((name, value));
            }
        }
        return Ok(members);
    }
    let regular = py.import("dataclasses")?.getattr("_FIELD")?;
    for (name, field) in fields.cast::<PyDict>()?.copy()? {
        let name = name.cast_into::<PyString>()?;
        if !is_hidden(&name) && field.getattr("_field_type")?.is(&regular) {
            let value = object.getattr(&name)?;
            members.push((name, value));
        }
    }
    Ok(members)
}
