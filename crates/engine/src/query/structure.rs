//! Levels and strings with escapes in the masks of a superblock, for `stream/` and `evaluate/`.

#![forbid(unsafe_code)]

use crate::grammar::Structure;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::kernel::lanes;

/// Returns the closing brackets of leaves: containers that contain no other and open in the same lane.
///
/// ```text
/// text    [ 1 , [ 2 ] , 3 ]
/// open    x . . x . . . . .
/// close   . . . . . x . . x
/// result  . . . . . x . . .
/// ```
///
/// After each opening bracket, a carry runs over everything that is not a bracket. If it ends at a closing bracket, that bracket
/// closes a leaf.
#[inline(always)]
pub(super) fn leaf_closers<W: Word>(open: W, close: W) -> W {
    let others = !(open | close);
    open.add_lanes(open).add_lanes(others) & !others & close
}

/// Returns a mask of the bits below `position`.
#[inline(always)]
pub(super) fn bits_below(position: u32) -> u64 {
    (1 << position) - 1
}

/// Returns the depth after the brackets `open` and `close`.
#[inline(always)]
pub(super) fn depth_after(depth: usize, open: u64, close: u64) -> usize {
    (depth + open.count_ones() as usize).wrapping_sub(close.count_ones() as usize)
}

/// Returns the position of the bracket that closes the outermost of `depth` levels, or 64 if there is none. `ends` are the
/// candidates: all of `close`, or all but those of leaves.
#[expect(clippy::cast_possible_truncation, reason = "at most the number of bits")]
#[inline(always)]
pub(super) fn closing_position<K: Kernel>(kernel: K, open: u64, close: u64, ends: u64, depth: usize) -> u32 {
    let mut number = depth;
    loop {
        if number > ends.count_ones() as usize {
            return 64;
        }
        let position = kernel.nth(ends, number as u32 - 1);
        let below = bits_below(position);
        let before = depth_after(depth, open & below, close & below);
        if before == 1 {
            return position;
        }
        // Each level that is still open needs one more closing bracket.
        number += before - 1;
    }
}

/// Returns how many of `depth` levels are open after the brackets of a superblock. `Err` is the position of the bracket that
/// closes the outermost of them.
#[inline(always)]
pub(super) fn remaining_levels<K: Kernel>(
    kernel: K,
    open: K::Word,
    close: K::Word,
    depth: usize,
) -> Result<usize, usize> {
    let ends = close & !leaf_closers(open, close);
    let (closing_lanes, remaining) = kernel.closing_lanes([open, close], ends, depth);
    if closing_lanes == 0 {
        return Ok(remaining);
    }
    let (open, close, ends) = (lanes(open), lanes(close), lanes(ends));
    let mut depth = depth;
    for lane in 0..K::Word::LANES {
        if closing_lanes >> lane & 1 == 1 {
            let position = closing_position(kernel, open[lane], close[lane], ends[lane], depth);
            // mutant: if position == 65 {
            if position < 64 {
                return Err(64 * lane + position as usize);
            }
        }
        depth = depth_after(depth, open[lane], close[lane]);
    }
    Ok(remaining)
}

/// The state of [`closing_quotes`](Self::closing_quotes) between superblocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EscapedStringCarry {
    /// Whether a string is open.
    inside: bool,
    /// Whether it holds a backslash.
    escaped: bool,
}

impl EscapedStringCarry {
    /// Records that text was skipped whose strings are not needed. `inside`: it ends inside a string.
    pub(super) fn skip(&mut self, inside: bool) {
        self.inside = inside;
        self.escaped = false;
    }

    /// Whether a string with a backslash is open.
    pub(super) fn is_escaped(self) -> bool {
        self.escaped
    }

    /// Returns the closing quotes of strings with a backslash. `None` if there are none, or if none of these strings can be a
    /// key because a comma or closing bracket follows each of them directly.
    ///
    /// From each opening quote, a carry runs through the string to its first backslash or its closing quote.
    #[inline(always)]
    pub(super) fn closing_quotes<W: Word>(&mut self, structure: Structure<W>) -> Option<W> {
        let Structure { close, comma, quotes, in_string, backslash, .. } = structure;
        let nothing = close & !close;
        let ends_inside = in_string.last() == 1;
        if backslash.is_none() && !self.escaped {
            self.inside = ends_inside;
            return None;
        }
        let class = in_string & !backslash.unwrap_or(nothing);
        let mut carry = u32::from(self.inside && !self.escaped);
        let landed = (quotes & in_string).add(class, &mut carry) & !class;
        self.inside = ends_inside;
        // mutant: self.escaped = false;
        self.escaped = ends_inside && carry == 0;
        let ends = quotes & !in_string & !landed;
        let names = ends.advance::<1>(nothing) & !(close | comma);
        (names.any() || ends.last() == 1).then_some(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::EscapedStringCarry;
    use super::leaf_closers;
    use crate::grammar::Structure;
    use crate::kernel::Isa;
    use crate::kernel::Kernel;
    use crate::kernel::Pass;
    use crate::kernel::Word;
    use crate::kernel::lanes;

    /// Returns a mask of the bytes of `text`, repeated to fill a superblock, that are one of `wanted`.
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

    struct Names;

    impl Pass for Names {
        type Output = ();

        /// Strings with and without backslashes, after strings of all lengths.
        fn run<K: Kernel>(self, kernel: K) {
            for before in 0..2 * K::SUPERBLOCK {
                let mut text = format!("\"{}\"", "a".repeat(before)).into_bytes();
                let shift = text.len();
                text.extend_from_slice(br#":"\\b":"c":"d\\" :"e\\","f\\"]"\\\\"  "g""#);
                text.resize(text.len().next_multiple_of(K::SUPERBLOCK), b' ');
                let mut escapes = EscapedStringCarry::default();
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
                    let backslash = word(kernel, superblock, b"\\");
                    let structure = Structure {
                        open: word(kernel, superblock, b"[{") & outside,
                        close: word(kernel, superblock, b"]}") & outside,
                        comma: word(kernel, superblock, b",") & outside,
                        quotes: word(kernel, superblock, b"\""),
                        in_string,
                        backslash: backslash.any().then_some(backslash),
                    };
                    let ends = escapes.closing_quotes(structure);
                    for (lane, bits) in ends.map(lanes).into_iter().flatten().enumerate() {
                        let of = |bit: usize| index * K::SUPERBLOCK + 64 * lane + bit;
                        found.extend((0..64).filter(|bit| bits >> bit & 1 == 1).map(of));
                    }
                }
                let quote = |name: &str| {
                    let at =
                        text.windows(name.len()).position(|window| window == name.as_bytes()).expect("it is there");
                    at + name.len() - 1
                };
                for name in [r#""\\b""#, r#""d\\""#, r#""\\\\""#] {
                    assert!(found.contains(&quote(name)), "{name} after {shift}");
                }
                for name in [r#""c""#, r#""g""#] {
                    assert!(!found.contains(&quote(name)), "{name} after {shift}");
                }
            }
        }
    }

    #[test]
    fn names_with_backslashes_are_found() {
        for isa in Isa::available() {
            isa.run(Names);
        }
    }

    #[test]
    fn leaf_closers_are_found() {
        for isa in Isa::available() {
            isa.run(Leaves);
        }
    }
}
