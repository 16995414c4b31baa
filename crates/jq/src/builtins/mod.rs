//! The functions of the language that are not written in it, by subject.

#![forbid(unsafe_code)]

mod containers;
mod contains;
mod dates;
mod dialect;
mod formats;
pub(crate) mod group;
mod math;
pub(crate) mod regex;
mod strings;
mod table;

use crate::eval::Context;
use crate::eval::NATIVES;
use crate::value::Error;
use crate::value::Value;

pub(crate) use formats::FORMATS;
pub(crate) use formats::format;
pub(crate) use table::TABLE;

/// A function: it gets its input and its arguments, which it may take, and has one output.
pub(crate) type Native = fn(&mut Context, Value, &mut [Value]) -> Result<Value, Error>;

/// A function with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) arity: u8,
    pub(crate) run: Native,
}

/// Returns the function with this name and number of parameters.
pub(crate) fn find(name: &str, arity: usize) -> Option<Native> {
    let search = |entries: &[Entry]| {
        let found = entries.binary_search_by(|entry| (entry.name, usize::from(entry.arity)).cmp(&(name, arity)));
        found.ok().map(|at| entries[at].run)
    };
    search(TABLE).or_else(|| search(NATIVES))
}

#[cfg(test)]
mod tests {
    use super::Entry;
    use super::NATIVES;
    use super::TABLE;

    #[test]
    fn tables_are_sorted() {
        let is_sorted =
            |entries: &[Entry]| entries.is_sorted_by(|left, right| (left.name, left.arity) < (right.name, right.arity));
        assert!(is_sorted(TABLE) && is_sorted(NATIVES));
    }
}
