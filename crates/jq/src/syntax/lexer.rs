//! The text of a program as tokens.
//!
//! A string becomes several tokens: its start, pieces of text, the tokens of interpolations, its end. The lexer therefore keeps a
//! stack of open brackets and strings, which also finds brackets that do not match.

#![forbid(unsafe_code)]

use crate::syntax::Fault;
use crate::syntax::Span;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// An operator or a bracket.
    Operator(&'static str),
    Keyword(&'static str),
    /// A name, possibly with the name of a module before it: `a::b`.
    Name(String),
    /// `.name`
    Field(String),
    /// `$name`
    Variable(String),
    Number(String),
    /// `@name`
    Format(String),
    StringStart,
    StringText(String),
    InterpolationStart,
    InterpolationEnd,
    StringEnd,
    /// A character or a closing bracket that fits nowhere.
    Invalid,
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// Longer ones first.
const OPERATORS: [&str; 37] = [
    "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..", "::", ".", "[", "]", "{",
    "}", "(", ")", "|", ",", ":", ";", "=", "<", ">", "+", "-", "*", "/", "%", "?", "$", "!",
];

pub(crate) const KEYWORDS: [&str; 19] = [
    "as", "def", "module", "import", "include", "if", "then", "else", "elif", "end", "reduce", "foreach", "and", "or",
    "try", "catch", "label", "break", "__loc__",
];

/// What is open at a place.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Bracket(&'static str),
    /// The brackets of an interpolation.
    Interpolation,
    String,
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open>,
    tokens: Vec<Token>,
}

/// Returns the tokens of a text; the last one is `End`.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut lexer = Lexer { text, at: 0, open: Vec::new(), tokens: Vec::new() };
    loop {
        if lexer.open.last() == Some(&Open::String) {
            lexer.string_piece()?;
            continue;
        }
        lexer.skip_blanks();
        if lexer.at == text.len() {
            // jq shows the last token where the end comes too early.
            let span = lexer.tokens.last().map_or(Span::new(0, 0), |token| token.span);
            lexer.tokens.push(Token { kind: TokenKind::End, span });
            return Ok(lexer.tokens);
        }
        lexer.token();
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Length of the name at the start of a text, 0 if there is none; with `modules`, `a::b` is a name.
fn name_length(text: &[u8], modules: bool) -> usize {
    if !text.first().copied().is_some_and(is_name_start) {
        return 0;
    }
    let mut length = 0;
    loop {
        length += text[length..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let continues = text[length..].starts_with(b"::") && text.get(length + 2).copied().is_some_and(is_name_start);
        if !modules || !continues {
            return length;
        }
        length += 2;
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Length of the number at the start of a text.
fn number_length(text: &[u8]) -> usize {
    let mut length = digits(text);
    if text.get(length) == Some(&b'.') {
        length += 1;
        length += digits(&text[length..]);
    }
    if matches!(text.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(&text[(length + 1 + sign).min(text.len())..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        self.tokens.push(Token { kind, span });
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.at += 1,
                [b'#', ..] => self.skip_comment(),
                _ => return,
            }
        }
    }

    /// A backslash continues a comment in the next line, as in Tcl.
    fn skip_comment(&mut self) {
        let text = self.text.as_bytes();
        while let Some(&byte) = text.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' => {
                    let carriage_return = text[self.at + 1..].starts_with(b"\r\n");
                    self.at = (self.at + 2 + usize::from(carriage_return)).min(text.len());
                }
                _ => self.at += 1,
            }
        }
    }

    fn token(&mut self) {
        let rest = self.rest();
        let name = name_length(rest, true);
        if name > 0 {
            let text = &self.text[self.at..self.at + name];
            let keyword = KEYWORDS.iter().find(|keyword| **keyword == text);
            let kind = keyword.map_or_else(|| TokenKind::Name(text.to_owned()), |keyword| TokenKind::Keyword(keyword));
            return self.push(kind, name);
        }
        match rest[0] {
            b'.' if name_length(&rest[1..], false) > 0 => {
                let length = name_length(&rest[1..], false);
                self.push(TokenKind::Field(self.text[self.at + 1..=self.at + length].to_owned()), length + 1);
            }
            b'$' if name_length(&rest[1..], true) > 0 => {
                let length = name_length(&rest[1..], true);
                self.push(TokenKind::Variable(self.text[self.at + 1..=self.at + length].to_owned()), length + 1);
            }
            b'@' => {
                let is_format = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                let length = rest[1..].iter().take_while(is_format).count();
                match length {
                    0 => self.push(TokenKind::Invalid, 1),
                    _ => self.push(TokenKind::Format(self.text[self.at..=self.at + length].to_owned()), length + 1),
                }
            }
            b'0'..=b'9' => self.number(),
            b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => self.number(),
            b'"' => {
                self.open.push(Open::String);
                self.push(TokenKind::StringStart, 1);
            }
            _ => self.operator(),
        }
    }

    fn number(&mut self) {
        let length = number_length(self.rest());
        self.push(TokenKind::Number(self.text[self.at..self.at + length].to_owned()), length);
    }

    fn operator(&mut self) {
        let rest = &self.text[self.at..];
        let Some(operator) = OPERATORS.iter().copied().find(|operator| rest.starts_with(operator)) else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            return self.push(TokenKind::Invalid, length);
        };
        let closes = match operator {
            "(" | "[" | "{" => {
                self.open.push(Open::Bracket(operator));
                None
            }
            ")" => Some("("),
            "]" => Some("["),
            "}" => Some("{"),
            _ => None,
        };
        let Some(opening) = closes else { return self.push(TokenKind::Operator(operator), operator.len()) };
        let kind = match self.open.last() {
            Some(Open::Bracket(open)) if *open == opening => TokenKind::Operator(operator),
            Some(Open::Interpolation) if operator == ")" => TokenKind::InterpolationEnd,
            _ => TokenKind::Invalid,
        };
        if kind != TokenKind::Invalid {
            self.open.pop();
        }
        self.push(kind, 1);
    }

    /// Text up to an escape, escapes, an interpolation, or the end of the string.
    fn string_piece(&mut self) -> Result<(), Fault> {
        match self.rest() {
            // The quote that begins the string may be a mistake itself, which is reported first.
            [] if self.tokens.iter().any(|token| token.kind == TokenKind::Invalid) => {
                self.open.pop();
                Ok(())
            }
            [] => {
                let start = self.tokens.iter().rposition(|token| token.kind == TokenKind::StringStart);
                let span = start.map_or(Span::default(), |at| self.tokens[at].span);
                Err(Fault::new("syntax error, unexpected end of file, expecting the end of a string", span)
                    .help("a string ends with `\"`; a quote inside of it is written `\\\"`"))
            }
            [b'"', ..] => {
                self.open.pop();
                self.push(TokenKind::StringEnd, 1);
                Ok(())
            }
            [b'\\', b'(', ..] => {
                self.open.push(Open::Interpolation);
                self.push(TokenKind::InterpolationStart, 2);
                Ok(())
            }
            [b'\\', ..] => self.escapes(),
            rest => {
                let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(rest.len());
                self.push(TokenKind::StringText(self.text[self.at..self.at + length].to_owned()), length);
                Ok(())
            }
        }
    }

    /// Escapes that follow each other, decoded together, as two may be one character.
    fn escapes(&mut self) -> Result<(), Fault> {
        let text = &self.text[self.at..];
        let mut length = 0;
        let mut decoded = String::new();
        let mut valid = true;
        while text[length..].starts_with('\\') && !text[length..].starts_with("\\(") {
            let (character, consumed) = escape(&text[length..]);
            valid &= character.is_some();
            decoded.push(character.unwrap_or_default());
            length += consumed;
        }
        if !valid {
            let quoted = format!("\"{}\"", &text[..length]);
            let column = quoted.chars().count();
            let message = format!("Invalid escape at line 1, column {column} (while parsing '{quoted}')");
            return Err(Fault::new(message, Span::new(self.at, self.at + length))
                .help("escapes are `\\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t`, `\\uXXXX` and `\\(expression)`; a backslash is written `\\\\`"));
        }
        self.push(TokenKind::StringText(decoded), length);
        Ok(())
    }
}

/// The character of the escape at the start of a text, and its length; None if there is no such escape.
fn escape(text: &str) -> (Option<char>, usize) {
    let Some(kind) = text[1..].chars().next() else { return (None, 1) };
    let simple = match kind {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '"' | '\\' | '/' => kind,
        'u' => return unicode_escape(text),
        _ => return (None, 1 + kind.len_utf8()),
    };
    (Some(simple), 2)
}

/// Half of a surrogate pair is the replacement character.
fn unicode_escape(text: &str) -> (Option<char>, usize) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(2) else {
        let length = text[2..].bytes().take(4).take_while(u8::is_ascii_alphanumeric).count();
        return (None, 2 + length);
    };
    if (0xd800..0xdc00).contains(&first)
        && text[6..].starts_with("\\u")
        && let Some(second) = unit(8).filter(|second| (0xdc00..0xe000).contains(second))
    {
        return (char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)), 12);
    }
    (Some(char::from_u32(first).unwrap_or('\u{fffd}')), 6)
}
