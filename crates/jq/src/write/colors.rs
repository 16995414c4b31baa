//! The colours of values, which users set like in jq.

#![forbid(unsafe_code)]

use crate::value::Kind;

/// The colours of `null`, `false`, `true`, numbers, strings, arrays, objects and keys, as escape sequences of terminals.
///
/// ```
/// use fjson_jq::write::Colors;
///
/// assert!(Colors::parse("0;90:0;31").is_some());
/// assert!(Colors::parse("red").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colors([Vec<u8>; 8]);

/// The colours of jq 1.8.
const DEFAULT: [&str; 8] = ["0;90", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "1;34"];

impl Default for Colors {
    fn default() -> Self {
        Self(DEFAULT.map(sequence))
    }
}

impl Colors {
    /// Returns the colours of the environment variable `JQ_COLORS`: up to eight numbers or lists of numbers for the attributes of
    /// terminals (SGR), separated by colons. The others are the default ones. `None` if there is anything else before the eighth
    /// one ends.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut colors = Self::default();
        let mut rest = text;
        for (at, color) in colors.0.iter_mut().enumerate() {
            let end = rest.find(|character: char| !matches!(character, '0'..='9' | ';')).unwrap_or(rest.len());
            let code = &rest[..end];
            rest = &rest[end..];
            let is_last = rest.is_empty() || at == DEFAULT.len() - 1;
            if !(is_last && code.is_empty()) {
                *color = sequence(code);
            }
            if is_last {
                break;
            }
            rest = rest.strip_prefix(':')?;
        }
        Some(colors)
    }

    /// Returns the colour of a value of a kind, of which booleans have two.
    #[inline]
    pub(super) fn of(&self, kind: Kind, is_true: bool) -> &[u8] {
        &self.0[match kind {
            Kind::Null => 0,
            Kind::Boolean => 1 + usize::from(is_true),
            Kind::Number => 3,
            Kind::String => 4,
            Kind::Array => 5,
            Kind::Object => 6,
        }]
    }

    /// Returns the colour of keys.
    #[inline]
    pub(super) fn key(&self) -> &[u8] {
        &self.0[7]
    }
}

fn sequence(code: &str) -> Vec<u8> {
    format!("\x1b[{code}m").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::Colors;
    use super::sequence;

    #[test]
    fn missing_colors_are_the_default_ones() {
        let default = Colors::default();
        assert_eq!(Colors::parse(""), Some(default.clone()));
        let mut colors = default.clone();
        colors.0[0] = sequence("4;31");
        assert_eq!(Colors::parse("4;31"), Some(colors.clone()));
        assert_eq!(Colors::parse("4;31:"), Some(colors.clone()));
        colors.0[1] = sequence("");
        colors.0[2] = sequence("1");
        assert_eq!(Colors::parse("4;31::1"), Some(colors));
        assert_eq!(Colors::parse("0:0:0:0:0:0:0:35:garbage").map(|colors| colors.0[7].clone()), Some(sequence("35")));
        assert_eq!(Colors::parse("0:x"), None);
    }
}
