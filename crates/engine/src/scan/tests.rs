//! Tests that a scan gives the same errors and output for every window, piece size and kernel.

#![forbid(unsafe_code)]

mod consumer_rules;
mod verdicts;

use std::ops::ControlFlow;

use super::Consumer;
use super::RETRY;
use super::document::MAX_STAGED;
use super::scan;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::Position;
use crate::explain::Reader;
use crate::explain::random::Random;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Tile;
use crate::input::Input;
use crate::input::START;
use crate::input::advance;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::options::Framing;
use crate::options::Options;

/// Copies what it takes, including whitespace. What is released must be the text of the documents up to their errors.
#[derive(Default)]
struct Copy<const OUTPUT: bool> {
    held: Vec<u8>,
    released: Vec<u8>,
    /// Position relative to strings after what was taken, and after what was released.
    place: Place,
    released_place: Place,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Place {
    #[default]
    Outside,
    InString,
    BehindBackslash,
}

impl Place {
    fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Outside, b'"') | (Self::BehindBackslash, _) => Self::InString,
            (Self::InString, b'"') => Self::Outside,
            (Self::InString, b'\\') => Self::BehindBackslash,
            _ => self,
        }
    }
}

impl<const OUTPUT: bool> Consumer for Copy<OUTPUT> {
    const LAYOUT: bool = false;
    const OUTPUT: bool = OUTPUT;

    fn begin(&mut self, _: u64, _: Option<u8>) -> Result<(), Error> {
        assert!(self.held.is_empty(), "the last document has been released");
        (self.place, self.released_place) = (Place::Outside, Place::Outside);
        Ok(())
    }

    fn take<K: Kernel>(&mut self, _: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        assert!(bytes.len().is_multiple_of(K::SUPERBLOCK) && bytes[length..].iter().all(|&byte| byte == b' '));
        assert!(self.held.len() <= MAX_STAGED + MAX_TILE_BYTES, "staged output is bounded");
        self.held.extend_from_slice(&bytes[..length]);
        self.place = bytes[..length].iter().fold(self.place, |place, &byte| place.after(byte));
        assert_eq!(tile.ends_in_string(bytes.len() / K::SUPERBLOCK), self.place != Place::Outside, "the masks fit");
    }

    fn held(&self) -> usize {
        self.held.len()
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        assert!(!OUTPUT || text == self.held, "what was taken since the last release");
        self.released.append(&mut self.held);
        self.released_place = self.place;
        Ok(())
    }

    fn discard(&mut self) {
        self.held.clear();
        self.place = self.released_place;
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        assert!(self.held.is_empty(), "a document ends after it has been released");
        Ok(())
    }
}

/// The result of a scan.
#[derive(Debug, PartialEq)]
struct Outcome {
    documents: u64,
    /// Kind, offset, line and column, and record.
    errors: Vec<(ErrorKind, u64, Option<Position>, Option<u64>)>,
    output: Vec<u8>,
}

fn outcome<const OUTPUT: bool>(input: &mut Input<'_>, options: &Options) -> Outcome {
    let mut copy = Copy::<OUTPUT>::default();
    let mut errors = Vec::new();
    let mut keep = |error: Error| {
        errors.push((error.kind(), error.offset(), error.position(), error.record()));
        ControlFlow::Continue(())
    };
    let summary = scan(input, options, &mut copy, &mut keep).expect("nothing is written, and all can be read");
    assert_eq!(summary.invalid, errors.len() as u64);
    assert!(summary.invalid > 0 || input.at_end() && summary.bytes == input.base() + input.bytes().len() as u64);
    Outcome { documents: summary.documents, errors, output: copy.released }
}

/// Returns the first error of a document according to the precise reader.
fn fault(text: &[u8], max_depth: Option<u64>) -> Option<Fault> {
    let mut reader = Reader::new(0, max_depth);
    reader.feed(text).and_then(|()| reader.finish()).err()
}

