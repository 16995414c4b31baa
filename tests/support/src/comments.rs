//! JSON with comments: a generator, and the checks of what is read and written.

use fjson::Framing;
use fjson::Input;
use fjson::Layout;
use fjson::Options;

use crate::check;
use crate::check::Shown;
use crate::check::Verb;
use crate::pieces::Pieces;
use crate::random::Random;

/// What may be between two tokens.
const COMMENTS: [&str; 14] = [
    " ",
    "/**/",
    "/***/",
    "/*/*/",
    "/* /* // */",
    "// line\n",
    "//\r\n",
    "\n// \"quoted, }\n",
    "\n\n  // own\n  ",
    "/* \"\n ] */\r\n",
    "/* a\n * b\n */",
    "\n/* own */\n",
    "\n/* before */ ",
    "\t//*/\n",
];

/// Returns a valid document with comments between its tokens, and commas before its closing brackets.
#[must_use]
pub fn sprinkle(random: &mut Random, document: &[u8]) -> Vec<u8> {
    let frequency = 2 + random.below(12);
    let (mut out, mut at, mut last) = (Vec::new(), 0, b'[');
    while at < document.len() {
        let token = token(&document[at..]);
        if !token.trim_ascii().is_empty() {
            let follows_value = !matches!(last, b'[' | b'{' | b',' | b':');
            if follows_value && matches!(token[0], b']' | b'}') && random.one_in(2) {
                out.push(b',');
            }
            while random.one_in(frequency) {
                out.extend_from_slice(random.pick(&COMMENTS).as_bytes());
            }
            last = token[0];
        }
        out.extend_from_slice(token);
        at += token.len();
    }
    if random.one_in(2) {
        out.extend_from_slice(b"// end");
    }
    out
}

/// Returns the first token of a text, or one byte.
fn token(text: &[u8]) -> &[u8] {
    let is_scalar = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let length = match text[0] {
        b'"' => {
            let mut at = 1;
            while text.get(at).is_some_and(|&byte| byte != b'"') {
                at += 1 + usize::from(text[at] == b'\\');
            }
            at + 1
        }
        _ => text.iter().position(|byte| !is_scalar(byte)).unwrap_or(text.len()),
    };
    &text[..length.clamp(1, text.len())]
}

/// Returns the comments of a text, one byte at a time, without the whitespace at their ends.
fn comments(text: &[u8]) -> Vec<Vec<u8>> {
    let (mut found, mut at, mut in_string) = (Vec::new(), 0, false);
    while at < text.len() {
        let here = &text[at..];
        at += match here {
            [b'\\', _, ..] if in_string => 2,
            [b'"', ..] => {
                in_string = !in_string;
                1
            }
            [b'/', next @ (b'/' | b'*'), ..] if !in_string => {
                let is_end = |end: &[u8]| if *next == b'/' { b"\r\n".contains(&end[0]) } else { end == b"*/" };
                let end = here[2..].windows(if *next == b'/' { 1 } else { 2 }).position(is_end);
                let end = end.map_or(here.len(), |end| end + if *next == b'/' { 2 } else { 4 });
                found.push(here[..end].to_vec());
                end
            }
            _ => 1,
        };
    }
    found
}

/// Asserts that a text is read as the text with spaces in place of its comments, by every operation on every kernel, however it arrives.
///
/// # Panics
/// If it is not.
pub fn read_as_blank(text: &[u8], random: &mut Random) {
    let mut blank = text.to_vec();
    fjson::blank_comments(&mut blank);
    for verb in Verb::ALL {
        for &isa in check::kernels() {
            let options = check::options(verb, isa).window(check::window(random)).threads(1 + random.below(3));
            let expected = check::outcome(verb, &blank, &options);
            let input = if random.one_in(2) {
                text.into()
            } else {
                let sizes = Random::new(random.bits());
                let largest = check::window(random);
                Input::from_reader(Pieces::new(text, sizes_below(sizes, largest)))
            };
            let got = check::outcome(verb, input.skip_comments(), &options);
            // Columns count each byte of a comment.
            check::same(&expected, &got, &blank, format_args!("{verb:?} with comments on {isa}"));
            let place = |outcome: &check::Outcome| outcome.error.as_ref().map(|error| (error.line(), error.column()));
            assert_eq!(place(&got), place(&expected), "{verb:?} on {isa}: {}", Shown(text));
        }
    }
}

fn sizes_below(mut random: Random, largest: usize) -> impl Iterator<Item = usize> {
    std::iter::repeat_with(move || 1 + random.below(largest + 1))
}

/// Asserts that a text that is printed with its comments has the same comments and the same values, is printed as it is the next time, and
/// that this is what the comparison says.
///
/// # Panics
/// If it is not.
pub fn printed_with_comments(text: &[u8], random: &mut Random) {
    let wide = Layout::default().width(30);
    let layouts = [Layout::default(), Layout::tab(), Layout::spaces(0), wide, wide.compact_arrays()];
    let layout = layouts[random.below(layouts.len())];
    let framing = [Framing::Document, Framing::Documents][random.below(2)];
    let options = Options::new().max_depth(Some(500)).threads(1 + random.below(3)).framing(framing);
    let printed = |text: &[u8]| {
        let mut out = Vec::new();
        fjson::pretty_with_comments(text, &mut out, &layout, &options).map(|_| out)
    };
    let minified = |text: &[u8]| {
        let mut out = Vec::new();
        fjson::minify(Input::from(text).skip_comments(), &mut out, &options).map(|_| out)
    };
    match (printed(text), minified(text)) {
        (Ok(out), Ok(compact)) => {
            assert_eq!(Shown(&minified(&out).expect("valid")), Shown(&compact), "{}", Shown(text));
            let (mut before, mut after) = (comments(text), comments(&out));
            before.sort();
            after.sort();
            assert!(before == after, "{} became {}", Shown(text), Shown(&out));
            let again = printed(&out).expect("valid");
            assert_eq!(Shown(&again), Shown(&out), "of {}", Shown(text));
            for text in [text, &out] {
                let again = printed(text).expect("valid");
                let difference = fjson::pretty_with_comments_difference(text, &layout, &options).expect("valid");
                assert_eq!(difference, check::first_difference(text, &again), "{}", Shown(text));
            }
        }
        (Err(error), Err(other)) => {
            assert_eq!((error.kind(), error.offset()), (other.kind(), other.offset()), "{}", Shown(text));
        }
        (left, right) => panic!("{left:?} and {right:?} of {}", Shown(text)),
    }
}
