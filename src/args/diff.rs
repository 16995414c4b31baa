//! The command line of `fjson diff`.

#![forbid(unsafe_code)]

use crate::args::Bom;
use crate::args::Color;
use crate::args::Comments;
use crate::args::Encoding;
use crate::args::Engine;
use crate::args::Inputs;
use crate::args::values;
use clap::Args;
use clap::ValueEnum;
use clap::ValueHint;
use fjson::ArrayMatching;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  fjson diff old.json new.json
  fjson diff --array key=/id --ignore '$..at' a.json b.json
  fjson diff --format patch old.json new.json > changes.json
  curl -s URL | fjson diff expected.json -
  fjson diff --lines --key /id monday.jsonl tuesday.jsonl";

pub const NOTES: &str = "\
Notes:
  Documents are compared by value: 1.0 equals 1, and \\u0061 equals a; whitespace
  and the order of members do not count. An object with duplicate keys is
  compared as a whole.
  Each line is a difference: its JSON Pointer in OLD, or in NEW if it was added,
  after + for an added value, - for a removed one, or ~ for another value.
  Objects, arrays and strings that are long are abridged, unless --full is
  given.
  The output of --format patch is a JSON Patch (RFC 6902) for fjson patch, that
  of --format merge a merge patch (RFC 7396) for fjson merge, that of
  --format jd for the program jd. A merge patch cannot set a member to null;
  then the status is 2.
  With --array lcs, arrays are aligned by the elements that are equal and in the
  same order, and what is between them by what elements have in common. set
  matches equal elements in any order. key=/id matches those whose values at the
  JSON Pointer /id are equal, and position those with the same index.
  With --lines, records are compared like elements: /3/name is in the fourth
  record. With --key, only their keys and hashes are held in memory, if OLD is a
  file. Otherwise both documents are, with 12 bytes for each of their tokens.
  /dev/null is no document, so all of the other one was added or removed.

Exit status:
  0  the documents are equal
  1  they differ
  2  an error: wrong usage, an invalid document, or an input or output failed";

#[derive(Args)]
#[command(mut_arg("threads", |option| option.hide_short_help(true)))]
pub struct Diff {
    /// The first document: a file, or - for standard input
    #[arg(value_name = "OLD", help_heading = None, value_hint = ValueHint::FilePath)]
    pub old: PathBuf,
    /// The second document: a file, or - for standard input
    #[arg(value_name = "NEW", help_heading = None, value_hint = ValueHint::FilePath)]
    pub new: PathBuf,
    /// Form of the output: text, or a patch
    #[arg(long, value_name = "FORM", value_enum, default_value_t = DiffForm::Text, hide_default_value = true)]
    #[arg(help_heading = "Output")]
    pub format: DiffForm,
    /// Show up to N equal items before and after each difference
    ///
    /// Those of the same object or array.
    #[arg(short = 'U', long, value_name = "N", value_parser = values::neighbors, allow_negative_numbers = true)]
    #[arg(help_heading = "Output")]
    pub context: Option<usize>,
    /// Show whole values
    #[arg(long, help_heading = "Output")]
    pub full: bool,
    /// When to use colors
    ///
    /// auto depends on the environment and on whether the output is a terminal.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_default_value = true)]
    #[arg(hide_short_help = true, help_heading = "Output")]
    pub color: Color,
    /// Print no differences; check the exit status
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// How to match elements: lcs (the default), position, set or key=POINTER
    ///
    /// lcs finds elements that are equal and in the same order. The others match elements in any order, or by their index.
    #[arg(long, value_name = "HOW", value_parser = values::array_matching, help_heading = "Comparison")]
    pub array: Option<ArrayMatching>,
    /// Leave out the values at PATH, a JSON Pointer or JSONPath
    ///
    /// May be repeated. Members are then missing in both documents, and elements are equal.
    #[arg(long = "ignore", value_name = "PATH", value_hint = ValueHint::Other, help_heading = "Comparison")]
    pub ignored: Vec<String>,
    /// Treat numbers as equal that differ by at most X
    ///
    /// They are compared exactly.
    #[arg(long, value_name = "X", value_parser = values::tolerance, allow_negative_numbers = true)]
    #[arg(help_heading = "Comparison")]
    pub tolerance: Option<f64>,
    /// Compare the records of JSON Lines (NDJSON)
    ///
    /// This is the default if a file ends in .jsonl or .ndjson.
    #[arg(long, help_heading = "Records")]
    pub lines: bool,
    /// Match records by their values at POINTER
    ///
    /// A JSON Pointer, such as /id. Implies --lines.
    #[arg(long, value_name = "POINTER", value_parser = values::pointer, value_hint = ValueHint::Other)]
    #[arg(conflicts_with = "array", help_heading = "Records")]
    pub key: Option<String>,
    /// What to do with a byte order mark in UTF-8
    ///
    /// error, the default, rejects it; accept and strip skip it.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Bom::Error, hide_default_value = true)]
    #[arg(hide_short_help = true, help_heading = "Input")]
    pub bom: Bom,
    /// Encoding of the inputs: utf-8, or that of their byte order mark
    ///
    /// auto decodes inputs that begin with the byte order mark of UTF-16 or UTF-32, and skips that of UTF-8.
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Encoding::Utf8, hide_default_value = true)]
    #[arg(hide_short_help = true, help_heading = "Input")]
    pub encoding: Encoding,
    /// Reject compressed inputs that expand to more than N bytes
    ///
    /// The suffixes K, M and G stand for KiB, MiB and GiB.
    #[arg(long, value_name = "N", value_parser = values::size, hide_short_help = true)]
    #[arg(allow_negative_numbers = true, help_heading = "Input")]
    pub max_bytes: Option<u64>,
    #[command(flatten, next_help_heading = "Input")]
    pub comments: Comments,
    #[command(flatten)]
    pub engine: Engine,
}

impl Diff {
    /// Returns the options of the inputs.
    pub fn inputs(&self) -> Inputs {
        Inputs {
            files: vec![self.old.clone(), self.new.clone()],
            lines: self.lines || self.key.is_some(),
            bom: self.bom,
            encoding: self.encoding,
            max_bytes: self.max_bytes,
            comments: self.comments,
            ..Inputs::default()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffForm {
    Text,
    Patch,
    Merge,
    Jd,
}
