//! What must hold for every document: the result and the output of each kernel equal those of the reference.
//!
//! These are the bodies of the tests and of the fuzz targets. A failure shows the document as a Rust literal.

use std::env;
use std::fmt;
use std::iter;
use std::sync::LazyLock;

use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Isa;
use fjson::Layout;
use fjson::Options;
use fjson::Summary;

use crate::framing;
use crate::pieces::Pieces;
use crate::random::Random;
use crate::reader;
use crate::reader::Verdict;
use crate::writer;

/// The depth limit for pretty-printing here, because output grows with the square of the depth.
const PRETTY_DEPTH: u64 = 1000;

/// An operation on a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Validates it.
    Validate,
    /// Removes its whitespace.
    Minify,
    /// Pretty-prints it.
    Pretty,
}

impl Verb {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Validate, Self::Minify, Self::Pretty];
}

/// The result of an operation.
pub struct Outcome {
    /// Valid, or the first error.
    pub verdict: Verdict,
    /// The output, up to the error if there is one.
    pub written: Vec<u8>,
    /// The error itself, if it comes from fjson.
    pub error: Option<Error>,
}

/// The kernels of this machine.
///
/// # Panics
/// If one that `FJSON_REQUIRE_KERNELS` names is missing.
#[must_use]
pub fn kernels() -> &'static [Isa] {
    static KERNELS: LazyLock<Vec<Isa>> = LazyLock::new(|| {
        let required = env::var("FJSON_REQUIRE_KERNELS").unwrap_or_default();
        for name in required.split([' ', ',']).filter(|name| !name.is_empty()) {
            assert!(name.parse::<Isa>().is_ok(), "the kernel {name} is required and missing");
        }
        Isa::available().collect()
    });
    &KERNELS
}

/// The options for an operation on a kernel.
#[must_use]
pub fn options(verb: Verb, isa: Isa) -> Options {
    Options::new().isa(isa).max_depth(max_depth(verb))
}

fn max_depth(verb: Verb) -> Option<u64> {
    (verb == Verb::Pretty).then_some(PRETTY_DEPTH)
}

/// The expected result for a document.
#[must_use]
pub fn reference(verb: Verb, text: &[u8]) -> Outcome {
    let verdict = reader::read(text, max_depth(verb));
    let good = verdict.map_or_else(|(_, offset)| &text[..offset], |()| text);
    let written = match verb {
        Verb::Validate => Vec::new(),
        Verb::Minify => writer::minify(good),
        Verb::Pretty => {
            let end: &[u8] = if verdict.is_ok() { b"\n" } else { b"" };
            [&writer::pretty(good, b"  "), end].concat()
        }
    };
    Outcome { verdict, written, error: None }
}

/// The result of fjson for an input.
pub fn outcome<'a>(verb: Verb, input: impl Into<Input<'a>>, options: &Options) -> Outcome {
    let mut written = Vec::new();
    let result = match verb {
        Verb::Validate => fjson::validate(input, options),
        Verb::Minify => fjson::minify(input, &mut written, options),
        Verb::Pretty => fjson::pretty(input, &mut written, &Layout::default(), options),
    };
    Outcome { verdict: verdict(&result), written, error: result.err() }
}

/// The verdict in a result of the library.
///
/// # Errors
/// The error, in the form of the reference.
///
/// # Panics
/// If its offset does not fit a `usize`.
pub fn verdict(result: &Result<Summary, Error>) -> Verdict {
    let kind_and_offset = |error: &Error| (error.kind(), usize::try_from(error.offset()).expect("an index"));
    result.as_ref().map(drop).map_err(kind_and_offset)
}

/// Asserts that the kernels agree with the reference about a document in memory, and the reference with [`reader::oracle`].
///
/// # Panics
/// If they do not.
pub fn document(text: &[u8]) {
    assert_eq!(reader::read(text, None).is_ok(), reader::oracle(text), "the reference is wrong about {}", Shown(text));
    for verb in Verb::ALL {
        agree(verb, text);
    }
}

