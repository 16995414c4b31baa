//! Layouts with a width: on every kernel, on one thread and several, in memory and in pieces, sorted and escaped.

use std::iter;

use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Layout;
use fjson::Options;
use fjson::scalar::Escape;
use proof::check;
use proof::check::Shown;
use proof::check::Verb;
use proof::fitted;
use proof::fitted::Fitting;
use proof::generate;
use proof::mutate;
use proof::pieces::Pieces;
use proof::random::Random;
use proof::random::rounds;
use proof::seeds;
use proof::sorted;
use proof::writer;

/// A layout and its description for the reference.
fn layout(random: &mut Random) -> (Layout, Fitting<'static>) {
    const SPACES: &str = "                ";
    let spaces = random.byte() % 5;
    let (mut layout, indent, columns) = match random.below(5) {
        0 => (Layout::tab(), "\t", 8),
        _ => (Layout::spaces(spaces), &SPACES[..usize::from(spaces)], usize::from(spaces)),
    };
    let only_arrays = random.one_in(4);
    let width = match random.below(8) {
        0 if only_arrays => 1 << 20,
        0 => random.below(2000),
        _ => random.below(100),
    };
    if width < 1 << 20 {
        layout = layout.width(u32::try_from(width).expect("it is small"));
    }
    if only_arrays {
        layout = layout.compact_arrays();
    }
    (layout, Fitting { indent, columns, width, only_arrays })
}

fn printed<'a>(input: impl Into<Input<'a>>, layout: Layout, options: &Options) -> (Option<Error>, Vec<u8>) {
    let mut written = Vec::new();
    let result = fjson::pretty(input, &mut written, &layout, options);
    (result.err(), written)
}

fn text(random: &mut Random) -> Vec<u8> {
    match random.below(4) {
        0 => generate::tower(random),
        1 => {
            let elements: Vec<_> = (0..random.below(40)).map(|_| generate::document(random, 100)).collect();
            [b"[", &elements.join(&b',')[..], b"]"].concat()
        }
        2 => {
            let size = random.below(3000);
            generate::document(random, size)
        }
        _ => seeds::pick(random),
    }
}

#[test]
fn as_the_reference_says() {
    rounds(360, |random| {
        let mut text = text(random);
        mutate::shift(random, &mut text);
        let minified = check::reference(Verb::Minify, &text);
        if minified.verdict.is_err() || check::reference(Verb::Pretty, &text).verdict.is_err() {
            return;
        }
        let (layout, fitting) = layout(random);
        let ascii = writer::escape(&minified.written, true, |character| !character.is_ascii());
        for (tokens, options) in [
            (minified.written.clone(), Options::new()),
            (sorted::sort(&minified.written), Options::new().sort_keys(true)),
            (ascii, Options::new().escape(Escape::minimal().ascii())),
        ] {
            let expected = fitted::pretty(str::from_utf8(&tokens).expect("valid"), fitting);
            for &isa in check::kernels() {
                let options = options.clone().isa(isa).max_depth(Some(1000)).window(check::window(random));
                let options = options.threads(1 + random.below(4));
                let (error, got) = printed(&text, layout, &options);
                assert!(error.is_none(), "{error:?}");
                assert_eq!(Shown(&got), Shown(expected.as_bytes()), "{fitting:?} on {isa}: {}", Shown(&text));
                let (largest, differs) = (check::window(random), fjson::pretty_difference(&text, &layout, &options));
                let sizes = iter::repeat_with(|| random.below(largest + 2));
                let (_, read) = printed(Input::from_reader(Pieces::new(&text, sizes)), layout, &options);
                assert_eq!(Shown(&read), Shown(expected.as_bytes()), "{fitting:?} on {isa}: {}", Shown(&text));
                let expected = check::first_difference(&text, expected.as_bytes());
                assert_eq!(differs.expect("valid"), expected, "{fitting:?} on {isa}: {}", Shown(&text));
                let again = fjson::pretty_difference(&got, &layout, &options);
                assert_eq!(again.expect("valid"), None, "{fitting:?} on {isa}: {}", Shown(&got));
            }
        }
    });
}

/// An error ends the output at the same place, whatever the kernel, the window, the pieces and the threads.
#[test]
fn damaged() {
    rounds(4_600, |random| {
        let mut text = text(random);
        mutate::mutate(random, &mut text);
        let (layout, fitting) = layout(random);
        let framing = [Framing::Document, Framing::Documents, Framing::Lines, Framing::Sequence][random.below(4)];
        let options = Options::new().framing(framing).max_depth(Some(1000));
        let (error, written) = printed(&text, layout, &options);
        let place = |error: &Error| (error.kind(), error.offset());
        for &isa in check::kernels() {
            let options = options.clone().isa(isa).window(check::window(random)).threads(1 + random.below(4));
            let largest = check::window(random);
            let sizes = iter::repeat_with(|| random.below(largest + 2));
            for input in [text[..].into(), Input::from_reader(Pieces::new(&text, sizes))] {
                let (got, read) = printed(input, layout, &options);
                assert_eq!(got.as_ref().map(place), error.as_ref().map(place), "{isa}: {}", Shown(&text));
                assert_eq!(Shown(&read), Shown(&written), "{fitting:?} on {isa}: {}", Shown(&text));
            }
        }
        // What was written has the tokens before the error.
        let plain = |text: &[u8]| text.iter().copied().filter(|byte| !writer::is_blank(*byte)).collect::<Vec<_>>();
        let mut pretty = Vec::new();
        fjson::pretty(&text, &mut pretty, &Layout::default(), &options).ok();
        assert_eq!(Shown(&plain(&written)), Shown(&plain(&pretty)), "{fitting:?}: {}", Shown(&text));
    });
}

/// Records, each of which is laid out alone.
#[test]
fn records() {
    rounds(1_900, |random| {
        let (layout, _) = layout(random);
        let (mut text, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..random.below(80) {
            let size = random.below(300);
            let mut record = generate::document(random, size);
            record.retain(|&byte| byte != b'\n');
            if fjson::validate(&record, &Options::new()).is_ok() {
                expected.extend(printed(&record, layout, &Options::new()).1);
                text.extend(record);
                text.push(b'\n');
            }
        }
        for &isa in check::kernels() {
            let options = Options::new().framing(Framing::Lines).isa(isa).window(check::window(random));
            let (error, got) = printed(&text, layout, &options.threads(1 + random.below(4)));
            assert!(error.is_none(), "{error:?}");
            assert_eq!(Shown(&got), Shown(&expected), "{layout:?} on {isa}: {}", Shown(&text));
        }
    });
}

/// Containers that are open for long, and lines of any length: what is held does not grow with the text.
#[test]
fn deep_and_long() {
    for width in [1, 2, 50, 3000] {
        let layout = Layout::spaces(0).width(width);
        let fitting = Fitting { indent: "", columns: 0, width: width as usize, only_arrays: false };
        for text in [
            format!("{}{}", "[".repeat(500), "]".repeat(500)),
            format!("{}1{}", "{\"a\":[".repeat(200), "]}".repeat(200)),
            format!("[{}1]", "[[1],[2]],".repeat(10_000)),
            format!("[\"{}\",{{\"{}\":[1]}},2]", "é".repeat(200_000), "x".repeat(200_000)),
        ] {
            let expected = fitted::pretty(&text, fitting);
            for &isa in check::kernels() {
                for threads in [1, 3] {
                    let (error, got) = printed(&text, layout, &Options::new().isa(isa).threads(threads).window(4096));
                    assert!(error.is_none() && got == expected.as_bytes(), "{width} on {isa}: {text:.50}");
                }
            }
        }
    }
}
