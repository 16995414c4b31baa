//! Pretty-printing on masks: the places of line breaks and spaces are computed for a whole superblock at once.
//!
//! An *event* is a byte in front of which something is inserted: the first byte of a value, or the closing bracket of a
//! non-empty container. What is inserted is a *gap*: a line break with indentation, or a space. Text without whitespace
//! and gaps are copied alternately. Numbers and strings are copied unchanged; the layout is that of `jq`.

#![forbid(unsafe_code)]

mod comments;
mod compare;
mod layout;

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

use crate::error::Error;
use crate::framing::begin_document;
use crate::grammar::Masks;
use crate::grammar::Tile;
use crate::input::Input;
use crate::input::KeptComments;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::ChunkFactory;
use crate::parallel::ConsumerFactory;
use crate::parallel::Divisible;
use crate::parallel::LineConsumer;
use crate::parallel::first_error;
use crate::scan::Consumer;
use crate::sink::Division;
use crate::sink::Output;
use crate::sink::Stage;

/// Copies `input` to `sink` with each value and closing bracket on a line of its own, and validates it on the way.
/// Empty containers stay `{}` and `[]`. A line break follows each document.
///
/// Memory stays bounded except for the indentation of one tile of the input. The output can grow with the square of the
/// depth, so set [`Options::max_depth`](crate::Options::max_depth) for input that is not trusted.
///
/// # Errors
/// Returns the first error of the first invalid document; everything before the error has then been written. Or returns
/// an error of reading or writing.
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
    print(&mut input.into(), &mut sink, *layout, options, None)
}

/// Prints documents, into which `comments` will be inserted.
fn print(
    input: &mut Input<'_>,
    sink: &mut dyn Write,
    layout: Layout,
    options: &Options,
    comments: Option<Rc<RefCell<KeptComments>>>,
) -> Result<Summary, Error> {
    let stage = Stage::new(sink, 4 * input.bytes().len(), options, layout.unit);
    let mut consumer = Indent::new(stage, layout, options);
    if let Some(comments) = comments {
        consumer.stage.keep_lines_of(comments);
        // Parts do not know the comments.
        consumer.layout = layout.unjoined();
    }
    let result = first_error(input, options, &mut consumer);
    consumer.stage.finish()?;
    result
}

pub use comments::pretty_with_comments;
pub use comments::pretty_with_comments_difference;
pub use compare::pretty_difference;
pub use layout::Layout;

/// Bytes copied at once, needed or not. Most pieces of text and most gaps are shorter.
const COPY: usize = 32;

/// A block without its whitespace, followed by room for copies that read too far.
type CompressedBlock = [u8; 64 + COPY];

/// Bytes of room after the output, for copies that write too far.
const ROOM: usize = 64;

/// The source of gaps: a line break and indentation. A gap is copied from the first byte on, and continued from the
/// second.
type Filler = [u8; COPY + 1];

/// Masks of a block of 64 bytes.
#[derive(Clone, Copy)]
struct Outline {
    /// The bytes that are kept.
    keep: u64,
    /// The bytes that a gap precedes; a subset of `keep`.
    marks: u64,
    /// The bytes whose gap is a single space; a subset of `marks`.
    flat: u64,
    /// The bytes after which the level rises.
    rises: u64,
    /// The bytes before which the level falls.
    falls: u64,
}

impl Outline {
    /// Returns the width of the gap before a mark, given as a single bit, in a block that begins at `level`. Each level adds `unit`
    /// bytes. Returns `None` if the gap is a single space.
    #[inline(always)]
    fn gap(&self, mark: u64, level: i64, unit: u32) -> Option<u64> {
        let before = mark - 1;
        let rises = i64::from((self.rises & before).count_ones());
        let falls = i64::from((self.falls & (mark | before)).count_ones());
        let level = (level + rises - falls).max(0).cast_unsigned();
        (self.flat & mark == 0).then(|| 1 + u64::from(unit) * level)
    }

    /// Returns the change of the level from the start of the block to its end.
    #[inline(always)]
    fn climb(&self) -> i64 {
        i64::from(self.rises.count_ones()) - i64::from(self.falls.count_ones())
    }
}

struct Indent<'w> {
    stage: Stage<'w>,
    framing: Framing,
    layout: Layout,
    unit: u32,
    filler: Filler,
    /// Number of open containers after what was taken, and after what was released.
    level: i64,
    released_level: i64,
    /// Whether the root value is yet to come; it has no gap in front of it.
    at_root: bool,
    released_at_root: bool,
    /// Places in the output that the stage needs for sorting, and whether each is a member value.
    places: Vec<(usize, bool)>,
}

