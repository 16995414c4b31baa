//! `--vs`: times other programs on the same file, as whole processes and in turn with fjson.
//!
//! Users wait for a whole process: its start, its work and its end. The ratio of two programs is computed round by round, so
//! that a change in the speed of the machine affects both.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::bench::Operation;
use crate::args::bench::Rival;
use crate::commands::bench::clock::Clock;
use crate::commands::bench::job::Origin;
use crate::commands::bench::job::Subject;
use crate::commands::bench::measure::Plan;
use crate::commands::bench::measure::Trial;
use crate::commands::bench::measure::Wrong;
use crate::commands::bench::measure::measure;
use crate::commands::bench::question::Question;
use crate::commands::bench::statistics::Estimate;
use crate::commands::bench::words;
use crate::exit::RunError;
use crate::name::Name;
use crate::signals;
use crate::signals::Noted;
use fjson::Framing;
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use tempfile::NamedTempFile;

/// Times of fjson and other programs on one document.
pub struct Race {
    pub subject: String,
    /// The operation of fjson.
    pub operation: Operation,
    /// The command of fjson, without options and the file.
    pub command: String,
    /// Seconds per process.
    pub ours: Estimate,
    pub others: Vec<Other>,
}

pub struct Other {
    pub command: String,
    pub theirs: Estimate,
    /// Time relative to fjson: 2.0 is twice as slow.
    pub ratio: Estimate,
}

pub struct Versus<'a> {
    pub rivals: &'a [Rival],
    pub operations: &'a [Operation],
    /// The query to evaluate.
    pub question: Option<&'a Question>,
    /// Whether the document is I-JSON.
    pub is_ijson: bool,
    pub engine: &'a Engine,
    pub plan: Plan,
    pub clock: &'a dyn Clock,
}

impl Versus<'_> {
    pub fn run(&self, subject: &Subject, progress: &mut dyn FnMut(f64)) -> Result<Vec<Race>, RunError> {
        let file = DocumentFile::of(subject)?;
        let fjson = env::current_exe().map_err(|error| RunError::io(Name::Path("fjson".into()), &error))?;
        let mut races = Vec::new();
        for &operation in self.operations {
            let words = self.words(operation);
            let ours = Process {
                status: i32::from(
                    operation.needs_query() && self.question.is_some_and(|question| question.matches == 0),
                ),
                ..Process::new(fjson.clone(), self.arguments(&words, subject, file.path()))
            };
            let theirs = self.rivals.iter().map(|rival| Process::of_rival(rival, file.path()));
            let mut processes: Vec<_> = std::iter::once(ours).chain(theirs).collect();
            for process in &processes {
                process.try_out()?;
            }
            let samples = measure(&mut processes, &self.plan, self.clock, progress)
                .map_err(|Wrong(number)| processes[number].error("it failed while it was timed"))?;
            let ours = &samples[0].seconds;
            let others = self.rivals.iter().zip(&samples[1..]).map(|(rival, theirs)| {
                let ratios: Vec<_> = theirs.seconds.iter().zip(ours).map(|(theirs, ours)| theirs / ours).collect();
                let (theirs, ratio) = (Estimate::of(&theirs.seconds), Estimate::of(&ratios));
                Other { command: rival.line.clone(), theirs, ratio }
            });
            let (subject, ours) = (subject.name.clone(), Estimate::of(&samples[0].seconds));
            let command = words::join(std::iter::once("fjson").chain(words));
            races.push(Race { subject, operation, command, ours, others: others.collect() });
        }
        Ok(races)
    }

    /// Returns the command with the options that make it write to standard output.
    fn words(&self, operation: Operation) -> Vec<&str> {
        let mut words = match operation {
            Operation::Profiles if self.is_ijson => vec!["validate", "--ijson"],
            Operation::Profiles => vec!["validate", "--unique-keys"],
            Operation::Sort => vec!["minify", "--sort-keys"],
            Operation::Canonical => vec!["minify", "--canonical"],
            Operation::Gzip => vec!["gzip", "--stdout"],
            Operation::Query => vec!["query", "--count"],
            Operation::Paths => vec!["query", "--paths"],
            _ => vec![operation.name()],
        };
        if let Some(question) = self.question.filter(|_| operation.needs_query()) {
            words.push(question.query.expression());
        }
        words
    }

    fn arguments(&self, words: &[&str], subject: &Subject, path: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = words.iter().map(OsString::from).collect();
        let framing = match subject.framing {
            Framing::Lines => Some("--lines"),
            Framing::Stream => Some("--stream"),
            Framing::Sequence => Some("--seq"),
            _ => None,
        };
        arguments.extend(framing.map(OsString::from));
        arguments.extend(self.engine.kernel.map(|kernel| format!("--kernel={kernel}").into()));
        arguments.extend(self.engine.max_depth.map(|depth| format!("--max-depth={depth}").into()));
        arguments.extend(self.engine.unique_keys.then(|| "--unique-keys".into()));
        arguments.extend((self.engine.threads > 0).then(|| format!("--threads={}", self.engine.threads).into()));
        arguments.extend(self.engine.ijson.then(|| "--ijson".into()));
        arguments.push(path.into());
        arguments
    }
}

