//! How many outputs a node may have.

#![forbid(unsafe_code)]

use crate::ir::Cardinality;
use crate::ir::Cardinality::Many;
use crate::ir::Cardinality::One;
use crate::ir::Cardinality::Optional;
use crate::ir::FormatPart;
use crate::ir::MemberKey;
use crate::ir::Node;
use crate::ir::Op;

/// The most outputs of any of these.
fn most<'n>(nodes: impl IntoIterator<Item = &'n Node>) -> Cardinality {
    nodes.into_iter().map(|node| node.cardinality).max().unwrap_or(One)
}

pub(crate) fn cardinality(op: &Op) -> Cardinality {
    match op {
        Op::Identity
        | Op::Constant(_)
        | Op::Variable(_)
        | Op::Environment
        | Op::Fields(_)
        | Op::Pick(_)
        | Op::KindIn(_)
        | Op::Not
        | Op::Array(_)
        | Op::Any(..)
        | Op::IsEmpty(_)
        | Op::By(..)
        | Op::Add(_)
        | Op::AddAll(_)
        | Op::KindName
        | Op::Delete(_)
        | Op::Input
        | Op::ModuleMetadata
        | Op::Update(..) => One,
        Op::Empty | Op::First(_) | Op::Last(_) | Op::Error(None) | Op::Halt(None) | Op::Break(_) => Optional,
        Op::Error(Some(inner)) | Op::Halt(Some(inner)) => inner.cardinality.max(Optional),
        Op::Field(base, _, optional) => at_least(most([&**base]), *optional),
        Op::Index(base, key, optional) => at_least(most([&**base, key]), *optional),
        Op::Slice(base, from, to, optional) => at_least(most([&**base, from, to]), *optional),
        Op::Object(members) => members.iter().fold(One, |most, (key, value)| match key {
            MemberKey::Constant(_) => most.max(value.cardinality),
            MemberKey::Computed(key) => most.max(value.cardinality).max(key.cardinality),
        }),
        Op::Negate(inner) => inner.cardinality,
        Op::Pipe(left, right) | Op::Binary(_, left, right) | Op::And(left, right) | Op::Or(left, right) => {
            most([&**left, right])
        }
        Op::Try(body, None) => body.cardinality.max(Optional),
        Op::Try(body, Some(handler)) => most([&**body, handler]),
        Op::If(condition, then, otherwise) => most([&**condition, then, otherwise]),
        Op::Alternative(left, right) if left.cardinality != Many => right.cardinality,
        Op::Reduce(fold) => fold.init.cardinality,
        Op::Native(_, arguments) => most(arguments),
        Op::Format(_, parts) => most(parts.iter().filter_map(|part| match part {
            FormatPart::Text(_) => None,
            FormatPart::Value(node) => Some(node),
        })),
        Op::Assign(_, value) | Op::UpdateBinary(_, _, value) | Op::UpdateAlternative(_, value) => value.cardinality,
        Op::GetPath(path) => path.cardinality,
        Op::Walk(f) if f.cardinality == One => One,
        Op::Bind(source, patterns, body) if patterns.is_simple() => most([&**source, body]),
        _ => Many,
    }
}

fn at_least(cardinality: Cardinality, optional: bool) -> Cardinality {
    if optional { cardinality.max(Optional) } else { cardinality }
}
