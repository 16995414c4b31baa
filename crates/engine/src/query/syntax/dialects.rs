//! Corrections of filters and pipes: operators, methods and words of jq, JavaScript, Python and SQL.

#![forbid(unsafe_code)]

use crate::query::syntax::correction::Correction;
use crate::query::syntax::correction::Form;
use crate::query::syntax::correction::open_brackets;
use crate::query::syntax::correction::quoted;
use crate::query::syntax::function;
use crate::query::syntax::path::is_name_character;
use crate::query::syntax::path::is_name_start;
use crate::query::syntax::patterns::has_of_jq;
use crate::query::syntax::patterns::part_of_jq;
use crate::query::syntax::patterns::test_of_jq;

/// Corrects a pipe of jq after a path: appends the path on its right side, or turns a function into a selector.
pub(super) fn pipe(path: &str, tail: &str) -> Option<Correction> {
    if is_slice(path) {
        return array(path, &format!("|{tail}"));
    }
    let (stage, more) = tail.split_at(tail.find('|').filter(|_| !tail.contains('(')).unwrap_or(tail.len()));
    let appended = |segment: &str| Some(format!("{path}{segment}{more}").into());
    match stage.trim() {
        "" => None,
        "." => Some(format!("{path}{more}").into()),
        // After several values, jq prints a length for each.
        "length" if more.is_empty() && !path.contains(['*', '?', ':']) && !path.contains("..") => {
            Some(Correction { expression: format!("{path}[*]"), form: Form::Count })
        }
        "first" => appended("[0]"),
        "last" => appended("[-1]"),
        stage if stage.contains(',') && !stage.contains(['(', '[', '"']) => appended(&format!("[{}]", names(stage)?)),
        stage if stage.starts_with('.') && !stage.starts_with("..") => {
            appended(if path.ends_with("..") { &stage[1..] } else { stage })
        }
        _ => call(path, tail),
    }
}

/// Turns `map` or `select` after a pipe into a selector.
fn call(path: &str, tail: &str) -> Option<Correction> {
    let (name, call) = tail.split_once('(')?;
    let end = closing_parenthesis(call)?;
    let (argument, more) = (call[..end].trim(), call[end + 1..].trim());
    let selected = argument.strip_prefix("select(").and_then(|inner| inner.strip_suffix(')'));
    match (name.trim(), selected) {
        ("map", Some(condition)) => array(&format!("{path}[?{}]", condition_of_jq(condition)?), more),
        ("map", None) if argument.starts_with('.') => array(&format!("{path}[*]{argument}"), more),
        ("select", _) => {
            let array = path.strip_suffix("[*]").or_else(|| path.strip_suffix(".*"))?;
            Some(format!("{array}[?{}]{more}", condition_of_jq(argument)?).into())
        }
        _ => None,
    }
}

/// Corrects what follows a path that is an array in jq, but whose elements are selected by JSONPath.
fn array(path: &str, more: &str) -> Option<Correction> {
    let Some(stage) = more.trim().strip_prefix('|').map(str::trim) else {
        return more.trim().is_empty().then(|| Correction { expression: path.to_owned(), form: Form::Array });
    };
    if stage == "length" {
        return Some(Correction { expression: path.to_owned(), form: Form::Count });
    }
    if let Some(rest) = stage.strip_prefix(".[]") {
        // The elements are piped one by one, so a path after the pipe continues theirs.
        let rest = rest.trim();
        let member = rest.strip_prefix('|').map(str::trim).filter(|member| member.starts_with('.') && *member != ".");
        return Some(format!("{path}{}", member.unwrap_or(rest)).into());
    }
    let (argument, more) = stage.strip_prefix("map(")?.split_once(')')?;
    if argument.starts_with('.') { array(&format!("{path}{argument}"), more) } else { None }
}

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

/// Returns whether a path ends with a slice, as in `$.a[1:3]`.
fn is_slice(path: &str) -> bool {
    let selector = path.strip_suffix(']').and_then(|path| path.rsplit_once('['));
    selector.is_some_and(|(_, selector)| selector.contains(':') && !selector.contains(['\'', '"', '?', '@']))
}

