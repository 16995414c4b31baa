//! Corrections of patterns: escapes and groups of other languages, spelled as I-Regexp or given to `regex`.

#![forbid(unsafe_code)]

use crate::query::regexp::Patterns;
use crate::query::regexp::is_portable;
use crate::query::syntax::cursor::Cursor;
use crate::query::syntax::literal;

/// Corrects the pattern of a call of `match` or `search`. `before` ends inside the pattern, whose first quote is at `quote`, and
/// `rest` begins with what is not an I-Regexp.
pub(super) fn in_pattern(before: &str, rest: &str, quote: usize) -> Option<String> {
    let call = before[..quote].rfind("search(").max(before[..quote].rfind("match("))?;
    let is_match = before[call..].starts_with("match(");
    if before[..quote].rfind("regex(").is_some_and(|regex| regex > call) {
        return None;
    }
    spelled_out(before, rest, quote).or_else(|| {
        let name = if is_match { "match(" } else { "search(" };
        let between = &before[call + name.len()..=quote];
        let pattern = &before[quote + 1..];
        if !is_match {
            return Some(format!("{}regex({between}{pattern}{rest}", &before[..call]));
        }
        let end = end_of_string(rest, before[quote..].chars().next()?)?;
        let (inside, after) = rest.split_at(end);
        Some(format!("{}regex({between}^(?:{pattern}{inside})${after}", &before[..call]))
    })
}

/// Spells out what I-Regexp writes in another way.
fn spelled_out(before: &str, rest: &str, quote: usize) -> Option<String> {
    let replaced = |length: usize, text: &str| Some(format!("{before}{text}{}", &rest[length..]));
    if rest.starts_with("(?:") {
        return replaced(3, "(");
    }
    if rest.starts_with('?') && before.ends_with(['*', '+', '?', '}']) {
        return replaced(1, "");
    }
    // A backslash of a pattern is two in a string.
    let escaped = rest.strip_prefix(r"\\")?.chars().next()?;
    let set = match escaped {
        'd' | 'D' => "0-9",
        'w' | 'W' => "0-9A-Za-z_",
        's' | 'S' => r" \t\n\r",
        _ if escaped.is_alphanumeric() || matches!(escaped, '\\' | '\'' | '"') || escaped.is_control() => return None,
        // An escape that is not needed.
        _ => return replaced(2, ""),
    };
    let length = 2 + escaped.len_utf8();
    match (is_in_class(&before[quote + 1..]), escaped.is_uppercase()) {
        (true, false) => replaced(length, set),
        (false, false) => replaced(length, &format!("[{set}]")),
        (false, true) => replaced(length, &format!("[^{set}]")),
        (true, true) => None,
    }
}

/// Returns whether a pattern, as written in a string, ends inside a character class.
fn is_in_class(pattern: &str) -> bool {
    let (mut is_inside, mut characters) = (false, pattern.chars());
    while let Some(character) = characters.next() {
        match character {
            // Two backslashes and the character that they escape, or an escape of the string.
            '\\' if characters.next() == Some('\\') => {
                characters.next();
            }
            '[' => is_inside = true,
            ']' => is_inside = false,
            _ => {}
        }
    }
    is_inside
}

/// Returns the offset of the quote that ends a string.
fn end_of_string(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// Translates the arguments of `test` in jq, up to the parenthesis that closes them and what follows it. Also returns the name of the
/// function that means the same.
pub(super) fn test_of_jq(arguments: &str) -> Option<(&'static str, String)> {
    let (literal, pattern, rest) = string(arguments)?;
    let Some(flags) = rest.strip_prefix(';') else {
        // The dots of I-Regexp do not match the same line breaks.
        let name = if is_portable(&pattern) { "search" } else { "regex" };
        return Some((name, format!("{literal}{rest}")));
    };
    let (_, flags, rest) = string(flags)?;
    (flags == "i").then(|| ("regex", format!("{literal}, \"i\"{rest}")))
}

/// Translates the argument of `has` in jq, up to the parenthesis that closes it and what follows it: a segment with the key.
pub(super) fn has_of_jq(argument: &str) -> Option<String> {
    let (literal, _, rest) = string(argument)?;
    Some(format!("[{literal}]{}", rest.strip_prefix(')')?))
}

/// Translates a call of `contains`, `startswith` or `endswith` in jq, with a string, to the arguments of `search` after the first one,
/// and what follows them.
pub(super) fn part_of_jq(call: &str) -> Option<String> {
    let (name, argument) = call.split_once('(')?;
    let (before, after) = match name.trim_end() {
        "contains" => ("", ""),
        "startswith" => ("^", ""),
        "endswith" => ("", "$"),
        _ => return None,
    };
    let (_, text, rest) = string(argument)?;
    // In a string, these would need escapes besides those of the pattern.
    if text.contains(|character: char| character < ' ' || matches!(character, '"' | '\\')) {
        return None;
    }
    let mut pattern = String::new();
    for character in text.chars() {
        if ".*+?()[]{}|^$".contains(character) {
            pattern += if matches!(character, '$') { "[" } else { r"\\" };
        }
        pattern.push(character);
        if character == '$' {
            pattern.push(']');
        }
    }
    Some(format!("\"{before}{pattern}{after}\"{rest}"))
}

/// Splits a string literal off a text. Returns its text, its value and what follows it.
fn string(text: &str) -> Option<(&str, String, &str)> {
    let text = text.trim_start();
    let mut cursor = Cursor::new(text, Patterns::default());
    let value = text.starts_with('"').then(|| literal::string(&mut cursor).ok()).flatten()?;
    let (literal, rest) = text.split_at(cursor.offset());
    Some((literal, value.value().to_owned(), rest.trim_start()))
}
