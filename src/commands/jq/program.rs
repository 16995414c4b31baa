//! The program: its text, its variables, and the modules that it imports.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::commands::jq::invocation::Invocation;
use crate::commands::jq::piece::Documents;
use crate::commands::jq::piece::Opened;
use crate::commands::jq::settings::Argument;
use crate::commands::jq::settings::Settings;
use crate::commands::jq::status;
use crate::exit::RunError;
use crate::exit::reason;
use crate::extension::is_json;
use crate::name::Name;
use crate::source::Source;
use fjson::DocumentBatch;
use fjson::Framing;
use fjson::Options;
use fjson_jq::Directories;
use fjson_jq::Filter;
use fjson_jq::Import;
use fjson_jq::Imported;
use fjson_jq::LeadingPath;
use fjson_jq::Machine;
use fjson_jq::Modules;
use fjson_jq::Uses;
use fjson_jq::value::Object;
use fjson_jq::value::Value;
use fjson_jq::value::lossy_text;
use std::cell::RefCell;
use std::env;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::path::PathBuf;

/// A compiled program with the values of its variables.
pub struct Program {
    filter: Filter,
    /// The path at the beginning, and what is run on each element to which it leads.
    elements: Option<(LeadingPath, Filter)>,
    named: Vec<(String, Given)>,
    positional: Vec<Given>,
    pub modules: SearchPath,
}

/// The value of a variable, in a form that threads can share.
enum Given {
    Text(String),
    Json(String),
    /// Documents, one after the other.
    Documents(Vec<u8>),
}

/// The variable that has all others.
const ARGUMENTS: &str = "ARGS";
const BUILD_CONFIGURATION: &str = "JQ_BUILD_CONFIGURATION";

/// Number of bytes of values for which other threads make them, too.
const SHARED: usize = 16 << 20;

impl Program {
    /// Compiles the program of the command line. If it cannot, prints why and returns the exit status.
    pub fn new(settings: &Settings, invocation: Invocation) -> Result<Self, u8> {
        let failed = |error: RunError| {
            error.print();
            status::SYSTEM
        };
        let (text, directory) = text(settings).map_err(failed)?;
        let named = settings.named.iter().map(|(name, argument)| Ok((name.clone(), Given::read(argument, settings)?)));
        let named = named.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let positional = settings
            .positional
            .iter()
            .map(|argument| Given::read(argument, settings))
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)?;
        let mut modules = SearchPath::new(settings.search_path.as_deref(), directory, settings.sandbox);
        let mut builder = Filter::builder();
        for (name, _) in &named {
            builder = builder.variable(name);
        }
        builder = builder.variable(ARGUMENTS);
        if !named.iter().any(|(name, _)| name == BUILD_CONFIGURATION) {
            builder = builder.variable(BUILD_CONFIGURATION);
        }
        if !settings.sandbox
            && let Some((name, definitions)) = own_definitions()
        {
            builder = builder.definitions(name, definitions);
        }
        let filter = builder.modules(&mut modules).compile(&text).map_err(|error| {
            let help = misplaced(&text, invocation).filter(|_| !settings.is_from_file);
            invocation.print_program_error(&error, help.as_deref());
            status::PROGRAM
        })?;
        if settings.sandbox
            && let Some(name) = refused(filter.uses())
        {
            invocation.print(&format!("the program uses {name}, which --sandbox refuses"));
            return Err(status::PROGRAM);
        }
        let Uses { inputs, line_number, .. } = filter.uses();
        // Limits are those of the run for the whole document.
        let is_whole = inputs || line_number || settings.has_limits();
        let elements = if is_whole { None } else { filter.leading_path() };
        Ok(Self { filter, elements, named, positional, modules })
    }

    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Returns the path to the elements on which the rest of the program may be run instead.
    pub fn leading_path(&self) -> Option<&LeadingPath> {
        self.elements.as_ref().map(|(path, _)| path)
    }

    /// Returns the rest of the program if there is such a path.
    pub fn element_filter(&self) -> Option<&Filter> {
        self.elements.as_ref().map(|(_, rest)| rest)
    }

    /// Returns what is run on the values of an input.
    pub fn filter_for(&self, opened: &Opened) -> &Filter {
        self.element_filter().filter(|_| opened.has_elements).unwrap_or(&self.filter)
    }

    /// Whether the program may be run for different inputs on different threads.
    pub fn may_be_shared(&self) -> bool {
        let Uses { inputs, halts, messages, line_number, .. } = self.filter.uses();
        let size: usize = self.named.iter().map(|(_, given)| given.size()).sum();
        !inputs && !halts && !messages && !line_number && !self.modules.has_data && size <= SHARED
    }

    /// Sets the variables. Each thread makes the values once.
    pub fn set_variables(&self, machine: &mut Machine<'_>) {
        thread_local! {
            static VALUES: RefCell<Option<Vec<(String, Value)>>> = const { RefCell::new(None) };
        }
        VALUES.with_borrow_mut(|values| {
            for (name, value) in values.get_or_insert_with(|| self.values()) {
                machine.set_variable(name, value.clone());
            }
        });
    }

    fn values(&self) -> Vec<(String, Value)> {
        let mut values: Vec<_> = self.named.iter().map(|(name, given)| (name.clone(), given.value())).collect();
        let mut named = Object::new();
        for (name, value) in &values {
            named.insert(name.as_str().into(), value.clone());
        }
        let mut arguments = Object::new();
        let positional: Vec<_> = self.positional.iter().map(Given::value).collect();
        arguments.insert("positional".into(), positional.into());
        arguments.insert("named".into(), named.into());
        if !values.iter().any(|(name, _)| name == BUILD_CONFIGURATION) {
            values.push((BUILD_CONFIGURATION.to_owned(), build_configuration().into()));
        }
        values.push((ARGUMENTS.to_owned(), arguments.into()));
        values
    }
}

