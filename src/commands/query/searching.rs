//! The search of one input, on any thread.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::query::Query as Arguments;
use crate::commands::query::Expressions;
use crate::commands::query::Rows;
use crate::commands::query::output::Output;
use crate::commands::query::rows::Batch;
use crate::commands::query::unprintable::Unprintables;
use crate::commands::query::value::OUT_OF_MEMORY;
use crate::commands::schema::Gate;
use crate::commands::statistics::Statistics;
use crate::exit::RunError;
use crate::report::Event;
use crate::report::Skipped;
use crate::report::counted;
use crate::scheduler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;
use fjson::Error;
use fjson::Framing;
use fjson::Match;
use fjson::MatchHandler;
use fjson::MatchWriter;
use fjson::Options;
use fjson::Search;
use fjson::Summary;
use fjson::Written;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

const NO_RECORDS: &str = "--skip-bad needs records; use --lines or --seq";

/// Whether the next document can be found after an invalid one.
fn is_record_framing(framing: Framing) -> bool {
    matches!(framing, Framing::Lines | Framing::Sequence)
}

/// A search of all inputs.
pub struct Searching<'a> {
    arguments: &'a Arguments,
    pub inputs: &'a Inputs,
    expressions: &'a Expressions,
    gate: &'a Gate<'a>,
    /// A printer that has printed nothing.
    output: Output<'a>,
    /// Printers that are not in use. If inputs are searched one after the other, it is always the same one.
    idle: Mutex<Vec<Printer<'a>>>,
    /// Number of matches of each query, for `--count`.
    counts: Mutex<Vec<u64>>,
    /// Number of matches or rows of all inputs.
    matched: AtomicU64,
    /// Whether the limit on the number of matches or rows is reached.
    is_full: AtomicBool,
}

/// What prints the matches of one input after another.
struct Printer<'a> {
    output: Output<'a>,
    /// Values that are not yet printed as rows, for `--rows`.
    batch: Batch,
}

impl<'a> Searching<'a> {
    /// Creates a search. `output` has printed nothing.
    pub fn new(
        arguments: &'a Arguments,
        inputs: &'a Inputs,
        expressions: &'a Expressions,
        gate: &'a Gate<'a>,
        output: Output<'a>,
    ) -> Self {
        let counts = Mutex::new(vec![0; expressions.queries.len()]);
        let (idle, matched, is_full) = Default::default();
        Self { arguments, inputs, expressions, gate, output, idle, counts, matched, is_full }
    }

    /// Begins the output. Returns an error if there is no memory.
    pub fn begin(&self, names: &[String], sink: &mut dyn EventSink) -> Result<(), &'static str> {
        let mut printer = self.printer();
        printer.output.add_header(names)?;
        // A failure of the output is known to the sink.
        let _ = printer.output.flush(sink);
        self.put_back(printer);
        Ok(())
    }

    /// Ends the output, after all inputs.
    pub fn end(&self, is_complete: bool, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let printing = &self.arguments.printing;
        let mut printer = self.printer();
        if !printing.count {
            return printer.output.end(is_complete, sink);
        }
        if printing.with_filename {
            return ControlFlow::Continue(());
        }
        let counts = mem::take(&mut *self.counts.lock().unwrap_or_else(PoisonError::into_inner));
        counts.into_iter().try_for_each(|count| printer.output.print_count(count, sink))
    }

    /// Whether there was a match.
    pub fn has_matched(&self) -> bool {
        self.matched.load(Ordering::Relaxed) > 0
    }

    fn printer(&self) -> Printer<'a> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| Printer { output: self.output.clone(), batch: Batch::default() })
    }

    fn put_back(&self, printer: Printer<'a>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(printer);
    }
}

