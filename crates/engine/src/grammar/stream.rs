//! Puts each document of concatenated JSON on a line of its own, at a fraction of the cost of validating the documents.
//!
//! The text is not validated, and the output for invalid text is unspecified. The rewrite is nevertheless safe. Outside
//! containers and strings, whitespace becomes a line break. A line break is inserted only between two bytes where one document
//! can end or the next can begin. Any other line break becomes a tab, which is valid in the same places. So if every line is a
//! valid document, the text was a sequence of the same documents.
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

/// Documents rewritten to one per line.
#[derive(Debug, Default)]
pub(crate) struct RewrittenLines {
    pub(crate) text: Vec<u8>,
    /// Offsets in `text` of the line breaks that were inserted where there was no whitespace.
    pub(crate) inserted: Vec<usize>,
}

impl RewrittenLines {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.inserted.clear();
    }
}

/// Rewrites all complete documents at the start of a text to one per line.
pub(crate) struct LineRewrite<'t, 'l> {
    pub(crate) text: &'t [u8],
    /// Receives the rewritten documents. Stays empty if they are already one per line.
    pub(crate) lines: &'l mut RewrittenLines,
}

impl Pass for LineRewrite<'_, '_> {
    /// Number of bytes of the complete documents and the whitespace around them. `None` if not even the first one is complete.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Self { text, lines } = self;
        lines.clear();
        let mut rewriter =
            Rewriter { text, lines, is_copying: false, after_visible: false, after_document: false, whole: None };
        let mut extent = Extent::default();
        for (number, part) in text.chunks(K::SUPERBLOCK).enumerate() {
            let masks = extent.classify(kernel, part);
            for (lane, bytes) in part.chunks(64).enumerate() {
                let block = masks.block(lane, bytes, number * K::SUPERBLOCK + 64 * lane);
                rewriter.rewrite(&block, &extent.ends(&block));
            }
        }
        rewriter.finish()
    }
}

/// State of the rewrite between two blocks.
struct Rewriter<'t, 'l> {
    text: &'t [u8],
    lines: &'l mut RewrittenLines,
    /// Whether the output differs from the text, so that every block must be copied.
    is_copying: bool,
    /// Whether the last byte was not whitespace.
    after_visible: bool,
    /// Whether the last byte ended a document that needs no whitespace after it: a container or a string.
    after_document: bool,
    /// Lengths of the complete documents in the text and in the output.
    whole: Option<[usize; 2]>,
}

impl Rewriter<'_, '_> {
    #[inline(always)]
    fn rewrite(&mut self, block: &Block<'_>, &Ends { top_level, ended }: &Ends) {
        let all = !0 >> (64 - block.bytes.len());
        let top_level = top_level & all;
        let (visible, last) = (!block.whitespace, 1 << 63);
        // mutant: let after_visible = visible << 1;
        let after_visible = visible << 1 | u64::from(self.after_visible);
        // mutant: let begins = (block.open | block.opening) & top_level | ended << 1;
        let begins = (block.open | block.opening) & top_level | ended << 1 | u64::from(self.after_document);
        (self.after_visible, self.after_document) = (visible & last != 0, ended & last != 0);
        let breaks = block.whitespace & top_level;
        let inserts = begins & visible & after_visible & all;
        let changes = breaks ^ block.line_break & all | inserts;
        if changes != 0 && !self.is_copying {
            self.is_copying = true;
            self.lines.text.extend_from_slice(&self.text[..block.at]);
        }
        if self.is_copying {
            self.copy(block.bytes, [breaks & !block.line_break, block.line_break & !top_level & all, inserts]);
        }
        if breaks | inserts != 0 {
            self.mark_whole(block, breaks, inserts);
        }
    }

    /// Copies a block. Replaces the bytes at `breaks` by line breaks and those at `tabs` by tabs, and inserts a line break before
    /// each position of `inserts`.
    #[inline(always)]
    fn copy(&mut self, block: &[u8], [breaks, tabs, inserts]: [u64; 3]) {
        let mut bytes = [0; 64];
        let bytes = &mut bytes[..block.len()];
        bytes.copy_from_slice(block);
        // mutant: for (places, byte) in [(breaks, b'\n'), (0, b'\t')] {
        for (places, byte) in [(breaks, b'\n'), (tabs, b'\t')] {
            for place in positions(places) {
                bytes[place] = byte;
            }
        }
        let RewrittenLines { text, inserted } = &mut *self.lines;
        let mut copied = 0;
        for place in positions(inserts) {
            text.extend_from_slice(&bytes[copied..place]);
            inserted.push(text.len());
            text.push(b'\n');
            copied = place;
        }
        text.extend_from_slice(&bytes[copied..]);
    }

    /// Records that the last complete document ends with the last of these line breaks.
    #[inline(always)]
    fn mark_whole(&mut self, block: &Block<'_>, breaks: u64, inserts: u64) {
        let last = (breaks | inserts).ilog2();
        // mutant: let end = block.at + last as usize + 1;
        let end = block.at + last as usize + usize::from(inserts >> last & 1 == 0);
        let rest = block.at + block.bytes.len() - end;
        let on_lines = if self.is_copying { self.lines.text.len() - rest } else { end };
        self.whole = Some([end, on_lines]);
    }

    fn finish(self) -> Option<usize> {
        let [end, on_lines] = self.whole?;
        // mutant:
        self.lines.text.truncate(on_lines);
        Some(end)
    }
}

/// Returns the positions of the set bits of a mask, in order.
#[inline(always)]
pub(super) fn positions(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    iter::from_fn(move || {
        let position = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (position < 64).then_some(position)
    })
}

#[cfg(test)]
mod tests {
    use super::LineRewrite;
    use super::RewrittenLines;
    use crate::kernel::Isa;

    /// Runs `LineRewrite` with every kernel. Returns the complete documents, their rewritten form, and the inserted line breaks.
    fn lines(text: &str) -> Option<(String, String, Vec<usize>)> {
        let mut all = Isa::available().map(|isa| {
            let mut lines = RewrittenLines::default();
            let whole = isa.run(LineRewrite { text: text.as_bytes(), lines: &mut lines })?;
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

    /// Documents of all lengths, so that their ends fall on every block boundary, with several kinds of separators.
    #[test]
    fn inserted_line_breaks_map_to_offsets_of_the_text() {
        for length in 0..1100 {
            let documents = [format!("[\"{}\"]", "x".repeat(length)), "{\n}".to_owned(), "\"\"".to_owned()];
            for between in ["", " ", "\n", "\r\n"] {
                let text = documents.join(between) + between + "7";
                let (whole, on_lines, inserted) = lines(&text).expect("whole documents");
                assert_eq!(whole.len(), text.len() - 1);
                let mut expected = documents.clone().map(|document| document.replace('\n', "\t")).join("\n");
                assert_eq!(inserted.len(), if between.is_empty() { 3 } else { 0 }, "{length}");
                let line_end = if between.len() > 1 { "\n\n" } else { "\n" };
                expected = expected.replace('\n', line_end) + line_end;
                assert_eq!(on_lines, expected, "{length} {between:?}");
                for (number, &place) in inserted.iter().enumerate() {
                    assert_eq!(on_lines.as_bytes()[place], b'\n');
                    assert_eq!(on_lines.as_bytes()[place - 1], text.as_bytes()[place - 1 - number]);
                }
            }
        }
    }
}
