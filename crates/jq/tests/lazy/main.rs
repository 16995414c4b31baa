//! A value that is still text and the same value decoded are one value: every program has the same outputs and the same error.

#![forbid(unsafe_code)]

mod cases;
mod jq_tests;

use std::ops::ControlFlow;

use cases::DOCUMENTS;
use cases::PROGRAMS;
use fjson_jq::Directories;
use fjson_jq::Filter;
use fjson_jq::Host;
use fjson_jq::Limits;
use fjson_jq::RunError;
use fjson_jq::value::Batch;
use fjson_jq::value::Error;
use fjson_jq::value::Reader;
use fjson_jq::value::Value;
use fjson_jq::value::memory;
use fjson_jq::write::Colors;
use fjson_jq::write::Indent;
use fjson_jq::write::Style;
use fjson_jq::write::write;
use jq_tests::Case;
use proof::suites;

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below the bound")
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn space(&mut self) -> &'static str {
        if self.below(4) == 0 { self.pick(&[" ", "\n", "  ", "\t"]) } else { "" }
    }

    fn document(&mut self, depth: usize, text: &mut String) {
        text.push_str(self.space());
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 => text.push_str(self.pick(&["null", "true", "false"])),
            1 | 2 => {
                text.push_str(self.pick(&[
                    "0",
                    "1",
                    "-1",
                    "1.0",
                    "2.50",
                    "1e2",
                    "-0",
                    "123456789012345678",
                    "0.00001",
                ]));
            }

            3..6 => text.push_str(self.pick(&[
                "\"\"",
                "\"a\"",
                "\"x\"",
                "\"\\u0061\"",
                "\"\\n\"",
                "\"\u{7f}\"",
                "\"\u{e9}\"",
                "\"long enough to be cut in messages\"",
            ])),
            6 | 7 => {
                text.push('[');
                let length = if self.below(12) == 0 { 60 + self.below(20) } else { self.below(5) };
                for at in 0..length {
                    text.push_str(if at > 0 { "," } else { "" });
                    self.document(depth - 1, text);
                }
                text.push_str(self.space());
                text.push(']');
            }
            _ => {
                text.push('{');
                let is_wide = self.below(12) == 0;
                for at in 0..if is_wide { 30 + self.below(50) } else { self.below(6) } {
                    text.push_str(if at > 0 { "," } else { "" });
                    text.push_str(self.space());
                    if is_wide && self.below(9) > 0 {
                        text.extend(["\"k", &at.to_string(), "\""]);
                    } else {
                        text.push_str(self.pick(&[
                            "\"a\"",
                            "\"b\"",
                            "\"c\"",
                            "\"d\"",
                            "\"\\u0061\"",
                            "\"key\"",
                            "\"value\"",
                        ]));
                    }
                    text.push_str(self.space());
                    text.push(':');
                    self.document(depth - 1, text);
                }
                text.push_str(self.space());
                text.push('}');
            }
        }
        text.push_str(self.space());
    }
}

fn styles() -> Vec<Style> {
    vec![
        Style::default(),
        Style { indent: Indent::Spaces(2), ..Style::default() },
        Style { indent: Indent::Tab, sort_keys: true, ..Style::default() },
        Style { ascii: true, ..Style::default() },
        Style { indent: Indent::Spaces(1), colors: Some(Colors::default()), ..Style::default() },
    ]
}

/// The outputs in several styles, and why there are no more.
fn outputs(filter: &Filter, input: Value, styles: &[Style]) -> (Vec<String>, Option<RunError>) {
    let mut machine = filter.machine();
    machine.set_limits(Limits::default().stack(200 << 20).steps(1_000_000));
    let mut outputs = Vec::new();
    let end = machine.run(input, &mut |output| {
        for style in styles {
            let mut text = Vec::new();
            write(&output, style, &mut text);
            outputs.push(String::from_utf8(text).expect("UTF-8"));
        }
        ControlFlow::Continue(())
    });
    (outputs, end.err())
}

/// Compares the outputs for a document that is still text with those for a decoded one. Returns the outputs, or `None` if the document
/// is invalid.
fn check(filter: &Filter, program: &str, text: &str, styles: &[Style]) -> Option<Vec<String>> {
    let mut reader = Reader::new();
    let decoded = reader.read_decoded(text.as_bytes()).ok()?;
    let expected = outputs(filter, decoded, styles);
    let found = outputs(filter, reader.read(text.as_bytes()).expect("valid"), styles);
    if !matches!(expected.1, Some(RunError::Limit(_))) {
        assert!(found == expected, "{program}\n{text}\n{found:#?}\ninstead of\n{expected:#?}");
    }
    Some(expected.0)
}

