//! The JSON writer of all reports: compact, with each element of the longer arrays on a line of its own.

#![forbid(unsafe_code)]

use crate::sanitize;
use std::fmt;
use std::fmt::Write;

/// A value that can be written as JSON.
pub trait Value {
    fn write(&self, writer: &mut Writer);
}

/// Keys and values in the order in which they are written.
pub type Members<'a> = &'a [(&'a str, &'a dyn Value)];

/// Collects JSON text. It inserts commas; the caller closes what it opens.
#[derive(Default)]
pub struct Writer {
    text: String,
    /// Whether the next key or value follows another one in its container.
    needs_comma: bool,
}

impl Writer {
    /// Opens a container.
    pub fn open(&mut self, bracket: char) {
        self.token(bracket);
        self.needs_comma = false;
    }

    /// Closes a container.
    pub fn close(&mut self, bracket: char) {
        self.text.push(bracket);
        self.needs_comma = true;
    }

    /// Closes an array whose elements are on lines of their own, on the next line.
    pub fn close_lines(&mut self) {
        self.text.push('\n');
        self.close(']');
    }

    /// Writes a key. Its value is written next.
    pub fn key(&mut self, key: &str) {
        key.write(self);
        self.text.push(':');
        self.needs_comma = false;
    }

    pub fn members(&mut self, members: Members<'_>) {
        for (key, value) in members {
            self.key(key);
            value.write(self);
        }
    }

    pub fn object(&mut self, members: Members<'_>) {
        self.open('{');
        self.members(members);
        self.close('}');
    }

    /// Writes an element of an array on a line of its own.
    pub fn line(&mut self, element: &dyn Value) {
        self.text.push_str(if self.needs_comma { ",\n" } else { "\n" });
        self.needs_comma = false;
        element.write(self);
    }

    /// Writes a value that is displayed as JSON.
    pub fn token(&mut self, token: impl fmt::Display) {
        let comma = if self.needs_comma { "," } else { "" };
        // Writing to a string cannot fail.
        write!(self.text, "{comma}{token}").ok();
        self.needs_comma = true;
    }

    /// Returns the text written since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// Returns a value as JSON text on one line, or several if it holds [`Lines`].
pub fn line(value: &dyn Value) -> String {
    let mut writer = Writer::default();
    value.write(&mut writer);
    writer.text + "\n"
}

/// An object as a value.
pub struct Object<'a>(pub Members<'a>);

impl Value for Object<'_> {
    fn write(&self, writer: &mut Writer) {
        writer.object(self.0);
    }
}

/// An array with each element on a line of its own, so that two reports can be compared line by line.
pub struct Lines<'a, T>(pub &'a [T]);

impl<T: Value> Value for Lines<'_, T> {
    fn write(&self, writer: &mut Writer) {
        writer.open('[');
        for element in self.0 {
            writer.line(element);
        }
        writer.close(']');
    }
}

impl<T: Value> Value for Vec<T> {
    fn write(&self, writer: &mut Writer) {
        writer.open('[');
        for element in self {
            element.write(writer);
        }
        writer.close(']');
    }
}

impl<T: Value> Value for Option<T> {
    fn write(&self, writer: &mut Writer) {
        match self {
            Some(value) => value.write(writer),
            None => writer.token("null"),
        }
    }
}

impl<T: Value + ?Sized> Value for &T {
    fn write(&self, writer: &mut Writer) {
        (**self).write(writer);
    }
}

impl Value for String {
    fn write(&self, writer: &mut Writer) {
        self.as_str().write(writer);
    }
}

/// A string in which control characters and invisible characters are escaped.
impl Value for str {
    fn write(&self, writer: &mut Writer) {
        let mut text = String::with_capacity(self.len() + 2);
        text.push('"');
        for character in self.chars() {
            match character {
                '"' | '\\' => text.extend(['\\', character]),
                '\n' => text.push_str("\\n"),
                '\t' => text.push_str("\\t"),
                _ if sanitize::is_visible(character) => text.push(character),
                _ => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        // Writing to a string cannot fail.
                        write!(text, "\\u{unit:04x}").ok();
                    }
                }
            }
        }
        text.push('"');
        writer.token(text);
    }
}

macro_rules! displayed {
    ($($type:ty),+) => {
        $(impl Value for $type {
            fn write(&self, writer: &mut Writer) {
                writer.token(self);
            }
        })+
    };
}

displayed!(bool, f64, u64, usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_can_hold_any_character() {
        assert_eq!(line(&"a\"\\\n\u{1b}é🙂\u{e0001}"), "\"a\\\"\\\\\\n\\u001bé🙂\\udb40\\udc01\"\n");
    }

    #[test]
    fn commas_are_between_members_and_elements() {
        let list = vec![1_u64, 2];
        let members: Members<'_> = &[("a", &list), ("b", &Object(&[])), ("c", &None::<bool>), ("d", &Lines(&list))];
        assert_eq!(line(&Object(members)), "{\"a\":[1,2],\"b\":{},\"c\":null,\"d\":[\n1,\n2]}\n");
        let mut writer = Writer::default();
        writer.open('[');
        assert_eq!(writer.take(), "[");
        writer.line(&0.5);
        writer.line(&true);
        writer.close_lines();
        assert_eq!(writer.take(), "\n0.5,\ntrue\n]");
    }
}
