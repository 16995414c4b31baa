//! `fjson query`: prints the values selected by JSONPath expressions or JSON Pointers.

#![forbid(unsafe_code)]

mod bad_records;
mod column;
mod jq;
mod mistake;
mod output;
mod place;
mod rows;
mod table;
mod value;

use crate::args::Engine;
use crate::args::query::Order;
use crate::args::query::Printing;
use crate::args::query::Query as Arguments;
use crate::commands::query::bad_records::BadRecords;
use crate::commands::query::output::Output;
use crate::commands::query::rows::Batch;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Report;
use crate::report::counted;
use crate::source::Source;
use fjson::Condition;
use fjson::Error;
use fjson::Framing;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Patterns;
use fjson::Query;
use fjson::Search;
use fjson::Summary;
use std::collections::BTreeSet;
use std::mem;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::slice;

impl Arguments {
    /// With `-p`, the first operand is a file and not an expression: moves it to the files.
    pub fn move_operand_to_files(&mut self) {
        if !self.expressions.is_empty()
            && let Some(file) = self.expression.take()
        {
            self.inputs.files.insert(0, PathBuf::from(file));
        }
    }

    /// Compiles the condition of `--where`. If it is invalid, prints the error and returns the exit status.
    fn condition(&self) -> Result<Option<Condition>, Exit> {
        let compile = |expression: &String| {
            let compiled = Condition::with_patterns(expression, self.patterns());
            compiled.map_err(|error| mistake::explain(expression, &error, self.reporting.color))
        };
        self.condition.as_ref().map(compile).transpose()
    }

    /// Returns the syntax of the patterns of `match` and `search`.
    fn patterns(&self) -> Patterns {
        if self.regex { Patterns::Regex } else { Patterns::IRegexp }
    }

    /// Returns the framing of the input `name`.
    fn framing(&self, name: &Name) -> Framing {
        match self.inputs.framing(name) {
            _ if self.single => Framing::Document,
            // With --trust, only the first document is searched, because the input is not read to its end.
            Framing::Document if self.trust => Framing::Document,
            // Any number of documents, even none.
            Framing::Stream if self.allow_empty => Framing::Stream,
            Framing::Document | Framing::Stream => Framing::Documents,
            framing => framing,
        }
    }

    fn order(&self) -> fjson::Order {
        match self.order {
            Order::Rfc => fjson::Order::Rfc,
            Order::Document => fjson::Order::Document,
        }
    }

    /// Returns the largest number of matches or rows to print.
    pub fn limit(&self) -> u64 {
        if self.first { 1 } else { self.limit.unwrap_or(u64::MAX) }
    }
}

const NO_RECORDS: &str = "--skip-bad needs records; use --lines or --seq";

/// Whether the next document can be found after an invalid one.
fn is_record_framing(framing: Framing) -> bool {
    matches!(framing, Framing::Lines | Framing::Sequence)
}

/// The compiled expressions of the command line.
struct Expressions<'a> {
    queries: Vec<Query>,
    /// Names of the columns, one per query.
    names: Vec<&'a str>,
    /// Selects the values that are rows.
    rows: Option<Query>,
    condition: Option<Condition>,
}

impl<'a> Expressions<'a> {
    fn new(arguments: &'a Arguments) -> Result<Self, Exit> {
        let (mut queries, names) = (arguments.queries()?, arguments.column_names()?);
        let Printing { csv, offsets, with_filename, ref null, .. } = arguments.printing;
        if csv && names.len() == 1 && !with_filename && !offsets && null.as_deref() == Some("") {
            return Err(mistake::report_empty_null());
        }
        if arguments.printing.has_record_offsets() {
            // The match of `$` shows where the document begins.
            queries.insert(0, arguments.compile("$")?);
        }
        Ok(Self { queries, names, rows: arguments.rows()?, condition: arguments.condition()? })
    }

    /// Returns the patterns that were taken from documents and are not valid, each once.
    fn invalid_patterns(&self) -> BTreeSet<String> {
        let queries = self.queries.iter().chain(&self.rows).flat_map(Query::invalid_patterns);
        queries.chain(self.condition.iter().flat_map(Condition::invalid_patterns)).collect()
    }
}

