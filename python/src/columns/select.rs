//! The values of a record that the columns have.
//!
//! Columns whose paths consist of names are found in one pass over the members of the record, all others one by one.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::convert::Infallible;

use fjson::Kind as JsonKind;
use fjson::Query;
use fjson::Value;

use crate::columns::kind::Keys;
use crate::columns::kind::MAX_NESTING;

/// What a column has of each record.
pub enum Path {
    /// The value at these names, from the outermost one.
    Names(Vec<String>),
    /// The only value that a query selects.
    One(Query),
    /// All values that a query selects.
    All(Query),
}

impl Path {
    /// Takes a query.
    pub fn of(query: Query) -> Self {
        match query.names() {
            // A tree of paths is followed by recursion.
            Some(names) if names.len() <= MAX_NESTING => Self::Names(names.into_iter().map(str::to_owned).collect()),
            _ if query.is_singular() => Self::One(query),
            _ => Self::All(query),
        }
    }
}

/// The paths of all columns.
pub struct Selection {
    paths: Vec<Path>,
    /// The columns of whole records.
    records: Vec<usize>,
    tree: Tree,
    /// Whether members of a record that no column has are an error.
    is_closed: bool,
}

/// Columns below some members of an object.
#[derive(Default)]
struct Tree {
    names: Vec<String>,
    branches: Vec<Branch>,
    keys: Keys,
}

/// Columns at and below a value.
#[derive(Default)]
struct Branch {
    columns: Vec<usize>,
    below: Tree,
}

impl Selection {
    pub fn new(paths: Vec<Path>, is_closed: bool) -> Self {
        let mut root = Branch::default();
        for (column, path) in paths.iter().enumerate() {
            if let Path::Names(names) = path {
                root.add(names, column);
            }
        }
        root.below.finish();
        Self { paths, records: root.columns, tree: root.below, is_closed }
    }

    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// Finds the value of each column in a record, except for those of queries. Of members with the same key, the last one counts.
    ///
    /// # Errors
    /// What `on_unexpected` returns for a key that no column has, if there must be none, or for a record that has no members.
    pub fn find<'p, 't, E>(
        &self,
        record: Value<'p, 't>,
        slots: &mut Vec<Option<Value<'p, 't>>>,
        mut on_unexpected: impl FnMut(Unexpected<'p, 't>) -> Result<(), E>,
    ) -> Result<(), E> {
        slots.clear();
        slots.resize(self.paths.len(), None);
        for &column in &self.records {
            slots[column] = Some(record);
        }
        if record.kind() != JsonKind::Object {
            let has_names = self.is_closed || !self.tree.names.is_empty();
            return if has_names { on_unexpected(Unexpected::Record(record)) } else { Ok(()) };
        }
        self.tree.visit(record, slots, |key| if self.is_closed { on_unexpected(Unexpected::Key(key)) } else { Ok(()) })
    }
}

/// What a record should not have.
pub enum Unexpected<'p, 't> {
    /// It is not an object.
    Record(Value<'p, 't>),
    /// It has a member with this key.
    Key(Value<'p, 't>),
}

impl Branch {
    fn add(&mut self, names: &[String], column: usize) {
        let Some((name, names)) = names.split_first() else {
            self.columns.push(column);
            return;
        };
        let tree = &mut self.below;
        let place = tree.names.iter().position(|known| known == name).unwrap_or_else(|| {
            tree.names.push(name.clone());
            tree.branches.push(Self::default());
            tree.names.len() - 1
        });
        tree.branches[place].add(names, column);
    }

    fn set<'p, 't>(&self, value: Option<Value<'p, 't>>, slots: &mut [Option<Value<'p, 't>>]) {
        for &column in &self.columns {
            slots[column] = value;
        }
        if self.below.names.is_empty() {
            return;
        }
        // An earlier member with the same key does not count.
        for branch in &self.below.branches {
            branch.set(None, slots);
        }
        if let Some(value) = value {
            let Ok(()) = self.below.visit(value, slots, |_| Ok::<(), Infallible>(()));
        }
    }
}

impl Tree {
    fn finish(&mut self) {
        self.keys = Keys::of(self.names.clone());
        for branch in &mut self.branches {
            branch.below.finish();
        }
    }

    fn visit<'p, 't, E>(
        &self,
        object: Value<'p, 't>,
        slots: &mut [Option<Value<'p, 't>>],
        mut on_unknown: impl FnMut(Value<'p, 't>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut guess = 0;
        for member in object.members() {
            match key(member.key).and_then(|key| self.keys.find(&key, guess)) {
                Some(place) => {
                    guess = place + 1;
                    self.branches[place].set(Some(member.value), slots);
                }
                None => on_unknown(member.key)?,
            }
        }
        Ok(())
    }
}

/// Returns the text of a key. `None` if it has lone surrogates, which no name has.
#[inline]
pub fn key<'t>(key: Value<'_, 't>) -> Option<Cow<'t, str>> {
    match key.tokens().plain(key.token()) {
        Some(text) => Some(Cow::Borrowed(text)),
        None => key.as_str(),
    }
}
