//! What a compiler has understood of a program: the same names nested in each other, up to a hundred levels deep.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::queried::prose::words;
use crate::commands::bench::shapes::random::Random;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) =
    (r#"{"id":"0x1","kind":"TranslationUnitDecl","loc":{},"range":{"begin":{},"end":{}},"inner":["#, ",\n", "]}\n");

/// Each node takes two levels of JSON, itself and the array it stands in.
const DEEPEST: u64 = 49;

/// One declaration in so many refers to another one.
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
    // A few functions go far down, most do not.
    let deepest = if random.one_in(20) { DEEPEST } else { 6 + random.below(12) };
    push_inner(1, deepest, random, text);
    text.push('}');
}

/// A chain of nodes down to a depth, with short branches on its way.
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

/// A node whose closing bracket is still to come.
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
