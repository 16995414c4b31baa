//! Where an edit applies: a JSON Pointer (RFC 6901), or a query that may select several values.

#![forbid(unsafe_code)]

use crate::document::push_token;
use crate::document::unescape_token;
use crate::edit::error::invalid_path;
use crate::error::Error;
#[cfg(feature = "query")]
use crate::query::Query;
use crate::scalar::Escape;
use crate::scalar::escape;

/// The longest part of a path that a message shows, in characters.
const SHOWN: usize = 120;

/// The target of an edit.
#[derive(Clone, Debug)]
pub(super) enum Path {
    Pointer(Vec<ReferenceToken>),
    /// The query with this number.
    #[cfg(feature = "query")]
    Query(usize),
}

/// A reference token of a JSON Pointer.
#[derive(Clone, Debug)]
pub(super) struct ReferenceToken {
    /// The key, without the escapes of a pointer.
    pub(super) name: String,
    /// The key as it is written between the quotes of a string.
    pub(super) key: Vec<u8>,
    /// The index of an element, if the token can be one.
    pub(super) index: Option<usize>,
}

impl ReferenceToken {
    /// Returns the token of the item with a name.
    pub(super) fn of(name: &str) -> Self {
        let is_index = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
        let index = if is_index { name.parse().ok() } else { None };
        Self { key: key(name), name: name.to_owned(), index }
    }

    /// Whether this is `-`, the place after the last element.
    pub(super) fn is_end(&self) -> bool {
        self.name == "-"
    }
}

impl Path {
    /// Parses a JSON Pointer, or another expression as a query, which is added to the list.
    ///
    /// # Errors
    /// If it is neither; the offset is one of `path`.
    pub(super) fn new(path: &str, #[cfg(feature = "query")] queries: &mut Vec<Query>) -> Result<Self, Error> {
        if path.is_empty() || path.starts_with('/') {
            return steps(path).map(Self::Pointer);
        }
        #[cfg(feature = "query")]
        return match Query::new(path) {
            Ok(query) => {
                queries.push(query);
                Ok(Self::Query(queries.len() - 1))
            }
            Err(error) => Err(invalid_path(error.offset(), error.to_string(), error.help())),
        };
        #[cfg(not(feature = "query"))]
        Err(not_a_pointer())
    }
}

/// Parses a JSON Pointer.
///
/// # Errors
/// If it is not one; the offset is one of `pointer`.
pub(super) fn steps(pointer: &str) -> Result<Vec<ReferenceToken>, Error> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(not_a_pointer());
    }
    let mut at = 0;
    let step = |token: &str| {
        at += 1;
        let step = step(token, at);
        at += token.len();
        step
    };
    pointer.split('/').skip(1).map(step).collect()
}

fn not_a_pointer() -> Error {
    let help = "a JSON Pointer is empty, for the whole document, or begins with `/`";
    invalid_path(0, "expected a JSON Pointer".to_owned(), Some(help))
}

/// Parses a reference token, which begins at `at`.
fn step(token: &str, at: usize) -> Result<ReferenceToken, Error> {
    if let Some((tilde, _)) = token.match_indices('~').find(|(tilde, _)| !token[tilde + 1..].starts_with(['0', '1'])) {
        let message = "`~` must be followed by `0` or `1` in a JSON Pointer".to_owned();
        return Err(invalid_path(at + tilde, message, Some("write `~0` for `~` and `~1` for `/`")));
    }
    Ok(ReferenceToken::of(&unescape_token(token)))
}

/// Returns a key as it is written between the quotes of a string.
pub(super) fn key(name: &str) -> Vec<u8> {
    let mut key = Vec::new();
    // Without memory for a key, its edit fails as one of a missing member.
    let _ = escape(name, Escape::minimal(), &mut key);
    key
}

/// Returns the pointer with these tokens, quoted for a message: without control characters, and not longer than a line.
pub(super) fn shown(steps: &[ReferenceToken]) -> String {
    if steps.is_empty() {
        return "the root".to_owned();
    }
    let mut pointer = String::new();
    for step in steps {
        push_token(&mut pointer, &step.name);
    }
    quoted(&pointer)
}

/// Returns a name, quoted for a message.
pub(super) fn quoted(name: &str) -> String {
    let mut text: String =
        name.chars().map(|it| if it.is_control() { char::REPLACEMENT_CHARACTER } else { it }).collect();
    if let Some((end, _)) = text.char_indices().nth(SHOWN) {
        text.truncate(end);
        text.push('…');
    }
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::shown;
    use super::steps;

    #[test]
    fn pointers_are_parsed() {
        let names = |pointer: &str| {
            let steps = steps(pointer).map_err(|error| error.offset())?;
            Ok::<_, u64>(steps.into_iter().map(|step| (step.name, step.index)).collect::<Vec<_>>())
        };
        let step = |name: &str, index| (name.to_owned(), index);
        assert_eq!(names(""), Ok(vec![]));
        assert_eq!(names("/"), Ok(vec![step("", None)]));
        assert_eq!(names("/a~1b/~01/10"), Ok(vec![step("a/b", None), step("~1", None), step("10", Some(10))]));
        assert_eq!(
            names("/0/01/-1/+1"),
            Ok([("0", Some(0)), ("01", None), ("-1", None), ("+1", None)]
                .map(|(name, index)| step(name, index))
                .to_vec())
        );
        for (pointer, offset) in [("a", 0), ("/a/~", 3), ("/~2", 1), ("/~~0", 1), ("/é/x~", 5)] {
            assert_eq!(names(pointer), Err(offset), "{pointer}");
        }
    }

    #[test]
    fn pointers_are_shown() {
        let show = |pointer: &str| shown(&steps(pointer).expect("a pointer"));
        assert_eq!(show("/a~1b/\u{1b}/~0"), "`/a~1b/\u{fffd}/~0`");
        assert_eq!(show(""), "the root");
        assert_eq!(show(&format!("/{}", "é".repeat(500))).chars().count(), 123);
    }
}
