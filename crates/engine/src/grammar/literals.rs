//! Validates `true`, `false` and `null` (RFC 8259, section 3).
//!
//! The first letter determines the letters that must follow, which are compared bit plane by bit plane. The rules for numbers and
//! tokens check the byte after a literal.

#![forbid(unsafe_code)]

use crate::grammar::classes::Masks;
use crate::kernel::Kernel;
use crate::kernel::Word;

/// State between two superblocks: the first letters of literals.
#[derive(Clone, Copy)]
pub(crate) struct Carry<W> {
    t: W,
    f: W,
    n: W,
    pending: bool,
}

impl<W: Word> Carry<W> {
    #[inline(always)]
    pub(super) fn start<K: Kernel<Word = W>>(kernel: K) -> Self {
        let zero = kernel.splat(0);
        Self { t: zero, f: zero, n: zero, pending: false }
    }
}

/// Returns the positions where a literal is misspelled or a letter belongs to no literal. Removes the `e` of literals from
/// `masks.exponent`.
#[inline(always)]
pub(super) fn check<K: Kernel>(
    kernel: K,
    carry: &mut Carry<K::Word>,
    masks: &mut Masks<K::Word>,
    planes: &[K::Word; 8],
) -> K::Word {
    if !masks.letter.any() && !carry.pending {
        return kernel.splat(0);
    }
    let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
    // t = 74, f = 66, n = 6e: even codes with bit 2 set, distinguished by bits 4, 3 and 1.
    let start = masks.scalar_start & masks.letter & !b7 & b6 & b5 & b2 & !b0;
    let t = start & b4 & !b3 & !b1;
    let f = start & !b4 & !b3 & b1;
    let n = start & !b4 & b3 & b1;

    let (t1, t2, t3) = (t.advance::<1>(carry.t), t.advance::<2>(carry.t), t.advance::<3>(carry.t));
    let (f1, f2, f3, f4) =
        (f.advance::<1>(carry.f), f.advance::<2>(carry.f), f.advance::<3>(carry.f), f.advance::<4>(carry.f));
    let (n1, n2, n3) = (n.advance::<1>(carry.n), n.advance::<2>(carry.n), n.advance::<3>(carry.n));
    carry.t = t;
    carry.f = f;
    carry.n = n;
    // mutant:
    carry.pending = (t | f | n).any();

    let (a, e, l, r, s, u) = (f1, t3 | f4, f2 | n2 | n3, t1, f3, t2 | n1);
    // The low five bits of the letter required at a position: a 00001, e 00101, l 01100, r 10010, s 10011, u 10101.
    let must_0 = a | e | s | u;
    let must_1 = r | s;
    let must_2 = e | l | u;
    let must_3 = l;
    let must_4 = r | s | u;
    let inside = must_0 | must_1 | l;
    // mutant:
    masks.exponent = masks.exponent & !inside;
    let differs = (b0 ^ must_0) | (b1 ^ must_1) | (b2 ^ must_2) | (b3 ^ must_3) | (b4 ^ must_4) | !b5 | !b6 | b7;
    // mutant: inside & differs
    // mutant: masks.letter & !(inside | t | f | n)
    inside & differs | masks.letter & !(inside | t | f | n)
}

#[cfg(test)]
mod tests {
    use crate::grammar::pictures;

    #[test]
    fn literals() {
        pictures::check(
            r"
            text         t r u e , f a l s e , n u l l ] 1 e 5
            letter       x x x . . x x x x . . x x x x . . . .
            exponent     . . . . . . . . . . . . . . . . . x .
            bad_literal  . . . . . . . . . . . . . . . . . . .
            ",
        );
    }

    #[test]
    fn wrong_letters() {
        pictures::check(
            r"
            text         t r u c , f a l s 3 , n u l L , t R U e
            bad_literal  . . . x . . . . . x . . . . x . . x x .
            ",
        );
        pictures::check(
            r"
            text         N a N , n a n , x , T r u e , C3 A9
            bad_literal  x x x . . x x x x . x x x . . x  x
            ",
        );
    }

    #[test]
    fn missing_letters_and_letters_too_many() {
        pictures::check(
            r"
            text         t ] ] ] ] t r u ␠ f a l s , n u l ␠
            bad_literal  . x x x . . . . x . . . . x . . . x
            ",
        );
        pictures::check(
            r"
            text         t r u e e , f a l s e s , n u l l l n u l l , x t r u e
            bad_literal  . . . . . . . . . . . x . . . . . x x x x x . x x x x .
            bad_number   . . . . x x . . . . . . . . . . . . . . . . . . . . . x
            ",
        );
    }
}
