//! Compiles schemas: reads the documents, checks them against their meta-schema, and names what is wrong with them.

#![forbid(unsafe_code)]

use std::error::Error as StdError;
use std::fmt;
use std::fmt::Write;
use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use fjson::Diagnostic;
use fjson::Kind;
use fjson::Options;
use fjson::OwnedDocument;
use fjson::Parser;
use fjson::TokenKind;
use fjson::Value;
use jsonschema::PatternOptions;
use jsonschema::Retrieve;
use jsonschema::Uri;
use jsonschema::ValidationError;
use jsonschema::Validator;
use serde_json::Map;
use serde_json::Value as Tree;
use serde_json::json;

use crate::compiled::compile;
use crate::cycles::cycle;
use crate::draft::Draft;
use crate::exact::KEYWORDS;
use crate::exact::PREFIX;
use crate::exact::keyword;
use crate::misspelled::misspelled;
use crate::node::Instances;
use crate::pattern::is_portable;
use crate::pattern::translated;
use crate::schema::Schema;
use crate::schema_error::Problem;
use crate::schema_error::SchemaError;
use crate::schema_tree::SchemaTrees;
use crate::sources::Resolver;
use crate::sources::Sources;
use crate::sources::without_fragment;
use crate::stack::with_stack;
use crate::trouble::Trouble;

/// Nesting levels that a schema may have: compiling it takes stack for each.
pub(crate) const MAX_DEPTH: u64 = 256;

/// Steps that a regular expression with look-around or back-references may take on one string. Others take linear time.
const MAX_STEPS: usize = 1_000_000;

/// Bytes that a compiled regular expression may take.
const MAX_PATTERN_SIZE: usize = 10 << 20;

/// URI of a schema without any.
const NO_URI: &str = "schema:///schema.json";

/// Options for compiling a [`Schema`].
///
/// ```
/// use fjson_schema::Draft;
/// use fjson_schema::Schema;
///
/// let schema = Schema::builder()
///     .name("api.json")
///     .at("/components/schemas/Id")
///     .draft(Draft::Draft7)
///     .formats(false)
///     .compile(r#"{"components": {"schemas": {"Id": {"type": "integer"}}}}"#, ())?;
/// let mut parser = fjson::Parser::new();
/// assert!(schema.is_valid(parser.document(b"7")?.root()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SchemaBuilder {
    pub(crate) draft: Option<Draft>,
    pub(crate) formats: bool,
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) at: String,
    pub(crate) ignores_schema_member: bool,
}

impl Default for SchemaBuilder {
    fn default() -> Self {
        Self {
            draft: None,
            formats: true,
            uri: NO_URI.to_owned(),
            name: "schema.json".to_owned(),
            at: String::new(),
            ignores_schema_member: false,
        }
    }
}

impl Schema {
    /// Compiles a schema. `resolver` finds the documents that it refers to; `()` finds none. The draft is that of `$schema`, or
    /// 2020-12 if there is none. Formats are asserted.
    ///
    /// # Errors
    /// If the text is not JSON or not a schema, if a reference is not found, or if a regular expression is invalid.
    ///
    /// ```
    /// use fjson_schema::Schema;
    ///
    /// let error = Schema::compile("{\n  \"type\": \"int\"\n}", ()).unwrap_err();
    /// assert_eq!(error.problems()[0].diagnostic.position.line, 2);
    /// ```
    pub fn compile(text: impl Into<Vec<u8>>, resolver: impl Resolver + 'static) -> Result<Self, SchemaError> {
        Self::builder().compile(text, resolver)
    }

    /// Returns a builder, for other options.
    #[must_use]
    pub fn builder() -> SchemaBuilder {
        SchemaBuilder::default()
    }

    /// Returns the meta-schema of a draft, which the schemas of that draft follow.
    ///
    /// ```
    /// use fjson_schema::Draft;
    /// use fjson_schema::Schema;
    ///
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"{"type": "int"}"#)?;
    /// assert!(!Schema::of_draft(Draft::Draft7).is_valid(document.root()));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    ///
    /// # Panics
    /// Never: the meta-schemas are parts of this library.
    #[must_use]
    pub fn of_draft(draft: Draft) -> Self {
        let text = format!("{{\"$ref\": \"{}\"}}", draft.uri());
        let compiled = Self::builder().draft(draft).compile(text, ());
        compiled.expect("the meta-schemas are valid and refer only to themselves")
    }
}

