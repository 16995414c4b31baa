//! The command-line options that the advice of the library is about. Its help sentences do not mention options.

#![forbid(unsafe_code)]

use crate::args::Arguments;
use crate::sanitize;
use clap::Arg;
use clap::Command;
use clap::CommandFactory;
use fjson::ErrorKind;
use std::env;
use std::sync::OnceLock;

/// The ends of help sentences, and the options or commands that do what they advise.
const ADVICE: [(&str, &[&str]); 16] = [
    ("raise the limit if the machine has more memory", &["--max-memory"]),
    ("as JSON Lines or concatenated JSON", &["--lines", "--stream"]),
    ("missing parents can be created", &["--parents"]),
    ("can be left as they are", &["--missing-ok"]),
    ("can be read too", &["--stream"]),
    ("as JSON Lines or a JSON text sequence", &["--lines", "--seq"]),
    ("as a JSON text sequence", &["--seq"]),
    ("as JSON Lines", &["--lines"]),
    ("as JSON Lines and skip the others", &["fjson query --lines --skip-bad"]),
    ("can be skipped", &["fjson query --lines --skip-bad"]),
    ("let the byte order mark be skipped", &["--bom accept"]),
    ("as JSON with comments", &["--jsonc"]),
    ("leave the comments out", &["--strip"]),
    ("or let it be decoded", &["--encoding auto"]),
    ("or let it be skipped", &["--skip-prefix"]),
    ("or let it be skipped up to the first `{`", &["--skip-prefix=object"]),
];

const AT_MOST_WITH_SCHEMA: &str = "with a schema, 1000 levels are the most, whatever `--max-depth` says";

/// Returns the help sentence of an error with the options of the running command, sanitized. `None` if it advises what the command has
/// no option for.
pub fn with_options(kind: ErrorKind, help: &str) -> Option<String> {
    let text = sanitize::text(help);
    let options = match kind {
        ErrorKind::DepthLimit if has_schema() => return Some(AT_MOST_WITH_SCHEMA.to_owned()),
        ErrorKind::DepthLimit => &["--max-depth"],
        ErrorKind::ExpansionLimit => &["--max-bytes"],
        ErrorKind::InputChanged => &["--no-mmap"],
        _ => match ADVICE.iter().find(|(end, _)| help.ends_with(end)) {
            Some(&(_, options)) => options,
            None => return Some(text),
        },
    };
    let known = options.iter().filter(|option| is_known(option)).map(|option| format!("`{option}`"));
    let known: Vec<_> = known.collect();
    let is_single = options.iter().all(|option| ["--lines", "--stream", "--seq"].contains(option))
        && env::args_os().any(|argument| argument == "--single");
    let instead = if is_single { " instead of `--single`" } else { "" };
    (!known.is_empty()).then(|| format!("{text} ({}{instead})", known.join(", ")))
}

/// Whether the inputs are validated against a schema.
fn has_schema() -> bool {
    env::args_os().any(|argument| {
        let argument = argument.as_encoded_bytes();
        argument.starts_with(b"--schema") || argument == b"--check-schema"
    })
}

/// Whether the running command has an option. Command lines of other commands are known, too.
fn is_known(option: &str) -> bool {
    static OPTIONS: OnceLock<Vec<String>> = OnceLock::new();
    let options = OPTIONS.get_or_init(|| {
        let mut program = Arguments::command();
        program.build();
        let named = env::args_os().nth(1).and_then(|name| program.find_subcommand(name));
        let options =
            |command: &Command| command.get_arguments().filter_map(Arg::get_long).map(str::to_owned).collect();
        match named {
            Some(command) if command.get_name() != "jq" => options(command),
            // The program may have been called by the name jq. There, `--stream` is about events.
            _ => program.find_subcommand("jq").map_or_else(Vec::new, |command| {
                let options: Vec<_> = options(command);
                options.into_iter().filter(|option| option != "stream").collect()
            }),
        }
    });
    option
        .strip_prefix("--")
        .is_none_or(|option| options.iter().any(|known| option.split([' ', '=']).next() == Some(known.as_str())))
}
