//! The program under faults: files that change, system calls that fail, signals, limits, outputs that fail.
//!
//! In every case the program must end with status 0, 1 or 2, a result with status 0 or 1 must be the undisturbed one,
//! and files must be old or new. The tests know the program only by its path, so that they can test any build of it. A
//! seed determines everything about a round except timing.

pub mod changing;
pub mod contents;
pub mod injected;
pub mod killed;
pub mod limited;
pub mod lines;
pub mod outputs;

use std::fs;
use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::Child;
use std::process::ChildStdout;
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use crate::random::Random;
use crate::random::numbered_rounds;

/// Environment variables of the caller that would change the output.
const UNWANTED: [&str; 5] = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI"];

/// The processor time that any program may take; beyond this, ten times the time of an undisturbed run.
const PATIENCE: Duration = Duration::from_secs(3);

/// The elapsed time limit, for a program that waits forever and takes no processor time.
const LONGEST: Duration = Duration::from_mins(2);

/// A schema that most documents follow.
const SCHEMA: &str = r#"{"items": {"type": ["object", "array", "string", "number"]}, "maxProperties": 1000000}"#;

/// The clock ticks of `/proc/PID/stat`, of which Linux has a hundred in a second.
const TICK: Duration = Duration::from_millis(10);

/// The program under test, and a directory to run it in.
pub struct Program {
    path: PathBuf,
    root: PathBuf,
}

/// How a run of the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
    /// It took ten times as long as an undisturbed run, and was stopped.
    Never,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// From the start to the end.
    pub took: Duration,
}

/// A run that has been started.
pub struct Running {
    child: Child,
    start: Instant,
    streams: [PathBuf; 2],
}

impl Program {
    /// The program at `path`; `root` is an empty directory for it.
    ///
    /// # Panics
    /// If directories cannot be made there.
    #[must_use]
    pub fn new(path: &Path, root: &Path) -> Self {
        for name in ["files", "streams", "spare"] {
            fs::create_dir_all(root.join(name)).expect("a directory");
        }
        // For `--schema ../schema.json`.
        fs::write(root.join("schema.json"), SCHEMA).expect("a file");
        Self { path: path.to_path_buf(), root: root.to_path_buf() }
    }

    /// The path of a file in the directory of the program.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.root.join("files").join(name)
    }

    /// The path of a file in the same file system, in a directory that the program does not read.
    #[must_use]
    pub fn spare(&self, name: &str) -> PathBuf {
        self.root.join("spare").join(name)
    }

    /// The files in the directory of the program.
    ///
    /// # Panics
    /// If the directory cannot be read.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root.join("files")).expect("the directory is there");
        let name =
            |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    }

    /// Empties the directory of the program.
    ///
    /// # Panics
    /// If a file cannot be removed.
    pub fn clear(&self) {
        for name in self.names() {
            fs::remove_file(self.file(&name)).expect("the file is removed");
        }
    }

    /// The program with these arguments, after the words of another program that starts it.
    ///
    /// # Panics
    /// Never: there is always a first word.
    #[must_use]
    pub fn behind(&self, before: &[&str], arguments: &[&str]) -> Command {
        let mut words = before.iter().map(Path::new).chain([self.path.as_path()]);
        let mut command = Command::new(words.next().expect("there is the program"));
        command
            .args(words)
            .args(arguments)
            .current_dir(self.root.join("files"))
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        for name in UNWANTED {
            command.env_remove(name);
        }
        command
    }

    /// The program with these arguments.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.behind(&[], arguments)
    }

    /// Starts a command whose output goes to files, so that it does not have to be read.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn start(&self, command: Command) -> Running {
        let stdout = File::create(self.stream("stdout")).expect("a file for a stream");
        self.start_into(command, stdout)
    }

    /// Starts a command whose standard output goes to `stdout`.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn start_into(&self, mut command: Command, stdout: impl Into<Stdio>) -> Running {
        let streams = ["stdout", "stderr"].map(|name| self.stream(name));
        let stderr = File::create(&streams[1]).expect("a file for a stream");
        let start = Instant::now();
        let child = command.stdout(stdout).stderr(stderr).spawn().expect("the program starts");
        Running { child, start, streams }
    }

    fn stream(&self, name: &str) -> PathBuf {
        self.root.join("streams").join(name)
    }

    /// Runs a command to its end. `undisturbed` is how long it should take.
    #[must_use]
    pub fn run(&self, command: Command, undisturbed: Duration) -> Outcome {
        self.start(command).wait(undisturbed)
    }
}

