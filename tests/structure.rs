//! The structure of the project as tests: which module uses which, where `unsafe` may be, how long a file may be.
//!
//! These are the rules of ARCHITECTURE.md and CONTRIBUTING.md. The sources are parsed, so imports are found however they are written.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use proof::suites;
use syn::visit;
use syn::visit::Visit;

/// The modules of the engine from top to bottom. A module uses only modules of rows below its own.
const ROWS: [&[&str]; 23] = [
    &["lib"],
    // Tests of everything.
    &["two_versions"],
    &["diff"],
    &["edit"],
    &["writer", "gzip", "lines", "documents"],
    &["de"],
    &["document"],
    &["canonical"],
    &["validate", "minify", "pretty", "query", "stats", "places"],
    &["index"],
    &["parallel"],
    &["profile"],
    &["positions"],
    &["scan"],
    &["framing", "range"],
    &["sink"],
    &["explain"],
    &["grammar"],
    &["options"],
    &["scalar", "input"],
    &["kernel"],
    &["memory"],
    &["error"],
];

/// The files that may have `unsafe`.
const UNSAFE: [&str; 16] = [
    "crates/engine/src/kernel/steps.rs",
    "crates/engine/src/kernel/aarch64/neon.rs",
    "crates/engine/src/kernel/aarch64/vectors.rs",
    "crates/engine/src/kernel/x86_64/mod.rs",
    "crates/engine/src/kernel/x86_64/avx2.rs",
    "crates/engine/src/kernel/x86_64/avx2/bytes.rs",
    "crates/engine/src/kernel/x86_64/avx512.rs",
    "crates/engine/src/kernel/x86_64/avx512/bytes.rs",
    "crates/engine/src/kernel/x86_64/sse2.rs",
    "crates/engine/src/document/text.rs",
    "crates/engine/src/input/map.rs",
    "crates/engine/src/input/guard.rs",
    "crates/engine/src/writer/append.rs",
    "src/platform/unix.rs",
    "src/platform/unix/signals.rs",
    "src/source.rs",
];

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

/// The maximum length of a source file, so that it can be read in one sitting.
const MAX_LINES: usize = 500;

/// The maximum length of a function, from its first line to its closing brace.
const MAX_FUNCTION_LINES: usize = 80;

/// File names that do not say what a file contains.
const EMPTY_NAMES: [&str; 4] = ["utils", "common", "helpers", "misc"];

/// A source file.
struct Source {
    /// The path from the root of the project, such as `crates/engine/src/scan/mod.rs`.
    path: String,
    /// The folder of the crate, such as `crates/engine/src/`.
    root: String,
    text: String,
    /// The modules of the crate that it names outside of its tests, as in `crate::scan::step`, without `crate`.
    used: Vec<(usize, String)>,
    /// The functions: line, name and number of lines.
    functions: Vec<(usize, String, usize)>,
}

impl Source {
    /// The module, such as `scan::document`; `lib` or `main` for the root of the crate.
    fn module(&self) -> String {
        let path = self.path[self.root.len()..].trim_end_matches(".rs");
        path.strip_suffix("/mod").unwrap_or(path).replace('/', "::")
    }

    fn is_engine(&self) -> bool {
        self.root == "crates/engine/src/"
    }

    /// The lines that are not comments, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

/// The sources of the program and of all crates.
static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(sources);

fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    let crates = fs::read_dir(suites::root().join("crates")).expect("the crates");
    let mut roots: Vec<_> =
        crates.map(|entry| format!("crates/{}/src/", entry.expect("a crate").file_name().to_string_lossy())).collect();
    roots.push("src/".to_owned());
    for root in roots {
        collect(&root, &root, &mut sources);
    }
    sources
}

fn collect(root: &str, folder: &str, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(suites::root().join(folder)).expect("a folder of sources") {
        let entry = entry.expect("an entry").path();
        let path = format!("{folder}{}", entry.file_name().expect("a name").to_string_lossy());
        if entry.is_dir() {
            collect(root, &format!("{path}/"), sources);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let text = read(&path);
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
            let mut reader = Reader::default();
            reader.visit_file(&file);
            let Reader { used, functions } = reader;
            sources.push(Source { path, root: root.to_owned(), text, used, functions });
        }
    }
}

