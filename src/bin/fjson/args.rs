//! The whole command line on one page: commands, options, and the words of the help.
//!
//! There is no logic here. The man pages and completions are made from this page too, so nothing about the command line
//! is written down twice.

#![forbid(unsafe_code)]

pub mod bench;
pub mod gzip;
pub mod query;

use crate::args::bench::Bench;
use crate::args::gzip::Gzip;
use crate::args::query::Query;
use clap::ArgAction;
use clap::Args;
use clap::Parser;
use clap::Subcommand;
use clap::ValueEnum;
use clap::ValueHint;
use clap_complete::Shell;
use fjson::Isa;
use std::path::PathBuf;

/// Examples come first, then the options.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

macro_rules! exit_status {
    () => {
        "\
Exit status:
  0  fine: valid, written, formatted
  1  the answer is no: a document is invalid, or --check would change something
  2  trouble: wrong usage, an input or output failed, an input changed while it was read
  A broken pipe or an interrupt ends fjson by its signal (141, 130, 143)."
    };
}

use exit_status;

const EXAMPLES: &str = "\
Examples:
  fjson validate config.json       say what is wrong, and where; nothing if it is valid
  fjson minify big.json -o small.json
  curl -s URL | fjson pretty       check and indent
  fjson query '$..name' a.json     every value of that name, anywhere";

const VALIDATE_EXAMPLES: &str = "\
Examples:
  fjson validate a.json b.json     nothing is printed if both are valid
  fjson validate .                 every JSON file below this directory
  fjson validate --lines log.txt   one document per line; every bad line is reported
  fjson validate --format sarif . > report.sarif";

const MINIFY_EXAMPLES: &str = "\
Examples:
  fjson minify a.json > a.min.json
  fjson minify -i *.json           each file in its place
  fjson minify --lines < log.txt   one document per line, before and after
  fjson minify -S a.json           names in order, so that equal documents look the same";

const PRETTY_EXAMPLES: &str = "\
Examples:
  fjson pretty a.json | less
  fjson pretty --indent 4 -o b.json a.json
  fjson pretty -i .                every JSON file below this directory
  fjson pretty --check .           name the files that -i would change";

const STATS_EXAMPLES: &str = "\
Examples:
  fjson stats big.json             what is in it: types, sizes, names, numbers
  fjson stats --lines *.log        all inputs together
  fjson stats --format json .      for programs";

const MAN_EXAMPLES: &str = "\
Examples:
  fjson man ~/.local/share/man/man1";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  fjson completions bash > ~/.local/share/bash-completion/completions/fjson
  fjson completions zsh > ~/.zfunc/_fjson";

const VALIDATE_NOTES: &str = concat!(
    "\
Notes:
  Strict RFC 8259: UTF-8 without a byte order mark, and one document per
  input unless --lines, --stream or --seq says otherwise. Every bad input is
  reported; with --lines or --seq, every bad document.
  Names that stand twice in an object, lone surrogates and numbers of any size
  are valid JSON; --unique-keys and --ijson refuse them. A double keeps every
  digit of a number if it can be written like it, as short as can be or with
  as many digits: 0.1 and 0.10000000000000001 pass, 9007199254740993, 1e400
  and 3.141592653589793238462643383279 do not. Zeros at either end are not
  counted among the digits: 18446744073709551620 passes.

",
    exit_status!()
);

const MINIFY_NOTES: &str = concat!(
    "\
Notes:
  Numbers and strings are copied as they are written, but for what --escape
  names. A single document gets no newline at its end; several documents get one each, so that every
  document stands on a line of its own.
  Input is checked while it is copied: on standard output stands what came
  before an error. -o and -i leave the old file as it was.

",
    exit_status!()
);

const PRETTY_NOTES: &str = concat!(
    "\
Notes:
  Numbers and strings are copied as they are written. Every document ends
  with a newline; empty arrays and objects stay on one line. --max-depth is
  10000 unless given, because output grows with the square of the depth.
  Input is checked while it is copied: on standard output stands what came
  before an error. -o and -i leave the old file as it was, and -i does not
  touch a file that is formatted already. JSON Lines would lose its lines:
  -i refuses it, and in directories -i and --check leave it out.

",
    exit_status!()
);

