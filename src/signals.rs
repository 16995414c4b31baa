//! What happens when the program is ended from outside.
//!
//! * A small allocation fails: Rust's runtime prints a message and aborts. This is reported with exit status 2, like other errors. A
//!   panic also aborts, and this is not changed, because a panic is a bug and not a result.
//! * The reader of the output ends: the program ends silently, like other filters (by SIGPIPE where there is one).
//! * A write beyond the file size limit (SIGXFSZ) fails with an error, which is reported, instead of killing the program.
//! * Any signal that ends the program, except SIGKILL and those of crashes: temporary files that have a name are registered here and removed first. What was
//!   changed on a terminal, such as the color, is undone.

#![forbid(unsafe_code)]

use crate::platform;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::Once;
use std::sync::OnceLock;
use std::sync::PoisonError;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

pub use crate::platform::exit_on_out_of_memory;
pub use crate::platform::ignore_file_size_limit;

/// Ends the program after the reader of its output has closed the pipe.
pub fn terminate_by_broken_pipe() {
    let _guard = clean_up();
    platform::end_by_broken_pipe();
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
pub const LONGEST_CLEANUP: Duration = Duration::from_secs(1);

/// What to do before a signal ends the program.
static CLEANUP: OnceLock<fn()> = OnceLock::new();

/// Calls `cleanup` before a signal ends the program. It runs on another thread, while the program continues, and may take as long as
/// [`LONGEST_CLEANUP`]. Only the first call has an effect.
pub fn before_termination(cleanup: fn()) {
    CLEANUP.get_or_init(|| cleanup);
    watch();
}

/// Delays signals until the returned value is dropped.
pub fn temporary() -> Temporary {
    watch();
    Temporary(registered())
}

/// Installs the handlers, if that has not been done.
fn watch() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| platform::on_termination(clean_up));
}

fn registered() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files and restores the terminal. No file can be registered while the returned value exists.
fn clean_up() -> MutexGuard<'static, Vec<PathBuf>> {
    let temporary = registered();
    for path in temporary.iter() {
        fs::remove_file(path).ok();
    }
    run_cleanup();
    temporary
}

/// Calls the function of [`before_termination`] on another thread, because a terminal may accept no output. Waits only for a moment.
fn run_cleanup() {
    let Some(cleanup) = CLEANUP.get() else {
        return;
    };
    let (done, until_done) = mpsc::channel();
    let restore = move || {
        cleanup();
        done.send(()).ok();
    };
    if thread::Builder::new().spawn(restore).is_ok() {
        until_done.recv_timeout(LONGEST_CLEANUP).ok();
    }
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
