//! What a run has in common with what its program asks for: further inputs, the output, messages, and where it is in which input.

#![forbid(unsafe_code)]

use crate::commands::jq::batches;
use crate::commands::jq::invocation::Invocation;
use crate::commands::jq::invocation::failure;
use crate::commands::jq::invocation::shown;
use crate::commands::jq::piece::Opened;
use crate::commands::jq::piece::Piece;
use crate::commands::jq::printer::Printer;
use crate::commands::jq::program::SearchPath;
use crate::commands::jq::queue::Queue;
use crate::commands::jq::reading::message;
use crate::commands::jq::status::Status;
use crate::name::Name;
use crate::report::Event;
use crate::report::Report;
use crate::report::counted;
use crate::stderr;
use crate::target::Target;
use fjson::Error;
use fjson_jq::Halt;
use fjson_jq::Host;
use fjson_jq::Modules;
use fjson_jq::RunError;
use fjson_jq::value;
use fjson_jq::value::Kind;
use fjson_jq::value::Value;
use fjson_jq::write::to_json;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// Number of bytes of outputs that are collected before they are written.
const COLLECTED: usize = 64 << 10;

/// The state of a run.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Session<'r> {
    pub printer: &'r Printer,
    pub invocation: Invocation,
    pub report: Report,
    pub status: Status,
    pub queue: Queue,
    /// What becomes of invalid records.
    pub bad_records: BadRecords,
    pub has_labels: bool,
    /// Whether each output is written at once.
    pub is_unbuffered: bool,
    target: Target,
    out: Vec<u8>,
    opened: Option<Arc<Opened>>,
    /// Offset of the end of the last value.
    end: u64,
    /// Number of invalid records of the input that were skipped.
    skipped: u64,
    /// Whether the last output of the run for this input was true.
    last: Option<bool>,
    /// Whether the program has failed for an element, which ends the run for the document.
    has_failed_element: bool,
    /// Why an output could not be printed.
    unprintable: Option<&'static str>,
    /// An invalid document that `input` has met.
    invalid: Option<Box<Error>>,
    /// Whether anything has failed, so that no file must be replaced.
    has_failed: bool,
    is_over: bool,
}

/// What becomes of invalid records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadRecords {
    /// They end the reading.
    End,
    /// They are reported.
    Report,
    /// They are counted.
    Count,
}

/// A session that the program can reach while it runs.
pub type Shared<'r> = Rc<RefCell<Session<'r>>>;

impl<'r> Session<'r> {
    pub fn new(printer: &'r Printer, invocation: Invocation, report: Report, target: Target) -> Self {
        Self {
            printer,
            invocation,
            report,
            status: Status::default(),
            queue: Queue::default(),
            bad_records: BadRecords::End,
            has_labels: false,
            is_unbuffered: target.is_terminal(),
            target,
            out: Vec::new(),
            opened: None,
            end: 0,
            skipped: 0,
            last: None,
            has_failed_element: false,
            unprintable: None,
            invalid: None,
            has_failed: false,
            is_over: false,
        }
    }

    /// Whether no more input is wanted.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the values that come are elements after one for which the program has failed.
    pub fn is_behind_failure(&self) -> bool {
        self.has_failed_element
    }

    /// Begins the run for an input.
    pub fn begin(&mut self) {
        (self.last, self.unprintable) = (None, None);
    }

    /// Returns whether the last output since then was true.
    pub fn last(&self) -> Option<bool> {
        self.last
    }

