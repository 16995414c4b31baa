//! Tests that the decompressed output is that of `minify`, and that it depends only on the input and the level.

#![forbid(unsafe_code)]

use super::Gzip;
use super::GzipWriter;
use super::block::BLOCK;
use super::gunzip;
use super::gzip;
use crate::error::ErrorKind;
use crate::input::Input;
use crate::minify::minify;
use crate::options::Options;

use flate2::Compression;
use flate2::write::GzEncoder;

use std::io;
use std::io::Write;

/// Returns a minified array of strings, `length` bytes long.
fn document(length: usize) -> Vec<u8> {
    let mut state = 7u64;
    let mut text = b"[".to_vec();
    while text.len() + 20 < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        write!(text, "\"{}\",", state >> 34).expect("grows");
    }
    text.push(b'"');
    text.resize(length - 2, b'x');
    text.extend_from_slice(b"\"]");
    text
}

fn compressed(text: &[u8], settings: &Gzip) -> Vec<u8> {
    let mut output = Vec::new();
    gzip(text, &mut output, settings, &Options::new()).expect("a valid document");
    output
}

/// Compresses any text without validating it.
fn written(text: &[u8], settings: &Gzip) -> Vec<u8> {
    let mut writer = GzipWriter::new(Vec::new(), settings);
    writer.write_all(text).expect("a vector takes all");
    writer.finish().expect("a vector takes all")
}

/// Decompresses with another implementation. There must be exactly one member.
fn expanded(data: &[u8]) -> Vec<u8> {
    let (text, rest) = gunzip::member(data, u64::MAX).expect("a member");
    assert!(rest.is_empty());
    text
}

#[test]
fn every_length_around_a_block() {
    for length in [5, 100, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 9 * BLOCK + 77] {
        let text = document(length);
        for threads in [1, 2, 7] {
            let data = compressed(&text, &Gzip::new().threads(threads).level(1));
            assert!(expanded(&data) == text, "{length} bytes on {threads} threads");
        }
    }
}

#[test]
fn every_level_on_every_number_of_threads_gives_the_same_bytes() {
    let text = document(3 * BLOCK + 5);
    let mut lengths = Vec::new();
    for level in 1..=9 {
        let alone = compressed(&text, &Gzip::new().level(level).threads(1));
        assert!(expanded(&alone) == text);
        for threads in [0, 2, 3, 16] {
            assert!(compressed(&text, &Gzip::new().level(level).threads(threads)) == alone, "{threads} threads");
        }
        lengths.push(alone.len());
    }
    // Each level is about as small as the previous one, or smaller.
    assert!(lengths.is_sorted_by(|less, more| *more <= less + less / 100), "{lengths:?}");
    assert!(lengths[8] < lengths[0]);
    assert_eq!(compressed(&text, &Gzip::new().level(0)), compressed(&text, &Gzip::new().level(1)));
    assert_eq!(compressed(&text, &Gzip::new().level(200)), compressed(&text, &Gzip::new().level(9)));
}

/// The preceding text helps to compress a block: in repetitive text, only the first copy costs much.
#[test]
fn blocks_use_the_text_before_them() {
    let part = document(10_000);
    let text = [b"[", &vec![&part[..]; 80].join(&b',')[..], b"]"].concat();
    for rsyncable in [false, true] {
        for level in 6..=9 {
            let settings = Gzip::new().level(level).rsyncable(rsyncable);
            let (once, often) = (compressed(&part, &settings).len(), compressed(&text, &settings).len());
            assert!(often < once + 15_000, "level {level}: {once} bytes, then {often}");
        }
    }
}

#[test]
fn numbers_compress_better_than_with_the_settings_for_text() {
    let mut numbers = document(BLOCK);
    numbers.retain(|&byte| byte != b'"');
    for level in 6..=9 {
        let ours = written(&numbers, &Gzip::new().level(level)).len();
        let mut other = GzEncoder::new(Vec::new(), Compression::new(9));
        other.write_all(&numbers).expect("a vector takes all");
        let theirs = other.finish().expect("a vector takes all").len();
        // With the settings for text they would be only 1 % smaller.
        assert!(ours < theirs - theirs / 20, "level {level}: {ours} bytes, not {theirs}");
    }
}

/// An edit in the middle leaves the rest unchanged, except for the blocks near it and the checksum.
#[test]
fn the_rest_after_an_edit_can_stay_unchanged() {
    let text = document(16 * BLOCK);
    let middle = text.len() / 2;
    let edited = [&text[..middle], b"one more thing", &text[middle..]].concat();
    let settings = Gzip::new().level(1);
    for (rsyncable, stays) in [(false, false), (true, true)] {
        let settings = settings.clone().rsyncable(rsyncable);
        let (old, new) = (compressed(&text, &settings), compressed(&edited, &settings));
        assert!(expanded(&old) == text && expanded(&new) == edited);
        let (old, new) = (&old[..old.len() - 8], &new[..new.len() - 8]);
        let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        assert_eq!(same > old.len() * 2 / 5, stays, "{same} bytes of {}", old.len());
    }
    let (fixed, free) = (compressed(&text, &settings).len(), compressed(&text, &settings.rsyncable(true)).len());
    assert!(free < fixed + fixed / 50, "{free} bytes, not {fixed}");
}

