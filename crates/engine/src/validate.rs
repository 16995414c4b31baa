//! Validation: a scan whose consumer produces no output.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::error::Error;
use crate::explain::recovery::MAX_LENGTH;
use crate::explain::recovery::further_errors;
use crate::grammar::short_document;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::Check;
use crate::parallel::first_error;
use crate::parallel::scan;
use crate::scan::check_short;
use crate::scan::is_document;

/// Checks that `input` is valid JSON, strictly according to RFC 8259, in UTF-8.
///
/// # Errors
/// Returns the first error of the first invalid document, or an error of reading.
///
/// ```
/// use fjson::{ErrorKind, Options, validate};
///
/// let error = validate(r#"{"a": [1, 2,]}"#, &Options::new()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::ExpectedValue);
/// assert_eq!(error.offset(), 12);
/// assert_eq!(error.pointer(), Some("/a"));
/// ```
pub fn validate<'a>(input: impl Into<Input<'a>>, options: &Options) -> Result<Summary, Error> {
    let mut input = input.into();
    match check_short(&input, options) {
        Some(summary) => Ok(summary),
        None => first_error(&mut input, options, &mut Check),
    }
}

/// Whether `bytes` are one valid JSON document, strictly according to RFC 8259, in UTF-8.
///
/// [`validate`] also reports what is wrong and where, and takes options.
///
/// ```
/// use fjson::is_valid;
///
/// assert!(is_valid(r#"{"a": [1, 2]}"#));
/// assert!(!is_valid(b"[1, 2,]"));
/// ```
#[must_use]
pub fn is_valid(bytes: impl AsRef<[u8]>) -> bool {
    let bytes = bytes.as_ref();
    short_document(bytes, None, |_| {}).is_some() || is_document(bytes, &Options::new())
}

/// Checks all documents of `input` and passes the error of each invalid one to `on_error`, in order.
///
/// In NDJSON and JSON text sequences, checking continues after an invalid document unless `on_error` breaks. In
/// concatenated JSON it ends there, because the start of the next document is unknown. Further errors of one document are reported
/// if [`Options::max_errors`] allows them.
///
/// # Errors
/// Returns only errors of reading.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Framing, Options, validate_each};
///
/// let mut lines = Vec::new();
/// let options = Options::new().framing(Framing::Lines);
/// let summary = validate_each("1\n[\n2\nnil\n", &options, &mut |error| {
///     lines.push(error.record());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(lines, [Some(2), Some(4)]);
/// assert_eq!((summary.documents, summary.invalid), (4, 2));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn validate_each<'a>(
    input: impl Into<Input<'a>>,
    options: &Options,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    let mut input = input.into();
    if options.max_errors <= 1 || options.framing != Framing::Document {
        return scan(&mut input, options, &mut Check, on_error);
    }
    let mut first = None;
    let summary = scan(&mut input, options, &mut Check, &mut |error| {
        let offset = error.offset();
        let flow = on_error(error);
        first = flow.is_continue().then_some(offset);
        flow
    })?;
    if let Some(first) = first
        && let Some(document) = input.whole(MAX_LENGTH)?
    {
        further_errors(document, first, options.max_depth, options.max_errors - 1, on_error);
        input.check_unchanged()?;
    }
    Ok(summary)
}
