//! Documents that stand one behind the other, each brought to a line of its own, at a fraction of the cost of checking them.
//!
//! Nothing is judged: of a text that is not valid anything may come out. But a line break is only set where whitespace was, or
//! between two bytes of which a document may end with the first or begin with the second, and one that is none becomes a tab, which
//! is as good or bad in its place. So if all lines are valid documents, the text was a stream of the same ones.
//!
//! ```text
//! text    {"a":⏎[]}  {"a":1}{}⏎"b"⏎
//! lines   {"a":⇥[]}⏎⏎{"a":1}⏎{}⏎"b"⏎
//! ```

#![forbid(unsafe_code)]

use crate::grammar::extent::Block;
use crate::grammar::extent::Ends;
use crate::grammar::extent::Extent;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use std::iter;

/// Documents on lines.
#[derive(Debug, Default)]
pub(crate) struct OnLines {
    pub(crate) text: Vec<u8>,
    /// Where in it are the line breaks for which there was no whitespace.
    pub(crate) inserted: Vec<usize>,
}

/// Brings whole documents at the front of a text to lines: as many as there are.
pub(crate) struct ToLines<'t, 'l> {
    pub(crate) text: &'t [u8],
    /// Is left empty if they are on lines already.
    pub(crate) lines: &'l mut OnLines,
}

impl Pass for ToLines<'_, '_> {
    /// The bytes of the documents and of the whitespace around them; nothing if the first one has no end.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Self { text, lines } = self;
        lines.text.clear();
        lines.inserted.clear();
        let mut line = Line { text, lines, copies: false, follows: false, ended: false, whole: None };
        let mut extent = Extent::default();
        for (number, part) in text.chunks(K::SUPERBLOCK).enumerate() {
            let seen = extent.look(kernel, part);
            for (lane, bytes) in part.chunks(64).enumerate() {
                let block = seen.block(lane, bytes, number * K::SUPERBLOCK + 64 * lane);
                line.take(&block, &extent.ends(&block));
            }
        }
        line.end()
    }
}

/// What is known in front of a block.
struct Line<'t, 'l> {
    text: &'t [u8],
    lines: &'l mut OnLines,
    /// Whether anything has been changed, so that all is copied.
    copies: bool,
    /// Whether the last byte was no whitespace.
    follows: bool,
    /// Whether a document has ended with it that needs no whitespace behind it.
    ended: bool,
    /// The documents that have ended, as they stand in the text and on lines.
    whole: Option<[usize; 2]>,
}

impl Line<'_, '_> {
    #[inline(always)]
    fn take(&mut self, block: &Block<'_>, &Ends { ground, ended }: &Ends) {
        let all = !0 >> (64 - block.bytes.len());
        let ground = ground & all;
        let (visible, last) = (!block.whitespace, 1 << 63);
        let follows = visible << 1 | u64::from(self.follows);
        let begins = (block.open | block.opening) & ground | ended << 1 | u64::from(self.ended);
        (self.follows, self.ended) = (visible & last != 0, ended & last != 0);
        let breaks = block.whitespace & ground;
        let inserts = begins & visible & follows & all;
        let changes = breaks ^ block.line_break & all | inserts;
        if changes != 0 && !self.copies {
            self.copies = true;
            self.lines.text.extend_from_slice(&self.text[..block.at]);
        }
        if self.copies {
            self.copy(block.bytes, [breaks & !block.line_break, block.line_break & !ground & all, inserts]);
        }
        if breaks | inserts != 0 {
            self.end_behind(block, breaks, inserts);
        }
    }

    /// Copies a block with line breaks and tabs in their places, and line breaks in front of others.
    #[inline(always)]
    fn copy(&mut self, block: &[u8], [breaks, tabs, inserts]: [u64; 3]) {
        let mut bytes = [0; 64];
        let bytes = &mut bytes[..block.len()];
        bytes.copy_from_slice(block);
        for (places, byte) in [(breaks, b'\n'), (tabs, b'\t')] {
            for place in positions(places) {
                bytes[place] = byte;
            }
        }
        let OnLines { text, inserted } = &mut *self.lines;
        let mut copied = 0;
        for place in positions(inserts) {
            text.extend_from_slice(&bytes[copied..place]);
            inserted.push(text.len());
            text.push(b'\n');
            copied = place;
        }
        text.extend_from_slice(&bytes[copied..]);
    }

