//! The edits themselves, and how each is made.

#![forbid(unsafe_code)]

#[cfg(feature = "query")]
use std::ops::Range;

use crate::document::Kind;
use crate::edit::change::Parents;
use crate::edit::error::Failure;
use crate::edit::path::Path;
use crate::edit::path::ReferenceToken;
#[cfg(feature = "query")]
use crate::edit::select::Inner;
use crate::edit::tree::Node;
use crate::edit::tree::Shape;
use crate::edit::tree::Slot;
use crate::edit::tree::Tree;
use crate::error::ErrorKind;
#[cfg(feature = "query")]
use crate::query::Search;

/// An edit. Nodes are values of the texts of the edits.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Set { at: Path, value: Node },
    Replace { at: Vec<ReferenceToken>, value: Node },
    Insert { at: Path, value: Node },
    Append { to: Path, value: Node },
    Delete { at: Path },
    Rename { at: Path, name: String, key: Vec<u8> },
    Move { from: Vec<ReferenceToken>, to: Vec<ReferenceToken> },
    Copy { from: Vec<ReferenceToken>, to: Vec<ReferenceToken> },
    Test { at: Path, value: Node },
    Merge { value: Node },
}

/// What can be done if a target does not exist.
const LEFT_OUT: &str = "documents in which it does not exist can be left as they are";
#[cfg(feature = "query")]
const POINTER: &str = "queries select values that exist; a JSON Pointer, such as `/a/b`, can add a member";

/// What holds for all edits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) parents: Parents,
    /// Whether an edit is left out if its target does not exist.
    pub(super) missing_ok: bool,
    /// The number of spaces for each level in a document without lines, if new items are to be on lines.
    pub(super) indent: Option<u8>,
}

impl Operation {
    /// Returns the number of its query.
    #[cfg(feature = "query")]
    pub(super) fn query(&self) -> Option<usize> {
        match self {
            Self::Set { at, .. }
            | Self::Insert { at, .. }
            | Self::Append { to: at, .. }
            | Self::Delete { at }
            | Self::Rename { at, .. }
            | Self::Test { at, .. } => match at {
                Path::Query(query) => Some(*query),
                Path::Pointer(_) => None,
            },
            Self::Replace { .. } | Self::Move { .. } | Self::Copy { .. } | Self::Merge { .. } => None,
        }
    }

    /// Makes the edit, and notes what becomes of the shape. Returns the number of values that it was made at.
    pub(super) fn make(&self, tree: &mut Tree<'_>, rules: Rules) -> Result<u64, Failure> {
        let made = match self.make_in(tree, rules.parents) {
            // It has changed nothing: what it creates for a target contains the target.
            Err(failure) if failure.is_missing() && self.may_be_left_out() => {
                return if rules.missing_ok { Ok(0) } else { Err(failure.with_help(LEFT_OUT)) };
            }
            made => made?,
        };
        tree.shape = tree.shape.max(self.shape(tree));
        Ok(made)
    }

    /// Whether the edit changes what one path leads to. A test is about that, and a patch has rules of its own.
    fn may_be_left_out(&self) -> bool {
        matches!(
            self,
            Self::Set { .. } | Self::Insert { .. } | Self::Append { .. } | Self::Delete { .. } | Self::Rename { .. }
        )
    }

    /// Returns what becomes of the shape of a tree, at best.
    pub(super) fn shape(&self, tree: &Tree<'_>) -> Shape {
        let is_scalar = |node: Node| !matches!(tree.kind(node), Kind::Array | Kind::Object);
        match self {
            Self::Test { .. } => Shape::Same,
            Self::Set { value, .. } | Self::Replace { value, .. } if is_scalar(*value) && tree.has_root() => {
                Shape::Scalars
            }
            Self::Delete { .. } => Shape::Emptied,
            _ => Shape::Other,
        }
    }

