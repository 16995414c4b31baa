//! Errors of reading valid documents as values of Rust types, and of writing such values.
//!
//! `serde` makes them without a location. The deserializer adds the offset of the innermost value that is known to be
//! wrong. The line and the JSON Pointer are added where the text is known.

#![forbid(unsafe_code)]

use std::fmt;

use serde_core::de::Expected;
use serde_core::de::Unexpected;

use crate::error::Error;
use crate::error::ErrorDetails;
use crate::error::ErrorKind;
use crate::error::Fault;

impl Error {
    /// A value does not fit a type, or has no form in JSON.
    pub(crate) fn data(message: String) -> Self {
        Self::new(ErrorDetails::bare(ErrorKind::Data, 0, message))
    }

    /// An error of reading a valid document, whose location is added later.
    pub(crate) fn located_later(kind: ErrorKind, message: String, help: &str) -> Self {
        Self::new(ErrorDetails { help: Some(help.to_owned()), ..ErrorDetails::bare(kind, 0, message) })
    }

    /// Adds an offset, unless the error has one. An error at 0 cannot be moved by what encloses it, which begins at 0, too.
    pub(crate) fn with_offset(mut self, offset: u64) -> Self {
        if let Some(details) = self.unlocated()
            && details.offset == 0
        {
            details.offset = offset;
        }
        self
    }

    /// Moves the offset of an error in a part of an input that begins at `start`.
    pub(crate) fn after(mut self, start: u64) -> Self {
        self.0.offset += start;
        self
    }

    /// Adds to the number of the record.
    #[cfg(all(feature = "serde", feature = "threads"))]
    pub(crate) fn follow(&mut self, records: u64) {
        self.0.record.iter_mut().for_each(|record| *record += records);
    }

    /// Returns the fault that was explained.
    pub(crate) fn fault(&self) -> Fault {
        Fault { kind: self.0.kind, offset: self.0.offset, earlier: self.0.earlier.map(|earlier| earlier.offset) }
    }

    /// Returns the details if the error is one of reading a valid document and has at most an offset.
    pub(crate) fn unlocated(&mut self) -> Option<&mut ErrorDetails> {
        let is_of_data = matches!(self.0.kind, ErrorKind::Data | ErrorKind::DepthLimit);
        (is_of_data && self.0.position.is_none()).then_some(&mut *self.0)
    }

    /// The record at `offset` needs more than `limit` bytes.
    pub(crate) fn record_limit(limit: u64, offset: u64) -> Self {
        Self::over_memory_limit("a record that must be held in memory", limit, offset)
    }
}

impl Fault {
    /// Moves a fault in a part of an input that begins at `start`.
    pub(crate) fn after(self, start: u64) -> Self {
        Self { offset: self.offset + start, earlier: self.earlier.map(|earlier| earlier + start), ..self }
    }
}

/// Makes an error of the kind [`ErrorKind::Data`] without a location. A deserializer adds the location.
impl serde_core::de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::data(message.to_string())
    }

    #[cold]
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::data(format!("invalid type: {}, expected {expected}", Named(unexpected)))
    }

    #[cold]
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::data(format!("invalid value: {}, expected {expected}", Named(unexpected)))
    }
}

/// A value that was not expected, as `serde` names it, but `null` as in JSON, and doubles with as few digits as they need.
struct Named<'v>(Unexpected<'v>);

impl fmt::Display for Named<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Unit => formatter.write_str("null"),
            Unexpected::Float(double) => write!(formatter, "floating point `{double:?}`"),
            other => other.fmt(formatter),
        }
    }
}

/// Makes an error of the kind [`ErrorKind::Data`]. It has no location, because there is no input.
impl serde_core::ser::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::data(message.to_string())
    }
}
