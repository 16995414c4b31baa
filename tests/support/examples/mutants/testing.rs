//! Runs the tests of mutants.

#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::env;
use std::io::BufRead;
use std::io::BufReader;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
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
use serde_json::Value;

use crate::PACKAGES;
use crate::Package;
use crate::copy;
use crate::print;
use crate::selection::Mutant;

/// Modules of the engine, and those that are built on them, whose unit tests may catch what their own do not.
const BUILT_ON: [(&str, &[&str]); 3] = [
    ("framing", &["parallel", "scan"]),
    ("grammar", &["index", "parallel", "scan"]),
    ("parallel", &["canonical", "documents", "profile", "sink", "stats"]),
];

/// Modules of the engine, and the modules of the test program `kernels` that are about them.
const COMPARED: [(&str, &[&str]); 13] = [
    ("canonical", &["canonical"]),
    ("framing", &["prefixed", "ranges", "sequences", "threads"]),
    ("grammar", &["random", "sequences", "short", "tails", "threads", "words"]),
    ("index", &["cuts", "sequences", "tails"]),
    ("input", &["commented", "limits"]),
    ("kernel", &["short", "tails", "words"]),
    ("parallel", &["cuts", "limits", "threads"]),
    ("pretty", &["cuts", "layouts", "random"]),
    ("profile", &["canonical", "profiles"]),
    ("range", &["ranges"]),
    ("scan", &["cuts", "limits", "random", "sequences", "tails"]),
    ("sink", &["canonical", "commented", "escaped", "fitted", "sorted"]),
    ("writer", &["fitted", "layouts", "sorted"]),
];

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// The unit tests of one module, and the quickest other tests, with very few random documents: most mutants are caught by that.
    Quick,
    /// The unit tests of the module and of those built on it, and the tests of `kernels` about it.
    Related,
    /// All tests, as `cargo test` runs them.
    Thorough,
}

/// A test program, and which of its tests run.
struct Tests<'t> {
    program: &'t TestProgram,
    /// The modules whose unit tests run; all tests if it is empty.
    modules: Vec<&'t str>,
}

struct TestProgram {
    package: &'static Package,
    /// `lib` for the unit tests.
    name: String,
    path: PathBuf,
}

/// The test programs with all mutants that compile.
pub struct TestPrograms {
    programs: Vec<TestProgram>,
    not_compiled: BTreeSet<usize>,
    /// How long tests may take that have run without a mutant.
    limits: Mutex<HashMap<String, Duration>>,
}

impl TestPrograms {
    /// Compiles the tests in a copy of the project.
    pub fn build(mutants: &[Mutant]) -> Self {
        let (built, not_compiled) = copy::build(mutants);
        let programs: Vec<_> = built.iter().filter_map(TestProgram::of).collect();
        assert!(!programs.is_empty(), "the tests compile");
        Self { programs, not_compiled, limits: Mutex::default() }
    }

    pub fn has(&self, mutant: &Mutant) -> bool {
        !self.not_compiled.contains(&mutant.number)
    }

