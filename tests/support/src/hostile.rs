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
