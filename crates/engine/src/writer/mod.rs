//! Writes JSON text token by token, and refuses calls that would write anything else.
//!
//! The writer inserts commas, colons and whitespace, and knows which call may follow. A call that may not is not written but
//! remembered, so that a chain of calls needs only one test at its end.

mod append;
mod numbers;
mod output;
mod pieces;
mod scalar;
#[cfg(feature = "serde")]
mod serialize;
mod strings;
mod values;

use crate::error::Error;
use crate::options::Options;
use crate::pretty::Layout;
use crate::scalar::Escape;
use crate::validate::validate;
use strings::push_string_escaped;

pub use numbers::INTEGER_ROOM;
pub use numbers::push_float;
pub use numbers::push_integer;
pub use numbers::push_single;
pub use numbers::write_integer;
pub use output::Output;
pub use output::Stream;
pub use scalar::Scalar;
#[cfg(feature = "serde")]
pub use serialize::{
    Compact, Format, Indented, Serializer, to_end_of, to_string, to_string_pretty, to_vec, to_vec_pretty, to_writer,
    to_writer_pretty,
};
pub use strings::bytes_to_escape;
pub use strings::push_name;
pub use strings::push_string;

/// What may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The root value.
    Root,
    /// The first name or element, or the end of an empty container.
    First,
    /// Another name or element, or the end of the container.
    Another,
    /// The value of a name.
    Value,
    /// Nothing but the end of the document.
    Nothing,
    /// The rest of a value that `Serialize` writes. After a panic, that rest is missing.
    RestOfValue,
}

/// The misuse after a panic.
const PANICKED: &str = "after a panic in an implementation of `Serialize` or `Display`";

/// Writes JSON text: values, and the beginnings and ends of objects and arrays, in the order of the document.
///
/// The text is compact, or indented by a [`Layout`]. It goes to a `Vec<u8>`, to the end of a borrowed one, or through a [`Stream`]
/// to any [`std::io::Write`].
///
/// # Misuse
/// The text is always the beginning of a JSON document, or of several that [`end_document`](Self::end_document) separates, and after
/// [`finish`](Self::finish) has returned `Ok` they are complete. A call that would make it invalid, such as a value in an object
/// without a name, is not written, nor is anything after it. `finish` then returns an error of the kind
/// [`ErrorKind::Misuse`](crate::ErrorKind::Misuse) that names the call. The same goes for an error of the underlying writer, and for
/// a panic in `Serialize` or `Display` that is caught. Names
/// are not tested for duplicates. What `serialize` writes is JSON if the implementation of `Serialize` follows the rules of `serde`: a
/// value after each key, and no error of a part ignored.
///
/// # Examples
/// ```
/// use fjson::Writer;
///
/// let mut writer = Writer::new(Vec::new());
/// writer.begin_object();
/// writer.name("id").value(7);
/// writer.name("tags").begin_array().value("new").value("\"quoted\"").end();
/// writer.name("price").raw("12.50").name("sold").value(None::<bool>);
/// writer.end();
/// assert_eq!(writer.finish()?, br#"{"id":7,"tags":["new","\"quoted\""],"price":12.50,"sold":null}"#);
/// # Ok::<(), fjson::Error>(())
/// ```
///
/// Misuse:
///
/// ```
/// use fjson::Writer;
///
/// let mut writer = Writer::new(Vec::new());
/// writer.begin_object().value(7).end();
/// let error = writer.finish().unwrap_err();
/// assert_eq!(error.to_string(), "`value` in an object without a name before it, after 1 byte of output");
/// ```
#[derive(Debug)]
#[must_use = "without `finish`, text may be lost and misuse unnoticed"]
pub struct Writer<O> {
    output: O,
    escape: Escape,
    layout: Option<Layout>,
    next: Next,
    /// Whether the innermost open container is an object.
    in_object: bool,
    /// The same for the containers around it. The outermost is false, for the document.
    outer: Vec<bool>,
    /// Whether a line break comes before the next token.
    break_line: bool,
    /// Number of bytes flushed so far, minus those that the buffer held at first.
    passed: u64,
    /// The first error.
    error: Option<Error>,
}

