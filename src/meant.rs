//! The command that was meant: tips for command lines that name no command of fjson.
//!
//! People try the words of other tools (`fmt`, `check`, `jq`), or leave the command out. The tip is a command line to copy. There
//! are no aliases: a second name for a command would have to be documented and kept.

#![forbid(unsafe_code)]

use crate::args::jq::OPTIONS;
use crate::args::jq::Row;
use crate::extension::is_json;
use crate::sanitize;
use fjson::Query;
use std::ffi::OsStr;
use std::ffi::OsString;
use std::path::Path;
use std::path::PathBuf;

/// Why a command line with such a name is refused.
pub const NAME_LIKE_OPTION: &str = "this is an option, and a file has the same name; for the file, write ./ before its name, or -- \
                                    before all names";

/// Returns an argument before `--` that is an option, but also the name of a JSON file. It may come from a pattern of the shell or
/// from a hook, in a repository whose author wants `--files-from=list.json` to be an option.
pub fn name_like_option(arguments: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let mut options = arguments.take_while(|argument| argument != "--").map(PathBuf::from);
    let is_option = |path: &PathBuf| path.as_os_str().as_encoded_bytes().starts_with(b"-");
    options.find(|path| is_option(path) && is_json(path) && path.symlink_metadata().is_ok())
}

/// Returns tips for a command line whose first argument is not a command. `arguments` begins with it.
pub fn tips(arguments: &[OsString]) -> Vec<String> {
    let Some((first, rest)) = arguments.split_first() else { return Vec::new() };
    let line = |what: &str, command: &str, arguments: &[OsString]| {
        let words = arguments.iter().map(|argument| quoted(argument));
        let line: Vec<_> = ["fjson".to_owned(), command.to_owned()].into_iter().chain(words).collect();
        format!("{what}: {}", line.join(" "))
    };
    let name = first.to_str().unwrap_or_default();
    match name {
        "fmt" | "format" | "prettify" | "beautify" | "indent" => vec![
            line("to print the document indented", "pretty", rest),
            line("to format the file itself", "pretty -i", rest),
        ],
        "check" | "lint" | "verify" | "valid" | "test" => vec![line("to check for errors", "validate", rest)],
        "cat" | "print" | "show" | "view" | "." => vec![line("to print the document indented", "pretty", rest)],
        "min" | "compact" | "uglify" => vec![line("to remove whitespace", "minify", rest)],
        "rm" | "del" | "remove" | "unset" => vec![line("to delete values", "delete", rest)],
        "mv" | "move" | "rename" => vec![line("to rename a member", "edit --rename", rest)],
        "put" | "update" | "assign" | "replace" => vec![line("to set a value", "set", rest)],
        "add" => vec![
            line("to add a member, or replace it", "set", rest),
            line("to insert an element", "edit --insert", rest),
        ],
        "schema" => vec![line("to check against a schema", "validate --schema", rest)],
        "apply" => vec![line("to apply a JSON Patch", "patch", rest)],
        "compare" | "cmp" => vec![line("to compare two documents", "diff", rest)],
        "csv" | "tsv" | "table" | "convert" => {
            vec![line("to make a table", "query --csv --columns auto", rest)]
        }
        "sort" => vec![line("to sort the keys", "pretty --sort-keys", rest)],
        "canonical" | "canonicalize" | "jcs" => vec![line("for the form of RFC 8785", "minify --canonical", rest)],
        "count" => {
            if file_first(rest) {
                vec![
                    line("to count types, keys and numbers", "stats", rest),
                    line("to count the elements", "query --count '$[*]'", rest),
                ]
            } else {
                vec![line("to count the matches", "query --count", &expression_first(rest))]
            }
        }
        "paths" => vec![line("to list all paths", "query --paths '$..*'", rest)],
        "keys" => vec![line("to list the keys", "jq keys", rest)],
        "length" => vec![line("to count the elements", "jq length", rest)],
        "get" | "select" | "filter" | "find" | "search" | "path" | "jsonpath" | "pointer" => {
            if file_first(rest) {
                vec![line("to select values", "query '$'", rest)]
            } else {
                vec![line("to select values", "query", &expression_first(rest))]
            }
        }
        _ if Path::new(first).exists() || is_json(Path::new(first)) => vec![
            line("to check the file", "validate", arguments),
            line("to print it indented", "pretty", arguments),
            line("to select values", "query EXPR", arguments),
        ],
        _ if is_program(name) || is_for_jq(name, rest) => vec![line("to run the program", "jq", arguments)],
        _ if name.starts_with(['$', '/']) => vec![line("to select values", "query", &expression_first(arguments))],
        _ => Vec::new(),
    }
}

