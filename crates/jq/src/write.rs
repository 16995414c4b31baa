//! Writing values as JSON, to the byte like jq 1.8: compact or indented, with sorted keys, in ASCII, in colours.

#![forbid(unsafe_code)]

mod colors;

use crate::value::Repr;
use crate::value::Text;
use crate::value::Value;
use crate::value::write_double;
use std::fmt;

pub use colors::Colors;

/// How values are written.
///
/// ```
/// use fjson_jq::value::Value;
/// use fjson_jq::write::{Indent, Style, write};
///
/// let value = Value::parse(br#"{"b": [1, 2], "a": {}}"#)?;
/// let mut text = Vec::new();
/// write(&value, &Style { indent: Indent::Spaces(2), sort_keys: true, ..Style::default() }, &mut text);
/// assert_eq!(text, b"{\n  \"a\": {},\n  \"b\": [\n    1,\n    2\n  ]\n}");
/// # Ok::<(), fjson_jq::value::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Line breaks and indentation.
    pub indent: Indent,
    /// Whether the members of objects are sorted by key.
    pub sort_keys: bool,
    /// Whether all characters that are not ASCII are escaped.
    pub ascii: bool,
    /// The colours, if any.
    pub colors: Option<Colors>,
}

/// Line breaks and indentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Indent {
    /// Everything on one line, without spaces.
    #[default]
    Compact,
    /// Each element and member on its own line, with this number of spaces for each level.
    Spaces(u8),
    /// Each element and member on its own line, with a tab for each level.
    Tab,
}

/// What is nested deeper than this is not written, as in jq.
const DEEPEST: usize = 10_000;

/// Appends the text of a value. NaN is written as `null`, infinite numbers as the greatest ones. What is nested more than 10,000 levels
/// deep is replaced by `<skipped: too deep>`.
pub fn write(value: &Value, style: &Style, out: &mut Vec<u8>) {
    Writer { style, out, limit: usize::MAX }.value(value);
}

/// Returns the compact text of a value, as `tojson` does.
///
/// ```
/// use fjson_jq::{value::Value, write::to_json};
///
/// assert_eq!(to_json(&Value::from(vec![Value::NULL, Value::from(0.1)])), "[null,0.1]");
/// ```
#[must_use]
pub fn to_json(value: &Value) -> String {
    beginning(value, usize::MAX)
}

/// Returns the compact text of a value, of which everything after `limit` bytes may be missing.
pub(crate) fn beginning(value: &Value, limit: usize) -> String {
    let mut out = Vec::new();
    if let Repr::Text(text) = &value.0
        && text.len() > limit
    {
        let end = (limit..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        write_string(&text[..end], false, &mut out);
    } else {
        Writer { style: &Style::default(), out: &mut out, limit }.value(value);
    }
    String::from_utf8(out).unwrap_or_default()
}

/// Appends a string with its quotes.
pub(crate) fn write_string(text: &str, ascii: bool, out: &mut Vec<u8>) {
    use fjson::scalar::Escape;
    let escape = if ascii { Escape::minimal().ascii() } else { Escape::minimal() };
    out.push(b'"');
    let mut rest = text;
    // jq escapes DEL, too.
    while let Some(at) = memchr::memchr(0x7f, rest.as_bytes()) {
        append(&rest[..at], escape, out);
        out.extend_from_slice(b"\\u007f");
        rest = &rest[at + 1..];
    }
    append(rest, escape, out);
    out.push(b'"');
}

fn append(text: &str, escape: fjson::scalar::Escape, out: &mut Vec<u8>) {
    if fjson::scalar::escape(text, escape, out).is_err() {
        // There is not enough memory: this is what every other list that grows does then.
        std::alloc::handle_alloc_error(std::alloc::Layout::new::<u8>());
    }
}

/// A container that is being written.
struct Frame<'v> {
    container: &'v Value,
    members: Remaining<'v>,
}

enum Remaining<'v> {
    Elements(std::slice::Iter<'v, Value>),
    /// The next slot.
    Members(usize),
    Sorted(std::vec::IntoIter<(&'v Text, &'v Value)>),
}

struct Writer<'s, 'o> {
    style: &'s Style,
    out: &'o mut Vec<u8>,
    /// Nothing more is written when there are so many bytes.
    limit: usize,
}

