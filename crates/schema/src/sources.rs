//! The documents that schemas come from: their texts, the URIs of the schemas in them, and the places of keywords.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::sync::OnceLock;

use fjson::Kind;
use fjson::OwnedDocument;
use fjson::Position;
use fjson::Value;
use jsonschema::Uri;
use jsonschema::uri::from_str;
use jsonschema::uri::resolve_against;

use crate::schema_tree::SchemaTrees;

/// The text of a schema that another one refers to; see [`Resolver`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The name of the file, as messages show it.
    pub name: String,
    /// Its text.
    pub text: Vec<u8>,
}

/// Finds the documents that a schema refers to. [`Directories`](crate::Directories) reads files; `()` finds nothing.
pub trait Resolver: Send + Sync {
    /// Returns the document with an absolute URI without fragment, or `None` if there is none.
    ///
    /// # Errors
    /// One lower-case sentence without a full stop that says why the document cannot be read.
    fn resolve(&self, uri: &str) -> Result<Option<Loaded>, String>;
}

impl Resolver for () {
    fn resolve(&self, _: &str) -> Result<Option<Loaded>, String> {
        Ok(None)
    }
}

impl<R: Resolver + ?Sized> Resolver for std::sync::Arc<R> {
    fn resolve(&self, uri: &str) -> Result<Option<Loaded>, String> {
        (**self).resolve(uri)
    }
}

/// The place of a keyword in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaPlace {
    /// The name of the file, as it was given to the builder or by the [`Resolver`].
    pub file: String,
    /// Byte offset of the keyword, or of the schema if that is `false`.
    pub offset: u64,
    /// Line and column.
    pub position: Position,
    /// The JSON Pointer of the keyword in the file.
    pub pointer: String,
}

/// One document.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) document: OwnedDocument,
    /// Whether a schema inside of it has an identifier or a draft of its own.
    pub(crate) has_islands: bool,
    /// Offsets at which lines begin.
    lines: OnceLock<Vec<usize>>,
}

impl Source {
    pub(crate) fn text(&self) -> &[u8] {
        self.document.tokens().text()
    }

    /// Returns the line and column of an offset. Unlike [`Position::of`], this does not count the lines of the whole text each time.
    fn position(&self, offset: usize) -> Position {
        let lines = self.lines.get_or_init(|| {
            let breaks = self.text().iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(index, _)| index + 1)).collect()
        });
        let line = lines.partition_point(|&start| start <= offset).max(1);
        let mut position = Position::of(&self.text()[lines[line - 1]..], offset - lines[line - 1]);
        position.line = line as u64;
        position
    }
}

/// A reference to another schema.
pub(crate) struct Reference {
    /// The number of the document.
    pub(crate) source: usize,
    /// The token of the reference.
    pub(crate) token: usize,
    /// The URI that it refers to, with the fragment.
    pub(crate) target: String,
}

/// All documents of a schema.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) documents: Vec<Source>,
    /// The document and the token of each schema with a URI of its own.
    schemas: HashMap<String, (usize, usize)>,
    /// The same of each schema with an anchor, by the URI with the anchor as fragment.
    anchors: HashMap<String, (usize, usize)>,
    /// In the order of the documents and their tokens.
    pub(crate) references: Vec<Reference>,
    pub(crate) trees: SchemaTrees,
    /// The document and the token of an identifier or a reference that is no URI reference.
    pub(crate) invalid: Option<(usize, usize)>,
    /// Whether a schema may call a value deprecated.
    pub(crate) has_deprecated: bool,
}

/// Resolves a reference against an absolute URI (RFC 3986); `None` if one of them is invalid.
///
/// ```
/// use fjson_schema::resolve_uri;
///
/// assert_eq!(resolve_uri("file:///a/b.json", "../c.json#/d").as_deref(), Some("file:///c.json#/d"));
/// ```
#[must_use]
pub fn resolve_uri(base: &str, reference: &str) -> Option<String> {
    let base = from_str(base).ok()?;
    resolve_against(&base.borrow(), reference).ok().map(|uri| uri.as_str().to_owned())
}

/// Splits a URI at its fragment.
pub(crate) fn without_fragment(uri: &str) -> (&str, &str) {
    uri.split_once('#').unwrap_or((uri, ""))
}

impl Sources {
    /// Adds a document with a URI.
    pub(crate) fn add(&mut self, uri: &str, name: &str, document: OwnedDocument) {
        let number = self.documents.len();
        self.schemas.insert(uri.to_owned(), (number, 0));
        let mut has_islands = false;
        if let Ok(base) = from_str(uri) {
            has_islands = self.walk(number, &base, document.root());
        }
        self.documents.push(Source { name: name.to_owned(), document, has_islands, lines: OnceLock::new() });
    }

