//! Reports about inputs in several formats, human-readable and machine-readable.
//!
//! Each format is a module that converts findings to text. This module selects the output stream, limits the number of
//! findings, and keeps the worst exit status. Findings are written immediately, so memory use does not depend on their number
//! (except for `junit`).

#![forbid(unsafe_code)]

mod concise;
mod diagnostic;
pub mod excerpt;
mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod options;
pub mod original;
mod sarif;
mod summary;
mod violation;

use crate::args::Color;
use crate::args::Comments;
use crate::args::Format as FormatName;
use crate::args::Inputs;
use crate::args::Reporting;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::diagnostic::Diagnostic;
pub use crate::report::diagnostic::kind;
pub use crate::report::diagnostic::record_and_byte;
use crate::report::original::Original;
pub use crate::report::violation::Violation;
use crate::source::Source;
use crate::stderr;
use crate::target::Target;
use anstream::AutoStream;
use anstream::ColorChoice;
use anstream::stream::RawStream;
use fjson::Stats;
use fjson::Summary;
use std::env;
use std::fmt;
use std::io;
use std::io::IsTerminal;
use std::mem;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What `--check` has found of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finding {
    /// It is not formatted.
    #[default]
    Unformatted,
    /// Its values are not yet those that they would get.
    Outdated,
}

/// Totals that a report may end with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    pub inputs: u64,
    /// Number of inputs that are invalid.
    pub invalid: u64,
    /// Number of inputs that `--check` found, and what for.
    pub different: u64,
    pub finding: Finding,
    /// Number of inputs or outputs that failed.
    pub failed: u64,
    /// Number of documents; `None` until an input whose documents are counted has been read to its end.
    pub documents: Option<u64>,
    pub findings: u64,
    /// Number of findings beyond `--max-errors`.
    pub omitted: u64,
}

/// Number of errors that are shown by default, and of those in one document where people read them.
const MAX_ERRORS: u64 = 100;
const MAX_ERRORS_OF_DOCUMENT: u64 = 10;

/// Returns a limit, of which 0 means none.
fn or_all(limit: u64) -> u64 {
    if limit == 0 { u64::MAX } else { limit }
}

impl Reporting {
    /// Returns how many errors of one document to report: one, unless people will correct them, or more are asked for.
    pub fn errors_per_document(&self) -> u64 {
        let is_for_review = match self.format {
            FormatName::Github | FormatName::Gitlab | FormatName::Sarif | FormatName::Junit => true,
            FormatName::Human | FormatName::Concise => io::stderr().is_terminal(),
            FormatName::Json | FormatName::Jsonl => false,
        };
        match self.max_errors {
            _ if self.quiet => 1,
            Some(limit) => or_all(limit),
            None if is_for_review => MAX_ERRORS_OF_DOCUMENT,
            None => 1,
        }
    }
}

/// A report format.
trait Format {
    fn begin(&mut self, _text: &mut String) -> fmt::Result {
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result;

    /// Whether the report is text for people or a log, between whose lines others may be.
    fn is_text(&self) -> bool {
        false
    }

    /// Writes an input without findings.
    fn passed(&mut self, _name: &Name, _text: &mut String) -> fmt::Result {
        Ok(())
    }

    fn end(&mut self, _totals: &Totals, _text: &mut String) -> fmt::Result {
        Ok(())
    }
}

/// An event while an input is processed.
pub enum Event {
    /// The input is about to be read.
    Opened,
    /// A document is invalid, or could not be read to its end.
    Error(fjson::Error),
    /// The input could not be opened, or its output failed.
    RunError(RunError),
    /// `--check` has found the input; the offset is that of the first difference.
    Differs(Finding, u64),
    /// A line for standard error that is independent of the format.
    Line(String),
    /// The input needs no change.
    Passed,
    /// The input has been read to its end.
    Closed(Summary),
    /// A match cannot be printed.
    Unprintable(Box<Unprintable>),
    /// A record is left out. For commands that write such records.
    Skipped(Box<Skipped>),
    /// A value violates a schema, or a schema is invalid.
    Violation(Box<Violation>),
    /// Statistics of an input, which may be read again. For `stats`.
    Collected(Box<(Source, Stats)>),
}

/// A match that cannot be printed.
pub struct Unprintable {
    /// An error that describes its place; `None` if the input cannot be read again.
    pub place: Option<fjson::Error>,
    pub offset: u64,
    pub record: Option<u64>,
    pub reason: &'static str,
}

/// A record that is left out: its error, or the place of a match that cannot be printed and the reason.
pub struct Skipped {
    pub error: fjson::Error,
    pub reason: Option<&'static str>,
}

/// A report about all inputs of a command.
pub struct Report {
    format: Box<dyn Format + Send>,
    /// Standard output for a machine-readable report; `None` for standard error.
    target: Option<Target>,
    quiet: bool,
    /// Largest number of findings to show.
    max_errors: u64,
    totals: Totals,
    worst: Exit,
    start: Instant,
    /// How often each input is read.
    passes: u64,
    /// Which inputs may have comments.
    comments: Option<Comments>,
    /// The last one that had an error.
    original: Option<Original>,
    /// Whether an error of the current input has been reported.
    is_invalid: bool,
    /// Whether a line about all inputs is printed after several of them.
    has_summary: bool,
}

impl Report {
    /// Creates a report that is the output of the command. Machine-readable formats go to standard output.
    pub fn as_output(reporting: &Reporting, inputs: &Inputs) -> Result<Self, RunError> {
        let target = if reporting.format.is_human_readable() { None } else { Some(Target::stdout()?) };
        Self::new(reporting, target, Some(inputs)).map(Self::with_summary)
    }

