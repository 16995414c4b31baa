//! The copy of the project in which the mutants are compiled.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;

use proof::suites;
use serde_json::Value;

use crate::PACKAGES;
use crate::print;
use crate::selection::Mutant;
use crate::switch::Change;
use crate::switch::switched;

/// What is copied to compile mutants.
const PARTS: [&str; 13] = [
    ".ci/fuzz",
    "Cargo.toml",
    "Cargo.lock",
    "build.rs",
    "README.md",
    "docs",
    "src",
    "crates",
    "tests",
    "corpus",
    "examples",
    "benches/engine.rs",
    "fuzz/seeds",
];

/// What is added to each library.
const SWITCH: &str = r#"
/// Whether this program is the mutant with a number.
#[inline]
fn mutant(number: u32) -> bool {
    static ACTIVE: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        std::env::var("FJSON_MUTANT").map_or(0, |number| number.parse().expect("a number"))
    });
    *ACTIVE == number
}
"#;

/// Compiles the tests with the mutants. Returns the messages of cargo, and the mutants that do not compile.
pub fn build(mutants: &[Mutant]) -> (Vec<Value>, BTreeSet<usize>) {
    let folder = folder();
    for part in PARTS {
        copy_all(&suites::root().join(part), &folder.join(part));
    }
    for package in &PACKAGES {
        let path = folder.join(package.sources()).join("lib.rs");
        let library = fs::read_to_string(&path).expect("a source file");
        fs::write(path, library + SWITCH).expect("the copy can be written");
    }
    let mut levels = BTreeMap::new();
    let not_compiled = loop {
        let written = write_switches(&folder, mutants, &levels);
        let messages = cargo(&folder, &["check", "--lib", "--profile=test"]);
        let errors: Vec<_> = messages.iter().map(places_of_error).filter(|places| !places.is_empty()).collect();
        if errors.is_empty() {
            break written.not_compiled;
        }
        let mutants_at = |places: &Vec<(String, usize)>| {
            places.iter().find_map(|(file, offset)| written.innermost(&folder, file, *offset))
        };
        let moved: BTreeSet<_> = errors.iter().filter_map(mutants_at).flatten().collect();
        assert!(!moved.is_empty(), "{errors:?}");
        print(&format!("{} nodes are too small", moved.len()));
        for number in moved {
            *levels.entry(number).or_default() += 1;
        }
    };
    (cargo(&folder, &["test", "--no-run"]), not_compiled)
}

/// The copy with switches.
#[derive(Default)]
struct Written {
    /// Which parts of each file have which mutants.
    parts: HashMap<PathBuf, Vec<(Range<usize>, usize)>>,
    not_compiled: BTreeSet<usize>,
}

impl Written {
    /// Returns the mutants of the smallest part around an offset.
    fn innermost(&self, folder: &Path, file: &str, offset: usize) -> Option<Vec<usize>> {
        let around = || {
            self.parts
                .get(&folder.join(file))
                .into_iter()
                .flatten()
                .filter(|(part, _)| (part.start..=part.end).contains(&offset))
        };
        let smallest = around().map(|(part, _)| part.len()).min()?;
        Some(around().filter(|(part, _)| part.len() == smallest).map(|&(_, number)| number).collect())
    }
}

/// Writes the files that have mutants. `levels` are the numbers of nodes that are too small.
fn write_switches(folder: &Path, mutants: &[Mutant], levels: &BTreeMap<usize, usize>) -> Written {
    let mut files = BTreeMap::<_, Vec<_>>::new();
    for mutant in mutants {
        let path = mutant.package.sources().join(&mutant.file);
        let level = levels.get(&mutant.number).copied().unwrap_or_default();
        let Mutant { number, ref range, ref replacement, .. } = *mutant;
        files.entry(path).or_default().push(Change {
            number,
            range: range.clone(),
            replacement: replacement.clone(),
            level,
        });
    }
    let mut written = Written::default();
    for (path, changes) in files {
        let text = fs::read_to_string(suites::root().join(&path)).expect("a source file");
        let mut switched = switched(&text, &changes);
        if path.ends_with("src/lib.rs") {
            switched.text += SWITCH;
        }
        fs::write(folder.join(&path), switched.text).expect("the copy can be written");
        written.parts.insert(folder.join(path), switched.parts);
        written.not_compiled.extend(switched.not_compiled);
    }
    written
}

/// Runs cargo for the packages in a folder, and returns its messages.
fn cargo(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).args(["--all-features", "--message-format=json"]).current_dir(folder);
    command.args(PACKAGES.iter().flat_map(|package| ["--package", package.name]));
    command.env("CARGO_TARGET_DIR", folder.join("target")).env("RUSTFLAGS", "--cap-lints=allow");
    let output = command.stderr(Stdio::inherit()).output().expect("cargo can be run");
    let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).expect("a message of cargo")).collect()
}

/// Returns where the error of a message is, and then what it is about, such as an assignment that may not be made: files, and offsets in
/// them.
fn places_of_error(message: &Value) -> Vec<(String, usize)> {
    let message = &message["message"];
    let spans = message["spans"].as_array().filter(|_| message["level"] == "error");
    let mut spans: Vec<_> = spans.into_iter().flatten().collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    let place = |span: &Value| {
        let offset = usize::try_from(span["byte_start"].as_u64()?).ok()?;
        Some((span["file_name"].as_str()?.to_owned(), offset))
    };
    spans.into_iter().filter_map(place).collect()
}

/// Returns the folder of the copy.
pub fn folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| suites::root().join("target"), PathBuf::from);
    target.join("mutants")
}

fn copy_all(from: &Path, to: &Path) {
    if from.file_name() == Some(OsStr::new("data")) || !from.exists() {
        return;
    }
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder in the copy");
        for entry in fs::read_dir(from).expect("a folder of the project") {
            let name = entry.expect("an entry").file_name();
            copy_all(&from.join(&name), &to.join(&name));
        }
    } else {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder in the copy");
        fs::copy(from, to).expect("a file of the copy");
    }
}
