//! Finds the strings and brackets of a superblock, without validating the text.
//!
//! This is enough to skip text that is already validated or that is trusted to be valid. `stream/` and `evaluate/` use it.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Word;
use crate::kernel::lanes;

/// The odd bit positions. In a run of backslashes that starts at an even position, the bytes at odd positions are escaped.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// A buffer for a superblock of any kernel.
pub(super) type Scratch = [u8; 64 * MAX_LANES];

/// Returns `part` as a whole superblock. If it is shorter, as the last part of a text may be, copies it to `scratch` and pads it
/// with spaces.
#[inline(always)]
pub(super) fn padded<'s, K: Kernel>(scratch: &'s mut Scratch, part: &'s [u8]) -> &'s [u8] {
    if part.len() == K::SUPERBLOCK {
        return part;
    }
    scratch[..part.len()].copy_from_slice(part);
    scratch[part.len()..K::SUPERBLOCK].fill(b' ');
    &scratch[..K::SUPERBLOCK]
}

/// The strings and brackets of a superblock, as masks.
#[derive(Clone, Copy)]
pub(super) struct Structure<W> {
    /// Opening brackets (`{` and `[`) outside strings.
    pub(super) open: W,
    /// Closing brackets (`}` and `]`) outside strings.
    pub(super) close: W,
    /// Unescaped quotes: those that open or close a string.
    pub(super) quotes: W,
    /// Each string from its opening quote to the byte before its closing quote.
    pub(super) in_string: W,
}

/// State that [`classify`](Self::classify) carries from one superblock to the next. The default is outside strings.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strings {
    /// 1 if a string is open, otherwise 0.
    in_string: u32,
    /// 1 if the next byte is escaped, otherwise 0.
    escape: u32,
}

impl Strings {
    /// Returns whether a string is open.
    pub(super) fn is_inside(self) -> bool {
        self.in_string == 1
    }

    /// Updates the state for text that is skipped. `odd`: whether the text has an odd number of unescaped quotes. `escapes`:
    /// whether it ends with a backslash that escapes the byte after it.
    pub(super) fn pass(&mut self, odd: bool, escapes: bool) {
        self.in_string ^= u32::from(odd);
        self.escape = u32::from(escapes);
    }

    /// Finds strings and brackets. Also returns the backslashes and the commas outside strings. The backslashes are `None` if
    /// the superblock has none and does not begin with an escaped byte.
    #[inline(always)]
    pub(super) fn classify<K: Kernel>(
        &mut self,
        kernel: K,
        superblock: &[u8],
    ) -> (Structure<K::Word>, Option<K::Word>, K::Word) {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = kernel.planes(superblock);
        // The high nibble of a byte is its row in an ASCII table, the low nibble its column.
        let row_2 = !b7 & !b6 & b5 & !b4;
        let column_c = b3 & b2 & !b1 & !b0;
        let rows_5_and_7 = !b7 & b6 & b4;
        let backslash = rows_5_and_7 & !b5 & column_c;
        let mut quotes = row_2 & !b3 & !b2 & b1 & !b0;
        let mut escapes = None;
        if backslash.any() || self.escape != 0 {
            // An escaped backslash at the start does not escape the next byte.
            let first = kernel.first(self.escape);
            let starts = backslash & !first;
            // The backslashes that escape a byte, and the escaped bytes that are not backslashes. simdjson calls this mask
            // `escape_and_terminal_code`.
            let odd = kernel.splat(ODD);
            let alternating = (starts.advance::<1>(kernel.splat(0)) | odd).subtract(starts) ^ odd;
            self.escape = (alternating & backslash).last();
            quotes = quotes & !(alternating ^ (backslash | first));
            escapes = Some(backslash);
        }
        let in_string = quotes.prefix_xor(&mut self.in_string);
        let outside = rows_5_and_7 & !in_string;
        let open = outside & b3 & !b2 & b1 & b0;
        let close = outside & b3 & b2 & !b1 & b0;
        (Structure { open, close, quotes, in_string }, escapes, row_2 & column_c & !in_string)
    }
}