/// Returns the expected result for a single document. Its output is everything before its error.
fn expected(text: &[u8], max_depth: Option<u64>) -> Outcome {
    let fault = fault(text, max_depth);
    let end = fault.map_or(text.len(), |fault| usize::try_from(fault.offset).expect("it is in memory"));
    let place = |fault: Fault| (fault.kind, fault.offset, Some(advance(START, &text[..end])), None);
    Outcome { documents: 1, errors: fault.map(place).into_iter().collect(), output: text[..end].to_vec() }
}

const WINDOWS: [usize; 5] = [0, 1, 7, 4096, usize::MAX];

/// Scans a text with every window and with pieces of several sizes, cycling through the kernels.
fn check_every_way(text: &[u8], sizes: &[usize], options: &Options, expected: &Outcome) {
    let mut kernels = Isa::available().collect::<Vec<_>>().into_iter().cycle();
    for window in WINDOWS {
        for &size in sizes {
            let isa = kernels.next().expect("there is always one");
            let options = options.clone().window(window).isa(isa);
            let how = || format!("window {window}, pieces of {size}, {isa}: {}", text.escape_ascii());
            let copied = outcome::<true>(&mut Input::in_pieces(text, size), &options);
            assert!(copied == *expected, "{:?} {:?} {}", copied.errors, expected.errors, how());
            let checked = outcome::<false>(&mut Input::in_pieces(text, size), &options);
            assert_eq!(checked.errors, expected.errors, "{}", how());
        }
    }
}

/// A document several tiles long, made of random ones.
fn long_document(random: &mut Random) -> String {
    let length = random.below(12_000);
    let object = random.below(2) == 0;
    let mut text = String::from(if object { "{\"\": 0" } else { "[0" });
    while text.len() < length {
        text += if object { ", \"name\": " } else { ",\n" };
        text += &random.document();
    }
    text += if object { "}\n" } else { "]\n" };
    text
}

#[test]
fn one_document() {
    let mut random = Random::new(1);
    for round in 0..150 {
        let document = long_document(&mut random);
        let text = if round % 4 == 0 { document.into_bytes() } else { random.broken(&document) };
        let max_depth = [None, Some(3)][random.below(2)];
        let options = Options::new().max_depth(max_depth);
        check_every_way(&text, &[0, 1, 100, 5000], &options, &expected(&text, max_depth));
    }
}

#[test]
fn several_documents() {
    let mut random = Random::new(2);
    for round in 0..150 {
        let (framing, before, suffix) =
            [(Framing::Lines, "", "\n"), (Framing::Stream, "", " "), (Framing::Sequence, "\u{1e}", "\n")][round % 3];
        let mut text = Vec::new();
        for _ in 0..random.below(40) {
            let is_long = random.below(20) == 0;
            let document = if is_long { long_document(&mut random) } else { random.document() };
            let document = document.replace(['\n', '\r'], " ");
            let is_broken = random.below(if framing == Framing::Stream { 30 } else { 3 }) == 0;
            text.extend_from_slice(before.as_bytes());
            text.extend(if is_broken { random.broken(&document) } else { document.into() });
            text.extend_from_slice(suffix.as_bytes());
        }
        let options = Options::new().framing(framing).isa(Isa::Portable);
        let expected = outcome::<true>(&mut Input::from(&text), &options);
        if framing == Framing::Lines {
            check_lines(&text, &expected);
        }
        check_every_way(&text, &[0, 1, 7, 1000], &options, &expected);
    }
}

/// Checks that every line is treated as a document of its own.
fn check_lines(text: &[u8], outcome: &Outcome) {
    let mut errors = outcome.errors.iter();
    let (mut documents, mut start) = (0, 0);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if !line.iter().all(|byte| b" \t\r".contains(byte)) {
            documents += 1;
            if let Some(fault) = fault(line, None) {
                let &(_, offset, position, record) = errors.next().expect("an error");
                let index = start + usize::try_from(fault.offset).expect("it is in memory");
                let place = (index as u64, Some(advance(START, &text[..index])), Some(documents));
                assert_eq!((offset, position, record), place, "{}", line.escape_ascii());
            }
        }
        start += line.len() + 1;
    }
    assert_eq!((errors.next(), outcome.documents), (None, documents));
}

