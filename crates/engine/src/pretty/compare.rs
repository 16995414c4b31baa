//! Tests whether an input is already pretty-printed: the printer runs as usual, and its output is compared with the
//! input.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::pretty::Indent;
use crate::pretty::Layout;
use crate::profile::first_error;
use crate::sink::Stage;

/// Compares `input` with what [`pretty`](crate::pretty()) would write. Returns `None` if they are equal, and otherwise
/// the offset of the first byte that differs. If the input is a prefix of the output, that is the length of the input.
///
/// # Errors
/// Returns the first error of the first invalid document, or an error of reading.
///
/// ```
/// use fjson::{Layout, Options, pretty_difference};
///
/// let (layout, options) = (Layout::default(), Options::new());
/// assert_eq!(pretty_difference("[\n  1\n]\n", &layout, &options)?, None);
/// assert_eq!(pretty_difference("[\n 1\n]\n", &layout, &options)?, Some(3));
/// assert_eq!(pretty_difference("[\n  1\n]", &layout, &options)?, Some(7));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn pretty_difference<'a>(
    input: impl Into<Input<'a>>,
    layout: &Layout,
    options: &Options,
) -> Result<Option<u64>, Error> {
    let mut input = input.into();
    let start = input.start();
    let stage = Stage::comparing(start, 4 * input.bytes().len(), options, layout.unit);
    let mut consumer = Indent::new(stage, *layout, options);
    let summary = first_error(&mut input, options, &mut consumer)?;
    consumer.stage.first_difference(start + summary.bytes, options.framing.terminator())
}

#[cfg(test)]
mod tests {
    use super::pretty_difference;
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

    /// The result equals that of comparing each text with the whole output.
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
                assert_eq!(pretty_difference(text, &Layout::default(), &options).ok(), Some(expected), "{text:?}");
                assert_eq!(
                    pretty_difference(from_reader, &Layout::default(), &options).ok(),
                    Some(expected),
                    "{text:?}"
                );
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
            assert_eq!(pretty_difference(text, &Layout::default(), &options).ok(), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn whitespace_without_end_does_not_wait() {
        let text = format!("[\n  1,{}2\n]\n", " ".repeat(1 << 20));
        let found = pretty_difference(&*text, &Layout::default(), &Options::new().window(4096));
        assert_eq!(found.ok(), Some(Some(6)));
    }
}
