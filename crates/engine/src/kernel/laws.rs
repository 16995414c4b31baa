//! Tests of the laws that every kernel obeys, for each kernel available on this machine, against plain loops over bits.

#![forbid(unsafe_code)]

use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use crate::kernel::aarch64::Neon;
use crate::kernel::integers::Integers;
use crate::kernel::lanes;
use crate::kernel::portable::Pair;
use crate::kernel::portable::Portable;

/// Number of random inputs for each law.
const ROUNDS: u32 = if cfg!(miri) { 2 } else { 2000 };

/// A deterministic random number generator (xorshift64*), biased to runs of ones and zeros so that carries propagate far.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn lane(&mut self) -> u64 {
        let value = self.next();
        match value >> 61 {
            0 => 0,
            1 => !0,
            2 => 1 << (value & 63),
            3 => !0 << (value & 63),
            4 => !(1 << (value & 63)),
            _ => self.next(),
        }
    }
}

/// Returns a word with the given lanes, made from the planes of bytes.
fn word<K: Kernel>(kernel: K, lanes: &[u64]) -> K::Word {
    let bytes: Vec<u8> =
        (0..K::SUPERBLOCK).map(|position| (lanes[position / 64] >> (position % 64) & 1) as u8).collect();
    kernel.planes(&bytes)[0]
}

fn bit(lanes: &[u64], position: usize) -> bool {
    lanes[position / 64] >> (position % 64) & 1 == 1
}

fn from_bits(count: usize, mut of: impl FnMut(usize) -> bool) -> [u64; 8] {
    let mut lanes = [0; 8];
    for position in 0..count {
        lanes[position / 64] |= u64::from(of(position)) << (position % 64);
    }
    lanes
}

struct Laws;

impl Pass for Laws {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..ROUNDS {
            let a: [u64; 8] = std::array::from_fn(|lane| if lane < K::Word::LANES { random.lane() } else { 0 });
            let b: [u64; 8] = std::array::from_fn(|lane| if lane < K::Word::LANES { random.lane() } else { 0 });
            let carry = (random.next() & 1) as u32;
            boolean_operations(kernel, a, b, carry);
            sums_and_parity(kernel, a, b, carry);
            operations_on_lanes(kernel, a, b, &mut random);
            operations_on_bytes(kernel, &mut random);
        }
    }
}

#[inline(always)]
fn boolean_operations<K: Kernel>(kernel: K, a: [u64; 8], b: [u64; 8], carry: u32) {
    let size = K::SUPERBLOCK;
    let (x, y) = (word(kernel, &a), word(kernel, &b));
    assert_eq!(lanes(x), a, "planes and store");
    assert_eq!(lanes(x & y), from_bits(size, |i| bit(&a, i) && bit(&b, i)), "and");
    assert_eq!(lanes(x | y), from_bits(size, |i| bit(&a, i) || bit(&b, i)), "or");
    assert_eq!(lanes(x ^ y), from_bits(size, |i| bit(&a, i) != bit(&b, i)), "xor");
    assert_eq!(lanes(!x), from_bits(size, |i| !bit(&a, i)), "not");
    assert_eq!(x.any(), a != [0; 8], "any");
    assert_eq!(x.any_lane_full(), a.contains(&!0), "any_lane_full");
    assert_eq!(x.last() == 1, bit(&a, size - 1), "last");
    assert_eq!(kernel.carry(carry).last(), carry, "carry");
    assert_eq!(lanes(kernel.first(carry)), from_bits(size, |i| i == 0 && carry == 1), "first");
    assert_eq!(lanes(kernel.splat(a[0])), from_bits(size, |i| a[0] >> (i % 64) & 1 == 1), "splat");

    let moved = |by: usize| from_bits(size, |i| if i < by { bit(&b, size - by + i) } else { bit(&a, i - by) });
    assert_eq!(lanes(x.advance::<1>(y)), moved(1), "advance 1");
    assert_eq!(lanes(x.advance::<2>(y)), moved(2), "advance 2");
    assert_eq!(lanes(x.advance::<3>(y)), moved(3), "advance 3");
    assert_eq!(lanes(x.advance::<4>(y)), moved(4), "advance 4");
}

