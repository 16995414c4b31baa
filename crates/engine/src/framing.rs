//! The framing of an input: where its documents begin and end.
//!
//! The scan of a document only needs to know which bytes belong to it and whether more follow. In NDJSON a line break
//! ends a document even inside an unterminated string, so an invalid record never swallows the next one.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::explain::Abridged;
use crate::input::Input;
use crate::input::advance;
use crate::options::Framing;
use crate::options::RECORD_SEPARATOR;
use crate::sink::Stage;

/// How many windows of a document are kept in memory as they are. By default that is 1 MiB: most answers of a server are shorter, and
/// the buffer still fits into the cache of a processor core. Of a longer document, only what its errors need is kept.
const KEPT_WINDOWS: u64 = 4;

/// The position of a scan among the documents of an input.
pub(crate) struct Frame {
    framing: Framing,
    /// Offset of the first byte of the document.
    start: u64,
    /// Number of documents begun so far.
    count: u64,
    /// Offset before which no end of the document was found.
    searched: u64,
    /// Offset of the end of the document, once found.
    end: Option<u64>,
    /// Whether a separator precedes the document.
    has_separator: bool,
    /// The first byte between the previous document and this one.
    skipped: Option<u8>,
    /// Where the input ends before a record that is incomplete, because the file has grown.
    cut: Option<u64>,
    /// Whether the input holds no document at all, which counts as one empty document.
    is_empty: bool,
    /// What is kept of the start of this document, or of an earlier one.
    abridged: Option<Box<Abridged>>,
}

impl Frame {
    /// Creates the frame of an input that begins at `start`.
    pub(crate) fn new(framing: Framing, start: u64) -> Self {
        Self {
            framing,
            start,
            count: 0,
            searched: start,
            end: None,
            has_separator: false,
            skipped: None,
            cut: None,
            is_empty: false,
            abridged: None,
        }
    }

    pub(crate) fn framing(&self) -> Framing {
        self.framing
    }

    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Returns the first byte between the previous document (or the start of the input) and this one.
    pub(crate) fn skipped(&self) -> Option<u8> {
        self.skipped
    }

    /// Returns the number of the document, counted from 1, if the input may hold several.
    pub(crate) fn record(&self) -> Option<u64> {
        (self.framing != Framing::Document).then_some(self.count)
    }

    /// Returns the record number to report in an error: `None` if the document may be the only one.
    pub(crate) fn reported_record(&self) -> Option<u64> {
        self.record().filter(|_| !self.is_alone())
    }

    /// Whether the document is read as if it were the only one.
    pub(crate) fn is_alone(&self) -> bool {
        match self.framing {
            Framing::Document => true,
            // mutant: Framing::Documents => true,
            Framing::Documents => self.count == 1,
            Framing::Lines | Framing::Stream | Framing::Sequence => false,
        }
    }

    /// Whether a look-ahead may read the next documents. In a JSON text sequence it may do so after the first
    /// separator.
    pub(crate) fn may_look_ahead(&self) -> bool {
        match self.framing {
            Framing::Document => false,
            Framing::Lines | Framing::Stream => true,
            Framing::Documents => !self.is_empty,
            // mutant: Framing::Sequence => true,
            Framing::Sequence => self.has_separator,
        }
    }

    /// Returns the part of the document in memory from `position` on, and whether that is the rest of the document.
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

