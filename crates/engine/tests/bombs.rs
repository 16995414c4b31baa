//! Decompression bombs: data that expands to a thousand times its size is read in bounded memory, or stopped by a
//! limit.
//!
//! A separate binary, because it measures the memory of the whole process.

#![forbid(unsafe_code)]
#![cfg(feature = "compression")]

use std::io::Write;

use fjson::ErrorKind;
use fjson::Input;
use fjson::Options;
use flate2::Compression;
use flate2::write::GzEncoder;
use proof::endless;

/// Spaces before the document.
const BLANKS: u64 = 1 << 30;

/// The limit on the expanded size.
const MOST: u64 = 100 << 20;

/// The memory that reading may take, in addition to what the process had before with the compressed data.
const MOST_MEMORY: u64 = (8 << 20) + (8 << 20);

/// Many spaces and `[1]`, as gzip and as zstd.
fn bombs() -> [Vec<u8>; 2] {
    let blanks = vec![b' '; 1 << 16];
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    let mut zstd = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    for _ in 0..BLANKS / blanks.len() as u64 {
        gzip.write_all(&blanks).expect("compresses");
        zstd.write_all(&blanks).expect("compresses");
    }
    gzip.write_all(b"[1]").expect("compresses");
    zstd.write_all(b"[1]").expect("compresses");
    [gzip.finish().expect("compresses"), zstd.finish().expect("compresses")]
}

#[test]
fn memory_stays_flat() {
    let options = Options::new();
    for bomb in bombs() {
        assert!(bomb.len() < 8 << 20);
        for stream in [false, true] {
            let input = || if stream { Input::from_reader(&bomb[..]) } else { Input::from(&bomb) };
            let error = fjson::validate(input().expanded(MOST), &options).expect_err("there is more");
            assert_eq!((error.kind(), error.offset()), (ErrorKind::ExpansionLimit, MOST));
            let mut written = Vec::new();
            fjson::minify(input().expanded(BLANKS + 3), &mut written, &options).expect("so much is allowed");
            assert_eq!(written, b"[1]");
            if let Some(peak) = endless::peak_memory() {
                assert!(peak <= MOST_MEMORY, "{peak} bytes");
            }
        }
    }
}
