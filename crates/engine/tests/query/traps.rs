//! Pitfalls of other implementations, one test for each.

use std::ops::ControlFlow;

use fjson::Error;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Order;
use fjson::Query;
use fjson::Search;

/// The matches with their original text.
fn texts(expression: &str, text: &str) -> Vec<String> {
    let query = Query::new(expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
    let texts = query.find_all(text, &Options::new()).expect("it is valid");
    texts.into_iter().map(|text| String::from_utf8(text).expect("UTF-8")).collect()
}

fn paths(expression: &str, text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let query = Query::new(expression).expect("a query");
    let done = query.each(text, &Options::new(), &mut |matched| {
        paths.push(matched.path().expect("paths are wanted"));
        ControlFlow::Continue(())
    });
    done.expect("it is valid");
    paths
}

fn count(expression: &str, text: &str) -> u64 {
    let query = Query::new(expression).expect("a query");
    query.count(text, &Options::new()).expect("it is valid")
}

#[test]
fn the_order_of_descendants_is_not_that_of_the_document() {
    assert_eq!(texts("$..a", r#"{"x":{"a":1},"a":2}"#), ["2", "1"]);
    assert_eq!(texts("$..[1]", "[[5,6],[7,8]]"), ["[7,8]", "6", "8"]);
    assert_eq!(texts("$[::-1]", "[1,2,3]"), ["3", "2", "1"]);
    assert_eq!(texts("$['b','a']", r#"{"a":1,"b":2}"#), ["2", "1"]);
}

#[test]
fn duplicates_are_kept() {
    assert_eq!(texts("$..a..a", r#"{"a":{"a":{"a":42}}}"#), ["{\"a\":42}", "42", "42"]);
    assert_eq!(texts("$[0,0]", "[7]"), ["7", "7"]);
}

/// Also in a filter on so many levels that the document gets an index.
#[test]
fn a_name_selects_the_first_of_duplicate_keys() {
    const LEVELS: usize = 400;
    assert_eq!(texts("$.a", r#"{"a":1,"a":2}"#), ["1"]);
    let text = format!("{}{}{}", "[".repeat(LEVELS), r#"{"x":{"a":1,"a":2}}"#, "]".repeat(LEVELS));
    assert_eq!(count("$..[?count(@..x.a) == 1]", &text), LEVELS as u64);
}

#[test]
fn many_runs_are_counted_and_not_listed() {
    let text = format!("{}1{}", "[".repeat(400), "]".repeat(400));
    // Each way to choose five of the levels, in order, for the five segments.
    let ways = (396..=400_u64).product::<u64>() / 120;
    assert_eq!(count("$..*..*..*..*..*", &text), ways);
}

#[test]
fn normalized_paths_escape_only_what_they_must() {
    assert_eq!(paths("$.*", r#"{"\"/\u00e9\u0001\n\\'":1}"#), [r#"$['"/é\u0001\n\\\'']"#]);
    assert_eq!(paths("$[-1]", "[1,2]"), ["$[1]"]);
}

#[test]
fn names_are_compared_by_what_they_say() {
    assert_eq!(texts("$.a", r#"{"\u0061":1}"#), ["1"]);
    assert_eq!(texts(r#"$["\u0061"]"#, r#"{"a":1}"#), ["1"]);
    assert_eq!(texts(r#"$["\n"]"#, r#"{"\n":1,"\\n":2}"#), ["1"]);
    assert_eq!(texts(r#"$["\\n"]"#, r#"{"\n":1,"\\n":2}"#), ["2"]);
    // No normalization: one character and two that look the same differ.
    assert_eq!(texts("$['e\u{301}']", "{\"\u{e9}\":1}"), [""; 0]);
    assert_eq!(texts(r"$['\ud83d\ude00']", "{\"\u{1f600}\":1}"), ["1"]);
}

#[test]
fn what_looks_like_a_member_inside_of_a_string_is_none() {
    let text = r#"{"x":"\"a\":1","abc\"a":2,"y":["a"],"z":{"a" :3}}"#;
    assert_eq!(texts("$..a", text), ["3"]);
}

#[test]
fn integers_beyond_those_of_i_json_are_no_query() {
    for expression in ["$[9007199254740992]", "$[-9007199254740992]", "$[:9007199254740992]", "$[-0]", "$[01]"] {
        assert!(Query::new(expression).is_err(), "{expression}");
    }
    assert_eq!(texts("$[9007199254740991]", "[1]"), [""; 0]);
}

#[test]
fn slices_follow_the_sign_of_their_step() {
    let text = "[0,1,2,3,4]";
    assert_eq!(texts("$[1:3]", text), ["1", "2"]);
    assert_eq!(texts("$[3:1:-1]", text), ["3", "2"]);
    assert_eq!(texts("$[::-2]", text), ["4", "2", "0"]);
    assert_eq!(texts("$[::0]", text), [""; 0]);
    assert_eq!(texts("$[-100:2]", text), ["0", "1"]);
    assert_eq!(texts("$[-2:]", text), ["3", "4"]);
}

#[test]
fn nothing_equals_nothing_and_is_less_than_nothing() {
    let text = r#"[{"a":1},{"b":null}]"#;
    assert_eq!(texts("$[?@.x==@.y]", text), [r#"{"a":1}"#, r#"{"b":null}"#]);
    assert_eq!(texts("$[?@.x<=@.y]", text), [r#"{"a":1}"#, r#"{"b":null}"#]);
    assert_eq!(texts("$[?@.x<@.y]", text), [""; 0]);
    assert_eq!(texts("$[?@.b==null]", text), [r#"{"b":null}"#]);
    assert_eq!(texts("$[?@.a<true]", text), [""; 0]);
    assert_eq!(texts("$[?true<=true]", "[1]"), ["1"]);
    assert_eq!(texts("$[?@<@]", "[[1],{},true,null]"), [""; 0]);
}

#[test]
fn numbers_are_compared_by_value_and_not_as_doubles() {
    let text = "[1,1.0,1e0,10e-1,9007199254740993,9007199254740992,0,-0,0.1,1e400,1e401]";
    assert_eq!(texts("$[?@==1]", text), ["1", "1.0", "1e0", "10e-1"]);
    assert_eq!(texts("$[?@==9007199254740993]", text), ["9007199254740993"]);
    assert_eq!(texts("$[?@==-0]", text), ["0", "-0"]);
    assert_eq!(texts("$[?@>1e400]", text), ["1e401"]);
    assert_eq!(texts("$[?@==0.1000000000000000055511151231257827]", text), [""; 0]);
}

#[test]
fn strings_are_ordered_by_characters_and_not_by_utf_16() {
    assert_eq!(texts(r#"$[?@<"\ud83d\ude00"]"#, "[\"\u{fb33}\"]"), ["\"\u{fb33}\""]);
    assert_eq!(
        texts("$[?length(@)==1]", r#"["\ud83d\ude00","é","\ud800","ab"]"#),
        [r#""\ud83d\ude00""#, "\"é\"", r#""\ud800""#]
    );
}

#[test]
fn types_are_checked_before_any_document() {
    for expression in [
        "$[?length(@.*)>1]",
        "$[?count(1)>1]",
        "$[?match(@.a,'a')==true]",
        "$[?value(@..a)]",
        "$[?length(@.a)]",
        "$[?count(@.a)]",
        "$[?@.*==1]",
        "$[?!@.a==1]",
        "$[?(@.a)==1]",
        "$[?@.a===1]",
        "$[?length (@)>1]",
        " $",
        "$ ",
    ] {
        assert!(Query::new(expression).is_err(), "{expression}");
    }
}

#[test]
fn a_pattern_that_is_no_i_regexp_is_refused_or_matches_nothing() {
    let error = Query::new(r"$[?match(@,'\\d')]").expect_err("it is not an I-Regexp");
    assert_eq!(error.to_string(), r"I-Regexp (RFC 9485) has no escape `\d`");
    assert_eq!(texts("$[?match(@[0],@[1])]", r#"[["1","\\d"]]"#), [""; 0]);
    assert_eq!(texts("$.t[?match(@,$.p)]", r#"{"t":["a","*"],"p":"*"}"#), [""; 0]);
    assert_eq!(texts("$[?match(@,'a.b')]", "[\"a\u{2028}b\",\"a\\nb\",\"xa b\"]"), ["\"a\u{2028}b\""]);
}

#[test]
fn each_pattern_from_the_document_is_used_where_it_is() {
    let text = r#"[{"s":"a","p":"a"},{"s":"a","p":"b"},{"s":"b","p":"b"},{"s":"b","p":"[ab]"},{"s":"c","p":"[ab]"},{"s":"c","p":"("}]"#;
    assert_eq!(texts("$[?match(@.s, @.p)].p", text), [r#""a""#, r#""b""#, r#""[ab]""#]);
    assert_eq!(texts("$[?!search(@.s, @.p)].p", text), [r#""b""#, r#""[ab]""#, r#""(""#]);
}

#[test]
fn a_pattern_from_the_document_that_is_too_large_is_an_error() {
    let query = Query::new("$.t[?match(@,$.p)]").expect("a query");
    let text = r#"{"t":["a"],"p":"(\\p{L}{1000}){1000}"}"#;
    let error = query.find_all(text, &Options::new()).expect_err("it would take too much memory");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::PatternLimit, 16));
}

#[test]
fn the_document_is_there_inside_of_a_filter() {
    // Even text after the element.
    assert_eq!(
        texts("$.list[?@.id==$.wanted].v", r#"{"list":[{"id":1,"v":"x"},{"id":2,"v":"y"}],"wanted":2}"#),
        ["\"y\""]
    );
}

#[test]
fn of_members_with_one_name_a_child_segment_takes_the_first() {
    let text = r#"{"a":1,"a":{"b":2,"b":3}}"#;
    assert_eq!(texts("$.a", text), ["1"]);
    assert_eq!(texts("/a", text), ["1"]);
    assert_eq!(texts("$..a", text), ["1", r#"{"b":2,"b":3}"#]);
    assert_eq!(texts("$.*", text), ["1", r#"{"b":2,"b":3}"#]);
    assert_eq!(texts("$.*.b", text), ["2"]);
    assert_eq!(texts("$[?length(@)==2]", text), [r#"{"b":2,"b":3}"#]);
    assert_eq!(texts("$[?@.b==2]", text), [r#"{"b":2,"b":3}"#]);
}

#[test]
fn a_lone_surrogate_is_nothing_a_query_can_name() {
    let text = r#"{"\ud800":1,"\ufffd":2,"a":"\udc00"}"#;
    assert_eq!(texts("$['\u{fffd}']", text), ["2"]);
    assert_eq!(paths("$.*", text), [r"$['\ud800']", "$['\u{fffd}']", "$['a']"]);
    assert_eq!(texts("$[?match(@,'.')]", text), [""; 0]);
    let mut pointers = Vec::new();
    let query = Query::new("$.*").expect("a query");
    let done = query.each(text, &Options::new(), &mut |matched| {
        pointers.push(matched.pointer());
        ControlFlow::Continue(())
    });
    done.expect("it is valid");
    assert_eq!(pointers, [None, Some("/\u{fffd}".to_owned()), Some("/a".to_owned())]);
}

#[test]
fn pointers_take_members_and_elements() {
    let text = r#"{"a":[10,{"0":1}],"a/b":2,"m~n":3,"":4," ":5,"01":6,"-":7}"#;
    for (pointer, found) in [
        ("", &[text][..]),
        ("/a/0", &["10"]),
        ("/a/1/0", &["1"]),
        ("/a~1b", &["2"]),
        ("/m~0n", &["3"]),
        ("/", &["4"]),
        ("/ ", &["5"]),
        ("/01", &["6"]),
        ("/-", &["7"]),
        ("/a/-", &[]),
        ("/a/01", &[]),
        ("/a/2", &[]),
        ("/x", &[]),
        ("/a/0/0", &[]),
        ("/a~01b", &[]),
    ] {
        assert_eq!(texts(pointer, text), found, "{pointer}");
    }
}

/// The events of a search.
#[derive(Default)]
struct Heard {
    matches: Vec<(Option<u64>, Vec<u8>)>,
    /// The index of the query that matched, and the path.
    places: Vec<(usize, u64)>,
    errors: Vec<(Option<u64>, ErrorKind)>,
    most: Option<usize>,
}

impl MatchHandler for Heard {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.matches.push((matched.record(), matched.text().to_vec()));
        self.places.push((matched.query(), matched.range().start));
        if Some(self.matches.len()) == self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.errors.push((error.record(), error.kind()));
        ControlFlow::Continue(())
    }
}

#[test]
fn invalid_records_have_no_matches_and_the_others_do() {
    let queries = [Query::new("$.a").expect("a query")];
    let text = "{\"a\":1}\n{\"a\":2 garbage\n\n{\"a\":3}\n{\"b\":4}\n";
    let mut heard = Heard::default();
    let options = Options::new().framing(Framing::Lines);
    let summary = Search::new(&queries).run(text, &options, &mut heard).expect("it can be read");
    assert_eq!(heard.matches, [(Some(1), b"1".to_vec()), (Some(3), b"3".to_vec())]);
    assert_eq!(heard.errors, [(Some(2), ErrorKind::ExpectedCommaOrClose)]);
    assert_eq!((summary.documents, summary.invalid), (4, 1));
    for (framing, text) in [
        (Framing::Stream, "{\"a\":1}{\"a\":2}"),
        (Framing::Documents, "{\"a\":1}{\"a\":2}"),
        (Framing::Sequence, "\u{1e}{\"a\":1}\n\u{1e}{\"a\":2}\n"),
    ] {
        let mut heard = Heard::default();
        Search::new(&queries).run(text, &Options::new().framing(framing), &mut heard).expect("it can be read");
        assert_eq!(heard.matches, [(Some(1), b"1".to_vec()), (Some(2), b"2".to_vec())]);
    }
}

#[test]
fn a_malformed_document_has_no_matches() {
    for text in
        [r#"{"a":1 garbage "a":2}"#, r#"{"a":1}x"#, r#"{"a":1,"b":[}"#, "{\"a\":1,\"b\":\"\u{1}\"}", r#"{"a":1"#]
    {
        let mut heard = Heard::default();
        let queries = [Query::new("$.a").expect("a query")];
        Search::new(&queries).run(text, &Options::new(), &mut heard).expect("it can be read");
        assert_eq!((heard.matches.len(), heard.errors.len()), (0, 1), "{text}");
        assert!(
            queries[0].find_all(text, &Options::new()).is_err() && queries[0].count(text, &Options::new()).is_err()
        );
    }
}

#[test]
fn a_handler_can_end_the_search() {
    let queries = [Query::new("$.a").expect("a query")];
    let mut heard = Heard { most: Some(2), ..Heard::default() };
    let options = Options::new().framing(Framing::Lines);
    let text = "{\"a\":1}\n".repeat(1000) + "[";
    let summary = Search::new(&queries).run(&*text, &options, &mut heard).expect("it can be read");
    assert_eq!((heard.matches.len(), heard.errors.len(), summary.documents), (2, 0, 2));
}

#[test]
fn several_queries_are_answered_at_once() {
    let queries = ["$.b", "/a", "$..c"].map(|expression| Query::new(expression).expect("a query"));
    let mut heard = Heard::default();
    let text = r#"{"a":1,"b":{"c":2}}"#;
    Search::new(&queries).run(text, &Options::new(), &mut heard).expect("it is valid");
    assert_eq!(heard.places, [(0, 11), (1, 5), (2, 16)]);
}

#[test]
fn depth_is_no_danger() {
    let depth = 200_000;
    let text = format!("{}1{}", "{\"a\":[".repeat(depth), "]}".repeat(depth));
    assert_eq!(count("$..a", &text), depth as u64);
    let queries = [Query::new("$..a").expect("a query")];
    for order in [Order::Rfc, Order::Document] {
        let mut heard = Heard { most: Some(10), ..Heard::default() };
        Search::new(&queries).order(order).run(&*text, &Options::new(), &mut heard).expect("it is valid");
        assert_eq!(heard.matches.len(), 10);
    }
}

/// The value that is found first may end last. Nothing that a match in it needs may be dropped from a stream meanwhile.
#[test]
fn a_match_in_an_outer_value_may_come_later() {
    let long = "x".repeat(300_000);
    let text = format!(r#"{{"a":[{{"a":[1,2]}},"{long}",7],"pad":[{}1]}}"#, "1,".repeat(500_000));
    let query = Query::new("$..a[-1]").expect("a query");
    for input in [Input::from(&text), Input::from_reader(text.as_bytes())] {
        let found = query.find_all(input, &Options::new()).expect("it is valid");
        assert_eq!(found, [b"7", b"2"]);
    }
}

/// Records that a search passes to its handler, with their numbers.
#[derive(Default)]
struct Found(Vec<(String, Option<u64>)>);

impl MatchHandler for Found {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.0.push((String::from_utf8_lossy(matched.text()).into_owned(), matched.record()));
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, _: Error) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn the_summary_counts_invalid_records_before_the_last_match() {
    for expression in ["$.a", "$['a','b']", "$[?@>0]"] {
        let queries = [Query::new(expression).expect("a query")];
        let options = Options::new().framing(Framing::Lines);
        let text = "[1,]\n{\"a\":1}\n{\"a\":2}\n";
        let summary = Search::new(&queries).limit(1).run(text, &options, &mut Found::default()).expect("readable");
        assert_eq!((summary.documents, summary.invalid), (2, 1), "{expression}");
    }
}

/// What is trusted may have numbers without whitespace after them. No separator hides behind one.
#[test]
fn trusted_records_end_at_their_separators() {
    let text = "\x1e12\x1e[1]\n\x1etrue\x1e[2]\n\x1e3\n";
    let queries = [Query::new("$[0]").expect("a query")];
    let options = Options::new().framing(Framing::Sequence);
    for input in [Input::from(text), Input::from_reader(text.as_bytes())] {
        let mut found = Found::default();
        Search::new(&queries).trust().without_paths().run(input, &options, &mut found).expect("readable");
        assert_eq!(found.0, [("1".to_owned(), Some(2)), ("2".to_owned(), Some(4))]);
    }
}

/// A test of the root alone is evaluated once, and not for each of 20,000 elements, which would take minutes.
#[test]
fn tests_of_the_root_are_evaluated_once() {
    let (long, other) = ("y\\n".repeat(100_000), "y\\u000a".repeat(100_000));
    let text = format!(r#"{{"s":"{long}","t":"{other}","items":[{}1]}}"#, "1,".repeat(20_000));
    for (condition, count) in
        [("search($.s,'z')", 0), ("$.s==$.t", 20_001), ("$.s!=$.t || @==1 && search($.t,'y')", 20_001)]
    {
        assert_eq!(self::count(&format!("$.items[?{condition}]"), &text), count, "{condition}");
    }
}