/// Finds the closing brackets of leaves. A leaf is a container that holds no other container and opens and closes in the same
/// lane.
///
/// ```text
/// text    [ 1 , [ 2 ] , 3 ]
/// open    x . . x . . . . .
/// close   . . . . . x . . x
/// result  . . . . . x . . .
/// ```
///
/// A carry runs from each opening bracket through the bytes that are not brackets. If it lands on a closing bracket, that bracket
/// closes a leaf.
#[inline(always)]
pub(super) fn leaf_closers<W: Word>(open: W, close: W) -> W {
    let others = !(open | close);
    open.add_lanes(open).add_lanes(others) & !others & close
}

/// Returns a mask of the bits below `position`.
#[inline(always)]
pub(super) fn below(position: u32) -> u64 {
    (1 << position) - 1
}

/// Returns the depth after the brackets `open` and `close`, from the `depth` before them.
#[inline(always)]
pub(super) fn deeper(depth: usize, open: u64, close: u64) -> usize {
    (depth + open.count_ones() as usize).wrapping_sub(close.count_ones() as usize)
}

/// Returns the position of the bracket in a lane that closes the outermost of `depth` open levels, or 64 if none does. `ends` are
/// the candidates: all closing brackets, or all that do not close leaves.
///
/// Each open level needs a closing bracket, so the first `depth - 1` candidates are skipped without looking at them.
#[expect(clippy::cast_possible_truncation, reason = "at most 64")]
#[inline(always)]
pub(super) fn fall<K: Kernel>(kernel: K, open: u64, close: u64, ends: u64, depth: usize) -> u32 {
    let mut number = depth;
    loop {
        if number > ends.count_ones() as usize {
            return 64;
        }
        let position = kernel.nth(ends, number as u32 - 1);
        let below = below(position);
        let before = deeper(depth, open & below, close & below);
        if before == 1 {
            return position;
        }
        // This candidate closes one level. Each of the other open levels needs one more.
        number += before - 1;
    }
}

/// Returns the number of levels that are open after the brackets of a superblock, from the `depth` before them. If the outermost
/// level is closed, returns the position of its closing bracket as `Err`.
#[inline(always)]
pub(super) fn left<K: Kernel>(kernel: K, open: K::Word, close: K::Word, depth: usize) -> Result<usize, usize> {
    let ends = close & !leaf_closers(open, close);
    let (outlets, depth_after) = kernel.outlets([open, close], ends, depth);
    if outlets == 0 {
        return Ok(depth_after);
    }
    let (open, close, ends) = (lanes(open), lanes(close), lanes(ends));
    let mut depth = depth;
    for lane in 0..K::Word::LANES {
        if outlets >> lane & 1 == 1 {
            let position = fall(kernel, open[lane], close[lane], ends[lane], depth);
            if position < 64 {
                return Err(64 * lane + position as usize);
            }
        }
        depth = deeper(depth, open[lane], close[lane]);
    }
    Ok(depth_after)
}

/// State that [`Escapes::ends`] carries from one superblock to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escapes {
    /// Whether a string is open.
    inside: bool,
    /// Whether the open string has a backslash.
    escaped: bool,
}

impl Escapes {
    /// Updates the state for text whose strings are not needed. `inside`: whether the text ends inside a string.
    pub(super) fn pass(&mut self, inside: bool) {
        self.inside = inside;
        self.escaped = false;
    }

    /// Returns whether a string with a backslash is open.
    pub(super) fn is_escaped(self) -> bool {
        self.escaped
    }

