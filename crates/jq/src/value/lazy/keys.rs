//! Keys that were read before, so that equal keys share their memory.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::cell::RefCell;

use crate::value::Array;
use crate::value::Object;
use crate::value::Text;
use crate::value::Value;

/// Keys by a hash of a few of their bytes.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// Each key has one place.
    places: Vec<Option<Text>>,
}

/// The number of keys that are kept. Documents seldom have more different ones.
const KEPT: usize = 256;

/// Longer keys are rarely repeated.
const LONGEST_KEPT: usize = 64;

/// The keys of an object as arrays.
#[derive(Debug)]
struct KeyArrays {
    keys: Vec<Text>,
    in_order: Array,
    sorted: Array,
}

thread_local! {
    /// The keys of the last object that was asked for them. The next one usually has the same.
    static LAST: RefCell<Option<KeyArrays>> = const { RefCell::new(None) };
    static SHARED: RefCell<Keys> = RefCell::default();
}

/// Returns a key, which shares its memory with equal ones of this thread.
#[inline]
pub(crate) fn shared_key(text: Cow<'_, str>) -> Text {
    SHARED.with_borrow_mut(|keys| keys.get(text))
}

/// Returns the keys of an object, sorted or in their order.
pub(crate) fn key_arrays<'k>(
    mut keys: impl Iterator<Item = Cow<'k, str>>,
    object: impl FnOnce() -> Object,
    are_sorted: bool,
) -> Array {
    LAST.with_borrow_mut(|last| {
        let is_last = last.as_ref().is_some_and(|last| {
            last.keys.iter().all(|known| keys.next().is_some_and(|key| *key == **known)) && keys.next().is_none()
        });
        if !is_last {
            *last = None;
        }
        let last = last.get_or_insert_with(|| KeyArrays::of(&object()));
        if are_sorted { last.sorted.clone() } else { last.in_order.clone() }
    })
}

impl KeyArrays {
    fn of(object: &Object) -> Self {
        let list = |keys: &mut dyn Iterator<Item = &Text>| keys.map(|key| Value::from(key.clone())).collect::<Vec<_>>();
        Self {
            keys: object.iter().map(|(key, _)| key.clone()).collect(),
            in_order: list(&mut object.iter().map(|(key, _)| key)).into(),
            sorted: list(&mut object.sorted().into_iter().map(|(key, _)| key)).into(),
        }
    }
}

impl Keys {
    #[inline]
    fn get(&mut self, text: Cow<'_, str>) -> Text {
        if text.len() > LONGEST_KEPT {
            return text.into_owned().into();
        }
        if self.places.is_empty() {
            self.places.resize(KEPT, None);
        }
        let place = &mut self.places[place(text.as_bytes())];
        match place {
            Some(kept) if **kept == *text => kept.clone(),
            _ => place.insert(text.into_owned().into()).clone(),
        }
    }
}

/// Returns the place of a key, from its length and three of its bytes.
#[inline]
fn place(key: &[u8]) -> usize {
    let byte = |at: usize| key.get(at).copied().map_or(0, usize::from);
    let mixed = key.len() * 31 + byte(0) * 7 + byte(key.len() / 2) * 13 + byte(key.len().saturating_sub(1)) * 3;
    mixed % KEPT
}