/// Reads a file of the project.
fn read(path: &str) -> String {
    fs::read_to_string(suites::root().join(path)).expect("a file")
}

/// Collects paths that begin with `crate`, and functions.
#[derive(Default)]
struct Reader {
    used: Vec<(usize, String)>,
    functions: Vec<(usize, String, usize)>,
}

impl Reader {
    fn add_uses(&mut self, tree: &syn::UseTree, prefix: &str) {
        match tree {
            syn::UseTree::Path(path) => self.add_uses(&path.tree, &format!("{prefix}{}::", path.ident)),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.add_uses(item, prefix)),
            syn::UseTree::Name(syn::UseName { ident }) | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
                self.add(ident.span().start().line, &format!("{prefix}{ident}"));
            }
            syn::UseTree::Glob(glob) => self.add(glob.star_token.span.start().line, prefix.trim_end_matches(':')),
        }
    }

    fn add(&mut self, line: usize, path: &str) {
        self.used.extend(path.strip_prefix("crate::").map(|path| (line, path.to_owned())));
    }

    fn add_function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.ident.span().start().line;
        let lines = block.brace_token.span.close().end().line + 1 - first;
        self.functions.push((first, signature.ident.to_string(), lines));
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.add_uses(&item.tree, "");
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let line = path.segments.first().map_or(0, |first| first.ident.span().start().line);
        self.add(line, &names.join("::"));
        visit::visit_path(self, path);
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.add_function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.add_function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}

/// Whether attributes have `#[cfg(test)]`.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

#[test]
fn modules_use_only_modules_below_them() {
    let rows: BTreeMap<_, _> =
        ROWS.iter().enumerate().flat_map(|(row, modules)| modules.iter().map(move |module| (*module, row))).collect();
    for source in SOURCES.iter().filter(|source| source.is_engine()) {
        let name = source.module();
        let module = name.split("::").next().unwrap_or(&name);
        let row = rows.get(module).unwrap_or_else(|| panic!("{}: {module} is not in ROWS", source.path));
        for (line, path) in &source.used {
            let used = path.split("::").next().unwrap_or(path);
            match rows.get(used) {
                Some(below) => assert!(used == module || below > row, "{}:{line}: {module} uses {used}", source.path),
                None => assert!(module == "lib", "{}:{line}: use the module, not a re-export of lib.rs", source.path),
            }
        }
    }
}

/// No two files of a crate use each other, directly or through others, except parents and children and those of `CIRCLES`.
#[test]
fn files_do_not_use_each_other() {
    let roots: BTreeSet<_> = SOURCES.iter().map(|source| &source.root).collect();
    for root in roots {
        let files = || SOURCES.iter().filter(|source| source.root == *root);
        let modules: BTreeSet<_> = files().map(Source::module).collect();
        let uses: BTreeMap<_, _> = files().map(|source| (source.module(), used(source, &modules))).collect();
        for module in &modules {
            let mut reached = BTreeSet::new();
            let mut queue = vec![module];
            while let Some(next) = queue.pop() {
                queue.extend(uses[next].iter().filter(|used| reached.insert(**used)));
            }
            let is_known = CIRCLES.iter().any(|circle| circle.contains(&&**module));
            assert!(is_known || !reached.contains(module), "{root}: {module} uses itself through other files");
        }
    }
}

/// Returns the modules that a file uses, without its ancestors. Files of tests use what they test.
fn used<'m>(source: &Source, modules: &'m BTreeSet<String>) -> Vec<&'m String> {
    let module = source.module();
    if module.split("::").any(|part| part == "tests") {
        return Vec::new();
    }
    let paths = source.used.iter().filter_map(|(_, path)| {
        let names: Vec<_> = path.split("::").collect();
        (1..=names.len()).rev().find_map(|length| modules.get(&names[..length].join("::")))
    });
    paths.filter(|used| !format!("{module}::").starts_with(&format!("{used}::"))).collect()
}

