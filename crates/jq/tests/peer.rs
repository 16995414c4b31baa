//! Compares functions, operators and numbers with a real jq 1.8, if there is one.
//!
//! The environment variable `FJSON_JQ` names the program. Each case applies an expression to all values, or all pairs of values, of a
//! list, so that few runs make many comparisons. Left out is what differs on purpose: after an empty match jq goes on at the next
//! byte, so it finds some twice before a character that is not ASCII.

use std::io::Write;
use std::process::Command;
use std::process::Stdio;

use fjson_jq::Filter;

/// Values of all types, and those that functions treat specially.
const VALUES: &str = r#"[null, true, false, 0, -0, 1, -1, 1.0, 1.5, -1.5, 2, 3, 10, 0.1, 1e3, 123456789012345678901234567890, 1e-7,
    0.00001, 65, "", "a", "abc", "abcabc", "b", " a b ", "é😀", "1", "1.50", " 1", "0x1", "-1e5", ".5", "true", "[1,2",
    "{\"a\":1}", "%41%zz", "%C3%A9 +", "aGk=", "a\tb\n\\\"\u007f<&>'", "a,b, c", "ABCxyz", [], [1], [1, 2, 1], [[1, 2], [3]],
    ["a", "b"], [null, 1, "x", true], [3, 1, 2], [{"a": 1}, {"a": 2, "b": 3}], [1, [2, [3, [4]]]], ["a", 1, null], [65, 66],
    [0, 1], [1, 0.5], {}, {"a": 1}, {"b": 2, "a": 1}, {"a": {"b": [1, 2]}}, {"a": null}, {"key": "k", "value": 1},
    [{"key": "k", "value": 1}, {"name": "n", "Value": false}, {"Key": "K"}], {"start": 1, "end": 2}, [[0], ["a"]],
    "a rather long string that is cut in messages", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]]"#;

/// Expressions of one value.
const UNARY: &[&str] = &[
    ".",
    "-.",
    "abs",
    "ascii_downcase",
    "ascii_upcase",
    "explode",
    "fabs",
    "floor",
    "ceil",
    "round",
    "rint",
    "trunc",
    "flatten",
    "from_entries",
    "fromjson",
    "implode",
    "isinfinite",
    "isnan",
    "isnormal",
    "keys",
    "keys_unsorted",
    "length",
    "ltrim",
    "rtrim",
    "trim",
    "max",
    "min",
    "reverse",
    "sort",
    "to_entries",
    "toboolean",
    "tojson",
    "tonumber",
    "tostring",
    "transpose",
    "type",
    "unique",
    "utf8bytelength",
    "@text",
    "@json",
    "@csv",
    "@tsv",
    "@html",
    "@uri",
    "@urid",
    "@sh",
    "@base64",
    "add",
    "any",
    "all",
    "not",
    "logb",
    "significand",
    "frexp",
    "modf",
    "sqrt",
    "sort_by(.)",
    "group_by(type)",
    "unique_by(length?)",
    "min_by(.[0]?)",
    "max_by(.a?)",
    "[.. | type]",
    "[paths]",
    "[tostream]",
    "map_values(.)",
    "with_entries(.)",
    "[splits(\"b\")]",
    "[match(\"(?<x>[a-z])(é)?\"; \"g\")]",
    "gsub(\"b\\\\b\"; \"|\")",
    "sub(\"a$\"; \"z\")",
    "test(\"^A\"; \"ix\")",
];

/// Expressions of two values, `$a` and `$b`.
const BINARY: &[&str] = &[
    "$a + $b",
    "$a - $b",
    "$a / $b",
    "$a % $b",
    "$a == $b",
    "$a < $b",
    "$a <= $b",
    "$a | bsearch($b)",
    "$a | contains($b)",
    "$a | endswith($b)",
    "$a | startswith($b)",
    "$a | has($b)",
    "$a | indices($b)",
    "$a | index($b)",
    "$a | rindex($b)",
    "$a | join($b)",
    "$a | flatten($b)",
    "$a | ltrimstr($b)",
    "$a | rtrimstr($b)",
    "$a | trimstr($b)",
    "$a | split($b)",
    "$a | format($b)",
    "$a | .[$b]",
    "$a | .[$b:]",
    "$a | .[:$b]",
    "$a | setpath([$b]; 9)",
    "$a | delpaths([[$b]])",
    "$a | del(.[$b:])",
    "$a | .[$b:] = [\"z\"]",
    "$a | .[$b] |= 7",
];

