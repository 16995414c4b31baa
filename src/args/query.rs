//! The command line of `fjson query`.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Reporting;
use crate::args::ranges::Ranges;
use crate::args::schema::SchemaOptions;
use crate::args::values;
use clap::ArgAction;
use clap::Args;
use clap::ValueEnum;
use clap::ValueHint;
use fjson::scalar::Surrogates;
use std::ffi::OsString;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  fjson query '$.users[0].name' users.json
  fjson query -r '$..[?@.price < 10].title' shop.json
  fjson query --count '$..*' big.json
  fjson query --assignments '$..*' x.json | grep Ada
  fjson query --where '@.ms > 500' --csv -p '$.id' -p '$.name' log.jsonl
  fjson query --csv --header --rows '$.items[*]' -p '$.id' -p tag='@.t' x.json";

pub const NOTES: &str = "\
Notes:
  EXPR is a JSONPath expression (RFC 9535), or a JSON Pointer (RFC 6901) if it
  is empty or begins with /:
    $.a.b['c d']     members        $.a[0]  $.a[-1]  $.a[1:3]    elements
    $.a[*]  $.a.*    all children   $..a                         at any depth
    $.a[?@.b > 1]    children for which a condition holds, with == != < <= > >=
                     && || ! ( ), length() count() value() match() search()
    $.a[?@.b]        children that have a member b
    $.a[?search(@.b, '^x')]   a pattern in part of a string; match() the whole
    $.a[?regex(@.b, '\\\\d', 'i')]   the same with any regular expression, and
                     without case if the third argument is 'i'
    $                the document itself: --where '@.a == 1' '$'
  Patterns of match() and search() are I-Regexps (RFC 9485), as in RFC 9535:
  [0-9] and not \\d. regex(), which RFC 9535 does not have, and --regex take the
  syntax of the regex crate of Rust. A \\ of a pattern is \\\\ in a string. A
  pattern that is read from a document and is not valid matches nothing; a
  warning at the end shows it.
  Numbers and strings are printed unchanged; a match that contains line breaks
  is minified, so that it fits on one line.
  If an object has duplicate keys, a child segment with a name selects the
  first of them; .., * and filters select all of them.
  On a terminal, JSON is colored as by jq, unless NO_COLOR is set, and control
  characters are shown as escapes. FJSON_COLORS, or else JQ_COLORS, sets the
  colors. --color always adds colors to other output, as for less -R.
  An input may contain concatenated documents, as with --stream; each is
  searched. All of the input is read and validated, unless --first, --limit or
  --trust is given: then the rest is not read and may be invalid.
  An invalid document is reported, and the exit status is 1. With --lines
  and --seq, the search continues with the next record; otherwise it stops,
  because the start of the next document is unknown. Matches found before the
  error are printed, but an invalid record of --lines or --seq prints nothing.
  With --order rfc, an EXPR with more than one .., or with a filter after .. or
  after a name after .., may accept only documents of up to 1,024 levels unless
  --max-depth is given, because nested matches are searched again at each
  level.
  --csv and --tsv print a row for each document that has a match, with a column
  for each EXPR: strings are unquoted, null is empty, objects and arrays are
  JSON. Two matches of the same EXPR for one row are an error. -p NAME=EXPR
  names a column; --header prints the names; --excel writes CSV for Excel.
  With --rows, each value that its EXPR selects is a row, even if no column
  matches. Then an EXPR that begins with @ selects in the row (@.price, @, or
  the JSON Pointer @/price), and one that begins with $ or / in the document, as
  a column for all its rows; these hold back the rows until the document has
  been read.
  With --null TEXT, null and missing values are TEXT: --csv --null '' prints
  nothing for them, and \"\" for an empty string; --tsv --null '\\N' is
  unambiguous, since \\ in a string is printed as \\\\.

Exit status:
  0  there was a match, and all documents are valid
  1  a document is invalid, a match cannot be printed in the requested form, or
     there was no match (0 with --allow-empty)
  2  an error: wrong usage, an invalid EXPR, or an input failed
  A broken pipe, an interrupt or SIGTERM ends fjson by its signal
  (141, 130, 143).";

/// With -p and --columns, there is no operand for the expression.
const USAGE: &str = "\
fjson query [OPTIONS] EXPR [FILE]...
       fjson query [OPTIONS] -p EXPR... [FILE]...
       fjson query [OPTIONS] --csv --columns auto [FILE]...
       fjson query [OPTIONS] --where CONDITION [EXPR] [FILE]...";

