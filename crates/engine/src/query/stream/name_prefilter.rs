//! A prefilter for `$..name`: skips text that cannot contain the name, without making masks.
//!
//! Between two strings that equal the name, nothing else in the text matters. So it is enough to compare a few bytes before
//! each quote with the name, and to keep track of whether the number of quotes is even. A byte after a backslash needs more
//! care: a quote may be escaped, and a `\u` escape may stand for a character of the name. If such an escape is possible,
//! masks are made.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::query::stream::search_string::MAX_LENGTH;
use crate::query::stream::search_string::SearchString;

/// Bytes that are ruled out together. A multiple of every superblock size.
pub(super) const PART: usize = 2048;

/// How many bytes before a part must be in memory.
pub(super) const BACK: usize = MAX_LENGTH + 1;

/// How many bytes after a part must be in memory.
pub(super) const AHEAD: usize = 3;

/// The state after a part that does not contain the name.
#[derive(Clone, Copy)]
pub(super) struct RuledOut {
    /// Whether the part has an odd number of unescaped quotes.
    pub(super) odd: bool,
    /// Whether the byte after the part is escaped.
    pub(super) escapes: bool,
}

/// Checks that the part that begins at `start` does not contain the name. Returns `None` if it may contain the closing quote of
/// a string that equals the name, or an escape that may stand for a character of the name.
///
/// # Panics
/// If there are fewer than [`PART`] + [`AHEAD`] bytes from `start` on, or fewer than [`BACK`] bytes before it.
#[inline(always)]
pub(super) fn rule_out<K: Kernel>(kernel: K, text: &[u8], start: usize, name: &SearchString) -> Option<RuledOut> {
    let [(last, _), (middle, back)] = name.probes;
    for superblock in text[start..start + PART].chunks_exact(K::SUPERBLOCK) {
        kernel.prefetch(superblock);
    }
    let blocks = blocks_of(text, start);
    let previous = blocks_of(text, start - 1);
    let (starts, middles) = (blocks_of(text, start - (name.length() + 1)), blocks_of(text, start - back));
    let [unicode, letter] = name.escaped_letters();
    let (mut quotes, mut doubts) = (0, 0);
    let compared = blocks.iter().zip(previous).zip(starts.iter().zip(middles)).zip((start..).step_by(64));
    for (((block, previous), (first, middles)), at) in compared {
        let (mut ends, unicodes) = (kernel.equal(block, b'"'), kernel.equal(block, unicode));
        let escapes = unicodes | kernel.equal(block, letter) | ends;
        let after_backslash = escapes & kernel.equal(previous, b'\\');
        if after_backslash != 0 {
            let unsure = after_backslash & kernel.equal(block_of(text, at - 2), b'\\');
            let rows = name.rows().iter().fold(0, |rows, &row| rows | kernel.equal(block_of(text, at + AHEAD), row));
            // mutant: let harmless = after_backslash & (ends | unicodes & !rows);
            // mutant: let harmless = after_backslash & !unsure & (ends | unicodes);
            let harmless = after_backslash & !unsure & (ends | unicodes & !rows);
            let escaped = if after_backslash == harmless {
                0
            } else {
                escaped_quotes(text, at, after_backslash & !harmless, name)?
            };
            // mutant:
            ends ^= harmless & ends | escaped;
        }
        quotes ^= ends;
        let equal = kernel.equal(first, b'"') & kernel.equal(previous, last) & kernel.equal(middles, middle);
        doubts |= ends & equal;
    }
    if doubts != 0 {
        return None;
    }
    let end = start + PART;
    // The run of backslashes is not followed further back, so that a long one is not read again and again.
    // mutant: let escapes = text[end - 1] == b'\\' && false;
    let escapes = text[end - 1] == b'\\' && is_escaped(&text[start - BACK..end], BACK + PART)?;
    Some(RuledOut { odd: quotes.count_ones() % 2 == 1, escapes })
}

/// Whether the byte at `offset` is escaped. `None` if the text starts with a run of backslashes that ends there.
fn is_escaped(text: &[u8], offset: usize) -> Option<bool> {
    // mutant: text[..offset].iter().rev().position(|&byte| byte != b'\\').map(|backslashes| backslashes > 0)
    text[..offset].iter().rev().position(|&byte| byte != b'\\').map(|backslashes| backslashes % 2 == 1)
}

/// Returns the escaped quotes in the block at `at`, at those positions in `after_backslash` (after a backslash). `None` if an
/// escape there may stand for a character of the name, or if it is unknown whether a byte is escaped.
#[cold]
fn escaped_quotes(text: &[u8], at: usize, after_backslash: u64, name: &SearchString) -> Option<u64> {
    let (mut rest, mut quotes) = (after_backslash, 0);
    while rest != 0 {
        let position = rest & rest.wrapping_neg();
        rest ^= position;
        let offset = at + position.trailing_zeros() as usize;
        if !is_escaped(text, offset)? {
            continue;
        }
        match text[offset] {
            b'"' => quotes |= position,
            // mutant: b'u' => {}
            b'u' if !name.may_have(*text.get(offset + 1..)?.first_chunk()?) => {}
            _ => return None,
        }
    }
    Some(quotes)
}

/// Returns the block that begins at `start`.
#[inline(always)]
fn block_of(text: &[u8], start: usize) -> &[u8; 64] {
    text[start..].first_chunk().expect("a block")
}

/// Returns the blocks of the part that begins at `start`.
#[inline(always)]
pub(super) fn blocks_of(text: &[u8], start: usize) -> &[[u8; 64]; PART / 64] {
    let (blocks, _) = text[start..start + PART].as_chunks::<64>();
    blocks.first_chunk().expect("a part")
}
