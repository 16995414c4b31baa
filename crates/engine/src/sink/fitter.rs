//! Joins the lines of containers that fit on one line: takes validated text in its final layout, with each value on a line of its own.
//!
//! Lines show everything that is needed: one that ends in a bracket opens a container, one that begins with a bracket closes it, and
//! the number of open containers gives the indentation. Strings contain no line breaks. When a container is closed, its length in one
//! line is known. If it fits, its range in the text is kept, and ranges within it are dropped. Text is held from the outermost open
//! container on that may still fit; what is before it is written, with the lines of each range joined. Where comments will be inserted
//! into the text, a container whose lines they need is not joined.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::io::Write;
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use crate::input::KeptComments;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;

/// Number of bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// Which containers are written on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fit {
    /// The greatest number of characters of the line.
    pub(crate) width: u32,
    /// Whether only arrays are, of which no element is a container.
    pub(crate) only_arrays: bool,
    /// Bytes of indentation per level, which one they are, and how many columns each takes.
    pub(crate) unit: u32,
    pub(crate) filler: u8,
    pub(crate) filler_columns: u32,
}

impl Fit {
    fn indentation(&self, level: usize) -> usize {
        level.saturating_mul(self.unit as usize)
    }

    fn columns(&self, level: usize) -> u64 {
        (level as u64).saturating_mul(u64::from(self.unit)).saturating_mul(u64::from(self.filler_columns))
    }

    /// Returns how many columns fit on a line after its indentation, if any do.
    fn room(&self, level: usize) -> Option<u64> {
        u64::from(self.width).checked_sub(self.columns(level))
    }

    /// Returns a number of bytes that no line exceeds which fits, or which closes a container. A character has at most four bytes.
    fn longest(&self, level: usize) -> usize {
        self.indentation(level).saturating_add(4 * self.width as usize + 4)
    }
}

/// A container that is open.
struct Open {
    /// Position in the held text of its line, after the indentation.
    start: usize,
    /// The last column at which it fits, counted from the start of all text in one line. 0 if it does not.
    limit: u64,
    /// Its number, from 1.
    number: u64,
}

/// The last bytes of a line.
type LineEnd = [u8; 3];

/// Writes text with containers that fit on one line. Pieces of text may end anywhere.
pub(super) struct Fitter {
    fit: Fit,
    isa: Isa,
    /// Text that is held, and how much of it has been written.
    text: Vec<u8>,
    written: usize,
    /// Position in it of the line that has begun.
    begun: usize,
    /// The end of that line so far if its beginning has been written, because it is too long to fit.
    long: Option<LineEnd>,
    /// Number of containers that are open at the start of that line.
    level: usize,
    /// The innermost of them, from the outermost on that may still fit.
    open: VecDeque<Open>,
    /// The ranges of the text that are written on one line.
    fitting: Vec<Range<usize>>,
    /// Number of bytes of all complete lines in one line.
    bytes: u64,
    /// Number of bytes of them that continue a character, and so take no column.
    continuing: u64,
    lines: Lines,
    out: Vec<u8>,
    /// The comments that will be inserted.
    comments: Option<Rc<RefCell<KeptComments>>>,
    /// Number of containers that have begun.
    containers: u64,
}

impl Fitter {
    pub(super) fn new(fit: Fit, isa: Isa) -> Self {
        Self {
            comments: None,
            containers: 0,
            fit,
            isa,
            text: Vec::new(),
            written: 0,
            begun: 0,
            long: None,
            level: 0,
            open: VecDeque::new(),
            fitting: Vec::new(),
            bytes: 0,
            continuing: 0,
            lines: Lines::default(),
            out: Vec::new(),
        }
    }

    /// Keeps the lines that these comments need, which will be inserted into the text.
    pub(super) fn with_comments(self, comments: Rc<RefCell<KeptComments>>) -> Self {
        comments.borrow_mut().note_containers();
        Self { comments: Some(comments), ..self }
    }

    /// Returns a number of bytes that is not less than the output of what is held.
    pub(super) fn held(&self) -> usize {
        self.text.len() - self.written
    }

    /// Writes `text` with containers joined.
    pub(super) fn write(&mut self, text: &[u8], writer: &mut dyn Write) -> io::Result<()> {
        for piece in text.chunks(PIECE) {
            let end = self.read(piece)?;
            self.write_until(end, writer)?;
        }
        Ok(())
    }

