//! The contents of the files: documents that take some milliseconds to read, plain and compressed.

use std::collections::HashMap;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::random::Random;

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// An array of many small objects.
    Wide,
    /// Nested members, again and again.
    Deep,
    /// A few strings and numbers, all of them long.
    Long,
    /// The document of `Wide` as `pretty` writes it.
    Formatted,
    /// An object on each line.
    Lines,
}

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// As it is.
    Plain,
    /// gzip.
    Gzip,
    /// zstd with a checksum.
    Zstd,
}

/// Contents that have been generated already.
#[derive(Default)]
pub struct Contents(HashMap<(Content, Form, usize), Vec<u8>>);

impl Contents {
    /// A content of about this many bytes before it is compressed.
    ///
    /// # Panics
    /// If compressing fails.
    pub fn get(&mut self, content: Content, form: Form, size: usize) -> &[u8] {
        self.0.entry((content, form, size)).or_insert_with(|| {
            let text = text(content, size);
            match form {
                Form::Plain => text,
                Form::Gzip => {
                    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                    encoder.write_all(&text).expect("memory takes all");
                    encoder.finish().expect("memory takes all")
                }
                Form::Zstd => {
                    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
                    // Without a checksum, a change of the compressed data may be an undetectable change of the text.
                    encoder.include_checksum(true).expect("a checksum");
                    encoder.write_all(&text).expect("memory takes all");
                    encoder.finish().expect("memory takes all")
                }
            }
        })
    }
}

/// A valid content of about this many bytes, always the same.
#[must_use]
pub fn text(content: Content, size: usize) -> Vec<u8> {
    let mut random = Random::new(1);
    let mut text = Vec::with_capacity(size + 4096);
    match content {
        Content::Wide => {
            text.push(b'[');
            while text.len() < size {
                object(&mut random, &mut text, ["", ":", ", "]);
                text.extend_from_slice(b",\n ");
            }
            object(&mut random, &mut text, ["", ":", ","]);
            text.extend_from_slice(b"]\n");
        }
        Content::Lines => {
            while text.len() < size {
                object(&mut random, &mut text, ["", ":", ", "]);
                text.push(b'\n');
            }
        }
        Content::Formatted => {
            text.extend_from_slice(b"[\n  ");
            while text.len() < size {
                object(&mut random, &mut text, ["\n    ", ": ", ",\n    "]);
                text.extend_from_slice(b",\n  ");
            }
            object(&mut random, &mut text, ["\n    ", ": ", ",\n    "]);
            text.extend_from_slice(b"\n]\n");
        }
        Content::Deep => {
            text.push(b'[');
            while text.len() < size {
                let depth = 1 + random.below(60);
                for level in 0..depth {
                    let name = ["a", "b", "name", "z"][random.below(4)];
                    text.extend_from_slice(format!("{{\"{name}\": [{level}, ").as_bytes());
                }
                text.extend_from_slice(b"\"\\u00e9\"");
                text.extend(std::iter::repeat_n(*b"]}", depth).flatten());
                text.extend_from_slice(b",\n");
            }
            text.extend_from_slice(b"{\"a\":2}]");
        }
        Content::Long => {
            text.extend_from_slice(b"{\"a\":\"");
            text.extend(std::iter::repeat_n(*br"lorem ipsum \u00e9 \n ", size / 60).flatten());
            text.extend_from_slice(b"\",\n\"name\":[\"");
            text.extend(std::iter::repeat_n(*b"dolor sit amet, [{\xC3\xA9}] ", size / 60).flatten());
            text.extend_from_slice(b"\", 0.5],\"b\":\"");
            text.extend(std::iter::repeat_n(b'x', size / 3));
            text.extend_from_slice(b"\"}");
        }
    }
    text
}

/// An object with members of every kind; the layout is what follows a bracket, a key and a value.
fn object(random: &mut Random, text: &mut Vec<u8>, [open, colon, comma]: [&str; 3]) {
    let (id, z) = (random.below(100_000), random.below(4));
    let word = random.pick(&["plain", "with \\\"quotes\\\" and \\\\", "\\u00e9\\ud83d\\ude00", "é, [x] {y} : z", ""]);
    let close = open.replacen("    ", "  ", 1);
    let inner = open.replacen("    ", "      ", 1);
    let between = if open.is_empty() { String::from(", ") } else { format!(",{inner}") };
    let behind = if open.is_empty() { "" } else { open };
    let object = format!(
        "{{{open}\"id\"{colon}{id}{comma}\"name\"{colon}\"{word}\"{comma}\"a\"{colon}[{inner}{id}{between}\"{word}\"{between}null{behind}]\
         {comma}\"b\"{colon}{{{inner}\"a\"{colon}{id}.25{between}\"z\"{colon}{z}{behind}}}{comma}\"ok\"{colon}true{close}}}"
    );
    text.extend_from_slice(object.as_bytes());
}