/// Whether a word is a program in the jq language, and neither a JSONPath nor the name of a file.
fn is_program(word: &str) -> bool {
    word.starts_with(['.', '{', '[']) || !word.starts_with('$') && word.contains(['(', '|'])
}

/// Whether a command line begins with an option of jq, and has a program.
fn is_for_jq(option: &str, rest: &[OsString]) -> bool {
    let is_known = |row: &Row| match (option.strip_prefix("--"), option.strip_prefix('-')) {
        (Some(name), _) => row.long == name,
        (None, Some(letters)) => row.short.is_some_and(|letter| letters.starts_with(letter)),
        (None, None) => false,
    };
    let has_program = || {
        let words = rest.iter().filter_map(|argument| argument.to_str());
        words.filter(|word| !Path::new(word).exists() || *word == ".").any(is_program)
    };
    OPTIONS.iter().any(is_known) && has_program()
}

/// Whether an option is probably a misspelling of another one, or begins with the same word.
pub fn is_misspelling(option: &str, of: &str) -> bool {
    let (option, of) = (option.trim_start_matches('-'), of.trim_start_matches('-'));
    let word = option.split('-').next().filter(|word| word.len() > 2);
    let is_same_word = word.is_some() && word == of.split('-').next();
    let is_beginning = option.len() > 2 && of.starts_with(option);
    is_same_word || is_beginning || strsim::osa_distance(option, of) <= of.len().div_ceil(3)
}

/// Returns what does the same as an option that the command does not have. `arguments` are those after the command.
pub fn option(command: &str, option: &str, arguments: &[OsString]) -> Vec<String> {
    let others = || {
        let is_other = |argument: &&OsString| *argument != OsStr::new(option);
        arguments.iter().filter(is_other).flat_map(|argument| [" ".to_owned(), quoted(argument)]).collect::<String>()
    };
    let tip = match (command, option) {
        ("query", "-c" | "--compact-output") => {
            "each match is printed on one line, so this option is not needed".to_owned()
        }
        ("minify", "-c" | "--compact" | "--compact-output") => {
            "the output is compact, so this option is not needed".to_owned()
        }
        ("pretty", "-c" | "--compact" | "--compact-output") => {
            format!("to print the document without whitespace: fjson minify{}", others())
        }
        ("pretty", "--no-indent") => format!("to print the document without whitespace: fjson minify{}", others()),
        ("pretty", "--spaces" | "--indent-width" | "--indent-size") => {
            "to indent each level by N spaces: --indent N".to_owned()
        }
        ("pretty", "--json-lines") => "to print the document of each line: --lines".to_owned(),
        ("minify", "--indent" | "--tab") => {
            let arguments: String = arguments.iter().flat_map(|argument| [" ".to_owned(), quoted(argument)]).collect();
            format!("to print the document indented: fjson pretty{arguments}")
        }
        ("pretty" | "minify", "--ensure-ascii" | "--ascii" | "--ascii-output") => {
            "to write all other characters as escapes: --escape ascii".to_owned()
        }
        ("pretty" | "minify", "--no-ensure-ascii") => "text stays as it is, so this option is not needed".to_owned(),
        ("edit", "--replace" | "--change" | "--update") => "to set a value: --set PATH JSON".to_owned(),
        ("edit", "--remove" | "--unset" | "--del") => "to delete values: --delete PATH".to_owned(),
        ("edit", "--add") => {
            "to add a member to an object: --set PATH JSON; an element before another one: --insert PATH JSON"
                .to_owned()
        }
        ("diff", "--json" | "--patch") => "to print a JSON Patch: --format patch".to_owned(),
        ("validate", "-s") => "to check against a schema: --schema FILE".to_owned(),
        ("query", "-s" | "--slurp") => "to print all matches as one array: --array".to_owned(),
        ("query", "-S" | "--sort-keys") => "to sort keys: fjson query EXPR FILE | fjson pretty --sort-keys".to_owned(),
        ("query", "-e" | "--exit-status") => {
            "the status is 1 if nothing matched, so this option is not needed".to_owned()
        }
        ("query" | "pretty" | "minify", "-C" | "--color-output") => "to print colors: --color always".to_owned(),
        ("query", "-o" | "--output") => "to write to a file: fjson query EXPR FILE > OUTPUT".to_owned(),
        ("query", "--arg" | "--argjson" | "--args" | "--jsonargs" | "--slurpfile" | "--rawfile") => {
            "JSONPath has no variables; programs for jq have: fjson jq --arg NAME VALUE '.[] | select(.name == $NAME)'"
                .to_owned()
        }
        ("diff", "--unordered" | "--ignore-order" | "--ignore-array-order") => {
            "to match elements in any order: --array set".to_owned()
        }
        ("gzip", "-d" | "--decompress" | "--uncompress") => {
            "to decompress: gzip -d; all commands of fjson read .gz files as they are".to_owned()
        }
        ("gzip", "--level" | "--compression-level" | "--best" | "--fast") => {
            "the level is an option of its own, from -1 (fast) to -9 (small)".to_owned()
        }
        ("gzip", "-k" | "--keep") => "the input file is always kept, so this option is not needed".to_owned(),
        (_, "-r" | "-R" | "--recursive") => {
            "directories are always searched recursively, so this option is not needed".to_owned()
        }
        (_, "--depth" | "--maxdepth") => "to limit the nesting depth: --max-depth N".to_owned(),
        (_, "--strip-comments" | "--comments" | "--allow-comments") => {
            "to accept comments and trailing commas: --jsonc; pretty --strip removes comments".to_owned()
        }
        (_, "--json5") => "to accept comments and trailing commas, but not the rest of JSON5: --jsonc".to_owned(),
        ("query", "--unescape") => "to print strings without quotes and escapes: -r".to_owned(),
        (_, "--unescape") => "to print a string without quotes and escapes: fjson query -r EXPR FILE".to_owned(),
        ("validate" | "query" | "stats", "-i" | "--in-place") => {
            "this command changes no files; pretty, minify, edit, set, delete, patch, merge and jq have this option"
                .to_owned()
        }
        ("pretty" | "minify" | "edit" | "set" | "delete" | "patch" | "merge", "-w" | "--write") => {
            "to change the file itself: -i".to_owned()
        }
        _ => return Vec::new(),
    };
    vec![tip]
}

