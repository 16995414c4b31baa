//! Documents and records that own their text, for programs that keep them, or pass them to other threads.

#![forbid(unsafe_code)]

use std::fmt;
use std::mem;
use std::sync::Arc;

use crate::document::Parser;
use crate::document::Records;
use crate::document::Tokens;
use crate::document::Value;
use crate::document::View;
use crate::document::text::Listed;
use crate::error::Error;
use crate::options::Options;

/// A valid document that owns its text and the list of its tokens. Clones share them, so a clone costs nothing, and it can be sent to
/// other threads.
///
/// ```
/// use fjson::OwnedDocument;
///
/// let document = OwnedDocument::new(br#"{"name": "Ada", "ids": [1, 2]}"#.to_vec())?;
/// let ids = document.own(document.root().get("ids").unwrap());
/// let count = std::thread::spawn(move || ids.value().len()).join().unwrap();
/// assert_eq!((count, document.root().get("name").unwrap().as_str().unwrap().as_ref()), (2, "Ada"));
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone)]
pub struct OwnedDocument {
    listed: Arc<Listed<Vec<u8>>>,
}

/// Valid records of NDJSON that own their text and the list of their tokens, like an [`OwnedDocument`].
///
/// ```
/// use fjson::Parser;
///
/// let records = Parser::new().owned_records(b"{\"id\": 1}\n{\"id\": 2}\n".to_vec())?;
/// assert_eq!(records.iter().filter_map(|record| record.get("id")?.as_u64()).sum::<u64>(), 3);
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone)]
pub struct OwnedRecords {
    listed: Arc<Listed<Vec<u8>>>,
}

/// A value that shares the text and the tokens of its [`OwnedDocument`] or [`OwnedRecords`]. It takes two words of memory.
#[derive(Clone)]
pub struct OwnedValue {
    listed: Arc<Listed<Vec<u8>>>,
    token: u32,
}

/// Returns a view of a text that was listed before it was shared.
#[inline]
#[expect(clippy::expect_used, reason = "owned documents are made of listed texts only")]
fn view(listed: &Listed<Vec<u8>>) -> View<'_, '_> {
    listed.view().expect("a listed text")
}

/// Returns an owned value, or panics if it is one of another text.
fn own(listed: &Arc<Listed<Vec<u8>>>, value: Value<'_, '_>) -> OwnedValue {
    assert!(view(listed).is_same(value.view()), "the value is one of this document");
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a text has fewer tokens than bytes, which are less than 4 GiB"
    )]
    let token = value.token() as u32;
    OwnedValue { listed: Arc::clone(listed), token }
}

impl OwnedDocument {
    /// Checks a document. To read many of them, use [`Parser::owned_document`], which uses memory again.
    ///
    /// # Errors
    /// Like [`Parser::document`].
    pub fn new(text: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Parser::new().owned_document(text)
    }

    /// Returns the outermost value.
    #[must_use]
    #[inline]
    pub fn root(&self) -> Value<'_, '_> {
        Value::new(view(&self.listed), 0)
    }

    /// Returns the tokens.
    #[must_use]
    pub fn tokens(&self) -> Tokens<'_, '_> {
        Tokens::new(view(&self.listed))
    }

    /// Returns a value of this document that shares its text.
    ///
    /// # Panics
    /// If it is a value of another document.
    #[must_use]
    pub fn own(&self, value: Value<'_, '_>) -> OwnedValue {
        own(&self.listed, value)
    }
}

impl OwnedRecords {
    /// Returns the records, from the first one.
    #[must_use]
    pub fn iter(&self) -> Records<'_, '_> {
        Records::new(view(&self.listed))
    }

    /// Returns a value of these records that shares their text.
    ///
    /// # Panics
    /// If it is a value of another text.
    #[must_use]
    pub fn own(&self, value: Value<'_, '_>) -> OwnedValue {
        own(&self.listed, value)
    }
}

impl<'r> IntoIterator for &'r OwnedRecords {
    type Item = Value<'r, 'r>;
    type IntoIter = Records<'r, 'r>;

    fn into_iter(self) -> Records<'r, 'r> {
        self.iter()
    }
}

impl OwnedValue {
    /// Returns a value that shares the text of `listed`, or panics if it is one of another text.
    pub(crate) fn of(listed: &Arc<Listed<Vec<u8>>>, value: Value<'_, '_>) -> Self {
        own(listed, value)
    }

    /// Returns the value, to read it.
    ///
    /// ```
    /// let document = fjson::OwnedDocument::new("[1, [2]]")?;
    /// let second = document.own(document.root().at(1).unwrap());
    /// drop(document);
    /// assert_eq!(second.value().at(0).unwrap().as_u64(), Some(2));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn value(&self) -> Value<'_, '_> {
        Value::new(view(&self.listed), self.token as usize)
    }

    /// Returns a value of the same text, such as an element of this value.
    ///
    /// # Panics
    /// If it is a value of another text.
    ///
    /// ```
    /// let document = fjson::OwnedDocument::new("[[1], [2]]")?;
    /// let root = document.own(document.root());
    /// let elements: Vec<_> = root.value().iter().map(|element| root.own(element)).collect();
    /// assert_eq!(elements[1].value().raw(), "[2]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn own(&self, value: Value<'_, '_>) -> Self {
        own(&self.listed, value)
    }
}

