//! Writes values of checked documents: their text is copied and not checked again.

#![forbid(unsafe_code)]

use std::vec;

use crate::document::Elements;
use crate::document::Kind;
use crate::document::Member;
use crate::document::TokenKind;
use crate::document::Tokens;
use crate::document::Value;
use crate::document::sorted_members;
use crate::minify::minify;
use crate::options::Options;
use crate::pretty::Layout;
use crate::scalar::Escape;
use crate::scalar::reescape;
use crate::writer::Output;
use crate::writer::Writer;
use crate::writer::scalar::Scalar;
use crate::writer::scalar::Sealed;

impl Sealed for Value<'_, '_> {}

/// The value of a document, of any type. Numbers and strings are copied as they are, and whitespace between tokens is left out, or as
/// the layout has it. With [`Writer::escape`], exactly its characters are escaped.
///
/// ```
/// use fjson::{Layout, Parser, Writer};
///
/// let mut parser = Parser::new();
/// let document = parser.document(br#"{"a": [1.0, "\u0041"], "b": {}}"#)?;
/// let mut writer = Writer::new(Vec::new());
/// writer.begin_array().value(document.get("a").unwrap()).value(document.root()).end();
/// assert_eq!(writer.finish()?, br#"[[1.0,"\u0041"],{"a":[1.0,"\u0041"],"b":{}}]"#);
///
/// let mut writer = Writer::new(Vec::new()).layout(Layout::spaces(1));
/// writer.value(document.root());
/// assert_eq!(writer.finish()?, b"{\n \"a\": [\n  1.0,\n  \"\\u0041\"\n ],\n \"b\": {}\n}");
/// # Ok::<(), fjson::Error>(())
/// ```
impl Scalar for Value<'_, '_> {
    fn append_json(&self, escape: Escape, out: &mut Vec<u8>) {
        self.append_json_in(None, 0, escape, out);
    }

    fn append_json_in(&self, layout: Option<Layout>, level: usize, escape: Escape, out: &mut Vec<u8>) {
        if layout.is_none() && escape == Escape::minimal() {
            push_compact(*self, out);
        } else {
            push_tokens(*self, layout, level, escape, out);
        }
    }
}

impl<O: Output> Writer<O> {
    /// Writes the text of a value unchanged, with its whitespace. It is not checked again, unlike the text of [`raw`](Self::raw).
    ///
    /// ```
    /// use fjson::{Parser, Writer};
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"{\"a\": [ 1.0 ]}")?;
    /// let mut writer = Writer::new(Vec::new());
    /// writer.begin_array().raw_value(document.root()).end();
    /// assert_eq!(writer.finish()?, b"[{\"a\": [ 1.0 ]}]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn raw_value(&mut self, value: Value<'_, '_>) -> &mut Self {
        if self.before_value("raw_value") {
            self.output.text().extend_from_slice(value.raw().as_bytes());
            self.after_value();
        }
        self
    }

    /// Writes a value like [`value`](Self::value), with the members of each object in the order of their keys, by Unicode code points as
    /// with [`Options::sort_keys`](crate::Options::sort_keys). Members with the same key keep their order.
    ///
    /// ```
    /// use fjson::{Parser, Writer};
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"{"b": [{"y": 1, "x": 2}], "a": 3}"#)?;
    /// let mut writer = Writer::new(Vec::new());
    /// writer.sorted_value(document.root());
    /// assert_eq!(writer.finish()?, br#"{"a":3,"b":[{"x":2,"y":1}]}"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn sorted_value(&mut self, value: Value<'_, '_>) -> &mut Self {
        if self.before_value("sorted_value") {
            push_sorted(value, self.layout, self.outer.len(), self.escape, self.output.text());
            self.after_value();
        }
        self
    }
}

/// Length in bytes from which [`minify`] takes less time than a loop over the tokens, although it checks the text again.
const MINIFIED: usize = 1024;

/// Appends a value without whitespace. Text that has none is copied in one piece.
fn push_compact(value: Value<'_, '_>, out: &mut Vec<u8>) {
    let (tokens, range) = (value.tokens(), value.range());
    if range.len() >= MINIFIED {
        let length = out.len();
        if minify(&tokens.text()[range.clone()], &mut *out, &Options::new()).is_ok() {
            return;
        }
        // There is not enough memory.
        out.truncate(length);
    }
    let text = tokens.text();
    let (mut token, last) = (value.token(), tokens.close(value.token()));
    // The start of what has not been copied.
    let mut from = range.start;
    while token != last {
        let (next, end) = step(tokens, token);
        if next > last {
            break;
        }
        let gap = &text[end..tokens.start(next)];
        let separator = gap.iter().position(|byte| matches!(byte, b',' | b':'));
        let is_compact = gap.len() == usize::from(separator.is_some());
        if !is_compact {
            out.extend_from_slice(&text[from..end]);
            out.extend(separator.map(|index| gap[index]));
            from = tokens.start(next);
        }
        token = next;
    }
    out.extend_from_slice(&text[from..range.end]);
}

