//! Tests of the reader against the recursive descent, `serde_json`, and itself with the input split at any byte.

#![forbid(unsafe_code)]

use serde::de::IgnoredAny;

use super::Reader;
use super::State;
use super::reference;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::explain::random::Random;
use crate::grammar::Kinds;

fn read(text: &[u8], max_depth: Option<u64>) -> Result<(), Fault> {
    read_on(Reader::new(0, max_depth), text)
}

fn read_on(mut reader: Reader, text: &[u8]) -> Result<(), Fault> {
    let offset = reader.offset();
    let verdict = reader.feed(text).and_then(|()| reader.finish());
    let end = verdict.map_or_else(|fault| fault.offset, |()| offset + text.len() as u64);
    assert_eq!(reader.offset(), end, "{:?}", text.escape_ascii().to_string());
    verdict
}

/// Asserts that the result does not depend on where the text is split, nor on the comma after which a reader starts.
fn check_every_way(text: &[u8], max_depth: Option<u64>) {
    let shown = || text.escape_ascii().to_string();
    let verdict = read(text, max_depth);
    assert_eq!(verdict, reference::check(text, max_depth.unwrap_or(u64::MAX)), "{}", shown());
    let mut slow = Reader::new(0, max_depth);
    for (index, byte) in text.iter().enumerate() {
        // A copy of the reader reads the rest at once.
        assert_eq!(
            read_on(slow.copied().expect("there is memory"), &text[index..]),
            verdict,
            "split at {index}: {}",
            shown()
        );
        if let Err(fault) = slow.feed(&[*byte]) {
            assert_eq!(Err(fault), verdict, "{}", shown());
            return;
        }
        if *byte == b',' && matches!(slow.state, State::Key | State::Value) {
            let next = Reader::after_comma(slow.offset(), slow.kinds.clone(), max_depth);
            assert_eq!(read_on(next, &text[index + 1..]), verdict, "from comma {index}: {}", shown());
        }
    }
    assert_eq!(slow.finish(), verdict, "{}", shown());
}

#[test]
fn every_document_of_one_or_two_bytes() {
    let one = (0..=u8::MAX).map(|byte| vec![byte]);
    let two = (0..=u16::MAX).map(|bytes| bytes.to_le_bytes().to_vec());
    for text in one.chain(two) {
        let valid = std::str::from_utf8(&text).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
        assert_eq!(read(&text, None).is_ok(), valid, "{:?}", text.escape_ascii().to_string());
        check_every_way(&text, None);
    }
}

#[test]
fn random_documents_and_broken_ones() {
    let mut random = Random::new(1);
    let mut seen = std::collections::HashMap::<_, u32>::new();
    for round in 0..60_000 {
        let document = random.document();
        let text = if round % 4 == 0 { document.into_bytes() } else { random.broken(&document) };
        let max_depth = [None, Some(3)][random.below(2)];
        check_every_way(&text, max_depth);
        let kind = read(&text, max_depth).err().map(|fault| fault.kind);
        *seen.entry(kind).or_default() += 1;
    }
    let kinds = seen.values().filter(|&&count| count >= 50).count();
    assert_eq!(kinds, 19, "valid, and each kind of error in a document, 50 times or more: {seen:?}");
}

#[test]
fn sequences_of_up_to_six_tokens() {
    const TOKENS: [&str; 8] = ["[", "]", "{", "}", ",", "\"a\"", ":", "1"];
    for length in 1..=6 {
        for number in 0..8_usize.pow(length) {
            let text: String = (0..length).map(|place| TOKENS[number >> (3 * place) & 7]).collect();
            assert_eq!(read(text.as_bytes(), None), reference::check(text.as_bytes(), u64::MAX), "{text}");
        }
    }
}

#[test]
fn sequences_of_up_to_four_bytes_in_a_string() {
    const BYTES: [u8; 22] = [
        b'a', 0x1F, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEF,
        0xF0, 0xF1, 0xF4, 0xF5,
    ];
    for number in 0..BYTES.len().pow(4) {
        let bytes = [1, 22, 484, 10_648].map(|power| BYTES[number / power % 22]);
        let text = [b"\"", &bytes[..], b"\""].concat();
        assert_eq!(read(&text, None), reference::check(&text, u64::MAX), "{}", text.escape_ascii());
    }
}

#[test]
fn a_bad_byte_at_every_place_of_a_long_string() {
    for length in 0..200 {
        for bad in [b'\n', 0x1F, 0x80, 0xFF, b'\\'] {
            let mut text = vec![b'x'; 200];
            text[0] = b'"';
            text[length.max(1)] = bad;
            assert_eq!(read(&text, None), reference::check(&text, u64::MAX), "{bad:#x} at {length}");
        }
    }
}

#[test]
fn a_million_levels() {
    const LEVELS: usize = 1_000_000;
    let open = b"[{\"a\":".repeat(LEVELS / 2);
    let close = b"}]".repeat(LEVELS / 2);
    let end = Fault::new(ErrorKind::UnexpectedEnd, open.len() as u64);
    assert_eq!(read(&open, None), Err(end));
    let text = [&open[..], b"0", &close].concat();
    assert_eq!(read(&text, None), Ok(()));
    assert_eq!(read(&text, Some(LEVELS as u64)), Ok(()));
    let last = Fault::new(ErrorKind::DepthLimit, open.len() as u64 - 5);
    assert_eq!(read(&text, Some(LEVELS as u64 - 1)), Err(last));
    assert_eq!(read(b"[", Some(0)), Err(Fault::new(ErrorKind::DepthLimit, 0)));
}

#[test]
fn offsets_count_from_the_start_of_the_input() {
    const FAR: u64 = 1 << 33;
    let fault = |kind, offset| Err(Fault::new(kind, offset));
    assert_eq!(read_on(Reader::new(FAR, None), b"[1 2]"), fault(ErrorKind::ExpectedCommaOrClose, FAR + 3));
    let mut kinds = Kinds::new();
    kinds.push(false).expect("there is memory");
    kinds.push(true).expect("there is memory");
    assert_eq!(read_on(Reader::after_comma(FAR, kinds.clone(), None), b" 1}]"), fault(ErrorKind::ExpectedKey, FAR + 1));
    assert_eq!(read_on(Reader::after_comma(FAR, kinds, None), b"\"\":1}]"), Ok(()));
}
