//! `fjson man DIR`: writes the man pages, which are generated from the help texts.

#![forbid(unsafe_code)]

use crate::args::Arguments;
use crate::args::Man;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use clap::Command;
use clap::CommandFactory;
use clap::builder::StyledStr;
use clap_mangen::roff::Roff;
use clap_mangen::roff::roman;
use std::fs;
use std::io;
use std::io::Write;
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
    write_page(&program, directory).map_err(run_error)?;
    for command in program.get_subcommands() {
        write_page(command, directory).map_err(run_error)?;
    }
    Ok(Exit::Success)
}

fn write_page(command: &Command, directory: &Path) -> io::Result<()> {
    let page = clap_mangen::Man::new(command.clone());
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut text = Vec::new();
    // `render_title` omits an empty date, and the next field would be read as the date.
    writeln!(text, ".TH {name} 1 \"\" \"fjson {}\" \"fjson manual\"", env!("CARGO_PKG_VERSION"))?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    render_paragraphs(command.get_before_help(), &mut text)?;
    page.render_options_section(&mut text)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    render_paragraphs(command.get_after_help(), &mut text)?;
    fs::write(directory.join(page.get_filename()), text)
}

/// Renders the paragraphs of a help text that begin with a heading and a colon. Line breaks are preserved.
fn render_paragraphs(help: Option<&StyledStr>, text: &mut Vec<u8>) -> io::Result<()> {
    let help = help.map(ToString::to_string).unwrap_or_default();
    for (heading, lines) in help.split("\n\n").filter_map(|paragraph| paragraph.split_once(":\n")) {
        let mut section = Roff::new();
        section.control("SH", [heading.to_uppercase().as_str()]).control("nf", []);
        for line in lines.lines() {
            section.text([roman(line)]);
        }
        section.control("fi", []).to_writer(text)?;
    }
    Ok(())
}
