//! `fjson validate`: no output for valid inputs, one diagnostic for each invalid one.

use crate::place::Place;
use crate::place::assert_shows;

#[test]
fn says_nothing_about_valid_inputs() {
    let place = Place::with_two();
    assert_eq!(place.fjson("validate good.json good.json").stdout(), "");
    assert_eq!(place.fjson("validate").stdin(" null\n").stdout(), "");
    assert_eq!(place.fjson("validate -").stdin("[]").stdout(), "");
}

#[test]
fn says_what_is_wrong_and_where() {
    assert_shows!(Place::with_two().fjson("validate bad.json"));
}

#[test]
fn names_standard_input() {
    assert_shows!(Place::new().fjson("validate").stdin("[1,]"));
}

#[test]
fn goes_on_after_a_bad_input() {
    let place = Place::with_two();
    place.file("late.json", "[1, 2");
    assert_shows!(place.fjson("validate bad.json missing.json good.json late.json"));
}

#[test]
fn empty_input_is_not_a_document() {
    let place = Place::new();
    place.file("empty.json", "");
    assert_shows!(place.fjson("validate empty.json"));
    assert_shows!(place.fjson("validate").stdin("  \n"));
}

#[test]
fn an_opener_without_a_closer_is_shown() {
    assert_shows!(Place::new().fjson("validate").stdin("{\"list\": [\n  1,\n  {\"a\": [2, 3}\n]}\n"));
}

#[test]
fn a_second_document_is_not_expected() {
    assert_shows!(Place::new().fjson("validate").stdin("{\"a\":1}\n{\"a\":2}\n"));
}

#[test]
fn what_other_dialects_allow_is_named() {
    let place = Place::new();
    for (name, text) in [
        ("bom.json", &b"\xef\xbb\xbf{}"[..]),
        ("comment.json", b"// x\n{}"),
        ("nan.json", b"[NaN]"),
        ("quotes.json", b"{'a': 1}"),
        ("trailing.json", b"{\"a\": 1,}"),
        ("utf16.json", b"\xff\xfe[\0]\0"),
        ("zero.json", b"[012]"),
    ] {
        place.file(name, text);
    }
    assert_shows!(place.fjson("validate ."));
}

#[test]
fn the_caret_is_under_the_byte() {
    let place = Place::new();
    place.file("tab.json", "\t[1\t2]");
    place.file("wide.json", "[\"日本語\" 2]");
    place.file("zero_width.json", "[\"e\u{301}\u{200b}\" 2]");
    assert_shows!(place.fjson("validate ."));
}

#[test]
fn nothing_in_a_document_reaches_the_terminal_raw() {
    let place = Place::new();
    place.file("bidi.json", "{\"a\u{202e}b\": [1 2]}");
    place.file("c1.json", "[\"\u{9b}31m\" x]");
    place.file("escape.json", "{\"a\": \"\x1b]0;title\x07\"}");
    place.file("utf8.json", b"{\"a\": \"\xc0\xaf\"}");
    let output = place.fjson("validate .").output();
    assert!(!String::from_utf8_lossy(&output.stderr).chars().any(|c| c.is_control() && c != '\n'));
    assert_shows!(place.fjson("validate ."));
}

#[test]
fn a_long_line_is_cut_on_both_sides() {
    let text = format!("[{}1 2{}]", "1,".repeat(5000), ",3".repeat(5000));
    assert_shows!(Place::new().fjson("validate").stdin(text));
}

#[test]
fn depth_is_limited_only_when_asked() {
    let place = Place::new();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(place.fjson("validate").stdin(deep).stdout(), "");
    assert_eq!(place.fjson("validate --max-depth 2").stdin("[[1]]").stdout(), "");
    assert_eq!(place.fjson("validate --max-depth none").stdin("[[1]]").stdout(), "");
    assert_shows!(place.fjson("validate --max-depth 2").stdin("[[[1]]]"));
}

#[test]
fn quiet_leaves_only_the_status() {
    let place = Place::with_two();
    assert_shows!(place.fjson("validate -q bad.json"));
    assert_eq!(place.fjson("validate -q good.json").stdout(), "");
}

#[test]
fn quiet_does_not_hide_read_errors() {
    assert_shows!(Place::new().fjson("validate -q missing.json"));
}

#[test]
fn verbose_tells_what_was_read() {
    let place = Place::with_two();
    assert_shows!(place.fjson("validate -v good.json bad.json"));
}

#[test]
fn all_kernels_give_the_same_results() {
    let place = Place::with_two();
    let expected = place.fjson("validate bad.json").shown();
    let version = String::from_utf8(place.fjson("--version").output().stdout).expect("text");
    let (_, list) = version.split_once("available ").expect("a list of kernels");
    for kernel in list.trim_end_matches(")\n").split(", ").chain(["auto"]) {
        assert_eq!(place.fjson(&format!("validate --kernel {kernel} bad.json")).shown(), expected);
        assert_eq!(place.fjson(&format!("validate --kernel {kernel} --no-mmap bad.json")).shown(), expected);
    }
}

#[test]
fn errors_are_counted_beyond_the_limit() {
    let place = Place::new();
    let lines = "[1,]\n".repeat(120);
    let output = place.fjson("validate --lines").stdin(lines.clone()).output();
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text.matches(": error: ").count(), 100);
    assert!(text.ends_with("fjson: 20 more errors are not shown; use --max-errors 0 to show all\n"));
    let output = place.fjson("validate --lines --max-errors 0").stdin(lines).output();
    assert_eq!(String::from_utf8(output.stderr).expect("text").matches(": error: ").count(), 120);
    assert_shows!(place.fjson("validate --lines --max-errors 1 --format concise").stdin("x\ny\n"));
}

