//! Joins the lines of containers that fit on one line: takes validated text in its final layout, with each value on a line of its own.
//!
//! Lines show everything that is needed: one that ends in a bracket opens a container, one that begins with a bracket closes it, and
//! the number of open containers gives the indentation. Strings contain no line breaks. The lines from an opening bracket on are held
//! as long as they may fit. If they do not, the line with the bracket is written, and the next container in it is the first that may
//! still fit. So each line is held and written once, and no more is held than fits on a line.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::io;
use std::io::Write;

use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;

/// Number of bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// Number of lines that have been written before their memory is reused.
const STALE: usize = 1024;

/// Stands for the index of the line that closes a container which is still open.
const OPEN: u32 = u32::MAX;

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

    /// Whether a line with this many columns after the indentation fits.
    fn fits(&self, level: usize, columns: u32) -> bool {
        // mutant: self.columns(level).saturating_add(u64::from(columns)) < u64::from(self.width)
        self.columns(level).saturating_add(u64::from(columns)) <= u64::from(self.width)
    }

    /// Whether the container that this line opens may be written on one line.
    fn admits(&self, content: &[u8]) -> bool {
        !self.only_arrays || content.ends_with(b"[")
    }
}

/// A line that is held. Its text is a part of the text of all lines in one line.
#[derive(Clone, Copy)]
struct Line {
    /// Its range in that text, in bytes and in columns.
    start: u32,
    end: u32,
    start_column: u32,
    end_column: u32,
    /// Index of the line that closes the container that this one opens, or [`OPEN`].
    closed_at: u32,
}

/// Writes text with containers that fit on one line. Pieces of text may end anywhere.
pub(super) struct Fitter {
    fit: Fit,
    isa: Isa,
    /// Number of containers that are open after the last line.
    level: usize,
    /// The line that has begun.
    begun: Vec<u8>,
    /// Whether its beginning has been written, because it is too long to be joined with others, and the last byte of it.
    is_long: bool,
    last: u8,
    /// The lines that are held, from the index `head` on, and their text in one line.
    lines: Vec<Line>,
    head: usize,
    joined: Vec<u8>,
    /// Number of containers that are open before the first of them.
    head_level: usize,
    /// Indexes of held lines whose containers are open.
    open: VecDeque<u32>,
    /// Ends of the lines of a piece.
    ends: Vec<u32>,
    out: Vec<u8>,
}

impl Fitter {
    pub(super) fn new(fit: Fit, isa: Isa) -> Self {
        Self {
            fit,
            isa,
            level: 0,
            begun: Vec::new(),
            is_long: false,
            last: 0,
            lines: Vec::new(),
            head: 0,
            joined: Vec::new(),
            head_level: 0,
            open: VecDeque::new(),
            ends: Vec::new(),
            out: Vec::new(),
        }
    }

    /// Returns a number of bytes that is not less than the output of what is held.
    pub(super) fn held(&self) -> usize {
        let lines = self.lines.len() - self.head;
        let indented = lines.saturating_mul(self.fit.indentation(self.level + lines).saturating_add(1));
        (self.joined.len() + self.begun.len()).saturating_add(indented)
    }

    /// Writes `text` with containers joined.
    pub(super) fn write(&mut self, text: &[u8], writer: &mut dyn Write) -> io::Result<()> {
        for piece in text.chunks(PIECE) {
            self.out.clear();
            self.out.try_reserve(piece.len())?;
            self.piece(piece)?;
            writer.write_all(&self.out)?;
        }
        Ok(())
    }

    /// Ends the text, which an error may have ended inside a container. Containers that are not complete are not joined.
    pub(super) fn finish(&mut self, writer: &mut dyn Write) -> io::Result<()> {
        self.out.clear();
        self.release_all()?;
        let begun = std::mem::take(&mut self.begun);
        writer.write_all(&self.out)?;
        writer.write_all(&begun)
    }

    fn piece(&mut self, piece: &[u8]) -> io::Result<()> {
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        self.isa.run(LineEnds { text: piece, ends: &mut ends })?;
        let is_ascii = piece.is_ascii();
        let mut rest = ends.iter().map(|&end| end as usize);
        let mut start = 0;
        if self.is_long || !self.begun.is_empty() {
            if let Some(end) = rest.next() {
                start = end + 1;
                self.end_begun(&piece[..end])?;
            } else {
                self.begin(piece)?;
                self.ends = ends;
                return Ok(());
            }
        }
        // The lines from `unchanged` on are copied as they are.
        let mut unchanged = start;
        for end in rest {
            let line = &piece[start..end];
            let holds = self.is_holding();
            let (closes, content) = self.split(line);
            let opens = matches!(content.last(), Some(b'[' | b'{'));
            if holds || opens && self.fit.admits(content) {
                self.out.extend_from_slice(&piece[unchanged..start]);
                unchanged = start;
                if self.hold(content, opens, closes, is_ascii)? {
                    unchanged = end + 1;
                }
            }
            self.level = (self.level + usize::from(opens)).saturating_sub(usize::from(closes));
            start = end + 1;
        }
        self.out.extend_from_slice(&piece[unchanged..start]);
        self.ends = ends;
        self.begin(&piece[start..])
    }

