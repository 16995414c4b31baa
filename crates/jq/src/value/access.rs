//! One step of a path: members, elements and slices are read, replaced and removed.
//!
//! The rules and messages are those of jq 1.8.

#![forbid(unsafe_code)]

use crate::value::Array;
use crate::value::Descendants;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Lazy;
use crate::value::Object;
use crate::value::Repr;
use crate::value::Text;
use crate::value::Value;
use crate::value::equal;
use crate::value::error::excerpt;

/// The greatest index at which an element can be set.
const GREATEST_INDEX: f64 = 536_870_911.0;

impl Value {
    /// Returns the value of a member, or `null` if the object has none with this key; `null` has only missing members.
    ///
    /// # Errors
    /// If this is neither an object nor `null`.
    #[inline]
    pub fn field(&self, key: &str) -> Result<Self, Error> {
        match &self.0 {
            Repr::Object(object) => Ok(object.get(key).cloned().unwrap_or_default()),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Object => Ok(lazy.member(key).unwrap_or_default()),
            Repr::Null => Ok(Self::NULL),
            _ => Err(Error::new(index_message(self, &key.into()))),
        }
    }

    /// Returns the value of a member of a member and so on.
    #[inline]
    pub(crate) fn fields<'k>(&self, keys: impl Iterator<Item = &'k str> + Clone) -> Result<Self, Error> {
        if let Repr::Lazy(lazy) = &self.0 {
            let (value, steps) = lazy.walk(keys.clone());
            return keys.skip(steps).try_fold(value, |value, key| value.field(key));
        }
        let mut keys = keys;
        let Some(first) = keys.next() else { return Ok(self.clone()) };
        let value = self.field(first)?;
        match value.0 {
            Repr::Lazy(_) => value.fields(keys),
            _ => keys.try_fold(value, |value, key| value.field(key)),
        }
    }

    /// Looks for the members of an object with several keys in one pass. Returns none of them if it has to be asked for each.
    #[inline]
    pub(crate) fn find_members<'k, const MOST: usize>(
        &self,
        keys: impl Iterator<Item = &'k str> + Clone,
    ) -> Option<FoundMembers<'_, MOST>> {
        let Repr::Lazy(object) = &self.0 else { return None };
        let mut found = FoundMembers { object, tokens: [0; MOST] };
        (object.kind() == Kind::Object && object.find_members(keys, &mut found.tokens)).then_some(found)
    }

    /// Returns the sorted keys of an object.
    pub(crate) fn sorted_keys(&self) -> Option<Self> {
        match &self.0 {
            Repr::Object(object) => Some(object.sorted().into_iter().map(|(key, _)| key.clone().into()).collect()),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Object => Some(lazy.keys(true)),
            _ => None,
        }
    }

    /// Returns the keys of an object in their order.
    pub(crate) fn keys(&self) -> Option<Self> {
        match &self.0 {
            Repr::Object(object) => Some(object.iter().map(|(key, _)| key.clone().into()).collect()),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Object => Some(lazy.keys(false)),
            _ => None,
        }
    }

    /// Returns the values of some kinds in this one, itself included, in the order of `..`, if the text tells.
    pub(crate) fn descendants(&self, kinds: u8) -> Option<Descendants> {
        match &self.0 {
            Repr::Lazy(lazy) if lazy.kind() >= Kind::Array => lazy.descendants(kinds),
            _ => None,
        }
    }

    /// Whether an object has a member with this key.
    pub(crate) fn has_member(&self, key: &str) -> bool {
        match &self.0 {
            Repr::Object(object) => object.contains_key(key),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Object => lazy.member(key).is_some(),
            _ => false,
        }
    }

    /// Returns an element of an array.
    pub(crate) fn element(&self, at: usize) -> Option<Self> {
        match &self.0 {
            Repr::Array(array) => array.get(at).cloned(),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Array => lazy.element(at),
            _ => None,
        }
    }

    /// Returns what `.[key]` does: of an object, the member; of an array, an element, a slice or the indices of elements; of a string,
    /// a slice.
    ///
    /// # Errors
    /// If the key does not fit the value.
    pub fn index(&self, key: &Self) -> Result<Self, Error> {
        if let Repr::Lazy(lazy) = &self.0 {
            return index_lazy(self, lazy, key);
        }
        if let Repr::Lazy(_) = key.0 {
            return self.index(&key.to_decoded());
        }
        match (&self.0, &key.0) {
            (Repr::Object(object), Repr::Text(key)) => Ok(object.get(key).cloned().unwrap_or_default()),
            (Repr::Array(array), Repr::Object(slice)) => {
                let (start, end) = slice_bounds(array.len(), slice)?;
                Ok(if end - start == array.len() { self.clone() } else { array[start..end].to_vec().into() })
            }
            (Repr::Text(text), Repr::Object(slice)) => slice_text(text, slice),
            (Repr::Array(array), Repr::Array(wanted)) => indices(array, wanted),
            (Repr::Null, Repr::Text(_) | Repr::Object(_)) => Ok(Self::NULL),
            (Repr::Array(array), _) if key.kind() == Kind::Number => {
                Ok(element(key, array.len()).and_then(|at| array.get(at)).cloned().unwrap_or_default())
            }
            (Repr::Null, _) if key.kind() == Kind::Number => Ok(Self::NULL),
            _ => Err(Error::new(index_message(self, key))),
        }
    }

    /// Returns the key of a slice: an object with `start` and `end`.
    #[must_use]
    pub fn slice_key(from: Self, to: Self) -> Self {
        let mut slice = Object::with_capacity(2);
        slice.append("start".into(), from);
        slice.append("end".into(), to);
        slice.into()
    }

    /// Replaces what `.[key]` returns. `null` becomes an object or array; an array grows if the index is beyond its end.
    ///
    /// # Errors
    /// If the key does not fit the value. The value may then have become `null`.
    pub fn set(&mut self, key: &Self, new: Self) -> Result<(), Error> {
        let key = &*key.to_decoded();
        if let Repr::Text(key) = &key.0 {
            return self.set_field(key, new);
        }
        let is_number = key.kind() == Kind::Number;
        if matches!(self.0, Repr::Null) && (is_number || key.kind() == Kind::Object) {
            *self = Array::new().into();
        }
        match (&mut self.decode().0, &key.0) {
            (Repr::Array(array), Repr::Object(slice)) => {
                let (start, end) = slice_bounds(array.len(), slice)?;
                let Ok(new) = new.into_array() else {
                    return Err(Error::new("A slice of an array can only be assigned another array"));
                };
                array.edit(|items| drop(items.splice(start..end, new.into_vec())));
                Ok(())
            }
            (Repr::Array(array), _) if is_number => {
                let at = settable(key, array.len())?;
                array.edit(|items| {
                    if let Some(item) = items.get_mut(at) {
                        *item = new;
                    } else {
                        // mutant: items.resize(at + 1, Self::NULL);
                        items.resize(at, Self::NULL);
                        items.push(new);
                    }
                });
                Ok(())
            }
            (Repr::Text(_), Repr::Object(_)) => Err(Error::new("Cannot update string slices")),
            _ => Err(self.cannot_update(key)),
        }
    }

    fn cannot_update(&self, key: &Self) -> Error {
        Error::new(format!("Cannot update field at {} index of {}", key.kind(), self.kind()))
    }

    /// Takes out what `.[key]` returns and leaves `null` in its place, so that it can be changed without a copy and put back with
    /// [`set`](Self::set). A slice is copied.
    ///
    /// # Errors
    /// If the key does not fit the value.
    pub fn take(&mut self, key: &Self) -> Result<Self, Error> {
        let key = &*key.to_decoded();
        match (&mut self.decode().0, &key.0) {
            (Repr::Object(object), Repr::Text(key)) => Ok(if object.contains_key(key) {
                object.get_mut(key).map(std::mem::take).unwrap_or_default()
            } else {
                Self::NULL
            }),
            (Repr::Array(array), _) if key.kind() == Kind::Number => {
                let found = element(key, array.len()).filter(|at| *at < array.len());
                Ok(found.map_or(Self::NULL, |at| array.edit(|items| std::mem::take(&mut items[at]))))
            }
            _ => self.index(key),
        }
    }

    /// Takes out the value of a member like [`take`](Self::take); `None` if there is none.
    ///
    /// # Errors
    /// If this is neither an object nor `null`.
    pub fn take_field(&mut self, key: &str) -> Result<Option<Self>, Error> {
        match &mut self.decode().0 {
            Repr::Object(object) => Ok(object.get_mut(key).map(std::mem::take)),
            _ => self.field(key).map(|_| None),
        }
    }

    /// Replaces the value of a member or adds it. `null` becomes an object.
    ///
    /// # Errors
    /// If this is neither an object nor `null`.
    pub fn set_field(&mut self, key: &Text, new: Self) -> Result<(), Error> {
        if matches!(self.0, Repr::Null) {
            *self = Object::new().into();
        }
        match &mut self.decode().0 {
            Repr::Object(object) => {
                object.insert(key.clone(), new);
                Ok(())
            }
            // The first step of a path is to read what is there.
            _ => Err(Error::new(index_message(self, &key.clone().into()))),
        }
    }

    /// Removes members, elements and slices. Indices and slices refer to the array as it is before.
    ///
    /// # Errors
    /// If a key does not fit the value.
    pub fn delete(&mut self, keys: &[Self]) -> Result<(), Error> {
        if keys.is_empty() {
            return Ok(());
        }
        match &mut self.decode().0 {
            Repr::Null => Ok(()),
            Repr::Object(object) => {
                for key in keys {
                    let Some(key) = key.as_str() else {
                        return Err(Error::new(format!("Cannot delete {} field of object", key.kind())));
                    };
                    object.remove(&key);
                }
                Ok(())
            }
            Repr::Array(array) => delete_elements(array, keys),
            _ => Err(Error::new(format!("Cannot delete fields from {}", self.kind()))),
        }
    }

    /// Calls `change` with each element of an array or value of an object, which it owns, and puts its result in the same place;
    /// `None` removes the element or member.
    ///
    /// # Errors
    /// If this is neither, or the first error of `change`. Values before that have been changed, and the one it was called with is
    /// `null`.
    pub fn change_each<E: From<Error>>(
        &mut self,
        change: &mut dyn FnMut(Self) -> Result<Option<Self>, E>,
    ) -> Result<(), E> {
        match &mut self.decode().0 {
            Repr::Array(array) => array.edit(|items| {
                let mut removed = Vec::new();
                for (at, item) in items.iter_mut().enumerate() {
                    match change(std::mem::take(item))? {
                        Some(new) => *item = new,
                        None => removed.push(at),
                    }
                }
                let mut removed = removed.into_iter().peekable();
                let mut at = 0;
                if removed.peek().is_some() {
                    items.retain(|_| {
                        at += 1;
                        removed.next_if_eq(&(at - 1)).is_none()
                    });
                }
                Ok(())
            }),
            Repr::Object(object) => object.change_each(change),
            _ => Err(self.cannot_iterate().into()),
        }
    }
}