impl Work for Searching<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        let mut printer = self.printer();
        let before = printer.output.printed();
        let mut sink = Tracking { sink, is_open: true };
        let counts = search(self, source, threads, &mut printer, &mut sink);
        let matched = counts.iter().fold(printer.output.printed() - before, |sum, count| sum.saturating_add(*count));
        self.matched.fetch_add(matched, Ordering::Relaxed);
        let mut sums = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(count));
        self.is_full.store(printer.output.is_full(), Ordering::Relaxed);
        self.put_back(printer);
    }

    fn parallel_size(&self) -> u64 {
        scheduler::PARALLEL_SIZE_WITH_OUTPUT
    }

    /// Whether what is printed of an input depends on earlier ones.
    fn is_sequential(&self) -> bool {
        self.arguments.first || self.arguments.limit.is_some() || self.arguments.printing.array
    }

    fn is_over(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }
}

/// A sink that knows whether it still accepts events and output.
struct Tracking<'s> {
    sink: &'s mut dyn EventSink,
    is_open: bool,
}

impl EventSink for Tracking<'_> {
    fn send(&mut self, event: Event) -> ControlFlow<()> {
        if self.is_open {
            self.is_open = self.sink.send(event).is_continue();
        }
        if self.is_open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if self.is_open {
            self.is_open = self.sink.write(bytes).is_continue();
        }
        if self.is_open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Searches one input. Returns the number of matches of each query that have not been printed, for `--count`.
fn search<'a>(
    searching: &Searching<'a>,
    source: Source,
    threads: usize,
    printer: &mut Printer<'a>,
    sink: &mut Tracking<'_>,
) -> Vec<u64> {
    let Searching { arguments, inputs, expressions, gate, .. } = *searching;
    if sink.send(Event::Opened).is_break() {
        return Vec::new();
    }
    let framing = arguments.framing(&source.name);
    if arguments.skip_bad && !is_record_framing(framing) {
        let _ = sink.send(Event::RunError(RunError::new(source.name, NO_RECORDS)));
        return Vec::new();
    }
    let source = match expressions.found.admit(source) {
        Ok(source) => source,
        Err(error) => {
            let _ = sink.send(Event::RunError(error));
            return Vec::new();
        }
    };
    match gate.admits(&source, framing, threads, sink) {
        Ok(true) => {}
        Ok(false) => return Vec::new(),
        Err(error) => {
            let _ = sink.send(Event::RunError(error));
            return Vec::new();
        }
    }
    let source = if arguments.printing.may_fail() { source.kept() } else { source };
    printer.output.begin_input(&source.name);
    printer.batch.begin_input();
    let statistics = Statistics::start(&arguments.engine);
    let options = arguments.engine.options(inputs, &source.name).framing(framing).threads(threads);
    let options = options.keep_invalid(arguments.bad_records.is_some());
    let mut matches = MatchPrinter {
        arguments,
        expressions,
        gate,
        source: &source,
        framing,
        options: &options,
        printer,
        sink,
        skipped: 0,
        unprintables: Unprintables::default(),
        has_rows_without_cells: false,
        failure: None,
    };
    let mut counts = if arguments.printing.count { vec![0; expressions.queries.len()] } else { Vec::new() };
    let result = matches.search(inputs, &mut counts);
    matches.write_rows();
    if arguments.printing.count && arguments.printing.with_filename {
        for count in mem::take(&mut counts) {
            let _ = matches.printer.output.print_count(count, matches.sink);
        }
    }
    if let Err(error) = gate.confirm(&source) {
        matches.failure.get_or_insert(error);
    }
    matches.finish(inputs, result, &statistics);
    counts
}

/// Handler that prints the matches and reports the errors of one input.
struct MatchPrinter<'h, 'a, 's> {
    arguments: &'h Arguments,
    expressions: &'h Expressions,
    gate: &'h Gate<'h>,
    source: &'h Source,
    framing: Framing,
    options: &'h Options,
    printer: &'h mut Printer<'a>,
    sink: &'h mut Tracking<'s>,
    /// Number of invalid records skipped because of `--skip-bad`.
    skipped: u64,
    unprintables: Unprintables,
    /// Whether rows are arrays in which no column has a value.
    has_rows_without_cells: bool,
    /// Error that ended the search.
    failure: Option<RunError>,
}

