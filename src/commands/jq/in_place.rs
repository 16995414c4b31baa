//! `--in-place`: each file is replaced by the outputs for it.
//!
//! The outputs are written to a new file beside it, which takes its name only if nothing has failed. `input` and `inputs` read the rest
//! of the same file.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::commands::jq::invocation::Invocation;
use crate::commands::jq::piece::Documents;
use crate::commands::jq::piece::Piece;
use crate::commands::jq::printer::Printer;
use crate::commands::jq::program::Program;
use crate::commands::jq::queue::Queue;
use crate::commands::jq::reading::Reading;
use crate::commands::jq::run::Runner;
use crate::commands::jq::run::reporting;
use crate::commands::jq::session::Session;
use crate::commands::jq::settings::Settings;
use crate::commands::rewrite::MARK;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Report;
use crate::source::Source;
use crate::target::Target;
use fjson::DocumentBatch;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

const NO_FILES: &str = "--in-place needs files to edit";

/// Runs the program on each file, and replaces it. Returns the worst exit status.
pub fn run(settings: &Settings, invocation: Invocation, program: &Program, stack: usize) -> Result<u8, RunError> {
    if settings.files.is_empty() {
        return Err(RunError::new(Name::Stdin, NO_FILES));
    }
    let (reading, printer) = (Reading::new(settings), Printer::new(settings, None));
    let edit = Edit { settings, invocation, program, reading: &reading, printer: &printer, stack };
    let mut worst = 0;
    for path in &settings.files {
        worst = worst.max(edit.file(path).unwrap_or_else(|error| error.print() as u8));
    }
    Ok(worst)
}

/// The edit of all files.
struct Edit<'e> {
    settings: &'e Settings,
    invocation: Invocation,
    program: &'e Program,
    reading: &'e Reading,
    printer: &'e Printer,
    stack: usize,
}

impl Edit<'_> {
    fn file(&self, path: &Path) -> Result<u8, RunError> {
        Target::check_in_place_at(path)?;
        let source = self.reading.open(path)?;
        Target::check_in_place(&source)?;
        if let Some(reason) = self.reading.is_converted(&source) {
            return Err(RunError::new(source.name, reason));
        }
        let (status, target) = self.write(&source)?;
        target.map_or(Ok(()), |target| target.commit_over(source))?;
        Ok(status)
    }

    /// Writes the outputs for a file. Returns the exit status, and the new file if nothing has failed.
    fn write(&self, source: &Source) -> Result<(u8, Option<Target>), RunError> {
        let report = Report::to_stderr(&reporting(self.settings), &Inputs::plain())?;
        let mut target = Target::in_place(source)?;
        if self.reading.keeps_mark(source) {
            target.print(MARK)?;
        }
        let mut session = Session::new(self.printer, self.invocation, report, target);
        session.apply(self.settings);
        let is_asked = self.program.filter().uses().inputs || self.reading.slurps();
        if is_asked {
            let mut pieces = Vec::new();
            let _ = self.reading.source(
                source,
                &|_, batch| Piece::Documents(Documents::of_batch(batch, 0)),
                &mut |piece| {
                    pieces.push(piece);
                    ControlFlow::Continue(())
                },
            );
            session.queue = Queue::of_pieces(pieces, self.reading);
        }
        let session = Rc::new(RefCell::new(session));
        let mut runner = Runner::new(self.program, &session, self.settings, self.stack);
        if is_asked {
            runner.run_all();
        } else {
            let documents = |_: &_, batch: &DocumentBatch<'_>| Piece::Documents(Documents::of_batch(batch, 0));
            let _ = self.reading.source(source, &documents, &mut |piece| runner.take(piece));
        }
        drop(runner);
        let Some(session) = Rc::into_inner(session) else { return Ok((0, None)) };
        Ok(session.into_inner().finish(self.settings.exit_status))
    }
}
