//! The elements of arrays and the members of objects.

#![forbid(unsafe_code)]

use crate::document::Value;
use crate::document::View;

/// The elements of an array; see the example of [`Value::iter`].
#[derive(Clone, Debug)]
pub struct Elements<'p, 't> {
    pub(super) view: View<'p, 't>,
    /// The first token of the next element, or the closing bracket. `None` if this is not an array.
    pub(super) token: Option<usize>,
}

impl<'p, 't> Iterator for Elements<'p, 't> {
    type Item = Value<'p, 't>;

    #[inline]
    fn next(&mut self) -> Option<Value<'p, 't>> {
        let token = self.token?;
        if self.view.byte(token) == b']' {
            return None;
        }
        self.token = Some(self.view.skip(token));
        Some(Value::new(self.view, token))
    }
}

/// A member of an object; see the example of [`Value::members`].
#[derive(Clone, Copy, Debug)]
pub struct Member<'p, 't> {
    /// The key, which is a string.
    pub key: Value<'p, 't>,
    /// The value.
    pub value: Value<'p, 't>,
}

/// The members of an object; see the example of [`Value::members`].
#[derive(Clone, Debug)]
pub struct Members<'p, 't> {
    pub(super) view: View<'p, 't>,
    /// The opening quote of the next key, or the closing bracket. `usize::MAX` if this is not an object.
    pub(super) token: usize,
}

impl Members<'_, '_> {
    /// Returns the opening quote of the next key.
    #[inline]
    pub(super) fn token(&self) -> Option<usize> {
        (self.token != usize::MAX && self.view.byte(self.token) == b'"').then_some(self.token)
    }
}

impl<'p, 't> Iterator for Members<'p, 't> {
    type Item = Member<'p, 't>;

    #[inline]
    fn next(&mut self) -> Option<Member<'p, 't>> {
        let token = self.token()?;
        self.token = self.view.skip(token + 2);
        Some(Member { key: Value::new(self.view, token), value: Value::new(self.view, token + 2) })
    }
}