impl SchemaBuilder {
    /// Sets the draft of schemas without `$schema`. The default is 2020-12.
    #[must_use]
    pub fn draft(mut self, draft: Draft) -> Self {
        self.draft = Some(draft);
        self
    }

    /// Sets whether a string must have its `format`. The default is true.
    #[must_use]
    pub fn formats(mut self, asserted: bool) -> Self {
        self.formats = asserted;
        self
    }

    /// Sets the absolute URI of the schema, against which its references are resolved, for example that of its file
    /// ([`Directories::uri`](crate::Directories::uri)).
    #[must_use]
    pub fn uri(mut self, uri: impl Into<String>) -> Self {
        self.uri = uri.into();
        self
    }

    /// Sets the name of the schema in messages.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets where in the text the schema is, as a JSON Pointer, for example in an `OpenAPI` document. The default is the whole text.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.at = pointer.into();
        self
    }

    /// Sets whether a member `$schema` of the outermost object is left out of what is validated: there, documents name their schema
    /// for editors, and few schemas allow it. The default is false.
    #[must_use]
    pub fn ignores_schema_member(mut self, ignored: bool) -> Self {
        self.ignores_schema_member = ignored;
        self
    }

    /// Compiles a schema; see [`Schema::compile`].
    ///
    /// # Errors
    /// Like [`Schema::compile`]; also if there is no value at the pointer.
    pub fn compile(&self, text: impl Into<Vec<u8>>, resolver: impl Resolver + 'static) -> Result<Schema, SchemaError> {
        let document = read(&self.name, &text.into()).map_err(|problem| *problem)?;
        with_stack(document.root(), || self.compile_document(&document, resolver))
    }

    fn compile_document(
        &self,
        document: &OwnedDocument,
        resolver: impl Resolver + 'static,
    ) -> Result<Schema, SchemaError> {
        let loader = Loader(Arc::new(Loading { resolver: Box::new(resolver), state: Mutex::default() }));
        let root = document.root();
        let trouble = |value: Value<'_, '_>, message: String, help: Option<String>| {
            Trouble { file: &self.name, value, message, help }.problem()
        };
        let Some(schema) = root.pointer(&self.at) else {
            let message = format!("there is no value at `{}`, where the schema should be", self.at);
            let is_fragment = self.at.strip_prefix('#').is_some_and(|at| root.pointer(at).is_some());
            let help = is_fragment.then(|| "a JSON Pointer has no `#` before it".to_owned());
            return Err(trouble(root, message, help).into());
        };
        let declared = schema.get("$schema").and_then(Value::as_str);
        let declared = declared.or_else(|| root.get("$schema").and_then(Value::as_str));
        let (draft, meta) = match declared.as_deref().map(|uri| (Draft::of_uri(uri), uri)) {
            Some((Some(draft), _)) => (draft, None),
            None => (self.draft.unwrap_or(Draft::Draft202012), None),
            Some((None, uri)) => {
                if loader.retrieve_text(without_fragment(uri).0).is_err() {
                    let place = schema.get("$schema").or(root.get("$schema")).unwrap_or(root);
                    return Err(Trouble::unknown_draft(&self.name, place, uri).problem().into());
                }
                (self.draft.unwrap_or(Draft::Draft202012), Some(uri.to_owned()))
            }
        };
        loader.state().sources.trees.draft = Some(draft).filter(|_| meta.is_none());
        loader.state().sources.add(&self.uri, &self.name, document.clone());
        let copy = loader.state().sources.trees.copy(schema);
        self.check(draft, meta.as_deref(), schema, &copy, &loader)?;
        let result = self.validator(draft, meta.as_deref(), &copy, &loader);
        let state = mem::take(&mut *loader.state());
        match result {
            Ok(validator) => {
                // A meta-schema of its own may leave out vocabularies. A member that is left out is another matter for rules.
                let may_be_compiled = meta.is_none() && !self.ignores_schema_member;
                let own = state.sources.find(&self.uri).and_then(|(_, root)| root.pointer(&self.at));
                if let Some(problem) = own.and_then(|schema| cycle(&state.sources, schema, draft)) {
                    return Err(problem.into());
                }
                let own = own.filter(|_| may_be_compiled);
                let compiled =
                    own.and_then(|schema| compile(draft, self.formats, schema, &state.sources, validator_of_part));
                let misspelled = if meta.is_none() { misspelled(&self.name, schema) } else { Vec::new() };
                Ok(Schema::new(validator, state.sources, self.ignores_schema_member, compiled, misspelled))
            }
            Err(error) => Err(state.problem.map_or_else(
                || crate::trouble::of_build_error(&error, &state.sources, &self.uri, &self.at, &self.name),
                |problem| SchemaError::from(*problem),
            )),
        }
    }

    fn validator(
        &self,
        draft: Draft,
        meta: Option<&str>,
        schema: &Tree,
        loader: &Loader,
    ) -> Result<Validator<Instances>, ValidationError<'static>> {
        let mut options = jsonschema::options_for::<Instances>().with_format("regex", is_portable);
        for name in KEYWORDS {
            options = options
                .with_keyword(format!("{PREFIX}{name}"), move |schema: &Map<String, Tree>, text: &Tree, _| {
                    Ok(keyword(name, schema, text))
                });
        }
        // A meta-schema of its own says which vocabularies apply.
        let options = if meta.is_none() { options.with_draft(draft.of_validator()) } else { options };
        let options = options
            .should_validate_formats(self.formats)
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MAX_STEPS).size_limit(MAX_PATTERN_SIZE))
            .with_retriever(loader.clone());
        if self.at.is_empty() {
            return options.with_base_uri(self.uri.clone()).build(schema);
        }
        let mut reference = String::from("#");
        for byte in self.at.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b'$' => {
                    reference.push(char::from(byte));
                }
                // Writing to a string cannot fail.
                _ => drop(write!(reference, "%{byte:02X}")),
            }
        }
        let entry =
            json!({"$schema": meta.unwrap_or(draft.uri()), "allOf": [{"$ref": format!("{}{reference}", self.uri)}]});
        options.with_base_uri("schema:///entry.json").build(&entry)
    }

    /// Checks a schema against its meta-schema.
    fn check(
        &self,
        draft: Draft,
        meta: Option<&str>,
        schema: Value<'_, '_>,
        copy: &Tree,
        loader: &Loader,
    ) -> Result<(), SchemaError> {
        if meta.is_none() && is_valid_schema(draft, copy) {
            return Ok(());
        }
        let uri = meta.unwrap_or(draft.uri());
        let built = jsonschema::options_for::<Instances>()
            .with_draft(draft.of_validator())
            .should_validate_formats(true)
            .with_format("regex", |pattern: &str| translated(pattern).is_ok())
            .with_retriever(loader.clone())
            .build(&json!({"$ref": uri}));
        let Ok(validator) = built else { return Ok(()) };
        let meta = Schema::new(validator, Sources::default(), false, None, Vec::new());
        let violations = meta.violations(schema);
        if violations.is_empty() {
            return Ok(());
        }
        let text = schema.tokens().text();
        let problem = |violation: crate::violation::Violation| {
            let (violation, help) = violation.most_specific();
            let mut diagnostic = Diagnostic::new(text, violation.range.start, violation.message);
            diagnostic.help = help;
            let pointer = schema.to_pointer() + &violation.pointer;
            Problem::new(&self.name, diagnostic.pointer(pointer).rule(violation.keyword))
        };
        let embedded = embedded(schema, draft);
        let is_own = |range: &Range<usize>| {
            !embedded.iter().any(|(_, schema)| schema.start() <= range.start && range.end <= schema.range().end)
        };
        let mut problems: Vec<Problem> =
            violations.into_iter().filter(|violation| is_own(&violation.range)).map(problem).collect();
        for (draft, schema) in embedded {
            let copy = loader.state().sources.trees.copy(schema);
            if let Err(error) = self.check(draft, None, schema, &copy, loader) {
                problems.extend_from_slice(error.problems());
            }
        }
        problems.sort_by_key(|problem| problem.diagnostic.offset);
        problems.dedup();
        if problems.is_empty() { Ok(()) } else { Err(SchemaError::new(problems)) }
    }
}

