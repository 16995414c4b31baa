//! Which compression an input has, told by its first bytes.
//!
//! A name says nothing about a pipe and too often lies about a file. No JSON text begins with one of these bytes and the
//! ones that follow it here, so nothing that could be valid is taken for compressed.

#![forbid(unsafe_code)]

use std::fmt;

/// A kind of compression that is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
}

/// What the first bytes of an input say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beginning {
    /// More of them are needed.
    Unsure,
    Plain,
    Compressed(Format),
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Behind a first byte of 0x50 to 0x5f: a frame for others, which a reader skips.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

impl Beginning {
    /// What an input is that begins with `bytes`; `ended` if these are all.
    pub(crate) fn of(bytes: &[u8], ended: bool) -> Self {
        let Some((&first, rest)) = bytes.split_first() else {
            return if ended { Self::Plain } else { Self::Unsure };
        };
        let (format, magic) = match first {
            0x1f => (Format::Gzip, &GZIP[1..]),
            0x28 => (Format::Zstd, &ZSTD[1..]),
            0x50..=0x5f => (Format::Zstd, &SKIPPABLE[..]),
            _ => return Self::Plain,
        };
        if rest.starts_with(magic) {
            Self::Compressed(format)
        } else if magic.starts_with(rest) && !ended {
            Self::Unsure
        } else {
            Self::Plain
        }
    }
}

impl Format {
    /// Whether one more member or frame may begin with `byte`, behind one that is complete.
    pub(super) fn may_begin_with(self, byte: u8) -> bool {
        match self {
            Self::Gzip => byte == GZIP[0],
            Self::Zstd => byte == ZSTD[0] || matches!(byte, 0x50..=0x5f),
        }
    }

    /// Whether nothing but zeros may follow to the end: tapes and disks fill their blocks, and `gzip` reads on.
    pub(super) fn may_be_padded(self) -> bool {
        self == Self::Gzip
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell() {
        use Beginning::*;
        for (bytes, beginning, if_ended) in [
            (&b""[..], Unsure, Plain),
            (b"\x1f", Unsure, Plain),
            (b"\x1f\x8b", Compressed(Format::Gzip), Compressed(Format::Gzip)),
            (b"\x1f\x8b\x08\0", Compressed(Format::Gzip), Compressed(Format::Gzip)),
            (b"\x1f\x8a", Plain, Plain),
            (b"\x28\xb5\x2f", Unsure, Plain),
            (b"\x28\xb5\x2f\xfd\x04", Compressed(Format::Zstd), Compressed(Format::Zstd)),
            (b"\x28\xb5\x2e\xfd", Plain, Plain),
            (b"[", Unsure, Plain),
            (b"[*", Unsure, Plain),
            (b"[*M\x18", Compressed(Format::Zstd), Compressed(Format::Zstd)),
            (b"[1", Plain, Plain),
            (b"{", Plain, Plain),
            (b"1", Plain, Plain),
        ] {
            assert_eq!(Beginning::of(bytes, false), beginning, "{bytes:x?}");
            assert_eq!(Beginning::of(bytes, true), if_ended, "{bytes:x?} and nothing more");
        }
    }
}
