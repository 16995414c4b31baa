//! Sorted keys: on every kernel, in every layout, at random.

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Layout;
use fjson::Options;
use proof::check;
use proof::check::Shown;
use proof::generate;
use proof::mutate;
use proof::random::Random;
use proof::random::rounds;
use proof::seeds;
use proof::sorted;
use proof::suites;

#[test]
fn at_random() {
    rounds(340, |random| {
        let mut text = match random.below(3) {
            0 => objects(random),
            1 => generate::tower(random),
            _ => seeds::pick(random),
        };
        if random.one_in(2) {
            mutate::mutate(random, &mut text);
        }
        mutate::shift(random, &mut text);
        sorted::document(&text, random);
    });
}

/// Nested objects with few different keys, some written with escapes.
fn objects(random: &mut Random) -> Vec<u8> {
    let mut text = String::new();
    value(random, &mut text, 0);
    text.into_bytes()
}

fn value(random: &mut Random, text: &mut String, depth: usize) {
    let blank = [" ", "\n", ""][random.below(3)];
    let count = random.below(if depth == 0 { 30 } else { 5 });
    match random.below(4) {
        _ if depth > 6 => *text += "\"}{\\\"\"",
        0 => {
            *text += "[";
            for index in 0..count {
                *text += if index > 0 { "," } else { "" };
                value(random, text, depth + 1);
            }
            *text += "]";
        }
        1 | 2 => {
            *text += "{";
            for index in 0..count {
                *text += if index > 0 { "," } else { blank };
                *text += random.pick(&[
                    "\"\"",
                    "\"a\"",
                    "\"b\"",
                    "\"aa\"",
                    "\"\\u0061\"",
                    "\"a b\"",
                    "\"é\"",
                    "\"\\u00e9\"",
                    "\"\\ud83d\\ude00\"",
                    "\"😀\"",
                    "\"\u{ffff}\"",
                    "\"\\ud83d\"",
                    "\"{\"",
                    "\"\\\"\"",
                    "\"\\\\\"",
                    "\"a long name, longer than the others\"",
                ]);
                *text += ":";
                *text += blank;
                value(random, text, depth + 1);
                *text += blank;
            }
            *text += "}";
        }
        _ => *text += random.pick(&["1", "\"x\"", "null", "-0.5e+7", "\"{\\\"a\\\":1}\""]),
    }
}

#[test]
fn every_layout() {
    rounds(670, |random| {
        let text = objects(random);
        let layout = if random.one_in(4) { Layout::tab() } else { Layout::spaces(random.byte() % 17) };
        for &isa in check::kernels() {
            let options = Options::new().isa(isa);
            let (mut plain, mut got) = (Vec::new(), Vec::new());
            fjson::pretty(&text, &mut plain, &layout, &options).expect("valid");
            fjson::pretty(&text, &mut got, &layout, &options.sort_keys(true)).expect("valid");
            assert_eq!(Shown(&got), Shown(&sorted::sort(&plain)), "{layout:?} on {isa}");
        }
    });
}

/// The data sets have the same values as before, apart from the order.
#[test]
fn data_sets() {
    for (name, text) in suites::data_sets() {
        let mut sorted = Vec::new();
        fjson::minify(&text, &mut sorted, &Options::new().sort_keys(true)).expect("valid");
        let plain = check::outcome(check::Verb::Minify, &text, &Options::new()).written;
        assert_eq!(sorted::sort(&plain), sorted, "{name}");
        let values = [&text, &sorted].map(|text| serde_json::from_slice::<serde_json::Value>(text).expect("valid"));
        assert_eq!(values[0], values[1], "{name}");
    }
}

