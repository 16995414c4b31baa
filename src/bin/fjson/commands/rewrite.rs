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
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::EventHandler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;
use crate::target::Taken;
use crate::target::Target;
use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::Summary;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::ops::ControlFlow;

const LINES_WOULD_BE_LOST: &str =
    "its documents would no longer stand on one line each, so it cannot be edited in place";

const WOULD_BE_EXPANDED: &str =
    "its content is compressed, so it cannot be edited in place (-o writes to another file)";

/// The engine's part.
pub trait Verb: Sync {
    fn write(&self, input: Input<'_>, output: &mut dyn Write, options: &Options) -> Result<Summary, Error>;

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
    pub fn run(&self) -> Result<Exit, RunError> {
        let leaves_terminal_alone = self.output.in_place || self.output.output.is_some() || !io::stdout().is_terminal();
        let mut report = Report::beside_output(self.reporting, leaves_terminal_alone)?;
        let done = if self.output.in_place { self.run_in_place(&mut report) } else { self.run_to_one(&mut report) };
        done.or_else(|trouble| report.trouble(&trouble))?;
        report.finish()
    }

    fn run_to_one(&self, report: &mut Report) -> Result<(), RunError> {
        let target = match &self.output.output {
            Some(path) => Target::create(path)?,
            None => Target::stdout()?,
        };
        let work = ToOne { rewrite: self, taken: target.taken() };
        let mut one = One { target, report, written: 0 };
        scheduler::each(self.inputs, self.engine.threads, &work, &mut one)?;
        let One { mut target, written, .. } = one;
        if written > 1 {
            target.end_line()?;
        }
        // An error in any input leaves an old file as it was.
        if report.worst() == Exit::Fine { target.commit() } else { Ok(()) }
    }

    fn run_in_place(&self, report: &mut Report) -> Result<(), RunError> {
        let inputs = Inputs { skip_compressed: true, ..self.inputs.clone() };
        scheduler::each(&inputs, self.engine.threads, &InPlace { rewrite: self }, report)
    }

    fn options(&self, source: &Source, threads: usize) -> Options {
        self.text.options(self.engine.options(self.inputs, &source.name)).threads(threads)
    }

    /// Whether the whole input was good; if not, it has been said why, unless nobody takes the output.
    fn write(&self, source: &Source, threads: usize, say: &mut dyn EventSink) -> bool {
        let statistics = Statistics::start(self.engine);
        let mut output = Counted { say, count: 0, is_taken: true };
        let result = self.verb.write(self.inputs.read(source), &mut output, &self.options(source, threads));
        let Counted { say, count, is_taken } = output;
        match result {
            Ok(summary) => {
                if self.reporting.verbose {
                    let _ = say.say(Event::Line(statistics.line(&source.name, &summary, Some(count))));
                }
                say.say(Event::Closed(summary)).is_continue()
            }
            Err(error) => {
                if is_taken {
                    let _ = say.say(Event::Error(error));
                }
                false
            }
        }
    }
}

/// What is written, said and counted.
struct Counted<'s> {
    say: &'s mut dyn EventSink,
    count: u64,
    is_taken: bool,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_taken = self.say.write(bytes).is_continue();
        self.count += bytes.len() as u64;
        if self.is_taken { Ok(bytes.len()) } else { Err(io::Error::other("nobody takes it")) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All inputs into one output.
struct ToOne<'r> {
    rewrite: &'r Rewrite<'r>,
    taken: Taken,
}

impl Work for ToOne<'_> {
    fn work(&self, source: &Source, threads: usize, say: &mut dyn EventSink) {
        if let Err(trouble) = self.taken.must_not_be(source) {
            let _ = say.say(Event::RunError(trouble));
        } else if say.say(Event::Opened(source.size())).is_continue() {
            self.rewrite.write(source, threads, say);
        }
    }

    fn long(&self) -> u64 {
        scheduler::LONG_TO_HOLD
    }
}

/// The one output, and what is said beside it.
struct One<'r> {
    target: Target,
    report: &'r mut Report,
    /// Inputs that were begun.
    written: u64,
}

impl EventHandler for One<'_> {
    fn tell(&mut self, name: &Name, told: Event) -> Result<(), RunError> {
        match &told {
            Event::Opened(_) => {
                self.target.end_line()?;
                self.written += 1;
            }
            Event::Error(_) | Event::RunError(_) | Event::Line(_) => self.target.end_line_for_message()?,
            Event::Unformatted(_) | Event::Clean | Event::Closed(_) => {}
        }
        self.report.tell(name, told)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        self.target.print(bytes)
    }
}

/// Each input into its own place.
struct InPlace<'r> {
    rewrite: &'r Rewrite<'r>,
}

impl Work for InPlace<'_> {
    fn work(&self, source: &Source, threads: usize, say: &mut dyn EventSink) {
        if let Err(trouble) = self.replace(source, threads, say) {
            let _ = say.say(Event::RunError(trouble));
        }
    }

    fn edits(&self) -> bool {
        true
    }
}

impl InPlace<'_> {
    fn replace(&self, source: &Source, threads: usize, say: &mut dyn EventSink) -> Result<(), RunError> {
        let Rewrite { verb, inputs, .. } = self.rewrite;
        if !verb.keeps_lines() && inputs.framing(&source.name) == Framing::Lines {
            return Err(RunError::new(source.name.clone(), LINES_WOULD_BE_LOST));
        }
        let mut target = Target::in_place(source)?;
        if say.say(Event::Opened(source.size())).is_break() {
            return Ok(());
        }
        let mut input = inputs.read(source);
        let done = match input.is_expanded() {
            Ok(true) => return Err(RunError::new(source.name.clone(), WOULD_BE_EXPANDED)),
            Ok(false) => verb.is_done(input, &self.rewrite.options(source, threads)),
            Err(error) => Err(error),
        };
        let told = match done {
            Ok(false) => {
                let is_good = self.rewrite.write(source, threads, &mut Beside { say, target: &mut target });
                return match target.trouble() {
                    Some(trouble) => Err(trouble),
                    None if is_good => target.commit(),
                    None => Ok(()),
                };
            }
            // The file keeps its time stamp.
            Ok(true) => Event::Clean,
            Err(error) => Event::Error(error),
        };
        let _ = say.say(told);
        Ok(())
    }
}

/// What is said of an input whose output has a place of its own.
struct Beside<'s> {
    say: &'s mut dyn EventSink,
    target: &'s mut Target,
}

impl EventSink for Beside<'_> {
    fn say(&mut self, told: Event) -> ControlFlow<()> {
        self.say.say(told)
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if self.target.write_all(bytes).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
