//! Outputs that are full, closed, slow, or not read.

use std::fs;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::faults::Ending;
use crate::faults::Outcome;
use crate::faults::Program;
use crate::faults::contents::Content;
use crate::faults::contents::Contents;
use crate::faults::contents::Form;
use crate::faults::lines::Effect;
use crate::faults::lines::LINES;
use crate::faults::lines::Line;
use crate::faults::unless_failed;

/// More than a pipe holds.
const SIZE: usize = 1_500_000;

/// The maximum size of a pipe.
const PIPE: usize = 1 << 20;

const UNDISTURBED: Duration = Duration::from_secs(3);

/// Runs every line that prints with each kind of failing output, and returns the number of runs.
///
/// # Errors
/// If the program did not end as it should.
///
/// # Panics
/// If files cannot be made.
pub fn all(program: &Program) -> Result<u32, String> {
    let mut contents = Contents::default();
    let (mut runs, mut failures) = (0, Vec::new());
    for line in LINES.iter().filter(|line| line.effect == Effect::Prints) {
        program.clear();
        let text = contents.get(line.contents[0], Form::Plain, SIZE);
        fs::write(program.file("victim.json"), text).expect("the file is written");
        let undisturbed = program.run(command(program, line, &[]), UNDISTURBED);
        let is_silent = undisturbed.stdout.is_empty();
        let mut judge = |what: &str, outcome: &Outcome, is_right: bool| {
            runs += 1;
            let is_answer = is_silent && outcome.ending == undisturbed.ending;
            if !is_right && !is_answer {
                let words = outcome.words();
                failures.push(format!("{}, {what}: {:?} with {words}", line.words, outcome.ending));
            }
        };
        for (what, redirection) in [("full", ">/dev/full"), ("closed", ">&-")] {
            let shell = format!("exec \"$@\" {redirection}");
            let outcome = program.run(command(program, line, &["sh", "-c", &shell, "sh"]), UNDISTURBED);
            let is_right = outcome.ending == Ending::Status(2) && !outcome.stderr.is_empty();
            judge(what, &outcome, is_right);
        }
        for length in [0, 1000] {
            let mut running = program.start_into(command(program, line, &[]), Stdio::piped());
            let mut reader = running.reader();
            reader.read_exact(&mut vec![0; length]).ok();
            drop(reader);
            let outcome = running.wait(UNDISTURBED);
            // All of its output may have fit into the pipe.
            let is_right = outcome.ending == Ending::Signal(13)
                || outcome.ending == undisturbed.ending && undisturbed.stdout.len() <= PIPE;
            judge("left by its reader", &outcome, is_right && outcome.stderr.is_empty());
        }
        let (outcome, output) = non_blocking(program, line);
        let is_right = outcome.ending == undisturbed.ending && output == undisturbed.stdout;
        judge("non-blocking", &outcome, is_right);
    }
    unless_failed(runs, &failures)
}

/// Writes to a file system that becomes full before the output is complete; `None` if none can be made here.
///
/// # Errors
/// If the program did not end as it should.
///
/// # Panics
/// If files cannot be made.
#[must_use]
pub fn full_file_system(program: &Program) -> Option<Result<(), String>> {
    program.clear();
    let text = Contents::default().get(Content::Wide, Form::Plain, SIZE).to_vec();
    fs::write(program.file("victim.json"), &text).expect("the file is written");
    fs::create_dir_all(program.spare("full")).expect("a directory");
    let place = program.spare("full");
    let place = place.to_str().expect("a plain path");
    let inside = |rest: &str| format!("mount -t tmpfs -o size=128k none {place} && {rest}");
    let possible = Command::new("unshare").args(["-m", "sh", "-c", &inside("true")]).output();
    if !possible.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let failures: Vec<_> = ["minify -o", "pretty -o", "gzip -1 --keep-space -o", "jq . -o"]
        .into_iter()
        .filter_map(|line| {
            // Reads what is left before the file system is removed.
            let shell = inside(&format!(
                "echo old > {place}/old && {{ \"$@\"; status=$?; ls -A {place} && cat {place}/old && exit $status; }}"
            ));
            let target = format!("{place}/{}", if line.starts_with("gzip") { "new" } else { "old" });
            let mut words: Vec<_> = line.split_whitespace().collect();
            words.extend([&*target, "victim.json"]);
            let before = ["unshare", "-m", "sh", "-c", &shell, "sh"];
            let outcome = program.run(program.behind(&before, &words), UNDISTURBED);
            let is_right = outcome.ending == Ending::Status(2) && outcome.stdout == b"old\nold\n";
            let left = String::from_utf8_lossy(&outcome.stdout).into_owned();
            (!is_right).then(|| format!("{line}: {:?}, left {left}: {}", outcome.ending, outcome.words()))
        })
        .collect();
    Some(if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) })
}

fn command(program: &Program, line: &Line, before: &[&str]) -> Command {
    let mut words = line.words();
    words.push("victim.json");
    program.behind(before, &words)
}

/// Runs the line with a non-blocking output whose reader is slow; returns what was read.
fn non_blocking(program: &Program, line: &Line) -> (Outcome, Vec<u8>) {
    let (mut reader, output) = UnixStream::pair().expect("two sockets");
    output.set_nonblocking(true).expect("it does not block");
    let running = program.start_into(command(program, line, &[]), OwnedFd::from(output));
    let reading = thread::spawn(move || {
        let (mut all, mut piece) = (Vec::new(), vec![0; 50_000]);
        while let Ok(length @ 1..) = reader.read(&mut piece) {
            all.extend_from_slice(&piece[..length]);
            thread::sleep(Duration::from_millis(1));
        }
        all
    });
    let outcome = running.wait(UNDISTURBED);
    (outcome, reading.join().expect("the reader ends"))
}
