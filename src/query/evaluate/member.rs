//! To the member with a name, past all others: names are looked for 64 positions at a time.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::query::evaluate::document::Document;
use crate::query::structure::Escapes;
use crate::query::structure::Strings;
use crate::query::structure::Structure;
use crate::query::structure::below;
use crate::query::structure::deeper;
use crate::query::structure::left;
use crate::query::structure::whole;
use crate::query::syntax::Text;

/// Finds where the value of the next member with this name begins, from a place inside of an object that is outside of strings;
/// or else the end of the object.
pub(super) struct Member<'m, 't> {
    document: Document<'t>,
    place: usize,
    name: &'m Text,
    /// From the opening quote of the name to the closing one, as long as no escape is in it: less than 64.
    length: u32,
}

impl<'m, 't> Member<'m, 't> {
    /// Nothing if the name is too long.
    pub(super) fn new(document: Document<'t>, place: usize, name: &'m Text) -> Option<Self> {
        let length = u32::try_from(name.value().len() + 1).ok().filter(|&length| length < 64)?;
        Some(Self { document, place, name, length })
    }

    /// The value behind the string that ends with the quote at `end`, if that is the name of a member and says what is wanted.
    fn value(&self, end: usize, has_escapes: bool) -> Option<usize> {
        let Self { document, name, length, .. } = *self;
        let value = document.value_behind(end)?;
        let is_it = if has_escapes {
            name.is(document.between(document.name_before(value)))
        } else {
            document.between(end + 1 - length as usize..end) == name.value().as_bytes()
        };
        is_it.then_some(value)
    }
}

impl Pass for Member<'_, '_> {
    type Output = Result<usize, usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Result<usize, usize> {
        let (mut strings, mut escapes) = (Strings::default(), Escapes::default());
        let mut scratch = [0; 64 * MAX_LANES];
        let (mut depth, mut place, mut last) = (1, self.place, 0);
        for part in self.document.from(place).chunks(K::SUPERBLOCK) {
            let superblock = whole::<K>(&mut scratch, part);
            let (structure, backslash, comma) = strings.classify(kernel, superblock);
            let escaped = escapes.ends(structure, backslash, comma).map_or([0; MAX_LANES], lanes);
            let Structure { open, close, quotes, in_string } = structure;
            let behind = left(kernel, open, close, depth);
            let (starts, ends) = (lanes(quotes & in_string), lanes(quotes & !in_string));
            let (mut names, mut any) = ([0; MAX_LANES], 0);
            for lane in 0..K::Word::LANES {
                names[lane] = ends[lane] & (starts[lane] << self.length | last >> (64 - self.length)) | escaped[lane];
                any |= names[lane];
                last = starts[lane];
            }
            if any != 0 {
                let end = behind.err().unwrap_or(K::SUPERBLOCK);
                let (open, close) = (lanes(open), lanes(close));
                for lane in 0..end.div_ceil(64) {
                    let mut rest = names[lane];
                    while rest != 0 {
                        let position = rest.trailing_zeros();
                        rest &= rest - 1;
                        let (before, index) = (below(position), 64 * lane + position as usize);
                        if index < end
                            && deeper(depth, open[lane] & before, close[lane] & before) == 1
                            && let Some(value) = self.value(place + index, escaped[lane] >> position & 1 == 1)
                        {
                            return Ok(value);
                        }
                    }
                    depth = deeper(depth, open[lane], close[lane]);
                }
            }
            depth = behind.map_err(|position| place + position)?;
            place += K::SUPERBLOCK;
        }
        // The object is not closed.
        Err(self.document.note_change())
    }
}

#[cfg(test)]
mod tests {
    use super::Document;
    use super::Member;
    use super::Text;
    use crate::kernel::Isa;
    use crate::query::evaluate::index::EvaluationState;

    fn find(document: &str, place: usize, name: &str, isa: Isa) -> Option<usize> {
        let state = EvaluationState::default();
        let document = Document::new(document.as_bytes(), isa, &state);
        isa.run(Member::new(document, place, &Text::new(name)).expect("a short name")).ok()
    }

    /// Behind text of all lengths, so that names, values and levels lie across the borders of words and superblocks.
    #[test]
    fn members_are_found_wherever_they_are() {
        let behind = r#"":"x","y":{"x":[{"x":1}],"":{}},"s":["x","\"x\":"],"\u0078\\":2,"xx":6,":":":", "\u0078" : 3,"x" : 4},{"q":5}"#;
        for isa in Isa::available() {
            for before in 0..1100 {
                let text = format!("{{\"{}{behind}", "a".repeat(before));
                for (name, value) in [("x", '3'), ("x\\", '2'), ("xx", '6')] {
                    assert_eq!(find(&text, 1, name, isa), text.find(value), "{name} behind {before}, {isa}");
                }
                for name in ["a:", "q", "u0078", "]"] {
                    assert_eq!(find(&text, 1, name, isa), None, "{name} behind {before}, {isa}");
                }
            }
        }
    }

    #[test]
    fn names_up_to_62_bytes_are_taken() {
        for length in 0..=62 {
            let name = "n".repeat(length);
            for before in [0, 1, 61, 64, 500] {
                let text = format!(r#"{{"{}?":0,"{name}n":1,"{name}":[]}}"#, "b".repeat(before));
                assert_eq!(find(&text, 1, &name, Isa::detect()), Some(text.len() - 3), "{length} behind {before}");
            }
        }
        assert!(
            Member::new(
                Document::new(b"{}", Isa::detect(), &EvaluationState::default()),
                1,
                &Text::new("n".repeat(63))
            )
            .is_none()
        );
    }
}
