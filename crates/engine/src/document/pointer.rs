//! JSON Pointer (RFC 6901) on values of a document.

#![forbid(unsafe_code)]

use crate::document::Kind;
use crate::document::Value;

impl Value<'_, '_> {
    /// Returns the value at a JSON Pointer (RFC 6901) from here. `None` if there is none, or if `pointer` is not valid: if it is not
    /// empty and does not begin with `/`, or if a `~` in it is not followed by `0` or `1`.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"{"a/b": [10, {"~": 20}]}"#)?;
    /// assert_eq!(document.pointer("/a~1b/1/~0").unwrap().as_i64(), Some(20));
    /// assert_eq!(document.pointer("").unwrap().range(), 0..24);
    /// assert!(document.pointer("/a~1b/01").is_none() && document.pointer("/a~1b/1/~").is_none());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Self> {
        let mut value = self;
        let mut steps = pointer.split('/');
        let is_valid = steps.next()?.is_empty() && pointer.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
        if !is_valid {
            return None;
        }
        for step in steps {
            value = match value.kind() {
                Kind::Array => value.at(index(step)?)?,
                Kind::Object if step.contains('~') => value.get(&unescape_token(step))?,
                Kind::Object => value.get(step)?,
                Kind::Null | Kind::Bool | Kind::Number | Kind::String => return None,
            };
        }
        Some(value)
    }
}

/// Adds a reference token to a pointer (RFC 6901, section 3).
pub(crate) fn push_token(pointer: &mut String, name: &str) {
    pointer.push('/');
    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
}

/// Returns the name that a valid reference token stands for (RFC 6901, section 4).
pub(crate) fn unescape_token(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// Returns an index of an array, which has no sign and no leading zero.
fn index(step: &str) -> Option<usize> {
    let is_index = step == "0" || !step.starts_with(['0', '+']);
    if is_index { step.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use crate::document::Parser;
    use crate::document::Value;

    #[test]
    fn escapes() {
        let mut parser = Parser::new();
        let text = br#"{"~": 1, "/": 2, "~1": 3, "a~": 4, "~2": 5, "": {"~0": 6}, "~~": 7}"#;
        let document = parser.document(text).expect("valid");
        let cases = [("/~0", 1), ("/~1", 2), ("/~01", 3), ("/a~0", 4), ("/~02", 5), ("//~00", 6), ("/~0~0", 7)];
        for (pointer, expected) in cases {
            assert_eq!(document.pointer(pointer).and_then(Value::as_u64), Some(expected), "{pointer}");
        }
        for pointer in ["/~", "/a~", "/~2", "/~~", "/~~0", "/~0~", "/a~/x", "~0", "a", "/~0/"] {
            assert!(document.pointer(pointer).is_none(), "{pointer}");
        }
    }
}