/// Whatever differs between operating systems is in the module `platform` of the program.
#[test]
fn only_platform_depends_on_the_operating_system() {
    for source in SOURCES.iter().filter(|source| source.root == "src/" && !source.path.starts_with("src/platform/")) {
        for (number, line) in source.code() {
            let depends =
                ["std::os::", "rustix::", "libc::", "signal_hook::", "cfg!(unix", "cfg!(windows", "target_os"]
                    .iter()
                    .any(|used| line.contains(used));
            let is_configured = line.contains("#[cfg") && (has_word(line, "unix") || has_word(line, "windows"));
            assert!(!depends && !is_configured, "{}:{number}: move this to platform", source.path);
        }
    }
}

/// Only the files of `UNSAFE` have `unsafe`. Every other file forbids it, except the ancestors of these, which cannot.
#[test]
fn unsafe_is_confined() {
    for source in SOURCES.iter().filter(|source| !UNSAFE.contains(&&*source.path)) {
        let folder = ["mod.rs", "lib.rs", "main.rs"].iter().find_map(|root| source.path.strip_suffix(root));
        let is_above = folder.is_some_and(|folder| UNSAFE.iter().any(|unsafe_file| unsafe_file.starts_with(folder)));
        let forbids = source.text.contains("#![forbid(unsafe_code)]");
        assert!(forbids || is_above, "{} does not say #![forbid(unsafe_code)]", source.path);
        for (number, line) in source.code() {
            assert!(!has_word(line, "unsafe"), "{}:{number}: unsafe is not allowed in this file", source.path);
        }
    }
}

/// Clippy requires this too, but not inside macros.
#[test]
fn every_unsafe_block_has_a_safety_comment() {
    for source in &*SOURCES {
        let lines: Vec<_> = source.text.lines().map(str::trim).collect();
        for (number, line) in source.code().filter(|(_, line)| line.contains("unsafe {")) {
            let before = lines[..number - 1].iter().rev();
            let mut comment = before.take_while(|line| line.starts_with("//") || line.starts_with("#["));
            assert!(comment.any(|line| line.contains("// SAFETY:")), "{}:{number}: {line}", source.path);
        }
    }
}

/// Strings are taken for UTF-8 without a check in one file, and accesses to slices are checked everywhere.
#[test]
fn texts_and_slices_are_checked() {
    for source in SOURCES.iter().filter(|source| source.path != "crates/engine/src/document/text.rs") {
        for (number, line) in source.code() {
            let is_unchecked = ["from_utf8_unchecked", "get_unchecked"].iter().any(|call| line.contains(call));
            assert!(!is_unchecked, "{}:{number}: {line}", source.path);
        }
    }
}

/// The library leaves the terminal, the process and the environment to the program. Tests in it need not.
#[test]
fn the_library_does_not_print_or_exit_or_read_the_environment() {
    const TESTS: [&str; 3] = ["tests", "two_versions", "changing"];
    let is_test = |source: &Source| source.module().split("::").any(|part| TESTS.contains(&part));
    for source in SOURCES.iter().filter(|source| source.is_engine() && !is_test(source)) {
        let code = source.code().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
        for (number, line) in code {
            let words = ["env::", "process::exit", "print!(", "println!(", "stdout()", "stderr()"];
            assert!(!words.iter().any(|word| line.contains(word)), "{}:{number}: {line}", source.path);
        }
    }
}

/// Whether a line contains `word` as a whole word.
fn has_word(line: &str, word: &str) -> bool {
    line.split(|character: char| !character.is_alphanumeric() && character != '_').any(|part| part == word)
}

/// A kernel detects exactly the features it is compiled for, unless every processor has them.
#[test]
fn features_are_detected() {
    const EVERYWHERE: [&str; 2] = ["sse2", "neon"];
    for source in &*SOURCES {
        let Some((_, list)) = source.text.split_once("\nfeatures!(") else { continue };
        let (list, _) = list.split_once(");").expect("the end of the macro call");
        let mut quoted = list.split('"').skip(1).step_by(2);
        let compiled: Vec<_> = quoted.next().expect("the features it is compiled for").split(',').collect();
        let detected: Vec<_> = quoted.collect();
        let is_complete =
            detected == compiled || detected.is_empty() && compiled.iter().all(|feature| EVERYWHERE.contains(feature));
        assert!(is_complete, "{}: detects only {detected:?}", source.path);
    }
}