/// Expressions of no value.
const CONSTANT: &[&str] = &[
    "[1, 2] as [$a, $a] | $a",
    "[1, [2, 3]] as [$a, [$a, $a]] | $a",
    "{a: 1, b: [5, 6]} as {a: $x, b: [$x, $x]} | $x",
    "[{a: 1, b: 2}, 3] as [{a: $x, b: $x}, $x] | $x",
    "[3, {a: 1, b: 2}] as [$x, {a: $x, b: $x}] | $x",
    "{a: [1, 2], b: 3} as {a: [$x, $x], b: $x} | $x",
    "{a: {b: 1, c: 2}} as {$a: {b: $a, c: $a}} | $a",
    "{a: 1, b: 2} as {$a, b: $a} | $a",
    "[[1, 2], [3, 4]] | [.[] as [$a, $a] ?// $a | $a]",
    "reduce ([1, 2], [3, 4]) as [$x, $x] (0; . + $x)",
    "[foreach {a: 1, b: [7, 2]} as {a: $x, b: [$y, $x]} (0; . + $x + $y)]",
    "[{a: 1} as {a: $x} ?// [$x, $x] | $x, error(\"no\")]",
    "0 | strftime(\"%\"), strftime(\"a%\")",
    "nan | todate",
    "nan | gmtime",
    "infinite | localtime",
    "\"366 2024\" | strptime(\"%j %Y\") | mktime",
    "253402300799 | strflocaltime(\"%Y\")",
    "1e12 | strflocaltime(\"%Y-%m-%d\")",
    "-1e13 | localtime",
    "\"x\" | test(\"a{2,1}\")",
    "\"x\" | test(\"[b-a]\")",
    "\"x\" | test(\"a)\")",
    "\"x\" | test(\"[[:nope:]]\")",
    "\"x\" | test(\"(?<1>x)\")",
    "\"x\" | test(\"(?P<n>x)\")",
    "\"A\", \"a\" | test(\"(?-i)a\"; \"i\")",
    "\"aA\" | [match(\"(a)\\\\1\"; \"gi\").string]",
    "\"aab\" | gsub(\"a{,2}\"; \"x\")",
    "\"u0041\" | test(\"\\\\u0041\")",
    "\"w-x\" | [match(\"[\\\\w-x]\"; \"g\").string]",
    "\"x-\" | [match(\"[\\\\w-]\"; \"g\").string]",
];

#[test]
fn functions_and_operators_agree_with_jq() {
    let Some(jq) = std::env::var_os("FJSON_JQ") else {
        println!("NOT TESTED: FJSON_JQ does not name a program jq 1.8");
        return;
    };
    let unary = UNARY.iter().map(|expression| (format!(".[] | try [{expression}] catch [\"error\", .]"), *expression));
    let binary = BINARY
        .iter()
        .map(|expression| (format!(".[] as $a | .[] as $b | try [{expression}] catch [\"error\", .]"), *expression));
    let constant = CONSTANT.iter().map(|expression| (format!("try [{expression}] catch [\"error\", .]"), *expression));
    let mut compared = 0;
    for (program, expression) in unary.chain(binary).chain(constant) {
        let filter = Filter::new(&program).unwrap_or_else(|error| panic!("{program}: {error}"));
        let mut outputs = Vec::new();
        let run = filter.machine().run_each(VALUES, &mut |output| outputs.push(output.to_string()));
        run.unwrap_or_else(|error| panic!("{program}: {error}"));
        let expected = run_jq(&jq, &program);
        let expected: Vec<_> = expected.lines().collect();
        for (at, (output, expected)) in outputs.iter().zip(&expected).enumerate() {
            assert_eq!(output, expected, "{expression}, case {at}");
        }
        assert_eq!(outputs.len(), expected.len(), "{expression}");
        compared += outputs.len();
    }
    assert!(compared > 100_000, "{compared}");
}

fn run_jq(jq: &std::ffi::OsStr, program: &str) -> String {
    let mut child = Command::new(jq)
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("jq can be started");
    child.stdin.take().expect("standard input").write_all(VALUES.as_bytes()).expect("jq reads");
    let output = child.wait_with_output().expect("jq ends");
    String::from_utf8(output.stdout).expect("UTF-8")
}
