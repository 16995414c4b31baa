//! The progress bar, and the line about all inputs at the end.

use crate::place::FJSON;
use crate::place::Place;
use crate::terminal::Screen;
use crate::terminal::drawn;
use crate::terminal::fjson;
use crate::terminal::resize;
use crate::terminal::shown_by;
use crate::terminal::terminal;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process;
use std::fs::File;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// Longer than it takes until the bar is shown.
const A_WHILE: Duration = Duration::from_millis(1500);

fn interrupt(child: &Child) {
    let id = Pid::from_raw(child.id().try_into().expect("an identifier")).expect("not zero");
    kill_process(id, Signal::INT).expect("it runs");
}

/// What a terminal shows on standard error while `line` reads a pipe that pauses: until the bar is there, or if there is none, for a while.
fn shown_while_waiting(line: &str, variables: &[(&str, &str)], has_bar: bool) -> String {
    let place = Place::new();
    let (user, program) = terminal();
    resize(&user, 80);
    let mut screen = Screen::new(user);
    let mut command = fjson(&place, line);
    command.envs(variables.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(program);
    let mut child = command.spawn().expect("it starts");
    drop(command);
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"[1,").expect("the program reads");
    if has_bar {
        screen.wait_for("3 B read");
    } else {
        thread::sleep(A_WHILE);
    }
    input.write_all(b"2]").expect("the program reads");
    drop(input);
    let text = screen.text();
    // `pretty --check` finds that the text is not formatted.
    assert!(child.wait().expect("the program ends").code().is_some_and(|code| code < 2));
    text
}

/// What is left on the line after everything has been drawn.
fn left(text: &str) -> String {
    let (mut line, mut place) = (Vec::new(), 0);
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\x1b' => {
                let sequence: String = rest.by_ref().take_while(|character| !character.is_ascii_alphabetic()).collect();
                // Only erasing changes the line; take_while has consumed the final letter.
                if sequence == "[2" || sequence == "[" {
                    line.clear();
                }
            }
            '\r' => place = 0,
            '\n' => (line, place) = (Vec::new(), 0),
            character => {
                line.resize(line.len().max(place + 1), ' ');
                line[place] = character;
                place += 1;
            }
        }
    }
    line.into_iter().collect::<String>().trim().to_owned()
}

#[test]
fn every_command_shows_its_progress_and_takes_it_away() {
    let lines = ["validate", "minify", "pretty", "gzip", "stats", "query $[0]", "query --count $..*", "pretty --check"];
    let runs = lines.map(|line| thread::spawn(move || (line, shown_while_waiting(line, &[], true))));
    for run in runs {
        let (line, text) = run.join().expect("the run ends");
        assert_eq!(left(&text), "", "{line}: {text:?}");
    }
}

#[test]
fn progress_is_only_for_people() {
    let cases =
        [("validate -q", [("TERM", "xterm")]), ("validate", [("CI", "true")]), ("validate", [("TERM", "dumb")])];
    let runs = cases.map(|(line, variables)| thread::spawn(move || shown_while_waiting(line, &variables, false)));
    for run in runs {
        assert_eq!(run.join().expect("the run ends"), "");
    }
}

/// What a terminal shows on standard error while `path` is compressed, and which becomes `later` columns wide in between.
fn shown_while_compressing(place: &Place, path: &Path, columns: u16, later: u16) -> String {
    let (user, program) = terminal();
    resize(&user, columns);
    let mut command = fjson(place, &format!("gzip -9 --threads 1 -o {columns}.gz"));
    command.arg(path).stderr(program);
    let mut screen = Screen::new(user.try_clone().expect("a second descriptor"));
    let mut child = command.spawn().expect("it starts");
    drop(command);
    screen.wait_for(" left");
    resize(&user, later);
    let text = screen.text();
    assert!(child.wait().expect("the program ends").success());
    text
}

#[test]
fn the_bar_fits_into_the_terminal() {
    let place = &Place::new();
    let numbers: Vec<_> =
        (0..8_000_000_u64).map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 1_000_007).to_string()).collect();
    let path = &place.file("a long name of a file with numbers in it.json", format!("[{}]", numbers.join(",")));
    thread::scope(|scope| {
        for (columns, later) in [(40, 120), (80, 80), (200, 50)] {
            scope.spawn(move || {
                let text = shown_while_compressing(place, path, columns, later);
                let lines = drawn(&text);
                let percent = |line: &String| line.split_once('%')?.0.rsplit(' ').next()?.parse::<u64>().ok();
                let percents: Vec<_> = lines.iter().filter_map(percent).collect();
                assert!(percents.is_sorted() && percents.first() < percents.last(), "{columns}: {percents:?}");
                let widest = lines.iter().map(|line| line.chars().count()).max();
                assert!(widest.is_some_and(|widest| widest <= usize::from(columns.max(later))), "{columns}: {lines:?}");
                let last = lines.last().expect("a line").trim_end();
                assert!(last.chars().count() <= usize::from(later), "{lines:?}");
                assert!(lines.iter().all(|line| line.contains(" left")), "{lines:?}");
                assert_eq!(last.contains("/s"), later >= 60, "{lines:?}");
                assert_eq!(last.contains(".json"), later >= 120, "{lines:?}");
                assert_eq!(left(&text), "", "{text:?}");
            });
        }
    });
}

