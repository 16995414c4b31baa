//! Tests of the patterns.

#![forbid(unsafe_code)]

use super::Pattern;
use super::PatternError;
use super::PatternStyle;
use super::Patterns;
use super::SyntaxError;

const WHOLE: PatternStyle = PatternStyle { syntax: Patterns::IRegexp, is_whole: true, ignores_case: false };
const PART: PatternStyle = PatternStyle { is_whole: false, ..WHOLE };
const REGEX: PatternStyle = PatternStyle { syntax: Patterns::Regex, ..PART };

fn is_match(pattern: &str, text: &str) -> bool {
    Pattern::compile(pattern, WHOLE).expect("an I-Regexp").is_match(text.as_bytes())
}

/// The error of a pattern that is not valid.
fn refused(pattern: &str, style: PatternStyle) -> SyntaxError {
    match Pattern::compile(pattern, style) {
        Err(PatternError::Syntax(error)) => error,
        other => panic!("{pattern}: {other:?}"),
    }
}

#[test]
fn valid_patterns() {
    for (pattern, texts, others) in [
        ("", &[""][..], &["a"][..]),
        ("a|", &["a", ""], &["b"]),
        ("()", &[""], &["()"]),
        ("a.c", &["abc", "a\u{2028}c", "a\u{1d11e}c"], &["a\nc", "a\rc", "ac"]),
        ("(ab)*c?", &["", "abab", "abc"], &["a", "abcc"]),
        ("a{2}b{1,}c{0,2}", &["aab", "aabbcc"], &["ab", "aabccc"]),
        ("a{2,10}", &["aa", "aaaaaaaaaa"], &["a", "aaaaaaaaaaa"]),
        ("a{02,003}", &["aa", "aaa"], &["a", "aaaa"]),
        ("[a-c-]", &["a", "b", "c", "-"], &["d", ""]),
        ("[-a]", &["-", "a"], &["b"]),
        ("[^a-c]", &["d", "\n"], &["b"]),
        ("[&~^a]", &["&", "~", "^", "a"], &["b"]),
        ("[a&&b]", &["a", "b", "&"], &["c"]),
        (r"[\p{Lu}\P{L}]", &["A", "1"], &["a"]),
        (r"\p{Nd}+", &["1\u{663}"], &["a"]),
        (r"\p{Cn}\p{C}\p{Zs}", &["\u{378}\n "], &["abc"]),
        (r"\n\r\t\(\)\*\+\-\.\?\[\\\]\^\{\|\}", &["\n\r\t()*+-.?[\\]^{|}"], &["n"]),
        ("^a$", &["a"], &["^a$"]),
        ("a#b &\"'/,<->:;=@_`~!%", &["a#b &\"'/,<->:;=@_`~!%"], &["a"]),
    ] {
        for text in texts {
            assert!(is_match(pattern, text), "{pattern} {text:?}");
        }
        for text in others {
            assert!(!is_match(pattern, text), "{pattern} {text:?}");
        }
    }
}

