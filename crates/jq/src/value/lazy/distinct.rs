//! Whether the keys of an object differ, which most objects tell at a glance.

#![forbid(unsafe_code)]

use fjson::Tokens;

use crate::value::lazy::Source;

/// What is known of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distinct {
    /// It differs from those before it.
    Yes,
    /// It may be one of those before it.
    Unknown,
}

/// Marks of the keys of an object: a bit for each, chosen by the length, the first and the last bytes. Two keys with the same bit are
/// not necessarily the same, so that all keys are then compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SeenKeys {
    bits: [u64; 8],
    /// Whether all keys of the object have been compared.
    is_settled: bool,
}

impl SeenKeys {
    /// Adds a key. Once the answer was [`Distinct::Unknown`], the keys are taken to have been compared.
    #[inline(always)]
    pub(crate) fn add(&mut self, source: &Source, tokens: Tokens<'_, '_>, key: usize) -> Distinct {
        if self.is_settled {
            return Distinct::Yes;
        }
        let mark = if source.has_escapes && tokens.has_escapes(key) {
            let text = source.string(key);
            mark(text.as_bytes(), 0, text.len())
        } else {
            let positions = tokens.positions();
            mark(tokens.text(), positions[key] as usize + 1, positions[key + 1] as usize)
        };
        let word = &mut self.bits[mark >> 6];
        let bit = 1 << (mark & 63);
        if *word & bit != 0 {
            self.is_settled = true;
            return Distinct::Unknown;
        }
        *word |= bit;
        Distinct::Yes
    }
}

/// Returns the number of a bit for a key: the bytes from `start` to `end`.
#[inline(always)]
fn mark(text: &[u8], start: usize, end: usize) -> usize {
    let length = end - start;
    let eight = |at: usize| text.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
    let mixed = if length >= 8 {
        eight(start).unwrap_or_default() ^ eight(end - 8).unwrap_or_default().rotate_left(29)
    } else {
        match eight(start) {
            Some(bytes) => bytes & ((1 << (8 * length)) - 1),
            None => {
                text[start..end].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)).swap_bytes()
                    >> (8 * (8 - length) % 64)
            }
        }
    };
    ((mixed ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize
}

#[cfg(test)]
mod tests {
    use super::mark;

    /// The mark does not depend on what is around the key.
    #[test]
    fn a_key_has_one_mark() {
        for length in 0..20 {
            let key = &b"abcdefghijklmnopqrstuvwxyz"[..length];
            let expected = mark(key, 0, length);
            for (before, after) in [(0, 20), (3, 0), (5, 7), (1, 30)] {
                let text = ["x".repeat(before).as_bytes(), key, "\"".repeat(after).as_bytes()].concat();
                assert_eq!(mark(&text, before, before + length), expected, "{length} {before} {after}");
            }
        }
    }
}
