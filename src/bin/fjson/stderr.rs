//! Standard error: messages, and the progress line that is shown on a terminal after one second.
//!
//! Both share one lock, so that a message is never printed in the middle of the progress line. The position of the engine in a
//! mapped file is unknown, so the line shows only the time, the input, and the number of bytes read if the input is not mapped.

#![forbid(unsafe_code)]

use crate::name::Name;
use crate::signals;
use std::fmt::Write as _;
use std::io;
use std::io::Write;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use std::time::Instant;

const FIRST_SHOWN_AFTER: Duration = Duration::from_secs(1);
const SHOWN_EVERY: Duration = Duration::from_millis(200);
const CLEAR_LINE: &str = "\r\x1b[K";

/// Number of bytes of the current input that were read, not mapped.
static READ: AtomicU64 = AtomicU64::new(0);
static LINE: Mutex<Line> = Mutex::new(Line { shown: false, over: false, input: String::new(), size: None });

struct Line {
    shown: bool,
    over: bool,
    input: String,
    size: Option<u64>,
}

/// Writes `text`. A broken pipe ends the program.
pub fn print(text: &str) -> io::Result<()> {
    let mut line = line();
    line.hide();
    let result = io::stderr().write_all(text.as_bytes());
    if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        signals::die_of_broken_pipe();
    }
    result
}

/// Starts the thread that shows the progress line. Standard error must be a terminal.
pub fn start_progress() {
    let start = Instant::now();
    let tick = move || {
        thread::sleep(FIRST_SHOWN_AFTER);
        while line().show(start.elapsed()) {
            thread::sleep(SHOWN_EVERY);
        }
    };
    // If no thread can be started, there is no progress line.
    thread::Builder::new().spawn(tick).ok();
}

/// Sets the input that the progress line shows.
pub fn set_progress(input: &Name, size: Option<u64>) {
    READ.store(0, Ordering::Relaxed);
    let mut line = line();
    line.input = input.to_string();
    line.size = size;
}

/// Adds to the number of bytes that were read from the current input.
pub fn add_progress(bytes: usize) {
    READ.fetch_add(bytes as u64, Ordering::Relaxed);
}

/// Removes the progress line permanently.
pub fn end_progress() {
    let mut line = line();
    line.hide();
    line.over = true;
}

fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    fn hide(&mut self) {
        if self.shown {
            self.shown = false;
            io::stderr().write_all(CLEAR_LINE.as_bytes()).ok();
        }
    }

    /// Redraws the line. Returns `false` after [`end_progress`].
    fn show(&mut self, elapsed: Duration) -> bool {
        if !self.over {
            self.shown = true;
            let text = self.text(elapsed, READ.load(Ordering::Relaxed));
            io::stderr().write_all(text.as_bytes()).ok();
        }
        !self.over
    }

    fn text(&self, elapsed: Duration, read: u64) -> String {
        let mut text = format!("{CLEAR_LINE}{:.0} s, {}", elapsed.as_secs_f64(), self.input);
        match (read, self.size) {
            (0, None) => Ok(()),
            (0, Some(size)) => write!(text, ", {}", Megabytes(size)),
            (read, None) => write!(text, ", {} read", Megabytes(read)),
            (read, Some(size)) => write!(text, ", {} of {} read", Megabytes(read), Megabytes(size)),
        }
        .ok();
        text
    }
}

struct Megabytes(u64);

impl std::fmt::Display for Megabytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{} MB", self.0 / 1_000_000, self.0 / 100_000 % 10)
    }
}
