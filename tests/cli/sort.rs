//! `--sort-keys`: members sorted by key, and the memory limit.

use std::io::Write as _;
use std::process::Command;

use crate::place::Place;
use crate::place::assert_shows;
use proof::suites;
use proof::untested;

const TEXT: &str =
    "{ \"b\": [ { \"\\u0064\": 1.50, \"c\": {} } ], \"é\": 0, \"a\": { \"z\": \"\\u00e9\", \"y\": [] }, \"b\": 2 }";

#[test]
fn members_in_order() {
    let place = Place::new();
    assert_shows!(place.fjson("minify --sort-keys").stdin(TEXT));
    assert_shows!(place.fjson("pretty -S").stdin(TEXT));
    assert_shows!(place.fjson("pretty -S --tab --escape ascii").stdin(TEXT));
    assert_eq!(place.fjson("minify -S").stdin("{\"b\":1,\"a\":\"é\"}").stdout(), "{\"a\":\"é\",\"b\":1}");
    let both = place.fjson("minify -S --escape ascii").stdin("{\"b\":1,\"a\":\"é\"}").stdout();
    assert_eq!(both, "{\"a\":\"\\u00e9\",\"b\":1}");
}

#[test]
fn natural_order() {
    let place = Place::new();
    let text = "{\"b\":1,\"a10\":2,\"A9\":3,\"B\":{\"z\":4,\"Y\":5}}";
    let sorted = "{\"A9\":3,\"a10\":2,\"B\":{\"Y\":5,\"z\":4},\"b\":1}";
    assert_eq!(place.fjson("minify -S --natural").stdin(text).stdout(), sorted);
    let pretty = place.fjson("pretty -S --natural --indent 0").stdin(text).stdout();
    assert_eq!(pretty.replace('\n', "").replace(": ", ":"), sorted);
    for line in ["minify --natural", "minify --canonical --natural"] {
        assert_eq!(place.fjson(line).stdin(text).status(), Some(2), "{line}");
    }
}

#[test]
fn each_record_alone() {
    let output = Place::new().fjson("minify -S --lines").stdin("{\"b\":1,\"a\":2}\n[{\"d\":1,\"c\":2}]\n").stdout();
    assert_eq!(output, "{\"a\":2,\"b\":1}\n[{\"c\":2,\"d\":1}]\n");
}

#[test]
fn text_before_an_error() {
    let place = Place::new();
    assert_shows!(place.fjson("minify -S").stdin("[{\"b\":1,\"a\":2}, {\"d\":1, \"c\" 2}]"));
    assert_shows!(place.fjson("pretty -S").stdin("[{\"b\":1,\"a\":2}, {\"d\":1, \"c\" 2}]"));
}

#[test]
fn memory_is_limited() {
    let place = Place::new();
    place.file("large.json", format!("{{\"b\":\"{}\",\"a\":1}}", "x".repeat(5000)));
    assert_eq!(place.fjson("minify -S --max-memory 6K large.json").status(), Some(0));
    assert_shows!(place.fjson("minify -S --max-memory 4K large.json"));
    assert_shows!(place.fjson("minify -S --max-memory 4K --format json large.json"));
    assert_shows!(place.fjson("minify -S --max-memory all large.json"));
    assert_eq!(place.fjson("minify -i -S --max-memory 1 large.json").status(), Some(2));
    // Text outside of objects is not held.
    let array = format!("[{}1]", "{\"b\":1,\"a\":2},".repeat(10_000));
    assert_eq!(place.fjson("minify -S --max-memory 500").stdin(array).status(), Some(0));
}

#[test]
fn check_and_in_place() {
    let place = Place::new();
    place.file("sorted.json", "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
    place.file("other.json", "{\n  \"b\": 1,\n  \"a\": 2\n}\n");
    assert_eq!(place.fjson("pretty --check sorted.json other.json").stdout(), "");
    let output = place.fjson("pretty --check -S sorted.json other.json").output();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b"other.json\n"[..]));
    assert_eq!(place.fjson("pretty -i -S sorted.json other.json").stdout(), "");
    assert_eq!(place.read("other.json"), "{\n  \"a\": 2,\n  \"b\": 1\n}\n");
    assert_eq!(place.fjson("minify -i -S other.json").stdout(), "");
    assert_eq!(place.read("other.json"), "{\"a\":2,\"b\":1}");
}

/// jq sorts keys by code point, too. It changes numbers, so the document has only integers that it can represent.
#[test]
fn agrees_with_jq() {
    let texts = suites::data_sets();
    let Some(text) = texts.iter().find(|(name, _)| name.contains("citm_catalog")).map(|(_, text)| text) else { return };
    let jq = Command::new("jq")
        .args(["-S", "-c", "."])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let Ok(mut jq) = jq else {
        untested::report("--sort-keys beside jq: jq is not there");
        return;
    };
    let mut input = jq.stdin.take().expect("a pipe");
    let expected = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(text));
        jq.wait_with_output().expect("jq ends").stdout
    });
    let sorted = Place::new().fjson("minify -S").stdin(text.clone()).stdout();
    assert!(sorted.into_bytes() == expected.trim_ascii_end(), "other bytes than jq writes");
}
