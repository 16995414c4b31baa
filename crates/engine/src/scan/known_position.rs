//! Turns a fault into an error: chooses the text that explains it, and counts the line it is on.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::error::Position;
use crate::explain::LOOK_AHEAD;
use crate::explain::LOOK_BACK;
use crate::explain::Text;
use crate::explain::explain;
use crate::framing::Frame;
use crate::framing::between;
use crate::framing::index_of;
use crate::input::Input;
use crate::input::START;
use crate::input::advance;
use crate::memory::Grow;
use crate::options::Options;

/// Length up to which the text of an invalid record is kept.
const MAX_RECORD_TEXT: usize = 1 << 20;

/// Returns the error for `fault`, explained with the document up to it, or with what the frame has kept of that. If the input has changed, that is reported instead: a file truncated while it is read looks
/// like an invalid document.
#[cold]
pub(crate) fn explain_fault(
    fault: Fault,
    frame: &mut Frame,
    known_position: &mut KnownPosition,
    input: &mut Input<'_>,
    options: &Options,
) -> Result<Error, Error> {
    if let Some(error) = fault.external_error() {
        return Err(error);
    }
    // A record that has ended does not wait for the next one.
    while !frame.text(input, fault.offset).1 && frame.text(input, fault.offset).0.len() < LOOK_AHEAD {
        input.read_more(frame.start().max(input.base()))?;
    }
    let abridged = frame.abridged();
    let first = abridged.map_or(frame.start(), |abridged| abridged.end().min(fault.offset));
    let (base, at) = known_position.move_to(input, first.max(input.base()));
    let mut error = explain(
        fault,
        &Text {
            bytes: &input.bytes()[index_of(input, base)..],
            base,
            at,
            near: None,
            has_lines: input.is_numbered(),
            document: frame.start(),
            framing: frame.framing(),
            record: frame.reported_record().filter(|_| input.is_numbered()),
            abridged,
        },
    );
    error.set_document(frame.start(), document_text(frame, input, options)?);
    // Checked last, because explaining has read the text again.
    // mutant:
    input.check_unchanged()?;
    Ok(error)
}

/// Returns the text of a record if that is wanted, and if the record is not too long.
fn document_text(frame: &mut Frame, input: &mut Input<'_>, options: &Options) -> Result<Option<Vec<u8>>, Error> {
    if !options.keep_invalid || frame.framing().terminator().is_none() {
        return Ok(None);
    }
    let start = frame.start();
    while input.base() <= start {
        let (text, is_whole) = frame.text(input, start);
        if text.len() > MAX_RECORD_TEXT {
            break;
        }
        if is_whole {
            let mut copy = Vec::new();
            copy.room(text.len(), OutOfMemory::Document)?;
            copy.extend_from_slice(text);
            return Ok(Some(copy));
        }
        input.read_more(start)?;
    }
    Ok(None)
}

/// A place whose line is known, so that locating many errors in one text does not count lines from its start each time.
pub(crate) struct KnownPosition {
    offset: u64,
    at: Position,
}

impl KnownPosition {
    pub(crate) fn start_of(input: &Input<'_>) -> Self {
        Self { offset: input.start(), at: START }
    }

    /// Moves forward to shortly before `place`, but no further back than the known position or the text in memory.
    fn move_to(&mut self, input: &Input<'_>, place: u64) -> (u64, Position) {
        if self.offset < input.base() {
            (self.offset, self.at) = (input.base(), input.at());
        }
        let target = place.saturating_sub(LOOK_BACK as u64).max(self.offset);
        self.at = advance(self.at, between(input, self.offset, target));
        self.offset = target;
        (self.offset, self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::KnownPosition;
    use super::LOOK_BACK;
    use super::START;
    use super::advance;
    use crate::input::Input;

    /// Each move counts lines from the previous position on, and ends a little before the requested place.
    #[test]
    fn the_position_moves_forward() {
        let text = "ab\u{e9}\n\ncd".repeat(5000);
        for size in [0, 1000] {
            let mut input = Input::in_pieces(text.as_bytes(), size);
            let mut known_position = KnownPosition { offset: 0, at: START };
            let mut before = 0;
            for place in (0..text.len()).step_by(1237) {
                while input.base() + (input.bytes().len() as u64) < place as u64 {
                    input.read_more(place as u64).expect("reads");
                }
                let (offset, at) = known_position.move_to(&input, place as u64);
                let index = usize::try_from(offset).expect("it is in memory");
                assert_eq!(at, advance(START, &text.as_bytes()[..index]));
                let base = usize::try_from(input.base()).expect("it fits");
                assert_eq!(index, place.saturating_sub(LOOK_BACK).max(before).max(base));
                assert_eq!((known_position.offset, known_position.at), (offset, at));
                before = index;
            }
            // It never moves backwards.
            assert_eq!(known_position.move_to(&input, 0), (known_position.offset, known_position.at));
        }
    }
}
