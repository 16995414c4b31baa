//! Differences in the format of jd 2: for each a line with its path, and lines with the old and the new values.
//!
//! Elements of an array that are removed and added at one place are together, between the elements before and after them, or the brackets
//! of the array. They are at the index that they have when all differences before are made.

#![forbid(unsafe_code)]

use std::io;
use std::io::Write;

use crate::diff::ItemPlace;
use crate::diff::changes::ChangeNode;
use crate::diff::changes::Changes;
use crate::diff::changes::State;
use crate::diff::hashes::NONE;
use crate::diff::patch::compact;
use crate::document::Value;

/// Elements of an array that are removed and added at one place.
#[derive(Default)]
struct Hunk<'n> {
    nodes: Vec<&'n ChangeNode>,
    /// The indices of the next elements in both arrays.
    next: (u32, u32),
}

impl Changes<'_> {
    /// Returns the differences in the format of the program jd, version 2. jd cannot apply those with
    /// [`ArrayMatching::Key`](crate::ArrayMatching::Key), because there are other elements in between.
    ///
    /// ```
    /// use fjson::{DiffOptions, Parser, diff};
    ///
    /// let (mut left, mut right) = (Parser::new(), Parser::new());
    /// let old = left.document(br#"{"name": "app", "tags": ["a", "b", "c"]}"#)?.root();
    /// let new = right.document(br#"{"name": "fjson", "tags": ["a", "c"]}"#)?.root();
    /// let changes = diff(old, new, &DiffOptions::new())?;
    /// assert_eq!(changes.to_jd(), "@ [\"name\"]\n- \"app\"\n+ \"fjson\"\n@ [\"tags\",1]\n  \"a\"\n- \"b\"\n  \"c\"\n");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is not enough memory.
    #[must_use]
    #[expect(clippy::expect_used, reason = "like any growing string")]
    pub fn to_jd(&self) -> String {
        let mut text = Vec::new();
        self.write_jd(&mut text).expect("enough memory");
        String::from_utf8(text).expect("made of texts")
    }

    /// Writes the text that [`to_jd`](Self::to_jd) returns.
    ///
    /// # Errors
    /// If `output` fails.
    pub fn write_jd(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut hunk = Hunk::default();
        for node in &self.nodes {
            if !hunk.is_continued_by(node) {
                self.write_hunk(&hunk, output)?;
                hunk.nodes.clear();
            }
            if node.state == State::Changed {
                hunk.push(node);
            }
        }
        self.write_hunk(&hunk, output)
    }

    fn write_hunk(&self, hunk: &Hunk<'_>, output: &mut dyn Write) -> io::Result<()> {
        let (Some(first), Some(last)) = (hunk.nodes.first(), hunk.nodes.last()) else { return Ok(()) };
        output.write_all(b"@ [")?;
        let steps =
            self.path(first).into_iter().chain([*first]).filter(|node| !matches!(node.item.place, ItemPlace::Root));
        for (index, node) in steps.enumerate() {
            output.write_all(if index == 0 { b"" } else { b"," })?;
            match (self.key(&node.item), node.item.place) {
                (Some(key), _) => output.write_all(key.raw().as_bytes())?,
                // An element of a set.
                (None, place) if is_unordered(&place) => output.write_all(b"[]")?,
                (None, ItemPlace::Element { at, .. }) => write!(output, "{at}")?,
                _ => {}
            }
        }
        output.write_all(b"]\n")?;
        let is_unordered = is_unordered(&first.item.place);
        if let ItemPlace::Element { before, .. } = first.item.place
            && !is_unordered
        {
            write_neighbor("[", self.new_value(before), output)?;
        }
        for old in hunk.nodes.iter().filter_map(|node| self.old(node.item.old)) {
            write_line(b"- ", old, output)?;
        }
        for new in hunk.nodes.iter().filter_map(|node| self.new_value(node.item.new)) {
            write_line(b"+ ", new, output)?;
        }
        match last.item.place {
            ItemPlace::Element { after, .. } if !is_unordered => write_neighbor("]", self.old(after), output),
            _ => Ok(()),
        }
    }
}

impl<'n> Hunk<'n> {
    /// Whether an item is the next element of the same array.
    fn is_continued_by(&self, node: &ChangeNode) -> bool {
        let is_same_array = self.nodes.last().is_none_or(|last| last.parent == node.parent);
        match node.item.place {
            ItemPlace::Element { old, new, .. } if node.state == State::Changed => {
                let is_next = is_unordered(&node.item.place) || (old, new) == self.next;
                is_next && is_same_array && !self.nodes.is_empty()
            }
            _ => false,
        }
    }

    fn push(&mut self, node: &'n ChangeNode) {
        if let ItemPlace::Element { old, new, .. } = node.item.place {
            let after = |index: u32, token: u32| if token == NONE { index } else { index.wrapping_add(1) };
            self.next = (after(old, node.item.old), after(new, node.item.new));
        }
        self.nodes.push(node);
    }
}

/// Whether an element is removed from a set, or added to it.
fn is_unordered(place: &ItemPlace) -> bool {
    matches!(place, ItemPlace::Element { at, old, new, .. } if [at, old, new].contains(&&NONE))
}

/// Writes the element before or after others, or the bracket.
fn write_neighbor(bracket: &str, element: Option<Value<'_, '_>>, output: &mut dyn Write) -> io::Result<()> {
    match element {
        Some(element) => write_line(b"  ", element, output),
        None => writeln!(output, "{bracket}"),
    }
}

fn write_line(mark: &[u8], value: Value<'_, '_>, output: &mut dyn Write) -> io::Result<()> {
    output.write_all(mark)?;
    output.write_all(&compact(value)?)?;
    output.write_all(b"\n")
}
