//! Finds commas between the elements of an array, from brackets and strings alone, at a fraction of the cost of validating the text.
//!
//! The text is not validated. For invalid text the commas that are found are arbitrary.

#![forbid(unsafe_code)]

use crate::grammar::extent::top_level;
use crate::grammar::stream::positions;
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

/// Puts each element of an array on a line of its own. The text begins with an element and ends after a comma.
///
/// Commas after elements become line breaks, and line breaks become tabs, which are valid in the same places. So all offsets stay the
/// same, and if there is a valid document before each comma, the text was a sequence of elements.
pub(crate) struct ElementLines<'t, 'l> {
    pub(crate) text: &'t [u8],
    pub(crate) lines: &'l mut Vec<u8>,
}

impl Pass for ElementLines<'_, '_> {
    /// The number of commas.
    type Output = u64;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u64 {
        let Self { text, lines } = self;
        lines.clear();
        lines.extend_from_slice(text);
        let (mut depth, mut elements) = (0, 0);
        let mut scratch = [0; 64 * MAX_LANES];
        let mut strings = StringCarry::default();
        for (part, copy) in text.chunks(K::SUPERBLOCK).zip(lines.chunks_mut(K::SUPERBLOCK)) {
            let superblock = padded_superblock::<K>(&mut scratch, part);
            let known = strings.classify(kernel, superblock);
            let [opens, closes, commas] = [known.open, known.close, known.comma].map(lanes);
            let (blocks, _) = superblock.as_chunks::<64>();
            for (lane, (block, copy)) in blocks.iter().zip(copy.chunks_mut(64)).enumerate() {
                for position in positions(kernel.equal(block, b'\n')) {
                    copy[position] = b'\t';
                }
                let ends = commas[lane] & top_level(&mut depth, opens[lane], closes[lane]);
                // mutant: for position in positions(commas[lane]) {
                for position in positions(ends) {
                    copy[position] = b'\n';
                }
                elements += u64::from(kernel.count(ends));
            }
        }
        elements
    }
}

#[cfg(test)]
mod tests {
    use super::ElementLines;
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

    /// Elements with commas, brackets and line breaks inside, so long that these fall on every border of blocks.
    #[test]
    fn each_element_is_on_a_line() {
        for length in (0..600).chain([4095, 4096, 5000]) {
            let elements = [
                "[1,[2],\n3]",
                "{\"a,\\\"]\":[{},\n{\"b\":[]}]}",
                &format!("\"{}\"", "],".repeat(length)),
                "7",
                " ",
                "",
            ];
            let text = elements.map(|element| format!("{element},")).concat();
            let expected = elements.map(|element| element.replace('\n', "\t") + "\n").concat();
            for isa in Isa::available() {
                let mut lines = b"earlier".to_vec();
                assert_eq!(isa.run(ElementLines { text: text.as_bytes(), lines: &mut lines }), 6);
                assert_eq!(String::from_utf8_lossy(&lines), expected, "{isa}");
            }
        }
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
