//! A checked text with its tokens, and what has been found out about it.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::cell::Cell;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use fjson::OwnedValue;
use fjson::Tokens;
use foldhash::fast::RandomState;

use crate::value::lazy::Distinct;
use crate::value::lazy::SeenKeys;
use crate::value::memory::Counted;

/// Elements after so many are found with a list of all, which is made when one of them is asked for.
const NEAR: usize = 64;

/// Members after so many are found with a table of the engine.
const FEW: usize = 32;

/// A text and its tokens.
pub(crate) struct Source {
    /// Keeps the text and the tokens.
    owned: OwnedValue,
    /// Whether any string has escapes.
    pub(crate) has_escapes: bool,
    /// Whether the text has a DEL, which jq escapes.
    pub(crate) has_delete: bool,
    /// The tokens of the elements of long arrays into which somebody has looked.
    elements: RefCell<HashMap<usize, Rc<[u32]>, RandomState>>,
    /// How many members wide objects have that were counted; none if several have the same key.
    counts: RefCell<HashMap<usize, Option<usize>, RandomState>>,
    /// How many bytes of the text are kept.
    kept: Cell<usize>,
    _counted: Counted,
}

impl Source {
    pub(crate) fn new(owned: OwnedValue) -> Rc<Self> {
        let tokens = owned.value().tokens();
        let has_escapes = tokens.has_any_escapes();
        let has_delete = memchr::memchr(0x7f, tokens.text()).is_some();
        let bytes = size_of::<Self>() + tokens.text().len() + size_of_val(tokens.positions());
        Rc::new(Self {
            owned,
            has_escapes,
            has_delete,
            elements: RefCell::default(),
            counts: RefCell::default(),
            kept: Cell::new(0),
            _counted: Counted::new(bytes),
        })
    }

    #[inline]
    pub(crate) fn tokens(&self) -> Tokens<'_, '_> {
        self.owned.value().tokens()
    }

    /// Returns the token of the value that the text was shared with.
    pub(crate) fn root(&self) -> usize {
        self.owned.value().token()
    }

    /// Counts bytes that are kept, and returns whether they are more than an eighth of the text. Then the text is kept, since decoded
    /// values would not take less memory.
    pub(super) fn keep(&self, bytes: usize) -> bool {
        self.kept.set(self.kept.get().saturating_add(bytes));
        self.kept.get() > self.tokens().text().len() / 8
    }

    /// Returns the first byte of a token.
    #[inline]
    pub(crate) fn byte(&self, token: usize) -> u8 {
        let tokens = self.tokens();
        tokens.text()[tokens.positions()[token] as usize]
    }

    /// Returns the token after a value.
    #[inline]
    pub(crate) fn next(&self, token: usize) -> usize {
        self.tokens().next(token)
    }

