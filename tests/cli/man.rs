//! `fjson man`: a page for the program and one for each command.

use crate::place::Place;
use crate::place::assert_shows;

#[test]
fn writes_a_page_for_each_command() {
    let place = Place::new();
    assert_eq!(place.fjson("man pages").stdout(), "");
    let pages = Place::names_in(&place.path("pages"));
    let commands = [
        "-bench",
        "-completions",
        "-delete",
        "-diff",
        "-edit",
        "-gzip",
        "-jq",
        "-man",
        "-merge",
        "-minify",
        "-patch",
        "-pretty",
        "-query",
        "-set",
        "-stats",
        "-validate",
        "",
    ];
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

/// No option is left without a word, also if `-h` does not list it.
#[test]
fn pages_explain_all_options() {
    let place = Place::new();
    place.fjson("man pages").stdout();
    for name in Place::names_in(&place.path("pages")) {
        let page = place.read(format!("pages/{name}"));
        for item in page.split("\n.TP\n").skip(1) {
            let mut lines = item.lines();
            let (term, text) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
            assert!(!text.is_empty() && !text.starts_with('.'), "{name}: {term}");
        }
    }
}

/// Every page teaches: it has a description of more than a line, and explains the examples of the help.
#[test]
fn pages_explain_the_examples() {
    let place = Place::new();
    place.fjson("man pages").stdout();
    for name in Place::names_in(&place.path("pages")) {
        let page = place.read(format!("pages/{name}")).replace("\\*(Aq", "'").replace('\\', "");
        let description =
            page.split(".SH DESCRIPTION").nth(1).and_then(|rest| rest.split(".SH").next()).unwrap_or_default();
        assert!(description.len() > 100, "{name}: {description}");
        for section in ["ENVIRONMENT", "EXAMPLES", "SEE ALSO"] {
            assert!(page.contains(&format!(".SH {section}")) || page.contains(&format!(".SH \"{section}\"")), "{name}");
        }
        let command = name.trim_end_matches(".1").trim_start_matches("fjson").trim_start_matches('-');
        let help = place.fjson(&format!("{command} -h")).stdout();
        let examples = help.split("Examples:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
        for example in examples.lines() {
            let line = example.trim().split("   ").next().unwrap_or_default();
            assert!(page.contains(line), "{name} does not explain {line}");
        }
    }
}

/// The pages have no mistake that `man` warns of.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn man_has_no_warnings() {
    let place = Place::new();
    place.fjson("man pages").stdout();
    for name in Place::names_in(&place.path("pages")) {
        let line = format!(
            "command -v man >/dev/null && command -v groff >/dev/null || exit 0
            LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings=w -E UTF-8 -l -Tutf8 -Z pages/{name} 2>&1 >/dev/null"
        );
        assert_eq!(place.shell(&line).stdout(), "", "{name}");
    }
}
