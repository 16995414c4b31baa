//! `fjson jq`: every option of jq, in the orders in which people write them. The outputs are those of jq 1.8.
//!
//! Each line is run twice: as `fjson jq`, and through a link that is named `jq`.

use crate::place::FJSON;
use crate::place::Place;
use std::os::unix::fs::symlink;

/// A line for a shell, its standard output and its exit status.
type Case<'c> = (&'c str, &'c str, i32);

/// A place with a link to the program and some files.
pub fn place() -> Place {
    let place = Place::new();
    symlink(FJSON, place.path("jq")).expect("a link");
    place.file("a.json", "{\"b\": [1, {\"c\": 2}], \"a\": null}\n");
    place.file("nums", "1\n2\n\n3\n");
    place.file("words", "one\ntwo\r\n\nthree");
    place
}

/// Runs the lines in both ways.
#[track_caller]
pub fn check(place: &Place, cases: &[Case<'_>]) {
    for (line, stdout, status) in cases {
        for jq in ["\"$FJSON\" jq", "./jq"] {
            // The `echo` of some shells replaces escapes.
            let functions = format!("jq() {{ {jq} \"$@\"; }}\necho() {{ printf '%s\\n' \"$*\"; }}");
            let output = place.shell(&format!("{functions}\n{line}")).output();
            let found = String::from_utf8_lossy(&output.stdout);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!((&*found, output.status.code()), (*stdout, Some(*status)), "{jq} {line}\n{stderr}");
            // What fails says so, and nothing else does.
            let is_silent = *status == 0 || line.contains("-e") || line.contains("halt");
            assert!(!stderr.is_empty() || is_silent, "{line} says nothing");
        }
    }
}

#[test]
fn layouts() {
    let pretty = "{\n  \"b\": [\n    1,\n    {\n      \"c\": 2\n    }\n  ],\n  \"a\": null\n}\n";
    let unindented = "{\n\"b\": [\n1,\n{\n\"c\": 2\n}\n],\n\"a\": null\n}\n";
    let compact = "{\"b\":[1,{\"c\":2}],\"a\":null}\n";
    let tabs = "{\n\t\"b\": [\n\t\t1,\n\t\t{\n\t\t\t\"c\": 2\n\t\t}\n\t],\n\t\"a\": null\n}\n";
    let sorted = "{\"a\":null,\"b\":[1,{\"c\":2}]}\n";
    check(
        &place(),
        &[
            ("jq . a.json", pretty, 0),
            ("jq < a.json", pretty, 0),
            ("jq '' a.json", "", 3),
            ("jq 'def f: 1;' a.json", "", 3),
            ("jq -c . a.json", compact, 0),
            ("jq . a.json -c", compact, 0),
            ("jq . -c -- a.json", compact, 0),
            ("jq --indent 0 . a.json", unindented, 0),
            ("jq -c --indent 0 . a.json", unindented, 0),
            ("jq --indent 0 -c . a.json", compact, 0),
            ("jq --indent 0 -C -M -S .a a.json", "null\n", 0),
            ("jq --tab . a.json", tabs, 0),
            ("jq --indent -1 . a.json", tabs, 0),
            ("jq -c --tab . a.json", tabs, 0),
            ("jq --tab -c . a.json", compact, 0),
            ("jq --tab --indent 2 . a.json", pretty, 0),
            ("jq -Sc . a.json", sorted, 0),
            ("jq -cS --monochrome-output . a.json", sorted, 0),
            ("jq --indent 1 .b a.json", "[\n 1,\n {\n  \"c\": 2\n }\n]\n", 0),
            ("echo '[]{}[[]]{\"a\":{}}' | jq -c", "[]\n{}\n[[]]\n{\"a\":{}}\n", 0),
            ("jq --indent 8 . a.json", "", 2),
            ("jq --indent", "", 2),
            ("jq --indent x . a.json", "", 2),
        ],
    );
}

#[test]
fn strings() {
    check(
        &place(),
        &[
            ("echo '\"a\" \"b\\n\"' | jq .", "\"a\"\n\"b\\n\"\n", 0),
            ("echo '\"a\" \"b\\n\"' | jq -r .", "a\nb\n\n", 0),
            ("echo '\"a\" [\"b\"]' | jq -j .", "a[\n  \"b\"\n]", 0),
            ("echo '\"a\" [\"b\"]' | jq -jc .", "a[\"b\"]", 0),
            ("echo '\"a\" [\"b\"]' | jq --raw-output0 -c .", "a\0[\"b\"]\0", 0),
            ("echo '3 \"a\\u0000\"' | jq --raw-output0 .", "3\0", 5),
            ("echo '\"é😀\"' | jq -a .", "\"\\u00e9\\ud83d\\ude00\"\n", 0),
            ("echo '\"é\" 3' | jq -ra .", "\"\\u00e9\"\n3\n", 0),
            ("echo '\"\\u007f\\/\\u0001é\"' | jq .", "\"\\u007f/\\u0001é\"\n", 0),
            (
                "echo '[1.000, 1e1000, -0, 100000000000000000000]' | jq -c .",
                "[1.000,1E+1000,-0,100000000000000000000]\n",
                0,
            ),
            ("echo '{\"a\":1,\"a\":2}' | jq -c .", "{\"a\":2}\n", 0),
        ],
    );
}

#[test]
fn inputs() {
    check(
        &place(),
        &[
            ("jq -n 1+1", "2\n", 0),
            ("jq -n 1 missing.json", "1\n", 0),
            ("echo '1 2 3 4' | jq -c '[., input]'", "[1,2]\n[3,4]\n", 0),
            ("echo '1 2 3' | jq -c '[., input]'", "[1,2]\n", 5),
            ("echo '1 2 3' | jq -c '[., (try input catch .)]'", "[1,2]\n[3,\"break\"]\n", 0),
            ("echo '1 2 3' | jq -nc '[inputs]'", "[1,2,3]\n", 0),
            ("echo '1 2 3' | jq -nc 'first(inputs)'", "1\n", 0),
            ("echo '1 2 3' | jq -n 'first(inputs), input'", "1\n2\n", 0),
            ("echo '1 2 3' | jq -n 'reduce inputs as $x (0; . + $x)'", "6\n", 0),
            ("yes 1 | jq -nc '[limit(3; inputs)]'", "[1,1,1]\n", 0),
            ("jq -s . nums -c", "[1,2,3]\n", 0),
            ("jq -c -s . nums a.json nums", "[1,2,3,{\"b\":[1,{\"c\":2}],\"a\":null},1,2,3]\n", 0),
            ("printf '' | jq -s . -c", "[]\n", 0),
            ("echo '1 2' | jq -cs '[., inputs]'", "[[1,2]]\n", 0),
            ("echo '1 2' | jq -cns '[., inputs]'", "[null,[1,2]]\n", 0),
            ("jq -cR . words", "\"one\"\n\"two\\r\"\n\"\"\n\"three\"\n", 0),
            ("jq -cnR '[inputs]' words", "[\"one\",\"two\\r\",\"\",\"three\"]\n", 0),
            ("jq -cR '[., input]' words", "[\"one\",\"two\\r\"]\n[\"\",\"three\"]\n", 0),
            ("jq -Rs . words", "\"one\\ntwo\\r\\n\\nthree\"\n", 0),
            ("jq -Rs . words nums", "\"one\\ntwo\\r\\n\\nthree1\\n2\\n\\n3\\n\"\n", 0),
            ("jq -nRs inputs nums", "\"1\\n2\\n\\n3\\n\"\n", 0),
            ("printf '' | jq -R .", "", 0),
            ("printf '' | jq -Rs .", "\"\"\n", 0),
            ("printf '\\357\\273\\277a\\n' | jq -R length", "2\n", 0),
            ("printf '\\357\\273\\277{}' > mark; jq -nc --bom accept --slurpfile a mark '$a'", "[{}]\n", 0),
            ("printf 'a\\377b' | jq -R .", "\"a\u{fffd}b\"\n", 0),
            ("printf '' | jq .", "", 0),
            ("printf ' \\n' | jq .", "", 0),
            ("cat nums | jq . a.json - -c", "{\"b\":[1,{\"c\":2}],\"a\":null}\n1\n2\n3\n", 0),
            ("jq input_filename a.json nums", "\"a.json\"\n\"nums\"\n\"nums\"\n\"nums\"\n", 0),
            ("jq -n '[inputs | input_filename] | unique | .[]' a.json nums", "\"a.json\"\n\"nums\"\n", 0),
            ("jq -c '[., input_line_number]' nums", "[1,1]\n[2,2]\n[3,4]\n", 0),
            ("cat nums | jq -c '[., input_line_number]'", "[1,1]\n[2,2]\n[3,4]\n", 0),
            ("printf '1 2\\n[\\n3]4' | jq -c '[., input_line_number]'", "[1,1]\n[2,1]\n[[3],2]\n[4,2]\n", 0),
            ("gzip -c nums | jq -c '[., input_line_number]'", "[1,1]\n[2,2]\n[3,4]\n", 0),
        ],
    );
}

#[test]
fn variables() {
    check(
        &place(),
        &[
            ("jq -nc --arg x 1 --argjson y '{\"a\": 2}' '[$x, $y, $x]'", "[\"1\",{\"a\":2},\"1\"]\n", 0),
            ("jq -nc '[$x]' --arg x 1", "[\"1\"]\n", 0),
            ("jq -nc --arg x 1 --arg x 2 '$x'", "\"1\"\n", 0),
            ("jq -nc --arg x 1 '$ARGS'", "{\"positional\":[],\"named\":{\"x\":\"1\"}}\n", 0),
            ("jq -nc '$ARGS.positional' --args a b", "[\"a\",\"b\"]\n", 0),
            ("jq -nc --args '$ARGS.positional' a 1", "[\"a\",\"1\"]\n", 0),
            ("jq -nc '$ARGS.positional' --jsonargs 1 '{\"a\": 2}'", "[1,{\"a\":2}]\n", 0),
            ("jq -nc '$ARGS.positional' --args a --jsonargs 1 --args 2", "[\"a\",1,\"2\"]\n", 0),
            ("jq -c '[., $ARGS.positional]' nums --args a", "[1,[\"a\"]]\n[2,[\"a\"]]\n[3,[\"a\"]]\n", 0),
            ("jq -nc '$ARGS.positional' --args -- -a --arg", "[\"-a\",\"--arg\"]\n", 0),
            ("jq -nc '$ARGS.positional' --args -1 -", "[\"-1\",\"-\"]\n", 0),
            ("jq -nc --slurpfile x nums --rawfile y words '[$x, $y]'", "[[1,2,3],\"one\\ntwo\\r\\n\\nthree\"]\n", 0),
            ("FOO=bar jq -nr '$ENV.FOO, env.FOO'", "bar\nbar\n", 0),
            ("jq -nc '$__loc__'", "{\"file\":\"<top-level>\",\"line\":1}\n", 0),
            ("jq -n '$__prog_args'", "", 3),
            ("jq -n --arg x", "", 2),
            ("jq -n --arg", "", 2),
            ("jq -n --argjson x '{' .", "", 2),
            ("jq -n --argjson x '1 2' .", "", 2),
            ("jq -n . --jsonargs '{'", "", 2),
            ("jq -n --slurpfile x missing .", "", 2),
            ("jq -n --slurpfile x words .", "", 2),
            ("jq -n --rawfile x missing .", "", 2),
        ],
    );
}

#[test]
fn programs_from_files_and_modules() {
    let place = place();
    place.file(
        "p.jq",
        "# adds one\ninclude \"inc\" {search: \"lib\"};\nimport \"d\" as $d {search: \"./lib\"};\ninc + $d[0].n",
    );
    place.file("lib/inc.jq", "def inc: . + 1;");
    place.file("lib/d.json", "{\"n\": 10}");
    place.file("lib/deep/deep.jq", "import \"inc\" as i {search: \"..\"}; def two: i::inc | i::inc;");
    place.file("home/.jq", "def mine: \"mine\";");
    place.file("home2/.jq/mod.jq", "def f: \"found\";");
    check(
        &place,
        &[
            ("echo 1 | jq -f p.jq", "12\n", 0),
            ("echo 1 | jq --from-file p.jq", "12\n", 0),
            ("jq -f p.jq nums", "12\n13\n14\n", 0),
            ("jq nums -f p.jq", "", 3),
            ("jq -n -f missing.jq", "", 2),
            ("jq -L lib 'import \"inc\" as i; i::inc' nums", "2\n3\n4\n", 0),
            ("jq -Llib 'include \"inc\"; inc' nums", "2\n3\n4\n", 0),
            ("jq --library-path lib 'import \"deep\" as d; d::two' nums", "3\n4\n5\n", 0),
            ("jq -n 'import \"missing\" as m; 1'", "", 3),
            ("jq -n -L lib -L . 'get_search_list | length'", "2\n", 0),
            ("jq -nc get_search_list", "[\"~/.jq\",\"$ORIGIN/../lib/jq\",\"$ORIGIN/../lib\"]\n", 0),
            ("HOME=$PWD/home jq -n mine", "\"mine\"\n", 0),
            ("HOME=$PWD/home2 jq -n 'import \"mod\" as m; m::f'", "\"found\"\n", 0),
            ("jq -nc -L lib '\"inc\" | modulemeta | .defs'", "[\"inc/0\"]\n", 0),
        ],
    );
}

#[test]
fn streams_of_events() {
    check(
        &place(),
        &[
            (
                "jq -c --stream . a.json",
                "[[\"b\",0],1]\n[[\"b\",1,\"c\"],2]\n[[\"b\",1,\"c\"]]\n[[\"b\",1]]\n[[\"a\"],null]\n[[\"a\"]]\n",
                0,
            ),
            (
                "echo '[1,{\"a\":[]},[],3] 4 {} [[]] \"x\"' | jq -c --stream .",
                "[[0],1]\n[[1,\"a\"],[]]\n[[1,\"a\"]]\n[[2],[]]\n[[3],3]\n[[3]]\n[[],4]\n[[],{}]\n[[0],[]]\n[[0]]\n[[],\"x\"]\n",
                0,
            ),
            (
                "echo '[3,[4,{\"a\":5}]]' | jq -nc --stream 'fromstream(1 | truncate_stream(inputs))'",
                "[4,{\"a\":5}]\n",
                0,
            ),
            ("jq -nc --stream 'fromstream(inputs)' a.json nums", "{\"b\":[1,{\"c\":2}],\"a\":null}\n1\n2\n3\n", 0),
            ("echo '[1,[2]]' | jq -cs --stream .", "[[[0],1],[[1,0],2],[[1,0]],[[1]]]\n", 0),
            ("echo '{\"a\":[1,2,\"x\" 5' | jq -c --stream .", "[[\"a\",0],1]\n[[\"a\",1],2]\n", 2),
            ("printf '[1,2' | jq -c --stream .", "[[0],1]\n", 2),
            (
                "printf '[1,2' | jq -c --stream-errors 'if .[0] | type == \"string\" then .[1] else . end'",
                "[[0],1]\n[1]\n",
                0,
            ),
            ("printf '\\0361\\n\\036[2]\\n' | jq -c --seq .", "\u{1e}1\n\u{1e}[2]\n", 0),
            ("printf '\\036\"a\"\\n' | jq -r --seq .", "a\n", 0),
            ("printf '\\0361\\n\\036[2]\\n' | jq -cs --seq .", "\u{1e}[1,[2]]\n", 0),
        ],
    );
}

/// jq forgets an error if the last input has none. As `fjson jq`, nothing that has failed ends with status 0.
/// What is computed is on no path, which `?` does not hide; messages are no computations.
#[test]
fn paths_of_what_is_computed() {
    let place = place();
    for (program, expected) in [
        ("(.b | map(select(. == 1))[]?) |= 2", Err("iterate through [1]")),
        ("del(to_entries | .[]?)", Err("iterate through [{")),
        ("(keys | .a?) = 1", Err("access element \"a\" of [\"a\",\"b\"]")),
        ("(tojson | .[1:]?) = 1", Err("access element {\"start\":1,\"end\":null} of ")),
        ("[path([1] | .[0]?)]", Err("access element 0 of [1]")),
        ("(try (keys | .[]) catch .b) = 1", Ok("")),
        ("(.b | debug | .[0], (stderr | .[1])) |= 7", Ok("{\"b\":[7,7],\"a\":null}\n")),
        ("[path(.b[1] | debug(\"x\") | .c)]", Ok("[[\"b\",1,\"c\"]]\n")),
        ("(.b[]?[]?, .a.x?) = 3", Ok("{\"b\":[1,{\"c\":3}],\"a\":{\"x\":3}}\n")),
    ] {
        let output = place.fjson_with(["jq", "-c", program, "a.json"]).output();
        let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        match expected {
            Ok("") => assert_eq!(output.status.code(), Some(5), "{program}: {stdout}{stderr}"),
            Ok(expected) => assert_eq!((&*stdout, output.status.code()), (expected, Some(0)), "{program}: {stderr}"),
            Err(what) => {
                let sentence = format!("Invalid path expression near attempt to {what}");
                assert!(stderr.contains(&sentence), "{program}: {stdout}{stderr}");
                assert_eq!((&*stdout, output.status.code()), ("", Some(5)), "{program}");
            }
        }
    }
}

/// The events of a document that has ended do not wait for the next one.
#[test]
fn events_of_a_live_pipe_are_not_held_back() {
    let place = place();
    let line = "(echo '{\"a\":1}'; sleep 5) | timeout 4 $FJSON jq -cn --unbuffered --stream 'first(inputs)'";
    let output = place.shell(line).output();
    assert_eq!((output.stdout, output.status.code()), (b"[[\"a\"],1]\n".to_vec(), Some(0)));
}

#[test]
fn an_error_is_not_forgotten() {
    let place = place();
    for (line, stdout, [command, jq]) in [
        ("echo '1 {}' | jq .a", "null\n", [5, 0]),
        ("echo '1 {}' | jq -e .a", "null\n", [5, 1]),
        ("echo '\"a\\u0000\" 3' | jq --raw-output0 .", "3\0", [5, 0]),
        ("printf '\\0361\\n\\036[2\\n\\0363\\n' | jq -c --seq .", "\u{1e}1\n\u{1e}3\n", [2, 0]),
    ] {
        for (name, status) in [("\"$FJSON\" jq", command), ("./jq", jq)] {
            let output = place
                .shell(&format!("jq() {{ {name} \"$@\"; }}\necho() {{ printf '%s\\n' \"$*\"; }}\n{line}"))
                .output();
            let found = String::from_utf8_lossy(&output.stdout);
            assert_eq!((&*found, output.status.code()), (stdout, Some(status)), "{name} {line}");
            assert!(!output.stderr.is_empty(), "{line} says nothing");
        }
    }
}

#[test]
fn exit_statuses() {
    check(
        &place(),
        &[
            ("echo 'false 1 null' | jq -e .", "false\n1\nnull\n", 1),
            ("echo '1 null 2' | jq -e .", "1\nnull\n2\n", 0),
            ("echo '1 2' | jq -e empty", "", 4),
            ("echo '1 2' | jq -e 'if . == 1 then false else empty end'", "false\n", 1),
            ("printf '' | jq -e .", "", 4),
            ("jq -en null", "null\n", 1),
            ("jq -n null", "null\n", 0),
            ("echo '{} 1' | jq .a", "null\n", 5),
            ("echo '{} 1' | jq -e .a", "null\n", 5),
            ("jq -n error", "", 5),
            ("jq -n '1, error(\"x\"), 2'", "1\n", 5),
            ("jq -n '1, halt, 2'", "1\n", 0),
            ("echo '1 2' | jq 'halt_error'", "", 5),
            ("jq -n '\"bye\" | halt_error(3)'", "", 3),
            ("jq -n '\"bye\" | halt_error(0)'", "", 0),
            ("jq -n '{}|halt_error(300)'", "", 44),
            ("jq -n null | jq 'halt_error(\"x\")'", "", 5),
            ("jq . missing.json", "", 2),
            ("jq -c . missing.json nums", "1\n2\n3\n", 2),
            ("echo '1 2 ] 3' | jq .", "1\n2\n", 2),
            ("echo '1 [' | jq -e .", "1\n", 2),
            ("echo '1 2 ] 3' | jq -nc '[inputs]'", "", 2),
            ("echo '1 2 ] 3' | jq -nc '[limit(2; inputs)]'", "[1,2]\n", 0),
            ("echo '1 2 ] 3' | jq -nc 'try inputs catch \"caught\"'", "1\n2\n\"caught\"\n", 0),
            ("echo '1 2 ] 3' | jq -sc .", "", 2),
            ("jq . .", "", 2),
            ("jq '.a[' a.json", "", 3),
            ("jq --foo . a.json", "", 2),
            ("jq -nz . a.json", "", 2),
            ("jq -n . > /dev/full", "", 2),
        ],
    );
}

/// Only standard error differs between the two names.
#[test]
fn messages() {
    let place = place();
    for (line, expected) in [
        (
            "printf '1\\n2\\n3' | ./jq .a",
            "jq: error (at <stdin>:1): Cannot index number with string (\"a\")\njq: error (at <stdin>:2): Cannot index number with string (\"a\")\njq: error (at <stdin>:2): Cannot index number with string (\"a\")\n",
        ),
        (
            "./jq .a nums",
            "jq: error (at nums:1): Cannot index number with string (\"a\")\njq: error (at nums:2): Cannot index number with string (\"a\")\njq: error (at nums:4): Cannot index number with string (\"a\")\n",
        ),
        (
            "$FJSON jq .a nums 2>&1 >/dev/null | head -n 1 >&2",
            "fjson: error (at nums:1): Cannot index number with string (\"a\")\n",
        ),
        ("./jq -n '\"x\" | error'", "jq: error (at <unknown>): x\n"),
        ("./jq -n '{a: 1} | error'", "jq: error (at <unknown>) (not a string): {\"a\":1}\n"),
        ("./jq -n 'null | error'", "jq: error (at <unknown>) (not a string): null\n"),
        ("./jq -n '\"a\\nb\\u001b\" | error'", "jq: error (at <unknown>): a\nb<U+001B>\n"),
        ("./jq -s error nums", "jq: error (at nums:4) (not a string): [1,2,3]\n"),
        ("./jq -n '1 | debug, stderr | empty'", "[\"DEBUG:\",1]\n1"),
        ("./jq -nS '{b: 1, a: \"é\"} | debug | empty' -a", "[\"DEBUG:\",{\"a\":\"\\u00e9\",\"b\":1}]\n"),
        ("./jq -n '\"x\\n\" | stderr | empty'", "x\n"),
        ("./jq -n '\"bye\\n\" | halt_error'", "bye\n"),
        ("./jq -n '[1] | halt_error'", "[1]\n"),
        ("./jq -n 'null | halt_error'", ""),
        (
            "./jq -n '.[' ",
            "jq: error: syntax error, unexpected end of file at <top-level>, line 1, column 2:\n    .[\n     ^\n    help: the `[` in line 1, column 2 needs a closing `]`\njq: 1 compile error\n",
        ),
        (
            "./jq . .",
            ".: error: is a directory; name its files, or use `find`: find DIR -name '*.json' -exec fjson jq FILTER {} +\n",
        ),
        (
            "./jq --raw-outptu .",
            "jq: error: unknown option --raw-outptu; did you mean --raw-output?\n`jq --help` explains all options\n",
        ),
        (
            "./jq --argsjson a 1 .",
            "jq: error: unknown option --argsjson; did you mean --argjson?\n`jq --help` explains all options\n",
        ),
        (
            "./jq --slurp-file a f .",
            "jq: error: unknown option --slurp-file; did you mean --slurpfile?\n`jq --help` explains all options\n",
        ),
        (
            "./jq --argfile a f .",
            "jq: error: unknown option --argfile; --slurpfile NAME FILE has the documents of the file in an array\n`jq --help` explains all options\n",
        ),
        ("./jq --seq=1 .", "jq: error: --seq takes no value\n`jq --help` explains all options\n"),
        (
            "./jq --arg=x 1 .",
            "jq: error: NAME and VALUE follow --arg as arguments of their own, without `=`\n`jq --help` explains all options\n",
        ),
        (
            "./jq --rawoutput .",
            "jq: error: unknown option --rawoutput; did you mean --raw-output?\n`jq --help` explains all options\n",
        ),
        ("$FJSON jq -nz", "fjson: error: unknown option -z\n`fjson jq --help` explains all options\n"),
        ("./jq --arg a", "jq: error: --arg needs NAME and VALUE\n`jq --help` explains all options\n"),
        (
            "JQ_COLORS=red ./jq -nC 1",
            "jq: warning: JQ_COLORS is ignored, because it has other characters than digits, ; and :\n",
        ),
    ] {
        let output = place.shell(line).output();
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected, "{line}");
    }
}