/// Returns the outermost schemas in a schema of another draft that name one of their own, as resources of a bundle do.
fn embedded<'s>(schema: Value<'s, 's>, draft: Draft) -> Vec<(Draft, Value<'s, 's>)> {
    let (mut found, mut values) = (Vec::new(), vec![schema]);
    while let Some(value) = values.pop() {
        let own = value.get("$schema").and_then(Value::as_str).and_then(|uri| Draft::of_uri(&uri));
        let has_id = ["$id", "id"].iter().any(|key| value.get(key).is_some_and(|id| id.kind() == Kind::String));
        match own.filter(|own| has_id && *own != draft && value.token() != schema.token()) {
            Some(own) => found.push((own, value)),
            None => values.extend(value.iter().chain(value.members().map(|member| member.value))),
        }
    }
    found
}

/// Returns the validator of a schema without references, whose text follows the meta-schema of its draft.
fn validator_of_part(draft: Draft, formats: bool, schema: &str) -> Option<Validator<Instances>> {
    let document = read("", schema.as_bytes()).ok()?;
    let mut trees = SchemaTrees::of_draft(draft);
    let loader = Loader(Arc::new(Loading { resolver: Box::new(()), state: Mutex::default() }));
    let builder = SchemaBuilder { formats, ..SchemaBuilder::default() };
    builder.validator(draft, None, &trees.copy(document.root()), &loader).ok()
}

