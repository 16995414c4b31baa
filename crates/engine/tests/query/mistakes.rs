//! Mistakes that people make in expressions: the expression that is suggested selects what was meant.

use fjson::Condition;
use fjson::Framing;
use fjson::Options;
use fjson::Query;
use std::ops::ControlFlow;

const USERS: &str = r#"{
  "users": [
    {"name": "Ada", "age": 36, "tags": ["x", "y"], "active": true, "ref": null},
    {"name": "Bob", "age": 17, "tags": [], "active": false, "ref": "r"},
    {"name": "Amy", "age": 30, "tags": ["x"]}
  ],
  "my-key": {"@type": 1, "$ref": 2, "a b": 3, "x:y": 4, "0": 5},
  "/users/{id}": {"get": 6}
}"#;

/// Returns the matches of the suggestion for `mistake`, joined by spaces.
fn suggested(mistake: &str) -> String {
    let error = Query::new(mistake).expect_err(mistake);
    let suggestion = error.suggestion().unwrap_or_else(|| panic!("no suggestion for {mistake}"));
    let query = Query::new(suggestion).unwrap_or_else(|error| panic!("{mistake}: {suggestion}: {error}"));
    let found = query.find_all(USERS, &Options::new()).expect("the document is valid");
    String::from_utf8_lossy(&found.join(&b' ')).into()
}

#[test]
fn the_suggestion_selects_what_was_meant() {
    const NAMES: &str = r#""Ada" "Bob" "Amy""#;
    for (mistake, expected) in [
        // Names that need quotes.
        ("$.my-key.@type", "1"),
        ("$.my-key.$ref", "2"),
        ("$.my-key.x:y", "4"),
        ("$..@type", "1"),
        ("$./users/{id}.get", "6"),
        ("$.'my-key'['a b']", "3"),
        ("$['my-key'][@type]", "1"),
        // Forgotten and superfluous characters.
        ("users[0].name", r#""Ada""#),
        ("$users[0].name", r#""Ada""#),
        ("@.users[0].name", r#""Ada""#),
        ("$.users.[0].name", r#""Ada""#),
        ("$.users.0.name", r#""Ada""#),
        ("$.users[0]name", r#""Ada""#),
        ("$.users[0].name ", r#""Ada""#),
        ("$.users[00].name", r#""Ada""#),
        ("$.users[0", r#"{"name": "Ada", "age": 36, "tags": ["x", "y"], "active": true, "ref": null}"#),
        ("'$.users[0].name'", r#""Ada""#),
        ("users/0/name", r#""Ada""#),
        ("#/users/0/name", r#""Ada""#),
        ("$...name", NAMES),
        ("$.users[].name", NAMES),
        ("$.users[(@.length-1)].name", r#""Amy""#),
        (".users[0].name", r#""Ada""#),
        (".users[].name", NAMES),
        (".[\"my-key\"].x:y", "4"),
        // Operators of other languages.
        ("$.users[?@.age = 17].name", r#""Bob""#),
        ("$.users[?@.age === 17].name", r#""Bob""#),
        ("$.users[?@.age !== 17].name", r#""Ada" "Amy""#),
        ("$.users[?@.age <> 17].name", r#""Ada" "Amy""#),
        ("$.users[?@.age => 30].name", r#""Ada" "Amy""#),
        ("$.users[?age > 30].name", r#""Ada""#),
        ("$.users[age > 30].name", r#""Ada""#),
        ("$.users[@.age > 30].name", r#""Ada""#),
        ("$.users[?.age > 30].name", r#""Ada""#),
        ("$.users[?@.name == Bob].name", r#""Bob""#),
        ("$.users[?@.active == True].name", r#""Ada""#),
        ("$.users[?@.ref == None].name", r#""Ada""#),
        ("$.users[?not @.ref].name", r#""Amy""#),
        ("$.users[?@.age > 20 and @.tags[1]].name", r#""Ada""#),
        ("$.users[?(@.age > 20)and(@.tags[1])].name", r#""Ada""#),
        ("$.users[?@.age < 20 or @.tags[1]].name", r#""Ada" "Bob""#),
        ("$.users[?@.age > 20 & @.tags[1]].name", r#""Ada""#),
        ("$.users[?length (@.tags) == 1].name", r#""Amy""#),
    ] {
        assert_eq!(suggested(mistake), expected, "{mistake}");
    }
}

#[test]
fn conditions_are_corrected_too() {
    let records = "{\"level\": \"error\", \"ms\": 7}\n{\"level\": \"info\", \"ms\": 900}\n";
    for (mistake, count) in [
        (".level == 'error'", 1),
        ("level == 'error'", 1),
        ("level = error", 1),
        ("not @.id", 2),
        ("@.level == 'error' and @.ms > 500", 0),
    ] {
        let error = Condition::new(mistake).expect_err(mistake);
        let suggestion = error.suggestion().unwrap_or_else(|| panic!("no suggestion for {mistake}"));
        let condition = Condition::new(suggestion).expect(suggestion);
        let (queries, mut counts) = ([Query::new("$").expect("a query")], [0]);
        let search = fjson::Search::new(&queries).condition(&condition);
        let options = Options::new().framing(Framing::Lines);
        search.count(records, &options, &mut counts, &mut |_| ControlFlow::Break(())).expect("the records are valid");
        assert_eq!(counts, [count], "{mistake}: {suggestion}");
    }
}

#[test]
fn what_cannot_be_said_gets_no_suggestion() {
    for expression in [
        ".a[] | length",
        ".a | .b",
        "map(.a)",
        ".a.b, .c",
        "$.a.length()",
        "{.a[*].b}",
        "$.a[last()]",
        "{a: .b}",
        ".a | tostring",
        "$.a[?lower(@.b) == 'x']",
        "$.a[?@.b + 1 > 2]",
        "$.a[?@.b in [1, 2]]",
        "$.a[?@.b =~ /x/]",
        "$.a[?@.b[*] == 1]",
        "$.a[?!@.b == 1]",
    ] {
        assert_eq!(Query::new(expression).expect_err(expression).suggestion(), None, "{expression}");
    }
    let long = format!(".{}", "a".repeat(2000));
    assert_eq!(Query::new(&long).expect_err("no dollar").suggestion(), None);
}
