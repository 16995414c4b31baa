//! Handling of the signals whose default action is not suitable.
//!
//! * SIGABRT: if a small allocation fails, Rust's runtime prints a message and aborts. This is reported with exit status 2,
//!   like other errors. A panic also aborts, and this is not changed, because a panic is a bug and not a result.
//! * SIGPIPE: Rust turns a broken pipe into an error code. The program ends by SIGPIPE instead, silently, like other filters.
//! * SIGXFSZ: a write beyond the file size limit fails with an error, which is reported, instead of killing the program.
//! * SIGINT, SIGTERM, SIGHUP: temporary files that have a name are registered here and removed before the signal takes effect.
//!   What was changed on a terminal, such as the color, is undone.

#![forbid(unsafe_code)]

use rustix::io::Errno;
use signal_hook::consts::SIGABRT;
use signal_hook::consts::SIGHUP;
use signal_hook::consts::SIGINT;
use signal_hook::consts::SIGPIPE;
use signal_hook::consts::SIGTERM;
use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use std::fs;
use std::io;
use std::panic;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::Once;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Makes the program exit with `status` when it aborts, unless it aborts because of a panic.
pub fn exit_on_out_of_memory(status: i32) {
    let is_out_of_memory = Arc::new(AtomicBool::new(true));
    flag::register_conditional_shutdown(SIGABRT, status, is_out_of_memory.clone()).ok();
    let default_hook = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        // A thread that cannot allocate its signal stack panics with ENOMEM; zlib-rs panics with `MemError`.
        let out_of_memory = [&*io::Error::from(Errno::NOMEM).to_string(), "MemError"];
        let matches = |message: &str| out_of_memory.iter().any(|reason| message.contains(reason));
        is_out_of_memory.store(panicked.payload_as_str().is_some_and(matches), Ordering::SeqCst);
        default_hook(panicked);
    }));
}

/// Makes a write beyond the file size limit fail with an error instead of killing the program. Any handler has this effect.
pub fn ignore_file_size_limit() {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).ok();
}

/// Ends the program by SIGPIPE, after the reader of its output has closed the pipe.
pub fn die_of_broken_pipe() {
    die(SIGPIPE);
}

/// Paths of the temporary files that currently have a name.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The list of files to remove when a signal ends the program. Signals are delayed while this value exists.
pub struct Temporary(MutexGuard<'static, Vec<PathBuf>>);

/// A registered file: it is removed if a signal ends the program before this value is dropped. Must be dropped after
/// [`Temporary`], because dropping it locks the list.
pub struct Noted(PathBuf);

impl Temporary {
    /// Registers a file for removal.
    pub fn note(&mut self, path: &Path) -> Noted {
        self.0.push(path.to_path_buf());
        Noted(path.to_path_buf())
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        registered().retain(|path| *path != self.0);
    }
}

/// How long a signal may be delayed by what is to be done before.
const LONGEST_CLEANUP: Duration = Duration::from_millis(200);

/// What to do before a signal ends the program.
static CLEANUP: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// Calls `cleanup` before a signal ends the program. It runs on another thread, while the program continues.
pub fn before_death(cleanup: fn()) {
    CLEANUP.lock().unwrap_or_else(PoisonError::into_inner).push(cleanup);
    watch();
}

/// Delays signals until the returned value is dropped.
pub fn temporary() -> Temporary {
    watch();
    Temporary(registered())
}

/// Starts the thread that handles the signals, if it has not been started.
fn watch() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        let ignored = ignored_signals();
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0);
        let (ready, until_ready) = mpsc::channel::<()>();
        let watch = move || {
            let signals = Signals::new(wanted);
            drop(ready);
            if let Ok(mut signals) = signals {
                signals.forever().for_each(die);
            }
        };
        // If no thread can be started, the signals keep their default action.
        thread::Builder::new().spawn(watch).ok();
        until_ready.recv().ok();
    });
}

fn registered() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files, restores the terminal and performs the default action of `signal`.
fn die(signal: i32) {
    let temporary = registered();
    for path in temporary.iter() {
        fs::remove_file(path).ok();
    }
    clean_up();
    low_level::emulate_default_handler(signal).ok();
}

/// Calls the functions of [`before_death`] on another thread, because a terminal may accept no output. Waits only for a moment.
fn clean_up() {
    let cleanups: Vec<_> = CLEANUP.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if cleanups.is_empty() {
        return;
    }
    let (done, until_done) = mpsc::channel();
    let clean_up = move || {
        for cleanup in cleanups {
            cleanup();
        }
        done.send(()).ok();
    };
    if thread::Builder::new().spawn(clean_up).is_ok() {
        until_done.recv_timeout(LONGEST_CLEANUP).ok();
    }
}

/// Returns the signals that were ignored when the program started, for example because of `nohup`: bit n-1 is signal n. They
/// stay ignored.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Temporary;
    use super::registered;
    use std::path::Path;

    #[test]
    fn a_dropped_file_is_not_registered() {
        let [one, other] = ["one", "other"].map(Path::new);
        let dropped = Temporary(registered()).note(one);
        let kept = Temporary(registered()).note(other);
        drop(dropped);
        assert!(!registered().iter().any(|path| path == one) && registered().iter().any(|path| path == other));
        drop(kept);
        assert!(!registered().iter().any(|path| path == other));
    }
}
