//! Tests of the parser: valid expressions and their syntax trees, and every error message.

#![forbid(unsafe_code)]

use super::Condition;
use super::Literal;
use super::MAX_NESTING;
use super::Operand;
use super::Segment;
use super::Selector;
use super::Slice;
use super::Syntax;
use super::Test;
use super::Text;
use crate::query::error::QueryError;
use crate::query::regexp::Patterns;

fn segments(expression: &str) -> Vec<Segment> {
    Syntax::parse(expression, Patterns::default())
        .unwrap_or_else(|error| panic!("{expression}: {error} at {}", error.offset()))
        .segments
}

fn selector(expression: &str) -> Selector {
    segments(expression).remove(0).selectors.remove(0)
}

#[test]
fn names_are_unescaped() {
    for (expression, name) in [
        ("$.a", "a"),
        ("$._9é", "_9é"),
        ("$\n.\u{10ffff}", "\u{10ffff}"),
        ("$['']", ""),
        ("$[ \"a\\\"'\" ]", "a\"'"),
        ("$['\\'\"']", "'\""),
        (r"$['\b\f\n\r\t\/\\']", "\u{8}\u{c}\n\r\t/\\"),
        (r"$['\u00e9\uD834\udd1e\u0000']", "é\u{1d11e}\0"),
        ("$['\u{7f}\u{2028}']", "\u{7f}\u{2028}"),
    ] {
        assert!(matches!(selector(expression), Selector::Name(found) if found.value() == name), "{expression}");
    }
}

#[test]
fn pointers_are_unescaped() {
    assert!(segments("").is_empty());
    for (expression, name, index) in [
        ("/", "", None),
        ("/a", "a", None),
        ("/~01~1~0", "~1/~", None),
        ("/0", "0", Some(0)),
        ("/10", "10", Some(10)),
        ("/01", "01", None),
        ("/-", "-", None),
        ("/-1", "-1", None),
        ("/ é'", " é'", None),
        ("/99999999999999999999", "99999999999999999999", None),
    ] {
        match selector(expression) {
            Selector::Token { name: found, index: at } => {
                assert_eq!((found.value(), at), (name, index), "{expression}");
            }
            other => panic!("{expression}: {other:?}"),
        }
    }
    assert_eq!(segments("/a//b/").len(), 4);
}

#[test]
fn indexes_and_slices() {
    assert!(matches!(selector("$[0]"), Selector::Index(0)));
    assert!(matches!(selector("$[-9007199254740991]"), Selector::Index(-9_007_199_254_740_991)));
    for (expression, start, end, step) in [
        ("$[:]", None, None, 1),
        ("$[::]", None, None, 1),
        ("$[1:2]", Some(1), Some(2), 1),
        ("$[ -1 : : -2 ]", Some(-1), None, -2),
        ("$[:\t2\n:0]", None, Some(2), 0),
    ] {
        assert!(
            matches!(selector(expression), Selector::Slice(slice) if slice == Slice { start, end, step }),
            "{expression}"
        );
    }
}

#[test]
fn operators_have_precedence() {
    let Selector::Filter(test) = selector("$[?@.a && !(@.b || @.c) || $.d && $..e]") else { panic!("a filter") };
    let Test::Any(parts) = *test else { panic!("|| has the lowest precedence") };
    let [Test::All(left), Test::All(right)] = &parts[..] else { panic!("&& has a higher precedence") };
    assert!(matches!(&left[..], [Test::Exists(_), Test::Not(inner)] if matches!(**inner, Test::Any(_))));
    assert!(matches!(&right[..], [Test::Exists(_), Test::Exists(_)]));
    assert_eq!(Syntax::parse("$[?$.a==$['b']||@[?$.c]]", Patterns::default()).map(|syntax| syntax.root_queries), Ok(3));
}

