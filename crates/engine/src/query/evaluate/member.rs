//! Finds the member with a given key, 64 positions at a time.
//!
//! The closing quote of a key of *n* bytes is *n* + 1 positions after its opening quote. So one shift and one `and` find all
//! strings of the right length. Of these, only strings at the level of the object are compared with the key. Strings with
//! backslashes may be longer than the text that they represent, so all of them are compared.

#![forbid(unsafe_code)]

use crate::grammar::StringCarry;
use crate::grammar::Structure;
use crate::grammar::padded_superblock;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::query::evaluate::document::ValidatedDocument;
use crate::query::structure::EscapedStringCarry;
use crate::query::structure::bits_below;
use crate::query::structure::depth_after;
use crate::query::structure::remaining_levels;
use crate::query::syntax::Text;

/// Finds the value of the next member with a given key, from an offset that is inside an object and outside strings. If there is
/// none, returns the offset of the object's closing bracket as `Err`.
pub(super) struct FindMember<'m, 't> {
    document: ValidatedDocument<'t>,
    start: usize,
    name: &'m Text,
    /// Distance from the opening quote to the closing quote of the key, if it is written without escapes. Less than 64.
    length: u32,
}

impl<'m, 't> FindMember<'m, 't> {
    /// Searches for `name` from the offset `start`. `None` if `name` is too long.
    pub(super) fn new(document: ValidatedDocument<'t>, start: usize, name: &'m Text) -> Option<Self> {
        let length = u32::try_from(name.value().len() + 1).ok().filter(|&length| length < 64)?;
        Some(Self { document, start, name, length })
    }

    /// Returns the value after the string with its closing quote at `end`, if that string is the key sought.
    fn value(&self, end: usize, has_escapes: bool) -> Option<usize> {
        let Self { document, name, length, .. } = *self;
        let value = document.value_after(end)?;
        let is_equal = if has_escapes {
            name.is(document.slice(document.name_before(value)))
        } else {
            document.slice(end + 1 - length as usize..end) == name.value().as_bytes()
        };
        is_equal.then_some(value)
    }
}

impl Pass for FindMember<'_, '_> {
    type Output = Result<usize, usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Result<usize, usize> {
        let (mut strings, mut escapes) = (StringCarry::default(), EscapedStringCarry::default());
        let mut scratch = [0; 64 * MAX_LANES];
        let (mut depth, mut offset, mut last) = (1, self.start, 0);
        for part in self.document.slice_from(offset).chunks(K::SUPERBLOCK) {
            let superblock = padded_superblock::<K>(&mut scratch, part);
            let structure = strings.classify(kernel, superblock);
            let escaped = escapes.closing_quotes(structure).map_or([0; MAX_LANES], lanes);
            let Structure { open, close, quotes, in_string, .. } = structure;
            let after = remaining_levels(kernel, open, close, depth);
            let (starts, ends) = (lanes(quotes & in_string), lanes(quotes & !in_string));
            let (mut names, mut any) = ([0; MAX_LANES], 0);
            for lane in 0..K::Word::LANES {
                // mutant: names[lane] = ends[lane] & (starts[lane] << self.length | last >> (64 - self.length)) ;
                names[lane] = ends[lane] & (starts[lane] << self.length | last >> (64 - self.length)) | escaped[lane];
                any |= names[lane];
                // mutant:
                last = starts[lane];
            }
            if any != 0 {
                let end = after.err().unwrap_or(K::SUPERBLOCK);
                let (open, close) = (lanes(open), lanes(close));
                for lane in 0..end.div_ceil(64) {
                    let mut rest = names[lane];
                    while rest != 0 {
                        let position = rest.trailing_zeros();
                        rest &= rest - 1;
                        let (before, index) = (bits_below(position), 64 * lane + position as usize);
                        // mutant: if index < K::SUPERBLOCK
                        if index < end
                            // mutant:
                            && depth_after(depth, open[lane] & before, close[lane] & before) == 1
                            && let Some(value) = self.value(offset + index, escaped[lane] >> position & 1 == 1)
                        {
                            return Ok(value);
                        }
                    }
                    depth = depth_after(depth, open[lane], close[lane]);
                }
            }
            depth = after.map_err(|position| offset + position)?;
            offset += K::SUPERBLOCK;
        }
        // The object is not closed.
        Err(self.document.note_change())
    }
}

#[cfg(test)]
mod tests {
    use super::FindMember;
    use super::Text;
    use super::ValidatedDocument;
    use crate::kernel::Isa;
    use crate::query::evaluate::index::EvaluationState;

    fn find(document: &str, offset: usize, name: &str, isa: Isa) -> Option<usize> {
        let state = EvaluationState::default();
        let document = ValidatedDocument::new(document.as_bytes(), isa, &state);
        isa.run(FindMember::new(document, offset, &Text::new(name)).expect("a short name")).ok()
    }

    /// Finds members after text of all lengths, so that keys, values and levels cross the borders of words and superblocks.
    #[test]
    fn members_are_found_at_all_offsets() {
        let after = r#"":"x","y":{"x":[{"x":1}],"":{}},"s":["x","\"x\":"],"\u0078\\":2,"xx":6,":":":", "\u0078" : 3,"x" : 4},{"q":5}"#;
        for isa in Isa::available() {
            for before in 0..1100 {
                let text = format!("{{\"{}{after}", "a".repeat(before));
                for (name, value) in [("x", '3'), ("x\\", '2'), ("xx", '6')] {
                    assert_eq!(find(&text, 1, name, isa), text.find(value), "{name} after {before}, {isa}");
                }
                for name in ["a:", "q", "u0078", "]"] {
                    assert_eq!(find(&text, 1, name, isa), None, "{name} after {before}, {isa}");
                }
            }
        }
    }

    #[test]
    fn keys_up_to_62_bytes_are_found() {
        for length in 0..=62 {
            let name = "n".repeat(length);
            for before in [0, 1, 61, 64, 500] {
                let text = format!(r#"{{"{}?":0,"{name}n":1,"{name}":[]}}"#, "b".repeat(before));
                assert_eq!(find(&text, 1, &name, Isa::detect()), Some(text.len() - 3), "{length} after {before}");
            }
        }
        assert!(
            FindMember::new(
                ValidatedDocument::new(b"{}", Isa::detect(), &EvaluationState::default()),
                1,
                &Text::new("n".repeat(63))
            )
            .is_none()
        );
    }
}
