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
use crate::crew;
use crate::crew::Say;
use crate::crew::Tell;
use crate::crew::Work;
use crate::exit::Exit;
use crate::exit::Trouble;
use crate::name::Name;
use crate::report::Report;
use crate::report::Told;
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
    pub fn run(&self) -> Result<Exit, Trouble> {
        let leaves_terminal_alone = self.output.in_place || self.output.output.is_some() || !io::stdout().is_terminal();
        let mut report = Report::beside_output(self.reporting, leaves_terminal_alone)?;
        let done = if self.output.in_place { self.run_in_place(&mut report) } else { self.run_to_one(&mut report) };
        done.or_else(|trouble| report.trouble(&trouble))?;
        report.finish()
    }

    fn run_to_one(&self, report: &mut Report) -> Result<(), Trouble> {
        let target = match &self.output.output {
            Some(path) => Target::create(path)?,
            None => Target::stdout()?,
        };
        let work = ToOne { rewrite: self, taken: target.taken() };
        let mut one = One { target, report, written: 0 };
        crew::each(self.inputs, self.engine.threads, &work, &mut one)?;
        let One { mut target, written, .. } = one;
        if written > 1 {
            target.end_line()?;
        }
        // An error in any input leaves an old file as it was.
        if report.worst() == Exit::Fine { target.commit() } else { Ok(()) }
    }

    fn run_in_place(&self, report: &mut Report) -> Result<(), Trouble> {
        let inputs = Inputs { leave_out_compressed: true, ..self.inputs.clone() };
        crew::each(&inputs, self.engine.threads, &InPlace { rewrite: self }, report)
    }

    fn options(&self, source: &Source, threads: usize) -> Options {
        self.text.options(self.engine.options(self.inputs, &source.name)).threads(threads)
    }

    /// Whether the whole input was good; if not, it has been said why, unless nobody takes the output.
    fn write(&self, source: &Source, threads: usize, say: &mut dyn Say) -> bool {
        let statistics = Statistics::start(self.engine);
        let mut output = Counted { say, count: 0, is_taken: true };
        let result = self.verb.write(self.inputs.read(source), &mut output, &self.options(source, threads));
        let Counted { say, count, is_taken } = output;
        match result {
            Ok(summary) => {
                if self.reporting.verbose {
                    let _ = say.say(Told::Line(statistics.line(&source.name, &summary, Some(count))));
                }
                say.say(Told::Closed(summary)).is_continue()
            }
            Err(error) => {
                if is_taken {
                    let _ = say.say(Told::Error(error));
                }
                false
            }
        }
    }
}

/// What is written, said and counted.
struct Counted<'s> {
    say: &'s mut dyn Say,
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
    fn work(&self, source: &Source, threads: usize, say: &mut dyn Say) {
        if let Err(trouble) = self.taken.must_not_be(source) {
            let _ = say.say(Told::Trouble(trouble));
        } else if say.say(Told::Opened(source.size())).is_continue() {
            self.rewrite.write(source, threads, say);
        }
    }

    fn long(&self) -> u64 {
        crew::LONG_TO_HOLD
    }
}

/// The one output, and what is said beside it.
struct One<'r> {
    target: Target,
    report: &'r mut Report,
    /// Inputs that were begun.
    written: u64,
}

impl Tell for One<'_> {
    fn tell(&mut self, name: &Name, told: Told) -> Result<(), Trouble> {
        match &told {
            Told::Opened(_) => {
                self.target.end_line()?;
                self.written += 1;
            }
            Told::Error(_) | Told::Trouble(_) | Told::Line(_) => self.target.end_line_for_message()?,
            Told::Unformatted(_) | Told::Clean | Told::Closed(_) => {}
        }
        self.report.tell(name, told)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.target.print(bytes)
    }
}

/// Each input into its own place.
struct InPlace<'r> {
    rewrite: &'r Rewrite<'r>,
}

impl Work for InPlace<'_> {
    fn work(&self, source: &Source, threads: usize, say: &mut dyn Say) {
        if let Err(trouble) = self.replace(source, threads, say) {
            let _ = say.say(Told::Trouble(trouble));
        }
    }

    fn edits(&self) -> bool {
        true
    }
}

impl InPlace<'_> {
    fn replace(&self, source: &Source, threads: usize, say: &mut dyn Say) -> Result<(), Trouble> {
        let Rewrite { verb, inputs, .. } = self.rewrite;
        if !verb.keeps_lines() && inputs.framing(&source.name) == Framing::Lines {
            return Err(Trouble::new(source.name.clone(), LINES_WOULD_BE_LOST));
        }
        let mut target = Target::in_place(source)?;
        if say.say(Told::Opened(source.size())).is_break() {
            return Ok(());
        }
        let mut input = inputs.read(source);
        let done = match input.is_expanded() {
            Ok(true) => return Err(Trouble::new(source.name.clone(), WOULD_BE_EXPANDED)),
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
            Ok(true) => Told::Clean,
            Err(error) => Told::Error(error),
        };
        let _ = say.say(told);
        Ok(())
    }
}

/// What is said of an input whose output has a place of its own.
struct Beside<'s> {
    say: &'s mut dyn Say,
    target: &'s mut Target,
}

impl Say for Beside<'_> {
    fn say(&mut self, told: Told) -> ControlFlow<()> {
        self.say.say(told)
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if self.target.write_all(bytes).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
