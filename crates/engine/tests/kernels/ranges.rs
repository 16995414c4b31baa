//! Ranges that cover an input: together they have each record of the whole input once and in order, wherever they are cut,
//! on every kernel and with every kind of input that can seek.

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Query;
use fjson::Search;
use fjson::Stats;
use proof::check;
use proof::check::Shown;
use proof::pieces::Pieces;
use proof::random::Random;
use proof::random::rounds;
use proof::seeds;
use std::io;
use std::io::Cursor;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::iter;
use std::ops::ControlFlow;
use std::ops::Range;

/// A document in pieces, which can seek.
struct SeekablePieces<'a> {
    text: Cursor<&'a [u8]>,
    sizes: Vec<usize>,
    reads: usize,
}

impl Read for SeekablePieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        let size = self.sizes[self.reads % self.sizes.len()];
        let rest = &self.text.get_ref()[usize::try_from(self.text.position()).expect("fits")..];
        let count = Pieces::new(rest, iter::once(size)).read(buffer)?;
        self.text.seek_relative(i64::try_from(count).expect("fits"))?;
        Ok(count)
    }
}

impl Seek for SeekablePieces<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let length = self.text.get_ref().len() as u64;
        let place = self.text.seek(to)?;
        self.text.set_position(place.min(length));
        Ok(place)
    }
}

/// Kind, offset, offset of the record and text of an invalid record.
type Reported = (ErrorKind, u64, Option<u64>, Option<Vec<u8>>);

/// Everything that is found in one input or in several ranges, in order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    documents: u64,
    bytes: u64,
    errors: Vec<Reported>,
    /// Offset and text of each match of `$..*`, which is evaluated on documents, and of `$..a`, which is evaluated on masks.
    matches: [Vec<(u64, Vec<u8>)>; 2],
    counts: [u64; 2],
    token_bytes: u64,
    /// Output of `minify` up to the first error.
    minified: Vec<u8>,
}

struct Collector<'f>(&'f mut Vec<(u64, Vec<u8>)>);

impl MatchHandler for Collector<'_> {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.0.push((matched.range().start, matched.text().to_vec()));
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, _: fjson::Error) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Found {
    /// Adds what is found in an input, which `open` opens once for each operation.
    fn add<'a>(&mut self, options: &Options, queries: &[Query; 2], open: &dyn Fn() -> Input<'a>) {
        let summary = fjson::validate_each(open(), options, &mut |error| {
            let text = error.record_text().map(<[u8]>::to_vec);
            self.errors.push((error.kind(), error.offset(), error.record_offset(), text));
            ControlFlow::Continue(())
        });
        let summary = summary.expect("reads");
        self.documents += summary.documents;
        self.bytes += summary.bytes;
        for (query, matches) in queries.iter().zip(&mut self.matches) {
            let search = Search::new(std::slice::from_ref(query)).without_paths();
            let searched = search.run(open(), options, &mut Collector(matches)).expect("reads");
            assert_eq!((searched.documents, searched.bytes), (summary.documents, summary.bytes));
        }
        let counted = Search::new(queries)
            .count(open(), options, &mut self.counts, &mut |_| ControlFlow::Continue(()))
            .expect("reads");
        assert_eq!((counted.documents, counted.invalid), (summary.documents, summary.invalid));
        let mut stats = Stats::new();
        stats.read(open(), options, &mut |_| ControlFlow::Continue(())).expect("reads");
        self.token_bytes += stats.token_bytes;
        if self.errors.is_empty() {
            fjson::minify(open(), &mut self.minified, options).expect("valid");
        }
    }
}

