//! The schemas of the command line: which one an input has, and what it says about a document.

#![forbid(unsafe_code)]

use crate::args::comments::Comments;
use crate::args::schema::Formats;
use crate::args::schema::SchemaOptions;
use crate::exit::Exit;
use crate::exit::FILE_CHANGED;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Violation;
use crate::report::original::excerpt;
use crate::source::Source;
use fjson::Value;
use fjson_schema::Directories;
use fjson_schema::Draft;
use fjson_schema::Problem;
use fjson_schema::Resolver;
use fjson_schema::Schema;
use fjson_schema::SchemaBuilder;
use fjson_schema::SchemaError;
use fjson_schema::resolve_uri;
use ignore::overrides::Override;
use ignore::overrides::OverrideBuilder;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// The advice for schemas that are not found.
const NO_NETWORK: &str = "nothing is read from the network; name the directory of this schema (`--schema-dir`)";

/// The advice for an address in the place of a file.
const NOT_FETCHED: &str = "nothing is read from the network; download the schema, and name the file";

/// What inputs are validated against.
pub struct Schemas<'s> {
    options: &'s SchemaOptions,
    /// Which schemas may have comments.
    comments: Comments,
    directories: Arc<Directories>,
    /// The schemas of the command line. The last one that is for an input applies.
    rules: Vec<Rule>,
    /// Whether one of them applied to a document, and whether none did.
    applied: AtomicBool,
    missed: AtomicBool,
    /// The schemas that documents name, by their URIs.
    named: Mutex<HashMap<String, Named>>,
    /// Whether to look for deprecated values.
    pub shows_deprecated: bool,
    /// Whether to look for misspelled keywords in inputs that are schemas.
    pub shows_misspelled: bool,
}

/// A schema of the command line.
struct Rule {
    /// The names of the inputs that it is for.
    names: Option<Override>,
    schema: Schema,
}

impl Rule {
    fn is_for(&self, path: &Path) -> bool {
        let path = path.strip_prefix(".").unwrap_or(path);
        self.names.as_ref().is_none_or(|names| names.matched(path, false).is_whitelist())
    }
}

/// A schema that documents name, or why it cannot be used.
type Named = Arc<Result<Schema, Vec<Violation>>>;

/// Why the schemas of the command line cannot be used.
pub enum Failure {
    Run(RunError),
    Schema(SchemaError),
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

/// What a schema says about a document.
#[derive(Default)]
pub struct Verdict {
    /// Offsets are those in the text of the document, and positions are not known.
    pub violations: Vec<Violation>,
    /// Values that are deprecated, and keywords that are misspelled: they do not make the document invalid.
    pub notes: Vec<Violation>,
    /// Whether there may be more violations.
    pub is_cut: bool,
}

impl From<Vec<Violation>> for Verdict {
    fn from(violations: Vec<Violation>) -> Self {
        Self { violations, ..Self::default() }
    }
}

impl<'s> Schemas<'s> {
    /// Compiles the schemas of the command line.
    pub fn new(options: &'s SchemaOptions, comments: Comments) -> Result<Self, Failure> {
        for directory in &options.schema_dirs {
            let name = || Name::Path(directory.clone());
            match fs::metadata(directory) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => return Err(RunError::new(name(), "is no directory (--schema-dir)").into()),
                Err(error) => return Err(RunError::io(name(), &error).into()),
            }
        }
        let may_have_comments = move |path: &Path| comments.are_accepted(&Name::Path(path.to_path_buf()));
        let directories = Arc::new(Directories::new(&options.schema_dirs).comments(may_have_comments));
        let mut schemas = Self {
            options,
            comments,
            directories,
            rules: Vec::new(),
            applied: AtomicBool::new(false),
            missed: AtomicBool::new(false),
            named: Mutex::default(),
            shows_deprecated: false,
            shows_misspelled: false,
        };
        for argument in &options.schemas {
            let (glob, path) = split(argument);
            let names = glob.map(|glob| matcher(&glob).map_err(|reason| usage(argument, &reason))).transpose()?;
            let schema = schemas.compile(&path)?;
            schemas.rules.push(Rule { names, schema });
        }
        Ok(schemas)
    }

    fn builder(&self, uri: &str, name: &str) -> SchemaBuilder {
        let builder = Schema::builder().formats(self.options.formats == Formats::Assert).uri(uri).name(name);
        match self.options.draft {
            Some(draft) => builder.draft(draft.into()),
            None => builder,
        }
    }

