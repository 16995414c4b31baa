//! Behavior on a terminal: help instead of waiting, colored messages, sanitized names.

use crate::place::FJSON;
use crate::place::Place;
use rustix::pty::OpenptFlags;
use rustix::termios::Winsize;
use rustix::termios::tcsetwinsize;
use std::ffi::OsStr;
use std::fs::File;
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::process::Stdio;

/// Both ends of a pseudo-terminal: the user's and the program's.
pub fn terminal() -> (File, File) {
    let user = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    rustix::pty::grantpt(&user).expect("it is ours");
    rustix::pty::unlockpt(&user).expect("it can be opened");
    let name = rustix::pty::ptsname(&user, Vec::new()).expect("it has a name");
    let program = OpenOptions::new().read(true).write(true).open(OsStr::from_bytes(name.as_bytes()));
    (File::from(user), program.expect("the other end"))
}

/// Everything shown on the terminal until all programs have closed it.
pub fn seen(mut user: File) -> String {
    let mut text = Vec::new();
    // Reading ends with an error when the other end is closed.
    user.read_to_end(&mut text).ok();
    String::from_utf8(text).expect("text").replace("\r\n", "\n")
}

/// Sets the width of the terminal.
pub fn resize(user: &File, columns: u16) {
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(user, size).expect("a terminal has a size");
}

/// The lines that were drawn, without escape sequences.
pub fn drawn(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            '\x1b' => drop(rest.by_ref().find(char::is_ascii_alphabetic)),
            '\r' | '\n' => lines.push(String::new()),
            character => lines.last_mut().expect("a line").push(character),
        }
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

pub fn fjson(place: &Place, line: &str) -> Command {
    // A shell starts commands in the background with the signal of Ctrl-C ignored, which tests may inherit.
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", FJSON]);
    command.current_dir(place.path(".")).args(line.split_whitespace()).env("TERM", "xterm");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "JQ_COLORS", "FJSON_COLORS"] {
        command.env_remove(name);
    }
    command
}

#[test]
fn nothing_to_read_gives_help_instead_of_waiting() {
    let place = Place::new();
    for command in ["validate", "minify", "pretty"] {
        let (_user, program) = terminal();
        let output = fjson(&place, command).stdin(program).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.contains(&format!("Usage: fjson {command} [OPTIONS] [FILE]...")), "{text}");
    }
}

#[test]
fn a_terminal_gets_colour_unless_it_is_refused() {
    let place = Place::with_two();
    for (variable, value, colored) in [("TERM", "xterm", true), ("NO_COLOR", "1", false), ("TERM", "dumb", false)] {
        let (user, program) = terminal();
        let status = fjson(&place, "validate bad.json").env(variable, value).stderr(program).status();
        assert_eq!(status.expect("the program runs").code(), Some(1));
        assert_eq!(seen(user).contains("\x1b["), colored, "{variable}={value}");
    }
}

#[test]
fn progress_is_shown_while_something_is_measured() {
    let place = Place::with_two();
    for (option, shown) in [("", true), ("-q", false)] {
        let (user, program) = terminal();
        let command = format!("bench --operation validate --time 0.5 good.json {option}");
        let mut child = fjson(&place, &command).stdout(Stdio::null()).stderr(program).spawn().expect("it starts");
        assert!(child.wait().expect("the program ends").success());
        let text = seen(user);
        assert_eq!(text.contains(" % good.json"), shown, "{text:?}");
        assert_eq!(text.ends_with("\r\x1b[K"), shown, "{text:?}");
    }
}

#[test]
fn a_message_on_a_terminal_has_a_line_of_its_own() {
    let place = Place::with_two();
    for (line, expected) in [
        ("minify bad.json", "{\"a\":[1\nbad.json:2:11: "),
        ("pretty bad.json", "    1\nbad.json:2:11: "),
        ("minify good.json missing.json", "{\"a\":[1,2]}\nmissing.json: "),
        ("minify -v good.json", "{\"a\":[1,2]}\ngood.json: 1 document, "),
        ("minify bad.json good.json", "(byte 9)\n{\"a\":[1,2]}\n"),
        ("pretty good.json missing.json", "\n}\nmissing.json: "),
    ] {
        let (user, program) = terminal();
        let stdout = program.try_clone().expect("a second descriptor");
        fjson(&place, line).env("NO_COLOR", "1").stdout(stdout).stderr(program).status().expect("the program runs");
        let text = seen(user);
        assert!(text.contains(expected), "{line}: {text:?}");
    }
}

#[test]
fn names_on_a_terminal_are_harmless() {
    let place = Place::new();
    let name = OsStr::from_bytes(b"a\x1b[2J.json");
    place.file(name, "[1]");
    let (user, program) = terminal();
    let status = fjson(&place, "pretty --check").arg(name).stdout(program).status();
    assert_eq!(status.expect("the program runs").code(), Some(1));
    assert_eq!(seen(user), "a<U+001B>[2J.json\n");
    let output = fjson(&place, "pretty --check").arg(name).output().expect("the program runs");
    assert_eq!(output.stdout, b"a\x1b[2J.json\n");
}

#[test]
fn a_mistake_in_the_command_line_is_repeated_harmlessly() {
    let place = Place::new();
    for argument in ["\x1b]0;title\x07", "--\u{202e}\x1b[2J"] {
        let (user, program) = terminal();
        let status = fjson(&place, "validate --format").arg(argument).stderr(program).status();
        assert_eq!(status.expect("the program runs").code(), Some(2));
        assert!(!seen(user).contains(['\x1b', '\x07', '\u{202e}']), "{argument:?}");
    }
}
