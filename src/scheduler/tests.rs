//! Tests of the scheduler with any kind of work: the limit on held output, parallelism and errors.

#![forbid(unsafe_code)]

use super::CHANNEL_CAPACITY;
use super::EventHandler;
use super::EventSink;
use super::HELD_PER_THREAD;
use super::OPEN_PER_THREAD;
use super::SEQUENTIAL_INPUTS;
use super::Work;
use super::each;
use super::sinks::BATCH_BYTES;
use crate::args::Arguments;
use crate::args::Command;
use crate::args::Inputs;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Event;
use crate::source::Source;
use clap::Parser;
use std::fs;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;
use std::time::Duration;

const THREADS: usize = 3;

static TEXT: [u8; BATCH_BYTES] = [b'x'; BATCH_BYTES];

/// Work that calls `run` for each input and counts the inputs.
struct TestWork<F> {
    run: F,
    edits: bool,
    long: u64,
    begun: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl<F: Fn(usize, &mut dyn EventSink) + Sync> TestWork<F> {
    fn new(run: F) -> Self {
        let [begun, at_once, most_at_once] = Default::default();
        Self { run, edits: false, long: u64::MAX, begun, at_once, most_at_once }
    }
}

impl<F: Fn(usize, &mut dyn EventSink) + Sync> Work for TestWork<F> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        let number = self.begun.fetch_add(1, SeqCst);
        let at_once = self.at_once.fetch_add(1, SeqCst) + 1;
        self.most_at_once.fetch_max(at_once, SeqCst);
        if source.size() >= Some(self.long) {
            assert_eq!((at_once, threads), (1, THREADS), "a long input is processed by all threads, and alone");
        }
        (self.run)(number, sink);
        self.at_once.fetch_sub(1, SeqCst);
    }

    fn parallel_size(&self) -> u64 {
        self.long
    }

    fn edits(&self) -> bool {
        self.edits
    }
}

/// A handler that counts the output and waits for each write. It fails after `fails_at` bytes.
struct TestHandler<'a> {
    written: &'a AtomicUsize,
    wait: Duration,
    fails_at: usize,
}

impl EventHandler for TestHandler<'_> {
    fn handle(&mut self, _: &Name, _: Event) -> Result<(), RunError> {
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        thread::sleep(self.wait);
        let written = self.written.fetch_add(bytes.len(), SeqCst);
        if written < self.fails_at { Ok(()) } else { Err(RunError::new(Name::Stdout, "full")) }
    }
}

const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
const LARGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock");

/// Returns inputs that are the same file `count` times.
fn inputs(count: usize) -> Inputs {
    inputs_of((0..count).map(|_| SMALL))
}

fn inputs_of(files: impl Iterator<Item = &'static str>) -> Inputs {
    let line = ["fjson", "validate"].into_iter().chain(files);
    match Arguments::try_parse_from(line).map(|arguments| arguments.command) {
        Ok(Command::Validate(validate)) => validate.inputs,
        Ok(_) | Err(_) => unreachable!("it is `validate`"),
    }
}

/// Some outputs are short; others exceed the allowance, and other outputs are held while these are written.
#[test]
fn held_output_is_limited() {
    let (produced, written, max_ahead) = <(AtomicUsize, AtomicUsize, AtomicUsize)>::default();
    let work = TestWork::new(|number, sink: &mut dyn EventSink| {
        let length = if number % 5 == 0 { 3 * HELD_PER_THREAD } else { HELD_PER_THREAD / 3 };
        for _ in 0..length / BATCH_BYTES {
            let produced = produced.fetch_add(BATCH_BYTES, SeqCst) + BATCH_BYTES;
            max_ahead.fetch_max(produced - written.load(SeqCst), SeqCst);
            assert!(sink.write(&TEXT).is_continue());
        }
    });
    let mut handler = TestHandler { written: &written, wait: Duration::from_micros(100), fails_at: usize::MAX };
    each(&inputs(60), THREADS, &work, &mut handler).expect("nothing fails");
    assert_eq!(written.load(SeqCst), produced.load(SeqCst));
    // The allowance, the channel of the current input, and one batch for each worker and the reporter.
    let allowed = THREADS * HELD_PER_THREAD + (CHANNEL_CAPACITY + THREADS + 1) * BATCH_BYTES;
    let max_ahead = max_ahead.load(SeqCst);
    assert!(max_ahead > THREADS * HELD_PER_THREAD / 2 && max_ahead <= allowed, "{max_ahead} bytes");
    assert!(work.most_at_once.load(SeqCst) > 1);
}

#[test]
fn a_long_input_is_processed_by_all_threads() {
    let mut work = TestWork::new(|_, _: &mut dyn EventSink| thread::sleep(Duration::from_millis(1)));
    work.long = fs::metadata(LARGE).expect("it is there").len();
    let written = AtomicUsize::new(0);
    let mut handler = TestHandler { written: &written, wait: Duration::ZERO, fails_at: 0 };
    let files = (0..100).map(|number| if number % 20 == 3 { LARGE } else { SMALL });
    each(&inputs_of(files), THREADS, &work, &mut handler).expect("nothing fails");
    assert_eq!(work.begun.load(SeqCst), 100);
    assert!(work.most_at_once.load(SeqCst) > 1);
}

#[test]
fn a_file_is_never_edited_twice_at_the_same_time() {
    let mut work = TestWork::new(|_, _: &mut dyn EventSink| thread::sleep(Duration::from_millis(1)));
    work.edits = true;
    let written = AtomicUsize::new(0);
    let mut handler = TestHandler { written: &written, wait: Duration::ZERO, fails_at: 0 };
    each(&inputs(60), THREADS, &work, &mut handler).expect("nothing fails");
    assert_eq!(work.begun.load(SeqCst), 60);
    assert_eq!(work.most_at_once.load(SeqCst), 1);
}

#[test]
fn a_failed_output_ends_the_processing() {
    let written = AtomicUsize::new(0);
    for first in [0, SEQUENTIAL_INPUTS + 1] {
        let before = written.load(SeqCst);
        let work = TestWork::new(|_, sink: &mut dyn EventSink| {
            for _ in 0..100 {
                if sink.write(&TEXT).is_break() {
                    return;
                }
            }
        });
        let fails_at = before + first * 100 * BATCH_BYTES;
        let mut handler = TestHandler { written: &written, wait: Duration::ZERO, fails_at };
        let failed = each(&inputs(2000), THREADS, &work, &mut handler);
        assert_eq!(failed.expect_err("it fails").reason, "full");
        assert_eq!(written.load(SeqCst), fails_at + BATCH_BYTES);
        assert!(work.begun.load(SeqCst) <= first + 1 + OPEN_PER_THREAD * THREADS + 2);
    }
}
