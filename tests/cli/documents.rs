//! The documents: console examples print what they say, and links lead somewhere.
//!
//! An example is a block of the language `console`; lines that begin with `$ ` are run by `sh`, all blocks of a document one after
//! the other in one directory. A comment that begins with `<!-- console` is run as well and makes files for the examples that
//! follow. Run with `FJSON_UPDATE_DOCUMENTS=1` to write new output into the documents.

use crate::place::FJSON;
use crate::place::Place;
use crate::place::UNWANTED;
use proof::chart;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

/// Returns the documents of the project with their texts.
fn documents() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["", "docs", "corpus"].map(|folder| root.join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of documents"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let documents = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    documents.map(|path| (path.clone(), fs::read_to_string(path).expect("a document"))).collect()
}

#[test]
fn console_examples_print_what_they_say() {
    let mut commands = 0;
    for (path, text) in documents() {
        let (expected, count) = run_examples(&text);
        commands += count;
        if expected != text && env::var_os("FJSON_UPDATE_DOCUMENTS").is_some() {
            fs::write(&path, &expected).expect("the document is written");
            continue;
        }
        for (number, (expected, line)) in (1..).zip(expected.lines().zip(text.lines())) {
            assert_eq!(line, expected, "{}:{number}", path.display());
        }
        assert_eq!(text.lines().count(), expected.lines().count(), "{}", path.display());
    }
    assert!(commands > 60, "{commands} commands");
}

/// The lines of docs/from-jq.md print the same. Lines marked ≠ print it in another form, and whitespace at the end may differ.
#[test]
fn lines_of_both_languages_print_the_same() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/from-jq.md")).expect("a document");
    let place = Place::new();
    let (programs, directory) = directories(&place);
    let mut shell = Shell { programs: &programs, directory: &directory, status: 0 };
    let setup = text.lines().skip_while(|line| *line != "<!-- console").take_while(|line| *line != "-->");
    for command in setup.filter_map(|line| line.strip_prefix("$ ")) {
        assert_eq!(shell.run(command), "", "{command}");
    }
    let mut lines = 0;
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let row = line.replace("\\|", "\0");
        let cells: Vec<_> = row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect();
        let [_, jq, fjson, note, _] = &cells[..] else { continue };
        let (jq, fjson) = (jq.trim_matches('`'), fjson.trim_matches('`'));
        let found = shell.run(fjson);
        assert_eq!(shell.status, 0, "{fjson}: {found}");
        if !note.starts_with('≠') {
            assert_eq!(found.trim_end(), shell.run(jq).trim_end(), "{fjson}");
        }
        lines += 1;
    }
    assert!(lines >= 40, "{lines} lines");
}

/// Runs the examples of a document. Returns it with the output that they print, and the number of commands.
fn run_examples(text: &str) -> (String, usize) {
    let place = Place::new();
    let (programs, directory) = directories(&place);
    let mut shell = Shell { programs: &programs, directory: &directory, status: 0 };

    let (mut expected, mut end, mut commands) = (String::new(), None, 0);
    for line in text.lines() {
        match (line.strip_prefix("$ ").filter(|command| !command.starts_with(' ')), end) {
            (Some(command), Some(_)) => {
                expected.extend([line, "\n", &shell.run(command)]);
                commands += 1;
                continue;
            }
            (None, Some(last)) if line != last => continue,
            (None, Some(_)) => end = None,
            (_, None) if line == "```console" => end = Some("```"),
            (_, None) if line == "<!-- console" => end = Some("-->"),
            (_, None) => {}
        }
        expected.extend([line, "\n"]);
    }
    (expected, commands)
}

/// Makes a directory with the program, and one for examples.
fn directories(place: &Place) -> (PathBuf, PathBuf) {
    let [programs, directory] = ["programs", "examples"].map(|name| place.path(name));
    for path in [&programs, &directory] {
        fs::create_dir(path).expect("a directory");
    }
    for name in ["fjson", "jq"] {
        symlink(FJSON, programs.join(name)).expect("a link to the program");
    }
    (programs, directory)
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

/// Links to files lead to files of the project, and links to headings to headings. Links to other places are not followed.
#[test]
fn links_lead_somewhere() {
    let documents = documents();
    let mut links = 0;
    for (path, text) in &documents {
        for (number, target) in targets(text) {
            let at = format!("{}:{number}: {target}", path.display());
            if target.starts_with("https://") {
                continue;
            }
            links += 1;
            let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
            let linked = if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            let linked = linked.canonicalize().unwrap_or_else(|error| panic!("{at}: {error}"));
            if let Some(anchor) = anchor {
                let text = documents.get(&linked).unwrap_or_else(|| panic!("{at}: not a document"));
                assert!(anchors(text).any(|known| known == anchor), "{at}: no such heading");
            }
        }
    }
    assert!(links > 30, "{links} links");
}

/// Returns the lines of a document outside of code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the targets of the links and images of a document, with the numbers of their lines.
fn targets(text: &str) -> impl Iterator<Item = (usize, &str)> {
    prose(text).flat_map(|(number, line)| {
        let links = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let images = ["src=\"", "srcset=\"", "href=\""].into_iter().flat_map(move |name| line.split(name).skip(1));
        let images = images.filter_map(|rest| rest.split_once('"'));
        links.chain(images).map(move |(target, _)| (number, target))
    })
}

/// Returns the anchors of the headings of a document, as GitHub makes them: in lower case, spaces replaced by hyphens, without
/// punctuation.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let headings = prose(text).filter(|(_, line)| line.starts_with('#')).map(|(_, line)| line.trim_start_matches('#'));
    headings.map(|heading| {
        let characters = heading.trim().to_lowercase().replace(' ', "-");
        characters.chars().filter(|character| character.is_alphanumeric() || ['-', '_'].contains(character)).collect()
    })
}

/// The pictures are drawn from the committed measurements.
#[test]
fn pictures_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = fs::read(root.join("benches/tools.json")).expect("the measurements");
    let data = serde_json::from_slice(&data).expect("valid JSON");
    for (name, is_dark) in [("light", false), ("dark", true)] {
        let picture = fs::read_to_string(root.join(format!("docs/images/speed-{name}.svg"))).expect("a picture");
        assert!(picture == chart::draw(&data, is_dark), "draw it again: cargo run -p fjson-proof --example chart");
    }
}
