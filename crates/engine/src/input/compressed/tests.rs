//! Tests that data compressed by other libraries decompresses correctly however it is split, and that damage is always reported.

#![forbid(unsafe_code)]

use super::PIECE;
use super::WORKER_THRESHOLD;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::input::Input;

use flate2::Compression;
use flate2::GzBuilder;
use flate2::write::GzEncoder;

use std::cell::Cell;
use std::io;
use std::io::Read;
use std::io::Write;
use std::mem;
use std::vec;

/// Sizes of the pieces that the input is read in; 0 means from memory.
const SIZES: [usize; 5] = [0, 1, 7, 1000, 300_000];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("compresses");
    encoder.finish().expect("compresses")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("an encoder");
    encoder.include_checksum(true).expect("has checksums");
    encoder.write_all(text).expect("compresses");
    encoder.finish().expect("compresses")
}

/// Without a checksum after it, a frame ends with its last output.
fn zstd_without_checksum(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("an encoder");
    encoder.write_all(text).expect("compresses");
    encoder.finish().expect("compresses")
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).expect("compresses");
    encoder.finish().expect("compresses")
}

fn xz(text: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(text).expect("compresses");
    encoder.finish().expect("compresses")
}

/// Returns JSON that does not compress too well.
fn text(length: usize) -> Vec<u8> {
    let mut state = 7u64;
    let mut text = Vec::with_capacity(length + 20);
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        writeln!(text, "{{\"id\":{}}}", state >> 40).expect("grows");
    }
    text.truncate(length);
    text
}

fn expand(data: &[u8], size: usize, most: u64) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    let input = Input::in_pieces(data, size).expanded(most);
    let read = input.into_reader().read_to_end(&mut text);
    read.map(|_| text).map_err(|error| error.downcast().expect("an error of this library"))
}

/// Returns the text, or the kind, offset and message of the error, after checking that it is the same for all sizes of pieces.
fn result(data: &[u8]) -> Result<Vec<u8>, (ErrorKind, u64, String)> {
    let of = |size| expand(data, size, u64::MAX).map_err(|error| (error.kind(), error.offset(), error.to_string()));
    let result = of(0);
    for size in SIZES.iter().filter(|&&size| size * 2000 >= data.len()) {
        assert!(of(*size) == result, "in pieces of {size} bytes: {:?}, not {:?}", of(*size), result);
    }
    result
}

#[test]
fn all_of_it_is_expanded() {
    for length in [0, 1, 2, 1000, 100_000, WORKER_THRESHOLD, WORKER_THRESHOLD + 1, 5 * PIECE] {
        let text = text(length);
        for data in [gzip(&text), zstd(&text), bzip2(&text), xz(&text)] {
            assert!(result(&data) == Ok(text.clone()), "{length} bytes");
        }
    }
}

#[test]
fn what_is_not_compressed_stays_as_it_is() {
    for text in [&b""[..], b"[", b"1", b"\x1f", b"\x28\xb5\x2f", b"[1,2]", b"(\xb5\x2f\xfc"] {
        assert_eq!(result(text), Ok(text.to_vec()));
    }
    let long = text(PIECE);
    assert!(result(&long) == Ok(long));
}

#[test]
fn members_and_frames_follow_each_other() {
    let parts = [text(10), text(0), text(WORKER_THRESHOLD), text(3000)];
    let whole = parts.concat();
    let members = parts.iter().map(|part| gzip(part)).collect::<Vec<_>>();
    assert!(result(&members.concat()) == Ok(whole.clone()));

    let mut named = GzBuilder::new()
        .filename("a name")
        .comment("message")
        .extra("more")
        .mtime(1)
        .write(Vec::new(), Compression::fast());
    named.write_all(b"[1]").expect("compresses");
    assert_eq!(result(&named.finish().expect("compresses")), Ok(b"[1]".to_vec()));

    for compress in [bzip2, xz] {
        let streams = parts.iter().map(|part| compress(part)).collect::<Vec<_>>();
        assert!(result(&streams.concat()) == Ok(whole.clone()));
    }
    let padded = [&xz(b"[1]")[..], &[0; 8], &xz(b"[2]"), &[0; 4]].concat();
    assert_eq!(result(&padded), Ok(b"[1][2]".to_vec()));

    let skipped = *b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    let frames = parts.iter().map(|part| [&skipped[..], &zstd(part)].concat()).collect::<Vec<_>>();
    assert!(result(&frames.concat()) == Ok(whole));
    assert_eq!(result(&skipped), Ok(Vec::new()));
}

