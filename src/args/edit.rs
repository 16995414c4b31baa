//! The command lines of `fjson edit`, `set`, `delete`, `patch` and `merge`.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Output;
use crate::args::Reporting;
use crate::args::values;
use clap::Arg;
use clap::ArgAction;
use clap::ArgGroup;
use clap::ArgMatches;
use clap::Args;
use clap::Command;
use clap::FromArgMatches;
use clap::ValueHint;
use std::path::PathBuf;

pub const EDIT_EXAMPLES: &str = "\
Examples:
  fjson edit --set /version '\"1.10.0\"' --delete /private -i package.json
  fjson edit --append /tags '\"new\"' --rename /titel title a.json
  fjson edit --test /state '\"open\"' --set-string /state closed -i ticket.json";

pub const SET_EXAMPLES: &str = "\
Examples:
  fjson set /port 8080 -i config.json
  fjson set --string /version 1.10.0 -i package.json
  fjson set --missing-ok '$..password' null --lines < log.jsonl
  fjson set --parents /log/level '\"warn\"' -i configs";

pub const DELETE_EXAMPLES: &str = "\
Examples:
  fjson delete /scripts/prepare -i package.json
  fjson delete '$..[?@.secret == true]' a.json
  fjson delete /email -p /phone --missing-ok users.jsonl";

pub const PATCH_EXAMPLES: &str = "\
Examples:
  fjson patch changes.json -i config.json
  fjson patch changes.json a.json > b.json
  fjson patch --check changes.json configs";

pub const MERGE_EXAMPLES: &str = "\
Examples:
  fjson merge local.json config.json > merged.json
  echo '{\"port\": 8080, \"debug\": null}' | fjson merge - -i config.json";

/// What holds for all commands that change values.
macro_rules! notes {
    ($beginning:literal) => {
        concat!(
            "Notes:\n",
            $beginning,
            "  All bytes outside of the changes stay: layout, escapes, digits, line ends and
  what is between records. New members and elements are laid out like those
  around them. A value is written as it is given; if it has several lines, they
  are indented like the line that it is on, or joined in a container that is on
  one line, and with --lines. With --jsonc, comments and trailing commas stay; a
  deleted item takes the comments on its line with it.
  All changes of a document are made, or none. An input is one document, unless
  --lines, --stream or --seq is given; then each record is changed.
  The document is held in memory with its tokens and its new text; of a file of
  1 MiB or more, only what the changes look into, if all paths are JSON
  Pointers and there are no comments. -i does not touch files that would stay
  as they are, and skips compressed files in directories.

Exit status:
  0  success: all documents are valid, and all changes were made
  1  a document is invalid, a target does not exist or is not suitable, a test
     failed, or --check found an input that would change
  2  an error: wrong usage, an invalid path, value or patch, or an input or
     output failed"
        )
    };
}

pub const EDIT_NOTES: &str = notes!(
    "  PATH is a JSON Pointer (RFC 6901), such as /a/0, or a JSONPath (RFC 9535),
  such as $..a[?@.b > 1], which selects any number of values. /a/- is the place
  after the last element of the array /a. JSON is the text of a value.
  Changes are made in the order in which they are given; each sees those before
  it. --set replaces a value, or adds a member to an object, or an element with
  /-. --insert puts a value before an element. --move and --copy take JSON
  Pointers, and insert at TO. --test fails unless the values at PATH are equal:
  the meaning counts, and not how it is written.
"
);

pub const SET_NOTES: &str = notes!(
    "  PATH is a JSON Pointer (RFC 6901), such as /a/0, or a JSONPath (RFC 9535),
  such as $..a[?@.b > 1], which selects any number of values. /a/- is the place
  after the last element of the array /a. A JSON Pointer to a member that does
  not exist adds it to its object.
"
);

pub const DELETE_NOTES: &str = notes!(
    "  PATH is a JSON Pointer (RFC 6901), such as /a/0, or a JSONPath (RFC 9535),
  such as $..a[?@.b > 1], which selects any number of values.
"
);