    /// Creates a report for a command that writes documents to standard output. The report goes to standard error.
    pub fn to_stderr(reporting: &Reporting, inputs: &Inputs) -> Result<Self, RunError> {
        Self::new(reporting, None, Some(inputs))
    }

    /// Creates a report for a command that shows its progress itself.
    pub fn without_progress(reporting: &Reporting) -> Result<Self, RunError> {
        Self::new(reporting, None, None)
    }

    fn new(reporting: &Reporting, target: Option<Target>, inputs: Option<&Inputs>) -> Result<Self, RunError> {
        let mut report = Self {
            format: format_named(reporting.format, wants_color(reporting.color)),
            target,
            quiet: reporting.quiet,
            max_errors: reporting.max_errors.map_or(MAX_ERRORS, or_all),
            totals: Totals::default(),
            worst: Exit::Success,
            start: Instant::now(),
            passes: inputs.map_or(1, Inputs::passes),
            comments: inputs.map(|inputs| inputs.comments),
            original: None,
            is_invalid: false,
            has_summary: reporting.verbose,
        };
        if let Some(inputs) = inputs.filter(|_| !reporting.quiet && may_animate()) {
            let inputs = inputs.clone();
            stderr::start_progress(move || inputs.total_size());
        }
        report.write(|format, text| format.begin(text))?;
        Ok(report)
    }

    /// Prints a line about all inputs at the end if standard error is a terminal. For commands that do not write documents to it.
    pub fn with_summary(self) -> Self {
        let has_summary = self.has_summary || !self.quiet && io::stderr().is_terminal();
        Self { has_summary, ..self }
    }

    /// Reports an event of the input `name`.
    pub fn handle(&mut self, name: &Name, event: Event) -> Result<(), RunError> {
        match event {
            Event::Opened => {
                self.opened(name);
                Ok(())
            }
            Event::Error(error) => self.error(name, &error),
            Event::RunError(error) => self.run_error(&error),
            Event::Differs(finding, offset) => self.difference(name, finding, offset),
            Event::Line(line) => {
                self.print(&line);
                Ok(())
            }
            Event::Passed => self.passed(name),
            Event::Closed(summary) => self.close(name, &summary),
            Event::Unprintable(matched) => self.diagnostic(&Diagnostic::of_unprintable(name, &matched)),
            Event::Violation(violation) => self.violation(name, &violation),
            Event::Skipped(_) | Event::Collected(_) => Ok(()),
        }
    }

