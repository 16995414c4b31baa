//! I-Regexp (RFC 9485): validated strictly, then translated for the `regex` crate.
//!
//! An invalid pattern matches nothing. `^` and `$` match the start and end of the text, as in the mappings of RFC 9485, section
//! 5, and in the compliance suite.

#![forbid(unsafe_code)]

use regex::bytes::Regex;
use regex::bytes::RegexBuilder;
use std::fmt::Write;

/// Limit for the size of a compiled pattern, and for the size of its DFA cache.
const MAX_COMPILED_BYTES: usize = 1 << 21;

/// A compiled I-Regexp.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Regex);

/// The error of a pattern that exceeds [`MAX_COMPILED_BYTES`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl Pattern {
    /// Compiles `text`. `whole`: the pattern has to match a text as a whole; otherwise any part of it. `None` if `text` is not
    /// an I-Regexp.
    pub(crate) fn compile(text: &str, whole: bool) -> Result<Option<Self>, TooLarge> {
        let Some(translated) = translated(text) else { return Ok(None) };
        let translated = if whole { format!(r"\A(?:{translated})\z") } else { translated };
        let regex =
            RegexBuilder::new(&translated).size_limit(MAX_COMPILED_BYTES).dfa_size_limit(MAX_COMPILED_BYTES).build();
        regex.map(|regex| Some(Self(regex))).map_err(|_| TooLarge)
    }

    /// Whether the pattern matches `text`, which is UTF-8 except that lone surrogates are encoded as three bytes.
    pub(crate) fn is_match(&self, text: &[u8]) -> bool {
        self.0.is_match(text)
    }
}

/// Translates a pattern to the syntax of the `regex` crate. `None` if it is not an I-Regexp.
fn translated(text: &str) -> Option<String> {
    let mut translator = Translator { rest: text, output: String::with_capacity(2 * text.len()) };
    let mut open = 0_usize;
    // Whether a quantifier may follow.
    let mut repeatable = false;
    while let Some(character) = translator.take() {
        repeatable = match character {
            '(' => {
                open += 1;
                translator.output += "(?:";
                false
            }
            ')' => {
                open = open.checked_sub(1)?;
                translator.output.push(')');
                true
            }
            '|' => {
                translator.output.push('|');
                false
            }
            '*' | '+' | '?' | '{' if repeatable => {
                translator.output.push(character);
                if character == '{' {
                    translator.quantifier()?;
                }
                false
            }
            '*' | '+' | '?' | '{' | '}' | ']' => return None,
            '.' => {
                // mutant: translator.output += ".";
                translator.output += r"[^\n\r]";
                true
            }
            '[' => {
                translator.class()?;
                true
            }
            '\\' => {
                match translator.escape()? {
                    Escape::Character(character) => translator.character(character)?,
                    Escape::Category => {}
                }
                true
            }
            '^' | '$' => {
                translator.output.push(character);
                true
            }
            character => {
                translator.character(character)?;
                true
            }
        };
    }
    (open == 0).then_some(translator.output)
}

/// A pattern that is being translated.
struct Translator<'t> {
    rest: &'t str,
    output: String,
}

/// The meaning of an escape, or of an item in a class.
enum Escape {
    /// A character, which the caller writes to the output.
    Character(char),
    /// A character category, which was already written to the output.
    Category,
}

impl<'t> Translator<'t> {
    /// Returns the next character and moves past it.
    fn take(&mut self) -> Option<char> {
        let character = self.rest.chars().next()?;
        self.rest = &self.rest[character.len_utf8()..];
        Some(character)
    }

    /// Skips `token` if it is next. Returns whether it was.
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Writes a literal character.
    fn character(&mut self, character: char) -> Option<()> {
        write!(self.output, r"\x{{{:X}}}", u32::from(character)).ok()
    }

    /// Reads what follows a backslash.
    fn escape(&mut self) -> Option<Escape> {
        let character = self.take()?;
        Some(match character {
            'n' => Escape::Character('\n'),
            'r' => Escape::Character('\r'),
            't' => Escape::Character('\t'),
            '(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^' | '{' | '|' | '}' => {
                Escape::Character(character)
            }
            'p' | 'P' => {
                let (category, rest) = self.rest.strip_prefix('{')?.split_once('}')?;
                if !is_category(category) {
                    return None;
                }
                self.rest = rest;
                write!(self.output, r"\{character}{{{category}}}").ok()?;
                Escape::Category
            }
            _ => return None,
        })
    }

