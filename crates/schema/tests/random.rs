//! Compiled keywords on random schemas and values: the answers are those of the crate.

use fjson::Parser;
use fjson_schema::Draft;
use fjson_schema::Schema;
use proof::random::Random;
use proof::random::rounds;

/// Keys, strings and numbers of schemas and values, so that they often meet.
const KEYS: [&str; 6] = ["\"a\"", "\"b\"", "\"key\"", "\"k\\u0065y\"", "\"longer_key_1\"", "\"longer_key_2\""];
const SCALARS: [&str; 16] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "1.0",
    "2.5",
    "1e2",
    "9007199254740993",
    "\"\"",
    "\"a\"",
    "\"\\u00e4b\"",
    "\"äbc\"",
    "\"2024-02-30\"",
    "\"10.0.0.1\"",
];
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

fn value(random: &mut Random, depth: usize) -> String {
    let count = random.below(4);
    match random.below(if depth == 0 { 1 } else { 3 }) {
        0 => random.pick(&SCALARS).to_owned(),
        1 => format!("[{}]", (0..count).map(|_| value(random, depth - 1)).collect::<Vec<_>>().join(", ")),
        _ => {
            // Duplicate keys are a matter of reading.
            let mut keys: Vec<&str> = (0..count).map(|_| random.pick(&KEYS)).collect();
            keys.sort_unstable_by_key(|key| key.replace("\\u0065", "e"));
            keys.dedup_by_key(|key| key.replace("\\u0065", "e"));
            let members: Vec<String> = keys.iter().map(|key| format!("{key}: {}", value(random, depth - 1))).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn keyword(random: &mut Random, draft: Draft, depth: usize) -> Option<String> {
    let number = random.pick(&["0", "1", "2", "3", "1.5", "-1", "100"]).to_owned();
    let count = random.below(4);
    let schemas = |random: &mut Random, least: usize| {
        let count = least + random.below(3);
        (0..count).map(|_| schema(random, draft, depth - 1)).collect::<Vec<_>>()
    };
    if depth == 0 || random.below(2) == 0 {
        return Some(match random.below(12) {
            0 => format!("\"type\": \"{}\"", random.pick(&TYPES)),
            1 => "\"type\": [\"integer\", \"string\", \"object\"]".to_owned(),
            2 => format!("\"enum\": [{}, {}]", random.pick(&SCALARS[..3]), random.pick(&SCALARS[3..])),
            3 => format!("\"{}\": {number}", random.pick(&["minimum", "maximum"])),
            4 if draft > Draft::Draft4 => {
                format!("\"{}\": {number}", random.pick(&["exclusiveMinimum", "exclusiveMaximum"]))
            }
            5 => format!("\"{}\": {count}", random.pick(&["minLength", "maxLength", "minItems", "maxItems"])),
            6 => format!("\"{}\": {count}", random.pick(&["minProperties", "maxProperties"])),
            7 => "\"uniqueItems\": true".to_owned(),
            8 if draft > Draft::Draft4 => format!("\"const\": {}", random.pick(&SCALARS)),
            9 => format!("\"pattern\": \"{}\"", random.pick(&["b", "^a?$", "^\\\\d+", "(?!ä)^.b", "^\\\\u00e4"])),
            10 => format!("\"format\": \"{}\"", random.pick(&["date", "ipv4", "regex", "unknown"])),
            11 => format!("\"multipleOf\": {}", random.pick(&["1", "0.5", "3", "9007199254740993"])),
            _ => return None,
        });
    }
    Some(match random.below(10) {
        0 => format!("\"properties\": {{\"a\": {}, \"key\": {}}}", schemas(random, 1)[0], schemas(random, 1)[0]),
        1 => "\"required\": [\"a\", \"key\"]".to_owned(),
        2 => format!("\"additionalProperties\": {}", schemas(random, 1)[0]),
        3 => format!("\"items\": {}", schemas(random, 1)[0]),
        4 if draft >= Draft::Draft202012 => format!("\"prefixItems\": [{}]", schemas(random, 1).join(", ")),
        4 => format!("\"items\": [{}], \"additionalItems\": {}", schemas(random, 1).join(", "), schemas(random, 1)[0]),
        5 => format!("\"{}\": [{}]", random.pick(&["allOf", "anyOf", "oneOf"]), schemas(random, 1).join(", ")),
        6 => format!("\"not\": {}", schemas(random, 1)[0]),
        7 if draft >= Draft::Draft7 => {
            format!("\"if\": {}, \"then\": {}", schemas(random, 1)[0], schemas(random, 1)[0])
        }
        8 => "\"$ref\": \"#/definitions/d\"".to_owned(),
        _ => return None,
    })
}

fn schema(random: &mut Random, draft: Draft, depth: usize) -> String {
    if draft > Draft::Draft4 && random.below(8) == 0 {
        return random.pick(&["true", "false"]).to_owned();
    }
    let mut keywords: Vec<String> = (0..=random.below(3)).filter_map(|_| keyword(random, draft, depth)).collect();
    let name = |keyword: &String| keyword.split(':').next().map(str::to_owned);
    keywords.sort_by_key(name);
    keywords.dedup_by_key(|keyword| name(keyword));
    // The array form of `items` brings a keyword of its own.
    let text = keywords.join(", ");
    if text.matches("\"items\": ").count() > 1 && text.contains("\"additionalItems\"") {
        "{}".to_owned()
    } else {
        format!("{{{text}}}")
    }
}

#[test]
fn compiled_keywords_answer_as_the_crate_does() {
    let (mut answers, mut invalid) = (0, 0);
    rounds(400, |random| {
        let drafts = [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012];
        let draft = drafts[random.below(5)];
        let (root, definition) = (schema(random, draft, 3), schema(random, draft, 1));
        let Some(root) = root.strip_prefix('{').filter(|root| *root != "}") else { return };
        let text = format!("{{\"definitions\": {{\"d\": {definition}}}, {root}");
        let Ok(compiled) = Schema::builder().draft(draft).compile(text.as_str(), ()) else { return };
        for _ in 0..20 {
            let value = value(random, 3);
            let mut parser = Parser::new();
            let document = parser.document(value.as_bytes()).expect("a value");
            let Some(answer) = compiled.compiled_answer(document.root()) else { continue };
            assert_eq!(answer, compiled.is_valid_slowly(document.root()), "{draft:?} {text} {value}");
            assert_eq!(answer, compiled.violations(document.root()).is_empty(), "{draft:?} {text} {value}");
            answers += 1;
            invalid += usize::from(!answer);
        }
    });
    // A test that compares nothing would pass, too.
    assert!(answers >= invalid && answers > 0, "{answers} {invalid}");
}
