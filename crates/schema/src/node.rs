//! The values of fjson as the representation of instances that the crate `jsonschema` validates.
//!
//! A node is a [`Value`], so nothing is copied. A violation gets the number of the token of its value instead of a copy of the value:
//! its place is exact even with duplicate keys, and costs nothing.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use fjson::Kind;
use fjson::Value;
use jsonschema::JsonType;
use jsonschema::json::Json;
use jsonschema::json::NodeIdentity;
use jsonschema_value::LazyInstance;
use serde_json::Value as Tree;

use crate::number::Number;
use crate::tree::equal;
use crate::tree::tree;

/// Number of places of violations after which a validation stops looking: their memory would otherwise grow with the instance. Each
/// takes about 500 bytes.
pub(crate) const MAX_PLACES: usize = 1 << 16;

/// What a violation has as its token if it was found when there were already [`MAX_PLACES`]: it need not be one.
pub(crate) const DOUBTFUL: u32 = u32::MAX;

/// What a violation has as its token if its value is no value of the document.
pub(crate) const NO_TOKEN: u32 = u32::MAX - 1;

thread_local! {
    /// Number of violations that were found since the last [`reset_places`], among them those of alternatives.
    static PLACES: Cell<usize> = const { Cell::new(0) };
}

/// Begins to count the violations of an instance.
pub(crate) fn reset_places() {
    PLACES.set(0);
}

/// Whether there are too many violations to look for more.
#[inline]
pub(crate) fn is_full() -> bool {
    PLACES.get() >= MAX_PLACES
}

/// The representation.
pub(crate) enum Instances {}

/// A value, or a text that the validator made of one.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    Value(Value<'a, 'a>),
    /// A value whose member `$schema` does not count.
    Root(Value<'a, 'a>),
    Text(&'a str),
}

impl Json for Instances {
    type Node<'a> = Node<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // A lookup is itself a walk over the keys.
    const KEYS_PER_LOOKUP: usize = 1 << 20;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Node<'_>) -> T) -> T {
        f(Node::Text(string))
    }
}

impl Node<'_> {
    /// Counts a violation, and returns the number of the token that it has.
    pub(crate) fn tag(&self) -> u32 {
        let tag = match self {
            _ if is_full() => DOUBTFUL,
            Node::Value(value) | Node::Root(value) => u32::try_from(value.token()).unwrap_or(NO_TOKEN),
            Node::Text(_) => NO_TOKEN,
        };
        PLACES.set(PLACES.get() + 1);
        tag
    }
}

/// Makes the token number of a value what a violation has as its instance.
fn token(_: &[u8], tag: u32) -> Tree {
    Tree::from(tag)
}

impl<'a> jsonschema::json::Node<'a, Instances> for Node<'a> {
    type Object = Object<'a>;
    type Array = Array<'a>;
    type Number = Number<'a>;

    #[inline]
    fn as_object(&self) -> Option<Object<'a>> {
        match *self {
            Node::Value(value) if value.kind() == Kind::Object => Some(Object { value, has_schema: false }),
            Node::Root(value) if value.kind() == Kind::Object => {
                Some(Object { value, has_schema: value.get(SCHEMA).is_some() })
            }
            _ => None,
        }
    }

    #[inline]
    fn as_array(&self) -> Option<Array<'a>> {
        match *self {
            Node::Value(value) | Node::Root(value) if value.kind() == Kind::Array => Some(Array(value)),
            _ => None,
        }
    }

    #[inline]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        match *self {
            Node::Value(value) | Node::Root(value) => value.as_str_lossy(),
            Node::Text(text) => Some(Cow::Borrowed(text)),
        }
    }

    #[inline]
    fn as_number(&self) -> Option<Number<'a>> {
        match *self {
            Node::Value(value) | Node::Root(value) => Number::of(value),
            Node::Text(_) => None,
        }
    }

    #[inline]
    fn as_boolean(&self) -> Option<bool> {
        match self {
            Node::Value(value) | Node::Root(value) => value.as_bool(),
            Node::Text(_) => None,
        }
    }

    #[inline]
    fn is_null(&self) -> bool {
        matches!(self, Node::Value(value) | Node::Root(value) if value.is_null())
    }

    #[inline]
    fn is_number(&self) -> bool {
        matches!(self, Node::Value(value) | Node::Root(value) if value.kind() == Kind::Number)
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        match self {
            Node::Text(_) => JsonType::String,
            Node::Value(value) | Node::Root(value) => match value.kind() {
                Kind::Null => JsonType::Null,
                Kind::Bool => JsonType::Boolean,
                Kind::Number => JsonType::Number,
                Kind::String => JsonType::String,
                Kind::Array => JsonType::Array,
                Kind::Object => JsonType::Object,
            },
        }
    }

    #[inline]
    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        Some(is_length_within(&self.as_string()?, min, max))
    }

    fn equals_value(&self, expected: &Tree) -> bool {
        match *self {
            Node::Value(value) | Node::Root(value) => equal(value, expected),
            Node::Text(text) => expected.as_str() == Some(text),
        }
    }

    fn to_value(&self) -> Cow<'a, Tree> {
        Cow::Owned(match *self {
            Node::Value(value) | Node::Root(value) => tree(value),
            Node::Text(text) => Tree::from(text),
        })
    }

    fn lazy_value(&self) -> LazyInstance<'a> {
        LazyInstance::Deferred { bytes: &[], tag: self.tag(), make: token, cell: OnceLock::new() }
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(match self {
            Node::Value(value) | Node::Root(value) => NodeIdentity::tagged(value.token(), 1),
            Node::Text(text) => NodeIdentity::tagged(text.as_ptr().addr(), 2),
        })
    }
}

