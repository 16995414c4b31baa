//! The command line of `fjson bench`.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::values::seconds;
use crate::args::values::size;
use crate::commands::bench::words;
use clap::Args;
use clap::ValueEnum;
use clap::ValueHint;
use fjson::Query;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

pub const EXAMPLES: &str = "\
Examples:
  fjson bench canada.json          measure each command on this file
  fjson bench                      measure on generated documents
  fjson bench --suite              run the conformance suites
  fjson bench --vs 'jq empty {}' a.json
  fjson bench --report page.html   write all results to one page, with charts
  fjson bench --emit users --size 1G > users.json";

macro_rules! method {
    () => {
        "  Documents and outputs are held in memory. Before anything is timed, each
  operation must give the expected result on each kernel, and every timed run
  must give it again. Operations, kernels and yardsticks are interleaved, sample
  by sample. Each is run for 50 ms before its first sample. A sample repeats its
  work for at least 5 ms, after one run that is not timed. At least 25 samples
  (with --time, 6) are taken, and none is discarded. The result is their median;
  its 95 % confidence interval comes from the order statistics, and the spread
  is the interquartile range. A figure with a spread above 5 % is marked as
  noisy. 1 GB/s is 10^9 bytes of input per second. A token is a bracket, comma,
  colon, string, number or literal. Cycles are counted by the processor in user
  mode, over all threads; the column is omitted if there is no counter.
  Operations that can use several threads are timed on one thread and on the
  number given with --threads (by default, one per processor). If one thread
  does all the work regardless, because the document is too small or cannot be
  divided, a note says so and there is no second result. The yardsticks are
  memcpy and UTF-8 validation with the library simdutf8. gzip is the command
  without options. query counts the matches of --query, or all values of the
  most frequent key. index lists the offset of each token; it is a library
  function without a command, so --vs omits it. read and write are not commands
  either: read decodes all keys and values of a document, and write also writes
  them again. Both are measured only if --operation names them. sort is minify
  --sort-keys, canonical is minify --canonical, and paths is query --paths.
  profiles is validate --ijson, or validate --unique-keys if the document is not
  I-JSON. An operation that a document does not allow, such as canonical if it
  has duplicate keys, is left out, and a note says why."
    };
}

/// Description of how `bench` measures, for the help and the HTML report.
pub const METHOD: &str = method!();

pub const NOTES: &str = concat!(
    "Method:\n",
    method!(),
    "

Suites:
  Suites are searched for in --corpus DIR if given; otherwise in $FJSON_CORPUS,
  in corpus/data of a checkout of fjson, and in $XDG_DATA_HOME/fjson
  (~/.local/share/fjson). A FILE may also be the directory of a suite. Missing
  suites are listed and not counted; with --require, or if $CI is set, a missing
  suite is a failure. The cases of fjson itself are built in and always run.

Shapes:
  canada        numbers: rings of coordinates, very little whitespace
  citm_catalog  a catalog, indented: whitespace, short keys, integers
  twitter       messages, indented: text in many scripts, long objects
  users         an array of small objects, minified
  nesting       nested arrays and objects, up to 100 levels
  ndjson        log records, one per line
  If no FILE is given, one document of each shape is measured.

Exit status:
  0  success
  1  a document is invalid, a case of a suite gave the wrong result, a required
     suite is missing, or --baseline shows a regression
  2  an error: wrong usage, an input or output failed, another program failed"
);

const FILES: &str = "Files, directories or suites; the default is generated documents";

#[derive(Args)]
#[command(mut_arg("files", |files| files.help(FILES)), mut_arg("no_mmap", |no_mmap| no_mmap.hide(true)))]
#[command(mut_arg("lines", |option| option.hide_short_help(true)))]
#[command(mut_arg("stream", |option| option.hide_short_help(true)))]
#[command(mut_arg("globs", |option| option.hide_short_help(true)))]
pub struct Bench {
    #[command(flatten)]
    pub measurement: Measurement,
    #[command(flatten)]
    pub conformance: Conformance,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub generation: Generation,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub engine: Engine,
}

#[derive(Args)]
#[command(next_help_heading = "Measurement")]
pub struct Measurement {
    /// Measure only this operation; may be repeated
    #[arg(long = "operation", value_name = "NAME", value_enum)]
    pub operations: Vec<Operation>,
    /// Expression for the operation query
    ///
    /// The default selects all values of the most frequent key.
    #[arg(long, value_name = "EXPR")]
    pub query: Option<Query>,
    /// Time to spend on each operation and kernel
    ///
    /// At least 6 samples are taken.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,
    /// Measure all kernels that this machine supports
    #[arg(long, conflicts_with = "kernel")]
    pub all_kernels: bool,
    /// Time another program on the same file
    ///
    /// It alternates with an fjson process (validate, or the command given with --operation). {} is replaced by the file name; without
    /// it, the file is standard input. May be repeated.
    #[arg(long = "vs", value_name = "COMMAND")]
    pub rivals: Vec<Rival>,
    /// Compare with an earlier --export-json
    ///
    /// The exit status is 1 if a result is slower by more than the noise of both runs.
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "Conformance")]
pub struct Conformance {
    /// Run the conformance suites
    #[arg(long)]
    pub suite: bool,
    /// Search for the suites only in DIR
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub corpus: Option<PathBuf>,
    /// Fail if a suite is missing or incomplete
    ///
    /// Without a value, any suite.
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "SUITE", value_enum, num_args = 0.., require_equals = true, value_delimiter = ',')]
    pub require: Option<Vec<Published>>,
}

#[derive(Args)]
#[command(next_help_heading = "Generated documents")]
pub struct Generation {
    /// Write a generated document to standard output and exit
    #[arg(long, value_name = "SHAPE", value_enum, requires = "size")]
    #[arg(conflicts_with_all = ["files", "suite", "corpus", "require", "rivals", "baseline", "export_json", "report"])]
    pub emit: Option<Shape>,
    /// Approximate size of the document in bytes
    ///
    /// The suffixes K, M and G stand for KiB, MiB and GiB.
    #[arg(long, value_name = "N", value_parser = size, requires = "emit")]
    pub size: Option<u64>,
}

#[derive(Args)]
#[command(next_help_heading = "Report")]
pub struct Output {
    /// Format of the results
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Human, hide_default_value = true)]
    pub format: Format,
    /// Write the results and all samples to FILE as JSON
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub export_json: Option<PathBuf>,
    /// Write an HTML page with charts to FILE
    ///
    /// Measures all kernels and runs the suites.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Print no results and no progress; check the exit status
    #[arg(hide_short_help = true)]
    #[arg(short, long, conflicts_with = "format")]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
    Junit,
}

/// A command that is measured, one with an option, or a function of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Operation {
    Validate,
    Profiles,
    Minify,
    Sort,
    Canonical,
    Pretty,
    Gzip,
    Query,
    Paths,
    Stats,
    // Not commands: library functions that list the offsets of the tokens, read all values, and write them again.
    Index,
    Read,
    Write,
}

/// The shape of a generated document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Shape {
    Canada,
    CitmCatalog,
    Twitter,
    Users,
    Nesting,
    Ndjson,
}

/// A suite that is published elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Published {
    JsonTestSuite,
    Nativejson,
    JsonpathCts,
    JsonSchema,
    Jq,
}

/// A command line of `--vs`.
#[derive(Clone, Debug)]
pub struct Rival {
    pub line: String,
    pub words: Vec<String>,
}

impl FromStr for Rival {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        Ok(Self { line: line.to_owned(), words: words::split(line)? })
    }
}
