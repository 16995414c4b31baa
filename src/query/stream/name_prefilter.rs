//! Text in which a name cannot be, passed over without a mask being made of it.
//!
//! A search for a name at any depth asks nothing else of the text between two that say it. So it is enough to compare bytes in
//! front of each quote, and to know whether the number of quotes is even. Behind a backslash it is looked closer, since a quote may
//! be none there, and a letter of the name may be escaped; then masks are made.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::query::stream::name::LONGEST;
use crate::query::stream::name::Name;

/// Bytes that are looked at together. A multiple of every superblock.
pub(super) const PART: usize = 2048;

/// How much text must be in memory in front of a part.
pub(super) const BACK: usize = LONGEST + 1;

/// How much text must be in memory behind a part.
pub(super) const AHEAD: usize = 3;

/// What there is to know of a part.
#[derive(Clone, Copy)]
pub(super) struct RuledOut {
    /// Whether it has an odd number of quotes that begin or end a string.
    pub(super) odd: bool,
    /// Whether the byte behind it is escaped.
    pub(super) escapes: bool,
}

/// Crosses the part of a text that begins at `start`. Nothing if it may have the end of a string that says the name, or an escape that
/// matters.
///
/// # Panics
/// If there is less than a part and [`AHEAD`] from `start` on, or less than [`BACK`] in front of it.
#[inline(always)]
pub(super) fn rule_out<K: Kernel>(kernel: K, text: &[u8], start: usize, name: &Name) -> Option<RuledOut> {
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
        let behind = escapes & kernel.equal(previous, b'\\');
        if behind != 0 {
            let unsure = behind & kernel.equal(block_of(text, at - 2), b'\\');
            let rows = name.rows().iter().fold(0, |rows, &row| rows | kernel.equal(block_of(text, at + AHEAD), row));
            let harmless = behind & !unsure & (ends | unicodes & !rows);
            let escaped = if behind == harmless { 0 } else { escaped_quotes(text, at, behind & !harmless, name)? };
            ends ^= harmless & ends | escaped;
        }
        quotes ^= ends;
        let says = kernel.equal(first, b'"') & kernel.equal(previous, last) & kernel.equal(middles, middle);
        doubts |= ends & says;
    }
    if doubts != 0 {
        return None;
    }
    let end = start + PART;
    let escapes = text[end - 1] == b'\\' && is_escaped(text, end)?;
    Some(RuledOut { odd: quotes.count_ones() % 2 == 1, escapes })
}

/// Whether the byte at a place is escaped. Nothing if the text in front of it does not tell.
fn is_escaped(text: &[u8], place: usize) -> Option<bool> {
    text[..place].iter().rev().position(|&byte| byte != b'\\').map(|backslashes| backslashes % 2 == 1)
}

/// The quotes that are escaped, in the block at a place: at some of these positions behind a backslash. Nothing if an escape there may
/// stand for a letter of the name, or nobody knows whether it is one.
#[cold]
fn escaped_quotes(text: &[u8], at: usize, behind_backslash: u64, name: &Name) -> Option<u64> {
    let (mut rest, mut quotes) = (behind_backslash, 0);
    while rest != 0 {
        let position = rest & rest.wrapping_neg();
        rest ^= position;
        let place = at + position.trailing_zeros() as usize;
        if !is_escaped(text, place)? {
            continue;
        }
        match text[place] {
            b'"' => quotes |= position,
            b'u' if !name.may_have(*text.get(place + 1..)?.first_chunk()?) => {}
            _ => return None,
        }
    }
    Some(quotes)
}

/// The block that begins at `start`.
#[inline(always)]
fn block_of(text: &[u8], start: usize) -> &[u8; 64] {
    text[start..].first_chunk().expect("a block")
}

/// The blocks of the part that begins at `start`.
#[inline(always)]
pub(super) fn blocks_of(text: &[u8], start: usize) -> &[[u8; 64]; PART / 64] {
    let (blocks, _) = text[start..start + PART].as_chunks::<64>();
    blocks.first_chunk().expect("a part")
}