/// Whether the number of characters is in a range. Counts them only if the number of bytes does not decide it.
#[inline]
pub(crate) fn is_length_within(text: &str, min: u64, max: u64) -> bool {
    // A character takes one to four bytes.
    let (most, least) = (text.len() as u64, text.len().div_ceil(4) as u64);
    if most < min || least > max {
        return false;
    }
    if min <= least && most <= max {
        return true;
    }
    (min..=max).contains(&(text.chars().count() as u64))
}

/// The key of the member that names the schema.
const SCHEMA: &str = "$schema";

/// An object.
#[derive(Clone, Copy)]
pub(crate) struct Object<'a> {
    value: Value<'a, 'a>,
    /// Whether it has a member `$schema` that does not count.
    has_schema: bool,
}

/// The members of an object, up to the place where too many violations were found.
pub(crate) struct Members<'a> {
    members: fjson::Members<'a, 'a>,
    skips_schema: bool,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Node<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if is_full() {
            return None;
        }
        let member = self.members.next()?;
        let key = member.key.as_str_lossy().unwrap_or_default();
        if self.skips_schema && key == SCHEMA {
            return self.next();
        }
        Some((key, Node::Value(member.value)))
    }
}

impl<'a> jsonschema::json::Object<'a, Instances> for Object<'a> {
    type Node = Node<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = Members<'a>;

    #[inline]
    fn len(&self) -> usize {
        self.value.len() - usize::from(self.has_schema)
    }

    #[inline]
    fn is_empty(&self) -> bool {
        if self.has_schema { self.len() == 0 } else { self.value.is_empty() }
    }

    #[inline]
    fn get(&self, key: &String) -> Option<Node<'a>> {
        if self.has_schema && key == SCHEMA { None } else { self.value.get(key).map(Node::Value) }
    }

    #[inline]
    fn members(&self) -> Members<'a> {
        Members { members: self.value.members(), skips_schema: self.has_schema }
    }

    /// Passes the keys themselves, so that violations of `propertyNames` know their places.
    fn try_for_each_name_node<B>(&self, (): &mut (), mut f: impl FnMut(Node<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        let keys = self.value.members().map(|member| member.key);
        let keys = keys.filter(|key| !(self.has_schema && key.as_str().is_some_and(|key| key == SCHEMA)));
        keys.take_while(|_| !is_full()).try_for_each(|key| f(Node::Value(key)))
    }
}

/// An array.
#[derive(Clone, Copy)]
pub(crate) struct Array<'a>(Value<'a, 'a>);

/// The elements of an array, up to the place where too many violations were found.
pub(crate) struct Elements<'a>(fjson::Elements<'a, 'a>);

impl<'a> Iterator for Elements<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        if is_full() { None } else { self.0.next().map(Node::Value) }
    }
}

/// Number of elements up to which each is compared with each.
const FEW: usize = 16;

impl<'a> jsonschema::json::Array<'a, Instances> for Array<'a> {
    type Node = Node<'a>;
    type ElementsIter = Elements<'a>;

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn elements(&self) -> Elements<'a> {
        Elements(self.0.iter())
    }

    fn is_unique(&self) -> bool {
        is_unique(self.0)
    }
}

/// Whether no two elements of an array are equal. Numbers are compared exactly.
#[expect(clippy::mutable_key_type, reason = "what a value caches does not change how it is hashed")]
pub(crate) fn is_unique(array: Value<'_, '_>) -> bool {
    if array.len() <= FEW {
        let mut rest = array.iter();
        while let Some(element) = rest.next() {
            if rest.clone().any(|other| other == element) {
                return false;
            }
        }
        return true;
    }
    let mut seen = HashSet::new();
    array.iter().all(|element| seen.insert(element))
}
