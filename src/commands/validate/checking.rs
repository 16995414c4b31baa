//! `fjson validate` with schemas: validates each document of each input, on all threads.

#![forbid(unsafe_code)]

use crate::args::Validate;
use crate::commands::statistics::Statistics;
use crate::commands::validate::places::Places;
use crate::commands::validate::schemas::Failure;
use crate::commands::validate::schemas::Schemas;
use crate::commands::validate::schemas::Verdict;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Event;
use crate::report::Report;
use crate::report::Violation;
use crate::scheduler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;
use fjson::DocumentBatch;
use fjson::Framing;
use fjson::Mapped;
use std::ops::ControlFlow;

pub fn run(arguments: &Validate) -> Result<Exit, RunError> {
    let mut report = Report::as_output(&arguments.reporting, &arguments.inputs)?;
    match Schemas::new(&arguments.schema) {
        Ok(schemas) => {
            let work = Checking { arguments, schemas };
            scheduler::each(&arguments.inputs, arguments.engine.threads, &work, &mut report)?;
        }
        Err(Failure::Run(error)) => report.run_error(&error)?,
        Err(Failure::Schema(error)) => {
            for problem in error.problems() {
                let problem = Violation::of_problem(problem);
                let Some(name) = problem.file.clone() else { continue };
                report.violation(&name, &problem)?;
            }
        }
    }
    report.finish()
}

struct Checking<'c> {
    arguments: &'c Validate,
    schemas: Schemas<'c>,
}

/// What was found in a batch of documents.
#[derive(Default)]
struct Found {
    /// Offsets are those in the input. Records are counted from the start of the batch.
    violations: Vec<Violation>,
    /// Number of invalid documents.
    invalid: u64,
    is_cut: bool,
}

impl Checking<'_> {
    fn check(&self, name: &Name, batch: &DocumentBatch<'_>, has_records: bool) -> Found {
        let mut found = Found::default();
        for (index, document) in batch.records().enumerate() {
            let Verdict { violations, is_cut } = self.schemas.check(name, document);
            found.invalid += u64::from(!violations.is_empty());
            found.is_cut |= is_cut;
            // Line breaks that the input has not are only between documents.
            let (start, offset) = (document.start() as u64, batch.offset_of(document));
            let from = found.violations.len();
            found.violations.extend(violations);
            for violation in &mut found.violations[from..] {
                violation.record = has_records.then_some(index as u64);
                if violation.file.is_none() {
                    shift(violation, offset.wrapping_sub(start));
                }
            }
            found.violations[from..].sort_by_key(|violation| violation.offset);
        }
        found
    }
}

/// Moves a violation and its causes.
fn shift(violation: &mut Violation, by: u64) {
    violation.offset = violation.offset.wrapping_add(by);
    violation.end = violation.end.wrapping_add(by);
    violation.causes.iter_mut().for_each(|cause| shift(cause, by));
}

impl Work for Checking<'_> {
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink) {
        let Validate { inputs, engine, reporting, .. } = self.arguments;
        let source = source.kept();
        let statistics = Statistics::start(engine);
        let limit = engine.max_depth.map_or(fjson_schema::MAX_DEPTH, |depth| depth.min(fjson_schema::MAX_DEPTH));
        let options = engine.options(inputs, &source.name).threads(threads).unique_keys(true).max_depth(Some(limit));
        let has_records = inputs.framing(&source.name) != Framing::Document;
        let mut flow = sink.send(Event::Opened);
        if flow.is_break() {
            return;
        }
        let (mut places, mut invalid) = (Places::new(inputs, &source), 0);
        let name = &source.name;
        let map = |batch: &DocumentBatch<'_>| self.check(name, batch, has_records);
        let result = inputs.read(&source).and_then(|input| {
            fjson::map_documents(input, &options, map, |found| {
                flow = match found {
                    Ok(mapped) => {
                        invalid += mapped.result.invalid;
                        send(mapped, &mut places, sink)
                    }
                    Err(error) => sink.send(Event::Error(error)),
                };
                flow
            })
        });
        if flow.is_break() {
            return;
        }
        let event = match result {
            Ok(mut summary) => {
                summary.invalid += invalid;
                if reporting.verbose {
                    let _ = sink.send(Event::Line(statistics.line(inputs, &source, &summary, None)));
                }
                Event::Closed(summary)
            }
            Err(error) => Event::Error(error),
        };
        let _ = sink.send(event);
    }
}

/// Sends what was found in a batch.
fn send(mapped: Mapped<Found>, places: &mut Places<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let Mapped { mut result, number, .. } = mapped;
    places.locate(&mut result.violations);
    for mut violation in result.violations {
        violation.record = violation.record.filter(|_| !places.is_part()).map(|record| number + record);
        sink.send(Event::Violation(Box::new(violation)))?;
    }
    if result.is_cut {
        let (name, most) = (places.name(), fjson_schema::MAX_VIOLATIONS);
        let line = format!("{name}: a document has more violations than the {most} that are looked for\n");
        sink.send(Event::Line(line))?;
    }
    ControlFlow::Continue(())
}
