//! Inferred schemas accept the documents that they were inferred from, and others the more the looser they are.

use std::fmt::Write;
use std::ops::ControlFlow;

use fjson::Framing;
use fjson::Options;
use fjson::Parser;
use fjson::Structure;
use fjson_schema::Schema;
use fjson_schema::Strictness;
use fjson_schema::infer;
use proof::generate;
use proof::random::Random;
use proof::random::rounds;
use proof::suites;

const ALL: [Strictness; 3] = [Strictness::Loose, Strictness::Normal, Strictness::Strict];

fn collect(structure: Structure, text: &[u8], options: &Options) -> Structure {
    let mut structure = structure.note_strings();
    structure.read(text, options, &mut |_| ControlFlow::Break(())).expect("valid documents");
    structure
}

fn schemas(structure: &Structure) -> [Schema; 3] {
    ALL.map(|strictness| {
        let text = infer(structure, strictness);
        Schema::compile(text.as_str(), ()).unwrap_or_else(|error| panic!("{error} in {text}"))
    })
}

/// Asserts that a document is accepted by the schemas of its structure, unless it has duplicate keys.
fn accepts(structure: &Structure, schemas: &[Schema; 3], text: &[u8]) {
    let mut parser = Parser::with_options(&Options::new().unique_keys(true).max_depth(Some(1000)));
    let Ok(document) = parser.document(text) else { return };
    for (schema, strictness) in schemas.iter().zip(ALL) {
        if !schema.is_valid(document.root()) {
            let violations = schema.violations(document.root());
            let start = text[..text.len().min(2000)].escape_ascii();
            panic!(
                "{strictness:?}: {} at {} in {start}\n{}",
                violations[0],
                violations[0].pointer,
                infer(structure, strictness)
            );
        }
    }
}

#[test]
fn random_documents_are_accepted() {
    rounds(100, |random| {
        let text = generate::document(random, 2000);
        let structure = Structure::new().levels(random.below(32) as u64);
        let mut structure = collect(structure, &text, &Options::new());
        accepts(&structure, &schemas(&structure), &text);
        structure.merge_maps();
        accepts(&structure, &schemas(&structure), &text);
    });
}

#[test]
fn data_sets_are_accepted() {
    for text in suites::data_sets().values() {
        let mut structure = collect(Structure::new(), text, &Options::new());
        structure.merge_maps();
        accepts(&structure, &schemas(&structure), text);
    }
}

/// Strings of all formats and of none, and numbers that are hard to compare.
const SCALARS: [&str; 30] = [
    "null",
    "true",
    "0",
    "-0",
    "1.0",
    "-7",
    "1e400",
    "0.1",
    "9007199254740993",
    "1152921504606847105.5",
    "1152921504606847106",
    "18446744073709551615",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "\"\"",
    "\"red\"",
    "\"\\u0072ed\"",
    "\"blue\"",
    "\"\\ud800\"",
    "\"𝄞é\"",
    "\"2024-02-29\"",
    "\"2024-12-31T23:59:59.5+05:30\"",
    "\"00:00:00Z\"",
    "\"123e4567-E89b-12d3-a456-426614174000\"",
    "\"127.0.0.1\"",
    "\"::ffff:192.0.2.1\"",
    "\"a.b+c@mail.example.com\"",
    "\"https://example.com:8080/a%20b;c?d=[]\"",
    "\"http:\\/\\/a\\/b?c=/d#/e\"",
    "\"s3://bucket-1/~a/(b)\"",
];