    /// Whether a string is a key.
    #[inline]
    pub(super) fn is_key(&self, token: usize) -> bool {
        let tokens = self.tokens();
        let after = tokens.text().get(tokens.positions()[token + 1] as usize + 1..).unwrap_or_default();
        after.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) == Some(&b':')
    }

    /// Returns the content of a string.
    #[inline]
    pub(crate) fn string(&self, token: usize) -> Cow<'_, str> {
        self.tokens().value(token).as_str_lossy().unwrap_or_default()
    }

    /// Returns the content of a string without escapes.
    #[inline]
    pub(crate) fn plain(&self, token: usize) -> &str {
        match self.tokens().value(token).as_str() {
            Some(Cow::Borrowed(text)) => text,
            _ => "",
        }
    }

    /// Returns the text of a number.
    #[inline]
    pub(crate) fn number(&self, token: usize) -> &[u8] {
        self.tokens().value(token).raw().as_bytes()
    }

    /// Returns the value of the last member of an object with this key.
    #[inline]
    pub(super) fn member(&self, object: usize, key: &str) -> Option<usize> {
        let tokens = self.tokens();
        let (text, positions) = (tokens.text(), tokens.positions());
        let (mut token, mut found, mut passed) = (object + 1, None, 0);
        loop {
            let start = positions[token] as usize;
            if text[start] != b'"' {
                return found;
            }
            let end = positions[token + 1] as usize;
            let is_key = if self.has_escapes && tokens.has_escapes(token) {
                self.string(token) == key
            } else {
                end - start == key.len() + 1 && text[start + 1..end] == *key.as_bytes()
            };
            if is_key {
                found = Some(token + 2);
            }
            passed += 1;
            // In the table, lone surrogates are not U+FFFD.
            if passed == FEW && !(self.has_escapes && key.contains('\u{fffd}')) {
                return tokens.value(object).get_last(key).map(fjson::Value::token);
            }
            token = skip(tokens, token + 2);
        }
    }

    /// Passes the number of a key and the value of each member that has it to `found`, in the order of the text. Returns false if
    /// there are too many members.
    #[inline]
    pub(super) fn members<'k>(
        &self,
        object: usize,
        keys: impl Iterator<Item = &'k str> + Clone,
        found: &mut dyn FnMut(usize, usize),
    ) -> bool {
        let tokens = self.tokens();
        let (text, positions) = (tokens.text(), tokens.positions());
        let mut token = object + 1;
        for _ in 0..FEW {
            let start = positions[token] as usize;
            if text[start] != b'"' {
                return true;
            }
            let end = positions[token + 1] as usize;
            if self.has_escapes && tokens.has_escapes(token) {
                let present = self.string(token);
                keys.clone().enumerate().filter(|(_, key)| present == *key).for_each(|(at, _)| found(at, token + 2));
            } else {
                let present = &text[start + 1..end];
                for (at, key) in keys.clone().enumerate() {
                    if present.len() == key.len() && present == key.as_bytes() {
                        found(at, token + 2);
                    }
                }
            }
            token = skip(tokens, token + 2);
        }
        false
    }

    /// Returns the number of members of an object, or `None` if several have the same key.
    pub(crate) fn count_distinct(&self, object: usize) -> Option<usize> {
        if let Some(count) = self.counts.borrow().get(&object) {
            return *count;
        }
        let mut seen = SeenKeys::default();
        let tokens = self.tokens();
        let (text, positions) = (tokens.text(), tokens.positions());
        let (mut token, mut count, mut is_distinct) = (object + 1, 0, true);
        while text[positions[token] as usize] == b'"' {
            if seen.add(self, tokens, token) == Distinct::Unknown && !self.compare_keys(object) {
                is_distinct = false;
                break;
            }
            count += 1;
            token = skip(tokens, token + 2);
        }
        let count = is_distinct.then_some(count);
        if count.is_none_or(|count| count > NEAR) {
            self.counts.borrow_mut().insert(object, count);
        }
        count
    }

    /// Whether the keys of an object are all different.
    #[cold]
    pub(crate) fn compare_keys(&self, object: usize) -> bool {
        let mut keys = std::collections::HashSet::with_hasher(RandomState::default());
        let mut token = object + 1;
        while self.byte(token) == b'"' {
            if !keys.insert(self.string(token)) {
                return false;
            }
            token = self.next(token + 2);
        }
        true
    }

    /// Returns the tokens of the elements of an array if they are listed.
    pub(super) fn known_elements(&self, array: usize) -> Option<Rc<[u32]>> {
        self.elements.borrow().get(&array).cloned()
    }

    /// Lists the tokens of the elements of an array.
    #[cold]
    fn list_elements(&self, array: usize) -> Rc<[u32]> {
        if let Some(elements) = self.known_elements(array) {
            return elements;
        }
        let (mut listed, mut token) = (Vec::new(), array + 1);
        while self.byte(token) != b']' {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a text has fewer tokens than bytes, which are less than 4 GiB"
            )]
            listed.push(token as u32);
            token = self.next(token);
        }
        let listed: Rc<[u32]> = listed.into();
        self.elements.borrow_mut().insert(array, Rc::clone(&listed));
        listed
    }

    /// Returns the token of an element of an array.
    pub(super) fn element(&self, array: usize, at: usize) -> Option<usize> {
        if at >= NEAR {
            return self.list_elements(array).get(at).map(|token| *token as usize);
        }
        let mut token = array + 1;
        for _ in 0..at {
            if self.byte(token) == b']' {
                return None;
            }
            token = self.next(token);
        }
        (self.byte(token) != b']').then_some(token)
    }

    /// Returns the number of elements of an array.
    pub(super) fn count_elements(&self, array: usize) -> usize {
        let mut token = array + 1;
        for count in 0..NEAR {
            if self.byte(token) == b']' {
                return count;
            }
            token = self.next(token);
        }
        self.list_elements(array).len()
    }
}

/// Returns the token after a value.
#[inline(always)]
fn skip(tokens: Tokens<'_, '_>, token: usize) -> usize {
    match tokens.text()[tokens.positions()[token] as usize] {
        b'"' => token + 2,
        b'{' | b'[' => tokens.next(token),
        _ => token + 1,
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Source").field(&self.tokens().text().len()).finish()
    }
}