impl Running {
    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Standard output, if it is a pipe.
    ///
    /// # Panics
    /// If it is not a pipe.
    pub fn reader(&mut self) -> ChildStdout {
        self.child.stdout.take().expect("a pipe")
    }

    /// Whether it has ended.
    ///
    /// # Panics
    /// If the system does not tell.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("the system tells").is_some()
    }

    /// Waits for the end, but not forever.
    ///
    /// # Panics
    /// If its output cannot be read.
    #[must_use]
    pub fn wait(mut self, undisturbed: Duration) -> Outcome {
        let most = PATIENCE.max(undisturbed * 10);
        let mut pause = Duration::from_micros(200);
        let ending = loop {
            if let Some(status) = self.child.try_wait().expect("the system tells") {
                break match (status.code(), status.signal()) {
                    (Some(code), _) => Ending::Status(code),
                    (None, signal) => Ending::Signal(signal.unwrap_or_default()),
                };
            }
            if processor_time(self.child.id()) > most || self.start.elapsed() > LONGEST + most {
                self.child.kill().expect("the program is stopped");
                self.child.wait().expect("the program ends");
                break Ending::Never;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        };
        let took = self.start.elapsed();
        let [stdout, stderr] = self.streams.map(|path| fs::read(path).expect("the stream is there"));
        Outcome { ending, stdout, stderr, took }
    }
}

impl Outcome {
    /// Whether both streams and the status are the same.
    #[must_use]
    pub fn says(&self, other: &Self) -> bool {
        self.ending == other.ending && self.stdout == other.stdout && self.stderr == other.stderr
    }

    /// The text on standard error.
    #[must_use]
    pub fn words(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        text.chars().take(600).collect()
    }

    /// What is wrong with an ending in any case: a signal, no end, an unknown status, an error without a message.
    ///
    /// # Errors
    /// If there is something wrong.
    pub fn is_orderly(&self) -> Result<(), String> {
        match self.ending {
            Ending::Status(0 | 1) => Ok(()),
            Ending::Status(2) if !self.stderr.is_empty() => Ok(()),
            Ending::Status(2) => Err("status 2 without a word".into()),
            ending => Err(format!("{ending:?} after {:?}: {}", self.took, self.words())),
        }
    }
}

/// The processor time of a process and its threads.
fn processor_time(id: u32) -> Duration {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The second field is the name in parentheses, which may contain anything.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace().skip(11).take(2);
    TICK * fields.filter_map(|field| field.parse::<u32>().ok()).sum()
}

/// Calls `round` as [`rounds`](crate::random::rounds) does, and continues after failures; returns the number of rounds.
///
/// # Errors
/// All failed rounds, with their seeds.
pub fn all_rounds(planned: u64, mut round: impl FnMut(&mut Random) -> Result<(), String>) -> Result<u32, String> {
    let (mut count, mut failures) = (0, Vec::new());
    numbered_rounds(planned, |seed, random| {
        count += 1;
        let failure = round(random).err();
        failures.extend(failure.map(|failure| format!("FJSON_FUZZ_SEED={seed} FJSON_FUZZ_N=1: {failure}")));
    });
    unless_failed(count, &failures)
}

/// The number of rounds or runs, unless some of them failed.
fn unless_failed(count: u32, failures: &[String]) -> Result<u32, String> {
    if failures.is_empty() {
        Ok(count)
    } else {
        Err(format!("{} of {count} failed:\n{}", failures.len(), failures.join("\n")))
    }
}
