//! [`Correction`]: an expression that was probably meant, and what `corrector.rs` and `dialects.rs` need to write one.

#![forbid(unsafe_code)]

/// An expression that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Correction {
    pub(crate) expression: String,
    /// Whether the number of its matches was asked for.
    pub(crate) is_count: bool,
}

impl From<String> for Correction {
    fn from(expression: String) -> Self {
        Self { expression, is_count: false }
    }
}

/// Returns the closing brackets that `text` lacks, outermost first.
pub(super) fn open_brackets(text: &str) -> String {
    let (mut open, mut quote, mut is_escaped) = (String::new(), None, false);
    for character in text.chars() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if character == '\\' => is_escaped = true,
            Some(end) if character == end => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None if character == '[' => open.push(']'),
            None if character == '(' => open.push(')'),
            None if matches!(character, ']' | ')') => drop(open.pop()),
            _ => {}
        }
    }
    open
}

/// Returns the offset of the quote of a string that is not closed.
pub(super) fn open_quote(text: &str) -> Option<usize> {
    let (mut quote, mut is_escaped) = (None, false);
    for (at, character) in text.char_indices() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if character == '\\' => is_escaped = true,
            Some((_, end)) if character == end => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some((at, character)),
            _ => {}
        }
    }
    quote.map(|(at, _)| at)
}

/// Returns a name as a quoted selector, or `None` if it would need escapes.
pub(super) fn quoted(name: &str) -> Option<String> {
    let needs_escape = |character: char| matches!(character, '\'' | '"' | '\\') || character < ' ';
    (!name.is_empty() && !name.contains(needs_escape)).then(|| format!("'{name}'"))
}