    /// Finds the closing quotes of strings that have a backslash. `None` if there are none, or if none of these strings can be
    /// a key, because a comma or closing bracket directly follows each of them.
    ///
    /// A carry runs from each opening quote through the string and lands on its first backslash or its closing quote.
    #[inline(always)]
    pub(super) fn ends<W: Word>(&mut self, structure: Structure<W>, backslash: Option<W>, comma: W) -> Option<W> {
        let Structure { close, quotes, in_string, .. } = structure;
        let zero = close & !close;
        let ends_inside = in_string.last() == 1;
        if backslash.is_none() && !self.escaped {
            self.inside = ends_inside;
            return None;
        }
        let not_backslash = in_string & !backslash.unwrap_or(zero);
        let mut carry = u32::from(self.inside && !self.escaped);
        let landed = (quotes & in_string).add(not_backslash, &mut carry) & !not_backslash;
        self.inside = ends_inside;
        self.escaped = ends_inside && carry == 0;
        let ends = quotes & !in_string & !landed;
        let candidates = ends.advance::<1>(zero) & !(close | comma);
        (candidates.any() || ends.last() == 1).then_some(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::Escapes;
    use super::Structure;
    use super::leaf_closers;
    use crate::kernel::Isa;
    use crate::kernel::Kernel;
    use crate::kernel::Pass;
    use crate::kernel::Word;
    use crate::kernel::lanes;

    /// Returns a mask of the bytes in `wanted`, for a superblock filled with copies of `text`.
    fn word<K: Kernel>(kernel: K, text: &[u8], wanted: &[u8]) -> K::Word {
        let bytes: Vec<u8> =
            text.iter().map(|byte| u8::from(wanted.contains(byte))).cycle().take(K::SUPERBLOCK).collect();
        kernel.planes(&bytes)[0]
    }

    struct Leaves;

    impl Pass for Leaves {
        type Output = ();

        fn run<K: Kernel>(self, kernel: K) {
            let text = b"[{\"a\":[1]},[],2]][{}[[]     x   [ ]]]}     [{{{}}}     []  []   ";
            assert_eq!(text.len(), 64);
            let (open, close) = (word(kernel, text, b"{["), word(kernel, text, b"]}"));
            let mut last = None;
            let mut expected = 0;
            for (index, byte) in text.iter().enumerate() {
                match byte {
                    b'[' | b'{' => last = Some(true),
                    b']' | b'}' => expected |= u64::from(last.replace(false) == Some(true)) << index,
                    _ => {}
                }
            }
            assert_eq!(lanes(leaf_closers(open, close))[0], expected);
        }
    }

    struct EscapedKeys;

    impl Pass for EscapedKeys {
        type Output = ();

        /// Finds strings with and without backslashes, after strings of all lengths.
        fn run<K: Kernel>(self, kernel: K) {
            for before in 0..2 * K::SUPERBLOCK {
                let mut text = format!("\"{}\"", "a".repeat(before)).into_bytes();
                let shift = text.len();
                text.extend_from_slice(br#":"\\b":"c":"d\\" :"e\\","f\\"]"\\\\"  "g""#);
                text.resize(text.len().next_multiple_of(K::SUPERBLOCK), b' ');
                let mut escapes = Escapes::default();
                let (mut inside, mut found) = (false, Vec::new());
                for (index, superblock) in text.chunks(K::SUPERBLOCK).enumerate() {
                    // No quote is escaped here.
                    let strings: Vec<u8> = superblock
                        .iter()
                        .map(|&byte| {
                            inside ^= byte == b'"';
                            u8::from(inside)
                        })
                        .collect();
                    let in_string = kernel.planes(&strings)[0];
                    let outside = !in_string;
                    let structure = Structure {
                        open: word(kernel, superblock, b"[{") & outside,
                        close: word(kernel, superblock, b"]}") & outside,
                        quotes: word(kernel, superblock, b"\""),
                        in_string,
                    };
                    let backslash = word(kernel, superblock, b"\\");
                    let backslash = backslash.any().then_some(backslash);
                    let comma = word(kernel, superblock, b",") & outside;
                    let ends = escapes.ends(structure, backslash, comma);
                    for (lane, bits) in ends.map(lanes).into_iter().flatten().enumerate() {
                        let offset = |bit: usize| index * K::SUPERBLOCK + 64 * lane + bit;
                        found.extend((0..64).filter(|bit| bits >> bit & 1 == 1).map(offset));
                    }
                }
                let closing_quote = |string: &str| {
                    let at =
                        text.windows(string.len()).position(|window| window == string.as_bytes()).expect("it is there");
                    at + string.len() - 1
                };
                for string in [r#""\\b""#, r#""d\\""#, r#""\\\\""#] {
                    assert!(found.contains(&closing_quote(string)), "{string} after {shift}");
                }
                for string in [r#""c""#, r#""g""#] {
                    assert!(!found.contains(&closing_quote(string)), "{string} after {shift}");
                }
            }
        }
    }

    #[test]
    fn keys_with_backslashes_are_found() {
        for isa in Isa::available() {
            isa.run(EscapedKeys);
        }
    }

    #[test]
    fn leaf_closers_are_found() {
        for isa in Isa::available() {
            isa.run(Leaves);
        }
    }
}
