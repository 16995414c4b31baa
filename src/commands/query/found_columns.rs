//! `--columns auto`: the columns of a table are the keys of its rows, which are found before the table is printed.
//!
//! The inputs are read twice, so that memory does not grow with them: only the keys are kept, and a batch of rows. Standard input is
//! the exception, and is held in memory.

#![forbid(unsafe_code)]

use crate::args::query::Query as Arguments;
use crate::commands::query::mistake;
use crate::commands::query::rows::Batch;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::report::record_and_byte;
use crate::source::Source;
use fjson::Condition;
use fjson::Error;
use fjson::Framing;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Query;
use fjson::Search;
use fjson::Structure;
use fjson::stats::Step;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::slice;
use std::time::SystemTime;

/// Maximum number of columns.
pub const MAX_COLUMNS: usize = 10_000;

/// A column: its name, and the query that selects it in a row.
pub type FoundColumn = (String, Query);

/// The columns, and what shows whether the files from which they come have changed.
#[derive(Default)]
pub struct FoundColumns {
    pub columns: Vec<FoundColumn>,
    versions: HashMap<String, Version>,
}

/// The size and the time of modification of a regular file.
type Version = Option<(u64, Option<SystemTime>)>;

impl FoundColumns {
    /// Returns the source as it was when its columns were found: what was added to it since then is not read. Fails if it has changed
    /// in another way.
    pub fn admit(&self, source: Source) -> Result<Source, RunError> {
        let known = self.versions.get(&source.name.to_string()).copied().flatten();
        match (known, version(&source)) {
            (Some((known, _)), Some((length, _))) if known < length => Ok(source.up_to(known)),
            (known, version) if known == version || known.is_none() => Ok(source),
            _ => Err(RunError::new(source.name, CHANGED)),
        }
    }
}

fn version(source: &Source) -> Version {
    source.regular().map(|file| (file.len(), file.modified().ok()))
}

const CHANGED: &str = "the file changed after its columns were found";

/// Returns a column for each key of the rows, in the order of their first appearance. If that cannot be done, prints the error and
/// returns the exit status. Invalid documents and inputs that cannot be read are reported when the table is printed.
pub fn find(arguments: &Arguments, rows: &Query, condition: Option<&Condition>) -> Result<FoundColumns, Exit> {
    if arguments.inputs.lists().any(|list| list == "-") {
        return Err(mistake::report_names_read_twice());
    }
    let structure = Structure::new().levels(1).max_keys(MAX_COLUMNS);
    let mut finder = Finder {
        batch: Batch::default(),
        structure,
        remaining: arguments.limit(),
        input: String::new(),
        first_other: None,
        failure: None,
    };
    let mut versions = HashMap::new();
    let visited = arguments.inputs.each(&mut |source: Result<Source, RunError>| {
        let Ok(source) = source else { return Ok(()) };
        source.hold()?;
        versions.insert(source.name.to_string(), version(&source));
        finder.search(&source, arguments, rows, condition);
        Ok(())
    });
    visited.map_err(|error| error.print())?;
    if let Some(reason) = finder.failure {
        return Err(mistake::report(reason));
    }
    let root = finder.structure.root();
    let others = root.count() - root.objects().count;
    if others > 0 {
        let first = finder.first_other.unwrap_or_default();
        return Err(mistake::report_rows_without_keys(others, root.count(), &first));
    }
    Ok(FoundColumns { columns: columns(&finder.structure)?, versions })
}

/// Returns the columns for the keys of the values that were read.
fn columns(structure: &Structure) -> Result<Vec<FoundColumn>, Exit> {
    let mut columns = Vec::new();
    for place in structure.root().children() {
        let column = match place.step() {
            Step::Member(key) => str::from_utf8(key).ok().zip(Query::new(&place.path()).ok()),
            _ => return Err(mistake::report_too_many_columns(MAX_COLUMNS)),
        };
        let Some((name, query)) = column else { return Err(mistake::report_unprintable_column(&place.path())) };
        columns.push((name.to_owned(), query));
    }
    Ok(columns)
}

/// Handler that collects the keys of rows.
struct Finder {
    batch: Batch,
    structure: Structure,
    /// How many more rows will be printed.
    remaining: u64,
    /// The name of the input that is searched.
    input: String,
    /// The place of the first row that is not an object.
    first_other: Option<String>,
    failure: Option<&'static str>,
}

impl Finder {
    fn search(&mut self, source: &Source, arguments: &Arguments, rows: &Query, condition: Option<&Condition>) {
        self.input = source.name.to_string();
        let framing = arguments.framing(&source.name);
        let options = arguments.engine.options(&arguments.inputs, &source.name).framing(framing);
        let mut search =
            Search::new(slice::from_ref(rows)).order(arguments.order()).without_paths().limit(self.remaining);
        if arguments.first || arguments.limit.is_some() {
            search = search.stop_early();
        }
        if let Some(condition) = condition {
            search = search.condition(condition);
        }
        if arguments.trust {
            search = search.trust();
        }
        // Errors are found again when the table is printed.
        if let Ok(input) = arguments.inputs.read(source) {
            search.run(input, &options, self).ok();
        }
        self.read_batch(&Options::new().threads(arguments.engine.threads));
    }

    /// Reads the rows that were collected.
    fn read_batch(&mut self, options: &Options) {
        let lines = self.batch.take();
        // The rows were validated before, but their file may change.
        let options = options.clone().framing(Framing::Lines);
        self.structure.read(&lines, &options, &mut |_| ControlFlow::Continue(())).ok();
        self.batch.give_back(lines);
    }
}

impl MatchHandler for Finder {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.remaining -= 1;
        if self.first_other.is_none() && !matched.text().starts_with(b"{") {
            let place = record_and_byte(matched.record(), matched.range().start);
            self.first_other = Some(format!("{}, {place}", self.input));
        }
        if let Err(reason) = self.batch.add(matched) {
            self.failure = Some(reason);
            return ControlFlow::Break(());
        }
        if self.batch.is_full() {
            self.read_batch(&Options::new());
        }
        if self.remaining == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn on_error(&mut self, _: Error) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