/// Skippable frames of all lengths, before, between and after others, and cut at each byte.
#[test]
fn skippable_frames_may_be_anywhere() {
    let skippable = |length: u32| [&b"\x5f\x2a\x4d\x18"[..], &length.to_le_bytes(), &vec![7; length as usize]].concat();
    let frame = zstd(b"[1]");
    for length in [0, 1, 300_000] {
        let skipped = skippable(length);
        for (data, expected) in [
            ([&frame[..], &skipped].concat(), &b"[1]"[..]),
            ([&skipped[..], &skipped, &frame, &skipped, &frame].concat(), b"[1][1]"),
            (skipped.clone(), b""),
        ] {
            assert_eq!(result(&data), Ok(expected.to_vec()), "{length}");
        }
    }
    let whole = [&frame[..], &skippable(0), &skippable(3)].concat();
    for place in frame.len() + 1..whole.len() {
        let cut = result(&whole[..place]);
        if place == frame.len() + skippable(0).len() {
            assert_eq!(cut, Ok(b"[1]".to_vec()));
        } else {
            let (kind, offset, message) = cut.expect_err("it is not complete");
            assert_eq!((kind, offset), (ErrorKind::Compression, 3));
            assert_eq!(message, format!("the zstd data ends at byte {place}, before it is complete"));
        }
    }
    let (_, _, message) = result(&[&frame[..], b"\x50\x2a\x4d\x19\0\0\0\0"].concat()).expect_err("another number");
    assert!(message.ends_with(&format!("begins at byte {}: unknown frame descriptor", frame.len())), "{message}");
}

#[test]
fn many_short_streams_of_bzip2_take_little_time() {
    let empty = bzip2(b"");
    assert_eq!(empty.len(), 14);
    let data = [&empty.repeat(100_000)[..], &bzip2(b"[1]"), &empty].concat();
    assert_eq!(result(&data), Ok(b"[1]".to_vec()));
    let short = [&b"[1]"[..], &text(5000), b""].map(|text| (bzip2(text), text.to_vec()));
    let (streams, texts): (Vec<_>, Vec<_>) = short.into_iter().cycle().take(300).unzip();
    let long = text(300_000);
    let data = [&streams.concat()[..], &bzip2(&long), &streams.concat()].concat();
    assert!(result(&data) == Ok([&texts.concat()[..], &long, &texts.concat()].concat()));
    // The checksum of no blocks is 0.
    let wrong = [&empty[..13], &[1]].concat();
    let (kind, _, message) = result(&[&empty[..], &wrong].concat()).expect_err("it is damaged");
    assert_eq!(kind, ErrorKind::Compression);
    assert!(message.contains("in the stream that begins at byte 14: "), "{message}");
}

#[test]
fn zeros_may_follow_gzip_data() {
    let data = gzip(b"[1]");
    for zeros in [1, 2, 511, 2 * PIECE] {
        assert_eq!(result(&[&data[..], &vec![0; zeros]].concat()), Ok(b"[1]".to_vec()), "{zeros} zeros");
    }
}

#[test]
fn the_padding_of_xz_is_a_multiple_of_four_bytes() {
    let data = xz(b"[1]");
    for zeros in [1, 2, 3, 6] {
        let expected = format!("the padding of the xz data at byte {} is not a multiple of four bytes", data.len());
        for more in [&b""[..], &data] {
            let result = result(&[&data[..], &vec![0; zeros], more].concat());
            assert_eq!(result, Err((ErrorKind::Compression, 3, expected.clone())), "{zeros} zeros");
        }
    }
}

#[test]
fn trailing_data_is_an_error() {
    let place = |data: &[u8], more: &[u8]| result(&[data, more].concat()).expect_err("something follows");
    let (gzip, zstd) = (gzip(b"[1]"), zstd(b"[1]"));
    let expected =
        |format, byte| (ErrorKind::Compression, 3, format!("something else follows the {format} data at byte {byte}"));
    for more in [&b"x"[..], b"[1]", b"\n", b"(\xb5\x2f\xfd"] {
        assert_eq!(place(&gzip, more), expected("gzip", gzip.len()), "{more:?}");
    }
    assert_eq!(place(&gzip, b"\0\0\0x"), expected("gzip", gzip.len() + 3));
    assert_eq!(place(&gzip, &[&b"\0"[..], &gzip].concat()), expected("gzip", gzip.len() + 1));
    for more in [&b"x"[..], b"\0", &gzip[..]] {
        assert_eq!(place(&zstd, more), expected("zstd", zstd.len()), "{more:?}");
    }
}

