//! Regular expressions, in the [dialect](super::dialect) of Oniguruma as jq uses it.
//!
//! Compiled expressions are kept, since a program uses the same ones for every input. A search that would take too long
//! is an error.

#![forbid(unsafe_code)]
#![expect(clippy::needless_pass_by_value, reason = "all native functions have the same signature")]

use std::collections::HashMap;
use std::rc::Rc;

use fancy_regex::Captures;
use fancy_regex::CompileError;
use fancy_regex::Regex;
use fancy_regex::RegexBuilder;
use foldhash::fast::RandomState;

use crate::builtins::dialect::translate;
use crate::builtins::strings;
use crate::eval::Context;
use crate::value::Error;
use crate::value::Object;
use crate::value::Text;
use crate::value::Value;

/// Expressions that have been compiled.
#[derive(Debug, Default)]
pub(crate) struct Cache(HashMap<(Text, Flags), Rc<Regex>, RandomState>);

/// The number of expressions that are kept. A program that makes expressions from its input may need any number of them.
const KEPT: usize = 128;

/// After so many steps backwards a search fails.
const BACKTRACK_LIMIT: usize = 10_000_000;

/// How an expression is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a letter of the flags")]
struct Flags {
    global: bool,
    ignore_case: bool,
    extended: bool,
    dot_all: bool,
    longest: bool,
    not_empty: bool,
}

impl Flags {
    /// Reads the letters of the flags.
    fn parse(flags: &Value) -> Result<Self, Error> {
        let mut parsed = Self::default();
        let text = match flags.as_str() {
            Some(text) => text,
            None if flags.kind() == crate::value::Kind::Null => return Ok(parsed),
            None => return Err(Error::of(flags, "is not a string")),
        };
        for letter in text.chars() {
            match letter {
                'g' => parsed.global = true,
                'i' => parsed.ignore_case = true,
                'x' => parsed.extended = true,
                'm' | 'p' => parsed.dot_all = true,
                // The start and end of the text are what `^` and `$` match anyway.
                's' => {}
                'l' => parsed.longest = true,
                'n' => parsed.not_empty = true,
                _ => return Err(Error::new(format!("{text} is not a valid modifier string"))),
            }
        }
        Ok(parsed)
    }
}

impl Cache {
    fn get(&mut self, pattern: &Text, flags: Flags) -> Result<Rc<Regex>, Error> {
        // A tuple of references is no key of the table; cloning a text copies a pointer.
        let key = (pattern.clone(), flags);
        if let Some(regex) = self.0.get(&key) {
            return Ok(regex.clone());
        }
        let regex = Rc::new(compile(&translate(pattern, flags.extended, flags.ignore_case)?, flags)?);
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        self.0.insert(key, regex.clone());
        Ok(regex)
    }
}

fn compile(pattern: &str, flags: Flags) -> Result<Regex, Error> {
    // A flag in the expression may take it back.
    let case = if flags.ignore_case { "(?i)" } else { "" };
    let compiled = RegexBuilder::new(&format!("{case}{pattern}"))
        .dot_matches_new_line(flags.dot_all)
        .find_not_empty(flags.not_empty)
        .oniguruma_mode(true)
        .backtrack_limit(BACKTRACK_LIMIT)
        .build();
    match compiled {
        // An expression that matches only what is empty, while only other matches are wanted.
        Err(fancy_regex::Error::CompileError(error)) if matches!(*error, CompileError::PatternCanNeverMatch) => {
            Regex::new("(?!)").map_err(|error| failure(&error))
        }
        other => other.map_err(|error| failure(&error)),
    }
}

/// Returns an error with the words of Oniguruma where jq's users know them.
fn failure(error: &fancy_regex::Error) -> Error {
    use fancy_regex::Error as Fancy;
    use fancy_regex::ParseError as Parse;
    use fancy_regex::RuntimeError;
    let known = match error {
        Fancy::RuntimeError(RuntimeError::BacktrackLimitExceeded) => "retry-limit-in-match over",
        Fancy::ParseError(_, kind) => match kind {
            Parse::InvalidClass => "premature end of char-class",
            Parse::UnclosedOpenParen => "end pattern with unmatched parenthesis",
            Parse::TargetNotRepeatable => "target of repeat operator is not specified",
            Parse::TrailingBackslash => "end pattern at escape",
            Parse::GeneralParseError(what) if what.starts_with("end of string not reached") => {
                "unmatched close parenthesis"
            }
            _ => "",
        },
        _ => "",
    };
    if !known.is_empty() {
        return Error::new(format!("Regex failure: {known}"));
    }
    // Of what the engine below says, the last line says what is wrong.
    let syntax = match error {
        Fancy::CompileError(error) => match &**error {
            CompileError::InnerError(error) => error.syntax_error(),
            _ => None,
        },
        _ => None,
    };
    let text = syntax.map_or_else(|| error.to_string(), ToString::to_string);
    let line = text.lines().last().unwrap_or_default();
    let reason = match line.strip_prefix("error: ").unwrap_or(line) {
        "invalid character class range, the start must be <= the end" => "empty range in char class",
        "invalid repetition count range, the start must be <= the end" => "upper is smaller than lower in repeat range",
        other => other,
    };
    Error::new(format!("Regex failure: {reason}"))
}

