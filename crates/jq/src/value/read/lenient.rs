//! The texts of `fromjson`, which may be more than JSON, with the messages of jq 1.8.
//!
//! jq reads a number in any notation that it knows, so `nan`, `.5` and `+1` are values. Its messages say where it noticed an error,
//! which is often later than where the error is. Programs depend on both, so this is a reader of its own. Texts that need nothing of
//! it are read by the engine.

#![forbid(unsafe_code)]

use crate::value::Array;
use crate::value::Error;
use crate::value::Object;
use crate::value::Reader;
use crate::value::Text;
use crate::value::Value;
use crate::value::number;

/// Containers, and keys whose values are being read, may be nested this deep.
const DEEPEST: usize = 10_000;

/// Shorter texts are read here directly: the engine would need memory for its list of tokens.
const SHORT: usize = 256;

/// Returns the value of a text.
///
/// # Errors
/// What is wrong, the line and column where it was noticed, and the text.
pub(crate) fn read(text: &str) -> Result<Value, Error> {
    // Escapes are left to this reader, which is stricter with surrogates.
    if text.len() > SHORT && memchr::memmem::find(text.as_bytes(), b"\\u").is_none() {
        let options = fjson::Options::new().max_depth(Some(DEEPEST as u64 / 2));
        if let Ok(value) = Reader::with_options(&options).read(text.as_bytes()) {
            return Ok(value);
        }
    }
    let mut reader = Lenient::new(text.as_bytes());
    let value = match reader.next() {
        Ok(Some(value)) => match reader.next() {
            Ok(None) => Ok(value),
            Ok(Some(_)) => Err("Unexpected extra JSON values".to_owned()),
            Err(message) => Err(message),
        },
        Ok(None) => Err("Expected JSON value".to_owned()),
        Err(message) => Err(message),
    };
    value.map_err(|message| Error::new(format!("{message} (while parsing '{text}')")))
}

/// What is open.
enum Open {
    Array(Array),
    Object(Object),
    /// A key whose value is being read.
    Key(Text),
}

struct Lenient<'t> {
    text: &'t [u8],
    at: usize,
    open: Vec<Open>,
    /// A value that has been read, but not added to its container.
    value: Option<Value>,
}

/// What was read, or what is wrong with the text.
type Parsed<T = ()> = Result<T, &'static str>;

impl<'t> Lenient<'t> {
    fn new(text: &'t [u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Self { text, at: 0, open: Vec::new(), value: None }
    }

    /// Returns the next value; `None` at the end.
    fn next(&mut self) -> Result<Option<Value>, String> {
        while let Some(&byte) = self.text.get(self.at) {
            self.step(byte).map_err(|message| self.message(message, self.at, ""))?;
            if self.open.is_empty() && self.value.is_some() {
                return Ok(self.value.take());
            }
        }
        if self.open.is_empty() {
            Ok(None)
        } else {
            Err(self.message("Unfinished JSON term", self.text.len(), " at EOF"))
        }
    }

