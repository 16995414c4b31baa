//! Sanitizing of untrusted text for output.
//!
//! File names and documents may contain terminal escape sequences and characters that change the text direction. Characters
//! that are not visible are shown as their code point, for example `<U+001B>`, and bytes that are not UTF-8 as `<FF>`. All
//! untrusted text in messages is sanitized.

#![forbid(unsafe_code)]

use std::fmt::Write;

/// First bytes of the UTF-8 forms of all characters that [`is_visible`] rejects, except those below U+0020.
pub const INVISIBLE_LEADS: [u8; 7] = [0x7f, 0xc2, 0xd8, 0xe1, 0xe2, 0xef, 0xf3];

/// Replaces each invisible character in `text` by its code point.
pub fn text(text: &str) -> String {
    bytes(text.as_bytes())
}

/// Like [`text`], for bytes that may not be UTF-8.
pub fn bytes(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    push(&mut shown, bytes);
    shown
}

/// Appends the sanitized `bytes` to `shown`.
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

/// Appends text of a document for a terminal: invisible characters are written as JSON escapes. Line feeds and tabs are kept, and
/// so are the joiners that many scripts and emoji need.
pub fn escape(text: &[u8], out: &mut Vec<u8>) {
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            if is_visible(character) || matches!(character, '\n' | '\t' | '\u{200c}' | '\u{200d}') {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                }
            }
        }
        if !chunk.invalid().is_empty() {
            // Only a file that changed after it was validated has such bytes.
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
}

/// Returns the length in bytes of a UTF-8 character that begins with `lead`.
pub fn length(lead: u8) -> usize {
    match lead {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}

/// Escapes the special characters of XML and HTML.
pub fn markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether a terminal shows the character as itself, without side effects.
pub fn is_visible(character: char) -> bool {
    let invisible = character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'   // zero-width spaces and joiners, direction marks
            | '\u{2028}'..='\u{202e}'   // line and paragraph separators, direction overrides
            | '\u{2060}'..='\u{206f}'   // invisible operators, direction isolates
            | '\u{feff}'                // byte order mark
            | '\u{fff9}'..='\u{fffb}'   // annotations
            | '\u{fffe}'..='\u{ffff}'   // noncharacters, not allowed in XML
            | '\u{e0000}'..='\u{e007f}' // tags
        );
    !invisible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_unchanged() {
        assert_eq!(text("größe 日本 🙂 e\u{301}"), "größe 日本 🙂 e\u{301}");
    }

    #[test]
    fn invisible_characters_are_replaced() {
        assert_eq!(text("a\x1b[31m\n\u{202e}\u{9b}\u{feff}"), "a<U+001B>[31m<U+000A><U+202E><U+009B><U+FEFF>");
    }

    #[test]
    fn data_is_escaped() {
        let mut shown = Vec::new();
        escape("größe\n\t日本\u{200d} \x1b[31m\r\u{7f}\u{202e}\u{9b}\u{e0041}".as_bytes(), &mut shown);
        let expected = "größe\n\t日本\u{200d} \\u001b[31m\\u000d\\u007f\\u202e\\u009b\\udb40\\udc41";
        assert_eq!(String::from_utf8(shown).expect("text"), expected);
    }

    #[test]
    fn all_leads_of_invisible_characters_are_known() {
        for character in (' '..=char::MAX).filter(|&character| !is_visible(character)) {
            let lead = character.encode_utf8(&mut [0; 4]).as_bytes()[0];
            assert!(INVISIBLE_LEADS.contains(&lead), "U+{:04X}", u32::from(character));
            assert_eq!(length(lead), character.len_utf8());
        }
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(markup(r#"<a b="&">"#), "&lt;a b=&quot;&amp;&quot;&gt;");
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(bytes(b"a\xc0\xaf\xff!"), "a<C0><AF><FF>!");
    }

    #[test]
    fn no_control_character_is_left() {
        for character in '\0'..=char::MAX {
            let shown = text(&character.to_string());
            assert!(!shown.chars().any(char::is_control), "U+{:04X}", u32::from(character));
        }
    }
}
