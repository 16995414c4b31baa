//! jq's own tests: programs, inputs and outputs, and programs that do not compile with jq's messages.
//!
//! The files are part of jq's sources and are not part of this repository. They are searched in `$FJSON_CORPUS`, `corpus/data` and
//! `../shared/corpus`, in the folder `jq`.

#![forbid(unsafe_code)]

use std::env;
use std::fs;
use std::io;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::path::PathBuf;

use fjson_jq::Directories;
use fjson_jq::Filter;
use fjson_jq::Host;
use fjson_jq::Limits;
use fjson_jq::Modules;
use fjson_jq::value::Value;

/// A case of a test file.
enum Case {
    /// A program, its input, and its outputs.
    Runs { line: usize, program: String, input: String, outputs: Vec<String> },
    /// A program that does not compile, and the message if it is tested.
    Fails { line: usize, program: String, message: Option<String> },
}

/// The surroundings that jq's tests expect.
struct Surroundings(Directories);

impl Host for Surroundings {
    fn environment(&mut self) -> Vec<(String, String)> {
        vec![("PAGER".to_owned(), "less".to_owned())]
    }

    fn modules(&mut self) -> Option<&mut dyn Modules> {
        Some(&mut self.0)
    }

    fn time_zone(&mut self) -> Option<String> {
        Some("UTC".to_owned())
    }
}

/// The folder with jq's tests.
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = env::var_os("FJSON_CORPUS").map(PathBuf::from);
    let folders = named.into_iter().chain(["corpus/data", "../shared/corpus"].map(|folder| root.join(folder)));
    let found = folders.map(|folder| folder.join("jq")).find(|folder| folder.is_dir());
    if found.is_none() {
        let required = env::var("FJSON_REQUIRE_SUITES").unwrap_or_default();
        let required = required == "all" || required.split([' ', ',']).any(|required| required == "jq");
        assert!(!required, "jq's tests are not there; corpus/README.md says where to get them");
        // Not `eprintln`, whose output is hidden if the test passes.
        let _ =
            writeln!(io::stderr(), "\nNOT TESTED: jq's tests are not there; corpus/README.md says where to get them\n");
    }
    found
}

fn is_skipped(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn cases(text: &str) -> Vec<Case> {
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

/// A value as jq's tester sees it: written and read again.
fn read(text: &str) -> Result<Value, String> {
    Value::from_json(text).map_err(|error| format!("{text:?}: {error}"))
}

fn compile(program: &str, modules: &mut Directories) -> Result<Filter, String> {
    Filter::builder().modules(modules).compile(program).map_err(|error| format!("jq: error: {error}"))
}

fn check(case: &Case, modules: &Path) -> Result<(), String> {
    let mut directories = Directories::new([modules]);
    match case {
        Case::Fails { program, message, .. } => match (compile(program, &mut directories), message) {
            (Ok(_), _) => Err("it compiles".to_owned()),
            (Err(found), Some(message)) if found != *message => {
                Err(format!("the message is\n{found}\ninstead of\n{message}"))
            }
            _ => Ok(()),
        },
        Case::Runs { program, input, outputs, .. } => {
            let filter = compile(program, &mut directories)?;
            let mut machine = filter.machine_with(Surroundings(directories));
            // More than the default, since builds for tests use more of the stack.
            machine.set_limits(Limits::default().stack(200 << 20));
            let mut found = Vec::new();
            let end = machine.run(read(input)?, &mut |output| {
                found.push(output.to_string());
                ControlFlow::Continue(())
            });
            let end = end.err().map_or_else(String::new, |error| format!(", then {error}"));
            let equal = found.len() == outputs.len()
                && found.iter().zip(outputs).all(|(found, expected)| match (read(found), read(expected)) {
                    (Ok(found), Ok(expected)) => found == expected,
                    _ => false,
                });
            if equal { Ok(()) } else { Err(format!("the outputs are {found:?}{end} instead of {outputs:?}")) }
        }
    }
}

#[test]
fn jq_s_own_tests() {
    let Some(folder) = folder() else { return };
    let run = move || {
        let mut failures = Vec::new();
        let mut count = 0;
        let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "test")) {
            for case in cases(&fs::read_to_string(file).unwrap()) {
                count += 1;
                let (Case::Runs { line, program, .. } | Case::Fails { line, program, .. }) = &case;
                if let Err(failure) = check(&case, &folder.join("modules")) {
                    let name = file.file_name().unwrap().display();
                    failures.push(format!("{name}:{line}: {program}\n    {failure}"));
                }
            }
        }
        assert!(failures.is_empty(), "{} of {count} fail\n{}", failures.len(), failures.join("\n"));
        assert!(count >= 800, "only {count} cases");
    };
    // Some cases are nested 10,000 levels deep.
    std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap();
}