/// Returns help for a program that is something else.
fn misplaced(text: &str, invocation: Invocation) -> Option<String> {
    let path = Path::new(text);
    if is_json(path) || path.is_file() {
        return Some(format!("this is a file, and the program comes first: {} PROGRAM FILE", invocation.command()));
    }
    text.starts_with('/')
        .then(|| "a program is written as in `.a.b`; `fjson query` takes a JSON Pointer such as `/a/b`".to_owned())
}

/// Returns how the program was built, for `--build-configuration`.
pub fn build_configuration() -> String {
    format!("fjson {} {}", env!("CARGO_PKG_VERSION"), env!("FJSON_TARGET"))
}

impl Given {
    /// Reads an argument.
    fn read(argument: &Argument, settings: &Settings) -> Result<Self, RunError> {
        let whole = |path: &Path, inputs: Inputs| inputs.read_whole(&Source::named(path)?);
        Ok(match argument {
            Argument::Text(text) => Self::Text(text.clone()),
            Argument::Json(text) => Self::Json(text.clone()),
            Argument::File(path) => Self::Text(lossy_text(whole(path, Inputs::plain())?)),
            Argument::Documents(path) => {
                let Settings { bom, encoding, .. } = *settings;
                let text = whole(path, Inputs { bom, encoding, ..Inputs::plain() })?;
                if let Err(error) = fjson::validate(&text, &Options::new().framing(Framing::Stream)) {
                    let place = error.position().map(|at| format!("line {}, column {}: ", at.line, at.column));
                    let reason = format!("{}{error}", place.unwrap_or_default());
                    return Err(RunError::new(Name::Path(path.clone()), reason));
                }
                Self::Documents(text)
            }
        })
    }

    fn size(&self) -> usize {
        match self {
            Self::Text(text) | Self::Json(text) => text.len(),
            Self::Documents(text) => text.len(),
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            // It was read before.
            Self::Json(text) => Value::from_json(text).unwrap_or_default(),
            Self::Documents(text) => {
                let mut values = Vec::new();
                let options = Options::new().framing(Framing::Stream).max_memory(u32::MAX.into());
                // It was checked before.
                let map = |batch: &DocumentBatch<'_>| Documents::of_batch(batch, 0);
                let _ = fjson::map_documents(text, &options, map, |documents| {
                    values.extend(documents.into_iter().flat_map(|it| it.result.into_values()).map(|(value, _)| value));
                    ControlFlow::Continue(())
                });
                values.into()
            }
        }
    }
}

