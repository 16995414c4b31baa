//! The operations that are timed.

#![forbid(unsafe_code)]

use crate::args::bench::Operation;
use crate::commands::bench::values;
use fjson::Error;
use fjson::Gzip;
use fjson::Layout;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Parser;
use fjson::Query;
use fjson::Search;
use fjson::Stats;
use fjson::Summary;
use std::cell::RefCell;
use std::hint::black_box;
use std::ops::ControlFlow;

impl Operation {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Validate => "validate",
            Self::Profiles => "profiles",
            Self::Minify => "minify",
            Self::Sort => "sort",
            Self::Canonical => "canonical",
            Self::Pretty => "pretty",
            Self::Gzip => "gzip",
            Self::Query => "query",
            Self::Paths => "paths",
            Self::Stats => "stats",
            Self::Index => "index",
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Whether the operation is measured only if it is named, and only on single documents.
    pub fn needs_values(self) -> bool {
        matches!(self, Self::Read | Self::Write)
    }

    /// Whether the query is needed.
    pub fn needs_query(self) -> bool {
        matches!(self, Self::Query | Self::Paths)
    }

    /// Whether the operation is a command of `fjson`, perhaps with an option. These can use several threads; others cannot.
    pub fn is_command(self) -> bool {
        self != Self::Index && !self.needs_values()
    }
}

/// An operation with its options.
pub struct Task {
    pub operation: Operation,
    /// Options for one thread.
    pub options: Options,
    pub threads: usize,
    /// The query of `query` and `paths`.
    pub query: Option<Query>,
    /// The parser of `read` and `write`, which is used again.
    pub parser: RefCell<Parser>,
}

impl Task {
    /// Appends the output to `output`. The output of an operation that counts is the count.
    pub fn run(&self, text: &[u8], output: &mut Vec<u8>) -> Result<Summary, Error> {
        let options = self.options.clone().threads(self.threads);
        match self.operation {
            Operation::Validate | Operation::Profiles => fjson::validate(text, &options),
            Operation::Minify | Operation::Sort => fjson::minify(text, output, &options),
            Operation::Canonical => fjson::canonical(text, output, &options),
            Operation::Pretty => fjson::pretty(text, output, &Layout::default(), &options),
            // Like the command: validation takes so little of the time that one thread is enough for it.
            Operation::Gzip => fjson::gzip(text, output, &Gzip::new().threads(self.threads), &self.options),
            Operation::Query => {
                let (summary, counts) = count(self.query.as_slice(), text, &options)?;
                output.extend(counts.iter().flat_map(|count| count.to_ne_bytes()));
                Ok(summary)
            }
            Operation::Paths => {
                let mut paths = Paths::default();
                let summary = Search::new(self.query.as_slice()).run(text, &options, &mut paths)?;
                output.extend([paths.count, paths.bytes].map(u64::to_ne_bytes).concat());
                paths.error.map_or(Ok(summary), Err)
            }
            Operation::Stats => {
                let (mut stats, mut first) = (Stats::new(), None);
                let summary = stats.read(text, &options, &mut |error| {
                    first = Some(error);
                    ControlFlow::Break(())
                })?;
                output.extend_from_slice(&values_in(&stats).to_ne_bytes());
                first.map_or(Ok(summary), Err)
            }
            Operation::Index => {
                let mut count = 0;
                let summary = fjson::index(text, &mut |batch| count += black_box(batch.positions).len(), &options);
                output.extend_from_slice(&count.to_ne_bytes());
                summary
            }
            Operation::Read => values::read(text, &mut self.parser.borrow_mut(), output),
            Operation::Write => values::write(text, &mut self.parser.borrow_mut(), output),
        }
    }
}

/// Returns the number of keys and values.
fn values_in(stats: &Stats) -> u64 {
    let scalars = stats.strings.count + stats.numbers.count + stats.trues + stats.falses + stats.nulls;
    stats.objects.count + stats.arrays.count + stats.keys.count + scalars
}

/// The number of matches, and the length of all their paths.
#[derive(Default)]
struct Paths {
    count: u64,
    bytes: u64,
    error: Option<Error>,
}

impl MatchHandler for Paths {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.count += 1;
        self.bytes += matched.path().map_or(0, |path| black_box(path).len()) as u64;
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.error = Some(error);
        ControlFlow::Break(())
    }
}

/// Returns the number of matches of each query in all documents of a text, or the first error.
pub fn count(queries: &[Query], text: &[u8], options: &Options) -> Result<(Summary, Vec<u64>), Error> {
    let (mut counts, mut first) = (vec![0; queries.len()], None);
    let summary = Search::new(queries).count(text, options, &mut counts, &mut |error| {
        first = Some(error);
        ControlFlow::Break(())
    })?;
    first.map_or(Ok((summary, counts)), Err)
}
