//! The signals of Unix whose default action is not suitable.

#![expect(unsafe_code, reason = "the action of a signal can only be queried and reset by system calls")]

use rustix::io::Errno;
use signal_hook::consts::SIGABRT;
use signal_hook::consts::SIGALRM;
use signal_hook::consts::SIGHUP;
use signal_hook::consts::SIGINT;
use signal_hook::consts::SIGPIPE;
use signal_hook::consts::SIGPROF;
use signal_hook::consts::SIGQUIT;
use signal_hook::consts::SIGTERM;
use signal_hook::consts::SIGUSR1;
use signal_hook::consts::SIGUSR2;
use signal_hook::consts::SIGVTALRM;
use signal_hook::consts::SIGXCPU;
use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use std::io;
#[cfg(not(target_os = "linux"))]
use std::iter;
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

/// The signals from outside whose default action ends the program, except SIGKILL, which cannot be handled. SIGPIPE is ignored by
/// Rust's runtime, and SIGXFSZ by [`ignore_file_size_limit`]. Signals of crashes are not among them.
const ENDING: [i32; 10] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU];

/// Those that only some systems have.
fn others_ending() -> impl Iterator<Item = i32> {
    #[cfg(target_os = "linux")]
    let others = [libc::SIGIO, libc::SIGPWR, libc::SIGSTKFLT].into_iter().chain(libc::SIGRTMIN()..=libc::SIGRTMAX());
    #[cfg(not(target_os = "linux"))]
    let others = iter::empty();
    others
}

/// Calls `before` when a signal ends the program, and keeps its result until the end. Signals that were ignored when the program
/// started, for example because of `nohup`, stay ignored.
pub fn on_termination<G: 'static>(before: fn() -> G) {
    let wanted = ENDING.into_iter().chain(others_ending()).filter(|&signal| !is_ignored(signal));
    let (ready, until_ready) = mpsc::channel::<()>();
    let watch = move || {
        let signals = Signals::new(wanted);
        drop(ready);
        if let Ok(mut signals) = signals {
            for signal in signals.forever() {
                let _guard = before();
                end_by(signal);
            }
        }
    };
    // If no thread can be started, the signals keep their default action.
    thread::Builder::new().spawn(watch).ok();
    until_ready.recv().ok();
}

/// Ends the program by a signal whose default action does that.
fn end_by(signal: i32) {
    // SAFETY: the default action needs no handler. It replaces one of `signal_hook`, which is not needed any more.
    let previous = unsafe { libc::signal(signal, libc::SIG_DFL) };
    if previous != libc::SIG_ERR {
        low_level::raise(signal).ok();
    }
}

fn is_ignored(signal: i32) -> bool {
    // SAFETY: a C structure of integers and a nullable function pointer, for which zero is a valid value.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: without a new action, the call only writes the current one to a valid place.
    let result = unsafe { libc::sigaction(signal, ptr::null(), &raw mut action) };
    result == 0 && action.sa_sigaction == libc::SIG_IGN
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::on_termination;
    use std::fs;

    /// Those that are not handled: of crashes (ILL, TRAP, BUS, FPE, SEGV, SYS), KILL and STOP, which cannot be, PIPE, and those whose
    /// default action does not end the program (CHLD, CONT, TSTP, TTIN, TTOU, URG, WINCH). 32 to 34 belong to the C library.
    const OTHERS: [u32; 19] = [4, 5, 7, 8, 9, 11, 13, 17, 18, 19, 20, 21, 22, 23, 28, 31, 32, 33, 34];

    /// Most file systems have files without a name, which never remain, so a test that sends signals shows little.
    #[test]
    fn every_signal_that_ends_a_program_is_handled() {
        super::exit_on_out_of_memory(2);
        super::ignore_file_size_limit();
        on_termination(|| ());
        let status = fs::read_to_string("/proc/self/status").expect("the system tells");
        let mask = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("it is listed");
            u64::from_str_radix(line.trim(), 16).expect("a mask")
        };
        let handled = mask("SigCgt:") | mask("SigIgn:");
        for signal in (1..=64).filter(|signal| !OTHERS.contains(signal)) {
            assert!(handled >> (signal - 1) & 1 == 1, "signal {signal} is not handled");
        }
    }
}
