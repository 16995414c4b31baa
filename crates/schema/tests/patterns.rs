//! Regular expressions that are large, deep or slow: an error or an answer, and no panic, which would end the program.

use std::panic;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use fjson::Parser;
use fjson_schema::Schema;
use proof::random::Random;
use proof::random::rounds;

/// Number of panics. The validator catches some of them, which the program, built to abort, does not.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Whether a string follows a pattern, or why that is not a pattern.
fn answer(pattern: &str, text: &str) -> Result<bool, String> {
    let pattern = serde_json::to_string(pattern).expect("a string");
    let text = serde_json::to_string(text).expect("a string");
    let schema = Schema::compile(format!("{{\"pattern\": {pattern}, \"patternProperties\": {{{pattern}: true}}}}"), ());
    let schema = schema.map_err(|error| error.to_string())?;
    let mut parser = Parser::new();
    let document = parser.document(text.as_bytes()).expect("a string");
    let is_valid = schema.is_valid(document.root());
    assert_eq!(schema.violations(document.root()).is_empty(), is_valid, "{pattern} {text}");
    Ok(is_valid)
}

#[test]
fn large_and_deep_patterns_are_errors() {
    let nested = |open: &str, close: &str| format!("{}a{}", open.repeat(1000), close.repeat(1000));
    for pattern in [
        "^.{0,404600}$b".to_owned(),
        "(?=b)(?:\\p{L}{1000}){1000}".to_owned(),
        nested("(", ")"),
        nested("(?:", ")*"),
        nested("(?=", ")"),
        nested("[^", "]"),
        "(".repeat(10_000),
        "\\1(a)".repeat(1000),
        "a|".repeat(10_000),
    ] {
        // Whatever it is, the message is short.
        if let Err(message) = answer(&pattern, "aaa") {
            assert!(message.len() < 2000, "{} bytes for a pattern of {}", message.len(), pattern.len());
        }
    }
}

/// A string on which matching would take too long is an error of the string, and not a wait.
#[test]
fn slow_patterns_end() {
    let text = format!("{}!", "a".repeat(1000));
    for pattern in ["^(a+)+$", "^(?=(a+)+$)", "^(a|aa)+\\1$", "(?<=(a|a)*)!$", "(x+x+)+y\\1"] {
        assert!(answer(pattern, &text).is_ok(), "{pattern}");
    }
}

const PIECES: [&str; 40] = [
    "a",
    "é",
    ".",
    "^",
    "$",
    "\\b",
    "\\B",
    "\\d",
    "\\S",
    "\\w",
    "[a-c]",
    "[^\\s]",
    "[]",
    "[^]",
    "(",
    ")",
    "(?:",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?<n>",
    "\\k<n>",
    "\\1",
    "|",
    "*",
    "+?",
    "{2}",
    "{0,3}",
    "{9,}",
    "{1,999}",
    "\\p{L}",
    "\\u{1F600}",
    "\\u00e9",
    "\\x41",
    "\\cA",
    "\\0",
    "\\-",
    "\u{1F600}",
    "{",
];

#[test]
fn random_patterns_do_not_panic() {
    panic::set_hook(Box::new(|_| _ = PANICS.fetch_add(1, Ordering::SeqCst)));
    let mut answers = 0;
    rounds(200, |random: &mut Random| {
        let pattern: String = (0..=random.below(8)).map(|_| random.pick(&PIECES)).collect();
        let text: String =
            (0..random.below(30)).map(|_| random.pick(&["a", "b", "é", "\u{1F600}", " ", "A"])).collect();
        let before = PANICS.load(Ordering::SeqCst);
        answers += usize::from(answer(&pattern, &text).is_ok());
        assert_eq!(PANICS.load(Ordering::SeqCst), before, "{pattern:?} on {text:?}");
    });
    assert!(answers > 0);
    drop(panic::take_hook());
}
