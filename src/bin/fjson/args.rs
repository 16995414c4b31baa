//! The command line: commands, options and help texts.
//!
//! Apart from small conversions, there is no logic here. The man pages and completions are generated from these definitions.

#![forbid(unsafe_code)]

pub mod bench;
pub mod gzip;
pub mod query;
pub mod ranges;
pub mod values;

use crate::args::bench::Bench;
use crate::args::gzip::Gzip;
use crate::args::query::Query;
use crate::args::ranges::Ranges;
use crate::args::values::Part;
use clap::ArgAction;
use clap::Args;
use clap::Parser;
use clap::Subcommand;
use clap::ValueEnum;
use clap::ValueHint;
use clap_complete::Shell;
use fjson::Isa;
use std::path::Path;
use std::path::PathBuf;

/// Layout of each help page: the examples come before the options.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

macro_rules! exit_status {
    () => {
        "\
Exit status:
  0  success: all documents are valid, and all output was written
  1  a document is invalid, or pretty --check found one that is not formatted
  2  an error: wrong usage, failed input or output, changed input, or damaged compressed data
  A broken pipe, an interrupt or SIGTERM ends fjson by its signal (141, 130, 143)."
    };
}

use exit_status;

const EXAMPLES: &str = "\
Examples:
  fjson validate config.json       report errors and their locations; print nothing if valid
  fjson minify big.json -o small.json
  curl -s URL | fjson pretty       validate and indent
  fjson query '$..name' a.json     print every value with the key \"name\", at any depth";

const VALIDATE_EXAMPLES: &str = "\
Examples:
  fjson validate a.json b.json     print nothing if both files are valid
  fjson validate .                 all JSON files in this directory and its subdirectories
  fjson validate --lines log.txt   one document per line; report every invalid line
  fjson validate --format sarif . > report.sarif";

const MINIFY_EXAMPLES: &str = "\
Examples:
  fjson minify a.json > a.min.json
  fjson minify -i *.json           edit each file in place
  fjson minify --lines < log.txt   one document per line in the input and in the output
  fjson minify -S a.json           sort the keys, so that equal documents have equal text";

const PRETTY_EXAMPLES: &str = "\
Examples:
  fjson pretty a.json | less
  fjson pretty --indent 4 -o b.json a.json
  fjson pretty -i .                all JSON files in this directory and its subdirectories
  fjson pretty --check .           list the files that -i would change";

const STATS_EXAMPLES: &str = "\
Examples:
  fjson stats big.json             count types, sizes, keys and numbers
  fjson stats --lines *.log        totals over all inputs
  fjson stats --format json .      print the statistics as JSON";

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
  input unless --lines, --stream or --seq is given. Every invalid input is
  reported; with --lines or --seq, every invalid record.
  Duplicate keys, lone surrogates and numbers of any size are valid JSON;
  --unique-keys and --ijson reject them. --ijson accepts a number if its
  digits are those of the nearest double, printed either in its shortest form
  or with as many digits as the number has: 0.1 and 0.10000000000000001 are
  accepted; 9007199254740993, 1e400 and 3.141592653589793238462643383279 are
  not. Leading and trailing zeros do not count as digits:
  18446744073709551620 is accepted.

",
    exit_status!()
);

const MINIFY_NOTES: &str = concat!(
    "\
Notes:
  Numbers and strings are copied unchanged, except for --escape and
  --canonical. A single document is written without a final newline; several
  documents get one newline each, so that each is on a line of its own.
  Input is validated while it is copied, so standard output may contain the
  text before an error. With -o and -i, an error leaves the old file unchanged.

",
    exit_status!()
);

const PRETTY_NOTES: &str = concat!(
    "\
Notes:
  Numbers and strings are copied unchanged, except for --escape. Every
  document ends with a newline; empty arrays and objects stay on one line.
  On a terminal, output is colored as by jq, unless NO_COLOR is set, and control
  characters in strings are shown as escapes. FJSON_COLORS, or else JQ_COLORS,
  sets the colors. --color always adds colors to other output, as for less -R.
  --max-depth defaults to 10000, because the output can grow with the square
  of the depth.
  Input is validated while it is copied, so standard output may contain the
  text before an error. With -o and -i, an error leaves the old file unchanged.
  -i does not touch files that are already formatted. It rejects JSON Lines,
  because records would no longer be on one line each; in directories, -i and
  --check skip JSON Lines files.

",
    exit_status!()
);

const STATS_NOTES: &str = concat!(
    "\
Notes:
  All inputs are counted together, in one pass. Invalid documents are
  reported, and are counted up to the error. Memory use does not grow with
  the input, except for the longest token and a few bytes per open container;
  --max-depth defaults to 10000. Counts are exact, with two exceptions: the
  number of distinct keys or strings is estimated beyond 65,536 (standard
  error 0.8 %), and beyond 4,096 distinct keys, the counts of the most
  frequent keys are lower and upper bounds. Numbers are compared exactly,
  whatever their length. \"inexact as double\" counts the numbers that --ijson
  rejects.

",
    exit_status!()
);

