//! Common code of `minify`, `pretty` and the commands that change values: writes each input to its output.
//!
//! Standard output and `-o` receive all inputs in order; the first write that fails ends the command. With `-i`, each input has
//! its own output, which replaces it only if the whole input is valid.

#![forbid(unsafe_code)]

use crate::args::Bom;
use crate::args::Encoding;
use crate::args::Engine;
use crate::args::Inputs;
use crate::args::OnComments;
use crate::args::Output;
use crate::args::Reporting;
use crate::args::Text;
use crate::args::schema::SchemaOptions;
use crate::colorizer::Colorizer;
use crate::commands::colors;
use crate::commands::schema::Gate;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::outputs::Outputs;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::EventHandler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;
use crate::stderr;
use crate::target::Target;
use fjson::ByteOrderMark;
use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::Summary;
use std::io;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

const LINES_WOULD_BE_LOST: &str = "cannot be edited in place: its records would no longer be on one line each";

const REST_WOULD_BE_LOST: &str = "cannot be edited in place: only a part of it is read";

pub const WOULD_BE_DECODED: &str = "cannot be edited in place: it is not in UTF-8; use -o to write to another file";

const PREFIXES_WOULD_BE_LOST: &str = "cannot be edited in place: the text before its records would be lost";

pub const COMMENTS_WOULD_BE_LOST: &str =
    "cannot be edited in place: its comments would be lost; use -o to write to another file";

/// The byte order mark of UTF-8.
pub const MARK: &[u8] = "\u{feff}".as_bytes();

pub const WOULD_BE_EXPANDED: &str = "cannot be edited in place: it is compressed; use -o to write to another file";

/// An operation of the library that writes documents.
pub trait Verb: Sync {
    /// With `keeps_comments`, the input is JSON with comments, which are written, too.
    fn write(
        &self,
        input: Input<'_>,
        output: &mut dyn Write,
        options: &Options,
        keeps_comments: bool,
    ) -> Result<Summary, Error>;

    /// Whether each document is written on one line.
    fn keeps_lines(&self) -> bool;

    /// Whether documents are colored on a terminal, not only where `--color always` asks for it.
    fn is_for_people(&self) -> bool;

    /// Returns the offset of the first difference between the input and the output of [`write`](Self::write).
    fn difference(&self, input: Input<'_>, options: &Options, keeps_comments: bool) -> Result<Option<u64>, Error>;
}

/// A run of one of these commands.
pub struct Rewrite<'a> {
    pub verb: &'a dyn Verb,
    pub inputs: &'a Inputs,
    pub text: &'a Text,
    pub output: &'a Output,
    pub engine: &'a Engine,
    pub reporting: &'a Reporting,
    /// What each input is validated against before anything of it is written.
    pub schema: Option<&'a SchemaOptions>,
}

