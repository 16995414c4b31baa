//! The operations that executors build on: find a member by its key, find the end of a container, find the next bracket, skip
//! elements, find the end of a string, number or literal.
//!
//! None of them reads token by token. Brackets are counted, 64 positions or a superblock at a time. To find where *n* open
//! levels end, there is no need to visit each bracket, since no closing bracket before the *n*-th can end all of them.
//!
//! An `offset` is one in the input, outside strings or at a quote. Nothing is validated here. In text that is not JSON the
//! results are arbitrary, but a returned offset is never before the given one nor after the end of the text.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::query::stream::search_string::SearchString;
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
    /// Returns the first offset from `offset` on that is not whitespace.
    #[inline(always)]
    pub(super) fn skip_whitespace(&mut self, offset: u64) -> Result<u64, Stop> {
        let offset = self.reach(offset)?;
        if self.byte(offset) > b' ' {
            return Ok(offset);
        }
        self.next_byte(offset, Sought::Visible)
    }

    /// Returns the offset after the closing bracket that ends `depth` levels (at least one).
    #[inline(always)]
    pub(super) fn skip_levels(&mut self, offset: u64, depth: usize) -> Result<u64, Stop> {
        let offset = self.reach(offset)?;
        let mut depth = depth;
        let (mut lane, mask) = self.lane_of(offset);
        let (mut open, mut close) = (self.masks.open(lane) & mask, self.masks.close(lane) & mask);
        let mut ends = close;
        loop {
            let position = closing_position(self.kernel, open, close, ends, depth);
            if position < 64 {
                return Ok(self.offset_of(lane, position) + 1);
            }
            depth = depth_after(depth, open, close);
            lane += 1;
            if lane.is_multiple_of(K::Word::LANES) {
                loop {
                    if lane == self.lanes {
                        depth = self.next_tile_inside(depth)?;
                        lane = 0;
                    }
                    let Some(left) = self.masks.remaining_levels(self.kernel, lane, depth) else { break };
                    depth = left;
                    lane += K::Word::LANES;
                }
            }
            (open, close) = (self.masks.open(lane), self.masks.close(lane));
            ends = self.masks.outer_close(lane);
        }
    }

    /// Returns the positions in a lane of closing quotes of strings that may equal `string`.
    #[inline(always)]
    pub(super) fn candidates(&self, lane: usize, mask: u64, string: &SearchString) -> u64 {
        let escaped = self.masks.escaped_end::<K>(lane) & mask;
        let high = self.masks.string_start(lane, string.lanes) << string.shift;
        let low = self.masks.string_start(lane, string.lanes + 1) >> 1 >> (63 - string.shift);
        let exact = self.masks.string_end(lane) & (high | low) & mask;
        if exact == 0 || !string.is_plain() {
            return escaped;
        }
        // mutant: self.probed(lane, exact, string)
        escaped | self.probed(lane, exact, string)
    }

    /// Returns those of the closing quotes `ends` that have two bytes of the string at the right distance before them.
    #[inline(always)]
    fn probed(&self, lane: usize, ends: u64, string: &SearchString) -> u64 {
        let offset = self.offset_of(lane, 0);
        let mut ends = ends;
        for (byte, back) in string.probes {
            ends &= self.kernel.equal(self.look_behind.block(offset.wrapping_sub(back as u64)), byte);
        }
        ends
    }

    /// Whether [`candidates`](Self::candidates) finds any in the superblock that begins at `lane`.
    #[inline(always)]
    pub(super) fn has_candidates(&self, lane: usize, string: &SearchString) -> bool {
        self.candidate_lanes(lane, string) != 0
    }

    /// Returns the lanes in which [`candidates`](Self::candidates) may find any, in the superblock of `lane`, from that lane
    /// on.
    #[inline(always)]
    pub(super) fn candidate_lanes(&self, lane: usize, string: &SearchString) -> u32 {
        let (kernel, within) = (self.kernel, lane % K::Word::LANES);
        if self.masks.has_escaped::<K>(lane) {
            return lanes_from::<K>(lane);
        }
        let first = lane - within;
        let ends = kernel.word(self.masks.string_ends(first));
        let starts = kernel.word(self.masks.string_starts(first, string.lanes));
        let before = kernel.word(self.masks.string_starts(first, string.lanes + 1));
        let exact = ends & starts.shift_lanes(before, string.shift);
        if !exact.any() || !string.is_plain() {
            return 0;
        }
        // Without branches, because the number of strings of that length varies from superblock to superblock.
        let (exact, offset) = (lanes(exact), self.offset_of(first, 0));
        let [(last, one), (middle, two)] = string.probes;
        let lasts = self.look_behind.blocks(offset.wrapping_sub(one as u64), K::Word::LANES);
        let middles = self.look_behind.blocks(offset.wrapping_sub(two as u64), K::Word::LANES);
        let mut found = 0;
        for within in 0..K::Word::LANES {
            let equal = kernel.equal(&lasts[within], last) & kernel.equal(&middles[within], middle);
            found |= u32::from(exact[within] & equal != 0) << within;
        }
        found >> within << within
    }

    /// Whether the string whose closing quote is at `end`, one of the candidates, equals `name`.
    #[inline(always)]
    pub(super) fn has_name(&self, end: u64, name: &SearchString) -> bool {
        let (lane, from) = self.lane_of(end);
        if self.masks.escaped_end::<K>(lane) & from & from.wrapping_neg() != 0 {
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
    fn has_escaped_name(&self, end: u64, name: &SearchString) -> bool {
        match self.string_start(end, name.most_raw()) {
            Some(start) => name.is(self.look_behind.between(start + 1, end)),
            None => false,
        }
    }

    /// Returns the opening quote of the string that ends at `end`. `None` if the string is longer than `most` bytes.
    fn string_start(&self, end: u64, most: usize) -> Option<u64> {
        let (lane, from) = self.lane_of(end);
        let mut starts = self.masks.string_start(lane, 0) & !from;
        for back in 0..=(most / 64 + 1) {
            if back > 0 {
                starts = self.masks.string_start(lane, back);
            }
            if starts != 0 {
                let last = self.start.wrapping_add(64 * lane as u64).wrapping_sub(64 * back as u64)
                    + u64::from(starts.ilog2());
                return (end - last <= most as u64 + 1).then_some(last);
            }
        }
        None
    }

    /// Returns the value of the member whose key has its closing quote at `end`. If the string is not a key, the inner result
    /// is `Err` with the offset to continue from.
    #[inline(always)]
    pub(super) fn value_of(&mut self, end: u64) -> Result<Result<u64, u64>, Stop> {
        let colon = self.skip_whitespace(end + 1)?;
        if self.byte(colon) == b':' { Ok(Ok(self.skip_whitespace(colon + 1)?)) } else { Ok(Err(colon)) }
    }

    /// Returns the first member with this name in the object that contains `offset`.
    #[inline(always)]
    pub(super) fn find_member(&mut self, offset: u64, name: &SearchString) -> Result<Found, Stop> {
        let mut offset = offset;
        'strings: loop {
            offset = self.reach(offset)?;
            let mut depth = 1;
            let (mut lane, mut mask) = self.lane_of(offset);
            let (mut open, mut close) = (self.masks.open(lane) & mask, self.masks.close(lane) & mask);
            let mut ends = close;
            loop {
                let mut names = self.candidates(lane, mask, name);
                let last = closing_position(self.kernel, open, close, ends, depth);
                if last < 64 {
                    names &= bits_below(last);
                }
                while names != 0 {
                    let position = names.trailing_zeros();
                    names &= names - 1;
                    let before = bits_below(position);
                    let end = self.offset_of(lane, position);
                    if depth_after(depth, open & before, close & before) == 1 && self.has_name(end, name) {
                        match self.value_of(end)? {
                            Ok(value) => return Ok(Found::At(value)),
                            // The string is a value, not a key.
                            Err(next) => {
                                offset = next;
                                continue 'strings;
                            }
                        }
                    }
                }
                if last < 64 {
                    return Ok(Found::Missing(self.offset_of(lane, last) + 1));
                }
                depth = depth_after(depth, open, close);
                (lane, mask) = (lane + 1, !0);
                if lane.is_multiple_of(K::Word::LANES) {
                    loop {
                        if lane == self.lanes {
                            // Nested containers hold no members of this object, so tiles within them are skipped.
                            if depth > 1 {
                                // mutant: depth = self.next_tile_inside(depth)?;
                                depth = self.next_tile_inside(depth - 1)? + 1;
                            } else {
                                self.next_tile()?;
                            }
                            lane = 0;
                        }
                        let Some(left) = self.masks.remaining_levels(self.kernel, lane, depth) else { break };
                        if self.has_candidates(lane, name) {
                            break;
                        }
                        depth = left;
                        lane += K::Word::LANES;
                    }
                }
                (open, close) = (self.masks.open(lane), self.masks.close(lane));
                ends = self.masks.outer_close(lane);
            }
        }
    }

    /// Returns the next bracket.
    #[inline(always)]
    pub(super) fn next_bracket(&mut self, offset: u64) -> Result<u64, Stop> {
        let offset = self.reach(offset)?;
        let (mut lane, mut mask) = self.lane_of(offset);
        loop {
            let brackets = (self.masks.open(lane) | self.masks.close(lane)) & mask;
            if brackets != 0 {
                return Ok(self.offset_of(lane, brackets.trailing_zeros()));
            }
            (lane, mask) = (lane + 1, !0);
            if lane.is_multiple_of(K::Word::LANES) {
                loop {
                    if lane == self.lanes {
                        self.next_tile()?;
                        lane = 0;
                    }
                    if self.masks.has_brackets::<K>(lane) {
                        break;
                    }
                    lane += K::Word::LANES;
                }
            }
        }
    }

    /// Returns the array that contains `offset`, if it contains no other container and ends within the next 64 bytes and within
    /// the tile.
    #[inline(always)]
    pub(super) fn short_array(&self, offset: u64) -> Option<ShortArray> {
        // The masks of the following lane are read, too.
        if offset + 64 >= self.end {
            return None;
        }
        let (lane, from) = self.lane_of(offset);
        let shift = from.trailing_zeros();
        let open = self.masks.open(lane) >> shift | self.masks.open(lane + 1) << 1 << (63 - shift);
        let close = self.masks.close(lane) >> shift | self.masks.close(lane + 1) << 1 << (63 - shift);
        let inside = close.wrapping_sub(1) & !close;
        if close == 0 || open & inside != 0 {
            return None;
        }
        let strings = self.masks.in_string(lane) >> shift | self.masks.in_string(lane + 1) << 1 << (63 - shift);
        let block = self.look_behind.block(offset);
        let visible = self.kernel.visible(block) & inside;
        let commas = self.kernel.equal(block, b',') & inside & !strings;
        Some(ShortArray { commas, visible, end: close & close.wrapping_neg() })
    }

    /// Returns the offset after the `count`-th `separator` (`,` or `:`; `count` is at least 1) of the container that contains
    /// `offset`.
    #[expect(clippy::cast_possible_truncation, reason = "at most the number of bits")]
    #[inline(always)]
    pub(super) fn skip_elements(&mut self, offset: u64, count: u64, separator: u8) -> Result<Found, Stop> {
        let (mut offset, mut count) = (offset, count);
        'brackets: loop {
            offset = self.reach(offset)?;
            let (mut lane, mut mask) = self.lane_of(offset);
            loop {
                let brackets = (self.masks.open(lane) | self.masks.close(lane)) & mask;
                let first = brackets & brackets.wrapping_neg();
                let outside = mask & !self.masks.in_string(lane) & first.wrapping_sub(1);
                let separators = self.kernel.equal(self.block(lane), separator) & outside;
                let number = u64::from(separators.count_ones());
                if number >= count {
                    let position = self.kernel.nth(separators, count as u32 - 1);
                    return Ok(Found::At(self.offset_of(lane, position) + 1));
                }
                count -= number;
                if first != 0 {
                    let after = self.offset_of(lane, first.trailing_zeros()) + 1;
                    if self.masks.close(lane) & first != 0 {
                        return Ok(Found::Missing(after));
                    }
                    offset = self.skip_levels(after, 1)?;
                    continue 'brackets;
                }
                (lane, mask) = (lane + 1, !0);
                if lane == self.lanes {
                    self.next_tile()?;
                    lane = 0;
                }
            }
        }
    }

    /// Returns the offset after the string, number or literal at `offset`.
    #[inline(always)]
    pub(super) fn scalar_end(&mut self, offset: u64) -> Result<u64, Stop> {
        let offset = self.reach(offset)?;
        if self.byte(offset) == b'"' {
            let quote = self.closing_quote(offset + 1)?;
            return Ok(quote + 1);
        }
        self.next_byte(offset, Sought::ScalarEnd)
    }

    /// Returns the next closing quote.
    #[inline(always)]
    pub(super) fn closing_quote(&mut self, offset: u64) -> Result<u64, Stop> {
        self.next_byte(offset, Sought::StringEnd)
    }

    /// Returns the next line break. In valid text it is outside strings.
    #[inline(always)]
    pub(super) fn line_break(&mut self, offset: u64) -> Result<u64, Stop> {
        self.next_byte(offset, Sought::LineBreak)
    }

    #[inline(always)]
    fn next_byte(&mut self, offset: u64, wanted: Sought) -> Result<u64, Stop> {
        let offset = self.reach(offset)?;
        let (mut lane, mut mask) = self.lane_of(offset);
        loop {
            let found = match wanted {
                Sought::Visible => self.kernel.visible(self.block(lane)),
                Sought::StringEnd => self.masks.string_end(lane),
                Sought::LineBreak => self.kernel.equal(self.block(lane), b'\n'),
                Sought::ScalarEnd => {
                    let comma = self.kernel.equal(self.block(lane), b',');
                    !self.kernel.visible(self.block(lane)) | comma | self.masks.close(lane)
                }
            } & mask;
            if found != 0 {
                return Ok(self.offset_of(lane, found.trailing_zeros()));
            }
            (lane, mask) = (lane + 1, !0);
            if lane == self.lanes {
                self.next_tile()?;
                lane = 0;
            }
        }
    }

    /// Returns the offset after the value at `offset`.
    #[inline(always)]
    pub(super) fn value_end(&mut self, offset: u64) -> Result<u64, Stop> {
        if is_opener(self.byte(offset)) { self.skip_levels(offset + 1, 1) } else { self.scalar_end(offset) }
    }
}

/// Returns a mask of the lanes of the superblock of `lane`, from that lane on.
#[inline(always)]
pub(super) fn lanes_from<K: Kernel>(lane: usize) -> u32 {
    (1 << K::Word::LANES) - (1 << (lane % K::Word::LANES))
}

/// Whether a value that begins with this byte is a container.
#[inline(always)]
pub(super) fn is_opener(byte: u8) -> bool {
    byte | 0x20 == b'{'
}
