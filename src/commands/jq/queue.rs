//! The further inputs of a program, which `input` and `inputs` take one by one.
//!
//! A thread reads ahead, so that a program that stops asking also stops the reading. With `--slurp`, all inputs become one.

#![forbid(unsafe_code)]

use crate::commands::jq::piece::Documents;
use crate::commands::jq::piece::Piece;
use crate::commands::jq::piece::Values;
use crate::commands::jq::reading::Reading;
use crate::exit::RunError;
use crate::name::Name;
use fjson_jq::value::Value;
use fjson_jq::value::lossy_text;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::thread;
use std::vec::IntoIter;

/// Number of pieces that are read ahead.
const AHEAD: usize = 4;

/// Inputs that the program has not taken yet.
#[derive(Default)]
pub struct Queue {
    origin: Origin,
    documents: Values,
    lines: IntoIter<(String, u64)>,
    /// What `--slurp` has collected.
    slurped: Option<Slurped>,
}

/// Where pieces come from.
#[derive(Default)]
enum Origin {
    #[default]
    Nowhere,
    /// The reading has not begun.
    Later(Box<Reading>),
    Thread(Receiver<Piece>),
    Pieces(IntoIter<Piece>),
}

/// All inputs as one.
enum Slurped {
    Values(Vec<Value>),
    Text(Vec<u8>),
}

impl Queue {
    /// Returns the queue of all inputs, which begins to read when the first one is taken.
    pub fn of_inputs(reading: &Reading) -> Self {
        Self { origin: Origin::Later(Box::new(reading.clone())), slurped: slurped(reading), ..Self::default() }
    }

    /// Returns the queue of inputs that were read already.
    pub fn of_pieces(pieces: Vec<Piece>, reading: &Reading) -> Self {
        Self { origin: Origin::Pieces(pieces.into_iter()), slurped: slurped(reading), ..Self::default() }
    }

    /// Takes the next input that is at hand, and where it ends in its file.
    pub fn pop(&mut self) -> Option<(Value, u64)> {
        self.documents.next().or_else(|| self.lines.next().map(|(line, end)| (line.into(), end)))
    }

    /// Returns the next piece if it is there.
    pub fn receive_now(&mut self) -> Option<Piece> {
        match &mut self.origin {
            Origin::Thread(receiver) => receiver.try_recv().ok(),
            _ => None,
        }
    }

    /// Waits for the next piece.
    pub fn receive(&mut self) -> Option<Piece> {
        if let Origin::Later(reading) = &self.origin {
            let (sender, receiver) = mpsc::sync_channel(AHEAD);
            let reading = reading.clone();
            let read = move || {
                let _ = reading.each(&|_, batch| Piece::Documents(Documents::of_batch(batch, 0)), &mut |piece| {
                    if sender.send(piece).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
            };
            // It is not joined: it may wait for input when the program has ended.
            let started = thread::Builder::new().name("reader".to_owned()).spawn(read);
            self.origin = Origin::Thread(receiver);
            if let Err(error) = started {
                self.origin = Origin::Nowhere;
                return Some(Piece::Failed(RunError::io(Name::Stdin, &error)));
            }
        }
        match &mut self.origin {
            Origin::Thread(receiver) => receiver.recv().ok(),
            Origin::Pieces(pieces) => pieces.next(),
            Origin::Nowhere | Origin::Later(_) => None,
        }
    }

    /// Adds the values of a piece.
    pub fn fill(&mut self, piece: Piece) {
        match (&mut self.slurped, piece) {
            (Some(Slurped::Values(values)), Piece::Documents(documents)) => {
                values.extend(documents.into_values().map(|(document, _)| document));
            }
            (Some(Slurped::Text(text)), Piece::Text(more)) => text.extend_from_slice(&more),
            (None, Piece::Documents(documents)) => self.documents = documents.into_values(),
            (None, Piece::Lines(lines)) => self.lines = lines.into_iter(),
            _ => {}
        }
    }

    /// Takes what was collected; `None` if it was taken before.
    pub fn take_slurped(&mut self) -> Option<Value> {
        self.slurped.take().map(|slurped| match slurped {
            Slurped::Values(values) => values.into(),
            Slurped::Text(text) => lossy_text(text).into(),
        })
    }

    /// Reads no more.
    pub fn close(&mut self) {
        (self.origin, self.slurped) = (Origin::Nowhere, None);
    }
}

fn slurped(reading: &Reading) -> Option<Slurped> {
    match (reading.slurps(), reading.is_text()) {
        (false, _) => None,
        (true, false) => Some(Slurped::Values(Vec::new())),
        (true, true) => Some(Slurped::Text(Vec::new())),
    }
}