/// Keys in natural order, as a comparison of lists of characters and numbers sorts them.
#[test]
fn naturally() {
    const PIECES: [&str; 14] =
        ["a", "A", "b", "é", "É", "0", "00", "1", "9", "10", "99999999999999999999", "_", " ", "ß"];
    rounds(9_400, |random| {
        let mut members: Vec<(String, usize)> = Vec::new();
        for index in 0..random.below(60) {
            members.push(((0..random.below(5)).map(|_| random.pick(&PIECES)).collect(), index));
        }
        let input = object(&members, |character| {
            if random.one_in(4) { format!("\\u{:04x}", u32::from(character)) } else { character.to_string() }
        });
        members.sort_by(|(left, _), (right, _)| proof::natural::compare(left, right));
        let expected = object(&members, |character| character.to_string());
        for &isa in check::kernels() {
            let options = Options::new().isa(isa).window(check::window(random)).sort_keys_naturally(true);
            for options in [options.clone(), options.unescape(true)] {
                let mut sink = Vec::new();
                fjson::minify(&input, &mut sink, &options).expect("valid");
                let mut plain = Vec::new();
                fjson::minify(&sink, &mut plain, &Options::new().unescape(true)).expect("valid");
                assert_eq!(Shown(&plain), Shown(expected.as_bytes()), "{isa}: {input}");
                assert_eq!(fjson::minified_difference(&sink, &options).expect("valid"), None, "{isa}: {input}");
            }
        }
    });
}

/// An object whose keys are written character by character.
fn object(members: &[(String, usize)], mut write: impl FnMut(char) -> String) -> String {
    let mut member = |(key, value): &(String, usize)| {
        let key: String = key.chars().map(&mut write).collect();
        format!("\"{key}\":{value}")
    };
    format!("{{{}}}", members.iter().map(&mut member).collect::<Vec<_>>().join(","))
}

#[test]
fn each_record_alone() {
    let options = Options::new().sort_keys(true).framing(Framing::Lines);
    let mut sink = Vec::new();
    let text = "{\"b\":1,\"a\":{}}\n[{\"d\":1,\"c\":2}]\n{\"f\":1,\"e\"\n{}\n";
    let error = fjson::minify(text, &mut sink, &options).expect_err("the third is bad");
    assert_eq!((error.kind(), error.record()), (ErrorKind::UnexpectedEnd, Some(3)));
    assert_eq!(String::from_utf8_lossy(&sink), "{\"a\":{},\"b\":1}\n[{\"c\":2,\"d\":1}]\n");
}

/// The memory of an object depends on the text alone.
#[test]
fn the_limit_is_exact() {
    rounds(330, |random| {
        let text = [b"[0,", &objects(random)[..], b"]"].concat();
        let refused = |limit: u64, isa, window| {
            let options = Options::new().sort_keys(true).max_memory(limit).isa(isa).window(window);
            let mut sink = Vec::new();
            let result = fjson::minify(&text, &mut sink, &options);
            let kind = result.as_ref().err().map(fjson::Error::kind);
            assert!(kind.is_none_or(|kind| kind == ErrorKind::MemoryLimit), "{kind:?}");
            (kind.is_some(), sink)
        };
        let (mut low, mut high) = (0, 1 << 20);
        while low < high {
            let middle = u64::midpoint(low, high);
            if refused(middle, fjson::Isa::Portable, 1 << 18).0 { low = middle + 1 } else { high = middle }
        }
        for &isa in check::kernels() {
            for window in [0, random.below(500), 1 << 18] {
                assert!(!refused(low, isa, window).0, "{isa} {window} {low}: {}", Shown(&text));
                assert!(low == 0 || refused(low - 1, isa, window).0, "{isa} {window} {low}: {}", Shown(&text));
            }
        }
    });
}

/// No recursion, and arrays take no memory.
#[test]
fn deep() {
    let options = Options::new().sort_keys(true);
    let nested = ["{\"b\":0,\"a\":".repeat(100_000), "1".into(), "}".repeat(100_000)].concat();
    let mut sink = Vec::new();
    fjson::minify(&*nested, &mut sink, &options).expect("valid");
    assert_eq!(sink, ["{\"a\":".repeat(100_000), "1".into(), ",\"b\":0}".repeat(100_000)].concat().into_bytes());
    let brackets = ["[".repeat(1_000_000), "]".repeat(1_000_000)].concat();
    sink.clear();
    fjson::minify(&*brackets, &mut sink, &options.clone().max_memory(0)).expect("valid");
    assert_eq!(sink, brackets.into_bytes());
    let open = "{\"\":".repeat(1_000_000);
    let error = fjson::minify(&*open, &mut Vec::new(), &options.max_memory(1 << 20)).expect_err("too large");
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    assert_eq!(
        error.to_string(),
        "an object that must be held in memory to sort its members takes more than 1048576 bytes"
    );
}
