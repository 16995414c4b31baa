//! The operations that executors build on: find a member by its key, find the end of a container, find the next bracket, skip
//! elements, find the end of a string, number or literal.
//!
//! None of them reads token by token. Brackets are counted, 64 positions or a superblock at a time. To find where *n* open
//! levels end, there is no need to visit each bracket, since no closing bracket before the *n*-th can end all of them.
//!
//! A `place` is an offset in the input, outside strings or at a quote. Nothing is validated here. In text that is not JSON the
//! results are arbitrary, but a returned place is never before the given one nor after the end of the text.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::query::stream::name::Name;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;
use crate::query::structure::bits_below;
use crate::query::structure::closing_position;
use crate::query::structure::depth_after;

/// The result of looking for a member or an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Offset of its value.
    At(u64),
    /// There is none. Offset after the closing bracket of the container.
    Missing(u64),
}

/// A kind of byte to look for.
#[derive(Clone, Copy)]
enum Sought {
    Visible,
    StringEnd,
    LineBreak,
    /// What follows a number or literal: whitespace, a comma or a closing bracket.
    ScalarEnd,
}

/// A short array that contains no other container, as masks of the positions after its opening bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortArray {
    commas: u64,
    visible: u64,
    /// Its closing bracket.
    end: u64,
}

impl ShortArray {
    /// Returns the number of elements.
    #[inline(always)]
    pub(super) fn elements(self) -> u64 {
        if self.visible == 0 { 0 } else { u64::from(self.commas.count_ones()) + 1 }
    }

    /// Returns the number of bytes after the opening bracket, including the closing one.
    #[inline(always)]
    pub(super) fn length(self) -> u64 {
        u64::from(self.end.trailing_zeros()) + 1
    }

