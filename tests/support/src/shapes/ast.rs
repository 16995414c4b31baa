//! The syntax tree that a compiler prints for a program: the same keys nested in each other, up to 100 levels deep.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use crate::shapes::prose::words;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) =
    (r#"{"id":"0x1","kind":"TranslationUnitDecl","loc":{},"range":{"begin":{},"end":{}},"inner":["#, ",\n", "]}\n");

/// Nodes on the deepest path. Each takes two levels of JSON: the object and the array that holds it.
const DEEPEST: u64 = 49;

/// One function in this many has the member `decl`.
const WITH_DECLARATION: u64 = 250;

const KINDS: [&str; 6] = ["CompoundStmt", "IfStmt", "BinaryOperator", "CallExpr", "ImplicitCastExpr", "DeclRefExpr"];
const TYPES: [&str; 6] = ["int", "char *", "void (int, char **)", "const struct list *", "unsigned long", "size_t"];

pub fn push_declaration(number: u64, random: &mut Random, text: &mut String) {
    // Writing to a string cannot fail.
    push_node("FunctionDecl", random, text);
    write!(text, r#","name":"function_{number}""#).ok();
    if number % WITH_DECLARATION == 5 {
        write!(
            text,
            r#","decl":{{"id":"{:#x}","kind":"VarDecl","name":"{}"}}"#,
            random.below(1 << 40),
            words(1, random)
        )
        .ok();
    }
    // A few functions are deep, most are not.
    let deepest = if random.one_in(20) { DEEPEST } else { 6 + random.below(12) };
    push_inner(1, deepest, random, text);
    text.push('}');
}

/// Appends a chain of nodes down to `deepest`, with leaves beside it.
fn push_inner(depth: u64, deepest: u64, random: &mut Random, text: &mut String) {
    if depth >= deepest {
        return;
    }
    text.push_str(r#","inner":["#);
    for _ in 0..random.below(3) {
        push_node(random.pick(&KINDS), random, text);
        text.push_str("},");
    }
    push_node(random.pick(&KINDS), random, text);
    push_inner(depth + 1, deepest, random, text);
    text.push_str("}]");
}

/// Appends a node without its closing bracket.
fn push_node(kind: &str, random: &mut Random, text: &mut String) {
    let (id, offset, column) = (random.below(1 << 40), random.below(100_000), 1 + random.below(80));
    // Writing to a string cannot fail.
    write!(
        text,
        r#"{{"id":"{id:#x}","kind":"{kind}","range":{{"begin":{{"offset":{offset},"col":{column},"tokLen":3}},"#
    )
    .ok();
    write!(text, r#""end":{{"offset":{},"col":{},"tokLen":1}}}}"#, offset + 7, column + 7).ok();
    write!(text, r#","type":{{"qualType":"{}"}},"valueCategory":"rvalue""#, random.pick(&TYPES)).ok();
}
