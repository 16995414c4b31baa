//! Equality classes: assigns each container of a document a class number, which is the same for equal containers.
//!
//! Containers are equal if their children are. So the innermost containers are classified first, and a container whose children
//! have the same classes and keys as those of an earlier one gets its class. Numbers and strings are compared by value. Hash
//! collisions do no harm, because the hashed data is compared in full.

#![forbid(unsafe_code)]

use crate::query::evaluate::document::ValidatedDocument;
use crate::query::evaluate::index::ContainerIndex;
use crate::query::evaluate::value::OperandValue;
use crate::scalar::hash_key;
use std::collections::HashMap;
use std::hash::Hash;
use std::hash::Hasher;
use std::mem;

/// The class of each container, indexed by its number in the [`ContainerIndex`].
pub(super) struct EqualityClasses(Vec<usize>);

impl EqualityClasses {
    /// Classifies all containers. `None` if out of memory.
    pub(super) fn new(document: ValidatedDocument<'_>, index: &ContainerIndex) -> Option<Self> {
        let mut classes = Vec::new();
        classes.try_reserve_exact(index.len()).ok()?;
        classes.resize(index.len(), 0);
        let mut scalars = HashMap::new();
        let mut containers: HashMap<Vec<MemberClass>, usize> = HashMap::new();
        let mut members = Vec::new();
        for number in (0..index.len()).rev() {
            let Some(mut children) = document.children(index.start(number)) else { continue };
            members.clear();
            while let Some(child) = children.next(document) {
                let name = match child.name {
                    Some(name) => class_of(&mut scalars, OperandValue::String(document.slice(name)))?,
                    None => 0,
                };
                let value = match OperandValue::at(document, child.start) {
                    OperandValue::Container(start) => index.number(start).map_or(0, |inside| 2 * classes[inside] + 1),
                    scalar => 2 * class_of(&mut scalars, scalar)?,
                };
                members.try_reserve(1).ok()?;
                members.push((name, value));
                children.skip_to(document.end(child.start));
            }
            if children.is_object() {
                // The sort is stable, so duplicate keys keep their order.
                // mutant:
                members.sort_by_key(|&(name, _)| name);
            }
            // A last entry that no member can have distinguishes objects from arrays.
            members.try_reserve(1).ok()?;
            // mutant: members.push((usize::MAX, 0));
            members.push((usize::MAX, usize::from(children.is_object())));
            classes[number] = if let Some(&class) = containers.get(&members) {
                class
            } else {
                let next = containers.len();
                containers.try_reserve(1).ok()?;
                let mut kept = Vec::new();
                kept.try_reserve_exact(members.len()).ok()?;
                kept.extend_from_slice(&members);
                containers.insert(kept, next);
                next
            };
        }
        Some(Self(classes))
    }

    /// Returns whether two containers, given by their numbers in the index, are equal.
    pub(super) fn are_equal(&self, left: usize, right: usize) -> bool {
        self.0.get(left) == self.0.get(right)
    }
}

/// The class of a key (0 in arrays) and that of a value (even for scalars, odd for containers).
type MemberClass = (usize, usize);

/// Returns the class of a scalar. `None` if out of memory.
fn class_of<'t>(scalars: &mut HashMap<Scalar<'t>, usize>, scalar: OperandValue<'t>) -> Option<usize> {
    scalars.try_reserve(1).ok()?;
    let next = scalars.len();
    Some(*scalars.entry(Scalar(scalar)).or_insert(next))
}

/// A key, or a value that is not a container.
#[derive(Clone, Copy)]
struct Scalar<'t>(OperandValue<'t>);

impl PartialEq for Scalar<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal_scalar(&other.0)
    }
}

impl Eq for Scalar<'_> {}

impl Hash for Scalar<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            OperandValue::String(text) => hash_key(text, state),
            OperandValue::Number(number) => number.hash(state),
            value => mem::discriminant(&value).hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EqualityClasses;
    use crate::kernel::Isa;
    use crate::query::evaluate::document::ValidatedDocument;
    use crate::query::evaluate::index::ContainerIndex;
    use crate::query::evaluate::index::EvaluationState;

    fn index_of<'n>(document: ValidatedDocument<'n>, state: &'n EvaluationState) -> &'n ContainerIndex {
        while state.index().is_none() {
            state.add_work(document, 1 << 10);
        }
        state.index().expect("it is there")
    }

    #[test]
    fn equal_containers_have_one_class() {
        let text = r#"[[],[ ],{},{ },[1,[2]],[1.0,[20e-1]],[2,[1]],[1],[1,1],["1"],[true],[null],[false],[[]],[{}],
            {"a":1,"b":[2]},{"b":[2.0],"\u0061":1e0},{"a":1},{"b":1},{"a":1,"a":2},{"\u0061":1,"a":2},{"a":2,"a":1},
            ["a"],["\u0061"],["\ud800"],["\ufffd"],[0],[-0.0],[100],[1e2],[10.0e1],[9007199254740993],[9007199254740992.0],
            [1e400],[10e399],[0.1],[0.10],[0.1000000000000000055511151231257827],[[0.5]],[0.5]]"#;
        let state = EvaluationState::default();
        let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
        let index = index_of(document, &state);
        let classes = EqualityClasses::new(document, index).expect("memory");
        let shallow = EvaluationState::default();
        let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &shallow);
        let (mut equal, mut different) = (0, 0);
        for left in 0..index.len() {
            for right in 0..index.len() {
                let expected = super::super::value::are_equal(document, index.start(left), index.start(right));
                assert_eq!(classes.are_equal(left, right), expected, "{} {}", index.start(left), index.start(right));
                if expected { equal += 1 } else { different += 1 }
            }
        }
        assert!(equal > index.len() + 20 && different > equal, "{equal} {different}");
    }
}