    /// Ends the text, which an error may have ended inside a container. Containers that are not complete are not joined.
    pub(super) fn finish(&mut self, writer: &mut dyn Write) -> io::Result<()> {
        self.begun = self.text.len();
        self.open.clear();
        self.write_until(self.begun, writer)
    }

    /// Adds a piece of text. Returns where the text ends that can be written.
    fn read(&mut self, piece: &[u8]) -> io::Result<usize> {
        let mut lines = mem::take(&mut self.lines);
        self.isa.run(List { text: piece, lines: &mut lines })?;
        let base = self.text.len();
        self.text.try_reserve(piece.len())?;
        self.text.extend_from_slice(piece);
        let mut ends = lines.ends.iter().map(|&end| end as usize);
        if let Some(last) = self.long {
            let end = ends.next();
            let part = &piece[..end.unwrap_or(piece.len())];
            self.bytes += part.len() as u64;
            let last = line_end(last, part);
            self.long = end.is_none().then_some(last);
            self.begun = end.map_or(piece.len(), |end| end + 1);
            if end.is_some() && matches!(last, [.., b'[' | b'{']) {
                self.open(0, 0, u64::MAX)?;
            } else if end.is_some() {
                self.containers += u64::from(has_empty_container(&last));
            }
        }
        let before = self.continuing;
        for end in ends {
            self.line(base + end, || before + lines.continuing(piece, end))?;
        }
        self.continuing = before + lines.continuing(piece, piece.len());
        self.lines = lines;
        Ok(if self.long.is_some() { self.text.len() } else { self.held_from() })
    }

    /// Reads the line that has begun, and ends at the position `end`. `continuing` returns the number of bytes that continue a
    /// character before its end.
    #[inline]
    fn line(&mut self, end: usize, continuing: impl Fn() -> u64) -> io::Result<()> {
        let indented = self.begun + self.fit.indentation(self.level);
        let outer = indented - if self.level > 0 { self.fit.unit as usize } else { 0 };
        let closes = self.level > 0 && matches!(self.text.get(outer), Some(b']' | b'}'));
        let start = if closes { outer } else { indented }.min(end);
        let last = self.text[..end].last().copied().unwrap_or_default();
        self.begun = end + 1;
        self.bytes += (end - start) as u64;
        if closes {
            self.level -= 1;
            if let Some(open) = self.open.pop_back()
                // mutant: && self.bytes.saturating_sub(continuing()) < open.limit
                && self.bytes.saturating_sub(continuing()) <= open.limit
                && self.comments.as_ref().is_none_or(|comments| comments.borrow().can_join(open.number))
            {
                while self.fitting.pop_if(|range| range.start > open.start).is_some() {}
                self.fitting.try_reserve(1)?;
                self.fitting.push(open.start..end);
            }
        } else if matches!(last, b'[' | b'{') {
            let columns = columns(&self.text[start..end]);
            let column = self.bytes.saturating_sub(continuing());
            let limit = match self.fit.room(self.level) {
                Some(room) if last == b'[' || !self.fit.only_arrays => {
                    column.saturating_sub(columns).saturating_add(room)
                }
                _ => 0,
            };
            self.open(start, limit, column)?;
        } else if self.comments.is_some() {
            self.containers += u64::from(has_empty_container(&self.text[start..end]));
        }
        self.bytes += u64::from(last == b',');
        Ok(())
    }

    /// Opens a container with this limit; `column` is the one after its bracket.
    fn open(&mut self, start: usize, limit: u64, column: u64) -> io::Result<()> {
        if self.fit.only_arrays
            && let Some(outer) = self.open.back_mut()
        {
            outer.limit = 0;
        }
        self.forget(column);
        self.containers += 1;
        if self.open.is_empty()
            && let Some(comments) = &self.comments
        {
            comments.borrow_mut().forget_containers(self.containers);
        }
        self.open.try_reserve(1)?;
        self.open.push_back(Open { start, limit, number: self.containers });
        self.level += 1;
        Ok(())
    }

    /// Forgets the outermost containers that do not fit if the text goes on after `column`.
    fn forget(&mut self, column: u64) {
        while self.open.pop_front_if(|open| open.limit < column).is_some() {}
    }

    /// Returns the position from which on text must be held.
    fn held_from(&mut self) -> usize {
        let begun = self.text.len() - self.begun;
        let indentation = self.fit.indentation(self.level);
        self.forget((self.bytes + begun.saturating_sub(indentation) as u64).saturating_sub(self.continuing));
        // mutant: if begun > 4 * self.fit.width as usize {
        if begun > self.fit.longest(self.level) {
            self.long = Some(line_end(LineEnd::default(), &self.text[self.begun..]));
            self.bytes += begun as u64;
            return self.text.len();
        }
        self.open.front().map_or(self.begun, |open| open.start)
    }

