//! Comparison and hashing of unescaped keys: `"a"` equals `"\u0061"`.
//!
//! Nothing is allocated. Keys without escapes are compared as bytes; the others are unescaped byte by byte during the
//! comparison. Lone surrogates are compared as code points, so different keys are never equal.

#![forbid(unsafe_code)]

use std::cmp::Ordering;
use std::hash::Hasher;

use crate::scalar::pieces::Piece;
use crate::scalar::pieces::Pieces;
use crate::scalar::pieces::encode;
use crate::scalar::unescape::Surrogates;
use crate::scalar::unescape::has_escapes;
use crate::scalar::unescape::unescape;

/// Whether two keys are equal when unescaped. Both are given without their quotes.
///
/// ```
/// use fjson::scalar::same_key;
///
/// assert!(same_key(br"caf\u00e9", "café".as_bytes()));
/// assert!(!same_key(b"a", br"\\u0061"));
/// ```
#[must_use]
#[inline]
pub fn same_key(left: &[u8], right: &[u8]) -> bool {
    // An escape has at most six times as many bytes as its character. So a long key is not searched for each short one.
    let may_be_same = left.len() / 6 <= right.len() && right.len() / 6 <= left.len();
    left == right
        || may_be_same && (has_escapes(left) || has_escapes(right)) && Unescaped::new(left).eq(Unescaped::new(right))
}

/// Whether one of the keys has an escape before the end of the shorter one. If not, the bytes before that end, or else the lengths,
/// decide the order.
#[inline]
fn have_early_escapes(left: &[u8], right: &[u8]) -> bool {
    let shared = left.len().min(right.len());
    has_escapes(&left[..shared]) || has_escapes(&right[..shared])
}

/// Compares two keys by code point, which is the order of their UTF-8.
///
/// ```
/// use std::cmp::Ordering;
/// use fjson::scalar::compare_keys;
///
/// assert_eq!(compare_keys(br"\u0062", b"a"), Ordering::Greater);
/// assert_eq!(compare_keys(br"\ufb33", br"\ud83d\ude00"), Ordering::Less);
/// ```
#[must_use]
#[inline]
pub fn compare_keys(left: &[u8], right: &[u8]) -> Ordering {
    if have_early_escapes(left, right) { Unescaped::new(left).cmp(Unescaped::new(right)) } else { left.cmp(right) }
}

/// Compares two keys by UTF-16 code unit, as RFC 8785 requires.
///
/// This differs from the order by code point if a character above U+FFFF is compared with one from U+E000 to U+FFFF.
///
/// ```
/// use std::cmp::Ordering;
/// use fjson::scalar::compare_keys_utf16;
///
/// assert_eq!(compare_keys_utf16(br"\ufb33", br"\ud83d\ude00"), Ordering::Greater);
/// ```
#[must_use]
#[inline]
pub fn compare_keys_utf16(left: &[u8], right: &[u8]) -> Ordering {
    if have_early_escapes(left, right) {
        return Units::new(left).cmp(Units::new(right));
    }
    match left.iter().zip(right).find(|(left, right)| left != right) {
        // A four-byte character has a high surrogate, which is less than the characters that begin with EE or EF. For all
        // other first differences, the order of the bytes is correct, because UTF-8 has no surrogates.
        // mutant: Some((&left, &right)) if left >= 0xee && right >= 0xee => left.cmp(&right),
        Some((&left, &right)) if left >= 0xee && right >= 0xee => (left < 0xf0, left).cmp(&(right < 0xf0, right)),
        _ => left.cmp(right),
    }
}

/// Whether the text of a string with escapes has this value.
#[cold]
pub(crate) fn is_value(text: &[u8], value: &str) -> bool {
    // A value with a backslash must not be taken for the text of a string.
    if value.contains('\\') {
        return unescape(text, Surrogates::Refuse).is_ok_and(|text| *text == *value.as_bytes());
    }
    same_key(text, value.as_bytes())
}

