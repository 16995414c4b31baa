//! The skeleton of a document: its text without what no edit looks into.
//!
//! One pass over a document finds where the containers and items are that edits look into. All else is left out: consecutive items that are
//! of no interest, and values that are only replaced or removed. In the skeleton, which is a document as well, a *hole* is in their place,
//! which is a short value of the same kind. Edits are made in the skeleton, and what their result has of the holes is copied from the input.
//!
//! ```text
//!   document  {"log": [ …4 GB… ], "version": 1, "tags": ["a", …1 GB… ]}      edits: set /version, append to /tags
//!   skeleton  {"log": ["#0"], "version": 1, "tags": ["a", "b", ["#1"]]}      `#` is a text that is nowhere else
//! ```
//!
//! The first two items of each container on the way stay, because the layout of new items is that of these. A hole has a line break if
//! what it stands for has one, and the indentation of its last line.

#![forbid(unsafe_code)]

use std::ops::Range;

use crate::edit::interests::Interests;
use crate::edit::interests::ROOT;
use crate::edit::layout::Shown;
use crate::edit::layout::trimmed;
use crate::edit::layout::whitespace_at;
use crate::error::OutOfMemory;
use crate::index::TokenBatch;
use crate::memory::Grow;

/// The length up to which a value stays.
const SHORT: u64 = if cfg!(test) { 4 } else { 64 };

/// The number of bytes that are looked at before the memory of a map is given back.
pub(super) const PIECE: usize = 1 << 20;

/// What was left out.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    pub(super) range: Range<u64>,
    kind: HoleKind,
    /// The number of elements or members; 0 for one value.
    pub(super) count: usize,
    /// The interest in the container of these.
    pub(super) around: usize,
    /// The whitespace with which its last line begins, if it has several.
    last_line: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HoleKind {
    Elements,
    Members,
    Array,
    Object,
    String,
}

/// A container whose items are of interest.
struct Frame {
    interest: usize,
    is_object: bool,
    /// Number of items before this one.
    count: usize,
    item: ItemState,
    /// Items that are left out, up to the end of the last one.
    run: Option<(Range<u64>, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemState {
    /// There is none yet.
    None,
    LeftOut,
    /// It stays, as its value does.
    Kept,
    /// The key of a member that stays, with the interest in it.
    Key(Option<usize>),
    /// A value at this offset that may be left out.
    Value(u64),
}

/// Makes the skeleton of a document from its tokens.
pub(super) struct Builder<'b> {
    bytes: &'b [u8],
    interests: &'b Interests,
    frames: Vec<Frame>,
    /// The number of open containers in a value that is not looked into.
    depth: u64,
    root: Range<u64>,
    /// The offset up to which text is in the skeleton, or in a hole.
    done: u64,
    /// Each part of the text that stays, and the hole after it.
    parts: Vec<(Range<u64>, Option<Hole>)>,
    pub(super) shown: Shown<'b>,
    error: Option<OutOfMemory>,
}

/// The parts of a document that stay, and the holes between them.
pub(super) struct Skeleton {
    pub(super) root: Range<u64>,
    pub(super) parts: Vec<(Range<u64>, Option<Hole>)>,
}

impl<'b> Builder<'b> {
    /// `bytes` are the whole input.
    pub(super) fn new(bytes: &'b [u8], interests: &'b Interests) -> Self {
        Self {
            bytes,
            interests,
            frames: Vec::new(),
            depth: 0,
            root: 0..0,
            done: 0,
            parts: Vec::new(),
            shown: Shown::new(bytes),
            error: None,
        }
    }

    /// Takes the next tokens.
    pub(super) fn take(&mut self, batch: TokenBatch<'_>) {
        for &position in batch.positions {
            let offset = batch.offset + u64::from(position);
            let byte = batch.text[position as usize];
            self.shown.token(offset, byte);
            if let Err(error) = self.token(offset, byte) {
                self.error = Some(error);
            }
        }
    }

    /// Returns the skeleton, if there was enough memory for it.
    pub(super) fn finish(mut self) -> Result<Skeleton, OutOfMemory> {
        if let Some(error) = self.error {
            return Err(error);
        }
        self.parts.grow((self.done..self.root.end, None), OutOfMemory::Document)?;
        Ok(Skeleton { root: self.root, parts: self.parts })
    }

