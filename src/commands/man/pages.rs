//! The texts of the man pages that the command line does not define: `pages.txt`.
//!
//! In this file, `# NAME` begins the page of a command and `## TITLE` a section. Lines with four spaces are literal, a line
//! `: TERM` is explained by the lines after it, backquotes make words bold, and empty lines separate paragraphs.

#![forbid(unsafe_code)]

use clap::Command;
use clap_mangen::roff::Inline;
use clap_mangen::roff::Roff;
use clap_mangen::roff::bold;
use clap_mangen::roff::roman;

const PAGES: &str = include_str!("pages.txt");

/// Environment variables of the commands that have `--color`.
const WITH_COLOR: &str = "\
: NO_COLOR
If it is set and not empty, there are no colors. `--color always` overrides it.

: CLICOLOR, CLICOLOR_FORCE
With CLICOLOR=0 there are no colors, with CLICOLOR_FORCE there are colors even if the output is not a terminal.

: FJSON_COLORS, JQ_COLORS
The colors of documents on a terminal, as for jq(1); FJSON_COLORS comes first.
";

/// Those of the other commands that print for people.
const WITHOUT_COLOR: &str = "\
: NO_COLOR
If it is set and not empty, there are no colors.

: CLICOLOR, CLICOLOR_FORCE
With CLICOLOR=0 messages have no colors, with CLICOLOR_FORCE they have colors even if they are not written to a terminal.
";

/// One of all of them.
const COLUMNS: &str = "\
: COLUMNS
The width of the help, if the terminal does not say how wide it is.
";

/// Returns the sections of a page with their titles.
pub fn sections(command: &str) -> Vec<(&'static str, &'static str)> {
    let page =
        PAGES.split("\n# ").find_map(|page| page.trim_start_matches("# ").strip_prefix(command)?.strip_prefix('\n'));
    let sections = page.into_iter().flat_map(|page| page.split("\n## ").skip(1));
    sections.filter_map(|section| section.split_once('\n')).collect()
}

/// Renders a section. If there is none with this title, renders nothing.
pub fn render(sections: &[(&str, &str)], title: &str) -> Roff {
    let mut roff = Roff::new();
    if let Some((title, text)) = sections.iter().find(|(found, _)| *found == title) {
        roff.control("SH", [title.to_uppercase().as_str()]);
        render_text(text, &mut roff);
    }
    roff
}

/// Renders the environment variables, those of all commands and those of a command.
pub fn environment(sections: &[(&str, &str)], command: &Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["ENVIRONMENT"]);
    if ["man", "completions"].contains(&command.get_name()) {
        render_text(
            "The help uses NO_COLOR, CLICOLOR, CLICOLOR_FORCE and COLUMNS as described in fjson(1).",
            &mut roff,
        );
    } else {
        let has_color = command.has_subcommands() || command.get_arguments().any(|option| option.get_id() == "color");
        render_text(if has_color { WITH_COLOR } else { WITHOUT_COLOR }, &mut roff);
        render_text(COLUMNS, &mut roff);
    }
    for (_, text) in sections.iter().filter(|(title, _)| *title == "Environment") {
        render_text(text, &mut roff);
    }
    roff
}

fn render_text(text: &str, roff: &mut Roff) {
    for paragraph in text.trim().split("\n\n") {
        if let Some((term, explanation)) = paragraph.strip_prefix(": ").and_then(|item| item.split_once('\n')) {
            roff.control("TP", []).text([bold(term)]);
            roff.text(words(&explanation.replace('\n', " ")));
        } else if paragraph.starts_with("    ") {
            roff.control("PP", []).control("RS", ["4"]).control("nf", []);
            for line in paragraph.lines() {
                roff.text([roman(line.trim_start())]);
            }
            roff.control("fi", []).control("RE", []);
        } else {
            roff.control("PP", []).text(words(&paragraph.replace('\n', " ")));
        }
    }
}

/// Returns a text in which the words between backquotes are bold.
fn words(text: &str) -> Vec<Inline> {
    let parts = text.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { bold(part) } else { roman(part) }).collect()
}
