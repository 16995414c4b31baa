//! The words of each message: `messages.txt` has schemas, values and what is said about them.

use std::fmt::Write;
use std::fs;

use fjson::Parser;
use fjson_schema::Draft;
use fjson_schema::Schema;
use fjson_schema::Violation;

const DRAFTS: [(&str, Draft); 4] = [
    ("draft4 ", Draft::Draft4),
    ("draft6 ", Draft::Draft6),
    ("draft7 ", Draft::Draft7),
    ("draft2019 ", Draft::Draft201909),
];

/// Returns the draft, the schema and the value of a case.
fn parts(line: &str) -> (Draft, &str, &str) {
    let draft = DRAFTS.iter().find_map(|(name, draft)| Some((*draft, line.strip_prefix(name)?)));
    let (draft, rest) = draft.unwrap_or((Draft::Draft202012, line));
    let (schema, value) = rest.split_once(" <- ").expect("a schema and a value");
    (draft, schema, value)
}

fn describe(violation: &Violation, value: &str, indent: usize, text: &mut String) {
    let Violation { range, pointer, keyword, message, help, causes, .. } = violation;
    let place = if pointer.is_empty() { "the value" } else { pointer };
    writeln!(text, "{:indent$}{} at {place}, {keyword}: {message}", "", &value[range.clone()]).expect("a string");
    if let Some(help) = help {
        writeln!(text, "{:indent$}  help: {help}", "").expect("a string");
    }
    for cause in causes {
        describe(cause, value, indent + 4, text);
    }
}

/// If the words are to be changed, the output of the failure is the new text of the file.
#[test]
fn every_message() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/messages.txt");
    let expected = fs::read_to_string(path).expect("messages.txt");
    let (mut text, mut count) = (String::new(), 0);
    for line in expected.lines().filter(|line| !line.starts_with(' ')) {
        writeln!(text, "{line}").expect("a string");
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (draft, schema, value) = parts(line);
        let schema = Schema::builder().draft(draft).compile(schema, ()).expect("a schema");
        let mut parser = Parser::new();
        let document = parser.document(value.as_bytes()).expect("a value");
        let violations = schema.violations(document.root());
        assert!(!violations.is_empty(), "{line}");
        for violation in &violations {
            describe(violation, value, 4, &mut text);
        }
        count += violations.len();
    }
    if std::env::var_os("FJSON_UPDATE_DOCUMENTS").is_some() {
        fs::write(path, &text).expect("messages.txt");
    }
    assert!(text == expected, "{text}");
    assert!(count >= 40);
}
