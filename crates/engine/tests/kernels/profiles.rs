//! Unique keys and I-JSON, compared with the quadratic reference: every kernel, windows and pieces of many sizes.

use std::collections::HashMap;
use std::ops::ControlFlow;

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Layout;
use fjson::Options;
use fjson::pretty;
use fjson::validate;
use fjson::validate_each;
use proof::check::kernels;
use proof::mutate;
use proof::profile::check;
use proof::profile::input;
use proof::profile::read;
use proof::profile::verdict;
use proof::random::Random;

/// Text that I-JSON refuses.
fn kind_of(text: &[u8]) -> Option<ErrorKind> {
    read(text, true).err().map(|(kind, ..)| kind)
}

/// Writes a key in one of many ways.
fn write_name(random: &mut Random, name: &str, text: &mut String) {
    let way = random.below(4);
    text.push('"');
    for character in name.chars() {
        if way == 0 || way == 1 && random.below(3) == 0 || matches!(character, '"' | '\\') {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let escape = format!("\\u{unit:04x}");
                text.push_str(&if random.below(2) == 0 { escape } else { escape.to_uppercase().replace('U', "u") });
            }
        } else {
            text.push(character);
        }
    }
    text.push('"');
}

/// Writes a value; `rare` is how seldom it has something that a profile refuses.
fn write_value(random: &mut Random, depth: usize, rare: usize, text: &mut String) {
    const BAD: [&str; 8] = [
        "\\ud800",
        "\\udfff\\ud800",
        "\\ud83f\\udffe",
        "\\ufdd0",
        "\u{ffff}",
        "\u{4fffe}",
        "\\uD83F\\uDFFF",
        "\u{fdef}",
    ];
    const FINE: [&str; 9] = ["a", "é", "\\\\", "\\n", "\\u0041", "\\ud83d\\ude00", "😀", "\\\\u", "\u{fffd}"];
    match random.below(if depth > 3 { 3 } else { 7 }) {
        0 => *text += ["0", "-1.5", "1e5", "true", "null", "123456789012345e-3", "505874924095815680"][random.below(7)],
        1 => {
            text.push('"');
            for _ in 0..random.below(12) {
                *text += FINE[random.below(FINE.len())];
                if random.below(rare) == 0 {
                    *text += BAD[random.below(BAD.len())];
                }
            }
            text.push('"');
        }
        2 => {
            *text +=
                if random.below(rare) == 0 { ["1e400", "9007199254740993", "-1e-999"][random.below(3)] } else { "7" }
        }
        3 => {
            text.push('[');
            for index in 0..random.below(5) {
                *text += if index > 0 { ", " } else { "" };
                write_value(random, depth + 1, rare, text);
            }
            text.push(']');
        }
        _ => {
            text.push('{');
            let count = if random.below(10) == 0 { random.below(150) } else { random.below(8) };
            let mut number = 0;
            for index in 0..count {
                *text += if index > 0 { "," } else { "" };
                *text += [" ", "", "\n\t"][random.below(3)];
                number += 1;
                let number = if random.below(rare) == 0 { random.below(number + 1) } else { number };
                let name = ["", "é", "longer than eight ", "😀\"\\", "q"][number % 5].to_owned() + &number.to_string();
                write_name(random, if number == 1 { "" } else { &name }, text);
                *text += [":", " :", ": "][random.below(3)];
                write_value(random, if count > 20 { 4 } else { depth + 1 }, rare, text);
            }
            text.push('}');
        }
    }
}

#[test]
fn random_documents() {
    let mut random = Random::new(6);
    let mut kinds: HashMap<_, u32> = HashMap::new();
    for round in 0..400 {
        let rare = [5, 50, 500, 5000][round % 4];
        let mut text = String::new();
        while text.len() < random.below(4000) || text.is_empty() {
            text.clear();
            write_value(&mut random, 0, rare, &mut text);
        }
        let text = if random.below(3) == 0 {
            {
                let mut text = text.into_bytes();
                mutate::mutate(&mut random, &mut text);
                text
            }
        } else {
            text.into_bytes()
        };
        check(&text);
        *kinds.entry(kind_of(&text)).or_default() += 1;
    }
    for kind in [ErrorKind::DuplicateKey, ErrorKind::LoneSurrogate, ErrorKind::Noncharacter, ErrorKind::InexactNumber] {
        assert!(kinds.get(&Some(kind)).is_some_and(|&count| count >= 3), "{kinds:?}");
    }
}

