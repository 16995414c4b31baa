//! Allocation failures: whichever allocation of a run fails, the result is right or is an out-of-memory error.
//!
//! This counts the allocations of the whole process, so it is a separate binary without threads. The standard library
//! aborts if some of its own allocations fail, so each run is a process of its own, started with the number of the
//! allocation that fails. `FJSON_REFUSED` is how many allocations of each case are made to fail, spread over the run; 0
//! means all of them.

#![expect(unsafe_code, reason = "an allocator is unsafe to make")]

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Layout;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Order;
use fjson::Query;
use fjson::Search;
use fjson::Stats;
use std::alloc::GlobalAlloc;
use std::alloc::Layout as Memory;
use std::alloc::System;
use std::env;
use std::hash::DefaultHasher;
use std::hash::Hasher;
use std::io;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::Command;
use std::process::ExitCode;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Fails one request, or all requests from one on.
struct Refusing;

/// The number of requests so far, and the range of requests that fail.
static COUNT: AtomicU64 = AtomicU64::new(0);
static FIRST: AtomicU64 = AtomicU64::new(u64::MAX);
static LAST: AtomicU64 = AtomicU64::new(u64::MAX);

/// Requests below this many bytes succeed, because reporting an error takes a little memory, too.
const SMALL: usize = 1024;

impl Refusing {
    fn refuses(size: usize) -> bool {
        let number = COUNT.fetch_add(1, Relaxed);
        let is_refused = (FIRST.load(Relaxed)..=LAST.load(Relaxed)).contains(&number);
        is_refused && (size >= SMALL || LAST.load(Relaxed) == FIRST.load(Relaxed))
    }
}