/// Validate, minify, pretty-print and query JSON (RFC 8259) at gigabytes per second
#[derive(Parser)]
#[command(name = "fjson", arg_required_else_help = true, max_term_width = 100)]
#[command(version, propagate_version = true, disable_version_flag = true)]
#[command(help_template = TEMPLATE, before_help = EXAMPLES, after_help = exit_status!())]
pub struct Arguments {
    /// Print the version and the kernels available on this machine
    #[arg(short = 'V', long, action = ArgAction::Version, global = true, display_order = 999)]
    version: Option<bool>,
    #[command(subcommand)]
    pub command: Command,
}

// With `defer`, clap builds only the selected subcommand. This halves the startup time.
#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Check that inputs are valid JSON
    #[command(help_template = TEMPLATE, before_help = VALIDATE_EXAMPLES, after_help = VALIDATE_NOTES)]
    Validate(Validate),
    /// Validate and remove whitespace
    #[command(help_template = TEMPLATE, before_help = MINIFY_EXAMPLES, after_help = MINIFY_NOTES)]
    Minify(Minify),
    /// Validate and indent
    #[command(help_template = TEMPLATE, before_help = PRETTY_EXAMPLES, after_help = PRETTY_NOTES)]
    Pretty(Pretty),
    /// Print the values selected by a JSONPath or JSON Pointer
    #[command(help_template = TEMPLATE, before_help = query::EXAMPLES, after_help = query::NOTES)]
    Query(Box<Query>),
    /// Count types, sizes, keys and numbers
    #[command(help_template = TEMPLATE, before_help = STATS_EXAMPLES, after_help = STATS_NOTES)]
    Stats(Box<Stats>),
    /// Validate, minify and compress on all cores
    #[command(help_template = TEMPLATE, before_help = gzip::EXAMPLES, after_help = gzip::NOTES)]
    Gzip(Gzip),
    /// Measure speed and run conformance suites
    #[command(help_template = TEMPLATE, before_help = bench::EXAMPLES, after_help = bench::NOTES)]
    Bench(Box<Bench>),
    /// Write the man pages to a directory
    #[command(help_template = TEMPLATE, before_help = MAN_EXAMPLES)]
    Man(Man),
    /// Print the completion script for a shell
    #[command(help_template = TEMPLATE, before_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
}

#[derive(Args)]
pub struct Validate {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub ranges: Ranges,
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
    pub ranges: Ranges,
    #[command(flatten)]
    pub text: Text,
    /// Write the canonical form of RFC 8785 (JCS); rejects duplicate keys, lone surrogates and numbers too large for a double
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
    /// Number of spaces per level, 0 to 16; 0 breaks lines without indenting them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = values::indent)]
    #[arg(allow_negative_numbers = true, help_heading = "Layout")]
    pub indent: u8,
    /// Indent with one tab per level
    #[arg(long, conflicts_with = "indent", help_heading = "Layout")]
    pub tab: bool,
    #[command(flatten)]
    pub output: Output,
    /// Write no documents; list the inputs that are not formatted, and exit with 1 if there are any
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
    #[command(flatten)]
    pub ranges: Ranges,
    /// Output format: a table or one JSON document
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Table, help_heading = "Output")]
    pub format: Form,
    /// Show the N most frequent keys
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Output")]
    pub top: usize,
    #[command(flatten)]
    pub engine: Engine,
    /// Limit on the memory for a single string or number, in bytes; the suffixes K, M and G stand for KiB, MiB and GiB
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "1G", help_heading = "Engine")]
    pub max_memory: u64,
    /// Show at most N errors, then the number of errors that were omitted; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = values::count)]
    #[arg(allow_negative_numbers = true, help_heading = "Report")]
    pub max_errors: u64,
    /// When to use colors in the report; auto depends on the environment and on whether standard error is a terminal
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_default_value = true)]
    #[arg(help_heading = "Report")]
    pub color: Color,
    /// Do not report invalid documents; check the exit status
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Report")]
    pub quiet: bool,
    /// Print the number of documents and bytes read, the speed and the kernel for each input
    #[arg(short, long, help_heading = "Report")]
    pub verbose: bool,
}

#[derive(Args)]
pub struct Man {
    /// Directory for fjson.1 and one page per command; created if it does not exist
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
}

#[derive(Args)]
pub struct Completions {
    /// Shell to generate the script for
    pub shell: Shell,
}

