//! Values that are still text: a checked text, its tokens, and the token with which a value begins.
//!
//! Looking at such a value costs what it looks at: a member is found by its key in the text, a container is decoded one level at a
//! time, and a value that leaves as it came is copied as text. The text stays in memory as long as one of its values.

#![forbid(unsafe_code)]

mod descendants;
mod distinct;
mod keys;
mod source;

use std::fmt;
use std::rc::Rc;

pub(crate) use descendants::Descendants;
pub(crate) use distinct::Distinct;
pub(crate) use distinct::SeenKeys;
pub(super) use keys::key_arrays;
pub(crate) use keys::shared_key;
pub(crate) use source::Source;

use crate::value::Array;
use crate::value::Kind;
use crate::value::Object;
use crate::value::Repr;
use crate::value::Value;
use crate::value::number;

/// A number, a string without escapes, an array or an object of a text.
#[derive(Clone)]
pub(crate) struct Lazy {
    source: Rc<Source>,
    token: u32,
    kind: Kind,
}

/// Returns the value that begins with a token. Literals and strings with escapes are decoded.
#[inline]
pub(super) fn value_at(source: &Rc<Source>, token: usize) -> Value {
    let kind = match source.byte(token) {
        b'{' => Kind::Object,
        b'[' => Kind::Array,
        b'"' => {
            if source.has_escapes && source.tokens().has_escapes(token) {
                return source.string(token).into_owned().into();
            }
            Kind::String
        }
        b't' => return Value::TRUE,
        b'f' => return Value::FALSE,
        b'n' => return Value::NULL,
        _ => Kind::Number,
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a text has fewer tokens than bytes, which are less than 4 GiB"
    )]
    let token = token as u32;
    Value(Repr::Lazy(Lazy { source: Rc::clone(source), token, kind }))
}

impl Lazy {
    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    #[inline]
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    #[inline]
    pub(crate) fn token(&self) -> usize {
        self.token as usize
    }

