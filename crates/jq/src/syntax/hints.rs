//! What may help with a program that cannot be parsed: the mistakes that people make, recognized by the tokens around the place.

#![forbid(unsafe_code)]

use crate::syntax::Span;
use crate::syntax::lexer::Token;
use crate::syntax::lexer::TokenKind;

/// A token in a message. Those that jq's own tests know have the names that they have there.
pub(super) fn token_name(kind: &TokenKind) -> String {
    match kind {
        TokenKind::Operator(operator) => format!("'{operator}'"),
        TokenKind::Keyword(keyword) => format!("keyword '{keyword}'"),
        TokenKind::Name(name) => format!("name '{name}'"),
        TokenKind::Field(name) => format!("'.{name}'"),
        TokenKind::Variable(name) => format!("'${name}'"),
        TokenKind::Number(digits) => format!("number {digits}"),
        TokenKind::Format(name) => format!("format {name}"),
        TokenKind::StringStart => "string".to_owned(),
        TokenKind::StringText(_) | TokenKind::InterpolationStart | TokenKind::StringEnd => {
            "part of a string".to_owned()
        }
        TokenKind::InterpolationEnd => "')'".to_owned(),
        TokenKind::Invalid => "INVALID_CHARACTER".to_owned(),
        TokenKind::End => "end of file".to_owned(),
    }
}

/// A place in words.
pub(super) fn place(text: &str, span: Span) -> String {
    let before = &text[..span.start];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|character| *character != '\n').count() + 1;
    format!("in line {line}, column {column}")
}

/// Tokens, and where the parser is among them.
pub(super) struct Position<'p> {
    pub(super) text: &'p str,
    pub(super) tokens: &'p [Token],
    pub(super) at: usize,
}

impl Position<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn kind(&self) -> &TokenKind {
        &self.token().kind
    }
}

/// Help for what follows a dot after a term, if it is no name, string or bracket.
pub(super) fn after_dot(kind: &TokenKind) -> String {
    match kind {
        TokenKind::Variable(name) => format!("a field whose name is in a variable is written `.[${name}]`"),
        TokenKind::Keyword(name) => format!("this field is written `.{name}`, without a space"),
        TokenKind::Name(name) => format!("fields are written without a space: `.{name}`"),
        TokenKind::Operator("(") => {
            "a field whose name is computed is written `.[…]`, a step of the program `| (…)`".to_owned()
        }
        TokenKind::Operator("*") => "all elements are written `.[]`".to_owned(),
        TokenKind::Operator("{") => "a new object is made of the input with a pipe: `| {…}`".to_owned(),
        _ => "a dot is followed by a name, a string or a bracket: `.name`, `.\"any name\"`, `.[0]`".to_owned(),
    }
}

/// Whether a name is how other languages write `elif`.
pub(super) fn is_elif(name: &str) -> bool {
    matches!(name, "elseif" | "elsif" | "elsIf" | "elseIf")
}

/// Help for the next token, which does not fit, if it comes from another language.
fn from_elsewhere(parser: &Position<'_>) -> Option<String> {
    let token = |back: usize| parser.at.checked_sub(back).map(|at| &parser.tokens[at].kind);
    let help = match (token(2), token(1)?, parser.kind()) {
        (_, _, TokenKind::Name(name)) if is_elif(name) => "another condition of an `if` is written `elif`",
        (_, TokenKind::Number(from), TokenKind::Number(to)) if from.ends_with('.') && to.starts_with('.') => {
            return Some(format!("a part of an array is written `[{}:{}]`", from.trim_end_matches('.'), &to[1..]));
        }
        (Some(TokenKind::Name(name)), TokenKind::Operator("("), TokenKind::Operator(")")) => {
            return Some(format!("without arguments, a function has no parentheses: `{name}`"));
        }
        (_, TokenKind::Operator("["), TokenKind::Operator("*")) => {
            "all elements are written `.[]`; `[*]` is JSONPath, which `fjson query` understands"
        }
        (_, TokenKind::Operator("+"), TokenKind::Operator("+")) => "one is added with `+= 1`",
        (Some(TokenKind::Operator("-")), TokenKind::Operator("-"), TokenKind::End) => "one is subtracted with `-= 1`",
        _ if is_choice(parser) => "a choice is written `if CONDITION then VALUE else VALUE end`",
        _ => return None,
    };
    Some(help.to_owned())
}

/// Whether `?` was before the next token, and `:` follows, outside of objects.
fn is_choice(parser: &Position<'_>) -> bool {
    let (before, after) = parser.tokens.split_at(parser.at);
    let has = |tokens: &[Token], operator| tokens.iter().any(|token| token.kind == TokenKind::Operator(operator));
    has(before, "?") && has(after, ":") && !in_object(parser)
}

