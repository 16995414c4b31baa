//! Shared arrays that are copied when they change.

#![forbid(unsafe_code)]

use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use crate::value::Repr;
use crate::value::Value;
use crate::value::memory::Counted;

/// The elements of an array, which are read as a slice. Cloning copies a pointer.
///
/// ```
/// use fjson_jq::value::{Array, Value};
///
/// let mut array = Array::new();
/// array.push(Value::TRUE);
/// assert_eq!((array.len(), Value::from(array).to_string()), (1, "[true]".to_owned()));
/// ```
#[derive(Clone, Default)]
pub struct Array(Rc<List>);

struct List {
    items: Vec<Value>,
    counted: Counted,
}

/// Bytes of an array beside its elements.
const HEAD: usize = size_of::<List>() + 2 * size_of::<usize>();

fn bytes(items: &Vec<Value>) -> usize {
    HEAD + items.capacity() * size_of::<Value>()
}

impl Array {
    /// Returns an array without elements.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an array without elements that has room for some.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Vec::with_capacity(capacity).into()
    }

    /// Appends an element, in place if nothing else shares the array.
    #[inline]
    pub fn push(&mut self, value: Value) {
        self.edit(|items| items.push(value));
    }

    /// Changes the elements, in place if nothing else shares the array.
    #[inline]
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Vec<Value>) -> R) -> R {
        let list = Rc::make_mut(&mut self.0);
        let result = change(&mut list.items);
        list.counted.set(bytes(&list.items));
        result
    }

    /// Returns the elements, without copying them if nothing else shares the array.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Value> {
        match Rc::get_mut(&mut self.0) {
            Some(list) => std::mem::take(&mut list.items),
            None => self.0.items.clone(),
        }
    }

    /// Whether both share their elements.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Moves the elements to `rest` if nothing else shares the array.
    fn release(&mut self, rest: &mut Vec<Value>) {
        if let Some(list) = Rc::get_mut(&mut self.0) {
            rest.append(&mut list.items);
        }
    }
}

impl Default for List {
    fn default() -> Self {
        Self { items: Vec::new(), counted: Counted::new(HEAD) }
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        let items = self.items.clone();
        Self { counted: Counted::new(bytes(&items)), items }
    }
}

impl Drop for List {
    #[inline]
    fn drop(&mut self) {
        if self.items.iter().any(is_container) {
            free(&mut self.items);
        }
    }
}

fn is_container(value: &Value) -> bool {
    matches!(value.0, Repr::Array(_) | Repr::Object(_))
}

thread_local! {
    /// How many containers that contain each other are being freed.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Containers that are nested deeper than this are freed by a loop, so that the stack does not overflow. Recursion is faster.
const RECURSIVE: u32 = 64;

/// Frees the values of a container that is freed.
pub(super) fn free(items: &mut Vec<Value>) {
    let depth = DEPTH.get();
    if depth < RECURSIVE {
        DEPTH.set(depth + 1);
        items.clear();
        DEPTH.set(depth);
        return;
    }
    let mut rest = std::mem::take(items);
    while let Some(value) = rest.pop() {
        match value.0 {
            Repr::Array(mut array) => array.release(&mut rest),
            Repr::Object(mut object) => object.release(&mut rest),
            _ => {}
        }
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Self {
        Self(Rc::new(List { counted: Counted::new(bytes(&items)), items }))
    }
}

impl Deref for Array {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        &self.0.items
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}
