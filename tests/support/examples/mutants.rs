//! Tests of the tests: each mutant must make a test fail.
//!
//! Mutants are written beside the lines that they change. `// mutant: TEXT` says that the next line is replaced by `TEXT`, or removed
//! if there is none, and `// mutant (2 lines): TEXT` replaces two lines. They stand for what a published suite misses half of: rules
//! whose removal makes a package accept invalid documents, refuse valid ones, write wrong output, or read valid documents in a slower
//! way than the one that is meant for them. What was marked moves with its code.
//!
//! The package is compiled once per mutant: first only for the unit tests of the module and the quickest others, without optimization;
//! for the mutants that these do not catch, for more tests and more random documents, and then thoroughly for all of them:
//!
//! ```text
//! .ci/run mutants
//! FJSON_MUTANTS=nesting .ci/run mutants     only the mutants of files whose path contains `nesting`
//! FJSON_MUTANTS=3/10 .ci/run mutants        only the third of ten parts of the mutants
//! ```

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::ExitCode;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use proof::suites;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process_group;

/// A mutant: a place in the sources, and what stands there instead.
struct Mutant {
    package: &'static Package,
    /// The path of the file, relative to the sources of the package.
    file: String,
    /// How the place of the marker is shown: file, line and replacement.
    shown: String,
    /// The file with the replacement.
    text: String,
}

/// A package whose sources have mutants.
struct Package {
    name: &'static str,
    /// The folder of the sources, from the root of the project.
    sources: &'static str,
    /// Tests that take a few seconds even without optimization.
    quick: &'static [&'static str],
    /// The other tests.
    slow: &'static [&'static str],
}

static PACKAGES: [Package; 3] = [
    Package {
        name: "fjson-engine",
        sources: "crates/engine/src",
        quick: &["--test=guard_page", "--test=paths", "--test=query", "--test=stats", "--test=edit"],
        slow: &["--test=conformance", "--test=depth", "--test=kernels", "--test=large", "--test=scalar"],
    },
    Package {
        name: "fjson-jq",
        sources: "crates/jq/src",
        quick: &[
            "--test=builtins",
            "--test=dates",
            "--test=leading",
            "--test=limits",
            "--test=mistakes",
            "--test=lazy",
        ],
        slow: &["--test=peer", "--test=variables"],
    },
    Package {
        name: "fjson-schema",
        sources: "crates/schema/src",
        quick: &["--test=messages", "--test=numbers", "--test=patterns", "--test=random", "--test=suite"],
        slow: &["--test=infer"],
    },
];

/// What a marker begins with.
const MARKER: &str = "// mutant";

/// What is copied to compile mutants.
const PARTS: [&str; 12] = [
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

/// The unit tests.
const UNITS: &[&str] = &["--lib"];

/// Modules of the engine, and those that are built on them, whose unit tests may catch what their own do not.
const BUILT_ON: [(&str, &[&str]); 3] = [
    ("framing", &["parallel", "scan"]),
    ("grammar", &["index", "parallel", "scan"]),
    ("parallel", &["canonical", "documents", "profile", "sink", "stats"]),
];

fn main() -> ExitCode {
    let mutants = wanted_mutants();
    let copies = thread::available_parallelism().map_or(1, usize::from);
    let mut left: Vec<_> = mutants.iter().collect();
    for effort in [Effort::Quick, Effort::Short, Effort::Thorough] {
        left = not_caught(&left, effort, if effort == Effort::Thorough { 1 } else { copies });
    }
    print(&format!("{} mutants, {} not caught", mutants.len(), left.len()));
    if left.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(line: &str) {
    writeln!(io::stdout(), "{line}").expect("it can be printed");
}

/// Runs the tests of each mutant in one of a few copies, and returns those that no test catches.
fn not_caught<'m>(mutants: &[&'m Mutant], effort: Effort, copies: usize) -> Vec<&'m Mutant> {
    let rest = Mutex::new(mutants.iter());
    let left = Mutex::new(Vec::new());
    let run = |number: usize| {
        let mut copy = WorkingCopy::new(target().join("mutants").join(format!("{effort:?}-{number}")), effort);
        loop {
            let Some(&mutant) = rest.lock().expect("no copy has failed").next() else { break };
            let outcome = copy.test(mutant);
            print(&format!("{}: {}", outcome.name(effort), mutant.shown));
            if outcome == Outcome::Passed {
                left.lock().expect("no copy has failed").push(mutant);
            }
        }
    };
    thread::scope(|scope| {
        for number in 0..copies.min(mutants.len()) {
            scope.spawn(move || run(number));
        }
    });
    left.into_inner().expect("no copy has failed")
}

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Effort {
    /// The unit tests of one module, and of those built on it, and the quickest other tests, with very few random documents, without
    /// optimization and on the portable kernel alone: most mutants are caught by that, and it compiles in a few seconds.
    Quick,
    /// All tests, or for `query` the quick tests and its unit tests, with more random documents, on the portable kernel alone.
    Short,
    Thorough,
}

