//! The inputs of a command: files on the command line, files from lists, and files in directories.
//!
//! Inputs are visited one by one as they are found, so lists and directories may be arbitrarily long. A file named by the user
//! is always included. In a directory, only files with a JSON extension are included, and ignore files are respected.

#![forbid(unsafe_code)]

mod walk;

use crate::args::Inputs;
use crate::args::Verbosity;
use crate::args::values;
use crate::args::values::Part;
use crate::blocking::Blocking;
use crate::exit::RunError;
use crate::inputs::walk::Found;
use crate::inputs::walk::Visited;
use crate::inputs::walk::traversal_error;
use crate::name::Name;
use crate::outputs::standard_streams;
use crate::platform;
use crate::platform::END_OF_INPUT;
use crate::platform::Identity;
use crate::source::Source;
use crate::stderr;
use crate::target::Target;
use std::cell::Cell;
use std::fs;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::IsTerminal;
use std::path::Path;
use std::path::PathBuf;

/// Visitor of all inputs, in order.
pub trait Visit {
    /// Visits an input, or the error if it could not be opened. If this fails, no further inputs are visited.
    fn visit(&mut self, input: Result<Source, RunError>) -> Result<(), RunError>;

    /// Closes the inputs that were visited before, after the limit on open files was reached. Returns whether there were any.
    fn make_room(&mut self) -> Result<bool, RunError> {
        Ok(false)
    }

    /// Receives a line for standard error, about the input `name`.
    fn tell(&mut self, _name: &Name, _line: String) -> Result<(), RunError> {
        Ok(())
    }
}

impl<F: FnMut(Result<Source, RunError>) -> Result<(), RunError>> Visit for F {
    fn visit(&mut self, input: Result<Source, RunError>) -> Result<(), RunError> {
        self(input)
    }
}

pub const STDIN_TWICE: &str = "standard input is given twice, but it can be read only once";

const STDIN_FOR_OPTION: &str =
    "an option or an operand reads standard input, so it cannot be an input, too; name the inputs";

const DIRECTORY_SPLIT: &str = "is a directory; a split is a part of a file";

const NOT_A_SPLIT: &str = "expected NAME, FROM and TO, separated by tabs";

const NOTHING_MATCHES: &str = "no files in this directory match --glob (see --hidden and --no-ignore)";
const ALL_SKIPPED: &str =
    "all JSON files in this directory are skipped, as JSON Lines or compressed files, which must be named";
const ALL_COMPRESSED: &str = "all JSON files in this directory are skipped, as compressed files, which must be named";
const ONLY_LINKS: &str =
    "all JSON files in this directory are symbolic links, which must be named to be edited in place";
const NOTHING_FOUND: &str = "no JSON files in this directory (see --glob, --hidden and --no-ignore)";

impl Inputs {
    /// Whether the only input is standard input, and it is a terminal.
    fn would_read_terminal(&self) -> bool {
        self.is_stdin_only() && io::stdin().is_terminal()
    }

    /// Says that the program waits for input if it reads a terminal. Without this line, it would seem to hang.
    pub fn announce_terminal(&self) {
        if self.would_read_terminal() && io::stderr().is_terminal() {
            let line = format!("fjson: reading standard input; press {END_OF_INPUT} to end it, or give a FILE\n");
            stderr::print(&line).ok();
        }
    }

    /// Opens every input in the order of the command line.
    pub fn each(&self, visitor: &mut dyn Visit) -> Result<(), RunError> {
        let stdin = &Stdin { is_taken: Cell::new(self.also_read.iter().any(|name| name == "-")) };
        if self.is_stdin_only() {
            return visitor.visit(stdin.take().and_then(|source| self.checked(source, self.part)));
        }
        if self.names_stdin_twice() {
            return visitor.visit(Err(RunError::new(Name::Stdin, STDIN_TWICE)));
        }
        for path in &self.files {
            self.visit_path(path, self.part, stdin, visitor)?;
        }
        if let Some(list) = &self.files_from {
            self.visit_list(list, b'\n', EntryKind::Name, stdin, visitor)?;
        }
        if let Some(list) = &self.files0_from {
            self.visit_list(list, b'\0', EntryKind::Name, stdin, visitor)?;
        }
        if let Some(list) = &self.splits_from {
            self.visit_list(list, b'\n', EntryKind::Split, stdin, visitor)?;
        }
        Ok(())
    }

