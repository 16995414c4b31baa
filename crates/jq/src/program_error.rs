//! What is wrong with a program, with the place and an excerpt.

#![forbid(unsafe_code)]

use std::fmt;
use std::rc::Rc;

use crate::syntax::Fault;
use crate::syntax::Span;

/// A text that was compiled: the program, or a module.
#[derive(Debug)]
pub(crate) struct Source {
    /// None for the program.
    pub(crate) name: Option<String>,
    pub(crate) text: String,
}

impl Fault {
    /// The mistake in a text, if it is not already known to be in another one.
    pub(crate) fn in_source(mut self, source: &Rc<Source>) -> Self {
        self.source.get_or_insert_with(|| Rc::clone(source));
        self
    }

    pub(crate) fn into_error(self) -> ProgramError {
        let source = self.source.unwrap_or_else(|| Rc::new(Source { name: None, text: String::new() }));
        ProgramError::new(self.message, self.help, self.span, &source)
    }
}

/// An error in a program, found when it is compiled.
///
/// [`Display`](fmt::Display) writes the message and the place in the form of jq: the line of the program, and below it carets under
/// what the message is about. A sentence that may help follows in [`help`](Self::help).
///
/// ```
/// use fjson_jq::Filter;
///
/// let error = Filter::new(".users | lenght").unwrap_err();
/// assert_eq!(error.message(), "lenght/0 is not defined");
/// assert_eq!((error.line(), error.column()), (1, 10));
/// assert_eq!(error.help(), Some("did you mean `length`?"));
/// assert!(error.to_string().ends_with("    .users | lenght\n             ^^^^^^"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    message: String,
    help: Option<String>,
    module: Option<String>,
    offset: usize,
    length: usize,
    line: usize,
    column: usize,
    /// The line of the text.
    excerpt: String,
}

impl ProgramError {
    fn new(message: String, help: Option<String>, span: Span, source: &Source) -> Self {
        let text = &source.text;
        let start = span.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[line_start..].find('\n').map_or(text.len(), |length| line_start + length);
        let end = span.end.clamp(start, line_end.max(start));
        Self(Box::new(Details {
            message,
            help,
            module: source.name.clone(),
            offset: start,
            length: end - start,
            line: text[..line_start].matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            excerpt: text[line_start..line_end].to_owned(),
        }))
    }

    /// What was found and what was expected.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// A sentence that may help.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The name of the module that the error is in; `None` if it is in the program itself.
    #[must_use]
    pub fn module(&self) -> Option<&str> {
        self.0.module.as_deref()
    }

    /// The first byte in the text of the program or module.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// The number of bytes that the message is about, up to the end of the line.
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.length
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The column in characters, counted from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.0.column
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.0.module.as_deref().unwrap_or("<top-level>");
        writeln!(formatter, "{} at {place}, line {}, column {}:", self.0.message, self.0.line, self.0.column)?;
        writeln!(formatter, "    {}", self.0.excerpt)?;
        // A tab stays a tab, so that the carets are below what they mark.
        let before =
            self.0.excerpt.chars().take(self.0.column - 1).map(|character| if character == '\t' { '\t' } else { ' ' });
        let marked = self.0.excerpt.chars().skip(self.0.column - 1).collect::<String>();
        let width = marked.get(..self.0.length).map_or(1, |marked| marked.chars().count()).max(1);
        write!(formatter, "    {}{}", before.collect::<String>(), "^".repeat(width))
    }
}

impl std::error::Error for ProgramError {}
