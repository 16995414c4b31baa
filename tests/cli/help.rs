//! Help, version, and errors in the command line.

use crate::place::Place;
use crate::place::assert_shows;

#[test]
fn the_program() {
    assert_shows!(Place::new().fjson("--help"));
}

#[test]
fn validate() {
    assert_shows!(Place::new().fjson("validate --help"));
}

#[test]
fn minify() {
    assert_shows!(Place::new().fjson("minify --help"));
}

#[test]
fn pretty() {
    assert_shows!(Place::new().fjson("pretty --help"));
}

#[test]
fn query() {
    assert_shows!(Place::new().fjson("query --help"));
}

#[test]
fn man() {
    assert_shows!(Place::new().fjson("man --help"));
}

#[test]
fn completions() {
    assert_shows!(Place::new().fjson("completions --help"));
}

const COMMANDS: [&str; 17] = [
    "",
    "validate",
    "minify",
    "pretty",
    "query",
    "edit",
    "set",
    "delete",
    "patch",
    "merge",
    "diff",
    "stats",
    "gzip",
    "bench",
    "man",
    "completions",
    "jq",
];

#[test]
fn edit() {
    assert_shows!(Place::new().fjson("edit --help"));
}

#[test]
fn shorthands_of_edit() {
    for command in ["set", "delete", "patch", "merge"] {
        assert_shows!(Place::new().fjson(&format!("{command} --help")));
    }
}

#[test]
fn diff() {
    assert_shows!(Place::new().fjson("diff --help"));
}

#[test]
fn stats() {
    assert_shows!(Place::new().fjson("stats --help"));
}

#[test]
fn jq() {
    assert_shows!(Place::new().fjson("jq --help"));
}

#[test]
fn gzip() {
    assert_shows!(Place::new().fjson("gzip --help"));
}

#[test]
fn bench() {
    assert_shows!(Place::new().fjson("bench --help"));
}

#[test]
fn short_help() {
    for command in COMMANDS {
        assert_shows!(Place::new().fjson(&format!("{command} -h")));
    }
}

/// The short help fits on a terminal of 80 columns and 24 lines, and says how to get the rest.
#[test]
fn short_help_fits_on_a_screen() {
    for command in COMMANDS {
        let help = Place::new().fjson(&format!("{command} -h")).stdout();
        assert!(help.lines().count() <= 24, "{command}: {} lines", help.lines().count());
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(widest.chars().count() <= 80, "{command}: {widest}");
        assert!(["man", "completions"].contains(&command) || help.contains("--help` explains"), "{command}");
    }
}

/// Every option of the short help is in the long help, in the same order.
#[test]
fn long_help_has_everything() {
    let options = |help: &str| {
        let lines = help.lines().filter(|line| line.trim_start().starts_with('-'));
        lines
            .map(|line| line.split_whitespace().take_while(|word| word.starts_with('-')).last().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    for command in COMMANDS {
        let place = Place::new();
        let short = options(&place.fjson(&format!("{command} -h")).stdout());
        let long = options(&place.fjson(&format!("{command} --help")).stdout());
        let mut rest = long.iter();
        for option in &short {
            assert!(rest.any(|found| found == option), "{command}: {option:?} in {long:?}");
        }
    }
}

#[test]
fn version_names_the_kernels() {
    let place = Place::new();
    assert_shows!(place.fjson("--version"));
    let version = place.fjson("--version").stdout();
    for line in
        ["-V", "validate --version", "minify -V", "pretty --version", "query -V", "man -V", "completions --version"]
    {
        assert_eq!(place.fjson(line).stdout(), version, "{line}");
    }
    for line in ["-vV", "--version --verbose"] {
        let details = place.fjson(line).stdout();
        assert!(details.starts_with(&version), "{details}");
        for name in ["commit: ", "target: ", "C library: ", "profile: "] {
            assert!(details.contains(&format!("\n{name}")), "{details}");
        }
        // A triple, or four parts: the build script found it.
        let target = details.lines().find_map(|line| line.strip_prefix("target: "));
        assert!(target.is_some_and(|target| target.split('-').count() >= 3), "{details}");
    }
}

#[test]
fn no_command_is_a_mistake() {
    assert_shows!(Place::new().fjson(""));
}

#[test]
fn mistakes() {
    let place = Place::new();
    assert_shows!(place.fjson("validat a.json"));
    assert_shows!(place.fjson("validate --fromat json a.json"));
    assert_shows!(place.fjson("validate --format xml a.json"));
    assert_shows!(place.fjson("validate --kernel sse9 a.json"));
    assert_shows!(place.fjson("validate --max-depth deep a.json"));
    assert_shows!(place.fjson("validate --max-errors -1 a.json"));
    assert_shows!(place.fjson("validate -q -v a.json"));
    assert_shows!(place.fjson("validate -q --format json a.json"));
    assert_shows!(place.fjson("minify -i -o out a.json"));
    assert_shows!(place.fjson("completions tcsh"));
    assert_shows!(place.fjson("man"));
    assert_shows!(place.fjson("validate --max-depth -1 a.json"));
}
