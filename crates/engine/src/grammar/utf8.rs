//! Validates UTF-8 (RFC 3629, section 4) on the bit planes.
//!
//! Lead bytes require continuation bytes one, two and three positions later, and no continuation bytes may be anywhere else. Four
//! lead bytes also restrict the range of the next byte: E0 and F0 (no overlong form), ED (no surrogate) and F4 (nothing above
//! U+10FFFF).

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;

/// State between two superblocks.
#[derive(Clone, Copy)]
pub(crate) struct Carry<W> {
    /// Lead bytes of sequences of two, three or four bytes.
    lead: W,
    /// Lead bytes of sequences of three or four bytes.
    lead_34: W,
    /// Lead bytes of sequences of four bytes.
    lead_4: W,
    e0: W,
    ed: W,
    f0: W,
    f4: W,
    /// Whether the last superblock had bytes beyond ASCII.
    pending: bool,
    /// Whether the last superblock had a lead byte of a sequence of four bytes.
    pending_4: bool,
}

impl<W: Word> Carry<W> {
    #[inline(always)]
    pub(super) fn start<K: Kernel<Word = W>>(kernel: K) -> Self {
        let zero = kernel.splat(0);
        Self {
            lead: zero,
            lead_34: zero,
            lead_4: zero,
            e0: zero,
            ed: zero,
            f0: zero,
            f4: zero,
            pending: false,
            pending_4: false,
        }
    }

    /// Returns whether the next superblock must be checked even if it is all ASCII.
    #[inline(always)]
    pub(super) fn pending(&self) -> bool {
        self.pending
    }
}

/// Returns the positions at which a superblock is not valid UTF-8.
#[inline(always)]
pub(super) fn check<K: Kernel>(kernel: K, carry: &mut Carry<K::Word>, planes: &[K::Word; 8]) -> K::Word {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
    let beyond_ascii = b7.any();
    if !beyond_ascii && !carry.pending {
        return kernel.splat(0);
    }
    let lead = b7 & b6;
    let continuation = b7 & !b6;
    let lead_34 = lead & b5;
    let lead_4 = lead_34 & b4;
    let low_0 = !b3 & !b2 & !b1 & !b0;
    let expected =
        lead.advance::<1>(carry.lead) | lead_34.advance::<2>(carry.lead_34) | lead_4.advance::<3>(carry.lead_4);
    let mut errors = expected ^ continuation;
    // mutant:
    errors = errors | lead & !b5 & !b4 & !b3 & !b2 & !b1; // C0, C1
    let e0 = lead_34 & !b4 & low_0;
    let ed = lead_34 & !b4 & b3 & b2 & !b1 & b0;
    // mutant: errors = errors | e0.advance::<1>(carry.e0) & !b5 ;
    // mutant: errors = errors |  ed.advance::<1>(carry.ed) & b5;
    errors = errors | e0.advance::<1>(carry.e0) & !b5 | ed.advance::<1>(carry.ed) & b5;
    let four = lead_4.any();
    if four || carry.pending_4 {
        let f0 = lead_4 & low_0;
        let f4 = lead_4 & !b3 & b2 & !b1 & !b0;
        let upper = b5 | b4;
        // mutant:
        errors = errors | lead_4 & (b3 | b2 & (b1 | b0)); // F5 to FF
        // mutant: errors = errors | f0.advance::<1>(carry.f0) & !upper ;
        // mutant: errors = errors |  f4.advance::<1>(carry.f4) & upper;
        errors = errors | f0.advance::<1>(carry.f0) & !upper | f4.advance::<1>(carry.f4) & upper;
        carry.f0 = f0;
        carry.f4 = f4;
    }
    // mutant:
    carry.pending = beyond_ascii;
    // mutant:
    carry.pending_4 = four;
    carry.lead = lead;
    carry.lead_34 = lead_34;
    carry.lead_4 = lead_4;
    carry.e0 = e0;
    carry.ed = ed;
    errors
}

#[cfg(test)]
mod tests {
    use crate::grammar::pictures;

    #[test]
    fn characters() {
        pictures::check(
            r#"
            text      " 7F C2 80 DF BF E0 A0 80 ED 9F BF EE 80 80 EF BF BF F0 90 80 80 F3 BF BF BF F4 8F BF BF "
            bad_utf8  . .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
            "#,
        );
        pictures::check(
            r#"
            text      " a … C3 A9 a … F0 9F 98 80 "
            bad_utf8  . . … .  .  . … .  .  .  .  .
            "#,
        );
    }

    #[test]
    fn too_few_and_too_many_continuations() {
        pictures::check(
            r#"
            text      " C3 " ␠ " E2 82 " ␠ " F0 9F 98 " ␠ ␠ 80
            bad_utf8  . .  x . . .  .  x . . .  .  .  x . . x
            "#,
        );
        pictures::check(
            r#"
            text      " C3 C3 A9 ␠ E2 E2 82 AC ␠ F0 F0 9F 98 80 ␠ BF
            bad_utf8  . .  x  .  . .  x  .  .  . .  x  .  .  .  . x
            "#,
        );
    }

    #[test]
    fn overlong_forms() {
        pictures::check(
            r#"
            text      " C0 80 C1 BF C2 80 E0 80 80 E0 9F BF E0 A0 80 F0 80 80 80 F0 8F BF BF F0 90 80 80 "
            bad_utf8  . x  .  x  .  .  .  .  x  .  .  x  .  .  .  .  .  x  .  .  .  x  .  .  .  .  .  .  .
            "#,
        );
    }

    #[test]
    fn surrogates_and_code_points_above_unicode() {
        pictures::check(
            r#"
            text      " ED 9F BF ED A0 80 ED BF BF F4 8F BF BF F4 90 80 80 F4 BF BF BF F5 80 80 80 F7 80 80 80 "
            bad_utf8  . .  .  .  .  x  .  .  x  .  .  .  .  .  .  x  .  .  .  x  .  .  x  .  .  .  x  .  .  .  .
            "#,
        );
        pictures::check(
            r#"
            text      " F8 80 80 80 FE 80 80 80 FF 80 80 80 "
            bad_utf8  . x  .  .  .  x  .  .  .  x  .  .  .  .
            "#,
        );
    }

    /// Continuation bytes that a superblock requires may be missing in the next, even if that is all ASCII.
    #[test]
    fn ascii_after_a_lead() {
        pictures::check(
            r#"
            text      " F0 a b c d … F0 90 a b c … E0 a b c … F0 90 80 "
            bad_utf8  . .  x x x . … .  .  x x . … .  x x . … .  .  .  x
            "#,
        );
    }
}
