//! Cost grows linearly: each command and option takes about twice as many steps for twice as much text.
//!
//! Steps are counted, not seconds. The program is compiled with code coverage counters, one for each region of code,
//! and their sum is the number of steps. It is the same on a busy machine, covers all code compiled into the program,
//! and needs no counters in the sources. A copy of memory is one step.
//!
//! ```text
//! .ci/run growth
//! FJSON_GROWTH=ijson .ci/run growth     only cases whose command line or shape contains `ijson`
//! ```

#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::thread;

use proof::hostile;
use proof::hostile::Shape;
use proof::suites;

/// The permitted ratio of steps for twice the text; sorting and lookups take a logarithmic factor more.
const MOST: f64 = 2.3;

/// Bytes of the smaller text: with tokens longer than what is held back, and with many parts.
const LONG: usize = 6 << 20;
const SHORT: usize = 96 << 10;

/// Command lines without queries.
const WHOLE: [&str; 36] = [
    "validate",
    "validate --unique-keys",
    "validate --ijson",
    "minify",
    "minify --ijson",
    "validate --stream",
    "minify --sort-keys",
    "minify --sort-keys --natural",
    "minify --canonical",
    "minify --escape ascii",
    "minify --jsonc",
    "stats --max-depth 1000000",
    "stats --infer-schema --strictness strict --max-depth 1000000",
    "stats --paths --max-depth 1000000",
    "gzip -1 --stdout",
    "gzip -1 --stdout --rsyncable --keep-space",
    "jq -c .",
    "jq -R -c .",
    "jq -s -R length",
    "jq -c -S -a -C .",
    "jq -r -j ..|scalars",
    "jq --sandbox -c --max-steps 100000000 [..]|length",
    "jq -c tojson|length",
    "jq -c [..|numbers]|length",
    "jq -c walk(.)|length?",
    "jq -c [.[]?]|sort|length",
    "jq -n reduce(inputs|..|numbers)as$n([];.+[$n])|length",
    "jq -s group_by(.id?)|length",
    "query --count $..a",
    "query --trust --count $.a",
    "query --count --ijson $..*",
    "delete --missing-ok $..a",
    "delete --jsonc --missing-ok $..a",
    "edit --missing-ok --delete $..z --set $..a 1 --set-string /0 x --append $..b 2 --insert $..b[0] 1",
    "set --parents /zz 1",
    "edit --parents --copy /b /q --move /q /r --test /r 1 --rename /r s",
];

/// Those that are not tested on depth, with which each line or event of theirs grows.
const SHALLOW: [&str; 14] = [
    "pretty",
    "pretty --jsonc",
    "pretty --jsonc --strip",
    "pretty --width 40",
    "pretty --compact-arrays",
    "pretty --check",
    "pretty --sort-keys",
    "pretty --ijson",
    "query --assignments $.*",
    "query --raw --null-data $..*",
    "query --array --pretty $.*",
    "query --limit 1000 $..*",
    "jq -c --stream length",
    "jq -n --stream reduce(inputs|length)as$l(0;.+$l)",
];

/// Those for records.
const OF_RECORDS: [&str; 10] = [
    "validate --max-errors 0 --format json",
    "validate --max-errors 0 --format junit",
    "validate --skip-prefix",
    "validate --range 1/3",
    "query --skip-bad --allow-empty --bad-records /dev/null $.a",
    "query --skip-bad --allow-empty --where @.a==1 $.a",
    "query --skip-bad --allow-empty --csv --header --with-filename -p $.a -p $.b",
    "query --skip-bad --allow-empty --csv --columns auto --where @.a --rows $",
    "stats --paths",
    "jq --skip-bad -c .a?",
];

