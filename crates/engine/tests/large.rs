//! Inputs larger than any buffer: the right result, in memory that does not grow with them.
//!
//! A separate binary, because it measures the memory of the whole process.

use std::fs::File;
use std::io;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use fjson::Edits;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Gzip;
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
const MOST_MEMORY: u64 = 12 << 20;

/// The same for edits, which list the tokens of a window.
const MOST_MEMORY_OF_EDITS: u64 = 64 << 20;

/// The same for batches of elements, of which several wait for each thread with their matches, less than the input.
const MOST_MEMORY_OF_BATCHES: u64 = 48 << 20;

/// Held by each test, because the memory of the whole process is measured.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Waits for the other tests. One that failed is no reason to fail.
fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The peak memory of the process before a test.
struct Memory(Option<u64>);

impl Memory {
    fn new() -> Self {
        Self(endless::peak_memory())
    }

    #[track_caller]
    fn check(&self, most: u64, what: &str) {
        if let Some((before, peak)) = self.0.zip(endless::peak_memory()) {
            assert!(peak - before <= most, "{} bytes for {what}", peak - before);
        }
    }
}

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
    let _alone = alone();
    let memory = Memory::new();
    for shape in shapes(SIZE) {
        for &isa in check::kernels() {
            let options = Options::new().isa(isa);
            fjson::validate(endless::input(&shape), &options).expect("valid");
            fjson::minify(endless::input(&shape), io::sink(), &options).expect("valid");
            fjson::pretty(endless::input(&shape), io::sink(), &Layout::default(), &options).expect("valid");
        }
        if shape.len() == 3 && shape[1].0.starts_with(['1', '{']) {
            fjson::gzip(endless::input(&shape), io::sink(), &Gzip::new().level(1).threads(1), &Options::new())
                .expect("valid");
        }
        memory.check(MOST_MEMORY, &format!("{shape:?}"));
    }
    let file = file(SIZE);
    look_at_matches_of_a_map(&file);
    memory.check(MOST_MEMORY_OF_BATCHES, "matches of a map");
    look_at_records_of_a_map();
    memory.check(MOST_MEMORY_OF_BATCHES, "records of a map");
    edit_a_map(&file);
    memory.check(MOST_MEMORY_OF_EDITS, "edits of a map");
}

#[test]
#[ignore = "writes and reads a file of 4.5 GiB; `cargo test --release --test large -- --ignored`"]
fn edits_beyond_four_gigabytes() {
    let _alone = alone();
    let memory = Memory::new();
    edit_a_map(&file(9 << 29));
    memory.check(MOST_MEMORY_OF_EDITS, "edits of a map");
}

/// Counts the bytes, and keeps the first and the last ones.
#[derive(Default)]
struct Ends {
    count: u64,
    first: Vec<u8>,
    last: Vec<u8>,
}

