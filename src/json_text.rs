//! Text in the JSON documents of the program, which the library writes.
//!
//! Documents and messages may be shown in a terminal. So not only the characters are escaped that JSON requires, but all that are
//! not visible.

#![forbid(unsafe_code)]

use crate::sanitize;
use fjson::Writer;
use std::fmt::Write;

/// Writes to memory, so that the caller can pass the text on.
pub type JsonWriter = Writer<Vec<u8>>;

/// What the program adds to the writer of the library.
pub trait JsonText {
    /// Writes a string in which control characters and invisible characters are escaped.
    fn text(&mut self, text: &str) -> &mut Self;

    /// Writes such a string, or null.
    fn optional_text(&mut self, text: Option<&str>) -> &mut Self;

    /// Writes a number as it is displayed: without `.0` if it is an integer.
    fn displayed(&mut self, number: f64) -> &mut Self;

    /// Returns the text written since the last call.
    fn take_text(&mut self) -> String;

    /// Returns the rest of the text, with a line break at its end.
    fn last_text(&mut self) -> String;
}

impl JsonText for JsonWriter {
    fn text(&mut self, text: &str) -> &mut Self {
        if text.chars().all(sanitize::is_visible) { self.value(text) } else { self.raw(&escaped(text)) }
    }

    fn optional_text(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(text),
            None => self.value(()),
        }
    }

    fn displayed(&mut self, number: f64) -> &mut Self {
        if number.is_finite() { self.raw(&number.to_string()) } else { self.value(()) }
    }

    fn take_text(&mut self) -> String {
        String::from_utf8(self.take()).unwrap_or_default()
    }

    fn last_text(&mut self) -> String {
        self.end_document();
        let result = std::mem::take(self).finish();
        debug_assert!(result.is_ok(), "{result:?}");
        result.ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or_default()
    }
}

/// Returns a string with its quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 2);
    escaped.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            _ if sanitize::is_visible(character) => escaped.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    write!(escaped, "\\u{unit:04x}").ok();
                }
            }
        }
    }
    escaped.push('"');
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_can_hold_any_character() {
        let mut writer = JsonWriter::default();
        writer.text("a\"\\\n\u{1b}é🙂\u{e0001}");
        assert_eq!(writer.last_text(), "\"a\\\"\\\\\\n\\u001bé🙂\\udb40\\udc01\"\n");
        writer.begin_array().text("\"é\\").optional_text(None).optional_text(Some("\t")).end();
        assert_eq!(writer.last_text(), "[\"\\\"é\\\\\",null,\"\\t\"]\n");
    }

    #[test]
    fn every_character_is_valid() {
        for character in '\0'..=char::MAX {
            let mut writer = JsonWriter::default();
            writer.text(&character.to_string());
            assert!(fjson::is_valid(writer.last_text()), "{character:?}");
        }
    }

    #[test]
    fn text_is_passed_on_in_pieces() {
        let mut writer = JsonWriter::default();
        writer.begin_array();
        assert_eq!(writer.take_text(), "[");
        writer.break_line().displayed(1.0).break_line().displayed(0.5).displayed(f64::NAN).break_line().end();
        assert_eq!(writer.take_text(), "\n1,\n0.5,null\n]");
        assert_eq!(writer.last_text(), "\n");
    }
}
