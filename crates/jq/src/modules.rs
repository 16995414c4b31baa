//! Where the modules of a program come from.

#![forbid(unsafe_code)]

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use fjson::Framing;
use fjson::Options;

use crate::value::Reader;
use crate::value::Value;

/// What a program imports.
#[derive(Clone, Copy, Debug)]
pub struct Import<'i> {
    /// The path in the program, without the ending of the file.
    pub path: &'i str,
    /// Whether it is data, `import "path" as $name;`, and not a module.
    pub is_data: bool,
    /// The directories in the metadata of the import, `{search: "…"}`.
    pub search: &'i [String],
    /// The name of the module that imports it; `None` for the program.
    pub importer: Option<&'i str>,
}

/// A module or data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The name for messages. Modules with the same name are the same module.
    pub name: String,
    /// The definitions, or any number of JSON documents.
    pub text: String,
}

/// Finds the modules that a program imports.
///
/// ```
/// use fjson_jq::{Filter, Import, Imported, Modules};
///
/// struct Library;
///
/// impl Modules for Library {
///     fn load(&mut self, import: Import<'_>) -> Result<Imported, String> {
///         match import.path {
///             "prices" => Ok(Imported { name: "prices".into(), text: "def gross: . * 1.25;".into() }),
///             other => Err(format!("module not found: {other}")),
///         }
///     }
/// }
///
/// let filter = Filter::builder().modules(&mut Library).compile(r#"import "prices" as p; .[] | p::gross"#)?;
/// assert_eq!(filter.first("[8, 4]")?.unwrap().to_string(), "10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Modules {
    /// Returns a module, or data.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    fn load(&mut self, import: Import<'_>) -> Result<Imported, String>;
}

/// Modules in files: `path.jq`, or `path/last.jq` where `last` is the last part of the path; data in files that end with `.json`.
///
/// They are searched in the directories that the metadata of the import names, then in those given here. Relative directories in
/// metadata are relative to the file that imports; `~/` is the home directory of the user.
#[derive(Clone, Debug, Default)]
pub struct Directories {
    paths: Vec<PathBuf>,
}

impl Directories {
    /// Searches in these directories, in this order.
    pub fn new(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { paths: paths.into_iter().map(Into::into).collect() }
    }

    fn directories(&self, import: &Import<'_>) -> Vec<PathBuf> {
        let own = import.importer.and_then(|importer| Path::new(importer).parent()).map(Path::to_path_buf);
        let mut directories = Vec::new();
        for search in import.search {
            let expanded = expand(search);
            match &own {
                Some(own) => directories.push(own.join(expanded)),
                None if expanded.is_relative() && !self.paths.is_empty() => {
                    directories.extend(self.paths.iter().map(|path| path.join(&expanded)));
                }
                None => directories.push(expanded),
            }
        }
        directories.extend(own);
        directories.extend(self.paths.iter().cloned());
        directories
    }
}

/// `~/` is the home directory.
fn expand(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

impl Modules for Directories {
    fn load(&mut self, import: Import<'_>) -> Result<Imported, String> {
        let ending = if import.is_data { "json" } else { "jq" };
        let last = import.path.rsplit('/').next().unwrap_or(import.path);
        if Path::new(import.path).is_absolute() || import.path.split('/').any(|part| part == "..") {
            return Err(format!("Relative paths to modules may not traverse to parent directories ({})", import.path));
        }
        for directory in self.directories(&import) {
            for file in [format!("{}.{ending}", import.path), format!("{}/{last}.{ending}", import.path)] {
                let file = directory.join(file);
                match fs::read_to_string(&file) {
                    Ok(text) => return Ok(Imported { name: file.display().to_string(), text }),
                    Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
                    Err(error) => return Err(format!("{}: {error}", file.display())),
                }
            }
        }
        Err(format!("module not found: {}", import.path))
    }
}

/// The values of concatenated documents.
pub(crate) fn read_documents(text: &str) -> Result<Vec<Value>, fjson::Error> {
    let mut lines = Vec::new();
    fjson::minify(text, &mut lines, &Options::new().framing(Framing::Stream))?;
    let mut reader = Reader::new();
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| reader.read(line)).collect()
}