    /// Whether the command line gives no inputs.
    pub fn is_stdin_only(&self) -> bool {
        self.files.is_empty() && self.lists().next().is_none()
    }

    /// Returns the number of bytes to read from all inputs; `None` if it is unknown, because of a pipe or a list of names.
    pub fn total_size(&self) -> Option<u64> {
        if self.lists().next().is_some() {
            return None;
        }
        let stdin = [PathBuf::from("-")];
        let files = if self.is_stdin_only() { &stdin[..] } else { &self.files };
        files.iter().map(|path| self.size(path)).sum::<Option<u64>>().map(|size| self.passes() * size)
    }

    /// Returns how often each input is read.
    pub fn passes(&self) -> u64 {
        if self.is_read_twice { 2 } else { 1 }
    }

    fn size(&self, path: &Path) -> Option<u64> {
        if path == Path::new("-") {
            return Source::stdin().ok()?.part(self.part).size();
        }
        let metadata = fs::metadata(path).ok()?;
        if metadata.is_dir() {
            let mut visited = Visited::default();
            let size = |found: Found| {
                let file = self.visited_path(&found).filter(|file| visited.is_new(path, file, &found))?;
                Some(self.length(fs::metadata(file).ok()?.len()))
            };
            return Some(self.found_below(path).ok()?.filter_map(Result::ok).filter_map(size).sum());
        }
        metadata.is_file().then(|| self.length(metadata.len()))
    }

    /// Returns how many bytes are read of a file with this size.
    fn length(&self, size: u64) -> u64 {
        self.part.map_or(size, |part| part.length(size))
    }

    /// Fails if options read standard input more than once, or if it is an input, too. It would be empty for one of them.
    pub fn check_stdin_for_options(&self) -> Result<(), RunError> {
        let for_options = self.also_read.iter().filter(|name| *name == "-").count();
        let is_input = self.is_stdin_only() || self.files.iter().chain(self.lists()).any(|name| name == "-");
        match (for_options, is_input) {
            (0, _) | (1, false) => Ok(()),
            (1, true) => Err(RunError::new(Name::Stdin, STDIN_FOR_OPTION)),
            (2.., _) => Err(RunError::new(Name::Stdin, STDIN_TWICE)),
        }
    }

    fn names_stdin_twice(&self) -> bool {
        self.files.iter().chain(self.lists()).filter(|name| *name == "-").count() > 1
    }

    /// Returns the names of the lists of inputs.
    pub fn lists(&self) -> impl Iterator<Item = &PathBuf> {
        self.files_from.iter().chain(&self.files0_from).chain(&self.splits_from)
    }

    /// Returns the source of an input or of a part of it. Fails if the file is also an output.
    fn checked(&self, source: Source, part: Option<Part>) -> Result<Source, RunError> {
        self.outputs.iter().try_for_each(|output| source.check_differs_from(*output))?;
        Ok(source.part(part))
    }