/// Options that are not measured, and why not. Those of one command only have its name.
const UNMEASURED: [(&str, &[&str]); 8] = [
    ("print something else", &["--help", "--version", "--build-configuration"]),
    (
        "choose what is read, and not how",
        &[
            "--files0-from",
            "--files-from",
            "--follow",
            "--glob",
            "--hidden",
            "--no-ignore",
            "--no-mmap",
            "--single",
            "--splits-from",
            "--no-jsonc",
            "jq --arg",
            "jq --argjson",
            "jq --args",
            "jq --from-file",
            "jq --jsonargs",
            "jq --library-path",
            "jq --rawfile",
            "jq --slurpfile",
            "jq --raw-output0",
            "query --no-filename",
            "delete --path",
        ],
    ),
    (
        "choose a schema, or parts of its rules",
        &["--draft", "--formats", "--schema-at", "--schema-dir", "--schema-from-instance"],
    ),
    (
        "write the same to another place",
        &["--in-place", "--output", "jq --in-place", "jq --unbuffered", "gzip --force", "jq --binary"],
    ),
    (
        "add or replace a few bytes for each of something",
        &[
            "--bom",
            "--color",
            "--encoding",
            "--indent",
            "--quiet",
            "--verbose",
            "--seq",
            "minify --newline",
            "pretty --tab",
            "jq --tab",
            "jq --with-filename",
            "jq --monochrome-output",
            "jq --exit-status",
            "query --tsv",
            "query --null",
            "query --quote-strings",
            "query --excel",
            "query --replace-surrogates",
            "query --first",
            "query --raw-bytes",
            "query --regex",
            "jq --stream-errors",
            "diff --full",
            "set --string",
            "stats --top",
        ],
    ),
    ("are limits", &["--max-bytes", "--max-memory", "jq --max-time", "stats --levels", "stats --max-keys"]),
    ("make the number of steps depend on chance, or on the processor", &["--kernel", "--threads"]),
    ("read a file named by the option", &["edit --set-file"]),
];

/// Commands that measure, or write what does not depend on an input.
const OTHER_COMMANDS: [&str; 4] = ["bench", "man", "completions", "help"];

/// Expressions that select few nodes, because printing matches takes its own time.
const EXPRESSIONS: [&str; 31] = [
    "$.z",
    "$.*.z",
    "$[-1].z",
    "$[::-1].z",
    "$..z",
    "$..[-1].z",
    "$..[-2:].z",
    "$..[::-1]['z','y']",
    "$..[0]..z",
    "$..*..z",
    "$..[?@.z]",
    "$..[?@[-1]==7]",
    "$..[?@..z]",
    "$..[?@..z].y",
    "$..[?count(@..x)>1000000]",
    "$..[?count(@..*)==7]",
    "$..[?count(@..[?@.z])>1]",
    "$..[?value(@..x)==7]",
    "$..[?@==@.a]",
    "$..[?@.a && @.a==$.a.a]",
    "$..[?@==$.a].z",
    "$..[?@.a==@.b].z",
    "$..[?@==$[0]].z",
    "$..[?length(@)==7]",
    "$..[?length($)==7]",
    "$..[?length($.a)==7]",
    "$..[?match(@.a,'z')]",
    "$..[?search(@,'z{2,5}')]",
    "$..[?@<'a' && @>$.a]",
    "$..[?(@.*.*.* || !@..z) && @.z]",
    "$..[?@[?@..z]]",
];

const WAYS: [&str; 4] = ["--count", "--paths", "--pointers --order document", "--offsets"];

/// Options of `diff`.
const DIFFS: [&str; 8] = [
    "diff",
    "diff --array position --format merge",
    "diff --format jd",
    "diff --lines",
    "diff --array set",
    "diff --array key=/id --tolerance 0.5",
    "diff -U 2 --tolerance 0.5",
    "diff --ignore $..z --format patch",
];

/// Commands with a schema, which stands for [`SCHEMA`].
const VALIDATED: [&str; 3] = ["validate --schema SCHEMA", "minify --schema SCHEMA", "validate --check-schema"];

/// Keywords that look at all values, at pairs of them, and at keys.
const SCHEMA: &str = r##"{
    "items": {"type": ["number", "string", "array", "object"], "maximum": 1e9, "pattern": "^(?!x)"},
    "uniqueItems": true,
    "propertyNames": {"maxLength": 40},
    "properties": {"a": {"$ref": "#"}, "b": {"const": [2]}},
    "additionalProperties": {"enum": [0, 1]},
    "anyOf": [{"type": "array"}, {"type": "object", "unevaluatedProperties": {"minimum": 0}}, {"type": "number"}]
}"##;

