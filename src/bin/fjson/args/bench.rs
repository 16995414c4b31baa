//! The command line of `fjson bench`.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::commands::bench::Published;
use crate::commands::bench::Rival;
use crate::commands::bench::Shape;
use crate::commands::bench::Verb;
use crate::commands::bench::seconds;
use crate::commands::size;
use clap::Args;
use clap::ValueEnum;
use clap::ValueHint;
use fjson::Query;
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "\
Examples:
  fjson bench canada.json          measure the speed of each command on a file
  fjson bench                      the same on generated documents
  fjson bench --suite              run the conformance suites
  fjson bench --vs 'jq empty {}' a.json
  fjson bench --report page.html   write all results to one page with charts
  fjson bench --emit users --size 1G > users.json";

macro_rules! method {
    () => {
        "  Documents and output are in memory. Each verb must give the right result on
  each kernel before it is timed and in every timed run. Verbs, kernels and
  yardsticks take turns, sample by sample. Each runs for 50 ms before the first
  sample. A sample repeats its work for 5 ms or more, after one run that is not
  timed. There are 25 samples or more, and none is left out. The figure is their
  median. Its 95 % interval depends on the order of the samples; the spread is
  the distance between their quartiles. GB/s are 10^9 bytes of input per
  second. Cycles are counted by the processor in user code of all threads; if it
  does not count them, there is no such column. Verbs that can use threads are
  timed on one thread and on the number of --threads, by default one for each
  processor. If one thread does all the work, because the document is small or
  cannot be divided, a note says so and there is no second figure. Yardsticks
  are memcpy and the library simdutf8, which validates UTF-8 only. gzip is the
  command without options. query counts the matches of --query, by default all
  values of the most frequent key. The verb index lists where each token begins;
  it is a function of the library and not a command, so --vs does not time it."
    };
}

/// How `bench` measures, for the help and the page.
pub const METHOD: &str = method!();

pub const NOTES: &str = concat!(
    "Method:\n",
    method!(),
    "

Suites:
  fjson searches for them in --corpus DIR, or else in $FJSON_CORPUS, in
  corpus/data of a checkout of fjson, and in fjson in $XDG_DATA_HOME
  (~/.local/share). A FILE can also be the directory of a suite. A suite that is
  not found is reported and not counted; with --require, or if $CI is set, it is
  a failure. The cases of fjson itself are part of the program and always run.

Shapes:
  canada        numbers: rings of coordinates, hardly any whitespace
  citm_catalog  a catalogue, indented: whitespace, short keys, integers
  twitter       messages, indented: text in many scripts, long objects
  users         an array of small objects, minified
  nesting       nested arrays and objects, up to 100 levels deep
  ndjson        records of a log, one per line
  If no FILE is given, one document of each shape is measured.

Exit status:
  0  all inputs are valid, and no check failed
  1  a document is invalid, a verdict is wrong, a required suite is missing, or
     --baseline shows a regression
  2  wrong usage, an input or output failed, or another program failed"
);

const FILES: &str =
    "Files, directories of files or suites, or - for standard input; if none is given, generated documents";

#[derive(Args)]
#[command(mut_arg("files", |files| files.help(FILES)), mut_arg("no_mmap", |no_mmap| no_mmap.hide(true)))]
pub struct Bench {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub measurement: Measurement,
    #[command(flatten)]
    pub conformance: Conformance,
    #[command(flatten)]
    pub generation: Generation,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Args)]
#[command(next_help_heading = "Measurement")]
pub struct Measurement {
    /// Measure this verb only; may be repeated
    #[arg(long = "verb", value_name = "VERB", value_enum)]
    pub verbs: Vec<Verb>,
    /// Query of the verb query; if not given, all values of the most frequent key
    #[arg(long, value_name = "EXPR")]
    pub query: Option<Query>,
    /// Approximate time for each verb and kernel; there are at least 6 samples
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,
    /// Measure every kernel that this machine can run
    #[arg(long, conflicts_with = "kernel")]
    pub all_kernels: bool,
    /// Time another program on the same file, in turn with fjson as a process (validate, or the verbs of --verb); {} is
    /// replaced by the file, or else the file is standard input; may be repeated
    #[arg(long = "vs", value_name = "COMMAND")]
    pub rivals: Vec<Rival>,
    /// Compare with an earlier --export-json, and exit with 1 if a figure is slower beyond the noise of both runs
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "Conformance")]
pub struct Conformance {
    /// Run the conformance suites
    #[arg(long)]
    pub suite: bool,
    /// Search for the suites in DIR only
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub corpus: Option<PathBuf>,
    /// Fail if this suite is missing or incomplete; without a name, if any is
    #[arg(long, value_name = "SUITE", value_enum, num_args = 0.., require_equals = true, value_delimiter = ',')]
    pub require: Option<Vec<Published>>,
}

#[derive(Args)]
#[command(next_help_heading = "Generated documents")]
pub struct Generation {
    /// Only write a generated document of this shape to standard output
    #[arg(long, value_name = "SHAPE", value_enum, requires = "size")]
    #[arg(conflicts_with_all = ["files", "suite", "corpus", "require", "rivals", "baseline", "export_json", "report"])]
    pub emit: Option<Shape>,
    /// Its size in bytes, or in KiB, MiB or GiB with K, M or G after the number
    #[arg(long, value_name = "N", value_parser = size, requires = "emit")]
    pub size: Option<u64>,
}

#[derive(Args)]
#[command(next_help_heading = "Report")]
pub struct Output {
    /// Format of the results
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Human, hide_default_value = true)]
    pub format: Format,
    /// Write the results and all samples to FILE, as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub export_json: Option<PathBuf>,
    /// Write a page with charts to FILE; measures every kernel and runs the suites
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Print no results and no progress, only set the exit status
    #[arg(short, long, conflicts_with = "format")]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
    Junit,
}
