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

/// Each pattern, texts that match, and texts that do not: what ECMA-262 says, with the flag `u` or, where that has nothing, without.
const MEANINGS: &[(&str, &[&str], &[&str])] = &[
    (r"^\-\_\@\/\#\%\ \:\é$", &["-_@/#% :é"], &["\\-"]),
    (r"^\<a\>$", &["<a>"], &["a"]),
    (r"^[\w-.]+$", &["a-b.c"], &["a b", "é"]),
    (r"^[\.-\w]+$", &["a-b.c"], &["a b"]),
    (r"^[\_\-\@\<\&\~]+$", &["_-@<&~"], &["a"]),
    (r"^[a-z&&[^aeiou]]+$", &["o]"], &["b"]),
    (r"^${{ \d+ }}$", &[], &["${{ 1 }}"]),
    (r"^\${{ \d+ }}$", &["${{ 1 }}"], &["${{ a }}"]),
    (r"^a]b}c{d$", &["a]b}c{d"], &["abcd"]),
    (r"^a{2}b{1,}c{0,2}$", &["aabcc"], &["a{2}b"]),
    (r"^{a,b}{,}$", &["{a,b}{,}"], &["ab"]),
    (r"^[]$|^[^]$", &["a", "\n"], &["", "ab"]),
    (r"^(?!x)\d$", &["1"], &["\u{663}"]),
    (r"^(?=.)\w\W\s\S\D$", &["aé\u{feff}1a"], &["éé  a"]),
    (r"^(?!x)[\W\d]$", &["é", "1"], &["a"]),
    (r"^(?!x).$", &["a"], &["\r", "\u{2028}"]),
    (r"^(?s:.)(?!x).?$", &["\na"], &["a\n"]),
    (r"^(?i)(?s)AB.$", &["ab\n"], &["ab"]),
    (r"^(?i:a)b$", &["Ab"], &["AB"]),
    (r"^(?<day>\d)-\k<day>$", &["1-1"], &["1-2"]),
    (r"^(?P<day>\d)$", &["1"], &["a"]),
    (r"^(a)\1\u0031$", &["aa1"], &["aa"]),
    (r"^\k<n>(?<n>a)$|^b$", &["b"], &["c"]),
    (r"^\u00e9\u{1F600}\uD83D\uDE00\x41\cA\0\t$", &["é\u{1f600}\u{1f600}A\u{1}\0\t"], &["e"]),
    (r"^[\u{1F600}-\uD83D\uDE4F\b\n]$", &["\u{1f603}", "\u{8}", "\n"], &["b"]),
    (r"^\p{L}\P{L}[\p{Lu}]\p{Script=Greek}$", &["é1Eα"], &["1éEα"]),
    (r"^a.c$", &["abc"], &["a\nc", "a\u{2029}c"]),
    (r"\bfoo\b", &["a foo b", "éfooé"], &["food"]),
    (r"^.\Ba|é\Bé|^\B$", &["xa", "éé", ""], &["éa", "a"]),
    (r"^(?:(a)|b)\1c$", &["bc", "aac"], &["ac", "bac"]),
    (r"^\1(a)$|^(b\2)+$|^\k<n>(?<n>c)$", &["a", "b", "c"], &["aa", "d"]),
    (r"^[^-a]+[a-]$", &["bb-"], &["b-b"]),
    (r"^[--/]+$", &["-./"], &["0"]),
    (r"^(a|b*?)+?c??$", &["abc"], &["d"]),
];

#[test]
fn patterns_mean_what_ecmascript_says() {
    for (pattern, matching, others) in MEANINGS {
        for text in *matching {
            assert_eq!(answer(pattern, text), Ok(true), "{pattern} {text:?}");
        }
        for text in *others {
            assert_eq!(answer(pattern, text), Ok(false), "{pattern} {text:?}");
        }
    }
}

