//! Limits for untrusted programs and documents.

#![forbid(unsafe_code)]

use std::fmt;
use std::time::Duration;

/// What a run may use. A run that needs more ends with an error that says which limit it was; `try` does not catch it.
///
/// ```
/// use fjson_jq::{Filter, Limit, Limits, RunError};
///
/// let filter = Filter::new("[limit(10; repeat(1))], last(range(1e12))")?;
/// let mut machine = filter.machine();
/// machine.set_limits(Limits::default().steps(100_000));
/// let mut outputs = Vec::new();
/// let error = machine.run_each("null", &mut |output| outputs.push(output.to_string())).unwrap_err();
/// assert_eq!(outputs, ["[1,1,1,1,1,1,1,1,1,1]"]);
/// assert_eq!(error, RunError::Limit(Limit::Steps));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub(crate) stack: usize,
    pub(crate) memory: usize,
    pub(crate) steps: u64,
    pub(crate) time: Option<Duration>,
}

impl Default for Limits {
    /// 1 MiB of the stack, 4 GiB of memory, and any number of steps and any time.
    fn default() -> Self {
        Self {
            stack: 1 << 20,
            memory: usize::try_from(4_u64 << 30).unwrap_or(usize::MAX / 2),
            steps: u64::MAX,
            time: None,
        }
    }
}

impl Limits {
    /// Bytes of the stack of the thread that calls `run`. It bounds how deep calls may be nested that are not tail calls. The default is
    /// 1 MiB, which fits a thread with the standard size; give more on a thread with a larger stack.
    #[must_use]
    pub fn stack(mut self, bytes: usize) -> Self {
        self.stack = bytes;
        self
    }

    /// Bytes that the values of the thread may hold at the same time.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Calls and iterations. What one of them takes is bounded by the size of the values.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// Time, which is looked at every few hundred steps.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }
}

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Calls are nested too deeply.
    Stack,
    /// Values need too much memory.
    Memory,
    /// There are too many steps.
    Steps,
    /// It takes too long.
    Time,
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Stack => "calls are nested more deeply than the limit of the stack allows",
            Self::Memory => "values need more memory than the limit allows",
            Self::Steps => "the program needs more steps than the limit allows",
            Self::Time => "the program needs more time than the limit allows",
        })
    }
}
