//! The short help of a command, `-h`: examples and the options that are needed most, on a terminal of 24 lines.
//!
//! The long help has sections; here they would take more lines than the options in them.

#![forbid(unsafe_code)]

use crate::args::Arguments;
use crate::report::has_color;
use clap::Arg;
use clap::Command;
use clap::CommandFactory;
use clap::builder::StyledStr;
use std::ffi::OsString;
use std::io;

const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{options}{after-help}";

/// Returns the short help that the arguments of the program ask for; `None` if they ask for the long one, or for that of a command
/// that has only one.
pub fn requested(arguments: &[OsString]) -> Option<StyledStr> {
    let is_short = |argument: &OsString| {
        let text = argument.to_string_lossy();
        text.starts_with('-') && !text.starts_with("--") && text.contains('h')
    };
    if !arguments.iter().any(is_short) || arguments.iter().any(|argument| argument == "--help") {
        return None;
    }
    let mut program = Arguments::command();
    program.build();
    let command = program.find_subcommand(arguments.first()?)?.clone();
    let has_long_help = command.get_after_long_help().is_some();
    has_long_help.then(|| render(command))
}

/// Renders the help of a command that is called by `name`.
pub fn of_command(command: &str, name: &str, is_long: bool) -> String {
    let mut program = Arguments::command();
    program.build();
    let Some(command) = program.find_subcommand(command).cloned() else { return String::new() };
    let help = if is_long { command.clone().render_long_help() } else { render(command) };
    let text = if has_color(&io::stdout()) { help.ansi().to_string() } else { help.to_string() };
    if name.starts_with("fjson ") { text } else { text.replace("fjson jq", name) }
}

/// Renders the help without sections, and without the values that an option accepts.
fn render(command: Command) -> StyledStr {
    let flat = |argument: Arg| argument.help_heading(None).hide_possible_values(true);
    let usage = command.clone().render_usage().to_string();
    let usage = usage.lines().next().unwrap_or_default().trim_start_matches("Usage: ").to_owned();
    command.mut_args(flat).override_usage(usage).help_template(TEMPLATE).render_help()
}
