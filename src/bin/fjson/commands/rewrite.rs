//! What `minify` and `pretty` share: each input goes through the engine to the right output.
//!
//! Standard output and `-o` take all inputs one after another and end at the first write that fails; with `-i` each
//! input has an output of its own, which replaces it only if the whole input was good.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Output;
use crate::args::Reporting;
use crate::args::Text;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::Trouble;
use crate::report::Report;
use crate::source::Source;
use crate::target::Target;
use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::Summary;
use std::io;
use std::io::IsTerminal;

const LINES_WOULD_BE_LOST: &str =
    "its documents would no longer stand on one line each, so it cannot be edited in place";

const WOULD_BE_EXPANDED: &str =
    "its content is compressed, so it cannot be edited in place (-o writes to another file)";

/// The engine's part.
pub trait Verb {
    fn write(&self, input: Input<'_>, target: &mut Target, options: &Options) -> Result<Summary, Error>;

    /// Whether a document that stood on one line still does.
    fn keeps_lines(&self) -> bool;

    /// Whether the input is already what `write` would make of it.
    fn is_done(&self, input: Input<'_>, options: &Options) -> Result<bool, Error>;
}

pub struct Rewrite<'a> {
    pub verb: &'a dyn Verb,
    pub inputs: &'a Inputs,
    pub text: &'a Text,
    pub output: &'a Output,
    pub engine: &'a Engine,
    pub reporting: &'a Reporting,
}

impl Rewrite<'_> {
    pub fn run(&self) -> Result<Exit, Trouble> {
        let leaves_terminal_alone = self.output.in_place || self.output.output.is_some() || !io::stdout().is_terminal();
        let mut report = Report::beside_output(self.reporting, leaves_terminal_alone)?;
        let done = if self.output.in_place { self.run_in_place(&mut report) } else { self.run_to_one(&mut report) };
        done.or_else(|trouble| report.trouble(&trouble))?;
        report.finish()
    }

    fn run_to_one(&self, report: &mut Report) -> Result<(), Trouble> {
        let mut target = match &self.output.output {
            Some(path) => Target::create(path)?,
            None => Target::stdout()?,
        };
        let mut written = 0;
        self.inputs.each(&mut |source| {
            let source = match source.and_then(|source| target.must_not_be(&source).map(|()| source)) {
                Ok(source) => source,
                Err(trouble) => {
                    target.end_line_for_message()?;
                    return report.trouble(&trouble);
                }
            };
            target.end_line()?;
            written += 1;
            report.open(&source);
            self.write(&source, &mut target, report)?;
            // Nothing can follow an output that failed.
            target.trouble().map_or(Ok(()), Err)
        })?;
        if written > 1 {
            target.end_line()?;
        }
        // An error in any input leaves an old file as it was.
        if report.worst() == Exit::Fine { target.commit() } else { Ok(()) }
    }

    fn run_in_place(&self, report: &mut Report) -> Result<(), Trouble> {
        let inputs = Inputs { leave_out_compressed: true, ..self.inputs.clone() };
        inputs.each(&mut |source| {
            let replaced = source.and_then(|source| self.replace(&source, report));
            replaced.or_else(|trouble| report.trouble(&trouble))
        })
    }

    fn replace(&self, source: &Source, report: &mut Report) -> Result<(), Trouble> {
        if !self.verb.keeps_lines() && self.inputs.framing(&source.name) == Framing::Lines {
            return Err(Trouble::new(source.name.clone(), LINES_WOULD_BE_LOST));
        }
        let mut target = Target::in_place(source)?;
        let name = report.open(source);
        let options = self.text.options(self.engine.options(self.inputs, name));
        let mut input = self.inputs.read(source);
        let done = match input.is_expanded() {
            Ok(true) => return Err(Trouble::new(name.clone(), WOULD_BE_EXPANDED)),
            Ok(false) => self.verb.is_done(input, &options),
            Err(error) => Err(error),
        };
        match done {
            // The file keeps its time stamp.
            Ok(true) => return report.clean(name),
            Ok(false) => {}
            Err(error) => return report.error(name, &error),
        }
        let is_good = self.write(source, &mut target, report)?;
        if let Some(trouble) = target.trouble() {
            return Err(trouble);
        }
        if is_good { target.commit() } else { Ok(()) }
    }

    /// Whether the whole input was good; if not, the report knows why, unless it is the target that failed.
    fn write(&self, source: &Source, target: &mut Target, report: &mut Report) -> Result<bool, Trouble> {
        let name = &source.name;
        let statistics = Statistics::start(self.engine);
        let options = self.text.options(self.engine.options(self.inputs, name));
        let before = target.written();
        match self.verb.write(self.inputs.read(source), target, &options) {
            Ok(summary) => {
                if self.reporting.verbose {
                    let line = statistics.line(name, &summary, Some(target.written() - before));
                    target.end_line_for_message()?;
                    report.say(&line);
                }
                report.close(name, &summary)?;
                Ok(true)
            }
            Err(_) if target.trouble().is_some() => Ok(false),
            Err(error) => {
                target.end_line_for_message()?;
                report.error(name, &error).map(|()| false)
            }
        }
    }
}
