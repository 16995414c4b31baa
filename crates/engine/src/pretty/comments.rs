//! Pretty-prints JSON with comments, and keeps the comments.
//!
//! The printer sees text in which comments are whitespace. What it writes has the same tokens in the same order, so each comment is
//! written where it was: after the same number of tokens.
//!
//! ```text
//!   input          [1, // one↵ /* two */ 2,]
//!   printed        [⇥1,⇥2⇥]                  comments after 3 tokens, at the end of a line and at the beginning of one
//!   with comments  [⇥1, // one⇥/* two */ 2⇥]
//! ```

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::io;
use std::io::Write;
use std::mem;
use std::rc::Rc;

use crate::error::Error;
use crate::error::ErrorDetails;
use crate::error::ErrorKind;
use crate::input::Copied;
use crate::input::Input;
use crate::input::KeptComments;
use crate::input::START;
use crate::input::advance;
use crate::options::Options;
use crate::options::Sort;
use crate::options::Summary;
use crate::pretty::Layout;
use crate::pretty::print;

/// Length up to which lines are counted to the first comment of an input that is in memory.
const MAX_WHOLE: usize = 1 << 20;

/// Copies JSON with comments to `sink` as [`pretty`](crate::pretty()) does, and keeps the comments. Trailing commas are left out.
///
/// Comments are those that [`Input::skip_comments`] accepts. A comment on the line of a token stays behind this token; one that ends its
/// line is at the end of the line on which the token is now. A comment on a line of its own stays on one, before the token that follows it.
/// Their text does not change. A container with such a comment in it is not written [on one line](Layout::width).
///
/// # Errors
/// Like [`pretty`](crate::pretty()). Keys cannot be [sorted](Options::sort_keys) in a text with comments.
///
/// ```
/// use fjson::{Layout, Options, pretty_with_comments};
///
/// let text = "{\"a\":1, // one\n/* two */ \"b\":[\n// none\n]}";
/// let mut sink = Vec::new();
/// pretty_with_comments(text, &mut sink, &Layout::default(), &Options::new())?;
/// assert_eq!(String::from_utf8_lossy(&sink), r#"{
///   "a": 1, // one
///   /* two */ "b": [
///     // none
///   ]
/// }
/// "#);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn pretty_with_comments<'a>(
    input: impl Into<Input<'a>>,
    sink: impl Write,
    layout: &Layout,
    options: &Options,
) -> Result<Summary, Error> {
    let (mut input, comments) = input.into().keep_comments();
    let is_sorted = options.sort != Sort::No;
    let mut output = Inserting::new(sink, *layout, &comments, is_sorted);
    let printed = print(&mut input, &mut output, *layout, options, Some(Rc::clone(&comments)));
    let first = comments.borrow().first();
    if is_sorted && let Some(offset) = first {
        let text = input.whole(MAX_WHOLE).ok().flatten();
        return Err(unsortable(offset, text));
    }
    // Before an error, what was printed is written as far as it goes.
    let ended = if printed.is_ok() { output.end() } else { output.write_gap() };
    let ended = ended.and_then(|()| output.sink.flush());
    let summary = printed?;
    ended.map_err(|error| Error::write(error, summary.bytes))?;
    Ok(summary)
}

/// Compares JSON with comments with what [`pretty_with_comments`] would write. Returns `None` if they are equal, and otherwise the offset
/// of the first byte that differs. If the input is a prefix of the output, that is the length of the input.
///
/// # Errors
/// Like [`pretty_with_comments`].
///
/// ```
/// use fjson::{Layout, Options, pretty_with_comments_difference};
///
/// let difference = |text| pretty_with_comments_difference(text, &Layout::default(), &Options::new());
/// assert_eq!(difference("[\n  1 // one\n]\n")?, None);
/// assert_eq!(difference("[\n  1, // one\n]\n")?, Some(5));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn pretty_with_comments_difference<'a>(
    input: impl Into<Input<'a>>,
    layout: &Layout,
    options: &Options,
) -> Result<Option<u64>, Error> {
    let input = input.into();
    let start = input.start();
    let (input, copied) = input.copied();
    let mut comparing = Comparing { copied: &copied, offset: start, difference: None };
    let printed = pretty_with_comments(input, &mut comparing, layout, options);
    let Comparing { offset, difference, .. } = comparing;
    let mut copied = copied.borrow_mut();
    if printed.is_err() {
        copied.check()?;
    }
    printed?;
    Ok(difference.or_else(|| copied.take_rest(|rest| (!rest.is_empty()).then_some(offset))))
}