/// A measurement: arguments, and the shape of the text.
struct Case {
    arguments: Vec<String>,
    shape: Shape,
    size: usize,
    is_piped: bool,
    /// The first of two inputs.
    other: Option<fn(usize) -> String>,
}

fn record(id: usize) -> String {
    format!("{{\"id\":{id},\"n\":[1]}}\n")
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |line: &str, (name, make): Shape, size: usize, is_piped: bool| {
        let has_records = hostile::RECORDS.iter().any(|(record, _)| *record == name);
        let framing = (has_records && !line.contains("--stream")).then_some("--lines");
        let arguments = line.split(' ').chain(framing).map(str::to_owned).collect();
        cases.push(Case { arguments, shape: (name, make), size, is_piped, other: None });
    };
    for line in WHOLE {
        for shape in hostile::LONG_TOKENS {
            add(line, shape, LONG, shape.0.len() % 2 == 0);
            if line.contains("ijson") {
                add(line, shape, LONG, shape.0.len() % 2 == 1);
            }
        }
        // Deflate compares more once its window is full, and half a megabyte without a comma is read again.
        let size = if line.starts_with("gzip") { 4 * LONG } else { SHORT };
        for shape in hostile::WIDE.into_iter().chain(hostile::RECORDS) {
            add(line, shape, size, shape.0.len() % 2 == 0);
        }
        // An output of `jq` has at most 10,000 levels. So no shape has more only if it is twice as long.
        let size = if line.starts_with("jq") { SHORT / 4 } else { size };
        for shape in hostile::DEEP {
            add(line, shape, size, shape.0.len() % 2 == 0);
        }
    }
    for line in VALIDATED {
        for shape in hostile::LONG_TOKENS {
            add(line, shape, LONG, true);
        }
        for shape in hostile::DEEP.into_iter().chain(hostile::WIDE).chain(hostile::RECORDS) {
            add(line, shape, SHORT, false);
        }
    }
    for line in OF_RECORDS {
        for shape in hostile::RECORDS {
            add(line, shape, SHORT, false);
        }
    }
    for line in SHALLOW {
        for shape in hostile::LONG_TOKENS {
            add(line, shape, LONG, true);
        }
        for shape in hostile::WIDE.into_iter().chain(hostile::RECORDS) {
            add(line, shape, SHORT, false);
        }
    }
    for (number, expression) in EXPRESSIONS.into_iter().enumerate() {
        for (place, shape) in hostile::DEEP.into_iter().chain(hostile::WIDE).chain(hostile::RECORDS).enumerate() {
            // Each expression with each shape, and each way to print with each expression and with each shape.
            let way = WAYS[(number + place) % WAYS.len()];
            let mut line = format!("query {way}");
            line = format!("{line} {}", expression.replace(' ', ""));
            add(&line, shape, SHORT, false);
        }
    }
    for line in ["patch", "merge"] {
        for (name, changes, document) in hostile::CHANGES {
            let shape = (name, document);
            let arguments = vec![line.to_owned()];
            let other = Some(if line == "merge" { document } else { changes });
            cases.push(Case { arguments, shape, size: SHORT, is_piped: false, other });
        }
    }
    for line in DIFFS {
        for (name, old, new) in hostile::PAIRS {
            let arguments = line.split(' ').map(str::to_owned).collect();
            // The number of moved blocks grows with the text, from four. In deep documents, each line of context has a long path.
            let size = if name.starts_with("deep") { SHORT / 16 } else { 4 * SHORT };
            cases.push(Case { arguments, shape: (name, new), size, is_piped: false, other: Some(old) });
        }
    }
    let arguments = "diff --lines --key /id".split(' ').map(str::to_owned).collect();
    let old = |size| (0..size / 20).map(record).collect();
    let new = |size| (0..size / 20).rev().map(record).collect();
    cases.push(Case { arguments, shape: ("records", new), size: SHORT, is_piped: false, other: Some(old) });
    cases
}

