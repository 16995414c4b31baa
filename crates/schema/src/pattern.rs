//! Regular expressions of ECMA-262, rewritten for the engine.
//!
//! The engine knows the constructs of ECMA-262 and many others, and reads some of them in another way: `\<` is a border of a word, `\d` is
//! a digit of any script beside a look-around. So a pattern is read here, and each construct is written as one that means the same to
//! the engine. Nothing else reaches it, which keeps its rarely used code out. What ECMA-262 allows only without the flag `u` (annex B) is
//! accepted if it can be understood in one way: `\_`, `}`, `[\w-.]`.

#![forbid(unsafe_code)]

use std::fmt::Write;

use crate::class::AnyOf;
use crate::class::write_class;
use crate::class::write_literal;

/// Length in bytes that a pattern may have. The engine takes time that grows with the square of the number of look-arounds.
const MAX_LENGTH: usize = 1 << 16;

/// Number of nested groups that a pattern may have. The engine recurses into them.
const MAX_GROUPS: usize = 50;

/// Largest number in a quantifier.
const MAX_TIMES: u64 = 1_000_000_000;

/// A border of a word, and a place that is none: `\b` and `\B` of the engine know the letters of all scripts.
const BORDER: &str = "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))";
const NO_BORDER: &str = "(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))";

/// Why a text is not a pattern, as the end of a sentence, and what to write instead.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) reason: String,
    pub(crate) help: Option<&'static str>,
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self { reason, help: None }
    }
}

impl From<&str> for Refusal {
    fn from(reason: &str) -> Self {
        reason.to_owned().into()
    }
}

type Result<T> = std::result::Result<T, Refusal>;

/// Rewrites a pattern for the engine.
pub(crate) fn translated(pattern: &str) -> Result<String> {
    read(pattern).map(|translator| translator.out)
}

/// Whether a text is a pattern in each implementation of ECMA-262, too.
pub(crate) fn is_portable(pattern: &str) -> bool {
    read(pattern).is_ok_and(|translator| !translator.has_foreign_group)
}

fn read(pattern: &str) -> Result<Translator<'_>> {
    if pattern.len() > MAX_LENGTH {
        return Err(format!("it is longer than {MAX_LENGTH} bytes").into());
    }
    // The first reading finds the groups, to which references may be made before them.
    let mut first = Translator::new(pattern, None, false);
    first.pattern()?;
    let mut second = Translator::new(pattern, Some(first.groups), first.needs_ranges);
    second.pattern()?;
    Ok(second)
}

/// What is before a quantifier.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Atom,
    LookAround,
}

/// A group that is open.
struct Group {
    is_look_around: bool,
    /// Whether `.` matches line breaks around it.
    dot_matches_all: bool,
}

struct Translator<'p> {
    pattern: &'p str,
    /// Number of bytes that have been read.
    at: usize,
    out: String,
    open: Vec<Group>,
    dot_matches_all: bool,
    /// The names of all groups that are numbered; not known in the first reading.
    known: Option<Vec<Option<&'p str>>>,
    groups: Vec<Option<&'p str>>,
    /// Whether there are look-arounds or references: beside them, nothing knows what `\d`, `\w`, `\s` and `.` are in ECMA-262.
    needs_ranges: bool,
    /// Whether there is a group of other languages whose meaning is clear: `(?i)`, `(?P<name>a)`.
    has_foreign_group: bool,
}

impl<'p> Translator<'p> {
    fn new(pattern: &'p str, known: Option<Vec<Option<&'p str>>>, needs_ranges: bool) -> Self {
        Self {
            pattern,
            at: 0,
            out: String::with_capacity(pattern.len() + 16),
            open: Vec::new(),
            dot_matches_all: false,
            known,
            groups: Vec::new(),
            needs_ranges,
            has_foreign_group: false,
        }
    }

