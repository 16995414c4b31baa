//! The command line of `fjson query`, a page of its own.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Reporting;
use clap::ArgAction;
use clap::Args;
use clap::ValueEnum;
use std::ffi::OsString;

pub const EXAMPLES: &str = "\
Examples:
  fjson query '$.users[0].name' users.json
  fjson query '$..[?@.price < 10].title' -r shop.json
  fjson query /paths/~1users/get/summary api.json
  fjson query '$.error.code' --lines < log.txt
  fjson query '$.id' --where '@.ms > 500 && !@.ok' log.jsonl
  fjson query --count '$..*' big.json
  fjson query -p '$.id' -p '$.name' --csv users.jsonl";

pub const NOTES: &str = "\
Notes:
  EXPR is JSONPath (RFC 9535), or a JSON Pointer (RFC 6901) if it is empty or
  begins with /. Numbers and strings are printed as they are written; a match
  with line breaks in it is minified, so each stands on one line.
  Where members of one object share a name, a child segment takes the first of
  its name; .. and * and filters take each.
  Documents may follow one another in an input, as with --stream; each is
  searched. All of the input is read and checked, unless --first, --limit or
  --trust is given: those leave the rest unread, so it may be invalid.
  Every bad document is reported, and the status is 1. With --lines and --seq
  the search goes on behind it; otherwise nobody can tell where the next
  document begins, so it ends there. Matches in front of the error are printed
  if they were found before it; a record of --lines or --seq prints nothing then.
  With --order rfc, several .. in an EXPR, or filters behind a name behind ..,
  take documents of up to 1,024 levels unless --max-depth says otherwise: they
  look at what lies in each other again for each level.
  --csv and --tsv write a row for each document that has a match, with a column
  for each EXPR: strings raw, null as nothing, containers as JSON. A column with
  two matches in one document is an error.

Exit status:
  0  something matched, and every document was valid
  1  nothing matched, or a document is invalid
  2  trouble: wrong usage or EXPR, an input failed, or a match cannot be written
     as it was asked for
  A broken pipe or an interrupt ends fjson by its signal (141, 130, 143).";

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Query {
    /// What to look for; with -p, this is another FILE
    #[arg(value_name = "EXPR", required_unless_present = "expressions")]
    pub expression: Option<OsString>,
    #[command(flatten)]
    pub inputs: Inputs,
    /// One document per input; another one behind it is an error
    #[arg(long, group = "framing", help_heading = "Input")]
    pub single: bool,
    /// Look for EXPR; given several times, for all of them in one pass, and each document's matches come in their order
    #[arg(short = 'p', long = "expr", value_name = "EXPR", help_heading = "Search", allow_hyphen_values = true)]
    pub expressions: Vec<String>,
    /// Ask only documents for which CONDITION holds, which is what may stand behind the ? of a filter: @.level == 'error'
    #[arg(long = "where", value_name = "CONDITION", help_heading = "Search", allow_hyphen_values = true)]
    pub condition: Option<String>,
    /// Stop after the first match; what follows is not read, and not checked
    #[arg(long, conflicts_with = "limit", help_heading = "Search")]
    pub first: bool,
    /// Stop after N matches; what follows is not read, and not checked
    #[arg(long, value_name = "N", help_heading = "Search", value_parser = crate::commands::query::limit)]
    #[arg(allow_negative_numbers = true)]
    pub limit: Option<u64>,
    /// Order of the matches: that of RFC 9535, or document, which holds nothing back
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = Order::Rfc, help_heading = "Search")]
    pub order: Order,
    /// With --lines and --seq, leave out records that are invalid, and say on standard error how many they were
    #[arg(long, help_heading = "Search")]
    pub skip_bad: bool,
    /// Believe that the input is one valid document, or valid records: check only what is printed, and read no further than to
    /// where nothing more can match
    #[arg(long, help_heading = "Search")]
    #[arg(conflicts_with_all = ["skip_bad", "max_depth", "unique_keys", "ijson"])]
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
    /// Print matches byte for byte, line breaks and all
    #[arg(long, conflicts_with = "pretty")]
    pub raw_bytes: bool,
    /// Indent matches
    #[arg(long)]
    pub pretty: bool,
    /// End each match with a NUL in place of a line break
    #[arg(short = '0', long, action = ArgAction::SetTrue)]
    pub null: bool,
    /// Print all matches as one array
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "null"])]
    pub array: bool,
    /// Print where matches are, as normalized paths; with --pointers and --offsets, in columns
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"])]
    pub paths: bool,
    /// The same as JSON Pointers
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"])]
    pub pointers: bool,
    /// The same as bytes of the input: from..to, the second not included
    #[arg(long, conflicts_with_all = ["raw", "raw_bytes", "pretty", "array"])]
    pub offsets: bool,
    /// Print how many matches there are, for each EXPR on a line
    #[arg(long, conflicts_with = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null", "array", "paths", "pointers", "offsets", "first", "limit"])]
    pub count: bool,
    /// Print a row of comma-separated values for each document
    #[arg(long, group = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null", "array", "paths", "pointers", "offsets", "first", "limit"])]
    pub csv: bool,
    /// Print a row of tab-separated values for each document
    #[arg(long, group = "table")]
    #[arg(conflicts_with_all = ["raw", "raw_bytes", "pretty", "null", "array", "paths", "pointers", "offsets", "first", "limit"])]
    pub tsv: bool,
    /// Begin with a row of the expressions
    #[arg(long, requires = "table")]
    pub header: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    Rfc,
    Document,
}
