//! What flows through an expression: a value, or a value and the path on which it was found.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::ir::Key;
use crate::paths;
use crate::value::Descendants;
use crate::value::Error;
use crate::value::Iterate;
use crate::value::Kind;
use crate::value::Value;
use crate::value::excerpt;

/// A value, or a value with its path.
pub(super) trait Item: Clone + Sized {
    /// The elements of an array or the values of an object.
    type Children: Iterator<Item = Self>;

    /// Whether paths are kept.
    const PATHS: bool;

    fn value(&self) -> &Value;

    /// Whether a path may go on from here. If not, that is an error that `?` does not suppress.
    fn is_on_path(&self) -> bool {
        true
    }

    fn into_value(self) -> Value;

    /// A value that was computed, which is on no path.
    fn computed(value: Value) -> Self;

    /// A constant in the place of this item.
    fn replaced(self, value: Value) -> Self {
        Self::computed(value)
    }

    /// The members of members; `constants` has the keys as values.
    fn fields(self, keys: &[Key], constants: &[Value]) -> Result<Self, Error>;

    fn index(self, key: &Value) -> Result<Self, Error>;

    fn children(self) -> Result<Self::Children, Error>;

    fn get_path(self, path: &[Value]) -> Result<Self, Error>;

    /// The item to be kept while further inputs are read.
    fn kept(self) -> Self;

    /// The values of some kinds in this one, itself included, in the order of `..`, if they can be had without their paths, and
    /// without a look at each container.
    fn descendants(&self, kinds: u8) -> Option<Descendants> {
        let _ = kinds;
        None
    }
}

impl Item for Value {
    type Children = Iterate;

    const PATHS: bool = false;

    #[inline]
    fn value(&self) -> &Value {
        self
    }

    #[inline]
    fn into_value(self) -> Value {
        self
    }

    #[inline]
    fn computed(value: Value) -> Self {
        value
    }

    #[inline]
    fn fields(self, keys: &[Key], _: &[Value]) -> Result<Self, Error> {
        Value::fields(&self, keys.iter().map(|key| &*key.text))
    }

    #[inline]
    fn index(self, key: &Value) -> Result<Self, Error> {
        Value::index(&self, key)
    }

    #[inline]
    fn children(self) -> Result<Iterate, Error> {
        self.iterate()
    }

    fn get_path(self, path: &[Value]) -> Result<Self, Error> {
        paths::get(self, path)
    }

    fn kept(self) -> Self {
        Value::kept(self)
    }

    fn descendants(&self, kinds: u8) -> Option<Descendants> {
        Value::descendants(self, kinds)
    }
}

/// Where a value was found. Paths with the same beginning share it.
#[derive(Clone, Debug)]
pub(super) enum Path {
    Root,
    /// The value was computed.
    None,
    Step(Rc<Step>),
}

#[derive(Debug)]
pub(super) struct Step {
    before: Path,
    key: Value,
}

impl Path {
    fn step(self, key: Value) -> Self {
        Self::Step(Rc::new(Step { before: self, key }))
    }

    /// The keys from the root.
    pub(super) fn keys(&self) -> Vec<Value> {
        let mut keys = Vec::new();
        let mut path = self;
        while let Self::Step(step) = path {
            keys.push(step.key.clone());
            path = &step.before;
        }
        keys.reverse();
        keys
    }
}

impl Drop for Step {
    /// Frees a long path without recursion.
    fn drop(&mut self) {
        let mut next = std::mem::replace(&mut self.before, Path::Root);
        while let Path::Step(step) = next {
            match Rc::into_inner(step) {
                Some(mut step) => next = std::mem::replace(&mut step.before, Path::Root),
                None => return,
            }
        }
    }
}

/// A value and its path.
#[derive(Clone, Debug)]
pub(super) struct Tracked {
    pub(super) path: Path,
    pub(super) value: Value,
}

impl Tracked {
    pub(super) fn root(value: Value) -> Self {
        Self { path: Path::Root, value }
    }

    /// The keys of the path, which the result of a path expression must have.
    pub(super) fn into_keys(self) -> Result<Vec<Value>, Error> {
        match self.path {
            Path::None => Err(Error::new(format!("Invalid path expression with result {}", excerpt(&self.value)))),
            path => Ok(path.keys()),
        }
    }

    fn check_access(&self, key: &Value) -> Result<(), Error> {
        match self.path {
            Path::None => {
                let (key, value) = (excerpt(key), excerpt(&self.value));
                Err(Error::new(format!("Invalid path expression near attempt to access element {key} of {value}")))
            }
            _ => Ok(()),
        }
    }
}

impl Item for Tracked {
    type Children = TrackedChildren;

    const PATHS: bool = true;

    fn value(&self) -> &Value {
        &self.value
    }

    fn is_on_path(&self) -> bool {
        // mutant: true
        !matches!(self.path, Path::None)
    }

    fn into_value(self) -> Value {
        self.value
    }

    fn computed(value: Value) -> Self {
        Self { path: Path::None, value }
    }

    /// In jq, null is still on the path if it was null that was found there.
    fn replaced(self, value: Value) -> Self {
        if value.kind() == Kind::Null && self.value.kind() == Kind::Null { self } else { Self::computed(value) }
    }

    fn fields(self, keys: &[Key], constants: &[Value]) -> Result<Self, Error> {
        keys.iter().try_fold(self, |item, key| item.index(&constants[key.constant]))
    }

    fn index(self, key: &Value) -> Result<Self, Error> {
        self.check_access(key)?;
        let value = self.value.index(key)?;
        Ok(Self { path: self.path.step(key.clone()), value })
    }

    fn children(self) -> Result<TrackedChildren, Error> {
        if let Path::None = self.path {
            let value = excerpt(&self.value);
            return Err(Error::new(format!("Invalid path expression near attempt to iterate through {value}")));
        }
        Ok(TrackedChildren { path: self.path, values: self.value.iterate()? })
    }

    fn get_path(self, path: &[Value]) -> Result<Self, Error> {
        if let Some(first) = path.first() {
            self.check_access(first)?;
        }
        let value = paths::get(self.value, path)?;
        let path = path.iter().fold(self.path, |before, key| before.step(key.clone()));
        Ok(Self { path, value })
    }

    fn kept(self) -> Self {
        Self { path: self.path, value: self.value.kept() }
    }
}

/// The elements of an array or the values of an object, with their paths.
#[derive(Debug)]
pub(super) struct TrackedChildren {
    path: Path,
    values: Iterate,
}

impl Iterator for TrackedChildren {
    type Item = Tracked;

    fn next(&mut self) -> Option<Tracked> {
        let (key, value) = self.values.next_with_key()?;
        Some(Tracked { path: self.path.clone().step(key), value })
    }
}
