//! An input that is one document, which is checked only once.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::documents::memory::Memory;
use crate::documents::receiver::Receiver;
use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::RecordBatch;

/// Passes the document of `input` to a receiver if it is the only one and valid. Returns `None` if the documents must be read along the
/// scan, which also finds errors.
pub(super) fn read_whole<R: Receiver>(
    input: &mut Input<'_>,
    options: &Options,
    memory: &mut Memory,
    receiver: &mut R,
) -> Result<Option<Summary>, Error> {
    // Text that is read from a stream must be kept for the scan, in case it is invalid. So such a document is read along the scan.
    let may_be_alone = options.framing.starts_with_single_document() && input.at_end() && input.start() == 0;
    if !may_be_alone || options.is_strict() {
        return Ok(None);
    }
    let text = input.bytes();
    let length = text.len() as u64;
    let is_too_long = length > options.max_memory || u32::try_from(length).is_err();
    // Several documents may be shorter each.
    if is_too_long || RecordBatch::is_first_of_several(text, options) {
        return Ok(None);
    }
    let listed = memory.copy(text)?;
    if !listed.try_list_single(options)? {
        return Ok(None);
    }
    input.check_unchanged()?;
    if listed.size() > options.max_memory {
        return Err(Error::document_limit(options.max_memory, 0));
    }
    input.release(length);
    let mut summary = Summary { documents: 1, invalid: 0, bytes: length };
    if let Some(batch) = memory.batch(0, &[])
        && let ControlFlow::Break(last) = receiver.batch(&batch, 0)
    {
        summary.bytes = last.end;
    }
    Ok(Some(summary))
}
