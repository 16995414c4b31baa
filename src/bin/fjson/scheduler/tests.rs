//! What holds of any work: its order, and what it may hold.

#![forbid(unsafe_code)]

use super::AHEAD;
use super::EventHandler;
use super::EventSink;
use super::FEW;
use super::HELD;
use super::PIECE;
use super::WAITING;
use super::Work;
use super::each;
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

static TEXT: [u8; PIECE] = [b'x'; PIECE];

/// Works as its function says, and counts.
struct Worker<F> {
    run: F,
    edits: bool,
    long: u64,
    begun: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl<F: Fn(usize, &mut dyn EventSink) + Sync> Worker<F> {
    fn new(run: F) -> Self {
        let [begun, at_once, most_at_once] = Default::default();
        Self { run, edits: false, long: u64::MAX, begun, at_once, most_at_once }
    }
}

impl<F: Fn(usize, &mut dyn EventSink) + Sync> Work for Worker<F> {
    fn work(&self, source: &Source, threads: usize, say: &mut dyn EventSink) {
        let number = self.begun.fetch_add(1, SeqCst);
        let at_once = self.at_once.fetch_add(1, SeqCst) + 1;
        self.most_at_once.fetch_max(at_once, SeqCst);
        if source.size() >= Some(self.long) {
            assert_eq!((at_once, threads), (1, THREADS), "all threads work on a long input, and on nothing else");
        }
        (self.run)(number, say);
        self.at_once.fetch_sub(1, SeqCst);
    }

    fn long(&self) -> u64 {
        self.long
    }

    fn edits(&self) -> bool {
        self.edits
    }
}

/// Takes the output of each input in time, up to `fails_at`.
struct Listener<'a> {
    taken: &'a AtomicUsize,
    wait: Duration,
    fails_at: usize,
}

impl EventHandler for Listener<'_> {
    fn tell(&mut self, _: &Name, _: Event) -> Result<(), RunError> {
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        thread::sleep(self.wait);
        let taken = self.taken.fetch_add(bytes.len(), SeqCst);
        if taken < self.fails_at { Ok(()) } else { Err(RunError::new(Name::Stdout, "full")) }
    }
}

const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
const LARGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock");

/// The same file so many times.
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

/// Short outputs, and ones too long to be held, of which others are held while they are taken.
#[test]
fn no_more_is_held_than_is_allowed() {
    let (made, taken, most) = <(AtomicUsize, AtomicUsize, AtomicUsize)>::default();
    let worker = Worker::new(|number, say: &mut dyn EventSink| {
        let length = if number % 5 == 0 { 3 * HELD } else { HELD / 3 };
        for _ in 0..length / PIECE {
            let made = made.fetch_add(PIECE, SeqCst) + PIECE;
            most.fetch_max(made - taken.load(SeqCst), SeqCst);
            assert!(say.write(&TEXT).is_continue());
        }
    });
    let mut listener = Listener { taken: &taken, wait: Duration::from_micros(100), fails_at: usize::MAX };
    each(&inputs(60), THREADS, &worker, &mut listener).expect("nothing fails");
    assert_eq!(taken.load(SeqCst), made.load(SeqCst));
    // What is allowed, what is on its way of the one whose turn it is, and what each of them and the teller have in hand.
    let allowed = THREADS * HELD + (WAITING + THREADS + 1) * PIECE;
    let most = most.load(SeqCst);
    assert!(most > THREADS * HELD / 2 && most <= allowed, "{most} bytes");
    assert!(worker.most_at_once.load(SeqCst) > 1);
}

#[test]
fn all_threads_work_on_a_long_input() {
    let mut worker = Worker::new(|_, _: &mut dyn EventSink| thread::sleep(Duration::from_millis(1)));
    worker.long = fs::metadata(LARGE).expect("it is there").len();
    let taken = AtomicUsize::new(0);
    let mut listener = Listener { taken: &taken, wait: Duration::ZERO, fails_at: 0 };
    let files = (0..100).map(|number| if number % 20 == 3 { LARGE } else { SMALL });
    each(&inputs_of(files), THREADS, &worker, &mut listener).expect("nothing fails");
    assert_eq!(worker.begun.load(SeqCst), 100);
    assert!(worker.most_at_once.load(SeqCst) > 1);
}

#[test]
fn a_file_is_never_edited_twice_at_once() {
    let mut worker = Worker::new(|_, _: &mut dyn EventSink| thread::sleep(Duration::from_millis(1)));
    worker.edits = true;
    let taken = AtomicUsize::new(0);
    let mut listener = Listener { taken: &taken, wait: Duration::ZERO, fails_at: 0 };
    each(&inputs(60), THREADS, &worker, &mut listener).expect("nothing fails");
    assert_eq!(worker.begun.load(SeqCst), 60);
    assert_eq!(worker.most_at_once.load(SeqCst), 1);
}

#[test]
fn an_output_that_fails_ends_everything() {
    let taken = AtomicUsize::new(0);
    for first in [0, FEW + 1] {
        let before = taken.load(SeqCst);
        let worker = Worker::new(|_, say: &mut dyn EventSink| {
            for _ in 0..100 {
                if say.write(&TEXT).is_break() {
                    return;
                }
            }
        });
        let fails_at = before + first * 100 * PIECE;
        let mut listener = Listener { taken: &taken, wait: Duration::ZERO, fails_at };
        let failed = each(&inputs(2000), THREADS, &worker, &mut listener);
        assert_eq!(failed.expect_err("it fails").reason, "full");
        assert_eq!(taken.load(SeqCst), fails_at + PIECE);
        assert!(worker.begun.load(SeqCst) <= first + 1 + AHEAD * THREADS + 2);
    }
}
