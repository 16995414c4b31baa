//! One run of `bench`: the documents, the suites and their order, and the errors in documents.

#![forbid(unsafe_code)]

use crate::args::Color;
use crate::args::Format;
use crate::args::Inputs;
use crate::args::Reporting;
use crate::args::bench::Bench;
use crate::args::bench::Measurement;
use crate::args::bench::Operation;
use crate::args::bench::Published;
use crate::args::bench::Shape;
use crate::commands::bench::clock::Clock;
use crate::commands::bench::job::Origin;
use crate::commands::bench::job::Subject;
use crate::commands::bench::machine::Machine;
use crate::commands::bench::measure::Plan;
use crate::commands::bench::measure::Wrong;
use crate::commands::bench::measure::measure;
use crate::commands::bench::measured::Row;
use crate::commands::bench::progress::Progress;
use crate::commands::bench::question::Question;
use crate::commands::bench::results::Results;
use crate::commands::bench::suite;
use crate::commands::bench::threads;
use crate::commands::bench::versus;
use crate::commands::bench::versus::Versus;
use crate::commands::bench::words;
use crate::commands::bench::work::Choice;
use crate::commands::bench::work::prepare;
use crate::commands::bench::work::wrong;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::output_file::OutputFile;
use crate::report::Report;
use crate::sanitize;
use crate::source::Source;
use clap::ValueEnum;
use fjson::Isa;
use std::env;
use std::ops::ControlFlow;

pub struct Session<'a> {
    arguments: &'a Bench,
    clock: &'a dyn Clock,
    progress: Progress<'a>,
    /// Errors in the inputs.
    report: Report,
    results: Results,
}

impl<'a> Session<'a> {
    pub fn new(arguments: &'a Bench, clock: &'a dyn Clock) -> Result<Self, RunError> {
        let reporting = Reporting {
            format: Format::Human,
            max_errors: None,
            color: Color::Auto,
            quiet: arguments.output.quiet,
            verbose: false,
        };
        let results = Results {
            machine: Machine::here(),
            command: command_line(),
            measured: Vec::new(),
            races: Vec::new(),
            changes: None,
            conformance: None,
        };
        let progress = Progress::new(clock, arguments.output.quiet);
        Ok(Self { arguments, clock, progress, report: Report::without_progress(&reporting)?, results })
    }

    /// Returns the results, and the exit status for errors in the inputs. No input may be one of `outputs`.
    pub fn run(mut self, outputs: Vec<OutputFile>) -> Result<(Results, Exit), RunError> {
        let Bench { inputs, measurement, conformance, output, .. } = self.arguments;
        // Otherwise a missing program would be found only after everything has been measured.
        versus::find_programs(&measurement.rivals)?;
        let corpus = conformance.corpus.as_deref();
        let wants_suites = conformance.suite || corpus.is_some() || conformance.require.is_some();
        let mut suites = Vec::new();
        let mut files = inputs.files.clone();
        files.retain(|path| suite::root(path).map(|root| suites.push(root)).is_none());
        let reports = output.report.is_some();
        let needs_figures = reports || measurement.baseline.is_some() || !measurement.rivals.is_empty();
        let inputs = Inputs { files, outputs, ..inputs.clone() };
        if !inputs.is_stdin_only() {
            inputs.each(&mut |source| self.take(source))?;
        } else if needs_figures || !wants_suites && suites.is_empty() {
            for shape in Shape::value_variants() {
                self.measure(&shape.subject())?;
            }
        }
        if !suites.is_empty() {
            self.conform(&suite::Places::only(suites))?;
        } else if wants_suites || reports {
            self.conform(&suite::Places::new(corpus)?)?;
        }
        self.progress.hide();
        Ok((self.results, self.report.finish()?))
    }

