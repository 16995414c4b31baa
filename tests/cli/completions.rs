//! `fjson completions`: a script for each shell, with every command.

use crate::place::Place;

#[test]
fn every_shell_has_a_script() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.fjson(&format!("completions {shell}")).stdout();
        for word in ["validate", "minify", "pretty", "man", "completions", "max-depth"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn bash_accepts_its_script() {
    let place = Place::new();
    let script = place.fjson("completions bash").stdout();
    place.file("script", script);
    assert_eq!(place.shell("command -v bash >/dev/null || exit 0; bash -n script").status(), Some(0));
}
