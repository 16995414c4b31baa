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
use crate::options::Framing;

/// Of a text that is all in memory no more bytes are looked at: to what is longer, the long way adds little.
const NEARBY: usize = 1 << 16;

/// Looks for the end of a document.
pub(super) struct Outlook {
    extent: Extent,
    /// Whether it is a number or literal, which nothing but whitespace ends.
    is_scalar: bool,
    /// All in front of this place has been looked at.
    looked: u64,
    /// Where the document ends by what has been seen, and where it is said to end.
    seen: Option<u64>,
    end: Option<u64>,
    is_over: bool,
}

impl Outlook {
    /// In front of the document that a frame has begun.
    pub(super) fn new(frame: &Frame, input: &Input<'_>) -> Self {
        let first = input.bytes().get(index_of(input, frame.start()));
        Self {
            extent: Extent::default(),
            is_scalar: !matches!(first, Some(b'{' | b'[' | b'"')),
            looked: frame.start(),
            seen: None,
            end: None,
            is_over: frame.framing() != Framing::Stream,
        }
    }

    /// Where the document ends, if that is known: with the first byte behind it, if that is whitespace.
    #[inline]
    pub(super) fn end<K: Kernel>(&mut self, kernel: K, input: &Input<'_>) -> Option<u64> {
        if self.end.is_none() && !self.is_over {
            self.look(kernel, input);
        }
        self.end
    }

    fn look<K: Kernel>(&mut self, kernel: K, input: &Input<'_>) {
        self.is_over = input.at_end() || self.looked < input.base();
        if self.looked >= input.base() && self.seen.is_none() {
            let text = &input.bytes()[index_of(input, self.looked)..];
            let text = &text[..if input.at_end() { text.len().min(NEARBY) } else { text.len() }];
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
    use super::NEARBY;
    use super::Outlook;
    use crate::framing::Frame;
    use crate::input::Input;
    use crate::kernel::Isa;
    use crate::kernel::Kernel;
    use crate::kernel::Pass;
    use crate::options::Framing;

    struct End<'e, 'i>(&'e mut Outlook, &'e Input<'i>);

    impl Pass for End<'_, '_> {
        type Output = Option<u64>;

        fn run<K: Kernel>(self, kernel: K) -> Option<u64> {
            self.0.end(kernel, self.1)
        }
    }

    fn begin(framing: Framing, text: &str, size: usize) -> (Input<'_>, Outlook) {
        let mut input = Input::in_pieces(text.as_bytes(), size);
        let mut frame = Frame::new(framing);
        assert!(frame.find(&mut input, &mut || Ok(())).expect("reads"));
        frame.begin();
        let outlook = Outlook::new(&frame, &input);
        (input, outlook)
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
                for isa in Isa::available() {
                    let (mut input, mut outlook) = begin(Framing::Stream, text, size);
                    loop {
                        let known = isa.run(End(&mut outlook, &input));
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

    #[test]
    fn no_end_is_looked_for() {
        let long = format!("[{}] ", " ".repeat(NEARBY));
        for (framing, text) in
            [(Framing::Document, "[] "), (Framing::Lines, "[] "), (Framing::Stream, "[]"), (Framing::Stream, &long)]
        {
            let (input, mut outlook) = begin(framing, text, 0);
            assert_eq!(Isa::default().run(End(&mut outlook, &input)), None, "{framing:?} {}", text.len());
        }
    }
}