/// Number of bytes that are passed to the hasher at once.
const CHUNK: usize = 64;

/// Feeds an unescaped key to a hasher. Equal keys have equal hashes, however they are escaped.
///
/// ```
/// use std::hash::{DefaultHasher, Hasher};
/// use fjson::scalar::hash_key;
///
/// let [mut plain, mut escaped] = [DefaultHasher::new(), DefaultHasher::new()];
/// hash_key(b"a", &mut plain);
/// hash_key(br"\u0061", &mut escaped);
/// assert_eq!(plain.finish(), escaped.finish());
/// ```
#[inline]
pub fn hash_key(key: &[u8], hasher: &mut impl Hasher) {
    if has_escapes(key) {
        let (mut chunk, mut filled) = ([0; CHUNK], 0);
        for byte in Unescaped::new(key) {
            chunk[filled] = byte;
            filled += 1;
            if filled == CHUNK {
                hasher.write(&chunk);
                filled = 0;
            }
        }
        if filled > 0 {
            hasher.write(&chunk[..filled]);
        }
        // Like `str`, so that no key is a prefix of another.
        hasher.write_u8(0xff);
    } else {
        hash_unescaped(key, hasher);
    }
}

/// Feeds the value of a key to a hasher, like [`hash_key`] its text.
#[inline]
pub(crate) fn hash_unescaped(value: &[u8], hasher: &mut impl Hasher) {
    // The result may depend on how the bytes are divided into calls, so both functions make the same calls.
    for chunk in value.chunks(CHUNK) {
        hasher.write(chunk);
    }
    hasher.write_u8(0xff);
}

/// The bytes of an unescaped key in UTF-8, with lone surrogates as in WTF-8. A backslash that does not begin an escape
/// sequence is kept.
pub(super) struct Unescaped<'t> {
    pieces: Pieces<'t>,
    run: std::slice::Iter<'t, u8>,
    /// Remaining bytes of the current escape, the next in the lowest byte.
    escape: u32,
    /// Number of remaining bytes of the current escape.
    left: usize,
}

impl<'t> Unescaped<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { pieces: Pieces::new(text), run: [].iter(), escape: 0, left: 0 }
    }

    /// Returns the next code point.
    #[inline]
    pub(super) fn next_code(&mut self) -> Option<u32> {
        let lead = u32::from(self.next()?);
        let (start, more) = match lead {
            0..0xc0 => (lead, 0),
            0xc0..0xe0 => (lead & 0x1f, 1),
            0xe0..0xf0 => (lead & 0x0f, 2),
            _ => (lead & 0x07, 3),
        };
        Some(self.by_ref().take(more).fold(start, |code, byte| code << 6 | u32::from(byte) & 0x3f))
    }
}

impl Iterator for Unescaped<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if let Some(&byte) = self.run.next() {
            return Some(byte);
        }
        if self.left == 0 {
            match self.pieces.next()? {
                Piece::Run(run) => {
                    self.run = run.iter();
                    return self.run.next().copied();
                }
                Piece::Stray => return Some(b'\\'),
                Piece::Escape(code) => {
                    let (bytes, length) = encode(code);
                    (self.escape, self.left) = (u32::from_le_bytes(bytes), length);
                }
            }
        }
        let [byte, ..] = self.escape.to_le_bytes();
        self.escape >>= 8;
        self.left -= 1;
        Some(byte)
    }
}

/// The UTF-16 code units of an unescaped key.
struct Units<'t> {
    bytes: Unescaped<'t>,
    /// Low surrogate of a pair whose high surrogate has been returned.
    low: Option<u32>,
}

impl<'t> Units<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { bytes: Unescaped::new(text), low: None }
    }
}

