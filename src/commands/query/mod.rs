//! `fjson query`: prints the values selected by JSONPath expressions or JSON Pointers.

#![forbid(unsafe_code)]

mod bad_records;
mod column;
mod found_columns;
mod hint;
pub mod mistake;
mod output;
mod place;
mod rows;
mod searching;
mod table;
mod unprintable;
mod value;

use crate::args::Inputs;
use crate::args::query::Order;
use crate::args::query::Printing;
use crate::args::query::Query as Arguments;
use crate::commands::query::bad_records::BadRecords;
use crate::commands::query::column::Columns;
use crate::commands::query::found_columns::FoundColumns;
use crate::commands::query::output::Output;
use crate::commands::query::searching::Searching;
use crate::commands::schema::Gate;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::outputs::Outputs;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::DirectSink;
use crate::scheduler::EventHandler;
use crate::target::Target;
use fjson::Condition;
use fjson::Framing;
use fjson::Patterns;
use fjson::Query;
use std::collections::BTreeSet;
use std::io;
use std::io::IsTerminal;
use std::mem;
use std::path::PathBuf;

/// By which Excel recognizes UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

impl Arguments {
    /// Moves the first operand to the files if it is not an expression: with `-p` and `--columns` it is always a file. With `--where`,
    /// the expression may be left out, and is `$`.
    pub fn place_operand(&mut self) {
        let has_columns = !self.expressions.is_empty() || self.printing.columns.is_some();
        self.inputs.is_read_twice = self.printing.columns.is_some();
        let is_file = match &self.expression {
            Some(_) if has_columns => true,
            Some(operand) => self.condition.is_some() && mistake::is_file(operand, &self.inputs.files),
            None => false,
        };
        if is_file && let Some(file) = self.expression.take() {
            self.inputs.files.insert(0, PathBuf::from(file));
        }
        if self.condition.is_some() && !has_columns {
            self.expression.get_or_insert_with(|| "$".into());
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
            Some(Order::Document) => fjson::Order::Document,
            // A value after its container and next to its siblings, as people read it.
            None if self.printing.assignments => fjson::Order::Document,
            Some(Order::Rfc) | None => fjson::Order::Rfc,
        }
    }

    /// Returns the largest number of matches or rows to print.
    pub fn limit(&self) -> u64 {
        if self.first { 1 } else { self.limit.unwrap_or(u64::MAX) }
    }
}

/// The compiled expressions of the command line.
struct Expressions {
    queries: Vec<Query>,
    /// Names of the columns.
    names: Vec<String>,
    /// With `--rows`. The queries are then those of columns of the row.
    rows: Option<Rows>,
    condition: Option<Condition>,
    /// With `--columns auto`.
    found: FoundColumns,
}

impl Expressions {
    fn new(arguments: &Arguments) -> Result<Self, Exit> {
        let mut names: Vec<_> = arguments.column_names()?.into_iter().map(str::to_owned).collect();
        let condition = arguments.condition()?;
        let is_found = arguments.printing.columns.is_some();
        // Each document is a row.
        let rows = arguments.printing.rows.as_deref().or(is_found.then_some("$"));
        let mut found = FoundColumns::default();
        if is_found && let Some(rows) = rows {
            found = found_columns::find(arguments, &arguments.compile(rows)?, condition.as_ref())?;
            names.extend(found.columns.iter().map(|(name, _)| name.clone()));
        }
        let rows = rows.map(|rows| arguments.rows(rows, mem::take(&mut found.columns))).transpose()?;
        let (mut queries, rows) = match rows.map(Rows::new) {
            Some((queries, rows)) => (queries, Some(rows)),
            None => (arguments.queries()?, None),
        };
        let Printing { csv, offsets, with_filename, ref null, .. } = arguments.printing;
        if csv && names.len() == 1 && !with_filename && !offsets && null.as_deref() == Some("") {
            return Err(mistake::report_empty_null());
        }
        if arguments.printing.has_record_offsets() {
            // The match of `$` shows where the document begins.
            queries.insert(0, arguments.compile("$")?);
        }
        Ok(Self { queries, names, rows, condition, found })
    }

    /// Returns the patterns that were taken from documents and are not valid, each once.
    fn invalid_patterns(&self) -> BTreeSet<String> {
        let queries = self.queries.iter().chain(self.rows.iter().flat_map(|rows| &rows.queries));
        let patterns = queries.flat_map(Query::invalid_patterns);
        patterns.chain(self.condition.iter().flat_map(Condition::invalid_patterns)).collect()
    }
}

/// What `--rows` searches for in documents.
struct Rows {
    /// The queries of columns of the document, and then that of the rows.
    queries: Vec<Query>,
    /// The numbers of the columns of the document.
    of_document: Vec<usize>,
    /// The numbers of the columns of the row.
    of_row: Vec<usize>,
}

