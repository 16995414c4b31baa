//! What is timed: the verbs on each kernel, and beside them two yardsticks that every machine has.
//!
//! `memcpy` shows what memory gives here, and a pass that only checks UTF-8 shows what a checker could reach that knew
//! nothing of JSON; it is that of simdutf8, the fastest there is, for a slow one would flatter. Before anything is timed
//! each verb has to give the right answer on each kernel, and each timed run has to give it again.

#![forbid(unsafe_code)]

use crate::commands::bench::measure::Trial;
use crate::commands::bench::subject::Subject;
use crate::commands::bench::subject::structurals;
use crate::exit::Trouble;
use crate::name::Name;
use clap::ValueEnum;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Isa;
use fjson::Layout;
use fjson::Options;
use fjson::Summary;
use std::hint::black_box;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Verb {
    Validate,
    Minify,
    Pretty,
    // Not a command: what the library lists for whoever wants tokens.
    Index,
}

impl Verb {
    pub const ALL: [Self; 4] = [Self::Validate, Self::Minify, Self::Pretty, Self::Index];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Validate => "validate",
            Self::Minify => "minify",
            Self::Pretty => "pretty",
            Self::Index => "index",
        }
    }

    /// Whether `fjson` has a command of this name.
    pub fn is_command(self) -> bool {
        self != Self::Index
    }

    fn run(self, text: &[u8], output: &mut Vec<u8>, options: &Options) -> Result<Summary, fjson::Error> {
        match self {
            Self::Validate => fjson::validate(text, options),
            Self::Minify => fjson::minify(text, output, options),
            Self::Pretty => fjson::pretty(text, output, &Layout::default(), options),
            Self::Index => {
                let mut count = 0;
                let summary = fjson::index(text, &mut |stretch| count += black_box(stretch.positions).len(), options);
                output.extend_from_slice(&count.to_ne_bytes());
                summary
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    Copy,
    Utf8,
    Verb(Verb, Isa),
}

impl Job {
    pub fn name(self) -> &'static str {
        match self {
            Self::Copy => "memcpy",
            Self::Utf8 => "utf8",
            Self::Verb(verb, _) => verb.name(),
        }
    }

    /// The kernel, or for a yardstick who does the work.
    pub fn kernel(self) -> &'static str {
        match self {
            Self::Copy => "std",
            Self::Utf8 => "simdutf8",
            Self::Verb(_, isa) => isa.name(),
        }
    }

    pub fn is_yardstick(self) -> bool {
        matches!(self, Self::Copy | Self::Utf8)
    }
}

/// Which verbs are timed, on which kernels.
#[derive(Clone)]
pub struct Choice {
    pub verbs: Vec<Verb>,
    pub kernels: Vec<Isa>,
    pub max_depth: Option<u64>,
    pub unique_keys: bool,
    pub ijson: bool,
}

impl Choice {
    fn jobs(&self) -> impl Iterator<Item = (Verb, Isa)> {
        self.verbs.iter().flat_map(|&verb| self.kernels.iter().map(move |&isa| (verb, isa)))
    }

    fn options(&self, verb: Verb, isa: Isa, framing: Framing) -> Options {
        let max_depth = self.max_depth.or((verb == Verb::Pretty).then_some(super::super::pretty::MAX_DEPTH));
        let options = Options::new().isa(isa).framing(framing).max_depth(max_depth);
        options.unique_keys(self.unique_keys).ijson(self.ijson)
    }
}

/// One job on one document.
pub struct Work<'a> {
    pub job: Job,
    text: &'a [u8],
    options: Options,
    summary: Summary,
    /// The length of the output.
    pub output: usize,
    is_right: bool,
}

impl Trial for Work<'_> {
    fn run(&mut self, scratch: &mut Vec<u8>) {
        scratch.clear();
        let text = black_box(self.text);
        self.is_right &= match self.job {
            Job::Copy => {
                scratch.extend_from_slice(text);
                true
            }
            Job::Utf8 => simdutf8::basic::from_utf8(text).is_ok(),
            Job::Verb(verb, _) => verb.run(text, scratch, &self.options).is_ok_and(|summary| summary == self.summary),
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
    /// Verbs that cannot be measured on this document, and why.
    pub notes: Vec<String>,
}

/// Does each job once and sees that the answers are right. The document must be valid.
pub fn prepare<'a>(subject: &'a Subject, choice: &Choice) -> Result<Prepared<'a>, Trouble> {
    let text = &subject.text[..];
    let reference = Reference::of(subject, choice)?;
    let work = |job, options, output| Work { job, text, options, summary: reference.summary, output, is_right: true };
    let mut works = vec![work(Job::Copy, Options::new(), text.len()), work(Job::Utf8, Options::new(), 0)];
    let mut notes = Vec::new();
    let mut output = Vec::new();
    for (verb, isa) in choice.jobs() {
        output.clear();
        let options = choice.options(verb, isa, subject.framing);
        match verb.run(text, &mut output, &options) {
            Ok(summary) if summary == reference.summary && reference.agrees(verb, &output, isa) => {
                works.push(work(Job::Verb(verb, isa), options, output.len()));
            }
            Err(error) if error.kind() == ErrorKind::DepthLimit && choice.max_depth.is_none() => {
                let note = format!("{} is not measured: {error}, and its output would be huge", verb.name());
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            Ok(_) | Err(_) => return Err(wrong(subject, Job::Verb(verb, isa))),
        }
    }
    Ok(Prepared { works, documents: reference.summary.documents, structurals: reference.structurals, notes })
}

/// What every kernel has to say about a document.
struct Reference {
    summary: Summary,
    minified: Vec<u8>,
    structurals: usize,
    /// How the output of `pretty` is divided into documents.
    framing: Framing,
}

impl Reference {
    fn of(subject: &Subject, choice: &Choice) -> Result<Self, Trouble> {
        let mut minified = Vec::new();
        let options = choice.options(Verb::Minify, Isa::Portable, subject.framing);
        let framing = if subject.framing == Framing::Lines { Framing::Stream } else { subject.framing };
        match Verb::Minify.run(&subject.text, &mut minified, &options) {
            Ok(summary) => Ok(Self { summary, structurals: structurals(&minified), minified, framing }),
            Err(_) => Err(wrong(subject, Job::Verb(Verb::Minify, Isa::Portable))),
        }
    }

    fn agrees(&self, verb: Verb, output: &[u8], isa: Isa) -> bool {
        match verb {
            Verb::Validate => true,
            Verb::Minify => output == self.minified,
            Verb::Index => output == self.structurals.to_ne_bytes(),
            Verb::Pretty => {
                let mut minified = Vec::new();
                let options = Options::new().isa(isa).framing(self.framing);
                Verb::Minify.run(output, &mut minified, &options).is_ok() && minified == self.minified
            }
        }
    }
}

/// The figure of a job that gives a wrong answer would be worth nothing.
pub fn wrong(subject: &Subject, job: Job) -> Trouble {
    let name = Name::Path(subject.name.clone().into());
    Trouble::new(name, format!("{} gives a wrong answer on kernel {}: please report this", job.name(), job.kernel()))
}
