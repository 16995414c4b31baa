//! The command line: commands, options and help texts.
//!
//! Apart from small conversions, there is no logic here. The man pages and completions are generated from these definitions.

#![forbid(unsafe_code)]

pub mod bench;
pub mod comments;
pub mod diff;
pub mod edit;
pub mod gzip;
pub mod jq;
pub mod notes;
pub mod query;
pub mod ranges;
pub mod schema;
pub mod setup;
pub mod stats;
pub mod text;
pub mod values;

use crate::args::bench::Bench;
pub use crate::args::comments::Comments;
pub use crate::args::comments::OnComments;
use crate::args::diff::Diff;
use crate::args::edit::Delete;
use crate::args::edit::Edit;
use crate::args::edit::Merge;
use crate::args::edit::Patch;
use crate::args::edit::Set;
use crate::args::gzip::Gzip;
use crate::args::jq::Jq;
use crate::args::notes::exit_status;
use crate::args::notes::more;
use crate::args::query::Query;
use crate::args::ranges::Ranges;
use crate::args::schema::SchemaOptions;
use crate::args::schema::Validate;
pub use crate::args::setup::Completions;
pub use crate::args::setup::Man;
use crate::args::stats::Stats;
pub use crate::args::text::Escape;
pub use crate::args::text::Text;
use crate::args::values::Part;
use crate::output_file::OutputFile;
use clap::ArgAction;
use clap::Args;
use clap::Parser;
use clap::Subcommand;
use clap::ValueEnum;
use clap::ValueHint;
use fjson::Isa;
use std::path::Path;
use std::path::PathBuf;

/// Layout of each help page: the examples come before the options.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// Validate, minify, pretty-print and query JSON (RFC 8259) at gigabytes per second
#[derive(Parser)]
#[command(name = "fjson", arg_required_else_help = true, max_term_width = 80)]
#[command(version, propagate_version = true, disable_version_flag = true, disable_help_flag = true)]
// The list of the commands fills the short help.
#[command(help_template = TEMPLATE, before_long_help = notes::EXAMPLES)]
#[command(after_help = notes::MORE)]
#[command(after_long_help = exit_status!(
    " (2 for diff and jq), or the answer is no: no match,\n     documents that differ, a failed test, a file that is not formatted"
))]
pub struct Arguments {
    /// Print help: -h the options that are needed most, --help everything
    #[arg(short, long, action = ArgAction::Help, global = true, display_order = 998, hide_short_help = true)]
    help: Option<bool>,
    /// Print the version and the kernels available on this machine
    #[arg(short = 'V', long, action = ArgAction::Version, global = true, display_order = 999, hide_short_help = true)]
    version: Option<bool>,
    #[command(subcommand)]
    pub command: Command,
}

