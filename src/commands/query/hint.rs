//! The line for people whose search has no match: the name or value that was probably meant.
//!
//! A wrong plural, the wrong case, or a number in quotes makes an expression that is valid and selects nothing. If such a change
//! makes it match, the line says so. It is printed only on a terminal, and only for a short file, which is searched again.

#![forbid(unsafe_code)]

use crate::args::query::Query as Arguments;
use crate::meant::quoted;
use crate::sanitize;
use crate::source::Source;
use fjson::Condition;
use fjson::Options;
use fjson::Query;
use fjson::Search;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::ops::Range;

/// Largest size of a file that is searched again.
const MAX_SIZE: u64 = 4 << 20;

/// Maximum number of keys that are compared, and of expressions that are tried.
const MAX_KEYS: usize = 10_000;
const MAX_TRIALS: usize = 32;

/// A changed expression, and why it was changed.
struct Candidate {
    expression: String,
    reason: String,
}

/// Returns the line about a search without a match; `None` if the output says so itself, and nothing can be added.
pub fn no_match(arguments: &Arguments) -> Option<String> {
    let hint = candidate(arguments).map(|Candidate { expression, reason }| {
        format!("; {reason}: did you mean {}?", quoted(OsStr::new(&expression)))
    });
    if hint.is_none() && (arguments.printing.count || arguments.printing.array) {
        return None;
    }
    Some(format!("fjson: no match{}\n", hint.unwrap_or_default()))
}

/// Returns a change of the expression, or of the condition, with which the first file has a match.
fn candidate(arguments: &Arguments) -> Option<Candidate> {
    let expression = arguments.expression.as_ref()?.to_str()?;
    let condition = arguments.condition.as_deref();
    let file = arguments.inputs.files.first().filter(|file| file.is_file())?;
    let source = Source::open(file.clone()).ok()?;
    source.size().filter(|&size| size <= MAX_SIZE)?;
    let text = arguments.inputs.read_whole(&source).ok()?;
    let options = arguments.engine.options(&arguments.inputs, &source.name).framing(arguments.framing(&source.name));
    let keys = keys(&text, &options)?;
    let of_expression = candidates(expression, &keys).into_iter().map(|candidate| {
        let found = has_match(&candidate.expression, condition, &text, &options);
        (found, candidate)
    });
    let of_condition = condition.into_iter().flat_map(|condition| candidates(condition, &keys)).map(|candidate| {
        let found = has_match(expression, Some(&candidate.expression), &text, &options);
        (found, candidate)
    });
    let mut all = of_expression.chain(of_condition).take(MAX_TRIALS);
    all.find_map(|(found, candidate)| found.then_some(candidate))
}

/// Whether an expression has a match in a document for which a condition is true.
fn has_match(expression: &str, condition: Option<&str>, text: &[u8], options: &Options) -> bool {
    let Ok(query) = Query::new(expression) else { return false };
    let condition = condition.map(Condition::new).transpose();
    let Ok(condition) = condition else { return false };
    let queries = [query];
    let mut search = Search::new(&queries).limit(1).without_paths();
    if let Some(condition) = &condition {
        search = search.condition(condition);
    }
    let mut counts = [0];
    let counted = search.count(text, options, &mut counts, &mut |_| ControlFlow::Continue(()));
    counted.is_ok() && counts[0] > 0
}

