//! Corrections of filters: operators, methods and words of JavaScript, Python and SQL.

#![forbid(unsafe_code)]

use crate::query::syntax::correction::open_brackets;
use crate::query::syntax::correction::quoted;
use crate::query::syntax::function;
use crate::query::syntax::path::is_name_character;
use crate::query::syntax::path::is_name_start;

/// Returns member names that are separated by commas as selectors. Each may be a path, as in jq: `.a, .b`.
pub(super) fn names(list: &str) -> Option<String> {
    let names = list.split(',').map(|name| {
        let name = name.trim();
        let name = name.strip_prefix("$.").or_else(|| name.strip_prefix('.')).unwrap_or(name);
        let is_name = name.starts_with(is_name_start) && name.chars().all(is_name_character);
        is_name.then(|| format!("'{name}'"))
    });
    names.collect::<Option<Vec<_>>>().map(|names| names.join(","))
}

/// Corrects the text at an error in a filter. Mistakes in the segments of its queries are not corrected here.
pub(super) fn in_filter(before: &str, rest: &str) -> Option<String> {
    let whole = |text: &str| [before, text].concat();
    let rest = rest.trim_start();
    if let Some(end) = word_length(rest) {
        return word(before, &rest[..end], &rest[end..]);
    }
    let next = rest.chars().next()?;
    match next {
        // `===` and `!==`.
        '=' if before.ends_with('=') => Some(whole(&rest[1..])),
        '=' if rest.starts_with("=~") => matches_pattern(before, rest[2..].trim_start()),
        '=' if rest.starts_with("==") => compared(before, rest),
        '=' if rest.starts_with("=>") => Some(format!("{before}>={}", &rest[2..])),
        '=' if rest.starts_with("=<") => Some(format!("{before}<={}", &rest[2..])),
        '=' => Some(format!("{before}=={}", &rest[1..])),
        // `<>`.
        '>' if before.ends_with('<') => Some(format!("{}!={}", &before[..before.len() - 1], &rest[1..])),
        '<' | '>' | '!' => compared(before, rest),
        '&' => Some(format!("{before}&&{}", &rest[1..])),
        '|' => single_bar(before, rest[1..].trim_start()),
        // The current node of jq.
        '.' if !before.ends_with(is_name_character) && !before.ends_with([']', '.']) => {
            Some(whole(&format!("@{rest}")))
        }
        '(' => method(before, rest),
        // An escape sequence that strings do not have is one of the pattern, so its backslash is escaped.
        '\\' if rest[1..].starts_with(['\'', '"']) => Some(whole(&rest[1..])),
        '\\' if !rest[1..].starts_with('u') => Some(whole(&format!("\\{rest}"))),
        '@' | '$' => elements_compared(before, rest),
        '\'' | '"' | '0'..='9' | '-' => {
            let (value, list) = rest.split_once(" in ").filter(|(value, _)| !value.contains(' '))?;
            contained(&[before, value].concat(), list.trim_start())
        }
        _ => None,
    }
}

/// Returns the length of the word that a text begins with.
fn word_length(text: &str) -> Option<usize> {
    let end = text.find(|character| !is_name_character(character)).unwrap_or(text.len());
    text.starts_with(is_name_start).then_some(end)
}

/// Corrects a word where an operator or an operand was expected.
fn word(before: &str, word: &str, tail: &str) -> Option<String> {
    let open = before.trim_end();
    let is_operand = open.is_empty() || open.ends_with(['?', '(', '!', '&', '|', '=', '<', '>', ',']);
    let lower = word.to_ascii_lowercase();
    let replaced = |text: &str| Some(format!("{before}{text}{tail}"));
    if before.ends_with('.') {
        return None;
    }
    if !is_operand {
        let separator = if before.ends_with(' ') { "" } else { " " };
        return match lower.as_str() {
            "and" => replaced(&format!("{separator}&&")),
            "or" => replaced(&format!("{separator}||")),
            "in" => contained(before, tail.trim_start()),
            _ => None,
        };
    }
    match lower.as_str() {
        "not" => Some(format!("{before}!{}", tail.trim_start())),
        "true" | "false" | "null" => replaced(&lower),
        "none" | "nil" | "undefined" => replaced("null"),
        _ if tail.trim_start().starts_with('(') => {
            let is_function = function::NAMES.contains(&lower.as_str());
            (is_function && (tail.starts_with(' ') || lower != word))
                .then(|| format!("{before}{lower}{}", tail.trim_start()))
        }
        "nothing" => None,
        _ if open.ends_with(['=', '<', '>']) => {
            let end = tail.find([' ', ']', ')', '&', '|']).unwrap_or(tail.len());
            Some(format!("{before}{}{}", quoted(&[word, &tail[..end]].concat())?, &tail[end..]))
        }
        _ => Some(format!("{before}@.{word}{tail}")),
    }
}

/// Corrects `'x' in @.list` and `@.x in ['a', 'b']`.
fn contained(before: &str, list: &str) -> Option<String> {
    let before = before.trim_end();
    if list.starts_with(['@', '$']) {
        let start = if before.ends_with('\'') || before.ends_with('"') {
            let quote = before.chars().last()?;
            before[..before.len() - 1].rfind(quote)?
        } else {
            before
                .trim_end_matches(|character: char| character.is_ascii_digit() || character == '.' || character == '-')
                .len()
        };
        let end = operand_length(list);
        return Some(format!("{}{}[?@ == {}]{}", &before[..start], &list[..end], &before[start..], &list[end..]));
    }
    let (start, query) = query_before(before)?;
    let outside = |wanted: char| list.match_indices(wanted).map(|(at, _)| at).filter(|&at| !is_quoted(list, at));
    let end = outside(']').next()?;
    let mut start_of_item = list.starts_with('[').then_some(1)?;
    let mut tests = Vec::new();
    for comma in outside(',').take_while(|&comma| comma < end).chain([end]) {
        tests.push(format!("{query} == {}", list[start_of_item..comma].trim()));
        start_of_item = comma + 1;
    }
    Some(format!("{}({}){}", &before[..start], tests.join(" || "), &list[end + 1..]))
}