#[test]
#[ignore = "compiles the program once more; `.ci/run growth`"]
fn twice_the_text_takes_twice_the_steps() {
    let program = Program::compile();
    let wanted = env::var("FJSON_GROWTH").unwrap_or_default();
    let cases: Vec<_> = cases()
        .into_iter()
        .filter(|case| format!("{} {}", case.arguments.join(" "), case.shape.0).contains(&wanted))
        .collect();
    let (next, bad) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for worker in 0..thread::available_parallelism().map_or(1, usize::from) {
            let (program, cases, next, bad) = (&program, &cases, &next, &bad);
            scope.spawn(move || {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let growth = program.growth(case, worker);
                    if env::var_os("FJSON_GROWTH_SHOWN").is_some() || growth > MOST {
                        let way = if case.is_piped { "piped" } else { "mapped" };
                        let line = format!("{growth:.2} {} on {} {way}", case.arguments.join(" "), case.shape.0);
                        println!("{line}");
                        if growth > MOST {
                            bad.lock().expect("no panic").push(line);
                        }
                    }
                }
            });
        }
    });
    let bad = bad.into_inner().expect("no panic");
    assert!(bad.is_empty(), "{} of {} grow faster than the text:\n{}", bad.len(), cases.len(), bad.join("\n"));
    assert!(!cases.is_empty(), "nothing is measured");
}

/// Each option is in a line that is measured, or it is listed why not.
#[test]
fn every_option_is_measured() {
    let program = env!("CARGO_BIN_EXE_fjson");
    let help = |words: &[&str]| {
        let output = Command::new(program).args(words).arg("--help").output().expect("the program runs");
        String::from_utf8(output.stdout).expect("text")
    };
    let overview = help(&[]);
    let (_, list) = overview.split_once("Commands:\n").expect("a list of commands");
    let names = list.lines().take_while(|line| !line.trim().is_empty());
    let commands: Vec<_> = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let mut known = OTHER_COMMANDS.map(str::to_owned).to_vec();
    let cases = cases();
    let mut options = Vec::new();
    for command in commands.into_iter().filter(|command| !command.is_empty() && !OTHER_COMMANDS.contains(command)) {
        let lines = cases.iter().filter(|case| case.arguments[0] == command);
        let measured: Vec<_> = lines.flat_map(|case| &case.arguments).map(String::as_str).collect();
        assert!(!measured.is_empty(), "{command} is not measured");
        for line in help(&[command]).lines().map(str::trim).filter(|line| line.starts_with('-')) {
            let words = line.split("  ").next().unwrap_or_default();
            let names: Vec<_> = words.split([',', ' ', '[', '=', '.']).filter(|name| name.starts_with('-')).collect();
            let is_measured = names.iter().any(|name| measured.contains(name));
            options.extend(
                names
                    .last()
                    .filter(|name| name.len() > 2)
                    .map(|name| (command.to_owned(), (*name).to_owned(), is_measured)),
            );
        }
    }
    let unmeasured = || UNMEASURED.iter().flat_map(|(_, options)| *options).copied();
    for (command, option, _) in options.iter().filter(|(.., is_measured)| !is_measured) {
        // An option of several commands does the same in each of them.
        let is_elsewhere = || options.iter().any(|(_, other, is_measured)| other == option && *is_measured);
        let own = format!("{command} {option}");
        let is_listed = unmeasured().any(|listed| listed == own || listed == option);
        assert!(is_listed || is_elsewhere(), "`{own}` is in no line, and it is not listed why not");
        known.push(own);
        known.push(option.clone());
    }
    for listed in unmeasured() {
        assert!(known.iter().any(|option| option == listed), "`{listed}` is no option, or it is measured");
    }
}

/// No line has a mistake.
#[test]
fn every_line_is_accepted() {
    let program = Program::new(env!("CARGO_BIN_EXE_fjson").into());
    let is_thorough = env::var_os("FJSON_THOROUGH").is_some();
    let mut known = BTreeSet::new();
    for case in cases().into_iter().filter(|case| known.insert(case.arguments.clone()) || is_thorough) {
        program.run(&case, 0, 48);
    }
}

