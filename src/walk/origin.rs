//! A place from which a document can be read again without what came before it.

#![forbid(unsafe_code)]

use crate::error::Fault;
use crate::explain::Reader;
use crate::grammar::Kinds;
use crate::grammar::Nesting;

/// Where the precise reader begins when a tile is bad. Everything before it is proven.
pub(super) struct Origin {
    pub(super) offset: u64,
    place: Place,
    /// What the stack of the nesting held at `offset`.
    stack: Vec<u64>,
    max_depth: Option<u64>,
}

enum Place {
    /// The start of a document.
    Document,
    /// Behind a comma, with so many containers open, the innermost an object or not.
    Comma { depth: usize, object: bool },
    /// In the middle of anything: the reader itself.
    Anywhere(Reader),
}

impl Origin {
    pub(super) fn document(offset: u64, max_depth: Option<u64>) -> Self {
        Self { offset, place: Place::Document, stack: Vec::new(), max_depth }
    }

    /// Moves behind a comma at which `nesting` is settled. Only those words of its stack are copied that may have changed
    /// since the last move, so that deep nesting costs what changes and not what is open.
    pub(super) fn move_behind_comma(&mut self, offset: u64, nesting: &mut Nesting, object: bool) {
        let depth = nesting.depth();
        let changed = nesting.take_lowest() / 64..depth / 64 + 1;
        if self.stack.len() < changed.end {
            self.stack.resize(changed.end, 0);
        }
        self.stack[changed.clone()].copy_from_slice(&nesting.stack()[changed]);
        self.offset = offset;
        self.place = Place::Comma { depth, object };
    }

    /// Moves behind `bytes`, which follow the origin, by reading them; finds their fault if they have one.
    pub(super) fn move_by_reading(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut reader = self.reader();
        reader.feed(bytes)?;
        self.offset = reader.offset();
        self.place = Place::Anywhere(reader);
        Ok(())
    }

    /// The first fault in `bytes`, which follow the origin; with `ended` they are the rest of the document.
    ///
    /// # Panics
    /// If there is none: the engine refuses nothing that the reader accepts.
    #[cold]
    pub(super) fn fault(&self, bytes: &[u8], ended: bool) -> Fault {
        let mut reader = self.reader();
        let result = reader.feed(bytes);
        let result = if ended { result.and_then(|()| reader.finish()) } else { result };
        match result {
            Err(fault) => fault,
            Ok(()) => unreachable!("the engine and the reader disagree at offset {}", reader.offset()),
        }
    }

    fn reader(&self) -> Reader {
        match &self.place {
            Place::Document => Reader::new(self.offset, self.max_depth),
            Place::Comma { depth, object } => {
                Reader::after_comma(self.offset, kinds(&self.stack, *depth, *object), self.max_depth)
            }
            Place::Anywhere(reader) => reader.clone(),
        }
    }
}

/// The kinds of `depth` open containers, the innermost an object or not. Bit *i* of the nesting's stack is the kind of the
/// container *around* the one at level *i*.
fn kinds(stack: &[u64], depth: usize, object: bool) -> Kinds {
    let next = stack.iter().skip(1).chain([&0]);
    let mut words: Vec<u64> = stack.iter().zip(next).map(|(word, next)| word >> 1 | next << 63).collect();
    let (word, bit) = ((depth - 1) / 64, (depth - 1) % 64);
    words[word] = words[word] & !(1 << bit) | u64::from(object) << bit;
    Kinds::from_words(words, depth as u64)
}
