//! A place from which a document can be re-read without the text before it.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::explain::Reader;
use crate::grammar::Checker;
use crate::grammar::Kinds;
use crate::grammar::Nesting;
use crate::kernel::Kernel;
use crate::memory::Grow;
use crate::scan::AfterComma;
use crate::scan::End;
use std::collections::TryReserveError;

/// The place where the precise reader begins when a tile is invalid. Everything before it is valid.
pub(crate) struct Checkpoint {
    pub(crate) offset: u64,
    place: ResumePoint,
    /// The bits of the nesting stack at `offset`.
    stack: Vec<u64>,
    max_depth: Option<u64>,
}

enum ResumePoint {
    /// The start of a document.
    Document,
    /// After a comma, with `depth` containers open. `object` is whether the innermost one is an object.
    Comma { depth: usize, object: bool },
    /// Anywhere else: the state of the reader.
    Anywhere(Reader),
}

impl Checkpoint {
    pub(crate) fn document(offset: u64, max_depth: Option<u64>) -> Self {
        Self { offset, place: ResumePoint::Document, stack: Vec::new(), max_depth }
    }

    /// Moves to `offset`, which is after a comma at which `nesting` is reconciled. Copies only those words of the
    /// nesting stack that may have changed since the last move, so the cost depends on the changes and not on the
    /// depth.
    pub(crate) fn move_after_comma(
        &mut self,
        offset: u64,
        nesting: &mut Nesting,
        object: bool,
    ) -> Result<(), OutOfMemory> {
        let depth = nesting.depth();
        // mutant: let changed = depth / 64..depth / 64 + 1;
        let changed = nesting.take_lowest() / 64..depth / 64 + 1;
        if self.stack.len() < changed.end {
            self.stack.room(changed.end - self.stack.len(), OutOfMemory::Levels)?;
            self.stack.resize(changed.end, 0);
        }
        self.stack[changed.clone()].copy_from_slice(&nesting.stack()[changed]);
        self.offset = offset;
        self.place = ResumePoint::Comma { depth, object };
        Ok(())
    }

    /// Moves after `comma`, at which the nesting stack of `checker` is reconciled, and restarts the checker there.
    #[inline(always)]
    pub(crate) fn continue_after<K: Kernel>(
        &mut self,
        comma: AfterComma,
        checker: &mut Checker<K>,
    ) -> Result<(), OutOfMemory> {
        self.move_after_comma(comma.offset, checker.nesting(), comma.object)?;
        // mutant: checker.start_after_comma(true);
        checker.start_after_comma(comma.object);
        Ok(())
    }

    /// Moves past `bytes`, which follow the checkpoint, by reading them. Returns where they end, or their first error;
    /// after an error only the offset of the checkpoint remains meaningful.
    pub(crate) fn move_by_reading(&mut self, bytes: &[u8]) -> Result<End, Fault> {
        let mut reader = match std::mem::replace(&mut self.place, ResumePoint::Document) {
            // Moved instead of copied, since it may hold many levels.
            ResumePoint::Anywhere(reader) => reader,
            place => {
                self.place = place;
                self.reader()?
            }
        };
        reader.feed(bytes)?;
        self.offset = reader.offset();
        let end = if reader.is_in_key() { End::Key } else { End::Anywhere };
        self.place = ResumePoint::Anywhere(reader);
        Ok(end)
    }

    /// Returns the first error in `bytes`, which follow the checkpoint; if `ended`, they are the rest of the document.
    /// The engine rejects nothing that the reader accepts. So if the reader finds no error, these are not the bytes the
    /// engine has read.
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
            ResumePoint::Document => return Ok(Reader::new(self.offset, self.max_depth)),
            ResumePoint::Comma { depth, object } => {
                kinds(&self.stack, *depth, *object).map(|kinds| Reader::after_comma(self.offset, kinds, self.max_depth))
            }
            ResumePoint::Anywhere(reader) => reader.copied(),
        };
        reader.map_err(|_| Fault::new(ErrorKind::OutOfMemory, self.offset))
    }
}

/// Returns the kinds of `depth` open containers; `object` is the kind of the innermost one. Bit *i* of the nesting
/// stack is the kind of the container *around* the one at level *i*.
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

    /// Checks a text whose depth rises and falls, cut after some of its commas. At each checkpoint the kinds of the
    /// open containers must equal those of a plain stack.
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
                // A value must follow. The depth rises for 250 steps, then falls for 250.
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
                    assert_eq!(checker.reconcile(), Some(innermost));
                    let depth = checker.nesting().depth();
                    checkpoint.move_after_comma(step, checker.nesting(), innermost).expect("there is memory");
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
