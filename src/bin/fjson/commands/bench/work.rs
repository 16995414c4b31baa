//! What is timed: the verbs on each kernel, on one thread and on several, and beside them two yardsticks that every
//! machine has.
//!
//! `memcpy` shows what memory gives here, and a pass that only checks UTF-8 shows what a checker could reach that knew
//! nothing of JSON; it is that of simdutf8, the fastest there is, for a slow one would flatter. Before anything is
//! timed each verb has to give the right answer on each kernel, and each timed run has to give it again.

#![forbid(unsafe_code)]

use crate::commands::bench::measure::Trial;
use crate::commands::bench::question::Question;
use crate::commands::bench::subject::Subject;
use crate::commands::bench::subject::structurals;
use crate::commands::bench::threads;
use crate::commands::bench::verb::Task;
use crate::commands::bench::verb::Verb;
use crate::exit::RunError;
use crate::name::Name;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Isa;
use fjson::Options;
use fjson::Query;
use fjson::Summary;
use std::fmt;
use std::hint::black_box;
use std::io::Read;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    Copy,
    Utf8,
    /// A verb on a kernel, on up to so many threads.
    Verb(Verb, Isa, usize),
}

impl Job {
    pub fn name(self) -> &'static str {
        match self {
            Self::Copy => "memcpy",
            Self::Utf8 => "utf8",
            Self::Verb(verb, ..) => verb.name(),
        }
    }

    /// The kernel, or for a yardstick who does the work.
    pub fn kernel(self) -> &'static str {
        match self {
            Self::Copy => "std",
            Self::Utf8 => "simdutf8",
            Self::Verb(_, isa, _) => isa.name(),
        }
    }

    pub fn threads(self) -> usize {
        if let Self::Verb(.., threads) = self { threads } else { 1 }
    }

    pub fn is_yardstick(self) -> bool {
        matches!(self, Self::Copy | Self::Utf8)
    }
}

/// `validate on avx512`, `validate on avx512 with 8 threads`.
impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.name(), self.kernel())?;
        match self.threads() {
            1 => Ok(()),
            threads => write!(f, " with {threads} threads"),
        }
    }
}

/// Which verbs are timed, how, and on which kernels.
pub struct Choice {
    pub verbs: Vec<Verb>,
    /// Nobody named the verbs.
    pub is_usual: bool,
    pub kernels: Vec<Isa>,
    /// Where it is more than one, what can use threads is timed on one and on so many.
    pub threads: usize,
    /// What `query` is to look for; if nobody said, what is usual in the document.
    pub query: Option<Query>,
    pub max_depth: Option<u64>,
    pub unique_keys: bool,
    pub ijson: bool,
}

/// Compressing more than that, often enough for a figure, would take minutes and hold up all others.
const MOST_FOR_GZIP: usize = 64 << 20;

impl Choice {
    fn options(&self, verb: Verb, isa: Isa, framing: Framing) -> Options {
        let max_depth = self.max_depth.or((verb == Verb::Pretty).then_some(super::super::pretty::MAX_DEPTH));
        let options = Options::new().isa(isa).framing(framing).max_depth(max_depth);
        options.unique_keys(self.unique_keys).ijson(self.ijson)
    }

    /// Why a verb is left out of what is timed of a document.
    fn omits(&self, verb: Verb, text: &[u8]) -> Option<String> {
        let is_long = verb == Verb::Gzip && self.is_usual && text.len() > MOST_FOR_GZIP;
        is_long.then(|| "gzip is not measured: with so much text it would take minutes; --verb gzip asks for it".into())
    }
}

/// One job on one document.
pub struct Work<'a> {
    pub job: Job,
    text: &'a [u8],
    /// What a verb does; a yardstick has nothing to be told.
    task: Option<Task>,
    summary: Summary,
    /// The length of the output.
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

/// The work to be done on a document, and what is known about it then.
pub struct Prepared<'a> {
    pub works: Vec<Work<'a>>,
    pub documents: u64,
    pub structurals: usize,
    pub question: Option<Question>,
    /// Verbs that cannot be measured on this document, and why.
    pub notes: Vec<String>,
}