    fn token(&mut self, offset: u64, byte: u8) -> Result<(), OutOfMemory> {
        if self.depth > 0 {
            match byte {
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
            return Ok(());
        }
        let Some(frame) = self.frames.last_mut() else {
            (self.root, self.done) = (offset..offset, offset);
            return self.value(offset, byte, Some(ROOT));
        };
        match (byte, frame.item) {
            (b',', _) => {
                self.end_item(offset)?;
                if let Some(frame) = self.frames.last_mut() {
                    (frame.count, frame.item) = (frame.count + 1, ItemState::None);
                }
                Ok(())
            }
            (b'}' | b']', item) => {
                if item != ItemState::None {
                    self.end_item(offset)?;
                }
                self.end_run()?;
                self.frames.pop();
                self.root.end = offset + 1;
                Ok(())
            }
            (b':', _) => Ok(()),
            (_, ItemState::None) => {
                let interest = self.begin_item(offset)?;
                match self.frames.last() {
                    Some(frame) if !frame.is_object => self.value(offset, byte, interest),
                    _ => Ok(()),
                }
            }
            (_, ItemState::Key(interest)) => self.value(offset, byte, interest),
            // The value of a member that is left out.
            _ => {
                self.depth = u64::from(matches!(byte, b'{' | b'['));
                Ok(())
            }
        }
    }

    /// Begins an item, and returns the interest in it.
    fn begin_item(&mut self, offset: u64) -> Result<Option<usize>, OutOfMemory> {
        let bytes = self.bytes;
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        let around = self.interests.get(frame.interest);
        let (interest, is_near) = if frame.is_object {
            (around.member(key(bytes, offset)), false)
        } else {
            (around.element(frame.count), around.is_near(frame.count))
        };
        if interest.is_some() || is_near || frame.count < 2 {
            frame.item = ItemState::Key(interest);
            self.end_run()?;
            return Ok(interest);
        }
        frame.item = ItemState::LeftOut;
        frame.run.get_or_insert((offset..offset, 0));
        Ok(None)
    }

    /// Begins a value.
    fn value(&mut self, offset: u64, byte: u8, interest: Option<usize>) -> Result<(), OutOfMemory> {
        let (is_open, is_whole) = interest.map_or((false, false), |interest| {
            let interest = self.interests.get(interest);
            (interest.is_open, interest.is_whole)
        });
        let is_container = matches!(byte, b'{' | b'[');
        let is_opened = is_container && is_open && !is_whole;
        if let Some(frame) = self.frames.last_mut()
            && frame.item != ItemState::LeftOut
        {
            let stays = is_opened || is_whole || !(is_container || byte == b'"');
            frame.item = if stays { ItemState::Kept } else { ItemState::Value(offset) };
        }
        if is_opened && let Some(interest) = interest {
            let frame = Frame { interest, is_object: byte == b'{', count: 0, item: ItemState::None, run: None };
            return self.frames.grow(frame, OutOfMemory::Levels);
        }
        self.depth = u64::from(is_container);
        Ok(())
    }

    /// Ends an item before the token at an offset.
    fn end_item(&mut self, next: u64) -> Result<(), OutOfMemory> {
        let end = trimmed(self.bytes, next);
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        match frame.item {
            ItemState::LeftOut => {
                if let Some((range, count)) = &mut frame.run {
                    (range.end, *count) = (end, *count + 1);
                }
                Ok(())
            }
            ItemState::Value(start) => {
                let kind = match self.bytes.get(at(start)) {
                    Some(b'{') => HoleKind::Object,
                    Some(b'[') => HoleKind::Array,
                    _ => HoleKind::String,
                };
                self.leave_out(start..end, kind, 0)
            }
            ItemState::None | ItemState::Kept | ItemState::Key(_) => Ok(()),
        }
    }

    /// Leaves out the items of no interest before the next one.
    fn end_run(&mut self) -> Result<(), OutOfMemory> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let kind = if frame.is_object { HoleKind::Members } else { HoleKind::Elements };
        match frame.run.take() {
            Some((range, count)) => self.leave_out(range, kind, count),
            None => Ok(()),
        }
    }

    /// Leaves out a part of the text, unless it is short.
    fn leave_out(&mut self, range: Range<u64>, kind: HoleKind, count: usize) -> Result<(), OutOfMemory> {
        if range.end.saturating_sub(range.start) <= SHORT || range.start < self.done {
            return Ok(());
        }
        let kept = self.done..range.start;
        self.done = range.end;
        let around = self.frames.last().map_or(ROOT, |frame| frame.interest);
        let hole = Hole { range, kind, count, around, last_line: None };
        self.parts.grow((kept, Some(hole)), OutOfMemory::Document)
    }
}

impl Hole {
    /// Notes whether it has several lines. `release` gives back the memory of what was looked at.
    pub(super) fn look_at_lines(&mut self, bytes: &[u8], release: impl Fn(Range<u64>)) {
        if self.kind == HoleKind::String {
            return;
        }
        let mut end = at(self.range.end);
        while end > at(self.range.start) {
            let start = end.saturating_sub(PIECE).max(at(self.range.start));
            let Some(piece) = bytes.get(start..end) else { return };
            if let Some(last) = memchr::memrchr(b'\n', piece) {
                self.last_line = Some(whitespace_at(piece, last + 1).to_vec());
                return;
            }
            release(start as u64..end as u64);
            end = start;
        }
    }

    /// Returns the text of the hole with this number.
    pub(super) fn text(&self, marker: &[u8], number: usize) -> Vec<u8> {
        let (before, after): (&[u8], &[u8]) = match self.kind {
            HoleKind::Elements | HoleKind::Array => (b"[\"", b"\""),
            HoleKind::Members => (b"\"", b"\":"),
            HoleKind::Object => (b"{\"", b"\":0"),
            HoleKind::String => (b"\"", b"\""),
        };
        let end: &[u8] = match self.kind {
            HoleKind::Elements | HoleKind::Array => b"]",
            HoleKind::Members => b"0",
            HoleKind::Object => b"}",
            HoleKind::String => b"",
        };
        let line: &[u8] = if self.last_line.is_some() { b"\n" } else { b"" };
        let indentation = self.last_line.as_deref().unwrap_or_default();
        [before, marker, number.to_string().as_bytes(), after, line, indentation, end].concat()
    }

    /// Returns the number of bytes of its text before the marker.
    pub(super) fn before_marker(&self) -> usize {
        if matches!(self.kind, HoleKind::Members | HoleKind::String) { 1 } else { 2 }
    }
}

/// Returns a key without quotes. The text was valid, but may have changed.
fn key(bytes: &[u8], quote: u64) -> &[u8] {
    let text = bytes.get(at(quote) + 1..).unwrap_or_default();
    let mut from = 0;
    while let Some(length) = memchr::memchr2(b'"', b'\\', text.get(from..).unwrap_or_default()) {
        if text[from + length] == b'"' {
            return &text[..from + length];
        }
        from += length + 2;
    }
    &[]
}

pub(super) fn at(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