/// Adjacent ranges of a text, some of them empty.
fn ranges(length: usize, random: &mut Random) -> Vec<Range<u64>> {
    let mut cuts: Vec<_> = (0..random.below(8)).map(|_| random.below(length + 2) as u64).collect();
    cuts.extend([0, length as u64 + 1]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Asserts that ranges find the same as the whole text.
fn check(text: &[u8], framing: Framing, random: &mut Random) {
    let queries = ["$..*", "$..a"].map(|query| Query::new(query).expect("a query"));
    for &isa in check::kernels() {
        let window = [64, 512, 4096, 1 << 18][random.below(4)];
        let options = Options::new().isa(isa).framing(framing).window(window).threads(1 + random.below(3));
        let options = options.keep_invalid(true);
        let mut whole = Found::default();
        whole.add(&options, &queries, &|| Input::from(text));
        let is_valid = whole.errors.is_empty();
        let ranges = ranges(text.len(), random);
        let mut sizes: Vec<_> = (0..10).map(|_| random.below(100)).collect();
        sizes.push(1);
        for kind in 0..3 {
            let mut parts = Found::default();
            for range in &ranges {
                parts.add(&options, &queries, &|| {
                    let input = match kind {
                        0 => Input::from(text),
                        1 => Input::from_seekable(Cursor::new(text)),
                        _ => Input::from_seekable(SeekablePieces {
                            text: Cursor::new(text),
                            sizes: sizes.clone(),
                            reads: 0,
                        }),
                    };
                    input.range(range.clone(), framing).expect("has ranges")
                });
            }
            if !is_valid {
                parts.minified.clear();
                whole.minified.clear();
            }
            assert!(parts == whole, "{ranges:?} on {isa}, window {window}, input {kind}: {}", Shown(text));
        }
    }
}

const SEPARATORS: [(Framing, &str, &str); 2] = [(Framing::Lines, "", "\n"), (Framing::Sequence, "\x1e", "\n")];

/// Records of a few bytes, between which there may be blank lines, or bytes that begin no record.
#[test]
fn short_records() {
    const GOOD: [&str; 8] =
        ["1", " [1,2] ", "{\"a\":[1,{\"a\":0}],\"b\":2}", "\"a,\\\"\"", "", "[[1],[2]]\r", "null", "{}"];
    const BAD: [&str; 7] = ["[", "\"", "}", "[1,]", "{\"a\" 1}", "\x1e", "\n\n"];
    rounds(310, |random| {
        let (framing, before, behind) = SEPARATORS[random.below(2)];
        let is_damaged = random.one_in(2);
        let mut text = String::new();
        for _ in 0..random.below(40) {
            text += before;
            let pieces = if is_damaged && random.one_in(10) { &BAD[..] } else { &GOOD };
            text += random.pick(pieces);
            text += behind;
        }
        if random.one_in(3) {
            text.pop();
        }
        check(text.as_bytes(), framing, random);
    });
}

/// Records of up to some kilobytes, so that a range may be shorter than a record.
#[test]
fn long_records() {
    rounds(37, |random| {
        let (framing, before, behind) = SEPARATORS[random.below(2)];
        let mut text = Vec::new();
        for _ in 0..random.below(30) {
            let mut record = if random.one_in(20) { b"[1,2".to_vec() } else { seeds::pick(random) };
            record.retain(|byte| !b"\n\x1e".contains(byte));
            text.extend([before.as_bytes(), &record, behind.as_bytes()].concat());
        }
        check(&text, framing, random);
    });
}

/// Every pair of cuts of a short text.
#[test]
fn all_cuts() {
    let queries = ["$..*", "$..a"].map(|query| Query::new(query).expect("a query"));
    for (framing, text) in [
        (Framing::Lines, "{\"a\":1}\n\n [2,]\r\n\"3\"\n4"),
        (Framing::Sequence, "\x1e{\"a\":1}\n\x1e\x1e[2,]\n\x1e\"3\"\n\x1e4"),
        (Framing::Sequence, "5\n\x1e[6]"),
    ] {
        let options = Options::new().framing(framing).keep_invalid(true);
        let mut whole = Found::default();
        whole.add(&options, &queries, &|| Input::from(text));
        whole.minified.clear();
        for first in 0..=text.len() as u64 {
            for second in first..=text.len() as u64 {
                let mut parts = Found::default();
                for range in [0..first, first..second, second..u64::MAX] {
                    parts.add(&options, &queries, &|| Input::from(text).range(range.clone(), framing).expect("ranges"));
                }
                parts.minified.clear();
                assert_eq!(parts, whole, "cut at {first} and {second}");
            }
        }
    }
}

/// The line is known only at the start of the input.
#[test]
fn errors_say_what_is_known() {
    let text = "{\"a\": 1}\n{\"a\": [1}\n";
    let options = Options::new().framing(Framing::Lines);
    let error = |from| {
        let input = Input::from(text).range(from.., Framing::Lines).expect("ranges");
        fjson::validate(input, &options).expect_err("invalid")
    };
    let known = error(0);
    assert_eq!((known.line(), known.column(), known.record(), known.offset()), (Some(2), Some(9), Some(2), 17));
    assert!(known.to_string().contains("opened at line 2 column 7"), "{known}");
    let unknown = error(3);
    assert_eq!((unknown.position(), unknown.record(), unknown.offset()), (None, None, 17));
    assert!(unknown.to_string().contains("opened at byte 15"), "{unknown}");
    assert_eq!((unknown.pointer(), unknown.excerpt()), (known.pointer(), unknown.excerpt()));
}

/// A range may be taken of a range. Offsets are those in the whole input.
#[test]
fn ranges_of_ranges() {
    let text = "1\n22\n\n333\n4";
    let lines = Options::new().framing(Framing::Lines);
    let starts = |input: Input<'_>| {
        let mut starts = Vec::new();
        let root = Query::new("$").expect("a query");
        let found = root.each(input, &lines, &mut |matched| {
            starts.push(matched.range().start);
            ControlFlow::Continue(())
        });
        found.expect("valid");
        starts
    };
    for outer in 0..=text.len() as u64 {
        for inner in 0..=text.len() as u64 {
            let once = Input::from(text).range(outer.max(inner).., Framing::Lines).expect("in memory");
            let twice = Input::from(text).range(outer.., Framing::Lines).expect("in memory");
            let twice = twice.range(inner.., Framing::Lines).expect("in memory");
            // The outer range may begin after its offset, at the next record.
            let expected = starts(once);
            assert_eq!(starts(twice), expected, "{inner} of {outer}");
        }
    }
}

#[test]
fn differences_and_compressed_text_of_ranges() {
    let text = "[1]\n[2]\n[3 ]\n";
    let lines = Options::new().framing(Framing::Lines);
    let input = |range: Range<u64>| Input::from(text).range(range, Framing::Lines).expect("in memory");
    assert_eq!(fjson::minified_difference(input(4..8), &lines).expect("valid"), None);
    assert_eq!(fjson::minified_difference(input(4..14), &lines).expect("valid"), Some(10));
    assert_eq!(fjson::canonical_difference(input(4..8), &lines).expect("valid"), None);
    let tab = fjson::Layout::tab();
    assert_eq!(fjson::pretty_difference(input(4..8), &tab, &lines).expect("valid"), Some(5));

    let bad = Input::from("[1]\n[2,]\n").range(4.., Framing::Lines).expect("in memory");
    let error = fjson::gzip(bad, io::sink(), &fjson::Gzip::new().keep_space(true), &lines).expect_err("invalid");
    assert_eq!((error.offset(), error.record_offset()), (7, Some(4)));
}

/// A reader that is wrong about what it has read.
struct Boaster;

impl Read for Boaster {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(buffer.len() + 1)
    }
}

impl Seek for Boaster {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

#[test]
fn a_reader_that_reads_too_much_is_an_error() {
    let options = Options::new();
    for input in [Input::from_reader(Boaster), Input::from_reader(Boaster).expanded(1000)] {
        assert_eq!(fjson::validate(input, &options).expect_err("wrong").kind(), ErrorKind::Io);
    }
    let range = Input::from_seekable(Boaster).range(1.., Framing::Lines);
    assert_eq!(range.map(drop).expect_err("wrong").kind(), ErrorKind::Io);
}
