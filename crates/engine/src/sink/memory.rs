//! Output of parts of the input: how it can be divided, and stages whose output stays in memory, for one part each.

#![forbid(unsafe_code)]

use std::io;
use std::io::Write;

use crate::options::Options;
use crate::sink::Sorter;
use crate::sink::Stage;
use crate::sink::Target;

/// How the output of a document can be divided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Division {
    /// Not at all.
    No,
    /// Into that of the elements of an array that is the document.
    RootElements,
    /// Into that of the elements of any array.
    Elements,
    /// Into that of the text between any commas.
    Chunks,
}

/// The output of a stage in memory.
#[derive(Default)]
pub(crate) struct Output {
    /// The output is in the first `filled` bytes.
    bytes: Vec<u8>,
    filled: usize,
    /// Whether containers that fit have been written on one line.
    pub(super) is_fitted: bool,
    /// Memory for changed output.
    changed: Vec<u8>,
    sorter: Option<Box<Sorter>>,
}

impl Output {
    /// Returns the output.
    pub(super) fn text(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }
}

/// A writer to memory that reports if there is not enough.
pub(super) struct MemoryWriter(Vec<u8>);

impl Write for MemoryWriter {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.try_reserve(text.len())?;
        self.0.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stage<'_> {
    /// Creates a stage whose output stays in memory, and reuses the memory of an earlier output. Each level is indented by `unit`
    /// bytes.
    pub(crate) fn in_memory(memory: Output, options: &Options, unit: u32) -> Self {
        let Output { bytes, mut changed, sorter, .. } = memory;
        changed.clear();
        Stage::with_memory(Target::Memory(MemoryWriter(changed)), bytes, sorter, options, unit)
    }

    /// Returns how the output can be divided. A comparison needs to see all of it, and a sorter whole values.
    pub(crate) fn division(&self) -> Division {
        match self.ending.target {
            Target::Writer(_) if self.is_sorting() => Division::RootElements,
            Target::Writer(_) => Division::Chunks,
            Target::Memory(_) | Target::Comparison(_) => Division::No,
        }
    }

    /// Returns the output of a stage [in memory](Self::in_memory). `None` if there was not enough memory.
    pub(crate) fn into_output(mut self) -> Option<Output> {
        self.mark_released().ok()?;
        let (is_changed, is_fitted) = (self.is_changing(), self.ending.is_fitting());
        if is_changed {
            self.finish().ok()?;
        }
        let Self { ending, bytes, filled, sorter, .. } = self;
        let Target::Memory(MemoryWriter(changed)) = ending.target else { return None };
        Some(if is_changed {
            Output { filled: changed.len(), is_fitted, bytes: changed, changed: bytes, sorter }
        } else {
            Output { bytes, filled, is_fitted, changed, sorter }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Output;
    use crate::error::Error;
    use crate::options::Options;
    use crate::sink::Stage;

    #[test]
    fn memory_is_reused_and_written_in_order() -> Result<(), Error> {
        let options = Options::new();
        let mut part = Stage::in_memory(Output { bytes: vec![b'?'; 10], ..Output::default() }, &options, 0);
        part.push(b"second ");
        part.release(&[], 0)?;
        let output = part.into_output().expect("there was enough");
        assert_eq!((output.bytes.len(), output.text()), (10, &b"second "[..]));
        let mut writer = Vec::new();
        let mut stage = Stage::new(&mut writer, 0, &options, 0);
        stage.push(b"first ");
        stage.release(&[], 0)?;
        stage.write_through(&output)?;
        stage.push(b"third");
        stage.release(&[], 0)?;
        stage.finish()?;
        assert_eq!(writer, b"first second third");

        let mut part = Stage::in_memory(output, &options, 0);
        assert!(part.space(usize::MAX / 2 + 1).is_none() && part.into_output().is_none());
        Ok(())
    }
}
