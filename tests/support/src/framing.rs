//! The reference splitter: divides inputs into their documents before these are read.

use std::ops::ControlFlow;
use std::ops::Range;

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Options;

use crate::check::Outcome;
use crate::check::Verb;
use crate::reader::Reader;
use crate::reader::Verdict;
use crate::writer;

/// The expected result for an input of several documents.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of documents, including invalid ones.
    pub documents: u64,
    /// The number, kind and offset of each invalid one.
    pub errors: Vec<(u64, ErrorKind, u64)>,
}

/// One of several documents: its range, and its verdict.
struct Record {
    place: Range<usize>,
    verdict: Verdict,
}

/// The result of fjson.
///
/// # Panics
/// If it cannot read the input, or contradicts itself.
pub fn report<'a>(input: impl Into<Input<'a>>, options: &Options) -> Report {
    let mut errors = Vec::new();
    let result = fjson::validate_each(input, options, &mut |error| {
        // The first document may be the only one, and has no number.
        errors.push((error.record().unwrap_or(1), error.kind(), error.offset()));
        ControlFlow::Continue(())
    });
    let summary = result.expect("no trouble but bad documents");
    assert_eq!(summary.invalid, errors.len() as u64, "as many bad documents as errors");
    Report { documents: summary.documents, errors }
}

/// The result of the reference.
#[must_use]
pub fn reference(text: &[u8], framing: Framing) -> Report {
    let mut report = Report::default();
    for record in records(text, framing) {
        report.documents += 1;
        if let Err((kind, offset)) = record.verdict {
            report.errors.push((report.documents, kind, offset as u64));
        }
    }
    report
}

/// The output of an operation: all documents up to the first invalid one, and the part of that before its error. The only one of
/// [`Framing::Documents`] is minified without a line break.
#[must_use]
pub fn written(verb: Verb, text: &[u8], framing: Framing) -> Outcome {
    let (mut written, mut documents) = (Vec::new(), 0);
    for Record { place, verdict } in records(text, framing) {
        let good = &text[place.start..verdict.map_or_else(|(_, offset)| offset, |()| place.end)];
        if framing == Framing::Sequence {
            written.push(SEPARATOR);
        }
        written.extend(match verb {
            Verb::Validate => Vec::new(),
            Verb::Minify => writer::minify(good),
            Verb::Pretty => writer::pretty(good, b"  "),
        });
        if verdict.is_err() {
            return Outcome { verdict, written, error: None };
        }
        written.push(b'\n');
        documents += 1;
    }
    if verb == Verb::Minify && framing == Framing::Documents && documents == 1 {
        written.pop();
    }
    Outcome { verdict: Ok(()), written, error: None }
}

/// The record separator of RFC 7464.
const SEPARATOR: u8 = 0x1e;

fn records(text: &[u8], framing: Framing) -> Vec<Record> {
    match framing {
        Framing::Lines => split(text, b'\n', |mut reader, _| reader.document()),
        Framing::Sequence => split(text, SEPARATOR, whole),
        Framing::Documents if next(text, 0) == text.len() => {
            vec![Record { place: 0..text.len(), verdict: Reader::new(text, 0, None).document() }]
        }
        _ => stream(text),
    }
}

/// The texts between separators that are not only whitespace, each with the verdict of `read`, whose argument says whether it is
/// the very first.
fn split(text: &[u8], separator: u8, read: impl Fn(Reader<'_>, bool) -> Verdict) -> Vec<Record> {
    let mut records = Vec::new();
    let mut at = 0;
    for stretch in text.split(|&byte| byte == separator) {
        let end = at + stretch.len();
        let start = next(text, at).min(end);
        if start < end {
            let verdict = read(Reader::new(&text[..end], start, None), at == 0);
            records.push(Record { place: start..end, verdict });
        }
        at = end + 1;
    }
    records
}

/// One document, preceded by a separator. A number or literal is known to be complete only if something follows
/// (RFC 7464, section 2.4).
fn whole(mut reader: Reader<'_>, first: bool) -> Verdict {
    if first {
        return reader.fail(ErrorKind::MissingSeparator);
    }
    reader.document()?;
    if reader.is_behind_word() { reader.fail(ErrorKind::UnexpectedEnd) } else { Ok(()) }
}

/// Concatenated documents, up to the first invalid one. A number or literal must be separated from what follows.
fn stream(text: &[u8]) -> Vec<Record> {
    let mut records = Vec::new();
    let mut start = next(text, 0);
    while start < text.len() && records.last().is_none_or(|record: &Record| record.verdict.is_ok()) {
        let mut reader = Reader::new(text, start, None);
        let verdict = reader.value().and_then(|()| {
            let apart = !reader.is_behind_word() || reader.is_at_end() || b" \t\r\n[{\"".contains(&text[reader.at()]);
            if apart { Ok(()) } else { reader.fail(ErrorKind::TrailingContent) }
        });
        records.push(Record { place: start..reader.at(), verdict });
        start = next(text, reader.at());
    }
    records
}

/// The offset of the first byte that is not whitespace.
fn next(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|&&byte| writer::is_blank(byte)).count()
}
