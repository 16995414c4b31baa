//! Validation of single values, each as if it were a document.
//!
//! A kernel needs a superblock of text to be worth its setup. So long values are checked one by one, and short ones
//! together, one per line. Only values that are invalid go to the precise reader, which locates the error.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Fault;
use crate::explain::Reader;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::scan::padded;

/// Length up to which a value is checked together with others.
const SHORT: usize = 128;

/// A checker of values.
pub(crate) struct Values<K: Kernel> {
    checker: Checker<K>,
    scratch: Box<[u8; MAX_TILE_BYTES]>,
}

impl<K: Kernel> Values<K> {
    #[inline(always)]
    pub(crate) fn new(kernel: K) -> Self {
        Self { checker: Checker::new(kernel, None, false), scratch: Box::new([b' '; MAX_TILE_BYTES]) }
    }

    /// Checks texts, given with their offsets, each of which must be one value. Returns the first error. `byte_at`
    /// returns the byte at an offset; it is called only for a text that ends too early.
    pub(crate) fn check<'t>(
        &mut self,
        mut values: impl Iterator<Item = (u64, &'t [u8])> + Clone,
        mut byte_at: impl FnMut(u64) -> Option<u8>,
    ) -> Result<(), Fault> {
        let kernel = self.checker.kernel();
        // The values in the scratch are the first ones of `rest`.
        let (mut rest, mut lines, mut length) = (values.clone(), 0, 0);
        while let Some((offset, text)) = values.next() {
            let is_line = is_line(text);
            if is_line {
                self.scratch[length..length + text.len()].copy_from_slice(text);
                self.scratch[length + text.len()] = b'\n';
                length += text.len() + 1;
                lines += 1;
                if length + SHORT < Checker::<K>::TILE {
                    continue;
                }
            }
            self.check_lines(rest.take(lines), lines, length, &mut byte_at)?;
            if !is_line && !kernel.run(ValueCheck { values: self, text }) {
                check(offset, text, &mut byte_at)?;
            }
            (rest, lines, length) = (values.clone(), 0, 0);
        }
        self.check_lines(rest.take(lines), lines, length, &mut byte_at)
    }

    /// Checks `lines` lines in the scratch, which are `length` bytes together.
    fn check_lines<'t>(
        &mut self,
        mut values: impl Iterator<Item = (u64, &'t [u8])>,
        lines: usize,
        length: usize,
        byte_at: &mut impl FnMut(u64) -> Option<u8>,
    ) -> Result<(), Fault> {
        let kernel = self.checker.kernel();
        if lines == 0 || kernel.run(Lines { values: self, length }) == Some(lines as u64) {
            return Ok(());
        }
        values.try_for_each(|(offset, text)| check(offset, text, byte_at))
    }
}

/// Whether a value is checked together with others. Every line holds at least one record. So if there are as many
/// records as values, each value is one record, even one that contains line breaks.
fn is_line(text: &[u8]) -> bool {
    text.len() <= SHORT
        && text.first().is_some_and(|&byte| byte > b' ' && (!matches!(byte, b'[' | b'{') || !text.contains(&b'\n')))
}

/// Returns the first error in a text that must be one value.
fn check(offset: u64, text: &[u8], byte_at: &mut impl FnMut(u64) -> Option<u8>) -> Result<(), Fault> {
    if text.is_empty() {
        return Err(Fault::new(ErrorKind::ExpectedValue, offset));
    }
    let mut reader = Reader::new(offset, None);
    reader.feed(text)?;
    let Err(end) = reader.finish() else { return Ok(()) };
    // The text ends here, but the input may not: then the error is at the byte that follows.
    // mutant: Err(end)
    byte_at(end.offset).map_or(Ok(()), |byte| reader.feed(&[byte])).and(Err(end))
}

/// The check of whether a text is a value.
struct ValueCheck<'v, K: Kernel> {
    values: &'v mut Values<K>,
    text: &'v [u8],
}

impl<K: Kernel> Pass for ValueCheck<'_, K> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> bool {
        let Self { values: Values { checker, scratch }, text } = self;
        // mutant:
        checker.start_document();
        let tiles = text.chunks_exact(Checker::<K>::TILE);
        let rest = padded::<K>(scratch, tiles.remainder(), 1);
        for tile in tiles {
            if !checker.check(tile, false, false) {
                return false;
            }
        }
        checker.check(rest, false, false) && checker.finish()
    }
}

/// The count of the lines in the scratch, if each of them is a value.
struct Lines<'v, K: Kernel> {
    values: &'v mut Values<K>,
    length: usize,
}

impl<K: Kernel> Pass for Lines<'_, K> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Option<u64> {
        let Self { values: Values { checker, scratch }, length } = self;
        let end = length.next_multiple_of(K::SUPERBLOCK);
        scratch[length..end].fill(b' ');
        let mut lines = checker.start_lines();
        if checker.check_lines(&scratch[..end], false, &mut lines) { checker.end_lines(&lines) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::random::Random;
    use crate::kernel::Isa;

    /// Checks texts that are separated by one byte each.
    struct Check<'t>(&'t [Vec<u8>]);

    impl Pass for Check<'_> {
        type Output = Result<(), Fault>;

        fn run<K: Kernel>(self, kernel: K) -> Self::Output {
            let mut values = Values::new(kernel);
            let placed = placed(self.0);
            values.check(placed.iter().copied(), |_| None)?;
            // The checker can be used again.
            values.check(placed.into_iter(), |_| None)
        }
    }

    fn placed(texts: &[Vec<u8>]) -> Vec<(u64, &[u8])> {
        let mut offset = 7;
        let place = |text: &Vec<u8>| {
            offset += text.len() as u64 + 1;
            offset - text.len() as u64
        };
        texts.iter().map(place).zip(texts.iter().map(|text| &text[..])).collect()
    }

    /// Short and long values. Some are broken in ways that would often make them valid if joined with their neighbors.
    fn texts(random: &mut Random) -> Vec<Vec<u8>> {
        let pieces: [&[u8]; 16] = [
            b"1",
            b"[",
            b"]",
            b"{",
            b"}",
            b",",
            b"\"a\"",
            b":",
            b"\n",
            b" ",
            b"null",
            b"-0.5e9",
            b"\"\\n\"",
            b"[{}]",
            b"\"\xff\"",
            b"\"",
        ];
        let valid: [&[u8]; 4] = [b"\"text\"", b"-1.5", b"{\"a\": [1, 2]}", b"[\n]"];
        (0..random.below(60))
            .map(|_| match random.below(40) {
                0 => (0..random.below(4)).flat_map(|_| pieces[random.below(pieces.len())]).copied().collect(),
                1 => format!("[{}0]", "1, ".repeat(random.below(2000))).into_bytes(),
                2 => format!("\"{}\"", "x".repeat(random.below(300))).into_bytes(),
                _ => valid[random.below(valid.len())].to_vec(),
            })
            .collect()
    }

    #[test]
    fn the_first_fault_is_that_of_the_precise_reader() {
        let mut random = Random::new(1);
        for _ in 0..3000 {
            let texts = texts(&mut random);
            let expected = placed(&texts).into_iter().try_for_each(|(offset, text)| check(offset, text, &mut |_| None));
            for isa in Isa::available() {
                assert_eq!(isa.run(Check(&texts)), expected, "{isa:?} {texts:?}");
            }
        }
    }
}
