//! The program `fjson`: parses the command line, runs one command and turns its answer into an exit status.
//!
//! It is a crate of its own, so it sees only the public library. Everything a user can rely on from outside (options,
//! streams, exit status, files left behind) is decided in this folder and nowhere else.

mod args;
mod blocking;
mod commands;
mod exit;
mod figures;
mod inputs;
mod json;
mod junit;
mod name;
mod pipe;
mod replacement;
mod report;
mod sanitize;
mod scheduler;
mod signals;
mod source;
mod stderr;
mod target;

use crate::args::Arguments;
use crate::args::Command;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::report::has_color;
use crate::target::Target;
use clap::CommandFactory;
use clap::Parser;
use clap::error::ErrorKind;
use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

fn main() -> ExitCode {
    signals::end_without_memory();
    signals::outlive_the_file_size_limit();
    let exit = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(usage) if usage.kind() == ErrorKind::DisplayVersion => commands::version::run(),
        Err(usage) => Ok(explain_usage(&usage)),
    };
    exit.unwrap_or_else(|trouble| trouble.say()).into()
}

fn run(mut command: Command) -> Result<Exit, RunError> {
    if let Command::Query(query) = &mut command {
        query.settle();
    }
    if let Some(name) = would_wait_for_a_keyboard(&command) {
        return Ok(short_help(name));
    }
    match command {
        Command::Validate(validate) => commands::validate::run(&validate),
        Command::Minify(minify) => commands::minify::run(&minify),
        Command::Pretty(pretty) => commands::pretty::run(pretty),
        Command::Query(query) => commands::query::run(&query),
        Command::Stats(stats) => commands::stats::run(*stats),
        Command::Gzip(gzip) => commands::gzip::run(&gzip),
        Command::Bench(bench) => commands::bench::run(&bench),
        Command::Man(man) => commands::man::run(&man),
        Command::Completions(completions) => commands::completions::run(&completions),
    }
}

/// The name of a command that was given no input and would read the keyboard.
fn would_wait_for_a_keyboard(command: &Command) -> Option<&'static str> {
    let (name, inputs) = match command {
        Command::Validate(validate) => ("validate", &validate.inputs),
        Command::Minify(minify) => ("minify", &minify.inputs),
        Command::Pretty(pretty) => ("pretty", &pretty.inputs),
        Command::Query(query) => ("query", &query.inputs),
        Command::Stats(stats) => ("stats", &stats.inputs),
        Command::Gzip(gzip) => ("gzip", &gzip.inputs),
        Command::Bench(_) | Command::Man(_) | Command::Completions(_) => return None,
    };
    inputs.would_wait_for_a_keyboard().then_some(name)
}

/// Says what a command wants instead of hanging.
fn short_help(name: &str) -> Exit {
    let mut program = Arguments::command();
    program.build();
    if let Some(command) = program.find_subcommand_mut(name) {
        stderr::say(&command.render_help().to_string()).ok();
    }
    Exit::RunError
}

/// What clap has to say: help goes to standard output, anything else is a mistake in the command line.
fn explain_usage(usage: &clap::Error) -> Exit {
    let words = usage.render();
    if usage.use_stderr() {
        // The words repeat the command line, which may hold anything.
        let is_harmless = |argument: OsString| sanitize::bytes(argument.as_bytes()).as_bytes() == argument.as_bytes();
        let text = if has_color(&io::stderr()) && env::args_os().all(is_harmless) {
            words.ansi().to_string()
        } else {
            words.to_string().lines().map(|line| sanitize::text(line) + "\n").collect()
        };
        // If this fails too, the exit status still tells.
        stderr::say(&text).ok();
        return Exit::RunError;
    }
    let text = if has_color(&io::stdout()) { words.ansi().to_string() } else { words.to_string() };
    match Target::stdout().and_then(|mut target| target.print(text)) {
        Ok(()) => Exit::Fine,
        Err(trouble) => trouble.say(),
    }
}
