//! The command line of `fjson query`.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Reporting;
use crate::args::ranges::Ranges;
use crate::args::values;
use clap::ArgAction;
use clap::Args;
use clap::ValueEnum;
use clap::ValueHint;
use std::ffi::OsString;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  fjson query '$.users[0].name' users.json
  fjson query '$..[?@.price < 10].title' -r shop.json
  fjson query /paths/~1users/get/summary api.json
  fjson query '$.error.code' --lines < log.txt
  fjson query '$.id' --where '@.ms > 500 && !@.ok' log.jsonl
  fjson query --count '$..*' big.json
  fjson query -p '$.id' -p '$.name' --csv users.jsonl
  fjson query --rows '$.items[*]' -p id='$.id' -p name='$.name' --csv --header shop.json";

pub const NOTES: &str = "\
Notes:
  EXPR is a JSONPath expression (RFC 9535), or a JSON Pointer (RFC 6901) if it
  is empty or begins with /. Numbers and strings are printed unchanged; a match
  that contains line breaks is minified, so that it fits on one line.
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
  With --order rfc, an EXPR with more than one .., or with a filter after a
  name after .., accepts documents of up to 1,024 levels unless --max-depth is
  given, because nested matches are searched again at each level.
  --csv and --tsv print a row for each document that has a match, with a column
  for each EXPR: strings are unquoted, null is empty, objects and arrays are
  JSON. Two matches of the same EXPR for one row are an error. -p NAME=EXPR
  names a column; --header prints the names. With --rows, each value that its
  EXPR selects is a row, even if no column matches, and $ in the other
  expressions is that value. With --null TEXT, null and missing values are TEXT:
  --csv --null '' prints nothing for them, and \"\" for an empty string;
  --tsv --null '\\N' is unambiguous, since \\ in a string is printed as \\\\.

Exit status:
  0  there was a match, and all documents are valid
  1  a document is invalid, or there was no match (with --allow-empty, that is 0)
  2  an error: wrong usage, an invalid EXPR, an input failed, or a match cannot
     be printed in the requested form
  A broken pipe, an interrupt or SIGTERM ends fjson by its signal (141, 130, 143).";

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Query {
    /// Expression to search for; with -p, this is another FILE
    #[arg(value_name = "EXPR", required_unless_present = "expressions")]
    pub expression: Option<OsString>,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub ranges: Ranges,
    /// Read one document per input; further documents are an error
    #[arg(long, group = "framing", conflicts_with_all = ["range", "splits_from"], help_heading = "Input")]
    pub single: bool,
    /// Search for EXPR; may be repeated to search for several in one pass; the matches of each document are in the order of the
    /// expressions. With --csv and --tsv, NAME=EXPR names the column
    #[arg(short = 'p', long = "expr", value_name = "EXPR", help_heading = "Search", allow_hyphen_values = true)]
    pub expressions: Vec<String>,
    /// Search only documents for which CONDITION is true; it is a filter without the ?, for example @.level == 'error'
    #[arg(long = "where", value_name = "CONDITION", help_heading = "Search", allow_hyphen_values = true)]
    pub condition: Option<String>,
    /// Stop after the first match; the rest of the input is not read or validated
    #[arg(long, conflicts_with = "limit", help_heading = "Search")]
    pub first: bool,
    /// Stop after N matches; the rest of the input is not read or validated
    #[arg(long, value_name = "N", help_heading = "Search", value_parser = values::limit)]
    #[arg(allow_negative_numbers = true)]
    pub limit: Option<u64>,
    /// Order of the matches: rfc (that of RFC 9535) or document (document order, which buffers no matches)
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = Order::Rfc, help_heading = "Search")]
    pub order: Order,
    /// With --lines and --seq, skip invalid records, and print their number to standard error
    #[arg(long, help_heading = "Search")]
    pub skip_bad: bool,
    /// Write the records that --skip-bad skips to FILE, one JSON object per line, with file, byte offset, reason and text; FILE is
    /// created or replaced only when all inputs have been read
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "skip_bad", help_heading = "Search")]
    pub bad_records: Option<PathBuf>,
    /// Exit with 0 if there is no match and all documents are valid; an empty input of --stream is valid, too
    #[arg(long, help_heading = "Search")]
    pub allow_empty: bool,
    /// Assume that the input is one valid document, or valid records: validate only the matches, and stop reading where no further
    /// match is possible
    #[arg(long, help_heading = "Search")]
    #[arg(conflicts_with_all = ["skip_bad", "stream", "max_depth", "unique_keys", "ijson"])]
    pub trust: bool,
    #[command(flatten)]
    pub printing: Printing,
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
    /// Print matches byte for byte, including line breaks
    #[arg(long, conflicts_with = "pretty")]
    pub raw_bytes: bool,
    /// Indent matches
    #[arg(long)]
    pub pretty: bool,
    /// Print a NUL instead of a newline after each match
    #[arg(short = '0', long, action = ArgAction::SetTrue)]
    pub null_data: bool,
    /// Print all matches as one JSON array
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "null_data"])]
    pub array: bool,
    /// Print the location of each match as a normalized path; --paths, --pointers and --offsets can be combined and give one column
    /// each
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"])]
    pub paths: bool,
    /// Print the location of each match as a JSON Pointer
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"])]
    pub pointers: bool,
    /// Print the location of each match as a range of byte offsets: start..end, excluding end. With --csv and --tsv, print the byte
    /// offset of each document as a column
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"])]
    pub offsets: bool,
    /// Print the number of matches, on one line per EXPR
    #[arg(long, conflicts_with = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null_data", "array", "paths", "pointers", "offsets", "first", "limit"])]
    pub count: bool,
    /// Print a row of comma-separated values for each document
    #[arg(long, group = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null_data", "array", "paths", "pointers", "first", "limit"])]
    pub csv: bool,
    /// Print a row of tab-separated values for each document
    #[arg(long, group = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null_data", "array", "paths", "pointers", "first", "limit"])]
    pub tsv: bool,
    /// Print the names of the columns as the first row; a column without a name is named like its EXPR
    #[arg(long, requires = "table")]
    pub header: bool,
    /// Print TEXT for null and missing values in rows. In CSV, a value that equals TEXT is quoted, and TEXT is not
    #[arg(long, value_name = "TEXT", requires = "table", value_parser = values::null, allow_hyphen_values = true)]
    pub null: Option<String>,
    /// Quote all strings in CSV, so that the string "7" differs from the number 7
    #[arg(long, requires = "csv")]
    pub quote_strings: bool,
    /// Print a row for each value that EXPR selects, for example $.items[*]; the columns are relative to that value
    #[arg(long, value_name = "EXPR", requires = "table", conflicts_with = "offsets", allow_hyphen_values = true)]
    pub rows: Option<String>,
    /// Print the name of the input before each match, or as the first column; with --count, count each input separately
    #[arg(short = 'H', long, overrides_with = "no_filename", conflicts_with = "array")]
    pub with_filename: bool,
    /// Do not print the names of the inputs, the default
    #[arg(long, overrides_with = "with_filename")]
    pub no_filename: bool,
}

impl Printing {
    /// Whether the output is a table.
    pub fn is_table(&self) -> bool {
        self.csv || self.tsv
    }

    /// Whether the offsets of documents are a column.
    pub fn has_record_offsets(&self) -> bool {
        self.offsets && self.is_table()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    Rfc,
    Document,
}