pub fn run(arguments: &Arguments) -> Result<Exit, RunError> {
    if let Some(exit) = mistake::report_misplaced(arguments.expression.as_deref(), &arguments.inputs.files) {
        return Ok(exit);
    }
    let expressions = match Expressions::new(arguments) {
        Ok(expressions) => expressions,
        Err(exit) => return Ok(exit),
    };
    let mut report = Report::to_stderr(&arguments.reporting, &arguments.inputs)?;
    let outputs = Output::new(arguments, &expressions.names).and_then(|output| {
        let bad_records = arguments.bad_records.as_deref().map(|path| BadRecords::create(path, &output));
        Ok((output, bad_records.transpose()?))
    });
    let (output, bad_records) = match outputs {
        Ok(outputs) => outputs,
        Err(error) => {
            report.run_error(&error)?;
            return report.finish();
        }
    };
    let (batch, counts) = (Batch::default(), vec![0; expressions.queries.len()]);
    let mut run = Run { arguments, expressions: &expressions, output, batch, counts, report, bad_records };
    let result = arguments.inputs.each(&mut |source| match source {
        _ if run.output.is_full() => Ok(()),
        Ok(source) => run.search(&source).or_else(|error| {
            // Other errors are those of an output, and end the command.
            if error.name == source.name { run.report_error(&error) } else { Err(error) }
        }),
        Err(error) => run.report_error(&error),
    });
    let result = result.and_then(|()| run.end()).and_then(|()| run.commit_bad_records());
    result.or_else(|error| run.report.run_error(&error))?;
    mistake::warn_of_patterns(&expressions.invalid_patterns(), &mut run.report);
    if !run.output.has_matched() && !arguments.allow_empty {
        run.report.worsen(Exit::Invalid);
    }
    run.report.finish()
}

/// A search of all inputs.
struct Run<'r> {
    arguments: &'r Arguments,
    expressions: &'r Expressions<'r>,
    output: Output<'r>,
    /// Values that are not yet printed as rows, for `--rows`.
    batch: Batch,
    /// Number of matches of each query, for `--count`.
    counts: Vec<u64>,
    report: Report,
    bad_records: Option<BadRecords>,
}

impl Run<'_> {
    /// Searches one input. Reports its errors; returns an error of the output.
    fn search(&mut self, source: &Source) -> Result<(), RunError> {
        self.report.open(source);
        self.output.check_differs_from(source)?;
        if let Some(bad_records) = &self.bad_records {
            bad_records.check_differs_from(source)?;
        }
        self.output.begin_input(&source.name);
        let statistics = Statistics::start(&self.arguments.engine);
        let framing = self.arguments.framing(&source.name);
        if self.arguments.skip_bad && !is_record_framing(framing) {
            return Err(RunError::new(source.name.clone(), NO_RECORDS));
        }
        let options = self.arguments.engine.options(&self.arguments.inputs, &source.name).framing(framing);
        let options = options.keep_invalid(self.bad_records.is_some());
        let mut printer = MatchPrinter { run: self, source, framing, options: &options, skipped: 0, failure: None };
        let result = printer.search();
        printer.write_rows();
        let (skipped, failure) = (printer.skipped, printer.failure.take());
        if let Some(failure) = failure {
            // Earlier matches are still printed, but an incomplete row is not.
            return self.output.flush().and(Err(failure));
        }
        self.output.end_input()?;
        if self.arguments.printing.count && self.arguments.printing.with_filename {
            self.print_counts()?;
        }
        if skipped > 0 && !self.arguments.reporting.quiet {
            self.report.print(&format!("{}: {} skipped\n", source.name, counted(skipped, "invalid record")));
        }
        match result {
            Ok(summary) if self.arguments.reporting.verbose => {
                self.report.print(&statistics.line(&source.name, &summary, None));
                self.report.close(&source.name, &summary)
            }
            Ok(summary) => self.report.close(&source.name, &summary),
            Err(error) => {
                self.output.flush_before_message()?;
                self.report.error(&source.name, &error)
            }
        }
    }
}

