//! An error of the validator, with the value and the keyword that it is about.

#![forbid(unsafe_code)]

use fjson::Value;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use crate::exact::PREFIX;
use crate::node::DOUBTFUL;
use crate::sources::Sources;

/// An error of the validator, with the value that it is about.
pub(crate) struct Finding<'d> {
    pub(crate) value: Value<'d, 'd>,
    pub(crate) kind: Kind,
    pub(crate) pointer: String,
    /// The path of the keyword in the schema of its document.
    pub(crate) path: String,
    /// The URI of the keyword.
    pub(crate) uri: Option<String>,
}

impl<'d> Finding<'d> {
    /// Makes a finding of an error in `root`. There is none if the error was found after so many others that it may be none.
    pub(crate) fn new(root: Value<'d, 'd>, error: ValidationError<'_>) -> Option<Self> {
        let parts = error.into_parts();
        let (pointer, path) = (parts.instance_path.as_str().to_owned(), parts.schema_path.as_str().to_owned());
        let token = match &parts.kind {
            // It has its token in the message.
            Kind::Custom { message, .. } => message.split_once(':').and_then(|(token, _)| token.parse().ok()),
            _ => parts.instance.as_u64().and_then(|token| u32::try_from(token).ok()),
        };
        if token == Some(DOUBTFUL) {
            return None;
        }
        let tokens = root.tokens();
        let value = match token.and_then(|token| usize::try_from(token).ok()) {
            Some(token) if token < tokens.len() => tokens.value(token),
            _ => root.pointer(&pointer).unwrap_or(root),
        };
        let uri = parts.absolute_keyword_location.map(|uri| uri.as_str().to_owned());
        Some(Finding { value, kind: parts.kind, pointer, path, uri })
    }

    /// Returns the schema that has the keyword of this finding.
    pub(crate) fn schema<'s>(&self, sources: &'s Sources) -> Option<Value<'s, 's>> {
        let uri = self.uri.as_deref()?;
        let (parent, _) = uri.rsplit_once('/')?;
        Some(sources.find(parent)?.1)
    }

    /// Returns the keyword.
    pub(crate) fn keyword(&self) -> String {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        match self.kind {
            Kind::FalseSchema => "false".to_owned(),
            Kind::Required { .. } if self.path.contains("/dependentRequired") => "dependentRequired".to_owned(),
            Kind::Required { .. } if self.path.contains("/dependencies") => "dependencies".to_owned(),
            Kind::Contains if matches!(last, "minContains" | "maxContains") => last.to_owned(),
            _ => self.kind.keyword().trim_start_matches(PREFIX).to_owned(),
        }
    }

    /// Says which condition has sent the value to the schema.
    pub(crate) fn condition(&self) -> Option<String> {
        let mut segments = self.path.rsplit('/').skip(1);
        let sent = segments.find(|&segment| matches!(segment, "then" | "else" | "dependentSchemas" | "properties"))?;
        match sent {
            "then" => Some("the schema of `then` applies, because that of `if` matches".to_owned()),
            "else" => Some("the schema of `else` applies, because that of `if` does not match".to_owned()),
            _ => None,
        }
    }
}