    fn is_holding(&self) -> bool {
        self.head < self.lines.len()
    }

    /// Returns whether a line closes a container, and the line without its indentation.
    #[inline]
    fn split<'l>(&self, line: &'l [u8]) -> (bool, &'l [u8]) {
        if let Some(outer) = self.level.checked_sub(1)
            && let Some(content @ [b']' | b'}', ..]) = line.get(self.fit.indentation(outer)..)
        {
            return (true, content);
        }
        (false, line.get(self.fit.indentation(self.level)..).unwrap_or_default())
    }

    /// Adds text to the line that has begun.
    fn begin(&mut self, text: &[u8]) -> io::Result<()> {
        if self.is_long {
            self.out.extend_from_slice(text);
            self.last = text.last().copied().unwrap_or(self.last);
            return Ok(());
        }
        self.begun.try_reserve(text.len())?;
        self.begun.extend_from_slice(text);
        // A character has at most four bytes. A bracket and a comma are never so long.
        let longest = self.fit.indentation(self.level).saturating_add(4 * self.fit.width as usize + 4);
        if self.begun.len() > longest {
            self.release_all()?;
            let begun = std::mem::take(&mut self.begun);
            self.out.extend_from_slice(&begun);
            self.last = begun.last().copied().unwrap_or_default();
            self.is_long = true;
        }
        Ok(())
    }

    /// Ends the line that has begun.
    fn end_begun(&mut self, text: &[u8]) -> io::Result<()> {
        if self.is_long {
            self.out.extend_from_slice(text);
            self.last = text.last().copied().unwrap_or(self.last);
        } else {
            self.begin(text)?;
        }
        if std::mem::take(&mut self.is_long) {
            self.out.push(b'\n');
            self.level += usize::from(matches!(self.last, b'[' | b'{'));
            return Ok(());
        }
        let line = std::mem::take(&mut self.begun);
        let (closes, content) = self.split(&line);
        let opens = matches!(content.last(), Some(b'[' | b'{'));
        let is_candidate = self.is_holding() || opens && self.fit.admits(content);
        if !is_candidate || !self.hold(content, opens, closes, false)? {
            self.out.extend_from_slice(&line);
            self.out.push(b'\n');
        }
        self.level = (self.level + usize::from(opens)).saturating_sub(usize::from(closes));
        self.begun = line;
        self.begun.clear();
        Ok(())
    }

    /// Adds a line to those that are held, or begins with it. Returns false if the line must be written unchanged after the output.
    fn hold(&mut self, content: &[u8], opens: bool, closes: bool, is_ascii: bool) -> io::Result<bool> {
        // A longer line is not counted.
        let longest = 4 * u64::from(self.fit.width);
        let columns = if content.len() as u64 > longest { None } else { Some(columns(content, is_ascii)) };
        if self.is_holding() && (columns.is_none() || opens && self.fit.only_arrays) {
            self.release_all()?;
        }
        if !self.is_holding() {
            let level = self.level;
            let fits = columns.is_some_and(|columns| self.fit.fits(level, columns));
            if !(fits && opens && self.fit.admits(content)) {
                return Ok(false);
            }
            self.head_level = level;
        }
        self.push(content, columns.unwrap_or_default())?;
        let index = self.lines.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "a line has at most as many tokens as columns")]
        if opens {
            self.open.try_reserve(1)?;
            self.open.push_back(index as u32);
        } else if closes && let Some(opener) = self.open.pop_back() {
            self.lines[opener as usize].closed_at = index as u32;
        }
        let width = self.lines[index].end_column - self.lines[self.head].start_column;
        if !self.fit.fits(self.head_level, width) {
            self.release(true)?;
        } else if self.open.is_empty() {
            self.write_line(self.head_level, self.lines[self.head].start, self.lines[index].end)?;
            self.clear();
        }
        Ok(true)
    }

    /// Appends a line to the text of all lines.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the text fits on a line of limited width, or is little longer"
    )]
    fn push(&mut self, content: &[u8], columns: u32) -> io::Result<()> {
        self.lines.try_reserve(1)?;
        self.joined.try_reserve(content.len() + 1)?;
        let is_after_comma = self.is_holding() && self.joined.ends_with(b",");
        if is_after_comma {
            self.joined.push(b' ');
        }
        let before = self.lines.last().map_or(0, |line| line.end_column) + u32::from(is_after_comma);
        let start = self.joined.len() as u32;
        self.joined.extend_from_slice(content);
        self.lines.push(Line {
            start,
            end: self.joined.len() as u32,
            start_column: before,
            end_column: before + columns,
            closed_at: OPEN,
        });
        Ok(())
    }

    /// Writes the lines that are held, without joining the containers that are open.
    fn release_all(&mut self) -> io::Result<()> {
        self.release(false)
    }

    /// Writes the first line that is held, whose container does not fit, and further lines. If `may_hold` is set, the lines from a
    /// container on that is open and may still fit stay held.
    fn release(&mut self, may_hold: bool) -> io::Result<()> {
        let mut index = self.head;
        let mut level = self.head_level;
        while let Some(&line) = self.lines.get(index) {
            let content = &self.joined[line.start as usize..line.end as usize];
            let opens = matches!(content.last(), Some(b'[' | b'{'));
            if matches!(content.first(), Some(b']' | b'}')) {
                level = level.saturating_sub(1);
            }
            if opens && line.closed_at == OPEN {
                if may_hold && index > self.head && self.fits_so_far(level, line) {
                    self.head = index;
                    self.head_level = level;
                    self.forget_written();
                    return Ok(());
                }
                self.open.pop_front();
            } else if opens && index > self.head {
                let close = self.lines[line.closed_at as usize];
                if self.fit.fits(level, close.end_column - line.start_column) {
                    self.write_line(level, line.start, close.end)?;
                    index = line.closed_at as usize + 1;
                    continue;
                }
            }
            self.write_line(level, line.start, line.end)?;
            level += usize::from(opens);
            index += 1;
        }
        self.clear();
        Ok(())
    }

    /// Whether a container that is open may still fit.
    fn fits_so_far(&self, level: usize, line: Line) -> bool {
        let end = self.lines.last().map_or(0, |last| last.end_column);
        self.fit.fits(level, end - line.start_column)
    }

    fn clear(&mut self) {
        self.lines.clear();
        self.joined.clear();
        self.open.clear();
        self.head = 0;
    }

    /// Makes the memory of lines that have been written available if it is at least half of all.
    #[expect(clippy::cast_possible_truncation, reason = "there are no more lines than their positions count")]
    fn forget_written(&mut self) {
        let head = self.head;
        if head < STALE || head < self.lines.len() / 2 {
            return;
        }
        let Line { start, start_column, .. } = self.lines[head];
        self.lines.drain(..head);
        self.joined.drain(..start as usize);
        for line in &mut self.lines {
            line.start -= start;
            line.end -= start;
            line.start_column -= start_column;
            line.end_column -= start_column;
            if line.closed_at != OPEN {
                line.closed_at -= head as u32;
            }
        }
        for line in &mut self.open {
            *line -= head as u32;
        }
        self.head = 0;
    }

    /// Writes a part of the text of all lines as a line.
    fn write_line(&mut self, level: usize, start: u32, end: u32) -> io::Result<()> {
        let text = &self.joined[start as usize..end as usize];
        let indentation = self.fit.indentation(level);
        self.out.try_reserve(indentation.saturating_add(text.len() + 1))?;
        self.out.resize(self.out.len() + indentation, self.fit.filler);
        self.out.extend_from_slice(text);
        self.out.push(b'\n');
        Ok(())
    }
}

/// Returns the number of characters of a text.
#[expect(clippy::cast_possible_truncation, reason = "the text is short")]
#[inline]
fn columns(text: &[u8], is_ascii: bool) -> u32 {
    if is_ascii {
        return text.len() as u32;
    }
    text.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count() as u32
}

/// Lists the line feeds of a text.
struct LineEnds<'t> {
    text: &'t [u8],
    ends: &'t mut Vec<u32>,
}

impl Pass for LineEnds<'_> {
    type Output = io::Result<()>;

    #[expect(clippy::cast_possible_truncation, reason = "a piece is short")]
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> io::Result<()> {
        let Self { text, ends } = self;
        let mut count = 0;
        let (blocks, rest) = text.as_chunks::<64>();
        let mut last = [0; 64];
        last[..rest.len()].copy_from_slice(rest);
        for (number, block) in blocks.iter().chain([&last]).enumerate() {
            if ends.len() < count + 64 {
                ends.try_reserve(count.max(64))?;
                ends.resize(count + count.max(64), 0);
            }
            count += kernel.list(kernel.equal(block, b'\n'), 64 * number as u32, &mut ends[count..]);
        }
        ends.truncate(count);
        Ok(())
    }
}
