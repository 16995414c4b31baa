//! Ranges of an input of records: the public interface, and where the records of a framing begin.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Boundary;
use crate::input::Input;
use crate::options::Framing;
use crate::options::RECORD_SEPARATOR;
use std::ops::Bound;
use std::ops::RangeBounds;

const NO_RECORDS: &str = "ranges need records, but this input is read as documents";
const READ_RECORDS: &str = "read it as JSON Lines or a JSON text sequence";

impl Framing {
    fn boundary(self) -> Option<Boundary> {
        match self {
            Self::Lines => Some(Boundary::After(b'\n')),
            Self::Sequence => Some(Boundary::At(RECORD_SEPARATOR)),
            Self::Document | Self::Documents | Self::Stream => None,
        }
    }
}

impl Input<'_> {
    /// Restricts the input to the records that begin in `range`, a range of byte offsets. The last of them is read to its end,
    /// even if that is beyond the range.
    ///
    /// With [`Framing::Lines`], a record begins after the line feed that ends the previous one; with [`Framing::Sequence`], at its
    /// record separator. The first record begins at offset 0. So ranges that cover an input contain each of its records exactly
    /// once and in order, wherever they are cut.
    ///
    /// The offsets of errors and matches are those in the whole input. The text before the range is not read, so errors have no
    /// line, column and record number unless the range begins at 0. [`Summary`](crate::Summary) and the record numbers of matches
    /// count from the start of the range.
    ///
    /// ```
    /// use fjson::{Framing, Input, Options, validate};
    ///
    /// let text = "{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3,}\n";
    /// let options = Options::new().framing(Framing::Lines);
    /// let part = |from, to| Input::from(text).range(from..to, Framing::Lines);
    /// assert_eq!(validate(part(0, 10)?, &options)?.documents, 1);
    /// assert_eq!(validate(part(10, 11)?, &options)?.documents, 1);
    /// assert_eq!(validate(part(11, 20)?, &options)?.documents, 0);
    ///
    /// let error = validate(part(15, 100)?, &options).unwrap_err();
    /// assert_eq!((error.offset(), error.position()), (29, None));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::RangeUnsupported`](crate::ErrorKind::RangeUnsupported) if another framing is given, if the input is compressed,
    /// or if it is a reader that was not given to [`from_seekable`](Self::from_seekable). [`ErrorKind::Io`](crate::ErrorKind::Io)
    /// if the reader fails.
    pub fn range(self, range: impl RangeBounds<u64>, framing: Framing) -> Result<Self, Error> {
        let from = match range.start_bound() {
            Bound::Included(&from) => from,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let to = match range.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&to) => to,
            Bound::Unbounded => u64::MAX,
        };
        let boundary = framing.boundary().ok_or_else(|| Error::range(NO_RECORDS, Some(READ_RECORDS)))?;
        self.records_in(from..to, boundary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use std::ops::Bound::Excluded;
    use std::ops::Bound::Included;
    use std::ops::Bound::Unbounded;

    #[test]
    fn bounds() {
        let length = |range: (Bound<u64>, Bound<u64>)| {
            let input = Input::from("1\n2\n3\n").range(range, Framing::Lines).expect("a range");
            (input.start(), input.bytes().len())
        };
        assert_eq!(length((Unbounded, Unbounded)), (0, 6));
        assert_eq!(length((Included(2), Excluded(4))), (2, 2));
        assert_eq!(length((Included(2), Included(4))), (2, 4));
        assert_eq!(length((Excluded(2), Included(u64::MAX))), (4, 2));
        assert_eq!(length((Excluded(u64::MAX), Unbounded)), (6, 0));
    }

    #[test]
    fn only_records_have_ranges() {
        for framing in [Framing::Document, Framing::Documents, Framing::Stream] {
            let error = Input::from("1\n").range(.., framing).expect_err("no records");
            assert_eq!(error.kind(), ErrorKind::RangeUnsupported);
        }
        let part = Input::from("\u{1e}1\n\u{1e}2\n").range(1.., Framing::Sequence).expect("a range");
        assert_eq!(part.bytes(), b"\x1e2\n");
    }
}