/// Text of a single repeated byte has a border nowhere or everywhere.
#[test]
fn repetitive_text_is_divided() {
    for byte in b' '..=b'~' {
        let text = vec![byte; 3 * BLOCK];
        let data = written(&text, &Gzip::new().rsyncable(true).level(1));
        assert!(expanded(&data) == text && data.len() < 10_000, "{} bytes", data.len());
    }
}

#[test]
fn the_size_of_writes_makes_no_difference() {
    for (length, rsyncable) in [(2 * BLOCK, false), (2 * BLOCK + 100, false), (2 * BLOCK + 100, true)] {
        let (text, settings) = (document(length), Gzip::new().rsyncable(rsyncable));
        let whole = compressed(&text, &settings);
        for (size, threads) in [(1, 1), (1000, 1), (BLOCK - 1, 2), (BLOCK, 3), (BLOCK + 1, 2)] {
            let mut writer = GzipWriter::new(Vec::new(), &settings.clone().threads(threads));
            for piece in text.chunks(size) {
                writer.write_all(piece).expect("a vector takes all");
                assert_eq!(writer.write(b"").expect("a vector takes all"), 0);
                writer.flush().expect("a vector takes all");
            }
            assert!(writer.finish().expect("a vector takes all") == whole, "pieces of {size} bytes");
        }
    }
}

#[test]
fn empty_input_is_a_member() {
    let data = GzipWriter::new(Vec::new(), &Gzip::new()).finish().expect("a vector takes all");
    assert_eq!(data, b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x03\0\0\0\0\0\0\0\0\0");
    assert_eq!(expanded(&data), b"");
}

#[test]
fn incompressible_text_grows_little() {
    let mut state = 7u64;
    let noise = (0..3 * BLOCK).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    });
    let noise = noise.collect::<Vec<_>>();
    for level in 1..=9 {
        let data = written(&noise, &Gzip::new().level(level));
        assert!(data.len() < noise.len() + noise.len() / 500, "{} bytes", data.len());
        assert!(expanded(&data) == noise);
    }
}

#[test]
fn whitespace_is_removed_unless_it_is_kept() {
    let text = format!("{} [ 1 ,\t{}2 ]\n", " ".repeat(BLOCK), "3 ,\n".repeat(BLOCK));
    let mut minified = Vec::new();
    minify(&*text, &mut minified, &Options::new()).expect("valid");
    assert!(expanded(&compressed(text.as_bytes(), &Gzip::new())) == minified);
    assert!(expanded(&compressed(text.as_bytes(), &Gzip::new().keep_space(true))) == text.as_bytes());
}

#[test]
fn an_invalid_document_leaves_no_member() {
    for text in [document(3 * BLOCK), b"[1]".to_vec()] {
        let text = [&text[..], b"]"].concat();
        for keep_space in [false, true] {
            let mut output = Vec::new();
            let error = gzip(&text, &mut output, &Gzip::new().keep_space(keep_space), &Options::new());
            let error = error.expect_err("one bracket too many");
            assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingContent, text.len() as u64 - 1));
            assert!(gunzip::members(&output).is_none());
        }
    }
}

/// A sink that accepts a limited number of bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_after_a_mark_have_lines() {
    for keep_space in [false, true] {
        let input = Input::from("\u{feff}[1,\n]").skip_byte_order_mark().expect("it can be read");
        let error = gzip(input, Vec::new(), &Gzip::new().keep_space(keep_space), &Options::new());
        let error = error.expect_err("it is invalid");
        assert_eq!((error.offset(), error.line(), error.column()), (7, Some(2), Some(1)), "{keep_space}");
    }
}

#[test]
fn a_full_sink_is_an_error_wherever_it_is_full() {
    let text = document(9 * BLOCK);
    let length = compressed(&text, &Gzip::new()).len();
    for keep_space in [false, true] {
        let settings = Gzip::new().keep_space(keep_space);
        for room in [0, 9, 10, 5000, length / 2, length - 9, length - 8, length - 1] {
            let error = gzip(&text, Full(room), &settings, &Options::new()).expect_err("there is no room");
            assert_eq!(error.to_string(), "cannot write the output: no storage space", "{room} bytes");
        }
        assert!(gzip(&text, Full(length), &settings, &Options::new()).is_ok());
    }
}
