//! The console examples of README.md print what they say. Run with `FJSON_UPDATE_README=1` to write new output into it.

use crate::place::FJSON;
use crate::place::Place;
use crate::place::UNWANTED;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

#[test]
fn console_examples_print_what_they_say() {
    let readme = fs::read_to_string(README).expect("README.md");
    let place = Place::new();
    let programs = place.path("programs");
    fs::create_dir(&programs).expect("a directory");
    symlink(FJSON, programs.join("fjson")).expect("a link to the program");
    let directory = place.path("examples");
    fs::create_dir(&directory).expect("a directory");
    let mut shell = Shell { programs: &programs, directory: &directory, status: 0 };

    let (mut expected, mut is_example, mut commands) = (String::new(), false, 0);
    for line in readme.lines() {
        is_example = if is_example { line != "```" } else { line == "```console" };
        match line.strip_prefix("$ ") {
            Some(command) if is_example => {
                expected.extend([line, "\n", &shell.run(command)]);
                commands += 1;
            }
            _ if is_example && line != "```console" => {}
            _ => expected.extend([line, "\n"]),
        }
    }
    assert!(commands > 40, "{commands} commands");
    if env::var_os("FJSON_UPDATE_README").is_some() {
        fs::write(README, &expected).expect("README.md is written");
    }
    let lines = expected.lines().zip(readme.lines()).enumerate();
    for (number, (expected, line)) in lines {
        assert_eq!(line, expected, "README.md:{}", number + 1);
    }
    assert_eq!(readme.lines().count(), expected.lines().count());
}

/// A shell that runs one line after the other in one directory and keeps the exit status.
struct Shell<'d> {
    programs: &'d Path,
    directory: &'d Path,
    status: i32,
}

impl Shell<'_> {
    /// Runs a line and returns its output, with a line feed at the end.
    fn run(&mut self, line: &str) -> String {
        let path = format!("{}:{}", self.programs.display(), env::var("PATH").expect("PATH"));
        let script = format!("exec 2>&1\n(exit {})\n{line}", self.status);
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(self.directory).env("PATH", path);
        for name in UNWANTED {
            command.env_remove(name);
        }
        let output = command.output().expect("sh runs");
        self.status = output.status.code().expect("an exit status");
        let mut text = String::from_utf8(output.stdout).expect("UTF-8");
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}
