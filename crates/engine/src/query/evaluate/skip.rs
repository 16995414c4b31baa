//! Finds the end of containers with masks: counts the brackets of a superblock at a time.

#![forbid(unsafe_code)]

use crate::grammar::StringCarry;
use crate::grammar::padded_superblock;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::query::structure::remaining_levels;

/// Finds the end of the outermost of `depth` open containers. `depth` is at least 1, and the text begins outside strings.
pub(super) struct CloseLevels<'t> {
    pub(super) text: &'t [u8],
    pub(super) depth: usize,
}

impl Pass for CloseLevels<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Self { text, mut depth } = self;
        let mut strings = StringCarry::default();
        let mut scratch = [0; 64 * MAX_LANES];
        let mut at = 0;
        for superblock in text.chunks(K::SUPERBLOCK) {
            let structure = strings.classify(kernel, padded_superblock::<K>(&mut scratch, superblock));
            depth = match remaining_levels(kernel, structure.open, structure.close, depth) {
                Ok(depth) => depth,
                Err(position) => return Some(at + position + 1),
            };
            at += K::SUPERBLOCK;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::CloseLevels;
    use crate::kernel::Isa;

    #[test]
    fn levels_of_all_lengths_are_closed() {
        for isa in Isa::available() {
            for length in 0..1500 {
                let text = format!("{}[\"]\\\"]\", {{}}]]] ]", "[1,2],".repeat(length / 6) + &" ".repeat(length % 6));
                for (depth, after) in [(1, Some(3)), (2, Some(2)), (3, Some(0)), (4, None)] {
                    let left = isa.run(CloseLevels { text: text.as_bytes(), depth });
                    assert_eq!(left, after.map(|after| text.len() - after), "{depth} in {text}");
                }
            }
        }
    }
}
