//! Programs that jq's own tests leave out; the outputs are those of jq 1.8.2.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use fjson_jq::Filter;
use fjson_jq::value::Value;

#[test]
fn outputs_of_programs() {
    for (program, input, expected) in [
        // What is removed makes no containers.
        ("(.a.b) |= empty", "{}", "{}"),
        ("(.a.b.c) |= empty", r#"{"a":{}}"#, r#"{"a":{}}"#),
        // `?` leaves what has no elements or members as it is, and only that.
        (".[]? |= . + 1", "[1,2]", "[2,3]"),
        (".[0].a? |= 1", "[[1]]", "[[1]]"),
        // It does not hide that a value is on no path.
        ("try path(1 | .[0]?) catch .", "[[1]]", r#""Invalid path expression near attempt to access element 0 of 1""#),
        ("del(., .a)", r#"{"a":1}"#, "null"),
        // `break` ends the label that it names, also from inside another one.
        ("[label $a | (label $b | 1, break $a, 2), 3]", "null", "[1]"),
        // Without the dollar sign, a parameter is called: it gets the input there, and may have any number of outputs.
        ("def f($k): .inner | k; f(.key)", r#"{"key":"outer","inner":{"key":"in"}}"#, r#""in""#),
        ("[def f($a): [a]; f(1, 2)]", "null", "[[1,2],[1,2]]"),
        ("def f($a; b): a = $a + b; f(.b; 4)", r#"{"b":1}"#, r#"{"b":5}"#),
        ("def f($a): if . > 0 then . - 1 | f($a + a) else $a end; f(1)", "2", "4"),
        ("[def f($a; $b): def g: [$a, b]; g, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, a; f(.[]; 0)]
            | map(select(type == \"array\"))", "[5]", "[[5,0]]"),
        // A key may be a string in a format.
        (r#"[.a.@json "b", (. as {@text "a": {b: $x}} | $x)]"#, r#"{"a":{"b":1}}"#, "[1,1]"),
        // The beginning of a slice is evaluated first.
        (r#"try .[error("a"):empty] catch ."#, "[]", r#""a""#),
        (r#"[.[empty:error("a")]]"#, "[]", "[]"),
        ("[[skip(1.5; 1, 2, 3)], [nth(0.5; 1, 2)]]", "null", "[[2,3],[1]]"),
        ("combinations(empty)", "[1]", "[]"),
        // Groups that are repeated no times are there, and without a match.
        (r#"[match("(a){0}(?<x>b)").captures[] | .name, .string]"#, r#""aab""#, r#"[null,null,"x","b"]"#),
        (r#"sub("b(?<n>a){0}"; "x")"#, r#""ab""#, r#""ax""#),
        (r#"[match("(?:(a){0,0}b){2}(c)").captures[].string]"#, r#""bbc""#, r#"[null,"c"]"#),
        // What has a quantifier may have another one.
        (r#"[match("a?{2}b"; "g").string]"#, r#""a{2}b aab""#, r#"["b","aab"]"#),
        (r#"[match("a+ ?"; "gx", "gi").string, match("a+(?#c)?"; "g").string]"#, r#""aaa""#, r#"["aaa","","aaa","aaa",""]"#),
        (r#"[match("a**"; "g").string]"#, r#""aa""#, r#"["aa",""]"#),
        // Named classes have the case of their name.
        (r#"[match("\\p{Upper}", "\\p{^Upper}", "(?i)\\P{Lu}"; "gi").string]"#, r#""Aa""#, r#"["A","a","a"]"#),
        (r#"[match("\\N"; "gp").string]"#, r#""a\nb""#, r#"["a","b"]"#),
        // Keys of a pattern that a program computes are those of any value.
        ("[.[1] as $key | .[0] as {($key): $at} | $at]", "[[5,0,7],-1]", "[7]"),
        ("[.[1] as $key | .[0] as {($key): $at} | $at]", "[[5,0,7],[7]]", "[[2]]"),
        ("try (. as {(1, 2 | . + 1): $at} | $at) catch .", "{}", r#""Cannot index object with number (2)""#),
        // null is on the path where it was found.
        ("[path(.a | null)]", r#"{"a":null}"#, r#"[["a"]]"#),
        ("try path(.a | null) catch .", r#"{"a":1}"#, r#""Invalid path expression with result null""#),
        ("try path(.a | 1) catch .", r#"{"a":null}"#, r#""Invalid path expression with result 1""#),
        ("[group_by(.k), unique_by(.k), (map(.k) | group_by(.))]", r#"[{"k":"b"},{"k":"a"}]"#,
            r#"[[[{"k":"a"}],[{"k":"b"}]],[{"k":"a"},{"k":"b"}],[["a"],["b"]]]"#),
        // A slice that is deleted may begin with the array, or end with it.
        ("[del(.[:1]), del(.[1:]), del(.[:1], .[2])]", "[1,2,3]", "[[2,3],[1],[2]]"),
        // `true` and `false` are of different types.
        ("[true, false | try contains(true) catch .]", "null",
            r#"[true,"boolean (false) and boolean (true) cannot have their containment checked"]"#),
        // Numbers with an exponent are written in one way.
        (".", "[1E5,1e5,1.50]", "[1E+5,1E+5,1.50]"),
        // A day of the week that is in the text stays, even if the date has another one.
        (r#"strptime("%a %Y-%m-%d")"#, r#""Mon 2015-03-05""#, "[2015,2,5,0,0,0,1,63]"),
        (r#"strptime("%u %Y-%m-%d")"#, r#""7 2015-03-05""#, "[2015,2,5,0,0,0,0,63]"),
        (r#"strptime("%w %Y-%m-%d")"#, r#""6 2015-03-05""#, "[2015,2,5,0,0,0,6,63]"),
        (r#"strptime("%Y-%m-%dT%H:%M%z") | mktime"#, r#""2015-03-05T12:00   +0100""#, "1425556800"),
        (r#"try strptime("%H:%M") catch ."#, r#"":30""#, r#""date \":30\" does not match format \"%H:%M\"""#),
        (r#"strptime("%Y %j %d")"#, r#""2024 60 1""#, "[2024,1,1,0,0,0,4,59]"),
        (r#"strptime("%Y %j %m")"#, r#""2024 60 3""#, "[2024,2,29,0,0,0,5,59]"),
        (r#"strptime("%C%y")"#, r#""1924""#, "[1924,0,0,0,0,0,1,-1]"),
        ("try to_entries catch .", "null", r#""null (null) has no keys""#),
        // NaN is less than NaN, except where values are sorted.
        ("sort_by(.[0]) | map(.[1])", "[[nan,1],[nan,2],[nan,3]]", "[1,2,3]"),
    ] {
        let mut found = Vec::new();
        let end = Filter::new(program).expect(program).run(Value::from_json(input).expect(input), &mut |output| {
            found.push(output.to_string());
            ControlFlow::Continue(())
        });
        assert!(end.is_ok() && found == [expected], "{program}: {found:?}, {:?}", end.err());
    }
}
