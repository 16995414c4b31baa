//! Over containers in one go: brackets are counted 64 at a time.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::query::structure::Strings;
use crate::query::structure::left;
use crate::query::structure::whole;

/// Finds the place behind the closing bracket that leaves so many containers (at least one), in a text that begins outside of
/// strings.
pub(super) struct Leave<'t> {
    pub(super) text: &'t [u8],
    pub(super) depth: usize,
}

impl Pass for Leave<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Self { text, mut depth } = self;
        let mut strings = Strings::default();
        let mut scratch = [0; 64 * MAX_LANES];
        let mut at = 0;
        for superblock in text.chunks(K::SUPERBLOCK) {
            let (structure, ..) = strings.classify(kernel, whole::<K>(&mut scratch, superblock));
            depth = match left(kernel, structure.open, structure.close, depth) {
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
    use super::Leave;
    use crate::kernel::Isa;

    #[test]
    fn containers_of_all_lengths_are_left() {
        for isa in Isa::available() {
            for length in 0..1500 {
                let text = format!("{}[\"]\\\"]\", {{}}]]] ]", "[1,2],".repeat(length / 6) + &" ".repeat(length % 6));
                for (depth, behind) in [(1, Some(3)), (2, Some(2)), (3, Some(0)), (4, None)] {
                    let left = isa.run(Leave { text: text.as_bytes(), depth });
                    assert_eq!(left, behind.map(|behind| text.len() - behind), "{depth} in {text}");
                }
            }
        }
    }
}
