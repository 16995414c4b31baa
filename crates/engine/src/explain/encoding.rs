//! Detection of inputs that are not UTF-8: byte order marks, UTF-16, UTF-32, and compressed data.
//!
//! Some editors and exporters still write UTF-16 and UTF-32. In either, JSON begins with an ASCII character, and unless
//! that is a quote, another one follows, so the positions of the zero bytes identify the encoding.

#![forbid(unsafe_code)]

use crate::explain::sentence::Sentence;

/// An encoding other than plain UTF-8.
pub(super) struct Encoding {
    /// Its name for `iconv`.
    name: &'static str,
    /// The bytes of the byte order mark; `None` if the encoding was recognized by zero bytes.
    mark: Option<&'static str>,
}

/// Returns the encoding of `bytes`, a document whose first invalid byte is at `fault`; `None` if it looks like UTF-8.
pub(super) fn recognize(bytes: &[u8], fault: usize) -> Option<Encoding> {
    let (name, mark) = match bytes {
        [0x00, 0x00, 0xFE, 0xFF, ..] => ("UTF-32BE", Some("00 00 FE FF")),
        [0xFF, 0xFE, 0x00, 0x00, ..] => ("UTF-32LE", Some("FF FE 00 00")),
        [0xEF, 0xBB, 0xBF, ..] => ("UTF-8", Some("EF BB BF")),
        [0xFE, 0xFF, ..] => ("UTF-16BE", Some("FE FF")),
        [0xFF, 0xFE, ..] => ("UTF-16LE", Some("FF FE")),
        [0x00, 0x00, 0x00, 0x01..=0x7F, ..] => ("UTF-32BE", None),
        [0x01..=0x7F, 0x00, 0x00, 0x00, ..] if fault == 1 => ("UTF-32LE", None),
        [0x00, b'"', _, _, ..] | [0x00, 0x01..=0x7F, 0x00, 0x01..=0x7F, ..] => ("UTF-16BE", None),
        [b'"', 0x00, _, _, ..] | [0x01..=0x7F, 0x00, 0x01..=0x7F, 0x00, ..] if fault == 1 => ("UTF-16LE", None),
        _ => return None,
    };
    Some(Encoding { name, mark })
}

impl Encoding {
    pub(super) fn sentence(&self) -> Sentence {
        let Self { name, mark } = self;
        match mark {
            Some(bytes) if *name == "UTF-8" => Sentence::new(
                format!("found a byte order mark ({bytes}), expected a JSON value"),
                "save the text as UTF-8 without a byte order mark, or remove its first three bytes",
            ),
            Some(bytes) => Sentence::new(
                format!("found the byte order mark of {name} ({bytes}), expected UTF-8"),
                // Only without the byte order in the name does iconv remove the byte order mark.
                format!("convert the text, for example with `iconv -f {} -t UTF-8`", &name[..6]),
            ),
            None => Sentence::new(
                format!("found text in {name}, expected UTF-8"),
                format!("convert it, for example with `iconv -f {name} -t UTF-8`"),
            ),
        }
    }
}

/// Returns the compression format whose magic number the bytes begin with.
pub(super) fn compression(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 6] = [
        (b"\x1F\x8B", "gzip"),
        (b"\x28\xB5\x2F\xFD", "zstd"),
        (b"\xFD7zXZ\0", "xz"),
        (b"BZh", "bzip2"),
        (b"\x04\x22\x4D\x18", "lz4"),
        (b"PK\x03\x04", "zip"),
    ];
    MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|&(_, name)| name)
}