impl<O: Output> Writer<O> {
    /// Returns a writer of compact text to `output`: a `Vec<u8>`, a `&mut Vec<u8>` that is appended to, or a [`Stream`].
    ///
    /// ```
    /// use fjson::Writer;
    ///
    /// let mut line = b"data: ".to_vec();
    /// let mut writer = Writer::new(&mut line);
    /// writer.begin_array().value(1.5).value(true).end();
    /// writer.finish()?;
    /// assert_eq!(line, b"data: [1.5,true]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn new(mut output: O) -> Self {
        // Text that is already there does not count.
        let passed = 0_u64.wrapping_sub(output.text().len() as u64);
        Self {
            output,
            escape: Escape::minimal(),
            layout: None,
            next: Next::Root,
            in_object: false,
            outer: Vec::new(),
            break_line: false,
            passed,
            error: None,
        }
    }

    /// Writes each value and closing bracket on a line of its own, indented by `layout`, as [`pretty`](crate::pretty()) does.
    ///
    /// ```
    /// use fjson::Layout;
    /// use fjson::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new()).layout(Layout::spaces(2));
    /// writer.begin_object().name("a").begin_array().value(1).end().name("b").begin_array().end().end();
    /// assert_eq!(writer.finish()?, b"{\n  \"a\": [\n    1\n  ],\n  \"b\": []\n}");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = Some(layout);
        self
    }

    /// Escapes these characters in names and strings. [`raw`](Self::raw) text is not changed.
    ///
    /// ```
    /// use fjson::Writer;
    /// use fjson::scalar::Escape;
    ///
    /// let mut writer = Writer::new(Vec::new()).escape(Escape::minimal().html());
    /// writer.value("</script>");
    /// assert_eq!(writer.finish()?, br#""\u003c/script\u003e""#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn escape(mut self, escape: Escape) -> Self {
        self.escape = escape;
        self
    }

    /// Begins an object. It ends with [`end`](Self::end).
    ///
    /// ```
    /// let mut writer = fjson::Writer::new(Vec::new());
    /// writer.begin_object().name("inner").begin_object().end().end();
    /// assert_eq!(writer.finish()?, br#"{"inner":{}}"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn begin_object(&mut self) -> &mut Self {
        self.begin("begin_object", b'{', true)
    }

    /// Begins an array. It ends with [`end`](Self::end).
    ///
    /// ```
    /// let mut writer = fjson::Writer::new(Vec::new());
    /// writer.begin_array().value(1).begin_array().end().end();
    /// assert_eq!(writer.finish()?, b"[1,[]]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn begin_array(&mut self) -> &mut Self {
        self.begin("begin_array", b'[', false)
    }

    /// Ends the innermost object or array; see the examples of [`begin_object`](Self::begin_object) and
    /// [`begin_array`](Self::begin_array).
    pub fn end(&mut self) -> &mut Self {
        if self.error.is_some() {
            return self;
        }
        let problem = match (self.next, self.outer.is_empty()) {
            (Next::First | Next::Another, false) => None,
            (Next::Value, _) => Some("after a name without a value"),
            (Next::RestOfValue, _) => Some(PANICKED),
            _ => Some("without an object or array to end"),
        };
        if let Some(problem) = problem {
            return self.misuse("end", problem);
        }
        let is_empty = self.next == Next::First;
        let bracket = if self.in_object { b'}' } else { b']' };
        self.in_object = self.outer.pop().unwrap_or_default();
        self.separate(None, !is_empty);
        self.output.text().push(bracket);
        self.after_value()
    }

    /// Writes the name of a member. Its value is written next.
    ///
    /// ```
    /// let mut writer = fjson::Writer::new(Vec::new());
    /// writer.begin_object().name("a\"b").value(1).name("").value(2).end();
    /// assert_eq!(writer.finish()?, br#"{"a\"b":1,"":2}"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn name(&mut self, name: &str) -> &mut Self {
        if self.error.is_some() {
            return self;
        }
        let problem = match self.next {
            Next::First | Next::Another if self.in_object => None,
            Next::Value => Some("after a name without a value"),
            Next::RestOfValue => Some(PANICKED),
            _ => Some("outside an object"),
        };
        if let Some(problem) = problem {
            return self.misuse("name", problem);
        }
        let is_first = self.next == Next::First;
        self.next = Next::Value;
        if self.layout.is_none() && !self.break_line && self.escape == Escape::minimal() {
            push_name(self.output.text(), is_first, name);
            return self;
        }
        self.separate((!is_first).then_some(b','), true);
        let text = self.output.text();
        push_string_escaped(text, name, self.escape);
        text.extend_from_slice(if self.layout.is_some() { b": " } else { b":" });
        self
    }

    /// Writes a string, a number, a literal or null. Infinite numbers and NaN, which JSON does not have, are written as null.
    ///
    /// ```
    /// use fjson::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.begin_array().value("text").value(u128::MAX).value(0.1).value(f64::NAN).value(()).value(Some('x')).end();
    /// let text = writer.finish()?;
    /// assert_eq!(text, br#"["text",340282366920938463463374607431768211455,0.1,null,null,"x"]"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn value(&mut self, value: impl Scalar) -> &mut Self {
        if self.before_value("value") {
            value.append_json_in(self.layout, self.outer.len(), self.escape, self.output.text());
            self.after_value();
        }
        self
    }

    /// Writes the text of a JSON value unchanged. Text that is not valid JSON is misuse, and not written.
    ///
    /// ```
    /// use fjson::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.begin_array().raw("1e400").raw("{\"a\": [ ]}").end();
    /// assert_eq!(writer.finish()?, b"[1e400,{\"a\": [ ]}]");
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.raw("1, 2");
    /// assert!(writer.finish().unwrap_err().to_string().starts_with("`raw` with text that is not valid JSON"));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn raw(&mut self, text: &str) -> &mut Self {
        if self.error.is_none()
            && let Err(error) = validate(text, &Options::new())
        {
            return self.misuse("raw", &format!("with text that is not valid JSON ({error})"));
        }
        if self.before_value("raw") {
            self.output.text().extend_from_slice(text.as_bytes());
            self.after_value();
        }
        self
    }

    /// Writes a line break before the next name, value, or closing bracket, in compact text. It changes nothing where a layout
    /// breaks the line anyway, nor between a name and its value.
    ///
    /// ```
    /// use fjson::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.begin_array();
    /// for id in [1, 2] {
    ///     writer.break_line().begin_object().name("id").value(id).end();
    /// }
    /// writer.break_line().end();
    /// assert_eq!(writer.finish()?, b"[\n{\"id\":1},\n{\"id\":2}\n]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn break_line(&mut self) -> &mut Self {
        self.break_line = true;
        self
    }

    /// Ends the document with a line break, so that another one may follow, as in NDJSON. For NDJSON, use no layout, no line
    /// breaks and no [`raw`](Self::raw) text that has some.
    ///
    /// ```
    /// use fjson::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// for level in ["info", "warning"] {
    ///     writer.begin_object().name("level").value(level).end().end_document();
    /// }
    /// assert_eq!(writer.finish()?, b"{\"level\":\"info\"}\n{\"level\":\"warning\"}\n");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn end_document(&mut self) -> &mut Self {
        if self.error.is_some() {
            return self;
        }
        match self.next {
            Next::Nothing => {}
            Next::RestOfValue => return self.misuse("end_document", PANICKED),
            _ => return self.misuse("end_document", "before the document is complete"),
        }
        self.output.text().push(b'\n');
        self.next = Next::Root;
        self.break_line = false;
        self.flush_if_full();
        self
    }

    /// Returns the first error so far, to stop early. [`finish`](Self::finish) returns it, too.
    ///
    /// ```
    /// let mut writer = fjson::Writer::new(Vec::new());
    /// writer.begin_array();
    /// assert!(writer.error().is_none());
    /// writer.name("outside an object");
    /// assert!(writer.error().is_some() && writer.finish().is_err());
    /// ```
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Ends the text, passes it on, and returns the vector or the writer.
    ///
    /// # Errors
    /// If a call was misused, if the document is not complete, or if writing failed. A text without any document is not complete,
    /// either; to write records of which there may be none, do not call this if there are none.
    ///
    /// ```
    /// use fjson::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.value(true);
    /// assert_eq!(writer.finish()?, b"true");
    /// assert!(Writer::new(Vec::new()).finish().is_err());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn finish(mut self) -> Result<O::Finished, Error> {
        // After `end_document` there need not be another document. But there must be one.
        let is_complete = self.next == Next::Nothing || self.next == Next::Root && self.written() > 0;
        if self.error.is_none() && !is_complete {
            let problem = if self.next == Next::RestOfValue { PANICKED } else { "before the document is complete" };
            self.misuse("finish", problem);
        }
        match self.error {
            Some(error) => Err(error),
            None => self.output.finish().map_err(|error| Error::write(error, self.passed)),
        }
    }

    #[inline]
    fn begin(&mut self, call: &str, bracket: u8, is_object: bool) -> &mut Self {
        if self.before_value(call) {
            self.output.text().push(bracket);
            self.outer.push(self.in_object);
            self.in_object = is_object;
            self.next = Next::First;
        }
        self
    }

    /// Writes what comes before a value. Returns whether the value may follow.
    #[inline]
    fn before_value(&mut self, call: &str) -> bool {
        if self.error.is_some() {
            return false;
        }
        match self.next {
            Next::Value => self.break_line = false,
            Next::Root => self.separate(None, false),
            Next::Nothing => {
                self.misuse(call, "after the end of the document");
                return false;
            }
            Next::First | Next::Another if self.in_object => {
                self.misuse(call, "in an object without a name before it");
                return false;
            }
            Next::RestOfValue => {
                self.misuse(call, PANICKED);
                return false;
            }
            Next::First => self.separate(None, true),
            Next::Another => self.separate(Some(b','), true),
        }
        true
    }

    #[inline]
    fn after_value(&mut self) -> &mut Self {
        self.next = if self.outer.is_empty() { Next::Nothing } else { Next::Another };
        self.flush_if_full();
        self
    }

    /// Writes what separates two tokens: a comma, and a line break if the layout has one here or it was asked for.
    #[inline]
    fn separate(&mut self, comma: Option<u8>, is_line: bool) {
        let text = self.output.text();
        text.extend(comma);
        match self.layout {
            Some(layout) if is_line => layout.push_line_break(self.outer.len(), text),
            None if self.break_line => text.push(b'\n'),
            _ => {}
        }
        self.break_line = false;
    }

    #[inline]
    fn flush_if_full(&mut self) {
        match self.output.flush_if_full() {
            Ok(passed) => self.passed = self.passed.wrapping_add(passed as u64),
            Err(error) => self.error = Some(Error::write(error, self.passed)),
        }
    }

    /// Returns the number of bytes written.
    fn written(&mut self) -> u64 {
        self.passed.wrapping_add(self.output.text().len() as u64)
    }

    #[cold]
    fn misuse(&mut self, call: &str, problem: &str) -> &mut Self {
        let offset = self.written();
        let unit = if offset == 1 { "byte" } else { "bytes" };
        self.error = Some(Error::misuse(format!("`{call}` {problem}, after {offset} {unit} of output"), offset));
        self
    }
}

impl Default for Writer<Vec<u8>> {
    /// Returns a writer of compact text to a new vector.
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Writer<Vec<u8>> {
    /// Returns the text since the last call, to pass it on before the document is complete. [`finish`](Self::finish) returns the rest.
    ///
    /// ```
    /// use fjson::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.begin_array().value(1);
    /// assert_eq!(writer.take(), b"[1");
    /// writer.value(2).end();
    /// assert_eq!(writer.finish()?, b",2]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn take(&mut self) -> Vec<u8> {
        self.passed = self.passed.wrapping_add(self.output.len() as u64);
        std::mem::take(&mut self.output)
    }
}