/// Translates the argument of `select`, where it means something else than in a filter: in jq, a missing member is null, and a path
/// alone asks whether its value is neither null nor false. Operators and words are left to [`in_filter`].
fn condition_of_jq(condition: &str) -> Option<String> {
    let (mut rest, is_negated) = match condition.split_once('|') {
        Some((path, function)) if function.trim() == "not" => (path.trim(), true),
        _ => (condition, false),
    };
    let mut translated = String::new();
    loop {
        let operators = [(" and ", " && "), (" or ", " || ")].into_iter().filter_map(|(word, operator)| {
            let at = rest.match_indices(word).map(|(at, _)| at).find(|&at| !is_quoted(rest, at))?;
            Some((at, word, operator))
        });
        let Some((at, word, operator)) = operators.min() else { break };
        translated += &term_of_jq(rest[..at].trim())?;
        translated += operator;
        rest = &rest[at + word.len()..];
    }
    translated += &term_of_jq(rest.trim())?;
    Some(if is_negated { format!("!({translated})") } else { translated })
}

/// Translates a part of a condition, without `and` and `or`.
fn term_of_jq(term: &str) -> Option<String> {
    let is_path = |text: &str| text.starts_with('.') && !text.contains([' ', '(', '|', '=', '<', '>', '"']);
    if is_path(term) {
        let path = if term == "." { "@".to_owned() } else { format!("@{term}") };
        return Some(format!("({path} && {path} != false && {path} != null)"));
    }
    let (path, value) = term.split_once("!=").or_else(|| term.split_once("==")).unwrap_or((term, ""));
    match value.trim() {
        "null" if !is_path(path.trim()) => None,
        "null" if term.contains("!=") => Some(format!("(@{0} && @{0} != null)", path.trim())),
        "null" => Some(format!("(!@{0} || @{0} == null)", path.trim())),
        _ => Some(term.to_owned()),
    }
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
        '|' => piped(before, rest[1..].trim_start()),
        // The current node of jq.
        '.' if !before.ends_with(is_name_character) && !before.ends_with([']', '.']) => {
            Some(whole(&format!("@{rest}")))
        }
        '(' => method(before, rest),
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
        "has" if tail.starts_with('(') => Some(format!("{before}@{}", has_of_jq(&tail[1..])?)),
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

/// Corrects a single `|` in a filter: a pipe of jq into a function, or an operator.
fn piped(before: &str, tail: &str) -> Option<String> {
    let query = query_before(before.trim_end());
    let call = |name: &str| {
        let (start, query) = query?;
        Some(format!("{}{name}({query}", &before[..start]))
    };
    if let Some(argument) = tail.strip_prefix("test(") {
        let (name, arguments) = test_of_jq(argument)?;
        return Some(format!("{}, {arguments}", call(name)?));
    }
    if let Some(argument) = tail.strip_prefix("has(") {
        let (start, query) = query?;
        return Some(format!("{}{query}{}", &before[..start], has_of_jq(argument)?));
    }
    if let Some(arguments) = part_of_jq(tail) {
        return Some(format!("{}, {arguments}", call("search")?));
    }
    if let Some(more) = tail.strip_prefix("length").filter(|more| !more.starts_with(is_name_character)) {
        return Some(format!("{}){more}", call("length")?));
    }
    tail.starts_with(['@', '$', '!', '('])
        .then(|| format!("{before}||{}{tail}", if before.ends_with(' ') { " " } else { "" }))
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

/// Returns the offset of the parenthesis that closes the one before `text`.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let closing = text.char_indices().filter(|&(_, character)| character == ')');
    closing.map(|(at, _)| at).find(|&at| open_brackets(&text[..at]).is_empty() && !is_quoted(text, at))
}

/// Returns whether an expression of jq takes values from a slice, which is an array there. JSONPath selects its elements.
pub(super) fn uses_slice(expression: &str) -> bool {
    let ends = expression.char_indices().filter(|&(_, character)| character == ']').map(|(at, _)| at + 1);
    ends.into_iter().any(|end| is_slice(&expression[..end]) && expression[end..].starts_with(['[', '.']))
}

/// Returns an expression of jq in JSONPath if the elements of its slices are taken one by one, as in `.a[1:3][].b`.
pub(super) fn elements_of_slices(expression: &str) -> Option<String> {
    let mut elements = String::from("$");
    let mut rest = expression;
    while let Some(end) = rest.find(']') {
        let (part, tail) = rest.split_at(end + 1);
        elements += part;
        rest = tail;
        if is_slice(&elements) {
            rest = rest.strip_prefix("[]").or_else(|| rest.is_empty().then_some(""))?;
        }
    }
    Some(elements + rest)
}

/// Returns whether an offset is inside a string.
fn is_quoted(text: &str, at: usize) -> bool {
    // A bracket changes the brackets that are open, except in a string.
    open_brackets(&[&text[..at], "["].concat()) == open_brackets(&text[..at])
}
