//! Inputs larger than any buffer: right, and in memory that does not grow with them.
//!
//! This stands alone in its program because it looks at the memory of the whole process.

#![forbid(unsafe_code)]

use std::io;

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Layout;
use fjson::Options;
use proof::check;
use proof::endless;

/// Bytes of each input, about.
const SIZE: u64 = 64 << 20;

/// What one verb may take, and what the process had before.
const MOST_MEMORY: u64 = (8 << 20) + (8 << 20);

/// A document with so many bytes of one thing in it.
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
