//! Dictionaries whose keys are sorted, or not all strings.

use pyo3::prelude::*;
use pyo3::types::PyBool;
use pyo3::types::PyDict;
use pyo3::types::PyFloat;
use pyo3::types::PyInt;
use pyo3::types::PyString;

use crate::dump::Dumper;
use crate::dump::NON_STR_KEYS;
use crate::dump::NOT_UTF8;
use crate::dump::SORT_KEYS;
use crate::dump::STRICT_INTEGER;
use crate::dump::Stop;
use crate::dump::Written;
use crate::dump::extra::is_enum;
use crate::objects;
use crate::objects::Chars;

impl<'py> Dumper<'_, 'py> {
    /// Writes a dictionary, whose members are collected first.
    pub(super) fn dict_with_options(&mut self, dict: &Bound<'py, PyDict>) -> Written {
        Python::attach(|_| self.dict_with_options_attached(dict))
    }

    fn dict_with_options_attached(&mut self, dict: &Bound<'py, PyDict>) -> Written {
        let mut members = Vec::new();
        let mut position = 0;
        // SAFETY: both are held before anything else runs.
        while let Some((key, value)) = unsafe { objects::next_member(dict, &mut position) } {
            let (key, value) = (objects::hold(&key), objects::hold(&value));
            members.push((self.key(&key)?, value));
        }
        if self.has(SORT_KEYS) {
            members.sort_by(|(first, _), (second, _)| first.cmp(second));
        }
        self.open()?;
        let mut separator = b'{';
        for (name, value) in &members {
            self.name(separator, Chars::from(name.as_str()))?;
            self.value(value)?;
            separator = b',';
        }
        if members.is_empty() { self.empty(*b"{}") } else { self.close(b'}') }
    }

    /// Returns the text of a key.
    fn key(&mut self, key: &Bound<'py, PyAny>) -> Result<String, Stop> {
        if let Ok(string) = key.cast::<PyString>()
            && (string.is_exact_instance_of::<PyString>() || !self.has(NON_STR_KEYS) || !is_enum(key))
        {
            return string.to_str().map(str::to_owned).map_err(|_| self.fail(NOT_UTF8));
        }
        if !self.has(NON_STR_KEYS) {
            return Err(self.fail("Dict key must be str"));
        }
        if is_enum(key) {
            let value = key.getattr("value").map_err(|error| self.python(error))?;
            return self.key(&value);
        }
        let is_simple = key.is_none()
            || key.is_exact_instance_of::<PyBool>()
            || key.is_instance_of::<PyInt>()
            || key.is_exact_instance_of::<PyFloat>();
        let start = self.out.length();
        if is_simple {
            if let Ok(integer) = key.cast::<PyInt>()
                && !key.is_exact_instance_of::<PyBool>()
            {
                // The limits of OPT_STRICT_INTEGER are for values, because keys stay text.
                let options = self.options;
                self.options &= !STRICT_INTEGER;
                let written = self.integer(integer);
                self.options = options;
                written?;
            } else {
                self.value(key)?;
            }
        } else if !self.date_or_uuid(key)? {
            return Err(self.fail("Dict key must a type serializable with OPT_NON_STR_KEYS"));
        }
        // A key is what was written for the value, without quotes. None of these has anything to be escaped.
        let text = String::from_utf8_lossy(&self.out.written()[start..]).trim_matches('"').to_owned();
        self.out.truncate(start);
        Ok(text)
    }
}