/// Returns an error if one of the programs does not exist.
pub fn find_programs(rivals: &[Rival]) -> Result<(), RunError> {
    let folders: Vec<_> = env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    for program in rivals.iter().filter_map(|rival| rival.words.first()) {
        let is_there = if program.contains('/') {
            Path::new(program).exists()
        } else {
            folders.iter().any(|folder: &PathBuf| folder.join(program).is_file())
        };
        if !is_there {
            return Err(RunError::new(Name::Path(program.into()), "there is no such program"));
        }
    }
    Ok(())
}

/// The document as a file.
enum DocumentFile {
    Given(PathBuf),
    /// A temporary file for a document that was only in memory. It is removed on drop.
    Written {
        file: NamedTempFile,
        _noted: Noted,
    },
}

impl DocumentFile {
    fn of(subject: &Subject) -> Result<Self, RunError> {
        let Origin::File(path) = &subject.origin else {
            let written = Self::write(&subject.text);
            return written.map_err(|error| RunError::io(Name::Path(env::temp_dir()), &error));
        };
        let looks_like_an_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
        Ok(Self::Given(if looks_like_an_option { Path::new(".").join(path) } else { path.clone() }))
    }

    fn write(text: &[u8]) -> io::Result<Self> {
        // A signal from here on removes the file.
        let mut temporary = signals::temporary();
        let mut file = tempfile::Builder::new().prefix("fjson-").suffix(".json").tempfile()?;
        let noted = temporary.note(file.path());
        drop(temporary);
        file.write_all(text)?;
        Ok(Self::Written { file, _noted: noted })
    }

    fn path(&self) -> &Path {
        match self {
            Self::Given(path) => path,
            Self::Written { file, .. } => file.path(),
        }
    }
}

/// A program with its arguments, which is run repeatedly.
struct Process {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// The file that it reads on standard input.
    input: Option<PathBuf>,
    /// The expected exit status.
    status: i32,
    is_right: bool,
}

impl Process {
    fn new(program: PathBuf, arguments: Vec<OsString>) -> Self {
        Self { program, arguments, input: None, status: 0, is_right: true }
    }

    /// Replaces each `{}` by the path. If there is none, the file is standard input.
    fn of_rival(rival: &Rival, path: &Path) -> Self {
        let mut words = rival.words.iter().map(|word| fill(word, path));
        let program = words.next().unwrap_or_default().into();
        let input = (!rival.words.iter().any(|word| word.contains("{}"))).then(|| path.to_owned());
        Self { input, ..Self::new(program, words.collect()) }
    }

    fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(&self.program);
        let input = match &self.input {
            Some(path) => File::open(path)?.into(),
            None => Stdio::null(),
        };
        command.args(&self.arguments).stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }

    /// Runs the program once and checks its exit status, because the time of a program that fails has no meaning.
    fn try_out(&self) -> Result<(), RunError> {
        let output = self.command().and_then(|mut command| command.stderr(Stdio::piped()).output());
        match output {
            Ok(output) if output.status.code() == Some(self.status) => Ok(()),
            Ok(output) => {
                let words = String::from_utf8_lossy(&output.stderr);
                let words = words.lines().next().unwrap_or("it prints no error");
                Err(self.error(&format!("it fails with {}: {words}", output.status)))
            }
            Err(error) => Err(RunError::io(self.name(), &error)),
        }
    }

    fn name(&self) -> Name {
        Name::Path(self.program.clone())
    }

    fn error(&self, reason: &str) -> RunError {
        RunError::new(self.name(), reason)
    }
}

impl Trial for Process {
    fn run(&mut self, _: &mut Vec<u8>) {
        let ended = self.command().and_then(|mut command| command.status());
        self.is_right &= ended.is_ok_and(|status| status.code() == Some(self.status));
    }

    fn is_right(&self, _: &[u8]) -> bool {
        self.is_right
    }
}

/// Returns the word with the path in place of each `{}`.
fn fill(word: &str, path: &Path) -> OsString {
    let mut filled = OsString::new();
    for (number, part) in word.split("{}").enumerate() {
        if number > 0 {
            filled.push(path);
        }
        filled.push(part);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_replaced() {
        let path = Path::new("a b");
        assert_eq!(fill("{}", path), "a b");
        assert_eq!(fill("--in={},{}", path), "--in=a b,a b");
        assert_eq!(fill("none", path), "none");
    }
}
