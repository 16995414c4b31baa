//! Where the containers of a document end and how many children they have: known at once, when it has been asked too often.
//!
//! A filter behind `..` is asked about each node, and to answer it steps over text that other nodes lie in: in a document that is
//! deep, each byte as often as there are levels around it. Most documents are shallow, and an index of them would cost more than
//! it saves. So what is stepped over is counted, and the index is made when that is many times what making it costs.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::query::evaluate::document::Document;
use std::cell::Cell;
use std::cell::OnceCell;

/// So many times the bytes of a document may be stepped over, and [`FREE`] bytes, before it gets an index.
const PATIENCE: u64 = 32;
const FREE: u64 = 4096;

/// What is found out about a document while queries are asked of it.
#[derive(Default)]
pub(in crate::query) struct EvaluationState {
    /// Whether the text is no longer the valid one that was checked.
    changed: Cell<bool>,
    /// What there was no memory for: then nothing that is found is of account either.
    lack: Cell<Option<OutOfMemory>>,
    /// Bytes that were stepped over and may be again.
    work: Cell<u64>,
    /// Nothing in it if there is no memory for it.
    index: OnceCell<Option<Index>>,
}

impl EvaluationState {
    /// Whether the text was found to have changed since it was checked.
    #[inline]
    pub(in crate::query) fn has_changed(&self) -> bool {
        self.changed.get()
    }

    pub(super) fn note_change(&self) {
        self.changed.set(true);
    }

    /// Takes note that there was no memory. All ends as if the text had changed.
    pub(super) fn note_lack(&self, lack: OutOfMemory) {
        self.lack.set(self.lack.get().or(Some(lack)));
        self.note_change();
    }

    /// An error if what was found in the document that begins at `offset` is of no account.
    #[inline]
    pub(in crate::query) fn check(&self, offset: u64) -> Result<(), Error> {
        if !self.changed.get() {
            return Ok(());
        }
        Err(self.lack.get().map_or_else(|| Error::input_changed(offset), Error::from))
    }

    /// Takes note of work that is done again for other nodes: so many bytes.
    #[inline]
    pub(super) fn charge(&self, document: Document<'_>, bytes: usize) {
        let work = self.work.get().saturating_add(bytes as u64);
        self.work.set(work);
        if work > PATIENCE.saturating_mul(document.length() as u64).saturating_add(FREE) {
            self.index.get_or_init(|| Index::new(document));
        }
    }

    #[inline]
    pub(super) fn index(&self) -> Option<&Index> {
        self.index.get()?.as_ref()
    }
}

/// The containers of a document, by where they begin.
pub(super) struct Index {
    containers: Vec<Container>,
}

#[derive(Clone, Copy)]
struct Container {
    start: usize,
    end: usize,
    children: i64,
}

impl Index {
    /// Reads the document once. Nothing if there is no memory.
    #[cold]
    fn new(document: Document<'_>) -> Option<Self> {
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
                        container.children += 1;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        Some(Self { containers })
    }

    /// How many containers there are. They are numbered from 0 on, each in front of those in it.
    pub(super) fn len(&self) -> usize {
        self.containers.len()
    }

    /// The number of the container that begins at `start`, if one does.
    pub(super) fn number(&self, start: usize) -> Option<usize> {
        self.containers.binary_search_by_key(&start, |container| container.start).ok()
    }

    /// Where the container with this number begins.
    pub(super) fn start(&self, number: usize) -> usize {
        self.containers.get(number).map_or(0, |container| container.start)
    }

    /// The place behind the container that begins at `start`, if one does.
    pub(super) fn end(&self, start: usize) -> Option<usize> {
        self.number(start).map(|number| self.containers[number].end)
    }

    /// How many children the container has that begins at `start`, if one does.
    pub(super) fn children(&self, start: usize) -> Option<i64> {
        self.number(start).map(|number| self.containers[number].children)
    }
}

#[cfg(test)]
mod tests {
    use super::EvaluationState;
    use super::Index;
    use crate::kernel::Isa;
    use crate::query::evaluate::document::Document;

    #[test]
    fn containers_are_listed() {
        let text = r#" {"a[":[1,[ ],{"b":{}}] , "\"]":{ "c" : 1,"d":2 } } "#;
        let state = EvaluationState::default();
        let document = Document::new(text.as_bytes(), Isa::detect(), &state);
        let index = Index::new(document).expect("memory");
        let opening: Vec<_> = [1, 7, 10, 14, 19, 32].into_iter().collect();
        assert_eq!((0..index.len()).map(|number| index.start(number)).collect::<Vec<_>>(), opening);
        for start in opening {
            assert_eq!(index.end(start), Some(document.end(start)), "{start}");
            assert_eq!(index.children(start), Some(document.count(start)), "{start}");
        }
        assert_eq!((index.end(2), index.children(0)), (None, None));
    }

    #[test]
    fn an_index_is_made_when_much_is_stepped_over() {
        let text = format!("[{}1]", "[1],".repeat(1000));
        let state = EvaluationState::default();
        let document = Document::new(text.as_bytes(), Isa::detect(), &state);
        for _ in 0..32 {
            document.end(0);
        }
        assert!(state.index().is_none());
        document.end(0);
        document.end(0);
        assert_eq!(state.index().map(Index::len), Some(1001));
        assert_eq!((document.end(0), document.count(0)), (text.len(), 1001));
    }
}