#[test]
fn literals() {
    for (text, expected) in [
        ("'\u{e9}'", Literal::String(Text::new("\u{e9}"))),
        ("-0.10E-02", Literal::Number("-0.10E-02".into())),
        ("-0", Literal::Number("-0".into())),
        ("1e1000", Literal::Number("1e1000".into())),
        ("null", Literal::Null),
        ("true", Literal::True),
        ("false", Literal::False),
    ] {
        let Selector::Filter(test) = selector(&format!("$[?@=={text}]")) else { panic!("a filter") };
        match *test {
            Test::Compare { right: Operand::Literal(literal), .. } => assert_eq!(literal, expected),
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// Every error message, with an expression that causes it. `¦` marks the offset of the error, `␠` is a space and `␀` is U+0000.
const SENTENCES: &str = include_str!("sentences.txt");

#[test]
fn messages_are_as_listed() {
    let mut differ = String::new();
    for case in SENTENCES.trim_end().split("\n\n").skip(1) {
        let picture = case.lines().next().unwrap_or_default();
        let expression = picture.replace('¦', "").replace('␠', " ").replace('␀', "\0");
        let found = match Syntax::parse(&expression, Patterns::default()) {
            Ok(_) => format!("{picture}\nno error"),
            Err(error) => {
                let mut found = expression.clone();
                found.insert(error.offset(), '¦');
                let picture = found.replace('\0', "␀").replace("¦ ", "¦␠");
                let help = error.help().map_or(String::new(), |help| format!("\n{help}"));
                let suggestion = error.suggestion().map_or(String::new(), |suggestion| format!("\n→ {suggestion}"));
                format!("{picture}\n{error}{help}{suggestion}")
            }
        };
        if found != case {
            differ = differ + &found + "\n\n";
        }
    }
    assert!(differ.is_empty(), "other messages:\n\n{differ}");
}

/// Whatever is made of the parts of expressions, a suggestion is a valid expression, and looking for one ends.
#[test]
fn suggestions_are_valid() {
    const PARTS: [&str; 38] = [
        "$",
        ".",
        "..",
        "[",
        "]",
        "*",
        "?",
        "@",
        "a",
        "my-key",
        "é",
        "'",
        "\"",
        "|",
        " ",
        "length(",
        ")",
        "length",
        "()",
        "== ",
        "=",
        "True",
        "not ",
        "&&",
        "and ",
        ",",
        "0",
        "-1",
        "01",
        "\\",
        "_",
        "\u{10ffff}",
        "<",
        "!",
        "'x'",
        "null",
        "/",
        "#",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits") % limit
    };
    let mut suggestions = 0;
    for _ in 0..20_000 {
        let expression: String = (0..below(12)).map(|_| PARTS[below(PARTS.len())]).collect();
        let suggested = |error: &QueryError| error.suggestion().map(str::to_owned);
        if let Some(text) = Syntax::parse(&expression, Patterns::default()).err().as_ref().and_then(suggested) {
            assert!(Syntax::parse(&text, Patterns::default()).is_ok(), "{expression} → {text}");
            suggestions += 1;
        }
        if let Some(text) = Condition::parse(&expression, Patterns::default()).err().as_ref().and_then(suggested) {
            assert!(Condition::parse(&text, Patterns::default()).is_ok(), "{expression} → {text}");
            suggestions += 1;
        }
    }
    assert!(suggestions > 500, "{suggestions}");
}

#[test]
fn nesting_is_limited() {
    for (open, close) in [("(", ")"), ("!(", ")"), ("@[?", "]"), ("count(@[?", "])==1")] {
        for depth in [MAX_NESTING / 2 - 1, MAX_NESTING + 1, 100_000] {
            let expression = format!("$[?{}@{}]", open.repeat(depth), close.repeat(depth));
            let result = Syntax::parse(&expression, Patterns::default());
            assert_eq!(result.is_ok(), depth < MAX_NESTING, "{open} {depth} {:?}", result.err());
        }
    }
}

#[test]
fn long_expressions_are_accepted() {
    let names = format!("${}", ".a".repeat(100_000));
    let terms = format!("$[?@{}]", "||@".repeat(100_000));
    let selectors = format!("$[0{}]", ",0".repeat((1 << 16) - 1));
    for expression in [names, terms, selectors] {
        assert!(Syntax::parse(&expression, Patterns::default()).is_ok());
    }
    assert!(Syntax::parse(&format!("$[0{}]", ",0".repeat(1 << 16)), Patterns::default()).is_err());
}

/// `·` marks the places at which RFC 9535 allows whitespace. There, whitespace has no effect. Everywhere else outside strings it is
/// an error.
#[test]
fn whitespace_is_allowed_where_the_grammar_has_it() {
    for picture in [
        "$·.a·..b·[·0·]·..[·*·]·.*·..*",
        "$·[·'x y'·,·\"z\"·,·*·,·0·,·-12·]·.ab",
        "$·[·1·:·2·:·-1·]·[·:·:·]·[·:·]·[·-10·:·]·[·:·20·,·::3·]".replace("::3", ":·:·3").as_str(),
        "$·[·?·@·.a·==·1·&&·@·.b·||·!·@·..c·]",
        "$·[·?·(·@·.a·<=·-1.5e-3·)·,·?·!·(·@·)·]",
        "$·[·?·@·['a b']·[0]·!=·$·[-1]·.b·]",
        "$·[·?·@·[·'a'·,·1·]·]·..[·?·$·[·?·@·.b·]·]",
        "$·[·?·length(·@·[·0·]·[·'a'·]·.b·)·>·12·]",
        "$·[·?·count(·@·..*·[·0·:·])·>=·value(·$·..[·'a'·])·]".replace("·])", "·]·)").as_str(),
        "$·[·?·match(·@·[·'a'·]·,·'b c'·)·&&·!·search(·length(·@·)·,·$·[·-1·]·)·]",
        "$·[·?·true·==·@·.a·,·?·null·<·'a'·]",
    ] {
        let (mut expression, mut allowed) = (String::new(), Vec::new());
        for character in picture.chars() {
            if character == '·' { allowed.push(expression.len()) } else { expression.push(character) }
        }
        let parse = |text: &str| Syntax::parse(text, Patterns::default()).map(|syntax| format!("{syntax:?}"));
        let expected = parse(&expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
        let mut quote = None;
        for at in 0..=expression.len() {
            let before = at.checked_sub(1).map(|last| expression.as_bytes()[last]);
            if let Some(byte @ (b'\'' | b'"')) = before {
                quote = if quote.is_none() { Some(byte) } else { None };
            }
            for whitespace in [" ", "\t", "\n", "\r", " \r\n\t "] {
                let text = [&expression[..at], whitespace, &expression[at..]].concat();
                let parsed = parse(&text);
                if allowed.contains(&at) {
                    assert_eq!(parsed.as_ref(), Ok(&expected), "{text:?}");
                } else if quote.is_none() {
                    assert!(parsed.is_err(), "{text:?}");
                }
            }
        }
    }
}

#[test]
fn conditions_are_corrected() {
    for (mistake, meant) in [
        ("?@.a==1", "@.a==1"),
        ("? @.a == 1", "@.a == 1"),
        ("[?(@.a==1)]", "(@.a==1)"),
        ("@.a == “x”", "@.a == \"x\""),
        ("search(@.n, '\\.')", "search(@.n, '\\\\.')"),
        (".a == 1", "@.a == 1"),
    ] {
        let error = Condition::parse(mistake, Patterns::IRegexp).expect_err(mistake);
        assert_eq!(error.suggestion(), Some(meant), "{mistake}");
    }
}
