//! The engine in process: each operation on each file and kernel, in bytes of input per second.
//!
//! Each benchmark asserts its result before it measures, so that an operation that stops early does not look fast;
//! `cargo test --bench engine` checks only the results. The documents are the data sets, or generated ones if those are
//! missing.

#![forbid(unsafe_code)]

use std::time::Duration;

use criterion::BenchmarkId;
use criterion::Criterion;
use criterion::Throughput;
use fjson::Layout;
use fjson::Summary;
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
    criterion.final_summary();
}

fn documents() -> Files {
    let files = suites::data_sets();
    if !files.is_empty() {
        return files;
    }
    let generated = |seed| (format!("generated {seed}"), generate::document(&mut Random::new(seed), 1 << 20));
    (1..=4).map(generated).collect()
}
