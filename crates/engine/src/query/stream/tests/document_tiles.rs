//! Tests of the source of the tiles of documents: where the text that other threads have validated ends, and where a document does.

#![forbid(unsafe_code)]

use std::cell::Cell;
use std::io;
use std::io::Read;
use std::ops::ControlFlow;

use crate::error::Error;
use crate::input::Input;
use crate::kernel::Isa;
use crate::options::Framing;
use crate::options::Options;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Query;
use crate::query::Search;
use crate::query::stream::tests::ALL;
use crate::query::stream::tests::How;
use crate::query::stream::tests::oracle::Random;
use crate::query::stream::tests::plan;
use crate::query::stream::tests::rounds;
use crate::query::stream::tests::run;
use crate::query::stream::tests::syntax;

/// A whole number of superblocks, on every kernel.
const UNIT: usize = 512;

/// Every comma is a whole number of superblocks after the one before, so that skipped text, or a tile, could end exactly where the
/// validated text does, at any nesting level.
#[test]
fn a_tile_contains_the_end_of_the_validated_text() {
    let mut random = Random::new(1066);
    let queries = ["$", "$.a", "$.*", "$..*"].map(syntax);
    for _ in 0..rounds(20) {
        let mut text = "{\"b\":[0,".to_owned();
        let mut depth = 0;
        for _ in 0..200 {
            let (opened, closed) = (random.below(4), random.below(4));
            let closed = closed.min(depth + opened);
            depth = depth + opened - closed;
            let letters = "x".repeat(UNIT - opened - closed - 3);
            text.extend([&"[".repeat(opened), "\"", &letters, "\"", &"]".repeat(closed), ","]);
        }
        text.extend(["0", &"]".repeat(depth), "],\"a\":[1]}"]);
        for query in &queries {
            for isa in Isa::available() {
                let how = How { isa, search: ALL, window: 2048, pieces: 0, threads: 2 };
                let (kept, _) = run(&plan(query), text.as_bytes(), how, Framing::Document);
                assert_eq!(kept.errors, [], "{how:?} {text}");
                assert!(!kept.texts.is_empty(), "{how:?} {text}");
            }
        }
    }
}

/// Delivers half a document per read, and counts the reads.
struct Halves<'c> {
    documents: u64,
    reads: &'c Cell<u64>,
}

impl Read for Halves<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let reads = self.reads.get();
        if reads == 2 * self.documents {
            return Ok(0);
        }
        self.reads.set(reads + 1);
        let half = if reads.is_multiple_of(2) { "{\"a\":" } else { "[1]}\n" };
        half.as_bytes().read(buffer)
    }
}

/// Stores the number of reads before each match.
struct ReadsBefore<'c> {
    reads: &'c Cell<u64>,
    matches: Vec<u64>,
}

impl MatchHandler for ReadsBefore<'_> {
    fn on_match(&mut self, _: &mut Match<'_>) -> ControlFlow<()> {
        self.matches.push(self.reads.get());
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        panic!("{error}");
    }
}

/// In a stream, the match of a document is reported before the next document is read.
#[test]
fn a_document_ends_before_the_next_one_is_read() {
    let queries = [Query::new("$.a").expect("a query")];
    for isa in Isa::available() {
        let reads = Cell::new(0);
        let mut found = ReadsBefore { reads: &reads, matches: Vec::new() };
        let input = Input::from_reader(Halves { documents: 5, reads: &reads });
        let options = Options::new().framing(Framing::Stream).isa(isa);
        Search::new(&queries).without_paths().run(input, &options, &mut found).expect("it can be read");
        assert_eq!(found.matches, [2, 4, 6, 8, 10], "{isa}");
    }
}
