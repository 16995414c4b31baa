//! Random numbers with a known seed, and rounds of random tests that report the seed of a failure.
//!
//! Every round has its own seed and prints it when it panics, so that a failure in a log can be repeated.

use std::env;
use std::io;
use std::io::Write as _;
use std::thread;
use std::time::Duration;
use std::time::Instant;

/// A xorshift generator (Marsaglia 2003, the `xorshift64*` variant).
pub struct Random(u64);

impl Random {
    /// The generator of this seed; neighboring seeds give unrelated numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self((seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9) | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number from 0 to `bound` - 1; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.bits()) * bound as u128;
        (product >> 64).try_into().unwrap_or_default()
    }

    /// True once in this many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several things.
    pub fn pick<'a, T: ?Sized>(&mut self, things: &[&'a T]) -> &'a T {
        things[self.below(things.len())]
    }

    /// One of several bytes.
    pub fn byte_of(&mut self, bytes: &[u8]) -> u8 {
        bytes[self.below(bytes.len())]
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        self.bits().to_le_bytes()[7]
    }
}

/// Calls `round` this many times, each time with the generator of the next seed.
///
/// `FJSON_FUZZ_TIMES` is a factor of the number, `FJSON_FUZZ_N` sets another one, `FJSON_FUZZ_SECONDS` a duration instead, and
/// `FJSON_FUZZ_SEED` the first seed: with the one that a failed round has printed, the failure is repeated at once.
pub fn rounds(count: u64, mut round: impl FnMut(&mut Random)) {
    numbered_rounds(count, |_, random| round(random));
}

/// The same for rounds that need to know their seed.
pub fn numbered_rounds(count: u64, mut round: impl FnMut(u64, &mut Random)) {
    let times = variable("FJSON_FUZZ_TIMES").unwrap_or(1);
    let named = variable("FJSON_FUZZ_N");
    let count = named.unwrap_or(count.saturating_mul(times));
    let time = variable("FJSON_FUZZ_SECONDS").filter(|_| named.is_none()).map(Duration::from_secs);
    let first = variable("FJSON_FUZZ_SEED").unwrap_or(1);
    let start = Instant::now();
    for seed in first.. {
        let enough = time.map_or(seed - first >= count, |time| start.elapsed() >= time);
        if enough && seed > first {
            break;
        }
        let named = Seed(seed);
        round(seed, &mut Random::new(seed));
        drop(named);
    }
}

/// A number from the environment.
fn variable(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a number")))
}

/// Prints the seed when its round panics.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = writeln!(io::stderr(), "failed with FJSON_FUZZ_SEED={}", self.0);
        }
    }
}
