//! The first phase: finds strings, validates their escapes, and classifies the bytes outside strings.
//!
//! Every class of characters is a Boolean function of the bit planes, so a whole superblock is classified at once and
//! without a lookup table. Strings come first because the class of any other byte depends on whether it is inside a string
//! (RFC 8259, sections 2 and 7).

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;

/// The masks of a superblock for the later phases. All masks except `quotes`, `in_string` and `curly` contain only bytes outside
/// strings.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Masks<W> {
    /// All bytes from an opening quote to the one before the closing quote.
    pub(crate) in_string: W,
    /// Quotes that begin or end a string.
    pub(crate) quotes: W,
    pub(crate) whitespace: W,
    pub(crate) comma: W,
    pub(crate) colon: W,
    /// `{` and `[`.
    pub(crate) open: W,
    /// `}` and `]`.
    pub(crate) close: W,
    /// Distinguishes curly from square brackets. Meaningful only at positions of `open` and `close`.
    pub(crate) curly: W,
    /// All other bytes outside strings: numbers, literals and invalid characters.
    pub(crate) scalar: W,
    /// The first byte of each run of `scalar`.
    pub(crate) scalar_start: W,
    pub(crate) digit: W,
    pub(crate) zero: W,
    pub(crate) minus: W,
    pub(crate) plus: W,
    pub(crate) dot: W,
    /// `e` and `E`. Includes those inside literals until the phase for literals removes them.
    pub(crate) exponent: W,
    /// Bytes of `scalar` that cannot occur in a number and are therefore valid only in a literal.
    pub(crate) letter: W,
}

impl<W: Copy> Masks<W> {
    pub(crate) fn empty(zero: W) -> Self {
        Self {
            in_string: zero,
            quotes: zero,
            whitespace: zero,
            comma: zero,
            colon: zero,
            open: zero,
            close: zero,
            curly: zero,
            scalar: zero,
            scalar_start: zero,
            digit: zero,
            zero,
            minus: zero,
            plus: zero,
            dot: zero,
            exponent: zero,
            letter: zero,
        }
    }
}

/// State between two superblocks.
#[derive(Clone, Copy)]
pub(crate) struct Carry<W> {
    /// 1 inside a string.
    in_string: u32,
    /// 1 if the next byte is escaped.
    escape: u32,
    /// The `u` of each `\u` escape. Some of its four digits may be in the next superblock.
    unicode: W,
    unicode_pending: bool,
    scalar: W,
    /// See [`is_long`](Self::is_long).
    long: bool,
}

impl<W: Word> Carry<W> {
    #[inline(always)]
    pub(super) fn start<K: Kernel<Word = W>>(kernel: K) -> Self {
        let zero = kernel.splat(0);
        Self { in_string: 0, escape: 0, unicode: zero, unicode_pending: false, scalar: zero, long: false }
    }

    /// Returns whether the last superblock was entirely ASCII text of a string that continues, with no escape in progress. Only
    /// maintained for kernels with [`PEEKS`](Kernel::PEEKS).
    #[inline(always)]
    pub(super) fn is_long(&self) -> bool {
        self.long
    }

    /// Sets whether the next byte is inside a string.
    pub(super) fn enter_string(&mut self, in_string: bool) {
        self.in_string = u32::from(in_string);
    }
}

/// The odd positions: where a run of backslashes that starts at an even position has its escaped characters.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// The rows and columns of the ASCII table in which the bytes of a superblock are. The row is the high half of a byte and the column
/// the low half.
struct Ascii<W> {
    below_40: W,
    from_40: W,
    row_0: W,
    row_2: W,
    row_3: W,
    row_5: W,
    column_0: W,
    column_2: W,
    /// Columns 4 to 7.
    high_01: W,
    /// Columns 8 to B.
    high_10: W,
    /// Columns C to F.
    high_11: W,
    /// Columns 0, 4, 8 and C, and so on.
    low_00: W,
    low_01: W,
    low_10: W,
    low_11: W,
}

