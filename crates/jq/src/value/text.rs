//! Shared strings that are copied when they change.

#![forbid(unsafe_code)]

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use crate::value::memory::Counted;

/// The content of a string. Cloning copies a pointer.
///
/// ```
/// use fjson_jq::value::Text;
///
/// let mut text = Text::from("ab");
/// let other = text.clone();
/// text.push_str("c");
/// assert_eq!((&*text, &*other), ("abc", "ab"));
/// ```
#[derive(Clone)]
pub struct Text(Rc<Shared>);

struct Shared {
    content: String,
    counted: Counted,
}

/// Bytes of a string beside its content.
const HEAD: usize = size_of::<Shared>() + 2 * size_of::<usize>();

impl Text {
    /// Bytes that any string takes: beside its content, and as the least that is allocated for that.
    pub(crate) const SMALLEST: usize = HEAD + 2 * size_of::<usize>();

    /// Appends `text`. Takes time in proportion to `text` if nothing else shares the string.
    pub fn push_str(&mut self, text: &str) {
        let shared = Rc::make_mut(&mut self.0);
        shared.content.push_str(text);
        shared.counted.set(HEAD + shared.content.capacity());
    }

    /// Returns the content, without copying it if nothing else shares it.
    #[must_use]
    pub fn into_string(self) -> String {
        match Rc::try_unwrap(self.0) {
            Ok(shared) => shared.content,
            Err(shared) => shared.content.clone(),
        }
    }

    /// Whether both share one content.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Clone for Shared {
    fn clone(&self) -> Self {
        let content = self.content.clone();
        Self { counted: Counted::new(HEAD + content.capacity()), content }
    }
}

impl From<String> for Text {
    fn from(content: String) -> Self {
        Self(Rc::new(Shared { counted: Counted::new(HEAD + content.capacity()), content }))
    }
}

impl From<&str> for Text {
    fn from(content: &str) -> Self {
        Self::from(content.to_owned())
    }
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.0.content
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of the bytes, which for UTF-8 is that of the code points.
impl Ord for Text {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        str::cmp(self, other)
    }
}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        str::hash(self, state);
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self)
    }
}