impl<'h> MatchPrinter<'h, '_, '_> {
    fn search(&mut self, inputs: &Inputs, counts: &mut [u64]) -> Result<Summary, Error> {
        let (arguments, expressions) = (self.arguments, self.expressions);
        let queries = expressions.rows.as_ref().map_or(&expressions.queries[..], |rows| &rows.queries[..]);
        // A row may have several matches, except with `--rows` and without columns of the document.
        let has_long_rows =
            arguments.printing.is_table() && !expressions.rows.as_ref().is_some_and(Rows::has_only_rows);
        let limit = if has_long_rows { u64::MAX } else { self.printer.output.remaining() };
        let mut search = Search::new(queries).order(arguments.order()).limit(limit);
        if arguments.first || arguments.limit.is_some() {
            search = search.stop_early();
        }
        if !arguments.printing.has_paths() {
            search = search.without_paths();
        }
        if let Some(condition) = &expressions.condition {
            search = search.condition(condition);
        }
        if arguments.trust {
            search = search.trust();
        }
        let (input, options) = (inputs.read(self.source)?, self.options);
        if !arguments.printing.count {
            let output = &self.printer.output;
            let (matches, rows);
            let writer = if let Some(of_rows) = &expressions.rows {
                let search = (self.search_in_rows(), &of_rows.of_row[..]);
                rows = output.value_writer(search, self.options_in_rows()).filter(|_| of_rows.has_only_rows());
                rows.as_ref().map(|writer| writer as &dyn MatchWriter)
            } else {
                matches = output.record_writer(options);
                matches.as_ref().map(|writer| writer as &dyn MatchWriter)
            };
            return search.run_with(input, options, writer, self);
        }
        search.count(input, options, counts, &mut |error| self.on_error(error))
    }

    /// Ends an input: writes the rest of its output, and reports its result.
    fn finish(&mut self, inputs: &Inputs, result: Result<Summary, Error>, statistics: &Statistics) {
        let out_of_memory = |reason| RunError::new(self.source.name.clone(), reason);
        // After a failure, earlier matches are still printed, but an incomplete row is not.
        let failure = match self.failure.take() {
            Some(failure) => {
                let _ = self.printer.output.flush(self.sink);
                Some(failure)
            }
            None => self.printer.output.end_input(self.sink).err().map(out_of_memory),
        };
        if let Some(failure) = failure {
            let _ = self.sink.send(Event::RunError(failure));
            return;
        }
        let skips = self.arguments.skip_bad && is_record_framing(self.framing);
        let has_file = self.arguments.bad_records.is_some();
        let unprintables = mem::take(&mut self.unprintables);
        let reported = unprintables.report(inputs, self.source, self.options, skips, has_file, self.sink);
        let line = |text: String| Event::Line(format!("{}: {text}\n", self.source.name));
        if !self.arguments.reporting.quiet {
            let empty_rows = "the rows are arrays, in which no column has a value; `[*]` at the end of --rows makes \
                              rows of their elements";
            let lines = [
                (u64::from(self.has_rows_without_cells), empty_rows.to_owned()),
                (self.skipped, counted(self.skipped, "invalid record") + " skipped"),
                (reported.skipped, counted(reported.skipped, "record") + " with unprintable matches skipped"),
            ];
            let lines = lines.into_iter().filter(|(count, _)| *count > 0);
            let _ = lines.map(|(_, text)| line(text)).try_for_each(|event| self.sink.send(event));
        }
        match result {
            Ok(mut summary) => {
                if self.arguments.reporting.verbose {
                    let _ = self.sink.send(Event::Line(statistics.line(inputs, self.source, &summary, None)));
                }
                // An input with a finding has not passed.
                summary.invalid += reported.findings;
                let _ = self.sink.send(Event::Closed(summary));
            }
            Err(error) => {
                let _ = self.sink.send(Event::Error(error));
            }
        }
    }

    /// Adds a value that is a row, or that of a column of the document. Breaks if there are enough rows.
    fn add_to_rows(&mut self, rows: &Rows, matched: &Match<'_>) -> ControlFlow<()> {
        let Printer { output, batch } = &mut *self.printer;
        if output.remaining() <= batch.count() {
            self.write_rows();
            if self.printer.output.is_full() || self.flow().is_break() {
                return ControlFlow::Break(());
            }
        }
        let batch = &mut self.printer.batch;
        let added = match rows.of_document.get(matched.query()) {
            Some(&column) => batch.add_to_document(column, matched, self.arguments.printing.surrogates()),
            None => batch.add(matched),
        };
        let is_full = batch.is_full();
        match added {
            Err(reason) => self.refuse(matched, reason),
            Ok(()) if is_full => self.write_rows(),
            Ok(()) => {}
        }
        self.flow()
    }

