//! The generator of documents: a head, units with random content, and a tail.
//!
//! tests/support compiles this file too, for the shapes that only `benches/queries` uses. Another generator would change the
//! documents, and with them the numbers of matches in BENCHMARKS.md.

#![forbid(unsafe_code)]

/// Length of the pieces that the sink receives.
const CHUNK: usize = 64 * 1024;

/// The text before, between and after the units.
pub type Frame = (&'static str, &'static str, &'static str);

/// Appends the unit with a given number.
pub type Push = fn(u64, &mut Random, &mut String);

/// The content of a document.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    pub seed: u64,
    pub frame: Frame,
    pub push: Push,
}

impl Recipe {
    /// Writes a document of at least one unit, as close to `bytes` as whole units allow, to `sink` piece by piece.
    pub fn write<E>(self, bytes: u64, sink: &mut dyn FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let (head, between, tail) = self.frame;
        let mut random = Random::new(self.seed);
        let mut text = String::from(head);
        let mut unit = String::new();
        let mut written = (head.len() + tail.len()) as u64;
        for number in 0.. {
            unit.clear();
            if number > 0 {
                unit.push_str(between);
            }
            (self.push)(number, &mut random, &mut unit);
            // A unit is left out if more than half of it would be beyond the length.
            if number > 0 && written + unit.len() as u64 / 2 > bytes {
                break;
            }
            written += unit.len() as u64;
            text.push_str(&unit);
            if text.len() >= CHUNK {
                sink(&text)?;
                text.clear();
            }
        }
        text.push_str(tail);
        sink(&text)
    }

    /// Returns the document that [`write`](Self::write) writes.
    pub fn text(self, bytes: u64) -> String {
        let mut text = String::new();
        let Ok(()) = self.write(bytes, &mut |chunk| {
            debug_assert!(chunk.len() < 2 * CHUNK, "memory is bounded");
            text.push_str(chunk);
            Ok::<_, std::convert::Infallible>(())
        });
        text
    }
}

/// Random numbers that are the same on every machine: `SplitMix64` (Steele, Lea and Flood, 2014).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    pub fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let count = choices.len() as u64;
        usize::try_from(self.below(count)).ok().and_then(|place| choices.get(place)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        let mut random = Random::new(1_234_567);
        let first: Vec<_> = (0..3).map(|_| random.next()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
