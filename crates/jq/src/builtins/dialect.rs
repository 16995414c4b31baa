//! The dialect of Oniguruma, as jq uses it, in that of `fancy_regex`.
//!
//! `^` and `$` match at the start and end of the text, `$` also before a final line break, and `.` does not match a line break. What a
//! quantifier follows may have one already: `a?{2}` is `(?:a?){2}`, and `a+ ?` of the extended form is `(?:a+)?`. `\p` has the case of
//! its class, even if case is ignored. `\h` and `\u` are letters, `{,n}` stands for itself, and classes have no operators and no classes
//! inside, except those like `[:alpha:]`.

#![forbid(unsafe_code)]

use crate::value::Error;

/// An expression that is being translated.
struct Translator<'p> {
    rest: &'p str,
    out: String,
    /// Whether whitespace and comments after `#` are left out.
    is_extended: bool,
    /// Whether case may be ignored.
    may_ignore_case: bool,
    /// Groups that are open.
    groups: Vec<Group>,
    /// How many groups that capture have begun.
    captures: usize,
    /// What a quantifier would repeat.
    last: Option<Atom>,
}

/// A group that is open.
struct Group {
    atom: Atom,
    /// Whether the form is extended outside of it.
    is_extended: bool,
}

/// A part of the expression that can be repeated.
#[derive(Clone, Copy)]
struct Atom {
    /// Where it begins in the output.
    start: usize,
    /// How many groups that capture begin before it.
    captures: usize,
    is_quantified: bool,
}

/// Returns an expression in the dialect of `fancy_regex`, without the whitespace and comments of the extended form.
pub(super) fn translate(pattern: &str, is_extended: bool, ignores_case: bool) -> Result<String, Error> {
    let mut translator = Translator {
        rest: pattern,
        out: String::with_capacity(pattern.len() + 16),
        is_extended,
        may_ignore_case: ignores_case || pattern.contains("(?"),
        groups: Vec::new(),
        captures: 0,
        last: None,
    };
    while let Some(character) = translator.rest.chars().next() {
        translator.part(character)?;
    }
    Ok(translator.out)
}

fn refused(reason: &str) -> Error {
    Error::new(format!("Regex failure: {reason}"))
}