    /// Keeps a match that cannot be printed for the report. Fails if there is no memory.
    fn refuse(&mut self, matched: &Match<'_>, reason: &'static str) {
        let added = match reason {
            OUT_OF_MEMORY => Err(OUT_OF_MEMORY),
            reason => self.unprintables.add(matched.range().start, matched.record(), reason),
        };
        self.failure = added.err().map(|reason| RunError::new(self.source.name.clone(), reason));
    }

    /// Returns the search for the columns of a row.
    fn search_in_rows(&self) -> Search<'h> {
        Search::new(&self.expressions.queries).order(self.arguments.order()).without_paths()
    }

    fn options_in_rows(&self) -> Options {
        let Engine { kernel, threads, max_depth, .. } = self.arguments.engine;
        let options = Options::new().threads(threads).max_depth(max_depth);
        kernel.map_or(options.clone(), |kernel| options.isa(kernel))
    }

    /// Writes the values that have been added as rows.
    fn write_rows(&mut self) {
        let (search, options) = (self.search_in_rows(), self.options_in_rows());
        let columns = self.expressions.rows.as_ref().map_or(&[][..], |rows| &rows.of_row);
        let Printer { output, batch } = &mut *self.printer;
        let unprintables = &mut self.unprintables;
        let mut has_memory = true;
        let on_failure = &mut |start, reason| has_memory &= unprintables.add(start, None, reason).is_ok();
        let written = output.write_rows(batch, columns, &search, &options, self.sink, on_failure);
        self.has_rows_without_cells |= batch.are_arrays_without_cells;
        let reason = written.err().or_else(|| (!has_memory).then(|| OUT_OF_MEMORY.to_owned()));
        let failure = reason.map(|reason| RunError::new(self.source.name.clone(), reason));
        self.failure = self.failure.take().or(failure);
    }

    /// Continues unless the search has failed, or the output or the report.
    fn flow(&self) -> ControlFlow<()> {
        if self.failure.is_none() && self.sink.is_open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl MatchHandler for MatchPrinter<'_, '_, '_> {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        let expressions = self.expressions;
        if let Some(rows) = &expressions.rows {
            return self.add_to_rows(rows, matched);
        }
        match self.printer.output.write(matched, self.options, self.sink) {
            Ok(flow) => return flow,
            Err(reason) => self.refuse(matched, reason),
        }
        self.flow()
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        // In other framings, the start of the next document is unknown.
        if self.arguments.skip_bad && is_record_framing(self.framing) {
            self.skipped += 1;
            if self.arguments.bad_records.is_some() {
                let _ = self.sink.send(Event::Skipped(Box::new(Skipped { error, reason: None })));
            }
            return self.flow();
        }
        // If the text was validated against a schema, it had no error then: it has changed.
        if let Err(failure) = self.gate.confirm(self.source) {
            self.failure.get_or_insert(failure);
            return ControlFlow::Break(());
        }
        // Earlier matches are written before the message.
        self.write_rows();
        let _ = self.printer.output.flush(self.sink);
        let _ = self.sink.send(Event::Error(error));
        self.flow()
    }

    fn on_written(&mut self, written: &mut Written) -> Option<ControlFlow<()>> {
        if self.expressions.rows.is_some() {
            self.write_rows();
        }
        let added = self.printer.output.add_written(written, self.sink);
        Some(added.unwrap_or_else(|reason| {
            self.failure = Some(RunError::new(self.source.name.clone(), reason));
            ControlFlow::Break(())
        }))
    }

    fn on_wait(&mut self) {
        self.write_rows();
        if let Err(reason) = self.printer.output.flush_before_wait(self.sink) {
            self.failure.get_or_insert_with(|| RunError::new(self.source.name.clone(), reason));
        }
    }
}
