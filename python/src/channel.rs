//! Waiting for what another thread passes on.

#![forbid(unsafe_code)]

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
pub fn receive<T: Send>(py: Python<'_>, receiver: &mut Receiver<T>) -> PyResult<Option<T>> {
    match receiver.try_recv() {
        Ok(message) => return Ok(Some(message)),
        Err(TryRecvError::Disconnected) => return Ok(None),
        Err(TryRecvError::Empty) => {}
    }
    loop {
        // Only one thread at a time may use it, so it is lent and not shared.
        let receiver = &mut *receiver;
        match py.detach(move || receiver.recv_timeout(PATIENCE)) {
            Ok(message) => return Ok(Some(message)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
