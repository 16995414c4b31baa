//! The command line of `fjson stats`.

#![forbid(unsafe_code)]

use crate::args::Color;
use crate::args::Engine;
use crate::args::Form;
use crate::args::Inputs;
use crate::args::ranges::Ranges;
use crate::args::values;
use clap::Args;
use clap::ValueEnum;

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Stats {
    /// Format of the statistics: a table or one JSON document
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Table, help_heading = "Output")]
    pub format: Form,
    /// Show the N most frequent keys
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = values::keys)]
    #[arg(allow_negative_numbers = true, help_heading = "Output")]
    pub top: usize,
    /// Describe the structure instead: all paths, and the values there
    ///
    /// For each path and type: the number of values, the share of the enclosing objects that have the member, and the sizes, ranges
    /// and an example. All elements of an array have one path. So do all members of an object that is taken for a map from keys to
    /// values.
    #[arg(long, group = "structure", conflicts_with = "top", help_heading = "Output")]
    pub paths: bool,
    /// Print a JSON Schema of the documents instead
    ///
    /// Of draft 2020-12: types, required members, the formats of strings, and enums of few strings. It accepts all documents that were
    /// read. What else it accepts is up to --strictness. Bounds are comments.
    #[arg(long, group = "structure", conflicts_with_all = ["top", "format"], help_heading = "Output")]
    pub infer_schema: bool,
    /// With --infer-schema, how little else the schema accepts: loose, normal or strict
    ///
    /// The default is normal. loose: only types, and a number may have a fraction; no member is required. strict: also no other
    /// members, no numbers and strings beyond the bounds, no longer arrays, no empty ones if there was none, and
    /// enums of strings that occur twice on average instead of ten times.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Strictness::Normal, hide_default_value = true)]
    #[arg(requires = "infer_schema", conflicts_with = "paths", hide_short_help = true, help_heading = "Output")]
    pub strictness: Strictness,
    /// With --paths or --infer-schema, describe at most N levels [default: 32]
    ///
    /// Up to 256, and in a schema 126. The document itself is not counted as a level.
    #[arg(long, value_name = "N", value_parser = values::levels, requires = "structure", help_heading = "Output")]
    #[arg(allow_negative_numbers = true, hide_short_help = true)]
    pub levels: Option<u64>,
    /// With --paths or --infer-schema, take objects with more than N different keys for maps [default: 50]
    ///
    /// If most of the objects with a path have most of the keys, or if there is only one and its members have different types, they
    /// are records and not maps, unless they have more than 1,000 different keys, or N if that is more. Up to 10,000.
    #[arg(long, value_name = "N", value_parser = values::map_keys, requires = "structure", help_heading = "Output")]
    #[arg(allow_negative_numbers = true, hide_short_help = true)]
    pub max_keys: Option<usize>,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub ranges: Ranges,
    #[command(flatten)]
    pub engine: Engine,
    /// Limit on the memory for a single string or number, in bytes
    ///
    /// One that fits into a buffer, which has at most 8 MiB, is always accepted. The suffixes K, M and G stand for KiB, MiB and GiB.
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "1G", help_heading = "Engine")]
    #[arg(allow_negative_numbers = true, hide_short_help = true)]
    pub max_memory: u64,
    /// Show at most N errors; 0 shows all
    ///
    /// The number of errors that were omitted is printed.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = values::count)]
    #[arg(allow_negative_numbers = true, hide_short_help = true, help_heading = "Report")]
    pub max_errors: u64,
    /// When to use colors in the report
    ///
    /// auto depends on the environment and on whether standard error is a terminal.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_default_value = true)]
    #[arg(hide_short_help = true, help_heading = "Report")]
    pub color: Color,
    /// Do not report invalid documents; check the exit status
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Report")]
    pub quiet: bool,
    /// Print what was read, how fast, and with which kernel
    #[arg(short, long, help_heading = "Report", hide_short_help = true)]
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Strictness {
    Loose,
    Normal,
    Strict,
}

impl From<Strictness> for fjson_schema::Strictness {
    fn from(strictness: Strictness) -> Self {
        match strictness {
            Strictness::Loose => Self::Loose,
            Strictness::Normal => Self::Normal,
            Strictness::Strict => Self::Strict,
        }
    }
}
