//! Each keyword in each report format: one snapshot for each format, of the cases in `crates/schema/tests/messages.txt`. Its tests see to
//! it that these are all keywords, and that the same one has the same message in each draft.

use crate::place::Place;
use crate::place::version_pattern;
use std::fmt::Write;
use std::fs;

/// The drafts, as the cases and as the command line name them.
const DRAFTS: [(&str, &str); 5] =
    [("draft4 ", "4"), ("draft6 ", "6"), ("draft7 ", "7"), ("draft2019 ", "2019-09"), ("", "2020-12")];

/// Writes the schema and the document of each case, and returns the arguments for those of each draft.
fn cases(place: &Place) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/schema/tests/messages.txt");
    let text = fs::read_to_string(path).expect("messages.txt");
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with([' ', '#']);
    let mut arguments = DRAFTS.map(|(_, draft)| format!("--draft {draft}"));
    for (number, line) in text.lines().filter(is_case).enumerate() {
        let draft = DRAFTS.iter().position(|(prefix, _)| line.starts_with(prefix)).expect("a draft");
        let (schema, value) = line[DRAFTS[draft].0.len()..].split_once(" <- ").expect("a schema and a value");
        place.file(format!("{number}.schema"), schema);
        place.file(format!("{number}.json"), value);
        write!(arguments[draft], " --schema {number}.json={number}.schema {number}.json").expect("text");
    }
    arguments.into()
}

#[test]
fn every_keyword_in_every_format() {
    let place = Place::new();
    let cases = cases(&place);
    for format in ["human", "concise", "jsonl", "github", "gitlab", "sarif", "junit"] {
        let mut shown = String::new();
        for arguments in &cases {
            let run = place.fjson(&format!("validate --max-errors 1000 --format {format} {arguments}"));
            let draft = arguments.split(" --schema").next().unwrap_or_default();
            writeln!(shown, "# {draft}\n{}", run.shown()).expect("text");
        }
        assert_eq!(shown.matches("exit status: 1\n").count(), DRAFTS.len(), "{shown}");
        let mut settings = insta::Settings::clone_current();
        settings.add_filter(&version_pattern(), "[VERSION]");
        settings.bind(|| insta::assert_snapshot!(format, shown));
    }
}
