//! The command line of `fjson jq`: one table of its options.
//!
//! jq reads its command line in its own way: options may follow operands, some take two values, and the meaning of an operand depends
//! on the options before it. So this command line is not parsed by clap, but by [`settings`](crate::commands::jq), with this table.
//! Help, man page and completions are generated from the same table.

#![forbid(unsafe_code)]

use crate::args::notes::exit_status_of_jq;
use clap::Arg;
use clap::ArgAction;
use clap::ArgMatches;
use clap::Args;
use clap::Command;
use clap::FromArgMatches;
use clap::ValueHint;

pub const EXAMPLES: &str = "\
Examples:
  fjson jq '.users[] | {name, age}' a.json
  fjson jq -r 'select(.level == \"error\") | .msg' log.jsonl
  curl -s URL | fjson jq 'group_by(.kind) | map(length)'
  fjson jq -i '.version = \"2.0\"' package.json";

pub const NOTES: &str = concat!(
    "\
Notes:
  The language is that of jq 1.8. A program called by the name jq, through a
  link to fjson, is this command: ln -s \"$(command -v fjson)\" ~/bin/jq
  Options may stand anywhere, and short ones be joined: -nr. -- ends them.
  Inputs are JSON, with --jsonc also with comments, and also in gzip, zstd,
  bzip2 or xz; documents follow one another with any whitespace between them,
  or none.
  Records of a long input are processed on all cores, in order, unless the
  program asks for other inputs or writes messages.

",
    exit_status_of_jq!()
);

/// An option. Its order in [`Id`] and [`OPTIONS`] is that of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    FromFile,
    Library,
    Arg,
    ArgJson,
    SlurpFile,
    RawFile,
    Args,
    JsonArgs,
    Sandbox,
    NullInput,
    RawInput,
    Slurp,
    Stream,
    StreamErrors,
    Seq,
    Lines,
    SkipBad,
    Jsonc,
    NoJsonc,
    Bom,
    Encoding,
    NoMmap,
    MaxBytes,
    Compact,
    Raw,
    Raw0,
    Join,
    Ascii,
    SortKeys,
    Color,
    Monochrome,
    Tab,
    Indent,
    WithFilename,
    Unbuffered,
    Output,
    InPlace,
    Binary,
    ExitStatus,
    MaxDepth,
    MaxMemory,
    MaxSteps,
    MaxTime,
    Threads,
    Kernel,
    BuildConfiguration,
    Help,
    Version,
}

/// A row of the table.
pub struct Row {
    pub id: Id,
    pub short: Option<char>,
    pub long: &'static str,
    /// The names of its values.
    pub values: &'static [&'static str],
    heading: &'static str,
    help: &'static str,
    /// A second paragraph of the long help.
    more: &'static str,
    /// Whether the short help has it.
    is_basic: bool,
}

