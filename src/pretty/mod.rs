//! Pretty-printing on the masks: where a line break or a space goes is known for a whole superblock at once.
//!
//! A byte that something is inserted in front of is an *event*: the first byte of a value, or a closer of a container that
//! is not empty. Per tile the text is compressed, the events are listed with the widths of what goes in front of them, and
//! then text and gaps are copied in turn, 32 bytes at a time. Number and string text stays as it stands; the layout is
//! that of `jq`.

#![forbid(unsafe_code)]

mod compare;

use std::io::Write;

use crate::error::Error;
use crate::framing::begin_document;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::At;
use crate::kernel::FLAT;
use crate::kernel::Kernel;
use crate::kernel::Outline;
use crate::kernel::lanes;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::Divisible;
use crate::parallel::Maker;
use crate::parallel::first_error;
use crate::sink::Stage;
use crate::walk::Consumer;

/// How a document is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    unit: u32,
    filler: u8,
}

impl Layout {
    /// The widest indentation per level.
    pub const MAX_SPACES: u8 = 16;

    /// So many spaces per level, at most [`MAX_SPACES`](Self::MAX_SPACES); more count as that many.
    #[must_use]
    pub fn spaces(count: u8) -> Self {
        Self { unit: u32::from(count.min(Self::MAX_SPACES)), filler: b' ' }
    }

    /// One tab per level.
    #[must_use]
    pub fn tab() -> Self {
        Self { unit: 1, filler: b'\t' }
    }
}

impl Default for Layout {
    /// Two spaces.
    fn default() -> Self {
        Self::spaces(2)
    }
}

/// Copies `input` to `sink` with each value and closing bracket on a line of its own, checking it on the way. Empty
/// containers stay `{}` and `[]`; one line break follows each document. Memory stays bounded, but for as many bytes as
/// indent a tile of the input: the output grows with the square of the depth, so an input that is not trusted should meet
/// a limit of depth.
///
/// # Errors
/// The first error of the first bad document; then everything in front of the error has been written. Or an error of
/// reading or writing.
///
/// ```
/// use fjson::{Layout, Options, pretty};
///
/// let mut sink = Vec::new();
/// pretty(r#"{"a":[1.50,{}],"b":[]}"#, &mut sink, &Layout::default(), &Options::new())?;
/// assert_eq!(String::from_utf8_lossy(&sink), r#"{
///   "a": [
///     1.50,
///     {}
///   ],
///   "b": []
/// }
/// "#);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn pretty<'a>(
    input: impl Into<Input<'a>>,
    mut sink: impl Write,
    layout: &Layout,
    options: &Options,
) -> Result<Summary, Error> {
    let mut input = input.into();
    let stage = Stage::new(&mut sink, 4 * input.bytes().len(), options, layout.unit);
    let mut consumer = Indent::new(stage, *layout, options.framing);
    let result = first_error(&mut input, options, &mut consumer);
    consumer.stage.finish()?;
    result
}

pub use compare::is_pretty;

/// Room for the compressed text of a tile, and for copies to read beyond it. A power of two and a copy more, so that a
/// position below the power of two needs no check.
const TEXT: usize = POSITIONS + COPY;
const POSITIONS: usize = 4096;

/// Bytes of text and of a gap that are copied without asking how many are needed: most are shorter.
const COPY: usize = 32;
const GAP: usize = 32;

/// Bytes that copies may write beyond what is needed.
const ROOM: usize = GAP + COPY;

/// What gaps are copied from: a line break and what indents behind it, then the space behind a colon. Each is followed by
/// as much as a copy may take too many.
const FILLER: usize = 3 * GAP;
const SPACE: usize = 2 * GAP;

/// Marks a tile may have, and room for those that are overwritten behind them.
const MARKS: usize = crate::grammar::MAX_TILE_BYTES + 64;

struct Indent<'w> {
    stage: Stage<'w>,
    framing: Framing,
    unit: u32,
    filler: [u8; FILLER],
    /// Containers that are open behind what was taken, and behind what was released.
    level: i64,
    released_level: i64,
    /// Whether the root is still to come: it has no gap in front of it.
    at_root: bool,
    released_at_root: bool,
    text: Box<[u8; TEXT]>,
    positions: Box<[u16; MARKS]>,
    gaps: Box<[u32; MARKS]>,
}

