//! The lines and columns of violations. They are found by reading the input again, and only if there is something to report.

#![forbid(unsafe_code)]

use crate::args::Encoding;
use crate::args::Inputs;
use crate::commands::schema::locator::Locator;
use crate::name::Name;
use crate::report::Violation;
use crate::source::Source;
use fjson::ByteOrderMark;
use fjson::Error;
use fjson::Input;
use fjson::Position;
use std::collections::HashMap;
use std::io::Cursor;

/// Length of the byte order mark of UTF-8.
const MARK: u64 = 3;

/// Finds the places of violations, which are passed in the order of the input.
pub struct Places<'p> {
    inputs: &'p Inputs,
    source: &'p Source,
    locator: Option<Locator<'p>>,
    /// Number of bytes of a pipe that were kept when the locator was made.
    kept: usize,
}

impl<'p> Places<'p> {
    pub fn new(inputs: &'p Inputs, source: &'p Source) -> Self {
        Self { inputs, source, locator: None, kept: 0 }
    }

    pub fn name(&self) -> &Name {
        &self.source.name
    }

    /// Whether a part of a file is read, whose first line and record have unknown numbers.
    pub fn is_part(&self) -> bool {
        self.source.is_part()
    }

    /// Sets the positions of violations of the input and of their causes.
    pub fn locate(&mut self, violations: &mut [Violation]) {
        let mut offsets = Vec::new();
        for violation in violations.iter().filter(|violation| violation.file.is_none()) {
            collect(violation, &mut offsets);
        }
        if offsets.is_empty() || self.is_part() {
            return;
        }
        offsets.sort_unstable();
        offsets.dedup();
        let positions: HashMap<u64, Position> =
            offsets.into_iter().filter_map(|offset| Some((offset, self.position(offset)?))).collect();
        for violation in violations.iter_mut().filter(|violation| violation.file.is_none()) {
            set(violation, &positions);
        }
    }

    fn position(&mut self, offset: u64) -> Option<Position> {
        if let Some(position) = self.locator.as_mut().and_then(|locator| locator.position(offset)) {
            return Some(position);
        }
        // Of a pipe, more may have been kept since.
        let kept = self.source.kept_so_far();
        let length = kept.as_ref().map_or(0, Vec::len);
        if self.locator.is_some() && length == self.kept {
            return None;
        }
        self.kept = length;
        self.locator = self.locator(kept).ok().flatten();
        self.locator.as_mut()?.position(offset)
    }

    fn locator(&self, kept: Option<Vec<u8>>) -> Result<Option<Locator<'p>>, Error> {
        let Self { inputs, source, .. } = *self;
        if kept.is_none() && source.name == Name::Stdin && !source.is_held() {
            // A mapping leaves the position in the file as it is, which reading needs.
            let is_changed = inputs.encoding != Encoding::Utf8 || inputs.skip_prefix.is_some();
            let is_mapped = !inputs.no_mmap && !is_changed && !inputs.may_have_comments(source);
            let start = mark(inputs.byte_order_mark(source)?);
            return Ok(if is_mapped { Some(Locator::new(inputs.read_again(source)?, start)) } else { None });
        }
        let input = match kept {
            Some(kept) => Input::from_reader(Cursor::new(kept)),
            None if source.is_held() => source.input(false, false),
            None => match source.again() {
                Some(file) => Input::from_reader(file),
                None => return Ok(None),
            },
        };
        let mut input = input.expanded(inputs.max_bytes.unwrap_or(u64::MAX));
        let start = mark(input.byte_order_mark()?);
        Ok(Some(Locator::new(inputs.prepared(input)?, start)))
    }
}

/// Returns the offset of what follows a byte order mark. Decoded text begins at 0.
fn mark(mark: Option<ByteOrderMark>) -> u64 {
    if mark == Some(ByteOrderMark::Utf8) { MARK } else { 0 }
}

fn collect(violation: &Violation, offsets: &mut Vec<u64>) {
    offsets.push(violation.offset);
    violation.causes.iter().for_each(|cause| collect(cause, offsets));
}

fn set(violation: &mut Violation, positions: &HashMap<u64, Position>) {
    violation.position = positions.get(&violation.offset).copied();
    violation.causes.iter_mut().for_each(|cause| set(cause, positions));
}
