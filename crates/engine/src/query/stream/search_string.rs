//! A key or string to search for, prepared for matching in masks and bytes.

#![forbid(unsafe_code)]

use crate::query::stream::masks::HISTORY;
use crate::query::syntax::Text;

/// The longest search string in bytes that a plan supports. Written entirely as `\u` escapes it takes six times as many bytes, and must
/// still fit into the history of the masks.
pub(super) const MAX_LENGTH: usize = (64 * (HISTORY - 1) - 2) / 6;

/// The value of a key or string to search for.
#[derive(Clone, Debug)]
pub(super) struct SearchString {
    text: Text,
    /// Distance from the opening to the closing quote of a string that equals it, in lanes (`lanes`) and positions (`shift`).
    pub(super) lanes: usize,
    pub(super) shift: u32,
    /// Two of its bytes, and their distances from the closing quote. The empty string has its opening quote instead.
    pub(super) probes: [(u8, usize); 2],
    /// Its last eight bytes, or all of them, in the most significant bytes.
    tail: u64,
    /// Number of low bits of `tail` that are not part of the string.
    unused: u32,
    /// Whether a string without a backslash can equal it.
    plain: bool,
    /// A bit for each ASCII character in it, and whether it has other characters.
    letters: u128,
    others: bool,
    /// Possible values of the third hexadecimal digit of a `\u` escape of one of its characters.
    rows: Vec<u8>,
}

impl SearchString {
    /// Returns `None` if the text is longer than [`MAX_LENGTH`].
    pub(super) fn new(text: &Text) -> Option<Self> {
        let bytes = text.value().as_bytes();
        let length = bytes.len();
        if length > MAX_LENGTH {
            return None;
        }
        let probe = |back: usize| (bytes.get(length.wrapping_sub(back)).copied().unwrap_or(b'"'), back);
        let mut tail = [0; 8];
        let short = length.min(8);
        tail[8 - short..].copy_from_slice(&bytes[length - short..]);
        let letters: u128 = bytes.iter().filter(|byte| byte.is_ascii()).fold(0, |letters, &byte| letters | 1 << byte);
        let others = !bytes.is_ascii();
        let digits = b"0123456789abcdefABCDEF".iter().zip(0..);
        let rows = digits.filter(|&(_, row)| others || row < 8 && letters >> (16 * row) & 0xffff != 0);
        Some(Self {
            lanes: (length + 1) / 64,
            shift: u32::try_from((length + 1) % 64).ok()?,
            probes: [probe(1), probe(1 + length / 3)],
            tail: u64::from_le_bytes(tail),
            unused: u32::try_from(8 * (8 - short)).ok()?,
            plain: !bytes.iter().any(|byte| matches!(byte, 0..0x20 | b'"' | b'\\')),
            rows: rows.map(|(&digit, _)| digit).collect(),
            letters,
            others,
            text: text.clone(),
        })
    }

    pub(super) fn text(&self) -> &[u8] {
        self.text.value().as_bytes()
    }

    /// Whether the raw text between two quotes equals the string when it is unescaped.
    #[cold]
    pub(super) fn is(&self, raw: &[u8]) -> bool {
        self.text.is(raw)
    }

    #[inline(always)]
    pub(super) fn length(&self) -> usize {
        self.text.value().len()
    }

    /// Whether a string without a backslash can equal it.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Returns the bytes that may follow a backslash in an optional escape of one of its characters: `u`, and `/` if it
    /// contains a slash.
    #[inline(always)]
    pub(super) fn escaped_letters(&self) -> [u8; 2] {
        // mutant: [b'u', b'u']
        [b'u', if self.letters >> b'/' & 1 == 1 { b'/' } else { b'u' }]
    }

    /// Returns the possible third digits of an escape that [may stand](Self::may_have) for one of its characters.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[u8] {
        &self.rows
    }

    /// Whether the `\u` escape with these digits may stand for one of its characters, or for half of a surrogate pair.
    #[inline(always)]
    pub(super) fn may_have(&self, digits: [u8; 4]) -> bool {
        let digit = |digit: u8| u32::from((digit & 15) + if digit >= b'A' { 9 } else { 0 });
        let code = digits.iter().fold(0, |code, &byte| code << 4 | digit(byte));
        if code < 0x80 { self.letters >> code & 1 == 1 } else { self.others }
    }

    /// Returns the greatest length of a raw string, without quotes, that equals the string.
    pub(super) fn most_raw(&self) -> usize {
        6 * self.length()
    }

    /// Whether a string may equal it, judging by the eight bytes before its closing quote.
    #[inline(always)]
    pub(super) fn has_tail(&self, bytes: [u8; 8]) -> bool {
        // The shift is 64 for the empty string.
        (u64::from_le_bytes(bytes) ^ self.tail).checked_shr(self.unused).is_none_or(|rest| rest == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::MAX_LENGTH;
    use super::SearchString;
    use super::Text;

    #[test]
    fn tails() {
        let string = SearchString::new(&Text::new("label")).expect("short enough");
        assert!(string.has_tail(*b"xx\"label") && !string.has_tail(*b"xx\"labem") && !string.has_tail(*b"xx\"mabel"));
        let string = SearchString::new(&Text::new("a longer label")).expect("short enough");
        assert!(string.has_tail(*b"er label") && !string.has_tail(*b"xr label"));
        assert!(
            SearchString::new(&Text::new(""))
                .is_some_and(|string| string.has_tail(*b"anything") && string.shift == 1 && string.lanes == 0)
        );
    }

    #[test]
    fn escapes_may_stand_for_letters() {
        for (text, has, has_not) in [
            (
                "a_z/",
                &["0061", "005f", "005F", "007a", "007A", "002f"][..],
                &["003c", "0060", "00e9", "d83d", "0161"][..],
            ),
            ("é", &["00e9", "00E9", "d83d"], &["0061", "0065", "0000"]),
            ("", &[], &["0000", "00e9"]),
        ] {
            let string = SearchString::new(&Text::new(text)).expect("short enough");
            let may_have = |digits: &&str| string.may_have(*digits.as_bytes().first_chunk().expect("four digits"));
            assert!(has.iter().all(may_have) && !has_not.iter().any(may_have), "{string:?}");
            assert!(has.iter().all(|digits| string.rows().contains(&digits.as_bytes()[2])), "{string:?}");
        }
    }

    #[test]
    fn what_only_escapes_can_say_is_not_plain() {
        for (text, plain) in [("", true), ("a\u{7f}é", true), ("\"", false), ("a\\n", false), ("\n", false)] {
            assert_eq!(SearchString::new(&Text::new(text)).map(|string| string.is_plain()), Some(plain), "{text:?}");
        }
    }

    #[test]
    fn strings_may_be_long() {
        let text = "x".repeat(MAX_LENGTH);
        assert!(
            SearchString::new(&Text::new(text.as_str())).is_some_and(|string| string.lanes == (MAX_LENGTH + 1) / 64)
        );
        assert!(SearchString::new(&Text::new(text + "x")).is_none());
    }
}
