//! Shared objects that are copied when they change, and keep the order in which their members were added.
//!
//! Few members are searched one by one, many with a hash table. A removed member leaves a gap where it was, so that removing all
//! members one after the other takes linear time; gaps are closed when they are more than the members.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use foldhash::fast::RandomState;

use crate::value::Repr;
use crate::value::Text;
use crate::value::Value;
use crate::value::array::free;
use crate::value::memory::Counted;

/// The members of an object. Cloning copies a pointer.
///
/// ```
/// use fjson_jq::value::{Object, Value};
///
/// let mut object = Object::new();
/// object.insert("b".into(), Value::TRUE);
/// object.insert("a".into(), Value::NULL);
/// object.insert("b".into(), Value::FALSE);
/// assert_eq!(Value::from(object).to_string(), r#"{"b":false,"a":null}"#);
/// ```
#[derive(Clone, Default)]
pub struct Object(Rc<Members>);

pub(crate) type Slot = (Option<Text>, Value);

struct Members {
    /// Removed members have no key.
    slots: Vec<Slot>,
    /// The number of members.
    count: usize,
    /// The slot of each key; only if there are many.
    #[expect(clippy::box_collection, reason = "few objects have a table, and those without are smaller")]
    index: Option<Box<HashMap<Text, u32, RandomState>>>,
    counted: Counted,
}

/// Bytes of an object beside its members.
const HEAD: usize = size_of::<Members>() + 2 * size_of::<usize>();

/// Objects with more members than this get an index. Up to here, comparing keys one by one is as fast as hashing one.
const FEW: usize = 16;

impl Object {
    /// Returns an object without members.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an object without members that has room for some.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut members = Members::default();
        members.slots.reserve(capacity);
        members.recount();
        Self(Rc::new(members))
    }

    /// Returns an object with members that have different keys.
    pub(crate) fn of_distinct(slots: Vec<Slot>) -> Self {
        let count = slots.len();
        let mut members = Members { slots, count, index: None, counted: Counted::new(HEAD) };
        members.reindex();
        members.recount();
        Self(Rc::new(members))
    }

    /// Returns the number of members.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.0.count
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.count == 0
    }

    /// Returns the value with this key.
    #[must_use]
    #[inline]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.find(key).map(|at| &self.0.slots[at].1)
    }

    /// Whether there is a member with this key.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.find(key).is_some()
    }

    /// Returns the value with this key to be changed, in place if nothing else shares the object.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let at = self.0.find(key)?;
        Some(&mut Rc::make_mut(&mut self.0).slots[at].1)
    }

    /// Adds a member at the end, or replaces the value of the one with this key.
    pub fn insert(&mut self, key: Text, value: Value) {
        let members = Rc::make_mut(&mut self.0);
        match members.find(&key) {
            Some(at) => members.slots[at].1 = value,
            None => members.add(key, value),
        }
    }

    /// Adds a member whose key is known not to be there.
    pub(crate) fn append(&mut self, key: Text, value: Value) {
        Rc::make_mut(&mut self.0).add(key, value);
    }

    /// Removes a member and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        self.0.find(key)?;
        Rc::make_mut(&mut self.0).remove(key)
    }

    /// Returns the members in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &Value)> {
        self.0.slots.iter().filter_map(|(key, value)| key.as_ref().map(|key| (key, value)))
    }

    /// Returns the member at or after slot `at`, and the slot after it.
    #[inline]
    pub(crate) fn next(&self, mut at: usize) -> Option<(&Text, &Value, usize)> {
        loop {
            let (key, value) = self.0.slots.get(at)?;
            at += 1;
            if let Some(key) = key {
                return Some((key, value, at));
            }
        }
    }

    /// Calls `change` with each value; a member for which it returns `None` is removed.
    ///
    /// # Errors
    /// The first error of `change`. The members before it have been changed.
    pub(crate) fn change_each<E>(
        &mut self,
        change: &mut dyn FnMut(Value) -> Result<Option<Value>, E>,
    ) -> Result<(), E> {
        let members = Rc::make_mut(&mut self.0);
        let mut removed = Vec::new();
        for (key, value) in &mut members.slots {
            if let Some(present) = key {
                match change(std::mem::take(value))? {
                    Some(new) => *value = new,
                    None => removed.push(present.clone()),
                }
            }
        }
        for key in removed {
            members.remove(&key);
        }
        Ok(())
    }

    /// Returns the members in the order of their keys.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&Text, &Value)> {
        let mut members: Vec<_> = self.iter().collect();
        members.sort_unstable_by(|left, right| left.0.cmp(right.0));
        members
    }

    /// Whether both share their members.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Moves the values to `rest` if nothing else shares the object.
    pub(super) fn release(&mut self, rest: &mut Vec<Value>) {
        if let Some(members) = Rc::get_mut(&mut self.0) {
            rest.extend(members.slots.drain(..).map(|(_, value)| value));
        }
    }
}

impl Members {
    #[inline]
    fn find(&self, key: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(key).map(|&at| at as usize),
            None => {
                self.slots.iter().position(|(present, _)| present.as_ref().is_some_and(|present| **present == *key))
            }
        }
    }

    fn add(&mut self, key: Text, value: Value) {
        let at = self.slots.len();
        if let Some(index) = &mut self.index {
            index.insert(key.clone(), slot_number(at));
        }
        self.slots.push((Some(key), value));
        self.count += 1;
        if self.index.is_none() && at >= FEW {
            self.reindex();
        }
        self.recount();
    }

    fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.find(key)?;
        self.count -= 1;
        if self.index.is_none() {
            return Some(self.slots.remove(at).1);
        }
        let (present, value) = std::mem::take(&mut self.slots[at]);
        if let (Some(index), Some(present)) = (&mut self.index, present) {
            index.remove(&present);
        }
        if self.slots.len() > 2 * self.count {
            self.slots.retain(|(key, _)| key.is_some());
            self.reindex();
            self.recount();
        }
        Some(value)
    }

    /// Makes the index if there are many members.
    fn reindex(&mut self) {
        let keys = || self.slots.iter().enumerate().filter_map(|(at, (key, _))| Some((key.clone()?, slot_number(at))));
        self.index = (self.count > FEW).then(|| Box::new(keys().collect()));
    }

    fn recount(&mut self) {
        let index = self.index.as_ref().map_or(0, |index| index.capacity() * 17);
        self.counted.set(HEAD + self.slots.capacity() * size_of::<Slot>() + index);
    }
}

/// Memory ends long before there are so many members.
fn slot_number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Default for Members {
    fn default() -> Self {
        Self { slots: Vec::new(), count: 0, index: None, counted: Counted::new(HEAD) }
    }
}

impl Clone for Members {
    fn clone(&self) -> Self {
        let slots = self.slots.clone();
        let mut clone = Self { slots, count: self.count, index: self.index.clone(), counted: Counted::new(HEAD) };
        clone.recount();
        clone
    }
}

impl Drop for Members {
    #[inline]
    fn drop(&mut self) {
        if self.slots.iter().any(|(_, value)| matches!(value.0, Repr::Array(_) | Repr::Object(_))) {
            free(&mut self.slots.drain(..).map(|(_, value)| value).collect());
        }
    }
}

impl FromIterator<(Text, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(members: I) -> Self {
        let mut object = Self::new();
        for (key, value) in members {
            object.insert(key, value);
        }
        object
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}
