//! Colors of documents, and characters that a terminal must not receive.

use crate::place::Place;
use crate::terminal::Screen;
use crate::terminal::fjson;
use crate::terminal::shown_by;
use crate::terminal::terminal;
use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::event::Timespec;
use rustix::event::poll;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// What `line` shows on a terminal, with these variables.
fn shown(place: &Place, line: &str, variables: &[(&str, &str)]) -> String {
    let (user, program) = terminal();
    let output = program.try_clone().expect("a second descriptor");
    let mut command = fjson(place, line);
    command.envs(variables.iter().copied()).stdin(Stdio::null()).stdout(output).stderr(program);
    shown_by(command, user).1
}

/// The text without its colors.
fn plain(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').expect("a color").1)
}

#[test]
fn documents_are_colored_as_by_jq() {
    let place = Place::with_two();
    let pretty = "\x1b[1;39m{\x1b[0m\n  \x1b[1;34m\"a\"\x1b[0m\x1b[1;39m:\x1b[0m \x1b[1;39m[\x1b[0m\n    \
        \x1b[0;39m1\x1b[0m\x1b[1;39m,\x1b[0m\n    \x1b[0;39m2\x1b[0m\n  \x1b[1;39m]\x1b[0m\n\x1b[1;39m}\x1b[0m\n";
    assert_eq!(shown(&place, "pretty good.json", &[]), pretty);
    assert_eq!(shown(&place, "jq . good.json", &[]), pretty);
    let array = "\x1b[1;39m[\x1b[0m\x1b[0;39m1\x1b[0m\x1b[1;39m,\x1b[0m \x1b[0;39m2\x1b[0m\x1b[1;39m]\x1b[0m\n";
    assert_eq!(shown(&place, "query $.a good.json", &[]), array);
    let named = "\x1b[35mgood.json\x1b[0m\x1b[36m:\x1b[0m\x1b[0;39m1\x1b[0m\n";
    assert_eq!(shown(&place, "query -H $.a[0] good.json", &[]), named);
    // A single color for all matches that are one document.
    let matches = shown(&place, "query --array $.a[*] good.json", &[]);
    assert_eq!(matches, array.replace(' ', ""));
    let indented = shown(&place, "query --array --pretty $.a[*] good.json", &[]);
    assert_eq!(plain(&indented), "[\n  1,\n  2\n]\n");
    assert!(indented.starts_with("\x1b[1;39m[\x1b[0m\n  \x1b[0;39m1\x1b[0m\x1b[1;39m,\x1b[0m\n"), "{indented:?}");
    assert_eq!(shown(&place, "query --array $.none good.json", &[]), "\x1b[1;39m[]\x1b[0m\n");
}

#[test]
fn the_environment_and_the_option_decide() {
    let place = Place::with_two();
    for (line, variables, colored) in [
        ("pretty good.json", &[("NO_COLOR", "1")][..], false),
        ("pretty good.json", &[("TERM", "dumb")], false),
        ("pretty good.json --color never", &[], false),
        ("jq . good.json", &[], true),
        ("jq . good.json", &[("NO_COLOR", "1")], false),
        ("jq . good.json -M", &[], false),
        ("jq . good.json -C", &[("NO_COLOR", "1")], true),
        ("pretty good.json --color always", &[("NO_COLOR", "1")], true),
        ("query $ good.json", &[("NO_COLOR", "1")], false),
        ("minify good.json", &[], false),
        ("minify good.json --color always", &[], true),
        ("query --csv $.a[0] good.json", &[], false),
        ("query --count $.a[0] good.json --color always", &[], false),
        ("query --paths $.a[0] good.json", &[], false),
    ] {
        assert_eq!(shown(&place, line, variables).contains('\x1b'), colored, "{line} {variables:?}");
    }
    // Into a pipe and into a file.
    for (line, variable, colored) in [
        ("pretty good.json", "", false),
        ("pretty good.json --color always", "", true),
        ("pretty good.json", "CLICOLOR_FORCE", true),
        ("query $.a good.json --color always", "", true),
        ("query $.a good.json", "", false),
        ("minify good.json", "CLICOLOR_FORCE", false),
    ] {
        let run = place.fjson(line).env(if variable.is_empty() { "UNUSED" } else { variable }, "1");
        assert_eq!(run.stdout().contains('\x1b'), colored, "{line} {variable}");
    }
    assert_eq!(place.fjson("pretty --color always good.json -o out.json").status(), Some(0));
    assert!(!place.read("out.json").contains('\x1b'));
    let colored = place.fjson("pretty --color always good.json -o -").stdout();
    assert_eq!(plain(&colored), place.read("out.json"));
}

#[test]
fn variables_set_the_colors() {
    let place = Place::new();
    place.file("a.json", "[\"a\",1]");
    let jq = ("JQ_COLORS", "::::4;31:1;35");
    let expected = "\x1b[1;35m[\x1b[0m\x1b[4;31m\"a\"\x1b[0m\x1b[1;35m,\x1b[0m\x1b[m1\x1b[0m\x1b[1;35m]\x1b[0m\n";
    assert_eq!(shown(&place, "query $ a.json", &[jq]), expected);
    let ours = ("FJSON_COLORS", "::::4;32:1;35");
    assert_eq!(shown(&place, "query $ a.json", &[jq, ours]), expected.replace("4;31", "4;32"));
    let warning = "fjson: warning: JQ_COLORS is ignored, because it has other characters than digits, ; and :\n";
    let default = "\x1b[1;39m[\x1b[0m\x1b[0;32m\"a\"\x1b[0m\x1b[1;39m,\x1b[0m\x1b[0;39m1\x1b[0m\x1b[1;39m]\x1b[0m\n";
    assert_eq!(shown(&place, "query $ a.json", &[("JQ_COLORS", "red")]), format!("{warning}{default}"));
    assert_eq!(shown(&place, "query $ a.json --color never", &[("JQ_COLORS", "red")]), "[\"a\",1]\n");
}

