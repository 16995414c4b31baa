//! jq's own tests.

#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// A case of a test file.
pub enum Case {
    /// A program, its input, and its outputs.
    Runs { line: usize, program: String, input: String, outputs: Vec<String> },
    /// A program that does not compile, and the message if it is tested.
    Fails { line: usize, program: String, message: Option<String> },
}

fn is_skipped(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn parse(text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut at = 0;
    let mut cases = Vec::new();
    while at < lines.len() {
        let line = at + 1;
        if is_skipped(lines[at]) {
            at += 1;
            continue;
        }
        let fails = lines[at].starts_with("%%FAIL");
        let ignores_message = lines[at].contains("IGNORE MSG");
        at += usize::from(fails);
        let program = lines[at].to_owned();
        at += 1;
        let input = if fails { String::new() } else { lines[at].to_owned() };
        at += usize::from(!fails);
        let mut rest = Vec::new();
        while at < lines.len() && !is_skipped(lines[at]) {
            rest.push(lines[at].to_owned());
            at += 1;
        }
        cases.push(if fails {
            Case::Fails { line, program, message: (!ignores_message).then(|| rest.join("\n")) }
        } else {
            Case::Runs { line, program, input, outputs: rest }
        });
    }
    cases
}

/// The cases of all files in a folder, with the name of the file.
pub fn cases(folder: &Path) -> Vec<(String, Case)> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "test"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let name = file.file_name().expect("a name").display().to_string();
        all.extend(
            parse(&fs::read_to_string(&file).expect("a test file")).into_iter().map(|case| (name.clone(), case)),
        );
    }
    all
}