    /// Compiles the schema in a file.
    fn compile(&self, path: &Path) -> Result<Schema, Failure> {
        let is_address = path.to_str().is_some_and(|path| path.starts_with("http://") || path.starts_with("https://"));
        let source = match Source::named(path) {
            Err(error) if is_address => return Err(RunError::new(error.name, NOT_FETCHED).into()),
            source => source?,
        };
        if source.is_directory() {
            return Err(RunError::new(source.name, "is a directory, not a schema").into());
        }
        let failed = |error| RunError::io(source.name.clone(), &error);
        let mut text = Vec::new();
        source.input(false, false).expanded(u64::MAX).into_reader().read_to_end(&mut text).map_err(failed)?;
        if source.regular().is_some() && !source.is_unchanged() {
            return Err(RunError::new(source.name.clone(), FILE_CHANGED).into());
        }
        if self.comments.are_accepted(&source.name) {
            fjson::blank_comments(&mut text);
        }
        let uri = Directories::uri(path).map_err(failed)?;
        let builder = self.builder(&uri, &source.name.to_string());
        let builder = builder.at(self.options.schema_at.as_deref().unwrap_or_default());
        builder.compile(text, self.directories.clone()).map_err(Failure::Schema)
    }

    /// Validates a document of the input `name`.
    pub fn check(&self, name: &Name, document: Value<'_, '_>) -> Verdict {
        if self.options.inputs_are_schemas {
            return self.check_schema(name, document);
        }
        if self.options.schema_from_instance {
            let Some(member) = document.get("$schema") else { return Verdict::default() };
            let Some(schema) = member.as_str() else {
                let message = "found no text as `$schema`, which names the schema of the document";
                return vec![unlocated(member, message.to_owned())].into();
            };
            return match &*self.named(name, &schema, member) {
                Ok(schema) => self.verdict(schema, document),
                Err(problems) => problems.iter().map(|problem| at_member(problem, member)).collect::<Vec<_>>().into(),
            };
        }
        let path = name.path().unwrap_or(Path::new("-"));
        let rule = self.rules.iter().rev().find(|rule| rule.is_for(path));
        let found = if rule.is_some() { &self.applied } else { &self.missed };
        // Threads share it, so it is written once.
        if !found.load(Relaxed) {
            found.store(true, Relaxed);
        }
        rule.map_or_else(Verdict::default, |rule| self.verdict(&rule.schema, document))
    }

    /// Validates a document against a schema.
    fn verdict(&self, schema: &Schema, document: Value<'_, '_>) -> Verdict {
        let found = schema.violations(document);
        let is_cut = !found.is_complete();
        let text = document.tokens().text();
        let of_value = |violation| of_value(violation, text);
        let deprecated = if self.shows_deprecated { schema.deprecated(document) } else { Vec::new() };
        Verdict {
            violations: found.into_iter().map(of_value).collect(),
            notes: deprecated.into_iter().map(|value| Violation { exit: Exit::Success, ..of_value(value) }).collect(),
            is_cut,
        }
    }

    /// Checks that a document is a schema.
    fn check_schema(&self, name: &Name, document: Value<'_, '_>) -> Verdict {
        let uri = Directories::uri(name.path().unwrap_or(Path::new("stdin"))).unwrap_or_default();
        let shown = name.to_string();
        let compiled = self.builder(&uri, &shown).compile(document.raw(), self.directories.clone());
        let found = |problem: &Problem, exit: Exit| {
            let mut violation = Violation { exit, ..Violation::of_problem(problem) };
            if problem.file == shown {
                violation.file = None;
                let start = document.start() as u64;
                (violation.offset, violation.end) = (violation.offset + start, violation.end + start);
                violation.position = None;
            }
            violation
        };
        match compiled {
            Err(error) => {
                let violations = error.problems().iter().map(|problem| found(problem, Exit::Invalid));
                violations.collect::<Vec<_>>().into()
            }
            Ok(schema) if self.shows_misspelled => {
                let notes = schema.misspelled().iter().map(|problem| found(problem, Exit::Success));
                Verdict { notes: notes.collect(), ..Verdict::default() }
            }
            Ok(_) => Verdict::default(),
        }
    }

    /// Returns the misspelled keywords of the schemas of the command line.
    pub fn misspelled(&self) -> impl Iterator<Item = &Problem> {
        self.rules.iter().flat_map(|rule| rule.schema.misspelled())
    }