impl<'w> Indent<'w> {
    fn new(stage: Stage<'w>, layout: Layout, options: &Options) -> Self {
        let mut filler = [layout.filler; _];
        filler[0] = b'\n';
        Self {
            stage: stage.fitting(layout.fit(), options),
            framing: options.framing,
            layout,
            unit: layout.unit,
            filler,
            level: 0,
            released_level: 0,
            at_root: true,
            released_at_root: true,
            places: Vec::new(),
        }
    }

    /// Returns the width of the widest gap the next event may have if the level first rises by `rises`.
    #[inline(always)]
    fn widest_gap(&self, rises: u32) -> u64 {
        (self.level.max(0).cast_unsigned() + u64::from(rises)).saturating_mul(u64::from(self.unit)).saturating_add(1)
    }

    /// Lays out a tile. The last `surplus` bytes do not belong to the document.
    #[inline(always)]
    fn lay_out<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], surplus: usize) {
        let mut active = tile.active().peekable();
        for (place, superblock) in bytes.chunks_exact(K::SUPERBLOCK).enumerate() {
            let Some((_, masks, layout)) = active.next_if(|(active, ..)| *active == place) else {
                // Wholly inside a string.
                self.stage.push(superblock);
                continue;
            };
            let (rises, events) = kernel.balance(masks.open, kernel.splat(0), layout.events);
            let width = self.widest_gap(rises.cast_unsigned()).saturating_mul(u64::from(events));
            let [.., b5, _, _] = tile.planes(place + 1)[place];
            // Between lines that are read as elements of an array, the gap of the next event is enough, so line breaks
            // that act as commas are removed.
            let line_break = masks.comma & !b5;
            let outlines = self.outlines(superblock, masks, line_break, layout);
            let (blocks, _) = superblock.as_chunks();
            self.write_blocks(kernel, blocks.iter().zip(outlines), width);
        }
        // mutant:
        self.stage.unstage(surplus);
    }

    /// Returns the masks of each block, without the gap of the root.
    #[inline(always)]
    fn outlines<W: Word>(
        &mut self,
        superblock: &[u8],
        masks: &Masks<W>,
        line_break: W,
        layout: &crate::grammar::Layout<W>,
    ) -> impl Iterator<Item = Outline> + use<W> {
        // mutant: let keep = lanes(!masks.whitespace);
        let keep = lanes(!masks.whitespace & !line_break);
        let mut marks = lanes(layout.events);
        let flat = lanes(layout.spaces);
        let rises = lanes(masks.open);
        let falls = lanes(masks.close);
        if self.at_root
            && let Some((lane, marks)) = marks.iter_mut().enumerate().find(|(_, marks)| **marks != 0)
        {
            let root = superblock[64 * lane + marks.trailing_zeros() as usize];
            // mutant:
            *marks &= *marks - 1;
            self.at_root = false;
            if self.stage.is_sorting() && affects_sorting(root) {
                self.places.push((0, false));
            }
        }
        (0..W::LANES).map(move |lane| Outline {
            keep: keep[lane],
            marks: marks[lane],
            flat: flat[lane],
            rises: rises[lane],
            falls: falls[lane],
        })
    }

    /// Stages blocks piece by piece: the text in front of an event, the gap, and so on. `width` is the maximum total
    /// width of the gaps.
    #[inline(always)]
    fn write_blocks<'b, K: Kernel>(
        &mut self,
        kernel: K,
        blocks: impl Iterator<Item = (&'b [u8; 64], Outline)>,
        width: u64,
    ) {
        let room = usize::try_from(width).unwrap_or(usize::MAX).saturating_add(K::SUPERBLOCK + ROOM);
        let is_sorting = self.stage.is_sorting();
        let Some(out) = self.stage.space(room) else { return };
        let mut filled = 0;
        for (block, outline) in blocks {
            let mut text: CompressedBlock = [0; _];
            let Some(compressed) = text.first_chunk_mut() else { return };
            let length = kernel.compress_block(block, outline.keep, compressed);
            let (mut from, mut rest) = (0, outline.marks);
            while rest != 0 {
                let mark = rest & rest.wrapping_neg();
                rest ^= mark;
                let place = kernel.count(outline.keep & (mark - 1)) as usize;
                copy(&mut out[filled..], &text, from, place - from);
                filled += place - from;
                from = place;
                let gap = outline.gap(mark, self.level, self.unit);
                filled += fill(&mut out[filled..], &self.filler, gap);
                if is_sorting && (gap.is_none() || affects_sorting(text[place])) {
                    self.places.push((filled, gap.is_none()));
                }
            }
            copy(&mut out[filled..], &text, from, length - from);
            filled += length - from;
            self.level += outline.climb();
        }
        for (place, is_value) in self.places.drain(..) {
            self.stage.mark(place, is_value);
        }
        self.stage.advance(filled);
    }
}