/// Corrects `@.x =~ /pattern/`.
fn matches_pattern(before: &str, pattern: &str) -> Option<String> {
    let (start, query) = query_before(before.trim_end())?;
    let quote = pattern.chars().next().filter(|quote| matches!(quote, '/' | '\'' | '"'))?;
    let ends = pattern.match_indices(quote).map(|(at, _)| at);
    let end = ends.into_iter().find(|&at| at > 0 && !pattern[..at].ends_with('\\'))?;
    let (text, tail) = (&pattern[1..end], &pattern[end + 1..]);
    let text = if quote == '/' { text.replace("\\/", "/") } else { text.to_owned() };
    // Besides backslashes, nothing that needs an escape.
    let text = quoted(&text.replace('\\', "")).map(|_| text.replace('\\', r"\\"))?;
    let before = &before[..start];
    match tail.strip_prefix('i') {
        Some(tail) if !tail.starts_with(is_name_start) => Some(format!("{before}regex({query}, '{text}', 'i'){tail}")),
        // Other flags would be lost.
        _ if tail.starts_with(is_name_start) => None,
        _ => Some(format!("{before}search({query}, '{text}'){tail}")),
    }
}

/// Corrects a single `|` in a filter.
fn single_bar(before: &str, tail: &str) -> Option<String> {
    let separator = if before.ends_with(' ') { " " } else { "" };
    tail.starts_with(['@', '$', '!', '(']).then(|| format!("{before}||{separator}{tail}"))
}

/// Corrects a method of JavaScript: `@.x.length()`, `@.x.match('…')`.
fn method(before: &str, rest: &str) -> Option<String> {
    let (object, name) = before.rsplit_once('.')?;
    let (start, query) = query_before(object)?;
    let function = match name {
        "length" | "size" | "count" if rest.starts_with("()") => "length",
        // They search in all of these languages.
        "match" | "search" | "test" => "search",
        _ => return None,
    };
    let argument = rest[1..].trim_start();
    let comma = if argument.starts_with(')') { "" } else { ", " };
    Some(format!("{}{function}({query}{comma}{argument}", &object[..start]))
}

/// Corrects a comparison after `!`, or of a parenthesis: `!@.x == 1` and `(@.x) == 1`.
fn compared(before: &str, rest: &str) -> Option<String> {
    let left = before.trim_end();
    if let Some(inner) = left.strip_suffix(')') {
        let start = inner.rfind('(')?;
        // The parentheses have a purpose.
        if ["||", "&&"].iter().any(|operator| inner[start..].contains(operator)) {
            return None;
        }
        return Some(format!("{}{} {rest}", &before[..start], &inner[start + 1..]));
    }
    let start = before.rfind('!')?;
    let end = comparison_length(rest);
    Some(format!("{}!({}{}){}", &before[..start], &before[start + 1..], &rest[..end].trim_end(), &rest[end..]))
}

/// Corrects a comparison of several nodes: `@.tags[*] == 'x'`.
fn elements_compared(before: &str, rest: &str) -> Option<String> {
    let length = operand_length(rest);
    let (query, comparison) = rest.split_at(length);
    let container = query.strip_suffix("[*]").or_else(|| query.strip_suffix(".*"))?;
    if !comparison.trim_start().starts_with(['=', '!', '<', '>']) {
        return None;
    }
    let end = comparison_length(comparison);
    let test = comparison[..end].trim();
    Some(format!("{before}{container}[?@ {test}]{}", &comparison[end..]))
}

/// Returns the length of the text up to the end of a comparison.
fn comparison_length(text: &str) -> usize {
    let is_end = |at: usize| {
        let is_outside = open_brackets(&text[..at]).is_empty() && !is_quoted(text, at);
        is_outside && [")", "]", "&&", "||", " and ", " or "].iter().any(|end| text[at..].starts_with(end))
    };
    text.char_indices().map(|(at, _)| at).find(|&at| is_end(at)).unwrap_or(text.len())
}

/// Returns the length of the query at the start of a text.
fn operand_length(text: &str) -> usize {
    let is_end = |at: usize, character: char| {
        open_brackets(&text[..at]).is_empty()
            && matches!(character, ' ' | ')' | ']' | '=' | '!' | '<' | '>' | '&' | '|' | ',')
    };
    text.char_indices().find(|&(at, character)| is_end(at, character)).map_or(text.len(), |(at, _)| at)
}

/// Returns the query that ends a text, and where it begins.
fn query_before(text: &str) -> Option<(usize, &str)> {
    let start = text.rfind(['@', '$'])?;
    (operand_length(&text[start..]) == text.len() - start).then_some((start, &text[start..]))
}

/// Returns whether an offset is inside a string.
fn is_quoted(text: &str, at: usize) -> bool {
    // A bracket changes the brackets that are open, except in a string.
    open_brackets(&[&text[..at], "["].concat()) == open_brackets(&text[..at])
}
