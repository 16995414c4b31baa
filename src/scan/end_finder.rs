//! Where a document of a stream ends, before it is read.
//!
//! Nothing but the next document tells the grammar that one has ended: the walk would have to wait for it, and to find the first of
//! its bytes by reading from the origin. Brackets and strings alone tell it sooner, as long as the document is good; a bad one has a
//! fault in front of the end they tell. Where they tell of none nearby, the walk goes the long way.

#![forbid(unsafe_code)]

use crate::framing::Frame;
use crate::framing::index_of;
use crate::grammar::Extent;
use crate::grammar::FindEnd;
use crate::input::Input;
use crate::kernel::Kernel;

/// Of a document that may be alone, and of a text that is all in memory, no more bytes are looked at: to what is longer, the long
/// way adds little, and a document that is alone has no need of this.
const NEARBY: usize = 1 << 16;

/// Looks for the end of a document.
pub(crate) struct EndFinder {
    extent: Extent,
    /// Whether it is a number or literal, which nothing but whitespace ends.
    is_scalar: bool,
    /// All in front of this place has been looked at.
    looked: u64,
    /// Nothing behind this place will be.
    limit: u64,
    /// Where the document ends by what has been seen, and where it is said to end.
    seen: Option<u64>,
    end: Option<u64>,
    is_over: bool,
}

impl EndFinder {
    /// In front of the document that a frame has begun.
    pub(crate) fn new(frame: &Frame, input: &Input<'_>) -> Self {
        let first = input.bytes().get(index_of(input, frame.start()));
        Self {
            extent: Extent::default(),
            is_scalar: !matches!(first, Some(b'{' | b'[' | b'"')),
            looked: frame.start(),
            limit: if frame.is_alone() { frame.start() + NEARBY as u64 } else { u64::MAX },
            seen: None,
            end: None,
            // Where there is nothing but whitespace there is no end either.
            is_over: !frame.framing().is_stream() || first.is_some_and(u8::is_ascii_whitespace),
        }
    }

    /// Where the document ends, if that is known: with the first byte behind it, if that is whitespace.
    #[inline]
    pub(crate) fn end<K: Kernel>(&mut self, kernel: K, input: &Input<'_>) -> Option<u64> {
        if self.end.is_none() && !self.is_over {
            self.look(kernel, input);
        }
        self.end
    }

    fn look<K: Kernel>(&mut self, kernel: K, input: &Input<'_>) {
        self.is_over = input.at_end() || self.looked < input.base();
        if self.looked >= input.base() && self.seen.is_none() {
            let text = &input.bytes()[index_of(input, self.looked)..];
            let rest = usize::try_from(self.limit.saturating_sub(self.looked)).unwrap_or(usize::MAX);
            let text = &text[..text.len().min(if input.at_end() { NEARBY } else { rest })];
            let (index, length) = if self.is_scalar {
                (text.iter().position(u8::is_ascii_whitespace), text.len())
            } else {
                // What a backslash at the end of it escapes is not there yet.
                let length = text.iter().rposition(|&byte| byte != b'\\').map_or(0, |last| last + 1);
                let find = FindEnd { text: &text[..length], extent: &mut self.extent };
                (kernel.run(find), length)
            };
            self.seen = index.map(|index| self.looked + index as u64);
            self.looked += length as u64;
            self.is_over |= self.seen.is_none() && self.looked >= self.limit;
        }
        if let Some(seen) = self.seen
            && let Some(behind) = input.bytes().get(index_of(input, seen))
        {
            self.end = Some(seen + u64::from(behind.is_ascii_whitespace()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EndFinder;
    use super::NEARBY;
    use crate::framing::Frame;
    use crate::input::Input;
    use crate::kernel::Isa;
    use crate::kernel::Kernel;
    use crate::kernel::Pass;
    use crate::options::Framing;

    struct End<'e, 'i>(&'e mut EndFinder, &'e Input<'i>);

    impl Pass for End<'_, '_> {
        type Output = Option<u64>;

        fn run<K: Kernel>(self, kernel: K) -> Option<u64> {
            self.0.end(kernel, self.1)
        }
    }

    fn begin(framing: Framing, text: &str, size: usize) -> (Input<'_>, EndFinder) {
        let mut input = Input::in_pieces(text.as_bytes(), size);
        let mut frame = Frame::new(framing);
        assert!(frame.find(&mut input, &mut || Ok(())).expect("reads"));
        frame.begin();
        let end_finder = EndFinder::new(&frame, &input);
        (input, end_finder)
    }

    /// An end is known with the first byte behind it, which is part of it if it is whitespace, and not sooner.
    #[test]
    fn an_end_is_known_with_what_follows() {
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
                        let known = isa.run(End(&mut end_finder, &input));
                        let is_there = text[end - 1..].starts_with(char::is_whitespace);
                        let needed = if is_there { end } else { end + 1 };
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

    /// What may be all there is, is not looked at twice.
    #[test]
    fn little_is_looked_at_of_a_document_that_may_be_alone() {
        let text = format!("[{}] 1", " ".repeat(2 * NEARBY));
        for (framing, expected) in [(Framing::Stream, Some(2 * NEARBY as u64 + 3)), (Framing::Documents, None)] {
            let (mut input, mut end_finder) = begin(framing, &text, NEARBY / 4);
            let mut end = None;
            while end.is_none() && !input.at_end() {
                end = Isa::default().run(End(&mut end_finder, &input));
                input.read_more(0).expect("reads");
            }
            assert_eq!(end, expected, "{framing:?}");
        }
    }

    #[test]
    fn no_end_is_looked_for() {
        let long = format!("[{}] ", " ".repeat(NEARBY));
        for (framing, text) in
            [(Framing::Document, "[] "), (Framing::Lines, "[] "), (Framing::Stream, "[]"), (Framing::Stream, &long)]
        {
            let (input, mut end_finder) = begin(framing, text, 0);
            assert_eq!(Isa::default().run(End(&mut end_finder, &input)), None, "{framing:?} {}", text.len());
        }
    }
}
