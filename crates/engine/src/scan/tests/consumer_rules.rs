//! Tests with a consumer that has a rule of its own: the first error in the text is reported, and the output ends
//! before it.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use super::Copy;
use super::Outcome;
use super::WINDOWS;
use super::fault;
use super::long_document;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::explain::random::Random;
use crate::framing::index_of;
use crate::grammar::Tile;
use crate::input::Input;
use crate::input::START;
use crate::input::advance;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::options::Framing;
use crate::options::Options;
use crate::scan::Consumer;
use crate::scan::End;
use crate::scan::scan;

/// Copies its input and rejects runs of digits that end in 7, inside strings too.
#[derive(Default)]
struct NoSevens {
    copy: Copy<true>,
    /// Where the text since the last release begins, and how much of it has been checked.
    offset: u64,
    checked: usize,
    failed: bool,
}

/// Returns the start of the first run of digits that ends in 7, and the start of a run that may continue after the
/// text.
fn sevens(text: &[u8]) -> (Option<usize>, Option<usize>) {
    let mut start = None;
    for (index, byte) in text.iter().enumerate() {
        if byte.is_ascii_digit() {
            start.get_or_insert(index);
        } else if let Some(start) = start.take()
            && text[index - 1] == b'7'
        {
            return (Some(start), None);
        }
    }
    (None, start)
}

impl Consumer for NoSevens {
    const LAYOUT: bool = false;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        (self.offset, self.checked, self.failed) = (offset, 0, false);
        self.copy.begin(offset, skipped)
    }

    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        self.copy.take(kernel, tile, bytes, length);
    }

    fn held(&self) -> usize {
        self.copy.held()
    }

    fn check_rules(&mut self, text: &[u8], end: End) -> Result<bool, Fault> {
        assert!(!self.failed && text == self.copy.held, "checked after a failure");
        let rest = [&text[self.checked..], if end == End::Document { b" " } else { b"" }].concat();
        let (seven, open) = sevens(&rest);
        if let Some(seven) = seven {
            self.failed = true;
            return Err(Fault::new(ErrorKind::LeadingZero, self.offset + (self.checked + seven) as u64));
        }
        self.checked = open.map_or(text.len(), |open| self.checked + open);
        Ok(open.is_none())
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        (self.offset, self.checked) = (self.offset + text.len() as u64, 0);
        self.copy.release(text)
    }

    fn discard(&mut self) {
        self.checked = 0;
        self.copy.discard();
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        self.copy.end()
    }
}

fn outcome(input: &mut Input<'_>, options: &Options) -> Outcome {
    let mut consumer = NoSevens::default();
    let mut errors = Vec::new();
    let mut keep = |error: Error| {
        errors.push((error.kind(), error.offset(), error.position(), error.record()));
        ControlFlow::Continue(())
    };
    let summary = scan(input, options, &mut consumer, &mut keep).expect("all can be read");
    Outcome { documents: summary.documents, errors, output: consumer.copy.released }
}

/// Returns the expected result for records on lines: of each record, everything before its first error.
fn expected(text: &[u8]) -> Outcome {
    let mut outcome = Outcome { documents: 0, errors: Vec::new(), output: Vec::new() };
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let record = line.strip_suffix(b"\n").unwrap_or(line);
        let skipped = record.iter().take_while(|byte| b" \t\r".contains(byte)).count();
        if skipped < record.len() {
            outcome.documents += 1;
            let record = &record[skipped..];
            let syntax = fault(record, None).map(|fault| (fault.kind, index_of(&Input::from(record), fault.offset)));
            let valid = &record[..syntax.map_or(record.len(), |(_, index)| index)];
            let ended = if syntax.is_none() { &b" "[..] } else { b"" };
            let (seven, _) = sevens(&[valid, ended].concat());
            let first = seven.map(|index| (ErrorKind::LeadingZero, index)).or(syntax);
            let end = first.map_or(record.len(), |(_, index)| index);
            outcome.output.extend_from_slice(&record[..end]);
            let place = start + skipped + end;
            let error = |(kind, _)| (kind, place as u64, Some(advance(START, &text[..place])), Some(outcome.documents));
            outcome.errors.extend(first.map(error));
        }
        start += line.len();
    }
    outcome
}

#[test]
fn the_first_error_in_the_text_is_reported() {
    let mut random = Random::new(3);
    let mut kernels = Isa::available().collect::<Vec<_>>().into_iter().cycle();
    let options = Options::new().framing(Framing::Lines);
    let mut errors = 0;
    for round in 0..100 {
        let mut text = Vec::new();
        for _ in 0..random.below(6) {
            let document = if round % 3 == 0 { random.document() } else { long_document(&mut random) };
            // With few sevens, many documents are valid up to another error.
            let document =
                document.replace(['\n', '\r'], " ").replace('7', if random.below(2) == 0 { "7" } else { "1" });
            let is_broken = random.below(2) == 0;
            text.extend(if is_broken { random.broken(&document) } else { document.into() });
            text.push(b'\n');
        }
        let expected = expected(&text);
        errors += expected.errors.iter().filter(|(kind, ..)| *kind == ErrorKind::LeadingZero).count();
        for window in WINDOWS {
            for size in [0, 1, 3000] {
                let isa = kernels.next().expect("there is always one");
                let options = options.clone().window(window).isa(isa);
                let found = outcome(&mut Input::in_pieces(&text, size), &options);
                let how = || format!("window {window}, pieces of {size}, {isa}: {}", text.escape_ascii());
                assert!(found == expected, "{:?} {:?} {}", found.errors, expected.errors, how());
            }
        }
    }
    assert!(errors > 20, "{errors} faults of the consumer");
}

/// A run that a window or a limit would cut is held back until it is checked; one that ends at an error is not checked.
#[test]
fn unchecked_text_is_not_released() {
    let digits = "1".repeat(40_000);
    for (text, kind, output) in [
        (format!("{digits}7"), Some(ErrorKind::LeadingZero), 0),
        (format!("[{digits}7 ]"), Some(ErrorKind::LeadingZero), 1),
        (format!("[\"{digits}\\u{digits}7\"]"), Some(ErrorKind::LeadingZero), digits.len() + 4),
        (format!("[{digits}7"), Some(ErrorKind::UnexpectedEnd), digits.len() + 2),
        (format!("{digits}7{{"), Some(ErrorKind::TrailingContent), digits.len() + 1),
        (format!("{digits}8"), None, digits.len() + 1),
    ] {
        for window in WINDOWS {
            for size in [0, 1000] {
                let options = Options::new().window(window);
                let outcome = outcome(&mut Input::in_pieces(text.as_bytes(), size), &options);
                assert_eq!(outcome.errors.first().map(|&(kind, ..)| kind), kind, "window {window}, pieces of {size}");
                assert_eq!(outcome.output.len(), output);
            }
        }
    }
}

/// In concatenated JSON a document ends where the next one begins.
#[test]
fn the_end_of_a_document_is_known() {
    let options = Options::new().framing(Framing::Stream);
    for (text, documents, is_invalid) in
        [("17[1]", 1, true), ("18[1]27", 3, true), ("18[1]28", 3, false), ("17", 1, true)]
    {
        let outcome = outcome(&mut text.into(), &options);
        assert_eq!((outcome.documents, !outcome.errors.is_empty()), (documents, is_invalid), "{text}");
    }
}
