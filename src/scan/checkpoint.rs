//! A place from which a document can be read again without what came before it.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::explain::Reader;
use crate::grammar::Kinds;
use crate::grammar::Nesting;
use crate::memory::Grow;
use crate::scan::End;
use std::collections::TryReserveError;

/// Where the precise reader begins when a tile is bad. Everything before it is proven.
pub(crate) struct Checkpoint {
    pub(crate) offset: u64,
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

impl Checkpoint {
    pub(crate) fn document(offset: u64, max_depth: Option<u64>) -> Self {
        Self { offset, place: Place::Document, stack: Vec::new(), max_depth }
    }

    /// Moves behind a comma at which `nesting` is settled. Only those words of its stack are copied that may have changed
    /// since the last move, so that deep nesting costs what changes and not what is open.
    pub(crate) fn move_behind_comma(
        &mut self,
        offset: u64,
        nesting: &mut Nesting,
        object: bool,
    ) -> Result<(), OutOfMemory> {
        let depth = nesting.depth();
        let changed = nesting.take_lowest() / 64..depth / 64 + 1;
        if self.stack.len() < changed.end {
            self.stack.room(changed.end - self.stack.len(), OutOfMemory::Levels)?;
            self.stack.resize(changed.end, 0);
        }
        self.stack[changed.clone()].copy_from_slice(&nesting.stack()[changed]);
        self.offset = offset;
        self.place = Place::Comma { depth, object };
        Ok(())
    }

    /// Moves behind `bytes`, which follow the origin, by reading them; finds their fault if they have one, and then is of no
    /// more use but for its offset. Tells where they end.
    pub(crate) fn move_by_reading(&mut self, bytes: &[u8]) -> Result<End, Fault> {
        let mut reader = match std::mem::replace(&mut self.place, Place::Document) {
            // Moved and not copied: it may hold many levels.
            Place::Anywhere(reader) => reader,
            place => {
                self.place = place;
                self.reader()?
            }
        };
        reader.feed(bytes)?;
        self.offset = reader.offset();
        let end = if reader.is_in_key() { End::Name } else { End::Anywhere };
        self.place = Place::Anywhere(reader);
        Ok(end)
    }

    /// The first fault in `bytes`, which follow the origin; with `ended` they are the rest of the document. The engine refuses nothing
    /// that the reader accepts: if there is none, these are not the bytes that the engine has read.
    #[cold]
    pub(crate) fn fault(&self, bytes: &[u8], ended: bool, nesting: &Nesting) -> Fault {
        if nesting.is_exhausted() {
            return Fault::new(ErrorKind::OutOfMemory, self.offset);
        }
        let mut reader = match self.reader() {
            Ok(reader) => reader,
            Err(fault) => return fault,
        };
        let result = reader.feed(bytes);
        let result = if ended { result.and_then(|()| reader.finish()) } else { result };
        result.err().unwrap_or_else(|| Fault::change(reader.offset()))
    }

    fn reader(&self) -> Result<Reader, Fault> {
        let reader = match &self.place {
            Place::Document => return Ok(Reader::new(self.offset, self.max_depth)),
            Place::Comma { depth, object } => {
                kinds(&self.stack, *depth, *object).map(|kinds| Reader::after_comma(self.offset, kinds, self.max_depth))
            }
            Place::Anywhere(reader) => reader.copied(),
        };
        reader.map_err(|_| Fault::new(ErrorKind::OutOfMemory, self.offset))
    }
}

/// The kinds of `depth` open containers, the innermost an object or not. Bit *i* of the nesting's stack is the kind of the
/// container *around* the one at level *i*.
fn kinds(stack: &[u64], depth: usize, object: bool) -> Result<Kinds, TryReserveError> {
    let next = stack.iter().skip(1).chain([&0]);
    let mut words = Vec::new();
    words.try_reserve_exact(stack.len())?;
    words.extend(stack.iter().zip(next).map(|(word, next)| word >> 1 | next << 63));
    let (word, bit) = ((depth - 1) / 64, (depth - 1) % 64);
    words[word] = words[word] & !(1 << bit) | u64::from(object) << bit;
    Ok(Kinds::from_words(words, depth as u64))
}

#[cfg(test)]
mod tests {
    use super::Checkpoint;
    use super::kinds;
    use crate::explain::random::Random;
    use crate::grammar::Checker;
    use crate::kernel::Isa;
    use crate::kernel::Kernel;
    use crate::kernel::Pass;

    /// A text that goes up and down, cut behind some of its commas: the kinds at the origin are those of a plain stack.
    struct UpAndDown {
        seed: u64,
    }

    impl Pass for UpAndDown {
        type Output = ();

        fn run<K: Kernel>(self, kernel: K) {
            let mut random = Random::new(self.seed);
            let mut checker = Checker::new(kernel, None, false);
            let mut checkpoint = Checkpoint::document(0, None);
            checker.start_document();
            let mut open = vec![false];
            let mut text = String::from("[");
            for step in 0..2000 {
                // A value must follow. Up for 250 steps, then down for as many.
                while random.below(if step % 500 < 250 { 2 } else { 8 }) == 0 {
                    let object = random.below(2) == 0;
                    text += if object { "{\"\":" } else { "[" };
                    open.push(object);
                }
                text += "1";
                while open.len() > 1 && random.below(if step % 500 < 250 { 4 } else { 2 }) == 0 {
                    text += if open.pop() == Some(true) { "}" } else { "]" };
                }
                text += ",";
                let innermost = open[open.len() - 1];
                if random.below(10) == 0 {
                    text += &" ".repeat(K::SUPERBLOCK - text.len() % K::SUPERBLOCK);
                    assert!(text.as_bytes().chunks(Checker::<K>::TILE).all(|tile| checker.check(tile, false, false)));
                    assert_eq!(checker.settle(), Some(innermost));
                    let depth = checker.nesting().depth();
                    checkpoint.move_behind_comma(step, checker.nesting(), innermost).expect("there is memory");
                    let mut kinds = kinds(&checkpoint.stack, depth, innermost).expect("there is memory");
                    let outwards: Vec<_> = std::iter::from_fn(|| kinds.pop()).collect();
                    assert!(outwards.iter().eq(open.iter().rev()), "{outwards:?} {open:?}");
                    checker.start_after_comma(innermost);
                    text.clear();
                }
                if innermost {
                    text += "\"\":";
                }
            }
        }
    }

    #[test]
    fn kinds_of_the_open_containers() {
        for isa in Isa::available() {
            for seed in 1..20 {
                isa.run(UpAndDown { seed });
            }
        }
    }
}
