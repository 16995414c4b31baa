//! Help for programs in the language of jq that no expression alone can replace: the options that do the same, or a sentence that
//! JSONPath does not compute.

#![forbid(unsafe_code)]

use crate::meant::quoted;
use fjson::Condition;
use fjson::Query;
use std::ffi::OsStr;

/// What jq does for its exit status alone.
const EMPTY: &str = "check the document: fjson validate";

const NO_PROGRAM: &str = "this is a program for jq, which computes values; JSONPath only selects those of the document";

/// Words that programs for jq begin with.
const WORDS: [&str; 26] = [
    "add",
    "all",
    "any",
    "del",
    "empty",
    "flatten",
    "from_entries",
    "group_by",
    "has",
    "if",
    "input",
    "inputs",
    "join",
    "keys",
    "length",
    "map",
    "max",
    "min",
    "paths",
    "reduce",
    "select",
    "sort",
    "sort_by",
    "to_entries",
    "unique",
    "with_entries",
];

/// Returns help for an expression that has no correction, or `None` if it is not a program for jq.
pub fn help(expression: &str) -> Option<String> {
    let expression = expression.trim();
    if expression == "empty" {
        return Some(EMPTY.to_owned());
    }
    let stages: Vec<_> = expression.split('|').map(str::trim).collect();
    let rules = [where_condition, collected, first_matches];
    let translated = rules.into_iter().find_map(|rule| rule(expression));
    translated.or_else(|| columns(&stages)).or_else(|| keys(&stages)).or_else(|| of_type(&stages)).or_else(|| {
        let first = expression.split(|character: char| !character.is_alphabetic() && character != '_').next();
        let has_operator = expression.contains(['|', '{', '(', '/', '+'])
            || [" - ", " * ", " % "].iter().any(|operator| expression.contains(operator));
        let is_program = expression.starts_with('{')
            || expression.starts_with(['.', '[']) && has_operator
            || first.is_some_and(|word| WORDS.contains(&word));
        is_program.then(|| NO_PROGRAM.to_owned())
    })
}

/// Returns help for a word that names a function of jq, and may be the name of a member as well.
pub fn listing(expression: &str) -> Option<String> {
    let (what, command) = match expression.trim() {
        "paths" | "leaf_paths" => ("list all paths", "--paths '$..*'"),
        "keys" => ("list the keys", "--pointers '$.*'"),
        "length" => ("count the elements", "--count '$[*]'"),
        "values" => ("print all members", "'$.*'"),
        _ => return None,
    };
    Some(format!("{what}: fjson query {command}"))
}

/// `select(.level == "error") | .ms` is a condition for the document.
fn where_condition(expression: &str) -> Option<String> {
    let stages = expression.strip_prefix('.').map_or(expression, |rest| rest.trim_start().trim_start_matches('|'));
    if !stages.trim_start().starts_with("select(") {
        return None;
    }
    let filter = path(&format!(".[] | {stages}"))?;
    let filter = filter.strip_prefix("$[?")?;
    let (condition, found) = filter.match_indices(']').find_map(|(end, _)| {
        let (condition, found) = (&filter[..end], format!("${}", &filter[end + 1..]));
        (Condition::new(condition).is_ok() && Query::new(&found).is_ok()).then_some((condition, found))
    })?;
    let [condition, found] = [condition, &found].map(|text| quoted(OsStr::new(text)));
    Some(format!("search only some of the documents: fjson query --where {condition} {found}"))
}

/// `.users[] | [.id, .name] | @csv` is a table.
fn columns(stages: &[&str]) -> Option<String> {
    let [before @ .., columns, format @ ("@csv" | "@tsv")] = stages else { return None };
    let columns = columns.strip_prefix('[')?.strip_suffix(']')?.split(',');
    let rows = match before {
        [] | ["."] => String::new(),
        _ => format!(" --rows {}", quoted(OsStr::new(&path(&before.join(" | "))?))),
    };
    // Columns of the row begin with @.
    let root = if rows.is_empty() { "$" } else { "@" };
    let columns = columns.map(|column| {
        let column = path(column.trim())?.replacen('$', root, 1);
        Some(format!(" -p {}", quoted(OsStr::new(&column))))
    });
    let columns = columns.collect::<Option<String>>()?;
    Some(format!("print a table: fjson query --{}{rows}{columns}", &format[1..]))
}

/// `[.users[].id]` is one array, and `[.users[].id] | length` the number of its elements.
fn collected(expression: &str) -> Option<String> {
    let (inner, rest) = expression.strip_prefix('[')?.rsplit_once(']')?;
    let found = path(inner.trim())?;
    let found = quoted(OsStr::new(&found));
    match rest.trim_start().strip_prefix('|').map(str::trim) {
        None if rest.trim().is_empty() => Some(format!("print one array: fjson query --array {found}")),
        // jq counts a null for each missing member.
        Some("length") if !inner.contains("..") => Some(format!("count the matches: fjson query --count {found}")),
        _ => None,
    }
}