#[inline(always)]
fn sums_and_parity<K: Kernel>(kernel: K, a: [u64; 8], b: [u64; 8], carry: u32) {
    let size = K::SUPERBLOCK;
    let (x, y) = (word(kernel, &a), word(kernel, &b));
    let mut rest = carry == 1;
    let sum = from_bits(size, |i| {
        let count = u8::from(bit(&a, i)) + u8::from(bit(&b, i)) + u8::from(rest);
        rest = count > 1;
        count & 1 == 1
    });
    let mut out = carry;
    assert_eq!((lanes(x.add(y, &mut out)), out == 1), (sum, rest), "add");
    if !b[..K::Word::LANES].contains(&!0) {
        let starts = (!y).advance::<1>(kernel.carry(1 - carry));
        let (mut previous, mut rest) = (kernel.carry(carry), carry);
        assert_eq!(lanes(starts.add_short(y, &mut previous)), lanes(starts.add(y, &mut rest)), "add_short");
        assert_eq!(previous.last(), rest, "carry of add_short");
    }

    let mut borrow = false;
    let difference = from_bits(size, |i| {
        let (m, s) = (bit(&a, i), bit(&b, i));
        let result = m ^ s ^ borrow;
        borrow = !m && (s || borrow) || s && borrow;
        result
    });
    assert_eq!(lanes(x.subtract(y)), difference, "subtract");

    let mut parity = carry == 1;
    let prefix = from_bits(size, |i| {
        parity ^= bit(&a, i);
        parity
    });
    let mut inside = carry;
    assert_eq!((lanes(x.prefix_xor(&mut inside)), inside == 1), (prefix, parity), "prefix_xor");
}

#[inline(always)]
fn operations_on_lanes<K: Kernel>(kernel: K, a: [u64; 8], b: [u64; 8], random: &mut Random) {
    let (x, y) = (word(kernel, &a), word(kernel, &b));
    let mut packed = [[0; 8]; 3];
    let [first, second, third] = &mut packed;
    let count = kernel.pack([x, y, x ^ y], [first, second, third]);
    let occupied: Vec<usize> = (0..K::Word::LANES).filter(|&lane| a[lane] != 0).collect();
    assert_eq!(count, occupied.len(), "pack");
    for (place, &lane) in occupied.iter().enumerate() {
        assert_eq!([packed[0][place], packed[1][place], packed[2][place]], [a[lane], b[lane], a[lane] ^ b[lane]]);
    }

    let (value, mask) = (random.next(), random.lane());
    let named = (0..64).filter(|&i| mask >> i & 1 == 1);
    let extracted = named.clone().enumerate().fold(0, |sum, (to, from)| sum | (value >> from & 1) << to);
    assert_eq!(kernel.extract(value, mask), extracted, "extract");
    let both = kernel.extract_both([value, !value], mask);
    assert_eq!(both, [extracted, kernel.extract(!value, mask)], "extract_both");
    // Five bits in each mask, and masks without bits at the end.
    let mut masks: [u64; 8] = std::array::from_fn(|lane| {
        0x8000_0100_0010_4001u64.rotate_left((random.next() >> 58) as u32) * u64::from(a[lane] != 0)
    });
    masks.sort_by_key(|mask| *mask == 0);
    let (mut grouped, mut length) = ([0; 2], 0);
    for (lane, &mask) in masks.iter().enumerate() {
        grouped[0] |= kernel.extract(a[lane], mask) << length;
        grouped[1] |= kernel.extract(b[lane], mask) << length;
        length += mask.count_ones();
    }
    assert_eq!(kernel.extract_group([&a, &b], &masks, length), grouped, "extract_group");
    assert_eq!(kernel.count(mask), mask.count_ones(), "count");
    let mut places = [0; 64];
    let count = kernel.list(mask, 4711, &mut places);
    let listed: Vec<u32> = (0..64).filter(|&i| mask >> i & 1 == 1).map(|i| 4711 + i).collect();
    assert_eq!(places[..count], listed, "list");
}

