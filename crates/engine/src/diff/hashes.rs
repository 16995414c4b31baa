//! Hashes of all values of a document, by what they mean: equal values have equal hashes.
//!
//! One pass over the tokens computes them from the inside out. They have 64 bits while they are computed, and 32 in the list, which is
//! then as large as that of the tokens. So values with equal hashes are mostly equal, and what depends on it compares them.

#![forbid(unsafe_code)]

use std::hash::BuildHasher;
use std::hash::Hash;
use std::hash::Hasher;
use std::ops::Range;

use foldhash::fast::RandomState;

use crate::document::TokenKind;
use crate::document::Tokens;
use crate::document::Value;
use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::scalar::Number;
use crate::scalar::hash_key;

/// The number of no token.
pub(super) const NONE: u32 = u32::MAX;

/// Seeds of the hashes of a comparison.
pub(super) struct Seeds {
    state: RandomState,
    left: u64,
    right: u64,
    /// Whether all numbers have the same hash, because those that are near to each other are equal.
    has_tolerance: bool,
}

impl Seeds {
    pub(super) fn new(has_tolerance: bool) -> Self {
        let state = RandomState::default();
        let seed = |number: u64| state.hash_one(number);
        Self { left: seed(1), right: seed(2), state, has_tolerance }
    }

    fn mix(&self, left: u64, right: u64) -> u64 {
        let product = u128::from(left ^ self.left) * u128::from(right ^ self.right);
        high(product) ^ low(product)
    }

    fn finish(&self, kind: u8, write: impl FnOnce(&mut foldhash::fast::FoldHasher<'_>)) -> u64 {
        let mut hasher = self.state.build_hasher();
        write(&mut hasher);
        self.mix(u64::from(kind), hasher.finish())
    }

    /// Returns the hash of a key or a string, given without quotes.
    fn text(&self, text: &[u8]) -> u64 {
        self.finish(b'"', |hasher| hash_key(text, hasher))
    }

    fn number(&self, text: &[u8]) -> u64 {
        if self.has_tolerance {
            return self.mix(1, 1);
        }
        // Most numbers are short integers.
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let is_short = digits.len() < 19 && digits.iter().all(u8::is_ascii_digit);
        let integer = if is_short {
            let magnitude = digits.iter().fold(0, |number, digit| 10 * number + i64::from(digit - b'0'));
            Some(if digits.len() < text.len() { -magnitude } else { magnitude })
        } else {
            Number::new(text).and_then(|number| number.to_i64())
        };
        match integer {
            Some(integer) => self.mix(2, integer.cast_unsigned()),
            None => self.finish(b'0', |hasher| Number::new(text).hash(hasher)),
        }
    }

    /// Returns the hash of a value, in which all numbers count exactly, whatever the tolerance.
    pub(super) fn exact(&self, value: Value<'_, '_>) -> u64 {
        self.finish(b'=', |hasher| value.hash(hasher))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
fn low(product: u128) -> u64 {
    product as u64
}

fn high(product: u128) -> u64 {
    (product >> 64) as u64
}

/// A document, or several records, with the hashes of all values and keys.
pub(super) struct Side<'v> {
    pub(super) tokens: Tokens<'v, 'v>,
    first: usize,
    /// By token: of a value at its first token, and of a key at its first token.
    hashes: Vec<u32>,
    /// The first tokens of the values that are left out, in ascending order.
    ignored: Vec<u32>,
}

/// A container that is being hashed.
struct Open {
    token: usize,
    is_object: bool,
    count: u64,
    sum: u64,
}

impl<'v> Side<'v> {
    /// Computes the hashes of the values in a range of tokens. Values with the first tokens `ignored`, which are in ascending order, count
    /// as equal in arrays, and as missing in objects.
    pub(super) fn new(
        tokens: Tokens<'v, 'v>,
        range: Range<usize>,
        seeds: &Seeds,
        ignored: Vec<u32>,
    ) -> Result<Self, OutOfMemory> {
        let Range { start: first, end } = range;
        let mut hashes = Vec::new();
        hashes.room(end - first, OutOfMemory::Tokens)?;
        hashes.resize(end - first, 0);
        let mut side = Self { tokens, first, hashes, ignored };
        let (mut at, mut open): (usize, Vec<Open>) = (first, Vec::new());
        while at < end {
            let closed = matches!(tokens.kind(at), TokenKind::EndObject | TokenKind::EndArray);
            let (token, hash) = if closed {
                let Some(Open { token, is_object, count, sum }) = open.pop() else { break };
                at += 1;
                (token, seeds.mix(2 * count + u64::from(is_object), sum))
            } else {
                let is_member = open.last().is_some_and(|open| open.is_object);
                let token = if is_member { at + 2 } else { at };
                if side.is_ignored(number(token)) {
                    at = tokens.next(token);
                    if is_member {
                        continue;
                    }
                    (token, 0)
                } else if let kind @ (TokenKind::BeginObject | TokenKind::BeginArray) = tokens.kind(token) {
                    let is_object = kind == TokenKind::BeginObject;
                    open.grow(Open { token, is_object, count: 0, sum: 0 }, OutOfMemory::Levels)?;
                    at = token + 1;
                    continue;
                } else {
                    at = tokens.next(token);
                    (token, scalar(tokens, token, seeds))
                }
            };
            side.hashes[token - first] = truncated(hash);
            let Some(around) = open.last_mut() else { continue };
            around.count += 1;
            around.sum = if around.is_object {
                let key = seeds.text(side.key(number(token)));
                side.hashes[token - 2 - first] = truncated(key);
                // The order of members does not matter.
                around.sum.wrapping_add(seeds.mix(key, hash))
            } else {
                seeds.mix(around.sum.rotate_left(1), hash)
            };
        }
        Ok(side)
    }

    pub(super) fn value(&self, token: u32) -> Value<'v, 'v> {
        self.tokens.value(token as usize)
    }

    /// Returns the key of a member, without quotes. It is named by its value.
    pub(super) fn key(&self, value: u32) -> &'v [u8] {
        let token = value as usize - 2;
        &self.tokens.text()[self.tokens.start(token) + 1..self.tokens.start(token + 1)]
    }

    /// Returns the hash of a value.
    pub(super) fn hash(&self, token: u32) -> u32 {
        self.hashes[token as usize - self.first]
    }

    /// Returns the hash of the key of a member, which is named by its value.
    pub(super) fn key_hash(&self, value: u32) -> u32 {
        self.hashes[value as usize - 2 - self.first]
    }

    pub(super) fn is_ignored(&self, token: u32) -> bool {
        !self.ignored.is_empty() && self.ignored.binary_search(&token).is_ok()
    }

    pub(super) fn ignores_any(&self) -> bool {
        !self.ignored.is_empty()
    }
}

fn scalar(tokens: Tokens<'_, '_>, token: usize, seeds: &Seeds) -> u64 {
    let text = |end| &tokens.text()[tokens.start(token)..end];
    match tokens.kind(token) {
        TokenKind::String => seeds.text(&text(tokens.start(token + 1))[1..]),
        TokenKind::Number => seeds.number(text(tokens.end(token))),
        TokenKind::True => seeds.mix(3, 1),
        TokenKind::False => seeds.mix(4, 1),
        _ => seeds.mix(5, 1),
    }
}

fn truncated(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Returns the number of a token, of which there are less than 4 Gi, as the positions in the list of tokens have 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "there are less tokens than bytes, and less than 4 GiB of these")]
pub(super) fn number(token: usize) -> u32 {
    token as u32
}