impl Write for Ends {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.count += bytes.len() as u64;
        self.first.extend_from_slice(&bytes[..bytes.len().min(100_usize.saturating_sub(self.first.len()))]);
        self.last.extend_from_slice(&bytes[bytes.len().saturating_sub(100)..]);
        self.last.drain(..self.last.len().saturating_sub(100));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Only what edits look into is held in memory.
#[expect(unsafe_code, reason = "a map is a promise about other processes")]
fn edit_a_map(file: &File) {
    let length = file.metadata().expect("a file").len();
    let mut edits = Edits::new();
    edits.set("/2/a", "[]").and_then(|edits| edits.delete("/0")).expect("edits");
    edits.append("", "\"end\"").expect("an edit");
    // SAFETY: the file has no name, so nobody else writes to it.
    let input = unsafe { Input::map(file) }.expect("maps");
    let mut ends = Ends::default();
    let summary = edits.apply(input, &mut ends, &Options::new().max_memory(1 << 20)).expect("edits");
    assert_eq!((summary.first_change, summary.read.bytes), (Some(14), length));
    assert!(ends.first.starts_with(b"[{\"a\":1},{\"a\":[]},{\"a\":1},"));
    assert!(ends.last.ends_with(b"{\"a\":1},0,\"end\"]"));
    assert_eq!(ends.count, length - 8 + 1 + 6);
}

/// A file with an array of small objects, of about this many bytes.
fn file(size: u64) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    let elements = b"{\"a\":1},".repeat(1 << 17);
    file.write_all(b"[").expect("writes");
    for _ in 0..size >> 20 {
        file.write_all(&elements).expect("writes");
    }
    file.write_all(b"0]").expect("writes");
    file
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
fn look_at_matches_of_a_map(file: &File) {
    let of_one = b"{\"a\":1}".iter().map(|&byte| u64::from(byte)).sum::<u64>();
    for (expression, threads, last) in [("$[*]", 2, b'0'), ("$[*]", 3, b'0'), ("$[?@.a]", 1, 0), ("$[?@.a]", 2, 0)] {
        let query = [Query::new(expression).expect("a query")];
        // SAFETY: the file has no name, so nobody else writes to it.
        let input = unsafe { Input::map(file) }.expect("maps");
        let mut sum = Sum(0);
        Search::new(&query).without_paths().run(input, &Options::new().threads(threads), &mut sum).expect("valid");
        assert_eq!(sum.0, (SIZE >> 20 << 17) * of_one + u64::from(last), "{expression} on {threads} threads");
    }
}

/// A file of records is not held as if it were one document.
#[expect(unsafe_code, reason = "a map is a promise about other processes")]
fn look_at_records_of_a_map() {
    let mut file = tempfile::tempfile().expect("a file");
    let records = b"{\"a\":1}\n".repeat(1 << 17);
    for _ in 0..SIZE >> 20 {
        file.write_all(&records).expect("writes");
    }
    // SAFETY: the file has no name, so nobody else writes to it.
    let input = unsafe { Input::map(&file) }.expect("maps");
    let mut sum = 0;
    fjson::for_each_document(input, &Options::new().framing(Framing::Documents), |record| {
        sum += record.expect("valid").get("a").and_then(fjson::Value::as_u64).expect("a number");
        ControlFlow::Continue(())
    })
    .expect("valid");
    assert_eq!(sum, SIZE >> 20 << 17);
}

/// Offsets, lines and columns beyond four gigabytes.
#[test]
fn positions_do_not_overflow() {
    const LINES: u64 = (1 << 32) / 15;
    let _alone = alone();
    let input = endless::input(&[("[\n", 1), ("\"0123456789a\",\n", LINES + 1), ("  x", 1)]);
    let error = fjson::validate(input, &Options::new()).expect_err("not valid");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ExpectedValue, 2 + 15 * (LINES + 1) + 2));
    assert_eq!(error.position().map(|position| (position.line, position.column)), Some((LINES + 3, 3)));
}

#[test]
fn records_without_end() {
    let _alone = alone();
    let input = endless::input(&[("{\"a\":1}\n", SIZE / 8), ("[1\n", 1), ("2\n", 1)]);
    let error = fjson::validate(input, &Options::new().framing(Framing::Lines)).expect_err("one is bad");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::UnexpectedEnd, SIZE + 2));
    assert_eq!(error.record(), Some(SIZE / 8 + 1));
}

/// Keys are compared once they are complete, so they are held, up to a limit.
#[test]
#[ignore = "takes up to 5 GB of memory; `cargo test --release --test large -- --ignored`"]
fn a_key_of_more_than_two_gibibytes_is_refused() {
    let _alone = alone();
    let read = |length| {
        let input = endless::input(&[("{\"", 1), ("k", length), ("\":1}", 1)]);
        fjson::validate(input, &Options::new().unique_keys(true)).map_err(|error| error.kind())
    };
    assert!(read(100 << 20).is_ok());
    assert_eq!(read(3 << 30).map(drop), Err(ErrorKind::OutOfMemory));
}
