//! Names compared by what they say, not by how they are written: `"a"` is `"\u0061"`.
//!
//! Nothing is allocated. Names without escapes are compared as bytes; the others are unescaped byte by byte while they are
//! compared. Lone surrogates take part as the code points they are, so no two different names are ever the same.

#![forbid(unsafe_code)]

use std::cmp::Ordering;
use std::hash::Hasher;

use crate::scalar::pieces::Piece;
use crate::scalar::pieces::Pieces;
use crate::scalar::pieces::encode;
use crate::scalar::unescape::has_escapes;

/// Whether two names, in the text of strings without their quotes, are the same.
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
    left == right || (has_escapes(left) || has_escapes(right)) && Unescaped::new(left).eq(Unescaped::new(right))
}

/// The order of two names by code point, which is the order of their UTF-8.
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
    if has_escapes(left) || has_escapes(right) {
        Unescaped::new(left).cmp(Unescaped::new(right))
    } else {
        left.cmp(right)
    }
}

/// The order of two names by UTF-16 code unit, which RFC 8785 asks for.
///
/// It differs from the order by code point where a character beyond U+FFFF meets one from U+E000 to U+FFFF.
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
    if has_escapes(left) || has_escapes(right) {
        return Units::new(left).cmp(Units::new(right));
    }
    match left.iter().zip(right).find(|(left, right)| left != right) {
        // Where leading bytes of four-byte characters meet EE or EF, the high surrogates come first. All other bytes that
        // differ first are in order: surrogates stand in no UTF-8.
        Some((&left, &right)) if left >= 0xee && right >= 0xee => (left < 0xf0, left).cmp(&(right < 0xf0, right)),
        _ => left.cmp(right),
    }
}

/// Bytes that are hashed at once.
const CHUNK: usize = 64;

/// Feeds a name to a hasher. Names that are the same are fed alike, however they are written.
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
pub fn hash_key(name: &[u8], hasher: &mut impl Hasher) {
    if has_escapes(name) {
        let (mut chunk, mut filled) = ([0; CHUNK], 0);
        for byte in Unescaped::new(name) {
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
    } else {
        // A hasher may tell one call from two: both ways make the same calls.
        for chunk in name.chunks(CHUNK) {
            hasher.write(chunk);
        }
    }
    // As `str` does: no name is the beginning of another.
    hasher.write_u8(0xff);
}

/// The bytes of a name without its escapes: UTF-8, lone surrogates as in WTF-8. A backslash that begins no escape stands
/// for itself.
struct Unescaped<'t> {
    pieces: Pieces<'t>,
    run: std::slice::Iter<'t, u8>,
    /// What is left of an escape, the next byte lowest.
    escape: u32,
    left: usize,
}

impl<'t> Unescaped<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { pieces: Pieces::new(text), run: [].iter(), escape: 0, left: 0 }
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

/// The UTF-16 code units of a name without its escapes.
struct Units<'t> {
    bytes: Unescaped<'t>,
    /// The second half of a pair of which the first has been given.
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
        let lead = u32::from(self.bytes.next()?);
        let (start, more) = match lead {
            0..0xc0 => (lead, 0),
            0xc0..0xe0 => (lead & 0x1f, 1),
            0xe0..0xf0 => (lead & 0x0f, 2),
            _ => (lead & 0x07, 3),
        };
        let code = self.bytes.by_ref().take(more).fold(start, |code, byte| code << 6 | u32::from(byte) & 0x3f);
        let Some(beyond) = code.checked_sub(0x1_0000) else { return Some(code) };
        self.low = Some(0xdc00 + (beyond & 0x3ff));
        Some(0xd800 + (beyond >> 10))
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

    /// Every name of up to three of these, which meet each other in all the ways that matter.
    fn names() -> Vec<String> {
        let atoms =
            ["a", r"\u0061", "é", r"\u00e9", r"\ud83d", r"\ude00", "😀", "\u{e000}", "\u{ffff}", r"\uFFFF", r"\n"];
        let mut names = vec![String::new()];
        for start in 0..3 {
            let longest: Vec<_> = names.iter().filter(|name| start == 0 || !name.is_empty()).cloned().collect();
            names.extend(longest.iter().flat_map(|name| atoms.map(|atom| format!("{name}{atom}"))));
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The UTF-16 code units of WTF-8.
    fn units(value: &[u8]) -> Vec<u16> {
        let mut units = Vec::new();
        for chunk in value.utf8_chunks() {
            units.extend(chunk.valid().encode_utf16());
        }
        units
    }

    #[test]
    fn comparing_is_unescaping_and_comparing() {
        let names = names();
        let values: Vec<_> = names
            .iter()
            .map(|name| unescape(name.as_bytes(), Surrogates::Keep).expect("escapes").into_owned())
            .collect();
        // Every pair of 1,000 names costs too much; a stride that is prime to their count meets all kinds.
        for (left, left_value) in names.iter().zip(&values) {
            for (right, right_value) in names.iter().zip(&values).step_by(13) {
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
    fn lone_surrogates_have_their_place_in_both_orders() {
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
    fn the_same_names_hash_alike() {
        let hash = |name: &str| {
            let mut hasher = DefaultHasher::new();
            hash_key(name.as_bytes(), &mut hasher);
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
    fn what_is_no_escape_stands_for_itself() {
        assert!(same_key(br"\q", br"\q"));
        assert!(!same_key(br"\q", b"q"));
        assert!(same_key(br"\q\u0061", br"\qa"));
    }
}