#[test]
fn truncation_is_noticed_at_every_byte() {
    let text = text(300);
    for data in [gzip(&text), zstd(&text), [zstd(&text), zstd(&text)].concat(), [gzip(&text), gzip(&text)].concat()] {
        let is_whole = |length| length == data.len() || length == data.len() / 2 && data.len() % 2 == 0;
        for length in 4..data.len() {
            match result(&data[..length]) {
                Err((kind, _, message)) => {
                    assert_eq!(kind, ErrorKind::Compression);
                    assert!(message.contains(&format!("ends at byte {length}, before")), "{message}");
                }
                Ok(_) => assert!(is_whole(length), "truncated at {length} of {}", data.len()),
            }
        }
    }
}

/// Flipping any bit causes an error, unless the bit does not affect the text.
#[test]
fn a_flipped_bit_is_noticed_or_harmless() {
    let text = text(300);
    for data in [gzip(&text), zstd(&text)] {
        let mut harmless = 0;
        for bit in 0..data.len() * 8 {
            let mut flipped = data.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            match result(&flipped) {
                Ok(got) if got == text => harmless += 1,
                // Without the magic number it is not recognized as compressed. It is not JSON either.
                Ok(got) => assert!(bit < 32 && got == flipped, "bit {bit}"),
                Err((kind, ..)) => assert_eq!(kind, ErrorKind::Compression, "bit {bit}"),
            }
        }
        // In gzip: time, operating system and compression level. In zstd: almost none.
        assert!(harmless <= 60, "{harmless} flips were not noticed");
    }
}

/// Damage after the point where the worker thread takes over.
#[test]
fn late_damage_is_noticed() {
    let text = text(4 * PIECE);
    for data in [gzip(&text), zstd(&text)] {
        for place in [data.len() / 2, data.len() * 3 / 4, data.len() - 3] {
            let mut flipped = data.clone();
            flipped[place] ^= 0x10;
            assert_eq!(result(&flipped).map_err(|(kind, ..)| kind), Err(ErrorKind::Compression));
            assert_eq!(result(&data[..place]).map_err(|(kind, ..)| kind), Err(ErrorKind::Compression));
        }
    }
}

/// Everything before the damage is read before the error, however the data is split.
#[test]
fn data_before_damage_is_read() {
    for length in [3000, 2 * PIECE] {
        let text = text(length);
        for mut data in [gzip(&text), zstd(&text)] {
            let place = data.len() - 5;
            data[place] ^= 0x10;
            for size in SIZES.iter().filter(|&&size| size * 2000 >= data.len()) {
                let mut copy = Vec::new();
                let mut reader = Input::in_pieces(&data, *size).expanded(u64::MAX).into_reader();
                let error = reader.read_to_end(&mut copy).expect_err("it is damaged").downcast::<Error>();
                let offset = error.expect("an error of this library").offset();
                assert!(offset > 0 || length < PIECE, "nothing was read");
                assert!(offset == copy.len() as u64, "{offset} bytes, of which {} were read", copy.len());
                assert!(text.starts_with(&copy));
            }
        }
    }
}

#[test]
fn a_decompression_bomb_is_stopped_at_the_limit() {
    let spaces = vec![b' '; 3 * PIECE];
    for data in [gzip(&spaces), zstd(&spaces)] {
        for size in [0, 1000, 300_000] {
            for most in [0, 1, 4096, WORKER_THRESHOLD as u64, WORKER_THRESHOLD as u64 + 1, spaces.len() as u64 - 1] {
                let error = expand(&data, size, most).expect_err("there is more");
                assert_eq!((error.kind(), error.offset()), (ErrorKind::ExpansionLimit, most));
                let message = format!("the compressed data expands to more than {most} bytes");
                assert_eq!(error.to_string(), message);
            }
            assert!(expand(&data, size, spaces.len() as u64).is_ok());
        }
    }
}

