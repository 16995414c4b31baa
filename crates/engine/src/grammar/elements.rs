//! Finds commas between the elements of an array, from brackets and strings alone, at a fraction of the cost of validating the text.
//!
//! The text is not validated. For invalid text the comma that is found is arbitrary.

#![forbid(unsafe_code)]

use crate::grammar::structure::StringCarry;
use crate::grammar::structure::padded_superblock;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;

/// Finds the first comma of an array at or after the offset `from`.
pub(crate) struct NextElement<'t> {
    /// The text after a comma.
    pub(crate) text: &'t [u8],
    /// The number of open containers in the array at the start of the text.
    pub(crate) depth: usize,
    pub(crate) from: usize,
}

impl Pass for NextElement<'_> {
    /// The index after the comma. `None` if the array or the text ends before it. The end of the array may be missed if another
    /// one follows.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Self { text, depth, from } = self;
        let mut depth = i64::try_from(depth).unwrap_or(i64::MAX);
        let mut scratch = [0; 64 * MAX_LANES];
        let mut strings = StringCarry::default();
        for (number, part) in text.chunks(K::SUPERBLOCK).enumerate() {
            let known = strings.classify(kernel, padded_superblock::<K>(&mut scratch, part));
            let is_before = (number + 1) * K::SUPERBLOCK <= from;
            if is_before && !(known.open | known.close).any() {
                continue;
            }
            let [opens, closes, commas] = [known.open, known.close, known.comma].map(lanes);
            for lane in 0..K::SUPERBLOCK / 64 {
                let (open, close) = (opens[lane], closes[lane]);
                let closed = i64::from(kernel.count(close));
                let start = number * K::SUPERBLOCK + 64 * lane;
                if start + 64 <= from || depth > closed {
                    depth += i64::from(kernel.count(open)) - closed;
                    continue;
                }
                if depth < 0 {
                    return None;
                }
                let allowed = !0 << from.saturating_sub(start).min(63);
                let mut rest = open | close | commas[lane] & allowed;
                while rest != 0 {
                    let bit = rest & rest.wrapping_neg();
                    rest ^= bit;
                    if open & bit != 0 {
                        depth += 1;
                    } else if close & bit != 0 {
                        depth -= 1;
                    // mutant: } else {
                    } else if depth == 0 {
                        return Some(start + bit.trailing_zeros() as usize + 1);
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::NextElement;
    use crate::kernel::Isa;

    /// Reference implementation, byte by byte.
    fn plain(text: &[u8], mut depth: isize, from: usize) -> Option<usize> {
        let (mut in_string, mut escaped) = (false, false);
        for (index, &byte) in text.iter().enumerate() {
            match byte {
                b'"' if !escaped => in_string = !in_string,
                _ if in_string => {}
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                b',' if depth == 0 && index >= from => return Some(index + 1),
                _ => {}
            }
            if depth < 0 && index >= from {
                return None;
            }
            escaped = byte == b'\\' && !escaped;
        }
        None
    }

    #[test]
    fn agrees_with_the_reference() {
        let element = r#"{"a":[1,"],\"",{}],"b\\":"{,["},[[],"x,"],7,"#;
        for length in [0, 1, 40, 63, 64, 65, 500, 511, 513, 2000] {
            let text = [element, &format!("\"{}\",", "y".repeat(length)), &element.repeat(3), "8],9,"].concat();
            let ends = [("", 0), ("1]},", 2), ("\"]\"]}},", 3)];
            for (before, depth) in ends {
                let text = [before, &text].concat();
                for from in 0..=text.len() {
                    let expected = plain(text.as_bytes(), depth, from);
                    for isa in Isa::available() {
                        let found = isa.run(NextElement { text: text.as_bytes(), depth: depth.cast_unsigned(), from });
                        assert_eq!(found, expected, "{isa}, from {from}: {text}");
                    }
                }
            }
        }
    }
}
