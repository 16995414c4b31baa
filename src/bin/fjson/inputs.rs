//! Which inputs the command line means: operands, lists of names, and what lies in directories.
//!
//! They are visited one by one as they are found, so a list may be endless and a directory huge. A name given by the
//! user is always taken; in a directory only names that look like JSON are, and ignore files are honoured.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::exit::RunError;
use crate::exit::reason;
use crate::name::Name;
use crate::source::Source;
use ignore::DirEntry;
use ignore::WalkBuilder;
use ignore::overrides::Override;
use ignore::overrides::OverrideBuilder;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::IsTerminal;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Visits all inputs, one after the other.
pub trait Visit {
    /// Takes an input, or the reason why it could not be opened. An error ends the visit.
    fn visit(&mut self, input: Result<Source, RunError>) -> Result<(), RunError>;

    /// No more files can be opened: closes those that were taken before. False if none of them is open.
    fn make_room(&mut self) -> Result<bool, RunError> {
        Ok(false)
    }
}

impl<F: FnMut(Result<Source, RunError>) -> Result<(), RunError>> Visit for F {
    fn visit(&mut self, input: Result<Source, RunError>) -> Result<(), RunError> {
        self(input)
    }
}

const JSON_EXTENSIONS: [&str; 4] = ["json", "jsonl", "ndjson", "geojson"];

/// Behind one of these.
const COMPRESSED_EXTENSIONS: [&str; 2] = ["gz", "zst"];

const ASKED_FOR_TWICE: &str = "standard input is named twice, and can be read only once";

const NOTHING_FOUND: &str = "no JSON file in this directory (see --glob, --hidden and --no-ignore)";

impl Inputs {
    /// Standard input is a terminal and nothing else was asked for.
    pub fn would_wait_for_a_keyboard(&self) -> bool {
        self.is_stdin_only() && io::stdin().is_terminal()
    }

    /// Opens every input in the order of the command line.
    pub fn each(&self, visitor: &mut dyn Visit) -> Result<(), RunError> {
        if self.is_stdin_only() {
            return visitor.visit(Source::stdin());
        }
        if self.names_stdin_twice() {
            return visitor.visit(Err(RunError::new(Name::Stdin, ASKED_FOR_TWICE)));
        }
        for path in &self.files {
            self.one(path, visitor)?;
        }
        if let Some(list) = &self.files_from {
            self.listed(list, b'\n', visitor)?;
        }
        if let Some(list) = &self.files0_from {
            self.listed(list, b'\0', visitor)?;
        }
        Ok(())
    }

    /// No input was named.
    pub fn is_stdin_only(&self) -> bool {
        self.files.is_empty() && self.files_from.is_none() && self.files0_from.is_none()
    }

    fn names_stdin_twice(&self) -> bool {
        let names = self.files.iter().chain(&self.files_from).chain(&self.files0_from);
        names.filter(|name| *name == "-").count() > 1
    }

    fn one(&self, path: &Path, visitor: &mut dyn Visit) -> Result<(), RunError> {
        if path == "-" {
            let opened = open(visitor, Source::stdin)?;
            return visitor.visit(opened);
        }
        match open(visitor, || Source::open(path.to_path_buf()))? {
            Ok(source) if source.is_directory() => {
                // The walk opens it by itself.
                drop(source);
                self.walk(path, visitor)
            }
            opened => visitor.visit(opened),
        }
    }

    fn listed(&self, list: &Path, separator: u8, visitor: &mut dyn Visit) -> Result<(), RunError> {
        if list == "-" {
            return self.each_name(Name::Stdin, io::stdin().lock(), separator, visitor);
        }
        let name = Name::Path(list.to_path_buf());
        match open(visitor, || File::open(list).map_err(|error| RunError::io(name.clone(), &error)))? {
            Ok(file) => self.each_name(name, BufReader::new(file), separator, visitor),
            Err(trouble) => visitor.visit(Err(trouble)),
        }
    }