    /// Finds the identifiers and references in a value. Returns whether there are identifiers or drafts inside of it.
    fn walk(&mut self, number: usize, base: &Uri<String>, value: Value<'_, '_>) -> bool {
        if value.kind() == Kind::Array {
            let mut has_islands = false;
            for element in value {
                has_islands |= self.walk(number, base, element);
            }
            return has_islands;
        }
        let own = ["$id", "id", "$schema"].iter().find_map(|key| value.get(key)?.as_str());
        let mut has_islands = own.is_some() && value.token() != 0;
        let id = ["$id", "id"].iter().find_map(|key| value.get(key).filter(|id| id.kind() == Kind::String));
        let resolved = id.and_then(|id| self.resolve(number, base, id));
        if let Some(resolved) = &resolved {
            let (uri, fragment) = without_fragment(resolved.as_str());
            if fragment.is_empty() {
                self.schemas.entry(uri.to_owned()).or_insert((number, value.token()));
            } else {
                self.anchors.entry(resolved.as_str().to_owned()).or_insert((number, value.token()));
            }
        }
        let base = resolved.as_ref().unwrap_or(base);
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = value.get(key).and_then(Value::as_str) {
                let uri = format!("{}#{anchor}", without_fragment(base.as_str()).0);
                self.anchors.entry(uri).or_insert((number, value.token()));
            }
        }
        for member in value.members() {
            self.has_deprecated |= member.key.raw() == "\"deprecated\"" && member.value.as_bool() == Some(true);
            let is_reference = matches!(member.key.raw(), "\"$ref\"" | "\"$dynamicRef\"" | "\"$recursiveRef\"");
            if is_reference && let Some(target) = self.resolve(number, base, member.value) {
                let target = target.as_str().to_owned();
                self.references.push(Reference { source: number, token: member.value.token(), target });
            }
            has_islands |= self.walk(number, base, member.value);
        }
        has_islands
    }

    /// Resolves an identifier or a reference.
    fn resolve(&mut self, number: usize, base: &Uri<String>, written: Value<'_, '_>) -> Option<Uri<String>> {
        let resolved = resolve_against(&base.borrow(), &written.as_str()?).ok();
        if resolved.is_none() {
            self.invalid.get_or_insert((number, written.token()));
        }
        resolved
    }

    /// Returns the value at a URI whose fragment is a JSON Pointer, and its document.
    pub(crate) fn find(&self, uri: &str) -> Option<(&Source, Value<'_, '_>)> {
        let (base, fragment) = without_fragment(uri);
        let &(number, token) = self.schemas.get(base)?;
        let source = &self.documents[number];
        let schema = source.document.tokens().value(token);
        let pointer = percent_decoded(fragment);
        let value = schema.pointer(&pointer).or_else(|| schema.pointer(&self.trees.original(&pointer)?))?;
        Some((source, value))
    }

    /// Returns the number of the document that a value is from.
    pub(crate) fn number_of(&self, value: Value<'_, '_>) -> Option<usize> {
        let text = value.tokens().text();
        self.documents.iter().position(|source| std::ptr::eq(source.text(), text))
    }

    /// Returns the URI that a reference refers to.
    pub(crate) fn target_uri(&self, reference: Value<'_, '_>) -> Option<&str> {
        let place = (self.number_of(reference)?, reference.token());
        let found = self.references.binary_search_by_key(&place, |known| (known.source, known.token)).ok()?;
        Some(&self.references[found].target)
    }

    /// Returns the document and the schema that a reference refers to, by a JSON Pointer or an anchor.
    pub(crate) fn target(&self, reference: Value<'_, '_>) -> Option<(&Source, Value<'_, '_>)> {
        let uri = self.target_uri(reference)?;
        self.find(uri).or_else(|| {
            let &(number, token) = self.anchors.get(uri)?;
            let source = &self.documents[number];
            Some((source, source.document.tokens().value(token)))
        })
    }

    /// Returns the document with a URI.
    pub(crate) fn document(&self, uri: &str) -> Option<&OwnedDocument> {
        let &(number, token) = self.schemas.get(uri)?;
        (token == 0).then_some(&self.documents[number].document)
    }

    /// Returns the place of the keyword at a URI.
    pub(crate) fn place(&self, uri: &str) -> Option<SchemaPlace> {
        let (source, value) = self.find(uri)?;
        let start = value.key().map_or(value.start(), Value::start);
        Some(SchemaPlace {
            file: source.name.clone(),
            offset: start as u64,
            position: source.position(start),
            pointer: value.to_pointer(),
        })
    }
}

/// Decodes the escapes of a URI.
pub(crate) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |index: usize| after.get(index).and_then(|&digit| char::from(digit).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            bytes.push(u8::try_from(high * 16 + low).unwrap_or_default());
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
