//! What may help with a name that is not defined.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::builtins;
use crate::resolve::Definitions;
use crate::resolve::scope::Entry;
use crate::resolve::scope::Scope;
use crate::resolve::special_names;
use crate::syntax::Span;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;

/// Help for a variable.
pub(super) fn variable(name: &str, scope: &Scope) -> String {
    let mut known: Vec<String> = scope
        .links()
        .filter_map(|(_, link)| match &link.entry {
            Entry::Variable(name) | Entry::Constant(name, _) => Some(name.clone()),
            _ => None,
        })
        .collect();
    known.push("ENV".to_owned());
    match similar(name, known.iter().map(String::as_str)) {
        Some(similar) => format!("there is a variable `${similar}`"),
        None => format!(
            "variables are bound with `EXPRESSION as ${name} | …`, or given on the command line with `--arg {name} VALUE`"
        ),
    }
}

/// Help for a function.
pub(super) fn function(name: &str, arguments: &[Rc<Expr>], scope: &Scope, span: Span, text: &str) -> Option<String> {
    let known = known(scope);
    let arities: Vec<usize> = known.iter().filter(|(known, _)| known == name).map(|known| known.1).collect();
    if !arities.is_empty() {
        return Some(other_arity(name, arguments, arities));
    }
    if let Some(help) = from_elsewhere(name) {
        return Some(help.to_owned());
    }
    let before = text[..span.start].trim_end();
    let field = before.rsplit(|character: char| !(character.is_alphanumeric() || "_-".contains(character))).next();
    let after_field = field.is_some_and(|field| {
        field.ends_with('-') && before[..before.len() - field.len()].ends_with('.') && text[..span.start] == *before
    });
    if let (true, Some(field)) = (after_field, field) {
        return Some(format!("`-` subtracts; a field with `-` in its name is written `.\"{field}{name}\"`"));
    }
    let similar = similar(name, known.iter().map(|known| known.0.as_str()));
    let after = text[span.start..].strip_prefix(name).unwrap_or_default();
    let is_accessed = after.starts_with(['[', '.']) || before.is_empty() && after.trim_end().is_empty();
    if is_accessed && arguments.is_empty() {
        let function =
            similar.map(|similar| format!("; or did you mean the function `{similar}`?")).unwrap_or_default();
        return Some(format!("a field of the input is written `.{name}`{function}"));
    }
    if let Some(similar) = similar {
        let arity = known.iter().filter(|known| known.0 == similar).map(|known| known.1).min()?;
        let arguments = ["(…)", "(…; …)", "(…; …; …)"].get(arity.wrapping_sub(1)).copied().unwrap_or_default();
        return Some(format!("did you mean `{similar}{arguments}`?"));
    }
    let compared = before.ends_with(['=', '<', '>', '+', '(', ':', ',']) && arguments.is_empty();
    compared.then(|| {
        format!("a field of the input is written `.{name}` and a string `\"{name}\"`; a shell removes double quotes that are not inside of single quotes")
    })
}

/// Help for a function that takes another number of arguments.
fn other_arity(name: &str, arguments: &[Rc<Expr>], mut arities: Vec<usize>) -> String {
    arities.sort_unstable();
    arities.dedup();
    let takes = match &arities[..] {
        [0] => "no arguments".to_owned(),
        [1] => "1 argument".to_owned(),
        [0, others @ ..] => format!("no arguments or {}", joined(others)),
        arities => format!("{} arguments", joined(arities)),
    };
    let separator = match arguments {
        [only] if matches!(only.kind, ExprKind::Comma(_)) => "; arguments are separated by `;`, not by `,`",
        _ => "",
    };
    format!("`{name}` takes {takes}{separator}")
}

fn joined(arities: &[usize]) -> String {
    arities.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ")
}

/// Names that people bring from other languages.
fn from_elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "len" | "size" | "count" => "the number of elements is `length`",
        "delete" | "remove" => "`del(PATHS)` deletes what is at paths",
        "NaN" => "this number is `nan`",
        "Infinity" => "this number is `infinite`",
        "filter" => "`select(CONDITION)` keeps an input, `map(select(CONDITION))` filters an array",
        "sum" => "the sum of an array is `add`",
        "lower" | "tolower" | "lowercase" | "to_lower" => "`ascii_downcase` makes lower-case letters",
        "upper" | "toupper" | "uppercase" | "to_upper" => "`ascii_upcase` makes upper-case letters",
        "parseInt" | "int" | "float" | "number" | "to_number" => "`tonumber` makes a number of a string",
        "str" | "string" | "to_string" | "toString" => "`tostring` makes a string of a value",
        "typeof" => "the kind of a value is `type`",
        "distinct" | "uniq" => "`unique` removes duplicates",
        "forEach" | "each" => "`.[]` outputs each element, and `map(f)` changes each",
        "replace" => "`sub(REGEX; STRING)` and `gsub(REGEX; STRING)` replace",
        "concat" => "`+` joins arrays and strings, and `add` all elements of an array",
        "startsWith" | "starts_with" => "this function is `startswith`",
        "endsWith" | "ends_with" => "this function is `endswith`",
        "hasKey" | "has_key" => "`has(KEY)` tells whether there is a key",
        "includes" => "`contains(VALUE)`, `index(VALUE)` or `IN(VALUES)` tell whether something is contained",
        "undefined" | "nil" | "None" => "there is `null`",
        "True" => "this constant is `true`",
        "False" => "this constant is `false`",
        "print" | "echo" => "outputs need no function; `debug` writes a value to standard error",
        "leaf_paths" => "jq 1.8 has removed this function; `paths(scalars)` does the same",
        "recurse_down" => "jq 1.8 has removed this function; `recurse` does the same",
        "return" => "the output of the last expression is the result",
        "parse_json" | "json_decode" | "loads" => "`fromjson` reads JSON in a string",
        "dumps" | "json_encode" | "stringify" => "`tojson` writes a value as JSON in a string",
        _ => return None,
    })
}

/// All functions that are visible.
fn known(scope: &Scope) -> Vec<(String, usize)> {
    let own = scope.links().filter_map(|(_, link)| match &link.entry {
        Entry::Function(function) => Some((function.definition.name.clone(), function.definition.parameters.len())),
        Entry::Imported(name, function, _) => Some((name.clone(), function.definition.parameters.len())),
        Entry::Closure(name) => Some((name.clone(), 0)),
        Entry::Alias(alias) => Some((alias.name.clone(), 0)),
        _ => None,
    });
    let natives = builtins::TABLE.iter().map(|entry| (entry.name, usize::from(entry.arity)));
    let builtins = special_names().chain(Definitions::all().names()).chain(natives);
    let public = builtins.filter(|(name, _)| !name.starts_with('_'));
    own.chain(public.map(|(name, arity)| (name.to_owned(), arity))).collect()
}

/// The name that is nearest, if it is near enough to be meant.
fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (name.chars().count() / 3).min(2);
    known
        .map(|known| (strsim::osa_distance(name, known), known))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|near| near.1)
}