/// Asserts that the kernels agree with the reference about one operation on a document in memory.
///
/// # Panics
/// If they do not.
pub fn agree(verb: Verb, text: &[u8]) {
    let expected = reference(verb, text);
    let mut first = None;
    for &isa in kernels() {
        let options = options(verb, isa);
        let got = outcome(verb, text, &options);
        same(&expected, &got, text, format_args!("{verb:?} on {isa}"));
        match &first {
            Some(first) => alike(first, &got, text),
            None => first = Some(got),
        }
        if expected.verdict.is_ok() {
            follows(verb, text, &expected.written, &options);
        }
    }
}

/// Asserts what follows from a valid document and its output.
fn follows(verb: Verb, text: &[u8], written: &[u8], options: &Options) {
    let again = |verb, input: &[u8]| outcome(verb, input, options).written;
    match verb {
        Verb::Validate => {}
        Verb::Minify => assert_eq!(Shown(&again(Verb::Minify, written)), Shown(written), "minified twice"),
        Verb::Pretty => {
            assert_eq!(Shown(&again(Verb::Pretty, written)), Shown(written), "laid out twice");
            assert_eq!(Shown(&again(Verb::Minify, written)), Shown(&writer::minify(text)), "laid out and minified");
            let differs =
                |text: &[u8]| fjson::pretty_difference(text, &Layout::default(), options).expect("a valid document");
            assert_eq!(differs(written), None, "the layout of {}", Shown(written));
            assert_eq!(differs(text), first_difference(text, written), "the layout of {}", Shown(text));
        }
    }
}

/// The first place where two texts differ.
#[must_use]
pub fn first_difference(left: &[u8], right: &[u8]) -> Option<u64> {
    let equal = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    (left != right).then_some(equal as u64)
}

/// Asserts that the kernels agree with the reference about a document that arrives in pieces, whatever the window.
///
/// # Panics
/// If they do not.
pub fn pieces(text: &[u8], random: &mut Random) {
    for verb in Verb::ALL {
        let expected = reference(verb, text);
        let whole = outcome(verb, text, &options(verb, Isa::default()));
        for &isa in kernels() {
            let (window, largest) = (window(random), window(random));
            let options = options(verb, isa).window(window);
            let in_memory = outcome(verb, text, &options);
            same(&expected, &in_memory, text, format_args!("{verb:?} on {isa}, window {window}"));
            let sizes = iter::repeat_with(|| random.below(largest + 2));
            let read = outcome(verb, Input::from_reader(Pieces::new(text, sizes)), &options);
            same(&expected, &read, text, format_args!("{verb:?} on {isa}, window {window}, pieces up to {largest}"));
            alike(&whole, &in_memory, text);
            alike(&whole, &read, text);
            if verb == Verb::Pretty && expected.verdict.is_ok() {
                let sizes = iter::repeat_with(|| random.below(largest + 2));
                let input = Input::from_reader(Pieces::new(text, sizes));
                let differs = fjson::pretty_difference(input, &Layout::default(), &options).expect("a valid document");
                assert_eq!(differs, first_difference(text, &expected.written), "window {window}: {}", Shown(text));
            }
        }
    }
}

/// The size of a window or piece: anything from zero to several tiles.
pub fn window(random: &mut Random) -> usize {
    let magnitude = random.below(14);
    random.below(1 << magnitude)
}

/// Asserts that several threads agree with the reference about a document in memory, whatever the window, and so the cuts.
///
/// # Panics
/// If they do not.
pub fn threads(text: &[u8], random: &mut Random) {
    let (threads, window) = (2 + random.below(16), 1 + window(random) % 2000);
    let isa = kernels()[random.below(kernels().len())];
    for verb in Verb::ALL {
        let options = options(verb, isa).threads(threads).window(window);
        let how = format_args!("{verb:?} on {isa} on {threads} threads, window {window}");
        same(&reference(verb, text), &outcome(verb, text, &options), text, how);
    }
}