pub const PATCH_NOTES: &str = notes!(
    "  PATCH is a file, or - for standard input. Its operations are add, remove,
  replace, move, copy and test.
"
);

pub const MERGE_NOTES: &str = notes!(
    "  PATCH is a file, or - for standard input. Its members replace or add those of
  the document, objects are merged, and null removes a member. Values that are
  equal already stay as they are written.
"
);

// The options that all these commands have. A comment for the documentation would be their help.
#[derive(Args)]
pub struct Changing {
    #[command(flatten)]
    pub output: Output,
    /// List the inputs that would change
    ///
    /// Writes no documents. The exit status is 1 if there is such an input.
    #[arg(long, conflicts_with_all = ["output", "in_place"], help_heading = "Output")]
    pub check: bool,
    /// Indent new items with N spaces per level if the document has no lines
    ///
    /// For items of empty objects and arrays, which otherwise stay on one line in such a document. 0 to 16.
    #[arg(long, value_name = "N", value_parser = values::indent, hide_short_help = true)]
    #[arg(allow_negative_numbers = true, help_heading = "Changes")]
    pub indent: Option<u8>,
    /// Limit on the length of a document before and after the changes, in bytes
    ///
    /// It also limits the memory of values that are copied. The suffixes K, M and G stand for KiB, MiB and GiB.
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "4G", hide_short_help = true)]
    #[arg(allow_negative_numbers = true, help_heading = "Changes")]
    pub max_memory: u64,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub reporting: Reporting,
}

// The short help has one line for each option.
#[derive(Args)]
#[command(override_usage = "fjson edit [OPTIONS] <CHANGE>... [FILE]...")]
#[command(mut_args(|option| {
    let is_hidden = ["format", "globs", "lines", "quiet"].contains(&option.get_id().as_str());
    if is_hidden { option.hide_short_help(true) } else { option }
}))]
pub struct Edit {
    #[command(flatten)]
    pub operations: Operations,
    /// Create missing objects and arrays
    ///
    /// Those around a new value: arrays where - follows in PATH, otherwise objects.
    #[arg(long, help_heading = "Changes")]
    pub parents: bool,
    /// Leave out changes whose target does not exist
    ///
    /// All but --move, --copy and --test. A document for which no change is left stays as it is.
    #[arg(long, help_heading = "Changes")]
    pub missing_ok: bool,
    #[command(flatten)]
    pub changing: Changing,
}

#[derive(Args)]
pub struct Set {
    /// JSON Pointer or JSONPath of the values to set
    #[arg(value_name = "PATH", help_heading = None, value_hint = ValueHint::Other)]
    pub path: String,
    /// The new value, as JSON
    #[arg(value_name = "VALUE", help_heading = None, allow_negative_numbers = true, value_hint = ValueHint::Other)]
    pub value: String,
    /// VALUE is the text of a string, not JSON
    #[arg(short, long, help_heading = "Changes")]
    pub string: bool,
    /// Create missing objects and arrays
    ///
    /// Those around a new value: arrays where - follows in PATH, otherwise objects.
    #[arg(long, help_heading = "Changes")]
    pub parents: bool,
    /// Do not fail if there is nothing to set
    ///
    /// If no value matches PATH, or what would contain it does not exist, a document stays as it is.
    #[arg(long, help_heading = "Changes")]
    pub missing_ok: bool,
    #[command(flatten)]
    pub changing: Changing,
}

#[derive(Args)]
pub struct Delete {
    /// JSON Pointer or JSONPath of the values to delete
    #[arg(value_name = "PATH", help_heading = None, value_hint = ValueHint::Other)]
    pub path: String,
    /// Delete the values of PATH, too
    ///
    /// May be repeated. Each path is that in the document without the values that were deleted before.
    #[arg(short = 'p', long = "path", value_name = "PATH", value_hint = ValueHint::Other, help_heading = "Changes")]
    pub paths: Vec<String>,
    /// Do not fail if there is nothing to delete
    #[arg(long, help_heading = "Changes")]
    pub missing_ok: bool,
    #[command(flatten)]
    pub changing: Changing,
}