impl<W: Word> Ascii<W> {
    #[inline(always)]
    fn new(planes: &[W; 8]) -> Self {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
        let below_40 = !b7 & !b6;
        let from_40 = !b7 & b6;
        let high_00 = !b3 & !b2;
        let (low_00, low_10) = (!b1 & !b0, b1 & !b0);
        Self {
            below_40,
            from_40,
            row_0: below_40 & !b5 & !b4,
            row_2: below_40 & b5 & !b4,
            row_3: below_40 & b5 & b4,
            row_5: from_40 & !b5 & b4,
            column_0: high_00 & low_00,
            column_2: high_00 & low_10,
            high_01: !b3 & b2,
            high_10: b3 & !b2,
            high_11: b3 & b2,
            low_00,
            low_01: !b1 & b0,
            low_10,
            low_11: b1 & b0,
        }
    }
}

/// Classifies a superblock. Returns the errors and whether any byte is outside strings. If none is, `masks` is left unchanged
/// and the later phases can skip the superblock.
#[inline(always)]
pub(super) fn classify<K: Kernel>(
    kernel: K,
    carry: &mut Carry<K::Word>,
    planes: &[K::Word; 8],
    masks: &mut Masks<K::Word>,
) -> (K::Word, bool) {
    let [_, b1, b2, b3, b4, b5, _, b7] = *planes;
    let ascii = Ascii::new(planes);
    let Ascii { below_40, from_40, row_0, row_2, row_3, column_0, column_2, .. } = ascii;
    let Ascii { high_01, high_10, high_11, low_00, low_01, low_10, low_11, row_5, .. } = ascii;
    let (column_a, column_b) = (high_10 & low_10, high_10 & low_11);
    let (column_c, column_d, column_e) = (high_11 & low_00, high_11 & low_01, high_11 & low_10);

    let backslash = row_5 & column_c;
    let mut quotes = row_2 & column_2;
    let mut errors = kernel.splat(0);
    let in_string;
    if backslash.any() || carry.escape != 0 || carry.unicode_pending {
        let escaped = escaped(kernel, &mut carry.escape, backslash);
        quotes = quotes & !escaped;
        in_string = quotes.prefix_xor(&mut carry.in_string);
        errors = check_escapes(carry, planes, &ascii, escaped & in_string);
    } else {
        in_string = quotes.prefix_xor(&mut carry.in_string);
    }
    let outside = !in_string;
    // Control characters are rows 0 and 1.
    // mutant:
    errors = errors | below_40 & !b5 & in_string;
    let is_text = !(outside | quotes).any();
    if K::PEEKS {
        // mutant: carry.long = is_text && !b7.any();
        carry.long = is_text && carry.escape == 0 && !carry.unicode_pending && !b7.any();
    }
    if is_text {
        return (errors, false);
    }

    let row_2 = row_2 & outside;
    let row_3 = row_3 & outside;
    let rows_5_and_7 = from_40 & b4 & outside;
    let comma = row_2 & column_c;
    let colon = row_3 & column_a;
    let open = rows_5_and_7 & column_b;
    let close = rows_5_and_7 & column_d;
    let whitespace = row_2 & column_0 | row_0 & outside & (high_10 & low_01 | column_a | column_d);
    let scalar = outside & !(quotes | whitespace | comma | colon | open | close);
    let digit = row_3 & !(b3 & (b2 | b1));
    let minus = row_2 & column_d;
    let plus = row_2 & column_b;
    let dot = row_2 & column_e;
    // `E` (row 4) and `e` (row 6) differ only in b5, which is not tested.
    let exponent = from_40 & !b4 & high_01 & low_01 & outside;
    *masks = Masks {
        in_string,
        quotes,
        whitespace,
        comma,
        colon,
        open,
        close,
        curly: b5,
        scalar,
        scalar_start: scalar & !scalar.advance::<1>(carry.scalar),
        digit,
        zero: row_3 & column_0,
        minus,
        plus,
        dot,
        exponent,
        letter: scalar & !(digit | minus | plus | dot | exponent),
    };
    // mutant:
    carry.scalar = scalar;
    (errors, true)
}

