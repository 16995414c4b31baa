//! Describes places in valid documents as errors describe theirs: with line, column, JSON Pointer, record and excerpt.
//!
//! A program that cannot process a value that it has got, as a match of a query, finds out here where it is. This takes another
//! scan, so that the first one does not have to keep track of places.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::scan::Consumer;
use crate::scan::End;
use crate::scan::scan;

use std::ops::ControlFlow;

/// Passes an error of the kind [`ErrorKind::Unprintable`] to `on_place` for each of `offsets`, which are in ascending order and where
/// values begin. Errors in documents are passed, too.
///
/// An error ends the document, as in [`validate_each`](crate::validate_each). So each record has one error at most, and documents
/// after the first error are only read if the framing is [`Lines`](crate::Framing::Lines) or [`Sequence`](crate::Framing::Sequence).
/// To describe further places, call this again with the rest of the offsets.
///
/// # Errors
/// If reading fails.
///
/// ```
/// use fjson::{Framing, Options, describe_places};
/// use std::ops::ControlFlow;
///
/// let text = "{\"id\": 1}\n{\"id\": [2, \"\\ud800\"]}\n";
/// let mut places = Vec::new();
/// describe_places(text, &[21], &Options::new().framing(Framing::Lines), &mut |error| {
///     places.push((error.line(), error.record(), error.pointer().map(str::to_owned)));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(places, [(Some(2), Some(2), Some("/id/1".to_owned()))]);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn describe_places<'a>(
    input: impl Into<Input<'a>>,
    offsets: &[u64],
    options: &Options,
    on_place: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<(), Error> {
    let mut places = Places { offset: 0, offsets };
    scan(&mut input.into(), options, &mut places, on_place).map(drop)
}

/// A consumer that has an error at each of some offsets.
struct Places<'p> {
    /// Offset of the text that has not been released.
    offset: u64,
    offsets: &'p [u64],
}

impl Consumer for Places<'_> {
    const LAYOUT: bool = false;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, _: Option<u8>) -> Result<(), Error> {
        self.offset = offset;
        Ok(())
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, _: K, _: &Tile<K>, _: &[u8], _: usize) {}

    fn held(&self) -> usize {
        0
    }

    fn check_rules(&mut self, text: &[u8], _: End) -> Result<bool, Fault> {
        let from = self.offsets.partition_point(|&offset| offset < self.offset);
        match self.offsets.get(from) {
            Some(&offset) if offset < self.offset + text.len() as u64 => {
                Err(Fault::new(ErrorKind::Unprintable, offset))
            }
            _ => Ok(true),
        }
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.offset += text.len() as u64;
        Ok(())
    }

    fn skip(&mut self, length: u64) {
        self.offset += length;
    }

    fn discard(&mut self) {}

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::describe_places;
    use crate::error::ErrorKind;
    use crate::input::Input;
    use crate::options::Framing;
    use crate::options::Options;
    use std::ops::ControlFlow;

    type Place = (u64, Option<u64>, Option<String>);

    fn places(text: &str, size: usize, offsets: &[u64], framing: Framing) -> Vec<Place> {
        let mut places = Vec::new();
        let options = Options::new().framing(framing);
        describe_places(Input::in_pieces(text.as_bytes(), size), offsets, &options, &mut |error| {
            assert_eq!(error.kind(), ErrorKind::Unprintable);
            places.push((error.offset(), error.line(), error.pointer().map(str::to_owned)));
            ControlFlow::Continue(())
        })
        .expect("it is read");
        places
    }

    /// The places are the same however the text is read, also far behind its beginning.
    #[test]
    fn places_are_described() {
        let filler = format!("{}\n", "[1, {\"a\": \"b\"}]");
        let lines = format!("{}{{\"a\": [1, \"x\"], \"b\": 2}}\n[\"y\"]\n", filler.repeat(30_000));
        let from = lines.len() as u64 - 30;
        let find = |part: &str| lines.rfind(part).expect("it is there") as u64;
        let expected = vec![
            (find("\"x\""), Some(30_001), Some("/a/1".to_owned())),
            (find("\"y\""), Some(30_002), Some("/0".to_owned())),
        ];
        let array = format!("[{}\"x\", 3]", "{\"k\": [1, 2]},\n".repeat(40_000));
        let offset = array.rfind("\"x\"").expect("it is there") as u64;
        for size in [0, 1000, 300_000] {
            let offsets = [find("\"x\""), find("2}\n["), find("\"y\"")];
            assert!(offsets.is_sorted() && offsets[0] > from - 30);
            assert_eq!(places(&lines, size, &offsets, Framing::Lines), expected);
            let place = places(&array, size, &[offset, offset + 5], Framing::Document);
            assert_eq!(place.len(), 1);
            assert_eq!((place[0].0, place[0].1), (offset, Some(40_001)));
            // The path from the start is known if all of it is in memory.
            assert!(size > 0 || place[0].2.as_deref() == Some("/40000"));
            assert_eq!(places(&array, size, &[], Framing::Document), []);
        }
    }
}
