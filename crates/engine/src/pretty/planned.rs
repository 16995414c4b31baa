//! Plans the gaps of several superblocks and writes them 64 bytes at a time, for kernels with an expand instruction.
//!
//! The start and end of each gap are marked as bytes at their places in the output. 64 of these bytes tell which bytes
//! of the output are text; the text is expanded into those places, whatever the gaps are and however wide.

#![forbid(unsafe_code)]

use crate::kernel::At;
use crate::kernel::GAP_END;
use crate::kernel::Kernel;
use crate::kernel::Outline;
use crate::kernel::Pass;
use crate::kernel::Plan;

/// Limit of the output planned together, usually enough for [`TEXT`]. A power of two.
const OUTPUT: usize = 16 * 1024;

/// Limit of the text planned together. It is small enough that text, plan and output stay in the first-level cache.
const TEXT: usize = 2048;

/// Room for the text and the gaps, plus entries that are written beyond the end.
const ENTRIES: usize = TEXT + 64;

/// Text without whitespace, and the gaps to insert into it.
pub(super) struct Planned {
    text: [u8; ENTRIES],
    length: usize,
    /// Per gap: its position in the text, its width, and its first byte.
    positions: [u16; ENTRIES],
    widths: [u16; ENTRIES],
    firsts: [u8; ENTRIES],
    count: usize,
    /// Maximum total width of the gaps.
    width: usize,
    /// Starts and ends of gaps in the output, for [`Kernel::expand`]. All 0 except while writing.
    gaps: [u8; OUTPUT],
}

impl Planned {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            text: [0; _],
            length: 0,
            positions: [0; _],
            widths: [0; _],
            firsts: [0; _],
            count: 0,
            width: 0,
            gaps: [0; _],
        })
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(super) fn clear(&mut self) {
        (self.length, self.count, self.width) = (0, 0, 0);
    }

    /// Whether there is room for `length` bytes of text and gaps with this total width.
    #[inline(always)]
    pub(super) fn has_room(&self, length: usize, width: u64) -> bool {
        // mutant: width < (OUTPUT - ENTRIES - self.width) as u64
        self.length + length <= TEXT && width < (OUTPUT - ENTRIES - self.width) as u64
    }

    /// Returns the number of bytes that [`write`](Self::write) needs.
    #[inline(always)]
    pub(super) fn room(&self) -> usize {
        self.length + self.width + 64
    }

    /// Adds text that has no gaps and no whitespace.
    #[inline(always)]
    pub(super) fn push(&mut self, text: &[u8]) {
        self.text[self.length..][..text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    /// Adds blocks that begin at `level`, whose gaps have at most this total width. Returns the level after them.
    #[expect(clippy::cast_possible_truncation, reason = "the text is short")]
    #[inline(always)]
    pub(super) fn add<'b, K: Kernel>(
        &mut self,
        kernel: K,
        blocks: impl Iterator<Item = (&'b [u8; 64], Outline)>,
        mut level: i64,
        unit: u32,
        width: u64,
    ) -> i64 {
        let (mut length, mut count) = (self.length, self.count);
        for (block, outline) in blocks {
            // mutant: if outline.marks | outline.falls != 0 {
            if outline.marks | outline.rises | outline.falls != 0 {
                let plan = Plan {
                    positions: &mut self.positions[count..],
                    widths: &mut self.widths[count..],
                    firsts: &mut self.firsts[count..],
                };
                count += kernel.outline(outline, At { position: length as u16, level, unit }, plan);
                level += outline.climb();
            }
            if let Some(out) = self.text[length..].first_chunk_mut() {
                length += kernel.compress_block(block, outline.keep, out);
            }
        }
        (self.length, self.count) = (length, count);
        self.width += width as usize;
        level
    }

    /// Writes the plan to `out` and clears it. May write more bytes after it. Returns the number of bytes of the
    /// output.
    #[inline(always)]
    pub(super) fn write<K: Kernel>(&mut self, kernel: K, filler: u8, out: &mut [u8]) -> usize {
        let written = kernel.run(Write { plan: self, filler, out });
        self.clear();
        written
    }
}

/// The writing of a plan, a pass of its own because of register pressure.
struct Write<'a> {
    plan: &'a mut Planned,
    filler: u8,
    out: &'a mut [u8],
}

impl Pass for Write<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        let Planned { text, length, positions, widths, firsts, count, gaps, .. } = self.plan;
        let mut end = 0;
        for ((&position, &width), &first) in positions.iter().zip(&*widths).zip(&*firsts).take(*count) {
            gaps[(position as usize + end) % OUTPUT] = first;
            end += width as usize;
            gaps[(position as usize + end) % OUTPUT] = GAP_END;
        }
        let (outs, _) = self.out.as_chunks_mut();
        let (gaps, _) = gaps.as_chunks_mut();
        let (mut inside, mut from) = (0, 0);
        for (out, gaps) in outs.iter_mut().zip(gaps).take((*length + end).div_ceil(64)) {
            let Some(rest) = text[from..].first_chunk() else { break };
            from += kernel.expand(rest, gaps, self.filler, &mut inside, out);
            // mutant:
            *gaps = [0; 64];
        }
        *length + end
    }
}