impl Rows {
    /// Returns the queries of columns of the row, too.
    fn new(columns: Columns) -> (Vec<Query>, Self) {
        let (of_row, row_queries) = columns.of_row.into_iter().unzip();
        let (of_document, mut queries): (_, Vec<_>) = columns.of_document.into_iter().unzip();
        queries.extend(columns.rows);
        (row_queries, Self { queries, of_document, of_row })
    }

    /// Whether the rows are all that is searched for.
    fn has_only_rows(&self) -> bool {
        self.of_document.is_empty()
    }
}

pub fn run(arguments: &Arguments) -> Result<Exit, RunError> {
    if let Some(exit) = mistake::report_misplaced(
        arguments.expression.as_deref(),
        &arguments.inputs.files,
        arguments.printing.rows.is_some(),
    ) {
        return Ok(exit);
    }
    let expressions = match Expressions::new(arguments) {
        Ok(expressions) => expressions,
        Err(exit) => return Ok(exit),
    };
    let mut report = Report::to_stderr(&arguments.reporting, &arguments.inputs)?;
    let gate = Gate::new(Some(&arguments.schema), &arguments.engine, &arguments.inputs, &mut report)?;
    let Some(gate) = gate else { return report.finish() };
    let mut outputs = Outputs::beside(&arguments.inputs);
    let created = outputs.stdout().and_then(|target| {
        let bad_records = arguments.bad_records.as_deref().map(|path| BadRecords::create(path, &mut outputs));
        Ok((target, bad_records.transpose()?))
    });
    let (target, bad_records) = match created {
        Ok(created) => created,
        Err(error) => {
            report.run_error(&error)?;
            return report.finish();
        }
    };
    let inputs = Inputs { outputs: outputs.files(), ..arguments.inputs.clone() };
    let output = Output::new(arguments, &expressions.names, &target);
    let work = Searching::new(arguments, &inputs, &expressions, &gate, output);
    // On a terminal, it would only be seen.
    let has_mark = arguments.printing.excel && !target.is_terminal();
    let mark = if has_mark { BYTE_ORDER_MARK } else { b"" };
    let mut handler = Matches { target, mark, report, bad_records };
    let result = handler.search(arguments, &expressions, &work);
    result.or_else(|error| handler.report.run_error(&error))?;
    mistake::warn_of_patterns(&expressions.invalid_patterns(), &mut handler.report);
    gate.warn_if_unused(&mut handler.report);
    if !work.has_matched() && !arguments.allow_empty {
        let is_shown =
            handler.report.worst() == Exit::Success && !arguments.reporting.quiet && io::stderr().is_terminal();
        if is_shown && let Some(line) = hint::no_match(arguments) {
            handler.report.print(&line);
        }
        handler.report.worsen(Exit::Invalid);
    }
    handler.report.finish()
}

/// The outputs of all inputs: matches, the report, and the file of bad records.
struct Matches {
    target: Target,
    /// What comes before the first output of all inputs.
    mark: &'static [u8],
    report: Report,
    bad_records: Option<BadRecords>,
}

impl Matches {
    /// Searches all inputs.
    fn search(
        &mut self,
        arguments: &Arguments,
        expressions: &Expressions,
        work: &Searching<'_>,
    ) -> Result<(), RunError> {
        let mut sink = DirectSink::new(&Name::Stdout, self);
        let begun = work.begin(&expressions.names, &mut sink);
        sink.into_result()?;
        begun.map_err(|reason| RunError::new(Name::Stdout, reason))?;
        let threads = arguments.engine.threads;
        scheduler::each(work.inputs, threads, work, self)?;
        let is_complete = self.report.worst() == Exit::Success;
        let mut sink = DirectSink::new(&Name::Stdout, self);
        // A failure of the output is in the result of the sink.
        let _ = work.end(is_complete, &mut sink);
        sink.into_result()?;
        // If an input has failed, not all bad records are known.
        let has_all = self.report.worst() < Exit::Error;
        self.bad_records.take().map_or(Ok(()), |records| records.finish(has_all))
    }
}

impl EventHandler for Matches {
    fn handle(&mut self, name: &Name, event: Event) -> Result<(), RunError> {
        match event {
            Event::Skipped(skipped) => self.bad_records.as_mut().map_or(Ok(()), |records| records.add(name, &skipped)),
            event => {
                if !matches!(event, Event::Opened | Event::Closed(_) | Event::Passed) {
                    self.target.end_line_for_message()?;
                }
                self.report.handle(name, event)
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        if !bytes.is_empty() && !self.mark.is_empty() {
            self.target.print(mem::take(&mut self.mark))?;
        }
        self.target.print(bytes)
    }
}