fn value(random: &mut Random, scalars: &[&str], depth: usize) -> String {
    let count = random.below(4);
    match random.below(if depth == 0 { 1 } else { 3 }) {
        0 => random.pick(scalars).to_owned(),
        1 => format!("[{}]", (0..count).map(|_| value(random, scalars, depth - 1)).collect::<Vec<_>>().join(",")),
        _ => {
            let keys = ["\"a\"", "\"b\"", "\"\\u0063\"", "\"\\ud800\"", "\"$ref\"", "\"\u{fffd}\"", "\"\""];
            let mut members: Vec<_> = keys.iter().filter(|_| random.one_in(3)).collect();
            members.truncate(count);
            let members: Vec<_> =
                members.iter().map(|key| format!("{key}:{}", value(random, scalars, depth - 1))).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

/// A schema of many records accepts each of them, and what a stricter schema accepts, a looser one does.
#[test]
fn records_are_accepted() {
    let (mut refused, mut others) = ([0; 3], 0);
    rounds(300, |random| {
        // Few different values, so that some of them are the only ones at a place.
        let scalars: Vec<_> = (0..=random.below(5)).map(|_| random.pick(&SCALARS)).collect();
        let depth = random.below(4);
        let records: Vec<_> = (0..=random.below(40)).map(|_| value(random, &scalars, depth)).collect();
        let options = Options::new().framing(Framing::Lines).threads(1 + random.below(2)).window(100);
        let structure = collect(Structure::new(), records.join("\n").as_bytes(), &options);
        let schemas = schemas(&structure);
        for record in &records {
            accepts(&structure, &schemas, record.as_bytes());
        }
        for _ in 0..10 {
            let other = value(random, &SCALARS, depth);
            let mut parser = Parser::new();
            let document = parser.document(other.as_bytes()).expect("a value");
            let answers = schemas.each_ref().map(|schema| schema.is_valid(document.root()));
            assert!(answers.is_sorted_by(|looser, stricter| looser >= stricter), "{answers:?} {other}");
            refused.iter_mut().zip(answers).for_each(|(count, answer)| *count += u64::from(!answer));
            others += 1;
        }
    });
    // They are not the same, and none of them accepts everything.
    let [loose, normal, strict] = refused;
    assert!(0 < loose && loose < normal && normal < strict && strict < others, "{refused:?} {others}");
}

/// The strings of these places are at a distance from any limit, so that a mistake in one of them would be seen.
#[test]
fn what_is_inferred() {
    let mut lines = String::new();
    for index in 0..100 {
        let level = ["info", "warning"][index % 2];
        let note = if index % 3 == 0 { ",\"note\":null" } else { ",\"note\":\"x\",\"more\":[1.5,{}]" };
        writeln!(lines, "{{\"id\":{index},\"day\":\"2024-01-{:02}\",\"level\":\"{level}\"{note}}}", index % 28 + 1)
            .expect("a string");
    }
    let structure = collect(Structure::new(), lines.as_bytes(), &Options::new().framing(Framing::Lines));
    let all: Vec<_> = ALL.map(|strictness| format!("{strictness:?}: {}\n", infer(&structure, strictness))).into();
    let expected = include_str!("inferred.txt");
    if std::env::var_os("FJSON_UPDATE_DOCUMENTS").is_some() {
        std::fs::write("tests/inferred.txt", all.concat()).expect("a file");
    } else {
        assert_eq!(all.concat(), expected);
    }
}

#[test]
fn too_many_paths_leave_the_type() {
    // Each line is a chain of containers of its own kinds.
    let mut lines = String::new();
    for index in 0_u32..5000 {
        let kinds = (0..13).map(|bit| index >> bit & 1 == 1);
        let open: String = kinds.clone().map(|is_object| if is_object { "{\"k\":" } else { "[" }).collect();
        let close: String = kinds.rev().map(|is_object| if is_object { '}' } else { ']' }).collect();
        writeln!(lines, "{open}[[[[[[[[[[[[{index}]]]]]]]]]]]]{close}").expect("a string");
    }
    let structure = collect(Structure::new(), lines.as_bytes(), &Options::new().framing(Framing::Lines));
    assert!(structure.unlisted_values() > 0);
    let schemas = schemas(&structure);
    for line in lines.lines().step_by(500) {
        accepts(&structure, &schemas, line.as_bytes());
    }
}

/// A schema may be nested 256 levels deep, and has two for each of the document, so levels beyond 126 may be anything.
#[test]
fn deep_documents_have_schemas_that_can_be_used() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let text = [open.repeat(300), "1".to_owned(), close.repeat(300)].concat();
        let structure = collect(Structure::new().levels(300), text.as_bytes(), &Options::new());
        accepts(&structure, &schemas(&structure), text.as_bytes());
        let other = text.replacen('1', "\"x\"", 1);
        accepts(&structure, &schemas(&structure), other.as_bytes());
        let mut parser = Parser::new();
        let shallow = [open.repeat(126), "1".to_owned(), close.repeat(126)].concat();
        let shallow = parser.document(shallow.as_bytes()).expect("a document");
        assert!(schemas(&structure).iter().skip(1).all(|schema| !schema.is_valid(shallow.root())), "{open}");
    }
}