/// The words are those of jq.
#[test]
fn invalid_regular_expressions() {
    let place = place();
    for (pattern, message) in [
        ("[", "premature end of char-class"),
        ("[]", "empty char-class"),
        ("[^]a", "empty char-class"),
        ("[[:foo:]]", "invalid POSIX bracket type"),
        ("(?P<a>b)", "undefined group option"),
        ("(?<1>b)", "invalid group name <1>"),
        ("a)", "unmatched close parenthesis"),
        ("(a", "end pattern with unmatched parenthesis"),
        ("*", "target of repeat operator is not specified"),
    ] {
        let line = format!("./jq -nr '\"x\" | try test(\"{pattern}\") catch .'");
        assert_eq!(place.shell(&line).stdout(), format!("Regex failure: {message}\n"), "{pattern}");
    }
}

#[test]
fn an_invalid_document_is_reported_after_the_outputs_before_it() {
    let place = place();
    let output = place.shell("printf '{\"a\": 1}\\n{\"a\": }\\n{\"a\": 3}\\n' | ./jq .a 2>&1").output();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("1\n<stdin>:2:7: error: found `}`"), "{text}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn colors() {
    check(
        &place(),
        &[
            ("jq -nC null", "\u{1b}[0;90mnull\u{1b}[0m\n", 0),
            ("jq -nCM null", "null\n", 0),
            ("JQ_COLORS='4;31' jq -nC null", "\u{1b}[4;31mnull\u{1b}[0m\n", 0),
            ("NO_COLOR=1 jq -nC null", "\u{1b}[0;90mnull\u{1b}[0m\n", 0),
            ("jq -nrC '\"a\"'", "a\n", 0),
            ("jq -nC nan", "\u{1b}[0;39m\u{1b}[0;90mnull\u{1b}[0m\u{1b}[0m\n", 0),
            (
                "jq -ncC '[{a: 1}]'",
                "\u{1b}[1;39m[\u{1b}[0m\u{1b}[1;39m{\u{1b}[0m\u{1b}[1;34m\"a\"\u{1b}[0m\u{1b}[1;39m:\u{1b}[0m\u{1b}[0;39m1\u{1b}[0m\u{1b}[1;39m}\u{1b}[0m\u{1b}[1;39m]\u{1b}[0m\n",
                0,
            ),
        ],
    );
}

#[test]
fn what_is_printed_instead_of_running_a_program() {
    let place = place();
    assert_eq!(place.shell("./jq --version").stdout(), format!("jq-1.8 (fjson {})\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(place.shell("./jq -V . x").stdout(), place.shell("./jq --version").stdout());
    assert!(place.fjson("jq --version").stdout().starts_with("fjson "));
    assert!(place.shell("./jq --build-configuration").stdout().starts_with("fjson "));
    for help in ["./jq -h", "./jq --help", "./jq -nh"] {
        let text = place.shell(help).stdout();
        assert!(text.contains("Usage: jq [OPTIONS]") && !text.contains("fjson jq"), "{text}");
    }
    // A program is needed only if both ends are terminals.
    assert_eq!(place.shell("echo 1 | ./jq").stdout(), "1\n");
}
