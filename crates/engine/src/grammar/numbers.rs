//! Validates numbers (RFC 8259, section 6).
//!
//! `number = [ minus ] int [ frac ] [ exp ]` is regular, so almost all rules concern adjacent characters. Two rules look
//! further: a decimal point must directly follow the integer part, and the digits of an exponent must not be followed by another
//! `e`. Adding the first position of a run of digits to the run moves the bit past its end.

#![forbid(unsafe_code)]

use crate::grammar::classes::Masks;
use crate::grammar::scan_through;
use crate::kernel::Kernel;
use crate::kernel::Word;

/// State between two superblocks.
#[derive(Clone, Copy)]
pub(crate) struct Carry<W> {
    digit: W,
    /// Minus signs, plus signs and decimal points.
    sign_or_dot: W,
    exponent: W,
    /// Minus signs before an integer part.
    minus: W,
    leading_zero: W,
    exponent_sign: W,
    integer_run: W,
    exponent_run: u32,
    /// Whether an exponent may continue in the next superblock.
    pending: bool,
}

impl<W: Word> Carry<W> {
    #[inline(always)]
    pub(super) fn start<K: Kernel<Word = W>>(kernel: K) -> Self {
        let zero = kernel.splat(0);
        Self {
            digit: zero,
            sign_or_dot: zero,
            exponent: zero,
            minus: zero,
            leading_zero: zero,
            exponent_sign: zero,
            integer_run: zero,
            exponent_run: 0,
            pending: false,
        }
    }

    /// Returns whether a number may continue in the next superblock.
    #[inline(always)]
    pub(super) fn reaches(&self) -> bool {
        // mutant: self.pending || (self.digit).last() == 1
        // mutant: (self.digit | self.sign_or_dot).last() == 1
        self.pending || (self.digit | self.sign_or_dot).last() == 1
    }
}

/// Returns the positions of misplaced characters of numbers.
#[inline(always)]
pub(super) fn check<W: Word>(carry: &mut Carry<W>, masks: &Masks<W>) -> W {
    let Masks { digit, exponent, dot, minus, plus, scalar_start, .. } = *masks;
    let sign_or_dot = minus | plus | dot;
    let after_digit = digit.advance::<1>(carry.digit);
    let after_sign_or_dot = sign_or_dot.advance::<1>(carry.sign_or_dot);
    carry.digit = digit;
    carry.sign_or_dot = sign_or_dot;
    let digit_may_follow = after_digit | scalar_start | after_sign_or_dot;
    // mutant: let mut errors = after_sign_or_dot & !after_sign_or_dot;
    let mut errors = after_sign_or_dot & !digit;
    if exponent.any() || carry.pending {
        let after_exponent = exponent.advance::<1>(carry.exponent);
        carry.exponent = exponent;
        errors = errors | (dot | exponent) & !after_digit | after_exponent & !(digit | minus | plus);
        errors = errors | minus & !(scalar_start | after_exponent) | plus & !after_exponent;
        errors = errors | digit & !(digit_may_follow | after_exponent);
        errors = errors | integer_part(carry, masks, minus & !after_exponent);
        let sign = after_exponent & (minus | plus);
        let run = digit & (after_exponent | sign.advance::<1>(carry.exponent_sign));
        let run_end = run.add(digit, &mut carry.exponent_run) & !digit;
        // mutant:
        errors = errors | run_end & exponent;
        carry.exponent_sign = sign;
        // mutant:
        carry.pending = exponent.last() | sign.last() | carry.exponent_run != 0;
    } else {
        errors = errors | dot & !after_digit | plus | minus & !scalar_start | digit & !digit_may_follow;
        errors = errors | integer_part(carry, masks, minus);
    }
    errors
}

/// Returns the digits after a leading zero and the decimal points that do not follow an integer part.
#[inline(always)]
fn integer_part<W: Word>(carry: &mut Carry<W>, masks: &Masks<W>, minus: W) -> W {
    let digit = masks.digit;
    let start = digit & (masks.scalar_start | minus.advance::<1>(carry.minus));
    carry.minus = minus;
    let leading_zero = masks.zero & start;
    let after_zero = leading_zero.advance::<1>(carry.leading_zero);
    // mutant:
    carry.leading_zero = leading_zero;
    let end = scan_through(start, digit, digit.any_lane_full(), &mut carry.integer_run);
    // mutant: after_zero & digit
    // mutant: masks.dot & !end
    after_zero & digit | masks.dot & !end
}

#[cfg(test)]
mod tests {
    use crate::grammar::pictures;

    #[test]
    fn numbers() {
        pictures::check(
            r"
            text        0 , - 0 , 1 2 , - 3 . 4 5 , 0 . 0 0 , 6 e 7 , 0 E + 0 8 , - 9 . 0 e - 1 0 ]
            bad_number  . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
            ",
        );
        // Each part is longer than a superblock.
        pictures::check(
            r"
            text        - 1 … . 2 … e + 3 … , 4 … . 5 , 6 e 7 …
            bad_number  . . … . . … . . . … . . … . . . . . . …
            ",
        );
        // The carry of an exponent affects only the next superblock.
        pictures::check(
            r"
            text        1 e + 2 , 3 … e 4 , 5 e 6 , 7 … E 8
            bad_number  . . . . . . … . . . . . . . . … . .
            ",
        );
    }

    #[test]
    fn leading_zeros() {
        pictures::check(
            r"
            text        0 1 , - 0 0 , 0 0 0 . 0 0 , 1 e 0 0 , 1 0 0
            bad_number  . x . . . x . . x . . . . . . . . . . . . .
            ",
        );
    }

    #[test]
    fn digits_are_missing() {
        pictures::check(
            r"
            text        - , - - 1 , 1 . , . 5 , 1 . e 5 , 1 e , 1 e + , - e 1 , e 5
            bad_number  . x . x . . . . x x . . . . x . . . . x . . . x . x . . x .
            ",
        );
    }

    #[test]
    fn a_number_has_one_point_and_one_exponent() {
        pictures::check(
            r"
            text        1 . 2 . 3 , 1 e 2 e 3 , 1 e 2 . 3 , 1 . 2 e 3 . 4 , . . 1
            bad_number  . . . x . . . . . x . . . . . x . . . . . . . x . . x x .
            ",
        );
        pictures::check(
            r"
            text        1 . 2 … . , 1 e 2 … e 3 , 1 e - 2 … . 3 , 1 e + 2 … e 3
            bad_number  . . . … x x . . . … x . . . . . . … x . . . . . . … x .
            ",
        );
    }

    #[test]
    fn misplaced_signs() {
        pictures::check(
            r"
            text        + 1 , 1 - 2 , 1 + 2 , 1 e - + 2 , 1 e 2 - 3 , 1 e + 2 + 3
            bad_number  x . . . x . . . x . . . . . x . . . . . x . . . . . . x .
            ",
        );
    }

    #[test]
    fn misplaced_digits() {
        pictures::check(
            r#"
            text        t r u e 1 , x 2 , " 3 " 4 , 5
            bad_number  . . . . x . . x . . . . . . .
            "#,
        );
    }
}
