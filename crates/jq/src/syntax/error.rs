//! What is wrong with a program, before it is known which file it is in.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::program_error::Source;
use crate::syntax::Span;

/// A mistake in a program: what, where, and what may help.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) span: Span,
    pub(crate) help: Option<String>,
    /// None while it is clear from where it happens.
    pub(crate) source: Option<Rc<Source>>,
}

impl Fault {
    pub(crate) fn new(message: impl Into<String>, span: Span) -> Self {
        Self { message: message.into(), span, help: None, source: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
