//! Builtins that are nodes of their own: those that take expressions, and those that belong to the evaluator.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::builtins;
use crate::eval::NATIVES;
use crate::ir::By;
use crate::ir::Constant;
use crate::ir::Node;
use crate::ir::Op;
use crate::resolve::Definitions;
use crate::resolve::Resolver;
use crate::resolve::scope::Scope;
use crate::syntax::Fault;
use crate::syntax::ast::Expr;
use crate::value::Kind;

/// Their names and numbers of parameters.
const NAMES: &[(&str, usize)] = &[
    ("add", 0),
    ("add", 1),
    ("all", 0),
    ("all", 1),
    ("all", 2),
    ("any", 0),
    ("any", 1),
    ("any", 2),
    ("arrays", 0),
    ("booleans", 0),
    ("builtins", 0),
    ("del", 1),
    ("empty", 0),
    ("env", 0),
    ("error", 0),
    ("error", 1),
    ("first", 1),
    ("getpath", 1),
    ("group_by", 1),
    ("halt", 0),
    ("halt_error", 1),
    ("input", 0),
    ("inputs", 0),
    ("isempty", 1),
    ("iterables", 0),
    ("last", 1),
    ("limit", 2),
    ("max", 0),
    ("max_by", 1),
    ("min", 0),
    ("min_by", 1),
    ("modulemeta", 0),
    ("not", 0),
    ("nulls", 0),
    ("numbers", 0),
    ("objects", 0),
    ("path", 1),
    ("range", 1),
    ("range", 2),
    ("range", 3),
    ("recurse", 0),
    ("recurse", 1),
    ("repeat", 1),
    ("scalars", 0),
    ("skip", 2),
    ("sort", 0),
    ("sort_by", 1),
    ("strings", 0),
    ("type", 0),
    ("unique", 0),
    ("unique_by", 1),
    ("until", 2),
    ("values", 0),
    ("walk", 1),
    ("while", 2),
];

pub(crate) fn names() -> impl Iterator<Item = (&'static str, usize)> {
    NAMES.iter().copied()
}

impl Resolver<'_> {
    /// The node of a builtin, or None if it is an ordinary function.
    pub(super) fn special(
        &mut self,
        name: &str,
        arguments: &[Rc<Expr>],
        scope: &Scope,
        depth: usize,
    ) -> Result<Option<Op>, Fault> {
        if !NAMES.contains(&(name, arguments.len())) {
            return Ok(None);
        }
        let mut nodes = Vec::new();
        for argument in arguments {
            nodes.push(self.boxed(argument, scope, depth)?);
        }
        let mut nodes = nodes.into_iter();
        Ok(match (nodes.next(), nodes.next(), nodes.next()) {
            (None, ..) => self.without_arguments(name),
            (Some(argument), None, _) => self.with_one(name, argument),
            (Some(first), Some(second), third) => Some(with_more(name, first, second, third)),
        })
    }

    fn without_arguments(&mut self, name: &str) -> Option<Op> {
        Some(match name {
            "add" => Op::Add(Box::new(self.each())),
            "all" => Op::Any(Box::new(self.each()), Box::new(self.identity()), false),
            "any" => Op::Any(Box::new(self.each()), Box::new(self.identity()), true),
            "builtins" => Op::Constant(self.constant(builtin_names())),
            "empty" => Op::Empty,
            "env" => Op::Environment,
            "error" => Op::Error(None),
            "halt" => Op::Halt(None),
            "input" => Op::Input,
            "inputs" => Op::Inputs,
            "max" => Op::By(By::Max, None),
            "min" => Op::By(By::Min, None),
            "modulemeta" => Op::ModuleMetadata,
            "not" => Op::Not,
            "recurse" => Op::RecurseAll(u8::MAX),
            "type" => Op::KindName,
            "sort" => Op::By(By::Sort, None),
            "unique" => Op::By(By::Unique, None),
            "arrays" => self.of_kind(&[Kind::Array]),
            "booleans" => self.of_kind(&[Kind::Boolean]),
            "iterables" => self.of_kind(&[Kind::Array, Kind::Object]),
            "nulls" => self.of_kind(&[Kind::Null]),
            "numbers" => self.of_kind(&[Kind::Number]),
            "objects" => self.of_kind(&[Kind::Object]),
            "scalars" => self.of_kind(&[Kind::Null, Kind::Boolean, Kind::Number, Kind::String]),
            "strings" => self.of_kind(&[Kind::String]),
            "values" => self.of_kind(&[Kind::Boolean, Kind::Number, Kind::String, Kind::Array, Kind::Object]),
            _ => return None,
        })
    }

    fn with_one(&mut self, name: &str, argument: Box<Node>) -> Option<Op> {
        Some(match name {
            "add" => Op::Add(argument),
            "all" => Op::Any(Box::new(self.each()), argument, false),
            "any" => Op::Any(Box::new(self.each()), argument, true),
            "del" => Op::Delete(argument),
            "error" => Op::Error(Some(argument)),
            "first" => Op::First(argument),
            "getpath" => Op::GetPath(argument),
            "group_by" => Op::By(By::Group, Some(argument)),
            "halt_error" => Op::Halt(Some(argument)),
            "isempty" => Op::IsEmpty(argument),
            "last" => Op::Last(argument),
            "max_by" => Op::By(By::Max, Some(argument)),
            "min_by" => Op::By(By::Min, Some(argument)),
            "path" => Op::Path(argument),
            "range" => {
                let zero = self.constant(Constant::Number("0".to_owned()));
                Op::Range(Box::new(self.make(Op::Constant(zero))), argument, None)
            }
            "recurse" => Op::Recurse(argument),
            "repeat" => Op::Repeat(argument),
            "sort_by" => Op::By(By::Sort, Some(argument)),
            "unique_by" => Op::By(By::Unique, Some(argument)),
            "walk" => Op::Walk(argument),
            _ => return None,
        })
    }

    fn identity(&mut self) -> Node {
        self.make(Op::Identity)
    }

    /// `.[]`
    fn each(&mut self) -> Node {
        let input = Box::new(self.identity());
        self.make(Op::Iterate(input, false))
    }

    /// The input if it is of one of these kinds.
    fn of_kind(&mut self, kinds: &[Kind]) -> Op {
        let set = kinds.iter().fold(0, |set, kind| set | kind.bit());
        let condition = Box::new(self.make(Op::KindIn(set)));
        let otherwise = Box::new(self.make(Op::Empty));
        Op::If(condition, Box::new(self.identity()), otherwise)
    }
}

fn with_more(name: &str, first: Box<Node>, second: Box<Node>, third: Option<Box<Node>>) -> Op {
    match name {
        "all" => Op::Any(first, second, false),
        "any" => Op::Any(first, second, true),
        "limit" => Op::Limit(first, second),
        "skip" => Op::Skip(first, second),
        "until" => Op::Until(first, second),
        "while" => Op::While(first, second),
        _ => Op::Range(first, second, third),
    }
}

/// What the builtin `builtins` returns: all names that do not begin with an underscore, and how many parameters they have.
fn builtin_names() -> Constant {
    let natives = builtins::TABLE.iter().chain(NATIVES).map(|entry| (entry.name, usize::from(entry.arity)));
    let all = names().chain(Definitions::all().names()).chain(natives);
    let public = all.filter(|(name, _)| !name.starts_with('_'));
    let mut names: Vec<String> = public.map(|(name, arity)| format!("{name}/{arity}")).collect();
    names.sort();
    names.dedup();
    Constant::Array(names.into_iter().map(Constant::String).collect())
}
