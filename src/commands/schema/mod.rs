//! Validates the documents of inputs against schemas, on all threads: for `fjson validate`, and for commands that write documents, which
//! read an input once more after that.

#![forbid(unsafe_code)]

mod locator;
mod places;
mod schemas;

use crate::args::Engine;
use crate::args::Inputs;
use crate::args::OnComments;
use crate::args::schema::SchemaOptions;
use crate::commands::schema::places::Places;
use crate::commands::schema::schemas::Failure;
use crate::commands::schema::schemas::Schemas;
use crate::commands::schema::schemas::Verdict;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::name::Name;
use crate::report::Event;
use crate::report::Report;
use crate::report::Violation;
use crate::sanitize;
use crate::scheduler::EventSink;
use crate::source::Source;
use fjson::DocumentBatch;
use fjson::Error;
use fjson::Framing;
use fjson::Mapped;
use fjson::Summary;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

const CHANGED: &str = "the file changed after it was validated against its schema";

/// What inputs are validated with.
pub struct Checker<'c> {
    schemas: Schemas<'c>,
    engine: &'c Engine,
    inputs: Inputs,
}

/// What was found in a batch of documents.
#[derive(Default)]
struct Found {
    /// Also notes, which have the exit status of success. Offsets are those in the input. Records are counted from the start of the batch.
    violations: Vec<Violation>,
    /// Number of invalid documents.
    invalid: u64,
    is_cut: bool,
}

impl<'c> Checker<'c> {
    /// Compiles the schemas of the command line. If they cannot be used, reports why.
    pub fn new(
        options: &'c SchemaOptions,
        engine: &'c Engine,
        inputs: &Inputs,
        report: &mut Report,
    ) -> Result<Option<Self>, RunError> {
        // Comments are not validated, whatever becomes of them.
        let inputs = Inputs { on_comments: OnComments::Skip, ..inputs.clone() };
        match Schemas::new(options, inputs.comments) {
            Ok(schemas) => return Ok(Some(Self { schemas, engine, inputs })),
            Err(Failure::Run(error)) => report.run_error(&error)?,
            Err(Failure::Schema(error)) => {
                for problem in error.problems() {
                    let problem = Violation::of_problem(problem);
                    let Some(name) = problem.file.clone() else { continue };
                    report.violation(&name, &problem)?;
                }
            }
        }
        Ok(None)
    }

    /// Sets whether the first value is shown that each place of a schema calls deprecated.
    pub fn showing_deprecated(mut self, is_shown: bool) -> Self {
        self.schemas.shows_deprecated = is_shown;
        self
    }

    /// Says which keywords of the schemas are misspelled, and sets that this is said of inputs that are schemas.
    pub fn showing_misspelled(mut self, report: &mut Report) -> Self {
        self.schemas.shows_misspelled = true;
        for problem in self.schemas.misspelled() {
            report.print(&note(&Name::Path(PathBuf::from(&problem.file)), &Violation::of_problem(problem)));
        }
        self
    }

    /// Says if no schema applied to any input: perhaps the patterns of names are mistaken.
    pub fn warn_if_unused(&self, report: &mut Report) {
        if self.schemas.are_unused() {
            report.warn("nothing was validated against a schema, because no input has a name that matches a pattern of --schema");
        }
    }

    /// Validates the documents of an input, and sends what is wrong with them. Returns `None` if the sink accepts no more.
    pub fn check(
        &self,
        source: &Source,
        framing: Framing,
        threads: usize,
        sink: &mut dyn EventSink,
    ) -> Option<Result<Summary, Error>> {
        let Self { engine, inputs, .. } = self;
        let limit = engine.max_depth.map_or(fjson_schema::MAX_DEPTH, |depth| depth.min(fjson_schema::MAX_DEPTH));
        let options = engine.options(inputs, &source.name).framing(framing).threads(threads);
        let options = options.unique_keys(true).max_depth(Some(limit));
        let (mut places, mut invalid, mut noted) = (Places::new(inputs, source), 0, HashSet::new());
        let name = &source.name;
        let map = |batch: &DocumentBatch<'_>| self.check_batch(name, batch);
        let mut flow = ControlFlow::Continue(());
        let result = inputs.read(source).and_then(|input| {
            fjson::map_documents(input, &options, map, |found| {
                flow = match found {
                    Ok(mapped) => {
                        invalid += mapped.result.invalid;
                        send(mapped, framing, &mut places, &mut noted, sink)
                    }
                    Err(error) => sink.send(Event::Error(error)),
                };
                flow
            })
        });
        let counted = |summary: Summary| {
            let mut summary = summary;
            summary.invalid += invalid;
            summary
        };
        flow.is_continue().then(|| result.map(counted))
    }