impl Rewrite<'_> {
    pub fn run(&self) -> Result<Exit, RunError> {
        let in_place = self.output.in_place;
        let inputs = Inputs { is_read_twice: in_place, is_edited_in_place: in_place, ..self.inputs.clone() };
        let mut report = Report::to_stderr(self.reporting, &inputs)?;
        if self.output.in_place || self.output.path().is_some() {
            report = report.with_summary();
        }
        let Some(gate) = Gate::new(self.schema, self.engine, &inputs, &mut report)? else { return report.finish() };
        let result = if self.output.in_place {
            self.run_in_place(&gate, &mut report)
        } else {
            self.run_to_one_output(&gate, &mut report)
        };
        result.or_else(|error| report.run_error(&error))?;
        gate.warn_if_unused(&mut report);
        report.finish()
    }

    fn run_to_one_output(&self, gate: &Gate<'_>, report: &mut Report) -> Result<(), RunError> {
        let mut outputs = Outputs::beside(self.inputs).or_in_place();
        let target = match self.output.path() {
            Some(path) => outputs.create(path)?,
            None => outputs.stdout()?,
        };
        let inputs = Inputs { outputs: outputs.files(), ..self.inputs.clone() };
        let work = ToOneOutput { rewrite: self, gate };
        let colorizer = colors::colorizer(self.reporting.color, self.verb.is_for_people(), &target);
        let mut handler = OneOutput { target, report, inputs: 0, colorizer, colored: Vec::new() };
        scheduler::each(&inputs, self.engine.threads, &work, &mut handler)?;
        handler.end_document()?;
        let OneOutput { mut target, inputs, .. } = handler;
        // A terminal would show the prompt of the shell on the last line of the output.
        if inputs > 1 || target.is_terminal() {
            target.end_line()?;
        }
        // If any input has an error, an existing file stays unchanged.
        if report.worst() == Exit::Success { target.commit() } else { Ok(()) }
    }

    fn run_in_place(&self, gate: &Gate<'_>, report: &mut Report) -> Result<(), RunError> {
        let inputs = Inputs { skip_compressed: true, is_edited_in_place: true, ..self.inputs.clone() };
        scheduler::each(&inputs, self.engine.threads, &InPlace { rewrite: self, gate }, report)
    }

    pub fn options(&self, source: &Source, threads: usize) -> Options {
        self.text.options(self.engine.options(self.inputs, &source.name)).threads(threads)
    }

    /// Refuses to replace an input with comments if they would neither be kept nor left out on purpose.
    pub fn admit(&self, source: Source) -> Result<Source, RunError> {
        let inputs = self.inputs;
        if self.output.in_place && inputs.on_comments == OnComments::Skip && inputs.has_comments(&source) {
            return Err(RunError::new(source.name, COMMENTS_WOULD_BE_LOST));
        }
        Ok(source)
    }

    /// Whether comments of an input are written.
    pub fn keeps_comments(&self, source: &Source) -> bool {
        self.inputs.on_comments == OnComments::Keep && self.inputs.may_have_comments(source)
    }

    /// Whether comments of an input are removed, so that its text changes even if spaces in their place would be right.
    pub fn strips_comments(&self, source: &Source) -> bool {
        self.inputs.on_comments == OnComments::Strip && self.inputs.has_comments(source)
    }

    /// Validates an input against its schema. If it is invalid, sends why, and returns false.
    pub fn admits(
        &self,
        gate: &Gate<'_>,
        source: &Source,
        threads: usize,
        sink: &mut dyn EventSink,
    ) -> Result<bool, RunError> {
        gate.admits(source, self.inputs.framing(&source.name), threads, sink)
    }

    /// Writes one input to `sink`. Returns the events to send when the output is complete, or `None` if the input is invalid or was
    /// not written. An error has been sent to `sink`, unless `sink` itself has failed.
    ///
    /// If the output is `shared` with other inputs, or is standard output, a short document is checked before any of it is written.
    fn write(
        &self,
        gate: &Gate<'_>,
        source: &Source,
        threads: usize,
        sink: &mut dyn EventSink,
        shared: bool,
    ) -> Option<Vec<Event>> {
        let statistics = Statistics::start(self.engine);
        let is_short = source.size().is_none_or(|size| size <= CHECKED_FIRST);
        let is_document = matches!(self.inputs.framing(&source.name), Framing::Document | Framing::Documents);
        let holds = shared && is_short && is_document;
        let mut output = SinkWriter { sink, count: 0, is_open: true, held: holds.then(Vec::new) };
        let options = self.options(source, threads);
        let keeps_comments = self.keeps_comments(source);
        let result =
            self.inputs.read(source).and_then(|input| self.verb.write(input, &mut output, &options, keeps_comments));
        if let Err(error) = gate.confirm(source) {
            let _ = output.sink.send(Event::RunError(error));
            return None;
        }
        let is_released = result.is_err() || output.release().is_ok();
        let SinkWriter { sink, count, is_open, .. } = output;
        match result {
            Ok(_) if !is_released => None,
            Ok(summary) => {
                let line = || Event::Line(statistics.line(self.inputs, source, &summary, Some(count)));
                let line = self.reporting.verbose.then(line);
                Some(line.into_iter().chain([Event::Closed(summary)]).collect())
            }
            Err(error) => {
                if is_open {
                    let _ = sink.send(Event::Error(error));
                }
                None
            }
        }
    }
}