/// The program, compiled with counters.
struct Program {
    path: PathBuf,
    folder: tempfile::TempDir,
}

impl Program {
    fn compile() -> Self {
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or(suites::root().join("target"), PathBuf::from).join("growth");
        let done = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--quiet", "--locked", "--package=fjson-cli", "--bin=fjson", "--target-dir"])
            .arg(&target)
            .env("RUSTFLAGS", "-Cinstrument-coverage")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("LLVM_PROFILE_FILE", "/dev/null")
            .current_dir(suites::root())
            .status();
        assert!(done.is_ok_and(|status| status.success()), "the program cannot be compiled with counters");
        Self::new(target.join("debug/fjson"))
    }

    fn new(path: PathBuf) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("schema.json"), SCHEMA).expect("a file");
        Self { path, folder }
    }

    /// The ratio of the steps for twice the text, without those for a tiny text.
    fn growth(&self, case: &Case, worker: usize) -> f64 {
        let steps = |size: usize| self.steps(case, worker, size);
        let [none, once, twice] = [steps(48), steps(case.size), steps(2 * case.size)];
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let [once, twice] = [once, twice].map(|steps| steps.saturating_sub(none) as f64);
        // A few thousand steps are those of a command that ends at once.
        twice / once.max(50_000.0)
    }

    fn steps(&self, case: &Case, worker: usize, size: usize) -> u64 {
        sum(&self.run(case, worker, size))
    }

    /// Returns the file with the counters.
    fn run(&self, case: &Case, worker: usize, size: usize) -> PathBuf {
        let text = (case.shape.1)(size);
        let [input, counters, other] =
            ["input", "counters", "other"].map(|name| self.folder.path().join(format!("{name}{worker}")));
        let mut command = Command::new(&self.path);
        let schema = self.folder.path().join("schema.json");
        for word in &case.arguments {
            if word == "SCHEMA" {
                command.arg(&schema)
            } else {
                command.arg(word)
            };
        }
        command.args(["--threads", "1"]).env("LLVM_PROFILE_FILE", &counters);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(make) = case.other {
            fs::write(&other, make(size)).expect("a file");
            command.arg(&other);
        }
        let status = if case.is_piped {
            let mut child = command.arg("-").stdin(Stdio::piped()).spawn().expect("the program runs");
            let mut pipe = child.stdin.take().expect("a pipe");
            // An error may end the reading.
            _ = pipe.write_all(text.as_bytes());
            drop(pipe);
            child.wait()
        } else {
            fs::write(&input, &text).expect("a file");
            command.arg(&input).status()
        };
        let status = status.expect("the program runs");
        let code = status.code();
        // With `jq`, an invalid document is status 2, and an output that is too deep is status 5.
        let most = if case.arguments[0] == "jq" { 5 } else { 1 };
        let is_expected = code.is_some_and(|code| code <= most);
        assert!(is_expected, "{status} of {} on {}", case.arguments.join(" "), case.shape.0);
        counters
    }
}

/// The sum of all counters in a raw LLVM profile: a header of words, then sections, one of which has the counters.
fn sum(path: &Path) -> u64 {
    let file = fs::read(path).expect("the counters are written when the program ends");
    fs::remove_file(path).expect("a file");
    let word = |index: usize| u64::from_le_bytes(file[8 * index..8 * index + 8].try_into().expect("eight bytes"));
    let size = |index: usize| usize::try_from(word(index)).expect("a size");
    assert_eq!(word(0).to_be_bytes(), *b"\xfflprofr\x81", "not a raw profile of 64 bits");
    // Version 10 of the format: sizes of the identifiers, the function records, padding, the counters.
    assert_eq!(word(1) & 0xff, 10, "another version of raw profiles: see `InstrProfData.inc` of LLVM");
    let (header, record) = (16 * 8, 64);
    let start = header + size(2) + record * size(3) + size(4);
    let counters = &file[start..start + 8 * size(5)];
    counters.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))).sum()
}
