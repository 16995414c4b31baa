//! What a thread that reads passes on, and waiting for it.

#![forbid(unsafe_code)]

use std::sync::Arc;
use std::sync::Weak;
use std::sync::mpsc;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::SyncSender;
use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use pyo3::prelude::*;

/// How long is waited before signals are looked for.
const PATIENCE: Duration = Duration::from_millis(100);

/// Whether anybody waits for what a thread reads.
pub struct Wanted(Weak<()>);

impl Wanted {
    pub fn get(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// Receives what a thread passes on.
pub struct Receiver<T> {
    messages: mpsc::Receiver<T>,
    /// What [`Wanted`] looks for.
    presence: Arc<()>,
}

/// Returns both ends of a channel in which at most so many messages wait.
pub fn channel<T>(waiting: usize) -> (SyncSender<T>, Receiver<T>) {
    let (sender, messages) = mpsc::sync_channel(waiting);
    (sender, Receiver { messages, presence: Arc::new(()) })
}

impl<T: Send> Receiver<T> {
    /// Returns what says whether this receiver is still there.
    pub fn wanted(&self) -> Wanted {
        Wanted(Arc::downgrade(&self.presence))
    }

    /// Waits for the next message without the global interpreter lock. `None` at the end.
    ///
    /// # Errors
    /// What the handler of a signal has raised.
    pub fn receive(&mut self, py: Python<'_>) -> PyResult<Option<T>> {
        match self.messages.try_recv() {
            Ok(message) => return Ok(Some(message)),
            Err(TryRecvError::Disconnected) => return Ok(None),
            Err(TryRecvError::Empty) => {}
        }
        loop {
            // Only one thread at a time may use it, so it is lent and not shared.
            let messages = &mut self.messages;
            match py.detach(move || messages.recv_timeout(PATIENCE)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }

    /// Waits for the next message. `None` at the end. This thread must not hold the global interpreter lock.
    pub fn wait(&mut self) -> Option<T> {
        self.messages.recv().ok()
    }
}
