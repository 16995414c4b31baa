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

#[test]
fn short_help_is_the_same() {
    let place = Place::new();
    for command in ["", "validate ", "minify ", "pretty ", "query ", "stats ", "man ", "completions "] {
        let long = place.fjson(&format!("{command}--help")).stdout();
        assert_eq!(place.fjson(&format!("{command}-h")).stdout(), long);
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
        for name in ["commit: ", "target: ", "C library: ", "profile: ", "features: compression, query, serde, threads"]
        {
            assert!(details.contains(&format!("\n{name}")), "{details}");
        }
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
