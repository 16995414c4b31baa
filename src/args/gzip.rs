//! The command line of `fjson gzip`.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Reporting;
use crate::args::notes::exit_status;
use crate::args::schema::SchemaOptions;
use clap::Args;
use clap::ValueHint;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  fjson gzip big.json              write big.json.gz; keep big.json
  fjson gzip -9 -o small.gz big.json
  curl -s URL | fjson gzip > a.json.gz";

pub const NOTES: &str = concat!(
    "\
Notes:
  The output is a single gzip member that any gzip tool can read. It stores no
  file name and no timestamp, so the same input gives the same bytes. Blocks
  are compressed in parallel on all cores. An output file is created only when
  it is complete; for an invalid document, standard output gets nothing or an
  incomplete member.
  Compressed inputs are expanded first. FILE.zst, FILE.bz2 and FILE.xz
  become FILE.gz.

",
    exit_status!()
);

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Gzip {
    #[command(flatten)]
    pub level: Level,
    /// Keep the whitespace of the input
    #[arg(long, help_heading = "Compression")]
    pub keep_space: bool,
    /// Make the output suitable for rsync and backups
    ///
    /// An edit of the input then changes only a small part of the output, which is slightly larger.
    #[arg(long, help_heading = "Compression")]
    pub rsyncable: bool,
    /// Write to standard output
    #[arg(short = 'c', long, conflicts_with = "output", help_heading = "Output")]
    pub stdout: bool,
    /// Write to FILE
    ///
    /// It is created or replaced only when the output is complete. - is standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Replace FILE.gz if it exists
    #[arg(short, long, help_heading = "Output")]
    pub force: bool,
    #[command(flatten)]
    pub schema: SchemaOptions,
    #[command(flatten)]
    pub inputs: Inputs,
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
    /// Fastest; -1 to -9 set the level, the default is -6
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
    /// Smallest
    #[arg(short = '9')]
    pub nine: bool,
}

impl Level {
    /// Returns the level, 1 to 9. The default is 6.
    pub fn number(&self) -> u8 {
        let Self { one, two, three, four, five, six, seven, eight, nine } = *self;
        let given = [one, two, three, four, five, six, seven, eight, nine];
        (1..).zip(given).find_map(|(number, is_given)| is_given.then_some(number)).unwrap_or(6)
    }
}
