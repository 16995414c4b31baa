//! The state of an evaluation, and an index of the containers of a document, with their ends and numbers of children.
//!
//! A filter after `..` is evaluated for each node, and skips text that contains other nodes. In a deep document, it skips each
//! byte once for each level that contains it. Most documents are shallow, and an index would cost more than it saves. So the
//! skipped bytes are counted, and the index is built only when their number is many times the cost of building it.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::query::evaluate::document::ValidatedDocument;
use std::cell::Cell;
use std::cell::OnceCell;

/// An index is built when the work exceeds `MAX_WORK_PER_BYTE` for each byte of the document, plus `BASE_WORK`.
const MAX_WORK_PER_BYTE: u64 = 32;
const BASE_WORK: u64 = 4096;

/// State that is shared by the queries that are evaluated on a document.
#[derive(Default)]
pub(in crate::query) struct EvaluationState {
    /// Whether the text changed after it was checked, or an allocation failed. All results are then meaningless.
    changed: Cell<bool>,
    /// First failed allocation.
    out_of_memory: Cell<Option<OutOfMemory>>,
    /// Number of bytes that were skipped and may be skipped again.
    work: Cell<u64>,
    /// The index, once it is needed; `None` if there is not enough memory for it.
    index: OnceCell<Option<ContainerIndex>>,
}

impl EvaluationState {
    /// Returns whether the text was found to have changed, or an allocation failed.
    #[inline]
    pub(in crate::query) fn has_changed(&self) -> bool {
        self.changed.get()
    }

    /// Notes that the text has changed.
    pub(super) fn note_change(&self) {
        // mutant:
        self.changed.set(true);
    }

    /// Notes a failed allocation. The evaluation ends as if the text had changed.
    pub(super) fn note_out_of_memory(&self, out_of_memory: OutOfMemory) {
        self.out_of_memory.set(self.out_of_memory.get().or(Some(out_of_memory)));
        self.note_change();
    }

    /// Returns an error if the results are void. `offset` is that of the document in the input.
    #[inline]
    pub(in crate::query) fn check(&self, offset: u64) -> Result<(), Error> {
        if !self.changed.get() {
            return Ok(());
        }
        Err(self.out_of_memory.get().map_or_else(|| Error::input_changed(offset), Error::from))
    }

    /// Adds work that may be repeated for other nodes, in skipped bytes. Builds the index once there is enough of it.
    #[inline]
    pub(super) fn add_work(&self, document: ValidatedDocument<'_>, bytes: usize) {
        let work = self.work.get().saturating_add(bytes as u64);
        self.work.set(work);
        if work > MAX_WORK_PER_BYTE.saturating_mul(document.length() as u64).saturating_add(BASE_WORK) {
            self.index.get_or_init(|| ContainerIndex::new(document));
        }
    }

    /// Returns the index, if it has been built.
    #[inline]
    pub(super) fn index(&self) -> Option<&ContainerIndex> {
        self.index.get()?.as_ref()
    }
}

/// The containers of a document, ordered by offset.
pub(super) struct ContainerIndex {
    containers: Vec<Container>,
}

#[derive(Clone, Copy)]
struct Container {
    start: usize,
    end: usize,
    children: i64,
}

impl ContainerIndex {
    /// Builds the index in one pass over the document. `None` if out of memory.
    #[cold]
    fn new(document: ValidatedDocument<'_>) -> Option<Self> {
        let mut containers: Vec<Container> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < document.length() {
            match document.byte(at) {
                b'"' => {
                    at = document.string_end(at);
                    continue;
                }
                b'{' | b'[' => {
                    containers.try_reserve(1).ok()?;
                    open.try_reserve(1).ok()?;
                    open.push(containers.len());
                    let children = i64::from(!document.is_empty_container(at));
                    containers.push(Container { start: at, end: document.length(), children });
                }
                b'}' | b']' => {
                    if let Some(container) = open.pop().and_then(|number| containers.get_mut(number)) {
                        container.end = at + 1;
                    }
                }
                b',' => {
                    if let Some(container) = open.last().and_then(|&number| containers.get_mut(number)) {
                        // mutant:
                        container.children += 1;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        Some(Self { containers })
    }

    /// Returns the number of containers. They are numbered from 0, parents before their children.
    pub(super) fn len(&self) -> usize {
        self.containers.len()
    }

    /// Returns the number of the container that begins at `start`, if there is one.
    pub(super) fn number(&self, start: usize) -> Option<usize> {
        self.containers.binary_search_by_key(&start, |container| container.start).ok()
    }

    /// Returns the offset of the container with this number.
    pub(super) fn start(&self, number: usize) -> usize {
        self.containers.get(number).map_or(0, |container| container.start)
    }

    /// Returns the end of the container that begins at `start`, if there is one.
    pub(super) fn end(&self, start: usize) -> Option<usize> {
        self.number(start).map(|number| self.containers[number].end)
    }

    /// Returns the number of children of the container that begins at `start`, if there is one.
    pub(super) fn children(&self, start: usize) -> Option<i64> {
        self.number(start).map(|number| self.containers[number].children)
    }
}

#[cfg(test)]
mod tests {
    use super::ContainerIndex;
    use super::EvaluationState;
    use crate::kernel::Isa;
    use crate::query::evaluate::document::ValidatedDocument;

    #[test]
    fn containers_are_listed() {
        let text = r#" {"a[":[1,[ ],{"b":{}}] , "\"]":{ "c" : 1,"d":2 } } "#;
        let state = EvaluationState::default();
        let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
        let index = ContainerIndex::new(document).expect("memory");
        let opening: Vec<_> = [1, 7, 10, 14, 19, 32].into_iter().collect();
        assert_eq!((0..index.len()).map(|number| index.start(number)).collect::<Vec<_>>(), opening);
        for start in opening {
            assert_eq!(index.end(start), Some(document.end(start)), "{start}");
            assert_eq!(index.children(start), Some(document.count(start)), "{start}");
        }
        assert_eq!((index.end(2), index.children(0)), (None, None));
    }

    #[test]
    fn repeated_work_builds_the_index() {
        let text = format!("[{}1]", "[1],".repeat(1000));
        let state = EvaluationState::default();
        let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
        for _ in 0..32 {
            document.end(0);
        }
        assert!(state.index().is_none());
        document.end(0);
        document.end(0);
        assert_eq!(state.index().map(ContainerIndex::len), Some(1001));
        assert_eq!((document.end(0), document.count(0)), (text.len(), 1001));
    }
}
