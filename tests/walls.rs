//! The structure of the project as tests: which module may use which, where `unsafe` may be, how long a file may be.
//!
//! These are the rules of ARCHITECTURE.md and CONTRIBUTING.md. The sources are searched line by line, which is why each
//! `use crate::…` names one item only.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The modules of the library from top to bottom, and which of the modules below it each may use.
const MAY_USE: &[(&str, &[&str])] = &[
    (
        "lib",
        &[
            "writer", "gzip", "lines", "de", "document", "validate", "minify", "pretty", "query", "stats", "index",
            "scalar", "input", "kernel", "options", "error",
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
    ("writer", &["validate", "pretty", "scalar", "kernel", "options", "error"]),
    ("gzip", &["validate", "minify", "input", "options", "memory", "error"]),
    ("lines", &["de", "document", "parallel", "explain", "input", "options", "memory", "error"]),
    ("de", &["document", "parallel", "explain", "scalar", "input", "options", "error"]),
    ("document", &["index", "parallel", "scalar", "input", "options", "error"]),
    ("validate", OPERATION),
    ("minify", OPERATION),
    ("pretty", OPERATION),
    ("query", OPERATION),
    ("stats", &["index", "parallel", "scalar", "sink", "input", "options", "memory", "error"]),
    (
        "canonical",
        &[
            "index", "parallel", "profile", "scan", "framing", "grammar", "scalar", "sink", "kernel", "input",
            "options", "memory", "error",
        ],
    ),
    ("index", &["parallel", "profile", "scan", "explain", "grammar", "kernel", "input", "options", "memory", "error"]),
    (
        "parallel",
        &["profile", "scan", "explain", "framing", "grammar", "sink", "kernel", "input", "options", "memory", "error"],
    ),
    ("profile", &["scan", "explain", "grammar", "scalar", "input", "kernel", "options", "memory", "error"]),
    ("scan", &["explain", "framing", "grammar", "kernel", "input", "options", "memory", "error"]),
    ("framing", &["sink", "input", "options", "error"]),
    ("range", &["input", "options", "error"]),
    ("sink", &["options", "scalar", "kernel", "memory", "error"]),
    ("explain", &["grammar", "input", "options", "error"]),
    ("grammar", &["kernel"]),
    ("options", &["scalar", "kernel"]),
    ("scalar", &["kernel"]),
    ("input", &["memory", "error"]),
    ("kernel", &[]),
    ("memory", &["error"]),
    ("error", &[]),
];

/// What an operation may use: everything but other operations and the error messages.
const OPERATION: &[&str] = &[
    "parallel", "profile", "scan", "framing", "grammar", "scalar", "sink", "kernel", "input", "options", "memory",
    "error",
];

/// The files that may hold `unsafe`.
const UNSAFE: [&str; 17] = [
    "kernel/steps.rs",
    "kernel/aarch64/neon.rs",
    "kernel/aarch64/vectors.rs",
    "kernel/x86_64/mod.rs",
    "kernel/x86_64/avx2.rs",
    "kernel/x86_64/avx2/bytes.rs",
    "kernel/x86_64/avx512.rs",
    "kernel/x86_64/avx512/bytes.rs",
    "kernel/x86_64/avx512/gaps.rs",
    "kernel/x86_64/sse2.rs",
    "document/text.rs",
    "input/map.rs",
    "input/guard.rs",
    "bin/fjson/platform/unix.rs",
    "bin/fjson/platform/unix/signals.rs",
    "writer/append.rs",
    "bin/fjson/source.rs",
];

/// The maximum length of a source file, so that it can be read in one sitting.
const MAX_LINES: usize = 500;

/// The maximum length of a function, from its name to its closing brace.
const MAX_FUNCTION_LINES: usize = 80;

/// File names that do not say what a file contains.
const EMPTY_NAMES: [&str; 4] = ["utils", "common", "helpers", "misc"];

/// The source files, by their path relative to `src`.
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

/// A file of the project.
fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file")
}

/// The lines that are not comments, with their numbers.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The module that a library file belongs to.
fn module(path: &str) -> &str {
    path.split(['/', '.']).next().unwrap_or(path)
}

/// Whether a line contains `word` as a whole word.
fn has_word(line: &str, word: &str) -> bool {
    line.split(|character: char| !character.is_alphanumeric() && character != '_').any(|part| part == word)
}

#[test]
fn modules_use_only_modules_below_them() {
    let may_use = MAY_USE.iter().copied().collect::<BTreeMap<_, _>>();
    for (path, text) in sources().iter().filter(|(path, _)| !path.starts_with("bin/")) {
        let module = module(path);
        let allowed = may_use.get(module).unwrap_or_else(|| panic!("{path}: {module} is not in MAY_USE"));
        for (number, line) in code(text) {
            for used in line.split("crate::").skip(1) {
                let used = used.split(|character: char| !character.is_alphanumeric() && character != '_').next();
                let used = used.unwrap_or_default();
                let is_module = may_use.contains_key(used);
                assert!(
                    !is_module || used == module || allowed.contains(&used),
                    "{path}:{number}: {module} uses {used}"
                );
                let is_reexport = !is_module && line.trim_start().starts_with("use ") && module != "lib";
                assert!(!is_reexport, "{path}:{number}: use the module, not the re-export of lib.rs");
            }
        }
    }
}

/// The list is in order, so there are no circles.
#[test]
fn the_list_of_modules_is_ordered() {
    for (index, (module, used)) in MAY_USE.iter().enumerate() {
        for name in *used {
            assert!(MAY_USE[index + 1..].iter().any(|(below, _)| below == name), "{name} is not below {module}");
        }
    }
}

/// Whatever differs between operating systems is in the module `platform` of the program.
#[test]
fn only_platform_depends_on_the_operating_system() {
    for (path, text) in sources().iter().filter(|(path, _)| path.starts_with("bin/")) {
        let is_platform = path.starts_with("bin/fjson/platform/");
        for (number, line) in code(text).filter(|_| !is_platform) {
            let depends =
                ["std::os::", "rustix::", "libc::", "signal_hook::", "cfg!(unix", "cfg!(windows", "target_os"]
                    .iter()
                    .any(|used| line.contains(used));
            let is_configured = line.contains("#[cfg") && (has_word(line, "unix") || has_word(line, "windows"));
            assert!(!depends && !is_configured, "{path}:{number}: move this to platform");
        }
    }
}

/// Files that use each other. A filter contains queries, and a query contains filters, so their parser and their evaluator
/// recurse. A document is searched with an index of itself. A value of a Rust type contains values.
const CIRCLES: [&[&str]; 5] = [
    &["de::access", "de::deserializer", "de::key"],
    &["query::syntax::filter", "query::syntax::function", "query::syntax::path"],
    &[
        "query::evaluate::automaton",
        "query::evaluate::scope",
        "query::evaluate::selection",
        "query::evaluate::subtree_counts",
    ],
    &["query::evaluate::document", "query::evaluate::index", "query::evaluate::member"],
    &["writer::serialize::containers", "writer::serialize::serializer", "writer::serialize::text_only"],
];

/// No two files use each other, directly or through others, except parents and children and those of `CIRCLES`.
#[test]
fn files_do_not_use_each_other() {
    for root in ["", "bin/fjson/"] {
        let sources: BTreeMap<_, _> = sources()
            .into_iter()
            .filter(|(path, _)| if root.is_empty() { !path.starts_with("bin/") } else { path.starts_with(root) })
            .map(|(path, text)| (module_path(&path[root.len()..]), text))
            .collect();
        let uses: BTreeMap<_, Vec<_>> =
            sources.iter().map(|(module, text)| (&**module, used(module, text, &sources))).collect();
        for module in uses.keys() {
            let mut reached = BTreeSet::new();
            let mut queue = vec![*module];
            while let Some(next) = queue.pop() {
                queue.extend(uses[next].iter().copied().filter(|used| reached.insert(*used)));
            }
            let is_known = CIRCLES.iter().any(|circle| circle.contains(module));
            assert!(is_known || !reached.contains(module), "{module} uses itself through other files");
        }
    }
}

/// Returns the path of a module, such as `query::stream` for `query/stream/mod.rs`.
fn module_path(file: &str) -> String {
    let path = file.trim_end_matches(".rs");
    path.strip_suffix("/mod").unwrap_or(path).replace('/', "::")
}

/// Returns the modules that `module` uses outside of its tests, without its ancestors.
fn used<'s>(module: &str, text: &str, sources: &'s BTreeMap<String, String>) -> Vec<&'s str> {
    let is_test = |path: &str| path.split("::").any(|part| part == "tests");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let paths = code(text).flat_map(|(_, line)| line.split("crate::").skip(1));
    let paths = paths.map(|path| path.split(|character: char| !is_path(character)).next().unwrap_or_default());
    let modules = paths.filter_map(|path| {
        let names: Vec<_> = path.split("::").collect();
        (1..=names.len()).rev().find_map(|length| sources.get_key_value(&names[..length].join("::")))
    });
    let modules = modules.map(|(used, _)| &**used);
    modules.filter(|used| !is_test(module) && !format!("{module}::").starts_with(&format!("{used}::"))).collect()
}