    fn rest(&self) -> &'p str {
        &self.pattern[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Returns the digits that are next.
    fn digits(&mut self) -> &'p str {
        let rest = self.rest();
        let end = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn pattern(&mut self) -> Result<()> {
        let mut before = Before::Nothing;
        while let Some(next) = self.next() {
            before = match next {
                '\\' => self.escape()?,
                '(' => self.group()?,
                ')' => self.end_of_group()?,
                '[' => {
                    self.class()?;
                    Before::Atom
                }
                '*' | '+' | '?' => self.quantifier(before, self.at - 1)?,
                '{' => self.brace(before)?,
                '.' => {
                    self.dot();
                    Before::Atom
                }
                '|' | '^' | '$' => {
                    self.out.push(next);
                    Before::Nothing
                }
                literal => {
                    write_literal(&mut self.out, literal);
                    Before::Atom
                }
            };
        }
        if self.open.is_empty() { Ok(()) } else { Err("a `(` is not closed".into()) }
    }

    fn dot(&mut self) {
        self.out.push_str(match (self.dot_matches_all, self.needs_ranges) {
            (true, _) => "[\\u{0}-\\u{10ffff}]",
            (false, false) => ".",
            (false, true) => "[^\\n\\r\\u{2028}\\u{2029}]",
        });
    }

    /// Reads what follows the first character of a quantifier, which begins at `start`, and writes it.
    fn quantifier(&mut self, before: Before, start: usize) -> Result<Before> {
        let quantifier = &self.pattern[start..self.at];
        match before {
            Before::Atom => {}
            Before::Nothing => return Err(format!("`{quantifier}` has nothing to repeat").into()),
            Before::LookAround => return Err(format!("`{quantifier}` repeats a look-around").into()),
        }
        self.eat("?");
        self.out.push_str(&self.pattern[start..self.at]);
        Ok(Before::Nothing)
    }

    /// A brace that begins a quantifier, or stands for itself.
    fn brace(&mut self, before: Before) -> Result<Before> {
        let start = self.at - 1;
        let least = self.digits();
        let (has_comma, most) = if self.eat(",") { (true, self.digits()) } else { (false, "") };
        if !self.eat("}") || least.is_empty() && most.is_empty() {
            self.at = start + 1;
            self.out.push_str("\\{");
            return Ok(Before::Atom);
        }
        let quantifier = &self.pattern[start..self.at];
        if least.is_empty() {
            return Err(Refusal {
                reason: format!("`{quantifier}` stands for itself in some dialects"),
                help: Some("write the least number too, for example `{0,5}`"),
            });
        }
        let number = |digits: &str| digits.parse::<u64>().ok().filter(|&number| number <= MAX_TIMES);
        let Some(least) = number(least) else { return Err(format!("`{quantifier}` is too large").into()) };
        if has_comma && !most.is_empty() {
            let Some(most) = number(most) else { return Err(format!("`{quantifier}` is too large").into()) };
            if most < least {
                return Err(format!("`{quantifier}` is out of order").into());
            }
        }
        self.quantifier(before, start)
    }

    fn group(&mut self) -> Result<Before> {
        let start = self.at - 1;
        let mut group = Group { is_look_around: false, dot_matches_all: self.dot_matches_all };
        let look_around = ["?=", "?!", "?<=", "?<!"].into_iter().find(|open| self.eat(open));
        if let Some(open) = look_around {
            group.is_look_around = true;
            self.needs_ranges = true;
            self.out.push('(');
            self.out.push_str(open);
        } else if self.eat("?<") || self.eat("?P<") {
            self.has_foreign_group |= self.pattern[start..].starts_with("(?P");
            let name = self.name()?;
            if self.groups.contains(&Some(name)) {
                return Err(format!("two groups have the name `{name}`").into());
            }
            self.groups.push(Some(name));
            self.out.push('(');
        } else if self.eat("?") {
            let flags = self.rest().split([':', ')']).next().unwrap_or_default();
            self.at += flags.len();
            let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
            let are_known = on.chars().chain(off.chars()).all(|flag| matches!(flag, 'i' | 'm' | 's'));
            let end = self.next();
            if !are_known || end.is_none() || end == Some(')') && flags.is_empty() {
                let shown: String = self.pattern[start..].chars().take(3).collect();
                return Err(format!("`{shown}` begins no group of ECMA-262").into());
            }
            self.dot_matches_all = on.contains('s') || self.dot_matches_all && !off.contains('s');
            self.out.push_str(&self.pattern[start..self.at]);
            if end == Some(')') {
                self.has_foreign_group = true;
                return Ok(Before::Nothing);
            }
        } else {
            self.groups.push(None);
            self.out.push('(');
        }
        self.open.push(group);
        if self.open.len() > MAX_GROUPS {
            return Err(format!("it has more than {MAX_GROUPS} nested groups").into());
        }
        Ok(Before::Nothing)
    }

    fn end_of_group(&mut self) -> Result<Before> {
        let Some(group) = self.open.pop() else { return Err("a `)` closes no group".into()) };
        self.dot_matches_all = group.dot_matches_all;
        self.out.push(')');
        Ok(if group.is_look_around { Before::LookAround } else { Before::Atom })
    }

    /// Returns the name of a group, up to the closing bracket.
    fn name(&mut self) -> Result<&'p str> {
        let name = self.rest().split('>').next().unwrap_or_default();
        self.at += name.len();
        let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        if !self.eat(">") || name.is_empty() || !name.chars().all(is_letter) {
            return Err("a group has no valid name".into());
        }
        Ok(name)
    }