    /// The last document ends with the last of these line breaks.
    #[inline(always)]
    fn end_behind(&mut self, block: &Block<'_>, breaks: u64, inserts: u64) {
        let last = (breaks | inserts).ilog2();
        let end = block.at + last as usize + usize::from(inserts >> last & 1 == 0);
        let rest = block.at + block.bytes.len() - end;
        let on_lines = if self.copies { self.lines.text.len() - rest } else { end };
        self.whole = Some([end, on_lines]);
    }

    fn end(self) -> Option<usize> {
        let [end, on_lines] = self.whole?;
        self.lines.text.truncate(on_lines);
        Some(end)
    }
}

/// The positions of a mask, in order.
#[inline(always)]
fn positions(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    iter::from_fn(move || {
        let position = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (position < 64).then_some(position)
    })
}

#[cfg(test)]
mod tests {
    use super::OnLines;
    use super::ToLines;
    use crate::kernel::Isa;

    /// What comes of a text, on every kernel: the whole documents, and how they are on lines.
    fn lines(text: &str) -> Option<(String, String, Vec<usize>)> {
        let mut all = Isa::available().map(|isa| {
            let mut lines = OnLines::default();
            let whole = isa.run(ToLines { text: text.as_bytes(), lines: &mut lines })?;
            let on_lines = if lines.text.is_empty() { &text.as_bytes()[..whole] } else { &lines.text };
            Some((text[..whole].to_owned(), String::from_utf8_lossy(on_lines).into_owned(), lines.inserted))
        });
        let first = all.next().expect("a kernel");
        for other in all {
            assert_eq!(other, first, "{text}");
        }
        first
    }

    #[test]
    fn each_document_gets_a_line() {
        for (text, expected) in [
            ("1\n2\n3", "1\n2\n"),
            ("1 2\t3\r\n", "1\n2\n3\n\n"),
            ("{\"a\":\n[]}  {\"a\":1}{}\n\"b\"\n", "{\"a\":\t[]}\n\n{\"a\":1}\n{}\n\"b\"\n"),
            ("\"a b\"\"c\"[]\"d\"1[2\n,3]4 ", "\"a b\"\n\"c\"\n[]\n\"d\"\n1\n[2\t,3]\n4\n"),
            ("\"\\\" {\"{}\"}\"x", "\"\\\" {\"\n{}\n\"}\"\n"),
            ("1-1 2", "1-1\n"),
            ("[1]:2 ", "[1]\n:2\n"),
            ("{} ] 1 [", "{}\n]\n1\n"),
        ] {
            let (_, found, _) = lines(text).expect("whole documents");
            assert_eq!(found, expected, "{text}");
        }
        for text in ["", "1", "{ \"a b\" : [ ] ,", "\"a b c"] {
            assert_eq!(lines(text), None, "{text}");
        }
    }

    /// Documents of all lengths, so that what is set apart falls on every border; with what is between them.
    #[test]
    fn places_are_those_of_the_text() {
        for length in 0..1100 {
            let documents = [format!("[\"{}\"]", "x".repeat(length)), "{\n}".to_owned(), "\"\"".to_owned()];
            for between in ["", " ", "\n", "\r\n"] {
                let text = documents.join(between) + between + "7";
                let (whole, on_lines, inserted) = lines(&text).expect("whole documents");
                assert_eq!(whole.len(), text.len() - 1);
                let mut expected = documents.clone().map(|document| document.replace('\n', "\t")).join("\n");
                assert_eq!(inserted.len(), if between.is_empty() { 3 } else { 0 }, "{length}");
                let blank = if between.len() > 1 { "\n\n" } else { "\n" };
                expected = expected.replace('\n', blank) + blank;
                assert_eq!(on_lines, expected, "{length} {between:?}");
                for (number, &place) in inserted.iter().enumerate() {
                    assert_eq!(on_lines.as_bytes()[place], b'\n');
                    assert_eq!(on_lines.as_bytes()[place - 1], text.as_bytes()[place - 1 - number]);
                }
            }
        }
    }
}
