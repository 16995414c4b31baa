//! Expressions that are constants as they stand: metadata of modules, keys of objects, arrays and objects of literals.

#![forbid(unsafe_code)]

use crate::ir::Constant;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::ast::Part;

/// How deep an array or object is that is made once. Each level looks at what is below it.
const HIGHEST: usize = 10;

/// The value of an array or object of literals, so that it is not made for each input, or of `null`, `true` or `false`, which no
/// definition replaces.
pub(super) fn literal(expr: &Expr) -> Option<Constant> {
    let is_literal = matches!(expr.kind, ExprKind::Array(_) | ExprKind::Object(_) | ExprKind::Call(..));
    if is_literal && expr.height <= HIGHEST { of(expr) } else { None }
}

/// The value of an expression of literals, arrays and objects.
pub(super) fn of(expr: &Expr) -> Option<Constant> {
    Some(match &expr.kind {
        ExprKind::Number(digits) => Constant::Number(number(digits)),
        ExprKind::Negate(inner) => match of(inner)? {
            Constant::Number(digits) => Constant::Number(negated(&digits)),
            _ => return None,
        },
        ExprKind::String(_, parts) => {
            let texts = parts.iter().map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Interpolation(_) => None,
            });
            Constant::String(texts.collect::<Option<String>>()?)
        }
        ExprKind::Array(None) => Constant::Array(Vec::new()),
        ExprKind::Array(Some(items)) => match &items.kind {
            ExprKind::Comma(items) => Constant::Array(items.iter().map(of).collect::<Option<_>>()?),
            _ => Constant::Array(vec![of(items)?]),
        },
        ExprKind::Object(members) => {
            let member = |(key, value): &(Expr, Expr)| match of(key)? {
                Constant::String(key) => Some((key, of(value)?)),
                _ => None,
            };
            Constant::Object(members.iter().map(member).collect::<Option<_>>()?)
        }
        ExprKind::Call(name, arguments) if arguments.is_empty() => match name.as_str() {
            "null" => Constant::Null,
            "true" => Constant::Boolean(true),
            "false" => Constant::Boolean(false),
            _ => return None,
        },
        _ => return None,
    })
}

/// A number in the grammar of JSON: `.5` and `5.` are numbers in programs only.
pub(super) fn number(digits: &str) -> String {
    let end = digits.find(['e', 'E']).unwrap_or(digits.len());
    let (mantissa, exponent) = digits.split_at(end);
    let mantissa = mantissa.strip_suffix('.').unwrap_or(mantissa);
    let zero = if mantissa.starts_with('.') { "0" } else { "" };
    format!("{zero}{mantissa}{exponent}")
}

/// A number with the other sign; zero has none, as in the arithmetic of decimal numbers.
pub(super) fn negated(digits: &str) -> String {
    let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
    if !mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
        return digits.to_owned();
    }
    digits.strip_prefix('-').map_or_else(|| format!("-{digits}"), str::to_owned)
}

/// The text of a constant in a message.
pub(super) fn text(constant: &Constant) -> String {
    match constant {
        Constant::Null => "null".to_owned(),
        Constant::Boolean(value) => value.to_string(),
        Constant::Number(digits) => digits.clone(),
        Constant::String(text) => format!("{text:?}"),
        Constant::Array(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(",")),
        Constant::Object(members) => {
            let member = |(key, value): &(String, Constant)| format!("{key:?}:{}", text(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
        Constant::Documents(text) => text.clone(),
    }
}