fn is_path(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == ':'
}

/// The table of modules in ARCHITECTURE.md has the modules of `MAY_USE`, in the same order.
#[test]
fn every_module_is_documented() {
    let document = read("ARCHITECTURE.md");
    let (_, table) = document.split_once("| module (`src/`) |").expect("a table of modules");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let modules: Vec<_> = rows
        .flat_map(|row| row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2).map(module))
        .collect();
    assert_eq!(modules, MAY_USE.iter().map(|(module, _)| *module).collect::<Vec<_>>());
}

/// Every source file and folder that ARCHITECTURE.md names is there, under `src` or from the root of the project.
#[test]
fn documented_files_are_there() {
    let document = read("ARCHITECTURE.md");
    let sources = sources();
    let names = document.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_file = |name: &str| Path::new(name).extension().is_some_and(|extension| extension == "rs");
    for name in names.filter(|name| (is_file(name) || name.ends_with('/')) && !name.contains(['<', ' '])) {
        let is_source = sources.keys().any(|path| {
            let is_end = path.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'));
            is_end || format!("/{path}").contains(&format!("/{name}")) && name.ends_with('/')
        });
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let is_in_project = root.join(name).exists() || root.join("benches").join(name).exists();
        assert!(is_source || is_in_project, "ARCHITECTURE.md names {name}");
    }
}