// With `defer`, clap builds only the selected subcommand. This halves the startup time.
#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Check that inputs are valid JSON
    #[command(help_template = TEMPLATE, before_help = notes::VALIDATE_EXAMPLES)]
    #[command(after_help = more!("validate"), after_long_help = notes::VALIDATE_NOTES)]
    Validate(Validate),
    /// Validate and remove whitespace
    #[command(help_template = TEMPLATE, before_help = notes::MINIFY_EXAMPLES)]
    #[command(after_help = more!("minify"), after_long_help = notes::MINIFY_NOTES)]
    Minify(Minify),
    /// Validate and indent
    #[command(help_template = TEMPLATE, before_help = notes::PRETTY_EXAMPLES)]
    #[command(after_help = more!("pretty"), after_long_help = notes::PRETTY_NOTES)]
    Pretty(Pretty),
    /// Print the values selected by a JSONPath or JSON Pointer
    #[command(help_template = TEMPLATE, before_help = query::EXAMPLES)]
    #[command(after_help = more!("query"), after_long_help = query::NOTES)]
    Query(Box<Query>),
    /// Run programs in the jq language
    #[command(help_template = TEMPLATE, before_help = jq::EXAMPLES)]
    #[command(after_help = more!("jq"), after_long_help = jq::NOTES)]
    Jq(Jq),
    /// Change values, and leave all other bytes as they are
    #[command(help_template = TEMPLATE, before_help = edit::EDIT_EXAMPLES)]
    #[command(after_help = more!("edit"), after_long_help = edit::EDIT_NOTES)]
    Edit(Box<Edit>),
    /// Set a value
    #[command(help_template = TEMPLATE, before_help = edit::SET_EXAMPLES)]
    #[command(after_help = more!("set"), after_long_help = edit::SET_NOTES)]
    Set(Box<Set>),
    /// Delete members and elements
    #[command(help_template = TEMPLATE, before_help = edit::DELETE_EXAMPLES)]
    #[command(after_help = more!("delete"), after_long_help = edit::DELETE_NOTES)]
    Delete(Box<Delete>),
    /// Apply a JSON Patch (RFC 6902)
    #[command(help_template = TEMPLATE, before_help = edit::PATCH_EXAMPLES)]
    #[command(after_help = more!("patch"), after_long_help = edit::PATCH_NOTES)]
    Patch(Box<Patch>),
    /// Apply a merge patch (RFC 7396)
    #[command(help_template = TEMPLATE, before_help = edit::MERGE_EXAMPLES)]
    #[command(after_help = more!("merge"), after_long_help = edit::MERGE_NOTES)]
    Merge(Box<Merge>),
    /// Compare two documents by value
    #[command(help_template = TEMPLATE, before_help = diff::EXAMPLES)]
    #[command(after_help = more!("diff"), after_long_help = diff::NOTES)]
    Diff(Box<Diff>),
    /// Count types, sizes, keys and numbers
    #[command(help_template = TEMPLATE, before_help = notes::STATS_EXAMPLES)]
    #[command(after_help = more!("stats"), after_long_help = notes::STATS_NOTES)]
    Stats(Box<Stats>),
    /// Validate, minify and compress on all cores
    #[command(help_template = TEMPLATE, before_help = gzip::EXAMPLES)]
    #[command(after_help = more!("gzip"), after_long_help = gzip::NOTES)]
    Gzip(Gzip),
    /// Measure speed and run conformance suites
    #[command(help_template = TEMPLATE, before_help = bench::EXAMPLES)]
    #[command(after_help = more!("bench"), after_long_help = bench::NOTES)]
    Bench(Box<Bench>),
    /// Write the man pages to a directory
    #[command(help_template = TEMPLATE, before_help = notes::MAN_EXAMPLES)]
    Man(Man),
    /// Print the completion script for a shell
    #[command(help_template = TEMPLATE, before_help = notes::COMPLETIONS_EXAMPLES)]
    Completions(Completions),
}

