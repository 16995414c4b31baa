//! Writing values as JSON, to the byte like jq 1.8: compact or indented, with sorted keys, in ASCII, in colours.

#![forbid(unsafe_code)]

mod colors;
mod copy;

use crate::value::Iterate;
use crate::value::Kind;
use crate::value::Lazy;
use crate::value::Object;
use crate::value::Repr;
use crate::value::Text;
use crate::value::Value;
use crate::value::write_double;
use std::fmt;

pub use colors::Colors;
use copy::copy;

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

impl Style {
    /// Whether the text of strings and the order of members are those of the value.
    fn is_plain(&self) -> bool {
        !self.sort_keys && !self.ascii && self.colors.is_none()
    }
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

impl Indent {
    /// Appends a line break and the indentation of a level.
    #[inline]
    fn line(self, level: usize, out: &mut Vec<u8>) {
        let (byte, count) = match self {
            Self::Compact => return,
            Self::Spaces(spaces) => (b' ', usize::from(spaces)),
            Self::Tab => (b'\t', 1),
        };
        out.push(b'\n');
        out.resize(out.len() + level * count, byte);
    }
}

/// What is nested deeper than this is not written, as in jq.
const DEEPEST: usize = 10_000;

/// Appends the text of a value. NaN is written as `null`, infinite numbers as the greatest ones. What is nested more than 10,000 levels
/// deep is replaced by `<skipped: too deep>`, as jq does, and the text is no JSON then. Returns whether it has all of the value.
pub fn write(value: &Value, style: &Style, out: &mut Vec<u8>) -> bool {
    let mut writer = Writer { style, out, limit: usize::MAX, copies: style.is_plain(), is_whole: true };
    writer.value(value);
    writer.is_whole
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
    Writer { style: &Style::default(), out: &mut out, limit, copies: true, is_whole: true }.value(value);
    String::from_utf8(out).unwrap_or_default()
}

/// Appends a string with its quotes.
#[inline]
pub(crate) fn write_string(text: &str, ascii: bool, out: &mut Vec<u8>) {
    // Most keys and many strings are like this, and testing them takes less time than preparing for more.
    let needs_escape = |byte: &u8| *byte < 0x20 || *byte >= 0x7f || *byte == b'"' || *byte == b'\\';
    if text.len() <= SHORT && !text.as_bytes().iter().fold(false, |any, byte| any | needs_escape(byte)) {
        out.reserve(SHORT + 2);
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.push(b'"');
        write_inside(text, ascii, out);
        out.push(b'"');
    }
}

/// Strings up to this length are tested byte by byte.
const SHORT: usize = 32;

/// Strings that are longer are written in pieces of so many bytes, after each of which the limit is looked at.
const PIECE: usize = 1 << 16;

/// Appends the text between the quotes of a string.
#[inline(never)]
fn write_inside(text: &str, ascii: bool, out: &mut Vec<u8>) {
    use fjson::scalar::Escape;
    let escape = if ascii { Escape::minimal().ascii() } else { Escape::minimal() };
    let mut rest = text;
    // jq escapes DEL, too.
    while let Some(at) = memchr::memchr(0x7f, rest.as_bytes()) {
        append(&rest[..at], escape, out);
        out.extend_from_slice(b"\\u007f");
        rest = &rest[at + 1..];
    }
    append(rest, escape, out);
}

fn append(text: &str, escape: fjson::scalar::Escape, out: &mut Vec<u8>) {
    if fjson::scalar::escape(text, escape, out).is_err() {
        // There is not enough memory: this is what every other list that grows does then.
        std::alloc::handle_alloc_error(std::alloc::Layout::new::<u8>());
    }
}

/// A container that is being written.
struct Frame<'v> {
    kind: Kind,
    is_first: bool,
    members: Remaining<'v>,
}

enum Remaining<'v> {
    Elements(std::slice::Iter<'v, Value>),
    /// The next slot.
    Members(&'v Object, usize),
    Sorted(std::vec::IntoIter<(&'v Text, &'v Value)>),
    /// Those of a value that is still text.
    Lazy(Iterate),
    LazySorted(std::vec::IntoIter<(Text, Value)>),
}

/// An element or a member.
enum Next<'v> {
    Borrowed(Option<&'v Text>, &'v Value),
    Owned(Option<Text>, Value),
}

struct Writer<'s, 'o> {
    style: &'s Style,
    out: &'o mut Vec<u8>,
    /// Nothing more is written when there are so many bytes.
    limit: usize,
    /// Whether values that are still text are copied.
    copies: bool,
    /// Whether nothing was skipped.
    is_whole: bool,
}

impl Writer<'_, '_> {
    fn value(&mut self, value: &Value) {
        let mut frames = Vec::new();
        frames.extend(self.begin(value, 0));
        while let Some(frame) = frames.last_mut() {
            if self.out.len() > self.limit {
                return;
            }
            let (kind, is_first) = (frame.kind, std::mem::replace(&mut frame.is_first, false));
            let Some(next) = frame.next() else {
                frames.pop();
                self.end(kind, frames.len());
                continue;
            };
            let level = frames.len();
            self.separate(kind, is_first, level);
            match next {
                Next::Borrowed(key, value) => {
                    self.key(kind, key);
                    frames.extend(self.begin(value, level));
                }
                Next::Owned(key, value) => {
                    self.key(kind, key.as_ref());
                    match &value.0 {
                        Repr::Lazy(lazy) => frames.extend(self.begin_lazy(lazy, level)),
                        // What is in a value that is still text is that, too, or a scalar.
                        _ => drop(self.begin(&value, level)),
                    }
                }
            }
        }
    }

