//! Decodes UTF-16 and UTF-32 to UTF-8.
//!
//! What is not valid is passed on as bytes that are not valid UTF-8 either, so that it is reported as an error in the text, at its
//! place in the decoded text.

#![forbid(unsafe_code)]

use encoding_rs::DecoderResult;
use encoding_rs::UTF_16BE;
use encoding_rs::UTF_16LE;
use fjson::ByteOrderMark;
use std::io;
use std::io::BufRead;
use std::io::Read;

/// Number of bytes that are decoded at once.
const PIECE: usize = 16 * 1024;

/// A surrogate in the encoding scheme of UTF-8, which does not allow it.
const SURROGATE: [u8; 3] = [0xED, 0xA0, 0x80];

/// Stands for a code unit that the end of the text cuts off. UTF-8 has no such byte.
const CUT: u8 = 0xFF;

/// Decodes text that begins with a byte order mark, and omits the mark.
pub enum Decoder {
    Utf16(Box<encoding_rs::Decoder>),
    Utf32 {
        character: fn([u8; 4]) -> u32,
        is_at_mark: bool,
        /// The first bytes of a character at the end of a piece.
        begun: Vec<u8>,
    },
}

impl Decoder {
    /// Creates the decoder for the encoding of a mark; `None` for UTF-8.
    pub fn new(mark: ByteOrderMark) -> Option<Self> {
        let utf16 = |encoding: &'static encoding_rs::Encoding| {
            Some(Self::Utf16(Box::new(encoding.new_decoder_with_bom_removal())))
        };
        let utf32 = |character| Some(Self::Utf32 { character, is_at_mark: true, begun: Vec::new() });
        match mark {
            ByteOrderMark::Utf8 => None,
            ByteOrderMark::Utf16Le => utf16(UTF_16LE),
            ByteOrderMark::Utf16Be => utf16(UTF_16BE),
            ByteOrderMark::Utf32Le => utf32(u32::from_le_bytes),
            ByteOrderMark::Utf32Be => utf32(u32::from_be_bytes),
        }
    }

    /// Decodes a piece of text, and appends it to `out`, which is empty. An empty piece is the end. Returns how many bytes of the piece
    /// were read, and whether the text is complete.
    fn decode(&mut self, piece: &[u8], out: &mut Vec<u8>) -> (usize, bool) {
        match self {
            Self::Utf16(decoder) => decode_utf16(decoder, piece, out),
            Self::Utf32 { character, is_at_mark, begun } => {
                let piece = &piece[..piece.len().min(PIECE)];
                begun.extend_from_slice(piece);
                let (characters, rest) = begun.as_chunks();
                for bytes in characters {
                    if std::mem::take(is_at_mark) {
                        continue;
                    }
                    match char::from_u32(character(*bytes)) {
                        Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                        None => out.extend_from_slice(&SURROGATE),
                    }
                }
                let is_cut = piece.is_empty() && !rest.is_empty();
                let whole = begun.len() - rest.len();
                begun.drain(..whole);
                if is_cut {
                    begun.clear();
                    out.push(CUT);
                }
                (piece.len(), piece.is_empty())
            }
        }
    }
}

fn decode_utf16(decoder: &mut encoding_rs::Decoder, piece: &[u8], out: &mut Vec<u8>) -> (usize, bool) {
    out.resize(PIECE, 0);
    let is_last = piece.is_empty();
    let (result, read, written) = decoder.decode_to_utf8_without_replacement(piece, out, is_last);
    out.truncate(written);
    match result {
        DecoderResult::InputEmpty => return (read, is_last),
        DecoderResult::OutputFull => {}
        DecoderResult::Malformed(1, _) => out.push(CUT),
        DecoderResult::Malformed(..) => out.extend_from_slice(&SURROGATE),
    }
    (read, false)
}

/// A reader of the decoded text.
pub struct Decoding<R> {
    reader: R,
    decoder: Decoder,
    /// Decoded text, and the number of its bytes that have been delivered.
    text: Vec<u8>,
    delivered: usize,
    is_complete: bool,
}

impl<R: BufRead> Decoding<R> {
    /// Creates a reader of the decoded text. `reader` is at the byte order mark.
    pub fn new(reader: R, decoder: Decoder) -> Self {
        Self { reader, decoder, text: Vec::new(), delivered: 0, is_complete: false }
    }
}

impl<R: BufRead> Read for Decoding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.delivered == self.text.len() && !self.is_complete {
            self.text.clear();
            self.delivered = 0;
            let piece = self.reader.fill_buf()?;
            let (read, is_complete) = self.decoder.decode(piece, &mut self.text);
            self.reader.consume(read);
            self.is_complete = is_complete;
        }
        let count = (&self.text[self.delivered..]).read(buffer)?;
        self.delivered += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// The bytes of a text, with a mark, in an encoding.
    fn encoded(text: &str, mark: ByteOrderMark) -> Vec<u8> {
        let text = format!("\u{feff}{text}");
        match mark {
            ByteOrderMark::Utf8 => text.into_bytes(),
            ByteOrderMark::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            ByteOrderMark::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            ByteOrderMark::Utf32Le => text.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect(),
            ByteOrderMark::Utf32Be => text.chars().flat_map(|character| u32::from(character).to_be_bytes()).collect(),
        }
    }

    fn decoded(bytes: &[u8], mark: ByteOrderMark, size: usize) -> Vec<u8> {
        let mut text = Vec::new();
        let decoder = Decoder::new(mark).expect("it is not UTF-8");
        Decoding::new(BufReader::with_capacity(size, bytes), decoder).read_to_end(&mut text).expect("reads");
        text
    }

    const MARKS: [ByteOrderMark; 4] =
        [ByteOrderMark::Utf16Le, ByteOrderMark::Utf16Be, ByteOrderMark::Utf32Le, ByteOrderMark::Utf32Be];

    #[test]
    fn text_is_decoded_in_pieces_of_any_size() {
        let long = "é😀a\u{feff}\u{ffff}".repeat(4000);
        for text in ["", "[1]", "\u{feff}", "é😀\u{10ffff}\0\u{d7ff}\u{e000}", &long] {
            for mark in MARKS {
                let bytes = encoded(text, mark);
                for size in [1, 2, 3, 5, 7, 100_000] {
                    assert!(decoded(&bytes, mark, size) == text.as_bytes(), "{mark:?} in pieces of {size}");
                }
            }
        }
    }

    #[test]
    fn invalid_text_stays_invalid() {
        for (mark, invalid) in [
            (ByteOrderMark::Utf16Le, &b"\0\xd8[\0"[..]),
            (ByteOrderMark::Utf16Le, b"\0\xdc[\0"),
            (ByteOrderMark::Utf16Be, b"\xd8\0"),
            (ByteOrderMark::Utf16Be, b"["),
            (ByteOrderMark::Utf32Le, b"\0\xd8\0\0[\0\0\0"),
            (ByteOrderMark::Utf32Be, b"\0\x11\0\0"),
            (ByteOrderMark::Utf32Be, b"\0\0["),
        ] {
            for size in [1, 2, 3, 100] {
                let text = decoded(&[encoded("ab", mark), invalid.to_vec()].concat(), mark, size);
                let error = str::from_utf8(&text).expect_err("it is invalid");
                assert_eq!(error.valid_up_to(), 2, "{mark:?} {invalid:?} in pieces of {size}");
            }
        }
    }
}