    /// Moves to the start of the next document. Returns whether there is one; a framing that requires a document always
    /// has one, even if it is empty. Calls `flush` before it waits for input.
    pub(crate) fn find(
        &mut self,
        input: &mut Input<'_>,
        flush: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<bool, Error> {
        match self.framing {
            Framing::Document => Ok(self.count == 0),
            Framing::Documents if self.count == 0 => {
                self.is_empty = !self.skip_whitespace(input, flush)?;
                if self.is_empty {
                    self.end_at(input.base());
                }
                Ok(true)
            }
            Framing::Lines => {
                let found = self.skip_whitespace(input, flush)?;
                self.cut = if found { input.incomplete_line(self.start) } else { None };
                Ok(found && self.cut.is_none())
            }
            Framing::Documents | Framing::Stream | Framing::Sequence => self.skip_whitespace(input, flush),
        }
    }

    /// Returns where the input ends before a record that is incomplete, because the file has grown since it was opened.
    pub(crate) fn cut(&self) -> Option<u64> {
        self.cut
    }

    /// Reads more of the document if nothing before `released` is needed, except for the explanation of an error.
    pub(crate) fn read_more(&mut self, input: &mut Input<'_>, released: u64, window: u64) -> Result<(), Error> {
        let is_short = released.saturating_sub(self.start) <= window.saturating_mul(KEPT_WINDOWS);
        input.read_more(if is_short { self.start } else { self.abridge(input, released) })
    }

    /// Keeps what an error needs of the text before `released`. Returns the offset of the text that must stay in memory.
    #[cold]
    fn abridge(&mut self, input: &Input<'_>, released: u64) -> u64 {
        let known = self.abridged.take().filter(|abridged| abridged.document() == self.start);
        let abridged = self.abridged.insert(known.unwrap_or_else(|| Box::new(Abridged::new(self.start))));
        let end = abridged.end();
        if input.base() <= end && end <= released {
            let at = advance(input.at(), between(input, input.base(), end));
            abridged.take(between(input, end, released), at);
        }
        abridged.end().min(released)
    }

    /// Returns what is kept of the start of the document if it is no longer in memory.
    pub(crate) fn abridged(&self) -> Option<&Abridged> {
        self.abridged.as_deref().filter(|abridged| abridged.document() == self.start)
    }

    /// Begins the document that [`Self::find`] has found.
    pub(crate) fn begin(&mut self) {
        self.count += 1;
    }

    /// Moves the start over whitespace and separators to the first byte of a document. Returns false at the end of the
    /// input.
    fn skip_whitespace(
        &mut self,
        input: &mut Input<'_>,
        flush: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<bool, Error> {
        self.skipped = None;
        loop {
            let bytes = &input.bytes()[index_of(input, self.start)..];
            let mut skipped = 0;
            for &byte in bytes {
                match byte {
                    b' ' | b'\t' | b'\n' | b'\r' => {}
                    RECORD_SEPARATOR if self.framing == Framing::Sequence => self.has_separator = true,
                    _ => break,
                }
                skipped += 1;
            }
            self.skipped = self.skipped.or(bytes[..skipped].first().copied());
            let found = skipped < bytes.len();
            self.end_at(self.start + skipped as u64);
            if found || input.at_end() {
                return Ok(found);
            }
            flush()?;
            input.read_more(self.start)?;
        }
    }

    /// Ends the document at `position`.
    pub(crate) fn end_at(&mut self, position: u64) {
        self.start = position;
        self.searched = position;
        self.end = None;
    }

    /// Moves to `position`, which is between two documents, and counts `documents` more.
    pub(crate) fn skip_to(&mut self, position: u64, documents: u64) {
        self.end_at(position);
        self.count += documents;
    }

    /// Ends an invalid document at its terminator. Returns false if the framing has none, since the next document
    /// cannot be found then.
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

    /// Returns the error the document has because of its position.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let missing = self.framing == Framing::Sequence && !self.has_separator;
        missing.then_some(Fault::new(ErrorKind::MissingSeparator, self.start))
    }

    /// Returns the error an otherwise valid document has because it ends at `end`: in a JSON text sequence, a number or
    /// literal that ends without whitespace after it may be truncated (RFC 7464, section 2.4).
    pub(crate) fn fault_at_end(&self, input: &Input<'_>, end: u64) -> Option<Fault> {
        let is_truncated = self.framing == Framing::Sequence && ends_in_word(&input.bytes()[..index_of(input, end)]);
        is_truncated.then_some(Fault::new(ErrorKind::UnexpectedEnd, end))
    }

    /// Interprets `fault`, before which the text of the document is valid. In concatenated JSON the next document may
    /// begin there, but must be separated from a preceding number or literal, if only by its own bracket or quote.
    pub(crate) fn end_before(&self, fault: Fault, input: &Input<'_>) -> Result<u64, Fault> {
        let (before, after) = input.bytes().split_at(index_of(input, fault.offset));
        let is_next = self.framing.is_stream()
            && fault.kind == ErrorKind::TrailingContent
            && (!ends_in_word(before) || matches!(after, [b'{' | b'[' | b'"', ..]));
        if is_next { Ok(fault.offset) } else { Err(fault) }
    }
}

/// Whether a text ends in a number or literal, or inside a string.
fn ends_in_word(text: &[u8]) -> bool {
    text.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Stages the separator that precedes each document in the output.
pub(crate) fn begin_document(stage: &mut Stage<'_>, framing: Framing) -> Result<(), Error> {
    if framing == Framing::Sequence {
        stage.push(&[RECORD_SEPARATOR]);
    }
    stage.release(b"", usize::MAX)
}

/// Returns the index in memory of an offset in the input.
pub(crate) fn index_of(input: &Input<'_>, offset: u64) -> usize {
    distance(input.base(), offset)
}

/// Returns the bytes between two offsets, both of which are in memory.
pub(crate) fn between<'t>(input: &'t Input<'_>, from: u64, to: u64) -> &'t [u8] {
    &input.bytes()[index_of(input, from)..index_of(input, to)]
}

/// Returns the number of bytes between two offsets that are in memory at the same time.
#[expect(clippy::cast_possible_truncation, reason = "both are in memory, so the distance fits")]
pub(crate) fn distance(from: u64, to: u64) -> usize {
    (to - from) as usize
}

#[cfg(test)]
mod tests {
    use super::Frame;
    use super::begin_document;
    use super::between;
    use crate::error::ErrorKind;
    use crate::error::Fault;
    use crate::input::Input;
    use crate::options::Framing;
    use crate::options::Options;
    use crate::sink::Stage;

    /// Begins the next document, if there is one.
    fn begin_next(frame: &mut Frame, input: &mut Input<'_>) -> bool {
        let found = frame.find(input, &mut || Ok(())).expect("reads");
        if found {
            frame.begin();
        }
        found
    }

    /// Returns the rest of a document that is being scanned, and where it ends. Concatenated JSON does not say, so
    /// whitespace does.
    fn rest(frame: &mut Frame, input: &mut Input<'_>) -> (String, u64) {
        loop {
            let (text, ended) = frame.text(input, frame.start());
            let word = text.split(u8::is_ascii_whitespace).next().map_or(0, <[u8]>::len);
            let is_word = frame.framing().is_stream() && 0 < word && word < text.len();
            if ended || is_word {
                let text = if is_word { &text[..word] } else { text };
                return (String::from_utf8_lossy(text).into_owned(), frame.start() + text.len() as u64);
            }
            input.read_more(frame.start()).expect("reads");
        }
    }

    /// Returns the documents of a text with their numbers.
    fn documents(framing: Framing, mut input: Input<'_>) -> Vec<(Option<u64>, String)> {
        let mut frame = Frame::new(framing, 0);
        let mut documents = Vec::new();
        while begin_next(&mut frame, &mut input) {
            let (text, end) = rest(&mut frame, &mut input);
            documents.push((frame.record(), text));
            frame.end_at(end);
        }
        documents
    }

    #[test]
    fn documents_are_found() {
        let cases: [(Framing, &str, &[&str]); 18] = [
            (Framing::Document, "", &[""]),
            (Framing::Document, " 1\n2\u{1e}", &[" 1\n2\u{1e}"]),
            (Framing::Lines, "", &[]),
            (Framing::Lines, "\n \r\n\t", &[]),
            (Framing::Lines, "1", &["1"]),
            (Framing::Lines, "1\n\n [2 ] \r\n\"\n\"\n", &["1", "[2 ] \r", "\"", "\""]),
            (Framing::Lines, "\u{1e}1", &["\u{1e}1"]),
            (Framing::Stream, "  ", &[]),
            (Framing::Stream, " 1 [2]\n\"3\"\u{1e}\n", &["1", "[2]", "\"3\"\u{1e}"]),
            (Framing::Documents, "", &[""]),
            (Framing::Documents, " \n", &[" \n"]),
            (Framing::Documents, " 1 [2]\n3 ", &["1", "[2]", "3"]),
            (Framing::Sequence, "", &[]),
            (Framing::Sequence, "\u{1e}", &[]),
            (Framing::Sequence, "\u{1e}1\n\u{1e}[\n]", &["1\n", "[\n]"]),
            (Framing::Sequence, "\u{1e}\u{1e} \n\u{1e} 1\u{1e}2", &["1", "2"]),
            (Framing::Sequence, "1\u{1e}2", &["1", "2"]),
            (Framing::Sequence, "\u{1e}\"\u{1e}\"", &["\"", "\""]),
        ];
        for (framing, text, expected) in cases {
            for size in 0..=text.len() {
                let found = documents(framing, Input::in_pieces(text.as_bytes(), size));
                let numbers = (1..).map(|number| (framing != Framing::Document).then_some(number));
                let expected: Vec<_> = numbers.zip(expected.iter().map(|&text| text.to_owned())).collect();
                assert_eq!(found, expected, "{framing:?} {text:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn an_invalid_document_ends_at_its_terminator() {
        for (framing, text, next) in [
            (Framing::Lines, "\"[1\n2", Some("2")),
            (Framing::Lines, "[", None),
            (Framing::Sequence, "\u{1e}\"\n\u{1e}\u{1e}2\n", Some("2\n")),
        ] {
            for size in 0..=text.len() {
                let mut input = Input::in_pieces(text.as_bytes(), size);
                let mut frame = Frame::new(framing, 0);
                assert!(begin_next(&mut frame, &mut input) && frame.skip_rest(&mut input).expect("reads"));
                let found = begin_next(&mut frame, &mut input).then(|| rest(&mut frame, &mut input).0);
                assert_eq!(found.as_deref(), next, "{framing:?} {text:?} in pieces of {size}");
            }
        }
        // A document that is no longer completely in memory.
        let text = format!("[{}\n2", "1,".repeat(5000));
        let mut input = Input::in_pieces(text.as_bytes(), 100);
        let mut frame = Frame::new(Framing::Lines, 0);
        assert!(begin_next(&mut frame, &mut input));
        while input.base() == 0 {
            input.read_more(input.bytes().len() as u64).expect("reads");
        }
        assert!(frame.skip_rest(&mut input).expect("reads") && begin_next(&mut frame, &mut input));
        assert_eq!((rest(&mut frame, &mut input).0.as_str(), frame.record()), ("2", Some(2)));

        for framing in [Framing::Document, Framing::Stream] {
            let mut input = Input::from("[\n1");
            let mut frame = Frame::new(framing, 0);
            assert!(begin_next(&mut frame, &mut input) && !frame.skip_rest(&mut input).expect("memory"));
        }
    }

    #[test]
    fn a_sequence_begins_with_a_separator() {
        for (framing, text, faults) in [
            (Framing::Sequence, " 1\n\u{1e}2\n", [true, false]),
            (Framing::Sequence, "\u{1e}1\n\u{1e}2\n", [false, false]),
            (Framing::Lines, "1\n2\n", [false, false]),
        ] {
            let mut input = Input::from(text);
            let mut frame = Frame::new(framing, 0);
            for is_missing in faults {
                assert!(begin_next(&mut frame, &mut input));
                let fault = Fault::new(ErrorKind::MissingSeparator, frame.start());
                assert_eq!(frame.fault(), is_missing.then_some(fault), "{text:?}");
                assert!(frame.skip_rest(&mut input).expect("memory"));
            }
        }
    }

    #[test]
    fn a_sequence_may_be_truncated() {
        for (framing, text, is_cut) in [
            (Framing::Sequence, "\u{1e}12", true),
            (Framing::Sequence, "\u{1e}true", true),
            (Framing::Sequence, "\u{1e}12 ", false),
            (Framing::Sequence, "\u{1e}[1]", false),
            (Framing::Sequence, "\u{1e}\"1\"", false),
            (Framing::Lines, "12", false),
            (Framing::Stream, "12", false),
            (Framing::Document, "12", false),
        ] {
            let end = text.len() as u64;
            let fault = is_cut.then_some(Fault::new(ErrorKind::UnexpectedEnd, end));
            assert_eq!(Frame::new(framing, 0).fault_at_end(&Input::from(text), end), fault, "{framing:?} {text:?}");
        }
    }

    /// `|` marks where one document ends and the next may begin.
    #[test]
    fn documents_of_a_stream_are_separated() {
        let fault = |kind, offset| Fault::new(kind, offset as u64);
        for (picture, may_begin) in [
            ("1 |2", true),
            ("[]|2", true),
            ("\"a\"|true", true),
            ("1|[", true),
            ("true|{", true),
            ("1|\"a\"", true),
            ("1|true", false),
            ("true|1", false),
            ("0|-1", false),
        ] {
            let offset = picture.find('|').expect("a border");
            let text = picture.replace('|', "");
            let trailing = fault(ErrorKind::TrailingContent, offset);
            let ends = |framing, fault| Frame::new(framing, 0).end_before(fault, &Input::from(&*text));
            let expected = if may_begin { Ok(offset as u64) } else { Err(trailing) };
            assert_eq!(ends(Framing::Stream, trailing), expected, "{picture}");
            assert_eq!(ends(Framing::Document, trailing), Err(trailing), "{picture}");
            let other = fault(ErrorKind::ExpectedValue, offset);
            assert_eq!(ends(Framing::Stream, other), Err(other), "{picture}");
        }
    }

    #[test]
    fn offsets_are_relative_to_the_start_of_the_input() {
        let text = [b'x'; 1000];
        let mut input = Input::in_pieces(&text, 100);
        while !input.at_end() {
            input.read_more(900).expect("reads");
        }
        assert!(input.base() > 0);
        assert_eq!(between(&input, 910, 1000).len(), 90);
        assert_eq!(between(&input, input.base(), 1000), input.bytes());
    }

    #[test]
    fn separators_precede_documents() {
        for (framing, expected) in [(Framing::Sequence, &b"\x1e"[..]), (Framing::Lines, b""), (Framing::Document, b"")]
        {
            let mut output = Vec::new();
            let mut stage = Stage::new(&mut output, 0, &Options::new(), 0);
            begin_document(&mut stage, framing).and_then(|()| stage.finish()).expect("writes");
            assert_eq!(output, expected);
        }
    }
}
