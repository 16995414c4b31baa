//! The program `fjson`: parses the command line, runs one command and turns its result into an exit status.
//!
//! It is a separate crate, so it can only use the public API of the library. Everything that users can rely on (options,
//! streams, exit status, temporary files) is defined in this directory.

mod args;
mod blocking;
mod colorizer;
mod colors;
mod commands;
mod decoding;
mod exit;
mod extension;
mod figures;
mod growing;
mod inputs;
mod json_text;
mod junit;
mod meant;
mod name;
mod output_file;
mod outputs;
mod pipe;
mod platform;
mod progress;
mod replacement;
mod report;
mod sanitize;
mod scheduler;
mod short_help;
mod signals;
mod source;
mod stderr;
mod target;
mod terminal;

use crate::args::Arguments;
use crate::args::Command;
use crate::args::Inputs;
use crate::args::Output;
use crate::args::Reporting;
use crate::args::Verbosity;
use crate::commands::jq::Invocation;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::output_file::SAME_FILE;
use crate::output_file::SAME_FILE_OR_IN_PLACE;
use crate::report::has_color;
use crate::target::Target;
use clap::CommandFactory;
use clap::Parser;
use clap::builder::StyledStr;
use clap::error::ContextKind;
use clap::error::ContextValue;
use clap::error::ErrorKind;
use std::env;
use std::ffi::OsStr;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    signals::exit_on_out_of_memory(Exit::Error as i32);
    signals::ignore_file_size_limit();
    if let Some(name) = meant::name_like_option(env::args_os().skip(1)) {
        return RunError::new(Name::Path(name), meant::NAME_LIKE_OPTION).print().into();
    }
    if let Some((invocation, arguments)) = Invocation::of(env::args_os()) {
        return commands::jq::run(invocation, arguments).into();
    }
    if commands::version::wants_details(env::args_os().skip(1)) {
        return commands::version::run(true).unwrap_or_else(|error| error.print()).into();
    }
    let exit = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(usage) if usage.kind() == ErrorKind::DisplayVersion => commands::version::run(false),
        Err(usage) => Ok(print_usage(&with_tips(usage))),
    };
    exit.unwrap_or_else(|error| error.print()).into()
}

fn run(mut command: Command) -> Result<Exit, RunError> {
    if let Command::Query(query) = &mut command {
        query.place_operand();
    }
    complete_inputs(&mut command);
    let same_file = same_file(&mut command);
    if let Some(inputs) = inputs(&mut command) {
        same_file.map_or(Ok(()), |message| outputs::check_stdout(inputs, message))?;
        inputs.check_stdin_for_options()?;
        inputs.announce_terminal();
    }
    match command {
        Command::Validate(validate) => commands::validate::run(validate),
        Command::Minify(minify) => commands::minify::run(minify),
        Command::Pretty(pretty) => commands::pretty::run(pretty),
        Command::Query(query) => commands::query::run(&query),
        Command::Edit(edit) => commands::edit::edit(*edit),
        Command::Set(set) => commands::edit::set(*set),
        Command::Delete(delete) => commands::edit::delete(*delete),
        Command::Patch(patch) => commands::edit::patch(*patch),
        Command::Merge(merge) => commands::edit::merge(*merge),
        Command::Diff(diff) => commands::diff::run(&diff),
        Command::Stats(stats) => commands::stats::run(*stats),
        // It is known before the command line is parsed.
        Command::Jq(_) => Ok(Exit::Error),
        Command::Gzip(gzip) => commands::gzip::run(&gzip),
        Command::Bench(bench) => commands::bench::run(&bench),
        Command::Man(man) => commands::man::run(&man),
        Command::Completions(completions) => commands::completions::run(&completions),
    }
}

/// Adds to the inputs of a command those of its other options that they depend on.
fn complete_inputs(command: &mut Command) {
    let verbosity = |reporting: &Reporting| Verbosity::of(reporting.quiet, reporting.verbose);
    let also_read = also_read(command);
    if let Some(changing) = command.changing() {
        (changing.inputs.verbosity, changing.inputs.also_read) = (verbosity(&changing.reporting), also_read);
        return;
    }
    let (inputs, ranges, verbosity) = match command {
        Command::Validate(it) => (&mut it.inputs, Some(&mut it.ranges), verbosity(&it.reporting)),
        Command::Minify(it) => (&mut it.inputs, Some(&mut it.ranges), verbosity(&it.reporting)),
        Command::Pretty(it) => (&mut it.inputs, None, verbosity(&it.reporting)),
        Command::Query(it) => (&mut it.inputs, Some(&mut it.ranges), verbosity(&it.reporting)),
        Command::Gzip(it) => (&mut it.inputs, None, verbosity(&it.reporting)),
        Command::Stats(it) => (&mut it.inputs, Some(&mut it.ranges), Verbosity::of(it.quiet, it.verbose)),
        Command::Bench(it) => {
            it.inputs.also_read = also_read;
            return;
        }
        _ => return,
    };
    (inputs.verbosity, inputs.also_read) = (verbosity, also_read);
    if let Some(ranges) = ranges {
        (inputs.part, inputs.splits_from) = (ranges.range, ranges.splits_from.take());
    }
}

/// Returns the files that options and operands of a command name beside its inputs.
fn also_read(command: &Command) -> Vec<PathBuf> {
    match command {
        Command::Validate(it) => it.schema.files(),
        Command::Minify(it) => it.schema.files(),
        Command::Pretty(it) => it.schema.files(),
        Command::Query(it) => it.schema.files(),
        Command::Gzip(it) => it.schema.files(),
        Command::Edit(it) => it.operations.files(),
        Command::Patch(it) => vec![it.patch.clone()],
        Command::Merge(it) => vec![it.patch.clone()],
        Command::Bench(it) => it.measurement.baseline.iter().cloned().collect(),
        _ => Vec::new(),
    }
}