/// Every part of an error is the same, even if the start of a document has left memory.
#[test]
fn errors_are_explained_in_the_same_way() {
    let explained = |input: &mut Input<'_>, options: &Options| {
        let mut errors = Vec::new();
        let mut keep = |error: Error| {
            errors.push(format!("{error:?}"));
            ControlFlow::Continue(())
        };
        scan(input, options, &mut Copy::<false>::default(), &mut keep).expect("all can be read");
        errors
    };
    let mut random = Random::new(3);
    let mut kernels = Isa::available().collect::<Vec<_>>().into_iter().cycle();
    for round in 0..60 {
        let before = ["[{\"k\": [[1],\n", "{\"a\": 1, \"b/c\": {\"\\u00e9\": "][round % 2];
        let document = format!("{before}{}", long_document(&mut random));
        let text = random.broken(&document);
        let line = text.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect::<Vec<_>>();
        let records = [&b"1\n"[..], &line, b"\n2\n[}\n"].concat();
        for (text, framing) in [(&text, Framing::Document), (&records, Framing::Lines)] {
            let options = Options::new().framing(framing);
            let expected = explained(&mut Input::from(text), &options);
            for (window, size) in [(0, 100), (7, 3000), (512, 1000), (4096, 300)] {
                let options = options.clone().window(window).isa(kernels.next().expect("there is always one"));
                let errors = explained(&mut Input::in_pieces(text, size), &options);
                assert_eq!(errors, expected, "window {window}, pieces of {size}: {}", text.escape_ascii());
            }
        }
    }
}

/// Texts that have no comma to stop at: the precise reader must validate them piece by piece.
#[test]
fn without_commas() {
    const LENGTH: usize = 150_000;
    let texts = |filler: &str| filler.repeat(LENGTH / filler.len());
    let (open, close) = ("[{\"\":".repeat(LENGTH / 5), "}]".repeat(LENGTH / 5));
    let string = texts("a,\\\\\u{e9}[");
    for text in [
        format!("[\"{string}\"]"),
        format!("[\"{string}\n{string}\"]"),
        format!("[\"{string}"),
        format!("{}1.5e7{}", texts("1"), texts("0")),
        format!("{}.{}.", texts("1"), texts("0")),
        format!("{}[]{}x", texts(" \n"), texts("\t")),
        format!("{open}0{close}"),
        format!("{open}0{close}}}"),
        format!("{open}0{}]]{close}", "}]".repeat(100)),
        open,
    ] {
        for max_depth in [None, Some(LENGTH as u64 / 4)] {
            let options = Options::new().max_depth(max_depth);
            check_every_way(text.as_bytes(), &[0, 5000], &options, &expected(text.as_bytes(), max_depth));
        }
    }
}

/// Output that would be held back for too long is validated before the next comma.
#[test]
fn staged_output_is_bounded() {
    let text = format!("[{}1]", "123456,".repeat(1 << 20));
    for text in [&text[..], &text[..text.len() - 1]] {
        let options = Options::new().window(usize::MAX);
        assert!(outcome::<true>(&mut text.into(), &options) == expected(text.as_bytes(), None));
    }
}

/// Of a stream, about two windows stay in memory, plus the bytes between two searches for a comma.
#[test]
fn memory_is_bounded() {
    const WINDOW: usize = 4096;
    let most = 3 * WINDOW + usize::try_from(RETRY).expect("a small number");
    for text in [format!("[\"{}\"]", "x".repeat(1 << 20)), format!("[{}1]", "1,".repeat(1 << 20))] {
        for isa in Isa::available() {
            let options = Options::new().window(WINDOW).isa(isa);
            let mut input = Input::in_pieces(text.as_bytes(), 1000);
            assert!(outcome::<true>(&mut input, &options).errors.is_empty());
            assert!(input.bytes().len() < most, "{} bytes are left", input.bytes().len());
            let mut input = Input::in_pieces(text.as_bytes(), 1000);
            assert!(outcome::<false>(&mut input, &options).errors.is_empty());
            assert!(input.bytes().len() < most, "{} bytes are left", input.bytes().len());
        }
    }
}