const STATS_NOTES: &str = concat!(
    "\
Notes:
  All inputs are counted together, in one pass. Bad documents are reported,
  and count up to the error. Memory does not grow with the input, but for
  the longest token and some bytes for each open container; --max-depth is
  10000 unless given. Counts are exact, with two exceptions: beyond 65,536
  different names or strings their number is estimated (standard error
  0.8 %), and beyond 4,096 names the most frequent ones have a least and a
  greatest count. Numbers are compared exactly, whatever their length. Those
  that are not kept by a double are those that --ijson refuses.

",
    exit_status!()
);

/// Checks, minifies, pretty-prints and queries JSON (RFC 8259) at memory speed
#[derive(Parser)]
#[command(name = "fjson", arg_required_else_help = true, max_term_width = 100)]
#[command(version, propagate_version = true, disable_version_flag = true)]
#[command(help_template = TEMPLATE, before_help = EXAMPLES, after_help = exit_status!())]
pub struct Arguments {
    /// Print the version and the kernel chosen on this machine
    #[arg(short = 'V', long, action = ArgAction::Version, global = true, display_order = 999)]
    version: Option<bool>,
    #[command(subcommand)]
    pub command: Command,
}

// Only the command that runs is built, which halves the time before it does.
#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Check that inputs are valid JSON
    #[command(help_template = TEMPLATE, before_help = VALIDATE_EXAMPLES, after_help = VALIDATE_NOTES)]
    Validate(Validate),
    /// Remove whitespace, checking while copying
    #[command(help_template = TEMPLATE, before_help = MINIFY_EXAMPLES, after_help = MINIFY_NOTES)]
    Minify(Minify),
    /// Indent, checking while copying
    #[command(help_template = TEMPLATE, before_help = PRETTY_EXAMPLES, after_help = PRETTY_NOTES)]
    Pretty(Pretty),
    /// Print what JSONPath or JSON Pointer select
    #[command(help_template = TEMPLATE, before_help = query::EXAMPLES, after_help = query::NOTES)]
    Query(Box<Query>),
    /// Count types, sizes, names and numbers
    #[command(help_template = TEMPLATE, before_help = STATS_EXAMPLES, after_help = STATS_NOTES)]
    Stats(Box<Stats>),
    /// Check, minify and compress on all cores
    #[command(help_template = TEMPLATE, before_help = gzip::EXAMPLES, after_help = gzip::NOTES)]
    Gzip(Gzip),
    /// Measure speed, and run conformance suites
    #[command(help_template = TEMPLATE, before_help = bench::EXAMPLES, after_help = bench::NOTES)]
    Bench(Box<Bench>),
    /// Write the man pages into a directory
    #[command(help_template = TEMPLATE, before_help = MAN_EXAMPLES)]
    Man(Man),
    /// Print the completions for a shell
    #[command(help_template = TEMPLATE, before_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
}

#[derive(Args)]
pub struct Validate {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Args)]
pub struct Minify {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub text: Text,
    /// Write the canonical form of RFC 8785 (JCS); names that stand twice and what is no number or text to all are refused
    #[arg(long, conflicts_with_all = ["escape", "sort_keys"], help_heading = "Text")]
    pub canonical: bool,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Args)]
pub struct Pretty {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub text: Text,
    /// Spaces per level, 0 to 16; 0 breaks lines without indenting
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = crate::commands::indent)]
    #[arg(allow_negative_numbers = true, help_heading = "Layout")]
    pub indent: u8,
    /// Indent with one tab per level
    #[arg(long, conflicts_with = "indent", help_heading = "Layout")]
    pub tab: bool,
    #[command(flatten)]
    pub output: Output,
    /// Write nothing; name the inputs that are not formatted like this, and exit with 1 if there are any
    #[arg(long, conflicts_with_all = ["output", "in_place"], help_heading = "Output")]
    pub check: bool,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Args)]
pub struct Stats {
    #[command(flatten)]
    pub inputs: Inputs,
    /// Write a table, or one JSON document
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Table, help_heading = "Output")]
    pub format: Form,
    /// Show the N most frequent names
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Output")]
    pub top: usize,
    #[command(flatten)]
    pub engine: Engine,
    /// Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held of a string or number
    #[arg(long, value_name = "SIZE", value_parser = crate::commands::size, default_value = "1G", help_heading = "Engine")]
    pub max_memory: u64,
    /// Show at most N errors and then how many more there are; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = crate::commands::count)]
    #[arg(allow_negative_numbers = true, help_heading = "Report")]
    pub max_errors: u64,
    /// Colour in the report; auto asks the environment and the terminal
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_default_value = true)]
    #[arg(help_heading = "Report")]
    pub color: Color,
    /// Do not report invalid documents; the exit status tells
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Report")]
    pub quiet: bool,
    /// Say what was read, how fast, and by which kernel
    #[arg(short, long, help_heading = "Report")]
    pub verbose: bool,
}

