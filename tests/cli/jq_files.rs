//! `fjson jq`: what it has beside jq's options: files in place, output files, labels, bad records, limits, kinds of inputs.

use crate::jq::check;
use crate::jq::place;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::fs::symlink;

#[test]
fn files_are_edited_in_place() {
    let place = place();
    fs::set_permissions(place.path("a.json"), fs::Permissions::from_mode(0o640)).expect("a mode");
    symlink("a.json", place.path("link.json")).expect("a link");
    assert_eq!(place.fjson_with(["jq", "-i", "-c", ".b[0] += 1", "link.json", "nums"]).status(), Some(5));
    assert_eq!(place.read("a.json"), "{\"b\":[2,{\"c\":2}],\"a\":null}\n");
    assert_eq!(place.read("nums"), "1\n2\n\n3\n");
    assert!(place.path("link.json").is_symlink());
    let mode = fs::metadata(place.path("a.json")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    check(
        &place,
        &[
            ("echo '1 2 3' > nums; jq -i '. * 2' nums && cat nums", "2\n4\n6\n", 0),
            ("printf '{\"a\":1}\\n' > seq; jq -ic --seq . seq; echo $?; cat seq", "2\n{\"a\":1}\n", 0),
            ("echo '2 4 6' > nums; jq --in-place -s . nums && jq -i -c . nums && cat nums", "[2,4,6]\n", 0),
            ("echo '1 2 3' > n && jq -i '[., (try input catch \"end\")]' n -c && cat n", "[1,2]\n[3,\"end\"]\n", 0),
            ("jq -i empty n && cat n", "", 0),
            ("echo '{\"a\": 1}' > n && jq -ie .b n; cat n", "null\n", 0),
            // Nothing is lost by an error.
            ("echo '1 {} 2' > n && jq -i 'if . == 2 then error else . end' n; cat n", "1 {} 2\n", 0),
            ("echo '1 {} ]' > n && jq -i . n; cat n", "1 {} ]\n", 0),
            ("echo '1 2' > n && jq -i 'halt_error' n; cat n", "1 2\n", 0),
            ("echo '1 2' > n && jq -i '.[' n; cat n", "1 2\n", 0),
            ("gzip -c n > n.gz && jq -i . n.gz", "", 2),
            ("printf '\\377\\3761\\0' > n16; jq -i --encoding auto . n16", "", 2),
            ("jq -i . missing.json", "", 2),
            ("jq -i . < nums", "", 2),
            ("jq -i . -", "", 2),
            ("jq -i . .", "", 2),
            ("jq -i -n . nums", "", 2),
            ("jq -i -o out . nums", "", 2),
            ("jq -i -C . nums", "", 2),
            ("jq -i --raw-output0 . nums", "", 2),
            ("jq -i --with-filename . nums", "", 2),
        ],
    );
    assert!(place.names().iter().all(|name| !name.starts_with(".fjson")), "{:?}", place.names());
}

/// jq would cut it, and write what is not JSON.
#[test]
fn outputs_that_are_too_deep_are_errors() {
    let place = place();
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    place.file("deep", format!("{}\n{}", deep(10_001), deep(10_002)));
    let expected = deep(10_001) + "\n";
    for options in ["-c", "-c --threads 1", "-c -S", "-C -c -M"] {
        check(&place, &[(&format!("jq {options} . deep"), &expected, 5)]);
    }
    assert_eq!(place.fjson("jq -i -c . deep").status(), Some(5));
    assert_eq!(place.read("deep"), format!("{}\n{}", deep(10_001), deep(10_002)));
    check(&place, &[("jq '[..] | length' deep", "10001\n10002\n", 0)]);
}

#[test]
fn output_goes_to_a_file_if_it_is_complete() {
    check(
        &place(),
        &[
            ("jq -c -o out . nums && cat out", "1\n2\n3\n", 0),
            ("jq -oout2 .a a.json && cat out2", "null\n", 0),
            ("jq -e --output=out2 .a a.json; cat out2", "null\n", 0),
            ("jq -c . nums -o -", "1\n2\n3\n", 0),
            ("echo old > out; jq -o out .a nums; cat out", "old\n", 0),
            ("echo old > out; jq -o out . missing.json; cat out", "old\n", 0),
            ("jq -o nums . nums", "", 2),
            ("jq . nums >> nums", "", 2),
            ("cat nums", "1\n2\n\n3\n", 0),
        ],
    );
}

#[test]
fn outputs_have_labels() {
    check(
        &place(),
        &[
            (
                "jq -c --with-filename . nums a.json",
                "nums:1\nnums:2\nnums:3\na.json:{\"b\":[1,{\"c\":2}],\"a\":null}\n",
                0,
            ),
            ("jq --with-filename -n '1, input' nums", "1\nnums:1\n", 0),
            ("jq --with-filename -r . < nums", "<stdin>:1\n<stdin>:2\n<stdin>:3\n", 0),
        ],
    );
}

#[test]
fn bad_records_are_skipped() {
    let place = place();
    place.file("log", "{\"a\":1}\n{\"a\":}\n\n{\"a\":3}\nx\n");
    check(
        &place,
        &[
            ("jq .a log", "1\n", 2),
            ("jq --lines .a log", "1\n", 2),
            ("jq --skip-bad .a log", "1\n3\n", 0),
            ("jq --skip-bad -n '[inputs.a]' -c log", "[1,3]\n", 0),
            ("jq --skip-bad -sc . log", "[{\"a\":1},{\"a\":3}]\n", 0),
            ("cat log | jq --skip-bad .a", "1\n3\n", 0),
            ("jq --skip-bad --stream . log", "", 2),
            ("jq --skip-bad -R . log", "", 2),
            ("jq --lines --seq . log", "", 2),
        ],
    );
    let stderr = place.fjson("jq --skip-bad .a log").output().stderr;
    assert_eq!(String::from_utf8_lossy(&stderr), "log: 2 invalid records skipped\n");
}

#[test]
fn inputs_of_every_kind() {
    let place = place();
    place.file("bom.json", "\u{feff}[1]");
    place.file("utf16.json", "\u{feff}[1]".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    check(
        &place,
        &[
            ("gzip -c a.json | jq .b[0]", "1\n", 0),
            ("gzip -c nums > n.gz; gzip -c nums >> n.gz; jq -c . n.gz", "1\n2\n3\n1\n2\n3\n", 0),
            ("gzip -c words | jq -nR '[inputs] | length'", "4\n", 0),
            ("jq --no-mmap -c . nums", "1\n2\n3\n", 0),
            ("mkfifo f; cat nums > f & jq -c . f", "1\n2\n3\n", 0),
            ("jq -c --bom error . bom.json", "", 2),
            ("jq -c --bom strip . bom.json", "[1]\n", 0),
            ("jq -c --encoding auto . utf16.json", "[1]\n", 0),
            ("jq -c --encoding latin1 . bom.json", "", 2),
            ("gzip -c a.json | jq --max-bytes 10 .", "", 2),
            ("jq -c --max-depth 2 . nums a.json", "1\n2\n3\n", 2),
        ],
    );
}

/// An error, unless jq is called by its name, since jq skips it. A file that is replaced keeps it.
#[test]
fn byte_order_marks() {
    let place = place();
    place.file("bom.json", "\u{feff}[1]");
    assert_eq!(place.shell("$FJSON jq . bom.json").status(), Some(2));
    for (line, expected) in [
        ("./jq -c '.[0] += 1' -i bom.json", "\u{feff}[2]\n"),
        ("$FJSON jq -c --bom accept '.[0] += 1' -i bom.json", "\u{feff}[3]\n"),
        ("$FJSON jq -c --encoding auto -i '.[0] += 1' bom.json", "\u{feff}[4]\n"),
        ("$FJSON jq -c --bom accept -i -s . bom.json", "\u{feff}[[4]]\n"),
        ("$FJSON jq -c --bom strip -i '.[0]' bom.json", "[4]\n"),
        ("$FJSON jq -c --bom accept -i . bom.json", "[4]\n"),
    ] {
        assert_eq!(place.shell(line).status(), Some(0), "{line}");
        assert_eq!(place.read("bom.json"), expected, "{line}");
    }
}

#[test]
fn limits_have_names() {
    let place = place();
    for (options, program, limit) in [
        ("--max-steps 1000", "last(range(1e9))", "steps"),
        ("--max-time 0.1", "last(range(1e12))", "time"),
        ("--max-memory 10M", "[range(1e7)] | length", "memory"),
        ("", "def f: 1 + f; f", "stack"),
    ] {
        let output = place.shell(&format!("$FJSON jq -n {options} '{program}'")).output();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(limit) && stderr.contains("limit"), "{program}: {stderr}");
        assert_eq!(output.status.code(), Some(5), "{program}");
    }
}

#[test]
fn a_sandbox_refuses_what_reaches_outside() {
    let place = place();
    place.file("m.jq", "def f: 1;");
    check(
        &place,
        &[
            ("jq --sandbox -c 'group_by(.) | length' a.json -s", "1\n", 0),
            ("jq --sandbox env a.json", "", 3),
            ("jq --sandbox '$ENV.HOME' a.json", "", 3),
            ("jq --sandbox input_filename a.json", "", 3),
            ("jq --sandbox debug a.json", "", 3),
            ("jq --sandbox 'debug(1)' a.json", "", 3),
            ("jq --sandbox stderr a.json", "", 3),
            ("jq --sandbox -L . 'import \"m\" as m; m::f' a.json", "", 3),
            ("jq --sandbox -L . 'include \"m\"; f' a.json", "", 3),
            ("jq --sandbox -nc '\"m\" | try modulemeta catch \"refused\"'", "\"refused\"\n", 0),
            ("jq --sandbox -nc get_search_list", "[]\n", 0),
            (
                "jq --sandbox -nc '\"m\" | try modulemeta catch .'",
                "\"the program uses the module m, which --sandbox refuses\"\n",
                0,
            ),
            ("jq --sandbox --max-steps 1000 -n 'last(range(1e9))'", "", 5),
        ],
    );
}