impl Parser {
    /// Checks a document like [`document`](Self::document), but owns its text. The list of tokens takes the memory of the parser with
    /// it; [`reuse`](Self::reuse) gives it back.
    ///
    /// # Errors
    /// Like [`document`](Self::document); or an error of the kind [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit) if the text
    /// and its tokens take more than [`Options::max_memory`](crate::Options::max_memory).
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let mut buffer = Vec::new();
    /// for text in ["[1, 2]", "[3]"] {
    ///     buffer.extend_from_slice(text.as_bytes());
    ///     let document = parser.owned_document(buffer)?;
    ///     assert!(document.root().at(0).is_some());
    ///     // Nobody else has the document, so all of its memory is used for the next one.
    ///     buffer = parser.reuse(document).unwrap_or_default();
    /// }
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn owned_document(&mut self, text: impl Into<Vec<u8>>) -> Result<OwnedDocument, Error> {
        let listed = self.listed(text.into(), Listed::list_document)?;
        Ok(OwnedDocument { listed: Arc::new(listed) })
    }

    /// Checks the records of NDJSON like [`records`](Self::records), but owns their text, like [`owned_document`](Self::owned_document).
    ///
    /// # Errors
    /// Like [`records`](Self::records) and [`owned_document`](Self::owned_document).
    pub fn owned_records(&mut self, text: impl Into<Vec<u8>>) -> Result<OwnedRecords, Error> {
        let listed = self.listed(text.into(), Listed::list_records)?;
        Ok(OwnedRecords { listed: Arc::new(listed) })
    }

    /// Takes the memory of a document that is no longer needed, and returns the buffer of its text, empty. `None` if there are clones or
    /// values of the document, which go on using its memory.
    #[must_use]
    pub fn reuse(&mut self, document: OwnedDocument) -> Option<Vec<u8>> {
        self.take_memory(document.listed)
    }

    /// Takes the memory of records that are no longer needed, like [`reuse`](Self::reuse).
    #[must_use]
    pub fn reuse_records(&mut self, records: OwnedRecords) -> Option<Vec<u8>> {
        self.take_memory(records.listed)
    }

    fn take_memory(&mut self, listed: Arc<Listed<Vec<u8>>>) -> Option<Vec<u8>> {
        let (mut text, index) = Arc::into_inner(listed)?.into_parts();
        self.index = index;
        text.clear();
        Some(text)
    }

    /// Lists the tokens of a text. If that fails, the parser keeps the memory of the list.
    fn listed(
        &mut self,
        text: Vec<u8>,
        list: impl FnOnce(&mut Listed<Vec<u8>>, &Options) -> Result<(), Error>,
    ) -> Result<Listed<Vec<u8>>, Error> {
        let limit = self.options.max_memory;
        if text.len() as u64 > limit {
            return Err(Error::document_limit(limit, 0));
        }
        let mut listed = Listed::new(text, mem::take(&mut self.index));
        let result = list(&mut listed, &self.options)
            .and_then(|()| if listed.size() > limit { Err(Error::document_limit(limit, 0)) } else { Ok(()) });
        match result {
            Ok(()) => Ok(listed),
            Err(error) => {
                self.index = listed.into_parts().1;
                Err(error)
            }
        }
    }
}

impl fmt::Debug for OwnedDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("OwnedDocument").field(&self.root().raw()).finish()
    }
}

impl fmt::Debug for OwnedRecords {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for OwnedValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("OwnedValue").field(&self.value().raw()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::OwnedDocument;
    use super::OwnedRecords;
    use super::OwnedValue;
    use crate::document::Parser;
    use crate::error::ErrorKind;
    use crate::options::Options;

    #[test]
    fn documents_cross_threads() {
        fn is_shared<T: Send + Sync + Clone + 'static>() {}
        is_shared::<OwnedDocument>();
        is_shared::<OwnedRecords>();
        is_shared::<OwnedValue>();
        assert_eq!(size_of::<OwnedValue>(), 2 * size_of::<usize>());
    }

    /// The buffer of the text and that of the list are those of the document before.
    #[test]
    fn memory_is_used_again() {
        let mut parser = Parser::new();
        let text = format!("[{}0]", "0,".repeat(5000));
        let first = parser.owned_document(text.clone()).expect("valid");
        let buffers =
            |document: &OwnedDocument| (document.tokens().text().as_ptr(), document.tokens().positions().as_ptr());
        let before = buffers(&first);
        let mut buffer = parser.reuse(first).expect("the only owner");
        assert!(buffer.is_empty());
        buffer.extend_from_slice(text.as_bytes());
        let second = parser.owned_document(buffer).expect("valid");
        assert_eq!(buffers(&second), before);
        let kept = second.own(second.root());
        assert!(parser.reuse(second).is_none());
        assert_eq!(kept.value().len(), 5001);
    }

    #[test]
    fn limits() {
        let text = "[[1], [2]]";
        let limited = |most| Parser::with_options(&Options::new().max_memory(most)).owned_document(text);
        let needed = text.len() as u64 + 4 * 9;
        assert!(limited(needed).is_ok());
        for most in [needed - 1, 9, 0] {
            assert_eq!(limited(most).map_err(|error| error.kind()).err(), Some(ErrorKind::MemoryLimit), "{most}");
        }
        let mut parser = Parser::with_options(&Options::new().max_depth(Some(1)));
        assert_eq!(parser.owned_document(text).map_err(|error| error.kind()).err(), Some(ErrorKind::DepthLimit));
        assert_eq!(parser.owned_records("1\n[[]]").map_err(|error| error.record()).err(), Some(Some(2)));
        assert!(parser.owned_records("[1]\n[2]").is_ok());
    }

    #[test]
    #[should_panic = "the value is one of this document"]
    fn values_of_other_documents() {
        let documents = ["[1]", "[2]"].map(|text| OwnedDocument::new(text).expect("valid"));
        drop(documents[0].own(documents[1].root()));
    }
}
