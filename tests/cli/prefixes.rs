//! `--skip-prefix`: records that begin after other text.

use crate::place::Place;
use crate::place::assert_shows;

const LOG: &str = "starting\n12:00 INFO {\"a\": 1}\nweb_1 | {\"a\": 2}\r\n\nn\u{e9} [3]\n{\"a\": 4}";

#[test]
fn records_begin_at_their_bracket() {
    let place = Place::new();
    place.file("app.log", LOG);
    assert_eq!(place.fjson("minify --skip-prefix app.log").stdout(), "{\"a\":1}\n{\"a\":2}\n[3]\n{\"a\":4}\n");
    assert_eq!(place.fjson("validate --lines --skip-prefix app.log").stdout(), "");
    assert_eq!(place.fjson("pretty --skip-prefix --indent 0 app.log").stdout().lines().count(), 12);
    for input in ["app.log", "--threads 1 app.log", "--no-mmap app.log", "-"] {
        let run = place.fjson(&format!("query --skip-prefix $.a {input}")).stdin(LOG);
        assert_eq!(run.stdout(), "1\n2\n4\n", "{input}");
    }
    let stats = place.fjson("stats --skip-prefix --format json app.log").stdout();
    assert!(stats.replace(' ', "").contains("\"documents\":4"), "{stats}");
    let parts: String = (1..=3)
        .map(|part| place.fjson(&format!("query --skip-prefix $.a --allow-empty --range {part}/3 app.log")).stdout())
        .collect();
    assert_eq!(parts, "1\n2\n4\n");
}

#[test]
fn offsets_are_those_in_the_file() {
    let place = Place::new();
    assert_eq!(place.fjson("query --skip-prefix --offsets $.a").stdin(LOG).stdout(), "26..27\n43..44\n62..63\n");
    assert_shows!(place.fjson("validate --skip-prefix").stdin("a {\"b\": 1}\nINFO {\"b\": 2,}\n"));
    assert_shows!(place.fjson("validate --skip-prefix").stdin("INFO {\"b\": 2} done\n"));
}

#[test]
fn text_with_brackets() {
    let place = Place::new();
    let text = "[main] INFO {\"a\": 1}\n";
    assert_shows!(place.fjson("query --skip-prefix $.a").stdin(text));
    assert_eq!(place.fjson("query --skip-prefix=object $.a").stdin(text).stdout(), "1\n");
    assert_eq!(place.fjson("validate --skip-prefix --stream").stdin(text).status(), Some(2));
}

#[test]
fn files_are_not_edited() {
    let place = Place::new();
    place.file("app.log", LOG);
    assert_shows!(place.fjson("minify -i --skip-prefix app.log"));
    assert_eq!(place.read("app.log"), LOG);
}
