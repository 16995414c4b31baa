//! Where documents begin and end in an input that may hold several.
//!
//! The walk over a document only wants to know which bytes are its own and whether more follow. In a line-framed input a
//! line break ends a document even inside a broken string, so one bad record never swallows the next.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::input::Input;
use crate::options::Framing;
use crate::options::RECORD_SEPARATOR;
use crate::sink::Stage;

/// A walk over the documents of an input.
pub(crate) struct Frame {
    framing: Framing,
    /// Where the document begins.
    start: u64,
    /// Documents begun so far.
    count: u64,
    /// No end of the document was found in front of this place.
    searched: u64,
    /// The end of the document, once found.
    end: Option<u64>,
    /// Whether a terminator stands in front of the document.
    separated: bool,
}

impl Frame {
    pub(crate) fn new(framing: Framing) -> Self {
        Self { framing, start: 0, count: 0, searched: 0, end: None, separated: false }
    }

    pub(crate) fn framing(&self) -> Framing {
        self.framing
    }

    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// The number of the document, from 1, in an input that may hold several.
    pub(crate) fn record(&self) -> Option<u64> {
        (self.framing != Framing::Document).then_some(self.count)
    }

    /// What is in memory of the document from `position` on, and whether that is the rest of it.
    #[inline]
    pub(crate) fn text<'t>(&mut self, input: &'t Input<'_>, position: u64) -> (&'t [u8], bool) {
        let bytes = &input.bytes()[index_of(input, position)..];
        let Some(terminator) = self.framing.terminator() else {
            return (bytes, input.at_end());
        };
        if self.end.is_none() {
            let skip = distance(position, self.searched.max(position));
            let after = position + bytes.len() as u64;
            match memchr::memchr(terminator, &bytes[skip..]) {
                Some(index) => self.end = Some(position + (skip + index) as u64),
                None if input.at_end() => self.end = Some(after),
                None => self.searched = after,
            }
        }
        match self.end {
            Some(end) => (&bytes[..distance(position, end)], true),
            None => (bytes, false),
        }
    }

    /// Goes to the next document, if there is one: an input of one document always has it, however empty.
    pub(crate) fn next(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let found = match self.framing {
            Framing::Document => self.count == 0,
            Framing::Lines | Framing::Stream | Framing::Sequence => self.skip_blank(input)?,
        };
        self.count += u64::from(found);
        Ok(found)
    }

    /// Moves the start over whitespace and separators to the first byte of a document. False at the end of the input.
    fn skip_blank(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        loop {
            let bytes = &input.bytes()[index_of(input, self.start)..];
            let mut blank = 0;
            for &byte in bytes {
                match byte {
                    b' ' | b'\t' | b'\n' | b'\r' => {}
                    RECORD_SEPARATOR if self.framing == Framing::Sequence => self.separated = true,
                    _ => break,
                }
                blank += 1;
            }
            let found = blank < bytes.len();
            self.end_at(self.start + blank as u64);
            if found || input.at_end() {
                return Ok(found);
            }
            input.read_more(self.start)?;
        }
    }

    /// Ends the document at `position`.
    pub(crate) fn end_at(&mut self, position: u64) {
        self.start = position;
        self.searched = position;
        self.end = None;
    }

    /// Ends a bad document at its terminator. False if the framing has none, so that nobody can tell where the next one is.
    pub(crate) fn skip_rest(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        if self.framing.terminator().is_none() {
            return Ok(false);
        }
        let mut position = self.start.max(input.base());
        loop {
            let (text, ended) = self.text(input, position);
            position += text.len() as u64;
            if ended {
                self.end_at(position);
                return Ok(true);
            }
            input.read_more(position)?;
        }
    }

    /// A fault the document has by where it stands.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let missing = self.framing == Framing::Sequence && !self.separated;
        missing.then_some(Fault { kind: ErrorKind::MissingSeparator, offset: self.start })
    }

    /// A fault that a document without any other has by ending at `end`: in a sequence, a number or literal that nothing
    /// follows may have been cut short (RFC 7464, section 2.4).
    pub(crate) fn fault_at_end(&self, input: &Input<'_>, end: u64) -> Option<Fault> {
        let cut_short =
            self.framing == Framing::Sequence && input.bytes()[index_of(input, end) - 1].is_ascii_alphanumeric();
        cut_short.then_some(Fault { kind: ErrorKind::UnexpectedEnd, offset: end })
    }

    /// What it means that the text of the document is good up to `fault`: in a stream, the next document may begin there.
    /// It must be set apart from a number or literal in front of it, if only by a bracket or quote of its own.
    pub(crate) fn end_in_front_of(&self, fault: Fault, input: &Input<'_>) -> Result<u64, Fault> {
        let next = index_of(input, fault.offset);
        let bytes = input.bytes();
        let is_next = self.framing == Framing::Stream
            && fault.kind == ErrorKind::TrailingContent
            && (!bytes[next - 1].is_ascii_alphanumeric() || matches!(bytes[next], b'{' | b'[' | b'"'));
        if is_next { Ok(fault.offset) } else { Err(fault) }
    }
}

/// Stages what stands in front of each document in the output.
pub(crate) fn begin_document(stage: &mut Stage<'_>, framing: Framing) -> Result<(), Error> {
    if framing == Framing::Sequence {
        stage.push(&[RECORD_SEPARATOR]);
    }
    stage.release()
}

/// Index in memory of a place in the input.
pub(crate) fn index_of(input: &Input<'_>, offset: u64) -> usize {
    distance(input.base(), offset)
}

/// The bytes between two places that are in memory.
pub(crate) fn between<'t>(input: &'t Input<'_>, from: u64, to: u64) -> &'t [u8] {
    &input.bytes()[index_of(input, from)..index_of(input, to)]
}

/// Bytes between two places that are in memory at the same time.
pub(crate) fn distance(from: u64, to: u64) -> usize {
    (to - from) as usize
}
