//! Keys that were read before, so that equal keys share their memory.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::cell::RefCell;

use crate::value::Text;

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

thread_local! {
    static SHARED: RefCell<Keys> = RefCell::default();
}

/// Returns a key, which shares its memory with equal ones of this thread.
#[inline]
pub(crate) fn shared_key(text: Cow<'_, str>) -> Text {
    SHARED.with_borrow_mut(|keys| keys.get(text))
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
