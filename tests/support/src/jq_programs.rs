//! Random programs in the jq language, and documents for them.
//!
//! Programs have every kind of expression, end soon, and ask for nothing but their input: no time, no environment.

use crate::random::Random;

/// Expressions without parts. The two slices of an array have different lengths, since jq 1.8 takes those of the same length for equal.
const LEAVES: &[&str] = &[
    ".", ".", ".a", ".a", ".b", ".c", ".[0]", ".[-1]", ".[]?", ".a[]?", ".[1:]", ".[:9]?", ".a.b?", "..", "null",
    "true", "false", "0", "1", "-1.5", "2", "\"a\"", "\"b\"", "[]", "{}", "empty",
];

/// Functions of their input.
const FUNCTIONS: &[&str] = &[
    "length",
    "not",
    "keys",
    "values",
    "add",
    "any",
    "all",
    "flatten",
    "floor",
    "sqrt",
    "tostring",
    "tonumber",
    "type",
    "sort",
    "unique",
    "min",
    "max",
    "reverse",
    "to_entries",
    "from_entries",
    "ascii_downcase",
    "ascii_upcase",
    "explode",
    "tojson",
    "fromjson",
    "paths",
    "first",
    "last",
    "transpose",
    "utf8bytelength",
    "trim",
    "ltrim",
    "abs",
    "tostream",
    "@base64",
    "@base64d",
    "@uri",
    "@html",
    "@sh",
    "@json",
    "@text",
    "@csv",
    "@tsv",
    "iterables",
    "scalars",
    "numbers",
    "strings",
    "nulls",
    "booleans",
    "arrays",
    "objects",
    "keys_unsorted",
    "map_values(.)",
    "implode",
    "infinite",
    "error",
    "getpath([\"a\"])",
    "have_decnum",
    "splits(\"a\")",
];

/// Functions of their input and of one expression, which stands for `E`.
const UNARY: &[&str] = &[
    "[E]",
    "(E)?",
    "try (E) catch .",
    "map(E)",
    "select(E)",
    "first(E)",
    "last(E)",
    "[paths(E)]",
    "sort_by(E)",
    "group_by(E)",
    "unique_by(E)",
    "min_by(E)",
    "max_by(E)",
    "with_entries(E)",
    "map_values(E)",
    "any(E)",
    "all(E)",
    "isempty(E)",
    "walk(E)",
    "limit(2; E)",
    "skip(1; E)",
    "nth(1; E)",
    "has(E)",
    "contains(E)",
    "inside(E)",
    "index(E)",
    "indices(E)",
    "join(E)",
    "ltrimstr(E)",
    "startswith(E)",
    "split(E)",
    "test(E)",
    "getpath(E)",
    "to_entries[E]?",
    "{a: (E), b}",
    "{a, \"x\": E}",
    "-(E)",
    "[.[]? | E]",
    "{(E | tostring): 1}",
    "[(E) as [$x] ?// $x | $x]",
    "def f: E; f, f",
    "\"<\\(E)>\"",
];

/// Expressions of two, `E` and `F`.
const BINARY: &[&str] = &[
    "E | F",
    "E | F",
    "E | F",
    "E, F",
    "E + F",
    "E - F",
    "E * F",
    "E / F",
    "E % F",
    "E == F",
    "E != F",
    "E < F",
    "E <= F",
    "E > F",
    "E >= F",
    "E and F",
    "E or F",
    "E // F",
    "if E then F else . end",
    "if E then F end",
    "try (E) catch (F)",
    "E as $x | F",
    "E as [$x] | F, $x",
    "E as {a: $x} | F, $x",
    "reduce E as $x (null; F)",
    "foreach E as $x (0; F; [., $x])",
    "label $f | E, break $f, F",
    "def f(g): g, (E); f(F)",
    "def f($x): $x; f(E) | F",
    "any(E; F)",
    "limit(3; E, F)",
    "first(E, F)",
    "setpath([\"a\"]; E) | F",
    "[E, F] | add",
    "[range(3)] | E | F",
    "getpath([E, F])",
    "sort_by(E, F)",
];