#[inline(always)]
fn operations_on_bytes<K: Kernel>(kernel: K, random: &mut Random) {
    let (size, mask) = (K::SUPERBLOCK, random.lane());
    let bytes: Vec<u8> = (0..size).map(|_| random.next().to_le_bytes()[0]).collect();
    for (plane, word) in kernel.planes(&bytes).into_iter().enumerate() {
        assert_eq!(lanes(word), from_bits(size, |i| bytes[i] >> plane & 1 == 1), "plane {plane}");
    }
    let block = bytes.first_chunk().expect("a superblock has at least 64 bytes");
    let mut out = [0; 64];
    let count = kernel.compress_block(block, mask, &mut out);
    let kept: Vec<u8> = (0..64).filter(|&i| mask >> i & 1 == 1).map(|i| block[i]).collect();
    assert_eq!(out[..count], kept, "compress_block");

    let keep: Vec<u64> = (0..size / 64).map(|_| random.lane()).collect();
    let mut out = vec![0; size];
    let count = kernel.compress(&bytes, kernel.word(&keep), &mut out);
    let kept: Vec<u8> = (0..size).filter(|&i| keep[i / 64] >> (i % 64) & 1 == 1).map(|i| bytes[i]).collect();
    assert_eq!(out[..count], kept, "compress");
}

/// Laws of the operations on single lanes and on the bytes of a block.
struct Lookups;