/// Without its colors, the output is that into a pipe, whatever produced it.
#[test]
fn colors_change_nothing_else() {
    let place = Place::new();
    let members = (0..3000).map(|n| {
        let text =
            ["x", "\\\"quoted\\\\", "größe 日本 🙂", "a rather long text, with more than thirty-two bytes"][n % 4];
        format!("{{\"id\": {n}, \"k{n}\": [\"{text}\", -1.5e3, true, false, null, {{}}, [[]], {{\"n\": [ ]}}]}}")
    });
    place.file("a.json", format!("[{}]", members.collect::<Vec<_>>().join(",\n")));
    place.file("b.jsonl", "{\"a\": 1}\n\"b\"\n[1, 2]\n");
    for kernel in ["portable", "auto"] {
        for threads in [1, 2] {
            for line in [
                "pretty a.json",
                "minify a.json",
                "pretty --tab a.json b.jsonl",
                "query $[*] a.json",
                "query --pretty $ a.json",
            ] {
                let line = format!("{line} --kernel {kernel} --threads {threads}");
                let colored = place.fjson(&format!("{line} --color always")).stdout();
                assert!(colored.contains("\x1b[1;34m\"id\"\x1b[0m"), "{line}");
                assert_eq!(plain(&colored), place.fjson(&line).stdout(), "{line}");
            }
        }
    }
}

#[test]
fn a_message_after_an_error_has_no_color_of_the_document() {
    let place = Place::new();
    place.file("bad.json", "{\"a\": \"text");
    let text = shown(&place, "pretty --stream bad.json", &[]);
    assert!(text.contains("\x1b[0;32m\"text\x1b[0m\n\x1b[1mbad.json:1:12:"), "{text:?}");
    place.file("bad.json", "[1, 2");
    let text = shown(&place, "minify --stream --color always bad.json", &[]);
    assert!(text.contains("\x1b[0;39m2\x1b[0m\n\x1b[1mbad.json:1:6:"), "{text:?}");
}

const HOSTILE: &str = "{\"k\u{7f}\": [\"a\u{9b}31mb\u{202e}c\u{2066}\u{feff}\", \"\\u001b[2J\\r\\ttab\"]}\n";

#[test]
fn a_terminal_gets_no_control_characters_of_data() {
    let place = Place::new();
    place.file("a.json", HOSTILE);
    let escaped = "\"a\\u009b31mb\\u202ec\\u2066\\ufeff\"";
    let variables = [("NO_COLOR", "1")];
    for line in [
        "pretty a.json",
        "minify a.json",
        "query $ a.json",
        "query $.*[*] a.json",
        "query --array $.*[*] a.json",
        "query --pretty $ a.json",
    ] {
        for variables in [&variables[..], &[]] {
            let text = plain(&shown(&place, line, variables));
            assert!(text.contains(escaped), "{line}: {text:?}");
            assert!(!text.contains(|character: char| character.is_control() && character != '\n'), "{line}: {text:?}");
            assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{feff}']), "{line}: {text:?}");
        }
    }
    for (line, expected) in [
        ("query -r $.*[0] a.json", "a\\u009b31mb\\u202ec\\u2066\\ufeff\n"),
        ("query -r $.*[1] a.json", "\\u001b[2J\\u000d\ttab\n"),
        ("query --tsv --header x=$.*[1] a.json", "x\n\\u001b[2J\\r\\ttab\n"),
        ("query --csv $.*[1] a.json", "\"\\u001b[2J\\u000d\ttab\"\n"),
        ("query --rows $.* @[1] --csv a.json", "\"\\u001b[2J\\u000d\ttab\"\n"),
        ("query --paths $.*[1] a.json", "$['k\\u007f'][1]\n"),
        ("query --pointers $.*[1] a.json", "/k\\u007f/1\n"),
    ] {
        assert_eq!(shown(&place, line, &variables), expected, "{line}");
    }
    // Other programs get the data as it is.
    assert_eq!(place.fjson("minify a.json").stdout(), HOSTILE.trim_end().replace(": ", ":").replace(", ", ","));
    assert_eq!(place.fjson("query -r $.*[1] a.json").stdout(), "\u{1b}[2J\r\ttab\n");
    assert!(place.fjson("pretty --color always a.json").stdout().contains('\u{202e}'));
}

/// Nobody reads the terminal until the signal comes, so the program is interrupted while it writes.
#[test]
fn an_interrupt_resets_the_color() {
    let place = Place::new();
    place.file("long.json", format!("[\"{}\"]", "x".repeat(1 << 20)));
    let (user, program) = terminal();
    let mut child = fjson(&place, "pretty long.json").stdout(program).spawn().expect("it starts");
    let mut written = [PollFd::new(&user, PollFlags::IN)];
    assert_eq!(poll(&mut written, Some(&Timespec { tv_sec: 120, tv_nsec: 0 })), Ok(1), "nothing is written");
    // Time to fill the terminal, which is less than the text.
    thread::sleep(Duration::from_millis(300));
    let id = Pid::from_raw(child.id().try_into().expect("an identifier")).expect("not zero");
    kill_process(id, Signal::INT).expect("it runs");
    let text = Screen::new(user).text();
    assert_eq!(child.wait().expect("it ends").signal(), Some(Signal::INT.as_raw()));
    let after = text.rsplit_once("xx").expect("a part of the text").1;
    assert!(after.contains("\x1b[0m"), "{after:?}");
}
