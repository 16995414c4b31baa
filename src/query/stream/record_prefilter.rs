//! Lines that cannot have what a condition asks for, passed over without a mask being made of them.
//!
//! A record in which a string must say something has that string somewhere, or an escape that stands for a letter of it. So
//! the text is searched for either, and of the records in which there is neither nothing is known but how many they are.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::query::stream::bounds::bounded;
use crate::query::stream::name::LONGEST;
use crate::query::stream::name::Name;
use crate::query::stream::name_prefilter::PART;
use crate::query::stream::name_prefilter::blocks_of;

/// Words of 64 positions in a part.
const WORDS: usize = PART / 64;

/// How far behind a part is looked.
const AHEAD: usize = LONGEST + 2;

/// The records of a text that may have a string, found part by part.
pub(super) struct RecordPrefilter<'t, K> {
    kernel: K,
    text: &'t [u8],
    wanted: &'t Name,
    /// Where the next part begins, behind the one that is known.
    rest: usize,
    /// Where records begin in that one.
    begins: [u64; WORDS],
    /// How many begin in front of each word.
    records: [u64; WORDS],
    /// Where the string may begin in it, or an escape that matters.
    hits: [u64; WORDS],
    /// The words that have hits behind the last record that was told.
    hit: u64,
    /// How many records begin in front of the part's end.
    count: u64,
    /// Where the last record begins that does so before the part.
    root: usize,
    /// Whether a line break stands in front of its end, and nothing but whitespace between.
    is_behind_break: bool,
}

impl<'t, K: Kernel> RecordPrefilter<'t, K> {
    #[inline(always)]
    pub(super) fn new(kernel: K, text: &'t [u8], wanted: &'t Name) -> Self {
        Self {
            kernel,
            text,
            wanted,
            rest: 0,
            begins: [0; WORDS],
            records: [0; WORDS],
            hits: [0; WORDS],
            hit: 0,
            count: 0,
            root: 0,
            is_behind_break: true,
        }
    }

    /// Where the part that is looked at next ends. Nothing if all has been looked at.
    #[inline(always)]
    pub(super) fn end(&self) -> Option<usize> {
        (self.rest < self.text.len()).then(|| self.text.len().min(self.rest + PART))
    }

    /// How many records there are, if the last line has an end: to be asked behind the last part.
    #[inline(always)]
    pub(super) fn records(&self) -> Option<u64> {
        self.is_behind_break.then_some(self.count)
    }

    /// The next record of the part that may have the string: its number, from 1 on, and where it begins. One that has it more
    /// than once may be told more than once.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(u64, usize)> {
        if self.hit == 0 {
            return None;
        }
        let mut word = bounded::<WORDS>(self.hit.trailing_zeros() as usize);
        let hits = self.hits[word];
        self.hits[word] = hits & (hits - 1);
        if self.hits[word] == 0 {
            self.hit &= self.hit - 1;
        }
        // The string may be the record.
        let mut begins = self.begins[word] & (hits ^ (hits - 1));
        let number = self.records[word] + u64::from(begins.count_ones());
        let part = self.rest - PART;
        while begins == 0 {
            if word == 0 {
                return Some((number, self.root));
            }
            word -= 1;
            begins = self.begins[word];
        }
        Some((number, part + 64 * word + begins.ilog2() as usize))
    }

    /// Looks at the next part.
    #[inline(always)]
    pub(super) fn look(&mut self) {
        if let Some(word) = self.begins.iter().rposition(|&begins| begins != 0) {
            self.root = self.rest - PART + 64 * word + self.begins[word].ilog2() as usize;
        }
        let rest = &self.text[self.rest..];
        self.rest += PART;
        if rest.len() < PART + AHEAD {
            let mut last = [b' '; PART + AHEAD];
            last[..rest.len()].copy_from_slice(rest);
            self.look_at(&last);
        } else {
            self.look_at(rest);
        }
    }

    /// Looks at the part that begins with the text.
    #[inline(always)]
    fn look_at(&mut self, text: &[u8]) {
        let Self { kernel, wanted, .. } = *self;
        let behind = wanted.length() + 1;
        let [(last, _), (middle, back)] = wanted.probes;
        let [unicode, letter] = wanted.escaped_letters();
        let any = if wanted.is_plain() { 0 } else { !0 };
        let (blocks, next) = (blocks_of(text, 0), blocks_of(text, 1));
        let (ends, lasts, middles) =
            (blocks_of(text, behind), blocks_of(text, behind - 1), blocks_of(text, behind - back));
        for superblock in text[..PART].chunks_exact(K::SUPERBLOCK) {
            kernel.prefetch(superblock);
        }
        let (mut count, mut is_behind_break, mut hit) = (self.count, self.is_behind_break, 0);
        for word in 0..WORDS {
            let block = &blocks[word];
            let visible = kernel.visible(block);
            // From the first line break of each run of whitespace, a carry runs to what is behind.
            let (sum, first) = kernel.equal(block, b'\n').overflowing_add(!visible);
            let (sum, second) = sum.overflowing_add(u64::from(is_behind_break));
            is_behind_break = first | second;
            let begins = sum & visible;
            (self.begins[word], self.records[word]) = (begins, count);
            count += u64::from(kernel.count(begins));
            let says = kernel.equal(block, b'"')
                & kernel.equal(&ends[word], b'"')
                & kernel.equal(&lasts[word], last)
                & kernel.equal(&middles[word], middle);
            let mut hits = says;
            let escapes = kernel.equal(block, b'\\');
            if escapes != 0 {
                hits |= escapes & (kernel.equal(&next[word], unicode) | kernel.equal(&next[word], letter) | any);
            }
            self.hits[word] = hits;
            hit |= u64::from(hits != 0) << word;
        }
        (self.count, self.is_behind_break, self.hit) = (count, is_behind_break, hit);
    }
}
