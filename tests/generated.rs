//! The committed files in `man/` are what the program generates.
//!
//! After a change of the command line, run `cargo run -- man man`, and `cargo run -- completions SHELL` for each file
//! in `man/completions`.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use std::fs;
use std::path::Path;

const FJSON: &str = env!("CARGO_BIN_EXE_fjson");
const MAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/man");

/// The files in `directory`, sorted.
fn files_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the directory is there").map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<_> = files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn man_pages() {
    let written = tempfile::tempdir().expect("a temporary directory");
    Command::new(FJSON).arg("man").arg(written.path()).assert().success();
    let names = files_in(written.path());
    assert_eq!(files_in(Path::new(MAN)), names);
    for name in names {
        let page = |directory: &Path| fs::read_to_string(directory.join(&name)).expect("the page is there");
        assert_eq!(page(Path::new(MAN)), page(written.path()), "{name}");
    }
}

#[test]
fn completions() {
    let directory = Path::new(MAN).join("completions");
    let shells = [("bash", "bash"), ("elvish", "elv"), ("fish", "fish"), ("powershell", "ps1"), ("zsh", "zsh")];
    let names: Vec<_> = shells.iter().map(|(_, extension)| format!("fjson.{extension}")).collect();
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(files_in(&directory), sorted);
    for ((shell, _), name) in shells.iter().zip(names) {
        let output = Command::new(FJSON).args(["completions", shell]).output().expect("the program runs");
        let script = fs::read(directory.join(&name)).expect("the script is there");
        assert_eq!(String::from_utf8_lossy(&script), String::from_utf8_lossy(&output.stdout), "{name}");
    }
}