#[test]
fn a_frame_with_too_large_a_window_is_refused() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    encoder.window_log(28).expect("takes it");
    encoder.write_all(b"[1]").expect("compresses");
    let (kind, _, message) = result(&encoder.finish().expect("compresses")).expect_err("256 MiB");
    assert_eq!(kind, ErrorKind::Compression);
    assert!(message.contains("too much memory"), "{message}");
}

/// Each byte of the data is changed, and the data is cut at each place.
#[test]
fn damage_of_streams_is_found_however_they_are_split() {
    let text = text(700);
    for (compress, format) in [(bzip2 as fn(&[u8]) -> Vec<u8>, "bzip2"), (xz, "xz")] {
        let data = [compress(&text), compress(&text)].concat();
        let first = compress(&text).len();
        for place in 0..data.len() {
            let mut flipped = data.clone();
            flipped[place] ^= 0x10;
            let changed = result(&flipped);
            // Without its magic number, it is no compressed data.
            let is_plain = changed.as_ref().is_ok_and(|text| *text == flipped);
            // The size of the blocks of bzip2, and the reserved bits of its padding, have no checksum.
            let is_same = changed.as_ref().is_ok_and(|changed| *changed == [&text[..], &text].concat());
            match changed {
                Err((kind, _, message)) => {
                    assert_eq!(kind, ErrorKind::Compression, "{format} {place}: {message}");
                    assert!(message.contains(format), "{format} {place}: {message}");
                }
                Ok(_) => assert!(is_plain && place < 6 || is_same && format == "bzip2", "{format} {place}"),
            }
            let cut = result(&data[..place]);
            if place == first {
                assert_eq!(cut, Ok(text.clone()));
            } else if place >= 6 {
                let (kind, _, message) = cut.expect_err("it is not complete");
                assert_eq!(kind, ErrorKind::Compression);
                let end = format!("the {format} data ends at byte {place}, before it is complete");
                assert_eq!(message, end, "{format} {place}");
            }
        }
        let (kind, offset, message) = result(&[&data[..], b"[1]"].concat()).expect_err("something follows");
        assert_eq!((kind, offset), (ErrorKind::Compression, 1400));
        assert_eq!(message, format!("something else follows the {format} data at byte {}", data.len()));
    }
}

#[test]
fn xz_data_that_needs_too_much_memory_is_refused() {
    let mut options = liblzma::stream::LzmaOptions::new_preset(0).expect("a preset");
    options.dict_size(256 << 20);
    let mut filters = liblzma::stream::Filters::new();
    filters.lzma2(&options);
    let stream =
        liblzma::stream::Stream::new_stream_encoder(&filters, liblzma::stream::Check::Crc32).expect("an encoder");
    let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
    encoder.write_all(b"[1]").expect("compresses");
    let (kind, _, message) = result(&encoder.finish().expect("compresses")).expect_err("256 MiB");
    assert_eq!(kind, ErrorKind::Compression);
    assert!(message.ends_with("expanding it needs more than 128 MiB of memory"), "{message}");
}

#[test]
fn an_input_may_be_dropped_early() {
    let data = gzip(&text(20 * PIECE));
    let mut reader = Input::from(&data).expanded(u64::MAX).into_reader();
    reader.read_exact(&mut vec![0; 3 * PIECE]).expect("reads");
}

/// A stored block in a frame whose header announces a greater length. Found by a fuzzer.
#[test]
fn damage_has_the_same_offset_however_a_block_is_split() {
    let frame = b"\x28\xb5\x2f\xfd\x20\x12\x81\0\0[1]\n[2]\n[3]\n[4]\n";
    let (kind, offset, _) = result(&[&zstd(b"[0]\n")[..], frame].concat()).expect_err("two bytes are missing");
    assert_eq!((kind, offset), (ErrorKind::Compression, 4));
}

