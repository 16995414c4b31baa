//! Tables with `--rows`: columns of the row and of the document around it; and `--columns auto`.

use crate::place::Place;
use crate::place::assert_shows;

const ORDERS: &str = r#"{"id":7,"user":{"name":"Ada"},"items":[{"n":1,"p":2.50},{"p":3},{}]}
{"id":8,"items":[]}
{"id":9,"items":[{"n":"x"}]}
{"user":{"name":"Bob, Jr."},"items":[5]}
"#;

fn orders() -> Place {
    let place = Place::new();
    place.file("orders.jsonl", ORDERS);
    let array: Vec<_> = ORDERS.lines().collect();
    place.file("orders.json", format!("{{\"shop\":\"S\",\"orders\":[{}]}}", array.join(",\n")));
    place
}

#[test]
fn columns_of_the_document() {
    let place = orders();
    let expected = "id,n,name,all\n7,1,Ada,\"{\"\"n\"\":1,\"\"p\"\":2.50}\"\n7,,Ada,\"{\"\"p\"\":3}\"\n7,,Ada,{}\n\
        9,x,,\"{\"\"n\"\":\"\"x\"\"}\"\n,,\"Bob, Jr.\",5\n";
    let columns = "--rows $.items[*] -p id=$.id -p n=@.n -p name=/user/name -p all=@ --csv --header";
    for options in
        ["orders.jsonl", "--threads 1 orders.jsonl", "--no-mmap orders.jsonl", "--order document orders.jsonl"]
    {
        assert_eq!(place.fjson(&format!("query {columns} {options}")).stdout(), expected, "{options}");
    }
    for framing in ["--lines", "--stream", "", "--allow-empty"] {
        let run = place.fjson(&format!("query {columns} {framing}")).stdin(ORDERS);
        assert_eq!(run.stdout(), expected, "{framing}");
    }
    let twice = place.fjson(&format!("query {columns} orders.jsonl orders.jsonl")).stdout();
    assert_eq!(twice, format!("{expected}{}", &expected["id,n,name,all\n".len()..]));
    // One document, whose rows follow the column in the text or come before it.
    for (text, rows) in [("{\"s\":1,\"a\":[2,3]}", "1\t2\n1\t3\n"), ("{\"a\":[2,3],\"s\":1}", "1\t2\n1\t3\n")] {
        assert_eq!(place.fjson("query --rows $.a[*] -p $.s -p @ --tsv").stdin(text).stdout(), rows);
        assert_eq!(place.fjson("query --rows $.a[*] -p $.s -p @ --tsv --first").stdin(text).stdout(), &rows[..4]);
        assert_eq!(place.fjson("query --rows $.a[*] -p $.s -p @ --tsv --limit 2").stdin(text).stdout(), rows);
    }
    // Nested rows, pointers and conditions.
    let nested = "query --rows $.orders[*].items[*] -p $.shop -p @/p --csv orders.json";
    assert_eq!(place.fjson(nested).stdout(), "S,2.50\nS,3\nS,\nS,\nS,\n");
    let filtered = place.fjson("query --rows $.items[?@.n] --where @.id>7 -p $.id -p @.n --csv orders.jsonl");
    assert_eq!(filtered.stdout(), "9,x\n");
    assert_eq!(
        place.fjson("query -H --rows $.items[*] -p $.id -p @.p --tsv orders.jsonl --first").stdout(),
        "orders.jsonl\t7\t2.50\n"
    );
}

/// The rows of a document may be in several batches, and those of many documents in one.
#[test]
fn columns_of_the_document_in_several_batches() {
    let place = Place::new();
    let text = |count: usize, id: usize| {
        let items: Vec<_> = (0..count).map(|n| format!("{{\"n\":{n},\"s\":\"{n:0>99}\"}}")).collect();
        format!("{{\"items\":[{}],\"id\":{id}}}", items.join(","))
    };
    place.file("a.jsonl", [text(50_000, 1), text(0, 2), text(30_000, 3)].join("\n"));
    let rows = [(50_000, 1), (30_000, 3)]
        .map(|(count, id)| (0..count).map(|n| format!("{id},{n}\n")).collect::<Vec<_>>().concat());
    assert_eq!(place.fjson("query --rows $.items[*] -p $.id -p @.n --csv a.jsonl").stdout(), rows.concat());
    let many: String = (0..100_000).map(|id| text(id % 3, id) + "\n").collect();
    place.file("b.jsonl", many);
    let rows: String = (0..100_000).flat_map(|id| (0..id % 3).map(move |n| format!("{id},{n}\n"))).collect();
    assert_eq!(place.fjson("query --rows $.items[*] -p $.id -p @.n --csv b.jsonl").stdout(), rows);
}