    /// Writes a reference to what a group has matched.
    fn reference(&mut self, number: Option<usize>, shown: &str) -> Result<Before> {
        self.needs_ranges = true;
        if let Some(known) = &self.known {
            let number = number.filter(|&number| (1..=known.len()).contains(&number));
            let Some(number) = number else { return Err(format!("`{shown}` refers to no group").into()) };
            // A group that has matched nothing is not asked for anything. The validator knows look-arounds and leaves a pattern that
            // has one alone; it does not know conditions.
            write!(self.out, "(?=)(?({number})\\{number}|)").ok();
        }
        Ok(Before::Atom)
    }

    /// An escape sequence outside of classes.
    fn escape(&mut self) -> Result<Before> {
        let start = self.at - 1;
        match self.peek() {
            Some(border @ ('b' | 'B')) => {
                self.at += 1;
                self.needs_ranges = true;
                self.out.push_str(if border == 'b' { BORDER } else { NO_BORDER });
                Ok(Before::Nothing)
            }
            Some('1'..='9') => {
                let number = self.digits().parse().ok();
                self.reference(number, &self.pattern[start..self.at])
            }
            Some('k') if self.rest().starts_with("k<") => {
                self.at += 2;
                let name = self.name()?;
                let number = self.known.iter().flatten().position(|known| *known == Some(name)).map(|index| index + 1);
                self.reference(number, &self.pattern[start..self.at])
            }
            _ => {
                match self.any_of()? {
                    AnyOf::One(one) => write_literal(&mut self.out, one),
                    AnyOf::Property(property) => self.out.push_str(property),
                    AnyOf::Class(class) => write_class(&mut self.out, class, self.needs_ranges, false),
                }
                Ok(Before::Atom)
            }
        }
    }

