//! Edits of large documents, of which only a skeleton is held in memory.

#![forbid(unsafe_code)]

use std::hash::BuildHasher;
use std::io;
use std::io::BufWriter;
use std::io::Write;
use std::ops::Range;

use foldhash::fast::RandomState;

use crate::document::OwnedDocument;
use crate::edit::BUFFER;
use crate::edit::EditError;
use crate::edit::EditSummary;
use crate::edit::Edits;
use crate::edit::batches::part;
use crate::edit::error::Failure;
use crate::edit::interests::Holes;
use crate::edit::interests::Interests;
use crate::edit::interests::ROOT;
use crate::edit::making::DocumentLocation;
use crate::edit::making::common_prefix;
use crate::edit::operation::Operation;
use crate::edit::path::Path;
use crate::edit::path::ReferenceToken;
use crate::edit::skeleton::Builder;
use crate::edit::skeleton::PIECE;
use crate::edit::skeleton::Skeleton;
use crate::edit::skeleton::at;
use crate::edit::tree::Node;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::index::TokenBatch;
use crate::index::index;
use crate::input::Input;
use crate::input::START;
use crate::input::advance;
use crate::memory::Grow;
use crate::options::Framing;
use crate::options::Options;

impl Edits {
    /// Writes a document with the changes, and holds only what edits look into in memory. Returns `None`, and has written nothing, if
    /// that is not possible: the input is no single document that can be read twice, a target is a query, or an edit looks into what
    /// another one has moved.
    pub(super) fn apply_to_skeleton(
        &self,
        input: &Input<'_>,
        output: &mut dyn Write,
        options: &Options,
    ) -> Result<Option<EditSummary>, EditError> {
        let Some((view, bytes)) = input.view().filter(|_| input.start() == 0 && !options.is_strict()) else {
            return Ok(None);
        };
        let Some(interests) = self.interests() else { return Ok(None) };
        let root = interests.get(ROOT);
        if options.framing != Framing::Document || !root.is_open || root.is_whole {
            return Ok(None);
        }
        let mut builder = Builder::new(bytes, &interests);
        let mut take = |batch: TokenBatch<'_>| {
            input.release(batch.offset);
            builder.take(batch);
        };
        let read = index(view, &mut take, &options.clone().threads(1))?;
        let style = builder.shown.style(self.rules.indent);
        let mut skeleton = builder.finish().map_err(Error::from)?;
        if skeleton.root.is_empty() {
            return Ok(None);
        }
        for (_, hole) in &mut skeleton.parts {
            if let Some(hole) = hole {
                hole.look_at_lines(bytes, |range| input.release_again(range));
            }
        }
        let marker = self.marker(&skeleton, bytes);
        let text = skeleton.text(bytes, &marker).map_err(Error::from)?;
        if text.len() as u64 > options.max_memory {
            return Ok(None);
        }
        // The text was valid when it was read.
        let document = OwnedDocument::new(text).map_err(|_| Error::input_changed(skeleton.root.start))?;
        let counts = skeleton.counts().map_err(Error::from)?;
        let holes = Holes { marker, counts, interests: &interests };
        let (mut tree, mut made, mut edits) = (self.tree(document.root(), None, options.max_memory), 0, 0);
        (tree.holes, tree.style) = (Some(&holes), Some(style));
        let changed = match self.make_some(&mut tree, true, false, &mut made, &mut edits) {
            Ok(changed) => changed,
            Err((_, Failure::Missed)) => return Ok(None),
            Err((edit, failure)) => {
                let base = skeleton.root.start;
                input.check_unchanged()?;
                let place = DocumentLocation {
                    text: bytes.get(at(base)..).unwrap_or_default(),
                    base,
                    at: advance(START, bytes.get(..at(base)).unwrap_or_default()),
                    record: None,
                };
                let index_of = |place| at(skeleton.offset(place, &holes.marker).saturating_sub(base));
                return Err(place.error(edit, failure, index_of));
            }
        };
        let text = changed.as_deref().unwrap_or_else(|| document.tokens().text());
        let Some(segments) = segments(text, &skeleton, &holes.marker) else { return Ok(None) };
        let mut writer = Writer { input, bytes, output: BufWriter::with_capacity(BUFFER, output), at: 0, first: None };
        let written = writer.write(text, &segments, &skeleton);
        written.map_err(|error| Error::write(error, writer.at))?;
        input.check_unchanged()?;
        let first_change = writer.first;
        Ok(Some(EditSummary { read, changed: u64::from(first_change.is_some()), first_change, edits }))
    }

    /// Returns what edits look into, if that is known before they are made.
    fn interests(&self) -> Option<Interests> {
        let mut interests = Interests::new();
        let value = |node: Node| match node {
            Node::Text { text, token } => Some(self.texts.get(text as usize - 1)?.tokens().value(token as usize)),
            Node::Open(_) => None,
        };
        for operation in &self.operations {
            match operation {
                Operation::Set { at: Path::Pointer(at), .. }
                | Operation::Replace { at, .. }
                | Operation::Insert { at: Path::Pointer(at), .. }
                | Operation::Delete { at: Path::Pointer(at) } => drop(interests.at(at)),
                Operation::Append { to: Path::Pointer(to), .. } => {
                    let array = interests.at(to);
                    interests.open(array);
                }
                Operation::Rename { at: Path::Pointer(at), name, .. } => {
                    interests.at(at);
                    let (_, parent) = at.split_last()?;
                    let parent = interests.at(parent);
                    interests.inside(parent, &ReferenceToken::of(name));
                }
                Operation::Move { from, to } | Operation::Copy { from, to } => {
                    interests.whole(from);
                    interests.at(to);
                }
                Operation::Test { at: Path::Pointer(at), .. } => interests.whole(at),
                Operation::Merge { value: patch } => interests.merged(ROOT, value(*patch)?),
                #[cfg(feature = "query")]
                _ => return None,
            }
        }
        Some(interests)
    }

    /// Returns a text that is neither in the skeleton nor in the edits.
    fn marker(&self, skeleton: &Skeleton, bytes: &[u8]) -> Vec<u8> {
        let is_in = |marker: &[u8], text: &[u8]| memchr::memmem::find(text, marker).is_some();
        loop {
            // It cannot be known before, so no document can have it on purpose.
            let marker = format!("{:016x}-", RandomState::default().hash_one(bytes.len())).into_bytes();
            let is_used = skeleton.parts.iter().any(|(kept, _)| is_in(&marker, part(bytes, kept.clone())))
                || self.texts.iter().any(|text| is_in(&marker, text.tokens().text()));
            if !is_used {
                return marker;
            }
        }
    }
}

