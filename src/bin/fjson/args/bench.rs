//! The command line of `fjson bench`, a page of its own.

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
  fjson bench canada.json          how fast is each command on this file
  fjson bench                      the same on documents that are made for it
  fjson bench --suite              is fjson right? runs the conformance suites
  fjson bench --vs 'jq empty {}' a.json
  fjson bench --report page.html   all of it on one page, with charts
  fjson bench --emit users --size 1G > users.json";

macro_rules! method {
    () => {
        "  Each document is in memory, and so is the output. Before anything is timed,
  each verb must give the right answer on each kernel, and every timed run must
  give it again. Verbs, kernels and yardsticks take turns, sample by sample. A
  sample repeats its work for 5 ms or more, after one run that is not timed;
  each has run for 50 ms before. There are 25 samples or more, and none is left
  out. The figure is their median; its 95 % interval comes from the order of the
  samples, the spread is the distance of their quartiles. GB/s are 10^9 bytes of
  input per second. Cycles are those that the processor counts in programs, over
  all threads; where it does not tell there is no such column. What can use
  threads is timed on one and on as many as --threads says, or else one for each
  processor. Where one thread does all the work nevertheless, the document being
  too small for more or one that cannot be divided, that is said and there is no
  second figure. The yardsticks are memcpy and a pass of the library simdutf8
  that checks UTF-8 and nothing else. gzip is the command without its options.
  query counts what --query selects, or every value of the most frequent name.
  The verb index lists where each token begins; it is a function of the library
  and not a command, so --vs leaves it out."
    };
}

/// How `bench` measures, as its page and its report say it.
pub const METHOD: &str = method!();

pub const NOTES: &str = concat!(
    "Method:\n",
    method!(),
    "

Suites:
  They are looked for in --corpus DIR, or else in $FJSON_CORPUS, in corpus/data
  of a checkout of fjson, and in fjson below $XDG_DATA_HOME (~/.local/share).
  A FILE may be the directory of a suite, too. What is not there is named and
  not counted; with --require, or where $CI is set, it is a failure. The cases
  of fjson itself are part of the program and always run.

Shapes:
  canada        numbers: rings of coordinates, hardly any whitespace
  citm_catalog  a catalogue, indented: whitespace, short keys, integers
  twitter       messages, indented: text in many scripts, long objects
  users         an array of small objects, minified
  nesting       nested arrays and objects, up to 100 levels deep
  ndjson        records of a log, one per line
  If no FILE is given, one document of each shape is measured.

Exit status:
  0  fine
  1  the answer is no: a document is invalid, a verdict is wrong, a required
     suite is missing, or --baseline shows a regression
  2  trouble: wrong usage, an input or output failed, another program failed"
);

const FILES: &str =
    "Files, directories of files or suites, or - for standard input; if none is given, documents made for it";

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
    /// What the verb query looks for; if not given, every value of the most frequent name
    #[arg(long, value_name = "EXPR")]
    pub query: Option<Query>,
    /// Spend about so much time on each verb and kernel, on 6 samples at least
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,
    /// Measure every kernel that this machine can run
    #[arg(long, conflicts_with = "kernel")]
    pub all_kernels: bool,
    /// Time another program on the same file, in turn with fjson as a process (validate, or as --verb says); {} stands
    /// for the file, or it is standard input; may be repeated
    #[arg(long = "vs", value_name = "COMMAND")]
    pub rivals: Vec<Rival>,
    /// Compare with an earlier --export-json, and exit with 1 if something is slower beyond the noise of both
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "Conformance")]
pub struct Conformance {
    /// Run the conformance suites
    #[arg(long)]
    pub suite: bool,
    /// Look for the suites in DIR alone
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub corpus: Option<PathBuf>,
    /// Fail if this suite is missing or incomplete, or without a name any
    #[arg(long, value_name = "SUITE", value_enum, num_args = 0.., require_equals = true, value_delimiter = ',')]
    pub require: Option<Vec<Published>>,
}

#[derive(Args)]
#[command(next_help_heading = "Generated documents")]
pub struct Generation {
    /// Write a document of this shape to standard output, and do nothing else
    #[arg(long, value_name = "SHAPE", value_enum, requires = "size")]
    #[arg(conflicts_with_all = ["files", "suite", "corpus", "require", "rivals", "baseline", "export_json", "report"])]
    pub emit: Option<Shape>,
    /// Its size in bytes, or with K, M or G behind the number in KiB, MiB or GiB
    #[arg(long, value_name = "N", value_parser = size, requires = "emit")]
    pub size: Option<u64>,
}

#[derive(Args)]
#[command(next_help_heading = "Report")]
pub struct Output {
    /// Form of the results
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Human, hide_default_value = true)]
    pub format: Format,
    /// Write the results and every sample to FILE, as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub export_json: Option<PathBuf>,
    /// Write a page with charts to FILE; measures every kernel and runs the suites
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Print no results and no progress; the exit status tells
    #[arg(short, long, conflicts_with = "format")]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
    Junit,
}
