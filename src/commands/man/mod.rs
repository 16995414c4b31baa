//! `fjson man DIR`: writes the man pages, from the definitions of the command line and the texts of `pages.txt`.

#![forbid(unsafe_code)]

mod pages;

use crate::args::Arguments;
use crate::args::Man;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::target::Target;
use clap::Command;
use clap::CommandFactory;
use clap_mangen::roff::Inline;
use clap_mangen::roff::Roff;
use clap_mangen::roff::bold;
use clap_mangen::roff::italic;
use clap_mangen::roff::roman;
use std::fs;
use std::io;
use std::io::Write;
use std::iter;
use std::path::Path;

pub fn run(arguments: &Man) -> Result<Exit, RunError> {
    let directory = &arguments.directory;
    let run_error = |error: io::Error| RunError::io(Name::Path(directory.clone()), &error);
    if directory.exists() && !directory.is_dir() {
        return Err(RunError::new(Name::Path(directory.clone()), "is not a directory"));
    }
    fs::create_dir_all(directory).map_err(run_error)?;
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let pages = iter::once(&program).chain(program.get_subcommands()).map(|command| write_page(command, directory));
    // All pages are written before the first one is replaced.
    pages.collect::<Result<Vec<_>, _>>()?.into_iter().try_for_each(Target::commit)?;
    Ok(Exit::Success)
}

/// Writes a page to its file, which is to be committed.
fn write_page(command: &Command, directory: &Path) -> Result<Target, RunError> {
    let (name, text) = page(command).map_err(|error| RunError::io(Name::Path(directory.to_path_buf()), &error))?;
    let mut target = Target::create(&directory.join(name))?;
    target.print(text)?;
    Ok(target)
}

/// Returns the file name and the text of the page of a command.
fn page(command: &Command) -> io::Result<(String, Vec<u8>)> {
    // Options that `-h` leaves out are described, too.
    let page = clap_mangen::Man::new(command.clone().mut_args(|option| option.hide_short_help(false)));
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut text = Vec::new();
    // `render_title` omits an empty date, and the next field would be read as the date.
    writeln!(text, ".TH {name} 1 \"\" \"fjson {}\" \"fjson manual\"", env!("CARGO_PKG_VERSION"))?;
    page.render_name_section(&mut text)?;
    synopsis(command).to_writer(&mut text)?;
    let sections = pages::sections(command.get_name());
    let section = |title: &str| pages::render(&sections, title);
    section("Description").to_writer(&mut text)?;
    section("Examples").to_writer(&mut text)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    page.render_options_section(&mut text)?;
    let notes = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    paragraphs(&notes).to_writer(&mut text)?;
    pages::environment(&sections, command).to_writer(&mut text)?;
    section("Files").to_writer(&mut text)?;
    section("See also").to_writer(&mut text)?;
    Ok((page.get_filename(), text))
}

/// Renders the usage, without a list of the options, which have a section of their own.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let mut section = Roff::new();
    section.control("SH", ["SYNOPSIS"]);
    for (number, line) in usage.trim_start_matches("Usage:").trim().lines().enumerate() {
        if number > 0 {
            section.control("br", []);
        }
        let words = line.split_whitespace().flat_map(|word| synopsis_word(word).into_iter().chain([roman(" ")]));
        section.text(words.collect::<Vec<_>>());
    }
    section
}

/// Renders a word of the usage: names of values in italics, all else in bold.
fn synopsis_word(word: &str) -> Vec<Inline> {
    let name = word.trim_matches(['[', ']', '.', '<', '>']);
    let is_value = name.len() > 1 && name.chars().all(char::is_uppercase);
    let (before, after) = word.split_once(name).filter(|_| is_value).unwrap_or(("", ""));
    let [before, after] = [before, after].map(|text| roman(text.replace(['<', '>'], "")));
    if is_value { vec![before, italic(name), after] } else { vec![bold(word)] }
}

/// Renders the paragraphs of a help text that begin with a heading and a colon. Line breaks are preserved.
fn paragraphs(help: &str) -> Roff {
    let mut sections = Roff::new();
    for (heading, lines) in help.split("\n\n").filter_map(|paragraph| paragraph.split_once(":\n")) {
        sections.control("SH", [heading.to_uppercase().as_str()]).control("nf", []);
        for line in lines.lines() {
            sections.text([roman(line)]);
        }
        sections.control("fi", []);
    }
    sections
}