    /// Reads a token. If it fails, `at` is where the error was noticed.
    fn step(&mut self, byte: u8) -> Parsed {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
            b'"' => {
                let (content, end) = self.string_content()?;
                let value = unescape(content);
                self.at = end;
                self.put(value?.into())?;
                self.at += 1;
            }
            b'[' | b',' | b']' | b'{' | b':' | b'}' => {
                self.structure(byte)?;
                self.at += 1;
            }
            _ => {
                let rest = &self.text[self.at..];
                let is_end = |byte: &u8| {
                    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'[' | b',' | b']' | b'{' | b':' | b'}')
                };
                let length = rest.iter().position(is_end).unwrap_or(rest.len());
                self.at += length;
                let value = literal(&rest[..length])?;
                self.put(value)?;
            }
        }
        Ok(())
    }

    /// Returns the text of a string and where its closing quote is.
    fn string_content(&mut self) -> Parsed<(&'t [u8], usize)> {
        let start = self.at + 1;
        let mut at = start;
        loop {
            match self.text.get(at) {
                Some(b'"') => return Ok((&self.text[start..at], at)),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => {
                    self.at = self.text.len();
                    return Err("Unfinished string");
                }
            }
        }
    }

    fn put(&mut self, value: Value) -> Parsed {
        if self.value.is_some() {
            return Err("Expected separator between values");
        }
        self.value = Some(value);
        Ok(())
    }

    fn structure(&mut self, byte: u8) -> Parsed {
        match byte {
            b'[' | b'{' => self.begin(byte),
            b':' => self.colon(),
            b',' => self.comma(),
            b']' => self.end_array(),
            _ => self.end_object(),
        }
    }

    fn begin(&mut self, byte: u8) -> Parsed {
        if self.open.len() >= DEEPEST {
            return Err("Exceeds depth limit for parsing");
        }
        if self.value.is_some() {
            return Err("Expected separator between values");
        }
        self.open.push(if byte == b'[' { Open::Array(Array::new()) } else { Open::Object(Object::new()) });
        Ok(())
    }

    fn colon(&mut self) -> Parsed {
        let Some(value) = self.value.take() else { return Err("Expected string key before ':'") };
        if !matches!(self.open.last(), Some(Open::Object(_))) {
            return Err("':' not as part of an object");
        }
        let Ok(key) = value.into_text() else { return Err("Object keys must be strings") };
        self.open.push(Open::Key(key));
        Ok(())
    }

    fn comma(&mut self) -> Parsed {
        let Some(value) = self.value.take() else { return Err("Expected value before ','") };
        match self.open.last_mut() {
            None => Err("',' not as part of an object or array"),
            Some(Open::Array(array)) => {
                array.push(value);
                Ok(())
            }
            Some(Open::Key(_)) => {
                self.member(value);
                Ok(())
            }
            Some(Open::Object(_)) => Err("Objects must consist of key:value pairs"),
        }
    }

    /// Adds a member to the object, whose key is the innermost thing that is open.
    fn member(&mut self, value: Value) {
        if let Some(Open::Key(key)) = self.open.pop()
            && let Some(Open::Object(object)) = self.open.last_mut()
        {
            object.insert(key, value);
        }
    }

    fn end_array(&mut self) -> Parsed {
        let Some(Open::Array(array)) = self.open.last_mut() else { return Err("Unmatched ']'") };
        match self.value.take() {
            Some(value) => array.push(value),
            None if array.is_empty() => {}
            None => return Err("Expected another array element"),
        }
        self.close();
        Ok(())
    }

    fn end_object(&mut self) -> Parsed {
        if self.open.is_empty() {
            return Err("Unmatched '}'");
        }
        match (self.value.take(), self.open.last()) {
            (Some(value), Some(Open::Key(_))) => self.member(value),
            (Some(_), _) => return Err("Objects must consist of key:value pairs"),
            (None, Some(Open::Object(object))) if object.is_empty() => {}
            (None, Some(Open::Object(_))) => return Err("Expected another key-value pair"),
            (None, _) => return Err("Unmatched '}'"),
        }
        self.close();
        Ok(())
    }

    fn close(&mut self) {
        self.value = match self.open.pop() {
            Some(Open::Array(array)) => Some(array.into()),
            Some(Open::Object(object)) => Some(object.into()),
            _ => None,
        };
    }

    /// Returns a message with a place, which is the byte at `at` or the end.
    fn message(&self, message: &str, at: usize, end: &str) -> String {
        let read = &self.text[..(at + 1).min(self.text.len())];
        let line = 1 + memchr::memchr_iter(b'\n', read).count();
        let column = read.len() - read.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let end = if at >= self.text.len() { " at EOF" } else { end };
        format!("{message}{end} at line {line}, column {column}")
    }
}

/// Returns the value of a text without separators and quotes.
fn literal(text: &[u8]) -> Parsed<Value> {
    let expected = match text {
        [b't', ..] => (&b"true"[..], Value::TRUE),
        [b'f', ..] => (&b"false"[..], Value::FALSE),
        [b'n', b'u', ..] => (&b"null"[..], Value::NULL),
        [b'\'', ..] => return Err("Invalid string literal; expected \", but got '"),
        _ => return number::parse(text).filter(|_| !text.contains(&0)).ok_or("Invalid numeric literal"),
    };
    if text == expected.0 { Ok(expected.1) } else { Err("Invalid literal") }
}

/// Returns the value of the text of a string.
fn unescape(text: &[u8]) -> Parsed<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        rest = after;
        match byte {
            b'\\' => {
                let [escape, after @ ..] = rest else { return Err("Expected escape character at end of string") };
                rest = after;
                out.push(match escape {
                    b'\\' | b'"' | b'/' => *escape,
                    b'b' => 8,
                    b'f' => 12,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b'u' => {
                        let character;
                        (character, rest) = code_point(rest)?;
                        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                        continue;
                    }
                    _ => return Err("Invalid escape"),
                });
            }
            0..0x20 => return Err("Invalid string: control characters from U+0000 through U+001F must be escaped"),
            _ => out.push(*byte),
        }
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Returns the character of an escape after `\u`, and the text after it.
fn code_point(text: &[u8]) -> Parsed<(char, &[u8])> {
    let unit =
        |text: &[u8]| text.iter().try_fold(0, |number, digit| Some(number * 16 + char::from(*digit).to_digit(16)?));
    let Some((first, rest)) = text.split_at_checked(4) else { return Err("Invalid \\uXXXX escape") };
    let Some(first) = unit(first) else { return Err("Invalid characters in \\uXXXX escape") };
    if !(0xd800..0xdc00).contains(&first) {
        return Ok((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), rest));
    }
    let second = rest.strip_prefix(b"\\u").and_then(|rest| rest.split_at_checked(4));
    match second.and_then(|(second, rest)| Some((unit(second)?, rest))) {
        Some((second @ 0xdc00..0xe000, rest)) => {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            Ok((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), rest))
        }
        _ => Err("Invalid \\uXXXX\\uXXXX surrogate pair escape"),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn texts_beyond_json() {
        for (text, expected) in [
            ("nan", "null"),
            ("[NaN, -nan]", "[null,null]"),
            (".5", "0.5"),
            ("[5., +1]", "[5,1]"),
            ("Infinity", "1.7976931348623157e+308"),
            ("\u{feff}1", "1"),
            (" 1 ", "1"),
        ] {
            assert_eq!(read(text).map(|value| value.to_string()).unwrap_or_default(), expected, "{text}");
        }
    }
}
