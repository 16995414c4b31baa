//! A checked text with the positions of its tokens: the only code of the library that trusts what was checked before.
//!
//! A [`View`] exists only for a text in memory that is valid and whose tokens are listed. The text is borrowed, so it
//! cannot change while the view exists. (A mapped file can, and is never viewed.) So each token of the list begins with
//! the byte that its kind requires, each string has two quotes, each container two brackets, and everything between
//! them is UTF-8. Only the last fact is used without a check, because looking for invalid UTF-8 again takes as long as
//! reading the strings. Indices are checked by the compiler: a wrong one would be a panic and not undefined behavior.

#![expect(unsafe_code, reason = "strings of checked text are not checked for UTF-8 again")]
#![cfg_attr(not(feature = "serde"), expect(dead_code, reason = "some functions are used by deserializers only"))]

use std::ops::Deref;
use std::ptr;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;
use std::sync::RwLock;

use crate::document::tables::Slot;
use crate::document::tables::Tables;
use crate::error::Error;
use crate::grammar::is_whitespace;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::Check;
use crate::parallel::first_error;
use crate::positions::Positions;
use crate::profile::accepts;
use crate::scalar::StringError;
use crate::scalar::Surrogates;
use crate::scalar::has_escapes;
use crate::scalar::is_value;
use crate::scalar::unescape_into;

/// Number of tokens among which a closing bracket is searched before all brackets are linked.
const NEAR: usize = 64;

/// The tokens of a text, and links from opening to closing brackets. The memory is reused for the next text.
#[derive(Debug, Default)]
pub(crate) struct TokenIndex {
    positions: Positions,
    /// For each token that is an opening bracket, the token of its closing bracket. Empty if there is not enough memory.
    /// Made when a container is skipped that is not near its end.
    links: OnceLock<Vec<u32>>,
    spare: Mutex<Vec<u32>>,
    /// The members of wide objects.
    tables: RwLock<Tables>,
}

impl TokenIndex {
    /// Returns the size of the memory in bytes.
    #[cfg(feature = "serde")]
    pub(crate) fn memory(&self) -> usize {
        let links = self.links.get().map_or(0, Vec::capacity) + self.spare.lock().map_or(0, |spare| spare.capacity());
        self.positions.memory() + size_of::<u32>() * links
    }

    /// Forgets the tables and the links, but keeps the memory of the links.
    fn clear(&mut self) {
        self.tables.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        if let Some(links) = self.links.take() {
            self.spare = Mutex::new(links);
        }
    }
}

/// A text, and its tokens if they are listed: those of one document, or of the lines of NDJSON if all are valid.
#[derive(Debug, Default)]
pub(crate) struct Listed<S> {
    text: S,
    index: TokenIndex,
    /// The number of documents, if the tokens of this text are listed.
    documents: Option<u64>,
}

impl<S: Deref<Target = [u8]>> Listed<S> {
    /// Returns a text without its tokens. `index` is memory for reuse.
    pub(crate) fn new(text: S, index: TokenIndex) -> Self {
        Self { text, index, documents: None }
    }

    /// Returns the text to be replaced.
    pub(crate) fn text_mut(&mut self) -> &mut S {
        self.documents = None;
        &mut self.text
    }

    /// Returns the text and the memory.
    pub(crate) fn into_parts(self) -> (S, TokenIndex) {
        (self.text, self.index)
    }

    /// Checks all records and lists their tokens. Returns their number, or `None` if one is invalid or may not obey the profile.
    ///
    /// # Errors
    /// Like [`Positions::list_lines`].
    pub(crate) fn list_lines(&mut self, options: &Options) -> Result<Option<u64>, Error> {
        self.documents = None;
        self.index.clear();
        let records = self.index.positions.list_lines(&self.text, options)?;
        self.documents = records.filter(|_| accepts(&self.text, &self.index.positions, options));
        Ok(self.documents)
    }

    /// Checks all records and lists their tokens and ends.
    ///
    /// # Errors
    /// Like [`View::of_records`].
    pub(crate) fn list_records(&mut self, options: &Options) -> Result<(), Error> {
        self.documents = None;
        self.documents = Some(View::of_records(&self.text, &mut self.index, options)?.record_ends().len() as u64);
        Ok(())
    }