    /// Calls `visit` with the names of all inputs and lists, as far as they are known before anything is read: those on the command
    /// line, and those in lists that are regular files.
    pub fn each_name(&self, visit: &mut dyn FnMut(&Path)) {
        if self.is_stdin_only() {
            return visit(Path::new("-"));
        }
        self.files.iter().chain(self.lists()).for_each(|path| visit(path));
        let lists = [
            (&self.files_from, b'\n', EntryKind::Name),
            (&self.files0_from, b'\0', EntryKind::Name),
            (&self.splits_from, b'\n', EntryKind::Split),
        ];
        for (list, separator, entry) in lists {
            let Some(list) = list.as_ref().filter(|list| fs::metadata(list).is_ok_and(|list| list.is_file())) else {
                continue;
            };
            // Errors are reported when the list is read for its inputs.
            let Ok(list) = platform::open(list) else { continue };
            for line in BufReader::new(list).split(separator).map_while(Result::ok) {
                let name = match entry {
                    EntryKind::Name => name(&line, separator),
                    EntryKind::Split => split(&line).map_or(&b""[..], |(name, _)| name),
                };
                if let Ok(path) = platform::path(name) {
                    visit(path);
                }
            }
        }
    }

    /// Visits an input, or a part of it, or the files in a directory.
    fn visit_path(
        &self,
        path: &Path,
        part: Option<Part>,
        stdin: &Stdin,
        visitor: &mut dyn Visit,
    ) -> Result<(), RunError> {
        if path == "-" {
            let opened = open(visitor, || stdin.take())?;
            return visitor.visit(opened.and_then(|source| self.checked(source, part)));
        }
        let check = || if self.is_edited_in_place { Target::check_in_place_at(path) } else { Ok(()) };
        match open(visitor, || check().and_then(|()| Source::open(path.to_path_buf())))? {
            Ok(source) if source.is_directory() => {
                if part != self.part {
                    return visitor.visit(Err(RunError::new(source.name, DIRECTORY_SPLIT)));
                }
                // `visit_directory` opens the directory again.
                drop(source);
                self.visit_directory(path, visitor)
            }
            opened => visitor.visit(opened.and_then(|source| self.checked(source, part))),
        }
    }

    /// Visits the inputs in the file `list`, whose entries end with `separator`. An entry is a name, or a split.
    fn visit_list(
        &self,
        list: &Path,
        separator: u8,
        entry: EntryKind,
        stdin: &Stdin,
        visitor: &mut dyn Visit,
    ) -> Result<(), RunError> {
        let opened = open(visitor, || if list == "-" { stdin.take() } else { Source::open(list.to_path_buf()) })?;
        let list = match opened {
            Ok(list) => list,
            Err(error) => return visitor.visit(Err(error)),
        };
        let (list, file) = (list.name.clone(), list.into_file());
        for (index, line) in BufReader::new(Blocking(&file)).split(separator).enumerate() {
            let line = match line {
                Ok(line) if line.is_empty() => continue,
                Ok(line) => line,
                Err(error) => return visitor.visit(Err(RunError::io(list, &error))),
            };
            let (name, part) = match entry {
                EntryKind::Name => (name(&line, separator), self.part),
                EntryKind::Split => match split(&line) {
                    Ok((name, part)) => (name, Some(part)),
                    Err(reason) => {
                        let reason = format!("line {}: {reason}", index + 1);
                        visitor.visit(Err(RunError::new(list.clone(), reason)))?;
                        continue;
                    }
                },
            };
            match platform::path(name) {
                Ok(path) => self.visit_path(path, part, stdin, visitor)?,
                Err(error) => visitor.visit(Err(RunError::io(list.clone(), &error)))?,
            }
        }
        Ok(())
    }

