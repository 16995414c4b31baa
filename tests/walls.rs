//! The plan of the house as code: which room may use which, where `unsafe` may stand, how long a file may be.
//!
//! A drawing in a document is forgotten; a failed test is not. Each wall here is a rule of ARCHITECTURE.md, read from the
//! sources line by line, which is why a `use crate::…` names one thing only.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Which rooms a room may use, from the top of the house to the bottom: arrows only point down, and never sideways.
const MAY_USE: &[(&str, &[&str])] = &[
    (
        "lib",
        &[
            "gzip", "validate", "minify", "pretty", "query", "stats", "index", "scalar", "input", "kernel", "options",
            "error",
        ],
    ),
    // Tests of everything.
    (
        "two_versions",
        &[
            "gzip",
            "validate",
            "minify",
            "pretty",
            "query",
            "canonical",
            "stats",
            "index",
            "explain",
            "scalar",
            "input",
            "kernel",
            "options",
            "error",
        ],
    ),
    // Made of verbs, so it stands above them.
    ("gzip", &["validate", "minify", "input", "options", "memory", "error"]),
    ("validate", VERB),
    ("stats", &["index", "profile", "scan", "scalar", "input", "options", "memory", "error"]),
    ("minify", VERB),
    ("pretty", VERB),
    ("query", VERB),
    (
        "canonical",
        &[
            "index", "profile", "scan", "framing", "grammar", "scalar", "sink", "kernel", "input", "options", "memory",
            "error",
        ],
    ),
    ("index", &["profile", "scan", "explain", "grammar", "kernel", "input", "options", "memory", "error"]),
    (
        "parallel",
        &["profile", "scan", "explain", "framing", "grammar", "sink", "kernel", "input", "options", "memory", "error"],
    ),
    ("profile", &["scan", "explain", "grammar", "scalar", "input", "kernel", "options", "memory", "error"]),
    ("scan", &["explain", "framing", "grammar", "kernel", "input", "options", "memory", "error"]),
    ("framing", &["sink", "input", "options", "error"]),
    ("explain", &["grammar", "input", "options", "error"]),
    ("grammar", &["kernel"]),
    ("scalar", &["kernel"]),
    ("sink", &["options", "scalar", "kernel", "memory", "error"]),
    ("input", &["memory", "error"]),
    ("options", &["scalar", "kernel"]),
    ("kernel", &[]),
    ("memory", &["error"]),
    ("error", &[]),
];

/// What a verb may use: everything but another verb and the words for errors.
const VERB: &[&str] = &[
    "parallel", "profile", "scan", "framing", "grammar", "scalar", "sink", "kernel", "input", "options", "memory",
    "error",
];

/// The files that may hold `unsafe`.
const UNSAFE: [&str; 8] = [
    "kernel/x86_64/mod.rs",
    "kernel/x86_64/avx2.rs",
    "kernel/x86_64/avx512.rs",
    "kernel/x86_64/avx512/gaps.rs",
    "kernel/x86_64/sse2.rs",
    "input/map.rs",
    "input/guard.rs",
    "bin/fjson/source.rs",
];

/// A file longer than this is no longer read in one sitting.
const MOST_LINES: usize = 500;

/// Names that say nothing.
const EMPTY_NAMES: [&str; 4] = ["utils", "common", "helpers", "misc"];

/// All sources, by their path below `src`.
fn sources() -> BTreeMap<String, String> {
    let mut sources = BTreeMap::new();
    collect(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut sources);
    sources
}

