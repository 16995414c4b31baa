//! jq's own tests: programs, inputs and outputs, and programs that do not compile with jq's messages.

#![forbid(unsafe_code)]

mod support;

use std::ops::ControlFlow;
use std::path::Path;

use fjson_jq::Directories;
use fjson_jq::Filter;
use fjson_jq::Host;
use fjson_jq::Limits;
use fjson_jq::Modules;
use fjson_jq::value::Value;
use support::Case;
use support::folder;

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
        for (name, case) in support::cases(&folder) {
            count += 1;
            let (Case::Runs { line, program, .. } | Case::Fails { line, program, .. }) = &case;
            if let Err(failure) = check(&case, &folder.join("modules")) {
                failures.push(format!("{name}:{line}: {program}\n    {failure}"));
            }
        }
        assert!(failures.is_empty(), "{} of {count} fail\n{}", failures.len(), failures.join("\n"));
        assert!(count >= 800, "only {count} cases");
    };
    // Some cases are nested 10,000 levels deep.
    std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap();
}
