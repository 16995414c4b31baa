//! Lines that cannot have what a condition asks for, passed over without being asked.
//!
//! A record in which a string must say something has that string somewhere. So the text is searched for the string, a
//! superblock at a time, and of the records in front of it nothing is known but how many there are.

#![forbid(unsafe_code)]

use crate::grammar::MAX_TILE_BYTES as PART;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::query::stream::masks::WORDS;
use crate::query::stream::name::Name;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::Tiles;
use crate::query::stream::tiles::Turn;

impl<K: Kernel, P: Turn<K> + ?Sized> Tiles<'_, K, P> {
    /// The closing quote of the next string with this text.
    #[inline(always)]
    pub(super) fn sift(&mut self, place: u64, text: &Name) -> Result<u64, Stop> {
        self.reach(place)?;
        let (mut word, mut mask) = self.word_of(place);
        loop {
            let first = word / K::Word::LANES * K::Word::LANES;
            let mut lanes = self.candidate_lanes(word, text);
            while lanes != 0 {
                let at = first + lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let mut strings = self.candidates(at, if at == word { mask } else { !0 }, text);
                while strings != 0 {
                    let end = self.place_of(at, strings.trailing_zeros());
                    if self.says(end, text) {
                        return Ok(end);
                    }
                    strings &= strings - 1;
                }
            }
            (word, mask) = (first + K::Word::LANES, !0);
            if word == self.words {
                self.turn()?;
                word = 0;
            }
        }
    }
}

/// Which record of a text a place is in, for places one behind the other.
pub(super) struct Tally<'t, K> {
    kernel: K,
    text: &'t [u8],
    /// Where the part of the text begins that is known.
    start: usize,
    /// Where records begin in it.
    begins: [u64; WORDS],
    /// How many begin in front of each word.
    records: [u64; WORDS],
    /// How many begin in front of its end.
    count: u64,
    /// Where the last record begins that does so before the part.
    root: usize,
    /// Whether a line break stands in front of its end, and nothing but whitespace between.
    is_behind_break: bool,
}

impl<'t, K: Kernel> Tally<'t, K> {
    #[inline(always)]
    pub(super) fn new(kernel: K, text: &'t [u8]) -> Self {
        let (begins, records) = ([0; WORDS], [0; WORDS]);
        let mut tally = Self { kernel, text, start: 0, begins, records, count: 0, root: 0, is_behind_break: true };
        tally.look();
        tally
    }

    /// The number of the record that the place is in, from 1 on, and where it begins.
    #[inline(always)]
    pub(super) fn record(&mut self, place: usize) -> (u64, usize) {
        while place >= self.start + PART {
            self.go_on();
        }
        let mut word = (place - self.start) / 64;
        let mut begins = self.begins[word % WORDS] & ((1 << (place % 64)) - 1);
        let number = self.records[word % WORDS] + u64::from(begins.count_ones());
        while begins == 0 {
            if word == 0 {
                return (number, self.root);
            }
            word -= 1;
            begins = self.begins[word % WORDS];
        }
        (number, self.start + 64 * word + begins.ilog2() as usize)
    }

    /// How many records there are, if the last line has an end.
    #[inline(always)]
    pub(super) fn finish(mut self) -> Option<u64> {
        while self.start + PART < self.text.len() {
            self.go_on();
        }
        self.is_behind_break.then_some(self.count)
    }

    /// Goes on to the next part.
    #[inline(always)]
    fn go_on(&mut self) {
        if let Some(word) = self.begins.iter().rposition(|&begins| begins != 0) {
            self.root = self.start + 64 * word + self.begins[word].ilog2() as usize;
        }
        self.start += PART;
        self.look();
    }

    /// Looks where records begin.
    #[inline(always)]
    fn look(&mut self) {
        let rest = &self.text[self.start.min(self.text.len())..];
        let mut last;
        let (blocks, _) = if rest.len() < PART {
            last = [b' '; PART];
            last[..rest.len()].copy_from_slice(rest);
            last.as_chunks::<64>()
        } else {
            rest[..PART].as_chunks::<64>()
        };
        let (mut count, mut is_behind_break) = (self.count, self.is_behind_break);
        for ((begins, records), block) in self.begins.iter_mut().zip(&mut self.records).zip(blocks) {
            let visible = self.kernel.visible(block);
            // From the first line break of each run of whitespace, a carry runs to what is behind.
            let (sum, first) = self.kernel.equal(block, b'\n').overflowing_add(!visible);
            let (sum, second) = sum.overflowing_add(u64::from(is_behind_break));
            is_behind_break = first | second;
            (*begins, *records) = (sum & visible, count);
            count += u64::from(self.kernel.count(*begins));
        }
        (self.count, self.is_behind_break) = (count, is_behind_break);
    }
}
