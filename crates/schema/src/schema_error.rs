//! Why a schema cannot be used.

#![forbid(unsafe_code)]

use std::fmt;

use fjson::Diagnostic;
use fjson::Error;
use fjson::ErrorKind;

/// What is wrong with a schema: it is not JSON, not a schema, or refers to one that is not found. It has at least one [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    problems: Vec<Problem>,
}

/// A problem of a schema, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The name of the file, as it was given to the builder or by the [`Resolver`](crate::Resolver).
    pub file: String,
    /// What was found, and where.
    pub diagnostic: Diagnostic,
}

impl SchemaError {
    pub(crate) fn new(problems: Vec<Problem>) -> Self {
        Self { problems }
    }

    /// Returns the problems: one, except if the schema does not follow its meta-schema.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl From<Problem> for SchemaError {
    fn from(problem: Problem) -> Self {
        Self::new(vec![problem])
    }
}

impl Problem {
    pub(crate) fn new(file: &str, diagnostic: Diagnostic) -> Self {
        Self { file: file.to_owned(), diagnostic }
    }

    /// The text is not valid JSON.
    pub(crate) fn not_json(file: &str, text: &[u8], error: &Error) -> Self {
        let offset = usize::try_from(error.offset()).unwrap_or(usize::MAX).min(text.len());
        let mut diagnostic = Diagnostic::new(text, offset, format!("the schema is not valid JSON: {error}"));
        // Schemas are read without options.
        let help = error.help().filter(|_| error.kind() != ErrorKind::DepthLimit);
        diagnostic.help = help.map(|help| help.split(", or let ").next().unwrap_or(help).to_owned());
        diagnostic.pointer = error.pointer().map(str::to_owned);
        Self::new(file, diagnostic)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.diagnostic.position;
        write!(formatter, "{}:{}:{}: {}", self.file, position.line, position.column, self.diagnostic)
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            write!(formatter, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SchemaError {}
