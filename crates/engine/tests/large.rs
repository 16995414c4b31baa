//! Inputs larger than any buffer: the right result, in memory that does not grow with them.
//!
//! A separate binary, because it measures the memory of the whole process.

use std::io;
use std::io::Write;
use std::ops::ControlFlow;

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Layout;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Query;
use fjson::Search;
use proof::check;
use proof::endless;

/// The approximate number of bytes of each input.
const SIZE: u64 = 64 << 20;

/// The memory that an operation may take, in addition to what the process had before.
const MOST_MEMORY: u64 = (8 << 20) + (8 << 20);

/// A document with about this many bytes of one kind of content.
fn shapes(size: u64) -> [Vec<(&'static str, u64)>; 7] {
    [
        vec![("\"", 1), ("x", size), ("\"", 1)],
        vec![("\"", 1), ("\\u00e9", size / 6), ("\"", 1)],
        vec![("7", size)],
        vec![(" ", size), ("1", 1), ("\n", size)],
        vec![("[", 1), ("1,", size / 2), ("1]", 1)],
        vec![("[", 1), ("{\"a\": [true, -1.5e3]},\n", size / 24), ("{}]", 1)],
        vec![("[", 1), ("[[]],", size / 5), ("[]]", 1)],
    ]
}

#[test]
fn memory_does_not_grow() {
    for shape in shapes(SIZE) {
        for &isa in check::kernels() {
            let options = Options::new().isa(isa);
            fjson::validate(endless::input(&shape), &options).expect("valid");
            fjson::minify(endless::input(&shape), io::sink(), &options).expect("valid");
            fjson::pretty(endless::input(&shape), io::sink(), &Layout::default(), &options).expect("valid");
        }
        if let Some(peak) = endless::peak_memory() {
            assert!(peak <= MOST_MEMORY, "{peak} bytes for {shape:?}");
        }
    }
    look_at_matches_of_a_map();
    if let Some(peak) = endless::peak_memory() {
        assert!(peak <= MOST_MEMORY, "{peak} bytes for matches of a map");
    }
}

/// Reads every byte of each match.
struct Sum(u64);

impl MatchHandler for Sum {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.0 += matched.text().iter().map(|&byte| u64::from(byte)).sum::<u64>();
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, _: fjson::Error) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// The pages of matches are given back like all others.
#[expect(unsafe_code, reason = "a map is a promise about other processes")]
fn look_at_matches_of_a_map() {
    let mut file = tempfile::tempfile().expect("a file");
    let elements = b"{\"a\":1},".repeat(1 << 17);
    file.write_all(b"[").expect("writes");
    for _ in 0..SIZE >> 20 {
        file.write_all(&elements).expect("writes");
    }
    file.write_all(b"0]").expect("writes");
    let query = [Query::new("$[*]").expect("a query")];
    // SAFETY: the file has no name, so nobody else writes to it.
    let input = unsafe { Input::map(&file) }.expect("maps");
    let mut sum = Sum(0);
    Search::new(&query).without_paths().run(input, &Options::new(), &mut sum).expect("valid");
    let of_one = b"{\"a\":1}".iter().map(|&byte| u64::from(byte)).sum::<u64>();
    assert_eq!(sum.0, (SIZE >> 20 << 17) * of_one + u64::from(b'0'));
}

/// Offsets, lines and columns beyond four gigabytes.
#[test]
fn positions_do_not_overflow() {
    const LINES: u64 = (1 << 32) / 15;
    let input = endless::input(&[("[\n", 1), ("\"0123456789a\",\n", LINES + 1), ("  x", 1)]);
    let error = fjson::validate(input, &Options::new()).expect_err("not valid");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ExpectedValue, 2 + 15 * (LINES + 1) + 2));
    assert_eq!(error.position().map(|position| (position.line, position.column)), Some((LINES + 3, 3)));
}

#[test]
fn records_without_end() {
    let input = endless::input(&[("{\"a\":1}\n", SIZE / 8), ("[1\n", 1), ("2\n", 1)]);
    let error = fjson::validate(input, &Options::new().framing(Framing::Lines)).expect_err("one is bad");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::UnexpectedEnd, SIZE + 2));
    assert_eq!(error.record(), Some(SIZE / 8 + 1));
}