/// Checks the characters that a backslash escapes, and the digits of `\u` escapes. Returns the errors.
#[inline(always)]
fn check_escapes<W: Word>(carry: &mut Carry<W>, planes: &[W; 8], ascii: &Ascii<W>, escaped: W) -> W {
    let [b0, b1, b2, b3, b4, b5, ..] = *planes;
    let Ascii { from_40, row_2, row_3, row_5, column_2, high_01, high_11, low_00, low_01, low_10, low_11, .. } = *ascii;
    let row_6 = from_40 & b5 & !b4;
    let row_7 = from_40 & b5 & b4;
    let column_5 = high_01 & low_01;
    let unicode = escaped & row_7 & column_5;
    let known = row_2 & (column_2 | high_11 & low_11)
        | row_5 & high_11 & low_00
        | row_6 & (column_2 | high_01 & low_10 | high_11 & low_10)
        | row_7 & (column_2 | high_01 & low_00 | column_5);
    // mutant: let mut errors = escaped & !escaped;
    let mut errors = escaped & !known;
    if unicode.any() || carry.unicode_pending {
        let digits = unicode.advance::<1>(carry.unicode)
            | unicode.advance::<2>(carry.unicode)
            | unicode.advance::<3>(carry.unicode)
            // mutant: ;
            | unicode.advance::<4>(carry.unicode);
        let decimal = row_3 & !(b3 & (b2 | b1));
        let letter = from_40 & !b4 & !b3 & (b2 | b1 | b0) & !(b2 & b1 & b0);
        // mutant:
        errors = errors | digits & !(decimal | letter);
        carry.unicode = unicode;
        // mutant:
        carry.unicode_pending = unicode.any();
    }
    errors
}

/// Returns the bytes that are escaped by a backslash.
///
/// ```text
/// text       \ \ \ " a \ " b
/// starts     x . . . . x . .     a backslash that nothing escapes
/// escaped    . x . x . . x .     what follows a run's 1st, 3rd, 5th backslash
/// ```
///
/// One subtraction, whose borrow propagates through each run, distinguishes runs that start at even positions from those that
/// start at odd positions (Lemire, Langdale: simdjson 3.0, `json_escape_scanner`).
#[inline(always)]
pub(crate) fn escaped<K: Kernel>(kernel: K, carry: &mut u32, backslash: K::Word) -> K::Word {
    let zero = kernel.splat(0);
    let odd = kernel.splat(ODD);
    let first = kernel.first(*carry);
    // mutant: let starts = backslash;
    let starts = backslash & !first;
    let alternating = ((starts.advance::<1>(zero) | odd).subtract(starts)) ^ odd;
    // mutant: *carry = 0;
    *carry = (alternating & backslash).last();
    alternating ^ (backslash | first)
}

#[cfg(test)]
mod tests {
    use crate::grammar::pictures;

    /// Checks that the mask `name` of `text` has exactly the bytes that are marked with `true`.
    fn check_bytes(name: &str, text: &[(u8, bool)]) {
        let cells: Vec<_> = text.iter().map(|(byte, _)| format!("{byte:02X}")).collect();
        let marks: Vec<_> = text.iter().map(|&(_, marked)| if marked { "x" } else { "." }).collect();
        pictures::check(&format!("text {}\n{name} {}", cells.join(" "), marks.join(" ")));
    }

    #[test]
    fn strings_run_from_quote_to_quote() {
        pictures::check(
            r#"
            text        [ " a " , " \ " ] " , " \ \ " ] 1
            in_string   . x x . . x x x x . . x x x . . .
            quotes      . x . x . x . . . x . x . . x . .
            comma       . . . . x . . . . . x . . . . . .
            close       . . . . . . . . . . . . . . . x .
            bad_string  . . . . . . . . . . . . . . . . .
            "#,
        );
        pictures::check(
            r#"
            text        " " , " [ … , " :
            in_string   x . . x x … x . .
            comma       . . x . . … . . .
            open        . . . . . … . . .
            colon       . . . . . … . . x
            "#,
        );
    }

