//! The drafts of JSON Schema.

#![forbid(unsafe_code)]

/// A draft of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Draft {
    /// Draft 4, of 2013.
    Draft4,
    /// Draft 6, of 2017.
    Draft6,
    /// Draft 7, of 2018.
    Draft7,
    /// Draft 2019-09.
    Draft201909,
    /// Draft 2020-12.
    Draft202012,
}

impl Draft {
    /// All drafts, the oldest one first.
    pub const ALL: [Self; 5] = [Self::Draft4, Self::Draft6, Self::Draft7, Self::Draft201909, Self::Draft202012];

    /// Returns the URI of its meta-schema, as a schema has it in `$schema`.
    ///
    /// ```
    /// use fjson_schema::Draft;
    ///
    /// assert_eq!(Draft::Draft7.uri(), "http://json-schema.org/draft-07/schema#");
    /// ```
    #[must_use]
    pub fn uri(self) -> &'static str {
        match self {
            Self::Draft4 => "http://json-schema.org/draft-04/schema#",
            Self::Draft6 => "http://json-schema.org/draft-06/schema#",
            Self::Draft7 => "http://json-schema.org/draft-07/schema#",
            Self::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Self::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Returns the draft whose meta-schema has a URI. An empty fragment does not matter, nor whether it is `http` or `https`.
    ///
    /// ```
    /// use fjson_schema::Draft;
    ///
    /// assert_eq!(Draft::of_uri("http://json-schema.org/draft-04/schema"), Some(Draft::Draft4));
    /// assert_eq!(Draft::of_uri("https://example.com/schema"), None);
    /// ```
    #[must_use]
    pub fn of_uri(uri: &str) -> Option<Self> {
        fn bare(uri: &str) -> &str {
            let uri = uri.trim_end_matches('#');
            uri.strip_prefix("https:").or(uri.strip_prefix("http:")).unwrap_or(uri)
        }
        Self::ALL.into_iter().find(|draft| bare(draft.uri()) == bare(uri))
    }

    pub(crate) fn of_validator(self) -> jsonschema::Draft {
        match self {
            Self::Draft4 => jsonschema::Draft::Draft4,
            Self::Draft6 => jsonschema::Draft::Draft6,
            Self::Draft7 => jsonschema::Draft::Draft7,
            Self::Draft201909 => jsonschema::Draft::Draft201909,
            Self::Draft202012 => jsonschema::Draft::Draft202012,
        }
    }
}