    fn check_batch(&self, name: &Name, batch: &DocumentBatch<'_>) -> Found {
        let mut found = Found::default();
        for (index, document) in batch.records().enumerate() {
            let Verdict { mut violations, notes, is_cut } = self.schemas.check(name, document);
            found.invalid += u64::from(!violations.is_empty());
            found.is_cut |= is_cut;
            violations.extend(notes);
            // Line breaks that the input has not are only between documents.
            let (start, offset) = (document.start() as u64, batch.offset_of(document));
            let from = found.violations.len();
            found.violations.extend(violations);
            for violation in &mut found.violations[from..] {
                violation.record = Some(index as u64);
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

/// Sends what was found in a batch.
fn send(
    mapped: Mapped<Found>,
    framing: Framing,
    places: &mut Places<'_>,
    noted: &mut HashSet<String>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let Mapped { mut result, number, offset, .. } = mapped;
    places.pass(offset);
    places.locate(&mut result.violations);
    for mut violation in result.violations {
        if violation.exit == Exit::Success {
            // Only the first value that a place of the schema calls deprecated.
            let place = violation.schema.as_ref().map_or_else(|| violation.offset.to_string(), |it| format!("{it:?}"));
            if noted.insert(place) {
                sink.send(Event::Line(note(places.name(), &violation)))?;
            }
            continue;
        }
        // The first document may be the only one.
        let is_record = |&number: &u64| number > 1 || !matches!(framing, Framing::Document | Framing::Documents);
        violation.record =
            violation.record.map(|record| number + record).filter(is_record).filter(|_| !places.is_part());
        sink.send(Event::Violation(Box::new(violation)))?;
    }
    if result.is_cut {
        let (name, most) = (places.name(), fjson_schema::MAX_VIOLATIONS);
        let line = format!("{name}: a document has more violations than the {most} that are looked for\n");
        sink.send(Event::Line(line))?;
    }
    ControlFlow::Continue(())
}

/// Says that a value is deprecated, or a keyword misspelled.
fn note(name: &Name, violation: &Violation) -> String {
    let place = match violation.position {
        Some(position) => format!(":{}:{}", position.line, position.column),
        None => format!(", byte {}", violation.offset),
    };
    let help = violation.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{name}{place}: note: {}\n", sanitize::text(&format!("{}{help}", violation.message)))
}

/// What the inputs of a command that writes documents are validated with before it writes anything of them, if the user asks for it.
pub struct Gate<'c>(Option<Checker<'c>>);

impl<'c> Gate<'c> {
    /// Compiles the schemas of the command line. If they cannot be used, reports why.
    pub fn new(
        options: Option<&'c SchemaOptions>,
        engine: &'c Engine,
        inputs: &Inputs,
        report: &mut Report,
    ) -> Result<Option<Self>, RunError> {
        match options.filter(|options| options.is_used()) {
            None => Ok(Some(Self(None))),
            Some(options) => Ok(Checker::new(options, engine, inputs, report)?.map(|checker| Self(Some(checker)))),
        }
    }

    /// Validates an input, if the user asks for it. If it is invalid, sends why, and returns false.
    pub fn admits(
        &self,
        source: &Source,
        framing: Framing,
        threads: usize,
        sink: &mut dyn EventSink,
    ) -> Result<bool, RunError> {
        let Some(checker) = &self.0 else { return Ok(true) };
        source.hold()?;
        let checked = checker.check(source, framing, threads, sink);
        match checked {
            None => Ok(false),
            Some(Ok(summary)) => Ok(summary.invalid == 0),
            Some(Err(error)) => {
                // Whether the sink accepts more does not matter, because this is the last event.
                let _ = sink.send(Event::Error(error));
                Ok(false)
            }
        }
    }

    /// As [`Checker::warn_if_unused`].
    pub fn warn_if_unused(&self, report: &mut Report) {
        if let Some(checker) = &self.0 {
            checker.warn_if_unused(report);
        }
    }

    /// Fails if an input may have been changed between its validation and now, when it has been read again.
    pub fn confirm(&self, source: &Source) -> Result<(), RunError> {
        let is_known = self.0.is_none() || source.regular().is_none() || source.is_unchanged();
        if is_known { Ok(()) } else { Err(RunError::new(source.name.clone(), CHANGED)) }
    }
}
