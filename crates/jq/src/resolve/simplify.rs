//! Shapes of expressions that have a faster node.

#![forbid(unsafe_code)]

use crate::ir::Cardinality;
use crate::ir::Constant;
use crate::ir::MOST_PICKED;
use crate::ir::MemberKey;
use crate::ir::Node;
use crate::ir::Op;
use crate::resolve::cardinality::cardinality;
use crate::syntax::ast::BinaryOp;
use crate::value::Kind;

/// Returns an operation that does the same.
pub(super) fn simplified(op: Op, constants: &[Constant]) -> Op {
    match op {
        Op::Field(base, key, false) => match base.op {
            Op::Identity => Op::Fields(vec![key]),
            Op::Fields(mut keys) => {
                keys.push(key);
                Op::Fields(keys)
            }
            _ => Op::Field(base, key, false),
        },
        Op::Pipe(first, second) => piped(*first, *second),
        Op::Object(members) => picked(members),
        Op::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
            match kinds_named(&left.op, &right.op, constants) {
                Some(kinds) => Op::KindIn(if op == BinaryOp::Equal { kinds } else { !kinds }),
                None => Op::Binary(op, left, right),
            }
        }
        op => op,
    }
}

/// The kinds whose name is a constant, if an operand is `type` and the other one this constant.
fn kinds_named(left: &Op, right: &Op, constants: &[Constant]) -> Option<u8> {
    let (Op::KindName, Op::Constant(at)) = (left, right) else { return None };
    let Constant::String(name) = &constants[*at] else { return None };
    let kinds = [Kind::Null, Kind::Boolean, Kind::Number, Kind::String, Kind::Array, Kind::Object];
    Some(kinds.iter().filter(|kind| kind.name() == name).fold(0, |set, kind| set | kind.bit()))
}

/// A pipe, or one operation that does what both do.
fn piped(first: Node, second: Node) -> Op {
    let (of_first, of_second) = (first.cardinality, second.cardinality);
    let node = |op: Op, cardinality| Box::new(Node { op, cardinality });
    match joined(first.op, second.op) {
        Ok(op) => op,
        Err((first, Op::Pipe(middle, last))) => {
            let of_middle = middle.cardinality;
            match joined(first, middle.op) {
                Ok(op) => Op::Pipe(node(op, of_first.max(of_middle)), last),
                Err((first, middle)) => {
                    let rest = Op::Pipe(node(middle, of_middle), last);
                    Op::Pipe(node(first, of_first), node(rest, of_second))
                }
            }
        }
        Err((first, second)) => Op::Pipe(node(first, of_first), node(second, of_second)),
    }
}

/// The kinds of values for which an operation may have outputs or errors.
fn kinds_with_outputs(op: &Op) -> u8 {
    let (object, null) = (Kind::Object.bit(), Kind::Null.bit());
    match op {
        Op::Field(base, _, true) if matches!(base.op, Op::Identity) => object | null,
        Op::Iterate(base, true) if matches!(base.op, Op::Identity) => object | Kind::Array.bit(),
        // The member of `null` is null, for which the alternative is taken.
        Op::Alternative(left, right) if matches!(right.op, Op::Empty) => match &left.op {
            Op::Field(base, _, true) if matches!(base.op, Op::Identity) => object,
            _ => u8::MAX,
        },
        _ => u8::MAX,
    }
}

/// One operation that does what two in a row do, or both again.
fn joined(first: Op, second: Op) -> Result<Op, (Op, Op)> {
    match (first, second) {
        (Op::Identity, op) | (op, Op::Identity) => Ok(op),
        (Op::Fields(mut keys), Op::Fields(more)) => {
            keys.extend(more);
            Ok(Op::Fields(keys))
        }
        (Op::Fields(keys), Op::Iterate(base, optional)) => match base.op {
            Op::Identity | Op::Fields(_) => {
                let more = if let Op::Fields(more) = base.op { more } else { Vec::new() };
                let keys = keys.into_iter().chain(more).collect();
                let base = Node { op: Op::Fields(keys), cardinality: Cardinality::One };
                Ok(Op::Iterate(Box::new(base), optional))
            }
            _ => Err((Op::Fields(keys), Op::Iterate(base, optional))),
        },
        (Op::RecurseAll(kinds), Op::If(condition, then, otherwise)) => match (&condition.op, &then.op, &otherwise.op) {
            (Op::KindIn(wanted), Op::Identity, Op::Empty) => Ok(Op::RecurseAll(kinds & wanted)),
            _ => Err((Op::RecurseAll(kinds), Op::If(condition, then, otherwise))),
        },
        (Op::RecurseAll(kinds), op) if kinds_with_outputs(&op) & kinds != kinds => {
            let all = Node { op: Op::RecurseAll(kinds & kinds_with_outputs(&op)), cardinality: Cardinality::Many };
            Ok(Op::Pipe(Box::new(all), Box::new(Node { cardinality: cardinality(&op), op })))
        }
        (Op::Array(items), Op::Add(inner)) => match &inner.op {
            Op::Iterate(base, false) if matches!(base.op, Op::Identity) => Ok(Op::AddAll(items)),
            _ => Err((Op::Array(items), Op::Add(inner))),
        },
        both => Err(both),
    }
}

/// An object of members of the input becomes one node.
fn picked(members: Vec<(MemberKey, Node)>) -> Op {
    let key = |at: usize| match &members[at].0 {
        MemberKey::Constant(key) => Some(&*key.text),
        MemberKey::Computed(_) => None,
    };
    let is_picked = members.len() <= MOST_PICKED
        && (0..members.len()).all(|at| {
            let value = &members[at].1.op;
            matches!(value, Op::Fields(keys) if !keys.is_empty())
                && key(at).is_some()
                && (0..at).all(|it| key(it) != key(at))
        });
    if !is_picked {
        return Op::Object(members);
    }
    let pick = |member| match member {
        (MemberKey::Constant(key), Node { op: Op::Fields(keys), .. }) => Some((key, keys)),
        _ => None,
    };
    Op::Pick(members.into_iter().filter_map(pick).collect())
}