/// Patterns, each with ¦ before the offset of its error, and a part of the message and of the help.
#[test]
fn invalid_patterns() {
    for (marked, message, help) in [
        ("¦*", "`*` in the pattern has nothing to repeat", r"`\\*`"),
        ("a*¦*", "cannot follow another quantifier", "`regex`"),
        ("a*¦?", "no lazy quantifiers", "remove the `?`"),
        ("a+¦?b", "no lazy quantifiers", "remove the `?`"),
        ("a?¦+", "cannot follow another quantifier", "`regex`"),
        ("¦(", "`(` in the pattern is not closed", r"`\\(`"),
        ("¦)", "without a `(`", r"`\\)`"),
        ("b¦(a", "`(` in the pattern is not closed", r"`\\(`"),
        ("(a)¦)", "without a `(`", r"`\\)`"),
        ("(¦*)", "nothing to repeat", r"`\\*`"),
        ("|¦*", "nothing to repeat", r"`\\*`"),
        ("¦[", "`[` in the pattern is not closed", r"`\\[`"),
        ("¦]", "without a `[`", r"`\\]`"),
        ("[¦]", "empty", r"`\\]`"),
        ("[^¦]", "empty", r"`\\]`"),
        ("¦[a", "not closed", r"`\\[`"),
        ("[¦b-a]", "wrong order", "swap"),
        ("[a-]b¦]", "without a `[`", r"`\\]`"),
        ("[a-¦-]", "at the end of a range", r"`\\-`"),
        ("[a-b¦-c]", "first, last or in a range", r"`\\-`"),
        ("[¦[]", "inside a character class", r"`\\[`"),
        ("[a]¦]", "without a `[`", r"`\\]`"),
        ("¦{", "nothing to repeat", r"`\\{`"),
        ("¦}", "without a `{`", r"`\\}`"),
        ("a¦{", "malformed", "`{2,5}`"),
        ("a¦{}", "malformed", "`{2,5}`"),
        ("a¦{,1}", "malformed", "`{2,5}`"),
        ("a¦{1", "malformed", "`{2,5}`"),
        ("a¦{2,1}", "wrong order", "swap"),
        ("a¦{1,2", "malformed", "`{2,5}`"),
        ("a{1}¦{2}", "cannot follow another quantifier", "`regex`"),
        (r"a¦\", "ends after a backslash", "character"),
        (r"é¦\d", r"no escape `\d`", "`[0-9]`"),
        (r"¦\w", r"no escape `\w`", "`[0-9A-Za-z_]`"),
        (r"¦\s", r"no escape `\s`", r"`[ \t\n\r]`"),
        (r"¦\D", r"no escape `\D`", "`[^0-9]`"),
        (r"¦\b", r"no escape `\b`", "`regex`"),
        (r"¦\/", r"no escape `\/`", "remove the backslash"),
        (r"¦\x41", r"no escape `\x`", "the character itself"),
        (r"¦\u0041", r"no escape `\u`", "the character itself"),
        (r"(a)¦\1", "back-references", ""),
        (r"¦\pL", "general category", r"\\p{L}"),
        (r"¦\p{}", "general category", ""),
        (r"¦\p{X}", "general category", ""),
        (r"¦\p{Lx}", "general category", ""),
        (r"¦\p{Cs}", "general category", ""),
        (r"¦\p{Lul}", "general category", ""),
        (r"¦\p{IsGreek}", "general category", ""),
        (r"¦\p{Lu", "general category", ""),
        ("¦(?:a)", "`(?:`", "`(…)`"),
        ("¦(?=a)", "look-around", "two tests"),
        ("¦(?<!a)", "named groups", ""),
        ("b¦(?i)a", "flags", "`\"i\"`"),
        ("¦(?P<n>a)", "named groups", "`(…)`"),
        (r"[¦\d]", r"no escape `\d`", "write `0-9`"),
        (r"[^a¦\s]", r"no escape `\s`", r"write ` \t\n\r`"),
        (r"[a-¦\d]", r"no escape `\d`", "`0-9`"),
        (r"[\p{L}¦-a]", "first, last", r"`\\-`"),
        (r"[¦a-\p{L}]", "not a category", ""),
    ] {
        let error = refused(&marked.replace('¦', ""), PART);
        assert_eq!(Some(error.offset), marked.find('¦'), "{marked}: {error:?}");
        assert!(error.message.contains(message), "{marked}: {error:?}");
        assert!(error.help.unwrap_or_default().contains(help), "{marked}: {error:?}");
    }
}

#[test]
fn the_syntax_of_the_regex_crate() {
    for (pattern, text, is_found, is_whole) in [
        (r"timeout (\d+)", "a timeout 12 b", true, false),
        (r"(?i)ERROR", "error", true, true),
        (r"\berr\b", "an err.", true, false),
        (r"\berr\b", "errors", false, false),
        (r"(?:a|ab)c*?", "ab", true, true),
        (r"(?x) a # a comment", "a", true, true),
        (r"\p{Greek}+", "αβγ", true, true),
        ("a.b", "a\nb", false, false),
        ("^b$", "a\nb", false, false),
        ("(?m)^b$", "a\nb", true, false),
    ] {
        for (style, expected) in [(REGEX, is_found), (PatternStyle { is_whole: true, ..REGEX }, is_whole)] {
            let compiled = Pattern::compile(pattern, style).expect("a pattern");
            assert_eq!(compiled.is_match(text.as_bytes()), expected, "{pattern} {text:?} {style:?}");
        }
    }
    let ignoring = Pattern::compile("straße", PatternStyle { ignores_case: true, ..REGEX }).expect("a pattern");
    assert!(ignoring.is_match("STRAßE".as_bytes()));
    // It must not match a part of a lone surrogate.
    let any = Pattern::compile(r"^[^a]$", REGEX).expect("a pattern");
    assert!(!any.is_match(b"\xed\xa0\x80") && any.is_match("é".as_bytes()));
}

#[test]
fn errors_of_the_regex_crate_have_offsets() {
    for (marked, message) in [
        ("¦(a", "unclosed group"),
        ("é¦[a", "unclosed character class"),
        ("(a)¦)", "unopened group"),
        ("a)¦|(b", ""),
        ("¦(?=a)", "look-around"),
        (r"¦\p{Nothing}", "property"),
        (r"(a)¦\1", "backreferences"),
    ] {
        for style in [REGEX, PatternStyle { is_whole: true, ..REGEX }] {
            let error = refused(&marked.replace('¦', ""), style);
            assert!(error.message.starts_with("the pattern is not valid: "), "{marked}: {error:?}");
            if !message.is_empty() {
                assert_eq!(Some(error.offset), marked.find('¦'), "{marked}: {error:?}");
                assert!(error.message.to_lowercase().contains(message), "{marked}: {error:?}");
            }
        }
    }
}

#[test]
fn all_categories() {
    for (group, parts) in
        [('L', "lmotu"), ('M', "cen"), ('N', "dlo"), ('P', "cdefios"), ('Z', "lps"), ('S', "ckmo"), ('C', "cfno")]
    {
        let names = parts.chars().map(|part| format!("{group}{part}")).chain([group.to_string()]);
        for name in names {
            let pattern = format!(r"\p{{{name}}}[\P{{{name}}}]");
            assert!(Pattern::compile(&pattern, WHOLE).is_ok(), "{pattern}");
        }
    }
}

#[test]
fn search_finds_a_part_of_a_text() {
    let pattern = Pattern::compile("b.", PART).expect("an I-Regexp");
    assert!(pattern.is_match(b"abc") && !pattern.is_match(b"ab\n"));
    // A lone surrogate matches nothing, and does not prevent a match elsewhere.
    assert!(pattern.is_match(b"\xed\xa0\x80bc") && !pattern.is_match(b"b\xed\xa0\x80"));
}

#[test]
fn large_patterns_are_refused() {
    let nested = "(".repeat(1000) + &")".repeat(1000);
    for pattern in [r"(\p{L}{1000}){1000}", "a{99999999999}", &*nested] {
        assert_eq!(Pattern::compile(pattern, WHOLE).err(), Some(PatternError::TooLarge), "{pattern}");
    }
}
