//! Compares `fjson::Stats` with a byte-by-byte reader, on random documents, on every kernel and in pieces.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::Stats;
use fjson::scalar::Surrogates;
use fjson::scalar::unescape;
use fjson::stats::Containers;
use fjson::stats::Strings;
use fjson::validate;
use proof::check;
use proof::generate;
use proof::pieces::Pieces;
use proof::random::rounds;
use proof::suites;

/// All statistics, by name.
type Counts = BTreeMap<String, u64>;

fn counts(stats: &Stats) -> Counts {
    let mut counts = Counts::new();
    let mut put = |name: &str, count| *counts.entry(name.to_owned()).or_default() = count;
    put("token bytes", stats.token_bytes);
    put("depth", stats.depth);
    for (name, Containers { count, empty, members, largest, .. }) in
        [("objects", &stats.objects), ("arrays", &stats.arrays)]
    {
        put(name, *count);
        put(&format!("empty {name}"), *empty);
        put(&format!("members of {name}"), *members);
        put(&format!("largest of {name}"), *largest);
    }
    for (name, Strings { count, bytes, longest, escaped, non_ascii, .. }) in
        [("strings", &stats.strings), ("keys", &stats.keys)]
    {
        put(name, *count);
        put(&format!("bytes of {name}"), *bytes);
        put(&format!("longest of {name}"), *longest);
        put(&format!("escaped {name}"), *escaped);
        put(&format!("{name} beyond ASCII"), *non_ascii);
    }
    put("numbers", stats.numbers.count);
    put("bytes of numbers", stats.numbers.bytes);
    put("integers", stats.numbers.integers);
    put("negative", stats.numbers.negative);
    put("literals", stats.trues + stats.falses + stats.nulls);
    put("repeated keys", stats.repeated_keys);
    put("different keys", stats.distinct_keys().count);
    put("different strings", stats.distinct_strings().count);
    counts
}

/// The same, counted in the simplest way.
fn reference(text: &[u8]) -> Counts {
    let mut counts = counts(&Stats::new());
    let mut add = |name: &str, count: u64| *counts.get_mut(name).expect("a known name") += count;
    let (mut most, mut all): (BTreeMap<&str, u64>, [BTreeSet<Vec<u8>>; 2]) = Default::default();
    let mut open: Vec<(bool, u64, BTreeSet<Vec<u8>>)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += match text[at] {
            b'"' => {
                let mut end = at + 1;
                while text[end] != b'"' {
                    end += 1 + usize::from(text[end] == b'\\');
                }
                end + 1 - at
            }
            b' ' | b'\n' | b'\r' | b'\t' => {
                at += 1;
                continue;
            }
            b'[' | b']' | b'{' | b'}' | b',' | b':' => 1,
            _ => text[at..].iter().position(|byte| b" \n\r\t,]}".contains(byte)).unwrap_or(text.len() - at),
        };
        let token = &text[start..at];
        add("token bytes", token.len() as u64);
        let is_key = token[0] == b'"' && text[at..].trim_ascii_start().first() == Some(&b':');
        let is_value = !is_key && !b"]}:,".contains(&token[0]);
        if let Some((false, members, _)) = open.last_mut().filter(|_| is_value) {
            *members += 1;
        }
        match token[0] {
            b'[' | b'{' => {
                open.push((token[0] == b'{', 0, BTreeSet::new()));
                add(if token[0] == b'{' { "objects" } else { "arrays" }, 1);
                let depth = most.entry("depth").or_default();
                *depth = (*depth).max(open.len() as u64);
            }
            b']' | b'}' => {
                let (_, members, _) = open.pop().expect("an opener");
                let name = if token[0] == b'}' { "objects" } else { "arrays" };
                add(&format!("empty {name}"), u64::from(members == 0));
                add(&format!("members of {name}"), members);
                let largest = most.entry(if token[0] == b'}' { "largest of objects" } else { "largest of arrays" });
                let largest = largest.or_default();
                *largest = (*largest).max(members);
            }
            b'"' => {
                let inside = &token[1..token.len() - 1];
                let name = if is_key { "keys" } else { "strings" };
                add(name, 1);
                add(&format!("bytes of {name}"), inside.len() as u64);
                add(&format!("escaped {name}"), u64::from(inside.contains(&b'\\')));
                add(&format!("{name} beyond ASCII"), u64::from(!inside.is_ascii()));
                let longest = most.entry(if is_key { "longest of keys" } else { "longest of strings" }).or_default();
                *longest = (*longest).max(inside.len() as u64);
                let value = unescape(inside, Surrogates::Keep).expect("a string").into_owned();
                all[usize::from(is_key)].insert(value.clone());
                if is_key {
                    let (_, members, names) = open.last_mut().expect("an object");
                    *members += 1;
                    add("repeated keys", u64::from(!names.insert(value)));
                }
            }
            b't' | b'f' | b'n' => add("literals", 1),
            b',' | b':' => {}
            _ => {
                add("numbers", 1);
                add("bytes of numbers", token.len() as u64);
                add("integers", u64::from(!token.iter().any(|byte| b".eE".contains(byte))));
                add("negative", u64::from(token[0] == b'-'));
            }
        }
    }
    for (name, count) in most {
        add(name, count);
    }
    add("different strings", all[0].len() as u64);
    add("different keys", all[1].len() as u64);
    counts
}

