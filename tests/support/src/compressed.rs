//! Compressed data, compared with other decoders.
//!
//! gzip has an independent decoder, [`gunzip`]. The others have only one decoder, so for them the tests check frames or streams, splits
//! and limits.

use std::io::BufReader;
use std::io::Read;
use std::io::Write;
use std::iter;

use fjson::Error;
use fjson::ErrorKind;
use fjson::Input;
use fjson::Options;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::check;
use crate::check::Verb;
use crate::gunzip;
use crate::pieces::Pieces;
use crate::random::Random;

/// The limit on expanded sizes.
const MOST: u64 = 1 << 20;

/// How often each text is damaged.
const ROUNDS: usize = 6;

const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
const BZIP2: &[u8] = b"BZh";
const XZ: &[u8] = b"\xfd7zXZ\0";
/// A header of xz without checks.
const XZ_HEADER: &[u8] = b"\xfd7zXZ\0\0\0\xff\x12\xd9\x41";
/// The header of a member without name, time and system.
const HEADER: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\xff";

/// Asserts that bytes with the first bytes of compressed data before them are accepted or refused as by other decoders.
///
/// # Panics
/// If they are not.
pub fn read_as_it_is(bytes: &[u8], random: &mut Random) {
    agree(bytes, random);
    agree(&[GZIP, bytes].concat(), random);
    agree(&[ZSTD, bytes].concat(), random);
    agree(&[BZIP2, bytes].concat(), random);
    agree(&[BZIP2, b"9", bytes].concat(), random);
    agree(&[XZ, bytes].concat(), random);
    agree(&[XZ_HEADER, bytes].concat(), random);
    agree(&[HEADER, bytes].concat(), random);
    // If it happens to be deflated data, it gets the checksum it needs.
    if let Some((text, rest)) = gunzip::raw(bytes, MOST)
        && text.len() as u64 <= MOST
    {
        agree(&[HEADER, &bytes[..bytes.len() - rest.len()], &gunzip::trailer(&text)].concat(), random);
    }
}

/// Asserts that a text that is compressed, in one piece or two, and then damaged is accepted or refused as by other decoders.
///
/// # Panics
/// If it is not.
pub fn damage(text: &[u8], random: &mut Random) {
    let text = &text[..text.len().min(1 << 16)];
    let parts = text.split_at(random.below(text.len() + 1));
    for compress in [gzip, zstd, bzip2, xz] {
        let whole = if random.one_in(2) { compress(text) } else { [compress(parts.0), compress(parts.1)].concat() };
        assert_eq!(expand(&whole).as_deref(), Some(text), "what was just compressed");
        agree(&whole, random);
        for _ in 0..ROUNDS {
            let mut data = whole.clone();
            let place = random.below(data.len());
            match random.below(5) {
                0 => data[place] ^= 1 << random.below(8),
                1 => data.truncate(place),
                2 => data.insert(place, random.byte()),
                3 => data.extend_from_within(place..),
                _ => data.resize(data.len() + random.below(20), 0),
            }
            agree(&data, random);
        }
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 1).expect("compresses")
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

fn xz(text: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
    encoder.write_all(text).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

/// The output of other decoders; `None` if they refuse the data. If it is too long, a little more than is allowed.
fn expand(data: &[u8]) -> Option<Vec<u8>> {
    let is_skippable = matches!(data, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    if data.starts_with(GZIP) {
        gunzip(data)
    } else if data.starts_with(ZSTD) || is_skippable {
        // Byte by byte: given a whole frame in one call, it checks a size in the header that it does not check otherwise.
        read_all(zstd::Decoder::with_buffer(BufReader::with_capacity(1, data)).expect("a decoder"))
    } else if data.starts_with(BZIP2) {
        read_all(bzip2::bufread::MultiBzDecoder::new(data))
    } else if data.starts_with(XZ) {
        read_all(liblzma::bufread::XzDecoder::new_multi_decoder(data))
    } else {
        Some(data.to_vec())
    }
}

fn read_all(decoder: impl Read) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    decoder.take(MOST + 1).read_to_end(&mut text).ok().map(|_| text)
}

fn gunzip(data: &[u8]) -> Option<Vec<u8>> {
    let (mut text, mut rest) = (Vec::new(), data);
    loop {
        let (more, after) = gunzip::member(rest, MOST - text.len() as u64)?;
        text.extend(more);
        rest = after;
        if text.len() as u64 > MOST {
            return Some(text);
        }
        if rest.iter().all(|&byte| byte == 0) {
            return Some(text);
        }
        if rest[0] != GZIP[0] {
            return None;
        }
    }
}

/// Asserts that fjson agrees with other decoders, however the data arrives.
fn agree(data: &[u8], random: &mut Random) {
    let expected = expand(data);
    let whole = read(Input::from(data));
    for _ in 0..2 {
        let largest = check::window(random);
        let sizes = iter::repeat_with(|| random.below(largest + 2));
        let got = read(Input::from_reader(Pieces::new(data, sizes)));
        assert_eq!(comparable(&got), comparable(&whole), "pieces of up to {largest} bytes of {data:x?}");
    }
    let fits = expected.as_ref().is_some_and(|text| text.len() as u64 <= MOST);
    match (&expected, &whole) {
        (Some(text), Ok(got)) => assert!(text == got && fits, "the text in {data:x?}"),
        (Some(_), Err(error)) if !fits => {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::ExpansionLimit, MOST), "{data:x?}");
        }
        // The other inflate implementation accepts incomplete code trees.
        (Some(_), Err(error)) => assert!(error.to_string().ends_with("no valid code"), "{error}: {data:x?}"),
        (None, Ok(_)) => panic!("others refuse {data:x?}"),
        (None, Err(error)) => {
            assert!(matches!(error.kind(), ErrorKind::Compression | ErrorKind::ExpansionLimit), "{error}: {data:x?}");
        }
    }
    let options = Options::new().window(1 + check::window(random));
    let verdict = check::outcome(Verb::Validate, Input::from(data).expanded(MOST), &options).verdict;
    match whole {
        Ok(text) => {
            let alone = check::outcome(Verb::Validate, &text, &options).verdict;
            assert_eq!(verdict, alone, "a document in {data:x?}");
        }
        // Although the document before the damage may be invalid as well.
        Err(error) => assert_eq!(verdict.map_err(|(kind, _)| kind), Err(error.kind()), "{data:x?}"),
    }
}

fn read(input: Input<'_>) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    let result = input.expanded(MOST).into_reader().read_to_end(&mut text);
    assert!(text.len() as u64 <= MOST);
    result.map(|_| text).map_err(|error| error.downcast().expect("an error of fjson"))
}

/// All parts of a result that must not depend on how the data arrives.
fn comparable(answer: &Result<Vec<u8>, Error>) -> Result<&[u8], (ErrorKind, u64, String)> {
    answer.as_deref().map_err(|error| (error.kind(), error.offset(), error.to_string()))
}
