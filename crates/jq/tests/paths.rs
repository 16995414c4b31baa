//! Paths and updates that jq's own tests leave out; the outputs are those of jq 1.8.2.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use fjson_jq::Filter;
use fjson_jq::value::Value;

#[test]
fn paths_and_updates() {
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
