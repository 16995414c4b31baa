//! Options of the commands that write documents anew.

#![forbid(unsafe_code)]

use crate::args::values;
use clap::Args;
use clap::ValueEnum;

#[derive(Args)]
#[command(next_help_heading = "Text")]
pub struct Text {
    /// Sort the members of each object by key
    ///
    /// In code point order. Each object is held in memory until it ends.
    #[arg(short = 'S', long)]
    pub sort_keys: bool,
    /// Sort keys without regard to case, and numbers in them by value
    ///
    /// So a2 comes before A10. Runs of the digits 0 to 9 are compared by value, other characters by their lower-case forms, in code
    /// point order; keys that are equal then are sorted by code point.
    #[arg(long, requires = "sort_keys", hide_short_help = true)]
    pub natural: bool,
    /// Write characters in strings as \u escapes, or none
    ///
    /// ascii: all non-ASCII characters; html: < > & U+2028 U+2029; js: U+2028 U+2029. Several can be given, separated by commas.
    /// none writes characters instead of escapes, except for U+0000 to U+001F, quotes, backslashes, lone surrogates, and what
    /// the others escape.
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub escape: Vec<Escape>,
    /// Limit on the memory for sorting one object, in bytes
    ///
    /// With minify --canonical, also for a single number. The suffixes K, M and G stand for KiB, MiB and GiB.
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "1G", hide_short_help = true)]
    #[arg(allow_negative_numbers = true)]
    pub max_memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Escape {
    None,
    Ascii,
    Html,
    Js,
}
