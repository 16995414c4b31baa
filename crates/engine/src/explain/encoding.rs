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
    /// Describes the encoding of a document. `is_later` if it does not begin the input: other text precedes it, or a byte order mark
    /// that was skipped.
    pub(super) fn sentence(&self, is_later: bool) -> Sentence {
        let Self { name, mark } = self;
        match mark {
            Some(bytes) if *name == "UTF-8" && is_later => Sentence::new(
                format!("found a byte order mark ({bytes}), expected a JSON value"),
                "remove it: it may be left over from concatenated files",
            ),
            Some(bytes) if *name == "UTF-8" => Sentence::new(
                format!("found a byte order mark ({bytes}), expected a JSON value"),
                "remove the first three bytes, or let the byte order mark be skipped",
            ),
            Some(bytes) => Sentence::new(
                format!("found the byte order mark of {name} ({bytes}), expected UTF-8"),
                // Only without the byte order in the name does iconv remove the byte order mark.
                format!("convert the text, for example with `iconv -f {} -t UTF-8`, or let it be decoded", &name[..6]),
            ),
            None => Sentence::new(
                format!("found text in {name}, expected UTF-8"),
                format!("convert it, for example with `iconv -f {name} -t UTF-8`"),
            ),
        }
    }
}

/// What data is, the bytes that it begins with, and the command that decompresses it.
type Magic = (&'static [u8], &'static str, Option<&'static str>);

/// Data that is compressed, or archives.
const COMPRESSED: [Magic; 10] = [
    (b"\x1F\x8B", "gzip", None),
    (b"\x28\xB5\x2F\xFD", "zstd", None),
    (b"\xFD7zXZ\0", "xz", None),
    (b"BZh", "bzip2", None),
    (b"\x04\x22\x4D\x18", "lz4", Some("lz4 -dc")),
    (b"PK\x03\x04", "zip", Some("unzip -p")),
    // The properties that every encoder uses by default; the size of the dictionary is at least 64 KiB.
    (b"\x5D\0\0", "lzma", Some("xz -dc")),
    (b"\x1F\x9D", "compress (.Z)", Some("gzip -dc")),
    (b"7z\xBC\xAF\x27\x1C", "7z", Some("7z e -so")),
    (b"Rar!\x1A\x07", "rar", Some("unrar p -inul")),
];

/// Other files of known formats.
const FILES: [(&[u8], &str); 15] = [
    (b"\x89PNG", "a PNG image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file"),
    (b"%PDF-", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"\x7FELF", "an ELF program"),
    (b"MZ\x90\0", "a Windows program"),
    (b"\xCA\xFE\xBA\xBE", "a Java class or a macOS program"),
    (b"\xCF\xFA\xED\xFE", "a macOS program"),
    (b"\0asm", "a WebAssembly module"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"Obj\x01", "an Avro file"),
    (b"bplist", "a binary property list"),
];

/// Describes data that is not text, by the bytes it begins with; `None` if it looks like text.
pub(super) fn binary(bytes: &[u8]) -> Option<Sentence> {
    if let Some((_, name, tool)) = COMPRESSED.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        let message = format!("found {name} data, expected JSON text");
        return Some(match tool {
            Some(tool) => Sentence::new(message, format!("decompress it first, for example with `{tool}`")),
            None => Sentence::new(message, "decompress it first"),
        });
    }
    if let Some((_, name)) = FILES.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(Sentence::new(
            format!("found {name}, expected JSON text"),
            "check whether this is the file that was meant",
        ));
    }
    may_be_brotli(bytes).then(|| {
        Sentence::new("found binary data, expected JSON text", "it may be compressed with brotli: try `brotli -dc`")
    })
}

/// Whether data may be compressed with brotli, which has no magic number. It begins with the size of the window (RFC 7932, section
/// 9.1): those that encoders use by default for text are 10 to 24 bits, of which the first byte is one of these.
fn may_be_brotli(bytes: &[u8]) -> bool {
    let is_window = bytes
        .first()
        .is_some_and(|first| matches!(first & 0x0F, 0x01 | 0x03 | 0x05 | 0x07 | 0x09 | 0x0B | 0x0D | 0x0F));
    let start = &bytes[..bytes.len().min(16)];
    let is_text = str::from_utf8(start).is_ok_and(|text| {
        !text.contains(|character: char| {
            character.is_control() && !character.is_ascii_whitespace() && character != '\x1B'
        })
    });
    is_window && start.len() >= 5 && !is_text
}