#[test]
fn files_and_functions_are_short_and_named_for_their_contents() {
    for source in &*SOURCES {
        let path = &source.path;
        let lines = source.text.lines().count();
        assert!(lines <= MAX_LINES, "{path} has {lines} lines");
        assert!(source.text.starts_with("//! "), "{path} does not begin with a module comment");
        let named = path.split(['/', '.']).any(|part| EMPTY_NAMES.contains(&part));
        assert!(!named, "{path}: the name does not say what the file contains");
        for (line, name, lines) in &source.functions {
            assert!(*lines <= MAX_FUNCTION_LINES, "{path}:{line}: {name} has {lines} lines");
        }
    }
}

/// The library has no command line, so its errors do not mention options. The program adds them.
#[test]
fn the_library_names_no_options() {
    for source in SOURCES.iter().filter(|source| source.is_engine()) {
        for (number, line) in source.code() {
            assert!(!line.contains("`--"), "{}:{number}: {line}", source.path);
        }
    }
}

/// Each step of `.ci/run` is documented in its head and in CONTRIBUTING.md.
#[test]
fn every_ci_step_is_documented() {
    let (script, guide) = (read(".ci/run"), read("CONTRIBUTING.md"));
    let steps: BTreeSet<_> =
        script.lines().filter_map(|line| line.strip_prefix("run_")?.strip_suffix("() {")).collect();
    let in_head: BTreeSet<_> = script
        .lines()
        .filter_map(|line| line.strip_prefix("#   ")?.split_once(' '))
        .map(|(step, _)| step)
        .filter(|step| step.starts_with(|first: char| first.is_ascii_lowercase()))
        .collect();
    let in_guide: BTreeSet<_> =
        guide.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |")).map(|(step, _)| step).collect();
    assert_eq!(steps, in_head);
    assert_eq!(steps, in_guide);
}

/// docs/proof.md has tests for each sentence of SECURITY.md, and for each limit that it names; each of these tests exists.
#[test]
fn every_promise_has_tests() {
    let proof = read("docs/proof.md");
    let (_, table) = proof.split_once("\n## Promises\n").expect("a heading");
    let security = read("SECURITY.md");
    let (_, security) = security.split_once("\n## Hostile input\n").expect("a heading");
    let documents = [security, &read("docs/guide.md"), &read("docs/jq.md")].map(sentences);
    let mut known = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what ")) {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [quotes, tests] = cells[..] else { panic!("two cells: {row}") };
        for quote in quotes.split("<br>").map(str::trim) {
            let is_there = documents.iter().flatten().any(|sentence| sentence.starts_with(quote));
            assert!(is_there, "no sentence begins with {quote:?}");
            known.push(quote);
        }
        // What promises nothing has a reason instead.
        for test in tests.split("<br>").filter(|test| test.trim().starts_with('`')) {
            let parts: Vec<_> = test.split('`').collect();
            let [_, name, _, path, _] = parts[..] else { panic!("a test and its file: {test:?}") };
            assert!(read(path).contains(&format!("fn {name}(")), "{path} has no {name}");
        }
    }
    for sentence in &documents[0] {
        assert!(known.iter().any(|quote| sentence.starts_with(quote)), "no row for {sentence:?}");
    }
}

/// Returns the sentences of a document without emphasis. A row of a table is one, unless it is the head of one.
fn sentences(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines().map(str::trim) {
        let begins = line.starts_with("* ") || line.starts_with("| ");
        let is_text = !line.is_empty() && !["#", "```", "|-"].iter().any(|other| line.starts_with(other));
        match blocks.last_mut().filter(|_| goes_on && !begins && is_text) {
            Some(block) => block.extend([" ", line]),
            None if is_text => blocks.push(line.trim_start_matches("* ").to_owned()),
            None => {}
        }
        goes_on = is_text;
    }
    let mut sentences = Vec::new();
    for block in blocks {
        let mut block = block.replace("**", "");
        if let Some(row) = block.strip_prefix("| ") {
            sentences.extend(Some(row.to_owned()).filter(|row| !row.starts_with("what ")));
            continue;
        }
        while let Some(end) = block
            .match_indices(". ")
            .map(|(at, _)| at + 2)
            .find(|&at| block[at..].starts_with(|next: char| next.is_uppercase() || matches!(next, '`' | '[' | '-')))
        {
            sentences.push(block[..end].trim().to_owned());
            block.drain(..end);
        }
        sentences.push(block);
    }
    sentences
}
