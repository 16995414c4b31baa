//! Waiting for what another thread passes on.

#![forbid(unsafe_code)]

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use pyo3::prelude::*;

/// How long is waited before signals are looked for.
const PATIENCE: Duration = Duration::from_millis(100);

/// Waits for the next message without the global interpreter lock. `None` at the end.
///
/// # Errors
/// What the handler of a signal has raised.
pub fn receive<T: Send>(py: Python<'_>, receiver: &mut Mutex<Receiver<T>>) -> PyResult<Option<T>> {
    let ready = receiver.get_mut().unwrap_or_else(PoisonError::into_inner);
    match ready.try_recv() {
        Ok(message) => return Ok(Some(message)),
        Err(TryRecvError::Disconnected) => return Ok(None),
        Err(TryRecvError::Empty) => {}
    }
    let receiver = &*receiver;
    loop {
        let message = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(PATIENCE)
        });
        match message {
            Ok(message) => return Ok(Some(message)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
