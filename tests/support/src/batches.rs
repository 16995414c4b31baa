//! Documents that are read one by one, in batches, as matches of a query, and as documents that own their text.

use std::ops::ControlFlow;

use fjson::DocumentBatch;
use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::Parser;
use fjson::Query;
use fjson::Summary;
use fjson::for_each_document;
use fjson::map_documents;
use fjson::map_elements;

use crate::pieces::Pieces;
use crate::random::Random;

/// A document: its number, offset and text; or its error.
#[derive(Debug, PartialEq)]
enum Seen {
    Value(u64, u64, String),
    Error(String),
}

/// What was read, and what it came to.
type Reading = (Vec<Seen>, Result<(u64, u64, u64), String>);

fn shown(error: &Error) -> String {
    format!("{:?} at {} in {:?}", error.kind(), error.offset(), error.record())
}

fn reading(seen: Vec<Seen>, summary: Result<Summary, Error>) -> Reading {
    (seen, summary.map(|it| (it.documents, it.invalid, it.bytes)).map_err(|error| shown(&error)))
}

/// Every way to read documents finds the same ones, on one thread and on several, however the text arrives.
///
/// # Panics
/// If not.
pub fn check(text: &[u8], random: &mut Random) {
    for framing in [Framing::Lines, Framing::Stream, Framing::Documents, Framing::Sequence] {
        let plain = Options::new().framing(framing);
        let expected = one_by_one(text.into(), &plain);
        let small = plain.clone().threads(1 + random.below(3)).window(1 + random.below(64));
        let sizes: Vec<_> = (0..64).map(|_| random.below(40)).collect();
        let pieces = || Input::from_reader(Pieces::new(text, sizes.clone()));
        assert_eq!(one_by_one(pieces(), &small), expected, "{framing:?}");
        assert_eq!(in_batches(text.into(), &small), expected, "{framing:?}");
        assert_eq!(in_batches(pieces(), &plain), expected, "{framing:?}");
    }
    owned(text);
    elements(text, &Options::new().threads(1 + random.below(3)).window(1 + random.below(64)));
}

fn one_by_one(input: Input<'_>, options: &Options) -> Reading {
    let mut seen = Vec::new();
    let summary = for_each_document(input, options, |document| {
        seen.push(match document {
            Ok(record) => Seen::Value(record.number, record.offset, record.raw().to_owned()),
            Err(error) => Seen::Error(shown(&error)),
        });
        ControlFlow::Continue(())
    });
    reading(seen, summary)
}

/// The offsets and texts of the values of a batch, which outlive it.
fn kept(batch: &DocumentBatch<'_>) -> Vec<(u64, String)> {
    let owned: Vec<_> = batch.records().map(|record| (batch.offset_of(record), batch.own(record))).collect();
    owned.into_iter().map(|(offset, record)| (offset, record.value().raw().to_owned())).collect()
}

fn in_batches(input: Input<'_>, options: &Options) -> Reading {
    let mut seen = Vec::new();
    let summary = map_documents(input, options, kept, |batch| {
        match batch {
            Ok(batch) => {
                assert_eq!(batch.result.len() as u64, batch.documents);
                let values = (batch.number..).zip(batch.result);
                seen.extend(values.map(|(number, (offset, text))| Seen::Value(number, offset, text)));
            }
            Err(error) => seen.push(Seen::Error(shown(&error))),
        }
        ControlFlow::Continue(())
    });
    reading(seen, summary)
}

/// A document that owns its text is the one that borrows it, and its values live on when it is gone.
fn owned(text: &[u8]) {
    let (mut borrowing, mut owning) = (Parser::new(), Parser::new());
    let (borrowed, owned) = (borrowing.document(text), owning.owned_document(text));
    let (Ok(borrowed), Ok(owned)) = (&borrowed, &owned) else {
        let errors =
            [borrowed.map(drop).map_err(|error| shown(&error)), owned.map(drop).map_err(|error| shown(&error))];
        assert_eq!(errors[0], errors[1]);
        return;
    };
    assert!(borrowed.root() == owned.root());
    let values: Vec<_> = owned.root().iter().map(|value| owned.own(value)).collect();
    let copy = owned.clone();
    assert!(owning.reuse(copy).is_none(), "the document is still there");
    let texts: Vec<_> = borrowed.root().iter().map(fjson::Value::raw).collect();
    assert_eq!(values.iter().map(|value| value.value().raw()).collect::<Vec<_>>(), texts);
}

/// Matches in batches are the matches, with spaces instead of line breaks.
fn elements(text: &[u8], options: &Options) {
    for expression in ["$.*", "$[1:]", "$..a"] {
        let query = Query::new(expression).expect("a query");
        let (mut found, mut failed) = (Vec::new(), None);
        let summary = map_elements(text, &query, options, kept, |batch| {
            match batch {
                Ok(batch) => found.extend(batch.result),
                Err(error) => failed = Some(shown(&error)),
            }
            ControlFlow::Continue(())
        });
        failed = failed.or(summary.err().map(|error| shown(&error)));
        match query.find_all(text, &Options::new()) {
            Ok(expected) => {
                assert_eq!((failed, found.len()), (None, expected.len()), "{expression}");
                let sorted = found.is_sorted_by_key(|(offset, _)| *offset);
                assert!(sorted, "{expression}: {found:?}");
                for (offset, value) in found {
                    let start = usize::try_from(offset).expect("an index");
                    let there = String::from_utf8_lossy(&text[start..start + value.len()]).replace('\n', " ");
                    assert_eq!(value, there, "{expression}");
                    assert!(expected.iter().any(|it| **it == text[start..start + value.len()]), "{expression}");
                }
            }
            Err(error) => assert_eq!(failed, Some(shown(&error)), "{expression}"),
        }
    }
}
