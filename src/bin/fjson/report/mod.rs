//! What is said about inputs, for people and for machines.
//!
//! Each format is a small file that turns a finding into text and knows nothing of streams; this one decides where the
//! text goes, how many findings are shown, and keeps the worst answer. Findings are written as they come: a report of a
//! million bad records takes no more memory than one of a single record.

#![forbid(unsafe_code)]

mod concise;
mod diagnostic;
pub mod excerpt;
mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod sarif;

use crate::args::Color;
use crate::args::Format as FormatName;
use crate::args::Reporting;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::diagnostic::Diagnostic;
use crate::source::Source;
use crate::stderr;
use crate::target::Target;
use anstream::AutoStream;
use anstream::ColorChoice;
use anstream::stream::RawStream;
use fjson::Summary;
use std::fmt;
use std::io;
use std::io::IsTerminal;

/// The sums a report may end with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    pub inputs: u64,
    /// Unknown until an input was read to its end by somebody who counts.
    pub documents: Option<u64>,
    pub findings: u64,
    /// Findings beyond `--max-errors`.
    pub omitted: u64,
}

/// One way to write a report down.
trait Format {
    fn begin(&mut self, _text: &mut String) -> fmt::Result {
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, text: &mut String) -> fmt::Result;

    /// An input in which nothing was found.
    fn clean(&mut self, _name: &Name, _text: &mut String) -> fmt::Result {
        Ok(())
    }

    fn end(&mut self, _totals: &Totals, _text: &mut String) -> fmt::Result {
        Ok(())
    }
}

/// What may be told of an input by whoever reads it.
pub enum Event {
    /// It is about to be read; its size, if that is of interest.
    Opened(Option<u64>),
    /// A document is invalid, or could not be read to its end.
    Error(fjson::Error),
    /// It could not be opened.
    RunError(RunError),
    /// It is not laid out as it should be from this offset on.
    Unformatted(u64),
    /// A line that belongs to no format.
    Line(String),
    /// It was laid out as it should be.
    Clean,
    /// It has been read to its end.
    Closed(Summary),
}

pub struct Report {
    format: Box<dyn Format + Send>,
    /// Standard output for a machine's report; otherwise standard error.
    target: Option<Target>,
    quiet: bool,
    most: u64,
    totals: Totals,
    worst: Exit,
}

impl Report {
    /// A report of `validate`, whose output it is: machines read it from standard output.
    pub fn as_output(reporting: &Reporting) -> Result<Self, RunError> {
        let target = if reporting.format.is_for_people() { None } else { Some(Target::stdout()?) };
        Self::new(reporting, target, true)
    }

    /// A report beside a document that takes standard output, and perhaps the terminal (then there is no `progress`).
    pub fn beside_output(reporting: &Reporting, progress: bool) -> Result<Self, RunError> {
        Self::new(reporting, None, progress)
    }

    fn new(reporting: &Reporting, target: Option<Target>, progress: bool) -> Result<Self, RunError> {
        let mut report = Self {
            format: format_named(reporting.format, wants_color(reporting.color)),
            target,
            quiet: reporting.quiet,
            most: if reporting.max_errors == 0 { u64::MAX } else { reporting.max_errors },
            totals: Totals::default(),
            worst: Exit::Fine,
        };
        if progress && !reporting.quiet && io::stderr().is_terminal() {
            stderr::start_progress();
        }
        report.write(|format, text| format.begin(text))?;
        Ok(report)
    }

    /// Reports what was told of an input.
    pub fn tell(&mut self, name: &Name, told: Event) -> Result<(), RunError> {
        match told {
            Event::Opened(size) => {
                self.opened(name, size);
                Ok(())
            }
            Event::Error(error) => self.error(name, &error),
            Event::RunError(trouble) => self.trouble(&trouble),
            Event::Unformatted(offset) => self.unformatted(name, offset),
            Event::Line(line) => {
                self.say(&line);
                Ok(())
            }
            Event::Clean => self.clean(name),
            Event::Closed(summary) => self.close(name, &summary),
        }
    }

    /// An input is about to be read; gives its name.
    pub fn open<'a>(&mut self, source: &'a Source) -> &'a Name {
        self.opened(&source.name, source.size());
        &source.name
    }

    fn opened(&mut self, name: &Name, size: Option<u64>) {
        self.totals.inputs += 1;
        stderr::set_progress(name, size);
    }

    /// An input has been read to its end. What was found in it has been reported before.
    pub fn close(&mut self, name: &Name, summary: &Summary) -> Result<(), RunError> {
        *self.totals.documents.get_or_insert(0) += summary.documents;
        if summary.invalid == 0 { self.clean(name) } else { Ok(()) }
    }

    /// Nothing was found in an input.
    pub fn clean(&mut self, name: &Name) -> Result<(), RunError> {
        self.write(|format, text| format.clean(name, text))
    }

    /// A document is invalid, or could not be read to its end.
    pub fn error(&mut self, name: &Name, error: &fjson::Error) -> Result<(), RunError> {
        self.diagnostic(&Diagnostic::of_error(name, error))
    }

    /// An input or an output failed.
    pub fn trouble(&mut self, trouble: &RunError) -> Result<(), RunError> {
        self.diagnostic(&Diagnostic::of_trouble(trouble))
    }

    /// An input is not laid out as it should be; `offset` is where it begins to differ.
    pub fn unformatted(&mut self, name: &Name, offset: u64) -> Result<(), RunError> {
        self.diagnostic(&Diagnostic::of_layout(name, offset))
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>) -> Result<(), RunError> {
        self.worst = self.worst.max(diagnostic.exit);
        if self.quiet && diagnostic.exit < Exit::RunError {
            return Ok(());
        }
        self.totals.findings += 1;
        if self.totals.findings > self.most {
            self.totals.omitted += 1;
            return Ok(());
        }
        self.write(|format, text| format.diagnostic(diagnostic, text))
    }

    /// The answer is at least this bad.
    pub fn worsen(&mut self, exit: Exit) {
        self.worst = self.worst.max(exit);
    }

    pub fn worst(&self) -> Exit {
        self.worst
    }

    /// Says something that belongs to no format.
    pub fn say(&mut self, text: &str) {
        if stderr::say(text).is_err() {
            self.worst = Exit::RunError;
        }
    }

    /// Ends the report and gives the worst answer.
    pub fn finish(mut self) -> Result<Exit, RunError> {
        let totals = self.totals;
        self.write(|format, text| format.end(&totals, text))?;
        stderr::end_progress();
        let omitted = totals.omitted;
        if omitted > 0 {
            let errors = if omitted == 1 { "error is" } else { "errors are" };
            self.say(&format!("fjson: {omitted} more {errors} not shown (--max-errors 0 shows all)\n"));
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
                None => self.say(&text),
            }
        }
        Ok(())
    }
}

/// `1 error`, `2 errors`.
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

pub fn wants_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => has_color(&io::stderr()),
    }
}

/// Whether a stream takes colour: `NO_COLOR` decides, then `CLICOLOR_FORCE`, `CLICOLOR`, and whether it is a terminal.
pub fn has_color(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}