impl Pass for Lookups {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        let size = K::SUPERBLOCK;
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for _ in 0..ROUNDS {
            let a: [u64; 8] = std::array::from_fn(|lane| if lane < K::Word::LANES { random.lane() } else { 0 });
            let b: [u64; 8] = std::array::from_fn(|lane| if lane < K::Word::LANES { random.lane() } else { 0 });
            let (x, y) = (word(kernel, &a), word(kernel, &b));
            let (shift, lane_of) = ((random.next() & 63) as u32, |lanes: &[u64], i: usize| lanes[i / 64]);
            let each = |of: &dyn Fn(usize) -> u64| from_bits(size, |i| of(i) >> (i % 64) & 1 == 1);
            assert_eq!(lanes(x.add_lanes(y)), each(&|i| lane_of(&a, i).wrapping_add(lane_of(&b, i))), "add_lanes");
            let shifted = each(&|i| lane_of(&a, i) << shift | lane_of(&b, i).checked_shr(64 - shift).unwrap_or(0));
            assert_eq!(lanes(x.shift_lanes(y, shift)), shifted, "shift_lanes");
            assert_eq!(lanes(kernel.word(&a)), a, "word");

            let ones = |lanes: &[u64]| lanes.iter().map(|lane| lane.count_ones()).sum::<u32>();
            let balance = (ones(&a).cast_signed() - ones(&b).cast_signed(), ones(&a));
            assert_eq!(kernel.balance(x, y, x), balance, "balance");

            let few = from_bits(size, |_| random.next().is_multiple_of(16));
            let marks: Vec<usize> = (0..size).filter(|&i| bit(&few, i)).collect();
            let rise = |end| (0..end).map(|i| i64::from(bit(&a, i)) - i64::from(bit(&b, i))).sum::<i64>();
            if let Some(&at) = marks.get(shift as usize % 4) {
                let low = from_bits(size, |i| !bit(&few, i) || rise(i) == rise(at));
                let wrong = from_bits(size, |i| bit(&low, i) != (marks.last() == Some(&i)));
                for (top_level, expected) in [(low, true), (wrong, false)] {
                    let top_level = word(kernel, &top_level);
                    let matches = kernel.matches_top_level([x, y], word(kernel, &few), top_level, -rise(at));
                    assert_eq!(matches, expected, "matches_top_level");
                }
            }

            let ends: [u64; 8] = std::array::from_fn(|lane| b[lane] & few[lane]);
            let depth = shift as usize;
            let ones_before = |lanes: &[u64], end| ones(&lanes[..end]) as usize;
            let left = |end| (depth + ones_before(&a, end)).wrapping_sub(ones_before(&b, end));
            let closing_lanes =
                (0..K::Word::LANES).filter(|&i| ends[i].count_ones() as usize >= left(i)).map(|i| 1 << i).sum();
            let expected: (u32, usize) = (closing_lanes, left(K::Word::LANES));
            assert_eq!(kernel.closing_lanes([x, y], word(kernel, &ends), depth), expected, "closing_lanes");

            let mut text: Vec<u8> = (0..size).map(|_| b"~ !#[]a\x7f"[(random.next() % 8) as usize]).collect();
            assert!(kernel.is_plain(&text) || !K::PEEKS, "is_plain");
            let at = 64 * ((random.next() % 8) as usize % K::Word::LANES) + shift as usize;
            text[at] = b"\"\\\x1f\x80"[(random.next() % 4) as usize];
            assert!(!kernel.is_plain(&text), "is_plain");

            let mask = random.lane();
            let named: Vec<u32> = (0..64).filter(|&i| mask >> i & 1 == 1).collect();
            let index = (random.next() & 63) as u32;
            assert_eq!(kernel.nth(mask, index), named.get(index as usize).copied().unwrap_or(64), "nth");

            let bytes: [u8; 64] = std::array::from_fn(|_| random.next().to_le_bytes()[0]);
            let block = &bytes;
            for byte in [block[5], 0x20, 0x21, random.next().to_le_bytes()[0]] {
                let is = |of: &dyn Fn(u8) -> bool| (0..64).fold(0, |sum, i| sum | u64::from(of(block[i])) << i);
                assert_eq!(kernel.equal(block, byte), is(&|other| other == byte), "equal");
                let near = block.map(|other| byte.wrapping_add(other % 3));
                let above = (0..64).fold(0, |sum, i| sum | u64::from(near[i] > 0x20) << i);
                assert_eq!(kernel.visible(&near), above, "visible");
                assert_eq!(kernel.visible(block), is(&|other| other > 0x20), "visible");
                let found = is(&|other| other < 0x20 || other == byte || other == b'\\');
                assert_eq!(kernel.controls_or(block, [byte, b'\\']), found, "controls_or");
            }
        }
    }
}

/// Checks [`Pair::controls_or`] on random bytes and on all bytes near the limits.
fn check_rows<P: Pair>() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..10 * ROUNDS {
        let row: [u8; 16] = std::array::from_fn(|_| match random.next().to_le_bytes() {
            [byte, ..] if round % 2 == 0 => byte,
            [byte, ..] => {
                [b'"', b'\\', 0x1f, 0x20, 0x21, 0x7f, 0x80, 0x9f, 0xa2, 0xdc, 0xff, 0][usize::from(byte) % 12]
            }
        });
        let expected: u16 = (0..16).filter(|&i| row[i] < 0x20 || [b'"', b'\\'].contains(&row[i])).map(|i| 1 << i).sum();
        assert_eq!(P::load(&row).controls_or([b'"', b'\\']), expected, "controls_or of {row:?}");
    }
}

#[test]
fn every_kernel_obeys_the_laws() {
    for isa in Isa::available() {
        isa.run(Laws);
        isa.run(Lookups);
    }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    {
        // Even if this machine has carry-less products, test the shifts that other machines use.
        Neon::<false>::new().run(Laws);
        Neon::<false>::new().run(Lookups);
    }
    // Even if this machine has vectors for pairs, test the plain integers that other machines use.
    Portable::<Integers>::new().run(Laws);
    Portable::<Integers>::new().run(Lookups);
    check_rows::<Integers>();
    #[cfg(target_arch = "x86_64")]
    check_rows::<crate::kernel::x86_64::Sse2>();
}
