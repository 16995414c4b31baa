//! The five signals that must not end the program in their own way.
//!
//! Where there is no memory for something small, Rust's runtime says so and aborts; that is trouble like any other, and so is its
//! status. A panic aborts as well, and stays what it is: a bug that nobody shall take for an answer. A broken pipe is an error
//! code to Rust, and should end the program as it ends every filter: silently, by SIGPIPE. The file size limit would kill it,
//! and should be reported. And whoever interrupts the program while a temporary file has a name must not find that file
//! afterwards, so its name is noted here and removed before the signal takes effect.

#![forbid(unsafe_code)]

use crate::exit::Exit;
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

/// Has the program end with the status of trouble if it aborts, unless it has panicked.
pub fn end_without_memory() {
    let is_trouble = Arc::new(AtomicBool::new(true));
    flag::register_conditional_shutdown(SIGABRT, Exit::RunError as i32, is_trouble.clone()).ok();
    let say = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        // So a thread ends that gets no stack for signals, and so does zlib-rs.
        let lack = [&*io::Error::from(Errno::NOMEM).to_string(), "MemError"];
        let is_lack = |reason: &str| lack.iter().any(|lack| reason.contains(lack));
        is_trouble.store(panicked.payload_as_str().is_some_and(is_lack), Ordering::SeqCst);
        say(panicked);
    }));
}

/// With any handler at all, a write beyond the file size limit fails instead of killing the program.
pub fn outlive_the_file_size_limit() {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).ok();
}

/// The reader of our output has gone.
pub fn die_of_broken_pipe() {
    die(SIGPIPE);
}

/// The temporary files that have a name at the moment.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files to remove when a signal ends the program. While this lives, signals wait.
pub struct Temporary(MutexGuard<'static, Vec<PathBuf>>);

/// A file is to be removed as long as this lives, which must be given up behind `Temporary`.
pub struct Noted(PathBuf);

impl Temporary {
    pub fn note(&mut self, path: &Path) -> Noted {
        self.0.push(path.to_path_buf());
        Noted(path.to_path_buf())
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        notes().retain(|path| *path != self.0);
    }
}

/// Has signals wait.
pub fn temporary() -> Temporary {
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
        // Without a thread the signals keep their own effect.
        thread::Builder::new().spawn(watch).ok();
        until_ready.recv().ok();
    });
    Temporary(notes())
}

fn notes() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn die(signal: i32) {
    let temporary = notes();
    for path in temporary.iter() {
        fs::remove_file(path).ok();
    }
    low_level::emulate_default_handler(signal).ok();
}

/// Bit n-1 stands for signal n: set if it was ignored when the program started (`nohup`), so that it stays ignored.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Temporary;
    use super::notes;
    use std::path::Path;

    #[test]
    fn what_is_given_up_is_no_longer_noted() {
        let [one, other] = ["one", "other"].map(Path::new);
        let noted = Temporary(notes()).note(one);
        let kept = Temporary(notes()).note(other);
        drop(noted);
        assert!(!notes().iter().any(|path| path == one) && notes().iter().any(|path| path == other));
        drop(kept);
        assert!(!notes().iter().any(|path| path == other));
    }
}