/// Returns the keys of all objects in the documents.
fn keys(text: &[u8], options: &Options) -> Option<BTreeSet<String>> {
    let mut keys = BTreeSet::new();
    let every_value = Query::new("$..*").ok()?;
    let searched = every_value.each(text, options, &mut |matched| {
        let pointer = matched.pointer().unwrap_or_default();
        let key = pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        if key.parse::<u64>().is_err() {
            keys.insert(key);
        }
        if keys.len() < MAX_KEYS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    searched.ok().map(|_| keys)
}

/// Returns the expression with a name replaced by a similar key, or with a value of another type.
fn candidates(expression: &str, keys: &BTreeSet<String>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (span, name) in names(expression).into_iter().filter(|(_, name)| !keys.contains(name)) {
        for key in keys.iter().filter(|key| is_similar(&name, key)) {
            let written = if expression.as_bytes()[span.start] == b'[' {
                format!("['{}']", key.replace('\\', "\\\\").replace('\'', "\\'"))
            } else if expression.starts_with('/') {
                key.replace('~', "~0").replace('/', "~1")
            } else {
                key.clone()
            };
            let reason = format!("the document has `{}`", sanitize::text(key));
            candidates.push(Candidate { expression: replaced(expression, span.clone(), &written), reason });
        }
    }
    for (span, literal, reason) in literals(expression) {
        candidates.push(Candidate { expression: replaced(expression, span, &literal), reason: reason.to_owned() });
    }
    candidates
}

fn replaced(expression: &str, span: Range<usize>, text: &str) -> String {
    [&expression[..span.start], text, &expression[span.end..]].concat()
}

/// Returns the names in an expression: `.name`, `['name']`, and the tokens of a JSON Pointer. The span of one in brackets includes
/// them.
fn names(expression: &str) -> Vec<(Range<usize>, String)> {
    if expression.starts_with('/') {
        let starts = expression.match_indices('/').map(|(at, _)| at + 1);
        let span = |start: usize| start..expression[start..].find('/').map_or(expression.len(), |end| start + end);
        return starts.map(span).map(|span| (span.clone(), expression[span].to_owned())).collect();
    }
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(next) = expression[at..].chars().next() {
        let start = at + next.len_utf8();
        let rest = &expression[start..];
        at = match next {
            '.' => {
                let is_name = |character: char| character.is_alphanumeric() || character == '_';
                let length = rest.find(|character| !is_name(character)).unwrap_or(rest.len());
                if length > 0 {
                    names.push((start..start + length, rest[..length].to_owned()));
                }
                start + length
            }
            '[' if let Some((name, length)) = string(rest)
                && rest[length..].starts_with(']') =>
            {
                names.push((at..start + length + 1, name.to_owned()));
                start + length + 1
            }
            '\'' | '"' => start + string(&expression[at..]).map_or(0, |(_, length)| length - 1),
            _ => start,
        };
    }
    names
}

/// Returns the text of the string that `text` begins with, and its length with the quotes. Strings with escapes are not read.
fn string(text: &str) -> Option<(&str, usize)> {
    let quote = text.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let end = text[1..].find(quote)?;
    let inner = &text[1..=end];
    (!inner.contains('\\')).then_some((inner, end + 2))
}

/// Returns the literals that are compared, each with the same value of another type.
fn literals(expression: &str) -> Vec<(Range<usize>, String, &'static str)> {
    let mut literals = Vec::new();
    let operators = ["==", "<=", ">=", "<", ">"];
    let ends =
        operators.iter().flat_map(|operator| expression.match_indices(operator).map(|(at, _)| at + operator.len()));
    for end in ends {
        let rest = expression[end..].trim_start();
        let start = expression.len() - rest.len();
        if let Some((text, length)) = string(rest) {
            let is_number =
                text.starts_with(|first: char| first.is_ascii_digit() || first == '-') && text.parse::<f64>().is_ok();
            let reason = match text {
                "true" | "false" => "the value is not a string there, but true or false",
                "null" => "the value is null there, not a string",
                _ if is_number => "the value is a number there, not a string",
                _ => continue,
            };
            literals.push((start..start + length, text.to_owned(), reason));
        } else {
            let length = rest.find([' ', ')', ']', '&', '|']).unwrap_or(rest.len());
            let text = &rest[..length];
            if matches!(text, "true" | "false" | "null") || text.parse::<f64>().is_ok() {
                literals.push((start..start + length, format!("'{text}'"), "the value is a string there"));
            }
        }
    }
    literals
}

/// Whether a name may have been meant for a key: another case, separator, number or spelling of it.
fn is_similar(name: &str, key: &str) -> bool {
    let plain = |text: &str| {
        let characters = text.chars().filter(|character| character.is_alphanumeric());
        characters.flat_map(char::to_lowercase).collect::<String>()
    };
    let (name, key) = (plain(name), plain(key));
    let lengths = [&name, &key].map(|text| text.chars().count());
    let shorter = lengths[0].min(lengths[1]);
    if shorter == 0 || lengths[0].abs_diff(lengths[1]) > 3 {
        return false;
    }
    name == key || shorter >= 3 && strsim::osa_distance(&name, &key) <= if shorter >= 6 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names() {
        for (name, key) in
            [("user", "users"), ("userName", "user_name"), ("ID", "id"), ("adress", "address"), ("nmae", "name")]
        {
            assert!(is_similar(name, key), "{name} {key}");
        }
        for (name, key) in [("id", "ip"), ("a", "b"), ("name", "date"), ("", "a"), ("users", "groups")] {
            assert!(!is_similar(name, key), "{name} {key}");
        }
    }

    #[test]
    fn names_and_literals_of_expressions() {
        let found = |expression| names(expression).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(found("$.a['b c'][?@.d == 'x.y']..e"), ["a", "b c", "d", "e"]);
        assert_eq!(found("/a/0/b"), ["a", "0", "b"]);
        let found = |expression| literals(expression).into_iter().map(|(_, literal, _)| literal).collect::<Vec<_>>();
        assert_eq!(found("$[?@.id == \"1\" && @.n >= 2]"), ["1", "'2'"]);
        assert_eq!(found("@.a == 'x'"), [""; 0]);
    }
}
