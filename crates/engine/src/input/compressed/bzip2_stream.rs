//! A stream of bzip2, with short ways for one without content and for one that is short.
//!
//! A codec fills megabytes of memory with zeros, which takes most of the time of a short stream. Files that were made by appending have
//! many of them.

#![forbid(unsafe_code)]

use crate::input::compressed::format::BZIP2;
use crate::input::compressed::progress::CodecProgress;
use crate::input::compressed::progress::since;

/// What a stream without content consists of, after `BZh` and a digit: the mark of the end, and the checksum of no blocks.
const EMPTY: [u8; 10] = *b"\x17\x72\x45\x38\x50\x90\0\0\0\0";

/// Number of bytes of a header: `BZh`, and the size of the blocks as a digit.
const HEADER: usize = 4;

/// Greatest numbers of compressed and decompressed bytes of a short stream.
const SHORT: usize = 8 << 10;
const SHORT_TEXT: usize = 64 << 10;

/// A stream of bzip2.
pub(super) struct Bzip2Stream {
    /// The bytes that have been read in the first state.
    start: Vec<u8>,
    /// Whether the stream before this one was short, so that this one may be, too.
    follows_short: bool,
    state: State,
}

enum State {
    /// As long as the stream may be without content.
    Start,
    Decoding(bzip2::Decompress),
    /// In a short stream that has been decompressed: its text, and how much of it the caller has taken.
    Decoded(Vec<u8>, usize),
}

impl Bzip2Stream {
    pub(super) fn new(follows_short: bool) -> Self {
        Self { start: Vec::new(), follows_short, state: State::Start }
    }

    /// Whether so many compressed bytes are a short stream.
    pub(super) fn is_short(length: u64) -> bool {
        length <= SHORT as u64
    }

    pub(super) fn decompress(&mut self, compressed: &[u8], output: &mut [u8]) -> CodecProgress {
        match &mut self.state {
            State::Start => self.begin(compressed, output),
            State::Decoding(codec) => decode(codec, compressed, output),
            State::Decoded(text, taken) => take(text, taken, output),
        }
    }

    fn begin(&mut self, compressed: &[u8], output: &mut [u8]) -> CodecProgress {
        let consumed = compressed.iter().take_while(|&&byte| self.may_be_empty_with(byte)).count();
        let is_empty = self.start.len() == HEADER + EMPTY.len();
        if is_empty || consumed == compressed.len() {
            return CodecProgress { consumed, produced: 0, complete: Ok(is_empty) };
        }
        let rest = &compressed[consumed..];
        if self.follows_short
            && let Some((text, length)) = short_text(&self.start, rest)
        {
            let mut taken = 0;
            let progress = take(&text, &mut taken, output);
            self.state = State::Decoded(text, taken);
            return CodecProgress { consumed: consumed + length, ..progress };
        }
        let mut codec = bzip2::Decompress::new(false);
        // So few bytes have no content.
        let before = decode(&mut codec, &self.start, &mut [0]);
        let progress = if before.complete.is_ok() {
            decode(&mut codec, rest, output)
        } else {
            CodecProgress { consumed: 0, ..before }
        };
        self.state = State::Decoding(codec);
        CodecProgress { consumed: consumed + progress.consumed, ..progress }
    }

    /// Adds the next byte to the start of the stream. Returns false, and adds nothing, if the stream then has content, or has ended.
    fn may_be_empty_with(&mut self, byte: u8) -> bool {
        let is_possible = match self.start.len() {
            at @ 0..3 => byte == BZIP2[at],
            3 => matches!(byte, b'1'..=b'9'),
            at => EMPTY.get(at - HEADER) == Some(&byte),
        };
        self.start.extend(is_possible.then_some(byte));
        is_possible
    }
}

/// Passes on text that has been decompressed.
fn take(text: &[u8], taken: &mut usize, output: &mut [u8]) -> CodecProgress {
    let produced = output.len().min(text.len() - *taken);
    output[..produced].copy_from_slice(&text[*taken..*taken + produced]);
    *taken += produced;
    CodecProgress { consumed: 0, produced, complete: Ok(*taken == text.len()) }
}

/// Returns the text of a short stream, and how much of `rest` belongs to it. `None` if it is not short, not complete, or damaged; then
/// it is decompressed in the usual way.
fn short_text(start: &[u8], rest: &[u8]) -> Option<(Vec<u8>, usize)> {
    // Blocks of a short stream fit into the smallest size, for which a codec takes little memory.
    let mut smallest = start.get(..HEADER)?.to_vec();
    smallest[HEADER - 1] = b'1';
    let compressed = [&smallest, &start[HEADER..], &rest[..rest.len().min(SHORT)]].concat();
    let mut codec = bzip2::Decompress::new(false);
    let mut text = vec![0; SHORT_TEXT];
    let progress = decode(&mut codec, &compressed, &mut text);
    text.truncate(progress.produced);
    (progress.complete == Ok(true)).then(|| (text, progress.consumed - start.len()))
}

fn decode(codec: &mut bzip2::Decompress, compressed: &[u8], output: &mut [u8]) -> CodecProgress {
    let (consumed, produced) = (codec.total_in(), codec.total_out());
    let result = codec.decompress(compressed, output);
    CodecProgress {
        consumed: since(consumed, codec.total_in()),
        produced: since(produced, codec.total_out()),
        complete: match result {
            Ok(status) => Ok(status == bzip2::Status::StreamEnd),
            Err(bzip2::Error::DataMagic) => Err("no header of a stream".to_owned()),
            Err(_) => Err("no valid code, or the checksum does not match".to_owned()),
        },
    }
}
