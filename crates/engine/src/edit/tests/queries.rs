//! Edits at what queries select, made together and one after the other, and edits whose target does not exist.

#![forbid(unsafe_code)]

use proof::random::Random;
use proof::random::rounds;

use super::apply;
use super::edits;

/// Edits whose target does not exist are left out if that is fine, whatever they are, except tests and copies.
#[test]
fn edits_without_a_target() {
    for (text, words, expected) in [
        ("[1]", &["delete", "/1", "delete", "$[1]", "set", "/a/b", "2", "insert", "/3", "2"][..], "[1]"),
        ("{}", &["set", "/a/b", "2", "rename", "/a", "b", "set", "$.a", "2", "set", "/c", "3"], "{\"c\": 3}"),
        ("[1]", &["parents", "set", "/0/b", "2", "set", "/5/b", "2", "set", "/-/b/-", "2"], "[1, {\"b\": [2]}]"),
    ] {
        assert_eq!(apply(&edits(&[&["missing"][..], words].concat()), text).expect("edits"), expected);
        assert!(apply(&edits(words), text).is_err(), "{text} {words:?}");
    }
    for words in [["missing", "test", "/a", "1"], ["missing", "copy", "/a", "/b"]] {
        assert!(apply(&edits(&words), "{}").is_err(), "{words:?}");
    }
}

/// A name selects the first of several members with its key, so it is refused, wherever it is in the query.
#[test]
fn a_name_of_several_members_is_refused() {
    let text = r#"{"x": {"a": 1, "a": 2}, "y": [{"x": {"a": 3, "a": 4}}]}"#;
    for (query, expected) in [
        ("$.x.a", None),
        ("$..x.a", None),
        ("$.y[0].x.a", None),
        ("$..x['b', 'a']", None),
        ("$.x..a", Some(r#"{"x": {}, "y": [{"x": {"a": 3, "a": 4}}]}"#)),
        ("$..x[?@ > 1]", Some(r#"{"x": {"a": 1}, "y": [{"x": {}}]}"#)),
        ("$.y..x", Some(r#"{"x": {"a": 1, "a": 2}, "y": [{}]}"#)),
    ] {
        assert_eq!(apply(&edits(&["delete", query]), text).ok().as_deref(), expected, "{query}");
    }
}

/// Edits at queries give the values that they give one after the other, whether or not the text is read in between.
#[test]
fn queries_see_the_edits_before_them() {
    let queries = "$..a $..b $.a $.a.b $[0] $..[1] $.* $..[?@.a] $..[?@==1] $..* $.b[-1:] $..a..b";
    let queries: Vec<_> = queries.split(' ').collect();
    let (mut changed, mut failed) = (0, 0);
    rounds(600, |random| {
        let mut text = format!("{{\"a\":{}, \"b\":[1, {}]}}", value(random, 3), value(random, 3));
        let rule = ["missing", "parents"][random.below(2)];
        let (mut words, mut expected) = (vec![rule], Ok(()));
        let original = text.clone();
        for _ in 0..=random.below(4) {
            let query = queries[random.below(queries.len())];
            let edit = match random.below(16) {
                0..10 => vec![rule, "delete", query],
                10..14 => vec![rule, "set", query, ["1", "null", "\"x\"", "{\"a\": [1]}"][random.below(4)]],
                14 => vec![rule, "test", query, "1"],
                _ => vec![rule, "append", query, "1"],
            };
            words.extend_from_slice(&edit[1..]);
            match apply(&edits(&edit), &text) {
                Ok(edited) => text = edited,
                Err(error) => {
                    expected = Err(error.error().kind());
                    break;
                }
            }
        }
        let found = apply(&edits(&words), &original);
        match expected {
            Ok(()) => {
                let found = found.expect("edits that can be made one after the other");
                assert_eq!(found.replace(' ', ""), text.replace(' ', ""), "{original} {words:?}");
            }
            Err(kind) => assert_eq!(found.expect_err("edits that fail").error().kind(), kind, "{original} {words:?}"),
        }
        changed += usize::from(expected.is_ok() && text != original);
        failed += usize::from(expected.is_err());
    });
    assert!(changed + failed < 200 || (changed > 100 && failed > 100), "{changed} {failed}");
}

/// A random text with few keys, some of which are duplicate.
fn value(random: &mut Random, depth: usize) -> String {
    let count = random.below(4);
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 => "1".to_owned(),
        1 => "true".to_owned(),
        2 | 3 => format!("[{}]", (0..count).map(|_| value(random, depth - 1)).collect::<Vec<_>>().join(", ")),
        _ => {
            let member = |_| format!("\"{}\":{}", ["a", "b", "c"][random.below(3)], value(random, depth - 1));
            format!("{{{}}}", (0..count).map(member).collect::<Vec<_>>().join(", "))
        }
    }
}