/// Whether a schema follows the meta-schema of its draft.
fn is_valid_schema(draft: Draft, schema: &Tree) -> bool {
    match draft {
        Draft::Draft4 => jsonschema::draft4::meta::is_valid(schema),
        Draft::Draft6 => jsonschema::draft6::meta::is_valid(schema),
        Draft::Draft7 => jsonschema::draft7::meta::is_valid(schema),
        Draft::Draft201909 => jsonschema::draft201909::meta::is_valid(schema),
        Draft::Draft202012 => jsonschema::draft202012::meta::is_valid(schema),
    }
}

/// Reads the text of a schema.
fn read(name: &str, text: &[u8]) -> Result<OwnedDocument, Box<Problem>> {
    let options = Options::new().unique_keys(true).max_depth(Some(MAX_DEPTH));
    let checked = Parser::with_options(&options).owned_document(text);
    let document = checked.map_err(|error| Box::new(Problem::not_json(name, text, &error)))?;
    let tokens = document.tokens();
    let escaped = tokens.iter().filter(|token| token.kind == TokenKind::String && tokens.has_escapes(token.index));
    match escaped.map(|token| tokens.value(token.index)).find(|string| string.as_str().is_none()) {
        Some(string) => Err(Box::new(Trouble::lone_surrogate(name, string).problem())),
        None => Ok(document),
    }
}

/// What was loaded while a schema is compiled.
struct Loading {
    resolver: Box<dyn Resolver>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    sources: Sources,
    /// Why a document that was found could not be read.
    problem: Option<Box<Problem>>,
}

/// Loads the documents that a schema refers to.
#[derive(Clone)]
struct Loader(Arc<Loading>);

/// There is no document with a URI.
#[derive(Debug)]
struct NotFound(String);

impl fmt::Display for NotFound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl StdError for NotFound {}

impl Loader {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn retrieve_text(&self, uri: &str) -> Result<Tree, NotFound> {
        let known = self.state().sources.document(uri).cloned();
        if let Some(document) = known {
            return Ok(self.state().sources.trees.copy(document.root()));
        }
        let loaded = self.0.resolver.resolve(uri).map_err(NotFound)?;
        let loaded = loaded.ok_or_else(|| NotFound("not found".to_owned()))?;
        let mut state = self.state();
        match read(&loaded.name, &loaded.text) {
            Ok(document) => {
                let schema = state.sources.trees.copy(document.root());
                state.sources.add(uri, &loaded.name, document);
                Ok(schema)
            }
            Err(problem) => {
                let message = problem.to_string();
                state.problem.get_or_insert(problem);
                Err(NotFound(message))
            }
        }
    }
}

impl Retrieve for Loader {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Tree, Box<dyn StdError + Send + Sync>> {
        Ok(self.retrieve_text(without_fragment(uri.as_str()).0)?)
    }
}