#[derive(Args)]
pub struct Patch {
    /// File with a JSON Patch, or - for standard input
    #[arg(value_name = "PATCH", help_heading = None, value_hint = ValueHint::FilePath)]
    pub patch: PathBuf,
    #[command(flatten)]
    pub changing: Changing,
}

#[derive(Args)]
pub struct Merge {
    /// File with a merge patch, or - for standard input
    #[arg(value_name = "PATCH", help_heading = None, value_hint = ValueHint::FilePath)]
    pub patch: PathBuf,
    #[command(flatten)]
    pub changing: Changing,
}

impl crate::args::Command {
    /// Returns the options of a command that changes values.
    pub fn changing(&mut self) -> Option<&mut Changing> {
        match self {
            Self::Edit(edit) => Some(&mut edit.changing),
            Self::Set(set) => Some(&mut set.changing),
            Self::Delete(delete) => Some(&mut delete.changing),
            Self::Patch(patch) => Some(&mut patch.changing),
            Self::Merge(merge) => Some(&mut merge.changing),
            _ => None,
        }
    }
}

/// The changes of `fjson edit` in the order of the command line.
pub struct Operations(pub Vec<Operation>);

impl Operations {
    /// Returns the files of `--set-file`.
    pub fn files(&self) -> Vec<PathBuf> {
        let files = self.0.iter().filter(|operation| operation.name == "set-file");
        files.filter_map(|operation| operation.operands.get(1)).map(PathBuf::from).collect()
    }
}

/// A change of `fjson edit`: the name of its option and the operands.
pub struct Operation {
    pub name: &'static str,
    pub operands: Vec<String>,
}

/// The names, operands and help of the options that are changes.
const OPERATIONS: [(&str, &[&str], &str); 10] = [
    ("set", &["PATH", "JSON"], "Set values, or add a member or element"),
    ("set-string", &["PATH", "TEXT"], "Set strings, without quotes or escapes"),
    ("set-file", &["PATH", "FILE"], "Set values to the document in FILE"),
    ("insert", &["PATH", "JSON"], "Insert a value before an element"),
    ("append", &["PATH", "JSON"], "Add an element to the end of arrays"),
    ("delete", &["PATH"], "Delete members and elements"),
    ("rename", &["PATH", "KEY"], "Give members another key"),
    ("move", &["FROM", "TO"], "Move a value"),
    ("copy", &["FROM", "TO"], "Copy a value"),
    ("test", &["PATH", "JSON"], "Fail unless values are equal to JSON"),
];

// The order of different options is known only from the indices of their values, which derived code does not keep.
impl Args for Operations {
    fn augment_args(command: Command) -> Command {
        let names = OPERATIONS.map(|(name, ..)| name);
        let command = OPERATIONS.iter().fold(command, |command, &(name, operands, help)| {
            let hint = if name == "set-file" { ValueHint::FilePath } else { ValueHint::Other };
            let option = Arg::new(name).long(name).value_names(operands).num_args(operands.len()).help(help);
            // Texts may begin with `-`, as values of `jq --arg`. JSON and paths do not, but for numbers.
            let is_text = ["set-string", "rename"].contains(&name);
            let option = option.action(ArgAction::Append).allow_hyphen_values(is_text).value_hint(hint);
            let option = if is_text { option } else { option.allow_negative_numbers(true) };
            // The short help has room for the options that are needed most.
            command.arg(option.help_heading("Changes").hide_short_help(["set-file", "copy"].contains(&name)))
        });
        command.group(ArgGroup::new("changes").args(names).required(true).multiple(true))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Operations {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found = Vec::new();
        for (name, operands, _) in OPERATIONS {
            let indices = matches.indices_of(name).into_iter().flatten().step_by(operands.len());
            let occurrences = matches.get_occurrences::<String>(name).into_iter().flatten();
            for (index, operands) in indices.zip(occurrences) {
                found.push((index, Operation { name, operands: operands.cloned().collect() }));
            }
        }
        found.sort_by_key(|&(index, _)| index);
        Ok(Self(found.into_iter().map(|(_, operation)| operation).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
