//! The search for content-defined borders of blocks.
//!
//! With blocks of a fixed length, every border after an edit moves and every block changes. A border where the last 64
//! bytes have a certain hash moves with these bytes. So soon after an edit the borders are the same again, and the
//! blocks between them compress to the same bytes: a program that transfers only changes has little to transfer.

#![forbid(unsafe_code)]

/// Minimum length of a block. Without it, repetitive text could have a border after every byte.
pub(super) const MIN_LENGTH: usize = 16 << 10;

/// Number of hash bits that must be zero at a border, so blocks are about 64 KiB longer than the minimum.
const ZERO_BITS: u32 = 16;

/// An odd number whose multiples have well-mixed upper bits (2^64 divided by the golden ratio).
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The rolling hash of the bytes before a place. Each step doubles it, so only the last 64 bytes affect it.
#[derive(Default)]
pub(super) struct Border(u64);

impl Border {
    /// Reads `bytes` up to the first one that is followed by a border. Returns their number.
    pub(super) fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        for (place, &byte) in bytes.iter().enumerate() {
            // mutant: self.0 = self.0.wrapping_add(u64::from(byte));
            self.0 = (self.0 << 1).wrapping_add(u64::from(byte));
            if self.0.wrapping_mul(MIX) >> (u64::BITS - ZERO_BITS) == 0 {
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
