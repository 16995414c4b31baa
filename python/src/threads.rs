//! The end of the interpreter, before which threads that read with Python code must have stopped.
//!
//! CPython ends a thread that asks for the interpreter after it has begun to end, and Rust does not survive that. So readers ask here
//! before each call, and a function that runs at exit lets none of them begin another one, and waits for those that have begun.

#![forbid(unsafe_code)]

use std::io;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use pyo3::prelude::*;

/// How long is waited for a call of `read`, which may be one that never returns.
const PATIENCE: Duration = Duration::from_secs(1);

/// The number of calls of `read` in threads of this library, or that there may be no more.
struct Calls {
    running: usize,
    has_ended: bool,
}

static CALLS: Mutex<Calls> = Mutex::new(Calls { running: 0, has_ended: false });
static RETURNED: Condvar = Condvar::new();

/// Reads with Python code, unless the interpreter is about to end.
pub fn call<T>(read: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    {
        let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.has_ended {
            return Err(io::Error::other("the interpreter is about to end"));
        }
        calls.running += 1;
    }
    let result = read();
    CALLS.lock().unwrap_or_else(PoisonError::into_inner).running -= 1;
    RETURNED.notify_all();
    result
}

/// Ends the calls of `read` in threads.
#[pyfunction]
fn stop_reading(py: Python<'_>) {
    py.detach(|| {
        let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        calls.has_ended = true;
        let _ = RETURNED.wait_timeout_while(calls, PATIENCE, |calls| calls.running > 0);
    });
}

/// Has the interpreter call this before it ends.
pub fn stop_at_exit(py: Python<'_>) -> PyResult<()> {
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(stop_reading, py)?,))?;
    Ok(())
}