/// `_match(pattern; flags; is_test)`: all matches, or whether there is one.
pub(super) fn run(context: &mut Context, input: Value, arguments: &mut [Value]) -> Result<Value, Error> {
    let Some(text) = input.as_str() else { return Err(Error::of(&input, "cannot be matched, as it is not a string")) };
    let Some(pattern) = arguments[0].to_text() else { return Err(Error::of(&arguments[0], "is not a string")) };
    let flags = Flags::parse(&arguments[1])?;
    let regex = context.regexes.get(&pattern, flags)?;
    if arguments[2].is_true() {
        return regex.is_match(&text).map(Value::from).map_err(|error| failure(&error));
    }
    let mut found = Vec::new();
    let mut counter = Counter { text: &text, at: 0, count: 0, is_ascii: text.is_ascii() };
    let names: Vec<Value> = regex.capture_names().map(|name| name.map_or(Value::NULL, Value::from)).collect();
    let mut start = 0;
    while start <= text.len() {
        let captures =
            if flags.longest { longest(&regex, &text, start) } else { regex.captures_from_pos(&text, start) };
        let Some(captures) = captures.map_err(|error| failure(&error))? else { break };
        let Some(whole) = captures.get(0) else { break };
        found.push(match_object(&captures, &names, &mut counter));
        if found.len() % 256 == 0 {
            context.reserve(0)?;
        }
        // After an empty match, the search goes on at the next character.
        let step = text[whole.end()..].chars().next().map_or(1, char::len_utf8);
        start = whole.end() + if whole.start() == whole.end() { step } else { 0 };
        if !flags.global {
            break;
        }
    }
    Ok(found.into())
}

/// Returns the longest match that begins at or after `start`, the first of several.
fn longest<'t>(regex: &Regex, text: &'t str, start: usize) -> fancy_regex::Result<Option<Captures<'t>>> {
    let mut best: Option<Captures<'t>> = None;
    let mut length = 0;
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    for from in (start..=text.len()).filter(is_boundary) {
        for to in (from..=text.len()).rev().filter(is_boundary) {
            if best.is_some() && to - from <= length {
                break;
            }
            // The expression may prefer a shorter match, so the text ends where the match should.
            let found = regex.captures_from_pos(&text[..to], from)?;
            if let Some(whole) = found.as_ref().and_then(|found| found.get(0))
                && whole.start() == from
                && (best.is_none() || whole.end() - from > length)
            {
                length = whole.end() - from;
                best = found;
            }
        }
    }
    Ok(best)
}

/// Counts the characters before offsets, which mostly ascend.
struct Counter<'t> {
    text: &'t str,
    at: usize,
    count: usize,
    is_ascii: bool,
}

impl Counter<'_> {
    fn count(&mut self, offset: usize) -> usize {
        if self.is_ascii {
            return offset;
        }
        if offset < self.at {
            (self.at, self.count) = (0, 0);
        }
        self.count += strings::length(&self.text[self.at..offset]);
        self.at = offset;
        self.count
    }
}

/// Returns the object for a match.
fn match_object(captures: &Captures<'_>, names: &[Value], counter: &mut Counter<'_>) -> Value {
    let range = captures.get(0).map_or(0..0, |whole| whole.range());
    let is_empty = range.is_empty();
    let (offset, length) = place(&range, counter);
    let text = &counter.text[range];
    let mut list = Vec::new();
    for (group, name) in captures.iter().zip(names).skip(1) {
        let mut capture = Object::with_capacity(4);
        match group {
            Some(group) if !group.range().is_empty() && !is_empty => {
                let (offset, length) = place(&group.range(), counter);
                capture.append("offset".into(), offset);
                capture.append("length".into(), length);
                capture.append("string".into(), group.as_str().into());
            }
            // The order of members is that of jq, which also takes every group of an empty match for an empty one.
            group => {
                let offset = match group {
                    Some(_) if is_empty => offset.clone(),
                    Some(group) => place(&group.range(), counter).0,
                    None => Value::from(-1.0),
                };
                capture.append("offset".into(), offset);
                capture.append("string".into(), if group.is_some() { "".into() } else { Value::NULL });
                capture.append("length".into(), 0_usize.into());
            }
        }
        capture.append("name".into(), name.clone());
        list.push(capture.into());
    }
    let mut object = Object::with_capacity(4);
    object.append("offset".into(), offset);
    object.append("length".into(), length);
    object.append("string".into(), text.into());
    object.append("captures".into(), list.into());
    object.into()
}

/// Returns where a range begins and how long it is, in code points.
fn place(range: &std::ops::Range<usize>, counter: &mut Counter<'_>) -> (Value, Value) {
    let length = strings::length(&counter.text[range.clone()]);
    (counter.count(range.start).into(), length.into())
}
