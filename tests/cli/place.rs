//! A temporary directory for a test, in which it runs the program.

use assert_cmd::Command;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Output;
use tempfile::TempDir;

/// The program under test.
pub const FJSON: &str = env!("CARGO_BIN_EXE_fjson");

/// Environment variables of the caller that would change the output.
pub const UNWANTED: [&str; 7] =
    ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI", "JQ_COLORS", "FJSON_COLORS"];

pub struct Place {
    directory: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    /// A place with `bad.json` and `good.json`.
    pub fn with_two() -> Self {
        let place = Self::new();
        place.file("good.json", "{\"a\": [1, 2]}\n");
        place.file("bad.json", "{\n  \"a\": [1 2]\n}\n");
        place
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("the directory is made");
        fs::write(&path, content).expect("the file is written");
        path
    }

    pub fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    /// Everything in the directory, sorted.
    pub fn names(&self) -> Vec<String> {
        Self::names_in(self.directory.path())
    }

    pub fn names_in(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("the directory is there");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<_> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }

    /// The program with the words of `line` as arguments.
    pub fn fjson(&self, line: &str) -> Run {
        self.fjson_with(line.split_whitespace())
    }

    /// The program with these arguments.
    pub fn fjson_with(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
        let mut command = self.command(FJSON);
        command.args(arguments);
        Run { command, directory: self.directory.path().to_owned() }
    }

    /// A line for `sh`, in which `$FJSON` is the program.
    pub fn shell(&self, line: &str) -> Run {
        let mut command = self.command("sh");
        command.args(["-c", line]).env("FJSON", FJSON);
        Run { command, directory: self.directory.path().to_owned() }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.directory.path()).env("LC_ALL", "C");
        for name in UNWANTED {
            command.env_remove(name);
        }
        command
    }
}

pub struct Run {
    command: Command,
    directory: PathBuf,
}

impl Run {
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.command.write_stdin(bytes);
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn output(mut self) -> Output {
        self.command.output().expect("the program runs")
    }

    pub fn status(self) -> Option<i32> {
        self.output().status.code()
    }

    /// Standard output of a run that must succeed without any message.
    pub fn stdout(self) -> String {
        let output = self.output();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).expect("the output is text")
    }

    /// Streams and status as in a snapshot. File names given by tests may have any bytes.
    pub fn shown(self) -> String {
        let directory = self.directory.to_string_lossy().into_owned();
        let output = self.output();
        let mut shown = String::new();
        for (title, stream) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            if !stream.is_empty() {
                let text = String::from_utf8_lossy(stream).replace(&directory, "[DIR]");
                let end = if text.ends_with('\n') { "" } else { "%\n" };
                shown.extend(["--- ", title, "\n", &text, end]);
            }
        }
        as_on_unix(format!("{shown}--- {}", output.status))
    }
}

/// Snapshots are made on Unix, where the program, an exit status, paths and a missing file are named in other words.
pub fn as_on_unix(text: String) -> String {
    const WORDS: [(&str, &str); 6] = [
        ("fjson.exe", "fjson"),
        ("exit code:", "exit status:"),
        (r"[DIR]\", "[DIR]/"),
        ("\n.\\", "\n./"),
        ("file not found", "no such file or directory"),
        ("path not found", "no such file or directory"),
    ];
    if cfg!(unix) {
        return text;
    }
    let text = WORDS.iter().fold(text, |text, (windows, unix)| text.replace(windows, unix));
    // Names of files in directories.
    let mut pieces = text.split('\\');
    let mut shown = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_name = piece.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric()).starts_with(".json");
        shown.push(if is_name { '/' } else { '\\' });
        shown.push_str(piece);
    }
    shown
}

/// Compares a run with the snapshot of the test. A `%` marks a missing newline at the end of a stream.
macro_rules! assert_shows {
    ($run:expr) => {{
        let mut settings = insta::Settings::clone_current();
        settings.add_filter(&$crate::place::version_pattern(), "[VERSION]");
        settings.add_filter(r"\b(avx512|avx2|neon|portable)\b(, (avx512|avx2|neon|portable)\b)*", "[KERNEL]");
        settings.add_filter(r"[0-9.]+ ms \([0-9.]+ GB/s", "[TIME] ms ([SPEED] GB/s");
        settings.add_filter(r" in [0-9.]+ (s|ms|us|ns)\n", " in [TIME]\n");
        settings.set_prepend_module_to_snapshot(true);
        settings.bind(|| insta::assert_snapshot!($run.shown()));
    }};
}

pub(crate) use assert_shows;

/// A pattern for the version of the package.
pub fn version_pattern() -> String {
    env!("CARGO_PKG_VERSION").replace('.', r"\.")
}