/// A writer that compares what it gets with what was read.
struct Comparing<'c, 'a> {
    copied: &'c RefCell<Copied<'a>>,
    /// Offset of the next byte.
    offset: u64,
    difference: Option<u64>,
}

impl Write for Comparing<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut copied = self.copied.borrow_mut();
        if self.difference.is_some() {
            copied.take_rest(|_| ());
            return Ok(bytes.len());
        }
        let end = self.offset + bytes.len() as u64;
        let same = copied.take(end, |text| text.iter().zip(bytes).take_while(|(text, byte)| text == byte).count());
        self.difference = (same < bytes.len()).then_some(self.offset + same as u64);
        self.offset = end;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the error for comments in an input whose keys are to be sorted. If `text` is all of it, the error has line and column.
fn unsortable(offset: u64, text: Option<&[u8]>) -> Error {
    let message = "found a comment, which cannot be kept while keys are sorted".to_owned();
    let help = Some("keep the order of the keys, or leave the comments out".to_owned());
    let before = text.and_then(|text| text.get(..usize::try_from(offset).ok()?));
    let position = before.map(|before| advance(START, before));
    Error::new(ErrorDetails { position, help, ..ErrorDetails::bare(ErrorKind::Unprintable, offset, message) })
}

/// What the output is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Gap,
    Scalar,
    String,
    Escape,
}

/// A writer that inserts the comments.
struct Inserting<'c, W> {
    sink: W,
    layout: Layout,
    comments: &'c RefCell<KeptComments>,
    /// Whether the tokens are in another order than in the input, so that comments are an error.
    is_sorted: bool,
    inside: Inside,
    /// Number of tokens that have begun.
    tokens: u64,
    /// Number of open containers.
    level: usize,
    /// The first byte of the last token.
    last: Option<u8>,
    /// The whitespace after it.
    gap: Vec<u8>,
    /// Comments for the end of the line.
    at_line_end: Vec<Vec<u8>>,
}

impl<'c, W: Write> Inserting<'c, W> {
    fn new(sink: W, layout: Layout, comments: &'c Rc<RefCell<KeptComments>>, is_sorted: bool) -> Self {
        Self {
            sink,
            layout,
            comments,
            is_sorted,
            inside: Inside::Gap,
            tokens: 0,
            level: 0,
            last: None,
            gap: Vec::new(),
            at_line_end: Vec::new(),
        }
    }

    /// Begins a token with this first byte.
    fn begin(&mut self, first: u8) -> io::Result<()> {
        self.insert(Some(first))?;
        self.write_gap()?;
        match first {
            b'{' | b'[' => self.level += 1,
            b'}' | b']' => self.level = self.level.saturating_sub(1),
            _ => {}
        }
        self.tokens += 1;
        self.last = Some(first);
        Ok(())
    }