/// Tests that run together.
struct Tests<'m> {
    package: &'static str,
    /// Arguments of `cargo test`.
    targets: &'static [&'static str],
    /// The modules whose unit tests run; all tests if it is empty.
    modules: Vec<&'m str>,
}

/// A copy of the project.
struct WorkingCopy {
    folder: PathBuf,
    effort: Effort,
    /// How long the tests may take, for each module whose unit tests have run without a mutant.
    limits: HashMap<String, Duration>,
}

impl WorkingCopy {
    fn new(folder: PathBuf, effort: Effort) -> Self {
        for part in PARTS {
            copy_all(&suites::root().join(part), &folder.join(part));
        }
        Self { folder, effort, limits: HashMap::new() }
    }

    /// Runs the tests of a mutant until one fails, and restores the file.
    fn test(&mut self, mutant: &Mutant) -> Outcome {
        let (package, module) = (mutant.package, mutant.file.split(['/', '.']).next().expect("a name"));
        let limit = self.limit(package, module);
        let path = self.folder.join(package.sources).join(&mutant.file);
        let original = fs::read_to_string(&path).expect("a source file");
        fs::write(&path, &mutant.text).expect("the copy can be written");
        let mut outcomes = self.groups(package, module).into_iter().map(|tests| {
            self.build(&tests);
            self.run(&tests, limit)
        });
        let outcome = outcomes.find(|&outcome| outcome != Outcome::Passed).unwrap_or(Outcome::Passed);
        fs::write(&path, original).expect("the copy can be written");
        outcome
    }

    /// Returns the tests for a module, in groups of which each runs only if those before it passed.
    fn groups<'m>(&self, package: &'static Package, module: &'m str) -> Vec<Tests<'m>> {
        let name = package.name;
        let all = |targets| Tests { package: name, targets, modules: Vec::new() };
        let units = |modules: &[&'m str]| Tests { package: name, targets: UNITS, modules: modules.to_vec() };
        let users = BUILT_ON.iter().filter(|(used, _)| *used == module);
        // The unit tests of the module catch most of its mutants, and are compiled in the least time.
        let own_and_quick = [units(&[module]), all(package.quick)].into_iter();
        if self.tests_module_alone(module) {
            own_and_quick.chain(users.map(|(_, users)| units(users))).collect()
        } else {
            own_and_quick.chain([all(package.slow), all(UNITS)]).collect()
        }
    }

    /// Returns whether only the quick tests and the unit tests of `module` and its users run. The slow tests run few queries.
    fn tests_module_alone(&self, module: &str) -> bool {
        match self.effort {
            Effort::Quick => true,
            Effort::Short => module == "query",
            Effort::Thorough => false,
        }
    }

    /// Returns how long a group of tests for `module` may take. The first time, they run without a mutant.
    fn limit(&mut self, package: &'static Package, module: &str) -> Duration {
        let key = format!("{} {}", package.name, if self.tests_module_alone(module) { module } else { "" });
        if let Some(&limit) = self.limits.get(&key) {
            return limit;
        }
        let mut duration = Duration::ZERO;
        for tests in self.groups(package, module) {
            self.build(&tests);
            let start = Instant::now();
            assert_eq!(self.run(&tests, Duration::MAX), Outcome::Passed, "without a mutant");
            duration += start.elapsed();
        }
        let limit = LEAST_LIMIT.max(PATIENCE * duration);
        self.limits.insert(key, limit);
        limit
    }

    /// Compiles `tests`, which must succeed.
    fn build(&self, tests: &Tests) {
        let build = self.cargo(tests).arg("--no-run").output().expect("cargo can be run");
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    }

    /// Runs `tests`, which are compiled, until one fails.
    fn run(&self, tests: &Tests, limit: Duration) -> Outcome {
        let mut command = self.cargo(tests);
        command.arg("--").args(tests.modules.iter().map(|module| format!("{module}::")));
        // A process group, so that ending cargo ends the tests, too.
        command.stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut tests = command.spawn().expect("cargo can be run");
        let output = BufReader::new(tests.stdout.take().expect("a pipe"));
        // The first test that fails decides.
        let (first_failure, until_failure) = mpsc::channel();
        let reader = thread::spawn(move || {
            let failure = output.lines().map_while(Result::ok).find(|line| line.ends_with("FAILED"));
            first_failure.send(failure.is_some()).ok();
        });
        let outcome = match until_failure.recv_timeout(limit) {
            Ok(true) => Outcome::Failed,
            Ok(false) => Outcome::Passed,
            Err(_) => Outcome::TooLong,
        };
        if outcome != Outcome::Passed {
            // It may have ended by itself.
            kill_process_group(Pid::from_child(&tests), Signal::KILL).ok();
        }
        let status = tests.wait().expect("cargo is there");
        reader.join().expect("the output ends");
        if outcome == Outcome::Passed && !status.success() { Outcome::Failed } else { outcome }
    }

    /// Returns the command that compiles the targets of `tests` in the copy, and runs them.
    fn cargo(&self, tests: &Tests) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(["test", "--all-features", "--package", tests.package])
            .args(tests.targets)
            .current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", self.folder.join("target")).env("CARGO_INCREMENTAL", "1");
        // Before the thorough tests, only the portable kernel is compiled.
        let kernels = if self.effort == Effort::Thorough { "" } else { " --cfg portable_only" };
        command.env("FJSON_CORPUS", corpus()).env("RUSTFLAGS", format!("--allow=unused{kernels}"));
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_TEST_DEBUG", "0");
        match self.effort {
            Effort::Quick => {
                command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
                command.env("FJSON_FUZZ_N", "4");
            }
            Effort::Short => {
                command.env("CARGO_PROFILE_TEST_OPT_LEVEL", "1").env("FJSON_FUZZ_SECONDS", "1");
            }
            Effort::Thorough => {
                let seconds = env::var_os("FJSON_FUZZ_SECONDS").unwrap_or_else(|| "10".into());
                command.env("FJSON_FUZZ_SECONDS", seconds).env("FJSON_THOROUGH", "1");
            }
        }
        command
    }
}

