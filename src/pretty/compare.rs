//! Whether an input already is what pretty-printing would make of it.
//!
//! The printer runs as ever, but what it lets go is compared with the text it was made from, in place of being written. As
//! long as both are equal, output and input stand at the same offset; only whitespace in front of a token not seen yet may
//! be ahead in the input, and waits.

#![forbid(unsafe_code)]

use std::io;

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::pretty::Indent;
use crate::pretty::Layout;
use crate::sink::Stage;
use crate::walk::first_error;

/// Whether `input` is byte for byte what [`pretty`](crate::pretty()) would write: nothing if it is, and otherwise the offset of the
/// first byte that differs, which is the length of the input if the output only goes on behind it.
///
/// # Errors
/// The first error of the first bad document, or an error of reading.
///
/// ```
/// use fjson::{Layout, Options, is_pretty};
///
/// let (layout, options) = (Layout::default(), Options::new());
/// assert_eq!(is_pretty("[\n  1\n]\n", &layout, &options)?, None);
/// assert_eq!(is_pretty("[\n 1\n]\n", &layout, &options)?, Some(3));
/// assert_eq!(is_pretty("[\n  1\n]", &layout, &options)?, Some(7));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn is_pretty<'a>(input: impl Into<Input<'a>>, layout: &Layout, options: &Options) -> Result<Option<u64>, Error> {
    let mut input = input.into();
    let mut nowhere = io::sink();
    let stage = Stage::new(&mut nowhere, 4 * input.bytes().len());
    let mut consumer = Indent::new(stage, *layout, options.framing);
    consumer.comparison = Some(Comparison::default());
    let summary = first_error(&mut input, options, &mut consumer)?;
    Ok(consumer.comparison.and_then(|mut comparison| {
        comparison.pass_over(summary.bytes, options.framing.terminator());
        comparison.first_difference()
    }))
}

/// Input and output on their way to each other: what one of them is ahead by.
#[derive(Default)]
pub(super) struct Comparison {
    input: Vec<u8>,
    output: Vec<u8>,
    /// Bytes of input so far, and bytes that were found equal.
    read: u64,
    equal: u64,
    /// Whether input and output differ behind the bytes that were found equal.
    differs: bool,
    /// Whether they are sure to differ, though the output has not come that far: no more input is needed.
    enough: bool,
}

impl Comparison {
    /// A piece of input, and what output came of it and of what was waiting. The output cannot go on with a gap wider than
    /// `widest`, so if more input waits for it, the difference lies in there.
    pub(super) fn meet(&mut self, text: &[u8], output: &[u8], widest: usize) {
        self.read += text.len() as u64;
        if self.differs {
            return;
        }
        self.output.extend_from_slice(output);
        if !self.enough {
            self.input.extend_from_slice(text);
        }
        let both = self.input.len().min(self.output.len());
        let equal = self.input.iter().zip(&self.output).take_while(|(input, output)| input == output).count();
        self.equal += equal as u64;
        self.differs = equal < both;
        self.input.drain(..both);
        self.output.drain(..both);
        if self.input.len() > widest {
            self.input.truncate(widest);
            self.enough = true;
        }
    }

    /// Goes to `offset`, over what separates documents: nothing, or `first` and perhaps more. More is never output.
    pub(super) fn pass_over(&mut self, offset: u64, first: Option<u8>) {
        let skipped = offset - self.read;
        if skipped > 0 {
            self.meet(first.as_slice(), &[], usize::MAX);
            self.read = offset;
            self.enough |= skipped > first.as_slice().len() as u64;
        }
    }

    fn first_difference(&self) -> Option<u64> {
        let unequal = self.differs || self.enough || !self.input.is_empty() || !self.output.is_empty();
        unequal.then_some(self.equal)
    }
}

#[cfg(test)]
mod tests {
    use super::is_pretty;
    use crate::input::Input;
    use crate::options::Framing;
    use crate::options::Options;
    use crate::pretty::Layout;
    use crate::pretty::pretty;

    fn printed(text: &str, options: &Options) -> Vec<u8> {
        let mut output = Vec::new();
        pretty(text, &mut output, &Layout::default(), options).expect("the text is valid");
        output
    }

    /// What is said of each text equals what comparing the whole output with it gives.
    #[test]
    fn agrees_with_the_output() {
        let texts = [
            "[]",
            "[]\n",
            "[]\n\n",
            " []\n",
            "[ ]\n",
            "[\n  1\n]\n",
            "[\n  1\n]",
            "[\n   1\n]\n",
            "[\n  1,\n  2\n]\n",
            "{\n  \"a\": [\n    1\n  ]\n}\n",
            "{\n  \"a\":  [\n    1\n  ]\n}\n",
            "1\n",
            "1",
            "\"\"\n",
            "[\n  1\n ]\n",
        ];
        for window in [0, 1, 1 << 18] {
            let options = Options::new().window(window);
            for text in texts {
                let output = printed(text, &options);
                let equal = text.bytes().zip(output.iter().copied()).take_while(|(a, b)| a == b).count();
                let expected = (text.as_bytes() != output).then_some(equal as u64);
                let from_reader = Input::from_reader(text.as_bytes());
                assert_eq!(is_pretty(text, &Layout::default(), &options).ok(), Some(expected), "{text:?}");
                assert_eq!(is_pretty(from_reader, &Layout::default(), &options).ok(), Some(expected), "{text:?}");
            }
        }
    }

    #[test]
    fn framings() {
        let cases = [
            (Framing::Lines, "1\n2\n", None),
            (Framing::Lines, "1\n\n2\n", Some(2)),
            (Framing::Lines, "1\n2", Some(3)),
            (Framing::Lines, "1\n[2]\n", Some(3)),
            (Framing::Stream, "1\n2\n", None),
            (Framing::Stream, "1 2\n", Some(1)),
            (Framing::Stream, " 1\n", Some(0)),
            (Framing::Lines, "\n1\n", Some(0)),
            (Framing::Sequence, "\u{1e}1\n\u{1e}2\n", None),
            (Framing::Sequence, "\u{1e}\u{1e}1\n", Some(1)),
            (Framing::Sequence, " \u{1e}1\n", Some(0)),
        ];
        for (framing, text, expected) in cases {
            let options = Options::new().framing(framing);
            assert_eq!(is_pretty(text, &Layout::default(), &options).ok(), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn whitespace_without_end_does_not_wait() {
        let text = format!("[\n  1,{}2\n]\n", " ".repeat(1 << 20));
        let found = is_pretty(&*text, &Layout::default(), &Options::new().window(4096));
        assert_eq!(found.ok(), Some(Some(6)));
    }
}