#[derive(Args)]
pub struct Minify {
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub text: Text,
    /// Write the canonical form of RFC 8785 (JCS)
    ///
    /// Sorts the keys, and writes numbers and strings in one way only. Rejects duplicate keys, lone surrogates and numbers too
    /// large for a double.
    #[arg(long, conflicts_with_all = ["escape", "sort_keys", "natural"], help_heading = "Text")]
    pub canonical: bool,
    /// End the output of each input with a newline
    ///
    /// Without it, a single document gets none; each of several documents always gets one.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub newline: bool,
    #[command(flatten)]
    pub schema: SchemaOptions,
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
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Pretty {
    /// Indent with N spaces per level, 0 to 16
    ///
    /// 0 breaks lines without indenting them.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = values::indent_or_tab)]
    #[arg(allow_negative_numbers = true, help_heading = "Layout")]
    pub indent: u8,
    /// Leave out the comments of JSON with comments
    #[arg(long, hide_short_help = true, help_heading = "Layout")]
    pub strip: bool,
    /// Indent with one tab per level
    #[arg(long, conflicts_with = "indent", help_heading = "Layout")]
    pub tab: bool,
    /// Write containers on one line if it has at most N columns
    ///
    /// With indentation, key and comma. A column is a character; a tab takes 8.
    #[arg(long, value_name = "N", value_parser = values::width, allow_negative_numbers = true, help_heading = "Layout")]
    pub width: Option<u32>,
    /// Write arrays without objects and arrays in them on one line
    ///
    /// However long it is, up to 1,048,576 columns, or only if it has at most the columns of --width. Objects are not joined.
    #[arg(long, hide_short_help = true, help_heading = "Layout")]
    pub compact_arrays: bool,
    #[command(flatten)]
    pub output: Output,
    /// List the inputs that are not formatted
    ///
    /// Writes no documents. The exit status is 1 if there is such an input.
    #[arg(long, conflicts_with_all = ["output", "in_place"], help_heading = "Output")]
    pub check: bool,
    #[command(flatten)]
    pub text: Text,
    #[command(flatten)]
    pub schema: SchemaOptions,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Input")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Inputs {
    /// Files or directories, or - for standard input (the default)
    #[arg(value_name = "FILE", help_heading = None, value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,
    /// Read one document per line (JSON Lines, NDJSON)
    ///
    /// This is the default for files that end in .jsonl or .ndjson, also if they are compressed. Lines with only whitespace are
    /// skipped.
    #[arg(long, group = "framing", help_heading = "Records")]
    pub lines: bool,
    /// Read concatenated documents
    ///
    /// There may be whitespace between them or not. minify, pretty, stats and query do so without this option, but then an empty
    /// input is an error.
    #[arg(long, group = "framing", help_heading = "Records", hide_short_help = true)]
    pub stream: bool,
    /// Read JSON text sequences (RFC 7464)
    ///
    /// Each document follows a record separator, U+001E.
    #[arg(long, group = "framing", help_heading = "Records", hide_short_help = true)]
    pub seq: bool,
    /// Read the names of inputs from FILE, one per line
    ///
    /// - is standard input. The inputs are read after those of the command line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub files_from: Option<PathBuf>,
    /// Like --files-from, but with a NUL after each name
    #[arg(long = "files0-from", value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub files0_from: Option<PathBuf>,
    /// In directories, include only files that match GLOB
    ///
    /// Without this option, those are the files that end in .json, .jsonc, .jsonl, .ndjson or .geojson, also if .gz, .zst, .bz2 or .xz
    /// follows. A file that matches is included whatever its extension, and even if it is hidden or ignored, but not in a directory
    /// that is. !GLOB excludes files. May be repeated.
    #[arg(short, long = "glob", value_name = "GLOB", value_parser = values::glob)]
    pub globs: Vec<String>,
    /// In directories, follow symbolic links to directories, too
    ///
    /// Links to files are always followed, except to edit files in place. Each file is read once.
    #[arg(short = 'L', long, hide_short_help = true)]
    pub follow: bool,
    /// In directories, include hidden files
    #[arg(long, hide_short_help = true)]
    pub hidden: bool,
    /// In directories, include files that .ignore or .gitignore excludes
    ///
    /// .gitignore applies only in a git repository.
    #[arg(long, hide_short_help = true)]
    pub no_ignore: bool,
    /// Start each record at its first { or [, after other text
    ///
    /// For logs in which JSON follows a time or a level. Implies --lines. A line without such a bracket is skipped. With object, a
    /// record starts at its first {, for text that contains [.
    #[arg(long, value_name = "START", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "bracket")]
    #[arg(conflicts_with_all = ["stream", "seq"], help_heading = "Records", hide_short_help = true)]
    pub skip_prefix: Option<RecordStart>,
    #[command(flatten)]
    pub comments: Comments,
    /// What to do with a byte order mark in UTF-8
    ///
    /// error, the default, rejects it; accept and strip skip it. Output has none, but with -i, accept keeps it in the file.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Bom::Error, hide_default_value = true)]
    #[arg(hide_short_help = true)]
    pub bom: Bom,
    /// Encoding of the inputs: utf-8, or that of their byte order mark
    ///
    /// auto decodes inputs that begin with the byte order mark of UTF-16 or UTF-32, and skips that of UTF-8. Messages refer to
    /// the decoded text.
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Encoding::Utf8, hide_default_value = true)]
    #[arg(hide_short_help = true)]
    pub encoding: Encoding,
    /// Read regular files instead of memory-mapping them
    #[arg(long, hide_short_help = true)]
    pub no_mmap: bool,
    /// Reject compressed inputs that expand to more than N bytes
    ///
    /// The suffixes K, M and G stand for KiB, MiB and GiB.
    #[arg(long, value_name = "N", value_parser = values::size, hide_short_help = true)]
    #[arg(allow_negative_numbers = true)]
    pub max_bytes: Option<u64>,
    /// What becomes of comments. Set by commands that keep or remove them.
    #[arg(skip)]
    pub on_comments: OnComments,
    /// The part of each input to read. Set by commands with [`Ranges`].
    #[arg(skip)]
    pub part: Option<Part>,
    /// A list of parts of files. Set by commands with [`Ranges`].
    #[arg(skip)]
    pub splits_from: Option<PathBuf>,
    /// Whether an input may contain concatenated documents. Set by commands for which a second document is no mistake.
    #[arg(skip)]
    pub may_be_concatenated: bool,
    /// Whether to skip JSON Lines files in directories. Set by commands that would write a record on several lines.
    #[arg(skip)]
    pub skip_lines: bool,
    /// Whether to skip compressed files in directories. Set by commands that write files in place.
    #[arg(skip)]
    pub skip_compressed: bool,
    /// Whether files are edited in place, so that no symbolic links in directories are followed.
    #[arg(skip)]
    pub is_edited_in_place: bool,
    /// How much to tell about what is skipped in directories.
    #[arg(skip)]
    pub verbosity: Verbosity,
    /// The files that are written, which no input may be. Set by commands that write.
    #[arg(skip)]
    pub outputs: Vec<OutputFile>,
    /// Files that other options or operands name, and that are read, too.
    #[arg(skip)]
    pub also_read: Vec<PathBuf>,
    /// Whether each input is read twice. Set by commands that compare before they write.
    #[arg(skip)]
    pub is_read_twice: bool,
}

