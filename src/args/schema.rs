//! The command line of `fjson validate`, and the options about JSON Schema that other commands have, too.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Reporting;
use crate::args::ranges::Ranges;
use clap::Args;
use clap::ValueEnum;
use clap::ValueHint;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args)]
#[command(mut_arg("schemas", |option| option.hide_short_help(false)))]
#[command(mut_arg("schema_from_instance", |option| option.hide_short_help(false)))]
#[command(mut_arg("unique_keys", |option| option.hide_short_help(false)))]
#[command(mut_arg("ijson", |option| option.hide_short_help(false)))]
#[command(mut_arg("files_from", |option| option.hide_short_help(false)))]
pub struct Validate {
    #[command(flatten)]
    pub schema: SchemaOptions,
    /// Check that the inputs are JSON Schemas
    ///
    /// Against the meta-schema of their draft; also that all references are found and all patterns are regular expressions.
    #[arg(long, help_heading = "Schema", group = "schema_source", conflicts_with_all = ["schemas", "schema_from_instance", "schema_at"])]
    #[arg(hide_short_help = true)]
    pub check_schema: bool,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub ranges: Ranges,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub reporting: Reporting,
}

#[derive(Args)]
#[command(next_help_heading = "Schema")]
pub struct SchemaOptions {
    /// Validate the inputs against a JSON Schema
    ///
    /// With GLOB=FILE, only the inputs whose names match the pattern, as of .gitignore. May be repeated; the last one that matches
    /// applies; of inputs without any, only the syntax is checked. Also rejects duplicate keys and documents nested more than 1000
    /// levels deep. minify, pretty, query and gzip write nothing of an input that is invalid; they read it twice, and hold
    /// standard input in memory.
    #[arg(long = "schema", value_name = "[GLOB=]FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    #[arg(group = "schema_source")]
    pub schemas: Vec<OsString>,
    /// Validate each document against the schema that its member $schema names
    ///
    /// As editors do: the name is relative to the file, and the member itself is not validated. Of documents without it, only the
    /// syntax is checked. $schema of a draft stands for its meta-schema.
    #[arg(long, group = "schema_source", conflicts_with_all = ["schemas", "schema_at"], hide_short_help = true)]
    pub schema_from_instance: bool,
    /// Look for referenced schemas in DIR, by their $id or their path
    ///
    /// Nothing is ever read from the network. May be repeated.
    #[arg(long = "schema-dir", value_name = "DIR", value_hint = ValueHint::DirPath, hide_short_help = true)]
    #[arg(requires = "schema_source")]
    pub schema_dirs: Vec<PathBuf>,
    /// Use the schema at this JSON Pointer inside the file of --schema
    ///
    /// For example /components/schemas/Pet in openapi.json.
    #[arg(long, value_name = "POINTER", requires = "schemas", hide_short_help = true)]
    pub schema_at: Option<String>,
    /// Draft of schemas without $schema: 4, 6, 7, 2019-09 or 2020-12
    ///
    /// The default is 2020-12.
    #[arg(long, value_name = "DRAFT", value_enum, requires = "schema_source", hide_short_help = true)]
    pub draft: Option<Draft>,
    /// Whether strings must have their format: assert or ignore
    ///
    /// The default is assert.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Formats::Assert, hide_default_value = true)]
    #[arg(requires = "schema_source", hide_short_help = true)]
    pub formats: Formats,
    /// Whether the inputs are schemas. Set by `validate`.
    #[arg(skip)]
    pub inputs_are_schemas: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Draft {
    #[value(name = "4")]
    Draft4,
    #[value(name = "6")]
    Draft6,
    #[value(name = "7")]
    Draft7,
    #[value(name = "2019-09")]
    Draft201909,
    #[value(name = "2020-12")]
    Draft202012,
}

impl From<Draft> for fjson_schema::Draft {
    fn from(draft: Draft) -> Self {
        match draft {
            Draft::Draft4 => Self::Draft4,
            Draft::Draft6 => Self::Draft6,
            Draft::Draft7 => Self::Draft7,
            Draft::Draft201909 => Self::Draft201909,
            Draft::Draft202012 => Self::Draft202012,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Formats {
    Assert,
    Ignore,
}

impl SchemaOptions {
    /// Whether inputs are more than read.
    pub fn is_used(&self) -> bool {
        !self.schemas.is_empty() || self.schema_from_instance || self.inputs_are_schemas
    }
}