/// Returns the mutants that `FJSON_MUTANTS` selects.
fn wanted_mutants() -> Vec<Mutant> {
    let wanted = env::var("FJSON_MUTANTS").unwrap_or_default();
    let part = wanted
        .split_once('/')
        .and_then(|(part, parts)| Some((part.parse::<usize>().ok()?, parts.parse::<usize>().ok()?)));
    let mut mutants = Vec::new();
    for package in &PACKAGES {
        collect(package, &suites::root().join(package.sources), "", &mut mutants);
    }
    if let Some((part, parts)) = part {
        // Neighbors are in different parts.
        return mutants.into_iter().skip(part - 1).step_by(parts).collect();
    }
    let path = |mutant: &Mutant| format!("{}/{}", mutant.package.sources, mutant.file);
    mutants.into_iter().filter(|mutant| path(mutant).contains(&wanted)).collect()
}

/// Finds the markers in a folder, in the order of the names of the files.
fn collect(package: &'static Package, folder: &Path, prefix: &str, mutants: &mut Vec<Mutant>) {
    let entries = fs::read_dir(folder).expect("a folder of the sources");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let file = format!("{prefix}{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            collect(package, &path, &format!("{file}/"), mutants);
        } else if path.extension() == Some(OsStr::new("rs")) {
            mutants_of(package, &file, &fs::read_to_string(&path).expect("a source file"), mutants);
        }
    }
}

/// Finds the markers in a file: `// mutant: TEXT` or `// mutant (2 lines): TEXT`.
fn mutants_of(package: &'static Package, file: &str, text: &str, mutants: &mut Vec<Mutant>) {
    let lines: Vec<_> = text.lines().collect();
    let marker = |line: &'_ str| line.trim_start().strip_prefix(MARKER).map(str::to_owned);
    for (number, line) in lines.iter().enumerate() {
        let Some(rest) = marker(line) else { continue };
        let (count, replacement) = rest.split_once(':').unwrap_or_else(|| panic!("{file}:{}: no colon", number + 1));
        let digits: String = count.chars().filter(char::is_ascii_digit).collect();
        let count = digits.parse().unwrap_or(1);
        // Several markers may stand before a line.
        let first = number + lines[number..].iter().take_while(|line| marker(line).is_some()).count();
        let mutated = [&lines[..first], &[replacement.trim_start()], &lines[first + count..]].concat();
        mutants.push(Mutant {
            package,
            file: file.to_owned(),
            shown: format!("{}/{file}:{}: {}", package.sources, first + 1, replacement.trim_start()),
            text: mutated.join("\n"),
        });
    }
}

/// Returns the folder of the copies.
fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| suites::root().join("target"), PathBuf::from)
}

/// If the tests take this many times as long as before, they count as failed: a mutant may never end.
const PATIENCE: u32 = 3;
/// They may take at least this long.
const LEAST_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, PartialEq, Debug)]
enum Outcome {
    Passed,
    Failed,
    TooLong,
}

impl Outcome {
    fn name(self, effort: Effort) -> &'static str {
        match self {
            Self::Failed => "caught",
            Self::TooLong => "caught, as the tests did not end",
            Self::Passed if effort == Effort::Thorough => "NOT CAUGHT",
            Self::Passed => "not caught yet",
        }
    }
}

/// The folder of the suites, as the tests outside of the copy find it.
fn corpus() -> PathBuf {
    let folders = ["corpus/data", "../shared/corpus"].map(|folder| suites::root().join(folder));
    let found = folders.into_iter().find(|folder| folder.is_dir()).unwrap_or_default();
    env::var_os("FJSON_CORPUS").map_or(found, PathBuf::from)
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
