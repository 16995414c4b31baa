//! The work that is timed: the operations on each kernel, on one thread and on several, and two yardsticks.
//!
//! `memcpy` shows the speed of memory. The other yardstick only validates UTF-8, which a validator must do at least; it is
//! simdutf8, the fastest one, because a slow yardstick would flatter. Each operation must give the right result on each kernel
//! before it is timed and in every timed run.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::bench::Operation;
use crate::commands::bench::job::Job;
use crate::commands::bench::job::Origin;
use crate::commands::bench::job::Subject;
use crate::commands::bench::measure::Trial;
use crate::commands::bench::measured::Measured;
use crate::commands::bench::operation::Task;
use crate::commands::bench::question::Question;
use crate::commands::bench::threads;
use crate::commands::pretty;
use crate::exit::RunError;
use crate::name::Name;
use fjson::Error;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Isa;
use fjson::Options;
use fjson::Parser;
use fjson::Query;
use fjson::Summary;
use std::cell::RefCell;
use std::hash::DefaultHasher;
use std::hash::Hasher;
use std::hint::black_box;
use std::io::Read;

/// What is timed, and with which options.
pub struct Choice<'a> {
    pub operations: Vec<Operation>,
    /// Whether the user did not choose the operations.
    pub is_default: bool,
    pub kernels: Vec<Isa>,
    /// If it is above 1, operations that can use threads are timed on one thread and on this number.
    pub threads: usize,
    /// The query to evaluate; if `None`, one that suits the document.
    pub query: Option<Query>,
    pub engine: &'a Engine,
}

/// `gzip` is not timed on larger documents unless the user chose it, because it would take minutes.
const MOST_FOR_GZIP: usize = 64 << 20;

impl Choice<'_> {
    fn task(&self, operation: Operation, isa: Isa, threads: usize, framing: Framing, query: Option<Query>) -> Task {
        let Engine { max_depth, unique_keys, ijson, .. } = *self.engine;
        // The output of these grows with the square of the depth.
        let max_depth =
            max_depth.or(matches!(operation, Operation::Pretty | Operation::Paths).then_some(pretty::MAX_DEPTH));
        let options = Options::new().isa(isa).framing(framing).max_depth(max_depth);
        let options = options.unique_keys(unique_keys).ijson(ijson).sort_keys(operation == Operation::Sort);
        let parser = RefCell::new(Parser::with_options(&options));
        Task { operation, options, threads, query, parser }
    }

    /// Returns why an operation is not timed on a document, if it is not.
    fn omits(&self, operation: Operation, text: &[u8], documents: u64) -> Option<String> {
        if operation.needs_values() && documents != 1 {
            return Some(format!("{} is not measured: it needs a single document", operation.name()));
        }
        let is_long = operation == Operation::Gzip && self.is_default && text.len() > MOST_FOR_GZIP;
        is_long.then(|| {
            "gzip is not measured: on such a large document it takes minutes; --operation gzip measures it".into()
        })
    }
}

/// One job on one document.
pub struct Work<'a> {
    pub job: Job,
    text: &'a [u8],
    /// `None` for a yardstick.
    task: Option<Task>,
    summary: Summary,
    /// Length of the output.
    pub output: usize,
    is_right: bool,
}

impl Trial for Work<'_> {
    fn run(&mut self, scratch: &mut Vec<u8>) {
        scratch.clear();
        let text = black_box(self.text);
        self.is_right &= match &self.task {
            Some(task) => task.run(text, scratch).is_ok_and(|summary| summary == self.summary),
            None if self.job == Job::Copy => {
                scratch.extend_from_slice(text);
                true
            }
            None => simdutf8::basic::from_utf8(text).is_ok(),
        };
        black_box(scratch);
    }

    fn is_right(&self, scratch: &[u8]) -> bool {
        self.is_right && scratch.len() == self.output
    }
}