    /// Writes the held text up to a position.
    fn write_until(&mut self, end: usize, writer: &mut dyn Write) -> io::Result<()> {
        let count = self.fitting.partition_point(|range| range.start < end);
        if count == 0 {
            writer.write_all(&self.text[self.written..end])?;
        } else {
            self.out.clear();
            self.out.try_reserve(end - self.written)?;
            let mut at = self.written;
            for range in self.fitting.drain(..count) {
                self.out.extend_from_slice(&self.text[at..range.start]);
                at = range.end;
                join(&self.text[range], self.fit.filler, &mut self.out);
            }
            self.out.extend_from_slice(&self.text[at..end]);
            writer.write_all(&self.out)?;
        }
        self.written = end;
        // What is moved is less than what has been written, so that moving takes linear time.
        if end >= self.text.len() / 2 {
            self.text.drain(..end);
            self.written = 0;
            self.begun = self.begun.saturating_sub(end);
            for open in &mut self.open {
                open.start -= end;
            }
            for range in &mut self.fitting {
                *range = range.start - end..range.end - end;
            }
        }
        Ok(())
    }
}

/// Returns the end of a line with this end and more text after it.
fn line_end(before: LineEnd, text: &[u8]) -> LineEnd {
    let mut last = before;
    for &byte in &text[text.len().saturating_sub(last.len())..] {
        last = [last[1], last[2], byte];
    }
    last
}

/// Whether a line ends with an empty container, and perhaps a comma.
fn has_empty_container(line: &[u8]) -> bool {
    let line = line.strip_suffix(b",").unwrap_or(line);
    line.ends_with(b"[]") || line.ends_with(b"{}")
}

/// Writes lines as one line.
fn join(lines: &[u8], filler: u8, out: &mut Vec<u8>) {
    let mut rest = lines;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        out.extend_from_slice(&rest[..end]);
        if rest[..end].ends_with(b",") {
            out.push(b' ');
        }
        rest = &rest[end + 1..];
        let indentation = rest.iter().take_while(|&&byte| byte == filler).count();
        rest = &rest[indentation..];
    }
    out.extend_from_slice(rest);
}

/// Returns the number of characters of a text.
fn columns(text: &[u8]) -> u64 {
    (text.len() - continuing(text)) as u64
}

/// Returns the number of bytes of a text that continue a character.
#[inline(always)]
fn continuing(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0b1100_0000 == 0b1000_0000).count()
}

/// The lines of a piece of text.
#[derive(Default)]
struct Lines {
    /// Positions of the line feeds.
    ends: Vec<u32>,
    /// For each block of 64 bytes, the number of bytes before it that continue a character. Empty if the piece has none.
    continuing: Vec<u32>,
}

impl Lines {
    /// Returns the number of bytes before a position that continue a character.
    fn continuing(&self, text: &[u8], end: usize) -> u64 {
        let block = end / 64;
        self.continuing.get(block).map_or(0, |&before| u64::from(before) + continuing(&text[64 * block..end]) as u64)
    }
}

/// Finds the lines of a text.
struct List<'t> {
    text: &'t [u8],
    lines: &'t mut Lines,
}

impl Pass for List<'_> {
    type Output = io::Result<()>;

    #[expect(clippy::cast_possible_truncation, reason = "a piece is short")]
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> io::Result<()> {
        let Self { text, lines: Lines { ends, continuing: before } } = self;
        let mut count = 0;
        let (blocks, rest) = text.as_chunks::<64>();
        let mut last = [0; 64];
        last[..rest.len()].copy_from_slice(rest);
        let blocks = blocks.iter().chain([&last]);
        for (number, block) in blocks.clone().enumerate() {
            if ends.len() < count + 64 {
                ends.try_reserve(count.max(64))?;
                ends.resize(count + count.max(64), 0);
            }
            count += kernel.list(kernel.equal(block, b'\n'), 64 * number as u32, &mut ends[count..]);
        }
        ends.truncate(count);
        before.clear();
        if !text.is_ascii() {
            before.try_reserve(text.len() / 64 + 1)?;
            let mut sum = 0;
            for block in blocks {
                before.push(sum);
                sum += continuing(block) as u32;
            }
        }
        Ok(())
    }
}