    /// Runs the tests of several mutants at once, and returns those that no test catches.
    pub fn not_caught<'m>(&self, mutants: &[&'m Mutant], effort: Effort) -> Vec<&'m Mutant> {
        let rest = Mutex::new(mutants.iter());
        let left = Mutex::new(Vec::new());
        let run = || {
            loop {
                let Some(&mutant) = rest.lock().expect("no thread has failed").next() else { break };
                let outcome = self.test(mutant, effort);
                print(&format!("{}: {}", outcome.name(effort), mutant.shown));
                if outcome == Outcome::Passed {
                    left.lock().expect("no thread has failed").push(mutant);
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(run))));
        left.into_inner().expect("no thread has failed")
    }

    /// Runs the tests of a mutant until one fails.
    fn test(&self, mutant: &Mutant, effort: Effort) -> Outcome {
        let module = mutant.file.split(['/', '.']).next().expect("a name");
        let mut outcomes = self.tests(mutant.package, module, effort).into_iter().map(|tests| {
            let limit = self.limit(&tests, effort);
            tests.run(Some(mutant), effort, limit)
        });
        outcomes.find(|&outcome| outcome != Outcome::Passed).unwrap_or(Outcome::Passed)
    }

    /// Returns the tests for a module, those first that catch most mutants in the least time.
    fn tests<'t>(&'t self, package: &'static Package, module: &'t str, effort: Effort) -> Vec<Tests<'t>> {
        let programs = self.programs.iter().filter(|program| program.package.name == package.name);
        let some_of = |name: &str, modules: &[&'t str]| {
            let program = programs.clone().find(|program| program.name == name).expect("a test program");
            Tests { program, modules: modules.to_vec() }
        };
        let all = |program| Tests { program, modules: Vec::new() };
        let units = some_of("lib", &[module]);
        match effort {
            Effort::Quick => {
                let is_quick = |program: &&TestProgram| package.quick.contains(&program.name.as_str());
                [units].into_iter().chain(programs.filter(is_quick).map(all)).collect()
            }
            Effort::Related => {
                let of_module = |name, table: &[(&str, &'static [&'static str])]| {
                    let modules = table.iter().find(|(tested, _)| *tested == module && package.name == "fjson-engine");
                    modules.map(|(_, modules)| some_of(name, modules))
                };
                let others = [of_module("lib", &BUILT_ON), of_module("kernels", &COMPARED)];
                [units].into_iter().chain(others.into_iter().flatten()).collect()
            }
            Effort::Thorough => programs.map(all).collect(),
        }
    }

    /// Returns how long tests may take. The first time, they run without a mutant.
    fn limit(&self, tests: &Tests<'_>, effort: Effort) -> Duration {
        let key = format!("{effort:?} {} {} {:?}", tests.program.package.name, tests.program.name, tests.modules);
        let mut limits = self.limits.lock().expect("no thread has failed");
        *limits.entry(key).or_insert_with_key(|key| {
            let start = Instant::now();
            assert_eq!(tests.run(None, effort, Duration::MAX), Outcome::Passed, "without a mutant: {key}");
            LEAST_LIMIT.max(PATIENCE * start.elapsed())
        })
    }
}

impl TestProgram {
    /// Returns the program that a message of cargo names.
    fn of(message: &Value) -> Option<Self> {
        let path = message["executable"].as_str()?.into();
        let (target, package) = (&message["target"], message["package_id"].as_str()?);
        let package = PACKAGES.iter().find(|known| package.contains(known.folder))?;
        let is_library = target["kind"][0] == "lib";
        let name = if is_library { "lib" } else { target["name"].as_str()? };
        Some(Self { package, name: name.to_owned(), path })
    }
}

impl Tests<'_> {
    /// Runs the tests until one fails.
    fn run(&self, mutant: Option<&Mutant>, effort: Effort, limit: Duration) -> Outcome {
        let mut command = Command::new("sh");
        // Mutants may fill the memory.
        command.args(["-c", "ulimit -v 16777216; exec \"$@\"", "sh"]).arg(&self.program.path);
        command.args(self.modules.iter().map(|module| format!("{module}::")));
        command.current_dir(copy::folder().join(self.program.package.folder));
        command.env("FJSON_CORPUS", corpus()).env("RUST_TEST_THREADS", "1").env("RUST_BACKTRACE", "0");
        command.env("FJSON_MUTANT", mutant.map_or(0, |mutant| mutant.number).to_string());
        if effort == Effort::Quick {
            command.env("FJSON_FUZZ_N", "4");
        }
        // A process group, so that programs that a test starts are ended, too.
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut tests = command.spawn().expect("tests can be run");
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
        let status = tests.wait().expect("the tests are there");
        reader.join().expect("the output ends");
        if outcome == Outcome::Passed && !status.success() { Outcome::Failed } else { outcome }
    }
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
