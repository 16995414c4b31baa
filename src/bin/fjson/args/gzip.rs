//! The command line of `gzip`.
//!
//! It has levels besides what every command has, and those take a page.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Reporting;
use crate::args::exit_status;
use clap::Args;
use clap::ValueHint;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  fjson gzip big.json              big.json.gz beside it; big.json stays
  fjson gzip -9 -o small.gz big.json
  curl -s URL | fjson gzip > a.json.gz";

pub const NOTES: &str = concat!(
    "\
Notes:
  The output is one gzip member that every gunzip reads, with no name and no
  time in it: the same input gives the same bytes. It is compressed on all
  cores, in blocks. A file appears when it is complete; what an invalid
  document leaves on standard output is no complete member.
  Compressed inputs are expanded first. FILE.zst becomes FILE.gz.

",
    exit_status!()
);

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Gzip {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub level: Level,
    /// Compress the input as it is, with its whitespace
    #[arg(long, help_heading = "Compression")]
    pub keep_space: bool,
    /// Keep what follows an edit as it was, for rsync and backups; the output grows a little
    #[arg(long, help_heading = "Compression")]
    pub rsyncable: bool,
    /// Write to standard output
    #[arg(short = 'c', long, conflicts_with = "output", help_heading = "Output")]
    pub stdout: bool,
    /// Write to FILE, which appears when it is complete
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Replace FILE.gz if it is there
    #[arg(short, long, help_heading = "Output")]
    pub force: bool,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Args)]
#[group(multiple = false)]
#[command(next_help_heading = "Compression")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Level {
    /// Fast; any number from 1 to 9 may be given, and 6 is what is used if none is
    #[arg(short = '1')]
    pub one: bool,
    #[arg(short = '2', hide = true)]
    pub two: bool,
    #[arg(short = '3', hide = true)]
    pub three: bool,
    #[arg(short = '4', hide = true)]
    pub four: bool,
    #[arg(short = '5', hide = true)]
    pub five: bool,
    #[arg(short = '6', hide = true)]
    pub six: bool,
    #[arg(short = '7', hide = true)]
    pub seven: bool,
    #[arg(short = '8', hide = true)]
    pub eight: bool,
    /// Small
    #[arg(short = '9')]
    pub nine: bool,
}

impl Level {
    pub fn number(&self) -> u8 {
        let Self { one, two, three, four, five, six, seven, eight, nine } = *self;
        let given = [one, two, three, four, five, six, seven, eight, nine];
        (1..).zip(given).find_map(|(number, is_given)| is_given.then_some(number)).unwrap_or(6)
    }
}
