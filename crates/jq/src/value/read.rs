//! Reading texts as values: valid documents with the engine, and the more lenient texts of `fromjson`.

#![forbid(unsafe_code)]

mod lenient;

use fjson::Elements;
use fjson::Members;
use fjson::Options;
use fjson::OwnedDocument;
use fjson::Parser;

use crate::value::Object;
use crate::value::Repr;
use crate::value::Text;
use crate::value::Value;
use crate::value::lazy::shared_key;
use crate::value::number;

pub(crate) use lenient::read as lenient;

/// Reads documents one after the other, and uses the memory of one that is no longer needed for the next.
///
/// ```
/// use fjson_jq::value::Reader;
///
/// let mut reader = Reader::new();
/// let value = reader.read(br#"{"a": 1.50, "b": {}, "a": [true]}"#)?;
/// assert_eq!(value.to_string(), r#"{"a":[true],"b":{}}"#);
/// assert_eq!(reader.read(b"[1").unwrap_err().offset(), 2);
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    parser: Parser,
    /// The last document, whose memory is used again if no value needs it.
    last: Option<OwnedDocument>,
}

impl Reader {
    /// Returns a reader with default options.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(&Options::new().max_memory(u64::MAX))
    }

    /// Returns a reader that checks documents with these options.
    #[must_use]
    pub fn with_options(options: &Options) -> Self {
        Self { parser: Parser::with_options(options), last: None }
    }

    /// Returns the value of a document. The last of members with the same key remains, in the place of the first. Lone surrogates
    /// become U+FFFD.
    ///
    /// The text is checked and copied. It is decoded only as far as something looks at it, and stays in memory as long as one of its
    /// values.
    ///
    /// # Errors
    /// The first error of the document; or if the text with the list of its tokens takes more than [`Options::max_memory`].
    pub fn read(&mut self, text: &[u8]) -> Result<Value, fjson::Error> {
        let mut buffer = self.last.take().and_then(|last| self.parser.reuse(last)).unwrap_or_default();
        buffer.extend_from_slice(text);
        let document = self.parser.owned_document(buffer)?;
        let value = Value::of_text(document.own(document.root()));
        self.last = Some(document);
        Ok(value)
    }

    /// Returns the value of a document like [`read`](Self::read), but decodes all of it at once, so that no value needs the text. For a
    /// program that looks at everything, it is as fast.
    ///
    /// # Errors
    /// The first error of the document.
    ///
    /// ```
    /// use fjson_jq::value::Reader;
    ///
    /// let value = Reader::new().read_decoded(br#"{"a": [1, 2]}"#)?;
    /// assert_eq!(value.to_string(), r#"{"a":[1,2]}"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn read_decoded(&mut self, text: &[u8]) -> Result<Value, fjson::Error> {
        Ok(decode(self.parser.document(text)?.root()))
    }

    /// Returns the value of a document that was read already, with everything in it decoded. A [`Batch`](crate::value::Batch) makes
    /// values that are decoded when they are looked at.
    ///
    /// ```
    /// use fjson::OwnedDocument;
    /// use fjson_jq::value::Reader;
    ///
    /// let document = OwnedDocument::new(br#"{"a": [1, 2]}"#.to_vec())?;
    /// assert_eq!(Reader::new().value(document.root()).to_string(), r#"{"a":[1,2]}"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn value(&mut self, document: fjson::Value<'_, '_>) -> Value {
        decode(document)
    }
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

/// A container whose elements or members are being read.
enum Frame<'d> {
    Array(Vec<Value>, Elements<'d, 'd>),
    /// The key is that of the value that is being read.
    Object(Object, Members<'d, 'd>, Text),
}

/// Returns a value of a checked document.
pub(super) fn decode(root: fjson::Value<'_, '_>) -> Value {
    let empty = shared_key("".into());
    let mut frames: Vec<Frame<'_>> = Vec::new();
    let mut next = Some(root);
    loop {
        // Opens containers until there is a value.
        let mut done = match next {
            Some(value) => match value.kind() {
                fjson::Kind::Array => {
                    frames.push(Frame::Array(Vec::new(), value.iter()));
                    None
                }
                fjson::Kind::Object => {
                    frames.push(Frame::Object(Object::new(), value.members(), empty.clone()));
                    None
                }
                _ => Some(scalar(value)),
            },
            None => None,
        };
        next = None;
        // Adds the value to its container, and closes containers that have no more.
        while next.is_none() {
            let Some(frame) = frames.last_mut() else { return done.unwrap_or_default() };
            match frame {
                Frame::Array(items, elements) => {
                    items.extend(done.take());
                    next = elements.next();
                }
                Frame::Object(object, members, key) => {
                    if let Some(value) = done.take() {
                        object.insert(std::mem::replace(key, empty.clone()), value);
                    }
                    if let Some(member) = members.next() {
                        *key = shared_key(member.key.as_str_lossy().unwrap_or_default());
                        next = Some(member.value);
                    }
                }
            }
            if next.is_none() {
                done = match frames.pop() {
                    Some(Frame::Array(items, _)) => Some(items.into()),
                    Some(Frame::Object(object, ..)) => Some(object.into()),
                    None => None,
                };
            }
        }
    }
}

fn scalar(value: fjson::Value<'_, '_>) -> Value {
    match value.kind() {
        fjson::Kind::Bool => Value(Repr::Boolean(value.as_bool() == Some(true))),
        fjson::Kind::Number => number::parse_json(value.raw().as_bytes()),
        fjson::Kind::String => Value::from(value.as_str_lossy().unwrap_or_default().into_owned()),
        _ => Value::NULL,
    }
}
