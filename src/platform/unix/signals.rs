//! The signals of Unix whose default action is not suitable.

#![expect(unsafe_code, reason = "the current action of a signal can only be queried by a system call")]

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
use std::io;
use std::mem;
use std::panic;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;

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

/// Ends the program by SIGPIPE.
pub fn end_by_broken_pipe() {
    low_level::emulate_default_handler(SIGPIPE).ok();
}

/// Calls `before` when a signal ends the program, and keeps its result until the end. Signals that were ignored when the program
/// started, for example because of `nohup`, stay ignored.
pub fn on_termination<G: 'static>(before: fn() -> G) {
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let (ready, until_ready) = mpsc::channel::<()>();
    let watch = move || {
        let signals = Signals::new(wanted);
        drop(ready);
        if let Ok(mut signals) = signals {
            for signal in signals.forever() {
                let _guard = before();
                low_level::emulate_default_handler(signal).ok();
            }
        }
    };
    // If no thread can be started, the signals keep their default action.
    thread::Builder::new().spawn(watch).ok();
    until_ready.recv().ok();
}

fn is_ignored(signal: i32) -> bool {
    // SAFETY: a C structure of integers and a nullable function pointer, for which zero is a valid value.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: without a new action, the call only writes the current one to a valid place.
    let result = unsafe { libc::sigaction(signal, ptr::null(), &raw mut action) };
    result == 0 && action.sa_sigaction == libc::SIG_IGN
}