/// Does each job once and checks its result. The document must be valid. Returns the work to time, and the results without
/// figures.
pub fn prepare<'a>(subject: &'a Subject, choice: &Choice<'_>) -> Result<(Vec<Work<'a>>, Measured), RunError> {
    let text = &subject.text[..];
    let reference = Reference::of(subject, choice)?;
    let summary = reference.summary;
    let work = |job, task, output| Work { job, text, task, summary, output, is_right: true };
    let mut works = vec![work(Job::Copy, None, text.len()), work(Job::Utf8, None, 0)];
    let mut notes: Vec<String> = Vec::new();
    let mut alone: Vec<&str> = Vec::new();
    let mut output = Vec::new();
    for &operation in &choice.operations {
        let omission = choice.omits(operation, text, summary.documents);
        let expected =
            match omission.map_or_else(|| reference.expected(operation, subject, choice), |note| Ok(Err(note)))? {
                Ok(expected) => expected,
                Err(note) => {
                    notes.push(note);
                    continue;
                }
            };
        let counts: &[usize] = if operation.is_command() && choice.threads > 1 { &[1, choice.threads] } else { &[1] };
        for (&isa, &threads) in choice.kernels.iter().flat_map(|isa| counts.iter().map(move |threads| (isa, threads))) {
            let job = Job::Operation(operation, isa, threads);
            let task = reference.task(operation, isa, threads, subject, choice);
            let (result, is_shared) = try_out(&task, text, &mut output);
            match result {
                Ok(found) if found == summary && reference.agrees(operation, &output, isa, expected) => {
                    if threads == 1 || is_shared {
                        works.push(work(job, Some(task), output.len()));
                    } else if !alone.contains(&operation.name()) {
                        alone.push(operation.name());
                    }
                }
                Err(error) if error.kind() == ErrorKind::DepthLimit && choice.engine.max_depth.is_none() => {
                    let note = format!("{} is not measured: {error}, and its output would be huge", operation.name());
                    if !notes.contains(&note) {
                        notes.push(note);
                    }
                }
                Ok(_) | Err(_) => return Err(wrong(subject, job)),
            }
        }
    }
    if !alone.is_empty() {
        let (operations, threads) = (alone.join(", "), choice.threads);
        notes.push(format!("no figure for {threads} threads: one does all the work of {operations} on this document"));
    }
    let measured = Measured {
        name: subject.name.clone(),
        is_generated: matches!(subject.origin, Origin::Generated),
        bytes: text.len(),
        documents: summary.documents,
        tokens: reference.tokens,
        rows: Vec::new(),
        question: reference.question,
        is_ijson: reference.is_ijson,
        notes,
    };
    Ok((works, measured))
}

/// Runs a task and returns its result and, if it may use several threads, whether it did.
fn try_out(task: &Task, text: &[u8], output: &mut Vec<u8>) -> (Result<Summary, Error>, bool) {
    let mut run = || {
        output.clear();
        task.run(text, output)
    };
    if task.threads == 1 {
        return (run(), false);
    }
    let mut result = None;
    let is_shared = threads::others_work(|| result = Some(run()));
    (result.unwrap_or_else(run), is_shared)
}

/// The expected results: those of the portable kernel on one thread.
struct Reference {
    summary: Summary,
    minified: Vec<u8>,
    tokens: usize,
    /// Number of keys and values.
    values: u64,
    question: Option<Question>,
    /// Whether the document is I-JSON, if that is measured.
    is_ijson: bool,
    /// Framing of the output of `pretty`.
    framing: Framing,
}

impl Reference {
    fn of(subject: &Subject, choice: &Choice<'_>) -> Result<Self, RunError> {
        let text = &subject.text[..];
        let task = |operation| choice.task(operation, Isa::Portable, 1, subject.framing, None);
        let or_wrong = |operation| move || wrong(subject, Job::Operation(operation, Isa::Portable, 1));
        let mut minified = Vec::new();
        let summary = task(Operation::Minify).run(text, &mut minified).ok().ok_or_else(or_wrong(Operation::Minify))?;
        let options = task(Operation::Index).options;
        let (tokens, values) = count_tokens(text, &options).ok().ok_or_else(or_wrong(Operation::Index))?;
        let question = if choice.operations.iter().any(|operation| operation.needs_query()) {
            let question = Question::of(text, choice.query.as_ref(), &options);
            Some(question.ok_or_else(or_wrong(Operation::Query))?)
        } else {
            None
        };
        let is_ijson = choice.operations.contains(&Operation::Profiles)
            && fjson::validate(text, &options.clone().ijson(true)).is_ok();
        let framing = if subject.framing == Framing::Lines { Framing::Stream } else { subject.framing };
        Ok(Self { summary, minified, tokens, values, question, is_ijson, framing })
    }

