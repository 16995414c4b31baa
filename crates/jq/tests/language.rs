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
        // The day of the year gives the month or the day that the format leaves out.
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