    /// Makes the edit. Returns the number of values that it was made at.
    fn make_in(&self, tree: &mut Tree<'_>, parents: Parents) -> Result<u64, Failure> {
        match self {
            Self::Set { at: Path::Pointer(at), value } => tree.set(at, *value, parents)?,
            Self::Replace { at, value } => {
                let slot = tree.find(at)?;
                tree.put(slot, *value);
            }
            Self::Insert { at: Path::Pointer(at), value } => tree.insert(at, *value, parents)?,
            Self::Append { to: Path::Pointer(to), value } => {
                let slot = tree.array(to, parents)?;
                tree.append(slot, Some(to), *value)?;
            }
            Self::Delete { at: Path::Pointer(at) } => {
                let slot = tree.find(at)?;
                tree.delete(slot)?;
            }
            Self::Rename { at: Path::Pointer(at), name, key } => {
                let slot = tree.find(at)?;
                tree.rename(slot, Some(at), name, key)?;
            }
            Self::Move { from, to } => tree.move_to(from, to, parents)?,
            Self::Copy { from, to } => tree.copy_to(from, to, parents)?,
            Self::Test { at: Path::Pointer(at), value } => {
                let (slot, (text, token)) = (tree.find(at)?, tree.origin(*value));
                tree.test(slot, Some(at), tree.value(text, token))?;
            }
            Self::Merge { value } => {
                let (text, token) = tree.origin(*value);
                return tree.merge(text, token);
            }
            #[cfg(feature = "query")]
            _ => return self.make_at_matches(tree),
        }
        Ok(1)
    }

    /// Makes an edit whose target is a query.
    #[cfg(feature = "query")]
    fn make_at_matches(&self, tree: &mut Tree<'_>) -> Result<u64, Failure> {
        let slots = match self {
            Self::Set { at: Path::Query(query), value } => {
                let is_singular = tree.queries[*query].is_singular();
                let selected = tree.select(*query, Inner::LeftOut);
                let slots =
                    selected.map_err(|failure| if is_singular { failure.with_help(POINTER) } else { failure })?;
                for &slot in &slots {
                    tree.put(slot, *value);
                }
                slots
            }
            Self::Insert { at: Path::Query(query), value } => {
                let mut slots = tree.select(*query, Inner::Selected)?;
                tree.insert_before_all(&mut slots, *value)?;
                slots
            }
            Self::Append { to: Path::Query(query), value } => {
                let slots = tree.select(*query, Inner::Selected)?;
                slots.iter().try_for_each(|&slot| tree.append(slot, None, *value))?;
                slots
            }
            Self::Delete { at: Path::Query(query) } => {
                let mut slots = tree.select(*query, Inner::LeftOut)?;
                tree.delete_all(&mut slots)?;
                slots
            }
            Self::Rename { at: Path::Query(query), name, key } => {
                let slots = tree.select(*query, Inner::Selected)?;
                slots.iter().try_for_each(|&slot| tree.rename(slot, None, name, key))?;
                slots
            }
            Self::Test { at: Path::Query(query), value } => {
                let (slots, (text, token)) = (tree.select(*query, Inner::Selected)?, tree.origin(*value));
                let expected = tree.value(text, token);
                slots.iter().try_for_each(|&slot| tree.test(slot, None, expected))?;
                slots
            }
            _ => Vec::new(),
        };
        Ok(slots.len() as u64)
    }
}

impl Tree<'_> {
    /// Whether an operation can be made in the tree, and not only in the text that this has become.
    pub(super) fn allows(&self, operation: &Operation) -> bool {
        #[cfg(feature = "query")]
        return operation.query().is_none_or(|query| self.shape.keeps(self.queries[query].dependence()));
        #[cfg(not(feature = "query"))]
        {
            let _ = (self, operation);
            true
        }
    }

    /// Searches for the matches of the next operations together, if they have queries for which one pass suffices.
    #[cfg(feature = "query")]
    pub(super) fn search_together(&mut self, operations: &[Operation]) -> Result<(), Failure> {
        let (mut queries, mut shape) = (None::<Range<usize>>, self.shape);
        for operation in operations {
            if let Some(query) = operation.query() {
                let next = queries.as_ref().map_or(query, |queries| queries.end);
                if query != next || !shape.keeps(self.queries[query].dependence()) {
                    break;
                }
                queries = Some(queries.map_or(query, |queries| queries.start)..query + 1);
            }
            shape = shape.max(operation.shape(self));
        }
        match queries {
            Some(queries) if queries.len() > 1 && Search::answers_together(&self.queries[queries.clone()]) => {
                self.search(queries)
            }
            _ => Ok(()),
        }
    }

    /// Returns where the array at a pointer is, which is created with its parents if they are.
    fn array(&mut self, to: &[ReferenceToken], parents: Parents) -> Result<Slot, Failure> {
        match self.find(to) {
            Err(failure) if parents == Parents::AreCreated && failure.is_missing() => {
                self.set(to, crate::edit::change::EMPTY_ARRAY, parents)?;
                self.find(to)
            }
            slot => slot,
        }
    }
}

impl Failure {
    /// Whether the reason is that the target does not exist.
    fn is_missing(&self) -> bool {
        matches!(self, Self::Refused(refusal) if refusal.kind == ErrorKind::TargetMissing)
    }
}
