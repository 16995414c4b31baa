//! `fjson completions SHELL`: prints the completion script for a shell.

#![forbid(unsafe_code)]

use crate::args::Arguments;
use crate::args::Completions;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::target::Target;
use clap::CommandFactory;

pub fn run(arguments: &Completions) -> Result<Exit, RunError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "fjson", &mut script);
    Target::stdout()?.print(script)?;
    Ok(Exit::Success)
}