impl Writer<'_, '_> {
    fn value(&mut self, value: &Value) {
        let mut frames = Vec::new();
        if let Some(frame) = self.begin(value, 0) {
            frames.push(frame);
        }
        while let Some(frame) = frames.last_mut() {
            if self.out.len() > self.limit {
                return;
            }
            let (container, is_first) = (frame.container, frame.is_first());
            if let Some((key, value)) = frame.next() {
                self.separate(container, is_first, frames.len());
                if let Some(key) = key {
                    self.key(container, key);
                }
                let level = frames.len();
                frames.extend(self.begin(value, level));
            } else {
                frames.pop();
                self.end(container, frames.len());
            }
        }
    }

    /// Writes a scalar or an empty container, or the opening bracket of another.
    fn begin<'v>(&mut self, value: &'v Value, level: usize) -> Option<Frame<'v>> {
        self.color(value);
        if level > DEEPEST {
            self.out.extend_from_slice(b"<skipped: too deep>");
            self.reset();
            return None;
        }
        match &value.0 {
            Repr::Array(array) if array.is_empty() => self.out.extend_from_slice(b"[]"),
            Repr::Object(object) if object.is_empty() => self.out.extend_from_slice(b"{}"),
            Repr::Array(array) => {
                self.out.push(b'[');
                return Some(Frame { container: value, members: Remaining::Elements(array.iter()) });
            }
            Repr::Object(object) => {
                self.out.push(b'{');
                let members = if self.style.sort_keys {
                    Remaining::Sorted(object.sorted().into_iter())
                } else {
                    Remaining::Members(0)
                };
                return Some(Frame { container: value, members });
            }
            Repr::Text(text) => write_string(text, self.style.ascii, self.out),
            Repr::Null => self.out.extend_from_slice(b"null"),
            Repr::Boolean(true) => self.out.extend_from_slice(b"true"),
            Repr::Boolean(false) => self.out.extend_from_slice(b"false"),
            Repr::Number(number) | Repr::Decimal(number) => write_double(*number, self.out),
            Repr::Literal(literal) => self.out.extend_from_slice(literal.text.as_bytes()),
        }
        self.reset();
        None
    }

    /// Writes what is before an element or member.
    fn separate(&mut self, container: &Value, is_first: bool, level: usize) {
        if !is_first {
            self.color(container);
            self.out.push(b',');
        }
        self.reset();
        self.line(level);
    }

    fn key(&mut self, container: &Value, key: &str) {
        if let Some(colors) = &self.style.colors {
            self.out.extend_from_slice(colors.key());
        }
        write_string(key, self.style.ascii, self.out);
        self.reset();
        self.color(container);
        self.out.push(b':');
        self.reset();
        if self.style.indent != Indent::Compact {
            self.out.push(b' ');
        }
    }

    /// Writes the closing bracket of a container that is not empty.
    fn end(&mut self, container: &Value, level: usize) {
        self.line(level);
        self.color(container);
        self.out.push(if matches!(container.0, Repr::Array(_)) { b']' } else { b'}' });
        self.reset();
    }

    fn line(&mut self, level: usize) {
        let (byte, count) = match self.style.indent {
            Indent::Compact => return,
            Indent::Spaces(spaces) => (b' ', usize::from(spaces)),
            Indent::Tab => (b'\t', 1),
        };
        self.out.push(b'\n');
        self.out.resize(self.out.len() + level * count, byte);
    }

    #[inline]
    fn color(&mut self, value: &Value) {
        if let Some(colors) = &self.style.colors {
            self.out.extend_from_slice(colors.of(value));
        }
    }

    #[inline]
    fn reset(&mut self) {
        if self.style.colors.is_some() {
            self.out.extend_from_slice(b"\x1b[0m");
        }
    }
}

impl<'v> Frame<'v> {
    /// Whether the next element or member is the first one.
    fn is_first(&self) -> bool {
        let length = self.container.len();
        match &self.members {
            Remaining::Elements(elements) => Some(elements.len()) == length,
            Remaining::Members(at) => *at == 0,
            Remaining::Sorted(members) => Some(members.len()) == length,
        }
    }

    fn next(&mut self) -> Option<(Option<&'v Text>, &'v Value)> {
        match &mut self.members {
            Remaining::Elements(elements) => elements.next().map(|value| (None, value)),
            Remaining::Members(at) => {
                let Repr::Object(object) = &self.container.0 else { return None };
                let (key, value, next) = object.next(*at)?;
                *at = next;
                Some((Some(key), value))
            }
            Remaining::Sorted(members) => members.next().map(|(key, value)| (Some(key), value)),
        }
    }
}

/// Writes compact JSON, as `tojson` does.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&to_json(self))
    }
}
