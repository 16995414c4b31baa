//! Replays the seeds of the fuzz targets, so that past findings are tested without a fuzzer.

#![forbid(unsafe_code)]

use std::fs;

use proof::cases;
use proof::suites;
use proof::target;

#[test]
fn seeds() {
    let folder = fs::read_dir(suites::root().join("fuzz/seeds")).expect("fuzz/seeds");
    let seeds = folder.map(|entry| fs::read(entry.expect("an entry").path()).expect("a seed"));
    let cases = cases::all().into_iter().map(|case| case.text);
    for text in seeds.chain(cases) {
        for (_, body) in target::ALL {
            body(&text);
        }
    }
}

/// `.ci/fuzz` runs all targets.
#[test]
fn every_target_is_run() {
    let script = fs::read_to_string(suites::root().join(".ci/fuzz")).expect(".ci/fuzz");
    let list = script.lines().find_map(|line| line.strip_prefix("targets=(")?.strip_suffix(')'));
    let run: Vec<_> = list.expect("a list of targets").split(' ').collect();
    let names = target::ALL.iter().map(|(name, _)| *name).chain(["versions"]);
    assert_eq!(run, names.collect::<Vec<_>>());
}
