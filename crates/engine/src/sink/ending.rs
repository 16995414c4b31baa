//! The last step of the output: its destination, and the line break after a document that may be the only one.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::io;
use std::io::Write;
use std::rc::Rc;

use crate::input::KeptComments;
use crate::kernel::Isa;
use crate::sink::comparison::Comparison;
use crate::sink::escaper::Escaper;
use crate::sink::fitter::Fit;
use crate::sink::fitter::Fitter;
use crate::sink::memory::MemoryWriter;

/// The destination of released output.
pub(super) enum Target<'w> {
    /// A trait object, so that the engine is not compiled for each type of writer.
    Writer(&'w mut dyn Write),
    /// Memory for changed output. Output that needs no change stays staged.
    Memory(MemoryWriter),
    /// A comparison of the output with the input.
    Comparison(Comparison),
}

impl Target<'_> {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Writer(writer) => *writer,
            Self::Memory(memory) => memory,
            Self::Comparison(comparison) => comparison,
        }
    }
}

/// What happens to the line break after the first document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstBreak {
    Written,
    /// It will be held back.
    Awaited,
    /// It was the end of the output so far, and is held back.
    Held,
}

/// A writer to the destination.
pub(super) struct Ending<'w> {
    pub(super) target: Target<'w>,
    first_break: FirstBreak,
    /// Boxed, because most output has none.
    fitter: Option<Box<Fitter>>,
    /// Number of bytes written so far.
    written: u64,
}

impl<'w> Ending<'w> {
    /// Greatest number of bytes that are held back.
    pub(super) const KEPT: usize = 1;

    pub(super) fn new(target: Target<'w>) -> Self {
        Self { target, first_break: FirstBreak::Written, fitter: None, written: 0 }
    }

    /// Holds back the first line break that ends the output of several documents until there is more output.
    pub(super) fn hold_first_break(self, holds: bool) -> Self {
        Self { first_break: if holds { FirstBreak::Awaited } else { FirstBreak::Written }, ..self }
    }

    /// Writes containers that fit on one line.
    pub(super) fn fitting(self, fit: Option<Fit>, isa: Isa) -> Self {
        Self { fitter: fit.map(|fit| Box::new(Fitter::new(fit, isa))), ..self }
    }

    /// Keeps the lines that comments need, which will be inserted into the output.
    pub(super) fn keep_lines_of(&mut self, comments: Rc<RefCell<KeptComments>>) {
        self.fitter = self.fitter.take().map(|fitter| Box::new(fitter.with_comments(comments)));
    }

    pub(super) fn stop_fitting(&mut self) {
        self.fitter = None;
    }

    pub(super) fn is_fitting(&self) -> bool {
        self.fitter.is_some()
    }

    /// Returns a number of bytes that is not less than the output that is held to be fitted.
    pub(super) fn held(&self) -> usize {
        self.fitter.as_ref().map_or(0, |fitter| fitter.held())
    }

    /// Ends the output.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let Some(mut fitter) = self.fitter.take() {
            let finished = fitter.finish(&mut Fitted(self));
            self.fitter = Some(fitter);
            finished?;
        }
        self.flush()
    }

    /// Writes the line break that is held back, if there is one.
    pub(super) fn write_held_break(&mut self) -> io::Result<()> {
        if self.first_break == FirstBreak::Held {
            self.first_break = FirstBreak::Written;
            self.write_now(b"\n")?;
        }
        Ok(())
    }

    /// Returns the number of bytes written so far.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Writes text in which containers that fit are on one line.
    pub(super) fn write_fitted(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.write_held_break()?;
        match text.strip_suffix(b"\n") {
            // The line breaks of minified text are those after documents, and they are alike: any of them can be the one that
            // is held back.
            Some(rest) if self.first_break == FirstBreak::Awaited => {
                self.first_break = FirstBreak::Held;
                self.write_now(rest)
            }
            _ => self.write_now(text),
        }
    }

    fn write_now(&mut self, text: &[u8]) -> io::Result<()> {
        self.target.writer().write_all(text)?;
        self.written += text.len() as u64;
        Ok(())
    }
}

impl Write for Ending<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.write_all(text).map(|()| text.len())
    }

    fn write_all(&mut self, text: &[u8]) -> io::Result<()> {
        let Some(mut fitter) = self.fitter.take() else { return self.write_fitted(text) };
        let written = fitter.write(text, &mut Fitted(self));
        self.fitter = Some(fitter);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.writer().flush()
    }
}

/// The ending, behind the fitter.
struct Fitted<'s, 'w>(&'s mut Ending<'w>);

impl Write for Fitted<'_, '_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.write_fitted(text).map(|()| text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The ending, behind an escaper if there is something to escape.
pub(super) struct Escaping<'s, 'w> {
    pub(super) escaper: Option<&'s mut Escaper>,
    pub(super) ending: &'s mut Ending<'w>,
}

impl Escaping<'_, '_> {
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match &mut self.escaper {
            Some(escaper) => escaper.finish(self.ending),
            None => Ok(()),
        }
    }
}

impl Write for Escaping<'_, '_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.write_all(text).map(|()| text.len())
    }

    fn write_all(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.escaper {
            Some(escaper) => escaper.write(text, self.ending).map(drop),
            None => self.ending.write_all(text),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.ending.flush()
    }
}