/// Members that were looked for.
pub(crate) struct FoundMembers<'v, const MOST: usize> {
    object: &'v Lazy,
    /// The first token of each value; 0 if there is no such member, since no value of a member is the first token.
    tokens: [usize; MOST],
}

impl<const MOST: usize> FoundMembers<'_, MOST> {
    /// Returns the value for the key with this number.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Value {
        match self.tokens[at] {
            0 => Value::NULL,
            token => self.object.at(token),
        }
    }
}

/// Returns the message for a key that does not fit the value.
fn index_message(value: &Value, key: &Value) -> String {
    format!("Cannot index {} with {} ({})", value.kind(), key.kind(), excerpt(key))
}

/// Returns what [`Value::index`] does for a value that is still text.
fn index_lazy(value: &Value, lazy: &Lazy, key: &Value) -> Result<Value, Error> {
    match (lazy.kind(), key.kind()) {
        (Kind::Object, Kind::String) => Ok(lazy.member(&key.as_str().unwrap_or_default()).unwrap_or_default()),
        (Kind::Array, Kind::Number) => {
            // Only an index from the end needs the length.
            let length = if key.as_number() < Some(0.0) { lazy.len() } else { 0 };
            Ok(element(key, length).and_then(|at| lazy.element(at)).unwrap_or_default())
        }
        (Kind::Array, Kind::Object) => {
            let (start, end) = slice_bounds(lazy.len(), &key.to_object().unwrap_or_default())?;
            Ok(if end - start == lazy.len() { value.clone() } else { lazy.elements_between(start, end) })
        }
        _ => value.to_decoded().index(key),
    }
}

