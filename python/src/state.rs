//! What one call needs and the next one can use again: lists of tokens, keys, buffers.
//!
//! A call takes it and gives it back. If Python code runs meanwhile and calls again, or if another thread does without the global
//! interpreter lock, that call finds nothing and makes its own.

#![forbid(unsafe_code)]

use std::sync::Mutex;

use fjson::Options;
use fjson::Parser;
use pyo3::Py;
use pyo3::PyAny;
use pyo3::Python;

use crate::keys::Keys;
use crate::keys::Number;

/// How many containers may be open in what is made into objects. Python itself recurses when it compares, copies or prints them, and
/// allows about as many levels.
pub const MAX_DEPTH: u64 = 1024;

/// Most bytes of a buffer that is kept.
const MAX_KEPT: usize = 16 << 20;

/// Memory for reading and writing.
pub struct State {
    /// Lists the tokens.
    pub parser: Parser,
    /// What the conversion to objects uses.
    pub memory: Memory,
}

/// Memory for the conversion to objects.
pub struct Memory {
    /// The keys of earlier objects.
    pub keys: Keys,
    /// The objects that are not yet in a container. Empty between calls.
    pub stack: Vec<Py<PyAny>>,
    /// The containers around the current one.
    pub open: Vec<Open>,
    /// The value of a string with escapes.
    pub scratch: Vec<u8>,
}

/// An open container.
#[derive(Clone, Copy)]
pub enum Open {
    /// No container: the value is that of the text.
    Nothing,
    /// A list. Its elements are on the stack from this index on.
    List(usize),
    /// A dictionary, which is on the stack, and after it the key of its next member. This is the place of its first key.
    Dict(Number),
}

impl Memory {
    /// Returns empty memory.
    pub fn new() -> Self {
        Self { keys: Keys::new(), stack: Vec::new(), open: Vec::new(), scratch: Vec::new() }
    }
}

static SPARE: Mutex<Option<Box<State>>> = Mutex::new(None);

/// Returns the options of parsers.
pub fn options() -> Options {
    Options::new().max_depth(Some(MAX_DEPTH))
}

/// Returns memory that nothing else uses.
pub fn take() -> Box<State> {
    let spare = SPARE.try_lock().ok().and_then(|mut spare| spare.take());
    spare.unwrap_or_else(|| Box::new(State { parser: Parser::with_options(&options()), memory: Memory::new() }))
}

/// Gives memory back for the next call. Memory that a very large text has needed is freed.
pub fn give(state: Box<State>) {
    let is_large = state.memory.stack.capacity() * size_of::<usize>() > MAX_KEPT;
    let dropped = match SPARE.try_lock() {
        Ok(mut spare) if !is_large => spare.replace(state),
        _ => Some(state),
    };
    if dropped.is_some() {
        // The keys are references.
        Python::attach(|_| drop(dropped));
    }
}