/// How much is printed about inputs that have no errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    Quiet,
    #[default]
    Normal,
    Verbose,
}

impl Verbosity {
    pub fn of(quiet: bool, verbose: bool) -> Self {
        match (quiet, verbose) {
            (true, _) => Self::Quiet,
            (_, true) => Self::Verbose,
            _ => Self::Normal,
        }
    }
}

/// Where a record begins on a line with text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RecordStart {
    Bracket,
    Object,
}

/// What to do with a byte order mark in UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Bom {
    #[default]
    Error,
    Accept,
    Strip,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    #[default]
    #[value(name = "utf-8")]
    Utf8,
    Auto,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    /// Write to FILE
    ///
    /// It is created or replaced only when the output is complete. - is standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Edit files in place
    ///
    /// Preserves symbolic links, mode, owner and extended attributes. A file is replaced only when its new text is complete.
    #[arg(short, long, conflicts_with_all = ["output", "follow"])]
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
    /// Reject objects with duplicate keys
    ///
    /// Also if the keys are escaped differently. Holds the keys of open objects in memory.
    #[arg(long, help_heading = "Rules", hide_short_help = true)]
    pub unique_keys: bool,
    /// Reject documents that are not I-JSON (RFC 7493)
    ///
    /// Those with duplicate keys, lone surrogates, noncharacters, or numbers with digits that a double does not preserve.
    #[arg(long, help_heading = "Rules", hide_short_help = true)]
    pub ijson: bool,
    /// Reject documents that are nested more than N levels deep
    ///
    /// none disables the limit.
    #[arg(long, value_name = "N", value_parser = values::depth_limit, allow_negative_numbers = true)]
    #[arg(help_heading = "Rules", hide_short_help = true)]
    pub max_depth: Option<u64>,
    /// Use up to N threads
    ///
    /// 0, the default, uses one per processor.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, hide_short_help = true)]
    #[arg(value_parser = values::threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// Kernel to use: auto, or one of those listed by --version
    ///
    /// A kernel is the code for one set of SIMD instructions. All give the same results.
    #[arg(long, value_name = "NAME", value_parser = values::kernel, hide_short_help = true)]
    pub kernel: Option<Isa>,
}

#[derive(Args)]
#[command(next_help_heading = "Report")]
pub struct Reporting {
    /// Format of the report
    ///
    /// validate and all commands with --check write the machine-readable formats to standard output. All other reports go to standard error.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Human, hide_default_value = true)]
    pub format: Format,
    /// Show at most N errors; 0 shows all
    ///
    /// The default is 100 errors, and of each document only the first one. With N, validate shows up to N of a document, at most 100,
    /// as far as it is clear where reading can go on. It also does so, up to 10, if standard error is a terminal, and with the formats
    /// github, gitlab, sarif and junit. The number of errors that were omitted is printed.
    #[arg(long, value_name = "N", value_parser = values::count)]
    #[arg(allow_negative_numbers = true, hide_short_help = true)]
    pub max_errors: Option<u64>,
    /// When to use colors, in the report and in documents on standard output
    ///
    /// auto depends on the environment and on whether they go to a terminal.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_default_value = true)]
    #[arg(hide_short_help = true)]
    pub color: Color,
    /// Do not report invalid documents; check the exit status
    #[arg(short, long, conflicts_with_all = ["verbose", "format"])]
    pub quiet: bool,
    /// Print what was read, how fast, and with which kernel
    #[arg(short, long, hide_short_help = true)]
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
