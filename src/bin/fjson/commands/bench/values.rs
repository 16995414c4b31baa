//! Reads a small JSON document into memory: an earlier export, for `--baseline`.

#![forbid(unsafe_code)]

use fjson::Error;
use fjson::Options;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true`, `false`, `null`.
    Literal,
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

/// Deeper than any export, and no danger to the stack.
const MAX_DEPTH: u64 = 32;

impl Value {
    pub fn read(text: &[u8]) -> Result<Self, Error> {
        let mut minified = Vec::new();
        fjson::minify(text, &mut minified, &Options::new().max_depth(Some(MAX_DEPTH)))?;
        Ok(Reader { rest: &String::from_utf8_lossy(&minified) }.value())
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(found, _)| found == name).map(|(_, value)| value)
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        if let Self::Number(number) = self.get(name)? { Some(*number) } else { None }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        if let Self::Text(text) = self.get(name)? { Some(text) } else { None }
    }

    /// The elements of an array; none if it is something else.
    pub fn list(&self, name: &str) -> &[Self] {
        if let Some(Self::List(list)) = self.get(name) { list } else { &[] }
    }
}

/// Reads a text that is known to be valid and without whitespace.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self) -> Value {
        match self.rest.as_bytes().first() {
            Some(b'{') => Value::Object(self.elements(|reader| {
                let name = reader.string();
                reader.skip(1);
                (name, reader.value())
            })),
            Some(b'[') => Value::List(self.elements(Self::value)),
            Some(b'"') => Value::Text(self.string()),
            _ => {
                let end = self.rest.find([',', ']', '}']).unwrap_or(self.rest.len());
                let number = self.rest[..end].parse();
                self.skip(end);
                number.map_or(Value::Literal, Value::Number)
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn elements<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut elements = Vec::new();
        self.skip(1);
        while !self.rest.starts_with([']', '}']) {
            elements.push(read(self));
            if self.rest.starts_with(',') {
                self.skip(1);
            }
        }
        self.skip(1);
        elements
    }

    fn string(&mut self) -> String {
        let mut units: Vec<u16> = Vec::new();
        let mut characters = self.rest[1..].chars();
        while let Some(character) = characters.next().filter(|&character| character != '"') {
            let character = if character == '\\' {
                characters.next().unwrap_or('"')
            } else {
                units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
                continue;
            };
            units.push(match character {
                'b' => 8,
                'f' => 12,
                'n' => 10,
                'r' => 13,
                't' => 9,
                'u' => {
                    let digits = characters.by_ref().take(4);
                    digits
                        .fold(0, |unit, digit| unit << 4 | u16::try_from(digit.to_digit(16).unwrap_or(0)).unwrap_or(0))
                }
                other => u16::try_from(u32::from(other)).unwrap_or(0),
            });
        }
        self.rest = characters.as_str();
        String::from_utf16_lossy(&units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read() {
        let text = r#" { "a" : [1, -2.5e1 , [], {}, null], "b\u00e9\n\"\\\ud83d\ude42é": "x", "c": true } "#;
        let value = Value::read(text.as_bytes()).expect("it is valid");
        let numbers = [Value::Number(1.0), Value::Number(-25.0)];
        assert_eq!(value.list("a")[..2], numbers);
        assert_eq!(value.list("a")[2..], [Value::List(vec![]), Value::Object(vec![]), Value::Literal]);
        assert_eq!(value.text("bé\n\"\\🙂é"), Some("x"));
        assert_eq!((value.get("c"), value.get("d")), (Some(&Value::Literal), None));
        assert_eq!((value.number("c"), value.text("a"), value.list("c")), (None, None, &[][..]));
    }

    #[test]
    fn what_is_invalid_or_too_deep_is_not_read() {
        assert!(Value::read(b"[1,]").is_err());
        assert!(Value::read("[".repeat(100).as_bytes()).is_err());
        assert_eq!(Value::read(b"7").ok(), Some(Value::Number(7.0)));
    }
}