/// What is no pattern, or none that all validators understand, and the reason.
const REFUSED: &[(&str, &str)] = &[
    (r"\z", "`\\z` is no escape sequence of ECMA-262"),
    (r"[\h]", "`\\h` is no escape sequence of ECMA-262"),
    (r"\01", "`\\0` is no escape sequence of ECMA-262"),
    (r"\c1", "`\\c` is no escape sequence of ECMA-262"),
    ("a\\", "it ends with `\\`"),
    (r"(?>a)", "`(?>` begins no group of ECMA-262"),
    (r"(?#a)", "`(?#` begins no group of ECMA-262"),
    (r"(?x) a", "`(?x` begins no group of ECMA-262"),
    (r"(?P=a)", "`(?P` begins no group of ECMA-262"),
    (r"(?", "`(?` begins no group of ECMA-262"),
    (r"(?<1-2>a)", "a group has no valid name"),
    (r"(?<a>b)(?<a>c)", "two groups have the name `a`"),
    (r"(a", "a `(` is not closed"),
    (r"a)", "a `)` closes no group"),
    (r"[a", "the class `[a` is not closed"),
    (r"[z-a]", "the range `z-a` is out of order"),
    (r"*a", "`*` has nothing to repeat"),
    (r"a**", "`*` has nothing to repeat"),
    (r"a{2}{3}", "`{3}` has nothing to repeat"),
    (r"^+", "`+` has nothing to repeat"),
    (r"(?=a)*", "`*` repeats a look-around"),
    (r"a{,5}", "`{,5}` stands for itself in some dialects"),
    (r"a{3,2}", "`{3,2}` is out of order"),
    (r"a{99999999999}", "`{99999999999}` is too large"),
    (r"\1", "`\\1` refers to no group"),
    (r"(a)\k<b>", "`\\k<b>` refers to no group"),
    (r"\p", "a `\\p` has no property in braces"),
    (r"\x4", "`\\x` has no 2 hexadecimal digits"),
    (r"\u12", "`\\u` has no 4 hexadecimal digits"),
    (r"\u{110000}", "`\\u{110000}` is no character"),
    (r"[\uD800-\uDBFF]", "`\\uD800` is half a character"),
];

#[test]
fn what_is_refused_and_why() {
    for (pattern, reason) in REFUSED {
        let error = answer(pattern, "").expect_err(pattern);
        assert!(error.contains(&format!("is not a regular expression: {reason}")), "{pattern}: {error}");
    }
}

/// Keys of `patternProperties` that mean the same remain two, and violations know their places.
#[test]
fn keys_that_are_rewritten() {
    let text = r#"{"patternProperties": {"}$": {"minimum": 1}, "\\}$": {"maximum": 5}, "[\\w-.]/~": {"const": 3}}}"#;
    let schema = Schema::compile(text, ()).expect("a schema");
    let mut parser = Parser::new();
    let document = parser.document(br#"{"}": 0, "a}": 9, "-/~": 4}"#).expect("an object");
    let violations = schema.violations(document.root());
    let mut places: Vec<_> = violations.iter().filter_map(|violation| violation.schema.as_ref()).collect();
    places.sort_by_key(|place| place.offset);
    let places: Vec<_> = places.iter().map(|place| place.pointer.as_str()).collect();
    let expected = ["}$/minimum", "\\}$/maximum", "[\\w-.]~1~0/const"].map(|end| format!("/patternProperties/{end}"));
    assert_eq!(places, expected);
    let error = Schema::compile(r#"{"patternProperties": {"ok": {}, "a)": {}}}"#, ()).expect_err("no pattern");
    let diagnostic = &error.problems()[0].diagnostic;
    assert_eq!((diagnostic.offset, diagnostic.pointer.as_deref()), (33, Some("/patternProperties/a)")));
}

#[test]
fn large_and_deep_patterns_are_errors() {
    let nested = |open: &str, close: &str| format!("{}a{}", open.repeat(1000), close.repeat(1000));
    for pattern in [
        "^.{0,404600}$b".to_owned(),
        "(?=b)(?:\\p{L}{1000}){1000}".to_owned(),
        nested("(", ")"),
        format!("{}a{}", "(".repeat(50), ")".repeat(50)),
        "(?=a)".repeat(10_000),
        format!("(?=a)[{}]", "a-z".repeat(20_000)),
        "a".repeat(1 << 20),
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