/// Updates of paths, `P`, with an expression, `E`. Paths have no errors, because jq may find an error of an update before those.
const UPDATES: &[&str] = &[
    "(P)? = (E)",
    "(P)? |= (E)",
    "(P)? += (E)",
    "(P)? -= (E)",
    "(P)? *= (E)",
    "(P)? //= (E)",
    "del(P)",
    "[P]",
    "[path(P)]",
    "delpaths([path(P)])",
];

/// Paths, of a path `P` or not, and of an expression `E`.
const PATHS: &[&str] = &[
    ".a",
    ".b",
    ".a.b",
    ".[0]",
    ".[-1]",
    ".[]",
    ".[]?",
    ".a[]?",
    ".[1:]",
    "..",
    ".a, .b",
    "first(P)",
    "P | P",
    "P, P",
    "(P | select(E))",
    ".[\"a\"]?",
    "(P // P)",
    "getpath([\"a\", \"b\"])",
    "if E then P else P end",
    "(P)?",
    "empty",
    "recurse(.[]?; . != null)",
    "E as $x | P",
    "limit(1; P)",
    "paths as $p | getpath($p)",
];

/// Returns a program.
pub fn program(random: &mut Random) -> String {
    let depth = 1 + random.below(4);
    expression(random, depth)
}

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random.pick(LEAVES).to_owned();
    }
    match random.below(12) {
        0 => random.pick(LEAVES).to_owned(),
        1 | 2 => random.pick(FUNCTIONS).to_owned(),
        3..6 => filled(random.pick(UNARY), 'E', &expression(random, depth - 1)),
        6 => {
            let path = path(random, depth);
            filled(&filled(random.pick(UPDATES), 'E', &expression(random, depth - 1)), 'P', &path)
        }
        _ => {
            let (first, second) = (expression(random, depth - 1), expression(random, depth - 1));
            format!(
                "({})",
                filled(&filled(random.pick(BINARY), 'F', "\u{1}"), 'E', &first)
                    .replace('\u{1}', &format!("({second})"))
            )
        }
    }
}

/// Returns a path expression.
fn path(random: &mut Random, depth: usize) -> String {
    let mut path = random.pick(PATHS).to_owned();
    // Expressions may have these letters.
    path = path.replace('E', "\u{1}");
    while path.contains('P') {
        let part = if depth == 0 { ".a".to_owned() } else { self::path(random, depth - 1) };
        path = path.replacen('P', &format!("({part})"), 1);
    }
    let condition = expression(random, depth.saturating_sub(1));
    path.replace('\u{1}', &format!("({condition})"))
}

/// Returns a form whose placeholder, an upper-case letter, is replaced by an expression in parentheses.
fn filled(form: &str, placeholder: char, expression: &str) -> String {
    form.replace(placeholder, &format!("({expression})"))
}

/// Returns a document without line breaks.
pub fn document(random: &mut Random, depth: usize) -> String {
    const NUMBERS: [&str; 12] =
        ["0", "1", "2", "-1", "1.5", "-0", "10", "1.0", "1e2", "100000000000000000000", "0.1", "3.7e-5"];
    const STRINGS: [&str; 10] = [
        "\"\"",
        "\"a\"",
        "\"b\"",
        "\"abc\"",
        "\"a,b c\"",
        "\"1\"",
        "\"\u{e9}\u{1f600}\"",
        "\"\\u0041\\n\"",
        "\"[1]\"",
        "\"<&'\\\">\"",
    ];
    const KEYS: [&str; 7] = ["\"a\"", "\"a\"", "\"b\"", "\"c\"", "\"key\"", "\"value\"", "\"d e\""];
    let kind = random.below(if depth == 0 { 5 } else { 10 });
    match kind {
        0 => random.pick(&["null", "true", "false"]).to_owned(),
        1 | 2 => random.pick(&NUMBERS).to_owned(),
        3 | 4 => random.pick(&STRINGS).to_owned(),
        5 | 6 => {
            let elements: Vec<_> = (0..random.below(5)).map(|_| document(random, depth - 1)).collect();
            format!("[{}]", elements.join(","))
        }
        _ => {
            let member = |random: &mut Random| format!("{}:{}", random.pick(&KEYS), document(random, depth - 1));
            let members: Vec<_> = (0..random.below(5)).map(|_| member(random)).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}