/// Returns the text of the program, and the directory in which its relative paths begin.
fn text(settings: &Settings) -> Result<(String, PathBuf), RunError> {
    let here = || env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let Some(program) = &settings.program else { return Ok((".".to_owned(), here())) };
    if !settings.is_from_file {
        return Ok((program.to_string_lossy().into_owned(), here()));
    }
    let path = PathBuf::from(program);
    let run_error = |error| RunError::new(Name::Path(path.clone()), reason(&error));
    let bytes = if path.as_os_str() == "-" {
        let source = Source::stdin()?;
        Inputs::plain().read_whole(&source)?
    } else {
        fs::read(&path).map_err(run_error)?
    };
    let directory = path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_path_buf));
    Ok((lossy_text(bytes), directory.unwrap_or_else(here)))
}

/// Returns the name and the text of `~/.jq` if it is a file: definitions for every program.
fn own_definitions() -> Option<(String, String)> {
    let path = env::home_dir()?.join(".jq");
    let text = path.is_file().then(|| fs::read(&path))?.ok()?;
    Some((path.display().to_string(), lossy_text(text)))
}

/// Returns the name of something that an unchecked program must not use.
fn refused(uses: Uses) -> Option<&'static str> {
    let Uses { messages, environment, file_name, .. } = uses;
    let refused = [(messages, "debug or stderr"), (environment, "env or $ENV"), (file_name, "input_filename")];
    refused.into_iter().find_map(|(is_used, name)| is_used.then_some(name))
}

/// Where modules are searched, as jq says.
#[derive(Clone)]
pub struct SearchPath {
    /// As `get_search_list` shows it.
    pub shown: Vec<String>,
    directories: Directories,
    /// Where relative paths of the program begin.
    base: PathBuf,
    /// The directory of fjson, or of the link to it.
    origin: PathBuf,
    /// Whether data was imported.
    has_data: bool,
    /// Whether all modules are refused.
    is_sandboxed: bool,
}

const DEFAULT: [&str; 3] = ["~/.jq", "$ORIGIN/../lib/jq", "$ORIGIN/../lib"];

impl SearchPath {
    fn new(paths: Option<&[PathBuf]>, base: PathBuf, is_sandboxed: bool) -> Self {
        let shown = match paths {
            None => DEFAULT.map(str::to_owned).to_vec(),
            Some(paths) => {
                let absolute = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
                paths.iter().map(|path| absolute(path).to_string_lossy().into_owned()).collect()
            }
        };
        let origin = Invocation::directory();
        let directories = Directories::new(shown.iter().map(|path| expanded(path, &origin)));
        Self { shown, directories, base, origin, has_data: false, is_sandboxed }
    }
}

impl Modules for SearchPath {
    fn load(&mut self, import: Import<'_>) -> Result<Imported, String> {
        if self.is_sandboxed {
            return Err(format!("the program uses the module {}, which --sandbox refuses", import.path));
        }
        self.has_data |= import.is_data;
        // Relative paths of a module begin where the module is, which `Directories` knows.
        let search = import.search.iter().map(|path| {
            let path = expanded(path, &self.origin);
            let path = if import.importer.is_none() { self.base.join(path) } else { path };
            path.to_string_lossy().into_owned()
        });
        let search: Vec<_> = search.collect();
        self.directories.load(Import { search: &search, ..import })
    }
}

/// Returns a path with the home directory and the directory of the program in it.
fn expanded(path: &str, origin: &Path) -> PathBuf {
    if let Some(rest) = path.strip_prefix("$ORIGIN/") {
        return origin.join(rest);
    }
    match (path.strip_prefix("~/"), env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}
