//! What is compared: fjson on every kernel, peers that do the same work, and yardsticks that do less.

use std::io::Write;

use fjson::Isa;
use fjson::Layout;
use fjson::Options;
use proof::check::Verb;
use serde::de::IgnoredAny;
use serde_json::ser::Formatter;

/// The role of a contestant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// The subject of the comparison.
    Fjson,
    /// Does the same work.
    Peer,
    /// Does less work: an upper bound, not a rival.
    Yardstick,
}

/// One implementation of an operation.
pub struct Contestant {
    /// The head of its column.
    pub name: String,
    /// Its role.
    pub job: Job,
    /// Processes the document, perhaps writing to the empty vector; returns whether it was valid.
    pub run: Box<Run>,
}

type Run = dyn Fn(&[u8], &mut Vec<u8>) -> bool;

/// All contestants that can do the operation.
pub fn of(verb: Verb) -> Vec<Contestant> {
    let mut all: Vec<_> = Isa::available().map(|isa| fjson(verb, isa)).collect();
    match verb {
        Verb::Validate => {
            all.push(contestant("serde_json + UTF-8", Job::Peer, |text, _| is_utf8(text) && serde_ignores(text)));
            // As on a machine without wide vectors: simdutf8 selects its instructions at run time.
            all.push(contestant("serde_json + std UTF-8", Job::Peer, |text, _| {
                std::str::from_utf8(text).is_ok() && serde_ignores(text)
            }));
            all.push(contestant("sonic-rs", Job::Peer, |text, _| sonic_rs::from_slice::<IgnoredAny>(text).is_ok()));
            all.push(contestant("simd-json tape", Job::Peer, |text, scratch| {
                // It modifies its input, so the copy is part of its work.
                scratch.extend_from_slice(text);
                simd_json::to_tape(scratch).is_ok()
            }));
            all.push(contestant("serde_json", Job::Yardstick, |text, _| serde_ignores(text)));
            all.push(contestant("UTF-8 alone", Job::Yardstick, |text, _| is_utf8(text)));
        }
        Verb::Minify => {
            all.push(contestant("serde_json", Job::Peer, |text, sink| {
                transcode_serde(text, sink, serde_json::ser::CompactFormatter)
            }));
            all.push(contestant("sonic-rs", Job::Peer, |text, sink| {
                transcode_sonic(text, &mut sonic_rs::Serializer::new(sink))
            }));
        }
        Verb::Pretty => {
            all.push(contestant("serde_json", Job::Peer, |text, sink| {
                transcode_serde(text, sink, serde_json::ser::PrettyFormatter::new())
            }));
            all.push(contestant("sonic-rs", Job::Peer, |text, sink| {
                transcode_sonic(text, &mut sonic_rs::Serializer::pretty(sink))
            }));
        }
    }
    all.push(contestant("memcpy", Job::Yardstick, |text, sink| sink.write_all(text).is_ok()));
    all
}

fn contestant(name: &str, job: Job, run: impl Fn(&[u8], &mut Vec<u8>) -> bool + 'static) -> Contestant {
    Contestant { name: name.to_owned(), job, run: Box::new(run) }
}

fn fjson(verb: Verb, isa: Isa) -> Contestant {
    let options = Options::new().isa(isa);
    contestant(&format!("fjson {isa}"), Job::Fjson, move |text, sink| match verb {
        Verb::Validate => fjson::validate(text, &options).is_ok(),
        Verb::Minify => fjson::minify(text, sink, &options).is_ok(),
        Verb::Pretty => fjson::pretty(text, sink, &Layout::default(), &options).is_ok(),
    })
}

fn is_utf8(text: &[u8]) -> bool {
    simdutf8::basic::from_utf8(text).is_ok()
}

fn serde_ignores(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

fn transcode_serde(text: &[u8], sink: &mut Vec<u8>, formatter: impl Formatter) -> bool {
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    let mut writer = serde_json::Serializer::with_formatter(sink, formatter);
    serde_transcode::transcode(&mut reader, &mut writer).is_ok() && reader.end().is_ok()
}

fn transcode_sonic<'a, S>(text: &[u8], writer: &'a mut S) -> bool
where
    &'a mut S: serde::Serializer,
{
    let mut reader = sonic_rs::Deserializer::from_slice(text);
    serde_transcode::transcode(&mut reader, writer).is_ok()
}
