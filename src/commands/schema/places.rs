//! The lines and columns of violations. They are found by reading the input again, if there is something to report. Of a pipe, what has
//! been read is kept until the documents in it are validated.

#![forbid(unsafe_code)]

use crate::args::Encoding;
use crate::args::Inputs;
use crate::commands::schema::locator::Locator;
use crate::commands::schema::locator::after;
use crate::name::Name;
use crate::report::Violation;
use crate::report::original::AROUND;
use crate::report::original::MAX_TEXT;
use crate::report::original::excerpt;
use crate::source::Source;
use fjson::ByteOrderMark;
use fjson::Error;
use fjson::Excerpt;
use fjson::Input;
use fjson::Position;
use std::collections::HashMap;
use std::io::Cursor;
use std::io::Read;

/// Length of the byte order mark of UTF-8.
const MARK: u64 = 3;

/// Finds the places of violations, which are passed in the order of the input.
pub struct Places<'p> {
    inputs: &'p Inputs,
    source: &'p Source,
    locator: Option<Locator<'p>>,
    /// Number of bytes of a pipe that were kept when the locator was made.
    kept: usize,
    /// Whether the input is a pipe whose text is read as it is; not known before it is read.
    is_plain_pipe: Option<bool>,
    /// Of such a pipe, an offset that was passed, and its position.
    passed: Option<(u64, Position)>,
    /// The text of a file with comments, for excerpts, and the offset of its first byte.
    text: Option<(Vec<u8>, u64)>,
}

impl<'p> Places<'p> {
    pub fn new(inputs: &'p Inputs, source: &'p Source) -> Self {
        Self { inputs, source, locator: None, kept: 0, is_plain_pipe: None, passed: None, text: None }
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
        if self.inputs.may_have_comments(self.source) {
            for violation in violations.iter_mut().filter(|violation| violation.file.is_none()) {
                self.show_comments(violation);
            }
        }
    }

    /// Replaces excerpts, in which comments are spaces, by those of the original text, if it can be had.
    fn show_comments(&mut self, violation: &mut Violation) {
        if let Some(excerpt) = self.original(violation.offset) {
            violation.excerpt = Some(excerpt);
        }
        violation.causes.iter_mut().for_each(|cause| self.show_comments(cause));
    }

    fn original(&mut self, offset: u64) -> Option<Excerpt> {
        if self.is_plain_pipe() {
            let kept = self.source.kept_so_far()?;
            let at = usize::try_from(offset.checked_sub(kept.from)?).ok()?;
            let from = at.saturating_sub(AROUND);
            let around: Vec<u8> = kept.bytes.iter().skip(from).take(2 * AROUND).copied().collect();
            return if at < kept.bytes.len() { Excerpt::of(&around, at - from) } else { None };
        }
        if self.text.is_none() {
            let (input, start) = self.again(None).ok()??;
            let mut text = Vec::new();
            let read = input.into_reader().take(MAX_TEXT + 1).read_to_end(&mut text);
            if read.is_err() || text.len() as u64 > MAX_TEXT {
                text.clear();
            }
            self.text = Some((text, start));
        }
        let (text, start) = self.text.as_ref()?;
        let index = usize::try_from(offset.checked_sub(*start)?).ok()?;
        if index < text.len() { excerpt(text, index) } else { None }
    }

    /// Notes that the documents before an offset have been validated.
    pub fn pass(&mut self, offset: u64) {
        if self.is_plain_pipe() {
            self.advance(offset);
            self.source.forget_kept(offset);
        }
    }

    fn is_plain_pipe(&mut self) -> bool {
        if let Some(is_plain) = self.is_plain_pipe {
            return is_plain;
        }
        let Some(kept) = self.source.kept_so_far() else { return false };
        let head: Vec<u8> = kept.bytes.iter().take(AROUND).copied().collect();
        let is_changed = self.inputs.encoding != Encoding::Utf8 || self.inputs.skip_prefix.is_some();
        let is_expanded = || Input::from_reader(&head[..]).expanded(u64::MAX).is_expanded();
        let is_plain = !is_changed && is_expanded().is_ok_and(|is_expanded| !is_expanded);
        self.is_plain_pipe = Some(is_plain);
        let start = if head.starts_with("\u{feff}".as_bytes()) { MARK } else { 0 };
        self.passed = Some((start, Position::of(b"", 0)));
        is_plain
    }

    /// Returns the position of an offset in a pipe that is not before one that was asked for earlier.
    fn advance(&mut self, offset: u64) -> Option<Position> {
        let (from, position) = self.passed.filter(|(from, _)| *from <= offset)?;
        self.passed = None;
        let kept = self.source.kept_so_far()?;
        let index = |offset: u64| usize::try_from(offset.checked_sub(kept.from)?).ok();
        let range = index(from)?..index(offset)?;
        if range.end > kept.bytes.len() {
            return None;
        }
        let (first, second) = kept.bytes.as_slices();
        let border = first.len();
        let position = after(position, &first[range.start.min(border)..range.end.min(border)]);
        let rest = range.start.saturating_sub(border)..range.end.saturating_sub(border);
        let position = after(position, &second[rest]);
        self.passed = Some((offset, position));
        Some(position)
    }

    fn position(&mut self, offset: u64) -> Option<Position> {
        if self.is_plain_pipe() {
            return self.advance(offset);
        }
        if let Some(position) = self.locator.as_mut().and_then(|locator| locator.position(offset)) {
            return Some(position);
        }
        // Of a pipe, more may have been kept since.
        let kept = self.source.beginning();
        let length = kept.as_ref().map_or(0, Vec::len);
        if self.locator.is_some() && length == self.kept {
            return None;
        }
        self.kept = length;
        self.locator = self.again(kept).ok().flatten().map(|(input, start)| Locator::new(input, start));
        self.locator.as_mut()?.position(offset)
    }

    /// Returns an input that can be read again, with its comments, and the offset of its first byte. `kept` is the beginning of a pipe.
    fn again(&self, kept: Option<Vec<u8>>) -> Result<Option<(Input<'p>, u64)>, Error> {
        let Self { inputs, source, .. } = *self;
        let input = match kept {
            Some(kept) => Input::from_reader(Cursor::new(kept)),
            None if source.can_be_read_again() => source.input(false, false),
            None => return Ok(None),
        };
        let mut input = input.expanded(inputs.max_bytes.unwrap_or(u64::MAX));
        // Decoded text begins at 0, and so does text whose mark is an error.
        let has_mark = inputs.skips_byte_order_mark() && input.byte_order_mark()? == Some(ByteOrderMark::Utf8);
        Ok(Some((inputs.prepared(input)?, if has_mark { MARK } else { 0 })))
    }
}

fn collect(violation: &Violation, offsets: &mut Vec<u64>) {
    offsets.push(violation.offset);
    violation.causes.iter().for_each(|cause| collect(cause, offsets));
}

fn set(violation: &mut Violation, positions: &HashMap<u64, Position>) {
    violation.position = positions.get(&violation.offset).copied();
    violation.causes.iter_mut().for_each(|cause| set(cause, positions));
}
