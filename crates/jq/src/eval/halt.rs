//! How a run ends.

#![forbid(unsafe_code)]

use std::fmt;

use crate::eval::Limit;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Value;

/// What `halt` and `halt_error` end a program with.
#[derive(Clone, Debug, PartialEq)]
pub struct Halt {
    /// The exit status of a program.
    pub status: i32,
    /// What `halt_error` writes to standard error: a string as it is, another value as JSON with a line break.
    pub message: Option<Value>,
}

/// Why a run ended before all outputs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunError {
    /// An error that nothing caught; its value is most often a message.
    Error(Error),
    /// `break` outside of its label, through an expression that was passed on. It cannot be caught.
    Break,
    /// The program ended itself.
    Halt(Halt),
    /// A limit was exceeded.
    Limit(Limit),
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => error.fmt(formatter),
            Self::Break => formatter.write_str("break"),
            Self::Halt(halt) => match &halt.message {
                Some(message) if message.kind() == Kind::String => {
                    formatter.write_str(message.as_str().unwrap_or_default().as_ref())
                }
                Some(message) => message.fmt(formatter),
                None => formatter.write_str("halted"),
            },
            Self::Limit(limit) => limit.fmt(formatter),
        }
    }
}

impl std::error::Error for RunError {}