#[test]
fn one_use_per_line() {
    for (path, text) in sources() {
        for (number, line) in code(&text) {
            let nested = line.contains("use crate::") && line.contains(['{', '*']);
            assert!(!nested, "{path}:{number}: one `use crate::module::name;` per line");
        }
    }
}

/// Documents and sources use the terms of the glossary in ARCHITECTURE.md instead of these.
#[test]
fn the_terms_of_the_glossary_are_used() {
    const BANNED: [&str; 16] = [
        "anew", "blanks", "closer", "crew", "desk", "hears", "judge", "judged", "nobody", "proven", "somebody",
        "stretch", "team", "trouble", "walk", "whoever",
    ];
    const DOCUMENTS: [&str; 14] = [
        "ARCHITECTURE.md",
        "BENCHMARKS.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "DESIGN.md",
        "README.md",
        "SECURITY.md",
        "corpus/README.md",
        "docs/from-jq.md",
        "docs/guide.md",
        "docs/distributed.md",
        "docs/install.md",
        "docs/library.md",
        "docs/recipes.md",
    ];
    let documents = DOCUMENTS.iter().map(|path| ((*path).to_owned(), read(path)));
    for (path, text) in documents.chain(sources()) {
        for (number, line) in (1..).zip(text.lines()) {
            let banned = BANNED.iter().find(|word| has_word(&line.to_lowercase(), word));
            assert!(banned.is_none(), "{path}:{number}: {banned:?}");
        }
    }
}

/// Only the files of `UNSAFE` have `unsafe`. Every other file forbids it, except the ancestors of these, which cannot.
#[test]
fn unsafe_is_confined() {
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
            assert!(!has_word(line, "unsafe"), "{path}:{number}: unsafe is not allowed in this file");
        }
    }
}

/// Clippy requires this too, but not inside macros.
#[test]
fn every_unsafe_block_has_a_safety_comment() {
    for (path, text) in sources() {
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        for (number, line) in code(&text).filter(|(_, line)| line.contains("unsafe {")) {
            let before = lines[..number - 1].iter().rev();
            let mut comment = before.take_while(|line| line.starts_with("//") || line.starts_with("#["));
            assert!(comment.any(|line| line.contains("// SAFETY:")), "{path}:{number}: {line}: no SAFETY comment");
        }
    }
}

/// A kernel detects exactly the features it is compiled for, unless every processor has them.
#[test]
fn features_are_detected() {
    const EVERYWHERE: [&str; 2] = ["sse2", "neon"];
    for (path, text) in sources() {
        let Some((_, list)) = text.split_once("\nfeatures!(") else { continue };
        let (list, _) = list.split_once(");").expect("the end of the macro call");
        let mut quoted = list.split('"').skip(1).step_by(2);
        let compiled: Vec<_> = quoted.next().expect("the features it is compiled for").split(',').collect();
        let detected: Vec<_> = quoted.collect();
        let is_complete =
            detected == compiled || detected.is_empty() && compiled.iter().all(|feature| EVERYWHERE.contains(feature));
        assert!(is_complete, "{path}: detects only {detected:?}");
    }
}

#[test]
fn files_are_short_and_named_for_their_contents() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{path} has {lines} lines");
        assert!(text.starts_with("//! "), "{path} does not begin with a module comment");
        let named = path.split(['/', '.']).any(|part| EMPTY_NAMES.contains(&part));
        assert!(!named, "{path}: the name does not say what the file contains");
    }
}

