//! The text of a match in the forms that are printed: unescaped, minified, or as it is.

#![forbid(unsafe_code)]

use fjson::Input;
use fjson::Options;
use fjson::scalar::StringErrorKind;
use fjson::scalar::Surrogates;
use fjson::scalar::unescape_into;
use std::io;
use std::io::Write;

/// Length up to which a match is copied to become a stable input.
const MAX_COPY: usize = 64 * 1024;

const LONE_SURROGATE: &str = "a match contains the escape of a lone surrogate, which has no UTF-8 form; --replace-surrogates prints U+FFFD for it";
pub const OUT_OF_MEMORY: &str = "out of memory while converting a match";

/// Appends a string without its quotes and escapes. `inside` is the text between the quotes.
pub fn write_unescaped(inside: &[u8], surrogates: Surrogates, out: &mut Vec<u8>) -> Result<(), &'static str> {
    unescape_into(inside, surrogates, out).map_err(|error| match error.kind() {
        StringErrorKind::OutOfMemory => OUT_OF_MEMORY,
        _ => LONE_SURROGATE,
    })
}

/// Appends a value without whitespace. `copy` is a buffer for [`stable_input`].
pub fn write_minified(
    text: &[u8],
    copy: &mut Vec<u8>,
    options: &Options,
    out: &mut Vec<u8>,
) -> Result<(), &'static str> {
    // The match is valid, so the only possible error is a failed allocation.
    let written = fjson::minify(stable_input(text, copy), FallibleWriter(out), options);
    written.map(drop).map_err(|_| OUT_OF_MEMORY)
}

/// Appends a value as it is.
pub fn write_unchanged(text: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
    FallibleWriter(out).write_all(text).map_err(|_| OUT_OF_MEMORY)
}

/// Returns a match as an input whose bytes cannot change, unlike those of a mapped file. A short match is copied; a long one is
/// read with a reader.
pub fn stable_input<'h>(text: &'h [u8], copy: &'h mut Vec<u8>) -> Input<'h> {
    if text.len() > MAX_COPY {
        return Input::from_reader(text);
    }
    copy.clear();
    copy.extend_from_slice(text);
    Input::from(&*copy)
}

/// A writer to a vector that fails if there is no memory.
pub struct FallibleWriter<'g>(pub &'g mut Vec<u8>);

impl Write for FallibleWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_reserve(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a value has line breaks, which only containers can have.
pub fn has_line_breaks(text: &[u8]) -> bool {
    is_container(text) && memchr::memchr2(b'\n', b'\r', text).is_some()
}

pub fn is_container(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'[' | b'{'))
}
