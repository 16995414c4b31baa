//! A violation of a schema, or a problem of a schema, as reports have it.

#![forbid(unsafe_code)]

use crate::exit::Exit;
use crate::name::Name;
use fjson::Excerpt;
use fjson::Position;
use fjson_schema::Problem;
use fjson_schema::SchemaPlace;
use std::path::PathBuf;

/// What is wrong with a value, or with a schema.
#[derive(Debug)]
pub struct Violation {
    /// The file, if it is not the input.
    pub file: Option<Name>,
    /// The exit status that it causes.
    pub exit: Exit,
    /// Byte offsets of the first byte and the end of the value or key.
    pub offset: u64,
    pub end: u64,
    /// `None` if the lines of the input are not known.
    pub position: Option<Position>,
    pub excerpt: Option<Excerpt>,
    pub record: Option<u64>,
    pub pointer: String,
    /// The keyword that is violated; `None` if a schema cannot be used for another reason.
    pub keyword: Option<String>,
    pub message: String,
    pub help: Option<String>,
    /// Where the keyword is.
    pub schema: Option<SchemaPlace>,
    pub causes: Vec<Violation>,
}

impl Violation {
    /// Returns what is wrong with a schema.
    pub fn of_problem(problem: &Problem) -> Self {
        let diagnostic = &problem.diagnostic;
        Self {
            file: Some(Name::Path(PathBuf::from(&problem.file))),
            exit: Exit::Error,
            offset: diagnostic.offset,
            end: diagnostic.offset,
            position: Some(diagnostic.position),
            excerpt: diagnostic.excerpt.clone(),
            record: None,
            pointer: diagnostic.pointer.clone().unwrap_or_default(),
            keyword: diagnostic.rule.clone(),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone().map(with_option),
            schema: None,
            causes: Vec::new(),
        }
    }

    /// Returns the stable identifier of its kind.
    pub fn kind(&self) -> String {
        match &self.keyword {
            Some(keyword) => format!("schema/{keyword}"),
            None => "invalid-schema".to_owned(),
        }
    }
}

/// Adds the command-line option to the advice of the library, which does not mention options.
fn with_option(help: String) -> String {
    let is_about_directories = ["name the directory of this schema", "must be in a directory that is searched"];
    if is_about_directories.iter().any(|end| help.ends_with(end)) { help + " (`--schema-dir`)" } else { help }
}