/// Asserts that the kernels agree with a naive splitter about an input of records, in memory and in pieces.
///
/// # Panics
/// If they do not.
pub fn records(text: &[u8], framing: Framing, random: &mut Random) {
    let expected = framing::reference(text, framing);
    for &isa in kernels() {
        let (window, largest) = (window(random), window(random));
        let options = Options::new().isa(isa).framing(framing).window(window).threads(1 + random.below(3));
        let whole = framing::report(text, &options);
        assert_eq!(whole, expected, "{framing:?} on {isa}, window {window}: {}", Shown(text));
        let sizes = iter::repeat_with(|| random.below(largest + 2));
        let read = framing::report(Input::from_reader(Pieces::new(text, sizes)), &options);
        assert_eq!(read, expected, "{framing:?} on {isa}, window {window}, pieces up to {largest}: {}", Shown(text));
        for verb in [Verb::Minify, Verb::Pretty] {
            let expected = framing::written(verb, text, framing);
            let got = outcome(verb, text, &options);
            same(&expected, &got, text, format_args!("{verb:?} of {framing:?} on {isa}"));
            if verb == Verb::Minify && expected.verdict.is_ok() {
                let differs = |text: &[u8]| fjson::minified_difference(text, &options).expect("valid documents");
                assert_eq!(differs(&got.written), None, "minified: {}", Shown(&got.written));
                assert_eq!(differs(text), first_difference(text, &expected.written), "minified: {}", Shown(text));
            }
            if verb == Verb::Pretty && expected.verdict.is_ok() {
                let differs = |text: &[u8]| {
                    fjson::pretty_difference(text, &Layout::default(), &options).expect("valid documents")
                };
                // A pretty-printed document is no longer an NDJSON record.
                if framing != Framing::Lines {
                    assert_eq!(differs(&got.written), None, "the layout of {}", Shown(&got.written));
                }
                assert_eq!(differs(text), first_difference(text, &expected.written), "the layout of {}", Shown(text));
            }
        }
    }
}

/// Asserts that two results are equal.
///
/// # Panics
/// If they differ; the message says where the first comes from.
pub fn same(expected: &Outcome, got: &Outcome, text: &[u8], how: fmt::Arguments<'_>) {
    assert_eq!(got.verdict, expected.verdict, "{how}: {}", Shown(text));
    if let Some(error) = &got.error {
        assert_eq!(error.line().zip(error.column()), position(text, error.offset()), "{how}: {}", Shown(text));
    }
    assert_eq!(Shown(&got.written), Shown(&expected.written), "{how}: {}", Shown(text));
}

/// Line and column of an offset. Lines end with a line feed; columns count all bytes except UTF-8 continuation bytes.
fn position(text: &[u8], offset: u64) -> Option<(u64, u64)> {
    let before = text.get(..usize::try_from(offset).ok()?)?;
    let lines: Vec<_> = before.split(|&byte| byte == b'\n').collect();
    let is_continuation = |byte: u8| byte & 0xc0 == 0x80;
    let characters = lines.last()?.iter().filter(|&&byte| !is_continuation(byte)).count();
    Some((lines.len() as u64, 1 + characters as u64))
}

/// Asserts that two errors about the same text are equal, except for what depends on text that is no longer in memory.
fn alike(whole: &Outcome, other: &Outcome, text: &[u8]) {
    let (Some(whole), Some(other)) = (&whole.error, &other.error) else { return };
    assert_eq!(other.excerpt(), whole.excerpt(), "{}", Shown(text));
    let complete = other.pointer() == whole.pointer() && other.opener() == whole.opener();
    if complete {
        assert_eq!(other.to_string(), whole.to_string(), "{}", Shown(text));
        assert_eq!(other.help(), whole.help(), "{}", Shown(text));
    } else {
        assert!(other.pointer().is_none() && other.opener().is_none(), "guessed {other:?}: {}", Shown(text));
    }
}

/// Bytes as a Rust literal; the middle of a long text is omitted.
#[derive(PartialEq, Eq)]
pub struct Shown<'a>(pub &'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 8000;
        if self.0.len() <= MOST {
            return write!(formatter, "b\"{}\"", self.0.escape_ascii());
        }
        let (start, end) = (&self.0[..MOST / 2], &self.0[self.0.len() - MOST / 2..]);
        write!(formatter, "b\"{}…{}\" ({} bytes)", start.escape_ascii(), end.escape_ascii(), self.0.len())
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}
