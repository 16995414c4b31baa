//! `fjson stats`: prints statistics of all inputs together, or their structure, as a table, a JSON document or a JSON Schema.
//!
//! Short inputs are read on all threads at the same time, and their statistics are added in order. The result is the same as if all
//! inputs were read one after the other; where it would not be, because of too many different keys, an input is read again. For
//! their structure, they are read one after the other, each on all threads.

#![forbid(unsafe_code)]

mod json;
mod paths;
mod table;

use crate::args::Form;
use crate::args::Format;
use crate::args::Reporting;
use crate::args::stats::Stats as Arguments;
use crate::commands::pretty::MAX_DEPTH;
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
use crate::target::Target;
use fjson::Error;
use fjson::Options;
use fjson::Stats;
use fjson::Structure;
use fjson::Summary;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

/// Statistics of all inputs.
struct Sums {
    inputs: u64,
    /// Number of inputs that could not be read to their end. What was read of them is counted.
    failed: u64,
    stats: Stats,
    /// The structure, which is collected instead of the statistics with `--paths` and `--infer-schema`.
    structure: Option<Structure>,
    /// Number of most frequent keys to show.
    top: usize,
}

pub fn run(mut arguments: Arguments) -> Result<Exit, RunError> {
    // It bounds memory, because each open container takes some bytes.
    arguments.engine.max_depth.get_or_insert(MAX_DEPTH);
    arguments.inputs.may_be_concatenated = true;
    let Arguments { max_errors, color, quiet, verbose, .. } = arguments;
    let reporting = Reporting { format: Format::Human, max_errors: Some(max_errors), color, quiet, verbose };
    let report = Report::to_stderr(&reporting, &arguments.inputs)?;
    let structure = (arguments.paths || arguments.infer_schema).then(|| Mutex::new(empty_structure(&arguments)));
    let work = Collect {
        arguments: &arguments,
        inputs: AtomicU64::new(0),
        failed: AtomicU64::new(0),
        stats: Mutex::new(Stats::new()),
        structure,
    };
    let mut handler = Adding { work: &work, report };
    scheduler::each(&arguments.inputs, arguments.engine.threads, &work, &mut handler)?;
    let exit = handler.report.finish()?;
    let Collect { inputs, failed, stats, structure, .. } = work;
    let stats = stats.into_inner().unwrap_or_else(PoisonError::into_inner);
    let structure = structure.map(|structure| structure.into_inner().unwrap_or_else(PoisonError::into_inner));
    let (inputs, failed) = (inputs.into_inner(), failed.into_inner());
    let mut sums = Sums { inputs, failed, stats, structure, top: arguments.top };
    if sums.inputs == 0 && exit == Exit::Error {
        // There is nothing to show beside the error.
        return Ok(exit);
    }
    let text = match (arguments.format, &mut sums.structure) {
        (Form::Table, None) => table::text(&sums),
        (Form::Json, None) => json::text(&sums),
        (format, Some(structure)) => {
            structure.merge_maps();
            match format {
                _ if arguments.infer_schema => paths::schema(structure, arguments.strictness.into()),
                Form::Table => paths::table(structure, sums.inputs),
                Form::Json => paths::json(structure, sums.inputs),
            }
        }
    };
    Target::stdout()?.print(text)?;
    Ok(exit)
}

/// Returns the structure of no documents.
fn empty_structure(arguments: &Arguments) -> Structure {
    let structure = Structure::new();
    let structure = if arguments.infer_schema { structure.note_strings() } else { structure };
    let structure = arguments.levels.map_or(structure.clone(), |levels| structure.levels(levels));
    arguments.max_keys.map_or(structure.clone(), |keys| structure.max_keys(keys))
}

/// The work of collecting statistics of each input.
struct Collect<'a> {
    arguments: &'a Arguments,
    inputs: AtomicU64,
    failed: AtomicU64,
    /// The sum of all inputs so far.
    stats: Mutex<Stats>,
    /// The structure of all inputs so far, which is collected instead of the statistics with `--paths` and `--infer-schema`.
    structure: Option<Mutex<Structure>>,
}

impl Collect<'_> {
    fn sum(&self) -> MutexGuard<'_, Stats> {
        self.stats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn options(&self, source: &Source, threads: usize) -> Options {
        let Arguments { inputs, engine, max_memory, .. } = self.arguments;
        engine.options(inputs, &source.name).max_memory(*max_memory).threads(threads)
    }

    /// Adds an input to `stats`.
    fn read(
        &self,
        source: &Source,
        threads: usize,
        stats: &mut Stats,
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        stats.read(self.arguments.inputs.read(source)?, &self.options(source, threads), on_error)
    }

    /// Adds an input to the sum, or to the structure.
    fn read_alone(
        &self,
        source: &Source,
        threads: usize,
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        let Some(structure) = &self.structure else { return self.read(source, threads, &mut self.sum(), on_error) };
        let mut structure = structure.lock().unwrap_or_else(PoisonError::into_inner);
        structure.read(self.arguments.inputs.read(source)?, &self.options(source, threads), on_error)
    }
}

impl Work for Collect<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        let statistics = Statistics::start(&self.arguments.engine);
        // If writing the report fails, for example because the disk is full, the input is not read further.
        let mut flow = sink.send(Event::Opened);
        if flow.is_break() {
            return;
        }
        self.inputs.fetch_add(1, Ordering::Relaxed);
        let mut collected = (!self.is_alone(&source)).then(Stats::new);
        let on_error = &mut |error| {
            flow = sink.send(Event::Error(error));
            flow
        };
        let result = match &mut collected {
            Some(stats) => self.read(&source, threads, stats, on_error),
            None => self.read_alone(&source, threads, on_error),
        };
        if flow.is_break() {
            return;
        }
        let events = match result {
            Ok(summary) => {
                let line = || Event::Line(statistics.line(&self.arguments.inputs, &source, &summary, None));
                [self.arguments.verbose.then(line), Some(Event::Closed(summary))]
            }
            Err(error) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
                [Some(Event::Error(error)), None]
            }
        };
        let collected = collected.map(|stats| Event::Collected(Box::new((source, stats))));
        let _ = collected.into_iter().chain(events.into_iter().flatten()).try_for_each(|event| sink.send(event));
    }

    /// Whether an input is added to the sum at once. One that cannot be read again has to be, and the structures of inputs cannot be
    /// added.
    fn is_alone(&self, source: &Source) -> bool {
        self.structure.is_some()
            || source.regular().is_none()
            || source.name == Name::Stdin
            || source.size().unwrap_or(0) >= self.parallel_size()
    }
}

/// Adds the statistics of the inputs in order, and reports their errors.
struct Adding<'a> {
    work: &'a Collect<'a>,
    report: Report,
}

impl EventHandler for Adding<'_> {
    fn handle(&mut self, name: &Name, event: Event) -> Result<(), RunError> {
        let Event::Collected(collected) = event else { return self.report.handle(name, event) };
        let (source, stats) = *collected;
        let mut sum = self.work.sum();
        match sum.merge(&stats) {
            Ok(true) => Ok(()),
            // Its errors have been reported.
            Ok(false) => {
                self.work.read(&source, 1, &mut sum, &mut |_| ControlFlow::Continue(())).ok();
                Ok(())
            }
            Err(error) => self.report.error(name, &error),
        }
    }
}