    fn task(&self, operation: Operation, isa: Isa, threads: usize, subject: &Subject, choice: &Choice<'_>) -> Task {
        let query = self.question.as_ref().map(|question| question.query.clone());
        let mut task = choice.task(operation, isa, threads, subject.framing, query);
        if operation == Operation::Profiles {
            task.options = task.options.unique_keys(true).ijson(self.is_ijson);
        }
        task
    }

    /// Returns a hash of the output that an operation must have on every kernel, or why the operation cannot be measured: not every valid
    /// document has a canonical form, for example.
    fn expected(
        &self,
        operation: Operation,
        subject: &Subject,
        choice: &Choice<'_>,
    ) -> Result<Result<u64, String>, RunError> {
        if !matches!(
            operation,
            Operation::Profiles | Operation::Sort | Operation::Canonical | Operation::Paths | Operation::Stats
        ) {
            return Ok(Ok(0));
        }
        let mut output = Vec::new();
        match self.task(operation, Isa::Portable, 1, subject, choice).run(&subject.text, &mut output) {
            Ok(summary) if summary == self.summary => Ok(Ok(hash(&output))),
            Ok(_) => Err(wrong(subject, Job::Operation(operation, Isa::Portable, 1))),
            Err(error) => Ok(Err(format!("{} is not measured: {error}", operation.name()))),
        }
    }

    /// Whether an output is right. `expected` is the hash of it from the portable kernel, for operations that have one.
    fn agrees(&self, operation: Operation, output: &[u8], isa: Isa, expected: u64) -> bool {
        match operation {
            Operation::Validate => true,
            Operation::Minify => output == self.minified,
            Operation::Profiles | Operation::Sort | Operation::Canonical => hash(output) == expected,
            Operation::Index => output == self.tokens.to_ne_bytes(),
            Operation::Query => self.counts_matches(output),
            Operation::Paths => self.counts_matches(&output[..8]) && hash(output) == expected,
            Operation::Gzip => {
                let mut expanded = Vec::new();
                let read = Input::from(output).expanded(u64::MAX).into_reader().read_to_end(&mut expanded);
                read.is_ok() && expanded == self.minified
            }
            Operation::Read | Operation::Stats => output == self.values.to_ne_bytes(),
            // Numbers and strings may be written in another way. But there are as many, on every kernel the same.
            Operation::Write => {
                let mut count = 0;
                let take = &mut |batch: fjson::TokenBatch<'_>| count += batch.positions.len();
                fjson::index(output, take, &Options::new().isa(isa)).is_ok() && count == self.tokens
            }
            Operation::Pretty => {
                let mut minified = Vec::new();
                let options = Options::new().isa(isa).framing(self.framing);
                fjson::minify(output, &mut minified, &options).is_ok() && minified == self.minified
            }
        }
    }

    fn counts_matches(&self, output: &[u8]) -> bool {
        self.question.as_ref().is_some_and(|question| output == question.matches.to_ne_bytes())
    }
}

/// Returns the number of tokens, and of those that are keys, or the starts of values.
fn count_tokens(text: &[u8], options: &Options) -> Result<(usize, u64), Error> {
    let (mut tokens, mut values) = (0, 0);
    let take = &mut |batch: fjson::TokenBatch<'_>| {
        tokens += batch.positions.len();
        let starts = batch.positions.iter().map(|&start| batch.text[start as usize]);
        values += starts.filter(|start| !b"}],:".contains(start)).count() as u64;
    };
    fjson::index(text, take, options)?;
    Ok((tokens, values))
}

fn hash(output: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(output);
    hasher.finish()
}

/// Returns the error for a job with a wrong result.
pub fn wrong(subject: &Subject, job: Job) -> RunError {
    let name = Name::Path(subject.name.clone().into());
    RunError::new(name, format!("{job} gives a wrong result: please report this"))
}
