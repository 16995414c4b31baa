//! Minification: removes insignificant whitespace by compressing tiles.
//!
//! Numbers and strings are copied unchanged. Compressing is the last phase of a tile, so nothing of an invalid tile is
//! copied.

#![forbid(unsafe_code)]

use std::io::Write;

use crate::error::Error;
use crate::framing::begin_document;
use crate::grammar::Tile;
use crate::input::Input;
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
use crate::scan::MAX_STAGED;
use crate::scan::minify_short;
use crate::sink::Division;
use crate::sink::Output;
use crate::sink::Stage;

/// Copies `input` to `sink` without insignificant whitespace and validates it on the way. Memory stays bounded.
///
/// No line break follows a single document of [`Framing::Document`](crate::Framing::Document) or
/// [`Framing::Documents`](crate::Framing::Documents), unless [`Options::final_newline`](crate::Options::final_newline) is
/// set. Otherwise a line break follows each document; in a JSON text sequence, a record separator also precedes it.
///
/// # Errors
/// Returns the first error of the first invalid document; everything before the error has then been written in minified
/// form. Or returns an error of reading or writing.
///
/// ```
/// let mut sink = Vec::new();
/// fjson::minify("{ \"a\" : [ 1.50, \"\\u00e9\" ] }", &mut sink, &fjson::Options::new())?;
/// assert_eq!(sink, b"{\"a\":[1.50,\"\\u00e9\"]}");
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn minify<'a>(input: impl Into<Input<'a>>, mut sink: impl Write, options: &Options) -> Result<Summary, Error> {
    let mut input = input.into();
    if options.keeps_tokens() {
        let written = minify_short(&input, options, |output, summary| {
            sink.write_all(output).map_err(|cause| Error::write(cause, 0))?;
            sink.flush().map_err(|cause| Error::write(cause, output.len() as u64))?;
            Ok(summary)
        });
        if let Some(result) = written {
            return result;
        }
    }
    let stage = Stage::new(&mut sink, input.bytes().len(), options, 0);
    let (mut stage, result) = compress_all(stage, &mut input, options);
    stage.end(&result)?;
    stage.finish()?;
    result
}

/// Compares `input` with what [`minify`] would write. Returns `None` if they are equal, and otherwise the offset of the
/// first byte that differs. If the input is a prefix of the output, that is the length of the input.
///
/// # Errors
/// Returns the first error of the first invalid document, or an error of reading.
///
/// ```
/// use fjson::{Options, minified_difference};
///
/// assert_eq!(minified_difference("[1,2]", &Options::new())?, None);
/// assert_eq!(minified_difference("[1, 2]", &Options::new())?, Some(3));
/// assert_eq!(minified_difference("[1,2]\n", &Options::new())?, Some(5));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn minified_difference<'a>(input: impl Into<Input<'a>>, options: &Options) -> Result<Option<u64>, Error> {
    let mut input = input.into();
    let start = input.start();
    let stage = Stage::comparing(start, input.bytes().len(), options, 0);
    let (mut stage, result) = compress_all(stage, &mut input, options);
    stage.end(&result)?;
    stage.first_difference(start + result?.bytes, options.framing.terminator())
}

/// Writes the minified documents of `input` to the stage.
fn compress_all<'w>(stage: Stage<'w>, input: &mut Input<'_>, options: &Options) -> (Stage<'w>, Result<Summary, Error>) {
    let stage = stage.hold_first_break(options.holds_first_break());
    if stage.is_sorting() {
        compress_marked::<true>(stage, input, options)
    } else {
        compress_marked::<false>(stage, input, options)
    }
}

fn compress_marked<'w, const MARKS: bool>(
    stage: Stage<'w>,
    input: &mut Input<'_>,
    options: &Options,
) -> (Stage<'w>, Result<Summary, Error>) {
    let (framing, ends_lines) = (options.framing, options.ends_lines());
    let mut consumer = Compress::<MARKS> { framing, ends_lines, ..Compress::of_part(stage, options) };
    let result = first_error(input, options, &mut consumer);
    (consumer.stage, result)
}

/// A consumer that compresses tiles to the stage. With `MARKS`, it also marks the places that sorting needs: brackets
/// of objects, keys and other strings, and the first bytes of member values.
struct Compress<'w, const MARKS: bool> {
    stage: Stage<'w>,
    framing: Framing,
    /// Whether a line break follows each document.
    ends_lines: bool,
    /// Whether numbers are written in their canonical form. This requires marks.
    is_canonical: bool,
    /// Offset of the text that has not been released.
    offset: u64,
    /// Greatest number of bytes of memory for a number.
    limit: u64,
}

/// Number of copies in memory of a number that is written in its canonical form: as read, on the stage, and in the sorter.
const COPIES: u64 = 3;

/// Length above which text that is held is a single number.
const NUMBER: usize = 2 * MAX_STAGED;

impl<'w, const MARKS: bool> Compress<'w, MARKS> {
    /// Creates the consumer of a part, which has no framing.
    fn of_part(stage: Stage<'w>, options: &Options) -> Self {
        Self {
            stage,
            framing: Framing::Document,
            ends_lines: false,
            is_canonical: options.canonical,
            offset: 0,
            limit: options.max_memory,
        }
    }