/// Some cases are nested 10,000 levels deep.
fn on_large_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 20).spawn(test).expect("a thread").join().expect("the test");
}

fn random_documents(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random(seed);
    let document = |_| {
        let mut text = String::new();
        random.document(4, &mut text);
        text
    };
    (0..count).map(document).collect()
}

#[test]
fn programs_and_documents() {
    on_large_stack(|| {
        let random = random_documents(0x5eed, 8);
        let styles = styles();
        for program in PROGRAMS {
            let filter = Filter::new(program).expect(program);
            for text in DOCUMENTS {
                check(&filter, program, text, &styles[..2]);
            }
            for text in &random {
                check(&filter, program, text, &styles[..1]);
            }
        }
    });
}

/// What each style writes of a random document.
#[test]
fn random_documents_are_written_alike() {
    let filter = Filter::new(".").unwrap();
    for text in random_documents(77, 150) {
        check(&filter, ".", &text, &styles());
    }
}

/// Two random programs in a row: what the first one leaves as text is what the second one gets.
#[test]
fn random_programs() {
    on_large_stack(|| {
        let mut random = Random(99);
        let documents = random_documents(5, 300);
        for text in &documents {
            let (first, second) = (random.pick(PROGRAMS), random.pick(PROGRAMS));
            let program = format!("({first}) | ({second})");
            check(&Filter::new(&program).expect(&program), &program, text, &styles()[..1]);
        }
    });
}

#[test]
fn jq_s_own_tests() {
    let Some(folder) = suites::folder("jq") else { return };
    on_large_stack(move || {
        let random = random_documents(3, 1);
        for (name, case) in jq_tests::cases(&folder) {
            let mut modules = Directories::new([folder.join("modules")]);
            let mut compile = |program: &str| Filter::builder().modules(&mut modules).compile(program);
            let (line, program, input, outputs) = match case {
                Case::Runs { line, program, input, outputs } => (line, program, input, outputs),
                Case::Fails { line, program, message } => {
                    let error = compile(&program).expect_err(&program);
                    let is_right = message.is_none_or(|message| format!("jq: error: {error}") == message);
                    assert!(is_right, "{name}:{line}: {error}");
                    continue;
                }
            };
            let filter = compile(&program).unwrap_or_else(|error| panic!("{name}:{line}: {error}"));
            // Programs that ask for the time have another answer each time.
            if program.contains("now") || program.contains("localtime") {
                continue;
            }
            for text in &random {
                check(&filter, &program, text, &styles()[..1]);
            }
            let named = format!("{program}\n{outputs:?} in {name}:{line}");
            // An input with a byte order mark is no JSON text.
            let Some(found) = check(&filter, &named, &input, &styles()[..2]) else { continue };
            // These need an environment, and modules while they run.
            if !["env", "ENV", "modulemeta"].iter().any(|word| program.contains(word)) {
                let read = |text: &String| Value::from_json(text).expect(text);
                // Each output is there in both styles.
                assert!(found.iter().step_by(2).map(read).eq(outputs.iter().map(read)), "{named}\n{found:?}");
            }
        }
    });
}

