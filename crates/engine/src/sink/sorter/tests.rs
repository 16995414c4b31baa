//! Tests that sorting text in pieces gives the same result as sorting it at once.

#![forbid(unsafe_code)]

use super::Failure;
use super::Order;
use super::Sort;
use super::Sorter;
use super::VALUE;

/// Returns the marks of a text without whitespace and without escaped quotes.
fn marks(text: &str) -> Vec<u64> {
    let bytes = text.as_bytes();
    let mut marks = Vec::new();
    let mut in_string = false;
    for (place, &byte) in (0..).zip(bytes) {
        let value = if place == 0 || bytes[place - 1] == b':' { VALUE } else { 0 };
        if !in_string && (value != 0 || matches!(byte, b'{' | b'}' | b'"')) {
            marks.push(place as u64 | value);
        }
        in_string ^= byte == b'"';
    }
    marks
}

/// Sorts a text in pieces of this size. Returns the result and the greatest number of bytes held; `None` if that exceeds `limit`.
fn sorted(text: &str, size: usize, limit: u64) -> Option<(String, usize)> {
    let mut sorter = Sorter::new(Order { unit: 0, sort: Sort::CodePoints, limit }, false);
    let (mut out, mut most, mut taken) = (Vec::new(), 0, 0);
    let mut marks = marks(text).into_iter().peekable();
    for piece in text.as_bytes().chunks(size) {
        let end = taken + piece.len() as u64;
        while let Some(mark) = marks.next_if(|mark| mark & !VALUE < end) {
            sorter.mark(mark - taken);
        }
        taken = end;
        let write = &mut |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(bytes.len() as u64)
        };
        match sorter.take(piece, write) {
            Ok(_) => most = most.max(sorter.text.len()),
            Err(Failure::Limit(refused)) => return (refused != limit).then(|| (String::new(), 0)),
            Err(Failure::Io(error)) => panic!("{error}"),
            Err(Failure::Change) => panic!("text and marks match"),
        }
    }
    let write = &mut |bytes: &[u8]| {
        out.extend_from_slice(bytes);
        Ok(bytes.len() as u64)
    };
    sorter.flush(write).ok()?;
    Some((String::from_utf8(out).expect("text"), most))
}

#[test]
fn members_move_with_their_content() {
    let cases = [
        (r#"{"b":1,"a":2}"#, r#"{"a":2,"b":1}"#),
        (r#"[{},{"b":[{"d":1,"c":{}}],"a":{}},"}"]"#, r#"[{},{"a":{},"b":[{"c":{},"d":1}]},"}"]"#),
        (
            r#"{"c":{"b":1,"a":{"e":1,"d":2}},"b":{"g":1,"f":2}}"#,
            r#"{"b":{"f":2,"g":1},"c":{"a":{"d":2,"e":1},"b":1}}"#,
        ),
        (r#"{"a":1,"\u0061":2,"a":3,"":4}"#, r#"{"":4,"a":1,"\u0061":2,"a":3}"#),
        (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2}"#),
        (r#"["b","a"]"#, r#"["b","a"]"#),
        ("1", "1"),
    ];
    for (text, expected) in cases {
        for size in 1..=text.len() {
            let (out, _) = sorted(text, size, u64::MAX).expect("no limit");
            assert_eq!(out, expected, "pieces of {size}");
        }
    }
}

#[test]
fn arrays_are_not_held() {
    let text = format!("[{}0]", r#"{"b":1,"a":2},"#.repeat(100));
    let (_, most) = sorted(&text, 1, u64::MAX).expect("no limit");
    assert_eq!(most, r#"{"b":1,"a":2"#.len());
}

#[test]
fn the_limit_does_not_depend_on_the_pieces() {
    let text = r#"[1,{"b":[{"d":1,"c":{}}],"a":{}},2]"#;
    let least = (0..10_000).find(|&limit| sorted(text, text.len(), limit).is_some()).expect("a limit");
    for size in 1..text.len() {
        assert!(sorted(text, size, least).is_some() && sorted(text, size, least - 1).is_none(), "pieces of {size}");
    }
}

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }
}

/// Returns an object and the same object with sorted members. Most objects have the same keys in the same order.
fn object(random: &mut Random, depth: usize) -> (String, String) {
    let mut keys: Vec<&str> =
        ["id", "name", "", "a long key of more than sixteen bytes", "b", "a", "tags", "z"].to_vec();
    keys.retain(|_| random.below(12) > 0);
    if random.below(10) == 0 {
        let (one, other) = (random.below(keys.len() + 1), random.below(keys.len() + 1));
        keys.insert(one, ["b", "new", "\\u0062"][other % 3]);
        let last = keys.len() - 1;
        keys.swap(one, other.min(last));
    }
    let mut members: Vec<_> = keys
        .into_iter()
        .map(|key| {
            let (text, sorted) = match random.below(if depth > 2 { 2 } else { 4 }) {
                0 => ("1".to_owned(), "1".to_owned()),
                1 => ("\"{\"".to_owned(), "\"{\"".to_owned()),
                2 => object(random, depth + 1),
                _ => {
                    let (text, sorted) = object(random, depth + 1);
                    (format!("[0,{text}]"), format!("[0,{sorted}]"))
                }
            };
            (key, text, sorted)
        })
        .collect();
    let object = |members: Vec<String>| format!("{{{}}}", members.join(","));
    let text = object(members.iter().map(|(key, text, _)| format!("\"{key}\":{text}")).collect());
    members.sort_by_key(|(key, ..)| key.replace("\\u0062", "b"));
    (text, object(members.into_iter().map(|(key, _, sorted)| format!("\"{key}\":{sorted}")).collect()))
}

#[test]
fn objects_of_similar_shapes() {
    let mut random = Random(25);
    for _ in 0..20 {
        let (texts, expected): (Vec<_>, Vec<_>) = (0..60).map(|_| object(&mut random, 0)).unzip();
        let (text, expected) = (format!("[{}]", texts.join(",")), format!("[{}]", expected.join(",")));
        for size in [61, 4096, text.len()] {
            let (out, _) = sorted(&text, size, u64::MAX).expect("no limit");
            assert_eq!(out, expected, "pieces of {size}");
        }
    }
}
