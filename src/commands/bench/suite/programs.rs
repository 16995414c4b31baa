//! jq's own tests: the outputs of programs, and the messages about programs that do not compile.

#![forbid(unsafe_code)]

use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::exit::RunError;
use crate::name::Name;
use fjson_jq::Directories;
use fjson_jq::Filter;
use fjson_jq::Host;
use fjson_jq::Limits;
use fjson_jq::Modules;
use fjson_jq::value::Value;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;

/// The files of tests, and the number of tests in each as they were published.
const FILES: [(&str, usize); 7] = [
    ("jq.test", 550),
    ("man.test", 231),
    ("onig.test", 47),
    ("manonig.test", 19),
    ("uri.test", 20),
    ("base64.test", 10),
    ("optional.test", 2),
];

/// Bytes of stack: some programs and documents are nested 10,000 levels deep. The rest is for what is not nested.
const STACK: usize = 512 << 20;
const NESTED: usize = STACK - (32 << 20);

/// Runs the tests in a directory.
pub fn run(place: &Path) -> Result<Vec<Category>, RunError> {
    let mut categories = Vec::new();
    for (name, published) in FILES {
        let path = place.join(name);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|error| RunError::io(Name::Path(path.clone()), &error))?,
        };
        let work = || cases(&text, &place.join("modules"));
        let cases = thread::scope(|scope| {
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
            worker.join().map_err(|_| std::io::Error::other("a test panics"))
        });
        let cases = cases.map_err(|error| RunError::io(Name::Path(path), &error))?;
        categories.push(Category { name, expected: "outputs", cases, not_run: None, published });
    }
    Ok(categories)
}

/// Runs the tests of a file. Blank lines and comments separate them. A test is a program, its input and its outputs, each on a line;
/// or `%%FAIL`, a program, and the message, which need not be compared if the first line says so.
fn cases(text: &str, modules: &Path) -> Vec<Case> {
    let is_between = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let mut lines = (1..).zip(text.lines()).peekable();
    let mut cases = Vec::new();
    while let Some((number, line)) = lines.next() {
        if is_between(&line) {
            continue;
        }
        let fails = line.starts_with("%%FAIL");
        let mut next = || lines.next().map_or("", |(_, line)| line);
        let (program, input) = if fails { (next(), "") } else { (line, next()) };
        let mut rest = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !is_between(line)) {
            rest.push(line);
        }
        let result = match fails {
            true if line.contains("IGNORE MSG") => fails_to_compile(program, modules, None),
            true => fails_to_compile(program, modules, Some(&rest.join("\n"))),
            false => outputs(program, input, &rest, modules),
        };
        cases.push(Case { name: format!("line {number}"), accepted: result.is_ok(), failure: result.err() });
    }
    cases
}

fn compile(program: &str, modules: &mut Directories) -> Result<Filter, String> {
    Filter::builder().modules(modules).compile(program).map_err(|error| format!("jq: error: {error}"))
}

fn fails_to_compile(program: &str, modules: &Path, message: Option<&str>) -> Result<(), String> {
    match (compile(program, &mut Directories::new([modules])), message) {
        (Ok(_), _) => Err("compiles, but it must not".to_owned()),
        (Err(found), Some(message)) if found != message => Err(format!("the message is {found:?}, not {message:?}")),
        _ => Ok(()),
    }
}

fn outputs(program: &str, input: &str, expected: &[&str], modules: &Path) -> Result<(), String> {
    let read = |text: &str| Value::from_json(text).map_err(|error| error.to_string());
    let mut directories = Directories::new([modules]);
    let filter = compile(program, &mut directories)?;
    let mut machine = filter.machine_with(Surroundings(directories));
    machine.set_limits(Limits::default().stack(NESTED));
    let mut found = Vec::new();
    // An error ends the outputs. Tests do not say whether there is one.
    let end = machine.run(read(input)?, &mut |output| {
        found.push(output.to_string());
        ControlFlow::Continue(())
    });
    let end = end.err().map_or_else(String::new, |error| format!(", then {error}"));
    let is_right = found.len() == expected.len()
        && found.iter().zip(expected).all(
            |(found, expected)| matches!((read(found), read(expected)), (Ok(found), Ok(expected)) if found == expected),
        );
    if is_right { Ok(()) } else { Err(format!("outputs {}{end}, not {}", found.join(" "), expected.join(" "))) }
}

/// What the tests expect to be around them.
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
