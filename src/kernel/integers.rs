//! Pairs of plain integers: the portable kernel on processors of which nothing more is known.

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

/// Four bytes with an empty byte behind each.
#[inline(always)]
fn spread(bytes: u32) -> u64 {
    let mut spread = u64::from(bytes);
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff;
    (spread | spread << 8) & 0x00ff_00ff_00ff_00ff
}