/// Help for the next token, which does not fit.
pub(super) fn unexpected(parser: &Position<'_>, expected: &[&str]) -> Option<String> {
    let span = parser.token().span;
    let text = &parser.text[span.start..span.end];
    let before = parser.at.checked_sub(1).map(|at| &parser.tokens[at].kind);
    if let Some(help) = from_elsewhere(parser) {
        return Some(help);
    }
    let help = match parser.kind() {
        _ if expected == ["':'"] => "what it stands for follows `:`, as in `def f: BODY;` and `{key: $name}`",
        TokenKind::Operator("$") if matches!(next(parser), TokenKind::Field(_) | TokenKind::Operator("[" | "..")) => {
            "this is JSONPath, which `fjson query` understands; here, the input is `.`, and its fields `.name`"
        }
        TokenKind::Operator("$") => "a variable has a name: `$name`",
        TokenKind::Invalid => return Some(invalid(parser, text)),
        TokenKind::Operator("|") if before == Some(&TokenKind::Operator("|")) => {
            "the alternative of two conditions is written `or`"
        }
        TokenKind::Operator("!") => "the negation of a condition is written `(…) | not`, and \"is not equal\" `!=`",
        TokenKind::Operator("=") if in_object(parser) => "the key and the value of a member are separated by `:`",
        TokenKind::Operator("=") if before == Some(&TokenKind::Operator("==")) => "equality is written `==`",
        TokenKind::Operator("," | ";") if expected.contains(&"end of file") => {
            "`;` ends definitions and separates arguments; expressions are joined with `|` or `,`"
        }
        TokenKind::Operator("}") if before == Some(&TokenKind::Operator(":")) => "after `:` a value is expected",
        TokenKind::Operator(")" | "]" | "}") if matches!(before, Some(TokenKind::Operator(","))) => {
            "an expression is missing after `,`"
        }
        TokenKind::Operator("%") if expected.contains(&"end of file") => {
            "a program begins with an expression, such as `.`"
        }
        TokenKind::Operator(_) if matches!(before, Some(TokenKind::Operator("|"))) => {
            "an expression is missing after `|`"
        }
        TokenKind::Keyword("else" | "elif" | "end") => {
            "`if` is written `if CONDITION then VALUE elif CONDITION then VALUE else VALUE end`"
        }
        TokenKind::Keyword("as") => "variables are bound with `EXPRESSION as $name | …`",
        TokenKind::Number(digits) if digits.starts_with('.') => {
            return Some(format!("an element of an array is written `[{}]`", &digits[1..]));
        }
        TokenKind::Name(name) if name == "else" => "`else` belongs to `if`",
        TokenKind::Name(_)
        | TokenKind::Field(_)
        | TokenKind::Variable(_)
        | TokenKind::Number(_)
        | TokenKind::StringStart
            if ends_term(before) =>
        {
            "between two expressions an operator is missing, such as `|` or `,`"
        }
        TokenKind::End if matches!(before, Some(TokenKind::Operator("|" | ","))) => {
            "an expression is missing at the end"
        }
        TokenKind::End if before == Some(&TokenKind::Operator("*")) && parser.text.trim_end().ends_with(".*") => {
            "all elements are written `.[]`"
        }
        TokenKind::End => return unclosed(parser),
        _ => return None,
    };
    Some(help.to_owned())
}

/// Help for a character that begins no token, or a bracket that closes nothing.
fn invalid(parser: &Position<'_>, text: &str) -> String {
    let span = parser.token().span;
    match text {
        "'" => "strings are written in double quotes; a whole program is put in single quotes only for the shell"
            .to_owned(),
        "\\" => "a backslash has a meaning only in strings; in single quotes, the shell passes on `\\\"` as it is"
            .to_owned(),
        "&" => "both of two conditions is written `and`".to_owned(),
        "`" => "strings are written in double quotes".to_owned(),
        "@" => "a format has a name: `@csv`, `@json`, `@base64`".to_owned(),
        "“" | "”" | "„" | "‘" | "’" => "strings are written in plain double quotes, `\"`".to_owned(),
        ")" | "]" | "}" => format!("the `{text}` {} closes nothing", place(parser.text, span)),
        _ => {
            format!("`{text}` is no part of the language; names of fields with special characters are written `.\"…\"`")
        }
    }
}

/// The token after the next one.
fn next<'p>(parser: &Position<'p>) -> &'p TokenKind {
    &parser.tokens[(parser.at + 1).min(parser.tokens.len() - 1)].kind
}

fn ends_term(token: Option<&TokenKind>) -> bool {
    matches!(
        token,
        Some(
            TokenKind::Name(_)
                | TokenKind::Field(_)
                | TokenKind::Variable(_)
                | TokenKind::Number(_)
                | TokenKind::StringEnd
                | TokenKind::Format(_)
                | TokenKind::Operator("." | ".." | ")" | "]" | "}")
        )
    )
}

/// Whether the innermost bracket before the next token is that of an object.
fn in_object(parser: &Position<'_>) -> bool {
    innermost(parser).is_some_and(|(bracket, _)| bracket == "{")
}

/// Help where the end comes too early.
fn unclosed(parser: &Position<'_>) -> Option<String> {
    let (bracket, span) = innermost(parser)?;
    let closing = match bracket {
        "(" => ")",
        "[" => "]",
        _ => "}",
    };
    Some(format!("the `{bracket}` {} needs a closing `{closing}`", place(parser.text, span)))
}

/// The innermost bracket that is open before the next token.
fn innermost(parser: &Position<'_>) -> Option<(&'static str, Span)> {
    let mut closed = 0;
    for token in parser.tokens[..parser.at].iter().rev() {
        match token.kind {
            TokenKind::Operator(")" | "]" | "}") => closed += 1,
            TokenKind::Operator("(" | "[" | "{") if closed > 0 => closed -= 1,
            TokenKind::Operator(bracket @ ("(" | "[" | "{")) => return Some((bracket, token.span)),
            _ => {}
        }
    }
    None
}