    fn each_name(
        &self,
        list: Name,
        text: impl BufRead,
        separator: u8,
        visitor: &mut dyn Visit,
    ) -> Result<(), RunError> {
        for path in text.split(separator) {
            match path {
                Ok(path) if path.is_empty() => {}
                Ok(path) if path == b"-" && list == Name::Stdin => {
                    visitor.visit(Err(RunError::new(Name::Stdin, ASKED_FOR_TWICE)))?;
                }
                Ok(path) => self.one(Path::new(OsStr::from_bytes(&path)), visitor)?,
                Err(error) => return visitor.visit(Err(RunError::io(list, &error))),
            }
        }
        Ok(())
    }

    fn walk(&self, root: &Path, visitor: &mut dyn Visit) -> Result<(), RunError> {
        let trouble = |reason: String| RunError::new(Name::Path(root.to_path_buf()), reason);
        let globs = match self.globs_below(root) {
            Ok(globs) => globs,
            Err(error) => return visitor.visit(Err(trouble(error.to_string()))),
        };
        let any_name = globs.num_whitelists() > 0;
        let mut walk = WalkBuilder::new(root);
        walk.overrides(globs).standard_filters(!self.no_ignore).hidden(!self.hidden).sort_by_file_name(OsStr::cmp);
        let mut found = false;
        for entry in walk.build() {
            match entry {
                Ok(entry) if is_file(&entry) && (any_name || self.is_wanted(entry.path())) => {
                    found = true;
                    let opened = open(visitor, || Source::open(entry.path().to_path_buf()))?;
                    visitor.visit(opened)?;
                }
                Ok(_) => {}
                Err(error) => visitor.visit(Err(walk_trouble(root, &error)))?,
            }
        }
        if found { Ok(()) } else { visitor.visit(Err(trouble(String::from(NOTHING_FOUND)))) }
    }

    /// Whether a file of a directory is taken without being asked for.
    fn is_wanted(&self, path: &Path) -> bool {
        let extension = json_extension(path).unwrap_or_default();
        JSON_EXTENSIONS.iter().any(|json| extension == *json)
            && !(self.skip_lines && is_of_lines(extension))
            && !(self.skip_compressed && is_compressed(path))
    }

    fn globs_below(&self, root: &Path) -> Result<Override, ignore::Error> {
        let mut globs = OverrideBuilder::new(root);
        for glob in &self.globs {
            globs.add(glob)?;
        }
        globs.build()
    }
}

/// Opens something; if too many files are open, when the visitor has closed those it has.
fn open<T>(visitor: &mut dyn Visit, opened: impl Fn() -> Result<T, RunError>) -> Result<Result<T, RunError>, RunError> {
    match opened() {
        Err(trouble) if trouble.is_crowded && visitor.make_room()? => Ok(opened()),
        result => Ok(result),
    }
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

/// What the name says that the content is, whether it is compressed or not.
pub fn json_extension(path: &Path) -> Option<&OsStr> {
    if is_compressed(path) { path.file_stem().map(Path::new).and_then(Path::extension) } else { path.extension() }
}

/// Whether the name says that the content is compressed.
fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| COMPRESSED_EXTENSIONS.iter().any(|compressed| extension == *compressed))
}

/// Whether a name that ends like this says that each line is a document.
pub fn is_of_lines(extension: &OsStr) -> bool {
    extension == "jsonl" || extension == "ndjson"
}

/// The value of `--glob`.
pub fn glob(value: &str) -> Result<String, String> {
    match OverrideBuilder::new("").add(value) {
        Ok(_) => Ok(value.to_owned()),
        Err(ignore::Error::Glob { err, .. }) => Err(err),
        Err(error) => Err(error.to_string()),
    }
}

/// What the walk could not enter, by its own name where that is known.
fn walk_trouble(root: &Path, error: &ignore::Error) -> RunError {
    let mut path = root;
    let mut cause = error;
    while let ignore::Error::WithPath { err, .. } | ignore::Error::WithDepth { err, .. } = cause {
        if let ignore::Error::WithPath { path: inner, .. } = cause {
            path = inner;
        }
        cause = err;
    }
    let reason = error.io_error().map_or_else(|| cause.to_string(), reason);
    RunError::new(Name::Path(path.to_path_buf()), reason)
}
