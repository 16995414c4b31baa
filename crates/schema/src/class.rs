//! The characters that a part of a regular expression stands for, as the engine takes them.

#![forbid(unsafe_code)]

use std::fmt::Write;

/// What an escape sequence, or a member of a class, stands for.
pub(crate) enum AnyOf<'p> {
    One(char),
    /// The text of a Unicode property: `\p{L}`.
    Property(&'p str),
    /// The letter of `\d`, `\w`, `\s` or their complements.
    Class(char),
}

/// Ranges of the digits, the letters of words, and the whitespace of ECMA-262.
const DIGITS: &[(u32, u32)] = &[(0x30, 0x39)];
const WORDS: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
const SPACES: &[(u32, u32)] = &[
    (0x9, 0xd),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];

/// Writes a character that stands for itself, in a class or outside.
pub(crate) fn write_literal(out: &mut String, literal: char) {
    if literal.is_ascii_control() {
        // Writing to a string cannot fail.
        write!(out, "\\u{{{:x}}}", u32::from(literal)).ok();
        return;
    }
    if matches!(
        literal,
        '\\' | '^' | '$' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '-' | '&' | '~'
    ) {
        out.push('\\');
    }
    out.push(literal);
}

/// Writes `\d`, `\w`, `\s` or one of their complements, as ranges if these are needed.
pub(crate) fn write_class(out: &mut String, class: char, needs_ranges: bool, is_in_class: bool) {
    if !needs_ranges {
        out.push('\\');
        out.push(class);
        return;
    }
    let ranges = match class.to_ascii_lowercase() {
        'd' => DIGITS,
        'w' => WORDS,
        _ => SPACES,
    };
    if !is_in_class {
        out.push('[');
    }
    let mut write = |from: u32, to: u32| _ = write!(out, "\\u{{{from:x}}}-\\u{{{to:x}}}");
    if class.is_ascii_lowercase() {
        for &(from, to) in ranges {
            write(from, to);
        }
    } else {
        let mut next = 0;
        for &(from, to) in ranges {
            if next < from {
                write(next, from - 1);
            }
            next = to + 1;
        }
        write(next, 0x10_ffff);
    }
    if !is_in_class {
        out.push(']');
    }
}