/// A caller that stops early can check that the rest is not damaged.
#[test]
fn the_rest_is_checked() {
    let text = text(3 * PIECE);
    for data in [gzip(&text), zstd(&text), bzip2(&text), xz(&text)] {
        let end = data.len();
        for size in [0, 300_000] {
            for (length, flip, expected) in
                [(end, 0, None), (end, 1, Some(ErrorKind::Compression)), (end - 1, 0, Some(ErrorKind::Compression))]
            {
                let mut data = data[..length].to_vec();
                data[length - 4] ^= flip;
                let mut input = Input::in_pieces(&data, size).expanded(u64::MAX);
                input.read_more(0).expect("the beginning is not damaged");
                assert_eq!(input.check_rest().err().map(|error| error.kind()), expected);
            }
        }
    }
    let mut plain = Input::in_pieces(&text, 1000).expanded(u64::MAX);
    plain.read_more(0).expect("reads");
    plain.check_rest().expect("there is nothing to be damaged");
    assert!(!plain.at_end(), "and nothing was read for it");
}

/// A reader that fails at every other call.
struct Hesitant<'a>(&'a [u8], bool);

impl Read for Hesitant<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 { Err(io::ErrorKind::WouldBlock.into()) } else { self.0.by_ref().take(5000).read(buffer) }
    }
}

/// A reader of compressed pieces that decompress to `LIVE` bytes each. Fails if a piece is requested before all bytes of the
/// previous ones were read.
struct Live<'r> {
    pieces: vec::IntoIter<Vec<u8>>,
    expected: usize,
    read: &'r Cell<usize>,
}

/// More than the worker thread delivers at once. In compressed form, little enough to be read at once.
const LIVE: usize = 640 << 10;

impl Read for Live<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        assert_eq!(self.read.get(), self.expected, "more is requested before everything available was read");
        let Some(piece) = self.pieces.next() else { return Ok(0) };
        self.expected += LIVE;
        buffer[..piece.len()].copy_from_slice(&piece);
        Ok(piece.len())
    }
}

/// All data available in a pipe is delivered before more is requested. (A zstd block needs the header of the next one, so this
/// does not hold for zstd.)
#[test]
fn a_live_pipe_is_read_without_delay() {
    const COUNT: usize = 8;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let pieces = (0..COUNT).map(|_| {
        encoder.write_all(&vec![b' '; LIVE]).and_then(|()| encoder.flush()).expect("compresses");
        mem::take(encoder.get_mut())
    });
    let pieces = pieces.collect::<Vec<_>>().into_iter();
    let read = Cell::new(0);
    let mut reader = Input::from_reader(Live { pieces, expected: 0, read: &read }).expanded(u64::MAX).into_reader();
    let mut buffer = vec![0; 5000];
    while read.get() < COUNT * LIVE {
        read.set(read.get() + reader.read(&mut buffer).expect("there is more"));
    }
}

#[test]
fn after_a_failure_reading_can_go_on() {
    let text = text(2 * PIECE);
    for data in [gzip(&text), zstd(&text), text.clone()] {
        let mut reader = Input::from_reader(Hesitant(&data, false)).expanded(u64::MAX).into_reader();
        let (mut copy, mut failures) = (Vec::new(), 0);
        while reader.read_to_end(&mut copy).is_err() {
            failures += 1;
        }
        assert!(copy == text && failures > 100);
    }
}

#[test]
fn an_input_knows_whether_it_is_expanded() {
    let data = gzip(b"[1]");
    for size in SIZES {
        for (text, is_expanded) in [(&data[..], true), (b"[1]", false), (b"", false)] {
            let mut input = Input::in_pieces(text, size).expanded(u64::MAX);
            assert_eq!(input.is_expanded().expect("reads"), is_expanded);
            let mut copy = Vec::new();
            input.expanded(0).into_reader().read_to_end(&mut copy).expect("reads what is left");
            assert_eq!(copy, if is_expanded { b"[1]" } else { text });
        }
    }
}

/// A frame may end exactly where the room for its output does.
#[test]
fn frames_that_fill_a_buffer() {
    for length in [1, 1 << 14, 1 << 15, (1 << 14) + 1, 1 << 16, 1 << 17, 1 << 18, 1 << 20] {
        let (first, second) = (text(length), text(100));
        let frames = [zstd_without_checksum(&first), zstd_without_checksum(&second)].concat();
        let whole = [first, second].concat();
        for size in SIZES {
            assert_eq!(expand(&frames, size, u64::MAX).expect("two frames"), whole, "{length} {size}");
            let limit = length as u64;
            let error = expand(&frames, size, limit).expect_err("too much");
            assert_eq!(error.kind(), ErrorKind::ExpansionLimit, "{length} {size}");
        }
    }
}
