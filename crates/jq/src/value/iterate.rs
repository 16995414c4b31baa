//! The elements of arrays and the values of objects, one after the other.

#![forbid(unsafe_code)]

use crate::value::Array;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Object;
use crate::value::Repr;
use crate::value::Value;
use crate::value::error::excerpt;
use crate::value::lazy::Children;

impl Value {
    /// Returns the elements of an array or the values of an object, one after the other.
    ///
    /// # Errors
    /// If this is neither.
    pub fn iterate(self) -> Result<Iterate, Error> {
        match self.0 {
            Repr::Array(array) => Ok(Iterate { container: Container::Array(array), at: 0 }),
            Repr::Object(object) => Ok(Iterate { container: Container::Object(object), at: 0 }),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Array || lazy.kind() == Kind::Object && lazy.is_distinct() => {
                Ok(Iterate { container: Container::Lazy(lazy.children()), at: 0 })
            }
            Repr::Lazy(lazy) if lazy.kind() == Kind::Object => {
                Ok(Iterate { container: Container::Object(lazy.object()), at: 0 })
            }
            _ => Err(self.cannot_iterate()),
        }
    }

    pub(super) fn cannot_iterate(&self) -> Error {
        Error::new(format!("Cannot iterate over {} ({})", self.kind(), excerpt(self)))
    }
}

/// The elements of an array or the values of an object, in order; see [`Value::iterate`].
#[derive(Clone, Debug)]
pub struct Iterate {
    container: Container,
    /// The next element, or the next slot of the object.
    at: usize,
}

#[derive(Clone, Debug)]
enum Container {
    Array(Array),
    Object(Object),
    Lazy(Children),
}

impl Iterate {
    /// Returns the next value and its index or key.
    #[inline]
    pub fn next_with_key(&mut self) -> Option<(Value, Value)> {
        match &mut self.container {
            Container::Array(array) => {
                let value = array.get(self.at)?.clone();
                self.at += 1;
                Some(((self.at - 1).into(), value))
            }
            Container::Object(object) => {
                let (key, value, at) = object.next(self.at)?;
                self.at = at;
                Some((key.clone().into(), value.clone()))
            }
            Container::Lazy(children) => {
                self.at += 1;
                children.next_with_key(self.at - 1)
            }
        }
    }
}

impl Iterator for Iterate {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        match &mut self.container {
            Container::Array(array) => {
                let value = array.get(self.at)?.clone();
                self.at += 1;
                Some(value)
            }
            Container::Object(object) => {
                let (_, value, at) = object.next(self.at)?;
                self.at = at;
                Some(value.clone())
            }
            Container::Lazy(children) => children.next(),
        }
    }
}
