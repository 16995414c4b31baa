//! The records of a batch that are evaluated, where a condition excludes others.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::framing::distance;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::memory::Grow;
use crate::query::excerpt::Span;
use crate::query::stream::batch::CheckedBatch;
use crate::query::stream::plan::ComparedValue;
use crate::query::stream::plan::RequiredString;
use crate::query::stream::record_prefilter::RecordPrefilter;
use crate::query::stream::seek::Found;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;
use memchr::memchr_iter;
use memchr::memrchr;
use std::slice;

/// The records that are evaluated, if these are not all.
pub(super) enum Candidates<'r, 'p, 't, K: Kernel> {
    Prefiltered(Box<Prefiltered<'r, 'p, 't, K>>),
    /// The numbers of the records, and where their lines begin.
    Admitted {
        list: slice::Iter<'r, (u64, u64)>,
        /// Number of records in the batch.
        count: u64,
    },
}

impl<K: Kernel> Candidates<'_, '_, '_, K> {
    /// Moves to the next record. Returns its number and the start of its value, or `None` at the end of the batch. Returns an error
    /// if the batch is invalid or a record must be read on its own.
    #[inline(always)]
    pub(super) fn next<P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
    ) -> Result<Option<(u64, u64)>, Stop> {
        match self {
            Self::Prefiltered(prefiltered) => prefiltered.next(tiles),
            Self::Admitted { list, .. } => {
                let Some(&(number, start)) = list.next() else { return Ok(None) };
                tiles.go_to(start)?;
                tiles.skip_whitespace(start).map(|root| Some((number, root)))
            }
        }
    }

    /// Returns the number of records in the batch, at its end.
    pub(super) fn records(&self) -> Option<u64> {
        match self {
            Self::Prefiltered(prefiltered) => prefiltered.prefilter.records(),
            Self::Admitted { count, .. } => Some(*count),
        }
    }
}

/// The records that have the string that the condition requires, as found by the prefilter.
pub(super) struct Prefiltered<'r, 'p, 't, K: Kernel> {
    prefilter: RecordPrefilter<'r, K>,
    required: &'r RequiredString,
    /// Checks the text as far as the prefilter searches it.
    checked: Option<&'p mut CheckedBatch<'t, K>>,
    /// The number of the last record that was looked at.
    last: u64,
}

impl<'r, 'p, 't, K: Kernel> Prefiltered<'r, 'p, 't, K> {
    #[inline(always)]
    pub(super) fn new(
        kernel: K,
        text: &'r [u8],
        required: &'r RequiredString,
        checked: Option<&'p mut CheckedBatch<'t, K>>,
    ) -> Self {
        Self { prefilter: RecordPrefilter::new(kernel, text, &required.value), required, checked, last: 0 }
    }

    /// Moves to the next record that has the required string at the required path. Returns its number and the start of its value,
    /// or `None` at the end of the batch. Returns an error if the batch is invalid or a record must be read on its own.
    #[inline(always)]
    fn next<P: TileSource<K> + ?Sized>(&mut self, tiles: &mut Tiles<'_, K, P>) -> Result<Option<(u64, u64)>, Stop> {
        loop {
            while let Some((number, root)) = self.prefilter.next() {
                // mutant: if true {
                if number != self.last {
                    self.last = number;
                    let root = root as u64;
                    tiles.go_to(root)?;
                    if tiles.has_string(root, self.required)? {
                        // mutant:
                        tiles.go_to(root)?;
                        return Ok(Some((number, root)));
                    }
                }
            }
            let Some(end) = self.prefilter.end() else { return Ok(None) };
            if let Some(checked) = &mut self.checked
                && !checked.check(end)
            {
                return Err(Stop::Malformed);
            }
            self.prefilter.search_next_part();
        }
    }
}

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// Whether the value at `root` has the required string at the required path.
    #[inline(always)]
    fn has_string(&mut self, root: u64, required: &RequiredString) -> Result<bool, Stop> {
        let mut offset = root;
        for name in &required.path {
            if self.byte(offset) != b'{' {
                return Ok(false);
            }
            match self.find_member(offset + 1, name)? {
                Found::At(value) => offset = value,
                Found::Missing(_) => return Ok(false),
            }
        }
        self.after_text(offset, &required.value).map(|(_, is_equal)| is_equal)
    }
}

/// Lists the numbers of the records for which a condition on one value holds, and where their lines begin. `values` are the records
/// with that value. `None` if a record must be read on its own.
pub(super) fn records_with(
    compared: &ComparedValue,
    text: &[u8],
    mut values: impl Iterator<Item = (u64, Span)>,
    isa: Isa,
    list: &mut Vec<(u64, u64)>,
) -> Option<()> {
    let literal = compared.literal();
    list.clear();
    let mut admit = |number, start: usize| list.grow((number, start as u64), OutOfMemory::Matches).ok();
    // mutant: if true {
    if !compared.without {
        for (number, value) in values {
            if compared.holds(literal, value, text, isa)? {
                let before = &text[..distance(0, value.start)];
                admit(number, memrchr(b'\n', before).map_or(0, |line_break| line_break + 1))?;
            }
        }
        return Some(());
    }
    let (mut number, mut start, mut next) = (0, 0, values.next());
    let ends = memchr_iter(b'\n', text).map(|line_break| line_break + 1).chain([text.len()]);
    for end in ends {
        // mutant: if start < end {
        if !text[start..end].trim_ascii().is_empty() {
            number += 1;
            let holds = match next {
                Some((record, value)) if record == number => {
                    next = values.next();
                    compared.holds(literal, value, text, isa)?
                }
                _ => true,
            };
            if holds {
                admit(number, start)?;
            }
        }
        start = end;
    }
    Some(())
}