impl<'w> Indent<'w> {
    fn new(stage: Stage<'w>, layout: Layout, framing: Framing) -> Self {
        let mut filler = [layout.filler; FILLER];
        filler[0] = b'\n';
        filler[SPACE] = b' ';
        Self {
            stage,
            framing,
            unit: layout.unit,
            filler,
            level: 0,
            released_level: 0,
            at_root: true,
            released_at_root: true,
            text: Box::new([0; TEXT]),
            positions: Box::new([0; MARKS]),
            gaps: Box::new([0; MARKS]),
        }
    }

    /// The widest gap the next event may have.
    fn widest_gap(&self) -> usize {
        usize::try_from(self.level.max(0)).unwrap_or(usize::MAX).saturating_mul(self.unit as usize).saturating_add(1)
    }

    /// Compresses a tile into `text` and lists its events. Returns how long the text is and how many events there are.
    #[inline(always)]
    fn list<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8]) -> (usize, usize) {
        let (mut length, mut count) = (0, 0);
        let mut active = tile.active().peekable();
        for (place, superblock) in bytes.chunks_exact(K::SUPERBLOCK).enumerate() {
            let Some((_, masks, layout)) = active.next_if(|(active, ..)| *active == place) else {
                // Wholly inside a string.
                self.text[length..length + K::SUPERBLOCK].copy_from_slice(superblock);
                length += K::SUPERBLOCK;
                continue;
            };
            let keep = lanes(!masks.whitespace);
            let marks = lanes(layout.events);
            let flat = lanes(layout.spaces);
            let rises = lanes(masks.open);
            let falls = lanes(masks.close);
            let (blocks, _) = superblock.as_chunks::<64>();
            for (lane, block) in blocks.iter().enumerate() {
                let outline = Outline {
                    keep: keep[lane],
                    marks: marks[lane],
                    flat: flat[lane],
                    rises: rises[lane],
                    falls: falls[lane],
                };
                #[expect(clippy::cast_possible_truncation, reason = "a short tile; no output has billions of levels")]
                let at = At { position: length as u16, level: self.level as i32, unit: self.unit };
                if let Some(out) = self.text[length..].first_chunk_mut() {
                    length += kernel.compress(block, outline.keep, out);
                }
                if outline.marks | outline.falls != 0 {
                    count += kernel.outline(outline, at, &mut self.positions[count..], &mut self.gaps[count..]);
                    self.level += i64::from(outline.rises.count_ones()) - i64::from(outline.falls.count_ones());
                }
            }
        }
        (length, count)
    }

    /// Tells the stage where the objects, names and values behind names of the text will begin.
    #[inline(always)]
    fn mark(&mut self, count: usize) {
        let mut shift = 0;
        for (&event, &gap) in self.positions[..count].iter().zip(&self.gaps[..]) {
            shift += gap as usize;
            let is_value = event >= FLAT;
            if is_value || matches!(self.text[place(event)], b'{' | b'}' | b'"') {
                self.stage.mark(place(event) + shift, is_value);
            }
        }
    }

    /// Copies the first `length` bytes of the text to the stage, with the gaps in front of the first `count` events.
    #[expect(clippy::cast_possible_truncation, reason = "a tile is short")]
    #[inline(always)]
    fn copy(&mut self, length: usize, count: usize) {
        self.positions[count] = length as u16;
        if self.stage.is_sorting() {
            self.mark(count);
        }
        let gaps = &self.gaps[..count];
        let width: u64 = gaps.iter().map(|&gap| u64::from(gap)).sum();
        let room = usize::try_from(width + (length + ROOM) as u64).unwrap_or(usize::MAX);
        let Some(out) = self.stage.space(room) else { return };
        let positions = &self.positions[..=count];
        let filled = spread(out, &self.text, &self.filler, positions, gaps);
        self.stage.advance(filled);
    }
}

