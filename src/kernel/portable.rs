//! Words of one `u64`, no intrinsics: runs everywhere and is the oracle of all other kernels.
//!
//! It is not a toy: the planes come from delta swaps on eight registers (Warren, *Hacker's Delight*, 2nd ed., 7-3), so
//! that the same bit-parallel grammar runs on any 64-bit processor.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;

/// The kernel every machine can run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Word for u64 {
    const LANES: usize = 1;

    #[inline(always)]
    fn advance<const N: u32>(self, previous: Self) -> Self {
        self << N | previous >> (64 - N)
    }

    #[inline(always)]
    fn add(self, addend: Self, carry: &mut u32) -> Self {
        let (sum, overflow) = self.carrying_add(addend, *carry != 0);
        *carry = u32::from(overflow);
        sum
    }

    #[inline(always)]
    fn add_short(self, class: Self, previous: &mut Self) -> Self {
        let mut carry = previous.last();
        let sum = self.add(class, &mut carry);
        *previous = u64::from(carry) << 63;
        sum
    }

    #[inline(always)]
    fn subtract(self, subtrahend: Self) -> Self {
        self.wrapping_sub(subtrahend)
    }

    #[inline(always)]
    fn prefix_xor(mut self, carry: &mut u32) -> Self {
        for shift in [1, 2, 4, 8, 16, 32] {
            self ^= self << shift;
        }
        self ^= 0u64.wrapping_sub(u64::from(*carry));
        *carry = self.last();
        self
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }

    #[inline(always)]
    fn any_lane_full(self) -> bool {
        self == !0
    }

    #[inline(always)]
    fn last(self) -> u32 {
        (self >> 63) as u32
    }

    #[inline(always)]
    fn store(self, lanes: &mut [u64]) {
        lanes[0] = self;
    }
}

/// Exchanges the bits of `high` that `mask` names with the bits of `low` that lie `shift` positions further up.
#[inline(always)]
fn delta_swap(high: &mut u64, low: &mut u64, shift: u32, mask: u64) {
    let difference = (*high ^ (*low >> shift)) & mask;
    *high ^= difference;
    *low ^= difference << shift;
}

impl Kernel for Portable {
    type Word = u64;
    const TILE: usize = 16;
    type PerSuperblock<T: Copy> = [T; Self::TILE];

    #[inline(always)]
    fn per_superblock<T: Copy>(value: T) -> [T; Self::TILE] {
        [value; Self::TILE]
    }

    #[inline(always)]
    fn run<P: Pass>(self, pass: P) -> P::Output {
        pass.run(self)
    }

    #[inline(always)]
    fn splat(self, lane: u64) -> u64 {
        lane
    }

    #[inline(always)]
    fn first(self, bit: u32) -> u64 {
        u64::from(bit)
    }

    #[inline(always)]
    fn carry(self, bit: u32) -> u64 {
        u64::from(bit) << 63
    }

    #[inline(always)]
    fn planes(self, superblock: &[u8]) -> [u64; 8] {
        let (rows, _) = superblock[..64].as_chunks::<8>();
        let mut r: [u64; 8] = std::array::from_fn(|row| u64::from_le_bytes(rows[row]));
        // First the bytes: register k gets byte k of each row. Then the bits inside the bytes.
        for (distance, shift, mask) in
            [(4, 32, 0x0000_0000_ffff_ffff), (2, 16, 0x0000_ffff_0000_ffff), (1, 8, 0x00ff_00ff_00ff_00ff)]
        {
            swap_registers(&mut r, distance, shift, mask);
        }
        for (distance, shift, mask) in
            [(4, 4, 0x0f0f_0f0f_0f0f_0f0f), (2, 2, 0x3333_3333_3333_3333), (1, 1, 0x5555_5555_5555_5555)]
        {
            swap_registers(&mut r, distance, shift, mask);
        }
        r
    }

    #[inline(always)]
    fn compress(self, block: &[u8; 64], keep: u64, out: &mut [u8; 64]) -> usize {
        if keep == !0 {
            *out = *block;
            return 64;
        }
        // Runs of kept bytes are copied whole: whitespace stands in few places, and those are long.
        let (mut count, mut from, mut rest) = (0, 0, keep);
        while rest != 0 {
            let gap = rest.trailing_zeros() as usize;
            rest >>= gap;
            from += gap;
            let run = rest.trailing_ones() as usize;
            out[count..count + run].copy_from_slice(&block[from..from + run]);
            count += run;
            from += run;
            rest = rest.checked_shr(run as u32).unwrap_or(0);
        }
        count
    }

    #[inline(always)]
    fn pack(self, masks: [u64; 3], out: [&mut [u64]; 3]) -> usize {
        for (slice, mask) in out.into_iter().zip(masks) {
            slice[0] = mask;
        }
        usize::from(masks[0] != 0)
    }

    #[inline(always)]
    fn count(self, value: u64) -> u32 {
        value.count_ones()
    }

    #[inline(always)]
    fn extract(self, value: u64, mask: u64) -> u64 {
        let (mut result, mut rest, mut count) = (0, mask, 0);
        while rest != 0 {
            result |= (value >> rest.trailing_zeros() & 1) << count;
            rest &= rest - 1;
            count += 1;
        }
        result
    }

    #[inline(always)]
    fn prefetch(self, _superblock: &[u8], _distance: usize) {}
}

/// One level of a transposition: registers `distance` apart exchange `shift`-bit fields.
#[inline(always)]
fn swap_registers(r: &mut [u64; 8], distance: usize, shift: u32, mask: u64) {
    for low in 0..8 {
        if low & distance == 0 {
            let (head, tail) = r.split_at_mut(low + distance);
            delta_swap(&mut tail[0], &mut head[low], shift, mask);
        }
    }
}