    /// Reports that an input is about to be read. Returns its name.
    pub fn open<'a>(&mut self, source: &'a Source) -> &'a Name {
        self.opened(&source.name);
        &source.name
    }

    fn opened(&mut self, name: &Name) {
        self.totals.inputs += 1;
        self.is_invalid = false;
        stderr::set_input(name);
    }

    /// Reports that an input has been read to its end. Its errors have already been reported.
    pub fn close(&mut self, name: &Name, summary: &Summary) -> Result<(), RunError> {
        *self.totals.documents.get_or_insert(0) += summary.documents;
        if summary.invalid == 0 { self.passed(name) } else { Ok(()) }
    }

    /// Reports an input without findings.
    pub fn passed(&mut self, name: &Name) -> Result<(), RunError> {
        self.write(|format, text| format.passed(name, text))
    }

    /// Reports that a document is invalid or could not be read to its end.
    pub fn error(&mut self, name: &Name, error: &fjson::Error) -> Result<(), RunError> {
        let mut diagnostic = Diagnostic::of_error(name, error);
        if self.comments.is_some_and(|comments| comments.are_accepted(name)) {
            diagnostic.original = name.path().and_then(|path| self.original(path).excerpt(error));
            // The engine sees spaces instead of comments.
            diagnostic.message =
                diagnostic.message.replace("contains only whitespace,", "contains only whitespace or comments,");
        }
        if diagnostic.exit == Exit::Error {
            self.totals.failed += 1;
        } else {
            self.totals.invalid += u64::from(!mem::replace(&mut self.is_invalid, true));
        }
        self.diagnostic(&diagnostic)
    }

    /// Returns a file with comments, which is read for its first error.
    fn original(&mut self, path: &Path) -> &Original {
        let known = self.original.take().filter(|original| original.is_at(path));
        self.original.insert(known.unwrap_or_else(|| Original::read(path)))
    }

    /// Reports that a value violates a schema, or that a schema is invalid.
    pub fn violation(&mut self, name: &Name, violation: &Violation) -> Result<(), RunError> {
        let diagnostic = Diagnostic::of_violation(name, violation);
        if diagnostic.exit == Exit::Error {
            self.totals.failed += 1;
        } else {
            self.totals.invalid += u64::from(!mem::replace(&mut self.is_invalid, true));
        }
        self.diagnostic(&diagnostic)
    }

    /// Reports that an input or an output failed.
    pub fn run_error(&mut self, error: &RunError) -> Result<(), RunError> {
        self.totals.failed += 1;
        self.diagnostic(&Diagnostic::of_run_error(error))
    }

    /// Reports what `--check` has found of an input. `offset` is that of the first difference.
    pub fn difference(&mut self, name: &Name, finding: Finding, offset: u64) -> Result<(), RunError> {
        (self.totals.different, self.totals.finding) = (self.totals.different + 1, finding);
        self.diagnostic(&Diagnostic::of_difference(name, finding, offset))
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>) -> Result<(), RunError> {
        self.worst = self.worst.max(diagnostic.exit);
        if self.quiet && diagnostic.exit < Exit::Error {
            return Ok(());
        }
        self.totals.findings += 1;
        if self.totals.findings > self.max_errors {
            self.totals.omitted += 1;
            return Ok(());
        }
        self.write(|format, text| format.diagnostic(diagnostic, text))
    }

    /// Counts an input that `--check` has found, and that the command reports in its own way.
    pub fn count_difference(&mut self, finding: Finding) {
        (self.totals.different, self.totals.finding) = (self.totals.different + 1, finding);
        self.worsen(Exit::Invalid);
    }

    /// Makes the exit status at least as bad as `exit`.
    pub fn worsen(&mut self, exit: Exit) {
        self.worst = self.worst.max(exit);
    }

    pub fn worst(&self) -> Exit {
        self.worst
    }

    /// Prints text to standard error that is independent of the format, unless it would be in the middle of a machine-readable report.
    pub fn print(&mut self, text: &str) {
        if self.target.is_some() || self.format.is_text() {
            self.print_to_stderr(text);
        }
    }

    /// Prints a warning, which does not change the exit status.
    pub fn warn(&mut self, message: &str) {
        if !self.quiet {
            self.print(&format!("fjson: warning: {message}\n"));
        }
    }

    fn print_to_stderr(&mut self, text: &str) {
        if stderr::print(text).is_err() {
            self.worst = Exit::Error;
        }
    }

    /// Ends the report. Returns the worst exit status.
    pub fn finish(mut self) -> Result<Exit, RunError> {
        let totals = self.totals;
        self.write(|format, text| format.end(&totals, text))?;
        stderr::end_progress();
        let omitted = totals.omitted;
        if omitted > 0 {
            let errors = if omitted == 1 { "error is" } else { "errors are" };
            self.print(&format!("fjson: {omitted} more {errors} not shown; use --max-errors 0 to show all\n"));
        }
        if self.has_summary && totals.inputs > 1 {
            let bytes = stderr::bytes_read().load(Ordering::Relaxed) / self.passes;
            self.print(&summary::line(&totals, bytes, self.start.elapsed()));
        }
        Ok(self.worst)
    }

    fn write(&mut self, part: impl FnOnce(&mut dyn Format, &mut String) -> fmt::Result) -> Result<(), RunError> {
        let mut text = String::new();
        // Writing to a string cannot fail.
        part(&mut *self.format, &mut text).ok();
        if !text.is_empty() {
            match &mut self.target {
                Some(target) => target.print(text)?,
                None => self.print_to_stderr(&text),
            }
        }
        Ok(())
    }
}

/// Formats a count with its noun: `1 error`, `2 errors`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn format_named(name: FormatName, color: bool) -> Box<dyn Format + Send> {
    match name {
        FormatName::Human => Box::new(human::Human { color }),
        FormatName::Concise => Box::new(concise::Concise),
        FormatName::Json => Box::new(json::Json::default()),
        FormatName::Jsonl => Box::new(json::JsonLines),
        FormatName::Github => Box::new(github::GitHub),
        FormatName::Gitlab => Box::new(gitlab::GitLab::default()),
        FormatName::Sarif => Box::new(sarif::Sarif::default()),
        FormatName::Junit => Box::new(junit::JUnit::default()),
    }
}

/// Whether standard error is a terminal on which text may be replaced. The log of a continuous integration system is not, even if
/// it looks like one.
fn may_animate() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stderr().is_terminal() && !is_set("CI") && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

pub fn wants_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => has_color(&io::stderr()),
    }
}

/// Whether output to a stream is colored. This depends on `NO_COLOR`, then `CLICOLOR_FORCE`, then `CLICOLOR`, and on whether the
/// stream is a terminal.
pub fn has_color(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}
