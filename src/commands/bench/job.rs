//! What is measured: a document, and a job that is done with it.

#![forbid(unsafe_code)]

use crate::args::bench::Operation;
use fjson::Framing;
use fjson::Isa;
use std::fmt;
use std::path::PathBuf;

/// A document in memory.
pub struct Subject {
    pub name: String,
    pub text: Vec<u8>,
    pub framing: Framing,
    pub origin: Origin,
}

pub enum Origin {
    Generated,
    File(PathBuf),
    Stdin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    Copy,
    Utf8,
    /// An operation on a kernel, with a maximum number of threads.
    Operation(Operation, Isa, usize),
}

impl Job {
    pub fn name(self) -> &'static str {
        match self {
            Self::Copy => "memcpy",
            Self::Utf8 => "utf8",
            Self::Operation(operation, ..) => operation.name(),
        }
    }

    /// Returns the kernel, or the library of a yardstick.
    pub fn kernel(self) -> &'static str {
        match self {
            Self::Copy => "std",
            Self::Utf8 => "simdutf8",
            Self::Operation(_, isa, _) => isa.name(),
        }
    }

    pub fn threads(self) -> usize {
        if let Self::Operation(.., threads) = self { threads } else { 1 }
    }

    pub fn is_yardstick(self) -> bool {
        matches!(self, Self::Copy | Self::Utf8)
    }
}

/// `validate on avx512`, `validate on avx512 with 8 threads`.
impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.name(), self.kernel())?;
        match self.threads() {
            1 => Ok(()),
            threads => write!(f, " with {threads} threads"),
        }
    }
}
