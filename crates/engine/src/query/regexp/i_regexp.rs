//! I-Regexp (RFC 9485): checks a pattern strictly, and translates it for the `regex` crate.

#![forbid(unsafe_code)]

use crate::query::regexp::SyntaxError;
use std::fmt::Write;

const CALL_REGEX: &str = "call `regex`, which takes the full syntax of the `regex` crate";

/// Translates a pattern to the syntax of the `regex` crate. Returns the first error if it is not an I-Regexp.
pub(super) fn translated(text: &str) -> Result<String, SyntaxError> {
    let mut translator = Translator { text, rest: text, output: String::with_capacity(2 * text.len()) };
    // Offsets of the parentheses that are open.
    let mut open = Vec::new();
    let mut before = Before::Nothing;
    loop {
        let at = translator.offset();
        let Some(character) = translator.take() else { break };
        before = match character {
            '(' => {
                if translator.rest.starts_with('?') {
                    return Err(translator.refuse_group(at));
                }
                open.push(at);
                translator.output += "(?:";
                Before::Nothing
            }
            ')' => {
                if open.pop().is_none() {
                    let error = SyntaxError::new(at, "`)` in the pattern without a `(` before it");
                    return Err(error.with_help("write `\\\\)` for the character"));
                }
                translator.output.push(')');
                Before::Atom
            }
            '|' => {
                translator.output.push('|');
                Before::Nothing
            }
            '*' | '+' | '?' | '{' => {
                before.refuse_quantifier(character, at)?;
                translator.output.push(character);
                if character == '{' {
                    translator.quantifier(at)?;
                }
                Before::Quantifier
            }
            '}' => {
                return Err(stray(at, "`}` in the pattern without a `{` before it", "write `\\\\}` for the character"));
            }
            ']' => {
                return Err(stray(at, "`]` in the pattern without a `[` before it", "write `\\\\]` for the character"));
            }
            '.' => {
                // mutant: translator.output += ".";
                translator.output += r"[^\n\r]";
                Before::Atom
            }
            '[' => {
                translator.class(at)?;
                Before::Atom
            }
            '\\' => {
                if let Escape::Character(character) = translator.escape(at, false)? {
                    translator.character(character);
                }
                Before::Atom
            }
            '^' | '$' => {
                translator.output.push(character);
                Before::Atom
            }
            character => {
                translator.character(character);
                Before::Atom
            }
        };
    }
    match open.pop() {
        Some(at) => Err(stray(at, "`(` in the pattern is not closed", "write `\\\\(` for the character")),
        None => Ok(translator.output),
    }
}

fn stray(offset: usize, message: &str, help: &'static str) -> SyntaxError {
    SyntaxError::new(offset, message).with_help(help)
}

/// What a quantifier would repeat.
#[derive(Clone, Copy)]
enum Before {
    Nothing,
    Atom,
    Quantifier,
}

impl Before {
    /// Returns the error of a quantifier that repeats nothing.
    fn refuse_quantifier(self, quantifier: char, at: usize) -> Result<(), SyntaxError> {
        match (self, quantifier) {
            // mutant: (Self::Atom | Self::Nothing, _) => Ok(()),
            (Self::Atom, _) => Ok(()),
            (Self::Quantifier, '?') => {
                let error = SyntaxError::new(at, "I-Regexp (RFC 9485) has no lazy quantifiers");
                Err(error.with_help("remove the `?`, which makes no difference to a test"))
            }
            (Self::Quantifier, _) => {
                let message = format!("`{quantifier}` cannot follow another quantifier in I-Regexp (RFC 9485)");
                Err(SyntaxError::new(at, message).with_help(CALL_REGEX))
            }
            (Self::Nothing, _) => {
                let error = SyntaxError::new(at, format!("`{quantifier}` in the pattern has nothing to repeat"));
                Err(error.with_help(match quantifier {
                    '*' => "write `\\\\*` for the character",
                    '+' => "write `\\\\+` for the character",
                    '?' => "write `\\\\?` for the character",
                    _ => "write `\\\\{` for the character",
                }))
            }
        }
    }
}

