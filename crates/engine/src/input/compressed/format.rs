//! Detects the compression format of an input by its first bytes.
//!
//! File names are not used: a pipe has none, and that of a file is often wrong. No valid JSON text begins with one of the magic
//! numbers below, so valid JSON is never taken for compressed data.

#![forbid(unsafe_code)]

use std::fmt;

/// A supported compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    Bzip2,
    /// The format of XZ Utils.
    Xz,
}

/// The result of detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beginning {
    /// More bytes are needed.
    Unknown,
    /// Not compressed.
    Plain,
    Compressed(Format),
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
pub(super) const BZIP2: [u8; 3] = *b"BZh";
const XZ: [u8; 6] = *b"\xfd7zXZ\0";
/// Rest of the magic number of a skippable frame, after a first byte of 0x50 to 0x5f.
pub(super) const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

impl Beginning {
    /// Classifies an input that begins with `bytes`. `ended` says that there are no more.
    pub(crate) fn of(bytes: &[u8], ended: bool) -> Self {
        let Some((&first, rest)) = bytes.split_first() else {
            return if ended { Self::Plain } else { Self::Unknown };
        };
        let (format, magic) = match first {
            0x1f => (Format::Gzip, &GZIP[1..]),
            0x28 => (Format::Zstd, &ZSTD[1..]),
            first if is_skippable(first) => (Format::Zstd, &SKIPPABLE[..]),
            b'B' => (Format::Bzip2, &BZIP2[1..]),
            0xfd => (Format::Xz, &XZ[1..]),
            _ => return Self::Plain,
        };
        if rest.starts_with(magic) {
            Self::Compressed(format)
        // mutant: } else if magic.starts_with(rest) {
        } else if magic.starts_with(rest) && !ended {
            Self::Unknown
        } else {
            Self::Plain
        }
    }
}

/// Returns whether a frame of zstd that begins with `byte` is skippable.
pub(super) fn is_skippable(byte: u8) -> bool {
    matches!(byte, 0x50..=0x5f)
}

impl Format {
    /// Returns whether another member or frame may begin with `byte`.
    pub(super) fn may_begin_with(self, byte: u8) -> bool {
        match self {
            Self::Gzip => byte == GZIP[0],
            Self::Zstd => byte == ZSTD[0] || is_skippable(byte),
            Self::Bzip2 => byte == BZIP2[0],
            Self::Xz => byte == XZ[0],
        }
    }

    /// Returns whether zeros may follow the data. Tapes and disks pad their blocks with zeros, and `gzip` and `xz` accept them.
    pub(super) fn may_be_padded(self) -> bool {
        matches!(self, Self::Gzip | Self::Xz)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_the_format_by_the_first_bytes() {
        use Beginning::*;
        for (bytes, beginning, if_ended) in [
            (&b""[..], Unknown, Plain),
            (b"\x1f", Unknown, Plain),
            (b"\x1f\x8b", Compressed(Format::Gzip), Compressed(Format::Gzip)),
            (b"\x1f\x8b\x08\0", Compressed(Format::Gzip), Compressed(Format::Gzip)),
            (b"\x1f\x8a", Plain, Plain),
            (b"\x28\xb5\x2f", Unknown, Plain),
            (b"\x28\xb5\x2f\xfd\x04", Compressed(Format::Zstd), Compressed(Format::Zstd)),
            (b"\x28\xb5\x2e\xfd", Plain, Plain),
            (b"[", Unknown, Plain),
            (b"[*", Unknown, Plain),
            (b"[*M\x18", Compressed(Format::Zstd), Compressed(Format::Zstd)),
            (b"[1", Plain, Plain),
            (b"BZ", Unknown, Plain),
            (b"BZh9", Compressed(Format::Bzip2), Compressed(Format::Bzip2)),
            (b"BZ0", Plain, Plain),
            (b"\xfd7zXZ", Unknown, Plain),
            (b"\xfd7zXZ\0", Compressed(Format::Xz), Compressed(Format::Xz)),
            (b"\xfd", Unknown, Plain),
            (b"{", Plain, Plain),
            (b"1", Plain, Plain),
        ] {
            assert_eq!(Beginning::of(bytes, false), beginning, "{bytes:x?}");
            assert_eq!(Beginning::of(bytes, true), if_ended, "{bytes:x?} and nothing more");
        }
    }
}
