//! Corrections of patterns: escapes and groups of other languages, spelled as I-Regexp or given to `regex`.

#![forbid(unsafe_code)]

/// Corrects the pattern of a call of `match` or `search`. `before` ends inside the pattern, whose first quote is at `quote`, and
/// `rest` begins with what is not an I-Regexp.
pub(super) fn in_pattern(before: &str, rest: &str, quote: usize) -> Option<String> {
    let call = before[..quote].rfind("search(").max(before[..quote].rfind("match("))?;
    let is_match = before[call..].starts_with("match(");
    if before[..quote].rfind("regex(").is_some_and(|regex| regex > call) {
        return None;
    }
    spelled_out(before, rest, quote).or_else(|| {
        let name = if is_match { "match(" } else { "search(" };
        let between = &before[call + name.len()..=quote];
        let pattern = &before[quote + 1..];
        if !is_match {
            return Some(format!("{}regex({between}{pattern}{rest}", &before[..call]));
        }
        let end = end_of_string(rest, before[quote..].chars().next()?)?;
        let (inside, after) = rest.split_at(end);
        Some(format!("{}regex({between}^(?:{pattern}{inside})${after}", &before[..call]))
    })
}

/// Spells out what I-Regexp writes in another way.
fn spelled_out(before: &str, rest: &str, quote: usize) -> Option<String> {
    let replaced = |length: usize, text: &str| Some(format!("{before}{text}{}", &rest[length..]));
    if rest.starts_with("(?:") {
        return replaced(3, "(");
    }
    if rest.starts_with('?') && before.ends_with(['*', '+', '?', '}']) {
        return replaced(1, "");
    }
    // A backslash of a pattern is two in a string.
    let escaped = rest.strip_prefix(r"\\")?.chars().next()?;
    let set = match escaped {
        'd' | 'D' => "0-9",
        'w' | 'W' => "0-9A-Za-z_",
        's' | 'S' => r" \t\n\r",
        _ if escaped.is_alphanumeric() || matches!(escaped, '\\' | '\'' | '"') || escaped.is_control() => return None,
        // An escape that is not needed.
        _ => return replaced(2, ""),
    };
    let length = 2 + escaped.len_utf8();
    match (is_in_class(&before[quote + 1..]), escaped.is_uppercase()) {
        (true, false) => replaced(length, set),
        (false, false) => replaced(length, &format!("[{set}]")),
        (false, true) => replaced(length, &format!("[^{set}]")),
        (true, true) => None,
    }
}

/// Returns whether a pattern, as written in a string, ends inside a character class.
fn is_in_class(pattern: &str) -> bool {
    let (mut is_inside, mut characters) = (false, pattern.chars());
    while let Some(character) = characters.next() {
        match character {
            // Two backslashes and the character that they escape, or an escape of the string.
            '\\' if characters.next() == Some('\\') => {
                characters.next();
            }
            '[' => is_inside = true,
            ']' => is_inside = false,
            _ => {}
        }
    }
    is_inside
}

/// Returns the offset of the quote that ends a string.
fn end_of_string(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return Some(at),
            _ => {}
        }
    }
    None
}