/// Returns the index in an array that a number means; `None` before the first element and for NaN.
#[inline]
fn element(key: &Value, length: usize) -> Option<usize> {
    let number = key.as_number().filter(|number| !number.is_nan())?;
    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
    let index = number as i64;
    if index < 0 {
        length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)
    } else {
        usize::try_from(index).ok()
    }
}

/// Returns the index in an array that a number means, if an element can be set there.
fn settable(key: &Value, length: usize) -> Result<usize, Error> {
    let number = key.as_number().unwrap_or(f64::NAN);
    if number.is_nan() {
        return Err(Error::new("Cannot set array element at NaN index"));
    }
    if number >= GREATEST_INDEX + 1.0 {
        return Err(Error::new("Array index too large"));
    }
    element(key, length).ok_or_else(|| Error::new("Out of bounds negative array index"))
}

/// Returns where a slice of something with this length starts and ends. Fractions are rounded outwards.
///
/// # Errors
/// If a bound is missing, or neither a number nor `null`.
fn slice_bounds(length: usize, slice: &Object) -> Result<(usize, usize), Error> {
    let bound = |name| match slice.get(name).map(|value| (value.kind(), value.as_number())) {
        Some((Kind::Null, _)) => Ok(None),
        Some((_, Some(number))) => Ok(Some(number).filter(|number| !number.is_nan())),
        _ => Err(Error::new("Array/string slice indices must be integers")),
    };
    let (start, end) = (bound("start")?, bound("end")?);
    #[expect(clippy::cast_precision_loss, reason = "no array has 2⁵³ elements")]
    let length_number = length as f64;
    // mutant: let resolve = |number: f64| number;
    let resolve = |number: f64| if number < 0.0 { number + length_number } else { number };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversions saturate")]
    let start = start.map_or(0, |start| (resolve(start) as usize).min(length));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversions saturate")]
    // mutant: let end = end.map_or(length, |end| (resolve(end) as usize).min(length));
    let end = end.map_or(length, |end| (libm::ceil(resolve(end)) as usize).min(length));
    Ok((start, end.max(start)))
}

