//! The engine in process: each operation on each file and kernel, in bytes of input per second.
//!
//! Each benchmark asserts its result before it measures, so that an operation that stops early does not look fast;
//! `cargo test --bench engine` checks only the results. The documents are the data sets, or generated ones if those are
//! missing.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::time::Duration;

use criterion::BenchmarkId;
use criterion::Criterion;
use criterion::Throughput;
use fjson::DocumentBatch;
use fjson::Framing;
use fjson::Layout;
use fjson::Options;
use fjson::Parser;
use fjson::Summary;
use fjson::Writer;
use fjson::map_documents;
use proof::check;
use proof::check::Verb;
use proof::generate;
use proof::random::Random;
use proof::suites;
use proof::suites::Files;

fn main() {
    let mut criterion = Criterion::default().measurement_time(Duration::from_secs(2)).configure_from_args();
    for (name, text) in documents() {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        for verb in Verb::ALL {
            for &isa in check::kernels() {
                let options = check::options(verb, isa);
                let expected = check::reference(verb, &text);
                check::same(
                    &expected,
                    &check::outcome(verb, &text, &options),
                    &text,
                    format_args!("{verb:?} on {isa}"),
                );
                let mut sink = expected.written;
                let mut run = || -> Result<Summary, fjson::Error> {
                    sink.clear();
                    match verb {
                        Verb::Validate => fjson::validate(&text, &options),
                        Verb::Minify => fjson::minify(&text, &mut sink, &options),
                        Verb::Pretty => fjson::pretty(&text, &mut sink, &Layout::default(), &options),
                    }
                };
                group.bench_function(BenchmarkId::new(format!("{verb:?}").to_lowercase(), isa), |bencher| {
                    bencher.iter(&mut run);
                });
            }
        }
    }
    records(&mut criterion);
    members(&mut criterion);
    criterion.final_summary();
}

/// Number of records of the batch, which is about a window long.
const RECORDS: u64 = 2900;

/// A batch of short records as values: one list, and one member of each. Bytes per second, and records per second of the same work.
fn records(criterion: &mut Criterion) {
    let record = |id: u64| {
        format!(
            "{{\"ts\":\"2026-11-25T17:00:00.{:03}Z\",\"level\":\"info\",\"msg\":\"request served\",\"ms\":{},\
             \"ctx\":{{\"user\":{{\"id\":{id}}},\"ip\":\"10.0.0.{}\"}},\"tags\":[\"web\",\"eu\"],\"ok\":true,\"size\":{}.5}}\n",
            id % 1000,
            id % 97,
            id % 250,
            id * 7,
        )
    };
    let text: String = (0..RECORDS).map(record).collect();
    let mut parser = Parser::new();
    let mut sum = || -> Result<u64, fjson::Error> {
        let records = parser.records(text.as_bytes())?;
        Ok(records.filter_map(|record| record.get("ms")?.as_u64()).sum())
    };
    assert_eq!(sum().expect("valid"), (0..RECORDS).map(|id| id % 97).sum::<u64>());
    let mut group = criterion.benchmark_group("records");
    group.throughput(Throughput::Elements(RECORDS));
    group.bench_function("list and get", |bencher| bencher.iter(&mut sum));
    let long = text.repeat(64);
    for threads in [1, 2] {
        let options = Options::new().framing(Framing::Lines).threads(threads);
        let total = || {
            let mut total = 0;
            let map = |batch: &DocumentBatch<'_>| -> u64 {
                batch.records().filter_map(|record| record.get("ms")?.as_u64()).sum()
            };
            map_documents(&long, &options, map, |mapped| {
                total += mapped.map_or(0, |mapped| mapped.result);
                ControlFlow::Continue(())
            })
            .map(|_| total)
        };
        assert_eq!(total().expect("valid"), 64 * sum().expect("valid"));
        group.throughput(Throughput::Elements(64 * RECORDS));
        group.bench_function(BenchmarkId::new("map_documents", threads), |bencher| bencher.iter(total));
    }
    group.finish();
}

/// As many look-ups as a wide object has members, and its text written again.
fn members(criterion: &mut Criterion) {
    let keys: Vec<_> = (0..16_000).map(|key| format!("key {key}")).collect();
    let members: Vec<_> = keys.iter().enumerate().map(|(value, key)| format!("\"{key}\":{value}")).collect();
    let text = format!("{{{}}}", members.join(","));
    let mut parser = Parser::new();
    let mut find = || -> Result<usize, fjson::Error> {
        let document = parser.document(text.as_bytes())?;
        Ok(keys.iter().filter(|key| document.get(key).is_some()).count())
    };
    assert_eq!(find().expect("valid"), keys.len());
    criterion.bench_function("16,000 look-ups", |bencher| bencher.iter(&mut find));
    let document = parser.document(text.as_bytes()).expect("valid");
    let mut written = Vec::new();
    let mut write = || {
        written.clear();
        let mut writer = Writer::new(&mut written);
        writer.value(document.root());
        writer.finish().is_ok()
    };
    assert!(write());
    let mut group = criterion.benchmark_group("write");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("value", |bencher| bencher.iter(&mut write));
    group.finish();
    assert_eq!(written, text.as_bytes());
}

fn documents() -> Files {
    let files = suites::data_sets();
    if !files.is_empty() {
        return files;
    }
    let generated = |seed| (format!("generated {seed}"), generate::document(&mut Random::new(seed), 1 << 20));
    (1..=4).map(generated).collect()
}