/// Sends events until the sink accepts no more.
fn send_all(events: Option<Vec<Event>>, sink: &mut dyn EventSink) {
    let _ = events.into_iter().flatten().try_for_each(|event| sink.send(event));
}

/// Length up to which a document is checked before its output is written. An editor that replaces its text by the output of a filter
/// would otherwise get a half of it.
const CHECKED_FIRST: u64 = 1 << 20;

/// Number of bytes of output that are held while a document is checked: enough for [`CHECKED_FIRST`] bytes, indented.
const MOST_HELD: usize = 4 << 20;

/// A writer that passes output to an event sink and counts it.
struct SinkWriter<'s> {
    sink: &'s mut dyn EventSink,
    /// Number of bytes written.
    count: u64,
    /// Whether the sink still accepts output.
    is_open: bool,
    /// Output of a document that is not yet checked; `None` if output is not held, or is too long.
    held: Option<Vec<u8>>,
}

impl SinkWriter<'_> {
    /// Passes on the output that is held, and all further output immediately.
    fn release(&mut self) -> io::Result<()> {
        let held = self.held.take().unwrap_or_default();
        if held.is_empty() { Ok(()) } else { self.pass(&held) }
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.is_open = self.sink.write(bytes).is_continue();
        if self.is_open { Ok(()) } else { Err(io::Error::other("the output has failed")) }
    }
}

impl Write for SinkWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(held) = &mut self.held {
            if held.len() + bytes.len() <= MOST_HELD && held.try_reserve(bytes.len()).is_ok() {
                held.extend_from_slice(bytes);
                self.count += bytes.len() as u64;
                return Ok(bytes.len());
            }
            self.release()?;
        }
        self.pass(bytes)?;
        self.count += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The work for writing all inputs to one output.
struct ToOneOutput<'r> {
    rewrite: &'r Rewrite<'r>,
    gate: &'r Gate<'r>,
}

impl Work for ToOneOutput<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        if sink.send(Event::Opened).is_break() {
            return;
        }
        let events = match self.rewrite.admits(self.gate, &source, threads, sink) {
            Ok(true) => self.rewrite.write(self.gate, &source, threads, sink, true),
            Ok(false) => None,
            Err(error) => Some(vec![Event::RunError(error)]),
        };
        send_all(events, sink);
    }

    fn parallel_size(&self) -> u64 {
        scheduler::PARALLEL_SIZE_WITH_OUTPUT
    }

    fn admit(&self, source: Source) -> Result<Source, RunError> {
        self.rewrite.admit(source)
    }
}

/// The single output of all inputs, and the report.
struct OneOutput<'r> {
    target: Target,
    report: &'r mut Report,
    /// Number of inputs opened so far.
    inputs: u64,
    /// Colors and escapes for people.
    colorizer: Option<Colorizer>,
    /// Output of the colorizer.
    colored: Vec<u8>,
}

/// Number of bytes that are colored at once.
const PIECE: usize = 16 * 1024;

impl OneOutput<'_> {
    /// Ends a document, which may be incomplete, and resets the color.
    fn end_document(&mut self) -> Result<(), RunError> {
        let Some(colorizer) = &mut self.colorizer else { return Ok(()) };
        self.colored.clear();
        colorizer.end(&mut self.colored);
        if self.colored.is_empty() { Ok(()) } else { self.target.print(&self.colored) }
    }
}

impl EventHandler for OneOutput<'_> {
    fn handle(&mut self, name: &Name, event: Event) -> Result<(), RunError> {
        self.end_document()?;
        match &event {
            Event::Opened => {
                self.target.end_line()?;
                self.inputs += 1;
            }
            Event::Error(_) | Event::Violation(_) | Event::RunError(_) | Event::Line(_) => {
                self.target.end_line_for_message()?;
            }
            _ => {}
        }
        self.report.handle(name, event)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        let Some(colorizer) = &mut self.colorizer else { return self.target.print(bytes) };
        for piece in bytes.chunks(PIECE) {
            self.colored.clear();
            colorizer.write(piece, &mut self.colored);
            self.target.print(&self.colored)?;
        }
        Ok(())
    }
}

/// The work for editing each input in place.
struct InPlace<'r> {
    rewrite: &'r Rewrite<'r>,
    gate: &'r Gate<'r>,
}

