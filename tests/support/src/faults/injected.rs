//! System calls that fail: the first of a kind, the second, and so on until a run is undisturbed.
//!
//! `strace` makes them fail. Calls before `main` belong to the loader and the runtime; the program's first call shows
//! where these end.

use std::fs;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use crate::faults::Ending;
use crate::faults::Outcome;
use crate::faults::Program;
use crate::faults::contents::Content;
use crate::faults::contents::Contents;
use crate::faults::contents::Form;
use crate::faults::unless_failed;

/// Command lines that read, check, write, and replace files.
const LINES: [(&str, Form, usize); 15] = [
    ("minify -o out --threads 1 victim.json", Form::Plain, 100_000),
    ("minify -o out --threads 2 victim.json", Form::Gzip, 3_000_000),
    ("pretty -i --threads 1 victim.json", Form::Plain, 100_000),
    ("gzip -o out --threads 2 victim.json", Form::Plain, 300_000),
    ("gzip --threads 2 victim.json second.json", Form::Plain, 100_000),
    ("query -q --threads 1 --lines --skip-bad --allow-empty --bad-records out $ victim.json", Form::Plain, 100_000),
    ("query --threads 1 --paths $..a victim.json", Form::Plain, 100_000),
    ("query --threads 2 --no-mmap $..a victim.json", Form::Plain, 1_500_000),
    ("validate --threads 2 victim.json", Form::Plain, 3_000_000),
    ("validate --threads 1 --schema ../schema.json victim.json", Form::Plain, 100_000),
    ("minify --threads 1 --schema ../schema.json -o out victim.json", Form::Plain, 100_000),
    ("validate --threads 1 --no-mmap --unique-keys victim.json victim.json", Form::Zstd, 100_000),
    ("jq --threads 1 -i . victim.json", Form::Plain, 100_000),
    ("jq --threads 2 -c -o out .[] victim.json", Form::Gzip, 300_000),
    ("jq --threads 1 -n [inputs]|length victim.json victim.json", Form::Plain, 100_000),
];

/// System calls, and the errors they may return. (`brk` has none: it returns the end of the heap, and no library expects more.)
const CALLS: [(&str, &[&str]); 15] = [
    ("read,pread64", &["EIO", "EINTR"]),
    ("write", &["ENOSPC", "EIO", "EINTR"]),
    ("openat", &["EMFILE", "EACCES"]),
    ("mmap", &["ENOMEM"]),
    ("fstat,newfstatat,statx", &["EIO"]),
    ("fsync", &["EIO"]),
    ("rename,renameat,renameat2", &["EACCES"]),
    ("ftruncate", &["EIO"]),
    ("linkat", &["EPERM"]),
    ("close", &["EIO"]),
    ("lseek", &["EIO"]),
    ("madvise", &["EINVAL"]),
    ("fchmod,fchown", &["EPERM"]),
    ("fcntl", &["EMFILE"]),
    ("clone3,clone", &["EAGAIN"]),
];

/// More than the number of calls of any kind in a run.
const MOST: u32 = 3000;

/// The program's first call in `main`, with which it handles the signal of the file size limit.
const FIRST: &str = "rt_sigaction(SIGXFSZ";

/// Whether system calls can be made to fail here.
#[must_use]
pub fn is_possible() -> bool {
    let mut command = Command::new("strace");
    command.args(["-f", "-o", "/dev/null", "-e", "trace=none", "true"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Makes system calls fail, each `step`th of a kind, and returns the number of runs.
///
/// # Errors
/// If the program did not end as it should.
///
/// # Panics
/// If files cannot be made, or `strace` does not work as expected.
pub fn all(program: &Program, step: u32) -> Result<u32, String> {
    let mut contents = Contents::default();
    let (mut runs, mut failures) = (0, Vec::new());
    for (line, form, size) in LINES {
        let text = contents.get(Content::Wide, form, size);
        let (undisturbed, _, products) = run(program, line, text, None);
        assert_eq!(undisturbed.ending, Ending::Status(0), "{line}: {}", undisturbed.words());
        let log = fs::read_to_string(program.spare("log")).expect("strace writes a log");
        assert!(log.contains(FIRST), "{line}: the first call is not {FIRST}…");
        for (call, errors) in CALLS {
            for error in errors {
                for when in (1..MOST).step_by(step as usize) {
                    let (outcome, fault, files) = run(program, line, text, Some((call, error, when)));
                    runs += 1;
                    match fault {
                        Fault::None => break,
                        Fault::BeforeMain => continue,
                        Fault::InMain => {}
                    }
                    let outcome = judge(&outcome, &undisturbed, &files, &products, text);
                    failures.extend(outcome.err().map(|failure| format!("{line}: {call} {when} {error}: {failure}")));
                }
            }
        }
    }
    unless_failed(runs, &failures)
}

/// Whether a call failed, and which.
enum Fault {
    None,
    BeforeMain,
    InMain,
}

type Files = Vec<(String, Vec<u8>)>;

/// Runs the line in a directory with the text in it, and perhaps an old output; returns the files there afterwards.
fn run(program: &Program, line: &str, text: &[u8], fault: Option<(&str, &str, u32)>) -> (Outcome, Fault, Files) {
    program.clear();
    fs::write(program.file("victim.json"), text).expect("the file is written");
    if line.contains("second.json") {
        fs::write(program.file("second.json"), text).expect("the file is written");
    }
    if line.contains("-o out") && !line.starts_with("gzip") {
        fs::write(program.file("out"), "old").expect("the file is written");
    }
    let log = program.spare("log");
    let log = log.to_str().expect("a plain path");
    let (trace, inject) = match fault {
        None => (String::from("trace=rt_sigaction"), String::new()),
        Some((call, error, when)) => {
            (format!("trace=rt_sigaction,{call}"), format!("--inject={call}:error={error}:when={when}"))
        }
    };
    let mut before = vec!["strace", "-f", "-o", log, "-e", &*trace];
    before.extend(Some(&*inject).filter(|inject| !inject.is_empty()));
    let words: Vec<_> = line.split_whitespace().collect();
    let outcome = program.run(program.behind(&before, &words), Duration::from_secs(3));
    let log = fs::read_to_string(log).expect("strace writes a log");
    let fault = match (log.find("(INJECTED)"), log.find(FIRST)) {
        (None, _) => Fault::None,
        (Some(fault), Some(first)) if fault > first => Fault::InMain,
        _ => Fault::BeforeMain,
    };
    let read = |name: String| (fs::read(program.file(&name)).expect("the file is there"), name);
    let files = program.names().into_iter().map(read).map(|(content, name)| (name, content)).collect();
    (outcome, fault, files)
}

fn judge(outcome: &Outcome, undisturbed: &Outcome, files: &Files, products: &Files, text: &[u8]) -> Result<(), String> {
    outcome.is_orderly()?;
    let is_old = |(name, content): &(String, Vec<u8>)| match &**name {
        "victim.json" | "second.json" => content == text,
        "out" => content == b"old",
        _ => false,
    };
    let are_whole = files.iter().all(|file| is_old(file) || products.contains(file));
    if outcome.ending == Ending::Status(2) {
        // If a call after the last step fails, such as the sync of the directory, there may be an error and a complete file.
        return if are_whole { Ok(()) } else { Err(format!("left {:?}", sizes(files))) };
    }
    if outcome.says(undisturbed) && files == products {
        return Ok(());
    }
    Err(format!("{:?}, left {:?}: {}", outcome.ending, sizes(files), outcome.words()))
}

fn sizes(files: &Files) -> Vec<(&String, usize)> {
    files.iter().map(|(name, content)| (name, content.len())).collect()
}
