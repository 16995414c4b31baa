//! `fjson man`: a page for the program and one for each command.

use crate::place::Place;
use crate::place::assert_shows;

#[test]
fn writes_a_page_for_each_command() {
    let place = Place::new();
    assert_eq!(place.fjson("man pages").stdout(), "");
    let pages = Place::names_in(&place.path("pages"));
    let commands =
        ["-bench", "-completions", "-gzip", "-man", "-minify", "-pretty", "-query", "-stats", "-validate", ""];
    assert_eq!(pages, commands.map(|command| format!("fjson{command}.1")));
    let page = place.read("pages/fjson-pretty.1");
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "OPTIONS", "NOTES", "EXIT STATUS"] {
        assert!(page.contains(&format!(".SH \"{section}\"")) || page.contains(&format!(".SH {section}")), "{section}");
    }
}

#[test]
fn a_directory_that_cannot_be_created_gives_status_2() {
    let place = Place::new();
    place.file("pages", "");
    assert_shows!(place.fjson("man pages"));
}