    /// Checks all records, except for the profile, and lists their tokens and ends. Returns their number, or `None` if one is invalid.
    ///
    /// # Errors
    /// Like [`Positions::list_records`].
    pub(crate) fn try_list_records(&mut self, options: &Options) -> Result<Option<u64>, Error> {
        self.documents = None;
        self.index.clear();
        self.documents = self.index.positions.list_records(&self.text, options)?;
        Ok(self.documents)
    }

    /// Checks one document and lists its tokens as those of a record, without the rules of stricter profiles. Returns false if it is
    /// invalid.
    ///
    /// # Errors
    /// Like [`Positions::list_document`].
    pub(crate) fn try_list_single(&mut self, options: &Options) -> Result<bool, Error> {
        self.documents = None;
        self.index.clear();
        if self.index.positions.list_document(&self.text, options)? {
            self.index.positions.end_record()?;
            self.documents = Some(1);
        }
        Ok(self.documents.is_some())
    }

    /// Checks one document and lists its tokens.
    ///
    /// # Errors
    /// Like [`View::of_document`].
    pub(crate) fn list_document(&mut self, options: &Options) -> Result<(), Error> {
        self.documents = None;
        View::of_document(&self.text, &mut self.index, options)?;
        self.documents = Some(1);
        Ok(())
    }

    /// Like [`accepts`].
    pub(crate) fn is_accepted(&self, options: &Options) -> bool {
        self.documents.is_some() && accepts(&self.text, &self.index.positions, options)
    }

    /// Returns the size of the text and the list of its tokens in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.text.len() as u64 + self.index.positions.size()
    }
}

impl Listed<Vec<u8>> {
    /// Gives the text the whitespace of its source, which differs in that only, and has no bytes at the indexes `inserted`. If the
    /// source has changed meanwhile, other bytes stay as they were checked.
    pub(crate) fn restore_whitespace(&mut self, source: &[u8], inserted: &[usize]) {
        let (mut at, mut rest) = (0, source);
        for end in inserted.iter().copied().chain([self.text.len()]) {
            let Some(part) = self.text.get_mut(at..end) else { return };
            let (now, after) = rest.split_at(part.len().min(rest.len()));
            for (byte, &original) in part.iter_mut().zip(now) {
                // One ASCII byte takes the place of another, so the text stays UTF-8.
                if is_whitespace(*byte) && is_whitespace(original) {
                    *byte = original;
                }
            }
            (at, rest) = (end + 1, after);
        }
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the tokens if they are listed.
    #[inline]
    pub(crate) fn view(&self) -> Option<View<'_, '_>> {
        self.documents.map(|_| View::new(&self.text, &self.index))
    }
}

impl<'t> Listed<&'t [u8]> {
    /// Returns the text.
    pub(crate) fn borrowed_text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns the tokens if they are listed.
    #[inline]
    pub(crate) fn borrowed_view(&self) -> Option<View<'_, 't>> {
        self.documents.map(|_| View::new(self.text, &self.index))
    }
}

/// Returns the first error of a text. One that is not valid has one.
#[cold]
fn find_error(text: &[u8], is_valid: bool, options: &Options) -> Result<(), Error> {
    first_error(&mut Input::from(text), options, &mut Check)?;
    if is_valid { Ok(()) } else { Input::from(text).outcome(Err(Error::input_changed(0))) }
}

/// A checked text and its tokens. A token is an index into the list of positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'p, 't> {
    text: &'t [u8],
    /// The positions of the tokens, and the length of the text after them.
    positions: &'p [u32],
    index: &'p TokenIndex,
}

impl<'p, 't> View<'p, 't> {
    /// Checks one document and lists its tokens in `index`.
    ///
    /// # Errors
    /// Returns the first error of the document, or an error of [`Positions::list_document`].
    pub(crate) fn of_document(text: &'t [u8], index: &'p mut TokenIndex, options: &Options) -> Result<Self, Error> {
        index.clear();
        let is_valid = index.positions.list_document(text, options)?;
        if !is_valid || !accepts(text, &index.positions, options) {
            find_error(text, is_valid, &options.clone().framing(Framing::Document))?;
        }
        Ok(Self::new(text, index))
    }

    /// Checks the records of NDJSON and lists their tokens and ends in `index`.
    ///
    /// # Errors
    /// Returns the first error of a record, or an error of [`Positions::list_records`].
    pub(crate) fn of_records(text: &'t [u8], index: &'p mut TokenIndex, options: &Options) -> Result<Self, Error> {
        index.clear();
        let is_valid = index.positions.list_records(text, options)?.is_some();
        if !is_valid || !accepts(text, &index.positions, options) {
            find_error(text, is_valid, &options.clone().framing(Framing::Lines))?;
        }
        Ok(Self::new(text, index))
    }

