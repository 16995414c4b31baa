//! From a fault to an error: which text it is explained with, and on which line that stands.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::Fault;
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

/// The error that `fault` is, with the text around it: all of the document before it if that stays in memory or is no longer than a
/// window, or else what an excerpt needs, even if there happens to be more. So an error reads the same whatever the kernel, the
/// verb and the pieces in which the input came. None is told of an input that has changed: a file that is cut short under the reader
/// looks like a bad document.
#[cold]
pub(crate) fn explained(
    fault: Fault,
    frame: &mut Frame,
    known_position: &mut KnownPosition,
    input: &mut Input<'_>,
    window: usize,
) -> Result<Error, Error> {
    if let Some(error) = fault.of_no_document() {
        return Err(error);
    }
    // A record that has ended is not kept waiting for the next one.
    while !frame.text(input, fault.offset).1 && frame.text(input, fault.offset).0.len() < LOOK_AHEAD {
        input.read_more(frame.start().max(input.base()))?;
    }
    let is_known = input.stays() || frame.keep(fault.offset, window as u64) == frame.start();
    let (base, at) = known_position.move_to(input, if is_known { frame.start() } else { fault.offset });
    let error = explain(
        fault,
        &Text {
            bytes: &input.bytes()[index_of(input, base)..],
            base,
            at,
            document: frame.start(),
            framing: frame.framing(),
            record: frame.told_record(),
        },
    );
    // Asked last, because the text has been read once more.
    input.check_unchanged()?;
    Ok(error)
}

/// A place whose line is known, so that finding the lines of many errors in one text does not count from its start each
/// time.
pub(crate) struct KnownPosition {
    offset: u64,
    at: Position,
}

impl KnownPosition {
    /// At the start of the input.
    pub(crate) const START: Self = Self { offset: 0, at: START };

    /// Moves to a place that is at or behind the anchor or, if that is no longer in memory, to what is.
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

    /// Every step counts the lines from the last one on, and ends a little in front of the place it was asked for.
    #[test]
    fn the_anchor_moves_on() {
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
            // It does not go back.
            assert_eq!(known_position.move_to(&input, 0), (known_position.offset, known_position.at));
        }
    }
}
