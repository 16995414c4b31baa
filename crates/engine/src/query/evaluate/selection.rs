//! Decides whether a selector selects a child.

#![forbid(unsafe_code)]

use crate::query::evaluate::document::Child;
use crate::query::evaluate::document::Children;
use crate::query::evaluate::scope::Scope;
use crate::query::syntax::Selector;
use crate::query::syntax::Slice;

/// Returns whether the selector selects `child` of `container`. If a key is duplicate, a name selector selects all its members
/// here; callers have to skip all but the first in a child segment.
pub(super) fn selects(selector: &Selector, child: &Child, container: &mut Children, scope: &mut Scope<'_>) -> bool {
    let document = scope.document;
    match (selector, &child.name) {
        (Selector::Wildcard, _) => true,
        (Selector::Filter(test), _) => scope.test(test, child.start),
        (Selector::Name(name) | Selector::Token { name, .. }, Some(found)) => name.is(document.slice(found.clone())),
        (Selector::Index(index), None) if *index < 0 => child.index == container.length(document) + index,
        (Selector::Index(index) | Selector::Token { index: Some(index), .. }, None) => child.index == *index,
        (Selector::Slice(slice), None) => {
            // If no bound is counted from the end, the length does not matter.
            let length = if slice.needs_length() { container.length(document) } else { i64::MAX };
            slice.selects(child.index, length)
        }
        (Selector::Name(_) | Selector::Token { index: None, .. }, None)
        | (Selector::Index(_) | Selector::Slice(_), Some(_)) => false,
    }
}

/// Returns whether the selector has a name. If a key is duplicate, this selector selects only its first member in a child segment.
pub(super) fn is_name(selector: &Selector) -> bool {
    matches!(selector, Selector::Name(_) | Selector::Token { .. })
}

impl Slice {
    /// Returns whether the selection depends on the length of the array.
    fn needs_length(self) -> bool {
        let is_negative = |bound: Option<i64>| bound.is_some_and(|bound| bound < 0);
        self.step < 0 || is_negative(self.start) || is_negative(self.end)
    }

    /// Returns whether the slice selects the element at `index` of an array of `length` elements (RFC 9535, section 2.3.4.2).
    fn selects(self, index: i64, length: i64) -> bool {
        // mutant: let from_start = |bound: i64| if bound < 0 { length - bound } else { bound };
        let from_start = |bound: i64| if bound < 0 { length + bound } else { bound };
        match self.step {
            0 => false,
            1.. => {
                let start = self.start.map_or(0, from_start).clamp(0, length);
                let end = self.end.map_or(length, from_start).clamp(0, length);
                (start..end).contains(&index) && (index - start) % self.step == 0
            }
            _ => {
                let start = self.start.map_or(length - 1, from_start).clamp(-1, length - 1);
                let end = self.end.map_or(-1, from_start).clamp(-1, length - 1);
                (end < index && index <= start) && (start - index) % self.step == 0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Slice;

    #[test]
    fn slices_select() {
        for (start, end, step, expected) in [
            (None, None, 1, &[0, 1, 2, 3, 4][..]),
            (Some(1), Some(3), 1, &[1, 2]),
            (Some(5), None, 1, &[]),
            (Some(1), None, 2, &[1, 3]),
            (Some(-2), None, 1, &[3, 4]),
            (None, Some(-2), 1, &[0, 1, 2]),
            (Some(-9), Some(9), 1, &[0, 1, 2, 3, 4]),
            (None, None, -1, &[0, 1, 2, 3, 4]),
            (Some(5), Some(1), -2, &[2, 4]),
            (Some(3), None, -2, &[1, 3]),
            (Some(-1), Some(-3), -1, &[3, 4]),
            (None, None, 0, &[]),
            (Some(3), Some(1), 1, &[]),
            (None, None, i64::MIN, &[4]),
            (Some(i64::MAX), Some(i64::MIN + 6), -1, &[0, 1, 2, 3, 4]),
        ] {
            let slice = Slice { start, end, step };
            let selected: Vec<_> = (0..5).filter(|&index| slice.selects(index, 5)).collect();
            assert_eq!(selected, expected, "{slice:?}");
        }
    }
}