/// Returns the token after a bracket, string, number or literal, and the index in the text of the byte after it.
#[inline]
fn step(tokens: Tokens<'_, '_>, token: usize) -> (usize, usize) {
    let start = tokens.start(token);
    match tokens.kind(token) {
        TokenKind::BeginObject | TokenKind::EndObject | TokenKind::BeginArray | TokenKind::EndArray => {
            (token + 1, start + 1)
        }
        TokenKind::String => (token + 2, tokens.start(token + 1) + 1),
        TokenKind::Number | TokenKind::True | TokenKind::False | TokenKind::Null => (token + 1, tokens.end(token)),
    }
}

/// Appends a value token by token, in a layout or with escapes.
fn push_tokens(value: Value<'_, '_>, layout: Option<Layout>, level: usize, escape: Escape, out: &mut Vec<u8>) {
    let tokens = value.tokens();
    let text = tokens.text();
    let (mut token, last) = (value.token(), tokens.close(value.token()));
    let mut level = level;
    let break_line = |level: usize, out: &mut Vec<u8>| {
        if let Some(layout) = layout {
            layout.push_line_break(level, out);
        }
    };
    loop {
        let (next, end) = step(tokens, token);
        let kind = tokens.kind(token);
        if kind == TokenKind::String {
            push_string(&text[tokens.start(token) + 1..end - 1], escape, out);
        } else {
            out.extend_from_slice(&text[tokens.start(token)..end]);
        }
        if token == last || next > last {
            return;
        }
        let is_end = matches!(tokens.kind(next), TokenKind::EndObject | TokenKind::EndArray);
        match kind {
            // An empty container has no line breaks.
            TokenKind::BeginObject | TokenKind::BeginArray if is_end => {}
            TokenKind::BeginObject | TokenKind::BeginArray => {
                level += 1;
                break_line(level, out);
            }
            _ if is_end => {}
            _ => {
                let gap = &text[end..tokens.start(next)];
                if gap.contains(&b':') {
                    out.extend_from_slice(if layout.is_some() { b": " } else { b":" });
                } else {
                    out.push(b',');
                    break_line(level, out);
                }
            }
        }
        let is_empty = matches!(kind, TokenKind::BeginObject | TokenKind::BeginArray);
        if is_end && !is_empty {
            level -= 1;
            break_line(level, out);
        }
        token = next;
    }
}

/// What has not been written of an open container.
enum Rest<'p, 't> {
    Elements(Elements<'p, 't>),
    Members(vec::IntoIter<Member<'p, 't>>),
}

/// Appends a value with sorted members. Not recursive, so that memory is the only limit of the depth.
fn push_sorted(value: Value<'_, '_>, layout: Option<Layout>, level: usize, escape: Escape, out: &mut Vec<u8>) {
    let mut open: Vec<Rest<'_, '_>> = Vec::new();
    let mut next = value;
    loop {
        let mut is_first = !next.is_empty();
        match next.kind() {
            Kind::Array if is_first => {
                out.push(b'[');
                open.push(Rest::Elements(next.iter()));
            }
            Kind::Object if is_first => {
                out.push(b'{');
                open.push(Rest::Members(sorted_members(next.members()).into_iter()));
            }
            _ => {
                is_first = false;
                push_tokens(next, layout, level, escape, out);
            }
        }
        next = loop {
            let level = level + open.len();
            let break_line = |level: usize, out: &mut Vec<u8>| {
                if let Some(layout) = layout {
                    layout.push_line_break(level, out);
                }
            };
            let (following, bracket) = match open.last_mut() {
                None => return,
                Some(Rest::Elements(elements)) => (elements.next().map(|value| (None, value)), b']'),
                Some(Rest::Members(members)) => (members.next().map(|member| (Some(member.key), member.value)), b'}'),
            };
            let Some((key, value)) = following else {
                open.pop();
                break_line(level - 1, out);
                out.push(bracket);
                is_first = false;
                continue;
            };
            if !is_first {
                out.push(b',');
            }
            break_line(level, out);
            if let Some(key) = key {
                push_string(key.inside(), escape, out);
                out.extend_from_slice(if layout.is_some() { b": " } else { b":" });
            }
            break value;
        };
    }
}

