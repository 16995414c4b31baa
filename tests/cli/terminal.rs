//! Behavior on a terminal: announcements and hints, colored messages, sanitized names.

use crate::place::FJSON;
use crate::place::Place;
use rustix::pty::OpenptFlags;
use rustix::termios::Winsize;
use rustix::termios::tcsetwinsize;
use std::ffi::OsStr;
use std::fs::File;
use std::fs::OpenOptions;
use std::io::Read;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::process::ExitStatus;
use std::process::Stdio;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

/// Both ends of a pseudo-terminal: the user's and the program's.
pub fn terminal() -> (File, File) {
    let user = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    rustix::pty::grantpt(&user).expect("it is ours");
    rustix::pty::unlockpt(&user).expect("it can be opened");
    let name = rustix::pty::ptsname(&user, Vec::new()).expect("it has a name");
    let program = OpenOptions::new().read(true).write(true).open(OsStr::from_bytes(name.as_bytes()));
    (File::from(user), program.expect("the other end"))
}

/// Runs a command that writes to the terminal, and returns everything that it showed. The terminal is read meanwhile, because it keeps
/// only a few kilobytes.
pub fn shown_by(mut command: Command, user: File) -> (ExitStatus, String) {
    let mut child = command.spawn().expect("the program starts");
    // The command holds the terminal open.
    drop(command);
    let text = Screen::new(user).text();
    (child.wait().expect("the program ends"), text)
}

/// What a terminal shows, read while programs write to it.
pub struct Screen {
    chunks: Receiver<Vec<u8>>,
    text: Vec<u8>,
    /// The length of the text that was waited for.
    waited: usize,
}

impl Screen {
    pub fn new(mut user: File) -> Screen {
        let (sender, chunks) = mpsc::channel();
        thread::spawn(move || {
            let mut chunk = vec![0; 4096];
            // Reading ends with an error when the other end is closed.
            while let Ok(length @ 1..) = user.read(&mut chunk) {
                sender.send(chunk[..length].to_vec()).ok();
            }
        });
        Screen { chunks, text: Vec::new(), waited: 0 }
    }

    /// Waits until a line with `words` is drawn, after those that were waited for before.
    pub fn wait_for(&mut self, words: &str) {
        while !drawn(&String::from_utf8_lossy(&self.text[self.waited..])).iter().any(|line| line.contains(words)) {
            let chunk = self.chunks.recv_timeout(Duration::from_mins(2));
            self.text
                .extend(chunk.unwrap_or_else(|_| panic!("no {words:?}: {:?}", String::from_utf8_lossy(&self.text))));
        }
        self.waited = self.text.len();
    }