/// Writes an object like others at its place: most of the keys of a list in the same order, sometimes another one, or one twice.
fn write_alike(random: &mut Random, depth: usize, rare: usize, text: &mut String) {
    const KEYS: [&str; 9] = ["id", "", "name", "seven77", "eight888", "nine99999", "a key of 20 bytes...", "x", "é\\n"];
    text.push('{');
    let mut first = true;
    let from = random.below(3) * usize::from(random.one_in(8));
    for &own in &KEYS[from..] {
        let other = random.below(rare) == 0;
        if random.one_in(10) && !other {
            continue;
        }
        *text += if first { "" } else { "," };
        first = false;
        let key = if other { KEYS[random.below(KEYS.len())] } else { own };
        let extra = if other && random.one_in(2) { "+" } else { "" };
        text.extend(["\"", key, extra, "\":"]);
        match random.below(10) {
            0 if depth < 3 => write_alike(random, depth + 1, rare, text),
            1 if depth < 3 => {
                text.push('[');
                write_alike(random, depth + 1, rare, text);
                text.push(',');
                write_alike(random, depth + 1, rare, text);
                text.push(']');
            }
            _ => *text += "9007199254740992",
        }
    }
    text.push('}');
}

/// Objects of an array, and records, whose keys are mostly those of the last one.
#[test]
fn objects_with_like_keys() {
    let mut random = Random::new(11);
    let mut invalid = [0; 2];
    for round in 0..60 {
        let rare = [40, 400, 4000][round % 3];
        let records: Vec<_> = (0..=random.below(12))
            .map(|_| {
                let mut text = String::new();
                write_alike(&mut random, 0, rare, &mut text);
                text
            })
            .collect();
        let array = format!("[{}]", records.join(","));
        check(array.as_bytes());
        invalid[0] += usize::from(read(array.as_bytes(), false).is_err());

        let text = records.join("\n");
        let mut expected = Vec::new();
        let mut start = 0;
        for record in &records {
            if let Err((kind, offset, first)) = read(record.as_bytes(), false) {
                expected.push((kind, (start + offset) as u64, first.map(|first| (start + first) as u64)));
            }
            start += record.len() + 1;
        }
        invalid[1] += expected.len();
        for (isa, window, threads) in
            kernels().iter().flat_map(|&isa| [(isa, 1 << 18, 1), (isa, 200, 1), (isa, 64, 3), (isa, 1 << 18, 2)])
        {
            let options =
                Options::new().isa(isa).window(window).threads(threads).framing(Framing::Lines).unique_keys(true);
            let mut errors = Vec::new();
            validate_each(text.as_bytes(), &options, &mut |error| {
                let earlier = error.earlier().map(|earlier| earlier.offset);
                errors.push((error.kind(), error.offset(), earlier));
                ControlFlow::Continue(())
            })
            .expect("all can be read");
            assert_eq!(errors, expected, "{isa:?}, windows of {window}, {threads} threads");
        }
    }
    assert!(invalid.iter().all(|&count| count > 10), "{invalid:?}");
}

/// Texts that a window or an error may split: every prefix of these is read alone, and followed by an error.
#[test]
fn cut_everywhere() {
    for text in [
        r#"{"a":1,"\u0061" :2}"#,
        r#"{"é\ud83d\ude00":[],"\u00e9😀" : 0}"#,
        r#"["\ud83d\ude00\ud83dx", 9007199254740993 ,1e400]"#,
        r#"{"a":{"a":[{"a":"\ud800"}]},"b":"\\ud800\udc00"}"#,
        "[\"\u{ffff}\"]",
        "[\"\u{2fffe}\\ufffe\"]",
        "{\"a\\ud800\":1e400,\"a\\ud800\":\"\u{fdd0}\"}",
    ] {
        for end in 0..=text.len() {
            check(&text.as_bytes()[..end]);
            check(&[&text.as_bytes()[..end], b"\x01"].concat());
        }
    }
}

/// Tokens longer than windows, and with more output than is held back.
#[test]
fn long_tokens() {
    for name in ["n".repeat(20_000), "\\u00e9".repeat(4000), "é".repeat(9000), "\\\\".repeat(9000)] {
        for value in
            ["0".to_owned(), format!("\"{name}\""), format!("1{}", "0".repeat(9000)), format!("0.{}", "3".repeat(9000))]
        {
            check(format!("{{\"{name}\":{value}}}").as_bytes());
            check(format!("{{\"{name}\":{value},\"{name}\" : 1}}").as_bytes());
            check(format!("[{value},\"{name}\\ud800\"]").as_bytes());
        }
    }
}