    /// Takes the reason why an output could not be printed.
    pub fn take_unprintable(&mut self) -> Option<&'static str> {
        self.unprintable.take()
    }

    /// Notes where the next input ends.
    pub fn reach(&mut self, end: u64) {
        self.end = end;
    }

    /// Writes an output of the program.
    pub fn print(&mut self, value: &Value) -> ControlFlow<()> {
        if self.has_labels
            && let Some(opened) = &self.opened
        {
            self.out.extend_from_slice(&opened.name.printed(self.target.is_terminal()));
            self.out.push(b':');
        }
        if let Err(reason) = self.printer.print(value, &mut self.out) {
            self.unprintable = Some(reason);
            return ControlFlow::Break(());
        }
        self.last = Some(value.is_true());
        if self.is_unbuffered || self.out.len() >= COLLECTED { self.flush() } else { ControlFlow::Continue(()) }
    }

    /// Writes outputs that other threads have made.
    pub fn write(&mut self, outputs: &[u8]) -> ControlFlow<()> {
        self.out.extend_from_slice(outputs);
        if self.out.len() >= COLLECTED { self.flush() } else { ControlFlow::Continue(()) }
    }

    /// Writes what was collected.
    pub fn flush(&mut self) -> ControlFlow<()> {
        if self.out.is_empty() {
            return ControlFlow::Continue(());
        }
        let written = self.target.write_all(&self.out);
        self.out.clear();
        // The target knows why.
        if written.is_ok() {
            return ControlFlow::Continue(());
        }
        self.is_over = true;
        ControlFlow::Break(())
    }

    /// Takes what concerns the inputs; returns documents and other values.
    pub fn accept(&mut self, piece: Piece) -> Accepted {
        match piece {
            Piece::Opened(opened) => {
                self.end = 0;
                self.has_failed_element = false;
                self.report.handle(&opened.name, Event::Opened).ok();
                self.opened = Some(opened);
            }
            Piece::Failed(error) => {
                let _ = self.flush();
                self.trouble();
                self.report.run_error(&error).ok();
            }
            Piece::Invalid(error) if self.bad_records == BadRecords::End || is_trouble(&error) => {
                return Accepted::Invalid(error);
            }
            Piece::Invalid(error) if self.bad_records == BadRecords::Report => {
                self.report_invalid(&error);
                // jq ends with status 0, and has no files to lose.
                if self.invocation != Invocation::Name || !self.target.is_stdout() {
                    self.trouble();
                }
            }
            Piece::Invalid(_) => self.skipped += 1,
            Piece::End(end) => {
                self.end = end;
                if self.skipped > 0
                    && let Some(opened) = &self.opened
                {
                    let count = counted(std::mem::take(&mut self.skipped), "invalid record");
                    self.report.print(&format!("{}: {count} skipped\n", opened.name));
                }
            }
            piece => return Accepted::Values(piece),
        }
        Accepted::Nothing
    }

    /// Reports an invalid document, after the outputs for those before.
    pub fn report_invalid(&mut self, error: &Error) {
        let _ = self.flush();
        let name = self.opened.as_ref().map_or(Name::Stdin, |opened| opened.name.clone());
        self.report.error(&name, error).ok();
    }

    /// Reports an invalid document that ends the reading.
    pub fn end_at(&mut self, error: &Error) {
        self.report_invalid(error);
        self.trouble();
        self.is_over = true;
    }

    fn trouble(&mut self) {
        self.status.add_trouble();
        self.has_failed = true;
    }

    /// Reports how the run for the current input has failed.
    pub fn fail(&mut self, error: &RunError) {
        let _ = self.flush();
        if let RunError::Halt(halt) = error {
            self.is_over = true;
            self.has_failed |= halt.status != 0;
            print_halt(halt);
            return;
        }
        match self.invalid.take_if(|invalid| is_about(error, invalid)) {
            Some(invalid) => self.end_at(&invalid),
            None => self.fail_at(self.end, &failure(error)),
        }
    }

    /// Reports that the run for the value that ends here has failed; `text` is the end of the message.
    pub fn fail_at(&mut self, end: u64, text: &str) {
        let _ = self.flush();
        self.has_failed = true;
        self.has_failed_element = self.has_elements();
        let place = self.opened.as_ref().map_or_else(|| "<unknown>".to_owned(), |opened| opened.place(end));
        stderr::print(&format!("{}: error (at {place}){}\n", self.invocation.name(), shown(text))).ok();
    }

    /// Whether the values are elements of a document.
    pub fn has_elements(&self) -> bool {
        self.opened.as_ref().is_some_and(|opened| opened.has_elements)
    }

    /// Returns the next input.
    pub fn next(&mut self) -> Option<Result<Value, Box<Error>>> {
        loop {
            if let Some((value, end)) = self.queue.pop() {
                self.end = end;
                return Some(Ok(value));
            }
            let piece = self.queue.receive_now().or_else(|| {
                // What comes may be long in coming.
                let _ = self.flush();
                self.queue.receive()
            });
            let Some(piece) = piece else { return self.queue.take_slurped().map(Ok) };
            match self.accept(piece) {
                Accepted::Nothing => {}
                Accepted::Values(piece) => {
                    self.pass_here();
                    self.queue.fill(piece);
                }
                Accepted::Invalid(error) => {
                    self.queue.close();
                    return Some(Err(error));
                }
            }
        }
    }

    /// Forgets the line breaks up to here.
    pub fn pass_here(&self) {
        if let Some(opened) = &self.opened {
            opened.lines.pass(self.end);
        }
    }

    /// Whether outputs should not wait for further input.
    pub fn reads_stream(&self) -> bool {
        self.opened.as_ref().is_some_and(|opened| opened.is_stream)
    }

    /// Ends the run. Returns the exit status, and the target if it may be committed.
    pub fn finish(mut self, by_output: bool) -> (u8, Option<Target>) {
        let _ = self.flush();
        if let Some(error) = self.target.write_error() {
            self.trouble();
            self.report.run_error(&error).ok();
        }
        self.report.finish().ok();
        (self.status.code(by_output, self.invocation == Invocation::Name), (!self.has_failed).then_some(self.target))
    }
}