impl Translator<'_> {
    /// Translates what begins with `character`.
    fn part(&mut self, character: char) -> Result<(), Error> {
        let atom = Atom { start: self.out.len(), captures: self.captures, is_quantified: false };
        let length = character.len_utf8();
        match character {
            '\\' => self.escape(),
            '(' => return self.open(atom),
            '[' => self.class()?,
            ')' => {
                self.copy(1);
                let group = self.groups.pop();
                self.is_extended = group.as_ref().map_or(self.is_extended, |group| group.is_extended);
                self.last = group.map(|group| group.atom);
                return Ok(());
            }
            '|' => {
                self.copy(1);
                self.last = None;
                return Ok(());
            }
            '*' | '+' | '?' => return self.quantifier(1),
            '{' if let Some(length) = interval(self.rest) => return self.quantifier(length),
            '{' if self.rest.starts_with("{,") => self.replace(1, "\\{"),
            '#' if self.is_extended => {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
                return Ok(());
            }
            _ if self.is_extended && character.is_ascii_whitespace() => {
                self.skip(1);
                return Ok(());
            }
            '$' => self.replace(1, END),
            _ => self.copy(length),
        }
        self.last = Some(atom);
        Ok(())
    }

    fn skip(&mut self, length: usize) {
        self.rest = &self.rest[length..];
    }

    fn copy(&mut self, length: usize) {
        let (text, rest) = self.rest.split_at(length);
        self.out.push_str(text);
        self.rest = rest;
    }

    fn replace(&mut self, length: usize, text: &str) {
        self.out.push_str(text);
        self.skip(length);
    }

    /// An escape outside of a class.
    fn escape(&mut self) {
        let Some(escaped) = self.rest[1..].chars().next() else { return self.copy(1) };
        let length = 1 + escaped.len_utf8();
        let rest = &self.rest[length..];
        let through = |end: char| rest.find(end).map_or(0, |at| at + end.len_utf8());
        let further = match (escaped, rest.chars().next()) {
            ('p' | 'P' | 'x' | 'o', Some('{')) => through('}'),
            ('k' | 'g', Some('<')) => through('>'),
            ('x', _) => rest.chars().take(2).take_while(char::is_ascii_hexdigit).count(),
            ('0'..='9', _) => rest.chars().take_while(char::is_ascii_digit).count(),
            _ => 0,
        };
        match escaped {
            'Z' => self.replace(length, END),
            'N' => self.replace(length, "[^\\n]"),
            'h' | 'H' | 'u' => {
                self.skip(1);
                self.copy(1);
            }
            'p' | 'P' if self.may_ignore_case && further > 0 => {
                self.out.push_str("(?-i:");
                self.copy(length + further);
                self.out.push(')');
            }
            _ => self.copy(length + further),
        }
    }

    /// A class, up to its bracket.
    fn class(&mut self) -> Result<(), Error> {
        self.copy(1);
        // A bracket is no end right after the start.
        let length = if self.rest.starts_with("^]") { 2 } else { usize::from(self.rest.starts_with([']', '^'])) };
        let is_empty = self.rest[..length].ends_with(']');
        let start = self.rest[..length].replace(']', "\\]");
        self.replace(length, &start);
        if is_empty && !self.rest.contains(']') {
            return Err(refused("empty char-class"));
        }
        while let Some(character) = self.rest.chars().next() {
            match character {
                '\\' => {
                    let Some(escaped) = self.rest[1..].chars().next() else {
                        self.copy(1);
                        break;
                    };
                    self.skip(usize::from(matches!(escaped, 'h' | 'H' | 'u')));
                    self.copy(if self.rest.starts_with('\\') { 1 + escaped.len_utf8() } else { 1 });
                    // A class is no end of a range, so the hyphen stands for itself.
                    if matches!(escaped, 'd' | 'D' | 's' | 'S' | 'w' | 'W') && self.rest.starts_with('-') {
                        self.replace(1, "\\-");
                    }
                }
                '[' => self.named_class()?,
                ']' => {
                    self.copy(1);
                    break;
                }
                '&' | '~' => {
                    self.out.push('\\');
                    self.copy(1);
                }
                _ => self.copy(character.len_utf8()),
            }
        }
        Ok(())
    }

    /// A bracket in a class: a class like `[:alpha:]`, or the bracket itself.
    fn named_class(&mut self) -> Result<(), Error> {
        let Some(length) = self.rest.strip_prefix("[:").and_then(|name| name.find(":]")) else {
            self.replace(1, "\\[");
            return Ok(());
        };
        let name = &self.rest[..length + 4];
        if !POSIX.contains(&name[2..length + 2].trim_start_matches('^')) {
            return Err(refused("invalid POSIX bracket type"));
        }
        self.out.push_str(CLASSES.iter().find(|class| class.0 == name).map_or(name, |class| class.1));
        self.skip(length + 4);
        Ok(())
    }

    /// An opening parenthesis: of a comment, of flags or of a group.
    fn open(&mut self, atom: Atom) -> Result<(), Error> {
        let Some(rest) = self.rest.strip_prefix("(?") else {
            self.copy(1);
            self.captures += 1;
            self.begin(atom, self.is_extended);
            return Ok(());
        };
        if rest.starts_with('#') {
            let mut is_escaped = false;
            let end = rest.find(|character| {
                let is_end = character == ')' && !is_escaped;
                is_escaped = character == '\\' && !is_escaped;
                is_end
            });
            self.skip("(?".len() + end.ok_or_else(|| refused("end pattern in group"))? + 1);
            return Ok(());
        }
        if rest.starts_with('P') {
            return Err(refused("undefined group option"));
        }
        if let Some(flags) = flags(rest) {
            self.flags(atom, flags);
            return Ok(());
        }
        let name = rest.strip_prefix('<').filter(|name| !name.starts_with(['=', '!']));
        let prefix = match (name, rest.chars().next()) {
            (Some(name), _) if name.starts_with(|first: char| first.is_ascii_digit()) => {
                let name = name.split('>').next().unwrap_or_default();
                return Err(refused(&format!("invalid group name <{name}>")));
            }
            (Some(name), _) => {
                self.captures += 1;
                1 + name.find('>').map_or(0, |end| end + 1)
            }
            (None, Some('<')) => 2,
            (None, Some('=' | '!' | '>')) => 1,
            _ => 0,
        };
        self.copy("(?".len() + prefix);
        self.begin(atom, self.is_extended);
        Ok(())
    }

    /// Begins a group. Outside of it, the form may be another.
    fn begin(&mut self, atom: Atom, is_extended: bool) {
        self.groups.push(Group { atom, is_extended });
        self.last = None;
    }

    /// Flags for the rest of the group, or for a group of their own. The form is extended here, so `x` is left out.
    fn flags(&mut self, atom: Atom, flags: &str) {
        let outer = self.is_extended;
        let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
        self.is_extended = (outer || on.contains('x')) && !off.contains('x');
        let [on, off] = [on, off].map(|letters| letters.replace('x', ""));
        self.skip("(?".len() + flags.len());
        let is_group = self.rest.starts_with(':');
        let has_flags = !on.is_empty() || !off.is_empty();
        if is_group || has_flags {
            let minus = if off.is_empty() { "" } else { "-" };
            self.out.extend(["(?", &on, minus, &off]);
            self.copy(1);
        } else {
            self.skip(1);
        }
        if is_group {
            self.begin(atom, outer);
        } else {
            self.last = None;
        }
    }

    /// A quantifier of this length, and the sign after it by which it is lazy or possessive.
    fn quantifier(&mut self, length: usize) -> Result<(), Error> {
        let length = length + usize::from(self.rest[length..].starts_with(['?', '+']));
        let atom = self.last.ok_or_else(|| refused("target of repeat operator is not specified"))?;
        if atom.is_quantified {
            self.out.insert_str(atom.start, "(?:");
            self.out.push(')');
        }
        let is_never = self.rest.starts_with("{0}") || self.rest.starts_with("{0,0}");
        if is_never && self.captures > atom.captures {
            // The groups exist all the same.
            self.out.insert_str(atom.start, "(?:(?!)");
            self.replace(length, ")?");
        } else {
            self.copy(length);
        }
        self.last = Some(Atom { is_quantified: true, ..atom });
        Ok(())
    }
}