// SAFETY: requests that do not fail go to the system allocator unchanged; one that fails returns null, which means that there is no
// memory, and leaves existing memory as it was.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        if Self::refuses(memory.size()) {
            return ptr::null_mut();
        }
        // SAFETY: the caller vouches for the layout.
        unsafe { System.alloc(memory) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, memory: Memory) {
        // SAFETY: it came from there, with this layout.
        unsafe { System.dealloc(pointer, memory) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, memory: Memory, size: usize) -> *mut u8 {
        if Self::refuses(size) {
            return ptr::null_mut();
        }
        // SAFETY: it came from there, with this layout, and the caller vouches for the size.
        unsafe { System.realloc(pointer, memory, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// The result of a run, as a number that differs if anything in it does.
type Answer = Result<u64, fjson::Error>;

/// An operation on a text, and the text.
type Job = (&'static str, fn(Input<'_>, &Options) -> Answer);

/// Hashes its input independently of how it is divided into pieces.
#[derive(Default)]
struct Sum(DefaultHasher);

impl Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MatchHandler for Sum {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.write_all(matched.text()).expect("takes everything");
        self.0.write_u64(matched.range().start);
        self.write_all(matched.path().unwrap_or_default().as_bytes()).expect("takes everything");
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: fjson::Error) -> ControlFlow<()> {
        self.0.write_u64(error.offset());
        if error.kind() == ErrorKind::OutOfMemory { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn written(write: impl FnOnce(&mut Sum) -> Result<fjson::Summary, fjson::Error>) -> Answer {
    let mut sum = Sum::default();
    write(&mut sum).map(|_| sum.0.finish())
}

fn searched(expressions: &[&str], order: Order, paths: bool, input: Input<'_>, options: &Options) -> Answer {
    let queries: Vec<_> = expressions.iter().map(|query| Query::new(query).expect("a query")).collect();
    let search = Search::new(&queries).order(order);
    let search = if paths { search } else { search.without_paths() };
    written(|sum| search.run(input, options, sum))
}

const JOBS: [Job; 20] = [
    ("lines", |input, options| {
        let mut sum = 0;
        for value in fjson::lines::<serde::de::IgnoredAny>(input, options) {
            match value {
                Ok(_) => sum += 1,
                Err(error) if error.kind() == ErrorKind::OutOfMemory => return Err(error),
                Err(error) => sum += error.offset(),
            }
        }
        Ok(sum)
    }),
    ("validate", |input, options| fjson::validate(input, options).map(|summary| summary.documents)),
    ("unique names", |input, options| {
        fjson::validate(input, &options.clone().unique_keys(true).ijson(true)).map(|summary| summary.bytes)
    }),
    ("minify", |input, options| written(|sum| fjson::minify(input, sum, options))),
    ("minify sorted", |input, options| written(|sum| fjson::minify(input, sum, &options.clone().sort_keys(true)))),
    ("canonical", |input, options| written(|sum| fjson::canonical(input, sum, options))),
    ("is canonical", |input, options| {
        fjson::canonical_difference(input, options).map(|difference| difference.unwrap_or(u64::MAX))
    }),
    ("pretty", |input, options| written(|sum| fjson::pretty(input, sum, &Layout::default(), options))),
    ("pretty with comments", |input, options| {
        written(|sum| fjson::pretty_with_comments(input, sum, &Layout::default(), options))
    }),
    ("is pretty", |input, options| {
        fjson::pretty_difference(input, &Layout::default(), options).map(|difference| difference.unwrap_or(u64::MAX))
    }),
    ("stats", |input, options| {
        let mut stats = Stats::new();
        stats.read(input, options, &mut |_| ControlFlow::Continue(()))?;
        let mut sum = Sum::default();
        write!(sum, "{:?} {:?} {:?}", stats.keys, stats.numbers, stats.depth).expect("takes everything");
        Ok(sum.0.finish())
    }),
    ("index", |input, options| {
        let mut sum = Sum::default();
        let hand_on = &mut |stretch: fjson::TokenBatch<'_>| {
            stretch.positions.iter().for_each(|&position| sum.0.write_u64(stretch.offset + u64::from(position)));
        };
        fjson::index(input, hand_on, options)?;
        Ok(sum.0.finish())
    }),
    ("diff", |input, options| {
        let (mut sum, mut last) = (Sum::default(), fjson::OwnedDocument::new("{\"b\": [1], \"c\": 2}")?);
        let mut failure = None;
        fjson::for_each_document(input, options, |record| {
            // Each record beside the one before.
            let Ok(record) = record else { return ControlFlow::Continue(()) };
            let compared = fjson::OwnedDocument::new(record.raw().as_bytes()).and_then(|next| {
                let changes = fjson::diff(last.root(), next.root(), &fjson::DiffOptions::new().context(1))?;
                sum.0.write_usize(changes.len());
                Ok(next)
            });
            match compared {
                Ok(next) => last = next,
                Err(error) => failure = Some(error),
            }
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        failure.map_or(Ok(sum.0.finish()), Err)
    }),
    ("a path", |input, options| searched(&["$[*].a"], Order::Rfc, false, input, options)),
    ("a descendant", |input, options| searched(&["$..a"], Order::Rfc, false, input, options)),
    ("descendants", |input, options| searched(&["$..b..a"], Order::Rfc, false, input, options)),
    ("as found", |input, options| searched(&["$..a"], Order::Document, false, input, options)),
    ("with paths", |input, options| searched(&["$..a", "$..*"], Order::Rfc, true, input, options)),
    ("a filter", |input, options| searched(&["$..[?@.a == @.b]"], Order::Document, false, input, options)),
    ("a slice", |input, options| searched(&["$..[-1:0:-1]['b','a']"], Order::Rfc, true, input, options)),
];

/// Small and medium texts: wide, deep, with long tokens, several documents.
fn texts() -> Vec<(&'static str, Vec<u8>, Framing)> {
    let object =
        |number: usize| format!(r#"{{"b":[{{"a":{number}}},2],"a":"x\u00e9{number}","c":{{"b":{{"a":[1]}}}}}}"#);
    let objects: Vec<_> = (0..2000).map(object).collect();
    let wide = format!("[{}]", objects.join(", "));
    let deep = format!("{}1{}", "[{\"a\":".repeat(4000), ",\"b\":2}]".repeat(4000));
    let long = format!(
        "[\"{}\", 1{}, {{\"a\": \"\\n{}\"}}]",
        "x".repeat(600_000),
        "0".repeat(90_000),
        "\\u00e9".repeat(60_000)
    );
    vec![
        ("small", object(0).into_bytes(), Framing::Document),
        ("wide", wide.into_bytes(), Framing::Document),
        ("deep", deep.into_bytes(), Framing::Document),
        ("long", long.into_bytes(), Framing::Document),
        ("bad", format!("[{}, {{]", objects[..100].join(",")).into_bytes(), Framing::Document),
        ("lines", objects.join("\n").into_bytes(), Framing::Lines),
        ("stream", objects.join(" ").into_bytes(), Framing::Stream),
    ]
}

/// Returns the text in pieces, as a pipe does.
struct Pieces<'t>(&'t [u8]);

impl io::Read for Pieces<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let length = room.len().min(100_000);
        (&mut self.0).read(&mut room[..length])
    }
}

/// The result of an operation, from memory or in pieces, on one thread or two.
fn run(job: Job, text: &[u8], framing: Framing, way: usize) -> Answer {
    let options = Options::new().framing(framing).window(16 << 10).threads(1 + way % 2);
    let input = if way < 2 { Input::from(text) } else { Input::from_reader(Pieces(text)) };
    (job.1)(input, &options)
}

const WAYS: usize = 3;

/// Runs in a process of its own: fails some requests and reports the result. Arguments: text, job, way, first, last.
fn refuse(arguments: &[usize]) -> ExitCode {
    let &[text, job, way, first, last] = arguments else { return ExitCode::from(3) };
    let (_, text, framing) = &texts()[text];
    let expected = run(JOBS[job], text, *framing, way).map_err(|error| (error.kind(), error.offset()));
    let before = COUNT.load(Relaxed);
    FIRST.store(before.saturating_add(first as u64), Relaxed);
    LAST.store(before.saturating_add(last as u64), Relaxed);
    let answer = run(JOBS[job], text, *framing, way);
    FIRST.store(u64::MAX, Relaxed);
    match answer.map_err(|error| (error.kind(), error.offset())) {
        Err((ErrorKind::OutOfMemory, _)) => ExitCode::from(2),
        answer if answer == expected => ExitCode::SUCCESS,
        answer => {
            writeln!(io::stderr(), "{answer:?} and not {expected:?}").expect("it is said");
            ExitCode::FAILURE
        }
    }
}

/// The number of requests of a run.
fn requests(job: Job, text: &[u8], framing: Framing, way: usize) -> u64 {
    // The first run makes allocations that later ones reuse.
    run(job, text, framing, way).ok();
    let before = COUNT.load(Relaxed);
    run(job, text, framing, way).ok();
    COUNT.load(Relaxed) - before
}

/// A parser that has read a document reads it again, and shorter ones, without a request; so does `validate`.
fn reading_again_allocates_nothing() {
    let mut parser = fjson::Parser::new();
    let long = format!("[{}{{\"a\": [1, \"b\"]}}]", "[\"\\n\"], ".repeat(20_000));
    let mut read = || {
        let before = COUNT.load(Relaxed);
        for text in [&long, "{\"a\": [1, \"b\"]}", "7"] {
            assert!(text.len() > 100 || fjson::validate(text, &Options::new()).is_ok());
            let document = parser.document(text.as_bytes()).expect("valid");
            let last = document.iter().last().unwrap_or(document.root());
            assert!(last.range().end <= text.len());
            assert_eq!(last.get("a").is_some(), text.len() > 1);
        }
        COUNT.load(Relaxed) - before
    };
    read();
    assert_eq!(read(), 0, "requests");
}

/// Types are read and written again without a request, if they need no memory of their own.
fn values_again_allocate_nothing() {
    #[derive(serde::Deserialize, serde::Serialize)]
    struct Record<'t> {
        id: i128,
        name: &'t str,
        sizes: [f64; 2],
        // With an escape, which is decoded in the memory of the parser.
        mark: char,
        #[serde(borrow)]
        rest: Option<fjson::RawValue<'t>>,
    }
    let text =
        r#"{"skipped": [[{}], "x"], "id": 7, "name": "text", "sizes": [1, 2.5e0], "mark": "\u00e9", "rest": [1, {}]}"#;
    let long = format!("{}{text}", " ".repeat(1000));
    let mut parser = fjson::Parser::new();
    let mut end = Vec::new();
    let mut writer = fjson::Writer::new(fjson::Stream::new(io::sink()));
    let mut requests = || {
        let before = COUNT.load(Relaxed);
        for text in [text, &long] {
            let record: Record<'_> = parser.read(text.as_bytes()).expect("a record");
            assert_eq!((record.id, record.name, record.mark), (7, "text", 'é'));
            let record: Record<'_> = fjson::from_str(text).expect("a record");
            end.clear();
            fjson::to_end_of(&mut end, &record).expect("a text");
            assert!(end.ends_with("5],\"mark\":\"é\",\"rest\":[1, {}]}".as_bytes()));
            // More than the buffer of the stream.
            for number in 0..1000 {
                writer.begin_object().name("id").value(number).name("a longer name, \"quoted\"");
                writer.begin_array().value("text\n").value(0.5).value(true).raw("[1.50]").end();
                writer.name("record").serialize(&record).end().end_document();
            }
        }
        COUNT.load(Relaxed) - before
    };
    requests();
    assert_eq!(requests(), 0, "requests");
    writer.finish().expect("whole documents");
}

/// Keys of like records are allocated once with a cache, and once per record without.
fn known_keys_are_not_allocated_again() {
    let mut parser = fjson::Parser::new();
    let record = "{\"id\": 1, \"name\": \"x\", \"email\": null, \"tags\": [], \"age\": 7}, ";
    let text = format!("[{}0]", record.repeat(1000));
    let document = parser.document(text.as_bytes()).expect("valid");
    let mut kept: Vec<Arc<str>> = Vec::with_capacity(5000);
    let mut requests = |own: &mut dyn FnMut(&str) -> Arc<str>| {
        kept.clear();
        let before = COUNT.load(Relaxed);
        let members = document.iter().flat_map(fjson::Value::members);
        kept.extend(members.filter_map(|member| member.key.as_str().map(|key| own(&key))));
        assert_eq!(kept.len(), 5000);
        COUNT.load(Relaxed) - before
    };
    let mut keys = fjson::KeyCache::new();
    assert_eq!(requests(&mut |key| Arc::from(key)), 5000);
    assert_eq!(requests(&mut |key| keys.get(key)), 5);
    assert_eq!(requests(&mut |key| keys.get(key)), 0);
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    if let Some(("refuse", numbers)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        let numbers: Vec<_> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
        return refuse(&numbers);
    }
    // Test runners ask for a list of tests; there is none.
    if arguments.iter().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    reading_again_allocates_nothing();
    values_again_allocate_nothing();
    known_keys_are_not_allocated_again();
    let wanted = env::var("FJSON_REFUSED").ok().and_then(|number| number.parse().ok()).unwrap_or(2);
    let program = env::current_exe().expect("this program");
    let (mut runs, mut lacks, mut aborts, mut failures) = (0, 0, 0, 0);
    for (number, (text_name, text, framing)) in texts().iter().enumerate() {
        for (index, &job) in JOBS.iter().enumerate() {
            for way in 0..WAYS {
                let all = requests(job, text, *framing, way);
                let step = all.checked_div(wanted).unwrap_or(1).max(1);
                // A different offset in each range, so that all jobs together cover many requests.
                let first = (number * 7 + index * 3 + way) as u64 % step;
                for refused in (first..all).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
                    for last in [refused, u64::MAX] {
                        let mut command = Command::new(&program);
                        command.arg("refuse");
                        command.args([number as u64, index as u64, way as u64, refused, last].map(|it| it.to_string()));
                        let output = command.output().expect("it runs");
                        let said = String::from_utf8_lossy(&output.stderr);
                        runs += 1;
                        match output.status.code() {
                            Some(0) => {}
                            Some(2) => lacks += 1,
                            None if said.contains("memory allocation of ") && !said.contains("panicked") => aborts += 1,
                            status => {
                                failures += 1;
                                let (name, _) = job;
                                writeln!(io::stderr(), "{name}, {text_name}, way {way}, request {refused} to {last} of {all}: {status:?} {said}").expect("it is said");
                            }
                        }
                    }
                }
            }
        }
    }
    writeln!(io::stderr(), "{runs} runs: {lacks} said that there was no memory, {aborts} aborted, {failures} failed")
        .expect("it is said");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
