//! Random documents: patches of their differences make the second document, and there are none only if the documents are equal.

#![forbid(unsafe_code)]

use super::ArrayMatching;
use super::DiffOptions;
use super::diff;
use super::diff_records;
use crate::document::Kind;
use crate::document::Parser;
use crate::document::Value;
use crate::edit::Edits;
use crate::explain::random::Random;
use crate::options::Options;

/// A random text, with numbers that are often near to each other.
fn text(random: &mut Random, depth: usize) -> String {
    let count = random.below(5);
    match random.below(if depth == 0 { 4 } else { 9 }) {
        0 => ["0", "1", "1.0", "10e-1", "1.05", "-1e400"][random.below(6)].to_owned(),
        1 => ["\"a\"", "\"\\u0061\"", "\"\""][random.below(3)].to_owned(),
        2 => "true".to_owned(),
        3 => ["null", "false"][random.below(2)].to_owned(),
        4..7 => format!("[{}]", (0..count).map(|_| text(random, depth - 1)).collect::<Vec<_>>().join(", ")),
        _ => {
            let keys = ["\"a\"", "\"~/\"", "\"\\u0061\"", "\"\\\"\"", "\"\"", "\"id\"", "\"d\"", "\"\\ud800\""];
            // Duplicate keys and lone surrogates are rare.
            let most = if random.below(10) == 0 { 8 } else { 6 };
            let first = if most == 8 { 0 } else { 2 };
            let members = (0..count).map(|index| {
                format!("{} :{}", keys[first + (index + random.below(2)) % (most - first)], text(random, depth - 1))
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A text with few differences from another one.
fn changed(random: &mut Random, old: &str) -> String {
    if random.below(3) == 0 {
        return text(random, 4);
    }
    let mut new = old.to_owned();
    for _ in 0..random.below(4) {
        let (from, to) =
            [("1", "0"), ("true", "[true]"), ("[", "[null, "), ("\"d\" :", "\"e\" :"), (", ", ",2,")][random.below(5)];
        if let Some((index, _)) = new.match_indices(from).nth(random.below(4)) {
            let next = format!("{}{to}{}", &new[..index], &new[index + from.len()..]);
            if Parser::new().document(next.as_bytes()).is_ok() {
                new = next;
            }
        }
    }
    new
}

fn edited(text: &str, add: impl FnOnce(&mut Edits)) -> String {
    let (mut edits, mut out) = (Edits::new(), Vec::new());
    add(&mut edits);
    edits.apply(text, &mut out, &Options::new()).unwrap_or_else(|error| panic!("{error:?}"));
    String::from_utf8(out).expect("a text")
}

/// Calls a function with two documents.
fn with<T>(old: &str, new: &str, run: impl for<'v> FnOnce(Value<'v, 'v>, Value<'v, 'v>) -> T) -> T {
    let (mut left, mut right) = (Parser::new(), Parser::new());
    let old = left.document(old.as_bytes()).expect("valid").root();
    run(old, right.document(new.as_bytes()).expect("valid").root())
}

fn patch(old: &str, new: &str, options: &DiffOptions) -> String {
    with(old, new, |old, new| diff(old, new, options).expect("a diff").to_patch())
}

#[test]
fn patches_make_the_second_document() {
    let mut random = Random::new(50);
    let mut merged = 0;
    for round in 0..500 {
        let old = text(&mut random, 4);
        let new = changed(&mut random, &old);
        for arrays in [ArrayMatching::Sequence, ArrayMatching::Position] {
            let options = DiffOptions::new().arrays(arrays).context(round % 3);
            let (patch, merge) = with(&old, &new, |old, new| {
                let changes = diff(old, new, &options).expect("enough memory");
                assert_eq!(changes.is_empty(), old == new, "{old:?} {new:?}");
                assert_eq!(changes.iter().count(), changes.len());
                assert!(
                    changes.with_context().filter(super::Change::is_context).all(|it| it.old_value() == it.new_value())
                );
                (changes.to_patch(), changes.to_merge_patch())
            });
            let out = edited(&old, |edits| {
                edits.patch(&patch).expect("a patch");
            });
            assert!(with(&new, &out, |new, out| new == out), "{round} {old} {new} {patch} {out}");
            if let Some(patch) = merge {
                let out = edited(&old, |edits| {
                    edits.merge(&patch).expect("a patch");
                });
                assert!(with(&new, &out, |new, out| new == out), "{round} {old} {new} {patch} {out}");
                merged += 1;
            }
        }
    }
    assert!(merged > 150, "{merged}");
}

/// The context is the items next to those that differ, on both sides.
#[test]
fn the_nearest_items_are_the_context() {
    let items = |has_keys: bool, is_new: bool| {
        let item = |index: u64| {
            let key = if has_keys { format!("\"{index:02}\":") } else { String::new() };
            let quote = if is_new && [7, 15].contains(&index) { "\"" } else { "" };
            format!("{key}{quote}{index}{quote}")
        };
        (0..20).map(item).collect::<Vec<_>>().join(",")
    };
    let arrays = [false, true].map(|is_new| format!("[{}]", items(false, is_new)));
    let objects = [false, true].map(|is_new| format!("{{{}}}", items(true, is_new)));
    for ([old, new], matching) in
        [(&arrays, ArrayMatching::Sequence), (&arrays, ArrayMatching::Position), (&objects, ArrayMatching::Sequence)]
    {
        for context in 0..10_u8 {
            let options = DiffOptions::new().arrays(matching.clone()).context(context.into());
            let found: Vec<_> = with(old, new, |old, new| {
                let changes = diff(old, new, &options).expect("enough memory");
                let equal = changes.with_context().filter(super::Change::is_context);
                equal.map(|item| item.old_value().and_then(Value::as_u64).expect("a number")).collect()
            });
            let is_near = |item: &u64| [7, 15].iter().any(|place| item.abs_diff(*place) <= context.into());
            let expected: Vec<_> = (0..20).filter(|item| ![7, 15].contains(item)).filter(is_near).collect();
            assert_eq!(found, expected, "{context} {old}");
        }
    }
}

#[test]
fn merge_patches_close_every_object() {
    let [old, new] = [1, 2].map(|value| format!(r#"{{"a": {{"b": {{"c": {value}}}, "d": 0}}, "e": {value}}}"#));
    let patch = with(&old, &new, |old, new| diff(old, new, &DiffOptions::new()).expect("a diff").to_merge_patch());
    assert_eq!(patch.as_deref(), Some(r#"{"a": {"b": {"c": 2}}, "e": 2}"#));
}

/// Whether two values are equal by the definition, up to the order of elements if `is_set`, with a tolerance for numbers.
fn are_equal(old: Value<'_, '_>, new: Value<'_, '_>, is_set: bool, tolerance: f64) -> bool {
    let equal = |old, new| are_equal(old, new, is_set, tolerance);
    match (old.kind(), new.kind()) {
        (Kind::Number, Kind::Number) if tolerance > 0.0 => {
            old == new || old.as_f64().zip(new.as_f64()).is_some_and(|(old, new)| (old - new).abs() <= tolerance)
        }
        (Kind::Array, Kind::Array) if is_set => {
            let mut rest: Vec<_> = new.iter().collect();
            let mut take = |old| {
                let found = rest.iter().position(|&new| equal(old, new));
                found.map(|index| rest.remove(index)).is_some()
            };
            old.iter().all(&mut take) && rest.is_empty()
        }
        (Kind::Array, Kind::Array) => {
            old.iter().count() == new.iter().count() && old.iter().zip(new.iter()).all(|(old, new)| equal(old, new))
        }
        (Kind::Object, Kind::Object) => {
            let keys = |value: Value<'_, '_>| {
                let mut keys: Vec<_> = value.members().map(|member| member.key.as_str().map(String::from)).collect();
                keys.sort();
                keys
            };
            let (olds, news) = (keys(old), keys(new));
            let is_whole =
                [&olds, &news].iter().any(|keys| keys.contains(&None) || keys.windows(2).any(|two| two[0] == two[1]));
            if is_whole {
                return old == new;
            }
            olds == news
                && olds.iter().flatten().all(|key| equal(old.get(key).expect("a key"), new.get(key).expect("a key")))
        }
        _ => old == new,
    }
}

#[test]
fn documents_are_equal_up_to_options() {
    let mut random = Random::new(51);
    let mut equal = 0;
    for round in 0..800 {
        let old = text(&mut random, 3);
        let mut new = changed(&mut random, &old);
        if round % 2 == 0 {
            // The same elements in another order, if commas are only between scalars.
            let other = new.replace("0, 1", "1, 0").replace("1.05", "1");
            new = if Parser::new().document(other.as_bytes()).is_ok() { other } else { new };
        }
        for (arrays, is_set) in
            [(ArrayMatching::Sequence, false), (ArrayMatching::Position, false), (ArrayMatching::Set, true)]
        {
            for tolerance in [0.0, 0.1] {
                // What is matched as a whole is not compared as a set again.
                let options = DiffOptions::new().arrays(arrays.clone()).tolerance(tolerance);
                with(&old, &new, |old, new| {
                    let is_empty = diff(old, new, &options).expect("enough memory").is_empty();
                    if is_set && (is_nested(old) || is_nested(new)) {
                        return;
                    }
                    assert_eq!(
                        is_empty,
                        are_equal(old, new, is_set, tolerance),
                        "{} {} {options:?}",
                        old.raw(),
                        new.raw()
                    );
                    equal += usize::from(is_empty);
                });
            }
        }
    }
    assert!(equal > 200, "{equal}");
}

/// Whether there is an array in an array.
fn is_nested(value: Value<'_, '_>) -> bool {
    let inner = |value: Value<'_, '_>| value.iter().any(|element| matches!(element.kind(), Kind::Array | Kind::Object));
    inner(value) || value.members().any(|member| is_nested(member.value)) || value.iter().any(is_nested)
}

/// The operations of a patch, and the pointers.
fn operations(old: &str, new: &str, options: &DiffOptions) -> Vec<String> {
    with(old, new, |old, new| {
        let changes = diff(old, new, options).expect("a diff");
        let shown = changes.iter().map(|change| {
            let op = match (change.old_value(), change.new_value()) {
                (None, _) => "add",
                (_, None) => "remove",
                _ => "replace",
            };
            format!("{op} {}", change.pointer())
        });
        shown.collect()
    })
}

#[test]
fn few_differences_are_found() {
    let options = DiffOptions::new();
    let set = options.clone().arrays(ArrayMatching::Set);
    let key = options.clone().arrays(ArrayMatching::Key("/id".to_owned()));
    let near = options.clone().tolerance(0.1);
    for (old, new, options, expected) in [
        ("[1, 2, 3]", "[0, 1, 3]", &options, vec!["add /0", "remove /2"]),
        ("[{\"a\": 1, \"b\": 2}, 7]", "[7, {\"a\": 1, \"b\": 3}]", &options, vec!["remove /0", "add /1"]),
        ("[{\"a\": 1, \"b\": 2}, 7]", "[{\"a\": 1, \"b\": 3}, 7]", &options, vec!["replace /0/b"]),
        // The element that has most in common is compared, wherever it is.
        (
            "[{\"id\": 1, \"x\": 1, \"y\": 1}, {\"id\": 2, \"x\": 2, \"y\": 2}]",
            "[{\"id\": 2, \"x\": 2, \"y\": 3}]",
            &options,
            vec!["remove /0", "replace /0/y"],
        ),
        ("{\"a\": 1, \"a\": 2}", "{\"a\": 2, \"a\": 1}", &options, vec!["replace "]),
        ("[[{\"a\": 1, \"a\": 2}], 1]", "[[{\"a\": 2, \"a\": 1}], 1]", &options, vec!["replace /0/0"]),
        ("{\"a\": {\"b\": 1}}", "{\"a\": [1]}", &options, vec!["replace /a"]),
        ("[1, 2, 2, 3]", "[3, 2, 1, 4]", &set, vec!["remove /2", "add /-"]),
        (
            "[{\"id\": 1, \"x\": 1}, {\"id\": 2}, 3]",
            "[3, {\"id\": 3}, {\"id\": 1, \"x\": 2}]",
            &key,
            vec!["replace /0/x", "remove /1", "add /-"],
        ),
        ("{\"a\": [1.0, {\"b\": 2}]}", "{\"a\": [1.05, {\"b\": 1.95}]}", &near, vec![]),
        ("{\"a\": [1.0, {\"b\": 2}]}", "{\"a\": [1.05, {\"b\": 2.2}]}", &near, vec!["replace /a/1/b"]),
        ("[1.0, 2.0, 3.0, 4.0]", "[2.05, 3.05, 4.05]", &near, vec!["remove /0"]),
        ("{\"a\": 1e400}", "{\"a\": 1e401}", &near, vec!["replace /a"]),
    ] {
        assert_eq!(operations(old, new, options), expected, "{old} {new}");
    }
}

#[test]
fn keyed_elements_are_patched_up_to_their_order() {
    let mut random = Random::new(52);
    for _ in 0..300 {
        let mut list = || {
            let element = |random: &mut Random| match random.below(4) {
                0 => format!("{}", random.below(3)),
                _ => format!("{{\"id\": {}, \"x\": {}}}", random.below(9), random.below(2)),
            };
            format!("[{}]", (0..random.below(8)).map(|_| element(&mut random)).collect::<Vec<_>>().join(","))
        };
        let (old, new) = (list(), list());
        for arrays in [ArrayMatching::Key("/id".to_owned()), ArrayMatching::Set] {
            let patch = patch(&old, &new, &DiffOptions::new().arrays(arrays));
            let out = edited(&old, |edits| {
                edits.patch(&patch).expect("a patch");
            });
            let sorted = |text: &str| {
                with(text, text, |value, _| {
                    let mut list: Vec<_> = value.iter().collect();
                    list.sort();
                    list.iter().map(|value| value.raw().replace(' ', "")).collect::<Vec<_>>()
                })
            };
            assert_eq!(sorted(&out), sorted(&new), "{old} {new} {patch}");
        }
    }
}

#[test]
fn ignored_values_are_left_out() {
    let old = "{\"at\": 1, \"a\": [{\"at\": 2, \"x\": 1}, 5], \"b\": 1}";
    let new = "{\"a\": [{\"at\": 3, \"x\": 1}, 6], \"b\": 2}";
    let options = DiffOptions::new().ignore("/at").ignore("/a/0/at").ignore("/a/1");
    assert_eq!(patch(old, new, &options), "[\n  {\"op\": \"replace\", \"path\": \"/b\", \"value\": 2}\n]");
    assert_eq!(patch(old, new, &DiffOptions::new().ignore("")), "[]");
    let is_invalid = |path: &str| {
        with(old, new, |old, new| {
            diff(old, new, &DiffOptions::new().ignore(path)).map(|_| ()).expect_err("no path").kind()
        })
    };
    assert_eq!(is_invalid("$.["), crate::error::ErrorKind::InvalidPath);
    #[cfg(feature = "query")]
    {
        let options = DiffOptions::new().ignore("$..at").ignore("/a/1").ignore("/b");
        assert_eq!(patch(old, new, &options), "[]");
        // An array in any order, with an ignored member in each element.
        let options = DiffOptions::new().ignore("$..at").arrays(ArrayMatching::Set);
        assert_eq!(patch("[{\"at\": 1, \"x\": 1}, {\"x\": 2}]", "[{\"x\": 2, \"at\": 5}, {\"x\": 1}]", &options), "[]");
    }
}

#[test]
fn deep_documents_are_compared() {
    let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(3000), "]".repeat(3000));
    for options in
        [DiffOptions::new(), DiffOptions::new().tolerance(0.5), DiffOptions::new().arrays(ArrayMatching::Set)]
    {
        let patch = patch(&deep("1"), &deep("2"), &options);
        assert!(patch.contains("\"op\""), "{options:?}");
    }
    let patch = patch(&deep("1"), &deep("2"), &DiffOptions::new());
    assert!(patch.contains("\"replace\"") && patch.contains(&"/0".repeat(3000)));
    // The hashes of what holds duplicate keys are equal at each level.
    let pair = ["{\"a\": 1, \"a\": 2}", "{\"a\": 2, \"a\": 1}"].map(deep);
    assert!(operations(&pair[0], &pair[1], &DiffOptions::new())[0].ends_with("/0"));
}

/// What jd 2.5 prints for the same documents.
#[test]
fn the_format_of_jd() {
    let jd = |old: &str, new: &str, options: &DiffOptions| {
        with(old, new, |old, new| diff(old, new, options).expect("a diff").to_jd())
    };
    let options = DiffOptions::new();
    assert_eq!(jd("[1, 2, 3]", "{\"a\": 1}", &options), "@ []\n- [1,2,3]\n+ {\"a\":1}\n");
    assert_eq!(
        jd("[[1], 2, {\"a\": 1, \"b\": 2}, 5]", "[[1, 2], 9, {\"a\": 1, \"b\": 3}]", &options),
        "@ [0,1]\n  1\n+ 2\n]\n@ [1]\n  [1,2]\n- 2\n+ 9\n  {\"a\":1,\"b\":2}\n@ [2,\"b\"]\n- 2\n+ 3\n@ [3]\n  {\"a\":1,\"b\":3}\n- 5\n]\n"
    );
    assert_eq!(
        jd("[1, 2, 3, 4, 5]", "[1, 3, 4, 6, 7]", &options),
        "@ [1]\n  1\n- 2\n  3\n@ [3]\n  4\n- 5\n+ 6\n+ 7\n]\n"
    );
    let set = options.arrays(ArrayMatching::Set);
    assert_eq!(jd("{\"t\": [1, 2, 2, 3]}", "{\"t\": [3, 2, 4]}", &set), "@ [\"t\",[]]\n- 2\n- 1\n+ 4\n");
}

#[test]
fn records_are_elements() {
    let (mut left, mut right) = (Parser::new(), Parser::new());
    let old = left.records(b"{\"id\": 1}\n\n[2]\n").expect("valid");
    let new = right.records(b"{\"id\": 1, \"a\": 2}\n[2]\n3\n").expect("valid");
    let changes = diff_records(&old, &new, &DiffOptions::new()).expect("a diff");
    let pointers: Vec<_> = changes.iter().map(|change| change.pointer()).collect();
    assert_eq!(pointers, ["/0/a", "/2"]);
    let none = Parser::new();
    let (mut left, mut right) = (none, Parser::new());
    let (none, some) = (left.records(b"\n").expect("valid"), right.records(b"1 \n 2").expect("valid"));
    let pointers = |changes: &super::Changes<'_>| changes.iter().map(|change| change.pointer()).collect::<Vec<_>>();
    assert_eq!(pointers(&diff_records(&none, &some, &DiffOptions::new()).expect("a diff")), ["/0", "/1"]);
    assert_eq!(pointers(&diff_records(&some, &none, &DiffOptions::new()).expect("a diff")), ["/0", "/0"]);
    assert!(diff_records(&none, &none, &DiffOptions::new()).expect("a diff").is_empty());
}