    fn new(text: &'t [u8], index: &'p TokenIndex) -> Self {
        Self { text, positions: index.positions.list(), index }
    }

    /// Returns the whole text.
    pub(crate) fn text(self) -> &'t [u8] {
        self.text
    }

    /// Returns the positions of the tokens, and the length of the text after them.
    #[inline]
    pub(crate) fn positions(self) -> &'p [u32] {
        self.positions
    }

    /// Returns the number of the first token after each record, if records were listed.
    #[inline]
    pub(crate) fn record_ends(self) -> &'p [u32] {
        self.index.positions.record_ends()
    }

    /// Whether both are views of the same list.
    pub(crate) fn is_same(self, other: View<'_, '_>) -> bool {
        ptr::eq(self.index, other.index)
    }

    /// Whether any string has escapes.
    #[inline]
    pub(crate) fn has_any_escapes(self) -> bool {
        self.index.positions.has_escapes()
    }

    /// Returns the number of tokens.
    #[inline]
    pub(crate) fn count(self) -> usize {
        self.positions.len() - 1
    }

    /// Returns the index in the text of the first byte of a token, or the length of the text after the last token.
    #[inline(always)]
    pub(crate) fn start(self, token: usize) -> usize {
        self.positions[token] as usize
    }

    /// Returns the first byte of a token, or 0 after the last token.
    #[inline(always)]
    pub(crate) fn byte(self, token: usize) -> u8 {
        self.text.get(self.start(token)).copied().unwrap_or(0)
    }

    /// Returns the text from the first byte of a token to the end.
    #[inline(always)]
    pub(crate) fn rest(self, token: usize) -> &'t [u8] {
        &self.text[self.start(token)..]
    }

    /// Returns the text between the quotes of a string.
    #[inline(always)]
    pub(crate) fn inside(self, token: usize) -> &'t [u8] {
        &self.text[self.start(token) + 1..self.start(token + 1)]
    }

    /// Whether a string, of which `token` is the opening quote, has this value.
    #[inline(always)]
    pub(super) fn is_key(self, token: usize, key: &str) -> bool {
        let (start, end) = (self.start(token) + 1, self.start(token + 1));
        let text = &self.text[start..end];
        if self.index.positions.may_have_escapes(start, end) && has_escapes(text) {
            is_value(text, key)
        } else {
            *text == *key.as_bytes()
        }
    }

    /// Looks for a key in the table of a wide object, which may return an empty slot. `None` if it has no table yet.
    #[cold]
    pub(super) fn wide_member(self, object: usize, key: &str) -> Option<Slot> {
        let found = self.index.tables.read().unwrap_or_else(PoisonError::into_inner).get(self, object, key);
        if found.is_none() {
            self.index.tables.write().unwrap_or_else(PoisonError::into_inner).count(self, object);
        }
        found
    }

    /// Returns the text between the quotes of a string if it has no escapes, so that it is the value of the string. `token` is
    /// its opening quote.
    #[inline(always)]
    pub(crate) fn plain(self, token: usize) -> Option<&'t str> {
        let (start, end) = (self.start(token) + 1, self.start(token + 1));
        let text = &self.text[start..end];
        if self.index.positions.may_have_escapes(start, end) && has_escapes(text) {
            return None;
        }
        // SAFETY: the view exists, so the text is UTF-8. The part begins after the first byte of a token and ends before the
        // first byte of another or at the end of the text. All tokens begin with ASCII bytes, so no character is divided.
        Some(unsafe { str::from_utf8_unchecked(text) })
    }

    /// Returns the value of a string with escapes, which is written to `scratch`.
    ///
    /// # Errors
    /// If it has the escape of a lone surrogate.
    pub(crate) fn unescaped(self, token: usize, scratch: &mut Vec<u8>) -> Result<&str, StringError> {
        scratch.clear();
        unescape_into(self.inside(token), Surrogates::Refuse, scratch)?;
        // SAFETY: the view exists, so the text is UTF-8. It is copied, except for escapes, which are replaced by the UTF-8 form of
        // characters.
        Ok(unsafe { str::from_utf8_unchecked(scratch) })
    }

    /// Returns the text of a value.
    pub(crate) fn raw(self, token: usize) -> &'t str {
        self.text_until(token, self.end(token))
    }

    /// Returns the text of a value that is read for the last time, and the token after it. Like [`pass`](Self::pass), it makes no links.
    pub(crate) fn pass_raw(self, token: usize) -> (&'t str, usize) {
        let next = self.pass(token);
        (self.text_until(token, self.end_of_last(next - 1)), next)
    }

    /// Returns the text of a value that ends before `end`.
    fn text_until(self, token: usize, end: usize) -> &'t str {
        let text = &self.text[self.start(token)..end];
        // SAFETY: the view exists, so the text is UTF-8, and a value begins and ends with ASCII bytes.
        unsafe { str::from_utf8_unchecked(text) }
    }

    /// Returns the text of a number or literal.
    #[inline]
    pub(crate) fn scalar(self, token: usize) -> &'t [u8] {
        let rest = self.rest(token);
        let end = rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'E' | b'+' | b'-' | b'.'));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Returns the index in the text of the byte after a value.
    pub(crate) fn end(self, token: usize) -> usize {
        self.end_of_last(self.skip(token) - 1)
    }

    /// Returns the index in the text of the byte after a value whose last token this is.
    #[inline]
    pub(crate) fn end_of_last(self, token: usize) -> usize {
        match self.byte(token) {
            b'"' | b'}' | b']' => self.start(token) + 1,
            _ => self.start(token) + self.scalar(token).len(),
        }
    }

    /// Returns the token after a value.
    #[inline]
    pub(crate) fn skip(self, token: usize) -> usize {
        match self.byte(token) {
            b'"' => token + 2,
            b'{' | b'[' => self.close(token) + 1,
            _ => token + 1,
        }
    }

    /// Returns the token of the closing bracket of a container.
    #[inline]
    pub(crate) fn close(self, open: usize) -> usize {
        let mut depth = 0;
        match self.search_close(open, open + NEAR, &mut depth) {
            Some(close) => close,
            None => self.linked_close(open, depth),
        }
    }

    /// Returns the token after a value, which is read for the last time, so that links would not be used again.
    #[inline]
    pub(crate) fn pass(self, token: usize) -> usize {
        match self.byte(token) {
            b'"' => token + 2,
            b'{' | b'[' => self.search_close(token, usize::MAX, &mut 0).map_or(self.count(), |close| close + 1),
            _ => token + 1,
        }
    }

    /// Returns the token after the end of the innermost container around `token`, which is an element, a key, a value or the closing
    /// bracket.
    #[cold]
    pub(crate) fn pass_inside(self, token: usize) -> usize {
        self.search_close(token, usize::MAX, &mut 1).map_or(self.count(), |close| close + 1)
    }

    /// Returns the token among those from `start` to `end` after which no container is open. `depth` is the number of open
    /// containers before `start`; it is updated to the number at the end.
    #[inline(always)]
    fn search_close(self, start: usize, end: usize, depth: &mut usize) -> Option<usize> {
        for token in start..end.min(self.positions.len()) {
            // Only brackets of either kind have these values. Doing without the branches takes a fifth longer.
            match self.byte(token) | 0x20 {
                b'{' => *depth += 1,
                b'}' => *depth = depth.wrapping_sub(1),
                _ => continue,
            }
            if *depth == 0 {
                return Some(token);
            }
        }
        None
    }

    /// Returns the token of the closing bracket of a container that is not near. `depth` is the number of open containers after
    /// the tokens that are near.
    #[cold]
    fn linked_close(self, open: usize, mut depth: usize) -> usize {
        match self.index.links.get_or_init(|| self.link()).get(open) {
            Some(&close) => close as usize,
            None => self.search_close(open + NEAR, usize::MAX, &mut depth).unwrap_or(self.count()),
        }
    }

    /// Returns the links of all brackets.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a text has fewer tokens than bytes, which are less than 4 GiB"
    )]
    fn link(self) -> Vec<u32> {
        let mut links = self.index.spare.lock().map_or_else(|_| Vec::new(), |mut spare| std::mem::take(&mut *spare));
        links.clear();
        if links.try_reserve(self.count()).is_err() {
            return links;
        }
        links.resize(self.count(), 0);
        // While a container is open, its entry has the opening bracket of the container around it.
        let mut innermost = 0;
        for token in 0..self.count() {
            match self.byte(token) | 0x20 {
                b'{' => {
                    links[token] = innermost;
                    innermost = token as u32;
                }
                b'}' => innermost = std::mem::replace(&mut links[innermost as usize], token as u32),
                _ => {}
            }
        }
        links
    }
}