fn stats<'a>(input: impl Into<Input<'a>>, options: &Options) -> Stats {
    let mut stats = Stats::new();
    let summary = stats.read(input, options, &mut |error| panic!("{error}")).expect("nothing to be read");
    assert_eq!((stats.bytes, stats.documents, stats.invalid), (summary.bytes, summary.documents, 0));
    stats
}

fn agrees(text: &[u8]) {
    let expected = reference(text);
    for &isa in check::kernels() {
        let options = Options::new().isa(isa);
        assert_eq!(counts(&stats(text, &options)), expected, "{isa}: {}", text.escape_ascii());
        for (piece, window) in [(1, 1), (100, 64), (5000, 4096)] {
            if text.len() / piece < 10_000 {
                let input = Input::from_reader(Pieces::new(text, std::iter::repeat(piece)));
                let got = counts(&stats(input, &options.clone().window(window)));
                assert_eq!(got, expected, "{isa}, {piece} at a time: {}", text.escape_ascii());
            }
        }
    }
}

#[test]
fn random_documents() {
    rounds(1_000, |random| {
        agrees(&generate::document(random, 3000));
        agrees(&generate::tower(random));
    });
}

#[test]
fn data_sets() {
    for text in suites::data_sets().values() {
        agrees(text);
    }
}

