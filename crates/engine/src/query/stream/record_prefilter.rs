//! A prefilter for conditions: skips records that cannot contain the string that a condition requires, without making masks.
//!
//! A record in which some value equals a given string contains either that string or an escape that may stand for one of its
//! characters. The prefilter searches the text for both. All other records are only counted.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::query::stream::bounds::bounded;
use crate::query::stream::name_prefilter::PART;
use crate::query::stream::name_prefilter::blocks_of;
use crate::query::stream::search_string::MAX_LENGTH;
use crate::query::stream::search_string::SearchString;

/// 64-bit lanes in a part.
const PART_LANES: usize = PART / 64;

/// How many bytes after a part are read.
const AHEAD: usize = MAX_LENGTH + 2;

/// Finds the records that may contain a string, part by part.
pub(super) struct RecordPrefilter<'t, K> {
    kernel: K,
    text: &'t [u8],
    string: &'t SearchString,
    /// Offset of the next part, after the current one.
    rest: usize,
    /// Where records begin in the current part.
    begins: [u64; PART_LANES],
    /// How many records begin before each lane.
    records: [u64; PART_LANES],
    /// Where the string, or a relevant escape, may begin in the current part.
    candidates: [u64; PART_LANES],
    /// The lanes with candidates that were not returned yet.
    candidate_lanes: u64,
    /// How many records begin before the end of the part.
    count: u64,
    /// Where the last record before the part begins.
    root: usize,
    /// Whether only whitespace, with a line break in it, precedes the end of the part.
    is_after_break: bool,
}

impl<'t, K: Kernel> RecordPrefilter<'t, K> {
    #[inline(always)]
    pub(super) fn new(kernel: K, text: &'t [u8], string: &'t SearchString) -> Self {
        Self {
            kernel,
            text,
            string,
            rest: 0,
            begins: [0; PART_LANES],
            records: [0; PART_LANES],
            candidates: [0; PART_LANES],
            candidate_lanes: 0,
            count: 0,
            root: 0,
            is_after_break: true,
        }
    }

    /// Returns the end of the next part. `None` at the end of the text.
    #[inline(always)]
    pub(super) fn end(&self) -> Option<usize> {
        (self.rest < self.text.len()).then(|| self.text.len().min(self.rest + PART))
    }

    /// Returns the number of records, if the last line is terminated. Called after the last part.
    #[inline(always)]
    pub(super) fn records(&self) -> Option<u64> {
        self.is_after_break.then_some(self.count)
    }

