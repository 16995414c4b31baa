//! The colors of data: those of jq 1.8, or those of `FJSON_COLORS` or `JQ_COLORS`.
//!
//! Both variables have jq's format: up to eight SGR parameters (such as `0;32`), separated by colons, for null, false, true,
//! numbers, strings, arrays, objects and keys.

#![forbid(unsafe_code)]

use std::env;

/// Names of the variables, the one that takes precedence first.
const VARIABLES: [&str; 2] = ["FJSON_COLORS", "JQ_COLORS"];

/// jq's defaults.
const DEFAULTS: [&str; 8] = ["0;90", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "1;34"];

/// The SGR parameters of each kind of token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colors {
    pub null: String,
    pub false_: String,
    pub true_: String,
    pub number: String,
    pub string: String,
    pub array: String,
    pub object: String,
    pub key: String,
}

impl Default for Colors {
    fn default() -> Self {
        Self::new(DEFAULTS.map(str::to_owned))
    }
}

impl Colors {
    /// Returns the colors of the environment. The second value is a warning about a variable that is ignored.
    pub fn from_environment() -> (Self, Option<String>) {
        let Some((name, value)) = VARIABLES.iter().find_map(|name| Some((*name, env::var_os(name)?))) else {
            return (Self::default(), None);
        };
        if let Some(colors) = value.to_str().and_then(Self::parse) {
            return (colors, None);
        }
        let warning = format!("{name} is ignored, because it has other characters than digits, ; and :");
        (Self::default(), Some(warning))
    }

    /// Parses the value of a variable as jq does: missing fields have their defaults, and so has an empty last field; text after the
    /// eighth field is ignored.
    fn parse(value: &str) -> Option<Self> {
        let mut codes = DEFAULTS.map(str::to_owned);
        let last = codes.len() - 1;
        let mut rest = value;
        for (field, code) in codes.iter_mut().enumerate() {
            let is_parameter = |character: char| character.is_ascii_digit() || character == ';';
            let (parameters, after) = rest.split_at(rest.find(|c| !is_parameter(c)).unwrap_or(rest.len()));
            let is_last = after.is_empty() || field == last;
            if !(is_last && parameters.is_empty()) {
                parameters.clone_into(code);
            }
            if is_last {
                break;
            }
            rest = after.strip_prefix(':')?;
        }
        Some(Self::new(codes))
    }

    fn new([null, false_, true_, number, string, array, object, key]: [String; 8]) -> Self {
        Self { null, false_, true_, number, string, array, object, key }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_the_format_of_jq() {
        let given = |value: &str| Colors::parse(value);
        let defaults = Some(Colors::default());
        assert_eq!(given(""), defaults);
        let null = |null: &str| Some(Colors { null: null.to_owned(), ..Colors::default() });
        assert_eq!([given("4;31"), given("4;31:"), given(":")], [null("4;31"), null("4;31"), null("")]);
        let all = given("0;30:0;31:0;32:0;33:0;34:1;35:1;36:1;37");
        let codes = ["0;30", "0;31", "0;32", "0;33", "0;34", "1;35", "1;36", "1;37"].map(str::to_owned);
        assert_eq!(all, Some(Colors::new(codes)));
        assert_eq!(given("0;30:0;31:0;32:0;33:0;34:1;35:1;36:1;37:what"), all);
        assert_eq!(given("0;30:0;31:0;32:0;33:0;34:1;35:1;36:1;37what"), all);
        let empty = ["", "", "", "", "", "", "", "1;34"].map(str::to_owned);
        assert_eq!(given("::::::::"), Some(Colors::new(empty)));
        for invalid in ["garbage", "0;31:x", "0;31 ", "0,31", "\u{1b}[31m"] {
            assert_eq!(given(invalid), None, "{invalid:?}");
        }
    }
}