#[test]
fn an_interrupt_leaves_no_bar() {
    let place = Place::new();
    let (user, program) = terminal();
    let mut command = fjson(&place, "validate");
    command.stdin(Stdio::piped()).stderr(program);
    let mut child = command.spawn().expect("it starts");
    drop(command);
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"[1,").expect("the program reads");
    let mut screen = Screen::new(user);
    screen.wait_for("3 B read");
    interrupt(&child);
    let text = screen.text();
    assert_eq!(child.wait().expect("it ends").signal(), Some(Signal::INT.as_raw()));
    assert_eq!(left(&text), "", "{text:?}");
}

/// The keys Ctrl-C on the terminal: the bar goes, the cursor is there, and colors end.
#[test]
fn a_typed_interrupt_leaves_the_terminal_as_it_was() {
    for line in ["validate in", "pretty in", "query --stream $ in"] {
        let place = Place::new();
        place.shell("mkfifo in").stdout();
        let (mut user, program) = terminal();
        resize(&user, 80);
        let [stdin, stdout] = [(); 2].map(|()| program.try_clone().expect("a second descriptor"));
        // A session of its own, to which the terminal belongs.
        let mut command = Command::new("setsid");
        command
            .args(["--ctty", "env", "--default-signal=INT", FJSON])
            .args(line.split(' '))
            .current_dir(place.path("."))
            .env("TERM", "xterm");
        command.env_remove("CI").env_remove("NO_COLOR").stdin(stdin).stdout(stdout).stderr(program);
        let mut child = command.spawn().expect("it starts");
        drop(command);
        let mut input = File::options().write(true).open(place.path("in")).expect("the program reads");
        input.write_all(b"[true, \"half of a str").expect("the program reads");
        let mut screen = Screen::new(user.try_clone().expect("a second descriptor"));
        screen.wait_for(" read");
        user.write_all(b"\x03").expect("a terminal");
        let text = screen.text();
        assert_eq!(child.wait().expect("it ends").signal(), Some(Signal::INT.as_raw()), "{line}: {text:?}");
        assert_eq!(text.matches("\x1b[?25l").count(), text.matches("\x1b[?25h").count(), "{line}: {text:?}");
        assert_eq!(left(&text), "", "{line}: {text:?}");
        let (_, after) = text.rsplit_once("^C").expect("the terminal shows the keys");
        // Output may have been in the middle of a colored string.
        assert_eq!(after.contains("\x1b[0m"), !line.starts_with("validate"), "{line}: {text:?}");
    }
}

/// Matches and the bar are written to the same terminal.
#[test]
fn the_bar_does_not_mix_with_output() {
    let place = Place::new();
    let (user, program) = terminal();
    resize(&user, 80);
    let output = program.try_clone().expect("a second descriptor");
    let mut command = fjson(&place, "query --lines $.a");
    command.env("NO_COLOR", "1").stdin(Stdio::piped()).stdout(output).stderr(program);
    let mut child = command.spawn().expect("it starts");
    drop(command);
    let mut input = child.stdin.take().expect("a pipe");
    let mut screen = Screen::new(user);
    for number in 1..4 {
        screen.wait_for(" read");
        writeln!(input, "{{\"a\": \"match {number}\"}}").expect("the program reads");
        screen.wait_for("match");
    }
    screen.wait_for(" read");
    drop(input);
    assert!(child.wait().expect("the program ends").success());
    let text = screen.text();
    let lines = drawn(&text);
    for number in 1..4 {
        assert!(lines.contains(&format!("\"match {number}\"")), "{text:?}");
    }
    assert_eq!(left(&text), "", "{text:?}");
}

#[test]
fn many_inputs_have_a_summary() {
    let place = Place::with_two();
    let text = place.fjson("validate -v good.json good.json").output().stderr;
    let text = String::from_utf8(text).expect("text");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("2 files, 0 invalid, 28 B in ")), "{text}");
    let text = place.fjson("validate -v good.json").output().stderr;
    assert!(!String::from_utf8(text).expect("text").contains(" files, "));
    for (line, ending) in [
        ("validate good.json bad.json", Some("2 files, 1 invalid, 31 B in ")),
        ("validate good.json bad.json missing.json", Some("2 files, 1 invalid, 1 failed, 31 B in ")),
        ("validate -q good.json bad.json", None),
        ("validate good.json", None),
        ("pretty --check good.json good.json", Some("2 files, 0 invalid, 2 not formatted, 28 B in ")),
        ("query $.a good.json good.json", None),
        ("query $.a good.json good.json -v", Some("2 files, 0 invalid, 28 B in ")),
        ("minify -i good.json bad.json", Some("2 files, 1 invalid, 31 B in ")),
    ] {
        let (user, program) = terminal();
        let mut command = fjson(&place, line);
        command.env("NO_COLOR", "1").stdout(Stdio::null()).stderr(program);
        let (_, text) = shown_by(command, user);
        let last = text.lines().last().unwrap_or_default();
        match ending {
            Some(ending) => assert!(last.starts_with(ending), "{line}: {text:?}"),
            None => assert!(!text.contains(" files, "), "{line}: {text:?}"),
        }
    }
}