/// Builds a row.
const fn row(id: Id, short: char, long: &'static str, values: &'static [&'static str], help: &'static str) -> Row {
    let short = if short == ' ' { None } else { Some(short) };
    Row { id, short, long, values, heading: "", help, more: "", is_basic: false }
}

impl Row {
    const fn under(self, heading: &'static str) -> Self {
        Self { heading, ..self }
    }

    const fn more(self, more: &'static str) -> Self {
        Self { more, ..self }
    }

    const fn basic(self) -> Self {
        Self { is_basic: true, ..self }
    }
}

const PROGRAM: &str = "Program";
const INPUT: &str = "Input";
const OUTPUT: &str = "Output";
const LIMITS: &str = "Limits";

/// All options.
pub static OPTIONS: &[Row] = &[
    row(Id::FromFile, 'f', "from-file", &[], "The first operand names a file with the program").under(PROGRAM).basic(),
    row(Id::Library, 'L', "library-path", &["DIR"], "Search modules in DIR").under(PROGRAM).more(
        "May be repeated. Without it, they are searched in ~/.jq, and in lib/jq and lib beside the directory of the program.",
    ),
    row(Id::Arg, ' ', "arg", &["NAME", "VALUE"], "Set $NAME to a string").under(PROGRAM).basic(),
    row(Id::ArgJson, ' ', "argjson", &["NAME", "JSON"], "Set $NAME to a JSON value").under(PROGRAM).basic(),
    row(Id::SlurpFile, ' ', "slurpfile", &["NAME", "FILE"], "Set $NAME to an array of the documents in FILE").under(PROGRAM),
    row(Id::RawFile, ' ', "rawfile", &["NAME", "FILE"], "Set $NAME to the text of FILE").under(PROGRAM),
    row(Id::Args, ' ', "args", &[], "Take the operands after it as strings: $ARGS.positional").under(PROGRAM),
    row(Id::JsonArgs, ' ', "jsonargs", &[], "Take the operands after it as JSON values: $ARGS.positional").under(PROGRAM),
    row(Id::Sandbox, ' ', "sandbox", &[], "Run an untrusted program").under(PROGRAM).more(
        "It cannot use env, $ENV, input_filename, debug, stderr, import and include. Without other limits, it may take 10 seconds, and \
         1 GiB for its values.",
    ),
    row(Id::NullInput, 'n', "null-input", &[], "Run once with null; `inputs` reads the inputs").under(INPUT).basic(),
    row(Id::RawInput, 'R', "raw-input", &[], "Read each line as a string").under(INPUT).basic(),
    row(Id::Slurp, 's', "slurp", &[], "Read all documents into one array").under(INPUT).basic().more("With -R, all text into one string."),
    row(Id::Stream, ' ', "stream", &[], "Read documents as events: [path, value], in bounded memory").under(INPUT),
    row(Id::StreamErrors, ' ', "stream-errors", &[], "Like --stream, with errors of the input as events: [message, path]").under(INPUT),
    row(Id::Seq, ' ', "seq", &[], "Read and write JSON text sequences (RFC 7464)").under(INPUT).more(
        "Each document follows a record separator, U+001E. Invalid ones are reported and skipped.",
    ),
    row(Id::Lines, ' ', "lines", &[], "Read one document per line (JSON Lines, NDJSON)").under(INPUT).more(
        "Then reading can go on after an invalid line; see --skip-bad.",
    ),
    row(Id::SkipBad, ' ', "skip-bad", &[], "Skip invalid lines, and print their number").under(INPUT).more(
        "Implies --lines unless --seq is given. They do not change the exit status.",
    ),
    row(Id::Jsonc, ' ', "jsonc", &[], "Accept comments and trailing commas (JSONC)").under(INPUT).more(
        "This is the default for *.jsonc, *.code-workspace, tsconfig*.json, jsconfig*.json, devcontainer.json, .eslintrc, and .json files in \
         .vscode.",
    ),
    row(Id::NoJsonc, ' ', "no-jsonc", &[], "Accept no comments in any file").under(INPUT),
    row(Id::Bom, ' ', "bom", &["WHAT"], "What to do with a byte order mark in UTF-8: error, accept or strip").under(INPUT),
    row(Id::Encoding, ' ', "encoding", &["NAME"], "Encoding of the inputs: utf-8, or auto for that of their byte order mark").under(INPUT),
    row(Id::NoMmap, ' ', "no-mmap", &[], "Read regular files instead of memory-mapping them").under(INPUT),
    row(Id::MaxBytes, ' ', "max-bytes", &["N"], "Reject compressed inputs that expand to more than N bytes").under(INPUT),
    row(Id::Compact, 'c', "compact-output", &[], "Write each output on one line").under(OUTPUT).basic(),
    row(Id::Raw, 'r', "raw-output", &[], "Write strings without quotes and escapes").under(OUTPUT).basic(),
    row(Id::Raw0, ' ', "raw-output0", &[], "Like -r, with a NUL after each output instead of a newline").under(OUTPUT),
    row(Id::Join, 'j', "join-output", &[], "Like -r, without newlines between outputs").under(OUTPUT),
    row(Id::Ascii, 'a', "ascii-output", &[], "Escape all characters that are not ASCII").under(OUTPUT),
    row(Id::SortKeys, 'S', "sort-keys", &[], "Sort the keys of each object").under(OUTPUT).basic(),
    row(Id::Color, 'C', "color-output", &[], "Write colors even if the output is not a terminal").under(OUTPUT),
    row(Id::Monochrome, 'M', "monochrome-output", &[], "Write no colors").under(OUTPUT),
    row(Id::Tab, ' ', "tab", &[], "Indent with one tab per level").under(OUTPUT),
    row(Id::Indent, ' ', "indent", &["N"], "Indent with N spaces per level, 0 to 7; 0 breaks lines without indenting them").under(OUTPUT),
    row(Id::WithFilename, ' ', "with-filename", &[], "Write the name of the input before each output").under(OUTPUT),
    row(Id::Unbuffered, ' ', "unbuffered", &[], "Write each output at once").under(OUTPUT).more(
        "Without it, outputs are collected while more input is at hand.",
    ),
    row(Id::Output, 'o', "output", &["FILE"], "Write to FILE").under(OUTPUT).more(
        "It is created or replaced only when the output is complete. - is standard output.",
    ),
    row(Id::InPlace, 'i', "in-place", &[], "Replace each file by its outputs").under(OUTPUT).basic().more(
        "Only if there is no error. Preserves symbolic links, mode, owner and extended attributes. input and inputs read the same file.",
    ),
    row(Id::Binary, 'b', "binary", &[], "Accepted for jq; data is never converted").under(OUTPUT),
    row(Id::ExitStatus, 'e', "exit-status", &[], "Set the exit status by the last output").under(OUTPUT).basic(),
    row(Id::MaxDepth, ' ', "max-depth", &["N"], "Reject documents that are nested more than N levels deep").under(LIMITS),
    row(Id::MaxMemory, ' ', "max-memory", &["SIZE"], "End a program whose values need more memory; the default is 4G").under(LIMITS).more(
        "The suffixes K, M and G stand for KiB, MiB and GiB.",
    ),
    row(Id::MaxSteps, ' ', "max-steps", &["N"], "End a program after N calls and iterations for one input").under(LIMITS),
    row(Id::MaxTime, ' ', "max-time", &["SECONDS"], "End a program that takes longer for one input").under(LIMITS),
    row(Id::Threads, ' ', "threads", &["N"], "Use up to N threads; 0, the default, uses one per processor").under(LIMITS),
    row(Id::Kernel, ' ', "kernel", &["NAME"], "Kernel to use: auto, or one of those listed by fjson --version").under(LIMITS),
    row(Id::BuildConfiguration, ' ', "build-configuration", &[], "Print how the program was built").under(LIMITS),
    row(Id::Help, 'h', "help", &[], ""),
    row(Id::Version, 'V', "version", &[], ""),
];

/// The arguments of `fjson jq`, for clap: it only describes them.
pub struct Jq;

impl Args for Jq {
    fn augment_args(command: Command) -> Command {
        let is_described = |row: &&Row| !row.help.is_empty();
        let options = OPTIONS.iter().filter(is_described).map(|row| {
            let mut arg = Arg::new(row.long).long(row.long).help(row.help).help_heading(row.heading);
            if let Some(short) = row.short {
                arg = arg.short(short);
            }
            if !row.more.is_empty() {
                arg = arg.long_help(format!("{}\n\n{}", row.help, row.more));
            }
            arg = match row.values {
                [] => arg.action(ArgAction::SetTrue),
                values => arg.action(ArgAction::Append).num_args(values.len()).value_names(values),
            };
            match row.values.last() {
                Some(&"FILE") => arg = arg.value_hint(ValueHint::FilePath),
                Some(&"DIR") => arg = arg.value_hint(ValueHint::DirPath),
                _ => {}
            }
            arg.hide_short_help(!row.is_basic)
        });
        let filter =
            Arg::new("FILTER").help("The program; . if it is left out and standard input or output is no terminal");
        let files = Arg::new("FILE").help("Files, or - for standard input (the default)").num_args(0..);
        command.arg(filter).arg(files.value_hint(ValueHint::FilePath)).args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Jq {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), clap::Error> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::OPTIONS;

    #[test]
    fn each_option_has_names_of_its_own() {
        let mut names: Vec<_> = OPTIONS.iter().map(|row| row.long.to_owned()).collect();
        names.extend(OPTIONS.iter().filter_map(|row| row.short).map(String::from));
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
