//! The options for parts of inputs, of the commands that read records.

#![forbid(unsafe_code)]

use crate::args::values;
use crate::args::values::Part;
use clap::Args;
use clap::ValueHint;
use std::path::PathBuf;

// The parts of inputs to read, for commands that read records. A doc comment would become the description of these commands.
#[derive(Args)]
#[command(next_help_heading = "Input")]
pub struct Ranges {
    /// Read only the records that begin in a part of each input
    ///
    /// With --lines and --seq. FROM..TO in bytes, with the suffixes K, M and G, or K/N for the K-th of N equal parts.
    #[arg(long, value_name = "RANGE", value_parser = values::part, conflicts_with_all = ["splits_from", "jsonc"], hide_short_help = true)]
    pub range: Option<Part>,
    /// Read the parts of files that are listed in FILE
    ///
    /// One per line: NAME, FROM and TO, separated by tabs. - is standard input.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "jsonc", hide_short_help = true)]
    pub splits_from: Option<PathBuf>,
}
