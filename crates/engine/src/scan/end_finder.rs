//! Finds the end of a document of concatenated JSON before the document is read.
//!
//! The grammar learns that a document has ended only from the next one. The scan would have to wait for that one, and
//! to find its first byte by re-reading from the checkpoint. Brackets and strings alone give the end sooner, as long as
//! the document is valid; an invalid document has an error before the end found here. If no end is found nearby, the
//! scan proceeds without one.

#![forbid(unsafe_code)]

use crate::framing::Frame;
use crate::framing::distance;
use crate::framing::index_of;
use crate::grammar::EndSearch;
use crate::grammar::Extent;
use crate::input::Input;
use crate::kernel::Kernel;

/// Bytes to search in a document that may be the only one, which then does not need it.
const NEARBY: usize = 1 << 16;

/// Bytes to search in a document of a text that is completely in memory. Without its end, the text after the last checkpoint is read again,
/// which takes little time compared with reading a longer document.
const FAR: usize = 1 << 22;

/// A search for the end of a document.
pub(crate) struct EndFinder {
    extent: Extent,
    /// Whether the document is a number or literal, which only whitespace ends.
    is_scalar: bool,
    /// Offset up to which the text has been searched.
    searched_to: u64,
    /// Number of bytes after it that are known to be backslashes, and wait for the byte after them.
    backslashes: usize,
    /// Offset at which the search ends.
    limit: u64,
    /// Where the brackets and strings end, and the end of the document that follows from it.
    content_end: Option<u64>,
    end: Option<u64>,
    is_over: bool,
}

impl EndFinder {
    /// Starts a search at the beginning of the document that `frame` has begun.
    pub(crate) fn new(frame: &Frame, input: &Input<'_>) -> Self {
        let first = input.bytes().get(index_of(input, frame.start()));
        let length = if frame.is_alone() { Some(NEARBY) } else { input.at_end().then_some(FAR) };
        Self {
            extent: Extent::default(),
            // mutant: is_scalar: !matches!(first, Some(b'{' | b'[')),
            is_scalar: !matches!(first, Some(b'{' | b'[' | b'"')),
            searched_to: frame.start(),
            backslashes: 0,
            limit: length.map_or(u64::MAX, |length| frame.start() + length as u64),
            content_end: None,
            end: None,
            // A document that is only whitespace has no end to find.
            is_over: !frame.framing().is_stream() || first.is_some_and(u8::is_ascii_whitespace),
        }
    }

    /// Returns the end of the document if it is known. It is known once the byte after it is, and includes that byte if
    /// it is whitespace. A text that is completely in memory is searched up to `until`, so that what is searched is still in the cache
    /// when it is read.
    #[inline]
    pub(crate) fn end<K: Kernel>(&mut self, kernel: K, input: &Input<'_>, until: u64) -> Option<u64> {
        if self.end.is_none() && !self.is_over {
            self.look(kernel, input, if input.at_end() { until } else { u64::MAX });
        }
        self.end
    }

    fn look<K: Kernel>(&mut self, kernel: K, input: &Input<'_>, until: u64) {
        self.is_over = self.searched_to < input.base();
        if !self.is_over && self.content_end.is_none() {
            let text = &input.bytes()[index_of(input, self.searched_to)..];
            let rest = self.limit.min(until).saturating_sub(self.searched_to);
            let text = &text[..text.len().min(usize::try_from(rest).unwrap_or(usize::MAX))];
            let (index, length) = if self.is_scalar {
                (text.iter().position(u8::is_ascii_whitespace), text.len())
            } else {
                // The byte that a trailing backslash escapes is not in memory yet, so trailing backslashes wait.
                let known = self.backslashes.min(text.len());
                let last = text[known..].iter().rposition(|&byte| byte != b'\\');
                // mutant: let length = text.len();
                let length = last.map_or(0, |last| known + last + 1);
                self.backslashes = text.len() - length;
                let find = EndSearch { text: &text[..length], extent: &mut self.extent };
                (kernel.run(find), length)
            };
            self.content_end = index.map(|index| self.searched_to + index as u64);
            self.searched_to += length as u64;
            let seen_to = self.searched_to + self.backslashes as u64;
            let is_all = input.at_end() && index_of(input, seen_to) == input.bytes().len();
            self.is_over = is_all || self.content_end.is_none() && seen_to >= self.limit;
        }
        if let Some(content_end) = self.content_end
            && let Some(next_byte) = input.bytes().get(index_of(input, content_end))
        {
            // mutant: self.end = Some(content_end);
            self.end = Some(content_end + u64::from(next_byte.is_ascii_whitespace()));
        }
    }
}