/// Programs that become faster nodes, and the same in a form that does not.
const SAME: &[(&str, &str)] = &[
    ("[.[]?] | add", "[.[]?] as $items | $items | add"),
    ("[.[]?, error(\"last\")] | add", "[.[]?, error(\"last\")] as $items | $items | add"),
    ("[.[]?] | add | length?", "[.[]?] as $items | $items | add | length?"),
    ("{a, b, c: .a.b}", ". as $in | {a: $in.a, b: $in.b, c: $in.a.b}"),
    ("{\"a\", x: .b.c.d, y: .c}", ". as $in | {\"a\": $in.a, x: $in.b.c.d, y: $in.c}"),
    ("{a, a: .b}", ". as $in | {a: $in.a, a: $in.b}"),
    (".a | .b | .[] | .c?", ". as $x | $x.a.b | (.[] as $y | $y | .c?)"),
    (
        "try (.a | .[]) catch ., (.a | .b[]?)",
        "try (. as $x | $x.a as $y | $y[]) catch ., (. as $x | $x.a.b as $y | $y | .[]?)",
    ),
    ("..|numbers", "def r: ., (.[]? | r); r | select(type as $t | $t == \"number\")"),
    ("..|strings|length", "def r: ., (.[]? | r); r | strings | length"),
    ("[..|select(type == \"object\")|keys]", "def r: ., (.[]? | r); [r | objects | keys]"),
    ("..|scalars|booleans", "def r: ., (.[]? | r); r | scalars | booleans"),
    (
        "..|iterables|length",
        "def r: ., (.[]? | r); r | select(type as $t | $t == \"array\" or $t == \"object\") | length",
    ),
    ("..|.a?", "def r: ., (.[]? | r); r as $x | $x | .a?"),
    ("..|.a? // empty", "def r: ., (.[]? | r); r as $x | ($x | .a?) // empty"),
    ("[..|.[]?|length?]", "def r: ., (.[]? | r); [r as $x | $x | .[]? | length?]"),
    (
        "[paths|length], [path(..|.a?)]",
        "[path(def r: ., (.[]? | r); r) | length | select(. > 0)], [path(def r: ., (.[]? | r); r | .a?)]",
    ),
    ("[paths(type != \"array\")]", "[paths(type as $t | $t != \"array\")]"),
    ("[..] | length", "def r: ., (.[]? | r); [r] | length"),
    (
        ".a == 1, .a != \"x\", .a < 2, .a <= 1, .a > 1, .a >= \"a\"",
        ".a as $a | $a == 1, $a != \"x\", $a < 2, $a <= 1, $a > 1, $a >= \"a\"",
    ),
    ("select(.a.b == null) | .c", "select(.a.b as $b | $b == null) | .c"),
    ("map(.a)", "[.[] | (. as $x | $x.a)]"),
    (".a | .b | .c", ". as $x | $x.a.b.c"),
    ("type == \"nothing\", type != \"nothing\"", "type as $t | $t == \"nothing\", $t != \"nothing\""),
    ("(..|numbers) |= . + 1", "walk(if (type as $t | $t == \"number\") then . + 1 else . end)"),
    (
        "[1, {\"a\": [\"b\", null]}], {a: 1, \"b\": [], a: -2}",
        "1 as $x | [$x, {\"a\": [\"b\", null]}], {a: $x, \"b\": [], a: (-$x - 1)}",
    ),
    (
        "reduce .[]? as $x ({\"n\": 0, \"last\": [0]}; .n += 1 | .last[0] += 1)",
        "0 as $z | reduce .[]? as $x ({\"n\": $z, \"last\": [$z]}; .n += 1 | .last[0] += 1)",
    ),
    (
        "try path([1] | .[0]) catch ., ({\"a\": 1}[.[]?, \"a\"]?)",
        "1 as $x | try path([$x] | .[0]) catch ., ({\"a\": $x}[.[]?, \"a\"]?)",
    ),
    ("def null: 5; def true: 6; [null], null, {a: true}", "[null], null, {a: true}"),
    ("keys, keys_unsorted", "(to_entries | map(.key) | sort), (to_entries | map(.key))"),
];

#[test]
fn faster_nodes_do_the_same() {
    let random = random_documents(21, 20);
    for (fast, slow) in SAME {
        let [filter, expected] = [fast, slow].map(|program| Filter::new(program).expect(program));
        for text in DOCUMENTS.iter().copied().chain(random.iter().map(String::as_str)) {
            let mut reader = Reader::new();
            let input = reader.read(text.as_bytes()).unwrap();
            // `keys` has another answer for arrays, and another message.
            if fast.starts_with("keys") && !text.starts_with('{') {
                continue;
            }
            let (found, expected) =
                (outputs(&filter, input.clone(), &styles()[..1]), outputs(&expected, input, &styles()[..1]));
            assert!(found == expected, "{fast}\n{text}\n{found:#?}\ninstead of\n{expected:#?}");
        }
    }
}

/// Records of a batch are the values of their lines.
#[test]
fn records_of_a_batch() {
    let lines: Vec<_> = random_documents(11, 200).iter().map(|text| text.replace(['\n', '\r'], " ")).collect();
    let records = fjson::Parser::new().owned_records(lines.join("\n")).unwrap();
    let batch = Batch::of_records(&records);
    let filter = Filter::new("., [..|numbers], .a?").unwrap();
    let mut reader = Reader::new();
    assert_eq!(records.iter().len(), lines.len());
    for (record, line) in records.iter().zip(&lines) {
        let decoded = reader.read_decoded(line.as_bytes()).unwrap();
        let styles = styles();
        assert_eq!(outputs(&filter, batch.value(record), &styles), outputs(&filter, decoded, &styles), "{line}");
    }
}

#[test]
#[should_panic = "the value is one of this text"]
fn a_value_of_another_text() {
    let documents = ["[1]", "[2]"].map(|text| fjson::OwnedDocument::new(text).unwrap());
    drop(Batch::of_document(&documents[0]).value(documents[1].root()));
}

