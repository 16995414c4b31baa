//! Text on terminals of several widths: help, and messages with the line that contains an error.

use crate::place::Place;
use crate::terminal::drawn;
use crate::terminal::fjson;
use crate::terminal::resize;
use crate::terminal::shown_by;
use crate::terminal::terminal;

const WIDTHS: [u16; 4] = [40, 80, 120, 200];

/// The lines that `fjson` writes to a terminal of this width, without escape sequences.
fn lines_of<'w>(place: &Place, words: impl IntoIterator<Item = &'w str>, columns: u16) -> Vec<String> {
    let (user, program) = terminal();
    resize(&user, columns);
    let mut command = fjson(place, "");
    let output = program.try_clone().expect("a second descriptor");
    command.args(words).stdout(output).stderr(program);
    drawn(&shown_by(command, user).1)
}

/// Only what has no place for a line break is longer than the terminal is wide.
#[test]
fn help_fits() {
    let place = Place::new();
    let commands = ["", "validate", "minify", "pretty", "query", "gzip", "stats", "bench", "completions", "man", "jq"];
    for columns in WIDTHS {
        for command in commands {
            for option in ["-h", "--help"] {
                let lines = lines_of(&place, [command, option].into_iter().filter(|word| !word.is_empty()), columns);
                assert!(lines.len() > 5, "{command} {option}: {lines:?}");
                let is_usage = |line: &str| line.contains(" [OPTIONS] ") || !line.trim().contains(' ');
                for line in lines.iter().filter(|line| line.chars().count() > usize::from(columns)) {
                    assert!(is_usage(line.trim_end()) && columns == 40, "{command} {option} on {columns}: {line}");
                }
            }
        }
    }
}

/// The line that contains an error is cut so that the caret below it is in the right place.
#[test]
fn excerpts_fit() {
    let place = Place::new();
    let names = format!("{{\"name\": \"{}\", \"list\": [1, 2,!], \"more\": \"{}\"}}", "x".repeat(150), "y".repeat(150));
    place.file("long.json", &names);
    place.file("tabs.json", format!("{{{}!", "\t".repeat(30)));
    place.file("end.json", "[1, !]");
    let expression = format!("$['{}'][?@.b ! 1 && @.c == '{}']", "x".repeat(50), "y".repeat(50));
    for columns in WIDTHS {
        let runs =
            [["validate", "long.json"], ["validate", "tabs.json"], ["validate", "end.json"], ["query", &expression]];
        for words in runs {
            let lines = lines_of(&place, words, columns);
            let [line, caret] = [&lines[1], &lines[2]].map(|line| line.trim_end());
            assert!(caret.ends_with('^'), "{lines:?}");
            for line in [line, caret] {
                assert!(line.chars().count() <= usize::from(columns), "{words:?} on {columns}: {lines:?}");
            }
            assert_eq!(line.chars().nth(caret.chars().count() - 1), Some('!'), "{words:?} on {columns}: {lines:?}");
        }
    }
    // Without a terminal, the width does not matter.
    let long = place.fjson("validate long.json").output().stderr;
    assert!(String::from_utf8(long).expect("text").lines().any(|line| line.chars().count() > 100));
}