    /// Everything that was shown until all programs have closed the terminal.
    pub fn text(mut self) -> String {
        self.text.extend(self.chunks.iter().flatten());
        String::from_utf8(self.text).expect("text").replace("\r\n", "\n")
    }
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
fn reading_a_terminal_is_announced() {
    let place = Place::new();
    for line in ["validate", "minify", "pretty", "query $", "stats"] {
        let (mut user, program) = terminal();
        let stderr = program.try_clone().expect("a second descriptor");
        user.write_all(b"[1]\n\x04").expect("typing");
        let mut command = fjson(&place, line);
        command.stdin(program).stdout(Stdio::null()).stderr(stderr);
        let (status, text) = shown_by(command, user);
        assert!(text.contains("fjson: reading standard input; press Ctrl-D to end it, or give a FILE\n"), "{text}");
        assert!(status.success(), "{line}: {text}");
        assert!(!text.contains("Usage"), "{text}");
    }
    // Neither a pipe nor a file is announced.
    let (user, program) = terminal();
    let mut command = fjson(&place, "validate");
    command.stdin(Stdio::null()).stderr(program);
    assert!(!shown_by(command, user).1.contains("Ctrl-D"));
}

/// What a terminal shows of a command whose output and messages go there.
fn shown(place: &Place, words: &[&str]) -> String {
    let (user, program) = terminal();
    let stdout = program.try_clone().expect("a second descriptor");
    let mut command = fjson(place, "query");
    command.args(words).env("NO_COLOR", "1").stdout(stdout).stderr(program);
    shown_by(command, user).1
}

#[test]
fn a_search_without_a_match_says_what_was_meant() {
    let place = Place::new();
    place.file("a.json", r#"{"users": [{"id": 1, "zip": "01", "userName": "ada"}]}"#);
    for (words, line) in [
        (&["$.user", "a.json"][..], "fjson: no match; the document has `users`: did you mean '$.users'?\n"),
        (&["$..username", "a.json"], "the document has `userName`: did you mean '$..userName'?\n"),
        (&["$.users[0]['Id']", "a.json"], "the document has `id`: did you mean \"\\$.users[0]['id']\"?\n"),
        (&["/user/0", "a.json"], "the document has `users`: did you mean /users/0?\n"),
        (&["$.users[?@.id == \"1\"]", "a.json"], "a number there, not a string: did you mean '$.users[?@.id == 1]'?\n"),
        (&["$.users[?@.zip == 01]", "a.json"], ""),
        (&["$.users[?@.zip == 1]", "a.json"], "fjson: no match\n"),
        (&["--where", "@.users[0].id == '1'", "$", "a.json"], "did you mean '@.users[0].id == 1'?\n"),
        (&["--where", "@.user", "a.json"], "the document has `users`: did you mean @.users?\n"),
        (&["$.nothing", "a.json"], "fjson: no match\n"),
    ] {
        let text = shown(&place, words);
        assert!(text.ends_with(line), "{words:?}: {text}");
    }
    for words in [&["$.user", "-q", "a.json"][..], &["$.user", "--allow-empty", "a.json"], &["$.users", "a.json"]] {
        assert!(!shown(&place, words).contains("no match"), "{words:?}");
    }
    let output = fjson(&place, "query $.user a.json").output().expect("the program runs");
    assert!(output.stderr.is_empty(), "only on a terminal");
}

#[test]
fn a_terminal_gets_colour_unless_it_is_refused() {
    let place = Place::with_two();
    for (variable, value, colored) in [("TERM", "xterm", true), ("NO_COLOR", "1", false), ("TERM", "dumb", false)] {
        let (user, program) = terminal();
        let mut command = fjson(&place, "validate bad.json");
        command.env(variable, value).stderr(program);
        let (status, text) = shown_by(command, user);
        assert_eq!(status.code(), Some(1));
        assert_eq!(text.contains("\x1b["), colored, "{variable}={value}");
    }
}

#[test]
fn progress_is_shown_while_something_is_measured() {
    let place = Place::with_two();
    for (option, shown) in [("", true), ("-q", false)] {
        let (user, program) = terminal();
        let mut command = fjson(&place, &format!("bench --operation validate --time 2 good.json {option}"));
        command.stdout(Stdio::null()).stderr(program);
        let (status, text) = shown_by(command, user);
        assert!(status.success());
        assert_eq!(text.contains(" % good.json"), shown, "{text:?}");
        assert_eq!(text.ends_with("\r\x1b[K"), shown, "{text:?}");
    }
}

#[test]
fn a_message_on_a_terminal_has_a_line_of_its_own() {
    let place = Place::with_two();
    for (line, expected) in [
        ("minify good.json bad.json", "{\"a\":[1,2]}\nbad.json:2:11: "),
        ("pretty --stream bad.json", "    1\nbad.json:2:11: "),
        ("minify good.json", "{\"a\":[1,2]}\n"),
        ("minify good.json missing.json", "{\"a\":[1,2]}\nmissing.json: "),
        ("minify -v good.json", "{\"a\":[1,2]}\ngood.json: 1 document, "),
        ("minify bad.json good.json", "(byte 9)\n{\"a\":[1,2]}\n"),
        ("pretty good.json missing.json", "\n}\nmissing.json: "),
    ] {
        let (user, program) = terminal();
        let stdout = program.try_clone().expect("a second descriptor");
        let mut command = fjson(&place, line);
        command.env("NO_COLOR", "1").stdout(stdout).stderr(program);
        let (_, text) = shown_by(command, user);
        assert!(text.contains(expected), "{line}: {text:?}");
    }
}

#[test]
fn names_on_a_terminal_are_harmless() {
    let place = Place::new();
    let name = OsStr::from_bytes(b"a\x1b[2J.json");
    place.file(name, "[1]");
    let (user, program) = terminal();
    let mut command = fjson(&place, "pretty --check");
    command.arg(name).stdout(program);
    let (status, text) = shown_by(command, user);
    assert_eq!((status.code(), text.as_str()), (Some(1), "a<U+001B>[2J.json\n"));
    let output = fjson(&place, "pretty --check").arg(name).output().expect("the program runs");
    assert_eq!(output.stdout, b"a\x1b[2J.json\n");
}

#[test]
fn a_mistake_in_the_command_line_is_repeated_harmlessly() {
    let place = Place::new();
    for argument in ["\x1b]0;title\x07", "--\u{202e}\x1b[2J"] {
        let (user, program) = terminal();
        let mut command = fjson(&place, "validate --format");
        command.arg(argument).stderr(program);
        let (status, text) = shown_by(command, user);
        assert_eq!(status.code(), Some(2));
        assert!(!text.contains(['\x1b', '\x07', '\u{202e}']), "{argument:?}");
    }
}
