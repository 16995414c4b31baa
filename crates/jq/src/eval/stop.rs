//! Why evaluation ends before all outputs have been passed on.

#![forbid(unsafe_code)]

use crate::eval::Limit;
use crate::value::Error;

/// The reason. It travels up until something handles it.
#[derive(Debug)]
pub(crate) enum Stop {
    /// `try` catches it.
    Error(Error),
    /// The label with this number handles it.
    Break(u64),
    /// The machine knows what it ends with.
    Halt,
    Limit(Limit),
    /// The caller wants no more outputs.
    Sink,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// The output of a part, or no output at all if it has none.
macro_rules! output {
    ($flow:expr) => {
        match $flow? {
            Some(output) => output,
            None => return Ok(None),
        }
    };
}

pub(super) use output;

pub(crate) type Flow<T = ()> = Result<T, Stop>;

/// Ends with a message.
pub(super) fn fail<T>(message: impl Into<String>) -> Flow<T> {
    Err(Stop::Error(Error::new(message)))
}

/// Whether a flow ended because of this label.
pub(super) fn caught(flow: Flow, label: u64) -> Flow {
    match flow {
        Err(Stop::Break(number)) if number == label => Ok(()),
        flow => flow,
    }
}