    /// Visits the files in the directory `root` and its subdirectories.
    fn visit_directory(&self, root: &Path, visitor: &mut dyn Visit) -> Result<(), RunError> {
        let name = Name::Path(root.to_path_buf());
        let all_found = match self.found_below(root) {
            Ok(all_found) => all_found,
            Err(error) => return visitor.visit(Err(RunError::new(name, error.to_string()))),
        };
        // Output that is redirected to a file in the directory is no input.
        let outputs = standard_streams();
        let (mut has_inputs, mut visited) = (false, Visited::default());
        for found in all_found {
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    visitor.visit(Err(traversal_error(root, &error)))?;
                    continue;
                }
            };
            let Some(path) = self.visited_path(&found) else {
                visited.skip(&found);
                continue;
            };
            let opened = open(visitor, || Source::open(path.to_path_buf()))?;
            let identity = opened.as_ref().ok().and_then(Source::identity);
            if identity.is_some_and(|file| outputs.contains(&file)) {
                continue;
            }
            has_inputs = true;
            match identity.map_or(Ok(true), |file| visited.admits(root, file, &found)) {
                Ok(false) => {}
                Ok(true) => visitor.visit(opened.and_then(|source| self.checked(source, self.part)))?,
                Err(error) => return visitor.visit(Err(error)),
            }
        }
        if let Some(line) = visited.line(root, self.verbosity == Verbosity::Verbose)
            && self.verbosity != Verbosity::Quiet
        {
            visitor.tell(&name, line)?;
        }
        if has_inputs { Ok(()) } else { visitor.visit(Err(RunError::new(name, self.nothing_below(root, &visited)))) }
    }

    /// Returns the path of what is visited if it was not visited before.
    fn visited_path<'f>(&self, found: &'f Found) -> Option<&'f Path> {
        match found {
            Found::File(path) => Some(path),
            Found::Link(path) => (!self.is_edited_in_place).then_some(path),
            Found::DirectoryLink | Found::Loop => None,
        }
    }

    /// Returns why there is no input in a directory.
    fn nothing_below(&self, root: &Path, visited: &Visited) -> &'static str {
        let outputs = standard_streams();
        let all = Self { skip_lines: false, skip_compressed: false, ..self.clone() };
        let is_input = |found: Found| {
            found.path().is_some_and(|path| !Identity::at(path).is_some_and(|file| outputs.contains(&file)))
        };
        match all.found_below(root).is_ok_and(|found| found.flatten().any(is_input)) {
            true if visited.links > 0 => ONLY_LINKS,
            true if self.skip_lines => ALL_SKIPPED,
            true => ALL_COMPRESSED,
            false if !self.globs.is_empty() => NOTHING_MATCHES,
            false => NOTHING_FOUND,
        }
    }
}

/// Standard input, which can be read only once.
struct Stdin {
    is_taken: Cell<bool>,
}

impl Stdin {
    /// Opens standard input. Fails if it is closed, or was opened before.
    fn take(&self) -> Result<Source, RunError> {
        if self.is_taken.get() {
            return Err(RunError::new(Name::Stdin, STDIN_TWICE));
        }
        // Opening it may be tried again.
        let source = Source::stdin()?;
        self.is_taken.set(true);
        Ok(source)
    }
}

/// What the entries of a list are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntryKind {
    Name,
    Split,
}

/// Returns the name on a line of a list.
fn name(line: &[u8], separator: u8) -> &[u8] {
    line.strip_suffix(b"\r").filter(|_| separator == b'\n').unwrap_or(line)
}

/// Parses a split: a name and two offsets, separated by tabs. The name may contain tabs.
fn split(line: &[u8]) -> Result<(&[u8], Part), String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut fields = line.rsplitn(3, |&byte| byte == b'\t');
    let (Some(to), Some(from), Some(name)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(NOT_A_SPLIT.to_owned());
    };
    let (Ok(from), Ok(to)) = (str::from_utf8(from), str::from_utf8(to)) else { return Err(NOT_A_SPLIT.to_owned()) };
    Ok((name, values::bytes(from, to)?))
}

/// Opens a file. If the limit on open files is reached, tries again after the visitor has closed its files.
fn open<T>(visitor: &mut dyn Visit, opened: impl Fn() -> Result<T, RunError>) -> Result<Result<T, RunError>, RunError> {
    match opened() {
        Err(error) if error.is_file_limit && visitor.make_room()? => Ok(opened()),
        result => Ok(result),
    }
}