#[test]
fn bad_documents_count_up_to_the_error() {
    let mut stats = Stats::new();
    let mut errors = 0;
    let options = Options::new().framing(Framing::Lines);
    let text = "[1, {\"a\": 2\n{\"a\": 3}\n[4, x, 5]\n";
    let summary = stats.read(text, &options, &mut |_| {
        errors += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(summary.map(|summary| (summary.documents, summary.invalid)).ok(), Some((3, 2)));
    assert_eq!((errors, stats.invalid, stats.objects.count, stats.keys.count), (2, 2, 2, 2));
}

/// The containers that are open where a record is invalid are not those of the records after it, wherever the text is divided.
#[test]
fn records_after_an_invalid_one() {
    for before in 0..100 {
        let text = ["[1]\n".repeat(before), "[1, {\"a\": [2\n".to_owned(), "[3]\n".repeat(200 - before)].concat();
        let mut stats = Stats::new();
        let options = Options::new().framing(Framing::Lines).window(100);
        let summary = stats.read(text.as_bytes(), &options, &mut |_| ControlFlow::Continue(()));
        assert_eq!(summary.map(|summary| (summary.documents, summary.invalid)).ok(), Some((201, 1)));
        // The last number may go on, so it is not counted.
        let got = (stats.arrays.count, stats.arrays.largest, stats.token_bytes);
        assert_eq!(got, (202, 2, 3 * 200 + 9), "{before}");
    }
}

#[test]
fn extremes_are_exact_and_as_written() {
    let text = "[1e400, -1E+400, 10e399, 0, 1e401, 12345678901234567890, -0.1e402]";
    let numbers = stats(text, &Options::new()).numbers;
    assert_eq!((numbers.least.as_deref(), numbers.greatest.as_deref()), (Some("-0.1e402"), Some("1e401")));
    assert_eq!((numbers.inexact, numbers.longest), (6, 20));
    // The long numbers round to the short ones.
    for (text, least, greatest) in
        [("[0.10000000000000000001, 5, 0.1]", "0.1", "5"), ("[0.29999999999999999999, -5, 0.3]", "-5", "0.3")]
    {
        let numbers = stats(text, &Options::new()).numbers;
        assert_eq!((numbers.least.as_deref(), numbers.greatest.as_deref()), (Some(least), Some(greatest)), "{text}");
    }
}

/// `stats` counts the numbers that I-JSON refuses, and no others.
#[test]
fn numbers_are_counted_by_the_rules_of_ijson() {
    for number in [
        "0",
        "0.1",
        "-65.613616999999977",
        "0.10000000000000001",
        "0.10000000000000004",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551620",
        "18446744073709551630",
        "1e23",
        "1.7976931348623158e308",
        "5e-324",
        "3e-324",
        "1e400",
        "3.141592653589793238462643383279",
        "0e999999999999",
    ] {
        let refused = validate(number, &Options::new().ijson(true)).is_err();
        assert_eq!(stats(number, &Options::new()).numbers.inexact, u64::from(refused), "{number}");
    }
}

/// Endless different keys and strings: memory is what a million keys may take.
#[test]
fn many_keys() {
    let member = |index| format!("\"n{index}\": \"v{}\",", index % 1000);
    let text = format!("[{{{}\"n0\": 1}}]", (0..70_000).map(member).collect::<Vec<_>>().concat());
    let stats = stats(text.as_str(), &Options::new());
    assert_eq!((stats.keys.count, stats.repeated_keys, stats.unchecked_keys), (70_001, 1, 0));
    assert!(!stats.distinct_keys().is_exact && stats.distinct_keys().count.abs_diff(70_000) < 3500);
    assert_eq!((stats.distinct_strings().count, stats.distinct_strings().is_exact), (1000, true));
}

/// Batches of records that several threads read have the statistics of all records in order, also if so many keys are different that
/// their counters do not fit.
#[test]
fn records_on_several_threads() {
    rounds(35, |random| {
        let mut text = Vec::new();
        let different = [3, 100, 6000][random.below(3)];
        for _ in 0..400 {
            let member = |_| format!("\"k{}\":{}", random.below(different), random.below(99));
            let members: Vec<_> = (0..30).map(member).collect();
            text.extend_from_slice(format!("{{{}}}\n", members.join(",")).as_bytes());
            text.extend(generate::document(random, 300).into_iter().filter(|byte| !b"\n\r".contains(byte)));
            text.push(b'\n');
        }
        several_threads(&text, &Options::new().framing(Framing::Lines).window(2000));
        let lines = stats(&text, &Options::new().framing(Framing::Lines));
        // Documents that are not on lines are rewritten, as far as they end where they are seen to.
        let texts = [text.clone(), text.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect()];
        for text in texts {
            let options = Options::new().framing(Framing::Documents).window(2000);
            several_threads(&text, &options);
            assert_eq!(counts(&stats(&text, &options)), counts(&lines));
        }
    });
}

/// Elements of an array that several threads read have the statistics of the array read in order, wherever the array is.
#[test]
fn elements_on_several_threads() {
    rounds(120, |random| {
        let around = [
            ("[", "]"),
            ("{\"a\":1,\"b\":{\"c\":[", "]}}"),
            ("{\"a\":1,\"b\":[[", "]],\"a\":[[1,2],3]}"),
            ("[7,[{\"c\":[", "]}],[8,9]]"),
        ][random.below(4)];
        let different = [3, 100, 6000][random.below(3)];
        let mut elements = Vec::new();
        for index in 0..300 {
            let member = |_| format!("\"k{}\":{}", random.below(different), random.below(99));
            let members: Vec<_> = (0..20).map(member).collect();
            elements.push(format!("{{{}}}", members.join(",")).into_bytes());
            elements.push(generate::document(random, 300));
            if index % 100 == 99 {
                elements.push("9".repeat(random.below(300)).into_bytes());
            }
        }
        elements.retain(|element| !element.is_empty());
        let deep = 100 + random.below(100);
        elements.insert(elements.len() / 2, ["[".repeat(deep), "]".repeat(deep)].concat().into_bytes());
        let text = [around.0.as_bytes(), &elements.join(&b", "[..]), around.1.as_bytes()].concat();
        several_threads(&text, &Options::new().window(2000));
        let documents = [&text, &b" {}\n"[..], &text].concat();
        several_threads(&documents, &Options::new().framing(Framing::Documents).window(2000));
    });
}

/// Arrays in an object, so that an array may end where a chunk of its elements is looked for, and the next one begin.
#[test]
fn arrays_on_several_threads() {
    rounds(60, |random| {
        let array = |_| format!("\"k\":[{}\"v\"]", "{\"a\":[]},".repeat(random.below(900)));
        let arrays: Vec<_> = (0..30).map(array).collect();
        several_threads(format!("{{{}}}", arrays.join(",")).as_bytes(), &Options::new().window(500));
    });
}

/// An array in an object with almost as many keys as are kept to find duplicates. The window is so large that threads are tried in the
/// array: the distance between attempts doubles.
#[test]
fn elements_around_the_limit_of_keys() {
    let text = format!("{{{}\"b\":[{}0]}}", "\"\":0,".repeat((1 << 20) - 2), "{\"c\":1,\"c\":2},".repeat(40_000));
    several_threads(text.as_bytes(), &Options::new().window(2600));
}

/// A number that is too long for the memory limit is an error on any number of threads.
#[test]
fn long_numbers_on_several_threads() {
    let long = "9".repeat(400);
    let text = format!("[{}-{long},{}{long},{}0]", "1,".repeat(20_000), "2,".repeat(20_000), "3,".repeat(20_000));
    for (limit, is_allowed) in [(1202, false), (1203, true)] {
        for threads in [1, 2, 3] {
            let options = Options::new().window(2000).max_memory(limit).threads(threads);
            let read = Stats::new().read(&text, &options, &mut |error| panic!("{error}"));
            assert_eq!(read.is_ok(), is_allowed, "{threads} threads, {limit} bytes: {read:?}");
        }
    }
    let text = format!("{}{long} {{}}\n", "[1]".repeat(40_000));
    for threads in [1, 2, 3] {
        let options = Options::new().framing(Framing::Documents).window(2000).max_memory(401).threads(threads);
        let error = Stats::new().read(&text, &options, &mut |error| panic!("{error}")).expect_err("it is too long");
        assert_eq!(error.offset(), 120_000, "{threads} threads: {error}");
    }
}

/// Asserts that any number of threads collects the statistics that one thread does.
fn several_threads(text: &[u8], options: &Options) {
    let expected = stats(text, &options.clone().threads(1));
    for threads in [2, 3] {
        let got = stats(text, &options.clone().threads(threads));
        assert_eq!(counts(&got), counts(&expected));
        assert_eq!(got.frequent_keys(5000), expected.frequent_keys(5000));
        let extremes = |stats: &Stats| (stats.numbers.least.clone(), stats.numbers.greatest.clone());
        assert_eq!((extremes(&got), got.documents), (extremes(&expected), expected.documents));
        assert_eq!(got.unchecked_keys, expected.unchecked_keys);
    }
}

/// What follows a token does not count as part of it, wherever the text is divided.
#[test]
fn whitespace_after_a_long_token() {
    for separator in [":", " : ", ""] {
        let spaces = " ".repeat(20_000);
        let (key, rest) = ("x".repeat(5000), if separator.is_empty() { ",1]" } else { "1}" });
        let open = if separator.is_empty() { "[" } else { "{" };
        let text = format!("{open}\"{key}\"{separator}{spaces}{rest}");
        for window in [64, 1000, 5003, 1 << 18] {
            let options = Options::new().window(window).max_memory(5100);
            stats(Input::from_reader(text.as_bytes()), &options);
        }
    }
}