    /// Whether both are the same place in the same text.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.token == other.token && Rc::ptr_eq(&self.source, &other.source)
    }

    /// Returns the content of a string.
    #[inline]
    pub(crate) fn text(&self) -> &str {
        self.source.plain(self.token())
    }

    /// Returns a number as a double.
    #[inline]
    pub(super) fn double(&self) -> f64 {
        number::double_of_json(self.source.number(self.token()))
    }

    /// Returns the value, of a container with its elements or members as they are in the text.
    pub(super) fn decoded(&self) -> Value {
        match self.kind {
            Kind::Array => self.array().into(),
            Kind::Object => self.object().into(),
            Kind::String => self.text().into(),
            _ => number::parse_json(self.source.number(self.token())),
        }
    }

    /// Returns the value to be kept while further texts are read: it keeps this text only if much of this text is kept anyway.
    pub(super) fn kept(&self, decode: impl FnOnce(fjson::Value<'_, '_>) -> Value) -> Value {
        if self.kind < Kind::Array {
            return self.decoded();
        }
        let tokens = self.source.tokens();
        if self.source.keep(tokens.end(self.token()) - tokens.start(self.token())) {
            return Value(Repr::Lazy(self.clone()));
        }
        decode(tokens.value(self.token()))
    }

    /// Returns the elements of an array.
    pub(super) fn array(&self) -> Array {
        let mut items = Vec::new();
        if let Some(elements) = self.source.known_elements(self.token()) {
            items.extend(elements.iter().map(|token| value_at(&self.source, *token as usize)));
        } else {
            items.extend(self.elements().map(|token| value_at(&self.source, token)));
        }
        items.into()
    }

    /// Returns the members of an object: the last of several with the same key, in the place of the first.
    pub(super) fn object(&self) -> Object {
        let Some(count) = self.source.count_distinct(self.token()) else {
            let member = |(key, value)| (shared_key(self.source.string(key)), value_at(&self.source, value));
            return self.members().map(member).collect();
        };
        let mut members = Vec::with_capacity(count);
        members.extend(self.members().map(|(key, value)| {
            let key = shared_key(self.source.string(key));
            (Some(key), value_at(&self.source, value))
        }));
        Object::of_distinct(members)
    }

    /// Returns the tokens of the elements of an array.
    fn elements(&self) -> impl Iterator<Item = usize> {
        let mut token = self.token() + 1;
        std::iter::from_fn(move || {
            let element = (self.source.byte(token) != b']').then_some(token)?;
            token = self.source.next(element);
            Some(element)
        })
    }

    /// Returns the tokens of the keys and values of an object, some of which may have the same key.
    fn members(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut token = self.token() + 1;
        std::iter::from_fn(move || {
            let key = (self.source.byte(token) == b'"').then_some(token)?;
            token = self.source.next(key + 2);
            Some((key, key + 2))
        })
    }

    /// Returns the keys of an object, sorted or in their order.
    pub(super) fn keys(&self, are_sorted: bool) -> Value {
        let keys = self.members().map(|(key, _)| self.source.string(key));
        key_arrays(keys, || self.object(), are_sorted).into()
    }

    /// Returns the values of some kinds in this one, itself included, in the order of the text; `None` if some object has several
    /// members with the same key.
    pub(super) fn descendants(&self, kinds: u8) -> Option<Descendants> {
        Descendants::new(&self.source, self.token(), kinds)
    }

    /// Returns the number of elements or members.
    pub(super) fn len(&self) -> usize {
        match self.kind {
            Kind::Array => self.source.count_elements(self.token()),
            _ => self.source.count_distinct(self.token()).unwrap_or_else(|| self.object().len()),
        }
    }

    /// Returns an element of an array.
    pub(super) fn element(&self, at: usize) -> Option<Value> {
        self.source.element(self.token(), at).map(|token| value_at(&self.source, token))
    }

    /// Returns some of the elements of an array, which has as many.
    pub(super) fn elements_between(&self, start: usize, end: usize) -> Value {
        (start..end).map_while(|at| self.element(at)).collect()
    }

    /// Returns the value of a member of an object.
    #[inline]
    pub(super) fn member(&self, key: &str) -> Option<Value> {
        self.source.member(self.token(), key).map(|token| value_at(&self.source, token))
    }

    /// Returns the value of a member of a member and so on, and how many of the keys led to it: fewer than all if the value is neither
    /// an object nor `null`.
    #[inline]
    pub(super) fn walk<'k>(&self, keys: impl Iterator<Item = &'k str>) -> (Value, usize) {
        let mut token = self.token();
        for (steps, key) in keys.enumerate() {
            match self.source.byte(token) {
                b'{' => match self.source.member(token, key) {
                    Some(value) => token = value,
                    // All that follows is null.
                    None => return (Value::NULL, usize::MAX),
                },
                b'n' => return (Value::NULL, usize::MAX),
                _ => return (value_at(&self.source, token), steps),
            }
        }
        (value_at(&self.source, token), usize::MAX)
    }

    /// Looks for the members of an object with several keys at once; `found` gets their tokens. Returns false if that does not tell.
    #[inline]
    pub(super) fn find_members<'k>(&self, keys: impl Iterator<Item = &'k str> + Clone, found: &mut [usize]) -> bool {
        self.source.members(self.token(), keys, &mut |at, token| {
            if let Some(place) = found.get_mut(at) {
                *place = token;
            }
        })
    }

    /// Returns the value that begins with a token of the same text.
    #[inline]
    pub(super) fn at(&self, token: usize) -> Value {
        value_at(&self.source, token)
    }

    /// Returns the elements or values one after the other. An object must not have several members with the same key.
    pub(super) fn children(&self) -> Children {
        Children { source: Rc::clone(&self.source), next: self.token() + 1, is_object: self.kind == Kind::Object }
    }

    /// Whether the keys of an object are all different.
    pub(super) fn is_distinct(&self) -> bool {
        self.source.count_distinct(self.token()).is_some()
    }
}

impl fmt::Debug for Lazy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.source.tokens().value(self.token()).raw())
    }
}

/// The elements of an array or the values of an object in a text.
#[derive(Clone, Debug)]
pub(crate) struct Children {
    source: Rc<Source>,
    /// The token of the next element or key, or the closing bracket.
    next: usize,
    is_object: bool,
}

impl Children {
    /// Returns the token of the next key, and that of the next value.
    #[inline]
    fn step(&mut self) -> Option<(usize, usize)> {
        let key = self.next;
        if matches!(self.source.byte(key), b']' | b'}') {
            return None;
        }
        let value = if self.is_object { key + 2 } else { key };
        self.next = self.source.next(value);
        Some((key, value))
    }

    /// Returns the next key and value; `at` is the index of an element.
    pub(super) fn next_with_key(&mut self, at: usize) -> Option<(Value, Value)> {
        let (key, value) = self.step()?;
        let key = if self.is_object { shared_key(self.source.string(key)).into() } else { at.into() };
        Some((key, value_at(&self.source, value)))
    }
}

impl Iterator for Children {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        let (_, value) = self.step()?;
        Some(value_at(&self.source, value))
    }
}