/// Returns what to say if standard output is also an input, for a command that writes to it.
fn same_file(command: &mut Command) -> Option<&'static str> {
    let without = |output: &Output| (output.path().is_none() && !output.in_place).then_some(SAME_FILE_OR_IN_PLACE);
    match command {
        Command::Validate(it) => (!it.reporting.format.is_human_readable()).then_some(SAME_FILE),
        Command::Minify(it) => without(&it.output),
        Command::Pretty(it) => without(&it.output),
        Command::Query(_) | Command::Stats(_) => Some(SAME_FILE),
        Command::Gzip(it) => it.stdout.then_some(SAME_FILE),
        command => without(&command.changing()?.output),
    }
}

/// Returns the inputs of a command that reads standard input if none are named.
fn inputs(command: &mut Command) -> Option<&Inputs> {
    Some(match command {
        Command::Validate(validate) => &validate.inputs,
        Command::Minify(minify) => &minify.inputs,
        Command::Pretty(pretty) => &pretty.inputs,
        Command::Query(query) => &query.inputs,
        Command::Stats(stats) => &stats.inputs,
        Command::Gzip(gzip) => &gzip.inputs,
        command => &command.changing()?.inputs,
    })
}

/// Adds the command or option that was meant to the error for an unknown one.
fn with_tips(mut usage: clap::Error) -> clap::Error {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let Some((command, rest)) = arguments.split_first() else { return usage };
    let tips = match (usage.kind(), usage.get(ContextKind::InvalidArg)) {
        (ErrorKind::InvalidSubcommand, _) => meant::tips(&arguments),
        (ErrorKind::UnknownArgument, Some(_)) if command.as_encoded_bytes().starts_with(b"-") => {
            meant::tips(&arguments)
        }
        (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) => one_dash(command, option, rest)
            .map_or_else(|| meant::option(&command.to_string_lossy(), option, rest), |tip| vec![tip]),
        (ErrorKind::InvalidValue, _)
            if usage.get(ContextKind::InvalidValue) == Some(&ContextValue::String(String::new()))
                && arguments
                    .iter()
                    .any(|argument| argument.is_empty() || argument.as_encoded_bytes().ends_with(b"=")) =>
        {
            vec!["an argument is empty; it may be a variable of the shell that is not set".to_owned()]
        }
        _ => Vec::new(),
    };
    let found = [ContextKind::InvalidArg, ContextKind::SuggestedArg].map(|kind| usage.get(kind));
    let is_far = matches!(found, [Some(ContextValue::String(option)), Some(ContextValue::String(similar))]
        if !meant::is_misspelling(option, similar));
    if !tips.is_empty() || is_far {
        usage.remove(ContextKind::SuggestedSubcommand);
        // The usage is that of the option that was suggested.
        if usage.remove(ContextKind::SuggestedArg).is_some()
            && let Some(found) = Arguments::command().find_subcommand_mut(command)
        {
            let shown = found.clone().bin_name(format!("fjson {}", found.get_name())).render_usage();
            usage.insert(ContextKind::Usage, ContextValue::StyledStr(shown));
        }
    }
    if !tips.is_empty() {
        let tips = tips.into_iter().map(StyledStr::from).collect();
        usage.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    // The most similar name is the last one.
    if let Some(ContextValue::Strings(mut names)) = usage.remove(ContextKind::SuggestedSubcommand) {
        names.reverse();
        if let Some(ContextValue::String(unknown)) = usage.get(ContextKind::InvalidSubcommand) {
            names.retain(|name| meant::is_misspelling(unknown, name));
        }
        if !names.is_empty() {
            usage.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(names));
        }
    }
    usage
}

/// Returns a tip if the unknown option is a letter of a long option that was written with one dash.
fn one_dash(command: &OsStr, option: &str, arguments: &[OsString]) -> Option<String> {
    let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1)?;
    let mut command = Arguments::command().find_subcommand(command)?.clone();
    command.build();
    arguments.iter().filter_map(|argument| argument.to_str()?.strip_prefix('-')).find_map(|word| {
        let name = word.split('=').next()?;
        let is_long = command.get_arguments().any(|argument| argument.get_long() == Some(name));
        (is_long && word.contains(letter)).then(|| format!("long options begin with two dashes: --{word}"))
    })
}

/// Prints a message from clap: help to standard output, usage errors to standard error.
fn print_usage(usage: &clap::Error) -> Exit {
    let short_help = || short_help::requested(&env::args_os().skip(1).collect::<Vec<_>>());
    let message = match usage.kind() {
        ErrorKind::DisplayHelp => short_help().unwrap_or_else(|| usage.render()),
        _ => usage.render(),
    };
    if usage.use_stderr() {
        // The message quotes the command line, which may contain control characters.
        let is_sanitized = |argument: OsString| {
            let argument = argument.as_encoded_bytes();
            sanitize::bytes(argument).as_bytes() == argument
        };
        let text = if has_color(&io::stderr()) && env::args_os().all(is_sanitized) {
            message.ansi().to_string()
        } else {
            message.to_string().lines().map(|line| sanitize::text(line) + "\n").collect()
        };
        // If writing fails, the exit status still reports the error.
        stderr::print(&text).ok();
        return Exit::Error;
    }
    let text = if has_color(&io::stdout()) { message.ansi().to_string() } else { message.to_string() };
    match Target::stdout().and_then(|mut target| target.print(text)) {
        Ok(()) => Exit::Success,
        Err(error) => error.print(),
    }
}
