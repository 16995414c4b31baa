//! The name by which the program was called, which its messages begin with.

#![forbid(unsafe_code)]

use crate::sanitize;
use crate::stderr;
use fjson_jq::Limit;
use fjson_jq::ProgramError;
use fjson_jq::RunError;
use fjson_jq::write::to_json;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::path::PathBuf;

/// How the program was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// `fjson jq`
    Command,
    /// By the name `jq`.
    Name,
}

impl Invocation {
    /// Returns how the program was called, and its arguments; `None` if it is another command.
    pub fn of(mut arguments: impl Iterator<Item = OsString>) -> Option<(Self, Vec<OsString>)> {
        let name = arguments.next()?;
        let is_jq = Path::new(&name).file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name == "jq" || name.eq_ignore_ascii_case("jq.exe")
        });
        if is_jq {
            return Some((Self::Name, arguments.collect()));
        }
        (arguments.next()? == "jq").then(|| (Self::Command, arguments.collect()))
    }

    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Command => "fjson",
            Self::Name => "jq",
        }
    }

    /// The command line without arguments.
    pub fn command(self) -> &'static str {
        match self {
            Self::Command => "fjson jq",
            Self::Name => "jq",
        }
    }

    /// Returns the directory of the program, or of the link to it.
    pub fn directory() -> PathBuf {
        let parent = |path: PathBuf| path.parent().map(Path::to_path_buf);
        let named =
            env::args_os().next().and_then(|name| parent(name.into())).filter(|path| !path.as_os_str().is_empty());
        named.or_else(|| env::current_exe().ok().and_then(parent)).unwrap_or_else(|| PathBuf::from("."))
    }

    /// Prints a message. If that fails, the exit status still tells.
    pub fn print(self, message: &str) {
        stderr::print(&format!("{}: error: {}\n", self.name(), shown(message))).ok();
    }

    /// Prints what is wrong with the command line.
    pub fn print_usage_error(self, message: &str) {
        self.print(message);
        stderr::print(&format!("`{} --help` explains all options\n", self.command())).ok();
    }

    /// Prints what is wrong with the program, as jq does, and what may help: `help`, or what the error says.
    pub fn print_program_error(self, error: &ProgramError, help: Option<&str>) {
        self.print(&error.to_string());
        let help = help.or(error.help());
        let help = help.map(|help| format!("    help: {}\n", shown(help))).unwrap_or_default();
        stderr::print(&format!("{help}{}: 1 compile error\n", self.name())).ok();
    }
}

/// Returns the end of the message about a failed program, after the place.
pub fn failure(error: &RunError) -> String {
    match error {
        RunError::Error(error) if error.value().as_str().is_none() => {
            format!(" (not a string): {}", to_json(error.value()))
        }
        RunError::Limit(limit) => {
            let option = match limit {
                Limit::Memory => " (--max-memory)",
                Limit::Steps => " (--max-steps)",
                Limit::Time => " (--max-time)",
                _ => "",
            };
            format!(": {limit}{option}")
        }
        error => format!(": {error}"),
    }
}

/// Sanitizes a text that may have several lines.
pub fn shown(text: &str) -> String {
    let parts = text.split_inclusive(['\n', '\t']).map(|part| match part.strip_suffix(['\n', '\t']) {
        Some(line) => sanitize::text(line) + &part[line.len()..],
        None => sanitize::text(part),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides() {
        for (line, expected) in [
            ("fjson jq . a", Some((Invocation::Command, vec![".", "a"]))),
            ("/bin/jq . a", Some((Invocation::Name, vec![".", "a"]))),
            ("jq", Some((Invocation::Name, vec![]))),
            ("./JQ.EXE jq", Some((Invocation::Name, vec!["jq"]))),
            ("fjson query jq", None),
            ("jql jq", Some((Invocation::Command, vec![]))),
            ("fjson", None),
        ] {
            let found = Invocation::of(line.split(' ').map(OsString::from));
            let expected =
                expected.map(|(invocation, words)| (invocation, words.into_iter().map(OsString::from).collect()));
            assert_eq!(found, expected, "{line}");
        }
    }
}