fn collect(folder: &Path, prefix: &str, sources: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder of src") {
        let path = entry.expect("an entry").path();
        let name = format!("{prefix}{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.insert(name, fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// The lines that are not comments, with their numbers.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The room a library file is in.
fn room(path: &str) -> &str {
    path.split(['/', '.']).next().unwrap_or(path)
}

/// Whether a line has the word, and not only as a part of another.
fn has_word(line: &str, word: &str) -> bool {
    line.split(|character: char| !character.is_alphanumeric() && character != '_').any(|part| part == word)
}

#[test]
fn arrows_point_down() {
    let may_use = MAY_USE.iter().copied().collect::<BTreeMap<_, _>>();
    for (path, text) in sources().iter().filter(|(path, _)| !path.starts_with("bin/")) {
        let room = room(path);
        let allowed = may_use.get(room).unwrap_or_else(|| panic!("{path}: the room {room} is not in the plan"));
        for (number, line) in code(text) {
            for used in line.split("crate::").skip(1) {
                let used = used.split(|character: char| !character.is_alphanumeric() && character != '_').next();
                let used = used.unwrap_or_default();
                let is_room = may_use.contains_key(used);
                assert!(!is_room || used == room || allowed.contains(&used), "{path}:{number}: {room} uses {used}");
                let through_the_roof = !is_room && line.trim_start().starts_with("use ") && room != "lib";
                assert!(!through_the_roof, "{path}:{number}: name the room, not what lib.rs exports of it");
            }
        }
    }
}

#[test]
fn one_use_per_line() {
    for (path, text) in sources() {
        for (number, line) in code(&text) {
            let nested = line.contains("use crate::") && line.contains(['{', '*']);
            assert!(!nested, "{path}:{number}: one `use crate::room::name;` per line");
        }
    }
}

/// `unsafe` only where it must be; every other file forbids it, unless one below it may have it.
#[test]
fn unsafe_stands_in_its_rooms() {
    let roots = ["lib.rs", "bin/fjson/main.rs"];
    for (path, text) in sources() {
        if UNSAFE.contains(&path.as_str()) {
            continue;
        }
        let folder = path.strip_suffix("mod.rs");
        let is_above = roots.contains(&path.as_str())
            || folder.is_some_and(|folder| UNSAFE.iter().any(|unsafe_file| unsafe_file.starts_with(folder)));
        let forbids = text.contains("#![forbid(unsafe_code)]");
        assert!(forbids || is_above, "{path} does not say #![forbid(unsafe_code)]");
        for (number, line) in code(&text) {
            assert!(!has_word(line, "unsafe"), "{path}:{number}: unsafe outside of its rooms");
        }
    }
}

/// Clippy asks for this too, but not inside macros.
#[test]
fn every_unsafe_block_says_why_it_is_sound() {
    for (path, text) in sources() {
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        for (number, line) in code(&text).filter(|(_, line)| line.contains("unsafe {")) {
            let before = lines[..number - 1].iter().rev();
            let mut comment = before.take_while(|line| line.starts_with("//") || line.starts_with("#["));
            assert!(comment.any(|line| line.contains("// SAFETY:")), "{path}:{number}: {line}: no SAFETY comment");
        }
    }
}

/// A kernel asks the processor for exactly the features it is compiled for, unless every processor has them.
#[test]
fn features_are_asked_for() {
    const EVERYWHERE: [&str; 1] = ["sse2"];
    for (path, text) in sources() {
        let Some((_, list)) = text.split_once("\nfeatures!(") else { continue };
        let (list, _) = list.split_once(");").expect("the end of the macro call");
        let mut quoted = list.split('"').skip(1).step_by(2);
        let compiled: Vec<_> = quoted.next().expect("the features it is compiled for").split(',').collect();
        let asked: Vec<_> = quoted.collect();
        assert!(asked == compiled || asked.is_empty() && compiled == EVERYWHERE, "{path}: asks for {asked:?} only");
    }
}

#[test]
fn files_can_be_read() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{path} has {lines} lines");
        assert!(text.starts_with("//! "), "{path} does not open with what it is");
        let named = path.split(['/', '.']).any(|part| EMPTY_NAMES.contains(&part));
        assert!(!named, "{path}: a name that says what is in it, please");
    }
}

/// What only a draft holds.
#[test]
fn nothing_is_left_undone() {
    for (path, text) in sources() {
        for (number, line) in (1..).zip(text.lines()) {
            let undone = ["todo!", "unimplemented!", "dbg!", "TODO", "FIXME"].iter().any(|mark| line.contains(mark));
            assert!(!undone, "{path}:{number}: {line}");
        }
    }
}

/// The library has no command line, so its errors cannot advise an option: the program adds it.
#[test]
fn the_library_names_no_options() {
    for (path, text) in sources().iter().filter(|(path, _)| !path.starts_with("bin/")) {
        for (number, line) in code(text) {
            assert!(!line.contains("`--"), "{path}:{number}: {line}");
        }
    }
}

/// The steps of the gate are told where people look for them.
#[test]
fn every_step_of_the_gate_is_documented() {
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file");
    let (gate, guide) = (read(".ci/run"), read("CONTRIBUTING.md"));
    let steps: Vec<_> =
        gate.lines().filter_map(|line| line.strip_prefix("run_")?.strip_suffix("() {")).map(str::to_owned).collect();
    assert!(steps.len() > 10, "{steps:?}");
    for step in &steps {
        assert!(
            gate.lines().any(|line| line.starts_with(&format!("#   {step} "))),
            "{step} is not in the head of .ci/run"
        );
        assert!(guide.contains(&format!("| `{step}` |")), "{step} is not in CONTRIBUTING.md");
    }
    let listed = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |")).map(|(step, _)| step);
    for step in listed {
        assert!(steps.iter().any(|known| known == step), "CONTRIBUTING.md has a step {step}");
    }
}
