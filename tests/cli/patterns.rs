//! Patterns of `match`, `search` and `regex`: none is ignored without a word.

use crate::place::Place;

const LOG: &str = "{\"msg\": \"timeout 30\", \"p\": \"[0-9]\"}\n{\"msg\": \"Timeout\", \"p\": \"[\"}\n{\"msg\": \"no\", \"p\": \"\\\\d\"}\n";

fn place() -> Place {
    let place = Place::new();
    place.file("log.jsonl", LOG);
    place
}

/// Returns what a search for the messages of the records that meet a condition prints, and its status.
fn search(place: &Place, options: &[&str], condition: &str) -> (String, String, Option<i32>) {
    let arguments = ["query", "-r", "--where", condition, "$.msg", "log.jsonl"];
    let output = place.fjson_with(arguments.iter().chain(options)).output();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// Patterns in the syntax of other languages are refused before anything is read, with what works.
#[test]
fn a_pattern_that_is_no_i_regexp_is_refused() {
    let place = place();
    for (condition, caret, meant) in [
        (r#"search(@.msg, "timeout (\\d+)")"#, 24, r#"search(@.msg, "timeout ([0-9]+)")"#),
        (r#"!search(@.msg, "timeout \\w+")"#, 24, r#"!search(@.msg, "timeout [0-9A-Za-z_]+")"#),
        (r"match(@.msg, '(?i)timeout.*')", 14, r"regex(@.msg, '^(?:(?i)timeout.*)$')"),
        (r"search(@.msg, '\\btimeout')", 15, r"regex(@.msg, '\\btimeout')"),
        (r"search(@.msg, '(?:a|t)i.*?m')", 15, r"search(@.msg, '(a|t)i.*m')"),
        (r"search(@.msg, 'a\s')", 16, r"search(@.msg, 'a[ \t\n\r]')"),
    ] {
        let (stdout, stderr, status) = search(&place, &[], condition);
        assert_eq!((stdout.as_str(), status), ("", Some(2)), "{condition}: {stderr}");
        let lines: Vec<_> = stderr.lines().collect();
        assert_eq!(lines[1], format!("  | {condition}"));
        assert_eq!(lines[2], format!("  | {:caret$}^", ""), "{condition}");
        assert_eq!(lines.last(), Some(&&*format!("  = help: did you mean `{meant}`?")), "{condition}: {stderr}");
        let (_, stderr, status) = search(&place, &[], meant);
        assert!(stderr.is_empty() && status < Some(2), "{meant}: {stderr}");
    }
    for condition in ["search(@.msg, '[a')", "match(@.msg, '*')", "search(@.msg, '(?=a)')", "regex(@.msg, '[a')"] {
        let (stdout, stderr, status) = search(&place, &[], condition);
        assert_eq!((stdout.as_str(), status), ("", Some(2)), "{condition}: {stderr}");
    }
}

#[test]
fn regular_expressions_of_any_kind() {
    let place = place();
    for (options, condition, found) in [
        (&[][..], r#"regex(@.msg, "timeout (\\d+)")"#, "timeout 30\n"),
        (&[], r#"regex(@.msg, "^TIMEOUT\\b", "i")"#, "timeout 30\nTimeout\n"),
        (&[], r#"!regex(@.msg, "(?i)timeout")"#, "no\n"),
        (&["--regex"], r#"search(@.msg, "timeout (\\d+)")"#, "timeout 30\n"),
        (&["--regex"], r#"match(@.msg, "(?i)timeout|\\w")"#, "Timeout\n"),
        (&["--regex"], r"@.msg == 'no' && search(@.msg, '\\bn')", "no\n"),
    ] {
        let (stdout, stderr, status) = search(&place, options, condition);
        assert_eq!((&*stdout, &*stderr, status), (found, "", Some(0)), "{condition}");
    }
    let columns = ["query", "--regex", "--tsv", "--rows", "$[?search(@, '\\\\d')]", "-p", "@", "log.jsonl"];
    assert_eq!(place.fjson_with(columns).stdout(), "timeout 30\n[0-9]\n");
}

/// A pattern in a document that is not valid matches nothing, and is reported once.
#[test]
fn patterns_from_documents_are_reported() {
    let place = place();
    for threads in ["1", "4"] {
        let (stdout, stderr, status) = search(&place, &["--lines", "--threads", threads], "search(@.msg, @.p)");
        assert_eq!((&*stdout, status), ("timeout 30\n", Some(0)));
        let warning = r"fjson: warning: 2 patterns in the documents are not valid and matched nothing: `[`, `\d`";
        assert_eq!(stderr, format!("{warning}\n"));
    }
    let (_, stderr, _) = search(&place, &["--regex"], "search(@.msg, @.p)");
    assert_eq!(stderr, "fjson: warning: 1 pattern in the documents is not valid and matched nothing: `[`\n");
    let (_, stderr, _) = search(&place, &["-q"], "search(@.msg, @.p)");
    assert_eq!(stderr, "");
    place.file(
        "many.jsonl",
        (0..2000).map(|n| format!("{{\"a\": \"x\", \"p\": \"{n}*\\u001b**\"}}\n")).collect::<Vec<_>>().concat(),
    );
    let output = place.fjson_with(["query", "--count", "$[?search(@, $.p)]", "many.jsonl"]).output();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n");
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    let shown = "`0*<U+001B>**`, `1*<U+001B>**`, `10*<U+001B>**`, …\n";
    assert_eq!(
        warning,
        format!("fjson: warning: at least 1000 patterns in the documents are not valid and matched nothing: {shown}")
    );
}