/// What becomes of a piece.
pub enum Accepted {
    Nothing,
    /// Inputs for the program.
    Values(Piece),
    /// The reading is over.
    Invalid(Box<Error>),
}

/// Whether an error says nothing about a record.
fn is_trouble(error: &Error) -> bool {
    error.record().is_none() && error.record_offset().is_none()
}

/// Whether an error is the one that `input` raised for an invalid document.
fn is_about(error: &RunError, invalid: &Error) -> bool {
    matches!(error, RunError::Error(error) if error.value().as_str().is_some_and(|text| *text == message(invalid)))
}

/// Prints the message of `halt_error`: a string as it is, another value as JSON.
fn print_halt(halt: &Halt) {
    let Some(message) = halt.message.as_ref().filter(|message| message.kind() != Kind::Null) else { return };
    let text = match message.as_str() {
        Some(text) if io::stderr().is_terminal() => shown(&text),
        Some(text) => text.into_owned(),
        None => to_json(message) + "\n",
    };
    stderr::print(&text).ok();
}

/// The surroundings of the program.
pub struct Surroundings<'r> {
    pub session: Shared<'r>,
    pub modules: SearchPath,
    pub is_sandboxed: bool,
}

impl Host for Surroundings<'_> {
    fn next_input(&mut self) -> Option<Result<Value, value::Error>> {
        let mut session = self.session.borrow_mut();
        Some(session.next()?.map_err(|error| {
            let raised = value::Error::new(message(&error));
            session.invalid = Some(error);
            raised
        }))
    }

    fn debug(&mut self, value: &Value) {
        let text = self.session.borrow().printer.debug(value);
        stderr::print(&text).ok();
    }

    fn stderr(&mut self, value: &Value) {
        let text = value.as_str().map_or_else(|| to_json(value), Cow::into_owned);
        stderr::print(&text).ok();
    }

    fn environment(&mut self) -> Vec<(String, String)> {
        if self.is_sandboxed { Vec::new() } else { batches::environment() }
    }

    fn input_filename(&mut self) -> Option<String> {
        self.session.borrow().opened.as_deref().map(batches::file_name)
    }

    fn input_line_number(&mut self) -> u64 {
        let session = self.session.borrow();
        session.opened.as_ref().map_or(0, |opened| opened.lines.at(&opened.name, session.end))
    }

    fn search_list(&mut self) -> Vec<String> {
        if self.is_sandboxed { Vec::new() } else { self.modules.shown.clone() }
    }

    fn modules(&mut self) -> Option<&mut dyn Modules> {
        Some(&mut self.modules)
    }
}