#[test]
fn functions_are_short() {
    for (path, text) in sources() {
        let lines: Vec<_> = text.lines().collect();
        for (first, line) in lines.iter().enumerate() {
            let start = line.trim_start();
            let Some((before, rest)) = start.split_once("fn ") else { continue };
            let words =
                ["pub", "pub(crate)", "pub(super)", "pub(in", "crate::query)", "const", "unsafe", "extern", "\"C\""];
            if !before.split_whitespace().all(|word| words.contains(&word)) {
                continue;
            }
            let indent = &line[..line.len() - start.len()];
            let is_end = |line: &&str| {
                let rest = line.strip_prefix(indent).unwrap_or(" ");
                !rest.starts_with(' ') && rest.ends_with([';', '}'])
            };
            let length = 1 + lines[first..].iter().position(is_end).unwrap_or_default();
            assert!(length <= MAX_FUNCTION_LINES, "{path}:{}: {} has {length} lines", first + 1, name(rest));
        }
    }
}

/// No marks of unfinished work.
#[test]
fn no_unfinished_work() {
    for (path, text) in sources() {
        for (number, line) in (1..).zip(text.lines()) {
            let undone = ["todo!", "unimplemented!", "dbg!", "TODO", "FIXME"].iter().any(|mark| line.contains(mark));
            assert!(!undone, "{path}:{number}: {line}");
        }
    }
}

/// The library has no command line, so its errors do not mention options. The program adds them.
#[test]
fn the_library_names_no_options() {
    for (path, text) in sources().iter().filter(|(path, _)| !path.starts_with("bin/")) {
        for (number, line) in code(text) {
            assert!(!line.contains("`--"), "{path}:{number}: {line}");
        }
    }
}

/// Each step of `.ci/run` is documented in its head and in CONTRIBUTING.md.
#[test]
fn every_ci_step_is_documented() {
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

/// The public items of the library, as a snapshot, so that a change of the interface is seen in review.
#[test]
fn the_public_interface_is_the_committed_one() {
    let sources = sources();
    let library = || sources.iter().filter(|(path, _)| !path.starts_with("bin/") && !path.contains("test"));
    let types: BTreeSet<_> = library()
        .flat_map(|(_, text)| text.lines())
        .filter_map(|line| ["pub struct ", "pub enum "].iter().find_map(|start| line.strip_prefix(start)))
        .map(name)
        .collect();
    let listing: String = library().map(|(path, text)| public_items(path, text, &types)).collect();
    insta::assert_snapshot!(listing);
}

/// Returns the public items of a file: types with their public parts and traits, functions, constants and re-exports.
fn public_items(path: &str, text: &str, types: &BTreeSet<&str>) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut items, mut attributes) = (Vec::new(), Vec::new());
    let mut lines = code(text).map(|(_, line)| line);
    let (mut is_open, mut owner, mut is_listed) = (false, "", false);
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        let depth = line.len() - trimmed.len();
        if line == "}" {
            (is_open, owner) = (false, "");
        } else if trimmed.starts_with("#[derive") || trimmed.starts_with("#[non_exhaustive") {
            attributes.push(line.to_owned());
        } else if depth == 0 && line.starts_with("impl") {
            (owner, is_listed) = (line, false);
            let implements = line.split_once(" for ").is_some_and(|(_, of)| types.contains(name(of)));
            items.extend(implements.then(|| line.trim_end_matches(['{', '}', ' ']).to_owned()));
        } else if trimmed.starts_with("pub ") || is_open && depth == 4 && trimmed.starts_with(char::is_alphabetic) {
            let mut item = line.to_owned();
            while !item.ends_with(['{', '}', ';', ',']) || item.contains("fn ") && item.ends_with(',') {
                item += if item.ends_with('(') { "" } else { " " };
                item += lines.next().map_or("{", str::trim_start);
            }
            if depth == 4 && !owner.is_empty() && !is_listed {
                items.push(owner.trim_end_matches([' ', '{']).to_owned());
                is_listed = true;
            }
            is_open |= depth == 0 && ["pub enum ", "pub trait "].iter().any(|start| item.starts_with(start));
            items.append(&mut attributes);
            items.push(item.trim_end_matches(['{', '}', ';', ',', ' ']).to_owned());
        }
        if !trimmed.starts_with("#[") {
            attributes.clear();
        }
    }
    if items.is_empty() { String::new() } else { format!("{path}\n{}\n\n", items.join("\n")) }
}

/// Returns the identifier at the start of a text.
fn name(text: &str) -> &str {
    text.split(|character: char| !character.is_alphanumeric() && character != '_').next().unwrap_or_default()
}