#[test]
fn rows_without_a_column_of_the_row_are_refused() {
    let place = orders();
    assert_shows!(place.fjson("query --rows $.items[*] -p $.id -p $.n --csv orders.jsonl"));
    assert_shows!(place.fjson("query --rows $.items[*] -p @[?@.a==$.b] --csv orders.jsonl"));
    assert_shows!(place.fjson("query --rows $.items[*] -p n --csv orders.jsonl"));
    let two = place.fjson("query --rows $.items[*] -p $.items[*] -p @.n --csv orders.jsonl").output();
    assert_eq!(two.status.code(), Some(1));
    let bad = place.fjson("query --rows $.items[*] -p @.n -p $.id --csv").stdin("{\"id\":1,\"items\":[{\"n\":1}],}");
    assert_eq!(bad.status(), Some(1));
}

#[test]
fn rows_that_are_arrays_without_values_are_noted() {
    let place = orders();
    assert_shows!(place.fjson("query --rows $.items -p @.n -p $.id --csv orders.jsonl"));
    for command in ["--rows $.items -p @[0].n", "--rows $.items[*] -p @.none", "--rows $.items -p @.n -q"] {
        let output = place.fjson(&format!("query {command} --csv orders.jsonl")).output();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{command}");
    }
}

#[test]
fn documents_without_columns_and_documents_that_cannot_be_printed() {
    let place = Place::new();
    let command = "query --lines --rows $.items[*] -p $.id[*] -p @ --csv";
    // The first document has no value in a column of the document.
    let text = "{\"items\":[1]}\n{\"id\":[2],\"items\":[3]}\n{\"items\":[4]}\n";
    assert_eq!(place.fjson(command).stdin(text).stdout(), ",1\n2,3\n,4\n");
    // The rows of a document with two matches for a column are left out, and do not count.
    let text = "{\"id\":[1,2],\"items\":[3]}\n{\"id\":[4],\"items\":[5,6]}\n";
    for (options, rows) in [("", "4,5\n4,6\n"), (" --first", "4,5\n")] {
        let output = place.fjson(&format!("{command}{options}")).stdin(text).output();
        assert_eq!((output.status.code(), &*output.stdout), (Some(1), rows.as_bytes()));
    }
}

