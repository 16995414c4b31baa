//! What a query selects, by the letter of RFC 9535.

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::query::ask::Operand;
use crate::query::ask::Query;
use crate::query::ask::Segment;
use crate::query::ask::Selector;
use crate::query::ask::Test;
use crate::query::tree::Node;
use crate::query::tree::Tree;

/// A node and its normalized path.
pub type Found<'t> = (String, &'t Node);

/// The nodes that the segments select from the root, in order.
#[must_use]
pub fn answer<'t>(root: &'t Node, segments: &[Segment]) -> Vec<Found<'t>> {
    select(root, ("$".to_owned(), root), segments)
}

fn select<'t>(root: &'t Node, from: Found<'t>, segments: &[Segment]) -> Vec<Found<'t>> {
    let mut nodes = vec![from];
    for segment in segments {
        let mut next = Vec::new();
        for (path, node) in nodes {
            if segment.descendant {
                let mut visited = Vec::new();
                visit(&path, node, &mut visited);
                for (path, node) in visited {
                    select_children(root, &path, node, segment, &mut next);
                }
            } else {
                select_children(root, &path, node, segment, &mut next);
            }
        }
        nodes = next;
    }
    nodes
}

/// A node and its descendants, parents first.
fn visit<'t>(path: &str, node: &'t Node, visited: &mut Vec<Found<'t>>) {
    visited.push((path.to_owned(), node));
    for (path, child, _) in children(path, node) {
        visit(&path, child, visited);
    }
}

/// Path, child, and its name if it has one.
fn children<'t>(path: &str, node: &'t Node) -> Vec<(String, &'t Node, Option<&'t str>)> {
    match &node.tree {
        Tree::Array(elements) => {
            let element = |(index, node)| (format!("{path}[{index}]"), node, None);
            elements.iter().enumerate().map(element).collect()
        }
        Tree::Object(members) => {
            members.iter().map(|(name, node)| (format!("{path}['{}']", escaped(name)), node, Some(&**name))).collect()
        }
        _ => Vec::new(),
    }
}

fn escaped(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        match character {
            '\'' => out += "\\'",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\0'..' ' => write!(out, "\\u{:04x}", u32::from(character)).expect("a string"),
            _ => out.push(character),
        }
    }
    out
}

fn select_children<'t>(root: &'t Node, path: &str, node: &'t Node, segment: &Segment, out: &mut Vec<Found<'t>>) {
    let children = children(path, node);
    let length = i64::try_from(children.len()).expect("few");
    for selector in &segment.selectors {
        let mut take = |index: i64| {
            let child = usize::try_from(index).ok().and_then(|index| children.get(index));
            out.extend(child.filter(|child| child.2.is_none()).map(|(path, node, _)| (path.clone(), *node)));
        };
        match selector {
            Selector::Name(wanted) => {
                let named = children.iter().filter(|(_, _, name)| name.is_some_and(|name| name == wanted));
                // Of members with the same name, a child segment selects the first.
                let most = if segment.descendant { usize::MAX } else { 1 };
                out.extend(named.take(most).map(|(path, node, _)| (path.clone(), *node)));
            }
            Selector::Wildcard => out.extend(children.iter().map(|(path, node, _)| (path.clone(), *node))),
            Selector::Index(index) => take(if *index < 0 { length + index } else { *index }),
            Selector::Slice([start, end, step]) => {
                let step = step.unwrap_or(1);
                let normal = |bound: i64| if bound < 0 { length + bound } else { bound };
                if step > 0 {
                    let lower = normal(start.unwrap_or(0)).max(0).min(length);
                    let upper = normal(end.unwrap_or(length)).max(0).min(length);
                    let mut index = lower;
                    while index < upper {
                        take(index);
                        index += step;
                    }
                } else if step < 0 {
                    let upper = normal(start.unwrap_or(length - 1)).max(-1).min(length - 1);
                    let lower = normal(end.unwrap_or(-length - 1)).max(-1).min(length - 1);
                    let mut index = upper;
                    while lower < index {
                        take(index);
                        index += step;
                    }
                }
            }
            Selector::Filter(test) => {
                out.extend(
                    children
                        .iter()
                        .filter(|(_, node, _)| holds(root, node, test))
                        .map(|(path, node, _)| (path.clone(), *node)),
                );
            }
        }
    }
}

fn holds(root: &Node, current: &Node, test: &Test) -> bool {
    match test {
        Test::Any(tests) => tests.iter().any(|test| holds(root, current, test)),
        Test::All(tests) => tests.iter().all(|test| holds(root, current, test)),
        Test::Not(test) => !holds(root, current, test),
        Test::Exists(query) => !find(root, current, query).is_empty(),
        Test::Compare(left, operator, right) => {
            let (left, right) = (value(root, current, left), value(root, current, right));
            let equal = left == right;
            let order = order(left.as_ref(), right.as_ref());
            match *operator {
                "==" => equal,
                "!=" => !equal,
                "<" => order == Some(Ordering::Less),
                "<=" => order == Some(Ordering::Less) || equal,
                ">" => order == Some(Ordering::Greater),
                _ => order == Some(Ordering::Greater) || equal,
            }
        }
        Test::Letter(text, letter, whole) => match value(root, current, text) {
            Some(Tree::Text(text)) => {
                if *whole {
                    text == letter.to_string()
                } else {
                    text.contains(*letter)
                }
            }
            _ => false,
        },
    }
}

fn order(left: Option<&Tree>, right: Option<&Tree>) -> Option<Ordering> {
    match (left?, right?) {
        (Tree::Number(left), Tree::Number(right)) => Some(left.cmp(right)),
        (Tree::Text(left), Tree::Text(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn find<'t>(root: &'t Node, current: &'t Node, query: &Query) -> Vec<Found<'t>> {
    select(root, (String::new(), if query.absolute { root } else { current }), &query.segments)
}

fn value(root: &Node, current: &Node, operand: &Operand) -> Option<Tree> {
    let count = |count: usize| Tree::Number(100 * i64::try_from(count).expect("few"));
    match operand {
        Operand::Literal(tree) => Some(tree.clone()),
        Operand::Node(query) | Operand::Value(query) => match &find(root, current, query)[..] {
            [(_, node)] => Some(sorted(&node.tree)),
            _ => None,
        },
        Operand::Count(query) => Some(count(find(root, current, query).len())),
        Operand::Length(operand) => match value(root, current, operand)? {
            Tree::Text(text) => Some(count(text.chars().count())),
            Tree::Array(elements) => Some(count(elements.len())),
            Tree::Object(members) => Some(count(members.len())),
            _ => None,
        },
    }
}

/// The same value with the members of its objects sorted by name.
fn sorted(tree: &Tree) -> Tree {
    let inside = |node: &Node| Node { tree: sorted(&node.tree), range: 0..0 };
    match tree {
        Tree::Array(elements) => Tree::Array(elements.iter().map(inside).collect()),
        Tree::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, node)| (name.clone(), inside(node))).collect();
            members.sort_by(|(left, _), (right, _)| left.cmp(right));
            Tree::Object(members)
        }
        _ => tree.clone(),
    }
}