/// A pattern that is being translated.
struct Translator<'t> {
    text: &'t str,
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
    /// Returns the offset of the next character.
    fn offset(&self) -> usize {
        self.text.len() - self.rest.len()
    }

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
    fn character(&mut self, character: char) {
        // Writing to a string cannot fail.
        write!(self.output, r"\x{{{:X}}}", u32::from(character)).ok();
    }

    /// Returns the error of a group that begins with `(?`, at `at`.
    fn refuse_group(&self, at: usize) -> SyntaxError {
        let (message, help) = match self.rest.get(1..2) {
            Some(":") => ("groups with `(?:`", "write `(…)`"),
            Some("=" | "!") => ("look-around", "combine two tests with `&&` and `!`"),
            Some("i") => ("flags", "call `regex` with the argument `\"i\"` after the pattern"),
            Some("P" | "<") => ("named groups", "write `(…)`"),
            _ => ("flags", CALL_REGEX),
        };
        SyntaxError::new(at, format!("I-Regexp (RFC 9485) has no {message}")).with_help(help)
    }

    /// Reads what follows a backslash at `at`.
    fn escape(&mut self, at: usize, is_in_class: bool) -> Result<Escape, SyntaxError> {
        let Some(character) = self.take() else {
            return Err(stray(at, "the pattern ends after a backslash", "write `\\\\\\\\` for the character"));
        };
        Ok(match character {
            'n' => Escape::Character('\n'),
            'r' => Escape::Character('\r'),
            't' => Escape::Character('\t'),
            '(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^' | '{' | '|' | '}' => {
                Escape::Character(character)
            }
            'p' | 'P' => {
                let category = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                let Some((category, rest)) = category.filter(|(category, _)| is_category(category)) else {
                    let message = format!("`\\{character}` in I-Regexp (RFC 9485) takes a general category");
                    return Err(SyntaxError::new(at, message).with_help("for example `\\\\p{L}` or `\\\\p{Lu}`"));
                };
                self.rest = rest;
                // Writing to a string cannot fail.
                write!(self.output, r"\{character}{{{category}}}").ok();
                Escape::Category
            }
            _ => return Err(refuse_escape(at, character, is_in_class)),
        })
    }

    /// Translates what follows a `{` at `at`: one number or two.
    fn quantifier(&mut self, at: usize) -> Result<(), SyntaxError> {
        let malformed = || stray(at, "malformed repetition in the pattern", "write `{2}`, `{2,}` or `{2,5}`");
        let least = self.number().ok_or_else(malformed)?;
        if self.eat(",") {
            self.output.push(',');
            if !self.rest.starts_with('}') {
                let most = self.number().ok_or_else(malformed)?;
                // Without leading zeros the longer number is the larger one.
                // mutant: if least > most {
                if (least.len(), least) > (most.len(), most) {
                    return Err(stray(at, "the numbers of a repetition are in the wrong order", "swap them"));
                }
            }
        }
        self.output.push('}');
        if self.eat("}") { Ok(()) } else { Err(malformed()) }
    }

    /// Copies a number, and returns it without leading zeros.
    fn number(&mut self) -> Option<&'t str> {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.output += digits;
        (length > 0).then(|| digits.trim_start_matches('0'))
    }

    /// Translates what follows a `[` at `at`.
    fn class(&mut self, at: usize) -> Result<(), SyntaxError> {
        let negated = self.eat("^");
        self.output += if negated { "[^" } else { "[" };
        let mut is_empty = true;
        if self.eat("-") {
            self.output += r"\-";
            is_empty = false;
        }
        loop {
            if let Some(rest) = self.rest.strip_prefix('-') {
                // A literal `-`, allowed only at the end.
                if !rest.starts_with(']') {
                    let message = "`-` in a character class must be first, last or in a range";
                    return Err(stray(self.offset(), message, "write `\\\\-` for the character"));
                }
                self.rest = rest;
                self.output += r"\-";
            }
            if self.rest.starts_with(']') && is_empty {
                return Err(stray(self.offset(), "the character class is empty", "write `\\\\]` for the character"));
            }
            if self.eat("]") {
                self.output.push(']');
                return Ok(());
            }
            is_empty = false;
            let start = self.offset();
            let Escape::Character(first) = self.class_character(at)? else { continue };
            self.character(first);
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if is_range {
                self.eat("-");
                let Escape::Character(last) = self.class_character(at)? else {
                    return Err(SyntaxError::new(start, "a range ends with a character, not a category"));
                };
                if last < first {
                    return Err(stray(start, "the ends of a range are in the wrong order", "swap them"));
                }
                self.output.push('-');
                self.character(last);
            }
        }
    }

    /// Reads an item of the class that begins at `class`.
    fn class_character(&mut self, class: usize) -> Result<Escape, SyntaxError> {
        let at = self.offset();
        match self.take() {
            Some('\\') => self.escape(at, true),
            Some('[') => Err(stray(at, "`[` inside a character class", "write `\\\\[` for the character")),
            Some('-') => Err(stray(at, "`-` at the end of a range", "write `\\\\-` for the character")),
            Some(']') => Err(stray(at, "a range without an end", "write `\\\\-` for the character before it")),
            Some(character) => Ok(Escape::Character(character)),
            None => Err(stray(class, "`[` in the pattern is not closed", "write `\\\\[` for the character")),
        }
    }
}

/// Returns the error of an escape that I-Regexp does not have.
fn refuse_escape(at: usize, character: char, is_in_class: bool) -> SyntaxError {
    let help = match character {
        '0'..='9' => return SyntaxError::new(at, "patterns have no back-references"),
        _ if let Some(class) = class_of(character) => match (class, is_in_class) {
            (class, false) => class.0,
            (class, true) => class.1,
        },
        'b' | 'B' | 'A' | 'z' | 'Z' | 'd' | 'w' | 's' | 'D' | 'W' | 'S' => CALL_REGEX,
        'x' | 'u' | 'U' | 'f' | 'v' | 'a' | 'e' => "write the character itself, or call `regex`",
        _ if character.is_alphabetic() => CALL_REGEX,
        _ => "remove the backslash",
    };
    // What is shown must not change the terminal.
    let shown = if character.is_control() { String::new() } else { format!("\\{character}") };
    SyntaxError::new(at, format!("I-Regexp (RFC 9485) has no escape `{shown}`")).with_help(help)
}

/// Returns help that spells out `\d`, `\w` and `\s`: outside of a class, and inside.
fn class_of(character: char) -> Option<(&'static str, &'static str)> {
    Some(match character {
        'd' => ("write `[0-9]`", "write `0-9`"),
        'D' => ("write `[^0-9]`", CALL_REGEX),
        'w' => ("write `[0-9A-Za-z_]`", "write `0-9A-Za-z_`"),
        'W' => ("write `[^0-9A-Za-z_]`", CALL_REGEX),
        's' => ("write `[ \\t\\n\\r]`", "write ` \\t\\n\\r`"),
        'S' => ("write `[^ \\t\\n\\r]`", CALL_REGEX),
        _ => return None,
    })
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