/// Whether the first operand is a file, and not an expression.
fn file_first(arguments: &[OsString]) -> bool {
    let operand = arguments.iter().find(|argument| !argument.as_encoded_bytes().starts_with(b"-"));
    operand.is_some_and(|operand| {
        let path = Path::new(operand);
        path.exists() || is_json(path) && operand.to_str().is_none_or(|text| Query::new(text).is_err())
    })
}

/// Returns the arguments with a valid expression in place of the first one that is not an option, if one is known.
fn expression_first(arguments: &[OsString]) -> Vec<OsString> {
    let mut arguments = arguments.to_vec();
    let expression = arguments.iter_mut().find(|argument| !argument.as_encoded_bytes().starts_with(b"-"));
    if let Some(expression) = expression
        && let Some(Err(error)) = expression.to_str().map(Query::new)
        && let Some(suggestion) = error.suggestion()
    {
        *expression = suggestion.into();
    }
    arguments
}

/// Returns an argument as it is written in a shell, safe to print.
pub fn quoted(argument: &OsStr) -> String {
    let text = sanitize::bytes(argument.as_encoded_bytes());
    let is_plain = |character: char| character.is_alphanumeric() || "-_./,:=@%+".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text;
    }
    // Double quotes are easier to read than `'$['\''a'\'']'`.
    if text.contains('\'') && !text.contains(['"', '`', '\\', '!']) {
        return format!("\"{}\"", text.replace('$', r"\$"));
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_for_the_shell() {
        for (argument, text) in [
            ("a.json", "a.json"),
            ("", "''"),
            ("$.a[*]", "'$.a[*]'"),
            ("it's", "\"it's\""),
            ("$['a']", r#""\$['a']""#),
            (r#"it's "a""#, r#"'it'\''s "a"'"#),
            ("a b", "'a b'"),
            ("\u{1b}", "'<U+001B>'"),
        ] {
            assert_eq!(quoted(OsStr::new(argument)), text);
        }
    }
}