    /// Returns the start and end of an element. `index` is less than [`elements`](Self::elements).
    #[inline(always)]
    pub(super) fn element<K: Kernel>(self, kernel: K, index: u64) -> (u64, u64) {
        let ends = self.commas | self.end;
        #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
        let nth = |index: u64| kernel.nth(ends, index as u32);
        let from = if index == 0 { 0 } else { nth(index - 1) + 1 };
        let text = self.visible & bits_below(nth(index)) & !bits_below(from);
        (u64::from(text.trailing_zeros()), u64::from(64 - text.leading_zeros()))
    }
}

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// Returns the first place from `place` on that is not whitespace.
    #[inline(always)]
    pub(super) fn skip_whitespace(&mut self, place: u64) -> Result<u64, Stop> {
        self.reach(place)?;
        if self.byte(place) > b' ' {
            return Ok(place);
        }
        self.next_byte(place, Sought::Visible)
    }

    /// Returns the place after the closing bracket that ends `depth` levels (at least one).
    #[inline(always)]
    pub(super) fn skip_levels(&mut self, place: u64, depth: usize) -> Result<u64, Stop> {
        self.reach(place)?;
        let mut depth = depth;
        let (mut word, mask) = self.word_of(place);
        let (mut open, mut close) = (self.masks.open(word) & mask, self.masks.close(word) & mask);
        let mut ends = close;
        loop {
            let position = closing_position(self.kernel, open, close, ends, depth);
            if position < 64 {
                return Ok(self.place_of(word, position) + 1);
            }
            depth = depth_after(depth, open, close);
            word += 1;
            if word.is_multiple_of(K::Word::LANES) {
                loop {
                    if word == self.words {
                        depth = self.next_tile_inside(depth)?;
                        word = 0;
                    }
                    let Some(left) = self.masks.remaining_levels(self.kernel, word, depth) else { break };
                    depth = left;
                    word += K::Word::LANES;
                }
            }
            (open, close) = (self.masks.open(word), self.masks.close(word));
            ends = self.masks.outer_close(word);
        }
    }

    /// Returns the positions in a word of closing quotes of strings that may equal `name`.
    #[inline(always)]
    pub(super) fn candidates(&self, word: usize, mask: u64, name: &Name) -> u64 {
        let escaped = self.masks.escaped_end::<K>(word) & mask;
        let high = self.masks.string_start(word, name.words) << name.shift;
        let low = self.masks.string_start(word, name.words + 1) >> 1 >> (63 - name.shift);
        let exact = self.masks.string_end(word) & (high | low) & mask;
        if exact == 0 || !name.is_plain() {
            return escaped;
        }
        escaped | self.probed(word, exact, name)
    }

    /// Returns those of the closing quotes `ends` that have two bytes of the name at the right distance before them.
    #[inline(always)]
    fn probed(&self, word: usize, ends: u64, name: &Name) -> u64 {
        let place = self.place_of(word, 0);
        let mut ends = ends;
        for (byte, back) in name.probes {
            ends &= self.kernel.equal(self.look_behind.block(place.wrapping_sub(back as u64)), byte);
        }
        ends
    }

    /// Whether [`candidates`](Self::candidates) finds any in the superblock that begins at `word`.
    #[inline(always)]
    pub(super) fn has_candidates(&self, word: usize, name: &Name) -> bool {
        self.candidate_lanes(word, name) != 0
    }

    /// Returns the lanes in which [`candidates`](Self::candidates) may find any, in the superblock of `word`, from that word
    /// on.
    #[inline(always)]
    pub(super) fn candidate_lanes(&self, word: usize, name: &Name) -> u32 {
        let (kernel, lane) = (self.kernel, word % K::Word::LANES);
        if self.masks.has_escaped::<K>(word) {
            return lanes_from::<K>(word);
        }
        let first = word - lane;
        let ends = kernel.word(self.masks.string_ends(first));
        let starts = kernel.word(self.masks.string_starts(first, name.words));
        let before = kernel.word(self.masks.string_starts(first, name.words + 1));
        let exact = ends & starts.shift_lanes(before, name.shift);
        if !exact.any() || !name.is_plain() {
            return 0;
        }
        // Without branches, because the number of strings as long as the name varies from superblock to superblock.
        let (exact, place) = (lanes(exact), self.place_of(first, 0));
        let [(last, one), (middle, two)] = name.probes;
        let lasts = self.look_behind.blocks(place.wrapping_sub(one as u64), K::Word::LANES);
        let middles = self.look_behind.blocks(place.wrapping_sub(two as u64), K::Word::LANES);
        let mut found = 0;
        for lane in 0..K::Word::LANES {
            let equal = kernel.equal(&lasts[lane], last) & kernel.equal(&middles[lane], middle);
            found |= u32::from(exact[lane] & equal != 0) << lane;
        }
        found >> lane << lane
    }

    /// Whether the string whose closing quote is at `end`, one of the candidates, equals `name`.
    #[inline(always)]
    pub(super) fn has_name(&self, end: u64, name: &Name) -> bool {
        let (word, from) = self.word_of(end);
        if self.masks.escaped_end::<K>(word) & from & from.wrapping_neg() != 0 {
            return self.has_escaped_name(end, name);
        }
        let length = name.length() as u64;
        name.is_plain()
            && self.byte(end.wrapping_sub(length + 1)) == b'"'
            && name.has_tail(self.look_behind.eight_before(end))
            && (length <= 8 || self.look_behind.between(end.wrapping_sub(length), end) == name.text())
    }

    /// [`has_name`](Self::has_name) for a string that may contain escapes.
    #[cold]
    #[inline(never)]
    fn has_escaped_name(&self, end: u64, name: &Name) -> bool {
        match self.string_start(end, name.most_raw()) {
            Some(start) => name.is(self.look_behind.between(start + 1, end)),
            None => false,
        }
    }

    /// Returns the opening quote of the string that ends at `end`. `None` if the string is longer than `most` bytes.
    fn string_start(&self, end: u64, most: usize) -> Option<u64> {
        let (word, from) = self.word_of(end);
        let mut starts = self.masks.string_start(word, 0) & !from;
        for back in 0..=(most / 64 + 1) {
            if back > 0 {
                starts = self.masks.string_start(word, back);
            }
            if starts != 0 {
                let last = self.start.wrapping_add(64 * word as u64).wrapping_sub(64 * back as u64)
                    + u64::from(starts.ilog2());
                return (end - last <= most as u64 + 1).then_some(last);
            }
        }
        None
    }

    /// Returns the value of the member whose key has its closing quote at `end`. If the string is not a key, the inner result
    /// is `Err` with the place to continue from.
    #[inline(always)]
    pub(super) fn value_of(&mut self, end: u64) -> Result<Result<u64, u64>, Stop> {
        let colon = self.skip_whitespace(end + 1)?;
        if self.byte(colon) == b':' { Ok(Ok(self.skip_whitespace(colon + 1)?)) } else { Ok(Err(colon)) }
    }

    /// Returns the first member with this name in the object that contains `place`.
    #[inline(always)]
    pub(super) fn find_member(&mut self, place: u64, name: &Name) -> Result<Found, Stop> {
        let mut place = place;
        'strings: loop {
            self.reach(place)?;
            let mut depth = 1;
            let (mut word, mut mask) = self.word_of(place);
            let (mut open, mut close) = (self.masks.open(word) & mask, self.masks.close(word) & mask);
            let mut ends = close;
            loop {
                let mut names = self.candidates(word, mask, name);
                let last = closing_position(self.kernel, open, close, ends, depth);
                if last < 64 {
                    names &= bits_below(last);
                }
                while names != 0 {
                    let position = names.trailing_zeros();
                    names &= names - 1;
                    let before = bits_below(position);
                    let end = self.place_of(word, position);
                    if depth_after(depth, open & before, close & before) == 1 && self.has_name(end, name) {
                        match self.value_of(end)? {
                            Ok(value) => return Ok(Found::At(value)),
                            // The string is a value, not a key.
                            Err(next) => {
                                place = next;
                                continue 'strings;
                            }
                        }
                    }
                }
                if last < 64 {
                    return Ok(Found::Missing(self.place_of(word, last) + 1));
                }
                depth = depth_after(depth, open, close);
                (word, mask) = (word + 1, !0);
                if word.is_multiple_of(K::Word::LANES) {
                    loop {
                        if word == self.words {
                            // Nested containers hold no members of this object, so tiles within them are skipped.
                            if depth > 1 {
                                depth = self.next_tile_inside(depth - 1)? + 1;
                            } else {
                                self.next_tile()?;
                            }
                            word = 0;
                        }
                        let Some(left) = self.masks.remaining_levels(self.kernel, word, depth) else { break };
                        if self.has_candidates(word, name) {
                            break;
                        }
                        depth = left;
                        word += K::Word::LANES;
                    }
                }
                (open, close) = (self.masks.open(word), self.masks.close(word));
                ends = self.masks.outer_close(word);
            }
        }
    }

    /// Returns the next bracket.
    #[inline(always)]
    pub(super) fn next_bracket(&mut self, place: u64) -> Result<u64, Stop> {
        self.reach(place)?;
        let (mut word, mut mask) = self.word_of(place);
        loop {
            let brackets = (self.masks.open(word) | self.masks.close(word)) & mask;
            if brackets != 0 {
                return Ok(self.place_of(word, brackets.trailing_zeros()));
            }
            (word, mask) = (word + 1, !0);
            if word.is_multiple_of(K::Word::LANES) {
                loop {
                    if word == self.words {
                        self.next_tile()?;
                        word = 0;
                    }
                    if self.masks.has_brackets::<K>(word) {
                        break;
                    }
                    word += K::Word::LANES;
                }
            }
        }
    }

    /// Returns the array that contains `place`, if it contains no other container and ends within the next 64 bytes and within
    /// the tile.
    #[inline(always)]
    pub(super) fn short_array(&self, place: u64) -> Option<ShortArray> {
        // The masks of the following word are read, too.
        if place + 64 >= self.end {
            return None;
        }
        let (word, from) = self.word_of(place);
        let shift = from.trailing_zeros();
        let open = self.masks.open(word) >> shift | self.masks.open(word + 1) << 1 << (63 - shift);
        let close = self.masks.close(word) >> shift | self.masks.close(word + 1) << 1 << (63 - shift);
        let inside = close.wrapping_sub(1) & !close;
        if close == 0 || open & inside != 0 {
            return None;
        }
        let strings = self.masks.in_string(word) >> shift | self.masks.in_string(word + 1) << 1 << (63 - shift);
        let block = self.look_behind.block(place);
        let visible = self.kernel.visible(block) & inside;
        let commas = self.kernel.equal(block, b',') & inside & !strings;
        Some(ShortArray { commas, visible, end: close & close.wrapping_neg() })
    }

    /// Returns the place after the `count`-th `separator` (`,` or `:`; `count` is at least 1) of the container that contains
    /// `place`.
    #[expect(clippy::cast_possible_truncation, reason = "at most the number of bits")]
    #[inline(always)]
    pub(super) fn skip_elements(&mut self, place: u64, count: u64, separator: u8) -> Result<Found, Stop> {
        let (mut place, mut count) = (place, count);
        'brackets: loop {
            self.reach(place)?;
            let (mut word, mut mask) = self.word_of(place);
            loop {
                let brackets = (self.masks.open(word) | self.masks.close(word)) & mask;
                let first = brackets & brackets.wrapping_neg();
                let outside = mask & !self.masks.in_string(word) & first.wrapping_sub(1);
                let separators = self.kernel.equal(self.block(word), separator) & outside;
                let number = u64::from(separators.count_ones());
                if number >= count {
                    let position = self.kernel.nth(separators, count as u32 - 1);
                    return Ok(Found::At(self.place_of(word, position) + 1));
                }
                count -= number;
                if first != 0 {
                    let after = self.place_of(word, first.trailing_zeros()) + 1;
                    if self.masks.close(word) & first != 0 {
                        return Ok(Found::Missing(after));
                    }
                    place = self.skip_levels(after, 1)?;
                    continue 'brackets;
                }
                (word, mask) = (word + 1, !0);
                if word == self.words {
                    self.next_tile()?;
                    word = 0;
                }
            }
        }
    }

    /// Returns the place after the string, number or literal at `place`.
    #[inline(always)]
    pub(super) fn scalar_end(&mut self, place: u64) -> Result<u64, Stop> {
        self.reach(place)?;
        if self.byte(place) == b'"' {
            let quote = self.closing_quote(place + 1)?;
            return Ok(quote + 1);
        }
        self.next_byte(place, Sought::ScalarEnd)
    }

    /// Returns the next closing quote.
    #[inline(always)]
    pub(super) fn closing_quote(&mut self, place: u64) -> Result<u64, Stop> {
        self.next_byte(place, Sought::StringEnd)
    }

    /// Returns the next line break. In valid text it is outside strings.
    #[inline(always)]
    pub(super) fn line_break(&mut self, place: u64) -> Result<u64, Stop> {
        self.next_byte(place, Sought::LineBreak)
    }

    #[inline(always)]
    fn next_byte(&mut self, place: u64, wanted: Sought) -> Result<u64, Stop> {
        self.reach(place)?;
        let (mut word, mut mask) = self.word_of(place);
        loop {
            let found = match wanted {
                Sought::Visible => self.kernel.visible(self.block(word)),
                Sought::StringEnd => self.masks.string_end(word),
                Sought::LineBreak => self.kernel.equal(self.block(word), b'\n'),
                Sought::ScalarEnd => {
                    let comma = self.kernel.equal(self.block(word), b',');
                    !self.kernel.visible(self.block(word)) | comma | self.masks.close(word)
                }
            } & mask;
            if found != 0 {
                return Ok(self.place_of(word, found.trailing_zeros()));
            }
            (word, mask) = (word + 1, !0);
            if word == self.words {
                self.next_tile()?;
                word = 0;
            }
        }
    }

    /// Returns the place after the value at `place`.
    #[inline(always)]
    pub(super) fn value_end(&mut self, place: u64) -> Result<u64, Stop> {
        if is_opener(self.byte(place)) { self.skip_levels(place + 1, 1) } else { self.scalar_end(place) }
    }
}

/// Returns a mask of the lanes of the superblock of `word`, from that word on.
#[inline(always)]
pub(super) fn lanes_from<K: Kernel>(word: usize) -> u32 {
    (1 << K::Word::LANES) - (1 << (word % K::Word::LANES))
}

/// Whether a value that begins with this byte is a container.
#[inline(always)]
pub(super) fn is_opener(byte: u8) -> bool {
    byte | 0x20 == b'{'
}
