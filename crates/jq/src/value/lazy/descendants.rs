//! The values in a value, in the order of its text.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::value::Kind;
use crate::value::Value;
use crate::value::lazy::Distinct;
use crate::value::lazy::SeenKeys;
use crate::value::lazy::Source;
use crate::value::lazy::value_at;

/// The values of some kinds in a value of a text, itself included. Those in a container come after it.
#[derive(Debug)]
pub(crate) struct Descendants {
    source: Rc<Source>,
    next: usize,
    /// The token after the value.
    end: usize,
    kinds: u8,
}

impl Descendants {
    /// Returns `None` if some object has several members with the same key.
    pub(super) fn new(source: &Rc<Source>, token: usize, kinds: u8) -> Option<Self> {
        let end = source.next(token);
        are_distinct(source, token, end).then(|| Self { source: Rc::clone(source), next: token, end, kinds })
    }
}

impl Iterator for Descendants {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        let tokens = self.source.tokens();
        let (text, positions) = (tokens.text(), tokens.positions());
        while self.next < self.end {
            let token = self.next;
            self.next += 1;
            let kind = match text[positions[token] as usize] {
                b'"' => {
                    self.next += 1;
                    if self.source.is_key(token) {
                        continue;
                    }
                    Kind::String
                }
                b'}' | b']' => continue,
                b'{' => Kind::Object,
                b'[' => Kind::Array,
                b't' | b'f' => Kind::Boolean,
                b'n' => Kind::Null,
                _ => Kind::Number,
            };
            if self.kinds & kind.bit() != 0 {
                return Some(value_at(&self.source, token));
            }
        }
        None
    }
}

/// Whether the keys of each object between two tokens are different.
fn are_distinct(source: &Source, start: usize, end: usize) -> bool {
    let tokens = source.tokens();
    let (text, positions) = (tokens.text(), tokens.positions());
    let mut open: Vec<(usize, SeenKeys)> = Vec::new();
    let mut token = start;
    while token < end {
        match text[positions[token] as usize] {
            b'{' => open.push((token, SeenKeys::default())),
            b'}' => drop(open.pop()),
            b'"' => {
                if source.is_key(token)
                    && let Some((object, seen)) = open.last_mut()
                    && seen.add(source, tokens, token) == Distinct::Unknown
                    && !source.compare_keys(*object)
                {
                    return false;
                }
                token += 1;
            }
            _ => {}
        }
        token += 1;
    }
    true
}