    /// Translates what follows `{`: one number or two. `None` if that is invalid.
    fn quantifier(&mut self) -> Option<()> {
        let least = self.number()?;
        if self.eat(",") {
            self.output.push(',');
            if !self.rest.starts_with('}') {
                let most = self.number()?;
                // Without leading zeros the longer number is the larger one.
                if (least.len(), least) > (most.len(), most) {
                    return None;
                }
            }
        }
        self.output.push('}');
        self.eat("}").then_some(())
    }

    /// Copies a number, and returns it without leading zeros.
    fn number(&mut self) -> Option<&'t str> {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.output += digits;
        (length > 0).then(|| digits.trim_start_matches('0'))
    }

    /// Translates what follows `[`.
    fn class(&mut self) -> Option<()> {
        let negated = self.eat("^");
        self.output += if negated { "[^" } else { "[" };
        let mut is_empty = true;
        if self.eat("-") {
            self.output += r"\-";
            is_empty = false;
        }
        loop {
            match self.rest.strip_prefix('-') {
                // A literal `-`, allowed only at the end.
                Some(rest) if rest.starts_with(']') => {
                    self.rest = rest;
                    self.output += r"\-";
                }
                Some(_) => return None,
                None => {}
            }
            if self.eat("]") {
                self.output.push(']');
                return (!is_empty).then_some(());
            }
            is_empty = false;
            let Escape::Character(first) = self.class_character()? else { continue };
            self.character(first)?;
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if is_range {
                self.eat("-");
                let Escape::Character(last) = self.class_character()? else { return None };
                if last < first {
                    return None;
                }
                self.output.push('-');
                self.character(last)?;
            }
        }
    }

    /// Reads an item of a class.
    fn class_character(&mut self) -> Option<Escape> {
        match self.take()? {
            '\\' => self.escape(),
            '-' | '[' | ']' => None,
            character => Some(Escape::Character(character)),
        }
    }
}

/// Whether `name` is a Unicode general category other than surrogates (`Cs`).
fn is_category(name: &str) -> bool {
    let parts = match name.as_bytes().first() {
        Some(b'L') => "lmotu",
        Some(b'M') => "cen",
        Some(b'N') => "dlo",
        Some(b'P') => "cdefios",
        Some(b'Z') => "lps",
        Some(b'S') => "ckmo",
        Some(b'C') => "cfno",
        _ => return false,
    };
    match &name.as_bytes()[1..] {
        [] => true,
        &[part] => parts.as_bytes().contains(&part),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;
    use super::TooLarge;

    fn is_match(pattern: &str, text: &str) -> bool {
        let pattern = Pattern::compile(pattern, true).expect("it is small");
        pattern.expect("an I-Regexp").is_match(text.as_bytes())
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

    #[test]
    fn invalid_patterns() {
        for pattern in [
            "*",
            "a**",
            "a*?",
            "a+?",
            "a?+",
            "(",
            ")",
            "(a",
            "a)",
            "(*)",
            "|*",
            "[",
            "]",
            "[]",
            "[^]",
            "[a",
            "[b-a]",
            "[a-]b-]",
            "[a--]",
            "[a-b-c]",
            "[[]",
            "[a]]",
            "{",
            "}",
            "a{",
            "a{}",
            "a{,1}",
            "a{1",
            "a{2,1}",
            "a{1,2",
            "a{1}{2}",
            r"\",
            r"\d",
            r"\w",
            r"\s",
            r"\b",
            r"\/",
            r"\x41",
            r"\u0041",
            r"\1",
            r"\pL",
            r"\p{}",
            r"\p{X}",
            r"\p{Lx}",
            r"\p{Cs}",
            r"\p{Lul}",
            r"\p{IsGreek}",
            r"\p{Lu",
            "(?:a)",
            "(?=a)",
            "(?i)a",
            r"[\d]",
            r"[\p{L}-a]",
        ] {
            assert!(matches!(Pattern::compile(pattern, false), Ok(None)), "{pattern}");
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
                assert!(matches!(Pattern::compile(&pattern, true), Ok(Some(_))), "{pattern}");
            }
        }
    }

    #[test]
    fn search_finds_a_part_of_a_text() {
        let pattern = Pattern::compile("b.", false).expect("it is small").expect("an I-Regexp");
        assert!(pattern.is_match(b"abc") && !pattern.is_match(b"ab\n"));
        // A lone surrogate matches nothing, and does not prevent a match elsewhere.
        assert!(pattern.is_match(b"\xed\xa0\x80bc") && !pattern.is_match(b"b\xed\xa0\x80"));
    }

    #[test]
    fn large_patterns_are_refused() {
        let nested = "(".repeat(1000) + &")".repeat(1000);
        for pattern in [r"(\p{L}{1000}){1000}", "a{99999999999}", &*nested] {
            assert_eq!(Pattern::compile(pattern, true).err(), Some(TooLarge), "{pattern}");
        }
    }
}
