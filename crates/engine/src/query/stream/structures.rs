//! Reads text of which only strings and brackets are needed, because it is known to be valid or is trusted.

#![forbid(unsafe_code)]

use crate::grammar::StringCarry;
use crate::kernel::Kernel;
use crate::query::stream::look_behind::LookBehind;
use crate::query::stream::masks::Masks;
use crate::query::stream::name_prefilter::AHEAD;
use crate::query::stream::name_prefilter::BACK;
use crate::query::stream::name_prefilter::PART;
use crate::query::stream::name_prefilter::rule_out;
use crate::query::stream::search_string::SearchString;
use crate::query::structure::EscapedStringCarry;
use crate::query::structure::remaining_levels;

/// Maximum number of tiles to make after a failed attempt to skip some.
const PATIENCE: u32 = 63;

/// The state between superblocks.
pub(super) struct Structures<K> {
    kernel: K,
    escapes: EscapedStringCarry,
    strings: StringCarry,
    /// How many tiles to make before the next attempt to skip some.
    wait: u32,
    /// How many tiles to make after the next failed attempt.
    patience: u32,
}

impl<K: Kernel> Structures<K> {
    pub(super) fn new(kernel: K) -> Self {
        let (escapes, strings) = (EscapedStringCarry::default(), StringCarry::default());
        Self { kernel, escapes, strings, wait: 0, patience: 0 }
    }

    pub(super) fn kernel(&self) -> K {
        self.kernel
    }

    /// Begins outside strings.
    pub(super) fn begin(&mut self) {
        self.escapes = EscapedStringCarry::default();
        self.strings = StringCarry::default();
    }

    /// Whether a string is open.
    pub(super) fn is_in_string(&self) -> bool {
        self.strings.is_inside()
    }

    /// Returns the number of bytes before the current position that [`skip_to_name`](Self::skip_to_name) needs.
    pub(super) fn bytes_before(&self) -> usize {
        // An open string may equal the name if it began nearby, or if it contains escapes.
        if self.escapes.is_escaped() { PART + BACK } else { BACK }
    }

    /// Fills the masks of a tile. `length` of its bytes are text.
    #[inline(always)]
    pub(super) fn fill(&mut self, masks: &mut Masks, look_behind: &mut LookBehind, tile: &[u8], length: usize) {
        let to = look_behind.append(tile.len(), length);
        masks.classify(self.kernel, tile, to, &mut self.strings, &mut self.escapes);
    }

    /// Skips whole superblocks of `text` in which `levels` nested containers (at least one) do not all end, or any superblocks if it
    /// is `None`. Returns the number of bytes skipped and the levels that are still open.
    #[inline(always)]
    pub(super) fn skip_ahead(&mut self, text: &[u8], mut levels: Option<usize>) -> (usize, usize) {
        if self.wait > 0 {
            self.wait -= 1;
            return (0, levels.unwrap_or_default());
        }
        let (mut strings, mut passed) = (self.strings, 0);
        for superblock in text.chunks_exact(K::SUPERBLOCK) {
            self.kernel.prefetch(superblock);
            let structure = strings.classify(self.kernel, superblock);
            if let Some(levels) = &mut levels {
                match remaining_levels(self.kernel, structure.open, structure.close, *levels) {
                    // mutant: Ok(_) => {}
                    Ok(remaining) => *levels = remaining,
                    Err(_) => break,
                }
            }
            // mutant:
            self.strings = strings;
            passed += K::SUPERBLOCK;
        }
        self.note_skipped(passed);
        if passed < PART {
            // Little was gained, since the superblock in which the levels end is classified twice.
            self.wait = self.patience;
            self.patience = (2 * self.patience + 1).min(PATIENCE);
        } else {
            self.patience = 0;
        }
        (passed, levels.unwrap_or_default())
    }

    /// Skips parts of `text` from the index `known` on in which no string that equals `name` begins. Stops after `limit` bytes.
    /// Returns the number of bytes skipped. Returns `None` if the attempt was useless.
    #[inline(always)]
    pub(super) fn skip_to_name(
        &mut self,
        text: &[u8],
        known: usize,
        limit: usize,
        name: &SearchString,
    ) -> Option<usize> {
        let (back, rest) = (self.bytes_before(), text.len() - known);
        if known < back || rest < AHEAD {
            return None;
        }
        if back > BACK {
            // mutant:
            rule_out(self.kernel, text, known - PART, name)?;
        }
        let (mut strings, mut passed) = (self.strings, 0);
        while passed + PART + AHEAD < rest && passed < limit {
            let Some(crossed) = rule_out(self.kernel, text, known + passed, name) else {
                if passed == 0 {
                    return None;
                }
                break;
            };
            self.strings = strings;
            strings.skip(crossed.odd, crossed.escapes);
            passed += PART;
        }
        // A string that equals the name may begin in the last part before it.
        let passed = passed.saturating_sub(PART);
        self.note_skipped(passed);
        Some(passed)
    }

    /// Notes that bytes were skipped. Strings in them cannot be looked up.
    #[inline(always)]
    fn note_skipped(&mut self, passed: usize) {
        if passed > 0 {
            self.escapes.skip(self.strings.is_inside());
        }
    }
}
