//! A compiled schema, and what it says about values.

#![forbid(unsafe_code)]

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use fjson::Value;
use jsonschema::Validator;

use crate::compiled::Answer;
use crate::compiled::Compiled;
use crate::node::Instances;
use crate::node::Node;
use crate::node::is_full;
use crate::node::reset_places;
use crate::schema_error::Problem;
use crate::sources::Sources;
use crate::stack::with_stack;
use crate::violation::Describer;
use crate::violation::Violation;

/// Number of tokens of a document whose annotations are collected: each takes some hundred bytes.
const MAX_EVALUATED: usize = 1 << 20;

/// A compiled schema. It can be shared by threads and cloned cheaply.
///
/// ```
/// use fjson::Parser;
/// use fjson_schema::Schema;
///
/// let schema = Schema::compile(r#"{"properties": {"port": {"type": "integer", "maximum": 65535}}}"#, ())?;
/// let mut parser = Parser::new();
/// let document = parser.document(b"{\n  \"port\": \"80\"\n}")?;
/// assert!(!schema.is_valid(document.root()));
/// let violations = schema.violations(document.root());
/// assert_eq!(violations[0].message, "found the string \"80\", expected an integer");
/// assert_eq!((violations[0].pointer.as_str(), violations[0].range.start), ("/port", 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Schema {
    validator: Arc<Validator<Instances>>,
    sources: Arc<Sources>,
    ignores_schema_member: bool,
    /// Rules for valid or not, if all of the schema can be compiled to them.
    compiled: Option<Arc<Compiled>>,
    /// Members that are probably misspelled keywords.
    misspelled: Arc<[Problem]>,
}

impl Schema {
    pub(crate) fn new(
        validator: Validator<Instances>,
        sources: Sources,
        ignores_schema_member: bool,
        compiled: Option<Compiled>,
        misspelled: Vec<Problem>,
    ) -> Self {
        let (validator, sources) = (Arc::new(validator), Arc::new(sources));
        let (compiled, misspelled) = (compiled.map(Arc::new), misspelled.into());
        Self { validator, sources, ignores_schema_member, compiled, misspelled }
    }

    /// Returns the members of the schema whose names are similar to keywords, and no keywords, so that they are ignored. Those of other
    /// files are left out, and all if the schema has a meta-schema of its own.
    ///
    /// ```
    /// use fjson_schema::Schema;
    ///
    /// let schema = Schema::compile(r#"{"requird": ["id"]}"#, ())?;
    /// assert_eq!(schema.misspelled()[0].diagnostic.help.as_deref(), Some("did you mean \"required\"?"));
    /// # Ok::<(), fjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn misspelled(&self) -> &[Problem] {
        &self.misspelled
    }

    /// Whether a value follows the schema. This is much faster than asking for violations.
    #[must_use]
    pub fn is_valid(&self, value: Value<'_, '_>) -> bool {
        match self.compiled_answer(value) {
            Some(answer) => answer,
            None => self.is_valid_slowly(value),
        }
    }

    /// Returns what the compiled keywords say about a value; `None` if there are none, or if they cannot tell.
    ///
    /// This is for tests, which compare it with [`is_valid_slowly`](Self::is_valid_slowly).
    #[doc(hidden)]
    #[must_use]
    pub fn compiled_answer(&self, value: Value<'_, '_>) -> Option<bool> {
        match self.compiled.as_ref()?.answer(value) {
            Answer::Valid => Some(true),
            Answer::Invalid => Some(false),
            Answer::Unknown => None,
        }
    }

    /// Returns what the crate says about a value. This is for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn is_valid_slowly(&self, value: Value<'_, '_>) -> bool {
        with_stack(value, || self.validator.is_valid(self.node(value)))
    }

    /// Returns where and how a value breaks the rules of the schema, in no particular order of places: at most
    /// [`MAX_VIOLATIONS`](crate::MAX_VIOLATIONS), so that memory is bounded.
    ///
    /// Each violation is that of one keyword. Of an `anyOf` or `oneOf`, the violations of the alternative that was probably meant are
    /// its [causes](Violation::causes).
    #[must_use]
    pub fn violations(&self, value: Value<'_, '_>) -> Violations {
        if self.is_valid(value) {
            return Violations { list: Vec::new(), is_complete: true };
        }
        with_stack(value, || {
            reset_places();
            let errors = self.validator.iter_errors(self.node(value));
            let is_complete = !is_full();
            let describer = Describer { root: value, sources: &self.sources };
            let list = errors.into_iter().flat_map(|error| describer.describe(error)).collect();
            reset_places();
            Violations { list, is_complete }
        })
    }

    /// Returns the values that a schema calls deprecated (`deprecated` is true), of a document with up to a million tokens. Their
    /// [help](Violation::help) is `deprecationMessage` of the schema, which editors show.
    ///
    /// ```
    /// use fjson_schema::Schema;
    ///
    /// let schema = Schema::compile(r#"{"properties": {"old": {"deprecated": true, "deprecationMessage": "use new"}}}"#, ())?;
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"{"old": 1, "new": 2}"#)?;
    /// let deprecated = schema.deprecated(document.root());
    /// assert_eq!(deprecated[0].to_string(), "the key \"old\" is deprecated");
    /// assert_eq!(deprecated[0].help.as_deref(), Some("use new"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn deprecated(&self, value: Value<'_, '_>) -> Vec<Violation> {
        if !self.sources.has_deprecated || value.tokens().len() > MAX_EVALUATED {
            return Vec::new();
        }
        with_stack(value, || {
            let evaluation = self.validator.evaluate(self.node(value));
            let describer = Describer { root: value, sources: &self.sources };
            let described = evaluation.iter_annotations().filter_map(|entry| {
                let uri = entry.absolute_keyword_location.map(jsonschema::Uri::as_str)?;
                describer.deprecated(entry.annotations.value(), entry.instance_location.as_str(), uri)
            });
            described.collect()
        })
    }

    fn node<'a>(&self, value: Value<'a, 'a>) -> Node<'a> {
        if self.ignores_schema_member { Node::Root(value) } else { Node::Value(value) }
    }
}

/// The violations of a value. They dereference to a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    list: Vec<Violation>,
    is_complete: bool,
}

impl Violations {
    /// Whether these are all: there were fewer than [`MAX_VIOLATIONS`](crate::MAX_VIOLATIONS), counting those of the alternatives of
    /// `anyOf` and `oneOf`.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

impl Deref for Violations {
    type Target = [Violation];

    fn deref(&self) -> &[Violation] {
        &self.list
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'v> IntoIterator for &'v Violations {
    type Item = &'v Violation;
    type IntoIter = std::slice::Iter<'v, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<_> = self.sources.documents.iter().map(|source| &source.name).collect();
        formatter.debug_struct("Schema").field("files", &files).finish_non_exhaustive()
    }
}