/// Numbers that a double keeps or not depending on all of their text, with lengths around the one from which they are checked as
/// they are read; and an error after them.
#[test]
fn numbers_longer_than_what_is_kept() {
    for length in [65_535, 65_536, 65_537, 200_000] {
        let number = |front: &str, digit: &str, behind: &str| {
            format!("{front}{}{behind}", digit.repeat(length - front.len() - behind.len()))
        };
        for number in [
            number("1", "0", ""),
            number("1.", "0", ""),
            number("-1.", "0", "1"),
            number("0.", "0", "1e65600"),
            number("", "1", ""),
            number("0.", "1", "e5"),
            number("1e-", "0", "7"),
            number("1.5e", "0", "999"),
            number("9007199254740993.", "0", ""),
        ] {
            for text in [number.clone(), format!("[{number}]"), format!("{number} "), format!("{{\"a\":{number}x")] {
                check(text.as_bytes());
            }
        }
    }
}

/// A million keys in one object, written alternately in two ways, and then one of them again.
#[test]
fn a_million_names() {
    let mut text = String::from("{");
    for number in 0..1_000_000 {
        let name = if number % 2 == 0 { "n" } else { "\\u006e" };
        text.extend(["\"", name, "ame ", &number.to_string(), "\":0,"]);
    }
    let options = Options::new().unique_keys(true);
    for size in [0, 100_000] {
        let good = text.clone() + "\"name\":0}";
        assert_eq!(verdict(validate(input(good.as_bytes(), size), &options)), Ok(()));
        let bad = text.clone() + "\"name 654321\":0}";
        let first = text.find("ame 654321").map(|at| at - 7);
        let expected = Err((ErrorKind::DuplicateKey, text.len(), first));
        assert_eq!(verdict(validate(input(bad.as_bytes(), size), &options)), expected);
    }
}

/// Nesting without a comma: the keys of many open objects leave memory.
#[test]
fn many_open_objects() {
    let deep = |count: usize, inner: &str| "{\"a\":[".repeat(count) + inner + &"]}".repeat(count);
    for inner in ["", "{\"b\":1,\"c\":2,\"b\":3}", "{\"b\":1}"] {
        check(deep(3000, inner).as_bytes());
    }
    let twins = "{\"a\":0,\"b\":[".repeat(1000) + &"],\"c\":0}".repeat(999) + "],\"\\u0061\":0}";
    check(twins.as_bytes());
    assert_eq!(kind_of(twins.as_bytes()), Some(ErrorKind::DuplicateKey));
}

#[test]
fn records_have_names_of_their_own() {
    let text = "{\"a\":1,\"a\":2}\n{\"a\":1}\n{\"a\":\n{\"a\":1,\"b\":{\"a\":1,\"a\":3}}\n{\"b\":1}\n[9007199254740993]\n1e400";
    for (framing, ijson, expected) in [
        (
            Framing::Lines,
            false,
            &[(ErrorKind::DuplicateKey, 7), (ErrorKind::UnexpectedEnd, 27), (ErrorKind::DuplicateKey, 46)][..],
        ),
        (
            Framing::Lines,
            true,
            &[
                (ErrorKind::DuplicateKey, 7),
                (ErrorKind::UnexpectedEnd, 27),
                (ErrorKind::DuplicateKey, 46),
                (ErrorKind::InexactNumber, 63),
                (ErrorKind::InexactNumber, 81),
            ],
        ),
        (Framing::Stream, false, &[(ErrorKind::DuplicateKey, 7)]),
    ] {
        for window in [0, 7, 1 << 18] {
            for size in [0, 1, 10] {
                let options = Options::new().framing(framing).unique_keys(true).ijson(ijson).window(window);
                let mut errors = Vec::new();
                validate_each(input(text.as_bytes(), size), &options, &mut |error| {
                    errors.push((error.kind(), error.offset()));
                    ControlFlow::Continue(())
                })
                .expect("all can be read");
                assert_eq!(errors, expected, "{framing:?}");
            }
        }
    }
}

#[test]
fn pretty_stops_before_the_duplicate_key() {
    for window in [0, 7, 1 << 18] {
        let mut output = Vec::new();
        let options = Options::new().unique_keys(true).window(window);
        let result = pretty("{\"a\":[1],\"b\" : 2, \"a\":3}", &mut output, &Layout::default(), &options);
        assert_eq!(verdict(result), Err((ErrorKind::DuplicateKey, 18, Some(1))));
        assert_eq!(output, b"{\n  \"a\": [\n    1\n  ],\n  \"b\": 2,");
    }
}

/// Without a profile none of this is checked.
#[test]
fn by_default_all_of_it_is_valid() {
    let text = "{\"a\":1e400,\"\\u0061\":\"\\ud800\u{ffff}\"}";
    assert_eq!(verdict(validate(text, &Options::new())), Ok(()));
}
