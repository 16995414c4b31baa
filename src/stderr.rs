//! Standard error: messages, and the progress bar that is shown on a terminal after one second.
//!
//! Messages, the bar, and output to a terminal share one lock. So none of them is written in the middle of another.

#![forbid(unsafe_code)]

use crate::blocking::BlockingStderr;
use crate::name::Name;
use crate::platform;
use crate::progress::Progress;
use crate::signals;
use std::io;
use std::io::Write;
use std::mem;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::TryLockError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use std::time::Instant;

const FIRST_SHOWN_AFTER: Duration = Duration::from_secs(1);
const SHOWN_EVERY: Duration = Duration::from_millis(100);

/// How long the bar is not shown after output to the terminal, so that it does not flicker between lines.
const PAUSE_AFTER_OUTPUT: Duration = Duration::from_secs(1);

/// Time between attempts to take the lock before a signal ends the program.
const RETRY_EVERY: Duration = Duration::from_millis(5);

/// Number of bytes of all inputs that were read.
static READ: AtomicU64 = AtomicU64::new(0);

/// Whether a signal ends the program.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Whether standard output is a terminal that shows colored text.
static IS_COLORED: AtomicBool = AtomicBool::new(false);

static DISPLAY: Mutex<Display> = Mutex::new(Display {
    bar: None,
    is_shown: false,
    is_over: false,
    input: String::new(),
    inputs: 0,
    line_is_open: false,
    last_output: None,
});

struct Display {
    bar: Option<Progress>,
    is_shown: bool,
    is_over: bool,
    /// Name of the current input.
    input: String,
    inputs: u64,
    /// Whether the cursor of the terminal is behind output that has no line feed.
    line_is_open: bool,
    /// Time of the last output to the terminal.
    last_output: Option<Instant>,
}

/// Writes `text`. A broken pipe ends the program.
pub fn print(text: &str) -> io::Result<()> {
    let mut display = display();
    display.hide();
    display.line_is_open &= text.is_empty();
    let result = BlockingStderr.write_all(text.as_bytes());
    if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        drop(display);
        signals::terminate_by_broken_pipe();
    }
    result
}

/// Writes `bytes` to a terminal by calling `write`, while the progress bar is hidden.
pub fn write_data(write: impl FnOnce() -> io::Result<usize>, bytes: &[u8]) -> io::Result<usize> {
    let mut display = display();
    display.hide();
    let result = write();
    if let Ok(length) = result {
        display.line_is_open = bytes[..length].last().map_or(display.line_is_open, |&byte| byte != b'\n');
        display.last_output = Some(Instant::now());
    }
    result
}

/// Resets the color of standard output before a signal ends the program, because the signal may interrupt the output inside a token.
pub fn reset_color_at_termination() {
    IS_COLORED.store(true, Ordering::Relaxed);
    signals::before_termination(restore_terminal);
}

/// Starts the thread that shows the progress bar. Standard error must be a terminal. `total` returns the number of bytes to read, if
/// it is known; it is called only if the bar is shown.
pub fn start_progress(total: impl FnOnce() -> Option<u64> + Send + 'static) {
    let start = Instant::now();
    let tick = move || {
        thread::sleep(FIRST_SHOWN_AFTER);
        if display().is_over {
            return;
        }
        let bar = Progress::new(start.elapsed(), total());
        display().bar = Some(bar);
        signals::before_termination(restore_terminal);
        while display().show() {
            thread::sleep(SHOWN_EVERY);
        }
    };
    // If no thread can be started, there is no progress bar.
    thread::Builder::new().spawn(tick).ok();
}

/// Sets the input that the progress bar shows.
pub fn set_input(name: &Name) {
    let mut display = display();
    display.input = name.to_string();
    display.inputs += 1;
}

/// Returns the counter of the bytes that were read from all inputs.
pub fn bytes_read() -> &'static AtomicU64 {
    &READ
}

/// Removes the progress bar permanently.
pub fn end_progress() {
    let mut display = display();
    display.is_over = true;
    display.is_shown = false;
    display.bar = None;
}

/// Removes the bar and resets the color before a signal ends the program. Nothing is written afterwards: threads that want the lock
/// wait until the end. If the lock is held for long, the terminal accepts no output, and nothing can be done.
fn restore_terminal() {
    IS_ENDING.store(true, Ordering::SeqCst);
    let start = Instant::now();
    while start.elapsed() < signals::LONGEST_CLEANUP {
        let mut display = match DISPLAY.try_lock() {
            Ok(display) => display,
            Err(TryLockError::Poisoned(display)) => display.into_inner(),
            Err(TryLockError::WouldBlock) => {
                thread::sleep(RETRY_EVERY);
                continue;
            }
        };
        display.hide();
        if IS_COLORED.load(Ordering::Relaxed)
            && let Ok(mut terminal) = platform::stdout()
        {
            terminal.write_all(b"\x1b[0m").ok();
        }
        mem::forget(display);
        return;
    }
}

/// Takes the lock. Does not return while a signal ends the program.
fn display() -> MutexGuard<'static, Display> {
    while IS_ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
    DISPLAY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Display {
    fn hide(&mut self) {
        if mem::take(&mut self.is_shown)
            && let Some(bar) = &self.bar
        {
            bar.hide();
        }
    }

    /// Redraws the bar. Returns `false` after [`end_progress`].
    fn show(&mut self) -> bool {
        let is_quiet = self.last_output.is_none_or(|last| last.elapsed() >= PAUSE_AFTER_OUTPUT);
        if let Some(bar) = &mut self.bar
            && !self.line_is_open
            && is_quiet
            && !self.is_over
        {
            let name = match self.inputs {
                ..2 => self.input.clone(),
                inputs => format!("{inputs} inputs, {}", self.input),
            };
            bar.show(READ.load(Ordering::Relaxed), &name);
            self.is_shown = true;
        }
        !self.is_over
    }
}
