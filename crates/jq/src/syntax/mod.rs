//! The text of a program as a syntax tree: lexer, parser, and errors that show the place.
//!
//! Operators are parsed by precedence climbing, everything else by recursive descent. Every node knows its place in the text, so
//! that errors found later, when names are resolved, can show it.

#![forbid(unsafe_code)]

pub(crate) mod ast;
pub(crate) mod error;
mod hints;
mod lexer;
mod module;
mod parser;
mod pattern;
mod terms;

pub(crate) use ast::Span;
pub(crate) use error::Fault;
pub(crate) use module::parse_module;
