//! The compiled part of the Python package `fjson`, over the library of the same name.
//!
//! From top to bottom: `dump` writes objects; `load` makes them, with `keys`, of the tokens that the library lists; `objects` is the only
//! file that knows how CPython stores them; `errors` makes exceptions of errors; `state` keeps memory for the next call. The functions
//! and classes for text, files and records are in files of their own, and use these.
//!
//! `unsafe` is only in `objects`, `raw`, `load_call` and `dump/arguments`, where functions of the C API are called that pyo3 does not wrap, or wraps with
//! more than these functions need; in `dump/output` and `dump/avx512`, which write to the memory of an object, and where `dump` borrows
//! the items of containers; in `source`, which maps files; and in `columns/arrow` and `columns/mod`, for the C interface of Arrow.

mod channel;
mod columns;
mod document;
mod dump;
mod edit;
mod errors;
mod jq;
mod keys;
mod lines;
mod load;
mod load_call;
mod matches;
mod objects;
mod query;
mod raw;
mod schema;
mod source;
mod state;
mod text;
mod threads;
mod whole;

use pyo3::prelude::*;

/// The module `fjson._fjson`.
#[pymodule(gil_used = false)]
mod _fjson {
    use super::dump;
    use super::errors;
    use super::load_call;
    use super::raw;
    use super::threads;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::columns::{Batch, Batches, Columns, columns};
    #[pymodule_export]
    use super::document::Document;
    #[cfg(target_arch = "x86_64")]
    #[pymodule_export]
    use super::dump::_allow_avx512;
    #[pymodule_export]
    use super::edit::edit;
    #[pymodule_export]
    use super::jq::jq;
    #[pymodule_export]
    use super::lines::{Lines, lines};
    #[pymodule_export]
    use super::query::{Query, query};
    #[pymodule_export]
    use super::schema::Schema;
    #[pymodule_export]
    use super::whole::{canonical, load, minify, pretty, validate};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        raw::require_main_interpreter(module.py())?;
        errors::load_classes(module.py())?;
        threads::stop_at_exit(module.py())?;
        dump::add_to(module)?;
        load_call::add_to(module)?;
        for (name, value) in dump::OPTIONS {
            module.add(name, value)?;
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // The package lists the names that it exports.
        module.delattr("__all__")
    }
}