// Documents need no --stream to be read, and the report is that of an error in the input.
#[derive(Args)]
#[command(override_usage = USAGE)]
#[command(mut_arg("stream", |option| option.hide_short_help(true)))]
#[command(mut_arg("globs", |option| option.hide_short_help(true)))]
#[command(mut_arg("format", |option| option.hide_short_help(true)))]
#[command(mut_arg("quiet", |option| option.hide_short_help(true)))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Query {
    /// JSONPath or JSON Pointer; with -p or --columns, this is another FILE
    ///
    /// With --where, it may be left out and is $.
    #[arg(value_name = "EXPR", required_unless_present_any = ["expressions", "condition", "columns"])]
    pub expression: Option<OsString>,
    /// Search for EXPR; may be repeated
    ///
    /// Several expressions are searched for in one pass. The matches of each document are in the order of the expressions. With
    /// --csv and --tsv, NAME=EXPR names the column.
    #[arg(short = 'p', long = "expr", value_name = "EXPR", help_heading = "Search", allow_hyphen_values = true)]
    pub expressions: Vec<String>,
    /// Search only documents for which CONDITION is true
    ///
    /// It is a filter without the ?, for example @.level == 'error'.
    #[arg(long = "where", value_name = "CONDITION", help_heading = "Search", allow_hyphen_values = true)]
    pub condition: Option<String>,
    /// Let `match()` and `search()` take any regular expression
    ///
    /// In the syntax of the regex crate of Rust, with \d, \w, \b, (?i) and others, instead of I-Regexp (RFC 9485).
    #[arg(long, help_heading = "Search", hide_short_help = true)]
    pub regex: bool,
    /// Stop after the first match, or the first row
    ///
    /// The rest of the input is not read or validated.
    #[arg(long, conflicts_with = "limit", help_heading = "Search", hide_short_help = true)]
    pub first: bool,
    /// Stop after N matches, or N rows of --csv and --tsv
    ///
    /// The rest of the input is not read or validated.
    #[arg(long, value_name = "N", help_heading = "Search", value_parser = values::limit)]
    #[arg(allow_negative_numbers = true)]
    pub limit: Option<u64>,
    /// Order of the matches
    ///
    /// rfc is the order of RFC 9535, in which the children of a node come before its deeper descendants. document is the order in
    /// the text; no matches are held back. The default is rfc, and with --assignments document.
    #[arg(long, value_name = "ORDER", value_enum, help_heading = "Search", hide_short_help = true)]
    pub order: Option<Order>,
    /// Exit with 0 if there is no match
    ///
    /// If a document is invalid, the status is still 1. With --stream, an empty input is valid.
    #[arg(long, help_heading = "Search", hide_short_help = true)]
    pub allow_empty: bool,
    /// Validate only the matches
    ///
    /// Assumes that the input is one valid document, or valid records, and stops reading where no further match is possible.
    #[arg(long, help_heading = "Search", hide_short_help = true)]
    #[arg(conflicts_with_all = ["skip_bad", "stream", "max_depth", "unique_keys", "ijson", "schema_source"])]
    pub trust: bool,
    #[command(flatten)]
    pub printing: Printing,
    #[command(flatten)]
    pub schema: SchemaOptions,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub ranges: Ranges,
    /// Read one document per input
    ///
    /// Further documents are an error.
    #[arg(long, group = "framing", conflicts_with_all = ["range", "splits_from"], help_heading = "Records")]
    #[arg(hide_short_help = true)]
    pub single: bool,
    /// Skip invalid records of --lines and --seq
    ///
    /// And those with a match that cannot be printed. Their number is printed to standard error, and they do not change the exit
    /// status.
    #[arg(long, conflicts_with = "schema_source", help_heading = "Records")]
    pub skip_bad: bool,
    /// Write the records that --skip-bad skips to FILE
    ///
    /// One JSON object per line, with file, byte offset, reason and text. FILE is created or replaced only when all inputs have been
    /// read. The records may be in any order.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "skip_bad", help_heading = "Records")]
    #[arg(hide_short_help = true)]
    pub bad_records: Option<PathBuf>,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Printing {
    /// Print strings without quotes and escapes
    #[arg(short, long)]
    pub raw: bool,
    /// Print U+FFFD for lone surrogates in strings without escapes
    ///
    /// With --raw, --csv and --tsv. Without this option, a match with one is reported and not printed.
    #[arg(long, hide_short_help = true)]
    pub replace_surrogates: bool,
    /// Print the number of matches, on one line per EXPR
    #[arg(long, conflicts_with = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null_data", "array", "assignments", "paths", "pointers", "offsets", "first", "limit"])]
    pub count: bool,
    /// Print all matches as one JSON array
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "null_data"], hide_short_help = true)]
    pub array: bool,
    /// Indent matches
    #[arg(long, hide_short_help = true)]
    pub pretty: bool,
    /// Print a row of comma-separated values per document
    #[arg(long, group = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null_data", "array", "assignments", "paths", "pointers"])]
    pub csv: bool,
    /// Print a row of tab-separated values per document
    #[arg(long, group = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null_data", "array", "assignments", "paths", "pointers"], hide_short_help = true)]
    pub tsv: bool,
    /// Print the names of the columns as the first row
    ///
    /// A column without a name is named like its EXPR.
    #[arg(long, requires = "table", hide_short_help = true)]
    pub header: bool,
    /// Print TEXT for null and missing values in rows
    ///
    /// In CSV, a value that equals TEXT is quoted, and TEXT is not.
    #[arg(long, value_name = "TEXT", requires = "table", value_parser = values::null, allow_hyphen_values = true)]
    #[arg(hide_short_help = true)]
    pub null: Option<String>,
    /// Quote all strings in CSV
    ///
    /// So that the string "7" differs from the number 7.
    #[arg(long, requires = "csv", conflicts_with = "tsv", hide_short_help = true)]
    pub quote_strings: bool,
    /// Write CSV for Excel
    ///
    /// With a byte order mark at its start, so that Excel reads it as UTF-8, and with CRLF after each row.
    #[arg(long, requires = "csv", conflicts_with = "tsv", hide_short_help = true)]
    pub excel: bool,
    /// Make rows of the values that EXPR selects
    ///
    /// For example, --rows '$.items[*]'. A column whose expression begins with @ selects in this value, such as -p '@.price'; at least
    /// one does. One that begins with $, or is a JSON Pointer, selects in the document, for all its rows: -p '$.name'.
    #[arg(long, value_name = "EXPR", requires = "table", conflicts_with = "offsets", allow_hyphen_values = true)]
    pub rows: Option<String>,
    /// Make a column of each key of the rows
    ///
    /// auto: after the columns of -p, in the order in which the keys first appear. Without --rows, each document is a row. All rows must
    /// be objects, with at most 10,000 different keys. The inputs are read twice; a pipe on standard input is held in memory, up to
    /// 1 GiB.
    #[arg(
        long,
        value_name = "WHICH",
        value_enum,
        requires = "table",
        conflicts_with = "offsets",
        hide_short_help = true
    )]
    pub columns: Option<WhichColumns>,
    /// Print the name of the input before each match
    ///
    /// Or as the first column. With --count, each input is counted separately.
    #[arg(short = 'H', long, overrides_with = "no_filename", conflicts_with = "array", hide_short_help = true)]
    pub with_filename: bool,
    /// Do not print the names of the inputs, the default
    #[arg(long, overrides_with = "with_filename", hide_short_help = true)]
    pub no_filename: bool,
    /// Print the location of each match as a path
    ///
    /// As a normalized path of RFC 9535. --paths, --pointers and --offsets can be combined and give one column each.
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"])]
    pub paths: bool,
    /// Print the location of each match as a JSON Pointer
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"], hide_short_help = true)]
    pub pointers: bool,
    /// Print the location of each match as byte offsets
    ///
    /// start..end, excluding end. With --csv and --tsv, the byte offset of each document is a column.
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"], hide_short_help = true)]
    pub offsets: bool,
    /// Print each match as a line with its path and value
    ///
    /// Such as $.a[0].b = 1, as gron does. An object is {} and an array [], since the paths of its members are matches of their own
    /// for $..*. Names other than identifiers are JSON strings in brackets, and EXPR accepts these paths.
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array", "paths", "pointers", "offsets"], hide_short_help = true)]
    pub assignments: bool,
    /// Print a NUL instead of a newline after each match
    #[arg(short = '0', long, action = ArgAction::SetTrue, hide_short_help = true)]
    pub null_data: bool,
    /// Print matches byte for byte, including line breaks
    #[arg(long, conflicts_with = "pretty", hide_short_help = true)]
    pub raw_bytes: bool,
}

impl Printing {
    /// Whether the output is a table.
    pub fn is_table(&self) -> bool {
        self.csv || self.tsv
    }

    /// What is printed for lone surrogates.
    pub fn surrogates(&self) -> Surrogates {
        if self.replace_surrogates { Surrogates::Replace } else { Surrogates::Refuse }
    }

    /// Whether the form of the output is one that some matches do not have.
    pub fn may_fail(&self) -> bool {
        self.is_table() || self.raw || self.null_data || self.pointers || self.pretty
    }

    /// Whether the paths of matches are printed.
    pub fn has_paths(&self) -> bool {
        self.paths || self.pointers || self.assignments
    }

    /// Whether the offsets of documents are a column.
    pub fn has_record_offsets(&self) -> bool {
        self.offsets && self.is_table()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhichColumns {
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    Rfc,
    Document,
}