    #[test]
    fn every_second_backslash_escapes() {
        pictures::check(
            r#"
            text        " \ \ \ " a \ " b "
            quotes      x . . . . . . . . x
            bad_string  . . . . . . . . . .
            "#,
        );
        // One or two backslashes more than a superblock of them.
        pictures::check(
            r#"
            text        " \ … " "
            quotes      x . … . x
            "#,
        );
        pictures::check(
            r#"
            text        " \ \ … " ,
            quotes      x . . … x .
            "#,
        );
    }

    #[test]
    fn escapes() {
        pictures::check(
            r#"
            text        " \ u 0 0 e 9 \ u D 8 3 D \ u d e 0 0 "
            bad_string  . . . . . . . . . . . . . . . . . . . .
            "#,
        );
        pictures::check(
            r#"
            text        " \ u 0 0 e g \ u 0 0 0 \ \ \ u 0 "
            bad_string  . . . . . . x . . . . . x . . . . x
            "#,
        );
        let mut known = vec![(b'"', false)];
        let mut digits = known.clone();
        for byte in 0..=u8::MAX {
            known.extend([(b'\\', false), (byte, !b"\"\\/bfnrtu".contains(&byte))]);
            if byte == b'u' {
                known.extend([(b'0', false); 4]);
            }
            if !b"\"\\".contains(&byte) {
                digits.extend(b"\\u000".map(|byte| (byte, false)));
                digits.push((byte, !byte.is_ascii_hexdigit()));
            }
        }
        check_bytes("bad_string", &known);
        check_bytes("bad_string", &digits);
    }

    #[test]
    fn control_characters() {
        pictures::check(
            r#"
            text        " ␀ a ␊ ␟ ␠ 7F 80 " ␀ ␊
            bad_string  . x . x x . .  .  . . .
            whitespace  . . . . . . .  .  . . x
            letter      . . . . . . .  .  . x .
            "#,
        );
    }

    #[test]
    fn every_byte_has_its_class() {
        let classes: [(&str, &[u8]); 12] = [
            ("whitespace", b" \t\n\r"),
            ("comma", b","),
            ("colon", b":"),
            ("open", b"[{"),
            ("close", b"]}"),
            ("curly", b"{}"),
            ("digit", b"0123456789"),
            ("zero", b"0"),
            ("minus", b"-"),
            ("plus", b"+"),
            ("dot", b"."),
            ("exponent", b"eE"),
        ];
        // Bytes inside strings and escaped bytes have no class.
        let outside = || (0..=u8::MAX).filter(|byte| !b"\"\\".contains(byte));
        for (name, members) in classes {
            check_bytes(name, &outside().map(|byte| (byte, members.contains(&byte))).collect::<Vec<_>>());
        }
        let scalar = |byte| !b" \t\n\r,:[]{}".contains(&byte);
        check_bytes("scalar", &outside().map(|byte| (byte, scalar(byte))).collect::<Vec<_>>());
        let letter = |byte| scalar(byte) && !b"0123456789-+.eE".contains(&byte);
        check_bytes("letter", &outside().map(|byte| (byte, letter(byte))).collect::<Vec<_>>());
    }

    #[test]
    fn scalars_start_after_other_bytes() {
        pictures::check(
            r#"
            text          [ 1 2 , - 0 ] t r u e " a " x : \ y
            scalar        . x x . x x . x x x x . . . x . x x
            scalar_start  . x . . x . . x . . . . . . x . x .
            "#,
        );
        pictures::check(
            r#"
            text          7 7 … 8 ␠ … 9 7 "
            scalar_start  x . … . . … x . .
            "#,
        );
    }
}