/// Returns a slice of a string, whose indices count code points.
fn slice_text(text: &Text, slice: &Object) -> Result<Value, Error> {
    let length = if text.is_ascii() { text.len() } else { text.chars().count() };
    let (start, end) = slice_bounds(length, slice)?;
    if end - start == length {
        return Ok(text.clone().into());
    }
    if length == text.len() {
        return Ok(text[start..end].into());
    }
    let mut offsets = text.char_indices().map(|(offset, _)| offset);
    let from = offsets.nth(start).unwrap_or(text.len());
    let to = if end > start { offsets.nth(end - start - 1).unwrap_or(text.len()) } else { from };
    Ok(text[from..to].into())
}

/// Returns where `wanted` occurs in an array.
fn indices(array: &Array, wanted: &Array) -> Result<Value, Error> {
    let mut found = Vec::new();
    if !wanted.is_empty() {
        for (at, window) in array.windows(wanted.len()).enumerate() {
            if all_equal(window, wanted)? {
                found.push(at.into());
            }
        }
    }
    Ok(found.into())
}

fn all_equal(left: &[Value], right: &[Value]) -> Result<bool, Error> {
    for (left, right) in left.iter().zip(right) {
        if !equal(left, right)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes elements and slices, which refer to the array as it is before.
fn delete_elements(array: &mut Array, keys: &[Value]) -> Result<(), Error> {
    let mut is_removed = vec![false; array.len()];
    for key in keys {
        match &key.to_decoded().0 {
            Repr::Object(slice) => {
                let (start, end) = slice_bounds(array.len(), slice)?;
                // mutant: is_removed[start..end].fill(start > 0);
                is_removed[start..end].fill(true);
            }
            _ if key.kind() == Kind::Number => {
                if let Some(removed) = element(key, array.len()).and_then(|at| is_removed.get_mut(at)) {
                    *removed = true;
                }
            }
            _ => return Err(Error::new(format!("Cannot delete {} element of array", key.kind()))),
        }
    }
    let mut is_removed = is_removed.into_iter();
    array.edit(|items| items.retain(|_| !is_removed.next().unwrap_or(false)));
    Ok(())
}
