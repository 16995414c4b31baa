//! The layout of pretty-printed output: the indentation, and which containers are on one line.

#![forbid(unsafe_code)]

use crate::sink::Fit;

/// Number of columns of a tab at the start of a line, as on a terminal.
const TAB_COLUMNS: u32 = 8;

/// The layout of pretty-printed output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    pub(super) unit: u32,
    pub(super) filler: u8,
    width: Option<u32>,
    only_arrays: bool,
}

impl Layout {
    /// The largest number of spaces per level.
    pub const MAX_SPACES: u8 = 16;

    /// The largest width of lines.
    pub const MAX_WIDTH: u32 = 1 << 20;

    /// Indents by `count` spaces per level. Values greater than [`MAX_SPACES`](Self::MAX_SPACES) count as `MAX_SPACES`.
    #[must_use]
    pub fn spaces(count: u8) -> Self {
        Self { unit: u32::from(count.min(Self::MAX_SPACES)), filler: b' ', width: None, only_arrays: false }
    }

    /// Indents by one tab per level.
    #[must_use]
    pub fn tab() -> Self {
        Self { unit: 1, filler: b'\t', width: None, only_arrays: false }
    }

    /// Makes [`pretty`](crate::pretty()) write each object and array on one line that fits into `columns` columns, with its
    /// indentation, its key and the comma after it. Values greater than [`MAX_WIDTH`](Self::MAX_WIDTH) count as `MAX_WIDTH`.
    ///
    /// A column is a character (a Unicode code point); a tab in the indentation takes eight. Memory stays bounded: only text that may
    /// fit on a line is held.
    ///
    /// ```
    /// use fjson::{Layout, Options, pretty};
    ///
    /// let mut sink = Vec::new();
    /// pretty(r#"{"a":[1,{"b":2}],"c":"a string"}"#, &mut sink, &Layout::default().width(21), &Options::new())?;
    /// assert_eq!(String::from_utf8_lossy(&sink), r#"{
    ///   "a": [1, {"b": 2}],
    ///   "c": "a string"
    /// }
    /// "#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn width(self, columns: u32) -> Self {
        Self { width: Some(columns.min(Self::MAX_WIDTH)), ..self }
    }

    /// Makes [`pretty`](crate::pretty()) write only arrays on one line, and only those that contain no objects and arrays (empty ones
    /// excepted), up to the [width](Self::width), or else up to [`MAX_WIDTH`](Self::MAX_WIDTH).
    ///
    /// ```
    /// use fjson::{Layout, Options, pretty};
    ///
    /// let mut sink = Vec::new();
    /// pretty(r#"[{"a":[1,2,[]]}]"#, &mut sink, &Layout::spaces(1).compact_arrays(), &Options::new())?;
    /// assert_eq!(String::from_utf8_lossy(&sink), r#"[
    ///  {
    ///   "a": [1, 2, []]
    ///  }
    /// ]
    /// "#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn compact_arrays(self) -> Self {
        Self { only_arrays: true, ..self }
    }

    /// Returns which containers are written on one line, if any.
    pub(super) fn fit(self) -> Option<Fit> {
        let Self { unit, filler, width, only_arrays } = self;
        let filler_columns = if filler == b'\t' { TAB_COLUMNS } else { 1 };
        let width = width.or(only_arrays.then_some(Self::MAX_WIDTH))?;
        Some(Fit { width, only_arrays, unit, filler, filler_columns })
    }

    /// Returns the layout with each value on a line of its own.
    pub(super) fn unjoined(self) -> Self {
        Self { width: None, only_arrays: false, ..self }
    }

    /// Appends a line break and the indentation of `level` levels.
    #[inline]
    pub(crate) fn push_line_break(self, level: usize, out: &mut Vec<u8>) {
        out.push(b'\n');
        out.resize(out.len() + self.unit as usize * level, self.filler);
    }
}

impl Default for Layout {
    /// Indents by two spaces.
    fn default() -> Self {
        Self::spaces(2)
    }
}