impl Work for InPlace<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        if let Err(error) = self.replace(source, threads, sink) {
            let _ = sink.send(Event::RunError(error));
        }
    }

    fn edits(&self) -> bool {
        true
    }

    fn admit(&self, source: Source) -> Result<Source, RunError> {
        self.rewrite.admit(source)
    }
}

impl InPlace<'_> {
    fn replace(&self, source: Source, threads: usize, sink: &mut dyn EventSink) -> Result<(), RunError> {
        let Rewrite { verb, inputs, .. } = self.rewrite;
        if !verb.keeps_lines() && inputs.framing(&source.name) == Framing::Lines {
            return Err(RunError::new(source.name.clone(), LINES_WOULD_BE_LOST));
        }
        if source.is_part() {
            return Err(RunError::new(source.name.clone(), REST_WOULD_BE_LOST));
        }
        if inputs.skip_prefix.is_some() {
            return Err(RunError::new(source.name.clone(), PREFIXES_WOULD_BE_LOST));
        }
        Target::check_in_place(&source)?;
        if sink.send(Event::Opened).is_break() || !self.rewrite.admits(self.gate, &source, threads, sink)? {
            return Ok(());
        }
        let event = match self.difference(&source, threads) {
            Ok(Difference::Expanded) => return Err(RunError::new(source.name, WOULD_BE_EXPANDED)),
            Ok(Difference::Decoded) => return Err(RunError::new(source.name, WOULD_BE_DECODED)),
            Ok(Difference::Text { keeps_mark }) => {
                let mut target = Target::in_place(&source)?;
                if keeps_mark {
                    target.print(MARK)?;
                }
                let output = &mut InPlaceSink { sink, target: &mut target };
                let written = self.rewrite.write(self.gate, &source, threads, output, false);
                if let Some(error) = target.write_error() {
                    return Err(error);
                }
                if written.is_some() {
                    target.commit_over(source)?;
                }
                send_all(written, sink);
                return Ok(());
            }
            // The file is not rewritten, so that it keeps its time stamp.
            Ok(Difference::None) => Event::Passed,
            Err(error) => Event::Error(error),
        };
        self.gate.confirm(&source)?;
        // It counts as read twice for the progress bar.
        stderr::bytes_read().fetch_add(source.size().unwrap_or_default(), Ordering::Relaxed);
        let _ = sink.send(event);
        Ok(())
    }

    /// Returns how the input differs from the output.
    fn difference(&self, source: &Source, threads: usize) -> Result<Difference, Error> {
        let Rewrite { verb, inputs, .. } = self.rewrite;
        let mark = inputs.byte_order_mark(source)?;
        if inputs.is_expanded(source)? {
            return Ok(Difference::Expanded);
        }
        if inputs.encoding == Encoding::Auto && mark.is_some_and(|mark| mark != ByteOrderMark::Utf8) {
            return Ok(Difference::Decoded);
        }
        let keeps_mark = mark == Some(ByteOrderMark::Utf8) && inputs.bom != Bom::Strip;
        let (input, keeps_comments) = (inputs.read(source)?, self.rewrite.keeps_comments(source));
        let is_done = verb.difference(input, &self.rewrite.options(source, threads), keeps_comments)?.is_none();
        let loses_mark = mark == Some(ByteOrderMark::Utf8) && !keeps_mark;
        Ok(if is_done && !loses_mark && !self.rewrite.strips_comments(source) {
            Difference::None
        } else {
            Difference::Text { keeps_mark }
        })
    }
}

/// How a file differs from what would be written in its place.
enum Difference {
    None,
    Text {
        /// Whether the text begins with a byte order mark that stays.
        keeps_mark: bool,
    },
    /// The file is compressed.
    Expanded,
    /// The file is in another encoding.
    Decoded,
}

/// An event sink for an input that has its own output.
struct InPlaceSink<'s> {
    sink: &'s mut dyn EventSink,
    target: &'s mut Target,
}

impl EventSink for InPlaceSink<'_> {
    fn send(&mut self, event: Event) -> ControlFlow<()> {
        self.sink.send(event)
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if self.target.write_all(bytes).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