#[derive(Args)]
pub struct Man {
    /// Directory for fjson.1 and a page for each command; made if it is missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
}

#[derive(Args)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

#[derive(Args, Clone)]
#[command(next_help_heading = "Input")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Inputs {
    /// Files, directories, or - for standard input, which is also read if no FILE is given
    #[arg(value_name = "FILE", help_heading = None, value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,
    /// One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson
    #[arg(long, group = "framing")]
    pub lines: bool,
    /// Documents one after another, with or without whitespace between them
    #[arg(long, group = "framing")]
    pub stream: bool,
    /// Documents after record separators (RFC 7464, JSON text sequences)
    #[arg(long, group = "framing")]
    pub seq: bool,
    /// Read the names of more inputs from FILE, one per line; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files_from: Option<PathBuf>,
    /// The same with a NUL after each name
    #[arg(long = "files0-from", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files0_from: Option<PathBuf>,
    /// In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out
    #[arg(short, long = "glob", value_name = "GLOB", value_parser = crate::inputs::glob)]
    pub globs: Vec<String>,
    /// In directories, take hidden files too
    #[arg(long)]
    pub hidden: bool,
    /// In directories, take files that .ignore, or in a git repository .gitignore, would leave out
    #[arg(long)]
    pub no_ignore: bool,
    /// Read regular files instead of mapping them into memory
    #[arg(long)]
    pub no_mmap: bool,
    /// Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB
    #[arg(long, value_name = "N", value_parser = crate::commands::size)]
    pub max_bytes: Option<u64>,
    /// Set by commands that would break its lines: in directories, leave out JSON Lines.
    #[arg(skip)]
    pub leave_out_lines: bool,
    /// Set by commands that write files in place: in directories, leave out compressed files.
    #[arg(skip)]
    pub leave_out_compressed: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Text")]
pub struct Text {
    /// Write characters in strings as \u escapes: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub escape: Vec<Escape>,
    /// Sort the members of each object by name, in the order of code points; an object is held in memory until it ends
    #[arg(short = 'S', long)]
    pub sort_keys: bool,
    /// Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted, and in the canonical
    /// form for a string or number
    #[arg(long, value_name = "SIZE", value_parser = crate::commands::size, default_value = "1G")]
    pub max_memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Escape {
    Ascii,
    Html,
    Js,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    /// Write to FILE, which appears when it is complete
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace each FILE by its output, keeping links, mode and owner
    #[arg(short, long, conflicts_with = "output")]
    pub in_place: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Engine")]
pub struct Engine {
    /// Refuse documents with more than N containers open at once, or none for no limit
    #[arg(long, value_name = "N", value_parser = crate::commands::depth_limit, allow_negative_numbers = true)]
    pub max_depth: Option<u64>,
    /// Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory
    #[arg(long)]
    pub unique_keys: bool,
    /// Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of
    /// which a double does not keep every digit
    #[arg(long)]
    pub ijson: bool,
    /// The kernel to use: auto, or one of those that --version names
    #[arg(long, value_name = "NAME", value_parser = crate::commands::kernel)]
    pub kernel: Option<Isa>,
    /// Work on up to N threads; 0, the default, stands for one per processor
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

#[derive(Args)]
#[command(next_help_heading = "Report")]
pub struct Reporting {
    /// Form of the report; validate writes those for machines to standard output, all else is standard error
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Human, hide_default_value = true)]
    pub format: Format,
    /// Show at most N errors and then how many more there are; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = crate::commands::count)]
    #[arg(allow_negative_numbers = true)]
    pub max_errors: u64,
    /// Colour in the report; auto asks the environment and the terminal
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_default_value = true)]
    pub color: Color,
    /// Do not report invalid documents; the exit status tells
    #[arg(short, long, conflicts_with_all = ["verbose", "format"])]
    pub quiet: bool,
    /// Say what was read, how fast, and by which kernel
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Concise,
    Json,
    Jsonl,
    Github,
    Gitlab,
    Sarif,
    Junit,
}

impl Format {
    pub fn is_for_people(self) -> bool {
        matches!(self, Self::Human | Self::Concise)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    Table,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}
