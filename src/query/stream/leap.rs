//! Text in which a name cannot be, passed over without a mask being made of it.
//!
//! A search for a name at any depth asks nothing else of the text between two that say it. So it is enough to compare bytes in
//! front of each quote, and to know whether the number of quotes is even. Where that is not so simple, because a quote or a
//! letter of a name may have been escaped, masks are made.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::query::stream::name::LONGEST;
use crate::query::stream::name::Name;

/// Bytes that are looked at together. A multiple of every superblock.
pub(super) const PART: usize = 2048;

/// How much text must be in memory in front of a part.
pub(super) const BACK: usize = LONGEST + 1;

/// Whether the number of quotes is odd in the part of a text that begins at `start`. Nothing if the part may have the end of a
/// string that says the name, or an escape that matters.
///
/// # Panics
/// If there is less than a part from `start` on, or less than [`BACK`] in front of it.
#[inline(always)]
pub(super) fn odd_quotes<K: Kernel>(kernel: K, text: &[u8], start: usize, name: &Name) -> Option<bool> {
    let [(last, _), (middle, back)] = name.probes;
    for superblock in text[start..start + PART].chunks_exact(K::SUPERBLOCK) {
        kernel.prefetch(superblock);
    }
    let blocks = blocks_of(text, start);
    let previous = blocks_of(text, start - 1);
    let (starts, middles) = (blocks_of(text, start - (name.length() + 1)), blocks_of(text, start - back));
    let [unicode, letter] = name.escaped_letters();
    let (mut quotes, mut doubts) = (0, 0);
    for ((block, previous), (first, middles)) in blocks.iter().zip(previous).zip(starts.iter().zip(middles)) {
        let ends = kernel.equal(block, b'"');
        quotes ^= ends;
        let says = kernel.equal(first, b'"') & kernel.equal(previous, last) & kernel.equal(middles, middle);
        let escapes = kernel.equal(block, unicode) | kernel.equal(block, letter) | ends;
        doubts |= ends & says | escapes & kernel.equal(previous, b'\\');
    }
    let goes_on = text[start + PART - 1] == b'\\';
    (doubts == 0 && !goes_on).then(|| quotes.count_ones() % 2 == 1)
}

/// The blocks of the part that begins at `start`.
#[inline(always)]
pub(super) fn blocks_of(text: &[u8], start: usize) -> &[[u8; 64]; PART / 64] {
    let (blocks, _) = text[start..start + PART].as_chunks::<64>();
    blocks.first_chunk().expect("a part")
}