/// A configuration as people write them, with every mistake once. Some of these hide none of the others.
#[test]
fn one_run_reports_the_mistakes_of_a_document() {
    let place = Place::new();
    let text = "\
{
  // the port
  \"port\": 8080,
  host: \"a\",
  'name': 'b',
  \"ratio\": NaN,
  \"mode\": 0644,
  path\": \"C:\\dir\", # where
  \"list\": [1, 2,],
  \"missing\": [
    1
    2
  ],
  \"set\" = True,
}
";
    place.file("a.json", text);
    let lines = |line: &str| {
        let output = place.fjson(line).output();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        let errors = text.lines().filter_map(|line| line.strip_prefix("a.json:")?.split(':').next()?.parse().ok());
        errors.collect::<Vec<u32>>()
    };
    let all = [2, 4, 5, 5, 6, 7, 8, 8, 8, 9, 12, 14, 14, 15];
    assert_eq!(lines("validate a.json"), [2]);
    assert_eq!(lines("validate --max-errors 0 --format concise a.json"), all);
    assert_eq!(lines("validate --max-errors 0 --no-mmap a.json"), all);
    assert_eq!(lines("validate --max-errors 3 a.json"), [2, 4, 5]);
    place.file("a.json", format!("[{}1]", "NaN,".repeat(150)));
    assert_eq!(lines("validate --max-errors 101 --format concise a.json").len(), 100);
    place.file("a.json", text);
    let github = place.fjson("validate --format github a.json").output().stdout;
    assert_eq!(String::from_utf8_lossy(&github).matches("::error file=a.json").count(), 10);
    assert_shows!(place.fjson("validate --max-errors 0 a.json"));
}

/// Errors that are only consequences of an earlier one are not reported.
#[test]
fn further_errors_are_not_guessed() {
    let place = Place::new();
    for (text, errors) in [
        ("[1 2 3]", 1),
        ("{\"a\": \"he said \"hi\" to me\", \"b\": 1}", 1),
        ("{\"a: 1,\n \"b\": 2}", 1),
        ("[1, 2", 1),
        ("[NaN, 2", 1),
        ("{a: [1}, b: 2}", 1),
        ("[new Date(), NaN]", 1),
        ("{} {]", 1),
        ("{\"a\": /* open", 1),
        ("{\"a\": 'it\"s', b: 1}", 1),
        ("[NaN, Infinity, -Infinity, undefined, None, True, +1, .5, 01, 0x1F, 1.]", 11),
        ("{'a': 1, 'a': 2}", 2),
        ("[\"a\tb\", \"\\x\", \"\\u12\"]", 3),
    ] {
        let output = place.fjson("validate --max-errors 0 --format concise").stdin(text).output();
        let text_of = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(text_of.lines().count(), errors, "{text}: {text_of}");
        assert_eq!(output.status.code(), Some(1));
    }
    // Those of a stricter profile are the only ones.
    let output =
        place.fjson("validate --unique-keys --max-errors 0 --format concise").stdin("{\"a\":1,\"a\":NaN}").output();
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

#[test]
fn colour_can_be_forced() {
    let place = Place::with_two();
    let colored = |run: crate::place::Run| String::from_utf8_lossy(&run.output().stderr).contains('\x1b');
    assert!(colored(place.fjson("validate --color always bad.json")));
    assert!(colored(place.fjson("validate --color always bad.json").env("NO_COLOR", "1")));
    assert!(colored(place.fjson("validate bad.json").env("CLICOLOR_FORCE", "1")));
    assert!(!colored(place.fjson("validate bad.json")));
    assert!(!colored(place.fjson("validate bad.json").env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")));
    assert!(!colored(place.fjson("validate --color never bad.json").env("CLICOLOR_FORCE", "1")));
    assert_shows!(place.fjson("validate --color always bad.json"));
}

/// Whether text is mapped or arrives in pieces, on every kernel and number of threads, and however long the output is.
#[test]
fn an_error_reads_the_same_however_the_input_comes() {
    let place = Place::new();
    let deep = format!("{}{}", "[{\"a\":".repeat(1500), "[1,\n".repeat(1500));
    // Of a pipe of this length, only a part is in memory when the error is found.
    let rows = format!("{{\"x\": [{}", "{\"k\": [1]},\n".repeat(120_000));
    let (missing, open) =
        (format!("{rows}{{\"k\": [1 2]}}]}}"), format!("{rows}{{\"k\": \"{}", "long ".repeat(100_000)));
    for text in [
        deep.clone(),
        format!("{deep}1 2"),
        format!("{deep}\"cut short"),
        format!("[{}", "1,".repeat(100_000)),
        missing,
        open,
    ] {
        place.file("deep.json", &text);
        for command in
            ["validate", "pretty --max-depth none", "minify", "query --count $..a", "query --trust --count $..a"]
        {
            let said = |run: crate::place::Run| {
                let output = run.output();
                let said = String::from_utf8_lossy(&output.stderr).replace("<stdin>", "deep.json");
                (output.status.code(), said)
            };
            let mapped = said(place.fjson(&format!("{command} --threads 1 deep.json")));
            for ways in ["--kernel portable", "--threads 2", "--no-mmap", "--no-mmap --kernel portable"] {
                assert_eq!(said(place.fjson(&format!("{command} {ways} deep.json"))), mapped, "{command} {ways}");
            }
            for ways in ["", "--kernel portable", "--threads 2"] {
                let piped = said(place.fjson(&format!("{command} {ways}")).stdin(text.clone()));
                assert_eq!(piped, mapped, "{command} {ways} < pipe");
            }
        }
    }
}