/// The length of an interval at the beginning of a text, such as `{2}`, `{2,}` and `{2,3}`.
fn interval(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('{')?;
    let inside = &inside[..inside.find('}')?];
    let (least, most) = inside.split_once(',').unwrap_or((inside, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (!least.is_empty() && is_number(least) && is_number(most)).then_some(inside.len() + 2)
}

/// The flags at the beginning of a text that follows `(?`, if they end with `)` or `:`.
fn flags(text: &str) -> Option<&str> {
    let length = text.find(|character: char| !character.is_ascii_lowercase() && character != '-')?;
    (text[length..].starts_with([')', ':'])).then_some(&text[..length])
}

/// The names of classes between `[:` and `:]`.
const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

/// Where the text ends, with or without a final line break.
const END: &str = r"(?=\n?\z)";

/// Named classes that have more than ASCII in Oniguruma.
const CLASSES: &[(&str, &str)] = &[
    ("[:alnum:]", r"\p{Alphabetic}\p{M}\p{Nd}"),
    ("[:alpha:]", r"\p{Alphabetic}\p{M}"),
    ("[:blank:]", r"\t\p{Zs}"),
    ("[:cntrl:]", r"\p{Cc}"),
    ("[:digit:]", r"\p{Nd}"),
    ("[:lower:]", r"\p{Lowercase}"),
    ("[:punct:]", r"\p{P}\p{S}"),
    ("[:space:]", r"\s"),
    ("[:upper:]", r"\p{Uppercase}"),
    ("[:word:]", r"\w"),
    ("[:^alpha:]", r"\P{Alphabetic}"),
    ("[:^digit:]", r"\P{Nd}"),
    ("[:^lower:]", r"\P{Lowercase}"),
    ("[:^space:]", r"\S"),
    ("[:^upper:]", r"\P{Uppercase}"),
    ("[:^word:]", r"\W"),
];

#[cfg(test)]
mod tests {
    use super::END;
    use super::translate;

    #[test]
    fn dialect() {
        for (pattern, expected) in [
            (r"a$|[$\]$]\$", format!(r"a{END}|[$\]$]\$")),
            (r"\Z", END.to_owned()),
            (r"[a-c&&[b]]", r"[a-c\&\&\[b]]".to_owned()),
            (r"[[:digit:]_$]$", format!(r"[\p{{Nd}}_$]{END}")),
            (r"[]a$][^]$]", r"[\]a$][^\]$]".to_owned()),
            (r"\h[\h]\u0041", "h[h]u0041".to_owned()),
            (r"a{,2}[{,]", r"a\{,2}[{,]".to_owned()),
            (r"[\w-x]\w-", r"[\w\-x]\w-".to_owned()),
            (r"a?{2}b{1}{2}?", "(?:a?){2}(?:b{1}){2}?".to_owned()),
            (r"(a){0}(?:(b)c){0,0}d{0}", "(?:(?!)(a))?(?:(?!)(?:(b)c))?d{0}".to_owned()),
            (r"a+(?#c)?(?x: b )c", "(?:a+)?(?:b)c".to_owned()),
            (r"((?ix) a b) c\p{L}", "((?i)ab) c(?-i:\\p{L})".to_owned()),
        ] {
            assert_eq!(translate(pattern, false, false).as_ref(), Ok(&expected));
        }
        assert_eq!(translate("a [ #] # $\n$", true, false), Ok(format!("a[ #]{END}")));
    }
}
