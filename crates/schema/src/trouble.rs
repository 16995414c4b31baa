//! What prevents a schema from being compiled, with its place and what to do.

#![forbid(unsafe_code)]

use fjson::Diagnostic;
use fjson::Kind as JsonKind;
use fjson::Value;
use jsonschema::ReferencingError;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use crate::draft::Draft;
use crate::message::not_a_pattern;
use crate::schema_error::Problem;
use crate::schema_error::SchemaError;
use crate::sources::Reference;
use crate::sources::Source;
use crate::sources::Sources;
use crate::sources::without_fragment;
use crate::suggest::similar;
use crate::words::quoted;
use crate::words::shortened;

/// A problem with a value of a schema.
pub(crate) struct Trouble<'t> {
    pub(crate) file: &'t str,
    pub(crate) value: Value<'t, 't>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl<'t> Trouble<'t> {
    /// The URI of `$schema` is unknown.
    pub(crate) fn unknown_draft(file: &'t str, value: Value<'t, 't>, uri: &str) -> Self {
        let known: Vec<&str> = Draft::ALL.into_iter().map(Draft::uri).collect();
        let help = match similar(uri, known.iter().copied()) {
            Some(meant) => format!("did you mean {}?", quoted(meant)),
            None => format!(
                "known are drafts 4, 6, 7, 2019-09 and 2020-12, for example {}; other meta-schemas must be in a directory that is searched",
                quoted(Draft::Draft202012.uri())
            ),
        };
        Self { file, value, message: format!("the draft {} of JSON Schema is unknown", quoted(uri)), help: Some(help) }
    }

    /// A string or a key has the escape of a lone surrogate. The validator compares UTF-8, in which it would equal others.
    pub(crate) fn lone_surrogate(file: &'t str, value: Value<'t, 't>) -> Self {
        let message = "the string has the escape of a lone surrogate, which stands for no character".to_owned();
        let help = "write both surrogates, as in `\\ud83d\\ude00`, or the character itself".to_owned();
        Self { file, value, message, help: Some(help) }
    }

    pub(crate) fn problem(self) -> Problem {
        let mut diagnostic = Diagnostic::new(self.value.tokens().text(), self.value.start(), self.message);
        diagnostic.help = self.help;
        Problem::new(self.file, diagnostic.pointer(self.value.to_pointer()))
    }
}

/// Returns what is wrong with a schema that could not be compiled.
pub(crate) fn of_build_error(
    error: &ValidationError<'static>,
    sources: &Sources,
    uri: &str,
    at: &str,
    name: &str,
) -> SchemaError {
    if let Kind::Referencing(error) = error.kind() {
        return of_reference(error, sources, name);
    }
    let keyword = error.absolute_keyword_location().map(jsonschema::Uri::as_str);
    let paths = [error.schema_path().as_str(), error.instance_path().as_str()];
    let places = paths.into_iter().map(|path| format!("{uri}#{at}{path}"));
    let place = keyword.map(str::to_owned).into_iter().chain(places).find_map(|uri| sources.find(&uri));
    let (message, help) = match error.kind() {
        Kind::Format { format } if format == "regex" => return bad_pattern(place, sources, name),
        kind => (format!("the keyword `{}` of the schema cannot be used: {error}", kind.keyword()), None),
    };
    of_place(place, message, help, sources, name)
}

/// The keyword `pattern`, or a key of `patternProperties`, is no pattern.
fn bad_pattern(place: Option<(&Source, Value<'_, '_>)>, sources: &Sources, name: &str) -> SchemaError {
    let Some((source, value)) = place else {
        return of_place(place, "a pattern is not a regular expression".to_owned(), None, sources, name);
    };
    let text = if value.kind() == JsonKind::String { value } else { value.key().unwrap_or(value) };
    let (message, help) = not_a_pattern(&text.as_str_lossy().unwrap_or_default());
    let mut diagnostic = Diagnostic::new(source.text(), text.start(), message);
    diagnostic.help = help;
    Problem::new(&source.name, diagnostic.pointer(value.to_pointer())).into()
}

fn of_place(
    place: Option<(&Source, Value<'_, '_>)>,
    message: String,
    help: Option<String>,
    sources: &Sources,
    name: &str,
) -> SchemaError {
    match place.or_else(|| sources.documents.first().map(|source| (source, source.document.root()))) {
        Some((source, value)) => Trouble { file: &source.name, value, message, help }.problem().into(),
        None => Problem::new(name, Diagnostic::new(b"", 0, message)).into(),
    }
}

/// A reference cannot be resolved.
fn of_reference(error: &ReferencingError, sources: &Sources, name: &str) -> SchemaError {
    let find = |matches: &dyn Fn(&Reference) -> bool| {
        let reference = sources.references.iter().find(|reference| matches(reference))?;
        let source = &sources.documents[reference.source];
        Some((source, source.document.tokens().value(reference.token)))
    };
    let (place, message, help) = match error {
        ReferencingError::Unretrievable { uri, source } => {
            let place = find(&|reference| without_fragment(&reference.target).0 == uri);
            let written = place.and_then(|(_, value)| value.as_str()).map(|text| quoted(&text));
            let reason = source.to_string();
            let found =
                if reason == "not found" { "is not found".to_owned() } else { format!("cannot be read: {reason}") };
            let message = format!("the schema {} {found}", written.unwrap_or_else(|| quoted(uri)));
            let help = "nothing is read from the network; name the directory of this schema";
            (place, message, (reason == "not found").then(|| help.to_owned()))
        }
        ReferencingError::PointerToNowhere { pointer } => {
            let place = find(&|reference| {
                let fragment = without_fragment(&reference.target).1;
                crate::sources::percent_decoded(fragment) == *pointer && sources.find(&reference.target).is_none()
            });
            let help = near_pointer(sources, place.map(|(_, value)| value), pointer);
            (place, format!("there is nothing at `{}`", shortened(pointer)), help)
        }
        ReferencingError::NoSuchAnchor { anchor } | ReferencingError::InvalidAnchor { anchor } => {
            let place = find(&|reference| without_fragment(&reference.target).1 == anchor);
            (place, format!("there is no anchor {}", quoted(anchor)), None)
        }
        ReferencingError::InvalidUri(_) if sources.invalid.is_some() => {
            let place = sources.invalid.map(|(source, token)| {
                let source = &sources.documents[source];
                (source, source.document.tokens().value(token))
            });
            let written = place.and_then(|(_, value)| value.as_str()).map(|text| quoted(&text)).unwrap_or_default();
            (place, format!("{written} cannot be resolved as a URI reference"), None)
        }
        error => (None, format!("a reference of the schema cannot be resolved: {error}"), None),
    };
    of_place(place, message, help, sources, name)
}

/// Suggests a pointer whose last part is similar.
fn near_pointer(sources: &Sources, reference: Option<Value<'_, '_>>, pointer: &str) -> Option<String> {
    let target = sources.target_uri(reference?)?;
    let (parent, last) = pointer.rsplit_once('/')?;
    let (_, value) = sources.find(&format!("{}#{parent}", without_fragment(target).0))?;
    let keys: Vec<_> = value.members().filter_map(|member| member.key.as_str()).collect();
    let meant = similar(last, keys.iter().map(|key| &**key))?;
    Some(format!("did you mean `{parent}/{meant}`?"))
}