    /// Returns the next record in the part that may contain the string: its number, from 1, and its start. A record may be
    /// returned more than once.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(u64, usize)> {
        if self.candidate_lanes == 0 {
            return None;
        }
        let mut lane = bounded::<PART_LANES>(self.candidate_lanes.trailing_zeros() as usize);
        let candidates = self.candidates[lane];
        self.candidates[lane] = candidates & (candidates - 1);
        if self.candidates[lane] == 0 {
            self.candidate_lanes &= self.candidate_lanes - 1;
        }
        // Includes the position of the candidate, since the string may be the whole record.
        // mutant: let mut begins = self.begins[lane] & (!candidates & (candidates - 1));
        let mut begins = self.begins[lane] & (candidates ^ (candidates - 1));
        let number = self.records[lane] + u64::from(begins.count_ones());
        let part = self.rest - PART;
        while begins == 0 {
            if lane == 0 {
                return Some((number, self.root));
            }
            lane -= 1;
            begins = self.begins[lane];
        }
        Some((number, part + 64 * lane + begins.ilog2() as usize))
    }

    /// Searches the next part.
    #[inline(always)]
    pub(super) fn search_next_part(&mut self) {
        if let Some(lane) = self.begins.iter().rposition(|&begins| begins != 0) {
            // mutant:
            self.root = self.rest - PART + 64 * lane + self.begins[lane].ilog2() as usize;
        }
        let rest = &self.text[self.rest..];
        self.rest += PART;
        // mutant: if rest.len() < PART + 2 {
        if rest.len() < PART + AHEAD {
            let mut last = [b' '; PART + AHEAD];
            last[..rest.len()].copy_from_slice(rest);
            self.search_part(&last);
        } else {
            self.search_part(rest);
        }
    }

    /// Searches the part at the start of `text`.
    #[inline(always)]
    fn search_part(&mut self, text: &[u8]) {
        let Self { kernel, string, .. } = *self;
        let quote_distance = string.length() + 1;
        let [(last, _), (middle, back)] = string.probes;
        let [unicode, letter] = string.escaped_letters();
        // mutant: let any = 0;
        let any = if string.is_plain() { 0 } else { !0 };
        let (blocks, next) = (blocks_of(text, 0), blocks_of(text, 1));
        let (ends, lasts, middles) = (
            blocks_of(text, quote_distance),
            blocks_of(text, quote_distance - 1),
            blocks_of(text, quote_distance - back),
        );
        for superblock in text[..PART].chunks_exact(K::SUPERBLOCK) {
            kernel.prefetch(superblock);
        }
        let (mut count, mut is_after_break, mut candidate_lanes) = (self.count, self.is_after_break, 0);
        for lane in 0..PART_LANES {
            let block = &blocks[lane];
            let visible = kernel.visible(block);
            // From the first line break in each run of whitespace, a carry runs to the first byte after the run.
            let (sum, first) = kernel.equal(block, b'\n').overflowing_add(!visible);
            // mutant: let second = false;
            let (sum, second) = sum.overflowing_add(u64::from(is_after_break));
            is_after_break = first | second;
            let begins = sum & visible;
            (self.begins[lane], self.records[lane]) = (begins, count);
            count += u64::from(kernel.count(begins));
            let equal = kernel.equal(block, b'"')
                & kernel.equal(&ends[lane], b'"')
                & kernel.equal(&lasts[lane], last)
                & kernel.equal(&middles[lane], middle);
            let mut candidates = equal;
            let escapes = kernel.equal(block, b'\\');
            // mutant: if false {
            if escapes != 0 {
                candidates |= escapes & (kernel.equal(&next[lane], unicode) | kernel.equal(&next[lane], letter) | any);
            }
            self.candidates[lane] = candidates;
            candidate_lanes |= u64::from(candidates != 0) << lane;
        }
        (self.count, self.is_after_break, self.candidate_lanes) = (count, is_after_break, candidate_lanes);
    }
}

#[cfg(test)]
mod tests {
    use super::PART;
    use super::RecordPrefilter;
    use crate::kernel::Isa;
    use crate::kernel::Kernel;
    use crate::kernel::Pass;
    use crate::query::stream::search_string::SearchString;
    use crate::query::syntax::Text;

    /// Returns the records that may contain the string, and the number of all records.
    struct Find<'t>(&'t [u8], &'t SearchString);

    impl Pass for Find<'_> {
        type Output = (Vec<(u64, usize)>, Option<u64>);

        fn run<K: Kernel>(self, kernel: K) -> Self::Output {
            let mut prefilter = RecordPrefilter::new(kernel, self.0, self.1);
            let mut found = Vec::new();
            while prefilter.end().is_some() {
                prefilter.search_next_part();
                found.extend(std::iter::from_fn(|| prefilter.next()));
            }
            (found, prefilter.records())
        }
    }

    /// The records with a string are found whatever whitespace is before them, and wherever the text ends.
    #[test]
    fn records_with_a_string_are_found() {
        let long = "long ".repeat(30);
        for name in ["error", &long] {
            let string = SearchString::new(&Text::new(name)).expect("it is short enough");
            for spaces in 0..300 {
                let record = format!("{:1$}[\"{name}\"]\n", "", spaces);
                let before = (PART - record.len()) / 2;
                let text = ["1\n".repeat(before), record, "{}\n".repeat(spaces)].concat();
                let expected = (before as u64 + 1, 2 * before + spaces);
                for isa in Isa::available() {
                    let (found, count) = isa.run(Find(text.as_bytes(), &string));
                    assert_eq!(found, [expected], "{isa}: {name} after {spaces} spaces");
                    assert_eq!(count, Some(expected.0 + spaces as u64), "{isa}: {name} after {spaces} spaces");
                }
            }
        }
    }
}