/// Does each job once and sees that the answers are right. The document must be valid.
pub fn prepare<'a>(subject: &'a Subject, choice: &Choice) -> Result<Prepared<'a>, RunError> {
    let text = &subject.text[..];
    let reference = Reference::of(subject, choice)?;
    let Reference { summary, .. } = reference;
    let work = |job, task, output| Work { job, text, task, summary, output, is_right: true };
    let mut works = vec![work(Job::Copy, None, text.len()), work(Job::Utf8, None, 0)];
    let mut notes: Vec<String> = Vec::new();
    let mut alone: Vec<&str> = Vec::new();
    let mut output = Vec::new();
    for &verb in &choice.verbs {
        if let Some(note) = choice.omits(verb, text) {
            notes.push(note);
            continue;
        }
        let counts: &[usize] = if verb.takes_threads() && choice.threads > 1 { &[1, choice.threads] } else { &[1] };
        for (&isa, &threads) in choice.kernels.iter().flat_map(|isa| counts.iter().map(move |threads| (isa, threads))) {
            let job = Job::Verb(verb, isa, threads);
            let query = reference.question.as_ref().map(|question| question.query.clone());
            let task = Task { verb, options: choice.options(verb, isa, subject.framing), threads, query };
            let mut result = Ok(summary);
            let mut run = || {
                output.clear();
                result = task.run(text, &mut output);
            };
            let is_worth_it = if threads > 1 {
                threads::others_work(run)
            } else {
                run();
                true
            };
            match result {
                Ok(found) if found == summary && reference.agrees(verb, &output, isa) => {
                    if is_worth_it {
                        works.push(work(job, Some(task), output.len()));
                    } else if !alone.contains(&verb.name()) {
                        alone.push(verb.name());
                    }
                }
                Err(error) if error.kind() == ErrorKind::DepthLimit && choice.max_depth.is_none() => {
                    let note = format!("{} is not measured: {error}, and its output would be huge", verb.name());
                    if !notes.contains(&note) {
                        notes.push(note);
                    }
                }
                Ok(_) | Err(_) => return Err(wrong(subject, job)),
            }
        }
    }
    if !alone.is_empty() {
        let (verbs, threads) = (alone.join(", "), choice.threads);
        notes.push(format!("no figure for {threads} threads: one does all the work of {verbs} on this document"));
    }
    let Summary { documents, .. } = summary;
    Ok(Prepared { works, documents, structurals: reference.structurals, question: reference.question, notes })
}

/// What every kernel has to say about a document.
struct Reference {
    summary: Summary,
    minified: Vec<u8>,
    structurals: usize,
    question: Option<Question>,
    /// How the output of `pretty` is divided into documents.
    framing: Framing,
}

impl Reference {
    fn of(subject: &Subject, choice: &Choice) -> Result<Self, RunError> {
        let text = &subject.text[..];
        let task = |verb| {
            let options = choice.options(verb, Isa::Portable, subject.framing);
            Task { verb, options, threads: 1, query: None }
        };
        let or_wrong = |verb| move || wrong(subject, Job::Verb(verb, Isa::Portable, 1));
        let mut minified = Vec::new();
        let summary = task(Verb::Minify).run(text, &mut minified).ok().ok_or_else(or_wrong(Verb::Minify))?;
        let question = if choice.verbs.contains(&Verb::Query) {
            let asked = Question::of(text, choice.query.as_ref(), &task(Verb::Query).options);
            Some(asked.ok().flatten().ok_or_else(or_wrong(Verb::Query))?)
        } else {
            None
        };
        let framing = if subject.framing == Framing::Lines { Framing::Stream } else { subject.framing };
        Ok(Self { summary, structurals: structurals(&minified), minified, question, framing })
    }

    fn agrees(&self, verb: Verb, output: &[u8], isa: Isa) -> bool {
        match verb {
            Verb::Validate => true,
            Verb::Minify => output == self.minified,
            Verb::Index => output == self.structurals.to_ne_bytes(),
            Verb::Query => self.question.as_ref().is_some_and(|question| output == question.matches.to_ne_bytes()),
            Verb::Gzip => {
                let mut expanded = Vec::new();
                let read = Input::from(output).expanded(u64::MAX).into_reader().read_to_end(&mut expanded);
                read.is_ok() && expanded == self.minified
            }
            Verb::Pretty => {
                let mut minified = Vec::new();
                let options = Options::new().isa(isa).framing(self.framing);
                fjson::minify(output, &mut minified, &options).is_ok() && minified == self.minified
            }
        }
    }
}

/// The figure of a job that gives a wrong answer would be worth nothing.
pub fn wrong(subject: &Subject, job: Job) -> RunError {
    let name = Name::Path(subject.name.clone().into());
    RunError::new(name, format!("{job} gives a wrong answer: please report this"))
}
