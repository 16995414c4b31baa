//! What `minify` and `pretty` share: each input goes through the engine to the right output.
//!
//! Standard output and `-o` take all inputs one after another and end at the first write that fails; with `-i` each
//! input has an output of its own, which replaces it only if the whole input was good.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::Output;
use crate::args::Reporting;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::Trouble;
use crate::name::Name;
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

/// The engine's part.
pub trait Verb {
    fn write(&self, input: Input<'_>, target: &mut Target, options: &Options) -> Result<Summary, Error>;

    /// Whether the output of a single document ends without a newline.
    fn leaves_line_open(&self) -> bool;

    /// Whether the input is already what `write` would make of it.
    fn is_done(&self, input: Input<'_>, options: &Options) -> Result<bool, Error>;
}

pub struct Rewrite<'a> {
    pub verb: &'a dyn Verb,
    pub inputs: &'a Inputs,
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
        let mut line_is_open = false;
        self.inputs.each(&mut |source| {
            let source = match source.and_then(|source| target.must_not_be(&source).map(|()| source)) {
                Ok(source) => source,
                Err(trouble) => return report.trouble(&trouble),
            };
            if line_is_open {
                target.print("\n")?;
            }
            written += 1;
            line_is_open = self.leaves_line_open(&source.name);
            report.open(&source);
            self.write(&source, &mut target, report)?;
            // Nothing can follow an output that failed.
            target.trouble().map_or(Ok(()), Err)
        })?;
        if line_is_open && written > 1 {
            target.print("\n")?;
        }
        // An error in any input leaves an old file as it was.
        if report.worst() == Exit::Fine { target.commit() } else { Ok(()) }
    }

    fn run_in_place(&self, report: &mut Report) -> Result<(), Trouble> {
        self.inputs.each(&mut |source| {
            let replaced = source.and_then(|source| self.replace(&source, report));
            replaced.or_else(|trouble| report.trouble(&trouble))
        })
    }

    fn replace(&self, source: &Source, report: &mut Report) -> Result<(), Trouble> {
        let mut target = Target::in_place(source)?;
        let name = report.open(source);
        let options = self.engine.options(self.inputs, name);
        match self.verb.is_done(source.input(!self.inputs.no_mmap), &options) {
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
        let options = self.engine.options(self.inputs, name);
        let before = target.written();
        match self.verb.write(source.input(!self.inputs.no_mmap), target, &options) {
            Ok(summary) => {
                if self.reporting.verbose {
                    report.say(&statistics.line(name, &summary, Some(target.written() - before)));
                }
                report.close(name, &summary)?;
                Ok(true)
            }
            Err(_) if target.trouble().is_some() => Ok(false),
            Err(error) => report.error(name, &error).map(|()| false),
        }
    }

    fn leaves_line_open(&self, name: &Name) -> bool {
        self.verb.leaves_line_open() && self.inputs.framing(name) == Framing::Document
    }
}
