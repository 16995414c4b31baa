//! Text of unknown origin, made safe to show.
//!
//! File names and documents may hold escape sequences that repaint a terminal, or controls that turn the reading
//! direction around. Whatever is not plainly visible is shown by its code point as `<U+001B>`, and a byte that is not
//! UTF-8 as `<FF>`. Nothing reaches a terminal or a log without passing through here.

#![forbid(unsafe_code)]

use std::fmt::Write;

/// `text` with every invisible character spelled out.
pub fn text(text: &str) -> String {
    bytes(text.as_bytes())
}

/// The same for bytes that may not be UTF-8.
pub fn bytes(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    push(&mut shown, bytes);
    shown
}

/// Appends `bytes`, made harmless, to `shown`.
pub fn push(shown: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if is_visible(character) {
                shown.push(character);
            } else {
                // Writing to a string cannot fail.
                write!(shown, "<U+{:04X}>", u32::from(character)).ok();
            }
        }
        for byte in chunk.invalid() {
            write!(shown, "<{byte:02X}>").ok();
        }
    }
}

/// Escapes the characters that have a meaning in XML and HTML.
pub fn markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether a terminal shows the character as itself and does nothing else with it.
pub fn is_visible(character: char) -> bool {
    let invisible = character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'   // zero-width spaces and joiners, direction marks
            | '\u{2028}'..='\u{202e}'   // line and paragraph separators, direction overrides
            | '\u{2060}'..='\u{206f}'   // invisible operators, direction isolates
            | '\u{feff}'                // byte order mark
            | '\u{fff9}'..='\u{fffb}'   // annotations
            | '\u{fffe}'..='\u{ffff}'   // not characters, not allowed in XML
            | '\u{e0000}'..='\u{e007f}' // tags
        );
    !invisible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_stays() {
        assert_eq!(text("größe 日本 🙂 e\u{301}"), "größe 日本 🙂 e\u{301}");
    }

    #[test]
    fn invisible_characters_are_spelled_out() {
        assert_eq!(text("a\x1b[31m\n\u{202e}\u{9b}\u{feff}"), "a<U+001B>[31m<U+000A><U+202E><U+009B><U+FEFF>");
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(markup(r#"<a b="&">"#), "&lt;a b=&quot;&amp;&quot;&gt;");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_spelled_out() {
        assert_eq!(bytes(b"a\xc0\xaf\xff!"), "a<C0><AF><FF>!");
    }

    #[test]
    fn nothing_dangerous_is_left_of_any_character() {
        for character in '\0'..=char::MAX {
            let shown = text(&character.to_string());
            assert!(!shown.chars().any(char::is_control), "U+{:04X}", u32::from(character));
        }
    }
}
