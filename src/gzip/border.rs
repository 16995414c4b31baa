//! Where a block ends if its end depends on the text around it.
//!
//! Blocks of one size all change behind an edit, because every border moves. A border that lies where the last 64 bytes
//! have a certain sum stays with these bytes. So behind an edit the borders are soon the old ones, and blocks between
//! them compress to what they were: a program that sends only what changed has little to send.

#![forbid(unsafe_code)]

/// No border is nearer to the one before it: text that repeats would have one behind every byte.
pub(super) const LEAST: usize = 16 << 10;

/// One sum in so many means a border, so blocks have about 64 KiB more than the least.
const ONE_IN: u32 = 16;

/// An odd number whose multiples have well mixed upper bits (2^64 divided by the golden ratio).
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The sum of the bytes before a place: each counts twice as much as the one before it, so that only 64 are left in it.
#[derive(Default)]
pub(super) struct Border(u64);

impl Border {
    /// Reads `bytes` up to the first one that has a border behind it, and tells how many these are.
    pub(super) fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        for (place, &byte) in bytes.iter().enumerate() {
            self.0 = (self.0 << 1).wrapping_add(u64::from(byte));
            if self.0.wrapping_mul(MIX) >> (u64::BITS - ONE_IN) == 0 {
                return Some(place + 1);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_depends_on_64_bytes() {
        let mut state = 7u64;
        let noise = (0..1 << 20).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        });
        let noise = noise.collect::<Vec<_>>();
        let borders = |start: usize| {
            let (mut border, mut at, mut found) = (Border::default(), start, Vec::new());
            while let Some(length) = border.find(&noise[at..]) {
                at += length;
                found.push(at);
            }
            found
        };
        let all = borders(0);
        assert!((4..64).contains(&all.len()), "{all:?}");
        for start in [1, 1000, 500_000, 999_999] {
            let expected = all.iter().filter(|&&at| at >= start + 64).collect::<Vec<_>>();
            assert_eq!(borders(start).iter().filter(|&&at| at >= start + 64).collect::<Vec<_>>(), expected);
        }
    }
}
