//! Writes numbers in the form of ECMAScript, which the canonical form of RFC 8785 requires.

#![forbid(unsafe_code)]

use std::collections::TryReserveError;

use super::VALUE;
use super::moves::index;
use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::scalar::Number;
use crate::scalar::NumberBuffer;
use crate::scalar::is_ecmascript;
use crate::scalar::number_length;

/// The numbers of the text that is added next.
#[derive(Default)]
pub(super) struct Numbers {
    /// Where they begin.
    places: Vec<u64>,
    /// For each number that has another form: where it ended in the text, and where it ends now.
    moved: Vec<(u64, u64)>,
    buffer: NumberBuffer,
}

impl Numbers {
    #[inline(always)]
    pub(super) fn mark(&mut self, place: u64) -> Result<(), OutOfMemory> {
        self.places.grow(place, OutOfMemory::Output)
    }

    pub(super) fn discard(&mut self) {
        self.places.clear();
    }

    /// Appends `text` to `out` with its numbers in their form, and moves the marks of the text accordingly.
    pub(super) fn append(&mut self, text: &[u8], out: &mut Vec<u8>, marks: &mut [u64]) -> Result<(), TryReserveError> {
        self.moved.clear();
        let (start, mut copied) = (out.len(), 0);
        for place in self.places.drain(..) {
            let rest = text.get(index(place)..).unwrap_or_default();
            let number = &rest[..number_length(rest)];
            if is_ecmascript(number) {
                continue;
            }
            // Numbers that are too large have been rejected, unless an error follows or the input has changed.
            let double = Number::new(number).map(|number| number.to_f64());
            let Some(form) = double.and_then(|double| self.buffer.ecmascript(double)) else { continue };
            // Numbers overlap only if the input has changed.
            let Some(before) = text.get(copied..index(place)) else { continue };
            out.try_reserve(before.len() + form.len())?;
            out.extend_from_slice(before);
            out.extend_from_slice(form.as_bytes());
            let end = index(place) + number.len();
            copied = end;
            self.moved.try_reserve(1)?;
            self.moved.push((end as u64, (out.len() - start) as u64));
        }
        out.try_reserve(text.len() - copied)?;
        out.extend_from_slice(&text[copied..]);
        self.move_marks(marks);
        Ok(())
    }

    fn move_marks(&self, marks: &mut [u64]) {
        let mut moved = self.moved.iter().copied().peekable();
        let Some(&(first, _)) = moved.peek() else { return };
        let (mut before, mut now) = (0, 0);
        let unmoved = marks.partition_point(|&mark| mark & !VALUE < first);
        for mark in &mut marks[unmoved..] {
            // mutant: while let Some(next) = moved.next_if(|&(end, _)| end < *mark & !VALUE) {
            while let Some(next) = moved.next_if(|&(end, _)| end <= *mark & !VALUE) {
                (before, now) = next;
            }
            // mutant:
            *mark = *mark - before + now;
        }
    }
}
