//! Documents made to be expensive: each function generates one shape of about a given size.
//!
//! If the cost of a reader grows faster than the document, doubling the size of one of these shows it.

use std::fmt::Write as _;

/// A shape: its name, and a function that generates it.
pub type Shape = (&'static str, fn(usize) -> String);

/// A single token is nearly all of the document.
pub const LONG_TOKENS: [Shape; 11] = [
    ("long integer", |size| format!("[{}]", "1".repeat(size))),
    ("long integer of zeros", |size| format!("[1{}]", "0".repeat(size))),
    ("long fraction", |size| format!("{{\"a\":0.{}}}", "3".repeat(size))),
    ("long fraction of zeros", |size| format!("[1.{}]", "0".repeat(size))),
    ("long exponent", |size| format!("[1e{}7]", "0".repeat(size))),
    ("long number that is too exact at its end", |size| format!("[1.{}1]", "0".repeat(size))),
    ("long number that breaks off", |size| format!("[1.{}", "0".repeat(size))),
    ("long string", |size| format!("[\"{}\"]", "text ".repeat(size / 5))),
    ("long string of escapes", |size| format!("[\"{}\"]", "\\u00e9\\n\\ud83d\\ude00".repeat(size / 20))),
    ("long name", |size| format!("{{\"{}\":0}}", "n".repeat(size))),
    ("long blanks", |size| format!("[{}]", " ".repeat(size))),
];

/// Nested containers.
pub const DEEP: [Shape; 8] = [
    ("deep arrays", |size| "[".repeat(size / 2) + &"]".repeat(size / 2)),
    ("deep objects", |size| "{\"a\":".repeat(size / 6) + "1" + &"}".repeat(size / 6)),
    ("deep objects with members in front", |size| "{\"x\":1,\"a\":".repeat(size / 12) + "1" + &"}".repeat(size / 12)),
    ("deep objects with members behind", |size| "{\"a\":".repeat(size / 15) + "1" + &",\"b\":[1]}".repeat(size / 15)),
    ("deep arrays with elements on both sides", |size| "[1,".repeat(size / 6) + "2" + &",3]".repeat(size / 6)),
    ("a wide object inside of a deep one", |size| {
        let wide = members(size / 24, |number| format!("{number:07}"));
        "{\"a\":".repeat(size / 12) + &wide + &"}".repeat(size / 12)
    }),
    ("two deep ones that are equal", |size| {
        let deep = "{\"b\":[".repeat(size / 16) + "1.0" + &"]}".repeat(size / 16);
        format!("{{\"a\":{deep},\"c\":{deep}}}")
    }),
    ("deep arrays that end too early", |size| "[".repeat(size)),
];

/// Many values next to each other.
pub const WIDE: [Shape; 12] = [
    ("wide array of numbers", |size| format!("[{}0]", "-1.5e3,".repeat(size / 7))),
    ("wide array of numbers of 17 digits", |size| format!("[{}0]", "-65.613616999999977,".repeat(size / 20))),
    ("wide array of strings", |size| format!("[{}\"\"]", "\"text\\n\",".repeat(size / 9))),
    ("wide array of objects", |size| format!("[{}{{}}]", "{\"a\":1,\"b\":[2]},".repeat(size / 16))),
    ("wide object", |size| members(size / 12, |number| format!("{number:07}"))),
    ("wide object in reverse order", |size| members(size / 12, |number| format!("{:07}", 9_999_999 - number))),
    ("names alike in front and behind", |size| {
        members(size / 60, |number| format!("{0}{number:07}{0}", "n".repeat(20)))
    }),
    ("names of escapes", |size| members(size / 30, |number| format!("\\u006e\\n{number:07}\\u0061"))),
    ("one name again and again", |size| members(size / 12, |_| String::from("n")).replace("\"last\"", "\"n\"")),
    ("a large value and many that are not equal to it", |size| {
        format!("{{\"a\":[{}1],\"b\":[{}[]]}}", "[1],".repeat(size / 8), "[1],".repeat(size / 8))
    }),
    ("an array of arrays that begin alike", |size| format!("[{}[]]", "[1,2,[3,4]],".repeat(size / 12))),
    ("an error at the end", |size| format!("[{}x]", "\"text\",".repeat(size / 7))),
];

/// Many documents.
pub const RECORDS: [Shape; 3] = [
    ("tiny records", |size| "{\"a\":1}\n".repeat(size / 8)),
    ("records of nothing much", |size| "1\n".repeat(size / 2)),
    ("bad records", |size| "{\"a\":1}\n{\"a\":\n".repeat(size / 14)),
];

/// An object with this many members, with these keys, and one more.
fn members(count: usize, name: impl Fn(usize) -> String) -> String {
    let mut text = String::from("{");
    for number in 0..count {
        _ = write!(text, "\"{}\":0,", name(number));
    }
    text + "\"last\":1}"
}

/// Two documents to be compared: their names, and functions that make the first and the second one.
pub type Pair = (&'static str, fn(usize) -> String, fn(usize) -> String);

/// JSON Patches, and the documents that they change.
pub const CHANGES: [Pair; 2] = [
    (
        "a wide object",
        |size| {
            let operation = |number: usize| match number % 3 {
                0 => format!("{{\"op\":\"remove\",\"path\":\"/{number:06}\"}}"),
                1 => format!("{{\"op\":\"replace\",\"path\":\"/{number:06}\",\"value\":1}}"),
                _ => format!("{{\"op\":\"move\",\"from\":\"/{number:06}\",\"path\":\"/x{number}\"}}"),
            };
            let operations: Vec<_> = (0..size / 12).map(operation).collect();
            format!("[{}]", operations.join(","))
        },
        |size| members(size / 12, |number| format!("{number:06}")),
    ),
    (
        "a long array",
        |size| {
            let operation = |number: usize| format!("{{\"op\":\"replace\",\"path\":\"/{number}\",\"value\":1}}");
            let operations: Vec<_> = (0..size / 6).map(operation).collect();
            format!("[{}]", operations.join(","))
        },
        |size| list(size, |index| index),
    ),
];

/// Documents that are compared.
pub const PAIRS: [Pair; 12] = [
    (
        "few changes",
        |size| list(size, |index| index),
        |size| list(size, |index| if index % 5000 == 7 { 0 } else { index }),
    ),
    (
        "many changes",
        |size| list(size, |index| index),
        |size| list(size, |index| if index % 3 == 0 { 1 } else { index }),
    ),
    ("duplicates", |size| list(size, |index| index % 7), |size| list(size, |index| index * index % 7)),
    ("equal elements", |size| list(size, |_| 1), |size| list(size / 2, |_| 1)),
    ("equal elements in between", |size| list(size, |index| index % 2 * index), |size| list(size, |index| index % 2)),
    ("different elements", |size| list(size, |index| index), |size| list(size, |index| index + (1 << 30))),
    (
        "reversed elements",
        |size| list(size, |index| index % 10_000),
        |size| list(size, |index| 10_000 - index % 10_000),
    ),
    (
        "moved blocks",
        |size| list(size, |index| index),
        |size| list(size, |index| index / 4096 * 8192 % 40_960 + index % 4096),
    ),
    ("records", |size| records(size, |index| index), |size| records(size, |index| index * 5 % 4000)),
    (
        "wide objects",
        |size| members(size / 12, |index| format!("{:06}", index * 7)),
        |size| members(size / 12, |index| format!("{:06}", index * 8)),
    ),
    (
        "deep documents",
        |size| "[{\"z\":1,\"a\":".repeat(size / 13) + "1" + &"}]".repeat(size / 13),
        |size| "[{\"a\":".repeat(size / 13) + "2" + &",\"z\":1}]".repeat(size / 13),
    ),
    (
        "deep documents with duplicate keys",
        |size| "[".repeat(size / 2) + "{\"a\":1,\"a\":2}" + &"]".repeat(size / 2),
        |size| "[".repeat(size / 2) + "{\"a\":2,\"a\":1}" + &"]".repeat(size / 2),
    ),
];

/// An array of numbers, of about six bytes each.
fn list(size: usize, number: fn(usize) -> usize) -> String {
    let numbers: Vec<_> = (0..size / 6).map(|index| number(index).to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// An array of objects with an ID.
fn records(size: usize, number: fn(usize) -> usize) -> String {
    let record = |index| format!("{{\"id\":{index},\"n\":{},\"z\":[{index},1.5]}}", number(index));
    let records: Vec<_> = (0..size / 32).map(record).collect();
    format!("[{}]", records.join(","))
}
