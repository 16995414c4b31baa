//! Patterns: I-Regexp (RFC 9485) for `match` and `search`, and the full syntax of the `regex` crate for `regex`.
//!
//! `i_regexp.rs` checks an I-Regexp and translates it for the `regex` crate. `^` and `$` match the start and end of the text, as in
//! the mappings of RFC 9485, section 5, and in the compliance suite. `invalid.rs` holds the patterns of documents that are not valid.

#![forbid(unsafe_code)]

mod i_regexp;
mod invalid;
#[cfg(test)]
mod tests;

pub(crate) use invalid::InvalidPatterns;

use i_regexp::translated;
use regex::bytes::Regex;
use regex::bytes::RegexBuilder;
use std::fmt::Display;

/// Limit for the size of a compiled pattern, and for the size of its DFA cache.
const MAX_COMPILED_BYTES: usize = 1 << 21;

/// The syntax of the patterns of `match` and `search` in an expression. The function `regex` always takes the full syntax.
///
/// ```
/// use fjson::{Options, Patterns, Query};
///
/// let expression = r"$[?search(@, '^\\d+$')]";
/// assert!(Query::new(expression).is_err());
/// let query = Query::with_patterns(expression, Patterns::Regex)?;
/// assert_eq!(query.find_all(r#"["7", "x"]"#, &Options::new())?, [br#""7""#]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Patterns {
    /// I-Regexp ([RFC 9485](https://www.rfc-editor.org/rfc/rfc9485)), which RFC 9535 prescribes.
    #[default]
    IRegexp,
    /// The syntax of the crate [`regex`](https://docs.rs/regex/1/regex/#syntax).
    Regex,
}

/// How a pattern is read, and what it must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PatternStyle {
    pub(crate) syntax: Patterns,
    /// Whether it must match a text as a whole; otherwise any part of it.
    pub(crate) is_whole: bool,
    pub(crate) ignores_case: bool,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Regex);

/// The error of a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PatternError {
    /// It is not in the syntax.
    Syntax(SyntaxError),
    /// It exceeds [`MAX_COMPILED_BYTES`], or is nested too deeply to be compiled.
    TooLarge,
}

/// The first error in the syntax of a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// Offset of the error in the pattern, in bytes.
    pub(crate) offset: usize,
    pub(crate) message: String,
    pub(crate) help: Option<&'static str>,
}

impl SyntaxError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), help: None }
    }

    fn with_help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }
}

impl Pattern {
    /// Compiles `text`.
    pub(crate) fn compile(text: &str, style: PatternStyle) -> Result<Self, PatternError> {
        let compile = |pattern: &str| {
            let mut builder = RegexBuilder::new(pattern);
            builder.size_limit(MAX_COMPILED_BYTES).dfa_size_limit(MAX_COMPILED_BYTES);
            builder.case_insensitive(style.ignores_case).build()
        };
        let translated = match style.syntax {
            Patterns::IRegexp => translated(text).map_err(PatternError::Syntax)?,
            Patterns::Regex => {
                syntax_error(text).map_or(Ok(()), |error| Err(PatternError::Syntax(error)))?;
                text.to_owned()
            }
        };
        let compiled = if style.is_whole {
            // A comment of the mode `x` ends with the line, and would hide the parenthesis.
            compile(&format!(r"\A(?:{translated})\z")).or_else(|_| compile(&format!("\\A(?:{translated}\n)\\z")))
        } else {
            compile(&translated)
        };
        compiled.map(Self).map_err(|_| PatternError::TooLarge)
    }

    /// Whether the pattern matches `text`, which is UTF-8 except that lone surrogates are encoded as three bytes.
    pub(crate) fn is_match(&self, text: &[u8]) -> bool {
        self.0.is_match(text)
    }
}

/// Returns the first error of a pattern in the syntax of the `regex` crate, whose own errors have no offsets.
fn syntax_error(text: &str) -> Option<SyntaxError> {
    let error = regex_syntax::ParserBuilder::new().utf8(false).build().parse(text).err()?;
    let (offset, kind): (_, &dyn Display) = match &error {
        regex_syntax::Error::Parse(error) => (error.span().start.offset, error.kind()),
        regex_syntax::Error::Translate(error) => (error.span().start.offset, error.kind()),
        _ => (0, &"unknown error"),
    };
    Some(SyntaxError::new(offset, format!("the pattern is not valid: {kind}")))
}
