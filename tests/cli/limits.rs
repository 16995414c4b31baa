//! System limits on memory, files and threads: the result is the same, or the exit status shows an error.

use crate::place::Place;
use std::fmt::Write;
use std::process::Output;

/// Runs a line of `sh` with the given `ulimit` options.
fn limited(place: &Place, limits: &str, line: &str) -> Output {
    place.shell(&format!("ulimit {limits} && exec $FJSON {line}")).output()
}

fn status_and_message(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// This many small inputs, in a directory `many`.
fn many(count: usize) -> Place {
    let place = Place::new();
    for number in 0..count {
        place.file(format!("many/{number}.json"), format!("{{\"b\": {number}, \"a\": [1]}}"));
    }
    place
}

/// An array of this many small objects.
fn objects(count: usize) -> String {
    format!("[{}0]", "{\"a\":1},".repeat(count))
}

/// If there is no memory for something that grows with the input, the error names it.
#[test]
fn a_list_of_matches_without_memory_is_named() {
    let place = Place::new();
    place.file("it.json", objects(3_000_000));
    assert_eq!(limited(&place, "-v 60000", "validate --threads 1 it.json").status.code(), Some(0));
    let output = limited(&place, "-v 60000", "query --threads 1 $..a it.json");
    let (status, message) = status_and_message(&output);
    assert_eq!((status, message.as_str()), (Some(2), "it.json: error: out of memory: the list of matches\n"));
    assert!(output.stdout.is_empty());
    let counted = limited(&place, "-v 60000", "query --threads 1 --count $..a it.json");
    assert_eq!((counted.status.code(), counted.stdout), (Some(0), b"3000000\n".to_vec()));
}

/// Whatever the limit is: the right result, or status 2 and a reason.
#[test]
fn any_limit_of_memory_gives_the_answer_or_a_reason() {
    let place = Place::new();
    place.file("it.json", objects(100_000));
    place.file("deep.json", format!("{}1{}", "[{\"a\":".repeat(20_000), "}]".repeat(20_000)));
    // Below, the system does not start the program.
    let starts = |kilobytes: &u32| limited(&place, &format!("-v {kilobytes}"), "--version").status.success();
    let least = (13_000..40_000).step_by(500).find(starts).expect("the program starts");
    for line in [
        "validate it.json",
        "validate --ijson deep.json",
        "minify it.json",
        "minify -S it.json",
        "minify --canonical it.json",
        "minify --threads 100000 it.json",
        "pretty it.json",
        "pretty --check it.json",
        "query '$..a' it.json",
        "query '$..a' deep.json",
        "query '$..*..a' it.json",
        "query --paths '$..a' it.json",
        "query '$[?@.a==1]' it.json",
        "stats it.json",
    ] {
        let free = place.shell(&format!("exec $FJSON {line}")).output();
        let mut answered = false;
        for kilobytes in (least..least + 27_000).step_by(1_500).chain([60_000, 90_000, 150_000]) {
            let output = limited(&place, &format!("-v {kilobytes}"), line);
            match output.status.code() {
                Some(2) => assert!(!output.stderr.is_empty(), "{line} below {kilobytes}"),
                // Before `main` installs its handler, an allocation that fails ends the program by SIGABRT.
                None if !answered && output.stderr.starts_with(b"memory allocation of") => {}
                status => {
                    assert_eq!(
                        status,
                        free.status.code(),
                        "{line} below {kilobytes}: {}",
                        status_and_message(&output).1
                    );
                    assert!(output.stdout == free.stdout, "{line} below {kilobytes}");
                    answered = true;
                }
            }
        }
        assert!(answered, "{line}");
    }
}

#[test]
fn few_files_may_be_open() {
    let place = many(300);
    for (line, limit) in
        [("validate many", 20), ("validate many/*", 8), ("pretty --check many", 10), ("minify many", 64)]
    {
        let free = place.shell(&format!("exec $FJSON {line} --threads 8")).output();
        let output = limited(&place, &format!("-n {limit}"), &format!("{line} --threads 8"));
        assert_eq!(status_and_message(&output), status_and_message(&free), "{line}");
        assert_eq!(output.stdout, free.stdout, "{line}");
    }
    let output = limited(&place, "-n 20", "minify -i --threads 8 many");
    assert_eq!(status_and_message(&output), (Some(0), String::new()));
    assert_eq!(place.read("many/299.json"), "{\"b\":299,\"a\":[1]}");
}

/// If not a single file can be opened, that is an error of each input.
#[test]
fn no_file_may_be_open() {
    let place = many(40);
    let names: Vec<_> = (0..40).map(|number| format!("many/{number}.json")).collect();
    place.file("list", names.join("\n"));
    // The list itself is open.
    let output = limited(&place, "-n 4", "validate --max-errors 0 --files-from list");
    let (status, message) = status_and_message(&output);
    assert_eq!(status, Some(2), "{message}");
    assert_eq!(message.matches("too many open files").count(), 40, "{message}");
    assert!(message.contains("many/39.json: error: too many open files"), "{message}");
}

/// More threads than possible: those that have started do the work.
#[test]
fn more_threads_than_there_can_be() {
    let place = many(300);
    place.file("large.json", objects(2_000_000));
    let mut lines = String::new();
    for number in 0..200_000 {
        writeln!(lines, "{{\"a\": [{number}, \"x\"]}}").expect("text");
    }
    place.file("large.jsonl", lines);
    for line in [
        "validate many",
        "minify many",
        "validate large.json",
        "minify large.jsonl",
        "gzip -c large.json",
        "pretty large.json",
        "query '$[*].a' large.json",
        "jq -c .a large.jsonl",
    ] {
        let one = place.shell(&format!("exec $FJSON {line} --threads 1")).output();
        for limits in ["-v unlimited", "-v 2000000", "-v 300000"] {
            let output = limited(&place, limits, &format!("{line} --threads 100000"));
            assert_eq!(status_and_message(&output), status_and_message(&one), "{line} {limits}");
            assert!(output.stdout == one.stdout, "{line} {limits}");
        }
    }
}

/// A string or number that must be held in memory counts. Strings of the canonical form are not held.
#[test]
fn a_long_token_is_within_the_limit_or_refused() {
    let place = Place::new();
    let size = 30 << 20;
    place.file("string.json", format!("[\"{}\"]", "x".repeat(size)));
    place.file("escaped.json", format!("[\"{}\"]", "\\u0041".repeat(size / 6)));
    place.file("number.json", format!("[0.{}]", "7".repeat(size)));
    for line in [
        "minify --canonical number.json",
        "minify --canonical < number.json",
        "stats number.json",
        "stats < number.json",
        "stats string.json",
    ] {
        let free = place.shell(&format!("exec $FJSON {line}")).output();
        assert_eq!(free.status.code(), Some(0), "{line}");
        let refused = place.shell(&format!("exec $FJSON {line} --max-memory 20M")).output();
        let (status, message) = status_and_message(&refused);
        assert_eq!(status, Some(2), "{line}");
        assert!(message.contains("that must be held in memory takes more than 20971520 bytes"), "{line}: {message}");
        // It is refused before it takes much more than that.
        let limited = limited(&place, "-v 130000", &format!("{line} --max-memory 20M"));
        assert_eq!(status_and_message(&limited), (status, message), "{line}");
    }
    for line in ["minify --canonical string.json", "minify --canonical < escaped.json"] {
        let output = limited(&place, "-v 130000", &format!("{line} --max-memory 1M"));
        assert_eq!(status_and_message(&output), (Some(0), String::new()), "{line}");
    }
}

/// What a function of jq makes at once is not made first and counted then: there is not enough memory for that.
#[test]
fn jq_keeps_its_limit_of_memory() {
    let place = Place::new();
    let text = r#""<" * 4e7 | "#;
    for program in [
        r#"split("")"#,
        r#"split("<")"#,
        r#". / """#,
        "@html",
        "@uri",
        "@sh \"\\(explode)\"",
        "[., ., .] | @csv",
        "[., ., .] | tojson",
        "[., .] | @base64",
        r#""\(.)\(.)\(.)""#,
        r#"@html "\(.)", 1"#,
        r#"indices("<")"#,
        r#""\u0001" * 4e7 | tojson"#,
        r#"["\u0001" * 4e7] | tojson"#,
        "reduce range(9999) as $i (1; {a: .}) | (.. |= .) | 1",
    ] {
        let output =
            place.shell(&format!("ulimit -v 600000; $FJSON jq -n --max-memory 100M '{text}{program}'")).output();
        let (status, message) = status_and_message(&output);
        assert!(status == Some(5) && message.contains("more memory than the limit allows"), "{program}: {message}");
        assert!(output.stdout.is_empty(), "{program}");
    }
}

/// A file that was to be replaced is as it was, and there is no other.
#[test]
fn a_file_is_kept_if_memory_ends() {
    let place = Place::new();
    place.file("it.json", format!("{{\"a\":{},\"b\":1}}", objects(3_000_000)));
    place.file("out.json", "old");
    let output = limited(&place, "-v 60000", "minify --sort-keys --threads 1 -o out.json it.json");
    let (status, message) = status_and_message(&output);
    assert_eq!(status, Some(2), "{message}");
    assert!(message.contains("out of memory"), "{message}");
    assert_eq!((place.read("out.json"), place.names()), ("old".to_owned(), vec!["it.json".into(), "out.json".into()]));
}

/// Each operation doubles the document.
#[test]
fn a_patch_cannot_take_all_memory() {
    let place = Place::new();
    place.file("it.json", "{\"a\": [1]}");
    let operation = |number| format!("{{\"op\":\"copy\",\"from\":\"\",\"path\":\"/{number}\"}}");
    place.file("patch.json", format!("[{}]", (0..60).map(operation).collect::<Vec<_>>().join(",")));
    let output = limited(&place, "-v 300000", "patch --max-memory 10M -i patch.json it.json");
    let (status, message) = status_and_message(&output);
    assert_eq!(status, Some(2), "{message}");
    assert!(message.contains("a document that must be held in memory takes more than 10485760 bytes"), "{message}");
    assert_eq!(place.read("it.json"), "{\"a\": [1]}");
}
