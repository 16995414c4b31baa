//! Pairs of plain integers for the portable kernel, on processors without known 128-bit vectors.

#![forbid(unsafe_code)]

use std::ops::BitAnd;
use std::ops::BitOr;
use std::ops::BitXor;
use std::ops::Not;

use crate::kernel::portable::Pair;

/// Two integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integers([u64; 2]);

impl BitAnd for Integers {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Integers {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl BitXor for Integers {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }
}

impl Not for Integers {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self([!self.0[0], !self.0[1]])
    }
}

impl Pair for Integers {
    #[inline(always)]
    fn new(lanes: [u64; 2]) -> Self {
        Self(lanes)
    }

    #[inline(always)]
    fn lanes(self) -> [u64; 2] {
        self.0
    }

    #[inline(always)]
    fn splat(lane: u64) -> Self {
        Self([lane; 2])
    }

    #[inline(always)]
    fn up<const N: i32>(self) -> Self {
        Self([self.0[0] << N, self.0[1] << N])
    }

    #[inline(always)]
    fn down<const N: i32>(self) -> Self {
        Self([self.0[0] >> N, self.0[1] >> N])
    }

    #[inline(always)]
    fn up_by(self, count: u32) -> Self {
        Self(self.0.map(|lane| lane.checked_shl(count).unwrap_or(0)))
    }

    #[inline(always)]
    fn down_by(self, count: u32) -> Self {
        Self(self.0.map(|lane| lane.checked_shr(count).unwrap_or(0)))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self([self.0[0].wrapping_add(other.0[0]), self.0[1].wrapping_add(other.0[1])])
    }

    #[inline(always)]
    fn lane_before(self, previous: Self) -> Self {
        Self([previous.0[1], self.0[0]])
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0[0] | self.0[1] != 0
    }

    #[inline(always)]
    fn any_lane_full(self) -> bool {
        self.0.contains(&!0)
    }

    #[expect(clippy::cast_possible_truncation, reason = "one half after the other")]
    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        let both = u128::from_le_bytes(*bytes);
        Self([both as u64, (both >> 64) as u64])
    }

    // In a byte that differs, the sum carries into the top bit, or the bit is already set.
    #[inline(always)]
    fn equal(self, byte: u8) -> u16 {
        self.tops(|lane| {
            let difference = lane ^ (LOW_BITS * u64::from(byte));
            !((difference & !TOP_BITS).wrapping_add(!TOP_BITS) | difference)
        })
    }

    // 0x21 + 0x5f = 0x80, so bytes from 0x21 on have the top bit set in the sum or already.
    #[inline(always)]
    fn visible(self) -> u16 {
        self.tops(|lane| (lane & !TOP_BITS).wrapping_add(LOW_BITS * 0x5f) | lane)
    }

    // A borrow can only start at a special byte. So the lowest special byte is detected, and the result is 0 if there is none.
    #[inline(always)]
    fn special(self) -> Self {
        Self(self.0.map(|lane| {
            let [quote, backslash] = [0x22, 0x5c].map(|byte| (lane ^ (LOW_BITS * byte)).wrapping_sub(LOW_BITS));
            (lane | quote | backslash | lane.wrapping_sub(LOW_BITS * 0x20)) & TOP_BITS
        }))
    }

    #[expect(clippy::cast_possible_truncation, reason = "four bytes at a time")]
    #[inline(always)]
    fn zip(self, other: Self) -> [Self; 2] {
        let pair = |lane: usize| {
            let (even, odd) = (self.0[lane], other.0[lane]);
            Self([
                spread(even as u32) | spread(odd as u32) << 8,
                spread((even >> 32) as u32) | spread((odd >> 32) as u32) << 8,
            ])
        };
        [pair(0), pair(1)]
    }
}

impl Integers {
    /// Applies `map` to both lanes and returns the top bits of the bytes of the results.
    #[expect(clippy::cast_possible_truncation, reason = "eight bits of each lane")]
    #[inline(always)]
    fn tops(self, map: impl Fn(u64) -> u64) -> u16 {
        let [low, high] = self.0.map(|lane| (map(lane) & TOP_BITS) >> 7).map(|bits| bits.wrapping_mul(GATHER) >> 56);
        low as u16 | (high as u16) << 8
    }
}

/// The top bit of each byte.
const TOP_BITS: u64 = 0x8080_8080_8080_8080;
/// The lowest bit of each byte.
const LOW_BITS: u64 = 0x0101_0101_0101_0101;

/// Multiplication by this factor gathers the lowest bits of eight bytes in the topmost byte.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// Spreads four bytes so that a zero byte follows each.
#[inline(always)]
fn spread(bytes: u32) -> u64 {
    let mut spread = u64::from(bytes);
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff;
    (spread | spread << 8) & 0x00ff_00ff_00ff_00ff
}
