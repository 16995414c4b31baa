//! Runs a program on batches of documents on any thread.
//!
//! The calling thread keeps documents that it gets for its own machine, which lasts for the whole run. Other threads make a machine for
//! each batch, and hand back the text of its outputs; so does the calling thread with elements of a document, which it has to find while
//! others work. What is too much, because its outputs are long or a limit is reached, is left to the machine of the calling thread, so
//! that the result does not depend on the number of threads.

#![forbid(unsafe_code)]

use crate::commands::jq::invocation::failure;
use crate::commands::jq::piece::Documents;
use crate::commands::jq::piece::Failure;
use crate::commands::jq::piece::Opened;
use crate::commands::jq::piece::Outcome;
use crate::commands::jq::piece::Piece;
use crate::commands::jq::printer::Printer;
use crate::commands::jq::program::Program;
use crate::commands::jq::status::Ending;
use fjson::DocumentBatch;
use fjson_jq::Host;
use fjson_jq::Limits;
use fjson_jq::RunError;
use fjson_jq::value::Batch;
use std::env;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::thread::ThreadId;

/// Number of bytes of outputs after which a batch is left to the calling thread.
const MOST_OUTPUT: usize = 8 << 20;

/// Runs a program on batches.
pub struct Batches<'r> {
    pub program: &'r Program,
    pub printer: &'r Printer,
    pub limits: Limits,
    /// The thread that keeps its documents.
    caller: ThreadId,
    is_parallel: bool,
}

impl<'r> Batches<'r> {
    /// Creates the work of the calling thread and, if it `is_parallel`, of others.
    pub fn new(program: &'r Program, printer: &'r Printer, limits: Limits, is_parallel: bool) -> Self {
        Self { program, printer, limits, caller: thread::current().id(), is_parallel }
    }

    /// Runs the program on a batch, or leaves it to the calling thread.
    pub fn map(&self, opened: &Arc<Opened>, batch: &DocumentBatch<'_>) -> Piece {
        if !self.is_parallel || !opened.has_elements && thread::current().id() == self.caller {
            return Piece::Documents(Documents::of_batch(batch, 0));
        }
        let mut machine = self.program.filter_for(opened).machine_with(Surroundings(opened.clone()));
        self.program.set_variables(&mut machine);
        machine.set_limits(self.limits);
        let values = Batch::of_documents(batch);
        let mut outcome = Outcome { output: Vec::new(), failures: Vec::new(), endings: Vec::new(), end: 0, rest: None };
        for (number, document) in batch.records().enumerate() {
            let output = &mut outcome.output;
            let (before, mut last, mut is_too_much) = (output.len(), None, false);
            let result = machine.run(values.value(document), &mut |value| {
                is_too_much = output.len() > MOST_OUTPUT || self.printer.print(&value, output).is_err();
                last = Some(value.is_true());
                if is_too_much { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if is_too_much || matches!(result, Err(RunError::Limit(_))) {
                outcome.output.truncate(before);
                outcome.rest = Some(Documents::of_batch(batch, number));
                break;
            }
            outcome.end = batch.end_of(number).unwrap_or(outcome.end);
            outcome.endings.push(Ending::of(last, &result));
            if let Err(error) = result {
                outcome.failures.push(Failure { at: outcome.output.len(), end: outcome.end, text: failure(&error) });
                if opened.has_elements {
                    break;
                }
            }
        }
        Piece::Done(outcome)
    }
}

/// What a program on another thread may know.
struct Surroundings(Arc<Opened>);

impl Host for Surroundings {
    fn environment(&mut self) -> Vec<(String, String)> {
        environment()
    }

    fn input_filename(&mut self) -> Option<String> {
        Some(file_name(&self.0))
    }
}

/// Returns the environment variables. Those that are not Unicode have replacement characters.
pub fn environment() -> Vec<(String, String)> {
    env::vars_os().map(|(name, value)| (name.to_string_lossy().into(), value.to_string_lossy().into())).collect()
}

/// Returns the name of an input for `input_filename`.
pub fn file_name(opened: &Opened) -> String {
    String::from_utf8_lossy(opened.name.bytes()).into_owned()
}
