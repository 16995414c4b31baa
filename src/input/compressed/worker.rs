//! Expanding on a thread of its own.
//!
//! The worker says what it needs and what it has, in one channel and in order: so all that a piece expands to is read
//! before the next piece is waited for, and a live pipe is never behind. When either side goes away the other finds its
//! channel closed and ends, too.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::compressed::Expander;
use crate::input::compressed::Hands;
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

/// Bytes of a buffer for what is expanded.
const ROOM: usize = 256 << 10;

/// How many buffers there are.
const ROOMS: usize = 4;

pub(super) struct Worker {
    events: Receiver<Event>,
    pieces: Sender<Vec<u8>>,
    rooms: Sender<Vec<u8>>,
    /// The buffer of a piece that is used up, while the next one cannot be read.
    hungry: Option<Vec<u8>>,
    /// What is being read: `room[used..filled]`.
    room: Vec<u8>,
    used: usize,
    filled: usize,
}

/// What a worker says.
enum Event {
    /// The piece is used up.
    Hungry(Vec<u8>),
    /// So many bytes of this are filled.
    Expanded(Vec<u8>, usize),
    /// All is expanded that can be.
    Ended(Result<(), Error>),
}

impl Worker {
    /// Has a new thread go on. If there is none to be had, nothing changes but the speed.
    pub(super) fn take_over(expander: Expander) -> Hands {
        let (hand_over, taken_over) = channel();
        let (say, events) = channel();
        let (pieces, next_piece) = channel();
        let (rooms, next_room) = channel();
        let job = move || {
            if let Ok(expander) = taken_over.recv() {
                work(expander, &next_piece, &next_room, &say);
            }
        };
        for _ in 0..ROOMS {
            let mut room = Vec::new();
            if room.room(ROOM, OutOfMemory::Text).is_err() {
                return Hands::Own(expander);
            }
            room.resize(ROOM, 0);
            rooms.send(room).ok();
        }
        if thread::Builder::new().name("expand".to_owned()).spawn(job).is_err() {
            return Hands::Own(expander);
        }
        // Whoever has gone by now is found gone below.
        hand_over.send(expander).ok();
        Hands::Worker(Self { events, pieces, rooms, hungry: None, room: Vec::new(), used: 0, filled: 0 })
    }

    /// Reads what the worker has expanded, and feeds it.
    pub(super) fn read(&mut self, compressed: &mut Reader<'_>, room: &mut [u8]) -> io::Result<usize> {
        while self.used == self.filled {
            if let Some(piece) = &mut self.hungry {
                fill(piece, compressed)?;
                self.pieces.send(mem::take(piece)).ok();
                self.hungry = None;
            }
            match self.events.recv() {
                Ok(Event::Hungry(piece)) => self.hungry = Some(piece),
                Ok(Event::Expanded(next, filled)) => {
                    let empty = mem::replace(&mut self.room, next);
                    (self.used, self.filled) = (0, filled);
                    if !empty.is_empty() {
                        self.rooms.send(empty).ok();
                    }
                }
                Ok(Event::Ended(result)) => return Ok(result.map(|()| 0)?),
                Err(_) => return Err(io::Error::other("the thread that expands the input is gone")),
            }
        }
        let count = (&self.room[self.used..self.filled]).read(room)?;
        self.used += count;
        Ok(count)
    }
}

/// The worker's day.
fn work(mut expander: Expander, pieces: &Receiver<Vec<u8>>, rooms: &Receiver<Vec<u8>>, say: &Sender<Event>) {
    while let Ok(mut room) = rooms.recv() {
        let event = loop {
            match expander.expand(&mut room) {
                Ok(0) => {
                    say.send(Event::Hungry(mem::take(&mut expander.piece))).ok();
                    let Ok(piece) = pieces.recv() else { return };
                    if piece.is_empty() {
                        break Event::Ended(expander.decoder.finish());
                    }
                    (expander.piece, expander.used) = (piece, 0);
                }
                Ok(made) => break Event::Expanded(room, made),
                Err(error) => break Event::Ended(Err(error)),
            }
        };
        let ended = matches!(event, Event::Ended(_));
        if say.send(event).is_err() || ended {
            return;
        }
    }
}
