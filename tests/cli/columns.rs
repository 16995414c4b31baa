//! Tables with `--rows`: columns of the row and of the document around it.

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
    let two = place.fjson("query --rows $.items[*] -p $.items[*] -p @.n --csv orders.jsonl").output();
    assert_eq!(two.status.code(), Some(1));
    let bad = place.fjson("query --rows $.items[*] -p @.n -p $.id --csv").stdin("{\"id\":1,\"items\":[{\"n\":1}],}");
    assert_eq!(bad.status(), Some(1));
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