/// Returns the part of the document in memory from `position` on, up to its `end` if that is known, and whether that is the rest of the
/// document.
#[inline(always)]
pub(crate) fn text_up_to<'t>(
    end: Option<u64>,
    frame: &mut Frame,
    input: &'t Input<'_>,
    position: u64,
) -> (&'t [u8], bool) {
    let (text, ended) = frame.text(input, position);
    match end {
        // Whitespace after the end may already have been read.
        Some(end) => (&text[..distance(position, end.max(position))], true),
        None => (text, ended),
    }
}

#[cfg(test)]
mod tests {
    use super::EndFinder;
    use super::FAR;
    use super::NEARBY;
    use crate::framing::Frame;
    use crate::input::Input;
    use crate::kernel::Isa;
    use crate::kernel::Kernel;
    use crate::kernel::Pass;
    use crate::options::Framing;

    struct End<'e, 'i>(&'e mut EndFinder, &'e Input<'i>, u64);

    impl Pass for End<'_, '_> {
        type Output = Option<u64>;

        fn run<K: Kernel>(self, kernel: K) -> Option<u64> {
            self.0.end(kernel, self.1, self.2)
        }
    }

    fn begin(framing: Framing, text: &str, size: usize) -> (Input<'_>, EndFinder) {
        let mut input = Input::in_pieces(text.as_bytes(), size);
        let mut frame = Frame::new(framing, 0);
        assert!(frame.find(&mut input, &mut || Ok(())).expect("reads"));
        frame.begin();
        let end_finder = EndFinder::new(&frame, &input);
        (input, end_finder)
    }

    /// An end is known as soon as the byte after it is. The end includes that byte if it is whitespace.
    #[test]
    fn an_end_is_known_with_the_next_byte() {
        for (text, end) in [
            ("[1] [2]", 4),
            ("[1][2]", 3),
            ("{\"\\\\\":\"\\\"}\"}\n\n", 13),
            ("\"\\\\\\\"\"\"", 6),
            ("1 [", 2),
            ("true\n", 5),
            ("1[2] ", 5),
            ("]\r1", 2),
        ] {
            for size in 0..=text.len() {
                for (isa, framing) in
                    Isa::available().flat_map(|isa| [(isa, Framing::Stream), (isa, Framing::Documents)])
                {
                    let (mut input, mut end_finder) = begin(framing, text, size);
                    loop {
                        let known = isa.run(End(&mut end_finder, &input, u64::MAX));
                        let ends_in_whitespace = text[end - 1..].starts_with(char::is_whitespace);
                        let needed = if ends_in_whitespace { end } else { end + 1 };
                        let expected = (input.bytes().len() >= needed).then_some(end as u64);
                        assert_eq!(known, expected, "{isa:?} {text} in pieces of {size}");
                        if input.at_end() {
                            break;
                        }
                        input.read_more(0).expect("reads");
                    }
                }
            }
        }
    }

    /// A document that may be the only one is searched only up to the limit.
    #[test]
    fn a_document_that_may_be_alone_is_searched_only_up_to_the_limit() {
        let length = 2 * NEARBY;
        let text = format!("[{}] 1", " ".repeat(length));
        for (framing, expected) in [(Framing::Stream, Some(length as u64 + 3)), (Framing::Documents, None)] {
            let (mut input, mut end_finder) = begin(framing, &text, length / 8);
            let mut end = None;
            while end.is_none() && !input.at_end() {
                end = Isa::default().run(End(&mut end_finder, &input, u64::MAX));
                input.read_more(0).expect("reads");
            }
            assert_eq!(end, expected, "{framing:?}");
        }
    }

    /// The end is the same wherever the parts end in which a text in memory is searched, even after a backslash that escapes something.
    #[test]
    fn a_text_in_memory_is_searched_in_parts() {
        let text = r#"{"\\\"}":["\\",{}]} 1"#;
        let end = text.len() as u64 - 1;
        for (isa, step) in Isa::available().flat_map(|isa| (1..=end).map(move |step| (isa, step))) {
            let (input, mut end_finder) = begin(Framing::Stream, text, 0);
            let mut until = 0;
            let found = std::iter::repeat_with(|| {
                until += step;
                isa.run(End(&mut end_finder, &input, until))
            });
            // The last bracket is before the whitespace.
            let calls = (end - 1).div_ceil(step);
            let found: Vec<_> = found.take(usize::try_from(calls).expect("few")).collect();
            let (last, before) = found.split_last().expect("there is a call");
            assert!(*last == Some(end) && before.iter().all(Option::is_none), "{isa:?} {step} {found:?}");
        }
    }

    #[test]
    fn no_end_is_searched_for() {
        let long = format!("[{}] ", " ".repeat(FAR));
        for (framing, text) in
            [(Framing::Document, "[] "), (Framing::Lines, "[] "), (Framing::Stream, "[]"), (Framing::Stream, &long)]
        {
            let (input, mut end_finder) = begin(framing, text, 0);
            let end = Isa::default().run(End(&mut end_finder, &input, u64::MAX));
            assert_eq!(end, None, "{framing:?} {}", text.len());
        }
    }
}
