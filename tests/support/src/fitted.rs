//! The reference of layouts with a width: writes a document value by value, each as one line if that fits.

#![forbid(unsafe_code)]

use std::fmt::Write as _;

/// A layout with a width.
#[derive(Clone, Copy, Debug)]
pub struct Fitting<'i> {
    /// The indentation of a level, and how many columns it takes.
    pub indent: &'i str,
    /// See there.
    pub columns: usize,
    /// The greatest number of characters of a container on one line.
    pub width: usize,
    /// Whether only arrays of scalars are on one line.
    pub only_arrays: bool,
}

/// A value with its text on one line.
struct Value {
    flat: String,
    /// The texts of the keys with the colon and a space, or nothing, and the values.
    members: Vec<(String, Value)>,
    brackets: Option<(char, char)>,
}

/// Writes a valid document, which is minified, in this layout. A line break follows it.
///
/// # Panics
/// If it is not valid.
#[must_use]
pub fn pretty(minified: &str, fitting: Fitting<'_>) -> String {
    let mut rest = minified;
    let value = read(&mut rest);
    assert_eq!(rest, "", "one document");
    let mut out = String::new();
    write(&value, 0, "", "", fitting, &mut out);
    out
}

fn read(rest: &mut &str) -> Value {
    let brackets = match rest.chars().next() {
        Some('[') => ('[', ']'),
        Some('{') => ('{', '}'),
        _ => {
            let length = scalar(rest);
            let (text, after) = rest.split_at(length);
            *rest = after;
            return Value { flat: text.to_owned(), members: Vec::new(), brackets: None };
        }
    };
    *rest = &rest[1..];
    let mut members = Vec::new();
    while !rest.starts_with(brackets.1) {
        let key = if brackets.0 == '{' {
            let (key, after) = rest.split_at(scalar(rest));
            *rest = after.strip_prefix(':').expect("a colon");
            format!("{key}: ")
        } else {
            String::new()
        };
        members.push((key, read(rest)));
        *rest = rest.strip_prefix(',').unwrap_or(rest);
    }
    *rest = &rest[1..];
    let flat: Vec<_> = members.iter().map(|(key, value)| format!("{key}{}", value.flat)).collect();
    Value { flat: format!("{}{}{}", brackets.0, flat.join(", "), brackets.1), members, brackets: Some(brackets) }
}

/// The length of the scalar at the start of a text.
fn scalar(text: &str) -> usize {
    if !text.starts_with('"') {
        return text.find([',', ']', '}']).unwrap_or(text.len());
    }
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        if byte == b'"' && !escaped {
            return at + 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    panic!("a string without an end");
}

fn write(value: &Value, level: usize, key: &str, comma: &str, fitting: Fitting<'_>, out: &mut String) {
    let indent = fitting.indent.repeat(level);
    let columns =
        level * fitting.columns + [key, &value.flat, comma].map(|text| text.chars().count()).iter().sum::<usize>();
    let is_of_scalars = value.brackets != Some(('{', '}'))
        && value.members.iter().all(|(_, member)| member.brackets.is_none() || member.members.is_empty());
    let is_joined = value.members.is_empty() || columns <= fitting.width && (is_of_scalars || !fitting.only_arrays);
    let Some((open, close)) = value.brackets.filter(|_| !is_joined) else {
        writeln!(out, "{indent}{key}{}{comma}", value.flat).expect("a string grows");
        return;
    };
    writeln!(out, "{indent}{key}{open}").expect("a string grows");
    for (index, (key, member)) in value.members.iter().enumerate() {
        let comma = if index + 1 < value.members.len() { "," } else { "" };
        write(member, level + 1, key, comma, fitting, out);
    }
    writeln!(out, "{indent}{close}{comma}").expect("a string grows");
}
