//! Reading texts as values: valid documents with the engine, and the more lenient texts of `fromjson`.

#![forbid(unsafe_code)]

mod lenient;

use fjson::Elements;
use fjson::Members;
use fjson::Options;
use fjson::Parser;

use crate::value::Object;
use crate::value::Repr;
use crate::value::Text;
use crate::value::Value;
use crate::value::number;

pub(crate) use lenient::read as lenient;

/// Reads documents, and keeps what one document has in common with the next: memory, and the keys of objects.
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
#[derive(Debug, Default)]
pub struct Reader {
    parser: Parser,
    keys: Keys,
}

impl Reader {
    /// Returns a reader with default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a reader that checks documents with these options.
    #[must_use]
    pub fn with_options(options: &Options) -> Self {
        Self { parser: Parser::with_options(options), keys: Keys::default() }
    }

    /// Returns the value of a document. The last of members with the same key remains, in the place of the first. Lone surrogates
    /// become U+FFFD.
    ///
    /// # Errors
    /// The first error of the document.
    pub fn read(&mut self, text: &[u8]) -> Result<Value, fjson::Error> {
        let document = self.parser.document(text)?;
        Ok(decode(document.root(), &mut self.keys))
    }

    /// Returns the value of a document that was read already.
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
        decode(document, &mut self.keys)
    }
}

/// A container whose elements or members are being read.
enum Frame<'d> {
    Array(Vec<Value>, Elements<'d, 'd>),
    /// The key is that of the value that is being read.
    Object(Object, Members<'d, 'd>, Text),
}

/// Returns a value of a checked document.
fn decode(root: fjson::Value<'_, '_>, keys: &mut Keys) -> Value {
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
                    frames.push(Frame::Object(Object::new(), value.members(), keys.empty()));
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
                        object.insert(std::mem::replace(key, keys.empty()), value);
                    }
                    if let Some(member) = members.next() {
                        *key = keys.get(member.key);
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

/// Keys that were read before, so that equal keys share their memory.
#[derive(Debug, Default)]
struct Keys {
    /// Each key has one place.
    places: Vec<Option<Text>>,
    empty: Option<Text>,
}

/// The number of keys that are kept. Documents seldom have more different ones.
const KEPT: usize = 256;

/// Longer keys are rarely repeated.
const LONGEST_KEPT: usize = 64;

impl Keys {
    fn empty(&mut self) -> Text {
        self.empty.get_or_insert_with(|| "".into()).clone()
    }

    fn get(&mut self, key: fjson::Value<'_, '_>) -> Text {
        let text = key.as_str_lossy().unwrap_or_default();
        if text.len() > LONGEST_KEPT {
            return text.into_owned().into();
        }
        if self.places.is_empty() {
            self.places.resize(KEPT, None);
        }
        let place = &mut self.places[place(text.as_bytes())];
        match place {
            Some(kept) if **kept == *text => kept.clone(),
            _ => place.insert(text.into_owned().into()).clone(),
        }
    }
}

/// Returns the place of a key, from its length and three of its bytes.
fn place(key: &[u8]) -> usize {
    let byte = |at: usize| key.get(at).copied().map_or(0, usize::from);
    let mixed = key.len() * 31 + byte(0) * 7 + byte(key.len() / 2) * 13 + byte(key.len().saturating_sub(1)) * 3;
    mixed % KEPT
}