impl Iterator for Units<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if let Some(low) = self.low.take() {
            return Some(low);
        }
        let code = self.bytes.next_code()?;
        let Some(offset) = code.checked_sub(0x1_0000) else { return Some(code) };
        self.low = Some(0xdc00 + (offset & 0x3ff));
        Some(0xd800 + (offset >> 10))
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;
    use std::hash::DefaultHasher;
    use std::hash::Hasher;

    use super::compare_keys;
    use super::compare_keys_utf16;
    use super::hash_key;
    use super::same_key;
    use crate::scalar::Surrogates;
    use crate::scalar::unescape;

    /// Returns all keys of up to three atoms, which cover all combinations that matter.
    fn keys() -> Vec<String> {
        let atoms =
            ["a", r"\u0061", "é", r"\u00e9", r"\ud83d", r"\ude00", "😀", "\u{e000}", "\u{ffff}", r"\uFFFF", r"\n"];
        let mut keys = vec![String::new()];
        for start in 0..3 {
            let longest: Vec<_> = keys.iter().filter(|key| start == 0 || !key.is_empty()).cloned().collect();
            keys.extend(longest.iter().flat_map(|key| atoms.map(|atom| format!("{key}{atom}"))));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Returns the UTF-16 code units of UTF-8.
    fn units(value: &[u8]) -> Vec<u16> {
        let mut units = Vec::new();
        for chunk in value.utf8_chunks() {
            units.extend(chunk.valid().encode_utf16());
        }
        units
    }

    #[test]
    fn keys_compare_as_their_unescaped_values() {
        let keys = keys();
        let values: Vec<_> =
            keys.iter().map(|key| unescape(key.as_bytes(), Surrogates::Keep).expect("escapes").into_owned()).collect();
        // All pairs of about 1,000 keys would take too long; a stride that is coprime to their number covers all kinds.
        for (left, left_value) in keys.iter().zip(&values) {
            for (right, right_value) in keys.iter().zip(&values).step_by(13) {
                let (left, right) = (left.as_bytes(), right.as_bytes());
                assert_eq!(same_key(left, right), left_value == right_value);
                assert_eq!(compare_keys(left, right), left_value.cmp(right_value));
                if let (Ok(_), Ok(_)) = (str::from_utf8(left_value), str::from_utf8(right_value)) {
                    assert_eq!(compare_keys_utf16(left, right), units(left_value).cmp(&units(right_value)));
                }
            }
        }
    }

    #[test]
    fn both_orders_include_lone_surrogates() {
        let by_code_point = [r"\ud7ff", r"\ud83c", r"\ud83d", r"\ud83da", r"\ude00", r"\ue000", r"\ud83d\ude00"];
        let by_code_unit =
            [r"\ud7ff", r"\ud83c", r"\ud83d", r"\ud83da", r"\ud83d\ude00", r"\ud83d\ue000", r"\ude00", r"\ue000"];
        for (order, compare) in
            [(&by_code_point[..], compare_keys as fn(&[u8], &[u8]) -> Ordering), (&by_code_unit, compare_keys_utf16)]
        {
            assert!(order.is_sorted_by(|left, right| compare(left.as_bytes(), right.as_bytes()).is_lt()));
        }
    }

    #[test]
    fn equal_keys_have_equal_hashes() {
        let hash = |key: &str| {
            let mut hasher = DefaultHasher::new();
            hash_key(key.as_bytes(), &mut hasher);
            hasher.finish()
        };
        for length in [0, 1, 62, 63, 64, 65, 200] {
            let plain = "a".repeat(length);
            assert_eq!(hash(&format!("{plain}é")), hash(&format!(r"{plain}\u00e9")));
            assert_eq!(hash(&format!("é{plain}")), hash(&format!(r"\u00e9{plain}")));
            assert_ne!(hash(&plain), hash(&format!("{plain}a")));
        }
    }

    #[test]
    fn invalid_escapes_are_kept() {
        assert!(same_key(br"\q", br"\q"));
        assert!(!same_key(br"\q", b"q"));
        assert!(same_key(br"\q\u0061", br"\qa"));
    }
}