    /// Writes a scalar or an empty container, or the opening bracket of another.
    #[inline]
    fn begin<'v>(&mut self, value: &'v Value, level: usize) -> Option<Frame<'v>> {
        if let Repr::Lazy(lazy) = &value.0 {
            return self.begin_lazy(lazy, level);
        }
        self.color(value.kind(), value.is_true());
        if level > DEEPEST {
            self.is_whole = false;
            self.out.extend_from_slice(b"<skipped: too deep>");
            self.reset();
            return None;
        }
        match &value.0 {
            Repr::Array(array) if array.is_empty() => self.out.extend_from_slice(b"[]"),
            Repr::Object(object) if object.is_empty() => self.out.extend_from_slice(b"{}"),
            Repr::Array(array) => return Some(self.open(Kind::Array, Remaining::Elements(array.iter()))),
            Repr::Object(object) => {
                let members = if self.style.sort_keys {
                    Remaining::Sorted(object.sorted().into_iter())
                } else {
                    Remaining::Members(object, 0)
                };
                return Some(self.open(Kind::Object, members));
            }
            Repr::Text(text) if text.len() > PIECE.min(self.limit) => self.long_string(text),
            Repr::Text(text) => write_string(text, self.style.ascii, self.out),
            Repr::Null => self.out.extend_from_slice(b"null"),
            Repr::Boolean(true) => self.out.extend_from_slice(b"true"),
            Repr::Boolean(false) => self.out.extend_from_slice(b"false"),
            Repr::Number(number) if number.is_nan() => {
                // The number has its colour, and so has what is written for it.
                self.color(Kind::Null, false);
                self.out.extend_from_slice(b"null");
                self.reset();
            }
            Repr::Number(number) | Repr::Decimal(number) => write_double(*number, self.out),
            Repr::Literal(literal) => self.out.extend_from_slice(literal.text.as_bytes()),
            Repr::Lazy(_) => {}
        }
        self.reset();
        None
    }

    /// Writes a long string, or the beginning of it.
    #[cold]
    fn long_string(&mut self, text: &str) {
        self.out.push(b'"');
        let mut rest = text;
        while !rest.is_empty() && self.out.len() <= self.limit {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE.min(self.limit.saturating_add(4))));
            write_inside(piece, self.style.ascii, self.out);
            rest = after;
        }
        self.out.push(b'"');
    }

    /// The same for a value that is still text.
    fn begin_lazy<'v>(&mut self, lazy: &Lazy, level: usize) -> Option<Frame<'v>> {
        if self.copies {
            let is_copied = copy(lazy, self.style.indent, level, self.limit, self.out);
            // One that has to be decoded is decoded all the way down, so that no text is read more than twice.
            self.copies = is_copied;
            if is_copied {
                return None;
            }
        }
        let value = Value(Repr::Lazy(lazy.clone()));
        let kind = value.kind();
        if level <= DEEPEST && value.len().is_some_and(|length| length > 0) {
            self.color(kind, true);
            let members = if self.style.sort_keys && kind == Kind::Object {
                let object = value.into_object().unwrap_or_default();
                let members: Vec<_> =
                    object.sorted().into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                Remaining::LazySorted(members.into_iter())
            } else {
                Remaining::Lazy(value.iterate().ok()?)
            };
            return Some(self.open(kind, members));
        }
        drop(self.begin(&value.decoded(), level));
        None
    }

    fn open<'v>(&mut self, kind: Kind, members: Remaining<'v>) -> Frame<'v> {
        self.out.push(if kind == Kind::Array { b'[' } else { b'{' });
        Frame { kind, is_first: true, members }
    }

    /// Writes what is before an element or member.
    fn separate(&mut self, container: Kind, is_first: bool, level: usize) {
        if !is_first {
            self.color(container, true);
            self.out.push(b',');
        }
        self.reset();
        self.style.indent.line(level, self.out);
    }

    fn key(&mut self, container: Kind, key: Option<&Text>) {
        let Some(key) = key else { return };
        if let Some(colors) = &self.style.colors {
            self.out.extend_from_slice(colors.key());
        }
        write_string(key, self.style.ascii, self.out);
        self.reset();
        self.color(container, true);
        self.out.push(b':');
        self.reset();
        if self.style.indent != Indent::Compact {
            self.out.push(b' ');
        }
    }

    /// Writes the closing bracket of a container that is not empty.
    fn end(&mut self, container: Kind, level: usize) {
        self.style.indent.line(level, self.out);
        self.color(container, true);
        self.out.push(if container == Kind::Array { b']' } else { b'}' });
        self.reset();
    }

    #[inline]
    fn color(&mut self, kind: Kind, is_true: bool) {
        if let Some(colors) = &self.style.colors {
            self.out.extend_from_slice(colors.of(kind, is_true));
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
    fn next(&mut self) -> Option<Next<'v>> {
        match &mut self.members {
            Remaining::Elements(elements) => elements.next().map(|value| Next::Borrowed(None, value)),
            Remaining::Members(object, at) => {
                let (key, value, next) = object.next(*at)?;
                *at = next;
                Some(Next::Borrowed(Some(key), value))
            }
            Remaining::Sorted(members) => members.next().map(|(key, value)| Next::Borrowed(Some(key), value)),
            Remaining::Lazy(children) if self.kind == Kind::Array => {
                children.next().map(|value| Next::Owned(None, value))
            }
            Remaining::Lazy(children) => children.next_with_key().map(|(key, value)| Next::Owned(key.to_text(), value)),
            Remaining::LazySorted(members) => members.next().map(|(key, value)| Next::Owned(Some(key), value)),
        }
    }
}

/// Writes compact JSON, as `tojson` does. As in jq, what is nested more deeply than 10,000 levels is left out: the text then has
/// `<skipped: too deep>` in its place, and is no JSON. [`write()`] says whether that is so.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&to_json(self))
    }
}