#[test]
fn columns_are_found() {
    let place = orders();
    let log = "{\"b\":1,\"a\":\"x\"}\n\n{\"c d\":null,\"a\":[1]}\n{\"\\u0062\":2}\n{}\n";
    place.file("log.jsonl", log);
    let expected = "b,a,c d\n1,x,\n,[1],\n2,,\n,,\n";
    for options in ["log.jsonl", "log.jsonl --threads 1", "log.jsonl --no-mmap"] {
        assert_eq!(place.fjson(&format!("query --csv --header --columns auto {options}")).stdout(), expected);
    }
    for options in ["--lines", "", "--lines --no-mmap -"] {
        let run = place.fjson(&format!("query --csv --header --columns auto {options}")).stdin(log);
        assert_eq!(run.stdout(), expected, "{options}");
    }
    let found = |line: &str| place.fjson(&format!("query --header --columns auto {line}")).stdout();
    assert_eq!(found("--tsv --where @.a log.jsonl"), "b\ta\tc d\n1\tx\t\n\t[1]\t\n");
    assert_eq!(found("--csv --first log.jsonl"), "b,a\n1,x\n");
    assert_eq!(
        found("--csv --rows $.items[?@.n] -p id=$.id -p @.n orders.jsonl log.jsonl"),
        "id,@.n,n,p\n7,1,1,2.50\n9,x,x,\n"
    );
    assert_eq!(found("--csv --rows $.orders[*].user -p $.shop orders.json"), "$.shop,name\nS,Ada\nS,\"Bob, Jr.\"\n");
    // More keys than one query plan has segments.
    let wide = (0..700).map(|key| format!("\"k{key}\":{key},")).collect::<Vec<_>>().concat();
    let table = place.fjson("query --csv --header --columns auto").stdin(format!("{{{wide}\"z\":0}}")).stdout();
    let row = |start: &str| (0..700).map(|key| format!("{start}{key},")).collect::<Vec<_>>().concat();
    assert_eq!(table, format!("{}z\n{}0\n", row("k"), row("")));
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn columns_of_standard_input_and_compressed_files() {
    let place = Place::new();
    place.file("a.jsonl", "{\"a\":1}\n{\"b\":2}\n");
    let expected = "a,b\n1,\n,2\n";
    for line in [
        "cat a.jsonl | $FJSON query --lines --csv --header --columns auto",
        "$FJSON query --lines --csv --header --columns auto < a.jsonl",
        "$FJSON query --lines --csv --header --columns auto --no-mmap - < a.jsonl",
        "gzip -c a.jsonl | $FJSON query --lines --csv --header --columns auto",
        "gzip -k a.jsonl; $FJSON query --csv --header --columns auto a.jsonl.gz",
    ] {
        assert_eq!(place.shell(line).stdout(), expected, "{line}");
    }
    assert_shows!(place.shell("mkfifo f; cat a.jsonl > f & $FJSON query --lines --csv --columns auto f; wait"));
    assert_eq!(place.shell("echo a.jsonl | $FJSON query --csv --columns auto --files-from -").status(), Some(2));
}

#[test]
fn columns_that_cannot_be_found() {
    let place = Place::new();
    place.file("a.json", "{\"a\":1} [2]");
    assert_shows!(place.fjson("query --csv --columns auto - a.json").stdin("{\"a\":1}\n{}\n3"));
    assert_shows!(place.fjson("query --csv --columns auto").stdin("{\"\\ud800\":1}"));
    let many = (0..10_000).map(|key| format!("\"k{key}\":0,")).collect::<Vec<_>>().concat();
    assert_shows!(place.fjson("query --csv --columns auto").stdin(format!("{{{many}\"z\":0}}")));
    assert_shows!(place.fjson("query --columns auto").stdin("{}"));
    assert_eq!(place.fjson("query --csv --columns auto --offsets").stdin("{}").status(), Some(2));
    // Invalid records are reported once, and keys before the error of a document count.
    assert_shows!(place.fjson("query --csv --header --columns auto --lines").stdin("{\"a\":1}\n{\"b\":}\n{\"c\":3}\n"));
    assert_eq!(place.fjson("query --csv --columns auto --lines").stdin("").status(), Some(1));
}

/// The table is that of the text in which the columns were found: what is added after that has other columns.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn files_that_change_after_their_columns_were_found() {
    let place = Place::new();
    // The pipe is larger than any buffer, so its end is written after the file before it was read.
    let changed = |change: &str| {
        place.file("a.jsonl", "{\"a\":1}\n");
        let pipe = format!("{{ head -c 4000000 /dev/zero | tr '\\0' ' '; {change}; echo '{{\"b\":2}}'; }}");
        place.shell(&format!("{pipe} | $FJSON query --csv --header --columns auto --lines a.jsonl -"))
    };
    assert_eq!(changed("echo '{\"z\":3}' >> a.jsonl").stdout(), "a,b\n1,\n,2\n");
    assert_shows!(changed("echo > a.jsonl"));
}

/// A pipe is held in memory, because it is read twice.
#[test]
#[cfg(unix)]
#[ignore = "takes a gibibyte of memory; `cargo test --release --test cli -- --ignored`"]
fn a_pipe_of_more_than_a_gibibyte_is_refused() {
    let place = Place::new();
    let spaces = "head -c 1100000000 /dev/zero | tr '\\0' ' '";
    for line in ["query --csv --columns auto", "minify --schema true.json -"] {
        place.file("true.json", "true");
        let output = place.shell(&format!("{{ {spaces}; echo '{{\"a\": 1}}'; }} | $FJSON {line}")).output();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("it may have at most 1 GiB"), "{message}");
    }
}
