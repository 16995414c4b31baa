//! Compares the documents of an input with the records that it was built of, for every framing, kernel, window and kind of input.

#![forbid(unsafe_code)]

use std::io;
use std::io::Read;
use std::ops::ControlFlow;

use crate::documents::DocumentBatch;
use crate::documents::for_each_document;
use crate::documents::map_documents;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::explain::random::Random;
use crate::input::Input;
use crate::kernel::Isa;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::validate::validate_each;

/// A document: its number, its offset and its text; or the number and offset of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    Value(u64, u64, String),
    Error(Option<u64>, u64),
}

impl Seen {
    fn error(error: &Error) -> Self {
        Self::Error(error.record(), error.offset())
    }
}

type Result<T> = std::result::Result<T, Error>;

/// Reads all documents, up to the first `most`, on the calling thread.
fn each(input: Input<'_>, options: &Options, most: usize) -> (Vec<Seen>, Result<Summary>) {
    let mut seen = Vec::new();
    let summary = for_each_document(input, options, |document| {
        seen.push(match document {
            Ok(record) => Seen::Value(record.number, record.offset, record.raw().to_owned()),
            Err(error) => Seen::error(&error),
        });
        if seen.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (seen, summary)
}

/// Reads all documents in batches.
fn mapped(input: Input<'_>, options: &Options) -> (Vec<Seen>, Result<Summary>) {
    let mut seen = Vec::new();
    let map = |batch: &DocumentBatch<'_>| -> Vec<_> {
        let owned = batch.records().map(|record| (batch.offset_of(record), batch.own(record)));
        owned.map(|(offset, record)| (offset, record.value().raw().to_owned())).collect()
    };
    let summary = map_documents(input, options, map, |result| {
        match result {
            Ok(mapped) => {
                assert_eq!(mapped.result.len() as u64, mapped.documents);
                let values = (mapped.number..).zip(mapped.result);
                seen.extend(values.map(|(number, (offset, text))| Seen::Value(number, offset, text)));
            }
            Err(error) => seen.push(Seen::error(&error)),
        }
        ControlFlow::Continue(())
    });
    (seen, summary)
}

/// Checks that every way to read `text` sees the same, and that errors are those of `validate_each`.
fn check(text: &str, framing: Framing, expected: Option<&[Seen]>) {
    let mut errors = Vec::new();
    let plain = Options::new().framing(framing);
    let reference = validate_each(text, &plain, &mut |error| {
        errors.push(Seen::error(&error));
        ControlFlow::Continue(())
    });
    let reference = reference.expect("readable");
    let (first, _) = each(text.into(), &plain, usize::MAX);
    if let Some(expected) = expected {
        let values: Vec<_> = first.iter().filter(|seen| matches!(seen, Seen::Value(..))).cloned().collect();
        assert_eq!(values, expected, "{framing:?} {text}");
    }
    for isa in Isa::available() {
        for window in [40, 300, 1 << 19] {
            for threads in [1, 2] {
                for piece in [0, 7, 100] {
                    let options = plain.clone().isa(isa).window(window).threads(threads);
                    for (seen, summary) in [
                        each(Input::in_pieces(text.as_bytes(), piece), &options, usize::MAX),
                        mapped(Input::in_pieces(text.as_bytes(), piece), &options),
                    ] {
                        let context = || format!("{framing:?} {isa} {window} {threads} {piece}: {text}");
                        let summary = summary.expect("readable");
                        assert_eq!(seen, first, "{}", context());
                        let of_errors: Vec<_> = seen.iter().filter(|seen| matches!(seen, Seen::Error(..))).collect();
                        assert_eq!(of_errors, errors.iter().collect::<Vec<_>>(), "{}", context());
                        let counts = |summary: &Summary| (summary.documents, summary.invalid, summary.bytes);
                        assert_eq!(counts(&summary), counts(&reference), "{}", context());
                    }
                }
            }
        }
    }
}

const VALID: [&str; 8] =
    ["{\"a\": [1, 2]}", "[]", "\"é\\n\"", "[[[]], {}]", "{\"a\": {\"b\": null}}", "[-1.5e3, true]", "{}", "[\"]\"]"];

const INVALID: [&str; 4] = ["[1,]", "{\"a\" 1}", "nul", "\"\\x\""];

/// Joins random records, of which one in `rare` is invalid, and tells where the valid ones are.
fn records(random: &mut Random, rare: usize, between: [&str; 2]) -> (String, Vec<Seen>) {
    let (mut text, mut seen) = (String::new(), Vec::new());
    for number in 1..=random.below(60) as u64 {
        text += between[0];
        if rare > 0 && random.below(rare) == 0 {
            text += INVALID[random.below(INVALID.len())];
        } else {
            let record = VALID[random.below(VALID.len())];
            seen.push(Seen::Value(number, text.len() as u64, record.to_owned()));
            text += record;
        }
        text += between[1];
    }
    (text, seen)
}

#[test]
fn lines() {
    let mut random = Random::new(37);
    for round in 0..if cfg!(miri) { 1 } else { 12 } {
        let (text, expected) = records(&mut random, [0, 30, 3][round % 3], ["", [" \r\n", "\n", "\n\n"][round % 3]]);
        check(&text, Framing::Lines, Some(&expected));
    }
}

#[test]
fn concatenated_documents() {
    let mut random = Random::new(38);
    for round in 0..if cfg!(miri) { 1 } else { 8 } {
        let (text, expected) = records(&mut random, 0, ["", ["", "\n", "  ", "\n\n"][round % 4]]);
        check(&text, Framing::Stream, Some(&expected));
        if !text.is_empty() {
            check(&text, Framing::Documents, Some(&expected));
        }
        check(&(text + "[1"), Framing::Stream, Some(&expected));
    }
}

#[test]
fn sequences() {
    let mut random = Random::new(39);
    for round in 0..if cfg!(miri) { 1 } else { 8 } {
        let (text, expected) = records(&mut random, [0, 7][round % 2], ["\u{1e}", "\n"]);
        check(&text, Framing::Sequence, Some(&expected));
    }
}

#[test]
fn single_documents() {
    for text in ["[1, 2]", " {\"a\":\n[]} ", "7", "", " ", "[1", "[1] x", "\u{feff}1"] {
        check(text, Framing::Document, None);
        check(text, Framing::Documents, None);
    }
    let long = format!("[{}0]", "\"x\", ".repeat(3000));
    check(&long, Framing::Document, Some(&[Seen::Value(1, 0, long.clone())]));
}

/// Reading ends after the document with which it is broken off, and the summary counts up to it.
#[test]
fn breaks() {
    let text = "1\n22\n[\n333\n".repeat(100);
    for most in [1, 2, 3, 4, 99, 100] {
        for piece in [0, 9] {
            let options = Options::new().framing(Framing::Lines).window(64);
            let (seen, summary) = each(Input::in_pieces(text.as_bytes(), piece), &options, most);
            assert_eq!(seen.len(), most);
            // Every third of four is invalid.
            let counts = summary.map(|summary| (summary.documents, summary.invalid)).ok();
            assert_eq!(counts, Some((most as u64, (most as u64 + 1) / 4)), "{most} {piece}");
        }
    }
    let range = Input::from("1\n22\n333\n4444\n").range(2.., Framing::Lines).expect("a range");
    let (seen, summary) = each(range, &Options::new().framing(Framing::Lines), 2);
    assert_eq!((seen.len(), summary.map(|summary| summary.bytes).ok()), (2, Some(6)));
    for threads in [1, 2] {
        let options = Options::new().framing(Framing::Lines).window(64).threads(threads);
        let text = "[1, 2]\n".repeat(1000);
        let mut count = 0;
        let summary = map_documents(
            &text,
            &options,
            |batch| batch.records().len() as u64,
            |result| {
                count += result.map_or(0, |mapped| mapped.result);
                if count < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        assert_eq!(summary.map(|summary| summary.documents).ok(), Some(count), "{threads}");
        assert!((100..120).contains(&count));
    }
}

/// A reader that fails after a text.
struct Failing<'t>(&'t [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer) {
            Ok(0) => Err(io::Error::other("the line is dead")),
            other => other,
        }
    }
}

#[test]
fn a_reader_that_fails_gives_the_records_before_it() {
    for (framing, separator) in [(Framing::Lines, "\n"), (Framing::Stream, " ")] {
        let text = format!("[1]{separator}[2]{separator}[3]{separator}[4");
        let (seen, summary) = each(Input::from_reader(Failing(text.as_bytes())), &Options::new().framing(framing), 99);
        assert_eq!(seen.len(), 3, "{framing:?}");
        assert_eq!(summary.map_err(|error| error.kind()).err(), Some(ErrorKind::Io));
    }
}

/// An array of 4,001 bytes.
fn long_array() -> String {
    format!("[{}]", vec!["0"; 2000].join(","))
}

#[test]
fn limits() {
    let long = long_array();
    let text = format!("1\n{long}\n2\n");
    let options = Options::new().framing(Framing::Lines).window(64).max_memory(3000);
    let (seen, summary) = each((&text).into(), &options, 99);
    assert_eq!(seen, [Seen::Value(1, 0, "1".to_owned())]);
    assert_eq!(summary.map_err(|error| (error.kind(), error.offset())).err(), Some((ErrorKind::MemoryLimit, 2)));
    let (seen, summary) = each((&long).into(), &Options::new().max_memory(3000), 99);
    assert_eq!((seen.len(), summary.map_err(|error| error.kind()).err()), (0, Some(ErrorKind::MemoryLimit)));
    let nested = Options::new().framing(Framing::Lines).max_depth(Some(1));
    let (seen, _) = each("[]\n[[]]\n[]".into(), &nested, 99);
    assert_eq!(seen.iter().filter(|seen| matches!(seen, Seen::Value(..))).count(), 2);
}

/// The elements of an array in a document, and their offsets, are those that a query finds.
#[cfg(feature = "query")]
#[test]
fn elements() {
    use crate::documents::map_elements;
    use crate::query::Query;

    let mut random = Random::new(43);
    for round in 0..if cfg!(miri) { 1 } else { 6 } {
        let (text, expected) = records(&mut random, 0, ["\n ", ",\n"]);
        let text = format!("{{\"x\": 1, \"list\": [{text}[\n1,\n2]], \"y\": [0]}}");
        let query = Query::new("$.list[*]").expect("a query");
        for (window, threads, piece) in [(40, 1, 0), (40, 2, 7), (300, 2, 0), (1 << 19, 1, 100)] {
            let options = Options::new().window(window).threads(threads);
            let mut seen = Vec::new();
            let map = |batch: &DocumentBatch<'_>| -> Vec<_> {
                batch.records().map(|record| (batch.offset_of(record), record.raw().to_owned())).collect()
            };
            let most = if round % 2 == 0 { usize::MAX } else { 5 };
            let summary = map_elements(Input::in_pieces(text.as_bytes(), piece), &query, &options, map, |result| {
                let mapped = result.expect("valid");
                assert_eq!((mapped.number, mapped.documents), (seen.len() as u64 + 1, mapped.result.len() as u64));
                seen.extend(mapped.result);
                if seen.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            assert!(summary.is_ok());
            let start = text.find('[').expect("an array") as u64 + 1;
            let mut expected: Vec<_> = expected
                .iter()
                .map(|seen| match seen {
                    Seen::Value(_, offset, text) => (start + offset, text.clone()),
                    Seen::Error(..) => unreachable!("all are valid"),
                })
                .collect();
            expected.push((text.find("[\n1").expect("the last element") as u64, "[ 1, 2]".to_owned()));
            if most == usize::MAX {
                assert_eq!(seen, expected, "{window} {threads} {piece}");
            } else {
                assert!(expected.starts_with(&seen) && seen.len() >= most.min(expected.len()));
            }
        }
    }
    let query = Query::new("$[*]").expect("a query");
    let options = Options::new().framing(Framing::Lines);
    let (mut sum, mut errors) = (0, 0);
    let summary = map_elements(
        "[1, 2]\n[3,\n[4]",
        &query,
        &options,
        |batch| batch.records().len(),
        |result| {
            match result {
                Ok(mapped) => sum += mapped.result,
                Err(error) => errors += error.record().unwrap_or(0),
            }
            ControlFlow::Continue(())
        },
    );
    assert_eq!((sum, errors, summary.map(|summary| summary.documents).ok()), (3, 2, Some(3)));
    // An element that is too long ends the search.
    let text = format!("[1, {}, 2]", long_array());
    for threads in [1, 2] {
        let options = Options::new().threads(threads).window(64).max_memory(3000);
        let mut count = 0;
        let map = |batch: &DocumentBatch<'_>| batch.records().len();
        let summary = map_elements(&text, &query, &options, map, |result| {
            count += result.map_or(0, |mapped| mapped.result);
            ControlFlow::Continue(())
        });
        let failure = summary.map_err(|error| (error.kind(), error.offset())).err();
        assert_eq!((failure, count <= 1), (Some((ErrorKind::MemoryLimit, 4)), true), "{threads}");
    }
}