impl Skeleton {
    /// Returns the text of the skeleton.
    fn text(&self, bytes: &[u8], marker: &[u8]) -> Result<Vec<u8>, OutOfMemory> {
        let (mut text, mut number) = (Vec::new(), 0);
        for (kept, hole) in &self.parts {
            let kept = part(bytes, kept.clone());
            let hole_text = hole.as_ref().map(|hole| hole.text(marker, number)).unwrap_or_default();
            text.room(kept.len() + hole_text.len(), OutOfMemory::Document)?;
            text.extend_from_slice(kept);
            text.extend_from_slice(&hole_text);
            number += 1;
        }
        Ok(text)
    }

    /// Returns the number of items of each hole, and the interest in their container.
    fn counts(&self) -> Result<Vec<(usize, usize)>, OutOfMemory> {
        let mut counts = Vec::new();
        let mut holes = self.parts.iter().filter_map(|(_, hole)| hole.as_ref());
        holes.try_for_each(|hole| counts.grow((hole.count, hole.around), OutOfMemory::Document))?;
        Ok(counts)
    }

    /// Returns the offset in the input of an index in the text of the skeleton.
    fn offset(&self, index: usize, marker: &[u8]) -> u64 {
        let (mut rest, mut number) = (index as u64, 0);
        for (kept, hole) in &self.parts {
            let length = kept.end.saturating_sub(kept.start);
            if rest < length {
                return kept.start + rest;
            }
            rest -= length;
            let Some(hole) = hole else { break };
            let length = hole.text(marker, number).len() as u64;
            if rest < length {
                return hole.range.start;
            }
            (rest, number) = (rest - length, number + 1);
        }
        self.root.start
    }
}

/// Returns where holes are in an edited skeleton, and their ranges in the input; `None` if one was changed.
fn segments(text: &[u8], skeleton: &Skeleton, marker: &[u8]) -> Option<Vec<(Range<usize>, Range<u64>)>> {
    let holes: Vec<_> = skeleton.parts.iter().filter_map(|(_, hole)| hole.as_ref()).collect();
    let mut segments = Vec::new();
    for start in memchr::memmem::find_iter(text, marker) {
        let digits = &text[start + marker.len()..];
        let length = digits.iter().take_while(|digit| digit.is_ascii_digit()).count();
        let number = str::from_utf8(&digits[..length]).ok()?.parse::<usize>().ok()?;
        let hole = holes.get(number)?;
        let begin = start.checked_sub(hole.before_marker())?;
        let hole_text = hole.text(marker, number);
        if !text[begin..].starts_with(&hole_text) {
            return None;
        }
        segments.push((begin..begin + hole_text.len(), hole.range.clone()));
    }
    Some(segments)
}

/// Writes the new text, and finds where it differs from the old one.
struct Writer<'w, 'i, W: Write> {
    input: &'w Input<'i>,
    bytes: &'w [u8],
    output: BufWriter<W>,
    /// Number of bytes that were written.
    at: u64,
    /// The first one that differs.
    first: Option<u64>,
}

impl<W: Write> Writer<'_, '_, W> {
    fn write(&mut self, text: &[u8], segments: &[(Range<usize>, Range<u64>)], skeleton: &Skeleton) -> io::Result<()> {
        self.copy(0..skeleton.root.start)?;
        let mut from = 0;
        for (hole, range) in segments {
            self.put(&text[from..hole.start])?;
            self.copy(range.clone())?;
            from = hole.end;
        }
        self.put(&text[from..])?;
        let end = self.bytes.len() as u64;
        if self.at != skeleton.root.end {
            self.first.get_or_insert(self.at.min(skeleton.root.end));
        }
        self.copy(skeleton.root.end..end)?;
        self.output.flush()
    }

    /// Writes a part of the input.
    fn copy(&mut self, range: Range<u64>) -> io::Result<()> {
        let mut start = range.start;
        while start < range.end {
            let piece = start..range.end.min(start + PIECE as u64);
            let bytes = part(self.bytes, piece.clone());
            if self.at == piece.start {
                self.output.write_all(bytes)?;
                self.at += bytes.len() as u64;
            } else {
                self.put(bytes)?;
            }
            self.input.release_again(piece.clone());
            start = piece.end;
        }
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.first.is_none() {
            let old = self.bytes.get(at(self.at)..).unwrap_or_default();
            let same = common_prefix(old, bytes);
            self.first = (same < bytes.len()).then_some(self.at + same as u64);
        }
        self.at += bytes.len() as u64;
        self.output.write_all(bytes)
    }
}
