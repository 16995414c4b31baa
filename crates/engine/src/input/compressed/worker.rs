//! Decompression on a separate thread.
//!
//! The worker sends both its requests for input and its output through one channel, in order. So the engine reads all output of a
//! piece before it waits for the next piece, and the output of a live pipe is never delayed. If either side ends, the other finds
//! its channel closed and ends, too.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::compressed::Expander;
use crate::input::compressed::Mode;
use crate::input::compressed::fill;
use crate::input::reader::Reader;
use crate::memory::Grow;

use std::io;
use std::io::Read;
use std::mem;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::Sender;
use std::sync::mpsc::channel;
use std::thread;

/// Size of an output buffer in bytes.
const BUFFER: usize = 256 << 10;

/// Number of output buffers.
const BUFFERS: usize = 4;

pub(super) struct Worker {
    events: Receiver<Event>,
    pieces: Sender<Vec<u8>>,
    buffers: Sender<Vec<u8>>,
    /// The buffer of a used-up piece, from the worker's request for input until the next piece is read.
    used_up: Option<Vec<u8>>,
    /// Output buffer being read: the bytes `used..filled` are left.
    output: Vec<u8>,
    used: usize,
    filled: usize,
}

/// A message from the worker.
enum Event {
    /// The piece is used up. Contains its buffer.
    UsedUp(Vec<u8>),
    /// An output buffer and the number of its bytes that are filled.
    Expanded(Vec<u8>, usize),
    /// Decompression has ended, at the end of the data or with an error.
    Ended(Result<(), Error>),
}

impl Worker {
    /// Continues decompression on a new thread, or on the calling one if no thread or memory is available.
    pub(super) fn take_over(expander: Expander) -> Mode {
        let (send_expander, receive_expander) = channel();
        let (send_event, events) = channel();
        let (pieces, next_piece) = channel();
        let (buffers, next_buffer) = channel();
        let job = move || {
            if let Ok(expander) = receive_expander.recv() {
                work(expander, &next_piece, &next_buffer, &send_event);
            }
        };
        for _ in 0..BUFFERS {
            let mut buffer = Vec::new();
            if buffer.room(BUFFER, OutOfMemory::Text).is_err() {
                return Mode::Inline(expander);
            }
            buffer.resize(BUFFER, 0);
            buffers.send(buffer).ok();
        }
        if thread::Builder::new().name("expand".to_owned()).spawn(job).is_err() {
            return Mode::Inline(expander);
        }
        // If the worker has already ended, `read` finds its channel closed.
        send_expander.send(expander).ok();
        Mode::Worker(Self { events, pieces, buffers, used_up: None, output: Vec::new(), used: 0, filled: 0 })
    }

    /// Reads decompressed bytes into `target` and sends compressed pieces to the worker when it needs them.
    pub(super) fn read(&mut self, compressed: &mut Reader<'_>, target: &mut [u8]) -> io::Result<usize> {
        while self.used == self.filled {
            if let Some(piece) = &mut self.used_up {
                fill(piece, compressed)?;
                self.pieces.send(mem::take(piece)).ok();
                // mutant:
                self.used_up = None;
            }
            match self.events.recv() {
                Ok(Event::UsedUp(piece)) => self.used_up = Some(piece),
                Ok(Event::Expanded(next, filled)) => {
                    let empty = mem::replace(&mut self.output, next);
                    (self.used, self.filled) = (0, filled);
                    if !empty.is_empty() {
                        self.buffers.send(empty).ok();
                    }
                }
                Ok(Event::Ended(result)) => return Ok(result.map(|()| 0)?),
                Err(_) => return Err(io::Error::other("the thread that expands the input is gone")),
            }
        }
        let count = (&self.output[self.used..self.filled]).read(target)?;
        self.used += count;
        Ok(count)
    }
}

/// Runs the worker until the data ends or the reader is dropped.
fn work(mut expander: Expander, pieces: &Receiver<Vec<u8>>, buffers: &Receiver<Vec<u8>>, events: &Sender<Event>) {
    while let Ok(mut buffer) = buffers.recv() {
        let event = loop {
            match expander.expand(&mut buffer) {
                Ok(0) => {
                    events.send(Event::UsedUp(mem::take(&mut expander.piece))).ok();
                    let Ok(piece) = pieces.recv() else { return };
                    if piece.is_empty() {
                        // mutant: break Event::Ended(Ok(()));
                        break Event::Ended(expander.decoder.finish());
                    }
                    (expander.piece, expander.used) = (piece, 0);
                }
                Ok(produced) => break Event::Expanded(buffer, produced),
                Err(error) => break Event::Ended(Err(error)),
            }
        };
        let ended = matches!(event, Event::Ended(_));
        if events.send(event).is_err() || ended {
            return;
        }
    }
}
