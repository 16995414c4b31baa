//! How documents are compared.

#![forbid(unsafe_code)]

use crate::diff::near::Tolerance;
use crate::diff::number;
use crate::document::Value;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::OutOfMemory;
use crate::memory::Grow;
#[cfg(feature = "query")]
use crate::query::Query;

/// How the elements of two arrays are matched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrayMatching {
    /// Those that are equal and in the same order, as in a longest common subsequence. Between them, elements that have most in common are
    /// compared with each other.
    #[default]
    Sequence,
    /// Those with the same index.
    Position,
    /// Those that are equal, in any order. Their number counts.
    Set,
    /// Those whose values at this JSON Pointer are equal, in any order; elements without such a value as in a set.
    Key(String),
}

/// Options of [`diff`](crate::diff).
///
/// ```
/// use fjson::{ArrayMatching, DiffOptions, Parser, diff};
///
/// let (mut left, mut right) = (Parser::new(), Parser::new());
/// let old = left.document(br#"{"at": 1, "users": [{"id": 7, "x": 1.0}, {"id": 8}]}"#)?.root();
/// let new = right.document(br#"{"at": 2, "users": [{"id": 8}, {"id": 7, "x": 1.001}]}"#)?.root();
/// let options = DiffOptions::new().arrays(ArrayMatching::Key("/id".to_owned())).ignore("/at").tolerance(0.01);
/// assert!(diff(old, new, &options)?.is_empty());
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DiffOptions {
    pub(super) arrays: ArrayMatching,
    ignored: Vec<String>,
    pub(super) tolerance: Tolerance,
    pub(super) context: usize,
}

impl DiffOptions {
    /// Returns the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how the elements of arrays are matched.
    #[must_use]
    pub fn arrays(self, arrays: ArrayMatching) -> Self {
        Self { arrays, ..self }
    }

    /// Leaves out the value at a JSON Pointer or, with the feature `query`, the values that a JSONPath selects: members as if they were
    /// missing in both documents, elements as if they were equal. What is no path is an error of [`diff`](crate::diff).
    #[must_use]
    pub fn ignore(mut self, path: &str) -> Self {
        self.ignored.push(path.to_owned());
        self
    }

    /// Takes numbers for equal if they differ by at most this: as decimals, or as doubles if they have more than 38 digits.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance: Tolerance::new(tolerance), ..self }
    }

    /// Keeps this number of equal items before and after those that differ; see [`Changes::with_context`](crate::Changes::with_context).
    #[must_use]
    pub fn context(self, items: usize) -> Self {
        Self { context: items, ..self }
    }

    /// Returns the first tokens of the values that are left out, in ascending order.
    pub(super) fn ignored_in(&self, roots: &[Value<'_, '_>]) -> Result<Vec<u32>, Error> {
        let mut tokens = Vec::new();
        for path in &self.ignored {
            let is_pointer = path.is_empty() || path.starts_with('/');
            #[cfg(feature = "query")]
            if !is_pointer {
                let query = Query::new(path).map_err(|error| {
                    let offset = error.offset() as u64;
                    Error::of_edit(ErrorKind::InvalidPath, offset, error.to_string(), error.help())
                })?;
                for root in roots {
                    for value in root.find(&query)? {
                        tokens.grow(number(value.token()), OutOfMemory::Matches)?;
                    }
                }
                continue;
            }
            if !is_pointer {
                return Err(Error::of_edit(ErrorKind::InvalidPath, 0, "expected a JSON Pointer".to_owned(), None));
            }
            for value in roots.iter().filter_map(|root| root.pointer(path)) {
                tokens.grow(number(value.token()), OutOfMemory::Matches)?;
            }
        }
        tokens.sort_unstable();
        tokens.dedup();
        Ok(tokens)
    }
}