impl Run<'_> {
    /// Reports that an input failed, after its matches.
    fn report_error(&mut self, error: &RunError) -> Result<(), RunError> {
        self.output.flush_before_message()?;
        self.report.run_error(error)
    }

    /// Writes the rest of the output after all inputs have been searched.
    fn end(&mut self) -> Result<(), RunError> {
        if self.arguments.printing.count {
            return if self.arguments.printing.with_filename { Ok(()) } else { self.print_counts() };
        }
        self.output.end(self.report.worst() == Exit::Success)
    }

    /// Prints the number of matches of each query since the last call.
    fn print_counts(&mut self) -> Result<(), RunError> {
        self.counts.iter_mut().try_for_each(|count| self.output.print_count(mem::take(count)))
    }

    /// Makes the file of bad records visible.
    fn commit_bad_records(&mut self) -> Result<(), RunError> {
        self.bad_records.take().map_or(Ok(()), BadRecords::commit)
    }
}

/// Handler that prints the matches and reports the errors of one input.
struct MatchPrinter<'h, 'r> {
    run: &'h mut Run<'r>,
    source: &'h Source,
    framing: Framing,
    options: &'h Options,
    /// Number of invalid records skipped because of `--skip-bad`.
    skipped: u64,
    /// Error that ended the search because the output or the report failed.
    failure: Option<RunError>,
}

impl MatchPrinter<'_, '_> {
    fn search(&mut self) -> Result<Summary, Error> {
        let Run { arguments, expressions, .. } = *self.run;
        let queries = expressions.rows.as_ref().map_or(&expressions.queries[..], slice::from_ref);
        // A row may have several matches, except with `--rows`.
        let has_long_rows = arguments.printing.is_table() && expressions.rows.is_none();
        let limit = if has_long_rows { u64::MAX } else { self.run.output.remaining() };
        let mut search = Search::new(queries).order(arguments.order()).limit(limit);
        if arguments.first || arguments.limit.is_some() {
            search = search.stop_early();
        }
        if !(arguments.printing.paths || arguments.printing.pointers) {
            search = search.without_paths();
        }
        if let Some(condition) = &expressions.condition {
            search = search.condition(condition);
        }
        if arguments.trust {
            search = search.trust();
        }
        let (input, options) = (arguments.inputs.read(self.source)?, self.options);
        if !arguments.printing.count {
            return search.run(input, options, self);
        }
        let mut counts = mem::take(&mut self.run.counts);
        let counted = search.count(input, options, &mut counts, &mut |error| self.on_error(error));
        self.run.counts = counts;
        counted
    }

    /// Adds a value that is a row.
    fn add_row(&mut self, value: &[u8]) {
        if let Err(reason) = self.run.batch.add(value) {
            self.failure = Some(RunError::new(self.source.name.clone(), reason));
        } else if self.run.batch.is_full() {
            self.write_rows();
        }
    }

    /// Writes the values that have been added as rows.
    fn write_rows(&mut self) {
        let Run { arguments, expressions, output, batch, .. } = &mut *self.run;
        let Engine { kernel, threads, max_depth, .. } = arguments.engine;
        let options = Options::new().threads(threads).max_depth(max_depth);
        let options = kernel.map_or(options.clone(), |kernel| options.isa(kernel));
        let search = Search::new(&expressions.queries).order(arguments.order()).without_paths();
        let written = output.write_rows(batch, &search, &options, &self.source.name);
        self.failure = self.failure.take().or(written.err());
    }

    /// Continues unless the output or the report has failed.
    fn flow(&self) -> ControlFlow<()> {
        if self.failure.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl MatchHandler for MatchPrinter<'_, '_> {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        if self.run.expressions.rows.is_some() {
            self.add_row(matched.text());
            return self.flow();
        }
        match self.run.output.write(matched, &self.source.name, self.options) {
            Ok(flow) => flow,
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        // In other framings, the start of the next document is unknown.
        if self.run.arguments.skip_bad && is_record_framing(self.framing) {
            self.skipped += 1;
            let added = self.run.bad_records.as_mut().map_or(Ok(()), |records| records.add(&self.source.name, &error));
            self.failure = added.err();
            return self.flow();
        }
        // Earlier matches are written before the message.
        self.write_rows();
        let flushed = self.run.output.flush_before_message();
        let reported = flushed.and_then(|()| self.run.report.error(&self.source.name, &error));
        self.failure = self.failure.take().or(reported.err());
        self.flow()
    }

    fn on_wait(&mut self) {
        self.write_rows();
        self.failure = self.failure.take().or(self.run.output.flush_before_wait().err());
    }
}