    /// Reads what an escape sequence stands for, after the backslash.
    fn any_of(&mut self) -> Result<AnyOf<'p>> {
        let start = self.at - 1;
        let Some(next) = self.next() else { return Err("it ends with `\\`".into()) };
        let one = match next {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => return Ok(AnyOf::Class(next)),
            'p' | 'P' => return self.property(start).map(AnyOf::Property),
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '0' if !self.peek().is_some_and(|digit| digit.is_ascii_digit()) => '\0',
            'c' if self.peek().is_some_and(|letter| letter.is_ascii_alphabetic()) => {
                char::from(self.next().map_or(0, |letter| letter as u8 % 32))
            }
            'x' => self.code(start, 2)?,
            'u' => self.unicode(start)?,
            other if other.is_ascii_alphanumeric() => {
                let help = match other {
                    'A' => Some("for the start of the string, write `^`"),
                    'z' | 'Z' => Some("for the end of the string, write `$`"),
                    'h' => Some("for a space or a tab, write `[ \\t]`"),
                    _ => None,
                };
                let reason = format!("`{}` is no escape sequence of ECMA-262", &self.pattern[start..self.at]);
                return Err(Refusal { reason, help });
            }
            itself => itself,
        };
        Ok(AnyOf::One(one))
    }

    fn property(&mut self, start: usize) -> Result<&'p str> {
        let rest = self.rest();
        let end = rest.find('}').filter(|_| rest.starts_with('{')).ok_or("a `\\p` has no property in braces")?;
        let name = &rest[1..end];
        self.at += end + 1;
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '=');
        let is_name = !name.is_empty() && name.chars().all(is_part);
        if is_name { Ok(&self.pattern[start..self.at]) } else { Err("a `\\p` has no property in braces".into()) }
    }

    /// Reads as many hexadecimal digits.
    fn hexadecimal(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest().get(..count).filter(|text| text.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        self.at += count;
        u32::from_str_radix(digits, 16).ok()
    }

    fn code(&mut self, start: usize, count: usize) -> Result<char> {
        let code = self.hexadecimal(count).and_then(char::from_u32);
        code.ok_or_else(|| format!("`{}` has no {count} hexadecimal digits", &self.pattern[start..self.at]).into())
    }

    /// The code point of `\u`: four digits, two times four for a pair of surrogates, or any number of them in braces.
    fn unicode(&mut self, start: usize) -> Result<char> {
        if self.eat("{") {
            let digits = self.rest().split('}').next().unwrap_or_default();
            self.at += digits.len();
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+') && self.eat("}"));
            let code = code.and_then(char::from_u32);
            return code.ok_or_else(|| format!("`{}` is no character", &self.pattern[start..self.at]).into());
        }
        let Some(first) = self.hexadecimal(4) else {
            return Err(format!("`{}` has no 4 hexadecimal digits", &self.pattern[start..self.at]).into());
        };
        let mut units = vec![u16::try_from(first).unwrap_or_default()];
        if (0xd800..0xdc00).contains(&first) && self.eat("\\u") {
            units.extend(self.hexadecimal(4).and_then(|second| u16::try_from(second).ok()));
        }
        match char::decode_utf16(units).next() {
            Some(Ok(decoded)) => Ok(decoded),
            _ => Err(Refusal {
                reason: format!("`{}` is half a character", &self.pattern[start..self.at]),
                help: Some("write the whole character, or its number: `\\u{1F600}`"),
            }),
        }
    }

    /// The members of a class, after its opening bracket.
    fn class(&mut self) -> Result<()> {
        let start = self.at - 1;
        let is_negated = self.eat("^");
        if self.eat("]") {
            self.out.push_str(if is_negated { "[\\u{0}-\\u{10ffff}]" } else { "[^\\u{0}-\\u{10ffff}]" });
            return Ok(());
        }
        self.out.push_str(if is_negated { "[^" } else { "[" });
        while !self.eat("]") {
            let from = self.member(start)?;
            self.write_member(&from);
            let rest = self.rest();
            if !rest.starts_with('-') || rest.starts_with("-]") {
                continue;
            }
            self.at += 1;
            let to = self.member(start)?;
            match (&from, &to) {
                (AnyOf::One(from), AnyOf::One(to)) if from > to => {
                    return Err(format!("the range `{from}-{to}` is out of order").into());
                }
                (AnyOf::One(_), AnyOf::One(_)) => self.out.push('-'),
                // A class is no end of a range, so the hyphen stands for itself.
                _ => self.out.push_str("\\-"),
            }
            self.write_member(&to);
        }
        self.out.push(']');
        Ok(())
    }

    fn member(&mut self, start: usize) -> Result<AnyOf<'p>> {
        match self.next() {
            None => {
                let shown: String = self.pattern[start..].chars().take(10).collect();
                Err(format!("the class `{shown}` is not closed").into())
            }
            Some('\\') if self.eat("b") => Ok(AnyOf::One('\u{8}')),
            Some('\\') => self.any_of(),
            Some(one) => Ok(AnyOf::One(one)),
        }
    }

    fn write_member(&mut self, member: &AnyOf<'_>) {
        match member {
            AnyOf::One(one) => write_literal(&mut self.out, *one),
            AnyOf::Property(property) => self.out.push_str(property),
            AnyOf::Class(class) => write_class(&mut self.out, *class, self.needs_ranges, true),
        }
    }
}