#[derive(Args, Clone)]
#[command(next_help_heading = "Input")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Inputs {
    /// Files or directories, or - for standard input (the default)
    #[arg(value_name = "FILE", help_heading = None, value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,
    /// Read one document per line (JSON Lines, NDJSON); the default for files ending in .jsonl or .ndjson
    #[arg(long, group = "framing")]
    pub lines: bool,
    /// Read concatenated documents, with or without whitespace between them
    #[arg(long, group = "framing")]
    pub stream: bool,
    /// Read JSON text sequences (RFC 7464): documents preceded by record separators
    #[arg(long, group = "framing")]
    pub seq: bool,
    /// Read the names of further inputs from FILE, one per line; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files_from: Option<PathBuf>,
    /// Like --files-from, but with a NUL after each name
    #[arg(long = "files0-from", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files0_from: Option<PathBuf>,
    /// In directories, include only files that match GLOB, with any extension, even hidden ones; !GLOB excludes files
    #[arg(short, long = "glob", value_name = "GLOB", value_parser = values::glob)]
    pub globs: Vec<String>,
    /// In directories, include hidden files
    #[arg(long)]
    pub hidden: bool,
    /// In directories, include files that are excluded by .ignore, or by .gitignore in a git repository
    #[arg(long)]
    pub no_ignore: bool,
    /// Read regular files instead of memory-mapping them
    #[arg(long)]
    pub no_mmap: bool,
    /// Reject gzip and zstd inputs that expand to more than N bytes; the suffixes K, M and G stand for KiB, MiB and GiB
    #[arg(long, value_name = "N", value_parser = values::size)]
    pub max_bytes: Option<u64>,
    /// The part of each input to read. Set by commands with [`Ranges`].
    #[arg(skip)]
    pub part: Option<Part>,
    /// A list of parts of files. Set by commands with [`Ranges`].
    #[arg(skip)]
    pub splits_from: Option<PathBuf>,
    /// Whether to skip JSON Lines files in directories. Set by commands that would write a record on several lines.
    #[arg(skip)]
    pub skip_lines: bool,
    /// Whether to skip compressed files in directories. Set by commands that write files in place.
    #[arg(skip)]
    pub skip_compressed: bool,
    /// Whether each input is read twice. Set by commands that compare before they write.
    #[arg(skip)]
    pub is_read_twice: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Text")]
pub struct Text {
    /// Write characters in strings as \u escapes: ascii (all non-ASCII characters), html (< > & U+2028 U+2029) or js (U+2028
    /// U+2029)
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub escape: Vec<Escape>,
    /// Sort the members of each object by key, in code point order; each object is held in memory until it ends
    #[arg(short = 'S', long)]
    pub sort_keys: bool,
    /// Limit on the memory for sorting one object, and with --canonical for a single string or number, in bytes; the suffixes K, M
    /// and G stand for KiB, MiB and GiB
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "1G")]
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
    /// Write to FILE, which is created or replaced only when the output is complete; - is standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Edit files in place; preserves symbolic links, mode, owner and extended attributes
    #[arg(short, long, conflicts_with = "output")]
    pub in_place: bool,
}

impl Output {
    /// Returns the file to write to; `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }
}

#[derive(Args)]
#[command(next_help_heading = "Engine")]
pub struct Engine {
    /// Reject documents that are nested more than N levels deep; none disables the limit
    #[arg(long, value_name = "N", value_parser = values::depth_limit, allow_negative_numbers = true)]
    pub max_depth: Option<u64>,
    /// Reject objects with duplicate keys, even if they are escaped differently; holds the keys of open objects in memory
    #[arg(long)]
    pub unique_keys: bool,
    /// Reject documents that are not I-JSON (RFC 7493): duplicate keys, lone surrogates, noncharacters, and numbers with digits
    /// that a double does not preserve
    #[arg(long)]
    pub ijson: bool,
    /// Kernel to use: auto, or one of those listed by --version
    #[arg(long, value_name = "NAME", value_parser = values::kernel)]
    pub kernel: Option<Isa>,
    /// Use up to N threads; 0, the default, uses one per processor
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

#[derive(Args)]
#[command(next_help_heading = "Report")]
pub struct Reporting {
    /// Format of the report; validate and pretty --check write the machine-readable formats to standard output, all other reports
    /// go to standard error
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Human, hide_default_value = true)]
    pub format: Format,
    /// Show at most N errors, then the number of errors that were omitted; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = values::count)]
    #[arg(allow_negative_numbers = true)]
    pub max_errors: u64,
    /// When to use colors, in the report and in documents on standard output; auto depends on the environment and on whether they
    /// go to a terminal
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_default_value = true)]
    pub color: Color,
    /// Do not report invalid documents; check the exit status
    #[arg(short, long, conflicts_with_all = ["verbose", "format"])]
    pub quiet: bool,
    /// Print the number of documents and bytes read, the speed and the kernel for each input
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
    pub fn is_human_readable(self) -> bool {
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
