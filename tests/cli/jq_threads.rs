//! `fjson jq` on one thread and on several, on files, pipes and compressed inputs: the same bytes, messages and status.

use crate::place::Place;
use proof::random::Random;
use std::fmt::Write;
use std::process::Output;

/// Programs for records, also such that fail for some of them, write much or nothing, or need more than a thread has.
const PROGRAMS: [&str; 14] = [
    ".",
    ".id",
    "select(.level == \"error\") | .msg",
    "{id, n: (.tags | length)}",
    ".tags[]",
    ".msg + 1",
    "if .id % 1000 == 7 then error(\"seven\") else empty end",
    "if .id % 500 == 3 then error({id}) else .id end",
    "if .id == 4500 then range(20000) else empty end",
    "if .id == 5000 then \"x\" * 1000000 | ., ., ., ., ., ., ., ., ., . else .id end",
    "def f: if . > 0 then . - 1 | f + 0 else 0 end; if .id == 5500 then 20000 | f else .id end",
    "input_filename, .id",
    "$x + .id, $ARGS.named.x",
    "first(.tags[]), ($ENV.PATH | type)",
];

fn records(count: u32) -> String {
    let mut random = Random::new(7);
    let mut text = String::new();
    for id in 0..count {
        let level = ["info", "warn", "error"][random.below(3)];
        let tags = vec!["\"tag\""; random.below(4)].join(",");
        let end = if random.below(5) == 0 { ' ' } else { '\n' };
        write!(text, "{{\"id\": {id}, \"level\": \"{level}\", \"msg\": \"m\\u00e9 {id}\", \"tags\": [{tags}]}}{end}")
            .expect("a string grows");
    }
    text
}

/// Runs a line in which `PROGRAM` stands for a program.
fn run(place: &Place, line: &str, program: &str) -> Output {
    place.shell(&line.replace("PROGRAM", &format!("-c '{program}'"))).output()
}

#[test]
fn threads_and_kinds_of_inputs_make_no_difference() {
    let place = Place::new();
    place.file("log", records(6_000));
    for program in PROGRAMS {
        let expected = run(&place, "$FJSON jq PROGRAM log --threads 1 --argjson x 1", program);
        for threads in [2, 8] {
            let found = run(&place, &format!("$FJSON jq PROGRAM log --threads {threads} --argjson x 1"), program);
            assert!(found == expected, "{program} on {threads} threads: {}", String::from_utf8_lossy(&found.stderr));
        }
        let name = |output: Output| {
            let text = |bytes| String::from_utf8(bytes).expect("text").replace("<stdin>", "log");
            (text(output.stdout), text(output.stderr), output.status)
        };
        let expected = name(expected);
        for line in ["cat log | $FJSON jq", "gzip -c log | $FJSON jq", "<log $FJSON jq"] {
            let found = name(run(&place, &format!("{line} PROGRAM --argjson x 1"), program));
            assert!(found == expected, "{line} {program}: {}", found.1);
        }
    }
}

#[test]
fn an_invalid_record_is_found_at_the_same_place() {
    let place = Place::new();
    let (before, after) = (records(5_000), records(1_000));
    place.file("log", format!("{before}{{\"id\": !}}\n{after}"));
    let expected = run(&place, "$FJSON jq PROGRAM log --threads 1", ".id");
    assert_eq!(expected.status.code(), Some(2));
    assert_eq!(expected.stdout.split(|byte| *byte == b'\n').count(), 5_001);
    for threads in [2, 8] {
        assert!(
            run(&place, &format!("$FJSON jq PROGRAM log --threads {threads}"), ".id") == expected,
            "{threads} threads"
        );
    }
    place.file("lines", "{\"id\": 1}\n{\"id\": !}\n".repeat(10_000));
    for threads in [1, 8] {
        let output = run(&place, &format!("$FJSON jq PROGRAM lines --skip-bad --threads {threads}"), ".id");
        assert_eq!(output.stdout, b"1\n".repeat(10_000));
        assert_eq!(output.stderr, b"lines: 10000 invalid records skipped\n");
    }
}

/// Programs for a large document that begin with a path to the elements of an array.
const ELEMENT_PROGRAMS: [&str; 10] = [
    ".a.list[]",
    ".a.list[].id",
    ".a.list[] | select(.level == \"error\") | .msg, .tags[0]",
    ".a.list[] | .msg + 1",
    ".a.list[] | if .id == 90000 then error(\"late\") else empty end",
    ".a.list[] | if .id == 4000 then halt_error(3) else empty end",
    ".a.list[] | .id | select(. % 1000 == 0) | ., input_line_number",
    ".a.list[] | .tags[] | $x, input_filename",
    ".a.list[] | select(.id < 3) | debug",
    ".a.list[] | first(inputs), false",
];

/// From a file, the elements of a large document are read one by one if the program permits. From a pipe, the document is one value.
#[test]
fn elements_of_a_large_document_are_those_of_the_whole() {
    let place = Place::new();
    let list = records(300_000).trim_end().replace("} {", "}, {").replace("}\n{", "},\n{");
    let document = format!("{{\"n\": 1, \"a\": {{\"list\": [{list}]}},\n \"z\": 1}}\n\n");
    assert!(document.len() > 17 << 20);
    let compare = |program: &str, text: &str, threads: usize| {
        place.file("doc", text);
        let text = |output: Output| {
            let text = |bytes| String::from_utf8(bytes).expect("text").replace("<stdin>", "doc");
            (text(output.stdout), text(output.stderr), output.status)
        };
        let expected = text(run(&place, "cat doc | $FJSON jq PROGRAM --argjson x 1 -e", program));
        let line = format!("$FJSON jq PROGRAM doc --argjson x 1 -e --threads {threads}");
        let found = text(run(&place, &line, program));
        assert!(found == expected, "{program} on {threads} threads: {:?} {}", found.2, found.1);
    };
    for (number, program) in ELEMENT_PROGRAMS.into_iter().enumerate() {
        compare(program, &document, 1 + number % 3);
    }
    let program = ".a.list[] | select(.id % 50000 == 1) | .id, .b?";
    for (from, to) in [
        (" \"z\": 1}", " \"a\": {\"list\": [7]}}"),
        (" \"z\": 1}", " \"a\": 5}"),
        (" \"z\": 1}", " \"\\u0061\": {\"list\": {\"x\": 1}}}"),
        (" \"z\": 1}", " \"z\": 1}{\"a\": {\"list\": [{\"id\": 1}]}}"),
        ("{\"list\": [", "{\"list\": [], \"list\": [\n"),
    ] {
        compare(program, &document.replacen(from, to, 1), 2);
    }
    // An error of the document is found before the first element is read.
    compare(program, document.trim_end().trim_end_matches('}'), 2);
}