/// Members of wide objects and elements of long arrays are found in constant time, also in a text.
#[test]
fn looking_up_many_is_linear() {
    let elements: Vec<_> = (0..6_000).map(|number| number.to_string()).collect();
    let members: Vec<_> = (0..6_000).map(|number| format!("\"k{number}\":{number}")).collect();
    let text = format!("{{\"list\":[{}],\"map\":{{{}}}}}", elements.join(","), members.join(","));
    for program in [
        ".list as $l | reduce range($l|length) as $i (0; . + $l[$i])",
        ".list as $l | reduce range($l|length) as $i (0; . + $l[-1 - $i])",
        ".list as $l | reduce range($l|length) as $i (0; . + $l[$i:$i + 1][0])",
        ".list as $l | reduce range($l|length) as $i (0; . + ($l|bsearch($i)))",
        ".map as $m | reduce range($m|length) as $i (0; . + $m[\"k\\($i)\"])",
        ".map as $m | reduce range($m|length) as $i (0; . + if $m|has(\"k\\($i)\") then $i else 0 end)",
        ".list as $l | reduce range($l|length) as $i (0; . + ($l|length) - 6000 + $i)",
        ".map as $m | reduce range($m|length) as $i (0; . + ($m|length) - 6000 + $i)",
    ] {
        let input = Reader::new().read(text.as_bytes()).unwrap();
        let (found, end) = outputs_without_limits(program, input);
        assert_eq!((found, end), (vec!["17997000".to_owned()], None), "{program}");
    }
}

fn outputs_without_limits(program: &str, input: Value) -> (Vec<String>, Option<RunError>) {
    let mut outputs = Vec::new();
    let end = Filter::new(program).expect(program).run(input, &mut |output| {
        outputs.push(output.to_string());
        ControlFlow::Continue(())
    });
    (outputs, end.err())
}

/// Nesting needs no stack, and members with the same key on each level take linear time.
#[test]
fn deep_texts() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let value = Reader::new().read(deep.as_bytes()).unwrap();
    assert!(value.to_string().contains("<skipped: too deep>"));
    drop(value);
    let same_keys = format!("{}1{}", "{\"a\":0,\"a\":".repeat(5_000), "}".repeat(5_000));
    let value = Reader::new().read(same_keys.as_bytes()).unwrap();
    let expected = format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
    assert_eq!(value.to_string(), expected);
    let (found, end) = outputs_without_limits("[..] | length", value);
    assert_eq!((found, end), (vec!["5001".to_owned()], None));
}

/// Batches of records as further inputs.
struct Batches {
    /// The batches that are left, and how many records one has.
    left: usize,
    records: usize,
    values: std::vec::IntoIter<Value>,
}

impl Host for Batches {
    fn next_input(&mut self) -> Option<Result<Value, Error>> {
        if let Some(value) = self.values.next() {
            return Some(Ok(value));
        }
        self.left = self.left.checked_sub(1)?;
        let line =
            |number| format!("{{\"id\":{number},\"tags\":[\"a{}\"],\"text\":\"{}\"}}\n", self.left, "x".repeat(200));
        let text: String = (0..self.records).map(line).collect();
        let records = fjson::Parser::new().owned_records(text).expect("valid");
        let batch = Batch::of_records(&records);
        self.values = records.iter().map(|record| batch.value(record)).collect::<Vec<_>>().into_iter();
        self.values.next().map(Ok)
    }
}

/// A program that keeps little of each batch does not keep the texts of all of them.
#[test]
fn texts_of_further_inputs_are_not_kept() {
    const BATCHES: usize = 40;
    for (program, expected) in [
        ("[inputs|select(.id == 7)] | length", "40"),
        ("[inputs|select(.id == 7)|.text] | length", "40"),
        ("reduce inputs as $r ([]; if $r.id == 7 then . + [$r] else . end) | length", "40"),
        ("reduce inputs as $r ([]; if $r.id == 7 then . + $r.tags else . end) | length", "40"),
        ("reduce inputs as $r ({}; if $r.id == 7 then .[$r.tags[0]] = $r else . end) | length", "40"),
        (
            "reduce inputs as $r ({}; if $r.id == 7 then .list += [{t: $r.text, id: $r.id}] else . end) | .list | length",
            "40",
        ),
        ("[inputs|.id] | add", "49000"),
        ("[inputs|.id] | length", "2000"),
    ] {
        let filter = Filter::new(program).expect(program);
        let mut machine = filter.machine_with(Batches { left: BATCHES, records: 50, values: Vec::new().into_iter() });
        // A few of the batches, each of which has 15 KB of text and tokens.
        machine.set_limits(Limits::default().memory(memory::live() + 150_000));
        let mut outputs = Vec::new();
        let end = machine.run(Value::NULL, &mut |output| {
            outputs.push(output.to_string());
            ControlFlow::Continue(())
        });
        assert_eq!((outputs, end), (vec![expected.to_owned()], Ok(())), "{program}");
    }
}