    /// Rejects a long number that takes too much memory until it is written.
    fn check_cost(&self) -> Result<(), Error> {
        let held = self.stage.held();
        if self.is_canonical && held > NUMBER && COPIES.saturating_mul(held as u64) > self.limit {
            return Err(Error::token_limit(self.limit, self.offset));
        }
        Ok(())
    }

    /// Marks the places of a tile at the offsets they will have in the output.
    #[inline(always)]
    fn mark<K: Kernel>(&mut self, tile: &Tile<K>, bytes: &[u8]) {
        let mut length = 0;
        let mut active = tile.active().peekable();
        for place in 0..bytes.len() / K::SUPERBLOCK {
            let Some((_, masks, layout)) = active.next_if(|(active, ..)| *active == place) else {
                length += K::SUPERBLOCK;
                continue;
            };
            let keep = lanes(!masks.whitespace);
            let marks =
                lanes((masks.open | masks.close) & masks.curly | masks.quotes & masks.in_string | layout.spaces);
            let values = lanes(layout.spaces);
            let numbers = lanes(masks.scalar_start & !masks.letter);
            for lane in 0..K::SUPERBLOCK / 64 {
                let before = |mark: u64| (keep[lane] & (mark - 1)).count_ones() as usize;
                let mut rest = marks[lane];
                while rest != 0 {
                    let mark = rest & rest.wrapping_neg();
                    rest ^= mark;
                    self.stage.mark(length + before(mark), values[lane] & mark != 0);
                }
                let mut rest = if self.is_canonical { numbers[lane] } else { 0 };
                while rest != 0 {
                    let mark = rest & rest.wrapping_neg();
                    rest ^= mark;
                    self.stage.mark_number(length + before(mark));
                }
                length += keep[lane].count_ones() as usize;
            }
        }
    }
}

/// The line breaks between records are copied like commas.
impl<const MARKS: bool> LineConsumer for Compress<'_, MARKS> {}

impl<const MARKS: bool> Divisible for Compress<'_, MARKS> {
    type Factory = CompressFactory<MARKS>;

    fn factory(&self) -> CompressFactory<MARKS> {
        CompressFactory
    }

    fn divides_records(&self, options: &Options) -> bool {
        self.stage.divides_records(options)
    }

    fn division(&self) -> Division {
        self.stage.division()
    }

    fn join(&mut self, output: &Output, _: i64) -> Result<bool, Error> {
        self.stage.write_through(output).map(|()| true)
    }
}

/// Creates consumers of parts. A part has no framing.
#[derive(Clone, Copy)]
struct CompressFactory<const MARKS: bool>;

impl<const MARKS: bool> ConsumerFactory for CompressFactory<MARKS> {
    type Part = Compress<'static, MARKS>;
    type Output = Output;

    fn part(self, options: &Options, memory: Output) -> Self::Part {
        Compress::of_part(Stage::in_memory(memory, options, 0), options)
    }

    fn into_output(part: Self::Part) -> Option<Output> {
        part.stage.into_output()
    }
}

impl<const MARKS: bool> ChunkFactory for CompressFactory<MARKS> {
    const LEVELS: bool = false;

    fn enter(_: &mut Compress<'static, MARKS>, _: i64) {}
}

impl<const MARKS: bool> Consumer for Compress<'_, MARKS> {
    const LAYOUT: bool = MARKS;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        self.offset = offset;
        self.stage.skip_to(offset, skipped)?;
        begin_document(&mut self.stage, self.framing)
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        self.stage.set_source(kernel, tile.planes(bytes.len() / K::SUPERBLOCK));
        if MARKS {
            self.mark(tile, bytes);
        }
        if let Some(space) = self.stage.space(bytes.len() + 64) {
            let filled = compress(kernel, tile, bytes, length, space);
            self.stage.advance(filled);
        }
    }

    fn held(&self) -> usize {
        self.stage.held()
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.check_cost()?;
        self.offset += text.len() as u64;
        self.stage.release(text, 0)
    }

    fn skip(&mut self, length: u64) {
        self.offset += length;
    }

    fn discard(&mut self) {
        self.stage.discard();
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.check_cost()?;
        self.stage.write()
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.ends_lines {
            self.stage.push(b"\n");
        }
        self.stage.release(b"", 0)
    }
}

/// Copies the bytes of a tile that are not whitespace to the front of `space`. Returns their number. `space` must be at
/// least 64 bytes longer than `bytes`.
#[inline(always)]
fn compress<K: Kernel>(kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize, space: &mut [u8]) -> usize {
    // Superblocks that are wholly inside a string have no whitespace.
    let mut whitespace = K::per_superblock(kernel.splat(0));
    for (place, masks, _) in tile.active() {
        whitespace.as_mut()[place] = masks.whitespace;
    }
    let mut filled = 0;
    for (superblock, &whitespace) in bytes.chunks_exact(K::SUPERBLOCK).zip(whitespace.as_ref()) {
        if whitespace.any() {
            filled += kernel.compress(superblock, !whitespace, &mut space[filled..]);
        } else {
            space[filled..filled + K::SUPERBLOCK].copy_from_slice(superblock);
            filled += K::SUPERBLOCK;
        }
    }
    // If the text ends inside a string, its padding looks like part of the string.
    if length < bytes.len() && tile.ends_in_string(bytes.len() / K::SUPERBLOCK) {
        filled -= bytes.len() - length;
    }
    filled
}