/// Whether the stage needs to know a value or closing bracket that begins with this byte, whatever its context.
fn affects_sorting(first: u8) -> bool {
    matches!(first, b'{' | b'}' | b'"')
}

/// Copies `length` bytes of text; may write more bytes after them.
#[inline(always)]
fn copy(out: &mut [u8], text: &CompressedBlock, from: usize, length: usize) {
    let from = from % 64;
    out[..COPY].copy_from_slice(&text[from..from + COPY]);
    if length > COPY {
        let from = (from + COPY) % 64;
        out[COPY..2 * COPY].copy_from_slice(&text[from..from + COPY]);
    }
}

/// Writes a gap of `width`, or a space if it is `None`; may write more bytes after it. Returns its width.
#[inline(always)]
fn fill(out: &mut [u8], filler: &Filler, width: Option<u64>) -> usize {
    let Some(width) = width else {
        out[0] = b' ';
        return 1;
    };
    let width = usize::try_from(width).unwrap_or(usize::MAX);
    out[..COPY].copy_from_slice(&filler[..COPY]);
    let mut done = COPY;
    while done < width {
        out[done..done + COPY].copy_from_slice(&filler[1..]);
        done += COPY;
    }
    width
}

impl LineConsumer for Indent<'_> {
    fn end_lines(&mut self) {
        // A batch may contain only empty lines.
        // mutant: if true {
        if !self.at_root {
            self.stage.push(b"\n");
        }
    }
}

impl Divisible for Indent<'_> {
    type Factory = IndentFactory;

    fn factory(&self) -> IndentFactory {
        IndentFactory(self.layout)
    }

    fn divides_records(&self, options: &Options) -> bool {
        self.stage.divides_records(options)
    }

    fn division(&self) -> Division {
        self.stage.division()
    }

    fn join(&mut self, output: &Output, level: i64) -> Result<bool, Error> {
        (self.level, self.released_level) = (level, level);
        self.stage.write_through(output).map(|()| true)
    }
}

/// Creates consumers of parts with this layout. A part has no framing.
#[derive(Clone, Copy)]
struct IndentFactory(Layout);

impl ConsumerFactory for IndentFactory {
    type Part = Indent<'static>;
    type Output = Output;

    fn part(self, options: &Options, memory: Output) -> Indent<'static> {
        let Self(layout) = self;
        let part = Indent::new(Stage::in_memory(memory, options, layout.unit), layout, options);
        Indent { framing: Framing::Document, ..part }
    }

    fn into_output(part: Indent<'static>) -> Option<Output> {
        part.stage.into_output()
    }
}

impl ChunkFactory for IndentFactory {
    const LEVELS: bool = true;

    fn enter(part: &mut Indent<'static>, level: i64) {
        (part.level, part.released_level) = (level, level);
        (part.at_root, part.released_at_root) = (false, false);
        part.stage.stop_fitting();
    }
}

impl Consumer for Indent<'_> {
    const LAYOUT: bool = true;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        self.level = 0;
        self.at_root = true;
        self.stage.skip_to(offset, skipped)?;
        begin_document(&mut self.stage, self.framing)?;
        self.release(&[])
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        self.stage.set_source(kernel, tile.planes(bytes.len() / K::SUPERBLOCK));
        let padded = length < bytes.len() && tile.ends_in_string(bytes.len() / K::SUPERBLOCK);
        self.lay_out(kernel, tile, bytes, if padded { bytes.len() - length } else { 0 });
    }

    fn held(&self) -> usize {
        self.stage.held()
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.released_level = self.level;
        self.released_at_root = self.at_root;
        let widest = usize::try_from(self.widest_gap(0)).unwrap_or(usize::MAX);
        self.stage.release(text, widest)
    }

    fn discard(&mut self) {
        self.level = self.released_level;
        self.at_root = self.released_at_root;
        self.stage.discard();
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.stage.write()
    }

    fn end(&mut self) -> Result<(), Error> {
        self.stage.push(b"\n");
        self.release(&[])
    }
}