/// Appends a string whose text is given without its quotes.
fn push_string(text: &[u8], escape: Escape, out: &mut Vec<u8>) {
    out.push(b'"');
    let start = out.len();
    // It fails only if there is not enough memory, as the text is valid.
    if escape == Escape::minimal() || reescape(text, escape, out).is_err() {
        out.truncate(start);
        out.extend_from_slice(text);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use crate::document::Parser;
    use crate::explain::random::Random;
    use crate::minify::minify;
    use crate::options::Options;
    use crate::pretty::Layout;
    use crate::pretty::pretty;
    use crate::scalar::Escape;
    use crate::writer::Writer;

    /// Returns random whitespace.
    fn space(random: &mut Random) -> &'static str {
        ["", "", " ", "\n", "\r\n\t", "  "][random.below(6)]
    }

    /// Appends a random value with random whitespace.
    fn push(random: &mut Random, depth: usize, text: &mut String) {
        *text += space(random);
        let leaves = [
            "1",
            "-1.50e+07",
            "\"a\"",
            "\"\\u0041 \\/ é\"",
            "\",:[\"",
            "null",
            "true",
            "false",
            "[]",
            "{}",
            "[ ]",
            "{\n}",
        ];
        match random.below(if depth == 0 { 1 } else { 3 }) {
            0 => *text += leaves[random.below(leaves.len())],
            1 => {
                *text += "[";
                for index in 0..=random.below(4) {
                    *text += if index == 0 { "" } else { "," };
                    push(random, depth - 1, text);
                }
                *text += "]";
            }
            _ => {
                *text += "{";
                for index in 0..=random.below(4) {
                    *text += if index == 0 { "" } else { "," };
                    let key = ["\"k:\\n\"", "\"k\"", "\"\\u006a\"", "\"é\""][random.below(4)];
                    *text += &[space(random), key, space(random), ":"].concat();
                    push(random, depth - 1, text);
                }
                *text += "}";
            }
        }
        *text += space(random);
    }

    /// Values are written as `minify` and `pretty` write their text.
    #[test]
    fn values_are_written_like_documents() {
        let mut random = Random::new(71);
        let mut parser = Parser::new();
        for _ in 0..if cfg!(miri) { 2 } else { 300 } {
            let mut text = String::new();
            push(&mut random, 4, &mut text);
            let document = parser.document(text.as_bytes()).expect("valid");
            for value in [Some(document.root()), document.at(0), document.get("k:\n")].into_iter().flatten() {
                for escape in [Escape::minimal(), Escape::minimal().ascii()] {
                    let mut expected = Vec::new();
                    let options = Options::new().escape(escape);
                    minify(value.raw(), &mut expected, &options).expect("writes");
                    if escape != Escape::minimal() {
                        // The writer escapes nothing else.
                        expected = String::from_utf8(expected)
                            .expect("UTF-8")
                            .replace("\\u0041", "A")
                            .replace("\\u006a", "j")
                            .replace("\\/", "/")
                            .into();
                    }
                    let mut writer = Writer::new(Vec::new()).escape(escape);
                    writer.value(value);
                    let written = writer.finish().expect("a document");
                    assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected), "{text}");
                }
                let mut expected = Vec::new();
                pretty(value.raw(), &mut expected, &Layout::spaces(3), &Options::new()).expect("writes");
                let mut writer = Writer::new(Vec::new()).layout(Layout::spaces(3));
                writer.value(value).end_document();
                assert_eq!(
                    String::from_utf8_lossy(&writer.finish().expect("a document")),
                    String::from_utf8_lossy(&expected)
                );
                let sorted = Options::new().sort_keys(true);
                let mut writer = Writer::new(Vec::new());
                writer.sorted_value(value);
                let mut expected = Vec::new();
                minify(value.raw(), &mut expected, &sorted).expect("writes");
                assert_eq!(
                    String::from_utf8_lossy(&writer.finish().expect("a document")),
                    String::from_utf8_lossy(&expected)
                );
                let mut writer = Writer::new(Vec::new()).layout(Layout::spaces(3));
                writer.sorted_value(value).end_document();
                let mut expected = Vec::new();
                pretty(value.raw(), &mut expected, &Layout::spaces(3), &sorted).expect("writes");
                assert_eq!(
                    String::from_utf8_lossy(&writer.finish().expect("a document")),
                    String::from_utf8_lossy(&expected)
                );
                let mut writer = Writer::new(Vec::new());
                writer.begin_array().raw_value(value).end();
                assert_eq!(writer.finish().expect("a document"), format!("[{value}]").as_bytes());
            }
        }
    }

    /// A value is indented by the containers around it, as if its tokens were written one by one.
    #[test]
    fn values_in_containers() {
        let mut parser = Parser::new();
        let document = parser.document(b"[[1,[]],{\"a\":{}}]").expect("valid");
        let write = |layout: Option<Layout>| {
            let mut writer = Writer::new(Vec::new());
            if let Some(layout) = layout {
                writer = writer.layout(layout);
            }
            writer.begin_object().name("x").begin_array().value(document.root()).value(0).end().end();
            writer.finish().expect("a document")
        };
        let mut expected = Vec::new();
        pretty(&write(None), &mut expected, &Layout::spaces(2), &Options::new()).expect("writes");
        assert_eq!(write(Some(Layout::spaces(2))), expected.trim_ascii_end());
    }
}