/// `first(.users[])` and `limit(2; .users[])` stop early.
fn first_matches(expression: &str) -> Option<String> {
    let (name, arguments) = expression.strip_suffix(')')?.split_once('(')?;
    let (option, argument) = match (name.trim_end(), arguments.split_once(';')) {
        ("first", None) => ("--first".to_owned(), arguments),
        ("limit", Some((count, argument))) => (format!("--limit {}", count.trim().parse::<u32>().ok()?), argument),
        _ => return None,
    };
    let found = quoted(OsStr::new(&path(argument.trim())?));
    Some(format!("stop early: fjson query {option} {found}"))
}

/// `.. | strings` are the values of a type that can be compared in a way in which others cannot.
fn of_type(stages: &[&str]) -> Option<String> {
    let filter = match stages {
        ["..", "strings"] => "search(@, \"\")",
        ["..", "numbers"] => "@ < 0 || @ >= 0",
        ["..", "booleans"] => "@ == true || @ == false",
        _ => return None,
    };
    let found = quoted(OsStr::new(&format!("$..[?{filter}]")));
    Some(format!("test the values: fjson query --order document {found}"))
}

/// `.a | keys` are the ends of locations, and `paths` are all of them.
fn keys(stages: &[&str]) -> Option<String> {
    if let ["paths"] = stages {
        return Some("print where all values are: fjson query --pointers '$..*'".to_owned());
    }
    let [before @ .., "keys" | "keys[]" | "keys_unsorted" | "keys_unsorted[]"] = stages else { return None };
    let object = if before.is_empty() { "$".to_owned() } else { path(&before.join(" | "))? };
    let members = quoted(OsStr::new(&format!("{object}.*")));
    Some(format!("print where the members are: fjson query --pointers {members}"))
}

/// Returns a path of jq as JSONPath. Words are functions in jq, so a path begins with a dot.
fn path(text: &str) -> Option<String> {
    if !text.starts_with('.') {
        return None;
    }
    let error = Query::new(text).err()?;
    error.suggestion().filter(|_| !error.suggests_counting() && !error.suggests_array()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_get_the_command_that_does_the_same() {
        for (program, command) in [
            ("[.[] | .a]", "fjson query --array '$[*].a'"),
            ("[.a[].b] | length", "fjson query --count '$.a[*].b'"),
            ("first(.a[] | .b)", "fjson query --first '$.a[*].b'"),
            ("limit(20; .[])", "fjson query --limit 20 '$[*]'"),
            (".. | numbers", "fjson query --order document '$..[?@ < 0 || @ >= 0]'"),
            ("paths", "fjson query --pointers '$..*'"),
            ("keys", "fjson query --pointers '$.*'"),
            ("[., .a] | @tsv", "fjson query --tsv -p '$' -p '$.a'"),
        ] {
            let help = help(program).unwrap_or_default();
            assert_eq!(help.split_once(": ").map(|(_, command)| command), Some(command), "{program}: {help}");
        }
    }

    #[test]
    fn programs_get_the_options_that_do_the_same() {
        for (program, command) in [
            ("select(.level == \"error\") | .ms", "--where '@.level == \"error\"' '$.ms'"),
            (". | select(.ms > 500)", "--where '@.ms > 500' '$'"),
            ("select(.a[0] == \"]\") | .b[1]", "--where '@.a[0] == \"]\"' '$.b[1]'"),
            (".users[] | [.id, .name] | @csv", "--csv --rows '$.users[*]' -p @.id -p @.name"),
            ("[.level, .ms]|@tsv", "--tsv -p '$.level' -p '$.ms'"),
            ("keys", "--pointers '$.*'"),
            (".a.b | keys[]", "--pointers '$.a.b.*'"),
        ] {
            let help = help(program).expect(program);
            assert!(help.ends_with(&format!(": fjson query {command}")), "{program}: {help}");
        }
    }

    #[test]
    fn other_programs_are_named() {
        for program in [
            ".users | map(.age) | add",
            "to_entries",
            "{a, b}",
            ".a + 1",
            ".price * 2",
            "sort_by(.x)",
            "[.[] | .a + 1]",
            "[input_filename, .a] | @csv",
            ".[] | .a // \"none\"",
            "select(.a | ltrimstr(\"x\"))",
        ] {
            assert_eq!(help(program).as_deref(), Some(NO_PROGRAM), "{program}");
        }
        for expression in ["$.a[", "a.b", "users[0].name", "mapping", "$.a | frobnicate", "", "."] {
            assert_eq!(help(expression), None, "{expression}");
        }
    }
}