    /// Whether documents were read, and no schema of the command line applied to any of them.
    pub fn are_unused(&self) -> bool {
        self.missed.load(Relaxed) && !self.applied.load(Relaxed)
    }

    /// Returns the schema that a document of the input `name` names.
    fn named(&self, name: &Name, schema: &str, member: Value<'_, '_>) -> Named {
        let base = Directories::uri(name.path().unwrap_or(Path::new("stdin"))).unwrap_or_default();
        let uri = resolve_uri(&base, schema).unwrap_or_else(|| schema.to_owned());
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let compiled = named.entry(uri.clone()).or_insert_with(|| Arc::new(self.compile_named(&uri, schema, member)));
        Arc::clone(compiled)
    }

    fn compile_named(&self, uri: &str, written: &str, member: Value<'_, '_>) -> Result<Schema, Vec<Violation>> {
        if let Some(draft) = Draft::of_uri(uri) {
            return Ok(Schema::of_draft(draft));
        }
        let (document, fragment) = uri.split_once('#').unwrap_or((uri, ""));
        let problem = |message: String, help: Option<&str>| {
            let mut problem = unlocated(member, message);
            problem.help = help.map(str::to_owned);
            vec![problem]
        };
        match self.directories.resolve(document) {
            Ok(Some(loaded)) => {
                let builder = self.builder(document, &loaded.name).at(fragment).ignores_schema_member(true);
                let compiled = builder.compile(loaded.text, self.directories.clone());
                compiled.map_err(|error| error.problems().iter().map(Violation::of_problem).collect())
            }
            Ok(None) => Err(problem(format!("the schema \"{written}\" is not found"), Some(NO_NETWORK))),
            Err(reason) => Err(problem(format!("the schema \"{written}\" cannot be read: {reason}"), None)),
        }
    }
}

fn of_value(violation: fjson_schema::Violation, text: &[u8]) -> Violation {
    Violation {
        file: None,
        exit: Exit::Invalid,
        offset: violation.range.start as u64,
        end: violation.range.end as u64,
        position: None,
        excerpt: excerpt(text, violation.range.start),
        record: None,
        pointer: violation.pointer,
        keyword: Some(violation.keyword),
        message: violation.message,
        help: violation.help,
        schema: violation.schema,
        causes: violation.causes.into_iter().map(|cause| of_value(cause, text)).collect(),
    }
}

/// Returns a problem with what a document names as its schema.
fn unlocated(member: Value<'_, '_>, message: String) -> Violation {
    let range = member.range();
    Violation {
        file: None,
        exit: Exit::Error,
        offset: range.start as u64,
        end: range.end as u64,
        position: None,
        excerpt: excerpt(member.tokens().text(), range.start),
        record: None,
        pointer: "/$schema".to_owned(),
        keyword: None,
        message,
        help: None,
        schema: None,
        causes: Vec::new(),
    }
}

/// Returns a problem of a schema for each document that names it: with its place in the schema, or in this document.
fn at_member(problem: &Violation, member: Value<'_, '_>) -> Violation {
    let mut again = unlocated(member, problem.message.clone());
    again.help.clone_from(&problem.help);
    if problem.file.is_some() {
        again.file.clone_from(&problem.file);
        (again.offset, again.end) = (problem.offset, problem.end);
        (again.position, again.pointer) = (problem.position, problem.pointer.clone());
        again.excerpt.clone_from(&problem.excerpt);
    }
    again
}

impl SchemaOptions {
    /// Returns the files of `--schema`.
    pub fn files(&self) -> Vec<PathBuf> {
        self.schemas.iter().map(|argument| split(argument).1).collect()
    }
}

/// Splits an argument of `--schema`. A file with the whole name comes first.
fn split(argument: &OsStr) -> (Option<String>, PathBuf) {
    let path = PathBuf::from(argument);
    match argument.to_str().and_then(|text| text.split_once('=')) {
        Some((glob, file)) if !path.exists() => (Some(glob.to_owned()), PathBuf::from(file)),
        _ => (None, path),
    }
}

fn matcher(glob: &str) -> Result<Override, String> {
    let mut builder = OverrideBuilder::new("");
    let built = builder.add(glob).and_then(|builder| builder.build());
    built.map_err(|error| match error {
        ignore::Error::Glob { err, .. } => err,
        error => error.to_string(),
    })
}

fn usage(argument: &OsStr, reason: &str) -> RunError {
    RunError::new(Name::Path(PathBuf::from(argument)), format!("invalid pattern of --schema: {reason}"))
}