    /// Writes the comments before the next token, or those at the end, and sets the gap after them.
    fn insert(&mut self, first: Option<u8>) -> io::Result<()> {
        let is_close = matches!(first, Some(b'}' | b']'));
        let is_empty = is_close && matches!(self.last, Some(b'{' | b'['));
        let is_at_line_start = self.last.is_none() || first.is_none() || self.gap.contains(&b'\n');
        // The last comment on a line of its own, if there is one, and whether the next token was on its line.
        let (mut on_line, mut is_within) = (None, false);
        loop {
            let next = self.comments.borrow_mut().next(self.tokens);
            let Some(comment) = next else { break };
            if self.is_sorted {
                return Err(io::Error::other("comments cannot be sorted"));
            }
            if on_line.is_none() && (is_at_line_start && comment.begins_line || is_empty) {
                self.end_line(is_empty)?;
                if self.last.is_some() {
                    self.new_line(self.level)?;
                }
                on_line = Some(comment.is_followed);
            } else if on_line.is_some() {
                if comment.begins_line {
                    self.new_line(self.level)?;
                } else {
                    self.sink.write_all(b" ")?;
                }
                on_line = Some(comment.is_followed);
            } else if comment.ends_line() {
                self.at_line_end.push(comment.text);
                continue;
            } else if self.last.is_some() {
                self.sink.write_all(b" ")?;
                is_within = true;
            }
            self.sink.write_all(&comment.text)?;
        }
        if is_at_line_start {
            self.end_line(false)?;
        }
        match on_line {
            Some(true) if first.is_some() && !is_close => self.set_gap(b" "),
            Some(_) if is_empty => {
                self.gap.clear();
                self.new_line(self.level.saturating_sub(1))?;
            }
            Some(_) if !self.gap.contains(&b'\n') => self.set_gap(b"\n"),
            None if is_within && self.gap.is_empty() && !matches!(first, None | Some(b',' | b':' | b']' | b'}')) => {
                self.set_gap(b" ");
            }
            None | Some(_) => {}
        }
        Ok(())
    }

    fn set_gap(&mut self, gap: &[u8]) {
        self.gap.clear();
        self.gap.extend_from_slice(gap);
    }

    /// Writes the comments for the end of the line. All but the first get lines of their own, and the first, too, if they are in a
    /// container that has nothing else.
    fn end_line(&mut self, is_empty: bool) -> io::Result<()> {
        for (index, text) in mem::take(&mut self.at_line_end).iter().enumerate() {
            if index > 0 || is_empty {
                self.new_line(self.level)?;
            } else {
                self.sink.write_all(b" ")?;
            }
            self.sink.write_all(text)?;
        }
        Ok(())
    }

    /// Writes a line break and an indentation.
    fn new_line(&mut self, level: usize) -> io::Result<()> {
        self.sink.write_all(b"\n")?;
        let filler = [self.layout.filler; 64];
        let mut width = level.saturating_mul(self.layout.unit as usize);
        while width > 0 {
            let count = width.min(filler.len());
            self.sink.write_all(&filler[..count])?;
            width -= count;
        }
        Ok(())
    }

    fn write_gap(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.gap)?;
        self.gap.clear();
        Ok(())
    }

    /// Writes the comments at the end.
    fn end(&mut self) -> io::Result<()> {
        self.insert(None)?;
        self.write_gap()
    }

    /// Writes the part of the output between two places, where whitespace or a token begins. Returns from where on it is to be written.
    fn token(&mut self, text: &[u8], from: usize, at: usize) -> io::Result<usize> {
        self.sink.write_all(&text[from..at])?;
        let byte = text[at];
        if matches!(byte, b' ' | b'\n' | b'\t') {
            self.gap.push(byte);
            self.inside = Inside::Gap;
            return Ok(at + 1);
        }
        self.begin(byte)?;
        self.inside = match byte {
            b'"' => Inside::String,
            b'{' | b'}' | b'[' | b']' | b',' | b':' => Inside::Gap,
            _ => Inside::Scalar,
        };
        Ok(at)
    }
}

impl<W: Write> Write for Inserting<'_, W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        // What is before `from` is written, or in the gap.
        let (mut from, mut at) = (0, 0);
        while at < text.len() {
            match self.inside {
                Inside::Escape => self.inside = Inside::String,
                Inside::String => {
                    at += memchr::memchr2(b'"', b'\\', &text[at..]).unwrap_or(text.len() - at);
                    self.inside = match text.get(at) {
                        Some(b'"') => Inside::Gap,
                        Some(_) => Inside::Escape,
                        None => break,
                    };
                }
                Inside::Scalar if !ends_scalar(text[at]) => {}
                Inside::Gap | Inside::Scalar => from = self.token(text, from, at)?,
            }
            at += 1;
        }
        self.sink.write_all(&text[from.min(text.len())..])?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Whether a byte is not part of a number or literal that is before it.
fn ends_scalar(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':')
}