/// Copies text with gaps to `out`: the events and the end of the text are at `positions`, and in front of each event goes as
/// much of the filler as `gaps` says. Returns how many bytes were written.
#[inline(always)]
fn spread(out: &mut [u8], text: &[u8; TEXT], filler: &[u8; FILLER], positions: &[u16], gaps: &[u32]) -> usize {
    let [mut event, ref rest @ ..] = *positions else { return 0 };
    let mut filled = place(event);
    copy_text(out, text, 0, filled);
    for (&next, &gap) in rest.iter().zip(gaps) {
        let (from, gap) = (place(event), gap as usize);
        let length = place(next) - from;
        let start = (event / FLAT) as usize * SPACE;
        let out = &mut out[filled..];
        out[..GAP].copy_from_slice(&filler[start..start + GAP]);
        if gap > GAP {
            widen(out, filler, gap);
        }
        let out = &mut out[gap..];
        out[..COPY].copy_from_slice(&text[from..from + COPY]);
        if length > COPY {
            copy_text(&mut out[COPY..], text, from + COPY, length - COPY);
        }
        filled += gap + length;
        event = next;
    }
    filled
}

/// Where in the text an event is.
#[inline(always)]
fn place(event: u16) -> usize {
    event as usize % POSITIONS
}

/// Copies `length` bytes of text, and perhaps more behind them.
#[inline(always)]
fn copy_text(out: &mut [u8], text: &[u8; TEXT], from: usize, length: usize) {
    let mut done = 0;
    while done < length {
        let from = (from + done) % POSITIONS;
        out[done..done + COPY].copy_from_slice(&text[from..from + COPY]);
        done += COPY;
    }
}

/// Fills a gap of `length` bytes whose first ones are written already, and perhaps more behind it.
#[inline(always)]
fn widen(out: &mut [u8], filler: &[u8; FILLER], length: usize) {
    let mut done = GAP;
    while done < length {
        out[done..done + GAP].copy_from_slice(&filler[1..=GAP]);
        done += GAP;
    }
}

impl Divisible for Indent<'_> {
    type Maker = IndentChunk;

    fn maker(&self) -> IndentChunk {
        IndentChunk { layout: Layout { unit: self.unit, filler: self.filler[1] } }
    }

    fn divides(&self) -> bool {
        self.stage.is_plain()
    }

    fn join(&mut self, output: &[u8], level: i64) -> Result<(), Error> {
        (self.level, self.released_level) = (level, level);
        self.stage.pass(output)
    }
}

#[derive(Clone, Copy)]
struct IndentChunk {
    layout: Layout,
}

impl Maker for IndentChunk {
    type Part<'p> = Indent<'p>;

    const LINES: bool = false;
    const LEVELS: bool = true;

    fn part(self, stage: Stage<'_>) -> Indent<'_> {
        Indent::new(stage, self.layout, Framing::Document)
    }

    fn enter(part: &mut Indent<'_>, level: i64) {
        (part.level, part.released_level) = (level, level);
        (part.at_root, part.released_at_root) = (false, false);
    }

    fn into_memory(part: Indent<'_>) -> Option<(Vec<u8>, usize)> {
        part.stage.into_memory()
    }
}

impl Consumer for Indent<'_> {
    const LAYOUT: bool = true;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        self.level = 0;
        self.at_root = true;
        self.stage.pass_over(offset, skipped);
        begin_document(&mut self.stage, self.framing)?;
        self.release(&[])
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        self.stage.comes_of(kernel, tile.planes(bytes.len() / K::SUPERBLOCK));
        let (mut text, count) = self.list(kernel, tile, bytes);
        if length < bytes.len() && tile.ends_in_string(bytes.len() / K::SUPERBLOCK) {
            text -= bytes.len() - length;
        }
        if self.at_root && count > 0 {
            self.at_root = false;
            self.gaps[0] = 0;
        }
        self.copy(text, count);
    }

    fn held(&self) -> usize {
        self.stage.held()
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.released_level = self.level;
        self.released_at_root = self.at_root;
        let widest = self.widest_gap();
        self.stage.release(text, widest)
    }

    fn discard(&mut self) {
        self.level = self.released_level;
        self.at_root = self.released_at_root;
        self.stage.discard();
    }

    fn wait(&mut self) -> Result<(), Error> {
        self.stage.write()
    }

    fn end(&mut self) -> Result<(), Error> {
        self.stage.push(b"\n");
        self.release(&[])
    }
}
