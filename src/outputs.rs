//! The files that a command writes, beside those that it reads.
//!
//! All files that options or operands name as outputs are created here, so one place decides that none of them is also read: as an
//! input of the command line or of a list, as a list, as standard input, or as another file that an option reads. Files are
//! compared by identity, so links and descriptors make no difference. This is checked before an output is opened. Inputs that are
//! found later, in directories and in lists from pipes, are checked when they are opened ([`Inputs::each`]); until the end of the
//! command, nothing has been replaced.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::exit::RunError;
use crate::name::Name;
use crate::output_file::OutputFile;
use crate::output_file::SAME_FILE;
use crate::output_file::SAME_FILE_OR_IN_PLACE;
use crate::platform;
use crate::platform::Identity;
use crate::replacement::directory_of;
use crate::replacement::follow;
use crate::target::Target;
use crate::target::is_direct;
use std::collections::HashMap;
use std::collections::HashSet;
use std::fs;
use std::fs::File;
use std::path::Path;
use std::path::PathBuf;

const NAMED_TWICE: &str = "two outputs are the same file; write them to different files";
const STREAM_IS_THERE: &str = "standard output or standard error is redirected to the same file; write to another file";

/// The outputs of a command.
pub struct Outputs<'i> {
    inputs: &'i Inputs,
    /// Files that are read. Listed when an output exists, because only then it can be one of them.
    read: Option<HashMap<Identity, Name>>,
    /// Identities of the outputs that exist.
    written: Vec<Identity>,
    /// Paths of all outputs.
    paths: HashSet<PathBuf>,
    files: Vec<OutputFile>,
    /// What to say if an output is also read.
    message: &'static str,
}

impl<'i> Outputs<'i> {
    /// Creates outputs of a command that reads `inputs`.
    pub fn beside(inputs: &'i Inputs) -> Self {
        Self { inputs, read: None, written: Vec::new(), paths: HashSet::new(), files: Vec::new(), message: SAME_FILE }
    }

    /// Mentions `--in-place` in messages, for commands that have this option.
    pub fn or_in_place(self) -> Self {
        Self { message: SAME_FILE_OR_IN_PLACE, ..self }
    }

    /// Returns standard output, which is no input.
    pub fn stdout(&mut self) -> Result<Target, RunError> {
        let target = Target::stdout()?;
        self.files.push(target.output_file().with_message(self.message));
        Ok(target)
    }

    /// Whether this path is one of the outputs.
    pub fn has(&self, path: &Path) -> bool {
        self.paths.contains(&resolved(path))
    }

    /// Adds the path of an output that is created later, and replaced as a whole.
    pub fn reserve(&mut self, path: &Path) -> Result<(), RunError> {
        self.check_not_read(path, Identity::at(path))?;
        self.paths.insert(resolved(path));
        Ok(())
    }

    /// Fails if an output that exists is read.
    fn check_not_read(&mut self, path: &Path, identity: Option<Identity>) -> Result<(), RunError> {
        let Some(identity) = identity else { return Ok(()) };
        let read = self.read.get_or_insert_with(|| files_read(self.inputs));
        // As in [`OutputFile::check`]: the shell has truncated the file.
        let is_harmless = || is_direct(path) && fs::metadata(path).is_ok_and(|file| file.len() == 0);
        match read.get(&identity) {
            Some(input) if !is_harmless() => Err(RunError::new(input.clone(), self.message)),
            _ => Ok(()),
        }
    }

    /// Creates the output `path`; `-` is standard output.
    pub fn create(&mut self, path: &Path) -> Result<Target, RunError> {
        if path == "-" {
            return self.stdout();
        }
        let name = || Name::Path(path.to_path_buf());
        let (identity, resolved) = (Identity::at(path), resolved(path));
        if self.paths.contains(&resolved) || identity.is_some_and(|file| self.written.contains(&file)) {
            return Err(RunError::new(name(), NAMED_TWICE));
        }
        if !is_direct(path) && identity.is_some_and(|file| standard_streams().contains(&file)) {
            return Err(RunError::new(name(), STREAM_IS_THERE));
        }
        self.check_not_read(path, identity)?;
        let target = Target::create(path)?;
        self.written.extend(identity);
        self.paths.insert(resolved);
        self.files.push(target.output_file().with_message(self.message));
        Ok(target)
    }

    /// Returns the outputs that no input may be.
    pub fn files(self) -> Vec<OutputFile> {
        self.files
    }
}

/// Fails if standard output is a file that the command reads, as in `fjson stats a.json >> a.json`. `message` is for its inputs.
pub fn check_stdout(inputs: &Inputs, message: &'static str) -> Result<(), RunError> {
    let Ok(stdout) = platform::stdout() else { return Ok(()) };
    let Ok(Some(metadata)) = platform::metadata(&stdout) else { return Ok(()) };
    let identity = Identity::of(&stdout, &metadata);
    let Some(name) = identity.and_then(|file| files_read(inputs).remove(&file)) else { return Ok(()) };
    let is_input = inputs.also_read.iter().all(|path| Name::Path(path.clone()) != name);
    let output = OutputFile::new(identity, true).with_message(if is_input { message } else { SAME_FILE });
    output.check(identity, metadata.len()).map_err(|reason| RunError::new(name, reason))
}

/// Returns the files to which standard output and standard error are redirected.
pub fn standard_streams() -> Vec<Identity> {
    [platform::stdout(), platform::stderr()].into_iter().flatten().filter_map(|file| identity(&file)).collect()
}

/// Returns the identity of an open file.
fn identity(file: &File) -> Option<Identity> {
    Identity::of(file, &platform::metadata(file).ok()??)
}

/// Returns the files that a command reads, as far as they are known before it begins.
fn files_read(inputs: &Inputs) -> HashMap<Identity, Name> {
    let mut read = HashMap::new();
    let stdin = || platform::stdin().ok().and_then(|file| identity(&file));
    let mut add = |path: &Path| {
        let (identity, name) =
            if path == "-" { (stdin(), Name::Stdin) } else { (Identity::at(path), Name::Path(path.to_path_buf())) };
        read.extend(identity.map(|identity| (identity, name)));
    };
    inputs.each_name(&mut add);
    inputs.also_read.iter().for_each(|path| add(path));
    read
}

/// Returns the path of an output at the end of its links, with its directory resolved, so that each file has one path.
fn resolved(path: &Path) -> PathBuf {
    let path = follow(path).unwrap_or_else(|_| path.to_path_buf());
    let name = path.file_name().unwrap_or_default();
    directory_of(&path).canonicalize().map_or_else(|_| path.clone(), |directory| directory.join(name))
}
