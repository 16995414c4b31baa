//! `fjson query` prints matches in batches of records or elements, on any thread: the same as one match after another.

use crate::place::Place;
use proof::random::Random;
use std::fmt::Write;

/// Records, and the same without those whose `msg` cannot be printed.
fn records() -> [String; 2] {
    let mut random = Random::new(11);
    let mut texts = [String::new(), String::new()];
    for id in 0..9_000 {
        let tags = ["\"a\"", "\"b, c\"", "{\"id\": 7}", "null"][..random.below(5)].join(", ");
        let level = if random.below(3) == 0 { "" } else { "\"level\": \"w\\u0061rn\", " };
        let is_bad = id % 2_500 == 700;
        let message = if is_bad { "\\udc00" } else { ["quick", "a,b", "\\\"", "x\\ny", ""][random.below(5)] };
        let record = format!("{{\"id\": {id}, {level}\"tags\": [{tags}], \"msg\": \"{message}\", \"id\": 1}}");
        for text in if is_bad { &mut texts[..1] } else { &mut texts } {
            writeln!(text, "{record}").expect("a string grows");
        }
    }
    texts
}

/// Whether a line of options prints `msg`, and the line.
const LINES: [(bool, &str); 18] = [
    (false, "$.id"),
    (false, "$..id --order document"),
    (false, "$.tags[-1]"),
    (true, "-r $.msg"),
    (true, "-r -0 $.msg --where @.id>100"),
    (false, "--pretty $"),
    (false, "--paths --offsets $..id"),
    (false, "--assignments $.tags"),
    (false, "-p $.msg -p $.id -p $.tags[1] -p $.tags[0].id"),
    (true, "--csv -p $.level -p $.msg"),
    (true, "--csv -p $.level -p $.msg -p $.id -p $.tags[2].id"),
    (true, "--tsv --header --with-filename -p $.id -p $.none -p $.level -p $.msg"),
    (false, "--csv --offsets --excel -p $.level -p $.id"),
    (true, "--csv --rows $ -p @.level -p @.msg -p @.tags[0] -p @.id"),
    (true, "--csv --rows $ -p @.none -p @.msg"),
    (true, "--csv --columns auto"),
    (false, "--csv --rows $.tags[*] -p $.id -p @.id -p @"),
    (false, "--csv --rows $.tags[*] -p @.none -p @.id -p @.id -p @.x"),
];

#[test]
fn batches_are_printed_like_single_matches() {
    let (place, [with_bad, without]) = (Place::new(), records());
    place.file("bad/log.jsonl", with_bad);
    place.file("log.jsonl", &without);
    place.file("log.json", without.replace('\n', " "));
    for (prints_message, line) in LINES {
        let run = |file: &str, threads: u8, more: &str| {
            let arguments = format!("query {line} {file} --threads {threads} {more}");
            let output = place.fjson(&arguments).output();
            let is_partial = file.starts_with("bad/") && prints_message;
            assert_eq!(output.status.code(), Some(i32::from(is_partial)), "{arguments}: {output:?}");
            String::from_utf8(output.stdout).expect("text").replace("bad/", "").replace("log.jsonl", "log.json")
        };
        let expected = run("log.jsonl", 1, "");
        assert!(expected.len() > 10_000, "{line}: {expected}");
        for threads in [2, 8] {
            assert!(run("log.jsonl", threads, "") == expected, "{line} on {threads} threads");
        }
        // With a limit, each match is printed on its own.
        assert!(run("log.jsonl", 2, "--limit 1000000") == expected, "{line} with a limit");
        assert!(run("log.json", 2, "") == expected, "{line} without line breaks");
        if prints_message {
            // So they are in a batch with a match that cannot be printed.
            for threads in [1, 2] {
                assert!(run("bad/log.jsonl", threads, "") == expected, "{line}, matches that cannot be printed");
            }
        }
    }
}

/// The elements of a large array, and whether a line of options prints their `msg`.
const ELEMENT_LINES: [(bool, &str); 12] = [
    (false, "$[*].id"),
    (false, "$[*].tags[-1]"),
    (false, "$[?@.id>100].tags[*].id"),
    (false, "$[?@.level=='warn']['id','tags']"),
    (true, "-r $[*].msg"),
    (true, "-r -0 $[?@.tags[1]].msg"),
    (false, "--pretty $[*].tags"),
    (false, "--paths --offsets $[*].tags[0]"),
    (false, "--count $[?@.id>8000]"),
    (true, "--csv --rows $[*] -p @.level -p @.msg -p @.tags[0] -p @.id"),
    (false, "--tsv --header --with-filename --rows $[?@.level] -p @.id -p @.none"),
    (false, "--csv --rows $[*].tags -p @.x -p @.y"),
];

#[test]
fn elements_are_printed_like_single_matches() {
    let (place, texts) = (Place::new(), records());
    for (name, text) in ["bad.json", "all.json"].into_iter().zip(texts) {
        let elements = text.trim_end().replace('\n', ",\n").repeat(8).replace("}{", "},{");
        place.file(name, format!("[{elements}]"));
        place.file(
            format!("in/{name}"),
            format!("{{\"list\": [1], \"items\": [{elements}], \"items\": [{{\"id\": 9}}]}}"),
        );
    }
    for (prints_message, line) in ELEMENT_LINES {
        let inside = line.replace("$[", "$.items[");
        for (file, line) in [("all.json", line), ("in/all.json", &inside), ("bad.json", line), ("in/bad.json", &inside)]
        {
            let run = |arguments: &str| {
                let output = place.fjson(&format!("query {line} {file} {arguments}")).output();
                let is_partial = file.ends_with("bad.json") && prints_message;
                assert_eq!(output.status.code(), Some(i32::from(is_partial)), "{line} {file} {arguments}: {output:?}");
                (output.stdout, output.stderr)
            };
            let expected = run(if line.contains("--count") { "--threads 1" } else { "--threads 1 --limit 1000000" });
            for threads in [1, 2, 3] {
                assert!(run(&format!("--threads {threads}")) == expected, "{line} {file} on {threads} threads");
            }
        }
    }
}