    /// Measures an input, or reports its errors.
    fn take(&mut self, source: Result<Source, RunError>) -> Result<(), RunError> {
        let (source, text) =
            match source.and_then(|source| self.arguments.inputs.read_whole(&source).map(|text| (source, text))) {
                Ok(read) => read,
                Err(error) => return self.report.run_error(&error),
            };
        let name = self.report.open(&source);
        let Bench { engine, inputs, .. } = self.arguments;
        self.progress.hide();
        let report = &mut self.report;
        let mut reported = Ok(());
        let summary = fjson::validate_each(&text, &engine.options(inputs, name), &mut |error| {
            reported = report.error(name, &error);
            if reported.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        reported?;
        match summary {
            Ok(summary) if summary.invalid == 0 => {
                let origin = name.path().map_or(Origin::Stdin, |path| Origin::File(path.to_owned()));
                self.measure(&Subject { name: name.to_string(), text, framing: inputs.framing(name), origin })
            }
            Ok(_) => Ok(()),
            Err(error) => self.report.error(name, &error),
        }
    }

    fn measure(&mut self, subject: &Subject) -> Result<(), RunError> {
        let (mut works, mut measured) = prepare(subject, &self.choice())?;
        let plan = Plan::new(self.arguments.measurement.time);
        let progress = &mut self.progress;
        let samples = measure(&mut works, &plan, self.clock, &mut |done| progress.show(&subject.name, done))
            .map_err(|Wrong(number)| wrong(subject, works[number].job))?;
        let rows = works.iter().zip(samples).map(|(work, samples)| Row::new(work.job, work.output, samples));
        measured.rows = rows.collect();
        let (question, is_ijson) = (measured.question.clone(), measured.is_ijson);
        self.results.measured.push(measured);
        self.race(subject, question.as_ref(), is_ijson)
    }

    fn race(&mut self, subject: &Subject, question: Option<&Question>, is_ijson: bool) -> Result<(), RunError> {
        let Bench { engine, measurement: Measurement { rivals, operations, time, .. }, .. } = self.arguments;
        if rivals.is_empty() {
            return Ok(());
        }
        // Most other programs can validate; few have output like ours.
        let operations = if operations.is_empty() { &[Operation::Validate] } else { &operations[..] };
        let operations: &Vec<_> = &operations.iter().copied().filter(|operation| operation.is_command()).collect();
        let (plan, clock) = (Plan::of_processes(*time), self.clock);
        let versus = Versus { rivals, operations, question, is_ijson, engine, plan, clock };
        let progress = &mut self.progress;
        match versus.run(subject, &mut |done| progress.show(&format!("{}, processes", subject.name), done)) {
            Ok(races) => self.results.races.extend(races),
            Err(error) => {
                self.progress.hide();
                self.report.run_error(&error)?;
            }
        }
        Ok(())
    }

    fn conform(&mut self, places: &suite::Places) -> Result<(), RunError> {
        let kernels = self.arguments.engine.kernel.map_or_else(|| Isa::available().collect(), |kernel| vec![kernel]);
        let required = match &self.arguments.conformance.require {
            Some(named) if !named.is_empty() => &named[..],
            Some(_) => Published::value_variants(),
            None if places.should_be_complete() && is_in_ci() => Published::value_variants(),
            None => &[],
        };
        let progress = &mut self.progress;
        let conformance =
            suite::run(places, required, &suite::Verifier { kernels }, &mut |what, done| progress.show(what, done))?;
        self.results.conformance = Some(conformance);
        Ok(())
    }

    fn choice(&self) -> Choice<'a> {
        let Bench { engine, measurement: Measurement { operations, query, all_kernels, .. }, output, .. } =
            self.arguments;
        let kernels = match engine.kernel {
            Some(kernel) => vec![kernel],
            None if *all_kernels || output.report.is_some() => Isa::available().collect(),
            None => vec![Isa::detect()],
        };
        Choice {
            // In the order of the enumeration, and each once.
            operations: Operation::value_variants()
                .iter()
                .copied()
                .filter(
                    |operation| {
                        if operations.is_empty() { !operation.needs_values() } else { operations.contains(operation) }
                    },
                )
                .collect(),
            is_default: operations.is_empty(),
            kernels,
            threads: threads::number(engine.threads),
            query: query.clone(),
            engine,
        }
    }
}

/// Whether this is a CI job, in which a missing suite would not be noticed.
fn is_in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

/// Returns the command line of this run.
fn command_line() -> String {
    let arguments: Vec<_> =
        env::args_os().skip(1).map(|argument| sanitize::bytes(argument.as_encoded_bytes())).collect();
    words::join(std::iter::once("fjson").chain(arguments.iter().map(String::as_str)))
}
